//! Drag of a body that stands on something or has joints: it acts within the solve of the rows.
//!
//! ```text
//! M (v⁺ − v) = h f + Jᵀ λ − h C ((1 − θ) v + θ v⁺)        C = c₁ + c₂ |v| for v, c₃ for ω
//! (M + θ h C) (v⁺ − v) = h (f − C v) + Jᵀ λ               so the rows see a larger mass, and a force −C v
//! θ = 1/(1 − D) − 1/x,   x = h C/M                        D: the share of v that is kept without rows (`drag.rs`)
//! ```
//! A velocity that does not change has the drag C v, whatever the rows do: a motor that drives a fan gives c₃ ω, and a load
//! that hangs still pulls with m g. If drag acted before or behind the solve, it would take its share of what gravity has
//! given, and the rows would bear too little by about c h/m. Without rows the decay is that of `drag.rs`: θ lies between ½
//! and 1. Derived here; Cox and Matthews 2002 (exponential fitting).

use glam::{Mat3, Vec3, Vec3A};

use super::Drag;
use crate::body::Body;
use crate::velocity::{Flight, Velocity};
use crate::world::model::Model;
use crate::world::state::State;

/// θ for x = h C/M and the share of a velocity that is kept.
fn implicit_share(x: f64, kept: f64) -> f64 {
    // Both terms are large where little is lost, and their difference tends to ½.
    if x < 1e-4 { 0.5 } else { (1.0 / (1.0 - kept) - 1.0 / x).clamp(0.5, 1.0) }
}

impl Drag {
    /// C for the velocity and for the angular velocity, N·s/m and N·m·s.
    fn coefficients(&self, velocity: &Velocity) -> (f32, f32) {
        (self.linear + self.quadratic * velocity.linear.length(), self.angular)
    }

    /// θ h C for both, kg and kg m², of a body with these inverses in a sub-step of `h` seconds.
    fn added_mass(&self, (inv_mass, inv_inertia): (f32, Mat3), velocity: &Velocity, h: f32) -> (f32, f32) {
        let (linear, angular) = self.coefficients(velocity);
        let x = f64::from(h * linear * inv_mass);
        let speed = velocity.linear.as_dvec3().length();
        let share = implicit_share(x, self.kept(inv_mass, speed, h)) as f32;
        // About the axis of the least inertia, at most.
        let x = f64::from(h * angular) * f64::from(inv_inertia.abs().transpose().mul_vec3(Vec3::ONE).max_element());
        let share_of_turn = implicit_share(x, (-x).exp()) as f32;
        (share * h * linear, share_of_turn * h * angular)
    }
}

/// Adds the drag of the bodies that do not fly freely, because they have joints or touch something, to the mass that the
/// solver uses, for a sub-step of `h` seconds.
pub(crate) fn resist(model: &Model, state: &mut State, h: f32) {
    if model.forces.iter().all(|own| own.drag == Drag::default()) {
        return;
    }
    let State { bodies, velocities, joints, stiffness, sleep, contacts, .. } = state;
    for own in &model.forces {
        let (body, velocity) = (&mut bodies[own.body as usize], &velocities[own.body as usize]);
        if stiffness.is_empty() {
            body.set_solver_mass(None);
        }
        if body.flight == Flight::Joined && !sleep.has(own.body) {
            add_drag(&own.drag, body, velocity, h);
        }
    }
    // Before the first step no body is known to be joined.
    let joined = joints.iter().filter(|joint| joint.broken.is_none()).map(|joint| [joint.def.a, joint.def.b]);
    for ends in joined.chain(contacts.manifolds().map(|(a, b, _)| [a, b])) {
        for index in ends {
            let Ok(own) = model.forces.binary_search_by_key(&index, |own| own.body) else { continue };
            let (body, velocity) = (&mut bodies[index as usize], &velocities[index as usize]);
            if matches!(body.flight, Flight::Supported | Flight::OnSoftSurface)
                && !body.is_resisted()
                && !sleep.has(index)
            {
                add_drag(&model.forces[own].drag, body, velocity, h);
            }
        }
    }
}

/// Adds a body's drag to the mass that the solver uses.
fn add_drag(drag: &Drag, body: &mut Body, velocity: &Velocity, h: f32) {
    if !body.is_dynamic() || *drag == Drag::default() {
        return;
    }
    let (mass, inertia) = own_mass(body);
    let inverses = body.inverses();
    let (more_mass, more_inertia) = drag.added_mass(inverses, velocity, h);
    // Also of a body that cannot turn about every axis.
    let inv_inertia = (Mat3::IDENTITY + inverses.1 * more_inertia).inverse() * inverses.1;
    let inertia = inertia + Mat3::from_diagonal(Vec3::splat(more_inertia));
    if (mass + more_mass).is_finite() && inertia.is_finite() && inv_inertia.is_finite() {
        body.set_resisted_mass((mass + more_mass, inertia, inv_inertia));
    }
}

/// Mass, kg, and inertia, kg m², world axes, that the solver uses now.
fn own_mass(body: &Body) -> (f32, Mat3) {
    body.solver_mass().map_or_else(|| (body.mass, body.inertia()), |mass| (mass.mass, mass.inertia))
}

/// Adds the change of velocity by −h C v, for the bodies whose drag is in the mass that the solver uses.
pub(super) fn slow(model: &Model, state: &mut State, h: f32) {
    let State { bodies, velocities, .. } = state;
    for own in model.forces.iter().filter(|own| bodies[own.body as usize].is_resisted()) {
        let (inv_mass, inv_inertia) = bodies[own.body as usize].inverses();
        let velocity = &mut velocities[own.body as usize];
        let (linear, angular) = own.drag.coefficients(velocity);
        velocity.linear *= 1.0 - h * linear * inv_mass;
        let change = inv_inertia * Vec3::from(velocity.angular) * (h * angular);
        velocity.angular -= Vec3A::from(change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the trapezoidal rule for little drag to the implicit Euler method for much.
    #[test]
    fn the_decay_without_rows_is_exact() {
        for x in [1e-6f64, 1e-3, 0.1, 1.0, 10.0, 1e3] {
            let share = implicit_share(x, (-x).exp());
            let decay = (1.0 - (1.0 - share) * x) / (1.0 + share * x);
            assert!((decay - (-x).exp()).abs() < 1e-9, "{x}: {decay}");
        }
        assert!((implicit_share(1e-3, (-1e-3f64).exp()) - 0.5).abs() < 1e-4);
    }
}
