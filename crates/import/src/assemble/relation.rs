//! A symmetric relation of bodies: which of them may touch. One bit for each pair, so that thousands of bodies are quick.

use std::collections::HashMap;

/// Which bodies may touch each other, by their numbers.
#[derive(Debug, Clone)]
pub struct Relation {
    rows: Vec<Vec<u64>>,
}

impl Relation {
    /// All of so many bodies may touch.
    pub fn all(count: usize) -> Self {
        Self { rows: vec![vec![u64::MAX; count.div_ceil(64)]; count] }
    }

    /// Whether a pair may touch.
    pub fn may(&self, a: usize, b: usize) -> bool {
        self.rows[a][b / 64] >> (b % 64) & 1 == 1
    }

    /// Sets whether a pair of two may touch.
    pub fn set(&mut self, a: usize, b: usize, may: bool) {
        for (a, b) in [(a, b), (b, a)] {
            let bit = 1 << (b % 64);
            match may {
                true => self.rows[a][b / 64] |= bit,
                false => self.rows[a][b / 64] &= !bit,
            }
        }
    }

    /// Whether all pairs may touch.
    pub fn is_all(&self) -> bool {
        self.rows.iter().flatten().all(|word| *word == u64::MAX)
    }

    /// Bodies that touch the same others, and each other either all or not at all; by their first bodies.
    pub fn classes(&self) -> Vec<Vec<usize>> {
        // Bodies that touch each other and the same others have equal rows if each is said to touch itself; bodies that
        // do not touch each other have equal rows if none does. No body has companions of both kinds.
        let by_row = |itself: bool, bodies: &[usize]| {
            let mut groups: HashMap<Vec<u64>, Vec<usize>> = HashMap::new();
            for body in bodies {
                let mut row = self.rows[*body].clone();
                let bit = 1 << (body % 64);
                match itself {
                    true => row[body / 64] |= bit,
                    false => row[body / 64] &= !bit,
                }
                groups.entry(row).or_default().push(*body);
            }
            groups.into_values()
        };
        let bodies: Vec<usize> = (0..self.rows.len()).collect();
        let (mut classes, single): (Vec<_>, Vec<_>) = by_row(true, &bodies).partition(|class| class.len() > 1);
        classes.extend(by_row(false, &single.concat()));
        classes.iter_mut().for_each(|class| class.sort_unstable());
        classes.sort_unstable();
        classes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 to 2 touch all; 70 to 72 touch none of their own; the others, one class each, not their follower.
    #[test]
    fn bodies_that_touch_the_same_others_are_a_class() {
        let mut touch = Relation::all(80);
        for a in 70..73 {
            for b in 70..a {
                touch.set(a, b, false);
            }
        }
        touch.set(3, 4, false);
        touch.set(4, 5, false);
        assert!(!touch.may(4, 3) && !touch.may(71, 70) && touch.may(0, 71) && !touch.is_all());
        let classes = touch.classes();
        // 3 and 5 touch each other and both touch all but 4.
        let rest: Vec<usize> = (0..3).chain(6..70).chain(73..80).collect();
        assert_eq!(classes, [rest, vec![3, 5], vec![4], vec![70, 71, 72]]);
        assert!(Relation::all(3).is_all());
    }
}
