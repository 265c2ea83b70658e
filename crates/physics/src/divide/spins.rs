//! Bodies that spin: how far they nutate in a sub-step, free ones on something, as a top on a floor, and those on joints that
//! let their axis tilt, as a gyroscope.

use glam::Vec3;

use crate::body::{Body, Motion};
use crate::joints::{Freedom, JointKind};
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

/// The largest nutation of a body on joints in a sub-step, rad. The gyroscopic term and the joints, which are evaluated in
/// turns, are of second order in it: a gyroscope precesses 0.2 % too fast.
pub(super) const MAX_ON_JOINTS: f32 = 1.0;

/// A nutation below this is too slow to matter, as that of a rod that spins about its length, rad.
const SLOW: f32 = 0.1;

/// The nutation of a body on joints in `h` seconds, rad. That of a long body counts as that of a disc, twice its spin: its
/// joints feel the same error of the gyroscopic term.
pub(super) fn nutation_on_joints(body: &Body, spin: Vec3, h: f32) -> f32 {
    let own = nutation(body, spin, h);
    if own > SLOW { own.max(2.0 * h * spin.length()) } else { own }
}

/// What holds the axis of a body that spins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum AxisHold {
    /// It has no joints.
    Free,
    /// Its joints let the axis tilt, or tilt it.
    Tilts,
    /// It is hinged or fixed to what stands still.
    Held,
}

/// Lists by body what holds its axis.
pub(super) fn list_holds(state: &State, list: &mut Vec<AxisHold>) {
    list.clear();
    list.resize(state.bodies.len(), AxisHold::Free);
    for joint in state.joints.iter().filter(|joint| joint.broken.is_none()) {
        for (body, other) in [(joint.def.a, joint.def.b), (joint.def.b, joint.def.a)] {
            let holds = holds_axis(&joint.def.kind) && state.bodies[other as usize].motion == Motion::Static;
            let hold = &mut list[body as usize];
            *hold = if holds || *hold == AxisHold::Held { AxisHold::Held } else { AxisHold::Tilts };
        }
    }
}

/// Whether a joint keeps an axis of B along one of A.
fn holds_axis(kind: &JointKind) -> bool {
    let own = matches!(kind, JointKind::Cylindrical(_) | JointKind::AxisLock(_) | JointKind::OrientationLock(_));
    own || matches!(kind.info().free, Freedom::Turn | Freedom::Slide | Freedom::Nothing)
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
