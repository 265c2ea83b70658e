//! Who makes a step: a device, threads that step islands apart, or one that steps all bodies together.

use super::outcome::Together;
use crate::forest;
use crate::settings::{Settings, Stabilization};
use crate::solvers::properties;

/// What decides it, besides the settings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Islands {
    /// Whether the rows are read after the step, or recorded.
    pub whole: bool,
    pub bodies: usize,
    /// Number of moving bodies in a batch.
    pub batch_size: usize,
    pub movers: bool,
}

/// The islands, once they are packed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packed {
    /// The number of batches, and of mechanisms in SIMD lanes.
    pub batches: usize,
    pub mechanisms: usize,
    /// Whether no joint of the batches has a stabilisation of its own, and whether some body collides.
    pub alike: bool,
    pub collide: bool,
    /// Whether no mechanism is stepped in lanes.
    pub rows: bool,
}

/// Why the settings, or the number of bodies, do not let islands be stepped apart, whatever the islands are.
pub(crate) fn together(settings: &Settings, world: Islands) -> Option<Together> {
    let reasons = [
        (world.whole, Together::RowsAreRead),
        (!(properties::of(settings.solver.method).by_islands)(&settings.solver), Together::Method),
        (settings.solver.spectrum_every > 0, Together::Spectrum),
        (settings.stabilization.method == Stabilization::Nonlinear, Together::Nonlinear),
        (world.bodies <= 2 * world.batch_size, Together::FewBodies),
        (world.movers, Together::Movers),
    ];
    reasons.into_iter().find_map(|(holds, why)| holds.then_some(why))
}

/// The same for these islands.
pub(crate) fn together_as_packed(settings: &Settings, packed: Packed) -> Option<Together> {
    // A single mechanism in lanes: a step of rows may be divided where it whips.
    let divides = settings.step.max_turn > 0.0 && settings.stabilization.method == Stabilization::Rattle;
    let reasons = [
        (!packed.alike, Together::OwnStabilization),
        (packed.collide && settings.contact.enabled, Together::Contacts),
        (packed.mechanisms + packed.batches <= 1 && (packed.rows || divides), Together::OneIsland),
    ];
    reasons.into_iter().find_map(|(holds, why)| holds.then_some(why))
}

/// Whether mechanisms may be stepped in SIMD lanes.
pub(crate) fn in_lanes(settings: &Settings) -> bool {
    forest::joints::takes(settings)
}
