//! The parts of a world with which a solver makes its step.

use super::remote_sweeps::RemoteSweeps;
use crate::settings::Settings;
use crate::system::System;
use crate::trace::Probe;
use crate::world::buffers::Buffers;
use crate::world::model::Model;
use crate::world::report::Report;
use crate::world::state::State;

/// What a solver reads and changes in a step, besides its own buffers.
pub(crate) struct Parts<'a> {
    pub settings: &'a Settings,
    pub model: &'a Model,
    pub state: &'a mut State,
    pub system: &'a mut System,
    pub report: &'a mut Report,
    /// The device that makes the sweeps, if there is one.
    pub remote: &'a mut RemoteSweeps,
    pub buffers: &'a mut Buffers,
    pub probe: &'a mut Probe,
    /// Whether joints, and with them residuals and added energy, are read after each sub-step.
    pub reads: bool,
    /// Whether all rows are in the list of `system`, because they are read after the step.
    pub listed: bool,
}

impl Parts<'_> {
    /// The same parts under other settings.
    pub fn under<'a>(&'a mut self, settings: &'a Settings) -> Parts<'a> {
        let Self { model, state, system, report, remote, buffers, probe, reads, listed, .. } = self;
        Parts { settings, model, state, system, report, remote, buffers, probe, reads: *reads, listed: *listed }
    }
}
