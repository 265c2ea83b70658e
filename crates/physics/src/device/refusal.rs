//! Why a device does not make a step, or its sweeps.

use std::error::Error;
use std::sync::Arc;

/// A device's own message: why it refuses something, or what has failed. The owner of the device words it.
pub type DeviceError = Arc<dyn Error + Send + Sync>;

/// Why the processor makes the steps, or their sweeps, although a device is asked for.
#[derive(Debug, Clone)]
pub enum DeviceRefusal {
    /// No device was handed in.
    NoDevice,
    /// The step is being traced: see `trace.rs`.
    Traced,
    /// Drives that keep to a target have to be corrected with their joints after the sweeps.
    MotorTargets,
    /// Old impulses are applied after the first sweep.
    DeferredWarmStart,
    /// Its sweeps would take the device too long: see `work.rs`.
    Work,
    /// The device's own reason.
    Device(DeviceError),
}
