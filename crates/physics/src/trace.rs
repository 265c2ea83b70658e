//! A record of a step, moment by moment, for the laboratory.
//!
//! ```text
//! forces → start (old impulses applied) → sweep 1 … sweep N → impacts → solved       of the step's last sub-step
//!                                         block 1 … block n of each sweep of Gauss–Seidel, and of each pass over
//!                                         what was hit, if asked for; impacts pair by pair come before the sweeps
//! r = J u + b + γ λ         residual of a row, m/s or rad/s; zero where it is at a bound and pushes against it
//! A world in normal use has no trace, and checks for one once a sweep. Tracing is done on a copy ([`World::traced`]),
//! which makes the same step to the bit: blocks are solved one at a time there, which gives the same numbers as in
//! lanes. Only mechanisms that are otherwise stepped in the [articulations](super::articulations), without rows, agree
//! just to within rounding. For two tangential rows that are bound together r is the part of their common residual that
//! the bound lets them correct; a twist is judged separately, by its own largest impulse.
//!
//! A moment has the whole state. The change by a block is kept as a [`BlockSolve`]: the velocities of its bodies and
//! the impulses of its rows after it. So a sweep of n blocks costs about as much as two moments instead of n.

use std::ops::Range;

use glam::{Quat, Vec3};

use super::balance::Balance;
use super::body::Velocity;
use super::residual::residuals;
use super::row::{Block, Owner, Row, RowId};
use super::system::System;
use super::system::couplings::Couplings;
use super::world::state::State;

/// The most moments that are kept. Later sweeps are made but not recorded.
pub const MOMENTS: usize = 1024;
/// The most velocities and impulses of block solves that are kept, some 30 MB.
pub const SOLVES: usize = 600_000;

/// How much of a step is recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// No moments: only the energy and momentum account is kept, see [`super::balance`].
    Nothing,
    /// Moments only.
    #[default]
    Sweeps,
    /// Each block within a sweep, too.
    Blocks,
}

/// A moment within a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepStage {
    /// Forces are applied, impulses are not. For exact solvers this is the start, because they use no old impulses.
    Forces,
    /// Forces and old impulses are applied; no row is solved.
    Start,
    /// After this many sweeps or exact solves.
    Sweep(u32),
    /// After this many rounds of impacts: what was hit has bounced.
    Impacts(u32),
    /// The energy that the impacts gained has been taken back.
    EnergyRemoved,
    /// All rows are solved; the bodies move with these velocities.
    Solved,
}

/// The state at a moment.
#[derive(Debug, Clone)]
pub struct TraceMoment {
    pub stage: StepStage,
    /// By body.
    pub velocities: Vec<Velocity>,
    /// λ by row, N·s or N·m·s.
    pub impulses: Vec<f32>,
    /// r by row, m/s or rad/s.
    pub residuals: Vec<f32>,
    /// b by row at this moment, m/s or rad/s. It changes between sweeps under SHAKE and RATTLE.
    pub biases: Vec<f32>,
}

/// What is solved at once within a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SweepUnit {
    /// The block of this index.
    Block(u32),
    /// Joints whose rows are solved together: a whole tree, one joint with all its equality rows, or a mechanism. By
    /// its index.
    Tree(u32),
}

/// The solve of one unit within a sweep, or the impact of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockSolve {
    pub unit: SweepUnit,
    /// The number of moments that were recorded before it.
    pub after: usize,
    /// For impacts, the pass over what was hit, from 1; 0 within a sweep.
    pub pass: u32,
    bodies: Range<usize>,
    rows: Range<usize>,
    pair_impulses: Range<usize>,
}

