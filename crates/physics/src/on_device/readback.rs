//! The state of a world one or two steps ago, read from a device without waiting: drawing, read-outs and plots of a
//! running world use it.
//!
//! ```text
//! keep_poses         keeps the poses before a step on the device; drawing interpolates from them to those after it
//! request_readback   starts to read the state back
//! take_readback      takes the state once it has arrived, as a copy of the world
//! ```
//! If the device fails, the processor repeats the steps since the last state that was read.

use std::sync::OnceLock;

use super::{KnownState, count_stopped};
use crate::device::{DeviceError, DeviceRefusal, DeviceWorld};
use crate::world::World;

impl World {
    /// Keeps a copy of the bodies' present poses on the device, as long as steps are made there.
    pub fn keep_poses(&mut self) {
        if let Some(held) = self.pipeline.executor.on_device.device_world_mut() {
            held.keep_poses();
        }
    }

    /// Starts to read the present state from the device; see [`World::take_readback`].
    pub fn request_readback(&mut self) {
        let at = self.pipeline.executor.on_device.at;
        if let Some(held) = self.pipeline.executor.on_device.device_world_mut() {
            held.request_readback(at);
        }
    }

    /// Waits until the device has at most its last step unfinished.
    pub fn wait_for_previous(&self) {
        let _ = self.pipeline.executor.on_device.device_world().map(DeviceWorld::wait_for_previous);
    }

    /// Takes the newest state that has arrived since the last call: `copy` becomes this world as it was when the
    /// state was requested; all other data is shared. Returns false if none has arrived.
    pub fn take_readback(&mut self, copy: &mut Option<Box<Self>>) -> bool {
        let ((step, time), image) =
            match self.pipeline.executor.on_device.device_world_mut().map(DeviceWorld::poll_readback) {
                Some(Ok(Some(report))) => report,
                None | Some(Ok(None)) => return false,
                Some(Err(why)) => {
                    self.fail(why);
                    return false;
                }
            };
        let seen = KnownState { step, time, image: Some(image) };
        if self.pipeline.executor.on_device.kept.as_ref().is_none_or(|kept| kept.step < step) {
            self.pipeline.executor.on_device.kept = Some(seen.clone());
        }
        count_stopped(&mut self.pipeline.executor.on_device, (&mut self.state, &mut self.report), &seen);
        let fits = |copy: &&mut Box<Self>| {
            copy.state.topology == self.state.topology && copy.state.bodies.len() == self.state.bodies.len()
        };
        let copy = match copy.as_mut().filter(fits) {
            Some(known) => known,
            None => {
                self.share();
                // The copy gets the state read last, so that cloning does not wait for the device.
                let now = std::mem::replace(&mut self.pipeline.executor.on_device.now, OnceLock::from(seen.clone()));
                let made = Box::new(self.clone());
                self.pipeline.executor.on_device.now = now;
                copy.insert(made)
            }
        };
        copy.pipeline.executor.on_device.now = OnceLock::from(seen);
        (copy.pipeline.executor.on_device.at, copy.state.step_count, copy.state.time) = ((step, time), step, time);
        (copy.settings, copy.report.fault, copy.report.stopped) =
            (self.settings, self.report.fault, self.report.stopped);
        (copy.report.row_count, copy.report.sweeps) = (self.report.row_count, self.report.sweeps);
        true
    }

    /// Continues without the failed device, from the last known state.
    fn fail(&mut self, why: DeviceError) {
        self.sync_from_device();
        self.pipeline.executor.on_device.held = None;
        if let Some((_, known)) = &mut self.pipeline.executor.on_device.answer {
            *known = Some(DeviceRefusal::Device(why));
        }
    }
}
