//! Chains of ball-sockets in the layout of `shaders/gpu_cyclic.wgsl`: sequences of joints, each sharing a dynamic
//! body with the next.
//!
//! ```text
//! stride     the smallest power of two s for which ⌈n/s⌉ ≤ WIDTH for the longest chain of n joints
//! groups     a chain of more than s joints: each of its first s joints, with every s-th one from there, is a workgroup;
//!            shorter chains share a workgroup as long as they fit
//! ```

use delassus_physics::graph::NONE;

pub use super::constants::WIDTH;

/// Chains in the shaders' layout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chains {
    /// Constraint indices, chain by chain.
    pub order: Vec<u32>,
    /// For each entry of `order`: the first entry of its chain, and the end; the body shared with the next constraint;
    /// flags whether that body is its body B (bit 0) and the next one's body B (bit 1).
    pub links: Vec<[u32; 4]>,
    /// For each workgroup: its first entry of `order`, the number of entries, and their spacing.
    pub groups: Vec<[u32; 4]>,
    /// Number of joints of the longest chain.
    pub longest: u32,
}

/// Number of passes through the device's memory after which a chain of `longest` joints fits into workgroups.
pub fn passes(longest: u32) -> u32 {
    longest.div_ceil(WIDTH).next_power_of_two().trailing_zeros()
}

impl Chains {
    /// Finds the chains of constraints between bodies; `ends` has [`NONE`] for static and kinematic bodies. None if
    /// the constraints do not form chains: more than two constraints at a body, a ring, or a chain held at both ends.
    /// (If such a chain is taut, one of its constraints is redundant, and the last pivot D is only rounding error.)
    pub fn find(bodies: usize, ends: &[[u32; 2]]) -> Option<Self> {
        let mut constraints_at = vec![[NONE; 2]; bodies];
        for (index, pair) in (0u32..).zip(ends) {
            for body in pair.iter().filter(|body| **body != NONE) {
                let place = constraints_at[*body as usize].iter_mut().find(|place| **place == NONE)?;
                *place = index;
            }
        }
        let other_constraint = |index: u32, body: u32| {
            let [one, other] = constraints_at[body as usize];
            Some(if one == index { other } else { one }).filter(|next| *next != NONE)
        };
        // The bodies that a constraint shares with another one.
        let shared_bodies = |index: u32| {
            ends[index as usize].into_iter().filter(move |b| *b != NONE && other_constraint(index, *b).is_some())
        };
        let mut chains = Self::default();
        let mut visited = vec![false; ends.len()];
        for end in 0..ends.len() as u32 {
            if visited[end as usize] || shared_bodies(end).count() > 1 {
                continue;
            }
            let (first, mut current, mut shared) = (chains.order.len() as u32, end, NONE);
            loop {
                visited[current as usize] = true;
                chains.order.push(current);
                let Some(body) = shared_bodies(current).find(|body| *body != shared) else {
                    chains.links.push([first, 0, NONE, 0]);
                    break;
                };
                let next = other_constraint(current, body)?;
                let is_b = |index: u32| u32::from(ends[index as usize][1] == body);
                chains.links.push([first, 0, body, is_b(current) | is_b(next) << 1]);
                (current, shared) = (next, body);
            }
            let is_held = |place: u32| ends[chains.order[place as usize] as usize].contains(&NONE);
            let end = chains.order.len() as u32;
            if end - first > 1 && is_held(first) && is_held(end - 1) {
                return None;
            }
            chains.links[first as usize..].iter_mut().for_each(|link| link[1] = end);
            chains.longest = chains.longest.max(end - first);
        }
        if chains.order.len() < ends.len() {
            return None;
        }
        chains.group();
        Some(chains)
    }

    /// Number of passes through the device's memory.
    pub fn passes(&self) -> u32 {
        passes(self.longest)
    }

