//! Finds the blocks that can be solved together without changing the result of a sweep.
//!
//! ```text
//! level(i) = 1 + max level(j)    over the blocks j before i in the sweep's order that share a dynamic body with i
//! ```
//! A block reads only the velocities of its own two bodies. Blocks of one level share no dynamic body, and every
//! block that changed their bodies before is on a lower level. So if levels are solved in order, with any order
//! within a level, each block sees the same velocities as in the original order: the sweep is the same to the bit,
//! and so it is backwards.
//!
//! The blocks of one joint follow each other, level by level, so a group of anchors is often followed by a group of the
//! same joints' axes, lane by lane. Such a run is solved at once, at the place of its first group, and its velocities
//! stay in registers. No other block changes them in between: on the levels of the run its bodies have no other block.
//! Source: wavefronts of triangular solves (Anderson and Saad 1989).

use glam::Vec3A;

use super::lanes::LANES;
use super::rows::{BlockShape, PackedBlocks};
use crate::graph;
use crate::row::{Coupling, Row};
use crate::system::System;

/// One step of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleStep {
    /// A run of groups: the first one's index and their number. All have the same two bodies in each lane.
    Run { first: u32, count: u32 },
    /// Index of a block solved alone.
    Single(u32),
}

/// The levels of a system's blocks, kept from step to step for its buffers.
#[derive(Debug, Clone, Default)]
pub struct Schedule {
    pub steps: Vec<ScheduleStep>,
    order: Vec<u32>,
    /// By body: the level after the last block at it, and that block.
    done: Vec<(u32, u32)>,
    /// By block: the last block before it at both of its bodies, if it has the same bodies; else [`NONE`].
    follows: Vec<u32>,
    /// By block: its chunk and lane, as `chunk * LANES + lane`.
    place: Vec<u32>,
    chunks: Vec<Chunk>,
    /// The distinct shapes of blocks.
    shapes: Vec<BlockShape>,
    /// By block of the order: its level and the number of its shape.
    keys: Vec<(u32, u32)>,
    /// Where the blocks of each level and shape begin in `sorted`.
    starts: Vec<u32>,
    sorted: Vec<u32>,
}

/// Up to eight blocks of one level and shape.
#[derive(Debug, Clone, Copy)]
struct Chunk {
    /// Its range in `sorted`.
    begin: u32,
    end: u32,
    /// The index of its shape; none for a block that is solved alone.
    shape: Option<u32>,
    /// The next chunk of its run, or [`NONE`], and whether another one is before it.
    next: u32,
    continues: bool,
}

impl Chunk {
    fn blocks<'a>(&self, sorted: &'a [u32]) -> &'a [u32] {
        &sorted[self.begin as usize..self.end as usize]
    }
}

/// No block, no chunk.
const NONE: u32 = u32::MAX;

impl Schedule {
    /// Makes the steps of a sweep in the order `blocks`, and packs the groups. Blocks that are solved by trees are
    /// left out.
    pub fn fill(&mut self, system: &System, blocks: impl Iterator<Item = u32>, packed: &mut PackedBlocks) {
        self.sort(system, blocks);
        self.join_runs();
        packed.clear();
        self.steps.clear();
        for head in self.chunks.iter().filter(|chunk| !chunk.continues) {
            let Some(shape) = head.shape else {
                self.steps.push(ScheduleStep::Single(self.sorted[head.begin as usize]));
                continue;
            };
            let first = packed.groups.len() as u32;
            packed.add(system, &self.shapes[shape as usize], head.blocks(&self.sorted));
            let mut next = head.next;
            while let Some(chunk) = self.chunks.get(next as usize) {
                let shape = chunk.shape.map_or(0, |shape| shape as usize);
                packed.add(system, &self.shapes[shape], chunk.blocks(&self.sorted));
                next = chunk.next;
            }
            self.steps.push(ScheduleStep::Run { first, count: packed.groups.len() as u32 - first });
        }
    }

    /// Cuts the blocks into chunks of one level and shape.
    fn sort(&mut self, system: &System, blocks: impl Iterator<Item = u32>) {
        let Self { order, done, follows, place, chunks, shapes, keys, starts, sorted, .. } = self;
        order.clear();
        shapes.clear();
        keys.clear();
        starts.clear();
        sorted.clear();
        chunks.clear();
        done.clear();
        done.resize(system.graph.nodes(), (0, NONE));
        follows.clear();
        follows.resize(system.blocks.len(), NONE);
        place.clear();
        place.resize(system.blocks.len(), NONE);
        order.extend(blocks.filter(|index| system.blocks[*index as usize].coupling != Coupling::Tree));
        let mut levels = 0;
        for index in order.iter().copied() {
            let block = &system.blocks[index as usize];
            let moving = system.graph.ends(index).into_iter().filter(|body| *body != graph::NONE);
            let level = moving.clone().map(|body| done[body as usize].0).max().unwrap_or(0);
            let mut last = moving.clone().map(|body| done[body as usize].1);
            if let Some(before) = last.next().filter(|before| *before != NONE && last.all(|other| other == *before)) {
                let other = &system.blocks[before as usize];
                if (other.a, other.b) == (block.a, block.b) {
                    follows[index as usize] = before;
                }
            }
            moving.for_each(|body| done[body as usize] = (level + 1, index));
            levels = levels.max(level + 1);
            // Shape 0: blocks that are solved alone. Lanes have no place for what the world bears of a row.
            let is_borne = |row: &Row| row.net != Vec3A::ZERO;
            let alone = system.jointed_contacts.is_listed(index as usize)
                || block.coupling == Coupling::Rows && system.rows[block.range()].iter().any(is_borne);
            let shape = BlockShape::of(block, &system.couplings.bounds).filter(|_| !alone).map_or(0, |shape| {
                let known = shapes.iter().position(|known| *known == shape);
                1 + known.unwrap_or_else(|| {
                    shapes.push(shape);
                    shapes.len() - 1
                }) as u32
            });
            keys.push((level, shape));
        }
        // A counting sort by level, then shape; it keeps the order within these.
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
        // After the scatter, each bucket's start is its end.
        let mut begin = 0;
        for (bucket, end) in starts.iter().take((levels * kinds) as usize).enumerate() {
            let shape = (bucket as u32 % kinds).checked_sub(1);
            let max_lanes = if shape.is_some() { LANES as u32 } else { 1 };
            while begin < *end {
                let next = (begin + max_lanes).min(*end);
                let shape = shape.filter(|_| next - begin > 1);
                chunks.push(Chunk { begin, end: next, shape, next: NONE, continues: false });
                begin = next;
            }
        }
    }

    /// Finds the chunks of which each block follows the block in the same lane of another chunk.
    fn join_runs(&mut self) {
        let Self { follows, place, chunks, sorted, .. } = self;
        for index in 0..chunks.len() {
            let chunk = chunks[index];
            let blocks = chunk.blocks(sorted);
            for (lane, block) in blocks.iter().enumerate() {
                place[*block as usize] = (index * LANES + lane) as u32;
            }
            let head = follows[blocks[0] as usize];
            if chunk.shape.is_none() || head == NONE || place[head as usize] == NONE {
                continue;
            }
            let before = place[head as usize] as usize / LANES;
            let other = chunks[before];
            if other.shape.is_some() && blocks.iter().map(|block| &follows[*block as usize]).eq(other.blocks(sorted)) {
                chunks[before].next = index as u32;
                chunks[index].continues = true;
            }
        }
    }
}
