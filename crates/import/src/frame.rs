//! Rigid frames in 64 bits: an origin, m, and a rotation, seen from another frame.

use std::ops::Mul;

use glam::{DMat3, DQuat, DVec3};

/// Where a frame stands in another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// m, in the other frame.
    pub origin: DVec3,
    /// From this frame's axes to those of the other.
    pub turn: DQuat,
}

impl Frame {
    pub const IDENTITY: Self = Self { origin: DVec3::ZERO, turn: DQuat::IDENTITY };

    /// A frame that is only moved.
    pub fn at(origin: DVec3) -> Self {
        Self { origin, ..Self::IDENTITY }
    }

    /// A point of this frame, seen from the other.
    pub fn point(&self, point: DVec3) -> DVec3 {
        self.origin + self.turn * point
    }

    /// The other frame, seen from this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let turn = self.turn.inverse();
        Self { origin: -(turn * self.origin), turn }
    }

    /// A symmetric tensor in this frame's axes, seen in those of the other: R T Rᵀ.
    pub fn tensor(&self, tensor: DMat3) -> DMat3 {
        let turn = DMat3::from_quat(self.turn);
        turn * tensor * turn.transpose()
    }
}

impl Mul for Frame {
    type Output = Self;

    /// A frame within this one, seen from the other.
    fn mul(self, inner: Self) -> Self {
        Self { origin: self.point(inner.origin), turn: (self.turn * inner.turn).normalize() }
    }
}

/// Turns about the fixed x, then y, then z axis, rad: URDF's roll, pitch and yaw.
pub fn roll_pitch_yaw(angles: DVec3) -> DQuat {
    DQuat::from_rotation_z(angles.z) * DQuat::from_rotation_y(angles.y) * DQuat::from_rotation_x(angles.x)
}
