//! Devices that step worlds in the processor's place, as far as they can: what one has to offer. Whoever owns such a
//! device hands it to a world ([`World::device`]); how the world stands meanwhile is in `on_device/`.
//!
//! ```text
//! Device        can it step this world? take it over
//! DeviceWorld   a world on the device: step, step, … ; nothing is waited for
//! Readback      how it stands after a step, read back: what a step changes of bodies and joints
//! ```
//! A device makes the processor's steps to within rounding. What it cannot do it refuses; what fails in mid-run is an
//! error. In both cases the processor goes on, and the reason is kept as a [`DeviceRefusal`]: whoever shows it has the words.

use std::any::Any;
use std::error::Error;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec3A};

use super::body::Velocity;
use super::fault::FaultKind;
use super::row::{Group, Row, RowId, SLOTS};
use super::settings::Settings;
use super::solvers::remote_sweeps::Sweeper;
use super::world::World;

/// What a device says of itself: why it refuses something, or what has failed. Whoever owns the device has the words.
pub type DeviceError = Arc<dyn Error + Send + Sync>;

/// Why the processor makes the steps, or their sweeps, although a device is asked for.
#[derive(Debug, Clone)]
pub enum DeviceRefusal {
    /// No device was handed in.
    NoDevice,
    /// Somebody looks into the step: see `trace.rs`.
    Traced,
    /// Drives that keep to a course are corrected with their joints, behind the sweeps.
    CourseDrives,
    /// Old impulses are applied behind the first sweep.
    LateImpulses,
    /// The device's own reason.
    Device(DeviceError),
}

/// A device on which worlds can be stepped.
pub trait StepDevice: Send + Sync {
    /// Why it cannot step this world, whatever `solver.device` says. Bodies and joints need not be up to date.
    fn refusal(&self, world: &World) -> Option<DeviceError>;

    /// Takes over a world that it does not refuse, as [`World::state`] and [`World::impulses_now`] tell how it stands.
    ///
    /// # Errors
    /// What is wrong with the device.
    fn take_over(&self, world: &World) -> Result<Box<dyn DeviceWorld>, DeviceError>;

    /// Why it cannot make the sweeps of this world's steps either.
    fn rows_refusal(&self, world: &World) -> Option<DeviceError>;

    /// Lends who makes the sweeps of a world's steps where the processor makes the rest.
    ///
    /// # Errors
    /// What is wrong with the device.
    fn sweeper(&self) -> Result<Box<dyn Sweeper>, DeviceError>;
}

/// A world on a device.
pub trait DeviceWorld: Send + Sync {
    /// Goes on from how this world stands, which has the bodies and joints of the one that was taken over.
    ///
    /// # Errors
    /// What is wrong with the device.
    fn upload(&mut self, world: &World) -> Result<(), DeviceError>;

    /// Whether it is laid out for these settings. If not it is taken over anew.
    fn suits(&self, settings: &Settings) -> bool;

    /// Makes a step by these settings, without waiting for it.
    ///
    /// # Errors
    /// What is wrong with the device.
    fn step(&mut self, settings: &Settings) -> Result<(), DeviceError>;

    /// Waits for all steps.
    ///
    /// # Errors
    /// What is wrong with the device.
    fn wait(&self) -> Result<(), DeviceError>;

    /// Waits for all steps and reads how the world stands.
    ///
    /// # Errors
    /// What is wrong with the device.
    fn read_back(&self) -> Result<Arc<dyn Readback>, DeviceError>;

    /// Waits until at most the last step is still to be made.
    fn keep_pace(&self);

    /// Keeps where the bodies are now, beside where they will be: for whoever draws what lies between.
    fn keep_poses(&mut self);

    /// Has the state as it stands read, without waiting, unless two such reads are under way already. `at` is the step
    /// after which it stands so, and when that ended, s.
    fn request_readback(&mut self, at: (u64, f64));

    /// The newest state that was asked for and has come since the last call; none from before the last `upload`.
    ///
    /// # Errors
    /// What is wrong with the device.
    fn poll_readback(&mut self) -> Result<Option<TimedReadback>, DeviceError>;

    /// Rows that a sub-step solves.
    fn rows(&self) -> usize;

    /// Bytes of an image.
    fn bytes(&self) -> usize;

    /// Itself, for whoever knows the device and draws out of its buffers.
    fn as_any(&self) -> &dyn Any;
}

/// A state that was asked for: the step after which it stood so, when that ended, s, and how.
pub type TimedReadback = ((u64, f64), Arc<dyn Readback>);

/// What the last sub-step has left of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointLoad {
    /// By the slots of its rows, N s and N m s: what the next step starts from.
    pub impulses: [f32; SLOTS],
    /// The impulse of its linear rows on B at B's anchor, N s, and of its angular ones, N m s, world frame.
    pub linear: Vec3,
    pub angular: Vec3,
    /// The largest velocity by which a row of it was still wrong, m/s or rad/s.
    pub residual: f32,
}

/// What a joint bore as rows along the world's axes, from which it is read: an impulse at B's anchor, N s, and the one
/// of a couple, N m s.
pub fn rows_of(joint: u32, linear: Vec3, angular: Vec3) -> ([Row; 6], [RowId; 6]) {
    let free = Row { lo: f32::NEG_INFINITY, hi: f32::INFINITY, ..Row::default() };
    let rows = std::array::from_fn(|slot| {
        let axis = Vec3A::from(Vec3::AXES[slot % 3]);
        if slot < 3 {
            Row { lin: axis, impulse: linear[slot], ..free }
        } else {
            Row { ang_a: -axis, ang_b: axis, impulse: angular[slot - 3], ..free }
        }
    });
    let ids = std::array::from_fn(|slot| {
        let group = if slot < 3 { Group::Anchor } else { Group::Axis };
        RowId::Joint { joint, slot: slot as u8, group }
    });
    (rows, ids)
}

/// How a world stands, read back from a device.
pub trait Readback: Send + Sync {
    /// Position, m, rotation, and velocity of a body.
    fn state(&self, body: u32) -> (Vec3, Quat, Velocity);

    /// What a joint bears; nothing of one that is not stepped.
    fn load(&self, joint: usize) -> Option<JointLoad>;

    /// The largest of the joints' residuals, m/s or rad/s.
    fn residual(&self) -> f32;

    /// How many bodies have been stopped since the world was put there, and the first of them: see `fault.rs`.
    fn stopped(&self) -> (usize, Option<(u32, FaultKind)>);

    /// Bytes that it takes.
    fn bytes(&self) -> usize;
}
