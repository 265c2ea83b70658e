//! The laboratory: what the rows of a step are and what the sweeps make of them, as data to be shown.
//!
//! ```text
//! World -> Look: the step that comes next, made on a copy   ->  rows, matrix, sweeps
//! ```
//! Nothing here changes the world that it looks at, and a run that nobody looks at pays nothing for it: see
//! [`crate::physics::trace`]. What is shown is the last sub-step of the step.

mod elimination;
mod inside;
pub mod linear;
pub mod load;
mod matching;
mod matrix;
pub mod measure;
mod meter;
pub mod pair;
mod parity;
pub mod quaternion;
mod row;
mod sampled;
mod sweeps;

pub use elimination::{BlockCell, EliminationOrder};
pub use inside::{BlockImpulse, Inside, StepPart, Tick, TickState};
pub use matching::{Match, matches};
pub use matrix::{LARGEST, Matrix, MatrixPart};
pub use parity::{Deviation, Parity, StepDifference};
pub use row::{BoundState, RowDetails};
pub use sampled::Sampled;
pub use sweeps::{METHODS, SweepCurve, by_kind, compare, curve};

use crate::physics::trace::{Depth, StepStage, Trace};
use crate::physics::world::World;

/// The step that a world makes next.
#[derive(Clone)]
pub struct TracedStep {
    /// Its number: the world's count of steps once it is made.
    pub step: u64,
    /// The world after it.
    pub after: World,
    pub trace: Trace,
    /// All rows as they were solved, in the order of the sweeps.
    pub rows: Vec<RowDetails>,
}

impl TracedStep {
    /// Looks into the next step, so deep; `None` where it cannot be made.
    pub fn of(world: &World, depth: Depth) -> Option<Self> {
        let (after, trace) = world.traced(depth)?;
        let rows = row::all(&trace);
        Some(Self { step: after.step_count, after, trace, rows })
    }

    /// The moments' names: `forces`, `start`, `sweep 3`, `blows`, `solved`.
    pub fn moment(&self, index: usize) -> String {
        match self.trace.moments.get(index).map(|moment| moment.stage) {
            Some(StepStage::Forces) => "forces".into(),
            Some(StepStage::Start) => "start".into(),
            Some(StepStage::Blows(1)) => "blows".into(),
            Some(StepStage::Blows(n)) => format!("blows {n}"),
            Some(StepStage::Sweep(n)) => format!("sweep {n}"),
            Some(StepStage::Tempered) => "tempered".into(),
            Some(StepStage::Solved) => "solved".into(),
            None => String::new(),
        }
    }

    /// The last moment's number.
    pub fn last(&self) -> usize {
        self.trace.moments.len().saturating_sub(1)
    }
}