    fn group(&mut self) {
        let stride = 1 << self.passes();
        let mut first = 0;
        while let Some([_, end, ..]) = self.links.get(first as usize).copied() {
            let count = end - first;
            if count > stride && stride > 1 {
                let part = |k: u32| [first + k, (count - k).div_ceil(stride), stride, 0];
                self.groups.extend((0..stride).map(part));
            } else {
                match self.groups.last_mut() {
                    Some([begin, room, 1, _]) if *begin + *room == first && *room + count <= WIDTH => *room += count,
                    // At most `stride` joints: the passes decouple all of them, so they need not share a workgroup.
                    _ if count > WIDTH => {
                        let part = |begin: u32| [begin, WIDTH.min(end - begin), 1, 0];
                        self.groups.extend((first..end).step_by(WIDTH as usize).map(part));
                    }
                    _ => self.groups.push([first, count, 1, 0]),
                }
            }
            first = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Chains with these numbers of joints, some held at one end; joints in random order and with random sides.
    fn built(lengths: &[usize], held: bool, mut seed: u64) -> (usize, Vec<[u32; 2]>) {
        let mut dice = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 40) as usize
        };
        let (mut bodies, mut ends) = (0u32, Vec::new());
        for length in lengths {
            for joint in 0..*length as u32 {
                let pair = [if held && joint == 0 { NONE } else { bodies + joint }, bodies + joint + 1];
                ends.push(if dice() % 2 == 0 { pair } else { [pair[1], pair[0]] });
            }
            bodies += *length as u32 + 1;
        }
        for place in (1..ends.len()).rev() {
            ends.swap(place, dice() % (place + 1));
        }
        (bodies as usize, ends)
    }

    proptest! {
        /// Each constraint occurs once; neighbours share the body that the link names, on the sides that it names.
        /// Each constraint is in one workgroup, which holds whole chains or every n-th constraint of one.
        #[test]
        fn chains_are_found_whatever_their_order(
            lengths in prop::collection::vec(1usize..300, 1..8), held: bool, seed: u64,
        ) {
            let (bodies, ends) = built(&lengths, held, seed);
            let chains = Chains::find(bodies, &ends).expect("chains");
            let mut once = chains.order.clone();
            once.sort_unstable();
            prop_assert_eq!(once, (0..ends.len() as u32).collect::<Vec<_>>());
            let mut found: Vec<usize> = Vec::new();
            for (place, [first, end, body, sides]) in chains.links.iter().copied().enumerate() {
                if place as u32 == first {
                    found.push((end - first) as usize);
                }
                prop_assert_eq!(body == NONE, place as u32 + 1 == end);
                if body != NONE {
                    let at = |place: usize, side: u32| ends[chains.order[place] as usize][side as usize];
                    prop_assert_eq!([at(place, sides & 1), at(place + 1, sides >> 1)], [body; 2]);
                }
            }
            found.sort_unstable();
            let mut asked = lengths.clone();
            asked.sort_unstable();
            prop_assert_eq!(found, asked);

            let stride = 1 << chains.passes();
            prop_assert!(chains.longest.div_ceil(stride) <= WIDTH);
            prop_assert!(stride == 1 || chains.longest > WIDTH * stride / 2);
            let mut group_of = vec![usize::MAX; ends.len()];
            for (number, [first, count, step, _]) in chains.groups.iter().copied().enumerate() {
                prop_assert!(count <= WIDTH && (step == 1 || step == stride));
                for lane in 0..count {
                    let place = (first + lane * step) as usize;
                    prop_assert_eq!(std::mem::replace(&mut group_of[place], number), usize::MAX);
                }
            }
            for (place, [_, end, ..]) in chains.links.iter().enumerate() {
                prop_assert!(group_of[place] != usize::MAX);
                // Constraints that are still coupled after the passes through memory are in the same workgroup.
                let next = place + stride as usize;
                prop_assert!(next as u32 >= *end || group_of[place] == group_of[next]);
                prop_assert!(next as u32 >= *end || chains.groups[group_of[place]][2] == stride);
            }
        }
    }

    #[test]
    fn what_branches_or_closes_is_no_chain() {
        // A star of three, a ring of three, two joints between the same two bodies.
        assert_eq!(Chains::find(4, &[[0, 1], [0, 2], [0, 3]]), None);
        assert_eq!(Chains::find(3, &[[0, 1], [1, 2], [2, 0]]), None);
        assert_eq!(Chains::find(2, &[[0, 1], [0, 1]]), None);
        // Nor is a chain held at both ends; but a single joint is one, and so is a chain held at one end.
        assert_eq!(Chains::find(2, &[[NONE, 0], [0, 1], [1, NONE]]), None);
        assert!(Chains::find(2, &[[1, 0], [NONE, 1]]).is_some_and(|chains| chains.longest == 2));
        assert!(Chains::find(2, &[[NONE, 0], [1, NONE]]).is_some_and(|chains| chains.longest == 1));
    }

    #[test]
    fn passes_go_with_the_logarithm() {
        assert_eq!([1, 64, 65, 128, 129, 1000, 99_999].map(passes), [0, 0, 1, 1, 2, 4, 11]);
    }
}
