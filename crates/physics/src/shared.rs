//! Lists that copies of a world share until one of the copies is written to (copy on write).
//!
//! Steps of the articulations do not touch the lists of bodies and joints. The saved states of such a run therefore
//! differ only in the articulations and share one copy of these lists. A shared list is copied at the first write.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A list that is owned or shared.
pub struct Shared<T>(Storage<T>);

enum Storage<T> {
    Owned(Vec<T>),
    Shared(Arc<Vec<T>>),
}

impl<T> Shared<T> {
    /// Makes the list shared: clones made from now on share it.
    pub fn share(&mut self) {
        if let Storage::Owned(list) = &mut self.0 {
            self.0 = Storage::Shared(Arc::new(std::mem::take(list)));
        }
    }

    /// Whether both share the same list.
    pub fn shares_list_with(&self, other: &Self) -> bool {
        matches!((&self.0, &other.0), (Storage::Shared(one), Storage::Shared(two)) if Arc::ptr_eq(one, two))
    }
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(Storage::Owned(Vec::new()))
    }
}

impl<T> From<Vec<T>> for Shared<T> {
    fn from(list: Vec<T>) -> Self {
        Self(Storage::Owned(list))
    }
}

impl<T: Clone> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Storage::Owned(list) => Storage::Owned(list.clone()),
            Storage::Shared(list) => Storage::Shared(list.clone()),
        })
    }

    fn clone_from(&mut self, source: &Self) {
        match (&mut self.0, &source.0) {
            (Storage::Owned(list), Storage::Owned(source)) => list.clone_from(source),
            _ => *self = source.clone(),
        }
    }
}

impl<T> Deref for Shared<T> {
    type Target = Vec<T>;

    #[inline(always)]
    fn deref(&self) -> &Vec<T> {
        match &self.0 {
            Storage::Owned(list) => list,
            Storage::Shared(list) => list,
        }
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        if let Storage::Shared(_) = self.0 {
            self.make_owned();
        }
        match &mut self.0 {
            Storage::Owned(list) => list,
            Storage::Shared(_) => unreachable!("it has a list of its own now"),
        }
    }
}

impl<T: Clone> Shared<T> {
    /// Gives this value a list of its own.
    #[cold]
    fn make_owned(&mut self) {
        if let Storage::Shared(list) = std::mem::replace(&mut self.0, Storage::Owned(Vec::new())) {
            self.0 = Storage::Owned(Arc::unwrap_or_clone(list));
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
    fn a_shared_list_is_copied_when_it_is_written_to() {
        let mut first: Shared<Box<u32>> = vec![Box::new(1), Box::new(2)].into();
        assert!(!first.shares_list_with(&first.clone()), "`share` was not called");
        first.share();
        let mut second = first.clone();
        let place = |list: &Shared<Box<u32>>| std::ptr::from_ref(&*list[0]);
        assert!(first.shares_list_with(&second) && place(&first) == place(&second));
        *second[0] = 3;
        assert!(!first.shares_list_with(&second) && (*first[0], *second[0]) == (1, 3));
        // The last owner of a shared list writes in place.
        let before = place(&first);
        *first[1] = 4;
        assert_eq!((place(&first), *first[1]), (before, 4));
    }
}
