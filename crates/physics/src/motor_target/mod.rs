//! The target of a motor: the value that its drive should have by now, which is the integral of its speed.
//!
//! ```text
//! target ← target + h J u after each velocity solve,  C = value − target
//! ```
//! Split corrections and nonlinear Gauss–Seidel move poses without changing velocities. To close the anchor of an
//! eccentric rotor they also turn the rotor back: a shaft whose speed reads ω then falls behind by about ½ (ω h)² (1 −
//! β)/β of its angle. So a drive takes part in these corrections with a row of its own, C = 0, solved together with the
//! joint's other rows (`solvers/drive_block.rs`). A drive at its cap slips and has no target to keep. Under RATTLE the
//! split correction closes what the sweeps have left open, for example in a loop. The drive takes part there, too, unless
//! its mechanism bears on something, because it would press the contacts. Baumgarte and soft stabilisation correct by the
//! velocities, where the drive has a row already, and the direct solver leaves nothing to correct under RATTLE.

pub(crate) mod correct;

use std::f32::consts::{PI, TAU};
use std::ops::Range;

use super::row::{RowKind, RowSpec};

/// The most by which a drive is led back to its target, rad or m. A drive that is farther off, because bodies were
/// held up or moved, continues from there.
const MAX_CORRECTION: f32 = 0.1;

/// The target of a drive after the last sub-step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotorTarget {
    /// The value that the drive should have, rad modulo a turn, or m.
    value: f32,
    /// The step in which it was noted; from an older step it is out of date.
    step: u64,
    /// Whether the drive was at its cap.
    slips: bool,
}

/// A drive that keeps to a target, in the present sub-step.
#[derive(Debug, Clone)]
pub struct Drive {
    pub joint: u32,
    /// Index of its row, and the range of its joint's blocks.
    row: u32,
    blocks: Range<u32>,
    /// Its present value, rad modulo a turn, or m.
    value: f32,
    /// The bias of the correction that leads it back, m/s or rad/s; `None` where it slips.
    pseudo_bias: Option<f32>,
    /// Whether it is at its target to within rounding.
    at_target: bool,
}

/// How far a value is from another, m or rad; for angles the short way round.
fn difference(value: f32, target: f32, angular: bool) -> f32 {
    let off = value - target;
    if angular { off - TAU * ((off + PI) / TAU).floor() } else { off }
}

/// The first row of a drive that has a value, and this value, rad or m.
pub fn driven(specs: &[RowSpec]) -> Option<(&RowSpec, f32)> {
    specs.iter().find_map(|spec| match spec.kind {
        RowKind::Drive { value: Some(value), .. } => Some((spec, value)),
        _ => None,
    })
}

/// How far a drive is off its target, rad or m: zero where it has none yet, `None` where it slips.
pub fn distance_off(target: Option<MotorTarget>, value: f32, angular: bool, step: u64) -> Option<f32> {
    match target.filter(|target| target.step + 1 >= step) {
        Some(target) if target.slips => None,
        Some(target) => Some(difference(value, target.value, angular).clamp(-MAX_CORRECTION, MAX_CORRECTION)),
        None => Some(0.0),
    }
}
