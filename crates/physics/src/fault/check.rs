//! Checks of the velocities of a sub-step, and the record of the first fault.

use super::{Fault, FaultWatch};
use crate::body::{Motion, Velocity};
use crate::world::report::Report;
use crate::world::state::State;

/// Checks the velocities at the end or the start of a sub-step, and records the faults.
pub fn check_velocities(state: &mut State, report: &mut Report, mut watch: FaultWatch) {
    for (index, (body, velocity)) in state.bodies.iter().zip(&mut state.velocities).enumerate() {
        if body.motion == Motion::Static {
            // An overflowed impulse times an inverse mass of zero is NaN.
            *velocity = Velocity::default();
        } else {
            watch.contain(index as u32, velocity);
        }
    }
    keep(state, report, watch);
}

/// Records the faults of the present step in the world.
pub fn keep(state: &mut State, report: &mut Report, watch: FaultWatch) {
    report.stopped += watch.stopped;
    if let (None, Some((body, kind))) = (report.fault, watch.first) {
        report.fault = Some(Fault { body, step: state.step_count + 1, kind });
    }
}
