//! Collision groups and masks: which bodies may touch each other. Each body is a member of some of 32 groups, and its
//! mask names the groups that it touches. Two bodies touch if each one's mask has a group of the other.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The number of groups.
pub const GROUPS: u32 = 32;

/// A set of collision groups, by their numbers 0 to 31; in files a list of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Groups(u32);

impl Groups {
    pub const ALL: Self = Self(u32::MAX);
    pub const NONE: Self = Self(0);
    /// Group 0 alone, to which a body belongs if nothing else is given.
    pub const FIRST: Self = Self(1);

    /// The set of these numbers; `None` if one of them is not below [`GROUPS`].
    pub fn of(numbers: impl IntoIterator<Item = u32>) -> Option<Self> {
        let bit = |number: u32| 1u32.checked_shl(number);
        numbers.into_iter().try_fold(0, |set, number| Some(set | bit(number)?)).map(Self)
    }

    /// The numbers, ascending.
    pub fn numbers(self) -> impl Iterator<Item = u32> {
        (0..GROUPS).filter(move |number| self.has(*number))
    }

    /// Whether the group of this number is in the set.
    pub fn has(self, number: u32) -> bool {
        1u32.checked_shl(number).is_some_and(|bit| self.0 & bit != 0)
    }

    /// The set with or without the group of this number.
    #[must_use]
    pub fn with(self, number: u32, member: bool) -> Self {
        let bit = 1u32.checked_shl(number).unwrap_or(0);
        Self(if member { self.0 | bit } else { self.0 & !bit })
    }

    /// Whether the two sets share a group.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl Serialize for Groups {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.numbers())
    }
}

impl<'de> Deserialize<'de> for Groups {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers = Vec::<u32>::deserialize(deserializer)?;
        match numbers.iter().find(|number| **number >= GROUPS) {
            Some(number) => Err(de::Error::custom(format!("a collision group is 0 to {}, not {number}", GROUPS - 1))),
            None => Ok(Self(numbers.into_iter().fold(0, |set, number| set | 1 << number))),
        }
    }
}

/// The groups of a body, and those that it touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CollisionFilter {
    pub groups: Groups,
    pub mask: Groups,
}

impl Default for CollisionFilter {
    /// In group 0, and touches all.
    fn default() -> Self {
        Self { groups: Groups::FIRST, mask: Groups::ALL }
    }
}

impl CollisionFilter {
    /// Whether two bodies may touch: each one's mask has a group of the other.
    pub fn allows(self, other: Self) -> bool {
        self.mask.meets(other.groups) && other.mask.meets(self.groups)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(groups: &[u32], mask: &[u32]) -> CollisionFilter {
        let of = |numbers: &[u32]| Groups::of(numbers.iter().copied()).expect("below 32");
        CollisionFilter { groups: of(groups), mask: of(mask) }
    }

    #[test]
    fn two_bodies_touch_if_both_masks_allow_it() {
        let usual = CollisionFilter::default();
        assert!(usual.allows(usual));
        let (left, right) = (filter(&[1], &[0, 1]), filter(&[2], &[0, 2]));
        for (a, b, touch) in [(left, left, true), (left, right, false), (left, usual, true), (right, usual, true)] {
            assert_eq!((a.allows(b), b.allows(a)), (touch, touch), "{a:?} {b:?}");
        }
        // One side alone does not suffice.
        assert!(!filter(&[3], &[0]).allows(filter(&[0], &[1])));
        assert!(!filter(&[3], &[]).allows(usual));
    }

    #[test]
    fn a_set_is_written_as_its_numbers() {
        for written in ["[]", "[0]", "[3,17,31]"] {
            let set: Groups = ron::from_str(written).expect("a set");
            assert_eq!(ron::to_string(&set).expect("written"), written);
        }
        assert_eq!(ron::from_str::<Groups>("[5, 5, 2]").expect("a set").numbers().collect::<Vec<_>>(), [2, 5]);
        assert!(ron::from_str::<Groups>("[32]").is_err() && Groups::of([u32::MAX]).is_none());
        let set = Groups::FIRST.with(4, true).with(0, false);
        assert!(set.has(4) && !set.has(0) && !set.has(99) && set == Groups::of([4]).expect("below 32"));
    }
}
