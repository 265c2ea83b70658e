//! The time line within a step: forces, old impulses, each block of each sweep, blows, and the bodies moved.
//!
//! ```text
//! u, λ at a tick     those of the last whole moment, with the turns of the blocks since then put in
//! x₀ + h u           where a body would come to with the velocity as of then; turned by h ω
//! lack               the largest r of any row of the blocks that are followed, m/s or rad/s
//! ```
//! A step of a large world has more blocks than anybody steps through: followed is the mechanism of what is selected,
//! everything where little is there, else the largest mechanism. Where all blocks are solved at once, by Jacobi and the
//! direct solver, a sweep is one tick. What was hit bounces block by block whatever the solver, but for the direct one,
//! which solves all once more; a block that a pass through what was hit leaves as it is has no tick. Blows pair by pair
//! stand beside what the sweeps give: they are summed up by row until the step hands its impulses on.

use std::ops::Range;

use glam::{Quat, Vec3};

use super::TracedStep;
use super::meter::Meter;
use crate::physics::body::Velocity;
use crate::physics::residual;
use crate::physics::row::Block;
use crate::physics::trace::{BlockSolve, StepStage, SweepUnit, Trace};

/// Up to so many blocks all are followed.
const FEW: usize = 240;

/// A place on the time line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tick {
    /// A whole moment, by its index.
    Moment(usize),
    /// After a block's turn, by its index.
    Solve(usize),
    /// The bodies are moved: the step's end.
    Moved,
}

/// What a tick is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepPart {
    /// A moment by itself: forces, old impulses, the end.
    Alone,
    /// A sweep, from 1.
    Sweep(u32),
    /// A pass through what was hit, both from 1.
    Blows { round: u32, pass: u32 },
}

/// A step, tick by tick.
#[derive(Debug, Clone, PartialEq)]
pub struct Inside {
    pub ticks: Vec<Tick>,
    /// The largest lack by tick, m/s or rad/s.
    pub lack: Vec<f64>,
    /// What each tick is part of.
    pub sections: Vec<StepPart>,
    /// The bodies that are followed and move, and the blocks between them.
    pub bodies: Vec<u32>,
    pub blocks: Vec<u32>,
}

/// The state at a tick.
#[derive(Debug, Clone, PartialEq)]
pub struct TickState {
    /// By body.
    pub velocities: Vec<Velocity>,
    /// λ by row as the sweeps know it, N·s or N·m·s.
    pub impulses: Vec<f32>,
    /// What blows pair by pair have given beside it.
    pub blown: Vec<f32>,
}

impl TickState {
    /// All that a row was given, N·s or N·m·s.
    pub fn given(&self, row: usize) -> f32 {
        self.impulses[row] + self.blown[row]
    }
}

/// What a tick has given through a block, on B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockImpulse {
    pub block: u32,
    /// Σ lin Δλ, N·s, and the couple of the rows that turn, N·m·s.
    pub linear: Vec3,
    pub angular: Vec3,
}

impl Inside {
    /// The step of a look that was taken by blocks, as far as it goes on in this body's mechanism.
    pub fn of(look: &TracedStep, body: Option<u32>) -> Self {
        let trace = &look.trace;
        let (bodies, blocks) = followed(look, body);
        let mut meter = Meter::new(look, blocks.clone());
        let mut inside = Self { ticks: Vec::new(), lack: Vec::new(), sections: Vec::new(), bodies, blocks };
        let mut solves = trace.solves.iter().enumerate().peekable();
        for (index, moment) in trace.moments.iter().enumerate() {
            // The bias is that of the moment that ends the sweep.
            meter.rebias(look, &moment.biases);
            let mut last = None;
            while let Some((number, solve)) = solves.next_if(|(_, solve)| solve.after == index) {
                meter.take(look, solve);
                if inside.follows(trace, solve) {
                    inside.push(Tick::Solve(number), meter.most(), section(moment.stage, solve.pass));
                    last = Some(solve.pass);
                }
            }
            let whole = last.is_some() && meter.is_at(moment, &inside.bodies);
            meter.set(look, &moment.velocities, &moment.impulses);
            // The sweep's last block has made the sweep.
            if !whole {
                inside.push(Tick::Moment(index), meter.most(), section(moment.stage, last.unwrap_or(1)));
            }
        }
        if let Some(lack) = inside.lack.last().copied() {
            inside.push(Tick::Moved, lack, StepPart::Alone);
        }
        inside
    }

