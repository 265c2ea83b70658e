//! From bodies to contact manifolds. Broad phase: pairs of convex shapes (`collider.rs`) from parry3d's bounding-volume
//! tree. Narrow phase: manifolds whose points are matched from step to step by feature ids, or one GJK point per pair,
//! optionally kept over several steps.

mod ahead;
mod ball;
mod boxes;
mod broad;
pub mod budget;
mod clearance;
mod collider;
pub mod continuous;
mod crossed;
mod edge_on_face;
mod edges;
mod excluded;
mod extent;
mod features;
mod four;
mod growing;
pub mod manifold;
mod narrow;
mod patch;
mod quads;
mod rolling;
mod round;
pub mod scale;
mod seams;
mod separation;
pub mod shared_by_substeps;
mod single;
mod turning;
mod update_points;

use std::sync::{Mutex, PoisonError};

use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhWorkspace};
use parry3d::query::ContactManifold;

use super::body::{Body, Velocity};
use super::copy::copied_by_fields;
use super::settings::{Collide, ContactSource, Method, Settings};
use super::sleep::state::Sleep;
use super::threads;
use budget::{Excess, MAX_POINTS};
use collider::Collider;
use excluded::Excluded;
use manifold::{Manifold, POINTS};
use shared_by_substeps::BodyDrift;

/// Two convex shapes of different bodies whose bounding boxes overlap, `a < b`. Bodies that are compounds may have
/// several pairs. The fields needed for a pair that does not touch (most pairs) are stored inline; the rest is behind a
/// pointer, so that such pairs need not load it.
#[derive(Default)]
pub struct Pair {
    pub a: u32,
    pub b: u32,
    /// Which pieces of the two bodies' solids they are: zero for a body that is no compound.
    pub pieces: [u8; 2],
    /// The numbers of the two colliders.
    colliders: [u32; 2],
    /// Whether the pair sleeps (neither body is awake): its points are kept, and no rows are made from them.
    pub(super) idle: bool,
    /// `touches`: the manifold has points. `has_found_points`: parry3d's `found` has points.
    touches: bool,
    has_found_points: bool,
    clearance: clearance::Clearance,
    /// The shapes of a pair without points are farther apart than this, m, if it is positive: see
    /// [`clearance::ShapeMotion`].
    slack: f32,
    /// Manifold and search state of a pair that is near contact.
    pub near: Box<PairCache>,
}

copied_by_fields!(Pair { a, b, pieces, colliders, idle, touches, has_found_points, clearance, slack, near });

/// What is stored for a pair that touches or may touch. One allocation, because fetching it dominates its cost.
#[derive(Default)]
pub struct PairCache {
    /// The manifold that the solver reads, with the impulses of the last step. One manifold per pair of convex shapes:
    /// all points share a normal.
    pub manifold: Manifold,
    /// parry3d's own state, kept because its search starts from the last result.
    found: ContactManifold<(), ()>,
}

impl Clone for PairCache {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.found.points.reserve(FOUND);
        copy.clone_from(self);
        copy
    }

    /// parry3d's `Clone` would allocate a new list of points. Its sub-shape fields need no copy: our shapes are
    /// convex and have no parts.
    fn clone_from(&mut self, source: &Self) {
        self.manifold.clone_from(&source.manifold);
        let (found, other) = (&mut self.found, &source.found);
        found.points.clone_from(&other.points);
        (found.local_n1, found.local_n2) = (other.local_n1, other.local_n2);
    }
}

/// Capacity for the points of a convex manifold before reduction; rare manifolds of nine points grow once. Kept small
/// for cache locality: with 16, a step of the pyramid takes 2 % longer.
const FOUND: usize = 8;
/// With fewer pairs than `MIN_PAIRS_FOR_THREADS`, one thread does them all; otherwise threads take `PAIRS_PER_PIECE`
/// pairs at a time.
const MIN_PAIRS_FOR_THREADS: usize = 1024;
const PAIRS_PER_PIECE: usize = 64;

/// One query per thread. A copy of a world starts without them.
#[derive(Default)]
struct Queries(Vec<Mutex<single::Query>>);

impl Clone for Queries {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Pairs for reuse, with buffers already allocated. `Pair::reset` clears them, so a copy of a world need not copy
/// them and keeps the spare pairs that it has.
#[derive(Default)]
struct Spare(Vec<Pair>);

impl Clone for Spare {
    fn clone(&self) -> Self {
        Self::default()
    }

