//! Broad phase: which colliders may touch. Bounding boxes in parry3d's tree, enlarged by a margin so that they need not
//! be updated in every step.
//!
//! If few boxes have moved, only their pairs are searched; the other pairs are unchanged. If many have moved, the
//! whole tree is refitted and all pairs are listed again. Both give the same list.

use glam::Vec3;
use parry3d::bounding_volume::BoundingVolume;
use parry3d::partitioning::{Bvh, BvhLeafUpdateStatus, BvhWorkspace};

use super::budget::{self, Excess, MAX_PAIRS};
use super::clearance::Clearance;
use super::collider::{self, Collider, velocity_of};
use super::excluded::Excluded;
use super::manifold::Manifold;
use super::{Contacts, FOUND, Pair, PairCache, Search, Spare, scale};
use crate::body::{Body, Motion, Velocity};
use crate::copy::copied_by_fields;
use crate::settings::{Continuous, Settings};

/// Spare pairs are allocated in batches of this size.
const BATCH: usize = 64;
/// How far a body's box may move before its leaf in the tree is updated, m.
const MARGIN: f32 = 0.02;
/// The partial search is used if at most one in so many boxes has moved.
const MIN_BOXES_PER_MOVED: usize = 4;
/// After this many partial updates in a row the whole tree is refitted and optimized, because partial updates degrade
/// it.
const PARTIAL: u32 = 60;

/// Updates the tree to the bodies' present poses. Each box is widened by half the contact prediction, plus the
/// distance travelled in the step if continuous collision is on.
pub(super) fn update_tree(
    contacts: &mut Contacts,
    bodies: &[Box<Body>],
    velocities: &[Velocity],
    settings: &Settings,
    h: f32,
) {
    if collider::list(&mut contacts.search.colliders, bodies) {
        // Leaves and pairs have the numbers of other colliders.
        contacts.search.bvh = Bvh::new();
        contacts.search.in_tree = 0;
        contacts.search.listed = false;
    }
    let colliders = &contacts.search.colliders;
    let fresh = contacts.search.in_tree != colliders.len();
    let looks_ahead = settings.contact.continuous != Continuous::Off;
    let BroadPhaseTree { moved, moved_before, partial, behind, .. } = &mut contacts.search.tree;
    std::mem::swap(moved, moved_before);
    moved.clear();
    for (i, collider) in colliders.iter().enumerate() {
        let (body, piece) = collider.of(bodies);
        if !body.collide || (body.motion == Motion::Static && !fresh) {
            continue;
        }
        // Without continuous collision the speed does not widen the box.
        let ahead = if looks_ahead {
            velocity_of((body, piece), &velocities[collider.body as usize]).length() * h
        } else {
            0.0
        };
        let margin = 0.5 * scale::prediction(settings, piece.thickness) + ahead;
        let aabb = piece.geometry.compute_aabb(&(body.pose() * piece.offset)).loosened(margin);
        if aabb.mins.is_finite() && aabb.maxs.is_finite() {
            let status = contacts.search.bvh.insert_or_update_partially(aabb, i as u32, MARGIN);
            if status != BvhLeafUpdateStatus::Unchanged {
                moved.push(i as u32);
            }
        }
    }
    contacts.search.in_tree = colliders.len();
    if moved.is_empty() {
        std::mem::swap(moved, moved_before);
        return;
    }
    *partial = if fresh || MIN_BOXES_PER_MOVED * moved.len() > colliders.len() || *partial == PARTIAL {
        0
    } else {
        *partial + 1
    };
    if *partial > 0 {
        contacts.search.bvh.refit_partial(moved_before, moved);
    } else {
        contacts.search.listed = false;
        contacts.search.bvh.refit(&mut contacts.search.workspace);
        contacts.search.bvh.optimize_incremental(&mut contacts.search.workspace);
    }
    *behind = true;
}

