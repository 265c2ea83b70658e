//! What makes a step: who steps which bodies, the buffers of the stages, and what watches them.

use std::sync::Arc;

use crate::articulations::Articulations;
use crate::batches::{self, Batches};
use crate::copy::{copied_by_fields, default_and_copied_by_fields};
use crate::device::StepDevice;
use crate::on_device::OnDevice;
use crate::settings::Settings;
use crate::solvers::remote_sweeps::RemoteSweeps;
use crate::solvers::step::Scratches;
use crate::trace::Probe;
use crate::world::buffers::Buffers;

/// What a step needs besides the world's state: the executor, buffers, and the record of the step.
pub struct Pipeline {
    pub executor: Executor,
    pub(crate) buffers: Buffers,
    /// The buffers of the solvers.
    pub(crate) solvers: Scratches,
    /// The record of the present step, where one was asked for.
    pub(crate) probe: Probe,
}

default_and_copied_by_fields!(Pipeline { executor, buffers, solvers, probe });

/// Who steps which bodies: all together, in batches, mechanism by mechanism in SIMD lanes, or by a device.
pub struct Executor {
    /// Makes each step with all bodies together and not in batches, so that [`World::system`](super::World::system)
    /// holds its rows afterwards.
    pub keep_rows: bool,
    /// Reads the joints after each step. If false, only what the next step needs is read; forces, errors and residuals
    /// keep their old values.
    pub readouts: bool,
    /// Leaves the state of the mechanisms stepped in the [articulations](crate::articulations) or on a
    /// [device](crate::device) there after a step. Their entries in `bodies`, `velocities` and `joints` are then those
    /// of the last [`World::sync`](super::World::sync), which must be called before these lists are read or changed.
    /// [`World::state`](super::World::state), [`World::hash`](super::World::hash) and
    /// [`World::metrics`](super::World::metrics) are always up to date.
    pub resident: bool,
    /// Number of moving bodies in a batch: see [`crate::batches`].
    pub batch_size: usize,
    pub(crate) batches: Batches,
    pub(crate) articulations: Articulations,
    pub(crate) on_device: OnDevice,
    /// The device that makes the steps, where `solver.device` asks for it and it does not refuse: see
    /// [`crate::device`].
    pub device: Option<Arc<dyn StepDevice>>,
    /// The device that makes the sweeps instead of the processor, if there is one.
    pub remote_sweeps: RemoteSweeps,
}

copied_by_fields!(Executor {
    keep_rows,
    readouts,
    resident,
    batch_size,
    batches,
    articulations,
    on_device,
    device,
    remote_sweeps
});

impl Default for Executor {
    fn default() -> Self {
        Self {
            keep_rows: false,
            readouts: true,
            resident: false,
            batch_size: batches::SIZE,
            batches: Batches::default(),
            articulations: Articulations::default(),
            on_device: OnDevice::default(),
            device: None,
            remote_sweeps: RemoteSweeps::default(),
        }
    }
}

impl Executor {
    /// Whether joints are read after the step: on request, or because geometric stiffness needs their forces.
    pub(crate) fn reads(&self, settings: &Settings) -> bool {
        self.readouts || settings.stabilization.geometric_stiffness
    }
}
