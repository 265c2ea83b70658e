//! Who makes a step: a device, threads that step islands apart, or one that steps all bodies together.

use super::outcome::Together;
use crate::forest;
use crate::settings::{Settings, Stabilization};
use crate::solvers::properties;
use crate::world::pipeline::Executor;

/// What decides it, besides the settings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Islands {
    pub bodies: usize,
    pub movers: bool,
}

/// Why the settings, or the number of bodies, do not let islands be stepped apart, whatever the islands are.
pub(crate) fn together(settings: &Settings, executor: &Executor, world: Islands) -> Option<Together> {
    let reasons = [
        (executor.whole, Together::RowsAreRead),
        (!(properties::of(settings.solver.method).by_islands)(&settings.solver), Together::Method),
        (settings.solver.spectrum_every > 0, Together::Spectrum),
        (settings.stabilization.method == Stabilization::Nonlinear, Together::Nonlinear),
        (world.bodies <= 2 * executor.batch_size, Together::FewBodies),
        (world.movers, Together::Movers),
    ];
    reasons.into_iter().find_map(|(holds, why)| holds.then_some(why))
}

/// The same for these islands.
pub(crate) fn together_as_packed(settings: &Settings, executor: &Executor) -> Option<Together> {
    let batches = &executor.batches;
    let rows = executor.forest.is_empty();
    // A single mechanism in lanes: a step of rows may be divided where it whips.
    let divides = settings.step.max_turn > 0.0 && settings.stabilization.method == Stabilization::Rattle;
    let reasons = [
        (!batches.alike, Together::OwnStabilization),
        (batches.collide && settings.contact.enabled, Together::Contacts),
        (executor.forest.mechanisms() + batches.count() <= 1 && (rows || divides), Together::OneIsland),
    ];
    reasons.into_iter().find_map(|(holds, why)| holds.then_some(why))
}

/// Whether mechanisms may be stepped in SIMD lanes.
pub(crate) fn in_lanes(settings: &Settings) -> bool {
    forest::joints::takes(settings)
}