/// Pairs of colliders, the lower number first in each.
type PairList = Vec<(u32, u32)>;

/// What is kept of the tree's state from step to step.
#[derive(Debug, Default)]
pub(super) struct BroadPhaseTree {
    /// The leaves that moved in the last update with any movement, and those of the update before it.
    moved: Vec<u32>,
    moved_before: Vec<u32>,
    /// By collider: whether its leaf is in `moved`.
    has_moved: Vec<bool>,
    /// Number of partial updates in a row; zero after a full one.
    partial: u32,
    /// Whether the tree has changed since the pairs were listed.
    behind: bool,
    /// The pairs that include a collider in `moved`.
    found: PairList,
}

copied_by_fields!(BroadPhaseTree { moved, moved_before, has_moved, partial, behind, found });

/// Whether two colliders of the tree are a pair: they are of two bodies, impulses move one of these, and their groups
/// and masks let them touch.
fn may_meet((colliders, bodies): (&[Collider], &[Box<Body>]), i: u32, j: u32) -> bool {
    let [i, j] = [i, j].map(|number| colliders[number as usize].body);
    let (a, b) = (&bodies[i as usize], &bodies[j as usize]);
    i != j && (a.is_dynamic() || b.is_dynamic()) && a.filter.allows(b.filter)
}

/// Lists the pairs sorted by body indices; pairs that existed before keep their state.
///
/// # Errors
/// [`Excess::Pairs`] if there are more pairs than the budget allows; the previous pairs stay.
pub(super) fn collect_pairs(contacts: &mut Contacts, bodies: &[Box<Body>]) -> Result<(), Excess> {
    let Contacts { excluded, search, .. } = contacts;
    let Search { bvh, tree, workspace, candidates, sorted, starts, listed, colliders, .. } = search;
    let (colliders, who) = (&**colliders, (&**colliders, bodies));
    let behind = std::mem::take(&mut tree.behind);
    if std::mem::replace(listed, true) {
        if behind && add_moved((bvh, workspace), tree, (candidates, sorted), (who, excluded))? {
            rebuild_pairs(contacts);
        }
        return Ok(());
    }
    candidates.clear();
    if budget::is_crowd(bvh, colliders.len(), |index| bvh.leaf_node(index).map(|leaf| leaf.aabb())) {
        return Err(Excess::Pairs);
    }
    let mut fits = true;
    bvh.traverse_bvtt_single_tree::<false>(workspace, &mut |i, j| {
        let key = (i.min(j), i.max(j));
        if may_meet(who, i, j) {
            fits = candidates.len() < MAX_PAIRS + excluded.len();
            if fits {
                candidates.push(key);
            }
        }
    });
    if !fits {
        return Err(Excess::Pairs);
    }
    sort(candidates, (sorted, starts), colliders.len());
    excluded.take_out(candidates, colliders);
    if candidates.len() > MAX_PAIRS {
        return Err(Excess::Pairs);
    }

    rebuild_pairs(contacts);
    Ok(())
}

