//! A world that a device steps (`device.rs`). Its lists of bodies, velocities and joints are out of date until they are
//! settled, as those of trees in the forest are (`resident.rs`).
//!
//! ```text
//! step      puts the world on the device if its lists were changed, hands on the settings, steps   does not wait
//! known     reads the state back, once a step if anybody asks                                      waits
//! settle    writes the state that was read into the lists (`settle.rs`)
//! readback  the state as it was asked for last (`readback.rs`)                                     does not wait
//! ```
//! A device may fail at any time. What was not read back is then lost. So the state is read every [`KEEP`] steps at
//! least, and before the settings change. After a failure the processor makes the lost steps again, from the last state
//! that was seen and with the same settings. A copy of a world holds the state that was seen; its first step puts it on
//! the device again.

mod readback;
mod settle;

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::batches;
use super::device::{DeviceError, DeviceRefusal, DeviceWorld, JointLoad, Readback, StepDevice};
use super::fault::{self, FaultWatch};
use super::forest;
use super::rattle;
use super::row::SLOTS;
use super::settings::{Processor, Settings};
use super::world::World;
pub use settle::{joint, settle};

/// A state is read back at least this often, steps: as many are made again when the device fails.
pub const KEEP: u64 = 240;

/// A state that is known.
#[derive(Clone)]
struct KnownState {
    step: u64,
    time: f64,
    /// None where the world's lists are it.
    image: Option<Arc<dyn Readback>>,
}

/// What a device's judgement of a world depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
struct DeviceKey {
    topology: u64,
    bodies: usize,
    joints: usize,
    settings: Settings,
    held: bool,
}

impl DeviceKey {
    fn of(world: &World) -> Self {
        Self {
            topology: world.topology,
            bodies: world.bodies.len(),
            joints: world.joints.len(),
            settings: world.settings,
            held: world.mouse_joint.is_some(),
        }
    }

    /// Whether what is held on the device has these bodies and joints.
    fn same_world(&self, other: &Self) -> bool {
        (self.topology, self.bodies, self.joints) == (other.topology, other.bodies, other.joints)
    }
}

/// A world's place on a device.
#[derive(Default)]
pub struct OnDevice {
    device: Option<Arc<dyn StepDevice>>,
    held: Option<Box<dyn DeviceWorld>>,
    /// Whether the world's lists are behind.
    ahead: bool,
    /// The last state that was known before the last step.
    kept: Option<KnownState>,
    /// That after the last step, once somebody has asked.
    now: OnceLock<KnownState>,
    /// Why that could not be read.
    lost: OnceLock<DeviceError>,
    /// What was asked of the device last, and why it refused.
    answer: Option<(DeviceKey, Option<DeviceRefusal>)>,
    /// The step that the device has made last, and when it ended, s.
    at: (u64, f64),
    /// How many stopped bodies are counted.
    counted: usize,
    /// Length of the sub-step after which the joints are to be read, s.
    read: Option<f32>,
}

impl Clone for OnDevice {
    fn clone(&self) -> Self {
        let answer = self.answer.clone();
        if !self.ahead {
            return Self { answer, ..Self::default() };
        }
        let now = self.known().cloned().map(OnceLock::from).unwrap_or_default();
        Self { ahead: true, now, answer, at: self.at, counted: self.counted, read: self.read, ..Self::default() }
    }
}

impl OnDevice {
    /// Whether bodies and joints are behind.
    pub fn is_ahead(&self) -> bool {
        self.ahead
    }

    /// Why the processor makes the steps although the settings ask for the device.
    pub fn why(&self) -> Option<&DeviceRefusal> {
        self.answer.as_ref()?.1.as_ref()
    }

    /// The world on the device, while it is ahead there.
    pub fn device_world(&self) -> Option<&dyn DeviceWorld> {
        self.held.as_deref().filter(|_| self.ahead)
    }

    /// The same, to be told something.
    fn device_world_mut(&mut self) -> Option<&mut (dyn DeviceWorld + 'static)> {
        self.held.as_deref_mut().filter(|_| self.ahead)
    }

    /// How it stands: read back if nobody has since the last step, or the last state that was known if that fails.
    fn known(&self) -> Option<&KnownState> {
        if !self.ahead {
            return None;
        }
        if let Some(seen) = self.now.get() {
            return Some(seen);
        }
        let (kept, held) = (self.kept.as_ref()?, self.held.as_ref()?);
        Some(self.now.get_or_init(|| match held.read_back() {
            Ok(image) => KnownState { step: self.at.0, time: self.at.1, image: Some(image) },
            Err(why) => {
                self.lost.get_or_init(|| why);
                kept.clone()
            }
        }))
    }

    /// The state, where the lists are behind.
    pub fn image(&self) -> Option<&dyn Readback> {
        self.known()?.image.as_deref()
    }

    /// About how many bytes a copy of it takes beside the lists.
    pub fn bytes(&self) -> usize {
        self.held.as_ref().map(|held| held.bytes()).or_else(|| self.image().map(Readback::bytes)).unwrap_or(0)
    }

    /// What a joint bears that is behind.
    pub fn load(&self, joint: usize) -> Option<JointLoad> {
        self.image()?.load(joint)
    }
}

/// Makes a step on the world's device, if it has one and the settings ask for it; whether it did.
pub fn step(world: &mut World) -> bool {
    let wanted = world.settings.solver.device == Processor::Gpu && !world.whole && world.trace.is_none();
    if !wanted {
        return_to_processor(world);
        world.on_device.answer = None;
        return false;
    }
    let start = Instant::now();
    match refused(world) {
        Some(why) => {
            return_to_processor(world);
            world.on_device.answer = Some((DeviceKey::of(world), Some(why)));
            false
        }
        None => match attempt(world) {
            Ok(()) => {
                finish(world, start);
                true
            }
            Err(why) => {
                return_to_processor(world);
                world.on_device.answer = Some((DeviceKey::of(world), Some(why)));
                false
            }
        },
    }
}

