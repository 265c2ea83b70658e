//! What applied forces do to a body's velocity.

use glam::Vec3;

use super::{BodyForces, ByTime, Force, ForceFrame};
use crate::body::Body;
use crate::velocity::Velocity;
use crate::world::model::Model;

impl Force {
    /// Lever from the centre of mass, m, force, N, and torque without the moment of the force, N·m, at `time`, s, in
    /// world axes.
    pub(super) fn in_world(&self, body: &Body, time: f64) -> (Vec3, Vec3, Vec3) {
        let factor = self.by_time.at(time);
        let world = |v: Vec3| if self.frame == ForceFrame::Body { body.rotation * v } else { v };
        let lever = self.at.map_or(Vec3::ZERO, |at| body.rotation * at);
        (lever, world(self.force) * factor, world(self.torque) * factor)
    }
}

impl BodyForces {
    /// The change of velocity by the forces, without drag, within `h` seconds at `time`, s.
    pub fn change(&self, body: &Body, time: f64, h: f32) -> Velocity {
        let (mut force, mut torque) = (Vec3::ZERO, Vec3::ZERO);
        for own in self.forces.iter() {
            let (lever, more, moment) = own.in_world(body, time);
            (force, torque) = (force + more, torque + moment + lever.cross(more));
        }
        let (inv_mass, inv_inertia) = body.inverses();
        Velocity { linear: (force * (inv_mass * h)).into(), angular: (inv_inertia * (torque * h)).into() }
    }

    /// Whether a force varies with time while the body is at rest.
    pub fn varies(&self) -> bool {
        self.forces.iter().any(|force| force.by_time != ByTime::Constant)
    }
}

/// Adds the change by the forces at `time`, s, within `h` seconds to the velocities of the bodies that `which` selects.
pub(crate) fn add(
    model: &Model,
    bodies: &[Box<Body>],
    velocities: &mut [Velocity],
    which: impl Fn(u32) -> bool,
    (time, h): (f64, f32),
) {
    for own in model.forces.iter().filter(|own| which(own.body)) {
        let change = own.change(&bodies[own.body as usize], time, h);
        let velocity = &mut velocities[own.body as usize];
        velocity.linear += change.linear;
        velocity.angular += change.angular;
    }
}
