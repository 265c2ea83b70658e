//! What a step changes, kept to go back to after a step made on trial.

use crate::trace::Probe;
use crate::world::report::Report;
use crate::world::state::State;

/// What a step changes, as it was before it.
#[derive(Default)]
pub(crate) struct Before {
    pub(super) state: State,
    report: Report,
    trace: Probe,
}

impl Before {
    /// Copies these parts of a world.
    pub(super) fn keep(&mut self, state: &mut State, report: &mut Report, probe: &Probe) {
        let search = state.contacts.detach_search();
        self.state.contacts.make_room_for(&state.contacts);
        self.state.clone_from(state);
        state.contacts.attach_search(search);
        // By body, and found anew in each sub-step.
        let lists = report.take_lists();
        self.report.clone_from(report);
        report.put_lists(lists);
        self.trace.clone_from(probe);
    }

    /// Gives a world these parts again.
    pub(super) fn restore(&mut self, state: &mut State, report: &mut Report, probe: &mut Probe) {
        std::mem::swap(&mut self.state, state);
        std::mem::swap(&mut self.report, report);
        std::mem::swap(&mut self.trace, probe);
        report.put_lists(self.report.take_lists());
        state.contacts.attach_search(self.state.contacts.detach_search());
        state.contacts.relist_pairs();
    }
}
