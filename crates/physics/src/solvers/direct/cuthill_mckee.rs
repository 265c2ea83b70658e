//! The order of the equality blocks for factoring: breadth first over shared bodies (Cuthill–McKee), which keeps the
//! rows of neighbouring joints close together and so the envelope short.

use crate::body::Body;
use crate::graph::Lists;
use crate::row::Block;

/// Scratch for [`CuthillMcKee::find`].
#[derive(Debug, Clone, Default)]
pub struct CuthillMcKee {
    /// Indices into the blocks, in the order found.
    pub blocks: Vec<u32>,
    /// Where in `blocks` each mechanism (bodies held together by the chosen blocks) begins.
    pub mechanisms: Vec<u32>,
    /// The chosen blocks at each body.
    touching: Lists,
    seen: Vec<bool>,
}

impl CuthillMcKee {
    /// Orders the `chosen` blocks. Bodies that do not move connect nothing.
    pub fn find(&mut self, blocks: &[Block], chosen: &[u32], bodies: &[Box<Body>]) {
        let moving = |body: u32| bodies[body as usize].is_dynamic();
        let ends = |block: u32| [blocks[block as usize].a, blocks[block as usize].b].into_iter().filter(|b| moving(*b));
        let pairs = chosen.iter().flat_map(|block| ends(*block).map(|body| (body, *block)));
        self.touching.fill(bodies.len(), pairs);
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
                    for &neighbour in self.touching.at(body) {
                        if !std::mem::replace(&mut self.seen[neighbour as usize], true) {
                            self.blocks.push(neighbour);
                        }
                    }
                }
            }
        }
    }
}