    fn clone_from(&mut self, _: &Self) {}
}

/// All contacts of a world.
#[derive(Default)]
pub struct Contacts {
    /// Sorted by body indices, so that the solving order never depends on the tree.
    pub pairs: Vec<Pair>,
    spare: Spare,
    /// Set if the last search for contacts exceeded the `budget`.
    pub excess: Option<Excess>,
    /// Pairs that do not collide because a joint connects them.
    excluded: Excluded,
    motion: clearance::ShapeMotion,
    search: Search,
    /// What later sub-steps need to reuse the same points.
    pub shared: BodyDrift,
}

copied_by_fields!(Contacts { pairs, spare, excess, excluded, motion, search, shared });

/// The tree of boxes and everything else that each step finds anew, detached from [`Contacts`].
pub struct DetachedSearch(Search, BodyDrift);

/// The tree of boxes, and the buffers of the queries.
#[derive(Default)]
struct Search {
    bvh: Bvh,
    workspace: BvhWorkspace,
    candidates: Vec<(u32, u32)>,
    /// Scratch for sorting the candidates.
    sorted: Vec<(u32, u32)>,
    starts: Vec<u32>,
    /// Whether `candidates` is up to date with the tree as of its last traversal.
    listed: bool,
    tree: broad::BroadPhaseTree,
    /// The pairs of the previous step; scratch while the pairs are rebuilt.
    previous: Vec<Pair>,
    query: single::Query,
    queries: Queries,
    sweeps: continuous::Sweeps,
    in_tree: usize,
    /// The convex shapes in the tree.
    colliders: Vec<Collider>,
    /// World poses and sizes of the geometries, by collider.
    poses: Vec<Pose>,
    sizes: Vec<Option<clearance::Size>>,
    /// Half of the least thickness of each collider, m.
    thickness: Vec<f32>,
    seams: seams::Seams,
}

copied_by_fields!(Search {
    bvh,
    workspace,
    candidates,
    sorted,
    starts,
    listed,
    tree,
    previous,
    query,
    queries,
    sweeps,
    in_tree,
    colliders,
    poses,
    sizes,
    thickness,
    seams
});

impl Contacts {
    /// Finds the pairs whose bounding boxes overlap; `h` is the step length, s. If there are more than the budget
    /// allows, the previous pairs stay and `excess` is set.
    pub fn find_pairs(&mut self, bodies: &[Box<Body>], velocities: &[Velocity], settings: &Settings, h: f32) {
        broad::update_tree(self, bodies, velocities, settings, h);
        self.excess = broad::collect_pairs(self, bodies).err();
        if self.excess.is_some() {
            // The tree's boxes never shrink. With a smaller prediction or speed only a new tree finds fewer pairs.
            self.search.bvh = Bvh::new();
            self.search.in_tree = 0;
            self.search.listed = false;
        }
    }

    /// Makes `pairs` as long as `other.pairs`, so that copying reuses existing allocations.
    pub fn make_room_for(&mut self, other: &Self) {
        let count = other.pairs.len();
        self.spare.0.extend(self.pairs.drain(count.min(self.pairs.len())..));
        while self.pairs.len() < count {
            self.pairs.push(self.spare.take());
        }
    }

    /// Detaches the search, so that a copy of the contacts, made to return to the present state, does not copy it.
    pub fn detach_search(&mut self) -> DetachedSearch {
        DetachedSearch(std::mem::take(&mut self.search), std::mem::take(&mut self.shared))
    }

    /// Attaches the search again.
    pub fn attach_search(&mut self, DetachedSearch(search, shared): DetachedSearch) {
        (self.search, self.shared) = (search, shared);
    }

    /// Makes the next step list all pairs again. Needed when `pairs` no longer matches the tree.
    pub fn relist_pairs(&mut self) {
        self.search.listed = false;
    }

