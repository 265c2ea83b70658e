//! The time line within a step: forces, warm starting, each block of each sweep, restitution, and the motion of the
//! bodies.
//!
//! ```text
//! u, λ at a tick     those of the last full moment, updated by the blocks solved since
//! x₀ + h u           where a body would move with its current velocity, rotated by h ω
//! largest residual   the largest residual r of any row of the followed blocks, m/s or rad/s
//! ```
//! A step of a large world has too many blocks to step through. So only some blocks are followed: those of the selected
//! mechanism, or without a selection all blocks, or those of the largest mechanism if there are more than
//! `MAX_BLOCKS`. If all blocks are solved at once, as by Jacobi and the direct solver, a sweep is a single tick.
//! Restitution is solved block by block with all solvers except the direct one, which solves everything once more. A
//! block that a restitution pass does not change has no tick. Restitution impulses that are applied pair by pair do not
//! belong to the sweeps: they are summed by row until the step adds them.

use std::ops::Range;

use glam::{Quat, Vec3};

use super::TracedStep;
use super::meter::Meter;
use delassus_physics::body::Velocity;
use delassus_physics::residual;
use delassus_physics::row::Block;
use delassus_physics::trace::{BlockSolve, StepStage, SweepUnit, Trace};

/// If there are no more blocks than this, all are followed.
const MAX_BLOCKS: usize = 240;

/// A position on the time line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tick {
    /// A full moment, by its index.
    Moment(usize),
    /// After the solve of a block or tree, by its index in the trace.
    Solve(usize),
    /// The end of the step, after the bodies were moved.
    Moved,
}

/// The part of the step that a tick belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepPart {
    /// A single moment: forces, warm starting, the end.
    Alone,
    /// A sweep, counted from 1.
    Sweep(u32),
    /// A restitution pass; both are counted from 1.
    Impacts { round: u32, pass: u32 },
}

/// A step divided into ticks.
#[derive(Debug, Clone, PartialEq)]
pub struct Inside {
    pub ticks: Vec<Tick>,
    /// The largest residual at each tick, m/s or rad/s.
    pub largest_residual: Vec<f64>,
    /// The part of each tick.
    pub sections: Vec<StepPart>,
    /// The followed dynamic bodies, and the blocks between them, both sorted.
    pub bodies: Vec<u32>,
    pub blocks: Vec<u32>,
}

/// The state at a tick.
#[derive(Debug, Clone, PartialEq)]
pub struct TickState {
    /// By body id.
    pub velocities: Vec<Velocity>,
    /// λ by row, accumulated by the sweeps, N·s or N·m·s.
    pub impulses: Vec<f32>,
    /// Additional impulses by row from pair-by-pair restitution, N·s or N·m·s.
    pub pair_impulses: Vec<f32>,
}

impl TickState {
    /// The total impulse of a row, N·s or N·m·s.
    pub fn given(&self, row: usize) -> f32 {
        self.impulses[row] + self.pair_impulses[row]
    }
}

/// The impulse on body B that a block applied in a tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockImpulse {
    pub block: u32,
    /// Σ lin Δλ, N·s, and the angular impulse of the angular rows, N·m·s; world frame.
    pub linear: Vec3,
    pub angular: Vec3,
}

impl Inside {
    /// The ticks of a step traced to the depth of blocks, for this body's mechanism.
    pub fn of(traced: &TracedStep, body: Option<u32>) -> Self {
        let trace = &traced.trace;
        let (bodies, blocks) = followed(traced, body);
        let mut meter = Meter::new(traced, blocks.clone());
        let mut inside = Self { ticks: Vec::new(), largest_residual: Vec::new(), sections: Vec::new(), bodies, blocks };
        let mut solves = trace.solves.iter().enumerate().peekable();
        for (index, moment) in trace.moments.iter().enumerate() {
            // The bias is that of the moment at the end of the sweep.
            meter.rebias(traced, &moment.biases);
            let mut last = None;
            while let Some((number, solve)) = solves.next_if(|(_, solve)| solve.after == index) {
                meter.apply_solve(traced, solve);
                if inside.follows(trace, solve) {
                    inside.push(Tick::Solve(number), meter.most(), section(moment.stage, solve.pass));
                    last = Some(solve.pass);
                }
            }
            let whole = last.is_some() && meter.is_at(moment, &inside.bodies);
            meter.set(traced, &moment.velocities, &moment.impulses);
            // The last block's tick already is the end of the sweep.
            if !whole {
                inside.push(Tick::Moment(index), meter.most(), section(moment.stage, last.unwrap_or(1)));
            }
        }
        if let Some(residual) = inside.largest_residual.last().copied() {
            inside.push(Tick::Moved, residual, StepPart::Alone);
        }
        inside
    }

