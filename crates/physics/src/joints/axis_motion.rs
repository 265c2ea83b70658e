//! How a joint with six axes treats one of them: it is locked, or free, within limits and under a servo if wanted.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::{AngularServo, LinearServo, Servo};
use crate::angle::Angle;

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

/// What a free axis has, in m and N or in rad and N·m.
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
