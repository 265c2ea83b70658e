//! What TGS soft fixes: its settings, and how contacts are pushed out. Its loop is in `tgs_soft.rs`.

use crate::kernel::contact::{Push, soft};
use crate::settings::{
    Collide, ContactSettings, ContactStabilization, FrictionSettings, Impacts, Order, RowSolve, Safeguard, Settings,
    SolverSettings, Stabilization, StabilizationSettings, StepSettings, WarmStartSettings,
};

/// The greatest frequency of a contact and of a joint, as shares of the rate of sub-steps.
const MAX_CONTACT_RATE: f32 = 0.125;
const MAX_JOINT_RATE: f32 = 0.25;

/// The settings with those that the method fixes.
pub(crate) fn recipe(settings: &Settings) -> Settings {
    let Settings { step, solver, warm_start, stabilization, contact, friction, .. } = *settings;
    let rate = 1.0 / settings.h();
    let (hertz, damping) = if stabilization.contact_hertz > 0.0 {
        (stabilization.contact_hertz, stabilization.contact_damping_ratio)
    } else {
        (stabilization.hertz, stabilization.damping_ratio)
    };
    Settings {
        step: StepSettings { max_turn: 0.0, ..step },
        solver: SolverSettings {
            iterations: 1,
            extra: 0,
            rows: RowSolve::Block,
            order: Order::Forward,
            tolerance: 0.0,
            ..solver
        },
        warm_start: WarmStartSettings { safeguard: Safeguard::Off, ..warm_start },
        stabilization: StabilizationSettings {
            method: Stabilization::Soft,
            contacts: ContactStabilization::Soft,
            joint_slop: 0.0,
            geometric_stiffness: false,
            hertz: stabilization.hertz.min(MAX_JOINT_RATE * rate),
            contact_hertz: hertz.min(MAX_CONTACT_RATE * rate),
            contact_damping_ratio: damping,
            relax: 1,
            ..stabilization
        },
        contact: ContactSettings {
            collide: Collide::EachStep,
            mean_first: false,
            impacts: Impacts::Simultaneous,
            ..contact
        },
        friction: FrictionSettings { deferred: true, ..friction },
        ..*settings
    }
}

/// How overlaps of contacts are pushed out, between bodies that move and with one that does not; `settings` are the
/// contacts' own.
pub(crate) fn pushes(settings: &Settings, h: f32) -> (Push<f32>, Push<f32>) {
    let StabilizationSettings { hertz, damping_ratio, .. } = settings.stabilization;
    let push = |hertz, damping_ratio| {
        let (rate, softness) = soft(hertz, damping_ratio, h);
        Push { rate, max: settings.contact.max_push * (1.0 + softness), softness }
    };
    (push(hertz, damping_ratio), push(2.0 * hertz, 0.5 * damping_ratio))
}
