//! Chains of ball-sockets in the layout of `shaders/gpu_cyclic.wgsl`: joints one behind the other, each sharing a
//! moving body with the next.
//!
//! ```text
//! reach      the least power of two s for which ⌈n/s⌉ ≤ WIDTH for the longest chain of n joints
//! groups     of a chain of more than s joints, its every s-th from each of its first s, a workgroup each;
//!            shorter ones stand side by side, as many as have room
//! ```

use crate::physics::graph::NONE;

/// Rows of a workgroup, see `shaders/gpu_cyclic.wgsl`.
pub const WIDTH: u32 = 64;

/// Chains as the shaders have them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chains {
    /// The constraints, chain by chain.
    pub order: Vec<u32>,
    /// Of each in that order the first of its chain and the end; the body shared with the next; whether that is its B,
    /// and the next one's.
    pub links: Vec<[u32; 4]>,
    /// Of each workgroup its first, how many, from each to the next.
    pub groups: Vec<[u32; 4]>,
    /// How many joints the longest has.
    pub longest: u32,
}

/// Passes through the device's memory before a chain of so many joints fits into workgroups.
pub fn passes(longest: u32) -> u32 {
    longest.div_ceil(WIDTH).next_power_of_two().trailing_zeros()
}

impl Chains {
    /// The chains of constraints between these bodies, [`NONE`] where one does not move; nothing if some are none: more
    /// than two constraints meet at a body, or they close a ring, through what does not move, too. (Stretched out
    /// between two held ends a chain has a constraint more than it needs, and D of its last row is rounding alone.)
    pub fn find(bodies: usize, ends: &[[u32; 2]]) -> Option<Self> {
        let mut meeting = vec![[NONE; 2]; bodies];
        for (index, pair) in (0u32..).zip(ends) {
            for body in pair.iter().filter(|body| **body != NONE) {
                let place = meeting[*body as usize].iter_mut().find(|place| **place == NONE)?;
                *place = index;
            }
        }
        let behind = |index: u32, body: u32| {
            let [one, other] = meeting[body as usize];
            Some(if one == index { other } else { one }).filter(|next| *next != NONE)
        };
        let neighbours =
            |index: u32| ends[index as usize].into_iter().filter(move |b| *b != NONE && behind(index, *b).is_some());
        let mut chains = Self::default();
        let mut visited = vec![false; ends.len()];
        for end in 0..ends.len() as u32 {
            if visited[end as usize] || neighbours(end).count() > 1 {
                continue;
            }
            let (first, mut own, mut by) = (chains.order.len() as u32, end, NONE);
            loop {
                visited[own as usize] = true;
                chains.order.push(own);
                let Some(body) = neighbours(own).find(|body| *body != by) else {
                    chains.links.push([first, 0, NONE, 0]);
                    break;
                };
                let next = behind(own, body)?;
                let is_b = |index: u32| u32::from(ends[index as usize][1] == body);
                chains.links.push([first, 0, body, is_b(own) | is_b(next) << 1]);
                (own, by) = (next, body);
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

    /// How many passes go through the device's memory.
    pub fn passes(&self) -> u32 {
        passes(self.longest)
    }

    fn group(&mut self) {
        let reach = 1 << self.passes();
        let mut first = 0;
        while let Some([_, end, ..]) = self.links.get(first as usize).copied() {
            let count = end - first;
            if count > reach && reach > 1 {
                let parted = |k: u32| [first + k, (count - k).div_ceil(reach), reach, 0];
                self.groups.extend((0..reach).map(parted));
            } else {
                match self.groups.last_mut() {
                    Some([begin, room, 1, _]) if *begin + *room == first && *room + count <= WIDTH => *room += count,
                    // With a long reach each row of a short chain stands alone.
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

    /// Chains of these many joints between bodies of their own, some held at an end, joints at random sides and places.
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
        /// Each constraint once, neighbours share the body that the link names, on the sides that it names; and each is
        /// in one workgroup, which holds whole chains, or every so many of one.
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

            let reach = 1 << chains.passes();
            prop_assert!(chains.longest.div_ceil(reach) <= WIDTH && (reach == 1 || chains.longest > WIDTH * reach / 2));
            let mut group_of = vec![usize::MAX; ends.len()];
            for (number, [first, count, step, _]) in chains.groups.iter().copied().enumerate() {
                prop_assert!(count <= WIDTH && (step == 1 || step == reach));
                for lane in 0..count {
                    let place = (first + lane * step) as usize;
                    prop_assert_eq!(std::mem::replace(&mut group_of[place], number), usize::MAX);
                }
            }
            for (place, [_, end, ..]) in chains.links.iter().enumerate() {
                prop_assert!(group_of[place] != usize::MAX);
                // What is still coupled after the passes through memory is side by side.
                let next = place + reach as usize;
                prop_assert!(next as u32 >= *end || group_of[place] == group_of[next]);
                prop_assert!(next as u32 >= *end || chains.groups[group_of[place]][2] == reach);
            }
        }
    }

    #[test]
    fn what_branches_or_closes_is_no_chain() {
        // A star of three, a ring of three, two joints between the same two bodies.
        assert_eq!(Chains::find(4, &[[0, 1], [0, 2], [0, 3]]), None);
        assert_eq!(Chains::find(3, &[[0, 1], [1, 2], [2, 0]]), None);
        assert_eq!(Chains::find(2, &[[0, 1], [0, 1]]), None);
        // Nor is what is held at both ends; but a joint by itself is one, and what is held at one.
        assert_eq!(Chains::find(2, &[[NONE, 0], [0, 1], [1, NONE]]), None);
        assert!(Chains::find(2, &[[1, 0], [NONE, 1]]).is_some_and(|chains| chains.longest == 2));
        assert!(Chains::find(2, &[[NONE, 0], [1, NONE]]).is_some_and(|chains| chains.longest == 1));
    }

    #[test]
    fn passes_go_with_the_logarithm() {
        assert_eq!([1, 64, 65, 128, 129, 1000, 99_999].map(passes), [0, 0, 1, 1, 2, 4, 11]);
    }
}
