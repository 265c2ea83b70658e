//! The velocity of a body.

use glam::Vec3A;

/// A body's velocity, apart from all that the solver's loop does not touch.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Velocity {
    /// m/s, of the centre of mass.
    pub linear: Vec3A,
    /// rad/s, world axes.
    pub angular: Vec3A,
}

impl Velocity {
    pub fn is_finite(&self) -> bool {
        self.linear.is_finite() && self.angular.is_finite()
    }
}
