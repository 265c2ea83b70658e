//! Lends the entries of a list to several workers in a different order than the list's, without copying them.

use crate::graph::NONE;

/// References to the entries of a list, reordered. Between steps it is empty and keeps its memory.
pub struct ScatteredRefs<T: 'static>(Vec<Option<&'static mut T>>);

impl<T> Default for ScatteredRefs<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ScatteredRefs<T> {
    /// Lends entry `i` at index `places[i]` < `count`; entries at [`NONE`] are not lent.
    pub fn lend<'a>(&mut self, items: &'a mut [T], places: &[u32], count: usize) -> Vec<Option<&'a mut T>> {
        let mut list = reuse_allocation(std::mem::take(&mut self.0));
        list.resize_with(count, || None);
        for (item, place) in items.iter_mut().zip(places).filter(|(_, place)| **place != NONE) {
            list[*place as usize] = Some(item);
        }
        list
    }

    /// Takes the list back for its memory.
    pub fn give_back(&mut self, list: Vec<Option<&mut T>>) {
        self.0 = reuse_allocation(list);
    }
}

/// Empties the list and changes the lifetime of its entries: collecting in place keeps its memory.
pub fn reuse_allocation<A, B>(mut list: Vec<A>) -> Vec<B> {
    list.clear();
    list.into_iter().map(|_| unreachable!("the list is empty")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_at_their_places_and_the_memory_stays() {
        let mut lent = ScatteredRefs::default();
        let mut items: Vec<u64> = (0..100).collect();
        let places: Vec<u32> =
            (0..100).map(|i| if i % 10 == 0 { NONE } else { (89 - (i - i / 10 - 1)) as u32 }).collect();
        let list = lent.lend(&mut items, &places, 90);
        let memory = list.as_ptr() as usize;
        for (place, item) in list.iter().enumerate() {
            let item = **item.as_ref().expect("each place has an entry");
            assert_eq!(places[item as usize], place as u32);
        }
        lent.give_back(list);
        let again = lent.lend(&mut items, &places, 90);
        assert_eq!(again.as_ptr() as usize, memory);
    }
}
