//! The largest residual of any row while the blocks are solved one after the other, for each tick of `inside.rs`.

use super::TracedStep;
use delassus_physics::body::Velocity;
use delassus_physics::graph::Lists;
use delassus_physics::residual;
use delassus_physics::row::Row;
use delassus_physics::trace::{BlockSolve, TraceMoment};

/// Tracks the largest residual of a set of blocks incrementally, in a max-tree over the residuals of the blocks.
pub struct Meter {
    blocks: Vec<u32>,
    rows: Vec<Row>,
    velocities: Vec<Velocity>,
    /// For each body its blocks, as indices into `blocks`.
    at: Lists,
    /// A binary tree: leaves from index `blocks.len()` on, each node the larger of its two children.
    heap: Vec<f32>,
    residuals: Vec<f32>,
}

impl Meter {
    pub fn new(traced: &TracedStep, blocks: Vec<u32>) -> Self {
        let block_of = |block: &u32| &traced.trace.blocks[*block as usize];
        let moves = |id: u32| traced.after.state.bodies[id as usize].is_dynamic();
        let ends = blocks.iter().enumerate().flat_map(|(place, block)| {
            let block = block_of(block);
            [block.a, block.b].into_iter().filter(|id| moves(*id)).map(move |id| (id, place as u32))
        });
        let pairs: Vec<(u32, u32)> = ends.collect();
        let mut at = Lists::default();
        at.fill(traced.after.state.bodies.len(), pairs.iter().copied());
        let heap = vec![0.0; 2 * blocks.len().max(1)];
        let residuals = vec![0.0; blocks.iter().map(|block| block_of(block).range().len()).max().unwrap_or(0)];
        Self { blocks, rows: traced.trace.rows.clone(), velocities: Vec::new(), at, heap, residuals }
    }

    pub fn most(&self) -> f64 {
        f64::from(self.heap[1])
    }

    pub fn rebias(&mut self, traced: &TracedStep, biases: &[f32]) {
        let new = self.rows.iter().zip(biases).any(|(row, bias)| row.bias != *bias);
        self.rows.iter_mut().zip(biases).for_each(|(row, bias)| row.bias = *bias);
        if new && !self.velocities.is_empty() {
            (0..self.blocks.len()).for_each(|place| self.measure(traced, place));
        }
    }

    /// Sets the whole state: velocities by body, impulses by row.
    pub fn set(&mut self, traced: &TracedStep, velocities: &[Velocity], impulses: &[f32]) {
        self.velocities.clear();
        self.velocities.extend_from_slice(velocities);
        self.rows.iter_mut().zip(impulses).for_each(|(row, impulse)| row.impulse = *impulse);
        (0..self.blocks.len()).for_each(|place| self.measure(traced, place));
    }

    /// Applies the changes of one block's solve.
    pub fn apply_solve(&mut self, traced: &TracedStep, solve: &BlockSolve) {
        let trace = &traced.trace;
        trace.velocities_after(solve).iter().for_each(|(body, velocity)| self.velocities[*body as usize] = *velocity);
        trace.impulses_after(solve).iter().for_each(|(row, impulse)| self.rows[*row as usize].impulse = *impulse);
        for (body, _) in trace.velocities_after(solve) {
            for k in 0..self.at.at(*body).len() {
                self.measure(traced, self.at.at(*body)[k] as usize);
            }
        }
    }

    fn measure(&mut self, traced: &TracedStep, place: usize) {
        let block = &traced.trace.blocks[self.blocks[place] as usize];
        let residuals = &mut self.residuals[..block.range().len()];
        residual::block_residuals(
            block,
            &self.rows[block.range()],
            &traced.trace.couplings,
            &self.velocities,
            residuals,
        );
        let largest = residuals.iter().fold(0.0f32, |largest, r| largest.max(r.abs()));
        let mut node = self.blocks.len() + place;
        self.heap[node] = largest;
        while node > 1 {
            node /= 2;
            self.heap[node] = self.heap[2 * node].max(self.heap[2 * node + 1]);
        }
    }

    /// Whether these bodies have the velocities of a moment.
    pub fn is_at(&self, moment: &TraceMoment, bodies: &[u32]) -> bool {
        bodies.iter().all(|body| self.velocities[*body as usize] == moment.velocities[*body as usize])
    }
}
