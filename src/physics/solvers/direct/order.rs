//! The order of the equality blocks for factoring: breadth first over shared bodies (Cuthill–McKee), which keeps the
//! rows of neighbouring joints close together and so the envelope short.

use crate::physics::body::Body;
use crate::physics::row::Block;

/// Scratch for [`Order::find`].
#[derive(Debug, Clone, Default)]
pub struct Order {
    /// Indices into the blocks, in the order found.
    pub blocks: Vec<u32>,
    /// Where in `blocks` each mechanism (bodies held together by the chosen blocks) begins.
    pub mechanisms: Vec<u32>,
    /// Blocks at each body: where a body's list starts, and the lists.
    start: Vec<u32>,
    touching: Vec<u32>,
    seen: Vec<bool>,
}

impl Order {
    /// Orders the `chosen` blocks. Bodies that do not move connect nothing.
    pub fn find(&mut self, blocks: &[Block], chosen: &[u32], bodies: &[Body]) {
        let moving = |body: u32| bodies[body as usize].is_dynamic();
        let ends = |block: u32| [blocks[block as usize].a, blocks[block as usize].b].into_iter().filter(|b| moving(*b));
        self.start.clear();
        self.start.resize(bodies.len() + 1, 0);
        chosen.iter().flat_map(|b| ends(*b)).for_each(|body| self.start[body as usize + 1] += 1);
        for i in 1..self.start.len() {
            self.start[i] += self.start[i - 1];
        }
        self.touching.clear();
        self.touching.resize(self.start.last().map_or(0, |n| *n as usize), 0);
        for &block in chosen.iter().rev() {
            for body in ends(block) {
                self.start[body as usize + 1] -= 1;
                self.touching[self.start[body as usize + 1] as usize] = block;
            }
        }
        // After the loop start[body + 1] is where the list of `body` begins.
        let list = |start: &[u32], body: u32, all: usize| {
            let from = start[body as usize + 1] as usize;
            from..start.get(body as usize + 2).map_or(all, |n| *n as usize)
        };
        self.seen.clear();
        self.seen.resize(blocks.len(), false);
        self.blocks.clear();
        self.mechanisms.clear();
        for &seed in chosen {
            if self.seen[seed as usize] {
                continue;
            }
            self.seen[seed as usize] = true;
            let mut next = self.blocks.len();
            self.mechanisms.push(next as u32);
            self.blocks.push(seed);
            while next < self.blocks.len() {
                let block = self.blocks[next];
                next += 1;
                for body in ends(block) {
                    for &neighbour in &self.touching[list(&self.start, body, self.touching.len())] {
                        if !std::mem::replace(&mut self.seen[neighbour as usize], true) {
                            self.blocks.push(neighbour);
                        }
                    }
                }
            }
        }
    }
}
