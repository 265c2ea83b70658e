//! Who makes a step: a device, threads that step islands apart, or one that steps all bodies together.

use crate::forest;
use crate::settings::{Settings, Stabilization};
use crate::solvers;
use crate::world::Executor;

/// Who made a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// The device: see [`crate::device`].
    Device,
    /// Mechanisms in SIMD lanes and other islands in batches: see [`crate::forest`] and [`crate::batches`].
    Apart,
    /// All bodies together, for this reason.
    Together(Together),
}

impl Default for Route {
    fn default() -> Self {
        Self::Together(Together::default())
    }
}

/// Why all bodies are stepped together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Together {
    /// There are so few that nothing is gained by dividing them.
    #[default]
    FewBodies,
    /// The rows are read after the step, or recorded.
    RowsAreRead,
    /// The method's result for an island depends on other islands: a tolerance, a shuffled order, one ω for all.
    Method,
    /// The convergence of all sweeps is estimated.
    Spectrum,
    /// Positions are corrected by the nonlinear method.
    Nonlinear,
    /// Bodies follow movers.
    Movers,
    /// A joint has stabilisation settings of its own.
    OwnStabilization,
    /// Bodies may touch.
    Contacts,
    /// All bodies hang together.
    OneIsland,
}

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
        (!(solvers::of(settings.solver.method).by_islands)(&settings.solver), Together::Method),
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
