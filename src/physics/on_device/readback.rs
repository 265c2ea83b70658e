//! The state of a world a step or two ago, read from a device without waiting for it: pictures, read-outs and plots of
//! a running world are made from that.
//!
//! ```text
//! keep_poses         keeps the poses before a step on the device; the picture lies between them and those after the step
//! request_readback   starts to read the state back
//! take_readback      takes it once it is here, as a copy of the world
//! ```
//! When the device fails, the processor makes the steps again from the last state that was read.

use std::sync::OnceLock;

use super::{KnownState, count_stopped, settle};
use crate::physics::device::{DeviceError, DeviceRefusal, DeviceWorld};
use crate::physics::world::World;

impl World {
    /// Keeps where a device has the bodies, as long as the next steps are made there.
    pub fn keep_poses(&mut self) {
        if let Some(held) = self.on_device.device_world_mut() {
            held.keep_poses();
        }
    }

    /// Has a device tell how the world stands now; see [`World::take_readback`].
    pub fn request_readback(&mut self) {
        let at = self.on_device.at;
        if let Some(held) = self.on_device.device_world_mut() {
            held.request_readback(at);
        }
    }

    /// Waits until a device has at most its last step still to make.
    pub fn keep_pace(&self) {
        let _ = self.on_device.device_world().map(DeviceWorld::keep_pace);
    }

    /// What a device has told since the last call: `copy` then stands as this world did when it was asked, and shares
    /// all else with it. False if nothing has come.
    pub fn take_readback(&mut self, copy: &mut Option<Box<Self>>) -> bool {
        let ((step, time), image) = match self.on_device.device_world_mut().map(DeviceWorld::poll_readback) {
            Some(Ok(Some(told))) => told,
            None | Some(Ok(None)) => return false,
            Some(Err(why)) => {
                self.fail(why);
                return false;
            }
        };
        let seen = KnownState { step, time, image: Some(image) };
        if self.on_device.kept.as_ref().is_none_or(|kept| kept.step < step) {
            self.on_device.kept = Some(seen.clone());
        }
        count_stopped(self, &seen);
        let fits = |copy: &&mut Box<Self>| copy.topology == self.topology && copy.bodies.len() == self.bodies.len();
        let copy = match copy.as_mut().filter(fits) {
            Some(known) => known,
            None => {
                self.share();
                // A copy has what was seen last: not what would have to be waited for.
                let now = std::mem::replace(&mut self.on_device.now, OnceLock::from(seen.clone()));
                let made = Box::new(self.clone());
                self.on_device.now = now;
                copy.insert(made)
            }
        };
        copy.on_device.now = OnceLock::from(seen);
        (copy.on_device.at, copy.step_count, copy.time) = ((step, time), step, time);
        (copy.settings, copy.fault, copy.stopped) = (self.settings, self.fault, self.stopped);
        (copy.row_count, copy.sweeps) = (self.row_count, self.sweeps);
        true
    }

    /// Goes on without a device that has failed, from the last state that is known.
    fn fail(&mut self, why: DeviceError) {
        settle(self);
        self.on_device.held = None;
        if let Some((_, known)) = &mut self.on_device.answer {
            *known = Some(DeviceRefusal::Device(why));
        }
    }
}
