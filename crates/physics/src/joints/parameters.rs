//! The parameters of the joint kinds: each with its field name in files, its meaning and its role. Code that reads,
//! shows, mirrors or fixes joints goes by roles, so a new kind with known roles needs no change there, and the
//! compiler finds the places that must handle a new role.

use glam::Vec3;

use super::{
    AngularDrive, AngularServo, AngularSpring, LinearDrive, LinearServo, LinearSpring, RotationVector, SlideAxis,
    TurnAxis,
};
use crate::angle::Angle;
use crate::formulation::{HingeForm, OrientationForm};
use crate::primitives::profile::Profile;
use crate::primitives::swing_twist::SwingLimit;
use crate::primitives::written::{Bound, Bounds, Rows, Values};
use crate::quantity::{self, UnitRange};
use crate::row::{Damping, Softness, SpringRate};

/// A parameter of a joint kind, borrowed to be read or changed.
#[derive(Debug)]
pub struct Parameter<'a> {
    /// Its field in files.
    pub name: &'static str,
    /// Its meaning, in a few words.
    pub what: &'static str,
    pub role: Role<'a>,
}

/// What a parameter does, with a reference to its value.
#[derive(Debug)]
pub enum Role<'a> {
    /// The angle that counts as zero, from the pose of the scene.
    AngleZero(&'a mut Angle),
    /// The slide that counts as zero, from where the anchors coincide, m.
    SlideZero(&'a mut f32),
    /// Least and greatest angle about the axis; free if none.
    AngleLimit(&'a mut Option<(Angle, Angle)>),
    /// Least and greatest slide along the axis, m; free if none.
    SlideLimit(&'a mut Option<(f32, f32)>),
    /// Limit on the angle between B's axis and A's.
    Swing(Given<'a, SwingLimit>),
    AngularMotor(Given<'a, AngularDrive>),
    LinearMotor(Given<'a, LinearDrive>),
    AngularServo(&'a mut Option<AngularServo>),
    LinearServo(&'a mut Option<LinearServo>),
    AngularSpring(&'a mut Option<AngularSpring>),
    LinearSpring(&'a mut Option<LinearSpring>),
    /// One of several slides: locked, or free with a limit and a servo of its own.
    SlideAxis(&'a mut SlideAxis),
    /// One of several angles: the same.
    TurnAxis(&'a mut TurnAxis),
    /// The rotation from A's frame to the axes along and about which the joint's motions are counted.
    Axes(&'a mut RotationVector),
    /// The rotation that counts as zero, from the pose of the scene, in these axes.
    RotationZero(&'a mut RotationVector),
    /// Distance between the anchors, m, above 0; their distance in the scene if none.
    Length(&'a mut Option<f32>),
    /// Pitch radius, m, not zero.
    Radius(&'a mut f32),
    /// Slide for each turn, m, not zero; positive for a right-hand thread.
    Lead(&'a mut f32),
    /// Frequency, Hz, or stiffness, N/m, of the joint's one spring; zero switches it off. The field is named after it.
    SpringRate(&'a mut SpringRate),
    /// Damping ratio or coefficient, N·s/m, of the joint's one spring. The field is named after it.
    Damping(&'a mut Damping),
    /// A number with a value for where it is left out: friction, damping, armature, the ratio of a pulley.
    Coefficient(Coefficient<'a>),
    /// A point that is fixed in the world, m.
    Place(&'a mut Vec3),
    /// Angle over which a rope touches its sheaves.
    Wrap(&'a mut Angle),
    /// Radii of a closed curve at equal angles, m, above 0.
    Profile(&'a mut Profile),
    /// Errors of rows as expressions of the poses.
    Rows(&'a mut Rows),
    /// What each of these errors may be.
    Bounds(&'a mut Bounds),
    /// Values of the names in these expressions.
    Values(&'a mut Values),
    /// A feature of the joint that is off unless it is switched on.
    Switch(&'a mut bool),
    /// Form of the axis rows; as in the settings if none.
    HingeForm(&'a mut Option<HingeForm>),
    /// Form of the orientation rows; as in the settings if none.
    OrientationForm(&'a mut Option<OrientationForm>),
}

/// A number with its unit and range.
#[derive(Debug)]
pub struct Coefficient<'a> {
    pub value: &'a mut f32,
    pub of: UnitRange,
    /// What it is where it is left out.
    pub usual: f32,
}

/// A numeric value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// The part of the parameter to which it belongs, where the parameter has parts.
    pub part: Option<&'static str>,
    /// Its field within the parameter, or within its part; empty if it is that itself.
    pub field: &'static str,
    pub quantity: UnitRange,
    /// In the quantity's unit.
    pub value: f32,
}

impl Number {
    /// The numbers of a spring whose stiffness and damping coefficient have these units.
    pub fn of_spring(softness: &Softness, stiffness: UnitRange, damping: UnitRange) -> [Self; 2] {
        [Self::of_rate(softness.rate, stiffness), Self::of_damping(softness.damping, damping)]
    }

    fn of_rate(rate: SpringRate, stiffness: UnitRange) -> Self {
        let (field, quantity, value) = match rate {
            SpringRate::Frequency(hertz) => ("hertz", quantity::HERTZ, hertz),
            SpringRate::Stiffness(value) => ("stiffness", stiffness, value),
        };
        Self { part: None, field, quantity, value }
    }

    fn of_damping(damping: Damping, coefficient: UnitRange) -> Self {
        let (field, quantity, value) = match damping {
            Damping::Ratio(ratio) => ("damping_ratio", quantity::DAMPING_RATIO, ratio),
            Damping::Coefficient(value) => ("damping", coefficient, value),
        };
        Self { part: None, field, quantity, value }
    }
}

impl<'a> Parameter<'a> {
    /// How stiff the joint's one spring is.
    pub(super) fn of_rate(rate: &'a mut SpringRate) -> Self {
        let (name, what) = match rate {
            SpringRate::Frequency(_) => ("hertz", "undamped frequency; zero switches it off"),
            SpringRate::Stiffness(_) => ("stiffness", "force per metre of stretch"),
        };
        Self { name, what, role: Role::SpringRate(rate) }
    }

    /// How much it is damped.
    pub(super) fn of_damping(damping: &'a mut Damping) -> Self {
        let (name, what) = match damping {
            Damping::Ratio(_) => ("damping_ratio", "0 swings for ever, 1 comes to rest soonest"),
            Damping::Coefficient(_) => ("damping", "force per metre per second"),
        };
        Self { name, what, role: Role::Damping(damping) }
    }
}

impl Role<'_> {
    /// Its numbers; empty if the parameter is left out.
    pub fn numbers(&self) -> Vec<Number> {
        use quantity::*;
        let number = |field, quantity, value| Number { part: None, field, quantity, value };
        let both = |quantity, (least, greatest)| vec![number("", quantity, least), number("", quantity, greatest)];
        let numbers = match self {
            Self::AngleZero(zero) => Some(vec![number("", ANGLE, zero.radians)]),
            Self::SlideZero(zero) => Some(vec![number("", SLIDE, **zero)]),
            Self::AngleLimit(limit) => super::radians(**limit).map(|limit| both(ANGLE, limit)),
            Self::SlideLimit(limit) => limit.map(|limit| both(SLIDE, limit)),
            Self::Swing(limit) => limit.get().map(|limit| match limit {
                SwingLimit::Cone(half) => vec![number("", HALF_ANGLE, half.radians)],
                SwingLimit::Ellipse(s, t) | SwingLimit::Pyramid(s, t) => both(HALF_ANGLE, (s.radians, t.radians)),
            }),
            Self::AngularMotor(motor) => motor.get().map(|motor| {
                vec![number("speed", MOTOR_SPIN, motor.speed), number("max_torque", MOTOR_TORQUE, motor.max_torque)]
            }),
            Self::LinearMotor(motor) => motor.get().map(|motor| {
                vec![number("speed", MOTOR_SPEED, motor.speed), number("max_force", MOTOR_FORCE, motor.max_force)]
            }),
            Self::AngularServo(own) => own.map(|own| {
                let [rate, damping] = Number::of_spring(&own.softness, ANGULAR_STIFFNESS, ANGULAR_DAMPING);
                vec![
                    number("target", ANGLE, own.target.radians),
                    number("offset", ANGLE, own.offset.radians),
                    number("speed", MOTOR_SPIN, own.speed),
                    rate,
                    damping,
                    number("torque", APPLIED_TORQUE, own.torque),
                    number("max_torque", MOTOR_TORQUE, own.max_torque),
                ]
            }),
            Self::LinearServo(own) => own.map(|own| {
                let [rate, damping] = Number::of_spring(&own.softness, STIFFNESS, DAMPING);
                vec![
                    number("target", SLIDE, own.target),
                    number("offset", SLIDE, own.offset),
                    number("speed", MOTOR_SPEED, own.speed),
                    rate,
                    damping,
                    number("force", APPLIED_FORCE, own.force),
                    number("max_force", MOTOR_FORCE, own.max_force),
                ]
            }),
            Self::AngularSpring(own) => own.map(|own| {
                let [rate, damping] = Number::of_spring(&own.softness, ANGULAR_STIFFNESS, ANGULAR_DAMPING);
                vec![rate, damping, number("angle", ANGLE, own.angle.radians)]
            }),
            Self::LinearSpring(own) => own.map(|own| {
                let [rate, damping] = Number::of_spring(&own.softness, STIFFNESS, DAMPING);
                vec![rate, damping, number("slide", SLIDE, own.slide)]
            }),
            Self::SlideAxis(SlideAxis::Free { limit, servo }) => {
                Some(of_parts(&Role::SlideLimit(&mut { *limit }), &Role::LinearServo(&mut { *servo })))
            }
            Self::TurnAxis(TurnAxis::Free { limit, servo }) => {
                Some(of_parts(&Role::AngleLimit(&mut { *limit }), &Role::AngularServo(&mut { *servo })))
            }
            Self::SlideAxis(SlideAxis::Locked) | Self::TurnAxis(TurnAxis::Locked) => None,
            Self::Axes(vector) | Self::RotationZero(vector) => {
                Some(vector.vector().to_array().map(|angle| number("", ANGLE, angle)).to_vec())
            }
            Self::Length(length) => length.map(|length| vec![number("", LENGTH, length)]),
            Self::Radius(value) => Some(vec![number("", RADIUS, **value)]),
            Self::Lead(value) => Some(vec![number("", LEAD, **value)]),
            Self::SpringRate(rate) => Some(vec![Number { field: "", ..Number::of_rate(**rate, STIFFNESS) }]),
            Self::Damping(damping) => Some(vec![Number { field: "", ..Number::of_damping(**damping, DAMPING) }]),
            Self::Coefficient(Coefficient { value, of, .. }) => Some(vec![number("", *of, **value)]),
            Self::Place(point) => Some(point.to_array().map(|x| number("", PLACE, x)).to_vec()),
            Self::Wrap(angle) => Some(vec![number("", WRAP, angle.radians)]),
            Self::Profile(profile) => Some(profile.radii().iter().map(|r| number("", SIZE, *r)).collect()),
            Self::Bounds(bounds) => {
                let stops = bounds.given().iter().filter_map(|bound| match *bound {
                    Bound::Between(least, most) => Some([least, most]),
                    Bound::Equal | Bound::AtLeast | Bound::AtMost => None,
                });
                Some(stops.flatten().map(|stop| number("", PARAMETER, stop)).collect())
            }
            Self::Values(values) => Some(values.numbers().iter().map(|value| number("", PARAMETER, *value)).collect()),
            Self::Rows(_) | Self::Switch(_) | Self::HingeForm(_) | Self::OrientationForm(_) => None,
        };
        numbers.unwrap_or_default()
    }
}

/// The numbers of a free axis: of its limit and of its servo.
fn of_parts(limit: &Role<'_>, servo: &Role<'_>) -> Vec<Number> {
    let of =
        |part, role: &Role<'_>| role.numbers().into_iter().map(move |number| Number { part: Some(part), ..number });
    of("limit", limit).chain(of("servo", servo)).collect()
}

/// A parameter that the kind always has, or one that may be left out.
#[derive(Debug)]
pub enum Given<'a, T> {
    Always(&'a mut T),
    Maybe(&'a mut Option<T>),
}

impl<T: Copy> Given<'_, T> {
    pub fn get(&self) -> Option<T> {
        match self {
            Self::Always(value) => Some(**value),
            Self::Maybe(value) => **value,
        }
    }

    pub fn get_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Always(value) => Some(value),
            Self::Maybe(value) => value.as_mut(),
        }
    }
}
