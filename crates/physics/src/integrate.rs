//! Time integration: symplectic Euler, velocities first, then poses with the new velocities. In free flight the
//! velocities are those of the middle of the step, see `flight.rs`.
//!
//! Orientation is advanced by the exponential map, q' = exp(ω h) q with ω in world axes: exact for a constant ω. A
//! body with unequal inertias that nothing touches rotates by its mean angular velocity, see `gyroscopic.rs`. 001
//! prints q̇ = ½ q ω with ω in world axes, which rotates each body about an axis carried along by its own rotation
//! (erratum 10); that form is a choice of the setting `formulation.rotation`. Source: docs/math.md, Free motion.

use glam::{Quat, Vec3, Vec3A};

use super::body::{Body, Motion, Velocity};
use super::fault::FaultWatch;
use super::gyroscopic::GyroscopicTerm;
use super::kernel::rotation::turned;
use super::settings::{RotationForm, Settings};
use super::sleep::state::Sleep;

/// A body that turns by more than this in a step, rad, is corrected before it turns. In one rotation with a spin by θ, a
/// correction across its axis acts in a direction turned by θ/2: at half a turn it no longer corrects anything.
const FAST: f32 = 1.0;

/// Adds the velocity change by gravity over `h` seconds to dynamic bodies that are awake.
pub fn forces((bodies, sleep): (&[Box<Body>], &Sleep), velocities: &mut [Velocity], settings: &Settings, h: f32) {
    let gravity = Vec3A::from(settings.step.gravity) * h;
    for (index, (body, velocity)) in (0..).zip(bodies.iter().zip(velocities)) {
        if body.is_dynamic() && !sleep.has(index) {
            velocity.linear += kicked(body, gravity);
        }
    }
}

/// The velocity change by gravity of a body, m/s, from that of an ordinary body, `kick`. For a body whose solver mass is
/// larger than its mass it is smaller, so that its weight stays m g.
pub fn kicked(body: &Body, kick: Vec3A) -> Vec3A {
    body.solver_mass().map_or(kick, |solver_mass| kick * (body.mass * solver_mass.inv_mass))
}

/// What moves the bodies besides their velocities.
pub struct Motions<'a> {
    /// By body or empty: the split position corrections, as velocities.
    pub pseudo_velocities: &'a [Velocity],
    /// By body or empty: the share of the step for which the body moves, 0 to 1.
    pub toi_fractions: &'a [f32],
    /// Bodies with a gyroscopic term, in the bodies' order.
    pub gyroscopic: &'a [GyroscopicTerm],
    pub rotation: RotationForm,
    /// By body: whether it moves; all do without it.
    pub only: Option<&'a [bool]>,
}

/// Moves the bodies over `h` seconds. A body with an invalid velocity is stopped and does not affect the others: see
/// `fault/`.
pub fn poses(bodies: &mut [Box<Body>], velocities: &mut [Velocity], motions: &Motions, h: f32, watch: &mut FaultWatch) {
    let mut gyroscopic = motions.gyroscopic.iter().peekable();
    for (index, (body, velocity)) in bodies.iter_mut().zip(velocities).enumerate() {
        let gyroscopic = gyroscopic.next_if(|t| t.body as usize == index);
        if body.motion == Motion::Static || motions.only.is_some_and(|only| !only[index]) {
            continue;
        }
        let mut pseudo = motions.pseudo_velocities.get(index).copied().unwrap_or_default();
        if !(watch.contain(index as u32, velocity) && watch.contain(index as u32, &mut pseudo)) {
            continue;
        }
        let fraction = motions.toi_fractions.get(index).copied().unwrap_or(1.0);
        let h = h * fraction;
        watch.shift(index as u32, body, Vec3::from(velocity.linear + pseudo.linear) * h);
        if pseudo.angular != Vec3A::ZERO && h * velocity.angular.length() > FAST {
            body.rotation = turned(body.rotation, Vec3::from(pseudo.angular) * h);
            pseudo.angular = Vec3A::ZERO;
        }
        let turn = Vec3::from(velocity.angular + pseudo.angular) * h;
        if turn == Vec3::ZERO {
            continue;
        }
        let is_free = fraction == 1.0 && pseudo.angular == Vec3A::ZERO;
        let free = gyroscopic.and_then(|t| t.free(velocity)).filter(|_| is_free);
        body.rotation = match (motions.rotation, free) {
            (RotationForm::ExponentialMap, Some((rotation, spin))) => {
                velocity.angular = spin;
                rotation
            }
            (RotationForm::ExponentialMap, None) => turned(body.rotation, turn),
            (RotationForm::AsPrinted, _) => {
                (body.rotation + body.rotation * Quat::from_vec4(turn.extend(0.0)) * 0.5).normalize()
            }
        };
        body.refresh_inertia();
    }
}
