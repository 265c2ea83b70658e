//! A world that is stepped by a device (`device/`). Its lists of bodies, velocities and joints are out of date
//! until they are synchronised, like those of trees in the articulations (`resident.rs`).
//!
//! ```text
//! step      uploads the world if its lists were changed, passes the settings, steps                does not wait
//! known     reads the state back on request, at most once per step                                 waits
//! sync      writes the state that was read into the lists (`sync.rs`)
//! readback  the state as of the last request (`readback.rs`)                                       does not wait
//! ```
//! A device may fail at any time, and the state that was not read back is then lost. So the state is read at least
//! every [`KEEP`] steps, and before the settings change. After a failure the processor repeats the lost steps, from
//! the last state that was read and with the same settings. A copy of a world holds the state that was read; its
//! first step uploads it to the device again.

mod readback;
mod sync;

use std::sync::{Arc, OnceLock};

use super::batches;
use super::device::{DeviceError, DeviceRefusal, DeviceWorld, JointLoad, Readback, StepDevice};
use super::fault::{FaultWatch, check};
use super::rattle;
use super::row::SLOTS;
use super::settings::{Processor, Settings};
use super::world::World;
use super::world::report::Report;
use super::world::state::State;

use crate::clock::Instant;
pub use sync::joint;

/// The state is read back at least every so many steps; at most as many are repeated if the device fails.
pub const KEEP: u64 = 240;

/// A state of the world that the processor has.
#[derive(Clone)]
struct KnownState {
    step: u64,
    time: f64,
    /// None if the world's own lists hold this state.
    image: Option<Arc<dyn Readback>>,
}

/// What a device's acceptance of a world depends on; `held`: there is a mouse joint.
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
            topology: world.state.topology,
            bodies: world.state.bodies.len(),
            joints: world.state.joints.len(),
            settings: world.settings,
            held: world.state.mouse_joint.is_some(),
        }
    }

    /// Whether both keys are for the same bodies and joints.
    fn same_world(&self, other: &Self) -> bool {
        (self.topology, self.bodies, self.joints) == (other.topology, other.bodies, other.joints)
    }
}

/// State of a world with respect to its device.
#[derive(Default)]
pub struct OnDevice {
    device: Option<Arc<dyn StepDevice>>,
    held: Option<Box<dyn DeviceWorld>>,
    /// Whether the world's lists are out of date.
    ahead: bool,
    /// The last state that was read before the last step.
    kept: Option<KnownState>,
    /// The state after the last step, once it was requested.
    now: OnceLock<KnownState>,
    /// Why that state could not be read.
    lost: OnceLock<DeviceError>,
    /// The last question to the device, and its refusal, if any.
    answer: Option<(DeviceKey, Option<DeviceRefusal>)>,
    /// The last step that the device made, and its end, world time, s.
    at: (u64, f64),
    /// Number of stopped bodies already counted in `World::stopped`.
    counted: usize,
    /// Length of the last sub-step, s, if the joints' read-outs are to be computed from it.
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
    /// Whether the world's lists are out of date.
    pub fn is_ahead(&self) -> bool {
        self.ahead
    }

    /// Why the processor makes the steps although the settings ask for the device.
    pub fn why(&self) -> Option<&DeviceRefusal> {
        self.answer.as_ref()?.1.as_ref()
    }

    /// The world on the device, while its state there is newer than the lists.
    pub fn device_world(&self) -> Option<&dyn DeviceWorld> {
        self.held.as_deref().filter(|_| self.ahead)
    }

    /// The same, mutable.
    fn device_world_mut(&mut self) -> Option<&mut (dyn DeviceWorld + 'static)> {
        self.held.as_deref_mut().filter(|_| self.ahead)
    }

    /// The current state: read back unless that was done since the last step; if reading fails, the last known state.
    /// None if the lists are up to date.
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

    /// The state as read from the device, if the lists are out of date.
    pub fn image(&self) -> Option<&dyn Readback> {
        self.known()?.image.as_deref()
    }