    fn push(&mut self, tick: Tick, residual: f64, section: StepPart) {
        self.ticks.push(tick);
        self.largest_residual.push(residual);
        self.sections.push(section);
    }

    /// Whether a solve belongs to the followed blocks.
    fn follows(&self, trace: &Trace, solve: &BlockSolve) -> bool {
        match solve.unit {
            SweepUnit::Block(block) => self.blocks.binary_search(&block).is_ok(),
            SweepUnit::Tree(_) => {
                trace.velocities_after(solve).iter().any(|(body, _)| self.bodies.binary_search(body).is_ok())
            }
        }
    }

    /// The state at a tick. The last tick has the state at the end of the step.
    ///
    /// # Panics
    /// If there is no such tick.
    pub fn state(&self, traced: &TracedStep, tick: usize) -> TickState {
        let trace = &traced.trace;
        // With the restitution impulses of the first `solves` solves.
        let at_moment = |index: usize, solves: usize| {
            let moment = &trace.moments[index];
            let mut pair_impulses = vec![0.0; moment.impulses.len()];
            for solve in &trace.solves[..solves] {
                trace.pair_impulses(solve).iter().for_each(|(row, given)| pair_impulses[*row as usize] += given);
            }
            TickState { velocities: moment.velocities.clone(), impulses: moment.impulses.clone(), pair_impulses }
        };
        match self.ticks[tick] {
            Tick::Moment(index) => at_moment(index, trace.solves.partition_point(|solve| solve.after <= index)),
            Tick::Solve(number) => {
                let after = trace.solves[number].after;
                let mut state = at_moment(after - 1, number + 1);
                let first = trace.solves.partition_point(|solve| solve.after < after);
                for solve in &trace.solves[first..=number] {
                    trace.velocities_after(solve).iter().for_each(|(body, v)| state.velocities[*body as usize] = *v);
                    trace.impulses_after(solve).iter().for_each(|(row, l)| state.impulses[*row as usize] = *l);
                }
                state
            }
            Tick::Moved => {
                let impulses = trace.final_impulses.clone();
                TickState {
                    velocities: traced.after.state.velocities.to_vec(),
                    pair_impulses: vec![0.0; impulses.len()],
                    impulses,
                }
            }
        }
    }

    /// Centre of mass and rotation of a body at a tick, world frame, with its displacement in the step magnified: x₀
    /// + s h v, and at the last tick x₀ + s (x₁ − x₀).
    pub fn pose(&self, traced: &TracedStep, tick: usize, state: &TickState, body: u32, scale: f32) -> (Vec3, Quat) {
        let (x, q) = traced.trace.poses[body as usize];
        let (shift, solve) = match self.ticks[tick] {
            Tick::Moved => {
                let after = &traced.after.state.bodies[body as usize];
                if scale == 1.0 {
                    return (after.position, after.rotation);
                }
                (after.position - x, (after.rotation * q.inverse()).to_scaled_axis())
            }
            _ => {
                let velocity = &state.velocities[body as usize];
                (Vec3::from(velocity.linear) * traced.trace.h, Vec3::from(velocity.angular) * traced.trace.h)
            }
        };
        (x + shift * scale, (Quat::from_scaled_axis(solve * scale) * q).normalize())
    }

    /// The impulses of the followed blocks that a tick added to the previous one, largest first.
    pub fn given(&self, traced: &TracedStep, tick: usize) -> Vec<BlockImpulse> {
        if tick == 0 || self.ticks[tick] == Tick::Moved {
            return Vec::new();
        }
        let (before, after) = (self.state(traced, tick - 1), self.state(traced, tick));
        let mut list: Vec<BlockImpulse> = (self.blocks.iter())
            .filter_map(|index| {
                let block = &traced.trace.blocks[*index as usize];
                let mut given = BlockImpulse { block: *index, linear: Vec3::ZERO, angular: Vec3::ZERO };
                for row in block.range() {
                    let change = after.given(row) - before.given(row);
                    let source = &traced.trace.rows[row];
                    given.linear += Vec3::from(source.lin) * change;
                    // The moment of a linear row is left out: the arrow is drawn where the row acts.
                    given.angular += if source.is_angular() { Vec3::from(source.ang_b) * change } else { Vec3::ZERO };
                }
                (given.linear != Vec3::ZERO || given.angular != Vec3::ZERO).then_some(given)
            })
            .collect();
        list.sort_by(|a, b| b.linear.length_squared().total_cmp(&a.linear.length_squared()));
        list
    }

