//! Devices that step worlds instead of the processor, as far as they can: their interface. The owner of a device hands
//! it to a world ([`Executor::device`](crate::world::Executor::device)). How the state of such a world is kept is in
//! `on_device/`.
//!
//! ```text
//! Device        can it step this world? take it over
//! DeviceWorld   a world on the device: steps are queued without waiting for them
//! Readback      its state after a step, read back: what a step changes of bodies and joints
//! ```
//! A device makes the processor's steps to within rounding. It refuses what it cannot do; what fails during a run is
//! an error. In both cases the processor continues, and the reason is kept as a [`DeviceRefusal`]. Its words are in
//! `scene/words/device.rs`.

pub mod refusal;

use std::any::Any;
use std::sync::Arc;

use glam::{Quat, Vec3};

pub use self::refusal::{DeviceError, DeviceRefusal};
use super::body::Velocity;
use super::fault::FaultKind;
pub use super::readout::rows_of;
use super::row::SLOTS;
use super::settings::Settings;
use super::solvers::remote_sweeps::SweeperSource;
use super::world::World;

/// A device on which worlds can be stepped.
pub trait StepDevice: SweeperSource {
    /// Why it cannot step this world, whatever `solver.device` says; `None` if it can. The world's lists of bodies and
    /// joints may be out of date.
    fn refusal(&self, world: &World) -> Option<DeviceError>;

    /// Takes over a world that it does not refuse, in the state that [`World::state`] and [`World::impulses_now`]
    /// give.
    ///
    /// # Errors
    /// A failure of the device.
    fn take_over(&self, world: &World) -> Result<Box<dyn DeviceWorld>, DeviceError>;
}

/// A world on a device.
pub trait DeviceWorld: Send + Sync {
    /// Uploads the state of `world`, which has the same bodies and joints as the world that was taken over.
    ///
    /// # Errors
    /// A failure of the device.
    fn upload(&mut self, world: &World) -> Result<(), DeviceError>;

    /// Whether it is laid out for these settings. If not, the world has to be taken over anew.
    fn suits(&self, settings: &Settings) -> bool;

    /// Queues a step with these settings, without waiting for it.
    ///
    /// # Errors
    /// A failure of the device.
    fn step(&mut self, settings: &Settings) -> Result<(), DeviceError>;

    /// Waits until all steps are done.
    ///
    /// # Errors
    /// A failure of the device.
    fn wait(&self) -> Result<(), DeviceError>;

    /// Waits until all steps are done, and reads the state back.
    ///
    /// # Errors
    /// A failure of the device.
    fn read_back(&self) -> Result<Arc<dyn Readback>, DeviceError>;

    /// Waits until at most one step is still to be made.
    fn wait_for_previous(&self);

    /// Keeps the present poses besides those of the next step, for drawing poses in between.
    fn keep_poses(&mut self);

    /// Requests a readback of the present state without waiting, unless two requests are under way. `at` is the step
    /// after which the state was reached and the simulated time at its end, s.
    fn request_readback(&mut self, at: (u64, f64));

    /// The newest requested state that has arrived since the last call; none from before the last `upload`.
    ///
    /// # Errors
    /// A failure of the device.
    fn poll_readback(&mut self) -> Result<Option<TimedReadback>, DeviceError>;

    /// The number of rows solved in a sub-step.
    fn rows(&self) -> usize;

    /// Size of a readback, bytes.
    fn bytes(&self) -> usize;

    /// For callers that know the concrete device, to draw from its buffers.
    fn as_any(&self) -> &dyn Any;
}

/// A requested state: the step after which it was reached with the simulated time at its end, s, and the state.
pub type TimedReadback = ((u64, f64), Arc<dyn Readback>);

/// Impulses of a joint in the last sub-step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointLoad {
    /// By the slots of its rows, N·s or N·m·s. The next step starts from them.
    pub impulses: [f32; SLOTS],
    /// Impulse of its linear rows on B at B's anchor, N·s, and of its angular rows, N·m·s, world frame.
    pub linear: Vec3,
    pub angular: Vec3,
    /// The largest residual of its rows, m/s or rad/s.
    pub residual: f32,
}

/// The state of a world, read back from a device.
pub trait Readback: Send + Sync {
    /// Centre of mass, m, orientation, and velocity of a body, world frame.
    fn state(&self, body: u32) -> (Vec3, Quat, Velocity);

    /// Impulses of a joint; `None` for a joint that is not stepped.
    fn load(&self, joint: usize) -> Option<JointLoad>;

    /// The largest of the joints' residuals, m/s or rad/s.
    fn residual(&self) -> f32;

    /// How many bodies have been stopped since the world was taken over, and the first of them: see `fault/`.
    fn stopped(&self) -> (usize, Option<(u32, FaultKind)>);

    /// The memory that it takes, bytes.
    fn bytes(&self) -> usize;
}