    /// Fills the manifolds of all pairs that do not sleep and matches their points with those of the previous step.
    /// Sets `excess` if there are more points than the budget allows.
    pub fn find_points(
        &mut self,
        (bodies, sleep): (&[Box<Body>], &Sleep),
        velocities: &[Velocity],
        settings: &Settings,
        h: f32,
    ) {
        // For few pairs the overhead of threads exceeds their gain.
        let threads =
            if self.pairs.len() < MIN_PAIRS_FOR_THREADS { 1 } else { threads::count(settings.solver.threads) };
        self.shared.store_poses(bodies, self.serves_all(settings));
        self.search.place_colliders(bodies);
        let queries = &mut self.search.queries.0;
        while queries.len() < threads {
            queries.push(Mutex::default());
        }
        let queries = &*queries;
        self.motion.update(&self.search.poses, &self.search.sizes);
        let shapes = narrow::Shapes {
            poses: &self.search.poses,
            sizes: &self.search.sizes,
            thickness: &self.search.thickness,
            moved: &self.motion.moved,
        };
        threads::chunks(threads, &mut self.pairs, PAIRS_PER_PIECE, |thread, pairs| {
            let mut query = queries[thread].lock().unwrap_or_else(PoisonError::into_inner);
            for pair in pairs {
                pair.idle = sleep.is_idle((pair.a, pair.b), bodies, velocities);
                if pair.idle {
                    pair.slack = 0.0;
                    continue;
                }
                narrow::update(pair, &mut query, (bodies, &shapes), velocities, settings, h);
            }
        });
        if settings.contact.source != ContactSource::Growing {
            self.search
                .seams
                .smooth(&mut self.pairs, seams::Scene { bodies, poses: &self.search.poses, velocities, h });
        }
        if !self.shared.places.is_empty() {
            rolling::list(&self.pairs, bodies, velocities, h, &mut self.shared.rolling);
            let (list, places) = (&self.shared.rolling, &self.shared.places);
            rolling::advance_to_midpoint(
                list,
                &mut self.pairs,
                (bodies, velocities),
                places,
                h / settings.step.substeps as f32,
            );
            rolling::set_curvature(list, &mut self.pairs, (bodies, velocities), h / settings.step.substeps as f32);
            if settings.solver.method != Method::TgsSoft && turning::any(&self.pairs, bodies, velocities, h) {
                self.shared.expire();
            }
        }
        let points = || self.manifolds().map(|(.., manifold)| manifold.points.len()).sum::<usize>();
        if self.pairs.len() > MAX_POINTS / POINTS && points() > MAX_POINTS {
            self.excess = Some(Excess::Points);
        }
    }

    /// Whether the points that are found now serve all sub-steps of the step. With ballistic impacts they do not: these find
    /// their contacts in each sub-step and have no rows that could be updated.
    pub fn serves_all(&self, settings: &Settings) -> bool {
        settings.contact.collide == Collide::EachStep && settings.step.substeps > 1 && !settings.has_impact_contacts()
    }

    /// Reuses the points of the previous sub-step for one of `h` seconds. Returns false if they must be found again.
    pub fn reuse_points(&mut self, bodies: &[Box<Body>], velocities: &[Velocity], h: f32) -> bool {
        let reused = self.shared.advance(bodies);
        if reused {
            let (list, places) = (&self.shared.rolling, &self.shared.places);
            rolling::move_to_present(list, &mut self.pairs, (bodies, velocities), places, h);
            rolling::set_curvature(list, &mut self.pairs, (bodies, velocities), h);
        }
        reused
    }

    /// Whether points have moved over the bodies since they were found: see `rolling.rs`.
    pub fn any_rolls(&self) -> bool {
        self.shared.shifts().is_some() && !self.shared.rolling.is_empty()
    }

    /// Forgets all contacts, as after a teleport.
    pub fn clear(&mut self) {
        self.spare.0.append(&mut self.pairs);
        self.search.listed = false;
        self.search.bvh = Bvh::new();
        self.search.in_tree = 0;
        self.excess = None;
    }

    /// Keeps two bodies from colliding; `pair` has the lower index first.
    pub fn exclude(&mut self, pair: (u32, u32)) {
        self.excluded.insert(pair);
        self.search.listed = false;
    }

    /// Lets two bodies collide again.
    pub fn include(&mut self, pair: (u32, u32)) {
        self.excluded.remove(pair);
        self.search.listed = false;
    }

    /// Replaces the list of pairs that do not collide.
    pub fn exclude_only(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        self.excluded.set(pairs);
        self.search.listed = false;
    }

    /// Forgets the contact impulses of one body. Also lists the pairs again, since the body's motion type may have
    /// changed.
    pub fn forget(&mut self, body: u32) {
        self.search.listed = false;
        for pair in self.pairs.iter_mut().filter(|p| p.a == body || p.b == body) {
            pair.near.manifold.forget();
        }
    }

    /// The manifolds that have points, with the indices of their bodies; compounds may have several with one body.
    pub fn manifolds(&self) -> impl Iterator<Item = (u32, u32, &Manifold)> {
        self.pairs.iter().filter(|p| p.touches).map(|p| (p.a, p.b, &p.near.manifold))
    }
}

impl Search {
    /// Stores the pose, size and thickness of each collider.
    fn place_colliders(&mut self, bodies: &[Box<Body>]) {
        let Self { colliders, poses, sizes, thickness, .. } = self;
        poses.clear();
        sizes.clear();
        thickness.clear();
        for (body, piece) in colliders.iter().map(|collider| collider.of(bodies)) {
            poses.push(body.pose() * piece.offset);
            sizes.push(clearance::Size::of(&*piece.geometry));
            thickness.push(piece.thickness);
        }
    }
}

impl Pair {
    /// Whether the pair has contact points.
    pub fn touches(&self) -> bool {
        self.touches
    }
}