/// The record of the last sub-step of a step.
#[derive(Clone, Default)]
pub struct Trace {
    /// Length of the sub-step, s.
    pub h: f32,
    pub moments: Vec<TraceMoment>,
    pub depth: Depth,
    /// Centres of mass, m, and orientations before the bodies move, by body.
    pub poses: Vec<(Vec3, Quat)>,
    /// The solves and impacts in their order; recorded at [`Depth::Blocks`] only.
    pub solves: Vec<BlockSolve>,
    /// What the solves have changed, one after the other: velocities by body, λ by row.
    velocities: Vec<(u32, Velocity)>,
    impulses: Vec<(u32, f32)>,
    /// Δλ by row of impacts applied pair by pair, besides the sweeps.
    pair_impulses: Vec<(u32, f32)>,
    /// λ by row at the end of the sub-step, including all impacts.
    pub final_impulses: Vec<f32>,
    /// Whether some solves were not recorded for lack of room.
    pub cut: bool,
    /// The rows as they were solved.
    pub rows: Vec<Row>,
    pub ids: Vec<RowId>,
    pub blocks: Vec<Block>,
    pub couplings: Couplings,
    /// The energy and momentum account of the step so far, if one is kept.
    pub balance: Option<Box<Balance>>,
}

impl Trace {
    /// A trace of this depth, without an account.
    pub fn of_depth(depth: Depth) -> Self {
        Self { depth, ..Self::default() }
    }

    /// A trace that keeps only the energy and momentum account.
    pub fn of_account() -> Self {
        Self { depth: Depth::Nothing, balance: Some(Box::default()), ..Self::default() }
    }

    /// Velocities of the bodies of a solve, after it.
    pub fn velocities_after(&self, solve: &BlockSolve) -> &[(u32, Velocity)] {
        &self.velocities[solve.bodies.clone()]
    }

    /// λ of the rows of a solve, after it.
    pub fn impulses_after(&self, solve: &BlockSolve) -> &[(u32, f32)] {
        &self.impulses[solve.rows.clone()]
    }

    /// Δλ of the rows of a pair whose impact was applied by itself. The sweeps do not know of it and cannot take it
    /// back.
    pub fn pair_impulses(&self, solve: &BlockSolve) -> &[(u32, f32)] {
        &self.pair_impulses[solve.pair_impulses.clone()]
    }

    /// Whether there is room for another solve.
    fn has_room(&mut self) -> bool {
        self.cut |= self.velocities.len() + self.impulses.len() + self.pair_impulses.len() > SOLVES;
        !self.cut
    }

    fn push(&mut self, unit: SweepUnit, pass: u32, (bodies, rows, pair_impulses): (usize, usize, usize)) {
        let (bodies, rows) = (bodies..self.velocities.len(), rows..self.impulses.len());
        let pair_impulses = pair_impulses..self.pair_impulses.len();
        self.solves.push(BlockSolve { unit, after: self.moments.len(), pass, bodies, rows, pair_impulses });
    }

    fn lengths(&self) -> (usize, usize, usize) {
        (self.velocities.len(), self.impulses.len(), self.pair_impulses.len())
    }

    /// Records the solve of a block or tree, in a pass over what was hit or, with `pass` 0, in a sweep.
    pub(super) fn block_solved(&mut self, unit: SweepUnit, pass: u32, system: &System, velocities: &[Velocity]) {
        if !self.has_room() {
            return;
        }
        let from = self.lengths();
        let moved = |body: u32| (body, velocities[body as usize]);
        let solved = |row: usize| (row as u32, system.rows[row].impulse);
        match unit {
            SweepUnit::Block(index) => {
                let block = &system.blocks[index as usize];
                self.velocities.extend([block.a, block.b].map(moved));
                self.impulses.extend(block.range().map(solved));
            }
            SweepUnit::Tree(index) => {
                self.velocities.extend(system.trees.bodies(index as usize).map(moved));
                self.impulses.extend(system.trees.rows_of(index as usize).map(solved));
            }
        }
        self.push(unit, pass, from);
    }

    /// Records the impact that a pair took by itself; its impulses are in `system.impact_rows`. Joints may have passed
    /// it on to any body.
    pub(super) fn impact(&mut self, index: usize, pass: u32, system: &System, velocities: &[Velocity]) {
        if !self.has_room() {
            return;
        }
        let from = self.lengths();
        let block = &system.blocks[index];
        match system.blocks.iter().any(|block| matches!(block.owner, Owner::Joint(_))) {
            true => self.velocities.extend((0..).zip(velocities.iter().copied())),
            false => self.velocities.extend([block.a, block.b].map(|body| (body, velocities[body as usize]))),
        }
        self.pair_impulses
            .extend(block.range().zip(&system.impact_rows).map(|(row, given)| (row as u32, given.impulse)));
        self.push(SweepUnit::Block(index as u32), pass, from);
    }

