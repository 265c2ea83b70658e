//! Between what a joint's value stays, and what drives it: for panels, pictures and the doctor, which need not know the
//! kinds.

use super::{JointKind, radians};
use crate::physics::parts::swing_twist::SwingLimit;

impl JointKind {
    /// The least and the greatest value that the joint allows, rad or m, see [`super::JointInfo::measures`]; none where
    /// it is free. `rest_length` is the length of a rope that was given none.
    pub fn range(&self, rest_length: f32) -> Option<(f32, f32)> {
        match self {
            Self::Hinge(joint) => radians(joint.limit),
            Self::Prismatic(joint) => joint.limit,
            Self::Plane(joint) => joint.limit,
            Self::ConeTwist(joint) => radians(joint.twist),
            Self::ConstantVelocity(joint) => match joint.swing {
                // The value is the bend itself.
                Some(SwingLimit::Cone(half)) => Some((0.0, half.radians())),
                _ => None,
            },
            Self::Rope(joint) => Some((0.0, joint.length.unwrap_or(rest_length))),
            _ => None,
        }
    }

    /// How far B's axis may swing from A's.
    pub fn swing_limit(&self) -> Option<SwingLimit> {
        match self {
            Self::ConeTwist(joint) => Some(joint.swing),
            Self::ConstantVelocity(joint) => joint.swing,
            _ => None,
        }
    }

    /// What it has rows for: points, axes and orientations, stops.
    pub fn holds(&self) -> (bool, bool, bool) {
        let (mut anchor, mut axis, mut limit) = (true, false, false);
        match self {
            Self::BallSocket(_) | Self::Distance(_) | Self::Rope(_) | Self::PointOnRing(_) => {}
            Self::Spring(_) | Self::AngularMotor(_) => anchor = false,
            Self::OrientationLock(_) | Self::AxisLock(_) => (anchor, axis) = (false, true),
            Self::Fixed(_) | Self::RotaryMotor(_) => axis = true,
            Self::Hinge(joint) => (axis, limit) = (true, joint.limit.is_some()),
            Self::Prismatic(joint) => (axis, limit) = (true, joint.limit.is_some()),
            Self::Plane(joint) => {
                (anchor, limit) = (joint.limit.is_none() && joint.motor.is_none(), joint.limit.is_some());
            }
            Self::ConeTwist(_) => limit = true,
            Self::ConstantVelocity(joint) => (axis, limit) = (true, joint.swing.is_some()),
        }
        (anchor, axis, limit)
    }

    /// Whether a soft row of its own draws it somewhere.
    pub fn is_sprung(&self) -> bool {
        match self {
            Self::Spring(_) => true,
            Self::Hinge(joint) => joint.spring.is_some(),
            Self::Prismatic(joint) => joint.spring.is_some(),
            _ => false,
        }
    }

    /// Whether it has a motor that it could do without.
    pub fn can_lose_motor(&self) -> bool {
        match self {
            Self::Hinge(joint) => joint.motor.is_some(),
            Self::Prismatic(joint) => joint.motor.is_some(),
            Self::Plane(joint) => joint.motor.is_some(),
            _ => false,
        }
    }

    /// The speed, rad/s or m/s, to which a motor drives the value, and the most torque, N·m, or force, N, that it has.
    pub fn motor(&self) -> Option<(f32, f32)> {
        match self {
            Self::Hinge(joint) => joint.motor.map(|m| (m.speed, m.max_torque)),
            Self::Prismatic(joint) => joint.motor.map(|m| (m.speed, m.max_force)),
            Self::Plane(joint) => joint.motor.map(|m| (m.speed, m.max_force)),
            Self::AngularMotor(joint) => Some((joint.motor.speed, joint.motor.max_torque)),
            Self::RotaryMotor(joint) => Some((joint.motor.speed, joint.motor.max_torque)),
            _ => None,
        }
    }
}
