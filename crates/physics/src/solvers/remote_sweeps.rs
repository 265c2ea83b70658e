//! Sweeps on a graphics device. It receives the linearized rows and returns velocities and impulses as the
//! processor's sweeps would leave them.
//!
//! ```text
//! collide, linearize, forces, old impulses      the processor
//! sweeps                                        the sweeper
//! joint errors at new poses between sweeps      the processor, for SHAKE and RATTLE
//! restitution, poses, read-outs                 the processor
//! ```
//! The device refuses what it does not support, with a reason: before the step ([`Sweeper::refusal`]) or once it sees
//! the rows. Then, and after a failure, rows and velocities are unchanged and the processor makes the sweeps. A
//! device that cannot make whole steps of a world (`physics/on_device/`) may still offer a sweeper for it.

use std::ops::Range;
use std::sync::Arc;

use super::substep::Pass;
use crate::body::Velocity;
use crate::device::refusal::{DeviceError, DeviceRefusal};
use crate::gyroscopic::GyroscopicTerm;
use crate::settings::{Processor, Settings};
use crate::shake;
use crate::system::System;
use crate::world::report::Report;
use crate::world::state::State;

/// Input and output of one call of a sweeper.
pub struct Task<'a> {
    /// The rows with their starting impulses, which are already applied to the velocities.
    pub system: &'a mut System,
    pub velocities: &'a mut [Velocity],
    /// Velocities of the split position correction; empty if there is none.
    pub pseudo_velocities: &'a mut [Velocity],
    pub settings: &'a Settings,
    /// ω of Jacobi's sweeps.
    pub relaxation: f32,
    /// Which of the sub-step's sweeps to make.
    pub sweeps: Range<u32>,
}

/// Why no sweeps were made.
#[derive(Debug, Clone)]
pub enum SweepRefusal {
    /// The rows need something that the device does not support.
    Unsupported(DeviceRefusal),
    /// The device has failed and must not be used again.
    Failed(DeviceError),
}

/// A device that makes sweeps.
pub trait Sweeper: Send + Sync {
    /// Why it cannot sweep with these settings, regardless of the rows; none if it can.
    fn refusal(&self, settings: &Settings) -> Option<DeviceError>;

    /// Makes the sweeps `task.sweeps` of a sub-step.
    ///
    /// # Errors
    /// If it has made none of them; rows and velocities are then unchanged.
    fn sweep(&mut self, task: &mut Task<'_>) -> Result<(), SweepRefusal>;
}

/// A device from which worlds get their sweepers.
pub trait SweeperSource: Send + Sync {
    /// Why it cannot make the sweeps of steps with these settings; `None` if it can.
    fn rows_refusal(&self, settings: &Settings) -> Option<DeviceError>;

    /// A sweeper for worlds whose steps are otherwise made by the processor.
    ///
    /// # Errors
    /// A failure of the device.
    fn sweeper(&self) -> Result<Box<dyn Sweeper>, DeviceError>;
}

/// A world's sweeper. A copy of a world starts without one and gets its own from its device.
#[derive(Default)]
pub struct RemoteSweeps {
    /// Makes the sweeps from the next step on; without it the processor does.
    pub sweeper: Option<Box<dyn Sweeper>>,
    /// Why the processor made the last sweeps although there is a sweeper.
    pub why: Option<SweepRefusal>,
    /// Number of sub-steps that the sweeper has swept.
    pub swept: u64,
    /// The device that the sweeper came from, or that refused to give one.
    source: Option<Arc<dyn SweeperSource>>,
}

impl Clone for RemoteSweeps {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl RemoteSweeps {
    /// Whether the last sweeps were made by the sweeper.
    pub fn is_swept(&self) -> bool {
        self.sweeper.is_some() && self.why.is_none()
    }
}

/// Gets the sweeper from `source`, the device, if there is one. Returns true if there is a sweeper and it does not
/// refuse the settings: the step must then write its rows for the device. A step that is `traced`, or that would take
/// the device `too_long`, is made by the processor.
pub(crate) fn acquire(
    settings: &Settings,
    remote: &mut RemoteSweeps,
    source: Option<Arc<dyn SweeperSource>>,
    (traced, too_long): (bool, bool),
) -> bool {
    find_sweeper(settings, remote, source);
    let Some(sweeper) = &remote.sweeper else { return false };
    let refusal = match (traced, too_long) {
        (true, _) => Some(DeviceRefusal::Traced),
        (false, true) => Some(DeviceRefusal::Work),
        (false, false) => None,
    };
    remote.why =
        refusal.or_else(|| sweeper.refusal(settings).map(DeviceRefusal::Device)).map(SweepRefusal::Unsupported);
    remote.why.is_none()
}

/// Gets a sweeper from its source, once, if the settings ask for the device; drops it if they no longer do.
fn find_sweeper(settings: &Settings, remote: &mut RemoteSweeps, source: Option<Arc<dyn SweeperSource>>) {
    let source = source.filter(|_| settings.solver.device == Processor::Gpu);
    let known = match (&remote.source, &source) {
        (Some(known), Some(source)) => Arc::ptr_eq(known, source),
        (None, None) => true,
        _ => false,
    };
    if known {
        return;
    }
    // The device is opened only when there is something to sweep.
    if source.as_ref().is_some_and(|source| source.rows_refusal(settings).is_some()) {
        return;
    }
    remote.why = None;
    remote.sweeper = source.as_ref().and_then(|source| match source.sweeper() {
        Ok(sweeper) => Some(sweeper),
        Err(why) => {
            remote.why = Some(SweepRefusal::Failed(why));
            None
        }
    });
    remote.source = source;
}

/// Lets the sweeper make the sweeps of a sub-step of `h` seconds. Returns the first sweep that the processor still
/// has to make; none if all are made.
pub(crate) fn sweep(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    remote: &mut RemoteSweeps,
    (gyroscopic, curvature): (&mut [GyroscopicTerm], &mut shake::Scratch),
    Pass { h, relaxation, pseudo, deferred, .. }: Pass,
) -> Option<u32> {
    if !remote.is_swept() {
        return Some(0);
    }
    let unsupported = if pseudo && !system.drive_blocks.is_empty() {
        Some(DeviceRefusal::MotorTargets)
    } else if deferred {
        Some(DeviceRefusal::DeferredWarmStart)
    } else {
        None
    };
    if let Some(unsupported) = unsupported {
        remote.why = Some(SweepRefusal::Unsupported(unsupported));
        return Some(0);
    }
    let mut sweep = 0;
    while !report.work.is_cancelled() && shake::needs_sweep(settings, state, system, curvature, sweep, h) {
        if shake::is_due(settings, system, curvature, sweep, false, false) {
            shake::refresh_curvature_bias(settings, state, system, gyroscopic, curvature, h, None);
        }
        let count = shake::sweeps_until_check(settings, system, curvature, sweep);
        let (velocities, pseudo_velocities) = (&mut *state.velocities, &mut *report.pseudo_velocities);
        let Some(sweeper) = &mut remote.sweeper else { return Some(sweep) };
        let sweeps = sweep..sweep + count;
        let mut task = Task { system, velocities, pseudo_velocities, settings, relaxation, sweeps };
        if let Err(why) = sweeper.sweep(&mut task) {
            if let SweepRefusal::Failed(_) = why {
                remote.sweeper = None;
            }
            remote.why = Some(why);
            return Some(sweep);
        }
        report.sweeps += count;
        sweep += count;
    }
    remote.swept += 1;
    None
}