    fn push(&mut self, tick: Tick, lack: f64, section: StepPart) {
        self.ticks.push(tick);
        self.lack.push(lack);
        self.sections.push(section);
    }

    /// Whether a turn is one of the blocks that are followed.
    fn follows(&self, trace: &Trace, solve: &BlockSolve) -> bool {
        match solve.unit {
            SweepUnit::Block(block) => self.blocks.binary_search(&block).is_ok(),
            SweepUnit::Tree(_) => {
                trace.velocities_after(solve).iter().any(|(body, _)| self.bodies.binary_search(body).is_ok())
            }
        }
    }

    /// The state at a tick; at the end that of the step itself.
    ///
    /// # Panics
    /// If there is no such tick.
    pub fn state(&self, look: &TracedStep, tick: usize) -> TickState {
        let trace = &look.trace;
        // With the blows of so many turns.
        let of = |index: usize, solves: usize| {
            let moment = &trace.moments[index];
            let mut blown = vec![0.0; moment.impulses.len()];
            for solve in &trace.solves[..solves] {
                trace.blown(solve).iter().for_each(|(row, given)| blown[*row as usize] += given);
            }
            TickState { velocities: moment.velocities.clone(), impulses: moment.impulses.clone(), blown }
        };
        match self.ticks[tick] {
            Tick::Moment(index) => of(index, trace.solves.partition_point(|solve| solve.after <= index)),
            Tick::Solve(number) => {
                let after = trace.solves[number].after;
                let mut state = of(after - 1, number + 1);
                let first = trace.solves.partition_point(|solve| solve.after < after);
                for solve in &trace.solves[first..=number] {
                    trace.velocities_after(solve).iter().for_each(|(body, v)| state.velocities[*body as usize] = *v);
                    trace.impulses_after(solve).iter().for_each(|(row, l)| state.impulses[*row as usize] = *l);
                }
                state
            }
            Tick::Moved => {
                let impulses = trace.handed.clone();
                TickState { velocities: look.after.velocities.to_vec(), blown: vec![0.0; impulses.len()], impulses }
            }
        }
    }

    /// Centre of mass and rotation of a body at a tick, what the step does to it `scale` times as large: x₀ + s h v,
    /// and at the end what it has come to.
    pub fn pose(&self, look: &TracedStep, tick: usize, state: &TickState, body: u32, scale: f32) -> (Vec3, Quat) {
        let (x, q) = look.trace.poses[body as usize];
        let (shift, solve) = match self.ticks[tick] {
            Tick::Moved => {
                let after = &look.after.bodies[body as usize];
                if scale == 1.0 {
                    return (after.position, after.rotation);
                }
                (after.position - x, (after.rotation * q.inverse()).to_scaled_axis())
            }
            _ => {
                let velocity = &state.velocities[body as usize];
                (Vec3::from(velocity.linear) * look.trace.h, Vec3::from(velocity.angular) * look.trace.h)
            }
        };
        (x + shift * scale, (Quat::from_scaled_axis(solve * scale) * q).normalize())
    }

    /// What a tick has given beyond the one before it, by block: through those that are followed, largest first.
    pub fn given(&self, look: &TracedStep, tick: usize) -> Vec<BlockImpulse> {
        if tick == 0 || self.ticks[tick] == Tick::Moved {
            return Vec::new();
        }
        let (before, after) = (self.state(look, tick - 1), self.state(look, tick));
        let mut list: Vec<BlockImpulse> = (self.blocks.iter())
            .filter_map(|index| {
                let block = &look.trace.blocks[*index as usize];
                let mut given = BlockImpulse { block: *index, linear: Vec3::ZERO, angular: Vec3::ZERO };
                for row in block.range() {
                    let change = after.given(row) - before.given(row);
                    let of = &look.trace.rows[row];
                    given.linear += Vec3::from(of.lin) * change;
                    // A row along a line turns by its lever, which the arrow at its place says already.
                    given.angular +=
                        if of.lin == glam::Vec3A::ZERO { Vec3::from(of.ang_b) * change } else { Vec3::ZERO };
                }
                (given.linear != Vec3::ZERO || given.angular != Vec3::ZERO).then_some(given)
            })
            .collect();
        list.sort_by(|a, b| b.linear.length_squared().total_cmp(&a.linear.length_squared()));
        list
    }

