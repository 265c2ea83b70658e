//! What a kind of joint can be told, said once: each parameter with its name in files, its meaning and its role.
//! Whoever reads, shows, mirrors or mends joints goes by roles, so that a new kind of known roles is known everywhere,
//! and a new role is missed nowhere.

use super::{AngularDrive, AngularSpring, LinearDrive, LinearSpring};
use crate::physics::angle::Angle;
use crate::physics::formulation::{HingeForm, OrientationForm};
use crate::physics::primitives::swing_twist::SwingLimit;
use crate::physics::quantity::{self, UnitRange};

/// A parameter of a kind, lent to be read or changed.
#[derive(Debug)]
pub struct Parameter<'a> {
    /// Its field in files.
    pub name: &'static str,
    /// What it says.
    pub what: &'static str,
    pub role: Role<'a>,
}

/// What a parameter does.
#[derive(Debug)]
pub enum Role<'a> {
    /// Least and greatest angle about the axis, zero in the pose of the scene; free if none.
    AngleLimit(&'a mut Option<(Angle, Angle)>),
    /// Least and greatest slide along the axis, m; free if none.
    SlideLimit(&'a mut Option<(f32, f32)>),
    /// How far B's axis may lean from A's.
    Swing(Given<'a, SwingLimit>),
    AngularMotor(Given<'a, AngularDrive>),
    LinearMotor(Given<'a, LinearDrive>),
    AngularSpring(&'a mut Option<AngularSpring>),
    LinearSpring(&'a mut Option<LinearSpring>),
    /// A distance between the anchors, m, above 0; theirs in the scene if none.
    Length(&'a mut Option<f32>),
    /// Undamped frequency of the joint's one spring, Hz, 0 or more; zero switches it off.
    Hertz(&'a mut f32),
    /// Damping of the joint's one spring, 0 or more: 0 swings for ever, 1 comes to rest soonest.
    DampingRatio(&'a mut f32),
    /// How the axes' rows are written; as the setting says if none.
    HingeForm(&'a mut Option<HingeForm>),
    /// How the orientation's rows are written; as the setting says if none.
    OrientationForm(&'a mut Option<OrientationForm>),
}

/// A number of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// Its field within the parameter; empty where it is the parameter itself.
    pub field: &'static str,
    pub quantity: UnitRange,
    /// In the quantity's unit.
    pub value: f32,
}

impl Role<'_> {
    /// Its numbers as they are: none where it is left out.
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

/// A parameter that a kind always has, or that may be left out.
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
