//! Radians where degrees look meant.
//!
//! A bare number is in radians: `limit: (-30, 30)` is nearly five turns to either side. Whole or half numbers from 5 up are
//! what one writes in degrees; radians of that size have decimals (2π = 6.283).

use super::{Case, Finding, Fix, Rule, Severity, number};
use crate::physics::angle::Angle;
use crate::physics::joints::JointKind;
use crate::scene::Rotation;

/// Whether an angle is written in radians and looks meant in degrees.
pub fn looks_like_degrees(angle: Angle) -> bool {
    matches!(angle, Angle::Radians(v) if v.abs() >= 5.0 && (2.0 * v).fract() == 0.0)
}

/// The angles of a joint's kind, and what they are.
fn angles(kind: &JointKind) -> Vec<(&'static str, Angle)> {
    let both = |what, range: Option<(Angle, Angle)>| range.into_iter().flat_map(move |(a, b)| [(what, a), (what, b)]);
    match kind {
        JointKind::Hinge(hinge) => {
            both("limit", hinge.limit).chain(hinge.spring.map(|spring| ("spring's angle", spring.angle))).collect()
        }
        JointKind::ConeTwist(joint) => both("twist limit", joint.twist).collect(),
        _ => Vec::new(),
    }
}

/// The same kind with those angles in degrees.
pub fn in_degrees(kind: &mut JointKind) {
    let turn = |angle: &mut Angle| {
        if let (true, Angle::Radians(v)) = (looks_like_degrees(*angle), *angle) {
            *angle = Angle::Degrees(v);
        }
    };
    let both = |range: &mut Option<(Angle, Angle)>| {
        if let Some((least, most)) = range {
            turn(least);
            turn(most);
        }
    };
    match kind {
        JointKind::Hinge(hinge) => {
            both(&mut hinge.limit);
            hinge.spring.iter_mut().for_each(|spring| turn(&mut spring.angle));
        }
        JointKind::ConeTwist(joint) => both(&mut joint.twist),
        _ => {}
    }
}

/// The same rotation with its angles in degrees.
pub fn turned_in_degrees(rotation: &Rotation) -> Rotation {
    let turn = |angle: Angle| match angle {
        Angle::Radians(v) if looks_like_degrees(angle) => Angle::Degrees(v),
        _ => angle,
    };
    match *rotation {
        Rotation::AxisAngle { axis, angle } => Rotation::AxisAngle { axis, angle: turn(angle) },
        Rotation::Euler { x, y, z } => Rotation::Euler { x: turn(x), y: turn(y), z: turn(z) },
        other => other,
    }
}

pub fn examine(case: &Case<'_>, found: &mut Vec<Finding>) {
    for (index, joint) in case.world.joints.iter().enumerate() {
        let all = angles(&joint.def.kind);
        let Some((what, angle)) = all.into_iter().find(|(_, angle)| looks_like_degrees(*angle)) else { continue };
        let v = angle.radians();
        found.push(Finding {
            rule: Rule::Degrees,
            severity: Severity::Warning,
            bodies: vec![joint.def.b, joint.def.a],
            joints: vec![index],
            what: format!(
                "The {what} of {} is {v} rad, which is {} turns: {v}° look meant. A bare number is in radians.",
                case.joint(index),
                number(v / std::f32::consts::TAU)
            ),
            cure: format!("Write `Degrees({v})`, or the radians with their decimals if so many turns are meant."),
            fix: Some(Fix::Degrees { joint: index }),
        });
    }
    let Some(scene) = case.scene else { return };
    for body in &scene.bodies {
        let all = match body.rotation {
            Rotation::AxisAngle { angle, .. } => vec![angle],
            Rotation::Euler { x, y, z } => vec![x, y, z],
            Rotation::Quaternion(_) => Vec::new(),
        };
        let Some(v) = all.into_iter().find(|angle| looks_like_degrees(*angle)).map(Angle::radians) else { continue };
        let Some(id) = case.bodies.iter().position(|name| *name == body.name).filter(|id| *id > 0) else { continue };
        found.push(Finding {
            rule: Rule::Degrees,
            severity: Severity::Warning,
            bodies: vec![id as u32],
            joints: Vec::new(),
            what: format!(
                "The rotation of {} has an angle of {v} rad, which is {} turns: {v}° look meant. A bare number is in radians.",
                body.name,
                number(v / std::f32::consts::TAU)
            ),
            cure: format!("Write `Degrees({v})`."),
            fix: Some(Fix::TurnInDegrees { body: id as u32 }),
        });
    }
}
