//! `compute_connectivity` of document 001: the constraints at each body, in compressed rows.
//!
//! ```text
//! starts[b] .. starts[b + 1]     the range of body b in `list`; starts has one entry more than there are bodies
//! list[i] = 2 constraint + side  side 0 if b is the constraint's body A, 1 if it is its body B
//! ```
//! Each constraint occurs twice; a body's entries are in the order of the constraints. 001 stores only the constraint
//! and reads its ends; the side in the lowest bit saves that read, and distinguishes the two ends of a constraint
//! that joins a body to itself.

/// The constraints at each body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Connectivity {
    pub starts: Vec<u32>,
    pub list: Vec<u32>,
}

impl Connectivity {
    /// For `bodies` bodies and constraints with these pairs of bodies.
    ///
    /// # Panics
    /// If a constraint's body is out of range.
    pub fn new(bodies: usize, ends: &[[u32; 2]]) -> Self {
        let mut starts = vec![0u32; bodies + 1];
        for body in ends.iter().flatten() {
            starts[*body as usize + 1] += 1;
        }
        for body in 1..starts.len() {
            starts[body] += starts[body - 1];
        }
        let mut next = starts.clone();
        let mut list = vec![0u32; 2 * ends.len()];
        for (index, pair) in (0u32..).zip(ends) {
            for (side, body) in (0..).zip(pair) {
                let place = &mut next[*body as usize];
                list[*place as usize] = 2 * index + side;
                *place += 1;
            }
        }
        Self { starts, list }
    }

    /// The entries of a body.
    pub fn at(&self, body: u32) -> &[u32] {
        &self.list[self.starts[body as usize] as usize..self.starts[body as usize + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// For random graphs, each body's entries are those found by searching all constraints, in order.
        #[test]
        fn lists_are_what_a_search_finds(
            (bodies, ends) in (1usize..40).prop_flat_map(|bodies| {
                let body = 0..bodies as u32;
                (Just(bodies), prop::collection::vec([body.clone(), body], 0..150))
            })
        ) {
            let lists = Connectivity::new(bodies, &ends);
            prop_assert_eq!(lists.starts.len(), bodies + 1);
            prop_assert_eq!(lists.starts[0], 0);
            prop_assert_eq!(lists.starts[bodies] as usize, 2 * ends.len(), "the sentinel");
            for body in 0..bodies as u32 {
                let entry_of_body = |(index, pair): (u32, &[u32; 2])| {
                    let sides: Vec<u32> = (0..2).filter(|side| pair[*side as usize] == body).collect();
                    sides.into_iter().map(move |side| 2 * index + side)
                };
                let found: Vec<u32> = (0u32..).zip(&ends).flat_map(entry_of_body).collect();
                prop_assert_eq!(lists.at(body), found);
            }
        }
    }
}
