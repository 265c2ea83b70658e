//! A run that a device steps and draws. The window does not wait for it: the numbers shown are those that the device
//! sent last, all of one moment. Whatever needs the present state waits for it: pausing, single steps, undo,
//! recordings, breakpoints, the laboratory.

use super::breakpoints::Breakpoints;
use super::run::Run;
use super::run::trouble;
use super::{BodyNeeds, Session, SnapshotNeeds, record};
use crate::physics::device::DeviceWorld;

/// Whether a run that plays is followed so.
pub(super) fn listens(needs: &SnapshotNeeds, run: &Run, breakpoints: &Breakpoints) -> bool {
    needs.bodies != BodyNeeds::Now && run.world().device_world().is_some() && !breakpoints.are_on()
}

impl Session {
    /// The world on the device that steps it, for whoever draws on that device; none while the processor steps it.
    pub fn device_world(&self) -> Option<&dyn DeviceWorld> {
        self.open.as_ref()?.run.world().device_world()
    }

    /// Shows what the device has told, and has it asked anew behind so many steps. True where that is trouble that was
    /// not there before; then it is shown as it stands.
    pub(super) fn take_readback(&mut self, steps: u32) -> bool {
        let Some(open) = &mut self.open else { return false };
        let before = trouble::cause(open.run.world());
        let came = open.run.take_readback();
        if trouble::cause(open.run.world()) != before {
            open.run.listen(false);
            self.snapshot.refresh(&open.run, None, &SnapshotNeeds::ALL);
            return true;
        }
        // Asked before it is shown: it is on its way meanwhile.
        if steps > 0 && self.needs.bodies == BodyNeeds::Late {
            open.run.request_readback();
        }
        if came {
            let noted = self.needs.samples;
            let measured = noted.then(|| record(&mut self.samples, &open.run, self.watched, self.needs.quantities));
            // It was asked because somebody looks at numbers.
            let needs = SnapshotNeeds { figures: true, ..self.needs.clone() };
            if needs.is_complete() {
                self.chart.stepped(&open.run);
            }
            self.snapshot.refresh(&open.run, measured, &needs);
        }
        false
    }
}