    /// The rows that a tick solved; for a full moment those of all followed blocks.
    pub fn rows(&self, traced: &TracedStep, tick: usize) -> Vec<usize> {
        match self.ticks[tick] {
            Tick::Solve(number) => {
                let solve = &traced.trace.solves[number];
                let all = traced.trace.impulses_after(solve).iter().chain(traced.trace.pair_impulses(solve));
                all.map(|(row, _)| *row as usize).collect()
            }
            Tick::Moment(_) | Tick::Moved => {
                self.blocks.iter().flat_map(|block| traced.trace.blocks[*block as usize].range()).collect()
            }
        }
    }

    /// The residual of each of these rows at a tick, m/s or rad/s.
    pub fn residuals(&self, traced: &TracedStep, tick: usize, rows: &[usize]) -> Vec<f32> {
        let state = self.state(traced, tick);
        let biases = &traced.trace.moments[match self.ticks[tick] {
            Tick::Moment(index) => index,
            Tick::Solve(number) => traced.trace.solves[number].after,
            Tick::Moved => traced.trace.moments.len() - 1,
        }]
        .biases;
        let mut tick_rows = traced.trace.rows.clone();
        for (row, (impulse, bias)) in tick_rows.iter_mut().zip(state.impulses.iter().zip(biases)) {
            (row.impulse, row.bias) = (*impulse, *bias);
        }
        let mut residuals = vec![0.0; tick_rows.len()];
        for block in &self.blocks {
            let block = &traced.trace.blocks[*block as usize];
            let (rows, residuals) = (&tick_rows[block.range()], &mut residuals[block.range()]);
            residual::block_residuals(block, rows, &traced.trace.couplings, &state.velocities, residuals);
        }
        rows.iter().map(|row| residuals[*row]).collect()
    }

    /// The ticks at which a sweep or a restitution pass ends, the single moments, and the last tick.
    pub fn stops(&self) -> Vec<usize> {
        let last = self.ticks.len().saturating_sub(1);
        (0..self.ticks.len())
            .filter(|tick| {
                let section = self.sections[*tick];
                *tick == last || section == StepPart::Alone || section != self.sections[*tick + 1]
            })
            .collect()
    }

    /// The position of a tick in its section, from 1, and the section's number of ticks.
    pub fn place(&self, tick: usize) -> (usize, usize) {
        let same: Range<usize> = {
            let section = self.sections[tick];
            let first = (0..=tick).rev().take_while(|i| self.sections[*i] == section).last().unwrap_or(tick);
            let count = self.sections[first..].iter().take_while(|other| **other == section).count();
            first..first + count
        };
        (tick - same.start + 1, same.len())
    }
}

/// The part of a step for the ticks that lead to a moment of this stage.
fn section(stage: StepStage, pass: u32) -> StepPart {
    match stage {
        StepStage::Sweep(sweep) => StepPart::Sweep(sweep),
        StepStage::Impacts(round) => StepPart::Impacts { round, pass },
        _ => StepPart::Alone,
    }
}

/// The followed dynamic bodies and the blocks at them, both sorted.
fn followed(traced: &TracedStep, body: Option<u32>) -> (Vec<u32>, Vec<u32>) {
    let (world, blocks) = (&traced.after, &traced.trace.blocks);
    let moves = |id: u32| world.state.bodies[id as usize].is_dynamic();
    let graph = &world.system.graph;
    let island = |block: &Block| graph.island(if moves(block.a) { block.a } else { block.b });
    let holds = |block: &Block| moves(block.a) || moves(block.b);
    let mut sizes = vec![0usize; world.state.bodies.len()];
    blocks.iter().filter(|block| holds(block)).for_each(|block| sizes[island(block) as usize] += 1);
    let chosen = body.map(|body| graph.island(body)).filter(|island| sizes[*island as usize] > 0);
    let largest = || (0..sizes.len()).rev().max_by_key(|island| sizes[*island]).map(|island| island as u32);
    let only = chosen.or_else(|| if blocks.len() > MAX_BLOCKS { largest() } else { None });
    let is_in = |id: u32| moves(id) && only.is_none_or(|only| graph.island(id) == only);
    let bodies: Vec<u32> = (0..world.state.bodies.len() as u32).filter(|id| is_in(*id)).collect();
    let within = (0..blocks.len() as u32).filter(|index| {
        let block = &blocks[*index as usize];
        is_in(block.a) || is_in(block.b)
    });
    (bodies, within.collect())
}
