//! A world that a device steps (`device.rs`). Its lists of bodies, velocities and joints are out of date until they are
//! settled, as those of trees in the forest are (`resident.rs`).
//!
//! ```text
//! step    puts the world on the device if its lists were changed, hands on the settings, steps      does not wait
//! seen    reads the state back, once a step if anybody asks                                         waits
//! settle  writes the state that was seen into the lists (`settle.rs`)
//! late    the state when it was asked for last (`late.rs`)                                          does not wait
//! ```
//! A device may fail at any time. What was not read back is then lost. So the state is read every [`KEEP`] steps at
//! least, and before the settings change. After a failure the processor makes the lost steps again, from the last state
//! that was seen and with the same settings. A copy of a world holds the state that was seen; its first step puts it on
//! the device again.

mod late;
mod settle;

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::batches;
use super::device::{Device, DeviceWorld, Image, Load};
use super::fault::{self, Watch};
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
struct Seen {
    step: u64,
    time: f64,
    /// None where the world's lists are it.
    image: Option<Arc<dyn Image>>,
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
pub struct Away {
    device: Option<Arc<dyn Device>>,
    held: Option<Box<dyn DeviceWorld>>,
    /// Whether the world's lists are behind.
    ahead: bool,
    /// The last state that was known before the last step.
    kept: Option<Seen>,
    /// That after the last step, once somebody has asked.
    now: OnceLock<Seen>,
    /// Why that could not be read.
    lost: OnceLock<String>,
    /// What was asked of the device last, and why it refused.
    asked: Option<(DeviceKey, Option<Arc<str>>)>,
    /// The step that the device has made last, and when it ended, s.
    at: (u64, f64),
    /// How many stopped bodies are booked.
    booked: usize,
    /// Length of the sub-step after which the joints are to be read, s.
    read: Option<f32>,
}

impl Clone for Away {
    fn clone(&self) -> Self {
        let asked = self.asked.clone();
        if !self.ahead {
            return Self { asked, ..Self::default() };
        }
        let now = self.seen().cloned().map(OnceLock::from).unwrap_or_default();
        Self { ahead: true, now, asked, at: self.at, booked: self.booked, read: self.read, ..Self::default() }
    }
}

impl Away {
    /// Whether bodies and joints are behind.
    pub fn is_ahead(&self) -> bool {
        self.ahead
    }

    /// Why the processor makes the steps although the settings ask for the device.
    pub fn why(&self) -> Option<&Arc<str>> {
        self.asked.as_ref()?.1.as_ref()
    }

    /// The world on the device, while it is ahead there.
    pub fn held(&self) -> Option<&dyn DeviceWorld> {
        self.held.as_deref().filter(|_| self.ahead)
    }

    /// The same, to be told something.
    fn leading(&mut self) -> Option<&mut (dyn DeviceWorld + 'static)> {
        self.held.as_deref_mut().filter(|_| self.ahead)
    }

    /// How it stands: read back if nobody has since the last step, or the last state that was known if that fails.
    fn seen(&self) -> Option<&Seen> {
        if !self.ahead {
            return None;
        }
        if let Some(seen) = self.now.get() {
            return Some(seen);
        }
        let (kept, held) = (self.kept.as_ref()?, self.held.as_ref()?);
        Some(self.now.get_or_init(|| match held.image() {
            Ok(image) => Seen { step: self.at.0, time: self.at.1, image: Some(image) },
            Err(why) => {
                self.lost.get_or_init(|| why);
                kept.clone()
            }
        }))
    }

    /// The state, where the lists are behind.
    pub fn image(&self) -> Option<&dyn Image> {
        self.seen()?.image.as_deref()
    }

    /// About how many bytes a copy of it takes beside the lists.
    pub fn bytes(&self) -> usize {
        self.held.as_ref().map(|held| held.bytes()).or_else(|| self.image().map(Image::bytes)).unwrap_or(0)
    }

