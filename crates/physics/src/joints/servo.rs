//! Servos: a drive that leads a joint's value to a target with a stiffness and a damping, and its fields in files. And
//! free axes, which may have one.
//!
//! ```text
//! τ = τ₀ + k (θ* − θ) + c (θ*' + ω* − θ'),  |τ| ≤ cap       θ* = offset + s(t) target,  ω* = s(t) speed
//! ```
//! s is the joint's function of time (`force/mod.rs`), τ₀ a constant torque that is known beforehand. Without a stiffness
//! it is a damper that aims at a speed. `servo.rs`, one level up, says how its row is solved.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::{UNBOUNDED, is_unbounded, unbounded};
use crate::angle::Angle;
use crate::row::{
    Damping, Group, Jacobian, JointFrames, RowKind, RowList, ServoRow, Softness, SpringFields, SpringRate,
};
use crate::setting::is_default;

/// A servo about a joint's axis. Its frequency and damping ratio are those of the motion that the joint leaves to its
/// two bodies; its stiffness is in N·m/rad, its damping coefficient in N·m·s/rad.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "AngularFields", into = "AngularFields")]
pub struct AngularServo {
    pub softness: Softness,
    /// Target angle; the joint's function of time multiplies it.
    pub target: Angle,
    /// Added to the target, constant.
    pub offset: Angle,
    /// Speed at which the damper aims, besides that of the target, rad/s; the function of time multiplies it.
    pub speed: f32,
    /// Constant torque on B that is added, N·m.
    pub torque: f32,
    /// The largest torque that it may apply, N·m.
    pub max_torque: f32,
}

/// A servo along a joint's axis. Its frequency and damping ratio are those of the motion that the joint leaves to its two
/// bodies; its stiffness is in N/m, its damping coefficient in N·s/m.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "LinearFields", into = "LinearFields")]
pub struct LinearServo {
    pub softness: Softness,
    /// Target slide, m; the joint's function of time multiplies it.
    pub target: f32,
    /// Added to the target, constant, m.
    pub offset: f32,
    /// Speed at which the damper aims, besides that of the target, m/s; the function of time multiplies it.
    pub speed: f32,
    /// Constant force on B that is added, N.
    pub force: f32,
    /// The largest force that it may apply, N.
    pub max_force: f32,
}

/// Adds the row of a servo to a joint whose value is `value`, rad or m.
pub(super) fn row(servo: Servo, value: f32, along: Jacobian, (frames, slot): (&JointFrames, u8), rows: &mut RowList) {
    let Servo { softness, target, offset, speed, force, cap } = servo;
    let [start, end] = frames.by_time;
    let kind = RowKind::Servo(ServoRow {
        c: value - offset - start * target,
        advance: (end - start) * target,
        speed: 0.5 * (start + end) * speed,
        softness,
        force,
        cap,
    });
    rows.push(Group::Motor, slot, along, kind);
}

/// A servo of either kind, in rad and N·m or in m and N.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Servo {
    pub softness: Softness,
    pub target: f32,
    pub offset: f32,
    pub speed: f32,
    /// The constant torque or force.
    pub force: f32,
    pub cap: f32,
}

impl From<AngularServo> for Servo {
    fn from(servo: AngularServo) -> Self {
        let AngularServo { softness, target, offset, speed, torque, max_torque } = servo;
        let (target, offset) = (target.radians, offset.radians);
        Self { softness, target, offset, speed, force: torque, cap: max_torque }
    }
}

impl From<LinearServo> for Servo {
    fn from(servo: LinearServo) -> Self {
        let LinearServo { softness, target, offset, speed, force, max_force } = servo;
        Self { softness, target, offset, speed, force, cap: max_force }
    }
}

/// The spring of a servo from its fields. What is left out is zero, and a force alone is enough.
fn softness(mut fields: SpringFields, force: f32) -> Result<Softness, String> {
    let SpringFields { hertz, stiffness, damping_ratio, damping } = fields;
    let rigid = hertz.is_none() && stiffness.is_none();
    if rigid && damping_ratio.is_some() {
        return Err(
            "a servo with a `damping_ratio` needs `hertz` or a `stiffness`; a damper alone takes `damping`".into()
        );
    }
    if rigid && damping.is_none() && force == 0.0 {
        return Err("a servo needs `hertz`, a `stiffness`, a `damping`, or a constant torque or force".into());
    }
    if rigid {
        fields.stiffness = Some(0.0);
    }
    if damping_ratio.is_none() && damping.is_none() {
        fields.damping = Some(0.0);
    }
    fields.try_into()
}

/// The fields of the spring that are written: those that are not zero.
fn fields_of(softness: Softness) -> SpringFields {
    let mut fields: SpringFields = softness.into();
    if softness.rate == SpringRate::Stiffness(0.0) {
        fields.stiffness = None;
    }
    if softness.damping == Damping::Coefficient(0.0) {
        fields.damping = None;
    }
    fields
}

