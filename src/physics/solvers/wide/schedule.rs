//! Finds the blocks that may be solved side by side without changing the result of a sweep.
//!
//! ```text
//! level(i) = 1 + max level(j)    over the blocks j before i in the sweep's order that share a moving body with i
//! ```
//! A block sees of the others only the velocities of its own two bodies. Blocks of one level share none, and whatever
//! changed their bodies before them is in a lower level. So level by level, in any order within one, each block sees
//! the same numbers as in the order that was asked for: the sweep is the same to the bit, and so it is backwards.
//! Source: wavefronts of triangular solves (Anderson and Saad 1989).

use super::lanes::LANES;
use super::rows::{BlockShape, PackedBlocks};
use crate::physics::graph;
use crate::physics::row::Coupling;
use crate::physics::system::System;

/// One thing after the other that a sweep does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleStep {
    /// A group of blocks side by side.
    Group(u32),
    /// A block by itself.
    Single(u32),
}

/// The levels of a system's blocks, kept from step to step for its buffers.
#[derive(Debug, Clone, Default)]
pub struct Schedule {
    pub steps: Vec<ScheduleStep>,
    order: Vec<u32>,
    /// The level up to which each body is done.
    done: Vec<u32>,
    /// The shapes that there are.
    shapes: Vec<BlockShape>,
    /// Of each block of the order its level and the number of its shape.
    keys: Vec<(u32, u32)>,
    /// Where the blocks of each level and shape begin, and the blocks.
    starts: Vec<u32>,
    sorted: Vec<u32>,
}

impl Schedule {
    /// Puts the blocks of a sweep's order side by side. Blocks that trees solve are left out.
    pub fn fill(&mut self, system: &System, blocks: impl Iterator<Item = u32>, packed: &mut PackedBlocks) {
        let Self { steps, order, done, shapes, keys, starts, sorted } = self;
        packed.clear();
        steps.clear();
        order.clear();
        shapes.clear();
        keys.clear();
        starts.clear();
        sorted.clear();
        done.clear();
        done.resize(system.graph.nodes(), 0);
        order.extend(blocks.filter(|index| system.blocks[*index as usize].coupling != Coupling::Tree));
        let mut levels = 0;
        for index in order.iter().copied() {
            let block = &system.blocks[index as usize];
            let moving = system.graph.ends(index).into_iter().filter(|body| *body != graph::NONE);
            let level = moving.clone().map(|body| done[body as usize]).max().unwrap_or(0);
            moving.for_each(|body| done[body as usize] = level + 1);
            levels = levels.max(level + 1);
            // Shape 0 is that of blocks that go by themselves.
            let shape = BlockShape::of(block, &system.couplings.bounds).map_or(0, |shape| {
                let known = shapes.iter().position(|known| *known == shape);
                1 + known.unwrap_or_else(|| {
                    shapes.push(shape);
                    shapes.len() - 1
                }) as u32
            });
            keys.push((level, shape));
        }
        // Sorted by level, then by shape, in order within these.
        let kinds = shapes.len() as u32 + 1;
        starts.resize((levels * kinds) as usize + 1, 0);
        keys.iter().for_each(|(level, shape)| starts[(level * kinds + shape) as usize + 1] += 1);
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        sorted.resize(keys.len(), 0);
        for (index, (level, shape)) in order.iter().zip(keys.iter()) {
            let next = &mut starts[(level * kinds + shape) as usize];
            sorted[*next as usize] = *index;
            *next += 1;
        }
        // Each start is now where the next one was.
        let mut begin = 0;
        for (bucket, end) in starts.iter().take((levels * kinds) as usize).enumerate() {
            let blocks = &sorted[begin..*end as usize];
            begin = *end as usize;
            match (bucket as u32 % kinds).checked_sub(1) {
                None => steps.extend(blocks.iter().map(|block| ScheduleStep::Single(*block))),
                Some(shape) => {
                    for blocks in blocks.chunks(LANES) {
                        if let [block] = blocks {
                            steps.push(ScheduleStep::Single(*block));
                        } else {
                            steps.push(ScheduleStep::Group(packed.groups.len() as u32));
                            packed.add(system, &shapes[shape as usize], blocks);
                        }
                    }
                }
            }
        }
    }
}
