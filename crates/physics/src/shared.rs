//! Lists that copies of a world share until one of them changes its own (copy on write).
//!
//! Steps of the articulations do not touch the lists of bodies and joints. The saved states of such a run therefore
//! differ in the articulations alone and share one copy of these lists. A shared list is copied at the first write.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A list that is owned or shared.
pub struct Shared<T>(Kept<T>);

enum Kept<T> {
    Own(Vec<T>),
    Common(Arc<Vec<T>>),
}

impl<T> Shared<T> {
    /// Makes the list shared: clones made from now on share it.
    pub fn share(&mut self) {
        if let Kept::Own(list) = &mut self.0 {
            self.0 = Kept::Common(Arc::new(std::mem::take(list)));
        }
    }

    /// Whether both share the same list.
    pub fn is_one_with(&self, other: &Self) -> bool {
        matches!((&self.0, &other.0), (Kept::Common(one), Kept::Common(two)) if Arc::ptr_eq(one, two))
    }
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(Kept::Own(Vec::new()))
    }
}

impl<T> From<Vec<T>> for Shared<T> {
    fn from(list: Vec<T>) -> Self {
        Self(Kept::Own(list))
    }
}

impl<T: Clone> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Kept::Own(list) => Kept::Own(list.clone()),
            Kept::Common(list) => Kept::Common(list.clone()),
        })
    }

    fn clone_from(&mut self, source: &Self) {
        match (&mut self.0, &source.0) {
            (Kept::Own(list), Kept::Own(source)) => list.clone_from(source),
            _ => *self = source.clone(),
        }
    }
}

impl<T> Deref for Shared<T> {
    type Target = Vec<T>;

    #[inline(always)]
    fn deref(&self) -> &Vec<T> {
        match &self.0 {
            Kept::Own(list) => list,
            Kept::Common(list) => list,
        }
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        if let Kept::Common(_) = self.0 {
            self.part();
        }
        match &mut self.0 {
            Kept::Own(list) => list,
            Kept::Common(_) => unreachable!("it has a list of its own now"),
        }
    }
}

impl<T: Clone> Shared<T> {
    /// Gives this value a list of its own.
    #[cold]
    fn part(&mut self) {
        if let Kept::Common(list) = std::mem::replace(&mut self.0, Kept::Own(Vec::new())) {
            self.0 = Kept::Own(Arc::unwrap_or_clone(list));
        }
    }
}

impl<'a, T> IntoIterator for &'a Shared<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Clone> IntoIterator for &'a mut Shared<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_copied_when_it_is_written_to() {
        let mut first: Shared<Box<u32>> = vec![Box::new(1), Box::new(2)].into();
        assert!(!first.is_one_with(&first.clone()), "nobody has asked for shares");
        first.share();
        let mut second = first.clone();
        let place = |list: &Shared<Box<u32>>| std::ptr::from_ref(&*list[0]);
        assert!(first.is_one_with(&second) && place(&first) == place(&second));
        *second[0] = 3;
        assert!(!first.is_one_with(&second) && (*first[0], *second[0]) == (1, 3));
        // The last owner of a share writes in place.
        let before = place(&first);
        *first[1] = 4;
        assert_eq!((place(&first), *first[1]), (before, 4));
    }
}
