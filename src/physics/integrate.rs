//! Time integration: symplectic Euler, velocities first, then poses with the new velocities.
//!
//! Orientation is advanced by the exponential map, q' = exp(ω h) q with ω in world axes: exact for a constant spin.
//! The gyroscopic term solves Euler's equation in the body's axes, f(ω') = I (ω' − ω) + h ωₘ × I ωₘ = 0 with
//! ωₘ = (1 − θ) ω + θ ω': either one Newton step at θ = 1, which cannot gain energy, or three at θ = ½, the implicit
//! midpoint rule, which keeps ω·Iω and ‖Iω‖ of a free body. 001 prints q̇ = ½ q ω with a world ω, which turns each
//! body about an axis carried along by its own rotation (erratum 10); that is the setting `formulation.rotation`.
//! Source: constraints notes, Notation.

use glam::{Mat3, Quat, Vec3};

use super::body::{Body, Motion, Velocity};
use super::settings::{Gyroscopic, RotationForm, Settings};

/// Speeds above this are taken for an explosion and cut, m/s and rad/s.
const RUNAWAY: f32 = 1e5;

/// Applies gravity and the gyroscopic term over `h` seconds.
pub fn velocities(bodies: &[Body], velocities: &mut [Velocity], settings: &Settings, h: f32) {
    for (body, velocity) in bodies.iter().zip(velocities) {
        if body.motion != Motion::Dynamic {
            continue;
        }
        velocity.linear += glam::Vec3A::from(settings.step.gravity) * h;
        if body.isotropic {
            continue;
        }
        let (theta, newton_steps) = match settings.step.gyroscopic {
            Gyroscopic::Off => continue,
            Gyroscopic::Implicit => (1.0, 1),
            Gyroscopic::Midpoint => (0.5, 3),
        };
        velocity.angular = gyroscopic(body, velocity.angular.into(), theta, newton_steps, h).into();
    }
}

/// The spin after `h` seconds of free rotation, rad/s, world axes; `theta` is where in the step the term is taken.
fn gyroscopic(body: &Body, spin: Vec3, theta: f32, newton_steps: u32, h: f32) -> Vec3 {
    let w = body.rotation.inverse() * spin;
    let inertia = body.inertia_local;
    let mut next = w;
    for _ in 0..newton_steps {
        let middle = w + (next - w) * theta;
        let momentum = inertia * middle;
        let residual = inertia * (next - w) + middle.cross(momentum) * h;
        let slope = inertia + (skew(middle) * inertia - skew(momentum)) * (h * theta);
        if slope.determinant().abs() < f32::MIN_POSITIVE {
            return spin;
        }
        next -= slope.inverse() * residual;
    }
    // Only the change goes through the quaternion, whose length is 1 to rounding: ω itself must not grow by that.
    spin + body.rotation * (next - w)
}

fn skew(v: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, v.z, -v.y), Vec3::new(-v.z, 0.0, v.x), Vec3::new(v.y, -v.x, 0.0))
}

/// What beside their velocities moves the bodies; the lists have an entry a body or none at all.
pub struct Way<'a> {
    /// The split position corrections, as velocities.
    pub pushes: &'a [Velocity],
    /// The share of the step that each goes.
    pub reach: &'a [f32],
    pub rotation: RotationForm,
}

/// Moves the bodies over `h` seconds. Returns how many had to be brought to rest because their velocity was not finite or
/// had run away: one broken body must not take the others with it.
pub fn poses(bodies: &mut [Body], velocities: &mut [Velocity], way: &Way, h: f32) -> usize {
    let mut stopped = 0;
    for (index, (body, velocity)) in bodies.iter_mut().zip(velocities).enumerate() {
        if body.motion == Motion::Static {
            // An impulse that overflowed times an inverse mass of zero is not a number: it must not stay.
            *velocity = Velocity::default();
            continue;
        }
        let fastest = velocity.linear.abs().max_element().max(velocity.angular.abs().max_element());
        if !(fastest < RUNAWAY && velocity.is_finite()) {
            *velocity = Velocity::default();
            stopped += 1;
            continue;
        }
        let push = way.pushes.get(index).copied().filter(Velocity::is_finite).unwrap_or_default();
        let h = h * way.reach.get(index).copied().unwrap_or(1.0);
        body.position += Vec3::from(velocity.linear + push.linear) * h;
        let turn = Vec3::from(velocity.angular + push.angular) * h;
        if turn != Vec3::ZERO {
            let turned = match way.rotation {
                RotationForm::ExponentialMap => Quat::from_scaled_axis(turn) * body.rotation,
                RotationForm::AsPrinted => body.rotation + body.rotation * Quat::from_vec4(turn.extend(0.0)) * 0.5,
            };
            body.rotation = turned.normalize();
            body.refresh_inertia();
        }
    }
    stopped
}
