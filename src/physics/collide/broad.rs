//! Which bodies may touch: bounding boxes in parry3d's tree, loosened so that they need not move every step.
//!
//! Where few boxes have moved, only their pairs are looked for: those of the others are what they were. Where many have,
//! the tree is brought up to date as a whole, and all pairs are listed anew. Both give the same list.

use glam::Vec3;
use parry3d::bounding_volume::BoundingVolume;
use parry3d::partitioning::{Bvh, BvhLeafUpdateStatus, BvhWorkspace};

use super::apart::Clearance;
use super::budget::{self, Excess, MAX_PAIRS};
use super::excluded::Excluded;
use super::manifold::Manifold;
use super::{Contacts, FOUND, Pair, PairCache, Spare};
use crate::physics::body::{Body, Motion, Velocity};
use crate::physics::copy::copied_by_fields;
use crate::physics::settings::{Continuous, Settings};

/// Pairs made at a time.
const BATCH: usize = 64;
/// How far a box may move before its leaf does, m.
const MARGIN: f32 = 0.02;
/// Of so many boxes one may have moved where only the pairs of those that have are looked for.
const FEW: usize = 4;
/// So often in a row that is done; then the tree, which they leave as it grew, is put in order.
const PARTIAL: u32 = 60;

/// Brings the tree to the bodies' present poses, each box widened by how far it may see a contact coming.
pub(super) fn update_tree(
    contacts: &mut Contacts,
    bodies: &[Box<Body>],
    velocities: &[Velocity],
    settings: &Settings,
    h: f32,
) {
    let fresh = contacts.in_tree != bodies.len();
    let looks_ahead = settings.contact.continuous != Continuous::Off;
    let BroadPhaseTree { moved, moved_before, partial, behind, .. } = &mut contacts.tree;
    std::mem::swap(moved, moved_before);
    moved.clear();
    for (i, body) in bodies.iter().enumerate() {
        if !body.collide || (body.motion == Motion::Static && !fresh) {
            continue;
        }
        // Without looking ahead nobody is seen from farther for being fast.
        let ahead = if looks_ahead { velocities[i].linear.length() * h } else { 0.0 };
        let margin = 0.5 * settings.contact.prediction + ahead;
        let aabb = body.solid.geometry.compute_aabb(&(body.pose() * body.solid.offset)).loosened(margin);
        if aabb.mins.is_finite() && aabb.maxs.is_finite() {
            let status = contacts.bvh.insert_or_update_partially(aabb, i as u32, MARGIN);
            if status != BvhLeafUpdateStatus::Unchanged {
                moved.push(i as u32);
            }
        }
    }
    contacts.in_tree = bodies.len();
    if moved.is_empty() {
        std::mem::swap(moved, moved_before);
        return;
    }
    *partial = if fresh || FEW * moved.len() > bodies.len() || *partial == PARTIAL { 0 } else { *partial + 1 };
    if *partial > 0 {
        contacts.bvh.refit_partial(moved_before, moved);
    } else {
        contacts.listed = false;
        contacts.bvh.refit(&mut contacts.workspace);
        contacts.bvh.optimize_incremental(&mut contacts.workspace);
    }
    *behind = true;
}

/// Pairs of bodies, the lower index first in each.
type PairList = Vec<(u32, u32)>;

/// What is kept of the tree from step to step.
#[derive(Debug, Default)]
pub(super) struct BroadPhaseTree {
    /// The leaves that moved when any did last, and those that did the time before.
    moved: Vec<u32>,
    moved_before: Vec<u32>,
    /// Whether each has.
    has_moved: Vec<bool>,
    /// How often in a row only the pairs of those that moved were looked for; zero where all were.
    partial: u32,
    /// Whether the pairs are not those of the tree yet.
    behind: bool,
    /// The pairs of those that moved.
    found: PairList,
}

copied_by_fields!(BroadPhaseTree { moved, moved_before, has_moved, partial, behind, found });

/// Lists the pairs in a fixed order, each with what it already knew.
///
/// # Errors
/// There are more than the budget; the pairs of before stay.
pub(super) fn collect_pairs(contacts: &mut Contacts, bodies: &[Box<Body>]) -> Result<(), Excess> {
    let Contacts { bvh, tree, workspace, candidates, sorted, starts, excluded, listed, .. } = contacts;
    let behind = std::mem::take(&mut tree.behind);
    if std::mem::replace(listed, true) {
        if behind && add_moved((bvh, workspace), tree, (candidates, sorted), (bodies, excluded))? {
            renew(contacts);
        }
        return Ok(());
    }
    candidates.clear();
    if budget::is_crowd(bvh, bodies.len(), |index| bvh.leaf_node(index).map(|leaf| leaf.aabb())) {
        return Err(Excess::Pairs);
    }
    let mut fits = true;
    bvh.traverse_bvtt_single_tree::<false>(workspace, &mut |i, j| {
        let key = (i.min(j), i.max(j));
        let moved = bodies[i as usize].is_dynamic() || bodies[j as usize].is_dynamic();
        if moved {
            fits = candidates.len() < MAX_PAIRS + excluded.len();
            if fits {
                candidates.push(key);
            }
        }
    });
    if !fits {
        return Err(Excess::Pairs);
    }
    sort(candidates, (sorted, starts), bodies.len());
    excluded.take_out(candidates);
    if candidates.len() > MAX_PAIRS {
        return Err(Excess::Pairs);
    }

    renew(contacts);
    Ok(())
}

