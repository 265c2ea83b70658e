//! A record of a step, moment by moment, for the laboratory.
//!
//! ```text
//! forces → start (old impulses are in) → sweep 1 … sweep N → blows → solved       of the step's last sub-step
//!                                        block 1 … block n of each sweep of Gauss–Seidel, and of each pass through
//!                                        what was hit, if asked for; blows pair by pair come before the sweeps
//! r = J u + b + γ λ         what a row still lacks, m/s or rad/s; nothing where it rests on a bound and pushes against it
//! ```
//! A world that is stepped as ever has no trace, and asks once a sweep whether it has. Looking is done on a copy
//! ([`World::traced`]), which makes the same step to the bit: blocks go one at a time there, which gives the same
//! numbers as side by side. Only what is stepped in the [forest](super::forest), without rows, is the same to within
//! rounding. Two slides that are bound together lack the part of their common r that the bound would let them take;
//! a twist is judged beside them by its own largest impulse.
//!
//! A moment has the whole state. What a block changes is kept as a [`BlockSolve`], the velocities of its bodies and the
//! impulses of its rows after it, so that a sweep of n blocks costs about two moments and not n.

use std::ops::Range;

use glam::{Quat, Vec3};

use super::balance::Balance;
use super::body::Velocity;
use super::residual::residuals;
use super::row::{Block, Row, RowId};
use super::system::{Couplings, System};
use super::world::World;

/// Sweeps beyond this are made but not kept.
pub const MOMENTS: usize = 1024;
/// Velocities and impulses of turns beyond this are not kept: some 30 MB.
pub const SOLVES: usize = 600_000;

/// How much of a step is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Not even moments: somebody only keeps account, see [`super::balance`].
    Nothing,
    /// The moments only.
    #[default]
    Sweeps,
    /// Each block within a sweep, too.
    Blocks,
}

/// A moment within a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepStage {
    /// Forces are in, no impulse is. Of what is solved exactly the start: it takes no old impulses.
    Forces,
    /// Forces and old impulses are in, no row is solved.
    Start,
    /// So many sweeps or exact solves are made.
    Sweep(u32),
    /// So many rounds of blows are made: what was hit has bounced.
    Blows(u32),
    /// What the blows have gained of energy is taken back.
    Tempered,
    /// All is solved; the bodies are moved with these velocities.
    Solved,
}

/// What there was at a moment.
#[derive(Debug, Clone)]
pub struct TraceMoment {
    pub stage: StepStage,
    /// By body.
    pub velocities: Vec<Velocity>,
    /// λ by row, N·s or N·m·s.
    pub impulses: Vec<f32>,
    /// r by row, m/s or rad/s.
    pub residuals: Vec<f32>,
    /// b by row as it was then, m/s or rad/s: it changes between sweeps where they close the joints.
    pub biases: Vec<f32>,
}

/// Whose turn it is within a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SweepUnit {
    /// By its index among the blocks.
    Block(u32),
    /// Joints solved as one: a whole tree, or a joint with all its equality rows.
    Tree(u32),
}

/// The turn of one block within a sweep, or its blow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockSolve {
    pub unit: SweepUnit,
    /// So many moments were kept before it.
    pub after: usize,
    /// Of a blow the pass through what was hit, from 1; 0 within a sweep.
    pub pass: u32,
    bodies: Range<usize>,
    rows: Range<usize>,
    blown: Range<usize>,
}

/// The last sub-step of a step.
#[derive(Clone, Default)]
pub struct Trace {
    /// Length of the sub-step, s.
    pub h: f32,
    pub moments: Vec<TraceMoment>,
    pub depth: Depth,
    /// Centres of mass and rotations before the bodies are moved.
    pub poses: Vec<(Vec3, Quat)>,
    pub solves: Vec<BlockSolve>,
    /// What the turns have changed, one behind the other: velocities by body, λ by row.
    velocities: Vec<(u32, Velocity)>,
    impulses: Vec<(u32, f32)>,
    /// What blows pair by pair have given beside the sweeps, by row.
    blown: Vec<(u32, f32)>,
    /// λ by row as the step hands them on: with all blows.
    pub handed: Vec<f32>,
    /// Some turns found no room.
    pub cut: bool,
    /// The rows as they were solved.
    pub rows: Vec<Row>,
    pub ids: Vec<RowId>,
    pub blocks: Vec<Block>,
    pub couplings: Couplings,
    /// What the step has given so far, if somebody keeps account of it.
    pub balance: Option<Box<Balance>>,
}

impl Trace {
    /// Of a step of which only an account is kept.
    pub fn of_account() -> Self {
        Self { depth: Depth::Nothing, balance: Some(Box::default()), ..Self::default() }
    }

    /// Velocities of the bodies that a turn has moved, after it.
    pub fn velocities_after(&self, solve: &BlockSolve) -> &[(u32, Velocity)] {
        &self.velocities[solve.bodies.clone()]
    }

    /// λ of the rows that a turn has solved, after it.
    pub fn impulses_after(&self, solve: &BlockSolve) -> &[(u32, f32)] {
        &self.impulses[solve.rows.clone()]
    }

    /// Δλ of the rows of a pair that took its blow by itself; the sweeps do not know of it and cannot take it back.
    pub fn blown(&self, solve: &BlockSolve) -> &[(u32, f32)] {
        &self.blown[solve.blown.clone()]
    }

