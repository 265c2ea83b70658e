//! Reasons, in words, why the physics refuses a shape, a spring, joint parameters or a break limit. Each comes with
//! the field concerned.

use std::f32::consts::PI;
use std::fmt::Display;

use super::breaking::limits::Breaks;
use super::inertia::{self, Inertia};
use super::joints::{JointKind, Number, Parameter, Role, SlideAxis, TurnAxis};
use super::quantity::{self, UnitRange};
use super::row::Softness;
use super::shape::{MAX_PARTS, Shape, ShapePart};
use super::softness::SoftRows;

/// A field, and what is wrong with it.
pub type Wrong = (&'static str, String);

/// The place of what is wrong with a joint's parameters: the parameter, and the fields within it.
pub type WrongPlace = Vec<&'static str>;

/// The range of a quantity in words.
pub fn range(quantity: &UnitRange) -> String {
    let upper = if quantity.max == PI { "π".into() } else { quantity.max.to_string() };
    match (quantity.min, quantity.max) {
        (f32::MIN_POSITIVE, f32::MAX) => "above 0".into(),
        (f32::MIN_POSITIVE, _) => format!("above 0, at most {upper}"),
        (0.0, f32::MAX) => "0 and more".into(),
        (_, f32::MAX) => String::new(),
        (least, greatest) if least == -greatest => format!("within ±{upper}"),
        (least, _) => format!("{least} to {upper}"),
    }
}

/// What is wrong with a number called `name`, if anything.
pub fn number(quantity: &UnitRange, name: &str, value: f32) -> Option<String> {
    if !value.is_finite() {
        Some(format!("{name} must be finite, not {value}"))
    } else if !quantity.accepts(value) {
        Some(format!("{name} must be {}, not {value}", range(quantity)))
    } else {
        None
    }
}

fn field(quantity: &UnitRange, name: &'static str, value: f32) -> Option<Wrong> {
    number(quantity, name, value).map(|what| (name, what))
}

/// What is wrong with a shape's dimensions, if anything.
pub fn shape(shape: &Shape) -> Option<Wrong> {
    let size = |name, value| field(&quantity::SIZE, name, value);
    match shape {
        Shape::Box { half } => half.to_array().into_iter().find_map(|v| size("half", v)),
        Shape::Sphere { radius } => size("radius", *radius),
        Shape::Capsule { radius, half_length } | Shape::Cylinder { radius, half_length } => {
            size("radius", *radius).or_else(|| size("half_length", *half_length))
        }
        Shape::Hull { points } if points.iter().any(|p| !p.is_finite()) => {
            Some(("points", "points must be finite".into()))
        }
        Shape::Hull { points } if points.len() < 4 => {
            Some(("", format!("a hull needs at least four points, not {}", points.len())))
        }
        Shape::Hull { .. } => {
            let flat = "the hull is degenerate: its points must not lie in one plane, nor nearer to one than \
                        a hundred-thousandth of its size";
            shape.solid().is_none().then(|| ("", flat.into()))
        }
        Shape::Compound { parts } => compound(parts),
    }
}

/// What is wrong with the number of a compound's parts, if anything.
pub fn part_count(parts: &[ShapePart]) -> Option<Wrong> {
    match parts.len() {
        0 => Some(("parts", "a compound needs at least one part".into())),
        1..=MAX_PARTS => None,
        many => Some(("parts", format!("a compound has at most {MAX_PARTS} parts, not {many}"))),
    }
}

/// What is wrong with a part of a compound, apart from the dimensions of its shape: the field, and why.
pub fn part(part: &ShapePart) -> Option<Wrong> {
    if matches!(part.shape, Shape::Compound { .. }) {
        return Some(("shape", "a part of a compound is no compound itself: list all parts in one".into()));
    }
    let place = part.at.to_array().into_iter().find_map(|v| field(&quantity::PLACE, "at", v));
    place.or_else(|| part.rotation.quat().err().map(|what| ("rotation", what)))
}

/// What is wrong with a compound as a whole, in words that name the part.
fn compound(parts: &[ShapePart]) -> Option<Wrong> {
    let wrong = |of: &ShapePart| part(of).or_else(|| shape(&of.shape)).map(|(_, what)| what);
    let of_part = |(number, of)| wrong(of).map(|what| ("parts", format!("part {number}: {what}")));
    part_count(parts).or_else(|| (1..).zip(parts).find_map(of_part))
}

/// What is wrong with an inertia tensor, if anything: an element, or (with an empty field) the whole.
pub fn inertia(inertia: &Inertia) -> Option<Wrong> {
    let Inertia { xx, yy, zz, xy, xz, yz } = *inertia;
    let moment = |name, value| field(&quantity::MOMENT, name, value);
    let product = |name, value| field(&quantity::PRODUCT, name, value);
    let elements = [moment("xx", xx), moment("yy", yy), moment("zz", zz)];
    let products = [product("xy", xy), product("xz", xz), product("yz", yz)];
    let element = elements.into_iter().chain(products).flatten().next();
    element.or_else(|| inertia::refusal(inertia).map(|what| ("", what)))
}

/// What is wrong with a spring's parameters, if anything.
pub fn softness(softness: Softness) -> Option<Wrong> {
    Number::of_spring(&softness, quantity::STIFFNESS, quantity::DAMPING)
        .into_iter()
        .find_map(|parameter| field(&parameter.quantity, parameter.field, parameter.value))
}

/// What is wrong with a joint's soft rows, if anything, and in which row group.
pub fn soft_rows(rows: &SoftRows) -> Option<(&'static str, Wrong)> {
    let all = [("anchor", rows.anchor), ("axis", rows.axis), ("limit", rows.limit)];
    all.into_iter().find_map(|(name, soft)| Some((name, softness(soft?)?)))
}

/// What is wrong with a joint's break limits, if anything.
pub fn breaks(breaks: &Breaks) -> Option<Wrong> {
    if breaks.force.is_none() && breaks.torque.is_none() {
        return Some(("", "breaks needs a `force` in N or a `torque` in N·m".into()));
    }
    let force = breaks.force.and_then(|force| field(&quantity::FORCE, "force", force));
    force.or_else(|| field(&quantity::TORQUE, "torque", breaks.torque?))
}

/// What is wrong with a joint's parameters, if anything, and where.
pub fn kind(kind: &JointKind) -> Option<(WrongPlace, String)> {
    if kind.motor().is_some() && kind.servo().is_some() {
        return Some((vec!["servo"], "give a motor or a servo, not both".into()));
    }
    if let JointKind::Formula(formula) = kind
        && let Some(wrong) = formula.mistake()
    {
        return Some(wrong);
    }
    let mut kind = *kind;
    kind.parameters().into_iter().find_map(|Parameter { name, role, .. }| {
        let wrong = role.numbers().into_iter().find_map(|parameter| {
            let place = [parameter.part.unwrap_or_default(), parameter.field];
            let called = place.into_iter().rfind(|part| !part.is_empty()).unwrap_or(name);
            number(&parameter.quantity, called, parameter.value).map(|what| (place, what))
        });
        let limit = |what: String| (["limit", ""], what);
        let crossed = || match &role {
            Role::AngleLimit(limit) => limit.and_then(|(min, max)| crossed(min, max, min.radians > max.radians)),
            Role::SlideLimit(limit) => limit.and_then(|(min, max)| crossed(min, max, min > max)),
            // These are not pairs that could be in the wrong order.
            Role::Swing(_) | Role::Length(_) | Role::AngularMotor(_) | Role::LinearMotor(_) => None,
            Role::AngularSpring(_) | Role::LinearSpring(_) | Role::SpringRate(_) | Role::Damping(_) => None,
            Role::AngularServo(_) | Role::LinearServo(_) | Role::AngleZero(_) | Role::SlideZero(_) => None,
            Role::Coefficient(_) | Role::HingeForm(_) | Role::OrientationForm(_) => None,
            Role::Radius(_) | Role::Lead(_) | Role::Place(_) | Role::Wrap(_) => None,
            Role::Profile(_) | Role::Switch(_) | Role::Rows(_) | Role::Bounds(_) | Role::Values(_) => None,
            Role::SlideAxis(_) | Role::TurnAxis(_) | Role::Axes(_) | Role::RotationZero(_) => None,
        };
        let wrong = wrong.or_else(|| match &role {
            Role::Radius(value) | Role::Lead(value) if **value == 0.0 => {
                Some((["", ""], format!("the {name} must not be zero")))
            }
            Role::Profile(profile) if profile.extremes().0 <= 0.0 => {
                Some((["", ""], "the profile goes through its axis between two radii: give more of them".into()))
            }
            Role::SlideAxis(SlideAxis::Free { limit: Some((min, max)), .. }) => {
                crossed_limit(min, max, min > max).map(limit)
            }
            Role::TurnAxis(TurnAxis::Free { limit: Some((min, max)), .. }) => {
                let far = [min, max].into_iter().find(|stop| stop.radians.abs() > HALF_TURN);
                let far = far.map(|stop| format!("a limit must be within half a turn, not {stop}"));
                far.or_else(|| crossed_limit(min, max, min.radians > max.radians)).map(limit)
            }
            _ => None,
        });
        let crossed = || Some((["", ""], format!("the {name} is the wrong way round: {}", crossed()?)));
        let (place, what) = wrong.or_else(crossed)?;
        Some((std::iter::once(name).chain(place.into_iter().filter(|part| !part.is_empty())).collect(), what))
    })
}

/// Half a turn, rad, and what 32 bits may add to it.
const HALF_TURN: f32 = PI + 1e-6;

fn crossed_limit(min: impl Display, max: impl Display, are: bool) -> Option<String> {
    Some(format!("the limit is the wrong way round: {}", crossed(min, max, are)?))
}

/// The message for stops in the wrong order, with the values as written in files.
fn crossed(min: impl Display, max: impl Display, are: bool) -> Option<String> {
    are.then(|| format!("{min} is above {max}"))
}