    /// About how many bytes a copy of it takes, not counting the lists.
    pub fn bytes(&self) -> usize {
        self.held.as_ref().map(|held| held.bytes()).or_else(|| self.image().map(Readback::bytes)).unwrap_or(0)
    }

    /// Impulses and residual of a joint that is out of date in the lists.
    pub fn load(&self, joint: usize) -> Option<JointLoad> {
        self.image()?.load(joint)
    }
}

/// Reads the current state, so that no earlier step has to be repeated; returns false if that failed.
fn read_back(away: &OnDevice) -> bool {
    away.known();
    away.lost.get().is_none()
}

/// Counts bodies that the device has newly stopped, and records the first fault.
fn count_stopped(away: &mut OnDevice, (state, report): (&mut State, &mut Report), seen: &KnownState) {
    let Some(image) = &seen.image else { return };
    let (stopped, first) = image.stopped();
    let more = stopped.saturating_sub(away.counted);
    away.counted = away.counted.max(stopped);
    if more > 0 {
        check::keep(state, report, FaultWatch { first, stopped: more });
    }
}

impl World {
    /// Makes a step on the world's device, if it has one and the settings ask for it. Returns whether it did.
    pub(crate) fn step_on_device(&mut self) -> bool {
        let wanted = self.settings.solver.device == Processor::Gpu
            && !self.pipeline.executor.keep_rows
            && self.pipeline.probe.is_none();
        if !wanted {
            self.return_to_processor();
            self.pipeline.executor.on_device.answer = None;
            return false;
        }
        let start = Instant::now();
        match self.ask_device() {
            Some(why) => {
                self.return_to_processor();
                self.pipeline.executor.on_device.answer = Some((DeviceKey::of(self), Some(why)));
                false
            }
            None => match self.try_step_on_device() {
                Ok(()) => {
                    self.finish_step_on_device(start);
                    true
                }
                Err(why) => {
                    self.return_to_processor();
                    self.pipeline.executor.on_device.answer = Some((DeviceKey::of(self), Some(why)));
                    false
                }
            },
        }
    }

    /// Why the device does not step this world, if so. The device is asked again only if something relevant has changed.
    fn ask_device(&mut self) -> Option<DeviceRefusal> {
        let Some(device) = self.pipeline.executor.device.clone() else {
            return Some(DeviceRefusal::NoDevice);
        };
        let key = DeviceKey::of(self);
        let known = self.pipeline.executor.on_device.device.as_ref().is_some_and(|known| Arc::ptr_eq(known, &device));
        if let Some((last, why)) = self.pipeline.executor.on_device.answer.as_ref().filter(|_| known) {
            if *last == key {
                return why.clone();
            }
            let suits = self.pipeline.executor.on_device.held.as_ref().is_some_and(|held| held.suits(&key.settings));
            // Lost steps must be repeated with the settings with which they were made.
            if !last.same_world(&key) || !suits || !read_back(&self.pipeline.executor.on_device) {
                self.return_to_processor();
            }
        } else {
            self.return_to_processor();
        }
        let too_long = (!self.device_affords_rows()).then_some(DeviceRefusal::Work);
        let why = too_long.or_else(|| device.refusal(self).map(DeviceRefusal::Device));
        self.pipeline.executor.on_device.answer = Some((key, why.clone()));
        self.pipeline.executor.on_device.device = Some(device);
        why
    }