macro_rules! servo_fields {
    ($Fields:ident, $Servo:ident, $name:literal, $Value:ty, $force:ident, $max:ident) => {
        #[derive(Clone, Copy, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, rename = $name)]
        struct $Fields {
            #[serde(default, skip_serializing_if = "is_default")]
            target: $Value,
            #[serde(default, skip_serializing_if = "is_default")]
            offset: $Value,
            #[serde(default, skip_serializing_if = "is_default")]
            speed: f32,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            hertz: Option<f32>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            stiffness: Option<f32>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            damping_ratio: Option<f32>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            damping: Option<f32>,
            #[serde(default, skip_serializing_if = "is_default")]
            $force: f32,
            #[serde(default = "unbounded", skip_serializing_if = "is_unbounded")]
            $max: f32,
        }

        impl TryFrom<$Fields> for $Servo {
            type Error = String;

            fn try_from(fields: $Fields) -> Result<Self, String> {
                let $Fields { target, offset, speed, hertz, stiffness, damping_ratio, damping, $force, $max } = fields;
                let softness = softness(SpringFields { hertz, stiffness, damping_ratio, damping }, $force)?;
                Ok(Self { softness, target, offset, speed, $force, $max })
            }
        }

        impl From<$Servo> for $Fields {
            fn from(servo: $Servo) -> Self {
                let $Servo { softness, target, offset, speed, $force, $max } = servo;
                let SpringFields { hertz, stiffness, damping_ratio, damping } = fields_of(softness);
                Self { target, offset, speed, hertz, stiffness, damping_ratio, damping, $force, $max }
            }
        }
    };
}
servo_fields!(AngularFields, AngularServo, "AngularServo", Angle, torque, max_torque);
servo_fields!(LinearFields, LinearServo, "LinearServo", f32, force, max_force);

impl Default for AngularServo {
    /// A critically damped servo of 2 Hz that holds the zero.
    fn default() -> Self {
        let (target, offset) = (Angle::default(), Angle::default());
        Self { softness: Softness::of(2.0, 1.0), target, offset, speed: 0.0, torque: 0.0, max_torque: UNBOUNDED }
    }
}

impl Default for LinearServo {
    /// A critically damped servo of 2 Hz that holds the zero.
    fn default() -> Self {
        let softness = Softness::of(2.0, 1.0);
        Self { softness, target: 0.0, offset: 0.0, speed: 0.0, force: 0.0, max_force: UNBOUNDED }
    }
}

/// The slide along one axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum SlideAxis {
    #[default]
    Locked,
    Free {
        /// Least and greatest slide, m.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<(f32, f32)>,
        /// Leads it to a target; a target at rest makes it a spring with a damper.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        servo: Option<LinearServo>,
    },
}

/// The angle about one axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum TurnAxis {
    #[default]
    Locked,
    Free {
        /// Least and greatest angle, within half a turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<(Angle, Angle)>,
        /// Leads it to a target; a target at rest makes it a spring with a damper.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        servo: Option<AngularServo>,
    },
}

/// A rotation as a rotation vector: its direction is the axis, its length the angle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct RotationVector(pub Angle, pub Angle, pub Angle);

impl RotationVector {
    /// The vector with these components, rad.
    pub fn of(vector: Vec3) -> Self {
        let [x, y, z] = vector.to_array().map(Angle::radians);
        Self(x, y, z)
    }

    /// Its components, rad.
    pub fn vector(&self) -> Vec3 {
        Vec3::new(self.0.radians, self.1.radians, self.2.radians)
    }

    /// The rotation.
    pub fn quat(&self) -> Quat {
        Quat::from_scaled_axis(self.vector())
    }
}

/// Limit and servo of a free axis, in m and N or in rad and N·m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeAxis {
    pub limit: Option<(f32, f32)>,
    pub servo: Option<Servo>,
}

impl SlideAxis {
    /// An axis that nothing limits or drives.
    pub const FREE: Self = Self::Free { limit: None, servo: None };

    /// What it has where it is free.
    pub fn free(&self) -> Option<FreeAxis> {
        match *self {
            Self::Locked => None,
            Self::Free { limit, servo } => Some(FreeAxis { limit, servo: servo.map(Servo::from) }),
        }
    }
}

impl TurnAxis {
    /// An axis that nothing limits or drives.
    pub const FREE: Self = Self::Free { limit: None, servo: None };

    /// What it has where it is free.
    pub fn free(&self) -> Option<FreeAxis> {
        match *self {
            Self::Locked => None,
            Self::Free { limit, servo } => {
                Some(FreeAxis { limit: super::radians(limit), servo: servo.map(Servo::from) })
            }
        }
    }
}
