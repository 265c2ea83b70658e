//! Which bodies may touch: bounding boxes in parry3d's tree, loosened so that they need not move every step.

use glam::Vec3;
use parry3d::bounding_volume::BoundingVolume;

use super::budget::{self, Excess, MAX_PAIRS};
use super::{Contacts, Pair, PairCache};
use crate::physics::body::{Body, Motion, Velocity};
use crate::physics::settings::{Continuous, Settings};

/// Room for the points that a manifold of convex shapes has before it is reduced; rare ones of nine grow once.
/// Pairs that lie close together are quicker: with 16 a step of the pyramid takes 2 % longer.
const FOUND: usize = 8;
/// Pairs made at a time.
const BATCH: usize = 64;
/// How far a box may move before its leaf does, m.
const MARGIN: f32 = 0.02;

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
    let mut changed = false;
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
            changed |= status != parry3d::partitioning::BvhLeafUpdateStatus::Unchanged;
        }
    }
    contacts.in_tree = bodies.len();
    if changed {
        contacts.listed = false;
        contacts.bvh.refit(&mut contacts.workspace);
        contacts.bvh.optimize_incremental(&mut contacts.workspace);
    }
}

/// Lists the pairs in a fixed order, each with what it already knew.
///
/// # Errors
/// There are more than the budget; the pairs of before stay.
pub(super) fn collect_pairs(contacts: &mut Contacts, bodies: &[Box<Body>]) -> Result<(), Excess> {
    let Contacts { bvh, workspace, candidates, sorted, starts, pairs, previous, spare, excluded, listed, .. } =
        contacts;
    if std::mem::replace(listed, true) {
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

    std::mem::swap(pairs, previous);
    let mut old = previous.drain(..).peekable();
    for &(a, b) in candidates.iter() {
        while let Some(gone) = old.next_if(|p| (p.a, p.b) < (a, b)) {
            spare.push(gone);
        }
        let pair = old.next_if(|p| (p.a, p.b) == (a, b)).unwrap_or_else(|| {
            // Made by the batch, with room for points: a scene that has settled finds spare ones for what still
            // jitters.
            if spare.is_empty() {
                spare.extend(std::iter::repeat_with(Pair::roomy).take(BATCH));
            }
            let mut pair = spare.pop().unwrap_or_else(Pair::roomy);
            pair.reset(a, b);
            pair
        });
        pairs.push(pair);
    }
    spare.extend(old);
    Ok(())
}

/// Sorts pairs of so many bodies: into one list for each first body, as long as its pairs are many, and each list by
/// the second. A body meets few others, and lists of a few are sorted at once.
fn sort(pairs: &mut Vec<(u32, u32)>, (sorted, starts): (&mut Vec<(u32, u32)>, &mut Vec<u32>), bodies: usize) {
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
        (self.touches, self.met) = (false, false);
        let PairCache { manifold, found } = &mut *self.near;
        found.clear();
        (found.local_n1, found.local_n2) = (Vec3::ZERO, Vec3::ZERO);
        manifold.clear();
        manifold.extent = super::extent::Extent::default();
    }
}

#[cfg(test)]
mod tests {
    use super::sort;

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
