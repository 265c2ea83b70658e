//! The settings that AVBD fixes.

use crate::settings::{
    Collide, ContactSettings, ContactStabilization, FrictionSettings, Impacts, Order, RowSolve, Safeguard, Settings,
    SolverSettings, Stabilization, StabilizationSettings, StepSettings, WarmStartSettings,
};

/// The greatest share of an error that a sub-step removes, 1 − α: with more, the forces in stiff rows shake.
const MAX_BETA: f32 = 0.02;

/// The settings with those that the method fixes.
pub(crate) fn recipe(settings: &Settings) -> Settings {
    let Settings { step, solver, warm_start, stabilization, contact, friction, .. } = *settings;
    Settings {
        step: StepSettings { max_turn: 0.0, ..step },
        solver: SolverSettings { extra: 0, rows: RowSolve::Scalar, order: Order::Forward, tolerance: 0.0, ..solver },
        warm_start: WarmStartSettings { safeguard: Safeguard::Off, ..warm_start },
        stabilization: StabilizationSettings {
            method: Stabilization::Baumgarte,
            contacts: ContactStabilization::Baumgarte,
            beta: stabilization.beta.min(MAX_BETA),
            joint_slop: 0.0,
            relax: 0,
            ..stabilization
        },
        contact: ContactSettings {
            collide: Collide::EachStep,
            mean_first: false,
            impacts: Impacts::Simultaneous,
            ..contact
        },
        friction: FrictionSettings { deferred: false, ..friction },
        ..*settings
    }
}
