//! How a rotation is written: a quaternion, an axis with an angle, or three Euler angles.

use glam::{Quat, Vec3};
use ron::value::RawValue;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::angle::Angle;

/// A rotation as given in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rotation {
    /// `(x, y, z, w)`.
    Quaternion(Quat),
    /// `AxisAngle(axis: (0, 0, 1), angle: Degrees(45))`; the axis need not be of unit length.
    AxisAngle { axis: Vec3, angle: Angle },
    /// `Euler(x: …, y: …, z: …)`: rotations about the fixed x, then y, then z axis.
    Euler { x: Angle, y: Angle, z: Angle },
}

/// Permitted deviation of a quaternion's length from one; within it, the quaternion is normalised.
pub const UNIT_TOLERANCE: f32 = 1e-2;

impl Default for Rotation {
    fn default() -> Self {
        Self::Quaternion(Quat::IDENTITY)
    }
}

impl From<Quat> for Rotation {
    fn from(quat: Quat) -> Self {
        Self::Quaternion(quat)
    }
}

impl Rotation {
    /// Reads a rotation as files write it. On its own, so that it is compiled once and not for each reader of files.
    fn read(text: &str) -> Result<Self, String> {
        if let Ok((x, y, z, w)) = ron::from_str(text) {
            return Ok(Self::Quaternion(Quat::from_xyzw(x, y, z, w)));
        }
        match ron::from_str(text) {
            Ok(Named::AxisAngle { axis, angle }) => Ok(Self::AxisAngle { axis, angle }),
            Ok(Named::Euler { x, y, z }) => Ok(Self::Euler { x, y, z }),
            Err(_) => Err(format!(
                "expected a rotation: (x, y, z, w), AxisAngle(axis: (0, 0, 1), angle: Degrees(45)) or \
                 Euler(x: Degrees(90)), not `{text}`"
            )),
        }
    }

    /// The unit quaternion, or what is wrong.
    ///
    /// # Errors
    /// It is not finite, has no direction, or the quaternion is far from unit length.
    pub fn quat(&self) -> Result<Quat, String> {
        match *self {
            Self::Quaternion(q) => {
                let length = q.length();
                if !length.is_finite() {
                    Err("rotation must be finite".into())
                } else if length < 1e-6 {
                    Err("rotation must be a unit quaternion (x, y, z, w), not zero; no rotation is (0, 0, 0, 1)".into())
                } else if (length - 1.0).abs() > UNIT_TOLERANCE {
                    Err(format!("rotation must be a unit quaternion (x, y, z, w), this one has length {length:.3}"))
                } else {
                    // A unit quaternion is kept bit for bit, so that saved poses come back exactly.
                    Ok(if (length - 1.0).abs() < 1e-6 { q } else { q.normalize() })
                }
            }
            Self::AxisAngle { axis, angle } => match axis.try_normalize() {
                Some(axis) if angle.radians.is_finite() => Ok(Quat::from_axis_angle(axis, angle.radians)),
                Some(_) => Err("the rotation's angle must be finite".into()),
                None => Err("the rotation's axis must be finite and not zero".into()),
            },
            Self::Euler { x, y, z } => {
                let (x, y, z) = (x.radians, y.radians, z.radians);
                if x.is_finite() && y.is_finite() && z.is_finite() {
                    Ok(Quat::from_rotation_z(z) * Quat::from_rotation_y(y) * Quat::from_rotation_x(x))
                } else {
                    Err("the rotation's angles must be finite".into())
                }
            }
        }
    }
}

/// The named forms. An ordinary enum cannot represent both these and the plain quaternion.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
enum Named {
    AxisAngle {
        axis: Vec3,
        angle: Angle,
    },
    Euler {
        #[serde(default, skip_serializing_if = "crate::setting::is_default")]
        x: Angle,
        #[serde(default, skip_serializing_if = "crate::setting::is_default")]
        y: Angle,
        #[serde(default, skip_serializing_if = "crate::setting::is_default")]
        z: Angle,
    },
}

impl Serialize for Rotation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Quaternion(q) => q.to_array().serialize(serializer),
            Self::AxisAngle { axis, angle } => Named::AxisAngle { axis, angle }.serialize(serializer),
            Self::Euler { x, y, z } => Named::Euler { x, y, z }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Rotation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::read(raw.trim().get_ron()).map_err(de::Error::custom)
    }
}
