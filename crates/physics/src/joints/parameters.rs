//! The parameters of the joint kinds: each with its field name in files, its meaning and its role. Code that reads,
//! shows, mirrors or fixes joints goes by roles, so a new kind with known roles needs no change there, and the
//! compiler finds the places that must handle a new role.

use super::{AngularDrive, AngularSpring, LinearDrive, LinearSpring};
use crate::angle::Angle;
use crate::formulation::{HingeForm, OrientationForm};
use crate::primitives::swing_twist::SwingLimit;
use crate::quantity::{self, UnitRange};

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
    /// Least and greatest angle about the axis, zero in the pose of the scene; free if none.
    AngleLimit(&'a mut Option<(Angle, Angle)>),
    /// Least and greatest slide along the axis, m; free if none.
    SlideLimit(&'a mut Option<(f32, f32)>),
    /// Limit on the angle between B's axis and A's.
    Swing(Given<'a, SwingLimit>),
    AngularMotor(Given<'a, AngularDrive>),
    LinearMotor(Given<'a, LinearDrive>),
    AngularSpring(&'a mut Option<AngularSpring>),
    LinearSpring(&'a mut Option<LinearSpring>),
    /// Distance between the anchors, m, above 0; their distance in the scene if none.
    Length(&'a mut Option<f32>),
    /// Undamped frequency of the joint's one spring, Hz, 0 or more; zero switches it off.
    Hertz(&'a mut f32),
    /// Damping ratio of the joint's one spring, 0 or more: 0 undamped, 1 critically damped.
    DampingRatio(&'a mut f32),
    /// Form of the axis rows; as in the settings if none.
    HingeForm(&'a mut Option<HingeForm>),
    /// Form of the orientation rows; as in the settings if none.
    OrientationForm(&'a mut Option<OrientationForm>),
}

/// A numeric value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// Its field within the parameter; empty if it is the parameter itself.
    pub field: &'static str,
    pub quantity: UnitRange,
    /// In the quantity's unit.
    pub value: f32,
}

impl Role<'_> {
    /// Its numbers; empty if the parameter is left out.
    pub fn numbers(&self) -> Vec<Number> {
        use quantity::*;
        let number = |field, quantity, value| Number { field, quantity, value };
        let both = |quantity, (least, greatest)| vec![number("", quantity, least), number("", quantity, greatest)];
        let spring =
            |hertz, damping| vec![number("hertz", HERTZ, hertz), number("damping_ratio", DAMPING_RATIO, damping)];
        let numbers = match self {
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
            Self::AngularSpring(own) => own.map(|own| {
                let mut numbers = spring(own.hertz, own.damping_ratio);
                numbers.push(number("angle", ANGLE, own.angle.radians));
                numbers
            }),
            Self::LinearSpring(own) => own.map(|own| {
                let mut numbers = spring(own.hertz, own.damping_ratio);
                numbers.push(number("slide", SLIDE, own.slide));
                numbers
            }),
            Self::Length(length) => length.map(|length| vec![number("", LENGTH, length)]),
            Self::Hertz(hertz) => Some(vec![number("", HERTZ, **hertz)]),
            Self::DampingRatio(ratio) => Some(vec![number("", DAMPING_RATIO, **ratio)]),
            Self::HingeForm(_) | Self::OrientationForm(_) => None,
        };
        numbers.unwrap_or_default()
    }
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
