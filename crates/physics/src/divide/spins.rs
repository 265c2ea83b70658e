//! Free bodies that spin on something, as a top on a floor: how far they nutate in a sub-step.

use glam::Vec3;

use crate::body::Body;
use crate::settings::Settings;
use crate::velocity::Flight;
use crate::world::state::State;

/// Whether steps are divided for bodies that spin on something. Steps of one sub-step are not: they are as long as the
/// scene asks for. `few`: whether the bodies are so few that they are always stepped together.
pub(super) fn follows(settings: &Settings, few: bool) -> bool {
    few && settings.step.substeps > 1
}

/// The angle by which a body with unequal inertias nutates in `h` seconds, rad: h ‖L‖/I, with I its middle principal
/// inertia. `spin`: its angular velocity in its own axes, rad/s.
pub(super) fn nutation(body: &Body, spin: Vec3, h: f32) -> f32 {
    let inertias = body.inertia_local.diagonal();
    let middle = inertias.element_sum() - inertias.max_element() - inertias.min_element();
    if body.isotropic { 0.0 } else { h * (body.inertia_local * spin).length() / middle }
}

/// Whether a free body nutates by more than `bound`, rad, in a sub-step.
pub(super) fn any(settings: &Settings, state: &State, bound: f32) -> bool {
    let h = settings.h();
    state.bodies.iter().zip(&state.velocities).any(|(body, velocity)| {
        // No body nutates more than twice as fast as it turns.
        h * velocity.angular.length() > 0.5 * bound
            && body.is_dynamic()
            && body.flight != Flight::Joined
            && nutation(body, body.rotation.inverse() * Vec3::from(velocity.angular), h) > bound
    })
}