/// Brings the candidates up to date where only the leaves in `tree.moved` have moved. Whether they are others now.
fn add_moved(
    (bvh, workspace): (&Bvh, &mut BvhWorkspace),
    tree: &mut BroadPhaseTree,
    (candidates, sorted): (&mut PairList, &mut PairList),
    (bodies, excluded): (&[Box<Body>], &Excluded),
) -> Result<bool, Excess> {
    let BroadPhaseTree { moved, has_moved, found, .. } = tree;
    has_moved.clear();
    has_moved.resize(bodies.len(), false);
    moved.iter().for_each(|body| has_moved[*body as usize] = true);
    let is_theirs = |(a, b): (u32, u32)| has_moved[a as usize] || has_moved[b as usize];
    found.clear();
    let mut fits = true;
    bvh.traverse_bvtt_single_tree::<true>(workspace, &mut |i, j| {
        let key = (i.min(j), i.max(j));
        // The tree's own marks may be older.
        if is_theirs(key) && (bodies[i as usize].is_dynamic() || bodies[j as usize].is_dynamic()) {
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
    excluded.take_out(found);
    // Two sorted lists become one.
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

/// Makes the pairs those of the candidates, each with what it already knew.
fn renew(contacts: &mut Contacts) {
    let Contacts { candidates, pairs, previous, spare, .. } = contacts;
    std::mem::swap(pairs, previous);
    let mut old = previous.drain(..).peekable();
    for &(a, b) in candidates.iter() {
        while let Some(gone) = old.next_if(|p| (p.a, p.b) < (a, b)) {
            spare.0.push(gone);
        }
        let pair = old.next_if(|p| (p.a, p.b) == (a, b)).unwrap_or_else(|| {
            let mut pair = spare.take();
            pair.reset(a, b);
            pair
        });
        pairs.push(pair);
    }
    spare.0.extend(old);
}

/// Sorts pairs of so many bodies: into one list for each first body, as long as its pairs are many, and each list by
/// the second. A body meets few others, and lists of a few are sorted at once.
fn sort(pairs: &mut PairList, (sorted, starts): (&mut PairList, &mut Vec<u32>), bodies: usize) {
    starts.clear();
    starts.resize(bodies + 1, 0);
    pairs.iter().for_each(|pair| starts[pair.0 as usize + 1] += 1);
    for body in 0..bodies {
        starts[body + 1] += starts[body];
    }
    sorted.clear();
    sorted.resize(pairs.len(), (0, 0));
    for pair in pairs.iter() {
        let next = &mut starts[pair.0 as usize];
        sorted[*next as usize] = *pair;
        *next += 1;
    }
    // Where each list now ends, the next one begins.
    let mut rest = sorted.as_mut_slice();
    let mut begin = 0;
    for end in &starts[..bodies] {
        let (list, others) = rest.split_at_mut((end - begin) as usize);
        list.sort_unstable_by_key(|pair| pair.1);
        (rest, begin) = (others, *end);
    }
    std::mem::swap(pairs, sorted);
}

impl Spare {
    /// One of them. They are made by the batch, with room for points: a scene that has settled finds some for what
    /// still jitters.
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

    /// Makes it the pair of two bodies that have just come near; parry3d finds nothing to start from.
    pub(super) fn reset(&mut self, a: u32, b: u32) {
        (self.a, self.b) = (a, b);
        (self.touches, self.met, self.apart) = (false, false, Clearance::default());
        let PairCache { manifold, found } = &mut *self.near;
        found.clear();
        (found.local_n1, found.local_n2) = (Vec3::ZERO, Vec3::ZERO);
        *manifold = Manifold::default();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::physics::body::BodyDef;
    use crate::physics::shape::Shape;

    /// Four hundred balls in a box, of which some move in each step: few, so that only their pairs are looked for, and
    /// now and then all of them. The pairs are those of all boxes that meet, but the excluded one.
    #[test]
    fn pairs_of_the_boxes_that_moved_are_those_of_all() {
        let mut state = 7u32;
        let mut number = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let solid = Arc::new(Shape::Sphere { radius: 0.2 }.solid().expect("a ball has a volume"));
        let mut place = || Vec3::new(number(), number(), number()) * 4.0;
        let mut bodies: Vec<Box<Body>> =
            (0..400).map(|_| Box::new(Body::new(BodyDef::new(solid.clone(), place())))).collect();
        let velocities = vec![Velocity::default(); bodies.len()];
        let settings = Settings::default();
        let (mut contacts, mut partial) = (Contacts::default(), 0);
        contacts.exclude((3, 5));
        for step in 0..200 {
            let moving = if step % 50 == 49 { 1 } else { 40 };
            for body in bodies.iter_mut().skip(step % moving).step_by(moving) {
                body.position += (place() - 2.0) * 0.1;
            }
            contacts.find_pairs(&bodies, &velocities, &settings, 1.0 / 60.0);
            partial += usize::from(contacts.tree.partial > 0);
            let leaf = |body: usize| contacts.bvh.leaf_node(body as u32).expect("each has a leaf").aabb();
            let all = (0..bodies.len()).flat_map(|a| (a + 1..bodies.len()).map(move |b| (a, b)));
            let meet = all.filter(|(a, b)| leaf(*a).intersects(&leaf(*b)) && (*a, *b) != (3, 5));
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
