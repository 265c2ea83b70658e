//! The laboratory: the rows of a step and the course of its sweeps, as data to be displayed.
//!
//! ```text
//! World -> TracedStep: the next step, made on a copy   ->  rows, matrix, sweeps
//! ```
//! Nothing here changes the world, and a run without an open laboratory has no cost: see [`delassus_physics::trace`].
//! The last sub-step of the step is shown.

mod elimination;
mod inside;
pub mod linear;
pub mod load;
mod matching;
mod matrix;
pub mod measure;
mod meter;
mod missing_load;
pub mod pair;
mod parity;
pub mod quaternion;
mod row;
mod sampled;
mod sweeps;

pub use elimination::{BlockCell, EliminationOrder};
pub use inside::{BlockImpulse, Inside, StepPart, Tick, TickState};
pub use matching::{Match, matches};
pub use matrix::{MAX_ROWS, Matrix, MatrixPart};
pub use parity::{Deviation, Parity, StepDifference};
pub use row::{BoundState, RowDetails};
pub use sampled::Sampled;
pub use sweeps::{METHODS, SweepCurve, by_kind, compare, curve};

use delassus_physics::trace::{Depth, StepStage, Trace};
use delassus_physics::world::World;

/// The next step of a world, with its trace.
#[derive(Clone)]
pub struct TracedStep {
    /// The step count of the world after it.
    pub step: u64,
    /// The world after the step.
    pub after: World,
    pub trace: Trace,
    /// All rows with their solution, in the order of the sweeps.
    pub rows: Vec<RowDetails>,
}

impl TracedStep {
    /// Traces the next step to this depth; `None` if it cannot be made.
    pub fn of(world: &World, depth: Depth) -> Option<Self> {
        let (after, trace) = world.traced(depth)?;
        let rows = row::all(&trace);
        Some(Self { step: after.state.step_count, after, trace, rows })
    }

    /// The number of sweeps of the sub-step, those of relaxing left out.
    pub fn sweeps(&self) -> usize {
        self.trace.moments.iter().filter(|moment| matches!(moment.stage, StepStage::Sweep(_))).count()
    }

    /// The name of a moment: `forces`, `start`, `sweep 3`, `impacts`, `solved`.
    pub fn moment(&self, index: usize) -> String {
        match self.trace.moments.get(index).map(|moment| moment.stage) {
            Some(StepStage::Forces) => "forces".into(),
            Some(StepStage::Start) => "start".into(),
            Some(StepStage::Impacts(1)) => "impacts".into(),
            Some(StepStage::Impacts(n)) => format!("impacts {n}"),
            Some(StepStage::Sweep(n)) => format!("sweep {n}"),
            Some(StepStage::EnergyRemoved) => "tempered".into(),
            Some(StepStage::Solved) => "solved".into(),
            None => String::new(),
        }
    }

    /// The index of the last moment.
    pub fn last(&self) -> usize {
        self.trace.moments.len().saturating_sub(1)
    }
}
