//! What the last step found out. Nothing of it has an effect on the next step.

use crate::body::Velocity;
use crate::copy::default_and_copied_by_fields;
use crate::fault::Fault;
use crate::phases::Phases;
use crate::plan::outcome::Route;
use crate::spectrum::state::{Scratch, Spectrum};
use crate::work::Work;

/// Counts, times, estimates and faults of the last step.
pub struct Report {
    /// Who made the step.
    pub route: Route,
    pub phases: Phases,
    /// See [`crate::metrics::Metrics::residual`].
    pub residual: f32,
    /// Rows of the last sub-step.
    pub row_count: usize,
    /// Mechanisms that the last step solved in the [articulations](crate::articulations).
    pub trees: usize,
    /// Mechanisms of the last step whose loops are too dense for a block of their own, so that sweeps solve them. Of
    /// bodies that are stepped together.
    pub dense_mechanisms: u32,
    /// Sweeps of the last step, summed over its sub-steps.
    pub sweeps: u32,
    /// The number of equal parts in which the last step was made, 1 for an undivided step: see `divide/`.
    pub parts: u32,
    /// The latest spectrum estimate; made where the setting `solver.spectrum_every` asks for it.
    pub spectrum: Option<Spectrum>,
    /// The vectors from which the next estimate starts.
    pub(crate) spectrum_scratch: Scratch,
    /// The first fault, if there has been one. Whoever makes the steps should stop and say so.
    pub fault: Option<Fault>,
    /// The work of the last step, and its limit.
    pub work: Work,
    /// See [`crate::metrics::Metrics::stopped`].
    pub stopped: usize,
    /// See [`crate::metrics::Metrics::guarded`].
    pub guarded: usize,
    /// By body: the share of the last sub-step for which it moved before an impact stopped it, 0 to 1; empty where
    /// every body moved for the whole sub-step.
    pub toi_fractions: Vec<f32>,
    /// By body: the split position corrections of the last sub-step, as velocities; empty where there were none.
    pub pseudo_velocities: Vec<Velocity>,
}

default_and_copied_by_fields!(Report {
    route,
    phases,
    residual,
    row_count,
    trees,
    dense_mechanisms,
    sweeps,
    parts,
    spectrum,
    spectrum_scratch,
    fault,
    work,
    stopped,
    guarded,
    toi_fractions,
    pseudo_velocities
});

impl Report {
    /// Takes out the lists that each sub-step finds anew.
    pub(crate) fn take_lists(&mut self) -> (Vec<f32>, Vec<Velocity>) {
        (std::mem::take(&mut self.toi_fractions), std::mem::take(&mut self.pseudo_velocities))
    }

    /// Puts them in again.
    pub(crate) fn put_lists(&mut self, lists: (Vec<f32>, Vec<Velocity>)) {
        (self.toi_fractions, self.pseudo_velocities) = lists;
    }
}
