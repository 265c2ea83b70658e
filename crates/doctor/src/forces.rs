//! Forces that have no effect, because their body is not moved by forces.

use glam::{Mat3, Vec3};

use super::{DoctorCase, Finding, Rule, Severity};
use delassus_physics::body::Motion;

pub fn examine(case: &DoctorCase<'_>, found: &mut Vec<Finding>) {
    for own in &case.world.model.forces {
        let body = &case.world.state.bodies[own.body as usize];
        let name = case.body(own.body);
        let turned = |force: &delassus_physics::force::Force| force.torque != Vec3::ZERO || force.at.is_some();
        let (what, cure) = match body.motion {
            Motion::Static | Motion::Kinematic => {
                let kind = if body.motion == Motion::Static { "static" } else { "kinematic" };
                (format!("{name} is {kind}: forces and drag do not move it."), "Make it dynamic, or remove them.")
            }
            Motion::Dynamic if body.inv_inertia_local == Mat3::ZERO && own.forces.iter().any(turned) => (
                format!("{name} is a particle: a torque, or a force off its centre, does not rotate it."),
                "Make it an ordinary body, not a particle, or remove the torque.",
            ),
            Motion::Dynamic => continue,
        };
        found.push(Finding {
            rule: Rule::Unmoved,
            severity: Severity::Warning,
            bodies: vec![own.body],
            joints: Vec::new(),
            what,
            cure: cure.into(),
            fix: None,
        });
    }
}
