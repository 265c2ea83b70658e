//! The velocity of a body.

use glam::Vec3A;

/// Velocity of a body, stored apart from the rest of its state so that the solver's loop touches nothing else.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Velocity {
    /// Of the centre of mass, m/s.
    pub linear: Vec3A,
    /// World axes, rad/s.
    pub angular: Vec3A,
}

impl Velocity {
    pub fn is_finite(&self) -> bool {
        self.linear.is_finite() && self.angular.is_finite()
    }
}