    /// What a joint bears that is behind.
    pub fn load(&self, joint: usize) -> Option<Load> {
        self.image()?.load(joint)
    }
}

/// Makes a step on the world's device, if it has one and the settings ask for it; whether it did.
pub fn step(world: &mut World) -> bool {
    let wanted = world.settings.solver.device == Processor::Gpu && !world.whole && world.trace.is_none();
    if !wanted {
        leave(world);
        world.away.asked = None;
        return false;
    }
    let start = Instant::now();
    match refused(world) {
        Some(why) => {
            leave(world);
            world.away.asked = Some((DeviceKey::of(world), Some(why)));
            false
        }
        None => match attempt(world) {
            Ok(()) => {
                finish(world, start);
                true
            }
            Err(why) => {
                leave(world);
                world.away.asked = Some((DeviceKey::of(world), Some(why.into())));
                false
            }
        },
    }
}

/// Why the device does not step this world; asked again where something has changed on which that depends.
fn refused(world: &mut World) -> Option<Arc<str>> {
    let Some(device) = world.device.clone() else {
        return Some("no graphics device is at hand".into());
    };
    let asked = DeviceKey::of(world);
    let known = world.away.device.as_ref().is_some_and(|known| Arc::ptr_eq(known, &device));
    if let Some((last, why)) = world.away.asked.as_ref().filter(|_| known) {
        if *last == asked {
            return why.clone();
        }
        let suits = world.away.held.as_ref().is_some_and(|held| held.suits(&asked.settings));
        // Steps must be made again by the settings by which they were made.
        if !last.same_world(&asked) || !suits || !look(&world.away) {
            leave(world);
        }
    } else {
        leave(world);
    }
    let why = device.refusal(world).map(Arc::from);
    world.away.asked = Some((asked, why.clone()));
    world.away.device = Some(device);
    why
}

/// Reads how the world stands, so that no step before is to be made again; false if that failed.
fn look(away: &Away) -> bool {
    away.seen();
    away.lost.get().is_none()
}

/// Makes the step, if the device can.
fn attempt(world: &mut World) -> Result<(), String> {
    forest::settle(world);
    let Some(device) = world.away.device.clone() else { return Err(String::new()) };
    let away = &mut world.away;
    if away.held.is_some() && away.ahead {
        let late = away.kept.as_ref().is_none_or(|kept| away.at.0 >= kept.step + KEEP);
        if late && !look(away) {
            return Err(away.lost.get().cloned().unwrap_or_default());
        }
        if let Some(seen) = away.now.take() {
            away.kept = Some(seen.clone());
            book(world, &seen);
        }
    } else {
        let lists = Seen { step: world.step_count, time: world.time, image: None };
        let held = match away.held.take() {
            Some(mut held) => {
                held.put(world)?;
                held
            }
            None => device.take(world)?,
        };
        let away = &mut world.away;
        away.at = (lists.step, lists.time);
        // What a copy has seen is how the world stands; else it is in the lists.
        away.kept = Some(away.now.take().unwrap_or(lists));
        (away.held, away.lost, away.booked) = (Some(held), OnceLock::new(), 0);
    }
    let settings = world.settings;
    world.away.held.as_mut().map_or_else(|| Err(String::new()), |held| held.step(&settings))
}

/// What the processor's step would have left beside bodies and joints.
fn finish(world: &mut World, start: Instant) {
    let (h, rate) = (world.settings.h(), world.settings.step.rate);
    batches::forget_rows(world);
    rattle::forget(&mut world.rattle);
    world.rattle.runs = false;
    world.row_count = world.away.held.as_ref().map_or(0, |held| held.rows());
    world.sweeps = world.settings.solver.iterations * world.settings.step.substeps;
    world.time += 1.0 / f64::from(rate);
    world.step_count += 1;
    world.away.ahead = true;
    world.away.at = (world.step_count, world.time);
    world.away.read = world.reads().then_some(h);
    world.phases.solve = start.elapsed();
    if !world.resident {
        settle(world);
    }
}

/// Books what has gone wrong on the device.
fn book(world: &mut World, seen: &Seen) {
    let Some(image) = &seen.image else { return };
    let (stopped, first) = image.stopped();
    let more = stopped.saturating_sub(world.away.booked);
    world.away.booked = world.away.booked.max(stopped);
    if more > 0 {
        fault::keep(world, Watch { first, stopped: more });
    }
}

/// Has the processor make the steps from now on.
fn leave(world: &mut World) {
    settle(world);
    (world.away.held, world.away.device, world.away.kept) = (None, None, None);
}

impl World {
    /// Why the processor makes the steps, and their sweeps, although `solver.device` asks for the graphics device, if
    /// that is so: a sentence without its capital and its stop.
    pub fn declined(&self) -> Option<&Arc<str>> {
        self.away.why().filter(|_| !self.elsewhere.is_swept())
    }

    /// The same, if that was found for the world as it stands now.
    pub fn declined_now(&self) -> Option<&Arc<str>> {
        let (asked, why) = self.away.asked.as_ref()?;
        why.as_ref().filter(|_| !self.elsewhere.is_swept() && *asked == DeviceKey::of(self))
    }

    /// The world on its device, while that steps it: for whoever draws out of the device's buffers.
    pub fn held(&self) -> Option<&dyn DeviceWorld> {
        self.away.held()
    }

    /// Waits for the steps that a device is still to make. What is wrong there the next step says.
    pub fn wait(&self) {
        let _ = self.away.held().map(DeviceWorld::wait);
    }

    /// The impulses of a joint as it stands, by the slots of its rows, N s and N m s.
    ///
    /// # Panics
    /// If the joint's index is out of range.
    pub fn impulses_now(&self, joint: usize) -> [f32; SLOTS] {
        self.away.load(joint).map_or(self.joints[joint].impulses, |load| load.impulses)
    }
}
