//! From bodies to contact manifolds: pairs by parry3d's bounding-volume tree, points by parry3d's manifolds, identity
//! from step to step by feature ids; or one point a pair by GJK, kept over the steps or not.

mod apart;
mod ball;
mod boxes;
mod broad;
pub mod budget;
pub mod continuous;
mod excluded;
mod extent;
mod features;
mod follow;
mod growing;
pub mod manifold;
mod narrow;
mod patch;
mod quads;
mod separation;
pub mod shared_by_substeps;
mod single;

use std::sync::{Mutex, PoisonError};

use parry3d::math::Pose;
use parry3d::partitioning::{Bvh, BvhWorkspace};
use parry3d::query::ContactManifold;

use super::body::{Body, Velocity};
use super::copy::copied_by_fields;
use super::settings::{Collide, Settings};
use super::sleep::Sleep;
use super::threads;
use budget::{Excess, MAX_POINTS};
use excluded::Excluded;
use manifold::Manifold;
use shared_by_substeps::BodyDrift;

/// Two bodies whose bounding boxes meet, `a < b`. What is asked of a pair that does not touch, which most are, lies in
/// the list itself: to fetch the rest of it is what such pairs would cost.
#[derive(Default)]
pub struct Pair {
    pub a: u32,
    pub b: u32,
    /// Whether it sleeps: its points stay, and no rows are made of it.
    pub(super) idle: bool,
    /// Whether the manifold has points, and whether `found` has.
    touches: bool,
    met: bool,
    apart: apart::Clearance,
    /// What is known of the two where they are near.
    pub near: Box<PairCache>,
}

copied_by_fields!(Pair { a, b, idle, touches, met, apart, near });

/// What is known of a pair that touches or may: in one piece, for to fetch it is most of what it costs.
#[derive(Default)]
pub struct PairCache {
    /// What the solver sees, with the impulses of the last step; at most one in use, the points share a normal.
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

    /// parry3d's own copy asks for a new list of points. What it holds of parts of shapes is the same for all pairs:
    /// ours are convex and have none.
    fn clone_from(&mut self, source: &Self) {
        self.manifold.clone_from(&source.manifold);
        let (found, other) = (&mut self.found, &source.found);
        found.points.clone_from(&other.points);
        (found.local_n1, found.local_n2) = (other.local_n1, other.local_n2);
    }
}

/// Room for the points that a manifold of convex shapes has before it is reduced; rare ones of nine grow once.
/// Pairs that lie close together are quicker: with 16 a step of the pyramid takes 2 % longer.
const FOUND: usize = 8;
/// Fewer pairs than this are left to one thread, and so many at a time are handed out.
const FEW: usize = 1024;
const PIECE: usize = 64;

/// A query for each thread. A copy of a world starts without them.
#[derive(Default)]
struct Queries(Vec<Mutex<single::Query>>);

impl Clone for Queries {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Pairs to be used again: their buffers are already grown. Nothing of what they were is left in the pairs that they
/// become, so a copy of a world starts with those that it has.
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
    /// Sorted by bodies, so that the order of solving never depends on the tree.
    pub pairs: Vec<Pair>,
    bvh: Bvh,
    workspace: BvhWorkspace,
    candidates: Vec<(u32, u32)>,
    /// Scratch to sort them.
    sorted: Vec<(u32, u32)>,
    starts: Vec<u32>,
    /// Whether the candidates are those of the tree when it was last looked at.
    listed: bool,
    tree: broad::BroadPhaseTree,
    /// Pairs of the step before.
    previous: Vec<Pair>,
    spare: Spare,
    /// What did not fit into the `budget` when the contacts were last looked for.
    pub excess: Option<Excess>,
    query: single::Query,
    queries: Queries,
    sweeps: continuous::Sweeps,
    /// Pairs that a joint keeps from colliding.
    excluded: Excluded,
    in_tree: usize,
    /// Where the bodies' geometries are, and how large.
    poses: Vec<Pose>,
    sizes: Vec<Option<apart::Size>>,
    /// What later sub-steps need to go on with the same points.
    pub shared: BodyDrift,
}

copied_by_fields!(Contacts {
    pairs,
    bvh,
    workspace,
    candidates,
    sorted,
    starts,
    listed,
    tree,
    previous,
    spare,
    excess,
    query,
    queries,
    sweeps,
    excluded,
    in_tree,
    poses,
    sizes,
    shared
});

impl Contacts {
    /// Finds the pairs whose bounding boxes meet; `h` is the length of the step. Where they are more than the budget
    /// those of before stay.
    pub fn find_pairs(&mut self, bodies: &[Box<Body>], velocities: &[Velocity], settings: &Settings, h: f32) {
        broad::update_tree(self, bodies, velocities, settings, h);
        self.excess = broad::collect_pairs(self, bodies).err();
        if self.excess.is_some() {
            // Leaves never shrink: with less prediction or speed the tree must begin anew, to find fewer.
            self.bvh = Bvh::new();
            self.in_tree = 0;
            self.listed = false;
        }
    }