/// Updates the sorted candidates when only the leaves in `tree.moved` have moved. Returns whether the candidates
/// changed.
fn add_moved(
    (bvh, workspace): (&Bvh, &mut BvhWorkspace),
    tree: &mut BroadPhaseTree,
    (candidates, sorted): (&mut PairList, &mut PairList),
    (who, excluded): ((&[Collider], &[Box<Body>]), &Excluded),
) -> Result<bool, Excess> {
    let BroadPhaseTree { moved, has_moved, found, .. } = tree;
    has_moved.clear();
    has_moved.resize(who.0.len(), false);
    moved.iter().for_each(|collider| has_moved[*collider as usize] = true);
    let is_theirs = |(a, b): (u32, u32)| has_moved[a as usize] || has_moved[b as usize];
    found.clear();
    let mut fits = true;
    bvh.traverse_bvtt_single_tree::<true>(workspace, &mut |i, j| {
        let key = (i.min(j), i.max(j));
        // The tree's own change marks may be left from an earlier update.
        if is_theirs(key) && may_meet(who, i, j) {
            fits = found.len() < MAX_PAIRS + excluded.len();
            if fits {
                found.push(key);
            }
        }
    });
    if !fits {
        return Err(Excess::Pairs);
    }
    found.sort_unstable();
    excluded.take_out(found, who.0);
    // Merges the two sorted lists.
    sorted.clear();
    let mut new = found.iter().copied().peekable();
    for pair in candidates.iter().copied().filter(|pair| !is_theirs(*pair)) {
        while let Some(before) = new.next_if(|new| *new < pair) {
            sorted.push(before);
        }
        sorted.push(pair);
    }
    sorted.extend(new);
    if sorted.len() > MAX_PAIRS {
        return Err(Excess::Pairs);
    }
    std::mem::swap(candidates, sorted);
    Ok(candidates != sorted)
}

/// Rebuilds `pairs` from the candidates; pairs that existed before keep their state.
fn rebuild_pairs(contacts: &mut Contacts) {
    let Contacts { search: Search { candidates, previous, colliders, .. }, pairs, spare, .. } = contacts;
    std::mem::swap(pairs, previous);
    let mut old = previous.drain(..).peekable();
    for &(i, j) in candidates.iter() {
        let ends = [i, j].map(|number| colliders[number as usize]);
        // In the order of the colliders' numbers, which may have changed.
        let key = ends.map(|end| (end.body, end.piece));
        while let Some(gone) = old.next_if(|p| p.key() < key) {
            spare.0.push(gone);
        }
        let mut pair = old.next_if(|p| p.key() == key).unwrap_or_else(|| {
            let mut pair = spare.take();
            pair.reset(ends);
            pair
        });
        pair.colliders = [i, j];
        pairs.push(pair);
    }
    spare.0.extend(old);
}

/// Sorts the pairs of a world of `count` colliders: a counting sort by the first collider, then a comparison sort of
/// each collider's few pairs by the second.
fn sort(pairs: &mut PairList, (sorted, starts): (&mut PairList, &mut Vec<u32>), count: usize) {
    starts.clear();
    starts.resize(count + 1, 0);
    pairs.iter().for_each(|pair| starts[pair.0 as usize + 1] += 1);
    for first in 0..count {
        starts[first + 1] += starts[first];
    }
    sorted.clear();
    sorted.resize(pairs.len(), (0, 0));
    for pair in pairs.iter() {
        let next = &mut starts[pair.0 as usize];
        sorted[*next as usize] = *pair;
        *next += 1;
    }
    // After the scatter, `starts[first]` is the end of that collider's list.
    let mut rest = sorted.as_mut_slice();
    let mut begin = 0;
    for end in &starts[..count] {
        let (list, others) = rest.split_at_mut((end - begin) as usize);
        list.sort_unstable_by_key(|pair| pair.1);
        (rest, begin) = (others, *end);
    }
    std::mem::swap(pairs, sorted);
}

impl Spare {
    /// Takes a spare pair, allocating a batch with room for points if there is none. The batch leaves spares, so that
    /// a settled scene does not allocate for pairs that still come and go.
    pub(super) fn take(&mut self) -> Pair {
        if self.0.is_empty() {
            self.0.extend(std::iter::repeat_with(Pair::roomy).take(BATCH));
        }
        self.0.pop().unwrap_or_else(Pair::roomy)
    }
}

impl Pair {
    /// A pair with room for its points.
    fn roomy() -> Self {
        let mut pair = Self::default();
        pair.near.found.points.reserve(FOUND);
        pair
    }

