//! The velocity of a body, and the time to which it belongs.

use super::kernel::bodies::Velocities;

/// Velocity of a body, stored apart from the rest of its state so that the solver's loop touches nothing else.
pub type Velocity = Velocities<f32>;

impl Velocity {
    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.linear.is_finite() && self.angular.is_finite()
    }
}

/// The moment at which the velocity of a body holds: see `flight.rs`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Flight {
    /// The moment of the pose: the body is supported, or has just been placed.
    #[default]
    Supported,
    /// The middle of the step before: soft surfaces alone bear the body.
    OnSoftSurface,
    /// Between steps the moment of the pose; within a step the middle of the step.
    Free,
    /// As `Free`; and the body has bounced in this step.
    Struck,
    /// The moment for which the method of its joints solves.
    Joined,
}