    /// Makes room for as many pairs as there are in `other`, so that they are copied into those that lie here.
    pub fn make_room_for(&mut self, other: &Self) {
        let count = other.pairs.len();
        self.spare.0.extend(self.pairs.drain(count.min(self.pairs.len())..));
        while self.pairs.len() < count {
            self.pairs.push(self.spare.take());
        }
    }

    /// Lists all pairs anew in the next step, as for pairs that are not those of the tree.
    pub fn list_anew(&mut self) {
        self.listed = false;
    }

    /// Exchanges what finds the pairs, with the tree as it has grown.
    pub fn exchange_search(&mut self, other: &mut Self) {
        macro_rules! exchange {
            ($($field:ident)*) => { $(std::mem::swap(&mut self.$field, &mut other.$field);)* };
        }
        exchange! {
            bvh workspace candidates sorted starts listed tree previous in_tree query queries sweeps poses sizes shared
        }
    }

    /// Fills the manifolds of all pairs and matches their points with those of the step before, as far as the budget
    /// goes.
    pub fn find_points(
        &mut self,
        (bodies, sleep): (&[Box<Body>], &Sleep),
        velocities: &[Velocity],
        settings: &Settings,
        h: f32,
    ) {
        // Few pairs are sooner done than handed out.
        let threads = if self.pairs.len() < FEW { 1 } else { threads::count(settings.solver.threads) };
        self.shared.begin(bodies, self.serves_all(settings));
        let queries = &mut self.queries.0;
        while queries.len() < threads {
            queries.push(Mutex::default());
        }
        let queries = &*queries;
        self.poses.clear();
        self.poses.extend(bodies.iter().map(|body| body.pose() * body.solid.offset));
        self.sizes.clear();
        self.sizes.extend(bodies.iter().map(|body| apart::Size::of(&*body.solid.geometry)));
        let (poses, sizes) = (&self.poses, &self.sizes);
        threads::chunks(threads, &mut self.pairs, PIECE, |thread, pairs| {
            let mut query = queries[thread].lock().unwrap_or_else(PoisonError::into_inner);
            for pair in pairs {
                pair.idle = sleep.is_idle((pair.a, pair.b), bodies, velocities);
                if pair.idle {
                    continue;
                }
                narrow::update(pair, &mut query, (bodies, poses, sizes), velocities, settings, h);
            }
        });
        if self.manifolds().map(|(.., manifold)| manifold.points.len()).sum::<usize>() > MAX_POINTS {
            self.excess = Some(Excess::Points);
        }
    }

    /// Whether the points that are found serve all sub-steps of the step. Blows have no rows to be carried on, and want
    /// theirs found anew.
    pub fn serves_all(&self, settings: &Settings) -> bool {
        settings.contact.collide == Collide::EachStep
            && settings.step.substeps > 1
            && !super::ballistic::is_on(settings)
    }

    /// Goes on with the points of the sub-step before. False where they are to be found anew.
    pub fn go_on(&mut self, bodies: &[Box<Body>]) -> bool {
        self.shared.go_on(bodies)
    }

    /// Forgets all contacts, as after a teleport.
    pub fn clear(&mut self) {
        self.spare.0.append(&mut self.pairs);
        self.listed = false;
        self.bvh = Bvh::new();
        self.in_tree = 0;
        self.excess = None;
    }

    /// Keeps two bodies from colliding, the one with the lower index first.
    pub fn exclude(&mut self, pair: (u32, u32)) {
        self.excluded.insert(pair);
        self.listed = false;
    }

    /// Lets two bodies collide.
    pub fn include(&mut self, pair: (u32, u32)) {
        self.excluded.remove(pair);
        self.listed = false;
    }

    /// Keeps these bodies from colliding, and no others.
    pub fn exclude_only(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        self.excluded.set(pairs);
        self.listed = false;
    }

    /// Forgets the impulses that one body's contacts carried; what moves it may be another thing, too.
    pub fn forget(&mut self, body: u32) {
        self.listed = false;
        for pair in self.pairs.iter_mut().filter(|p| p.a == body || p.b == body) {
            pair.near.manifold.forget();
        }
    }

    /// The manifolds that have points.
    pub fn manifolds(&self) -> impl Iterator<Item = (u32, u32, &Manifold)> {
        self.pairs.iter().filter(|p| p.touches).map(|p| (p.a, p.b, &p.near.manifold))
    }
}

impl Pair {
    /// Whether it has contact points.
    pub fn touches(&self) -> bool {
        self.touches
    }
}
