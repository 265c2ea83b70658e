//! A run that a device steps and draws. The window does not wait for the device: it shows the values that the device
//! reported last, all from the same moment. Operations that need the present state wait for it: pausing, single
//! steps, undo, recordings, breakpoints, the laboratory.

use super::breakpoints::Breakpoints;
use super::run::Run;
use super::run::trouble;
use super::{BodyNeeds, Session, SnapshotNeeds, record};
use delassus_physics::device::DeviceWorld;

/// Whether a playing run is shown from late reports of the device.
pub(super) fn shows_late_reports(needs: &SnapshotNeeds, run: &Run, breakpoints: &Breakpoints) -> bool {
    needs.bodies != BodyNeeds::Now && run.world().device_world().is_some() && !breakpoints.are_on()
}

impl Session {
    /// The world on the device that steps it, for drawing on that device; `None` while the processor makes the steps.
    pub fn device_world(&self) -> Option<&dyn DeviceWorld> {
        self.open.as_ref()?.run.world().device_world()
    }

    /// Shows what the device reported, and requests the next report if `steps` is not zero. True if new trouble
    /// occurred; then the present state is shown.
    pub(super) fn take_readback(&mut self, steps: u32) -> bool {
        let Some(open) = &mut self.open else { return false };
        let before = trouble::cause(open.run.world());
        let came = open.run.take_readback();
        if trouble::cause(open.run.world()) != before {
            open.run.read_late(false);
            self.snapshot.refresh(&open.run, None, &SnapshotNeeds::ALL);
            return true;
        }
        // Requested before showing, so that the transfer runs meanwhile.
        if steps > 0 && self.needs.bodies == BodyNeeds::Late {
            open.run.request_readback();
        }
        if came {
            let noted = self.needs.samples;
            let measured = noted.then(|| record(&mut self.samples, &open.run, self.watched, self.needs.quantities));
            // A report is requested only while the figures are shown.
            let needs = SnapshotNeeds { figures: true, ..self.needs.clone() };
            if needs.is_complete() {
                self.chart.stepped(&open.run);
            }
            self.snapshot.refresh(&open.run, measured, &needs);
        }
        false
    }
}