    /// Whether there is room for a turn.
    fn has_room(&mut self) -> bool {
        self.cut |= self.velocities.len() + self.impulses.len() + self.blown.len() > SOLVES;
        !self.cut
    }

    fn push(&mut self, unit: SweepUnit, pass: u32, (bodies, rows, blown): (usize, usize, usize)) {
        let (bodies, rows) = (bodies..self.velocities.len(), rows..self.impulses.len());
        let blown = blown..self.blown.len();
        self.solves.push(BlockSolve { unit, after: self.moments.len(), pass, bodies, rows, blown });
    }

    fn lengths(&self) -> (usize, usize, usize) {
        (self.velocities.len(), self.impulses.len(), self.blown.len())
    }

    /// Notes the turn of a block or tree, of a pass through what was hit or of a sweep.
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

    /// Notes the blow that a pair took by itself; `system.blown` has what it was given.
    pub(super) fn blow(&mut self, index: usize, pass: u32, system: &System, velocities: &[Velocity]) {
        if !self.has_room() {
            return;
        }
        let from = self.lengths();
        let block = &system.blocks[index];
        self.velocities.extend([block.a, block.b].map(|body| (body, velocities[body as usize])));
        self.blown.extend(block.range().zip(&system.blown).map(|(row, given)| (row as u32, given.impulse)));
        self.push(SweepUnit::Block(index as u32), pass, from);
    }

    /// The moment from which the rows are solved: the old impulses are in, if they are taken.
    pub fn start(&self) -> usize {
        self.moments.iter().position(|moment| moment.stage == StepStage::Start).unwrap_or(0)
    }
}

impl World {
    /// A copy of this world one step on, with the trace of that step; `None` where the step cannot be made.
    pub fn traced(&self, depth: Depth) -> Option<(World, Trace)> {
        let mut copy = self.clone();
        copy.settle();
        (copy.whole, copy.resident) = (true, false);
        copy.trace = Some(Box::new(Trace { depth, ..Trace::default() }));
        copy.step();
        let trace = *copy.trace.take()?;
        (copy.step_count > self.step_count).then_some((copy, trace))
    }
}

/// Begins the trace of a sub-step of `h` seconds.
pub fn begin(world: &mut World, h: f32) {
    if let Some(trace) = &mut world.trace {
        let poses = world.bodies.iter().map(|body| (body.position, body.rotation)).collect();
        let balance = trace.balance.take();
        **trace = Trace { h, depth: trace.depth, poses, balance, ..Trace::default() };
    }
}

/// Notes a moment, if anybody looks.
#[inline]
pub fn note(world: &mut World, stage: StepStage) {
    if world.trace.as_ref().is_some_and(|trace| trace.depth > Depth::Nothing) {
        keep(world, stage);
    }
}

/// Notes that a sweep more is made.
#[inline]
pub fn sweep(world: &mut World) {
    if let Some(trace) = world.trace.as_ref().filter(|trace| trace.depth > Depth::Nothing) {
        let made = trace.moments.iter().filter(|moment| matches!(moment.stage, StepStage::Sweep(_))).count();
        keep(world, StepStage::Sweep(made as u32 + 1));
    }
}

/// Notes that a round of blows more is made.
#[inline]
pub fn blows(world: &mut World) {
    if let Some(trace) = world.trace.as_ref().filter(|trace| trace.depth > Depth::Nothing) {
        let made = trace.moments.iter().filter(|moment| matches!(moment.stage, StepStage::Blows(_))).count();
        keep(world, StepStage::Blows(made as u32 + 1));
    }
}

/// Whether somebody looks at each block.
#[inline]
pub fn by_blocks(world: &World) -> bool {
    world.trace.as_ref().is_some_and(|trace| trace.depth == Depth::Blocks)
}

/// Notes the turn of a block or tree within a sweep.
pub fn block_solved(world: &mut World, unit: SweepUnit) {
    if let Some(trace) = &mut world.trace {
        trace.block_solved(unit, 0, &world.system, &world.velocities);
    }
}

/// Notes the impulses that the step hands on.
#[inline]
pub fn hand_on(world: &mut World) {
    let World { trace, system, .. } = world;
    if let Some(trace) = trace.as_mut().filter(|trace| trace.depth > Depth::Nothing) {
        trace.handed = system.rows.iter().map(|row| row.impulse).collect();
    }
}

#[cold]
fn keep(world: &mut World, stage: StepStage) {
    let Some(mut trace) = world.trace.take() else { return };
    let (system, velocities) = (&world.system, &world.velocities);
    if stage == StepStage::Solved {
        (trace.rows, trace.ids) = (system.rows.clone(), system.ids.clone());
        (trace.blocks, trace.couplings) = (system.blocks.clone(), system.couplings.clone());
    }
    if trace.moments.len() < MOMENTS || stage == StepStage::Solved {
        let mut rows = system.rows.clone();
        // What is solved exactly starts from nothing, whatever the rows still hold of the last step.
        let begun = |moment: &TraceMoment| matches!(moment.stage, StepStage::Start | StepStage::Sweep(_));
        if stage == StepStage::Forces || (matches!(stage, StepStage::Blows(_)) && !trace.moments.iter().any(begun)) {
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
    world.trace = Some(trace);
}
