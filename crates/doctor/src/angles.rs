//! Angles in radians that are probably meant in degrees.
//!
//! A bare number is in radians: `limit: (-30, 30)` is nearly five turns to either side. Whole or half numbers from 5
//! up are typical of degrees; angles of that size in radians have decimals (2π = 6.283).

use super::words::number;
use super::{DoctorCase, Finding, Fix, Rule, Severity};
use delassus_physics::angle::Angle;
use delassus_physics::joints::{JointKind, Parameter, Role, RotationVector, TurnAxis};
use delassus_scene::Rotation;

/// Whether an angle in radians has a value that is typical of degrees.
pub fn looks_like_degrees(angle: Angle) -> bool {
    angle.radians.abs() >= 5.0 && (2.0 * angle.radians).fract() == 0.0
}

/// Visits the angles of a joint's kind that are checked, with a description of each.
fn each_angle(kind: &mut JointKind, mut visit: impl FnMut(String, &mut Angle)) {
    for Parameter { name, role, .. } in kind.parameters() {
        match role {
            Role::AngleLimit(Some((min, max))) => {
                let what = if name == "limit" { name.to_owned() } else { format!("{name} limit") };
                [min, max].into_iter().for_each(|angle| visit(what.clone(), angle));
            }
            Role::AngleZero(zero) => visit(name.to_owned(), zero),
            Role::AngularServo(Some(servo)) => {
                visit(format!("{name}'s target"), &mut servo.target);
                visit(format!("{name}'s offset"), &mut servo.offset);
            }
            Role::AngularServo(None) | Role::LinearServo(_) | Role::SlideZero(_) => {}
            Role::AngularSpring(Some(spring)) => visit(format!("{name}'s angle"), &mut spring.angle),
            // Swings and motors have their own ranges, in which such numbers are rejected or intended.
            Role::AngleLimit(None) | Role::AngularSpring(None) | Role::Swing(_) => {}
            Role::AngularMotor(_) | Role::LinearMotor(_) | Role::SlideLimit(_) | Role::LinearSpring(_) => {}
            Role::Length(_) | Role::SpringRate(_) | Role::Damping(_) => {}
            Role::Coefficient(_) | Role::HingeForm(_) | Role::OrientationForm(_) => {}
            Role::Radius(_) | Role::Lead(_) | Role::Place(_) | Role::SlideAxis(_) => {}
            Role::Profile(_) | Role::Switch(_) | Role::Rows(_) | Role::Bounds(_) | Role::Values(_) => {}
            Role::Wrap(angle) => visit(name.to_owned(), angle),
            Role::TurnAxis(TurnAxis::Free { servo: Some(servo), .. }) => {
                visit(format!("{name}'s target"), &mut servo.target);
                visit(format!("{name}'s offset"), &mut servo.offset);
            }
            // Limits beyond half a turn are refused.
            Role::TurnAxis(TurnAxis::Free { servo: None, .. } | TurnAxis::Locked) => {}
            Role::Axes(vector) | Role::RotationZero(vector) => {
                let RotationVector(x, y, z) = vector;
                [x, y, z].into_iter().for_each(|angle| visit(name.to_owned(), angle));
            }
        }
    }
}

/// Converts the angles that are probably meant in degrees.
pub fn in_degrees(kind: &mut JointKind) {
    each_angle(kind, |_, angle| {
        *angle = probable(*angle);
    });
}

/// The angle that was probably meant: its number in degrees if it looks like degrees.
fn probable(angle: Angle) -> Angle {
    if looks_like_degrees(angle) { Angle::degrees(angle.radians) } else { angle }
}

/// The rotation with its angles converted in the same way.
pub fn turned_in_degrees(rotation: &Rotation) -> Rotation {
    match *rotation {
        Rotation::AxisAngle { axis, angle } => Rotation::AxisAngle { axis, angle: probable(angle) },
        Rotation::Euler { x, y, z } => Rotation::Euler { x: probable(x), y: probable(y), z: probable(z) },
        other => other,
    }
}

pub fn examine(case: &DoctorCase<'_>, found: &mut Vec<Finding>) {
    for (index, joint) in case.world.state.joints.iter().enumerate() {
        let (mut kind, mut first) = (joint.def.kind, None);
        each_angle(&mut kind, |what, angle| {
            if looks_like_degrees(*angle) {
                first.get_or_insert((what, *angle));
            }
        });
        let Some((what, angle)) = first else { continue };
        let v = angle.radians;
        found.push(Finding {
            rule: Rule::Degrees,
            severity: Severity::Warning,
            bodies: vec![joint.def.b, joint.def.a],
            joints: vec![index],
            what: format!(
                "The {what} of {} is {v} rad, which is {} turns: {v}° was probably meant. A bare number is in radians.",
                case.joint(index),
                number(v / std::f32::consts::TAU)
            ),
            cure: format!("Write `Degrees({v})`. If you do mean that many turns, write the radians with decimals."),
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
        let Some(v) = all.into_iter().find(|angle| looks_like_degrees(*angle)).map(|angle| angle.radians) else {
            continue;
        };
        let Some(id) = case.bodies.iter().position(|name| *name == body.name).filter(|id| *id > 0) else { continue };
        found.push(Finding {
            rule: Rule::Degrees,
            severity: Severity::Warning,
            bodies: vec![id as u32],
            joints: Vec::new(),
            what: format!(
                "The rotation of {} has an angle of {v} rad, which is {} turns: {v}° was probably meant. A bare number \
                 is in radians.",
                body.name,
                number(v / std::f32::consts::TAU)
            ),
            cure: format!("Write `Degrees({v})`."),
            fix: Some(Fix::TurnInDegrees { body: id as u32 }),
        });
    }
}