    /// The rows that a tick has solved; of a whole moment those of all blocks that are followed.
    pub fn rows(&self, look: &TracedStep, tick: usize) -> Vec<usize> {
        match self.ticks[tick] {
            Tick::Solve(number) => {
                let solve = &look.trace.solves[number];
                let all = look.trace.impulses_after(solve).iter().chain(look.trace.blown(solve));
                all.map(|(row, _)| *row as usize).collect()
            }
            Tick::Moment(_) | Tick::Moved => {
                self.blocks.iter().flat_map(|block| look.trace.blocks[*block as usize].range()).collect()
            }
        }
    }

    /// r by row at a tick, m/s or rad/s, of these rows in their order.
    pub fn lacks(&self, look: &TracedStep, tick: usize, rows: &[usize]) -> Vec<f32> {
        let state = self.state(look, tick);
        let biases = &look.trace.moments[match self.ticks[tick] {
            Tick::Moment(index) => index,
            Tick::Solve(number) => look.trace.solves[number].after,
            Tick::Moved => look.trace.moments.len() - 1,
        }]
        .biases;
        let mut own = look.trace.rows.clone();
        for (row, (impulse, bias)) in own.iter_mut().zip(state.impulses.iter().zip(biases)) {
            (row.impulse, row.bias) = (*impulse, *bias);
        }
        let mut lacks = vec![0.0; own.len()];
        for block in &self.blocks {
            let block = &look.trace.blocks[*block as usize];
            let (rows, lacks) = (&own[block.range()], &mut lacks[block.range()]);
            residual::lack(block, rows, &look.trace.couplings, &state.velocities, lacks);
        }
        rows.iter().map(|row| lacks[*row]).collect()
    }

    /// The ticks at which a sweep or a pass through what was hit ends, and the first and last of all.
    pub fn stops(&self) -> Vec<usize> {
        let last = self.ticks.len().saturating_sub(1);
        (0..self.ticks.len())
            .filter(|tick| {
                let own = self.sections[*tick];
                *tick == last || own == StepPart::Alone || own != self.sections[*tick + 1]
            })
            .collect()
    }

    /// Where a tick stands in its section: its number among the section's ticks from 1, and their count.
    pub fn place(&self, tick: usize) -> (usize, usize) {
        let same: Range<usize> = {
            let own = self.sections[tick];
            let first = (0..=tick).rev().take_while(|i| self.sections[*i] == own).last().unwrap_or(tick);
            let count = self.sections[first..].iter().take_while(|section| **section == own).count();
            first..first + count
        };
        (tick - same.start + 1, same.len())
    }
}

/// What a tick is part of that leads to a moment, or is it.
fn section(stage: StepStage, pass: u32) -> StepPart {
    match stage {
        StepStage::Sweep(sweep) => StepPart::Sweep(sweep),
        StepStage::Blows(round) => StepPart::Blows { round, pass },
        _ => StepPart::Alone,
    }
}

/// The moving bodies that are followed, and the blocks at them, both in order.
fn followed(look: &TracedStep, body: Option<u32>) -> (Vec<u32>, Vec<u32>) {
    let (world, blocks) = (&look.after, &look.trace.blocks);
    let moves = |id: u32| world.bodies[id as usize].is_dynamic();
    let graph = &world.system.graph;
    let island = |block: &Block| graph.island(if moves(block.a) { block.a } else { block.b });
    let holds = |block: &Block| moves(block.a) || moves(block.b);
    let mut sizes = vec![0usize; world.bodies.len()];
    blocks.iter().filter(|block| holds(block)).for_each(|block| sizes[island(block) as usize] += 1);
    let chosen = body.map(|body| graph.island(body)).filter(|island| sizes[*island as usize] > 0);
    let largest = || (0..sizes.len()).rev().max_by_key(|island| sizes[*island]).map(|island| island as u32);
    let only = chosen.or_else(|| if blocks.len() > FEW { largest() } else { None });
    let is_in = |id: u32| moves(id) && only.is_none_or(|only| graph.island(id) == only);
    let bodies: Vec<u32> = (0..world.bodies.len() as u32).filter(|id| is_in(*id)).collect();
    let within = (0..blocks.len() as u32).filter(|index| {
        let block = &blocks[*index as usize];
        is_in(block.a) || is_in(block.b)
    });
    (bodies, within.collect())
}
