//! Selects what makes the steps: the processor, or a device supplied by the application.

use delassus_scene::Words as _;
use std::cell::RefCell;
use std::sync::Arc;

use super::Session;
use delassus_physics::device::{DeviceRefusal, StepDevice};
use delassus_physics::settings::{Processor, Settings};

/// The state for which a refusal was determined: generation, settings, whether the mouse pulls.
type RefusalKey = (u64, Settings, bool);

/// The device, and the messages about it.
#[derive(Default)]
pub(super) struct SteppedBy {
    pub device: Option<Arc<dyn StepDevice>>,
    /// Why it cannot step the open scene, with the state for which this was determined.
    refusal: RefCell<Option<(RefusalKey, Option<Arc<str>>)>>,
    /// The reason of the last notice.
    last_notice: Option<String>,
}

impl Session {
    /// Sets the device used for `solver.device`, or removes it.
    pub fn use_device(&mut self, device: Option<Arc<dyn StepDevice>>) {
        self.stepped_by = SteppedBy { device: device.clone(), ..SteppedBy::default() };
        if let Some(open) = &mut self.open {
            open.run.use_device(device);
        }
    }

    /// The device set by [`Session::use_device`].
    pub fn device(&self) -> Option<&Arc<dyn StepDevice>> {
        self.stepped_by.device.as_ref()
    }

    /// Why the device cannot step the current scene, whatever `solver.device` says: a sentence without initial
    /// capital and final stop. Opens the device if it is not open yet.
    pub fn device_refusal(&self) -> Option<Arc<str>> {
        let world = self.open.as_ref()?.run.world();
        let Some(device) = &self.stepped_by.device else { return Some(DeviceRefusal::NoDevice.words().into()) };
        // A failure during the run does not show in the cached refusal.
        if let Some(why) = world.device_refusal_now() {
            return Some(why.words().into());
        }
        let key = (self.generation, self.settings, world.state.mouse_joint.is_some());
        let mut known = self.stepped_by.refusal.borrow_mut();
        match &*known {
            Some((last, why)) if *last == key => why.clone(),
            _ => {
                // If the device cannot make the steps, it may still do their sweeps.
                let refused = device.refusal(world).filter(|_| device.rows_refusal(&world.settings).is_some());
                let why = refused.map(|error| DeviceRefusal::Device(error).words().into());
                *known = Some((key, why.clone()));
                why
            }
        }
    }

    /// Why the processor makes the steps although the settings ask for the device: a sentence, returned once per
    /// reason.
    pub fn take_device_notice(&mut self) -> Option<String> {
        let world = self.open.as_ref()?.run.world();
        let why =
            world.device_refusal().filter(|_| self.settings.solver.device == Processor::Gpu).map(DeviceRefusal::words);
        if why == self.stepped_by.last_notice {
            return None;
        }
        self.stepped_by.last_notice.clone_from(&why);
        why.map(|why| format!("The processor makes the steps, not the graphics device: {why}."))
    }
}