    /// Makes the step on the device, if it can.
    fn try_step_on_device(&mut self) -> Result<(), DeviceRefusal> {
        self.pipeline.executor.articulations.sync(&self.settings, &mut self.state);
        let Some(device) = self.pipeline.executor.on_device.device.clone() else { return Err(DeviceRefusal::NoDevice) };
        let away = &mut self.pipeline.executor.on_device;
        if away.held.is_some() && away.ahead {
            let late = away.kept.as_ref().is_none_or(|kept| away.at.0 >= kept.step + KEEP);
            if late && !read_back(away) {
                return Err(away.lost.get().cloned().map_or(DeviceRefusal::NoDevice, DeviceRefusal::Device));
            }
            if let Some(seen) = away.now.take() {
                away.kept = Some(seen.clone());
                count_stopped(away, (&mut self.state, &mut self.report), &seen);
            }
        } else {
            let lists = KnownState { step: self.state.step_count, time: self.state.time, image: None };
            let held = match away.held.take() {
                Some(mut held) => {
                    held.upload(self).map_err(DeviceRefusal::Device)?;
                    held
                }
                None => device.take_over(self).map_err(DeviceRefusal::Device)?,
            };
            let away = &mut self.pipeline.executor.on_device;
            away.at = (lists.step, lists.time);
            // A copied world's state is the one that it holds; otherwise the lists are.
            away.kept = Some(away.now.take().unwrap_or(lists));
            (away.held, away.lost, away.counted) = (Some(held), OnceLock::new(), 0);
        }
        let settings = self.settings;
        match &mut self.pipeline.executor.on_device.held {
            Some(held) => held.step(&settings).map_err(DeviceRefusal::Device),
            None => Err(DeviceRefusal::NoDevice),
        }
    }

    /// Sets counters, time and read-out state as the processor's step would.
    fn finish_step_on_device(&mut self, start: Instant) {
        let (h, rate) = (self.settings.h(), self.settings.step.rate);
        let World { settings, state, system, report, pipeline, .. } = &mut *self;
        batches::forget_rows(settings, state, system, report, &mut pipeline.buffers);
        rattle::forget_midpoint(&mut self.state.rattle);
        self.state.rattle.runs = false;
        self.report.row_count = self.pipeline.executor.on_device.held.as_ref().map_or(0, |held| held.rows());
        self.report.sweeps = self.settings.sweeps() * self.settings.step.substeps;
        self.state.time += 1.0 / f64::from(rate);
        self.state.step_count += 1;
        self.pipeline.executor.on_device.ahead = true;
        self.pipeline.executor.on_device.at = (self.state.step_count, self.state.time);
        self.pipeline.executor.on_device.read = self.pipeline.executor.reads(&self.settings).then_some(h);
        self.report.phases.solve = start.elapsed();
        if !self.pipeline.executor.resident {
            self.sync_from_device();
        }
    }

    /// Lets the processor make the steps from now on.
    fn return_to_processor(&mut self) {
        self.sync_from_device();
        (
            self.pipeline.executor.on_device.held,
            self.pipeline.executor.on_device.device,
            self.pipeline.executor.on_device.kept,
        ) = (None, None, None);
    }

    /// Why the processor makes the steps and their sweeps although `solver.device` asks for the graphics device; none
    /// otherwise.
    pub fn device_refusal(&self) -> Option<&DeviceRefusal> {
        self.pipeline.executor.on_device.why().filter(|_| !self.pipeline.executor.remote_sweeps.is_swept())
    }

    /// The same, if it was determined for the present settings and topology.
    pub fn device_refusal_now(&self) -> Option<&DeviceRefusal> {
        let (key, why) = self.pipeline.executor.on_device.answer.as_ref()?;
        why.as_ref().filter(|_| !self.pipeline.executor.remote_sweeps.is_swept() && *key == DeviceKey::of(self))
    }

    /// The world on its device, while it is stepped there; used to draw from the device's buffers.
    pub fn device_world(&self) -> Option<&dyn DeviceWorld> {
        self.pipeline.executor.on_device.device_world()
    }

    /// Waits for the steps that the device has not finished. An error shows in the next step.
    pub fn wait(&self) {
        let _ = self.pipeline.executor.on_device.device_world().map(DeviceWorld::wait);
    }

    /// The current impulses of a joint, by the slots of its rows, N·s and N·m·s.
    ///
    /// # Panics
    /// If the joint's index is out of range.
    pub fn impulses_now(&self, joint: usize) -> [f32; SLOTS] {
        self.pipeline.executor.on_device.load(joint).map_or(self.state.joints[joint].impulses, |load| load.impulses)
    }
}
