//! The state of a world a step or two ago, read from a device without waiting for it: pictures, read-outs and plots of
//! a running world are made from that.
//!
//! ```text
//! remember   keeps the poses before a step on the device; the picture lies between them and those after the step
//! ask        starts to read the state back
//! hear       takes it once it is here, as a copy of the world
//! ```
//! When the device fails, the processor makes the steps again from the last state that was heard.

use std::sync::{Arc, OnceLock};

use super::{Seen, book, settle};
use crate::physics::device::DeviceWorld;
use crate::physics::world::World;

impl World {
    /// Keeps where a device has the bodies, as long as the next steps are made there.
    pub fn remember(&mut self) {
        if let Some(held) = self.away.leading() {
            held.remember();
        }
    }

    /// Has a device tell how the world stands now; see [`World::hear`].
    pub fn ask(&mut self) {
        let at = self.away.at;
        if let Some(held) = self.away.leading() {
            held.ask(at);
        }
    }

    /// Waits until a device has at most its last step still to make.
    pub fn keep_pace(&self) {
        let _ = self.away.held().map(DeviceWorld::keep_pace);
    }

    /// What a device has told since the last call: `copy` then stands as this world did when it was asked, and shares
    /// all else with it. False if nothing has come.
    pub fn hear(&mut self, copy: &mut Option<Box<Self>>) -> bool {
        let ((step, time), image) = match self.away.leading().map(DeviceWorld::told) {
            Some(Ok(Some(told))) => told,
            None | Some(Ok(None)) => return false,
            Some(Err(why)) => {
                self.fail(why);
                return false;
            }
        };
        let seen = Seen { step, time, image: Some(image) };
        if self.away.kept.as_ref().is_none_or(|kept| kept.step < step) {
            self.away.kept = Some(seen.clone());
        }
        book(self, &seen);
        let fits = |copy: &&mut Box<Self>| copy.topology == self.topology && copy.bodies.len() == self.bodies.len();
        let copy = match copy.as_mut().filter(fits) {
            Some(known) => known,
            None => {
                self.share();
                // A copy has what was seen last: not what would have to be waited for.
                let now = std::mem::replace(&mut self.away.now, OnceLock::from(seen.clone()));
                let made = Box::new(self.clone());
                self.away.now = now;
                copy.insert(made)
            }
        };
        copy.away.now = OnceLock::from(seen);
        (copy.away.at, copy.step_count, copy.time) = ((step, time), step, time);
        (copy.settings, copy.fault, copy.stopped) = (self.settings, self.fault, self.stopped);
        (copy.row_count, copy.sweeps) = (self.row_count, self.sweeps);
        true
    }

    /// Goes on without a device that has failed, from the last state that is known.
    fn fail(&mut self, why: String) {
        let why: Arc<str> = why.into();
        settle(self);
        self.away.held = None;
        if let Some((_, known)) = &mut self.away.asked {
            *known = Some(why);
        }
    }
}
