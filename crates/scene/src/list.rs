//! The lists of a scene. A copy shares all elements with its original. Changing one element copies only that element
//! and its path in the tree. Documents before and after an edit therefore cost only their difference in memory, and
//! differences are found by comparing pointers.
//!
//! `imbl` was chosen among persistent vectors because it inserts and removes in the middle and exposes its leaves, by
//! which whole lists are compared. `rpds` does neither, and an `Arc<Vec>` would copy ten thousand pointers per edit.

use std::fmt::{self, Debug, Formatter};
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use imbl::Vector;
use imbl::shared_ptr::DefaultSharedPtr;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A list of a scene's elements; see the module documentation.
#[derive(Clone)]
pub struct List<T>(Vector<Arc<T>>);

impl<T> List<T> {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, index: usize) -> Option<&T> {
        self.0.get(index).map(Arc::as_ref)
    }

    pub fn first(&self) -> Option<&T> {
        self.get(0)
    }

    pub fn last(&self) -> Option<&T> {
        self.0.last().map(Arc::as_ref)
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &T> + DoubleEndedIterator + Clone {
        self.0.iter().map(Arc::as_ref)
    }

    pub fn push(&mut self, element: T) {
        self.0.push_back(Arc::new(element));
    }

    /// # Panics
    /// If `index` is beyond the end.
    pub fn insert(&mut self, index: usize, element: T) {
        self.0.insert(index, Arc::new(element));
    }

    /// # Panics
    /// If there is no element of this index.
    pub fn remove(&mut self, index: usize) {
        self.0.remove(index);
    }

    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps the elements whose index satisfies `keeps`.
    pub fn keep_indices(&mut self, keeps: impl Fn(usize) -> bool) {
        let mut index = 0..;
        self.0.retain(|_| index.next().is_some_and(&keeps));
    }

    /// Inserts elements before all others.
    pub fn prepend(&mut self, elements: impl IntoIterator<Item = T>) {
        let mut list: Self = elements.into_iter().collect();
        list.0.append(std::mem::take(&mut self.0));
        *self = list;
    }

    /// The pairs of elements at the same index that the two lists do not share; a longer list's extra elements are
    /// not included. Compares pointers, leaf by leaf.
    fn unshared<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (usize, &'a T, &'a T)> {
        let (mut mine, mut theirs) = (self.0.leaves(), other.0.leaves());
        let (mut a, mut b): (&[Arc<T>], &[Arc<T>]) = (&[], &[]);
        let mut at = 0;
        std::iter::from_fn(move || {
            loop {
                if a.is_empty() {
                    a = mine.next()?;
                }
                if b.is_empty() {
                    b = theirs.next()?;
                }
                let shared = a.len().min(b.len());
                if a.as_ptr() == b.as_ptr() {
                    (a, b, at) = (&a[shared..], &b[shared..], at + shared);
                    continue;
                }
                let ((x, y), index) = ((&a[0], &b[0]), at);
                (a, b, at) = (&a[1..], &b[1..], at + 1);
                if !Arc::ptr_eq(x, y) {
                    return Some((index, &**x, &**y));
                }
            }
        })
    }

    /// The elements not shared with the other list, including those of which it holds another copy. Compares
    /// pointers.
    pub fn without<'a>(&'a self, other: &'a Self) -> Vec<&'a T> {
        if self.len() == other.len() {
            return self.unshared(other).map(|(_, mine, _)| mine).collect();
        }
        let theirs: std::collections::HashSet<*const T> = other.0.iter().map(Arc::as_ptr).collect();
        self.0.iter().filter(|element| !theirs.contains(&Arc::as_ptr(element))).map(Arc::as_ref).collect()
    }
}

impl<T: Clone> List<T> {
    /// A mutable element, copied first if another list shares it.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.0.get_mut(index).map(Arc::make_mut)
    }

    /// Replaces each element for which `change` returns a new one. The others stay shared.
    pub fn update(&mut self, mut change: impl FnMut(&T) -> Option<T>) {
        for index in 0..self.len() {
            if let Some(other) = change(&self.0[index]) {
                self.0.set(index, Arc::new(other));
            }
        }
    }

    /// Copies of all elements.
    pub fn to_vec(&self) -> Vec<T> {
        self.iter().cloned().collect()
    }
}

impl<T: PartialEq> List<T> {
    /// The indices at which two lists of equal length differ, with both elements.
    pub fn unlike<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (usize, &'a T, &'a T)> {
        self.unshared(other).filter(|(_, a, b)| a != b)
    }

    pub fn contains(&self, element: &T) -> bool {
        self.iter().any(|other| other == element)
    }
}

impl<T: PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.unlike(other).next().is_none()
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vector::new())
    }
}

impl<T: Debug> Debug for List<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T> Index<usize> for List<T> {
    type Output = T;
    fn index(&self, index: usize) -> &T {
        &self.0[index]
    }
}

impl<T: Clone> IndexMut<usize> for List<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        Arc::make_mut(&mut self.0[index])
    }
}

impl<T> Extend<T> for List<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        self.0.extend(elements.into_iter().map(Arc::new));
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self(elements.into_iter().map(Arc::new).collect())
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(elements: Vec<T>) -> Self {
        elements.into_iter().collect()
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::iter::Map<imbl::vector::Iter<'a, Arc<T>, DefaultSharedPtr>, fn(&'a Arc<T>) -> &'a T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(Arc::as_ref as fn(_) -> _)
    }
}

impl<T: Serialize> Serialize for List<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::List;

    #[test]
    fn a_changed_copy_shares_all_but_what_was_changed() {
        let whole: List<String> = (0..10_000).map(|i| i.to_string()).collect();
        let mut other = whole.clone();
        assert!(whole.unshared(&other).next().is_none());
        other[5000] = "otherwise".into();
        let places: Vec<usize> = whole.unshared(&other).map(|(index, _, _)| index).collect();
        assert_eq!(places, [5000]);
        assert_ne!(whole, other);
        // An unshared copy with equal content counts as equal.
        other[5000] = "5000".into();
        assert_eq!((whole.unshared(&other).count(), whole.unlike(&other).count()), (1, 0));
        assert_eq!(whole, other);
    }

    #[test]
    fn what_only_one_list_holds_is_found_among_lists_of_any_length() {
        let whole: List<usize> = (0..1000).collect();
        let mut fewer = whole.clone();
        fewer.keep_indices(|i| i % 100 != 7);
        assert_eq!(whole.without(&fewer), (0..10).map(|i| 100 * i + 7).collect::<Vec<_>>().iter().collect::<Vec<_>>());
        assert!(fewer.without(&whole).is_empty());
        let mut more = whole.clone();
        more.prepend([5000, 5001]);
        more.insert(500, 5002);
        assert_eq!(more.without(&whole), [&5000, &5001, &5002]);
        assert_eq!((more[0], more[1], more[2], more[500], more.len()), (5000, 5001, 0, 5002, 1003));
    }
}
