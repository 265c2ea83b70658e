//! Pairs of bodies that do not collide because a joint connects them. Sorted, so that they are removed from the
//! sorted candidates in one pass.

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

    /// Removes these pairs from sorted `candidates`.
    pub fn take_out(&self, candidates: &mut Vec<(u32, u32)>) {
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
        excluded.take_out(&mut left);
        let expected: Vec<_> = all.into_iter().filter(|pair| !excluded.contains(*pair)).collect();
        assert_eq!(left, expected);
        assert_eq!(left.len(), 45 - 3);
    }
}
