//! What the physics does not take, in words: of a shape, a spring, a joint's parameters, what a joint bears. Each mistake
//! with the field in which it is.

use std::f32::consts::PI;
use std::fmt::Display;

use super::types::{Breaks, SoftRows, Softness};
use crate::physics::angle::Angle;
use crate::physics::joints::{JointKind, Parameter, Role};
use crate::physics::parts::swing_twist::SwingLimit;
use crate::physics::shape::Shape;
use crate::physics::softness::{MAX_DAMPING, MAX_HERTZ};

/// A field, and what is wrong there.
pub(super) type Wrong = (&'static str, String);

/// What is wrong with a shape's sizes, if anything.
pub(super) fn shape(shape: &Shape) -> Option<Wrong> {
    match shape {
        Shape::Box { half } => half.to_array().into_iter().find_map(|v| positive("half", "half extents", v)),
        Shape::Sphere { radius } => positive("radius", "radius", *radius),
        Shape::Capsule { radius, half_length } | Shape::Cylinder { radius, half_length } => {
            let length = || positive("half_length", "half_length", *half_length);
            positive("radius", "radius", *radius).or_else(length)
        }
        Shape::Hull { points } if points.iter().any(|p| !p.is_finite()) => {
            Some(("points", "points must be finite".into()))
        }
        Shape::Hull { points } if points.len() < 4 => {
            Some(("", format!("a hull needs at least four points, not {}", points.len())))
        }
        Shape::Hull { .. } => {
            let flat = "the hull is degenerate: its points must not lie in one plane";
            shape.solid().is_none().then(|| ("", flat.into()))
        }
    }
}

/// What is wrong with a spring's numbers, if anything.
pub(super) fn softness(Softness { hertz, damping_ratio }: Softness) -> Option<Wrong> {
    frequency(hertz).or_else(|| damping(damping_ratio))
}

fn frequency(hertz: f32) -> Option<Wrong> {
    let wrong = !(0.0..=MAX_HERTZ).contains(&hertz);
    wrong.then(|| ("hertz", format!("hertz must lie between 0 and {MAX_HERTZ}, not {hertz}")))
}

fn damping(ratio: f32) -> Option<Wrong> {
    let wrong = !(0.0..=MAX_DAMPING).contains(&ratio);
    wrong.then(|| ("damping_ratio", format!("damping_ratio must lie between 0 and {MAX_DAMPING}, not {ratio}")))
}

/// What is wrong with a joint's soft rows, if anything: which, and what there.
pub(super) fn soft_rows(rows: &SoftRows) -> Option<(&'static str, Wrong)> {
    let all = [("anchor", rows.anchor), ("axis", rows.axis), ("limit", rows.limit)];
    all.into_iter().find_map(|(name, soft)| Some((name, softness(soft?)?)))
}

/// What is wrong with what a joint is to bear, if anything.
pub(super) fn breaks(breaks: &Breaks) -> Option<Wrong> {
    if breaks.force.is_none() && breaks.torque.is_none() {
        return Some(("", "breaks needs a `force` in N or a `torque` in N·m".into()));
    }
    let all = [("force", breaks.force), ("torque", breaks.torque)];
    all.into_iter().find_map(|(name, value)| positive(name, name, value?))
}

/// What is wrong with the parameters of a joint, if anything.
pub(super) fn kind(kind: &JointKind) -> Option<Wrong> {
    let mut kind = *kind;
    kind.parameters().into_iter().find_map(|Parameter { name, role, .. }| {
        let spring = |soft: Softness, what: &str, rest: f32| {
            let infinite = || (!rest.is_finite()).then(|| format!("spring {what} must be finite, not {rest}"));
            softness(soft).map(|(_, wrong)| format!("spring {wrong}")).or_else(infinite)
        };
        let wrong = match role {
            Role::AngleLimit(limit) => limit.and_then(|(min, max)| {
                let what = if name == "limit" { "angle" } else { name };
                limits(what, (min.radians(), max.radians()), (min, max))
            }),
            Role::SlideLimit(limit) => limit.and_then(|limit| limits("slide", limit, limit)),
            Role::Swing(limit) => limit.get().and_then(swing),
            Role::AngularMotor(motor) => motor.get().and_then(|m| drive("max_torque", m.speed, m.max_torque)),
            Role::LinearMotor(motor) => motor.get().and_then(|m| drive("max_force", m.speed, m.max_force)),
            Role::AngularSpring(own) => own.and_then(|s| {
                let soft = Softness { hertz: s.hertz, damping_ratio: s.damping_ratio };
                spring(soft, "angle", s.angle.radians())
            }),
            Role::LinearSpring(own) => own.and_then(|s| {
                let soft = Softness { hertz: s.hertz, damping_ratio: s.damping_ratio };
                spring(soft, "slide", s.slide)
            }),
            Role::Length(length) => length.and_then(|length| positive(name, name, length)).map(|(_, what)| what),
            Role::Hertz(hertz) => frequency(*hertz).map(|(_, what)| what),
            Role::DampingRatio(ratio) => damping(*ratio).map(|(_, what)| what),
            Role::HingeForm(_) | Role::OrientationForm(_) => None,
        };
        wrong.map(|what| (name, what))
    })
}

fn positive(field: &'static str, what: &str, v: f32) -> Option<Wrong> {
    (!(v > 0.0 && v.is_finite())).then(|| (field, format!("{what} must be positive and finite, not {v}")))
}

fn swing(limit: SwingLimit) -> Option<String> {
    let (SwingLimit::Cone(s) | SwingLimit::Ellipse(s, _) | SwingLimit::Pyramid(s, _)) = limit;
    let (SwingLimit::Ellipse(_, t) | SwingLimit::Pyramid(_, t) | SwingLimit::Cone(t)) = limit;
    let wrong = [s, t].into_iter().find(|s: &Angle| !(0.01..=PI).contains(&s.radians()));
    wrong.map(|s| format!("swing half angles must lie between 0.01 and π (180°), not {s}"))
}

/// Least and greatest in radians or metres, and as they are written.
fn limits<T: Display>(what: &str, values: (f32, f32), (min, max): (T, T)) -> Option<String> {
    if !(values.0.is_finite() && values.1.is_finite()) {
        Some(format!("{what} limits must be finite"))
    } else if values.0 > values.1 {
        Some(format!("{what} limits are the wrong way round: {min} is above {max}"))
    } else {
        None
    }
}

fn drive(what: &str, speed: f32, cap: f32) -> Option<String> {
    if !speed.is_finite() {
        Some(format!("the motor's speed must be finite, not {speed}"))
    } else if !(cap >= 0.0 && cap.is_finite()) {
        Some(format!("{what} must be zero or more and finite, not {cap}"))
    } else {
        None
    }
}
