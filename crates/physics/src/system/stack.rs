//! How high bodies are stacked: how many contacts a load passes on its shortest way to the ground.
//!
//! ```text
//! level      0 of what does not move; of a body, one more than the least level of what it touches
//! joint      the bodies of a joint have one level, since joints carry loads through whole mechanisms at once
//! slender    an island with at most ten blocks for each level
//! ```
//! A sweep carries a load through one contact, so a stack needs more sweeps the higher it is: see `solvers/extra_sweeps.rs`.

use crate::graph::{Graph, NONE};

/// Islands with more blocks than this for each level are wide: they do not sway.
const SLENDER: u32 = 10;

/// The levels of bodies, and the height of the slender stacks.
#[derive(Debug, Clone, Default)]
pub struct Stack {
    /// By body; [`NONE`] where nothing connects it to the ground.
    levels: Vec<u32>,
    /// By the first body of an island: its height, and the number of its blocks.
    islands: Vec<(u32, u32)>,
    height: Option<u32>,
}

impl Stack {
    /// The highest level of a slender stack; 0 if there is none, or if it is not known.
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

    /// Finds the levels of the bodies of `graph` from its edges, with whether each is a contact. An end at a body that
    /// does not move is [`NONE`].
    pub fn find(&mut self, graph: &Graph, edges: impl Iterator<Item = ([u32; 2], bool)> + Clone) {
        let Self { levels, islands, height } = self;
        levels.clear();
        levels.resize(graph.nodes(), NONE);
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
        islands.clear();
        islands.resize(graph.nodes(), (0, 0));
        for (body, level) in (0..).zip(&*levels).filter(|(_, level)| **level != NONE) {
            let island = &mut islands[graph.island(body) as usize];
            island.0 = island.0.max(*level);
        }
        for ([a, b], _) in edges {
            if let Some(body) = [a, b].into_iter().find(|body| *body != NONE) {
                islands[graph.island(body) as usize].1 += 1;
            }
        }
        let slender = islands.iter().filter(|(height, blocks)| *blocks <= SLENDER * height);
        *height = slender.map(|(height, _)| *height).max().or(Some(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(bodies: usize, edges: &[([u32; 2], bool)]) -> Stack {
        let (mut graph, mut stack) = (Graph::default(), Stack::default());
        graph.update(bodies, edges.iter().map(|(ends, _)| *ends));
        stack.find(&graph, edges.iter().copied());
        stack
    }

    /// A tower of three on the ground, listed from its top; a body that hangs from the first; and one that floats.
    #[test]
    fn a_level_is_the_number_of_contacts_to_the_ground() {
        let edges = [([2, 1], true), ([1, 0], true), ([0, NONE], true), ([0, 3], false), ([4, 5], true)];
        let stack = stack(6, &edges);
        assert_eq!(stack.levels, [1, 2, 3, 1, NONE, NONE]);
        assert_eq!(stack.height(), 3);
    }

    /// What stands on the ground at two places has the level of the shorter way.
    #[test]
    fn the_shorter_way_counts() {
        let edges = [([0, NONE], true), ([0, 1], true), ([1, 2], true), ([2, NONE], true)];
        let mut stack = stack(3, &edges);
        assert_eq!(stack.levels, [1, 2, 1]);
        stack.clear();
        assert_eq!(stack.height(), 0);
    }

    /// A tower of four, and beside it thirty bodies on the ground, each on its neighbour: one island of one level.
    #[test]
    fn a_tower_beside_a_heap_is_slender() {
        let tower = [([0, NONE], true), ([0, 1], true), ([1, 2], true), ([2, 3], true)];
        let heap = (4..34).flat_map(|body| [([body, NONE], true), ([body, (body + 1).min(33)], true)]);
        let heap: Vec<_> = heap.collect();
        assert_eq!(stack(34, &heap).height(), 0);
        assert_eq!(stack(34, &[&tower[..], &heap].concat()).height(), 4);
    }
}