    /// Index of the moment from which the rows are solved: with the old impulses, if they are used.
    pub fn start(&self) -> usize {
        self.moments.iter().position(|moment| moment.stage == StepStage::Start).unwrap_or(0)
    }
}

/// The record of the present step, where one was asked for.
pub type Probe = Option<Box<Trace>>;

/// Begins the trace of a sub-step of `h` seconds.
pub(crate) fn start_trace(state: &State, probe: &mut Probe, h: f32) {
    if let Some(trace) = probe {
        let poses = state.bodies.iter().map(|body| (body.position, body.rotation)).collect();
        let balance = trace.balance.take();
        **trace = Trace { h, depth: trace.depth, poses, balance, ..Trace::default() };
    }
}

/// Records a moment, if moments are traced.
#[inline]
pub(crate) fn record_moment(state: &State, system: &mut System, probe: &mut Probe, stage: StepStage) {
    if probe.as_ref().is_some_and(|trace| trace.depth > Depth::Nothing) {
        record(state, system, probe, stage);
    }
}

/// Records that another sweep is made.
#[inline]
pub(crate) fn sweep(state: &State, system: &mut System, probe: &mut Probe) {
    if let Some(trace) = probe.as_ref().filter(|trace| trace.depth > Depth::Nothing) {
        let made = trace.moments.iter().filter(|moment| matches!(moment.stage, StepStage::Sweep(_))).count();
        record(state, system, probe, StepStage::Sweep(made as u32 + 1));
    }
}

/// Records that another round of impacts is made.
#[inline]
pub(crate) fn impacts(state: &State, system: &mut System, probe: &mut Probe) {
    if let Some(trace) = probe.as_ref().filter(|trace| trace.depth > Depth::Nothing) {
        let made = trace.moments.iter().filter(|moment| matches!(moment.stage, StepStage::Impacts(_))).count();
        record(state, system, probe, StepStage::Impacts(made as u32 + 1));
    }
}

/// Whether single blocks are recorded.
#[inline]
pub(crate) fn by_blocks(probe: &Probe) -> bool {
    probe.as_ref().is_some_and(|trace| trace.depth == Depth::Blocks)
}

/// Records the solve of a block or tree within a sweep.
pub(crate) fn block_solved(velocities: &[Velocity], system: &System, probe: &mut Probe, unit: SweepUnit) {
    if let Some(trace) = probe {
        trace.block_solved(unit, 0, system, velocities);
    }
}

/// Records the impulses at the end of the sub-step.
#[inline]
pub(crate) fn record_impulses(system: &mut System, probe: &mut Probe) {
    let trace = probe;
    if let Some(trace) = trace.as_mut().filter(|trace| trace.depth > Depth::Nothing) {
        trace.final_impulses = system.rows.iter().map(|row| row.impulse).collect();
    }
}

#[cold]
fn record(state: &State, system: &mut System, probe: &mut Probe, stage: StepStage) {
    let Some(mut trace) = probe.take() else { return };
    let velocities = &state.velocities;
    if stage == StepStage::Solved {
        (trace.rows, trace.ids) = (system.rows.clone(), system.ids.clone());
        (trace.blocks, trace.couplings) = (system.blocks.clone(), system.couplings.clone());
    }
    if trace.moments.len() < MOMENTS || stage == StepStage::Solved {
        let mut rows = system.rows.clone();
        // An exact solve starts from zero, whatever impulses of the last step the rows still have.
        let begun = |moment: &TraceMoment| matches!(moment.stage, StepStage::Start | StepStage::Sweep(_));
        if stage == StepStage::Forces || (matches!(stage, StepStage::Impacts(_)) && !trace.moments.iter().any(begun)) {
            rows.iter_mut().for_each(|row| row.impulse = 0.0);
        }
        trace.moments.push(TraceMoment {
            stage,
            velocities: velocities.to_vec(),
            impulses: rows.iter().map(|row| row.impulse).collect(),
            residuals: residuals(&rows, &system.blocks, &system.couplings, velocities),
            biases: rows.iter().map(|row| row.bias).collect(),
        });
    }
    *probe = Some(trace);
}
