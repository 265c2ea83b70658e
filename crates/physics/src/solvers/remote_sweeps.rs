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

use super::common::Pass;
use crate::body::Velocity;
use crate::device::{DeviceError, DeviceRefusal, StepDevice};
use crate::settings::{Processor, Settings};
use crate::shake;
use crate::system::System;
use crate::world::{Buffers, Report, State, World};

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
    Lacks(DeviceRefusal),
    /// The device has failed and must not be used again.
    Failed(DeviceError),
}

/// A device that makes sweeps.
pub trait Sweeper: Send + Sync {
    /// Why it cannot sweep this world, regardless of the rows; none if it can.
    fn refusal(&self, world: &World) -> Option<DeviceError>;

    /// Makes the sweeps `task.sweeps` of a sub-step.
    ///
    /// # Errors
    /// If it has made none of them; rows and velocities are then unchanged.
    fn sweep(&mut self, task: &mut Task<'_>) -> Result<(), SweepRefusal>;
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
    lent: Option<Arc<dyn StepDevice>>,
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

/// Gets the sweeper. Returns true if there is one and it does not refuse the world: its rows must then be listed.
pub fn begin(world: &mut World) -> bool {
    lend(world);
    let Some(sweeper) = &world.pipeline.executor.remote_sweeps.sweeper else { return false };
    let traced = world.pipeline.probe.is_some().then_some(DeviceRefusal::Traced);
    let too_long = || (!world.device_affords_rows()).then_some(DeviceRefusal::Work);
    let refused = || sweeper.refusal(world).map(DeviceRefusal::Device);
    let why = traced.or_else(too_long).or_else(refused).map(SweepRefusal::Lacks);
    world.pipeline.executor.remote_sweeps.why = why;
    world.pipeline.executor.remote_sweeps.why.is_none()
}

/// Gets a sweeper from the world's device, once, if the settings ask for the device; drops it if they no longer do.
fn lend(world: &mut World) {
    let device =
        world.pipeline.executor.device.as_ref().filter(|_| world.settings.solver.device == Processor::Gpu).cloned();
    let known = match (&world.pipeline.executor.remote_sweeps.lent, &device) {
        (Some(known), Some(device)) => Arc::ptr_eq(known, device),
        (None, None) => true,
        _ => false,
    };
    if known {
        return;
    }
    // The device is opened only when there is something to sweep.
    if device.as_ref().is_some_and(|device| device.rows_refusal(world).is_some()) {
        return;
    }
    world.pipeline.executor.remote_sweeps.why = None;
    world.pipeline.executor.remote_sweeps.sweeper = device.as_ref().and_then(|device| match device.sweeper() {
        Ok(sweeper) => Some(sweeper),
        Err(why) => {
            world.pipeline.executor.remote_sweeps.why = Some(SweepRefusal::Failed(why));
            None
        }
    });
    world.pipeline.executor.remote_sweeps.lent = device;
}

/// Lets the sweeper make the sweeps of a sub-step of `h` seconds. Returns the first sweep that the processor still
/// has to make; none if all are made.
pub(crate) fn sweep(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    remote: &mut RemoteSweeps,
    buffers: &mut Buffers,
    Pass { h, relaxation, pseudo, late }: Pass,
) -> Option<u32> {
    if !remote.is_swept() {
        return Some(0);
    }
    let lacks = if pseudo && !system.held.is_empty() {
        Some(DeviceRefusal::CourseDrives)
    } else if late {
        Some(DeviceRefusal::LateImpulses)
    } else {
        None
    };
    if let Some(lacks) = lacks {
        remote.why = Some(SweepRefusal::Lacks(lacks));
        return Some(0);
    }
    let mut sweep = 0;
    while !report.work.is_cancelled() && shake::goes_on(settings, state, system, buffers, sweep, h) {
        if shake::is_due(settings, system, buffers, sweep) {
            shake::bend_again(settings, state, system, buffers, h);
        }
        let many = shake::unwatched(settings, system, buffers, sweep);
        let (velocities, pseudo_velocities) = (&mut *state.velocities, &mut *report.pseudo_velocities);
        let Some(sweeper) = &mut remote.sweeper else { return Some(sweep) };
        let sweeps = sweep..sweep + many;
        let mut task = Task { system, velocities, pseudo_velocities, settings, relaxation, sweeps };
        if let Err(why) = sweeper.sweep(&mut task) {
            if let SweepRefusal::Failed(_) = why {
                remote.sweeper = None;
            }
            remote.why = Some(why);
            return Some(sweep);
        }
        report.sweeps += many;
        sweep += many;
    }
    remote.swept += 1;
    None
}
