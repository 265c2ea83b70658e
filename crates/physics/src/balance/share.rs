//! Energy and momentum by cause: the totals of all bodies, and what a row's impulse gives to one of its bodies.

use glam::{DMat3, DVec3};

use crate::body::{Body, Velocity};
use crate::row::{ContactPart, Group, Row, RowId};
use crate::settings::Settings;
use crate::world::state::State;

/// Causes of changes of energy and momentum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    Gravity,
    /// Applied forces and drag.
    Forces,
    /// The old impulses of all rows, applied before the sweeps.
    WarmStart,
    Joints,
    Springs,
    Limits,
    Motors,
    Contacts,
    Friction,
    /// The mouse joint.
    MouseJoint,
    /// Position corrections that do not change velocities.
    Correction,
    /// The integration of poses, and RATTLE's velocities for reading.
    Integrator,
}

/// All causes, in display order.
pub const CAUSES: [Cause; 12] = [
    Cause::Gravity,
    Cause::Forces,
    Cause::Joints,
    Cause::Springs,
    Cause::Limits,
    Cause::Motors,
    Cause::Contacts,
    Cause::Friction,
    Cause::MouseJoint,
    Cause::WarmStart,
    Cause::Correction,
    Cause::Integrator,
];

/// The contribution of a cause in a step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Share {
    /// Kinetic energy of translation along x, y and z, J: Σ m Δv v̄ by axis.
    pub linear: DVec3,
    /// Kinetic energy of rotation, J.
    pub rotational: f64,
    /// Potential energy of gravity and springs, J.
    pub potential: f64,
    /// Linear momentum, N·s.
    pub momentum: DVec3,
    /// Angular momentum about the world's origin, N·m·s.
    pub angular: DVec3,
}

impl Share {
    /// Total energy, J.
    pub fn energy(&self) -> f64 {
        self.linear.element_sum() + self.rotational + self.potential
    }

    /// Adds `sign` times `other`.
    pub(super) fn plus(&mut self, other: &Self, sign: f64) {
        self.linear += sign * other.linear;
        self.rotational += sign * other.rotational;
        self.potential += sign * other.potential;
        self.momentum += sign * other.momentum;
        self.angular += sign * other.angular;
    }
}

/// A dynamic body at one end of a row.
pub(super) struct RowEnd<'a> {
    body: &'a Body,
    /// Mean velocities of the stage.
    linear: DVec3,
    angular: DVec3,
    sign: f64,
}

impl<'a> RowEnd<'a> {
    pub fn of(state: &'a State, before: &[Velocity], id: u32, sign: f64) -> Option<Self> {
        let body = &*state.bodies[id as usize];
        let (old, new) = (before.get(id as usize)?, &state.velocities[id as usize]);
        let middle = |old: glam::Vec3A, new: glam::Vec3A| 0.5 * (old.as_dvec3() + new.as_dvec3());
        let (linear, angular) = (middle(old.linear, new.linear), middle(old.angular, new.angular));
        body.is_dynamic().then_some(Self { body, linear, angular, sign })
    }

    /// What the row's impulse gives to this body.
    pub fn share(&self, row: &Row, impulse: f64) -> Share {
        let on_a = (row.lin_a(), row.inv_ma, row.inv_ia);
        let (lin, inv_m, inv_i) = if self.sign < 0.0 { on_a } else { (row.lin, row.inv_mb, row.inv_ib) };
        let momentum = lin.as_dvec3() * (f64::from(inv_m) * impulse * f64::from(self.body.mass));
        let turn = inertia(self.body) * (inv_i.as_dvec3() * impulse);
        Share {
            linear: momentum * self.linear,
            rotational: turn.dot(self.angular),
            potential: 0.0,
            momentum,
            angular: self.body.position.as_dvec3().cross(momentum) + turn,
        }
    }
}

fn inertia(body: &Body) -> DMat3 {
    body.inertia_at(body.rotation).as_dmat3()
}

/// The cause that a row's work counts for.
pub(super) fn cause(id: RowId) -> Cause {
    match id {
        RowId::Joint { group, .. } => match group {
            // The energy of an armature is kept with that of the springs.
            Group::Spring | Group::Damper | Group::Armature => Cause::Springs,
            Group::JointFriction => Cause::Friction,
            Group::Limit | Group::Swing => Cause::Limits,
            Group::Motor => Cause::Motors,
            _ => Cause::Joints,
        },
        RowId::MouseJoint { .. } => Cause::MouseJoint,
        RowId::Plane { .. } => Cause::Joints,
        RowId::Contact { part: ContactPart::Normal(_), .. } => Cause::Contacts,
        RowId::Contact { .. } => Cause::Friction,
    }
}

/// Energy and momenta of all bodies, with the springs' energy.
pub(super) fn total(settings: &Settings, state: &State) -> Share {
    let gravity = settings.step.gravity.as_dvec3();
    let mut sum = Share::default();
    for (body, velocity) in state.bodies.iter().zip(state.velocities.iter()).filter(|(body, _)| body.is_dynamic()) {
        let (mass, x) = (f64::from(body.mass), body.position.as_dvec3());
        let (v, w) = (velocity.linear.as_dvec3(), velocity.angular.as_dvec3());
        let spin = inertia(body) * w;
        sum.linear += 0.5 * mass * v * v;
        sum.rotational += 0.5 * w.dot(spin);
        sum.potential -= mass * gravity.dot(x);
        sum.momentum += mass * v;
        sum.angular += x.cross(mass * v) + spin;
    }
    sum.potential += springs(state);
    sum
}

/// The energy of the joints' springs in the last read-out, J.
pub(super) fn springs(state: &State) -> f64 {
    state.joints.iter().map(|joint| f64::from(joint.readout.energy)).sum()
}
