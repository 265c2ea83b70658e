//! How high bodies are stacked: how many contacts a load passes on its shortest way to the ground.
//!
//! ```text
//! level   0 of what does not move; of a body, one more than the least level of what it touches
//! joint   the bodies of a joint have one level, since joints carry loads through whole mechanisms at once
//! ```
//! A sweep carries a load through one contact, so a stack needs more sweeps the higher it is: see `solvers/extra.rs`.

use crate::graph::NONE;

/// The level of each body, and the highest.
#[derive(Debug, Clone, Default)]
pub struct Stack {
    /// By body; [`NONE`] where nothing connects it to the ground.
    levels: Vec<u32>,
    height: Option<u32>,
}

impl Stack {
    /// The highest level; 0 if it is not known.
    pub fn height(&self) -> u32 {
        self.height.unwrap_or(0)
    }

    /// Whether the levels have been found.
    pub fn is_known(&self) -> bool {
        self.height.is_some()
    }

    /// Forgets the levels.
    pub fn clear(&mut self) {
        self.height = None;
    }

    /// Finds the levels of `bodies` bodies from the edges, with whether each is a contact. An end at a body that does
    /// not move is [`NONE`].
    pub fn find(&mut self, bodies: usize, edges: impl Iterator<Item = ([u32; 2], bool)> + Clone) {
        let Self { levels, height } = self;
        levels.clear();
        levels.resize(bodies, NONE);
        let mut changed = true;
        while changed {
            changed = false;
            for ([a, b], is_contact) in edges.clone() {
                let level = |body: u32| if body == NONE { 0 } else { levels[body as usize] };
                let more = u32::from(is_contact);
                let (from_a, from_b) = (level(a).saturating_add(more), level(b).saturating_add(more));
                for (body, least) in [(a, from_b), (b, from_a)] {
                    if body != NONE && least < levels[body as usize] {
                        levels[body as usize] = least;
                        changed = true;
                    }
                }
            }
        }
        *height = levels.iter().copied().filter(|level| *level != NONE).max().or(Some(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tower of three on the ground, listed from its top; a body that hangs from the first; and one that floats.
    #[test]
    fn a_level_is_the_number_of_contacts_to_the_ground() {
        let mut stack = Stack::default();
        let edges = [([2, 1], true), ([1, 0], true), ([0, NONE], true), ([0, 3], false), ([4, 5], true)];
        stack.find(6, edges.into_iter());
        assert_eq!(stack.levels, [1, 2, 3, 1, NONE, NONE]);
        assert_eq!(stack.height(), 3);
    }

    /// What stands on the ground at two places has the level of the shorter way.
    #[test]
    fn the_shorter_way_counts() {
        let mut stack = Stack::default();
        let edges = [([0, NONE], true), ([0, 1], true), ([1, 2], true), ([2, NONE], true)];
        stack.find(3, edges.into_iter());
        assert_eq!(stack.levels, [1, 2, 1]);
        stack.clear();
        assert_eq!(stack.height(), 0);
    }
}