    /// Resets the pair for two colliders that have just come near: no points, no impulses, and no state for parry3d to
    /// start from.
    pub(super) fn reset(&mut self, ends: [Collider; 2]) {
        [self.a, self.b] = ends.map(|end| end.body);
        self.pieces = ends.map(|end| end.piece as u8);
        (self.touches, self.has_found_points, self.slack, self.clearance) = (false, false, 0.0, Clearance::default());
        let PairCache { manifold, found } = &mut *self.near;
        found.clear();
        (found.local_n1, found.local_n2) = (Vec3::ZERO, Vec3::ZERO);
        *manifold = Manifold::default();
    }

    /// By what pairs are sorted: the bodies and pieces.
    fn key(&self) -> [(u32, u32); 2] {
        self.ends().map(|end| (end.body, end.piece))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::body::BodyDef;
    use crate::collision_filter::{CollisionFilter, Groups};
    use crate::shape::Shape;

    /// Four hundred balls in a box. In most steps few move, so that only their pairs are searched; now and then all
    /// move. Each seventh ball touches the usual group only, not its like. The pairs must be those of all overlapping
    /// boxes that may touch, except the excluded one.
    #[test]
    fn pairs_of_the_boxes_that_moved_are_those_of_all() {
        let mut state = 7u32;
        let mut number = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let solid = Arc::new(Shape::Sphere { radius: 0.2 }.solid().expect("a ball has a volume"));
        let mut place = || Vec3::new(number(), number(), number()) * 4.0;
        let apart = CollisionFilter { groups: Groups::NONE.with(1, true), mask: Groups::FIRST };
        let filter = |i: u32| if i.is_multiple_of(7) { apart } else { CollisionFilter::default() };
        let ball =
            |i, place: &mut dyn FnMut() -> Vec3| BodyDef { filter: filter(i), ..BodyDef::new(solid.clone(), place()) };
        let mut bodies: Vec<Box<Body>> = (0..400).map(|i| Box::new(Body::new(ball(i, &mut place)))).collect();
        let velocities = vec![Velocity::default(); bodies.len()];
        let settings = crate::preset::Preset::SingleStep.settings();
        let (mut contacts, mut partial) = (Contacts::default(), 0);
        contacts.exclude((3, 5));
        for step in 0..200 {
            let moving = if step % 50 == 49 { 1 } else { 40 };
            for body in bodies.iter_mut().skip(step % moving).step_by(moving) {
                body.position += (place() - 2.0) * 0.1;
            }
            contacts.find_pairs(&bodies, &velocities, &settings, 1.0 / 60.0);
            partial += usize::from(contacts.search.tree.partial > 0);
            let leaf = |body: usize| contacts.search.bvh.leaf_node(body as u32).expect("each has a leaf").aabb();
            let all = (0..bodies.len()).flat_map(|a| (a + 1..bodies.len()).map(move |b| (a, b)));
            let meet = all.filter(|(a, b)| {
                leaf(*a).intersects(&leaf(*b)) && (*a, *b) != (3, 5) && !(a.is_multiple_of(7) && b.is_multiple_of(7))
            });
            let expected: Vec<(u32, u32)> = meet.map(|(a, b)| (a as u32, b as u32)).collect();
            let pairs: Vec<(u32, u32)> = contacts.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
            assert_eq!(pairs, expected, "step {step}");
        }
        assert!(partial > 100, "{partial} steps looked for few pairs only");
    }

    #[test]
    fn pairs_are_sorted_by_the_first_body_and_then_the_second() {
        let mut state = 1u32;
        let mut number = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % below
        };
        let (mut sorted, mut starts) = (Vec::new(), Vec::new());
        for (bodies, count) in [(1, 0), (2, 1), (7, 30), (300, 5000), (300, 3)] {
            let mut pairs: Vec<(u32, u32)> = (0..count).map(|_| (number(bodies), number(bodies))).collect();
            let mut expected = pairs.clone();
            expected.sort_unstable();
            sort(&mut pairs, (&mut sorted, &mut starts), bodies as usize);
            assert_eq!(pairs, expected, "{bodies} bodies");
        }
    }
}