/// Why the device does not step this world; asked again where something has changed on which that depends.
fn refused(world: &mut World) -> Option<DeviceRefusal> {
    let Some(device) = world.device.clone() else {
        return Some(DeviceRefusal::NoDevice);
    };
    let asked = DeviceKey::of(world);
    let known = world.on_device.device.as_ref().is_some_and(|known| Arc::ptr_eq(known, &device));
    if let Some((last, why)) = world.on_device.answer.as_ref().filter(|_| known) {
        if *last == asked {
            return why.clone();
        }
        let suits = world.on_device.held.as_ref().is_some_and(|held| held.suits(&asked.settings));
        // Steps must be made again by the settings by which they were made.
        if !last.same_world(&asked) || !suits || !read_back(&world.on_device) {
            return_to_processor(world);
        }
    } else {
        return_to_processor(world);
    }
    let why = device.refusal(world).map(DeviceRefusal::Device);
    world.on_device.answer = Some((asked, why.clone()));
    world.on_device.device = Some(device);
    why
}

/// Reads how the world stands, so that no step before is to be made again; false if that failed.
fn read_back(away: &OnDevice) -> bool {
    away.known();
    away.lost.get().is_none()
}

/// Makes the step, if the device can.
fn attempt(world: &mut World) -> Result<(), DeviceRefusal> {
    forest::settle(world);
    let Some(device) = world.on_device.device.clone() else { return Err(DeviceRefusal::NoDevice) };
    let away = &mut world.on_device;
    if away.held.is_some() && away.ahead {
        let late = away.kept.as_ref().is_none_or(|kept| away.at.0 >= kept.step + KEEP);
        if late && !read_back(away) {
            return Err(away.lost.get().cloned().map_or(DeviceRefusal::NoDevice, DeviceRefusal::Device));
        }
        if let Some(seen) = away.now.take() {
            away.kept = Some(seen.clone());
            count_stopped(world, &seen);
        }
    } else {
        let lists = KnownState { step: world.step_count, time: world.time, image: None };
        let held = match away.held.take() {
            Some(mut held) => {
                held.upload(world).map_err(DeviceRefusal::Device)?;
                held
            }
            None => device.take_over(world).map_err(DeviceRefusal::Device)?,
        };
        let away = &mut world.on_device;
        away.at = (lists.step, lists.time);
        // What a copy has seen is how the world stands; else it is in the lists.
        away.kept = Some(away.now.take().unwrap_or(lists));
        (away.held, away.lost, away.counted) = (Some(held), OnceLock::new(), 0);
    }
    let settings = world.settings;
    match &mut world.on_device.held {
        Some(held) => held.step(&settings).map_err(DeviceRefusal::Device),
        None => Err(DeviceRefusal::NoDevice),
    }
}

/// What the processor's step would have left beside bodies and joints.
fn finish(world: &mut World, start: Instant) {
    let (h, rate) = (world.settings.h(), world.settings.step.rate);
    batches::forget_rows(world);
    rattle::forget(&mut world.rattle);
    world.rattle.runs = false;
    world.row_count = world.on_device.held.as_ref().map_or(0, |held| held.rows());
    world.sweeps = world.settings.sweeps() * world.settings.step.substeps;
    world.time += 1.0 / f64::from(rate);
    world.step_count += 1;
    world.on_device.ahead = true;
    world.on_device.at = (world.step_count, world.time);
    world.on_device.read = world.reads().then_some(h);
    world.phases.solve = start.elapsed();
    if !world.resident {
        settle(world);
    }
}

/// Books what has gone wrong on the device.
fn count_stopped(world: &mut World, seen: &KnownState) {
    let Some(image) = &seen.image else { return };
    let (stopped, first) = image.stopped();
    let more = stopped.saturating_sub(world.on_device.counted);
    world.on_device.counted = world.on_device.counted.max(stopped);
    if more > 0 {
        fault::keep(world, FaultWatch { first, stopped: more });
    }
}

/// Has the processor make the steps from now on.
fn return_to_processor(world: &mut World) {
    settle(world);
    (world.on_device.held, world.on_device.device, world.on_device.kept) = (None, None, None);
}

impl World {
    /// Why the processor makes the steps, and their sweeps, although `solver.device` asks for the graphics device, if
    /// that is so.
    pub fn device_refusal(&self) -> Option<&DeviceRefusal> {
        self.on_device.why().filter(|_| !self.remote_sweeps.is_swept())
    }

    /// The same, if that was found for the world as it stands now.
    pub fn device_refusal_now(&self) -> Option<&DeviceRefusal> {
        let (asked, why) = self.on_device.answer.as_ref()?;
        why.as_ref().filter(|_| !self.remote_sweeps.is_swept() && *asked == DeviceKey::of(self))
    }

    /// The world on its device, while that steps it: for whoever draws out of the device's buffers.
    pub fn device_world(&self) -> Option<&dyn DeviceWorld> {
        self.on_device.device_world()
    }

    /// Waits for the steps that a device is still to make. What is wrong there the next step says.
    pub fn wait(&self) {
        let _ = self.on_device.device_world().map(DeviceWorld::wait);
    }

    /// The impulses of a joint as it stands, by the slots of its rows, N s and N m s.
    ///
    /// # Panics
    /// If the joint's index is out of range.
    pub fn impulses_now(&self, joint: usize) -> [f32; SLOTS] {
        self.on_device.load(joint).map_or(self.joints[joint].impulses, |load| load.impulses)
    }
}
