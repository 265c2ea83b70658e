//! Pairs of bodies that do not collide because a joint connects them. Sorted, so that they are removed from the
//! sorted candidates in one pass.

use super::collider::Collider;
use crate::copy::copied_by_fields;

/// Sorted; the lower index comes first in each pair.
#[derive(Debug, Default)]
pub(super) struct Excluded {
    pairs: Vec<(u32, u32)>,
}

copied_by_fields!(Excluded { pairs });

impl Excluded {
    pub fn insert(&mut self, pair: (u32, u32)) {
        if let Err(at) = self.pairs.binary_search(&pair) {
            self.pairs.insert(at, pair);
        }
    }

    pub fn remove(&mut self, pair: (u32, u32)) {
        if let Ok(at) = self.pairs.binary_search(&pair) {
            self.pairs.remove(at);
        }
    }

    /// Replaces all pairs.
    pub fn set(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        self.pairs.clear();
        self.pairs.extend(pairs);
        self.pairs.sort_unstable();
        self.pairs.dedup();
    }

    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    pub fn contains(&self, pair: (u32, u32)) -> bool {
        self.pairs.binary_search(&pair).is_ok()
    }

    /// Removes these pairs of bodies from sorted `candidates`, pairs of colliders.
    pub fn take_out(&self, candidates: &mut Vec<(u32, u32)>, colliders: &[Collider]) {
        let body = |collider: u32| colliders[collider as usize].body;
        if colliders.last().is_some_and(|last| last.body as usize + 1 < colliders.len()) {
            // The pairs of several colliders of a body are not sorted by the other body.
            return candidates.retain(|pair| !self.contains((body(pair.0), body(pair.1))));
        }
        let mut excluded = self.pairs.iter().peekable();
        candidates.retain(|pair| {
            while excluded.next_if(|other| *other < pair).is_some() {}
            excluded.peek() != Some(&pair)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_lose_what_is_excluded_and_nothing_else() {
        let mut excluded = Excluded::default();
        excluded.set([(3, 9), (0, 1), (3, 4), (0, 1)].into_iter());
        excluded.insert((2, 5));
        excluded.insert((2, 5));
        excluded.remove((3, 4));
        excluded.remove((7, 8));
        assert_eq!(excluded.len(), 3);
        let all: Vec<(u32, u32)> = (0..10).flat_map(|a| (a + 1..10).map(move |b| (a, b))).collect();
        let mut left = all.clone();
        let mut colliders: Vec<_> = (0..10).map(|body| Collider { body, piece: 0 }).collect();
        excluded.take_out(&mut left, &colliders);
        let expected: Vec<_> = all.into_iter().filter(|pair| !excluded.contains(*pair)).collect();
        assert_eq!(left, expected);
        assert_eq!(left.len(), 45 - 3);
        // With two pieces of body 2, numbers 2 and 3: the others move up by one.
        colliders.insert(3, Collider { body: 2, piece: 1 });
        let mut left = vec![(0, 1), (2, 5), (2, 6), (3, 5), (3, 6), (4, 10)];
        excluded.take_out(&mut left, &colliders);
        assert_eq!(left, [(2, 5), (3, 5)], "2 with 5 and 3 with 9 are excluded");
    }
}
