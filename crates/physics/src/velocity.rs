//! The velocity of a body, and the time to which it belongs.

use super::kernel::bodies::Velocities;

/// Velocity of a body, stored apart from the rest of its state so that the solver's loop touches nothing else.
pub type Velocity = Velocities<f32>;

impl Velocity {
    pub fn is_finite(&self) -> bool {
        self.linear.is_finite() && self.angular.is_finite()
    }
}

/// To which time the velocity of a body belongs in the step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Flight {
    /// To the present: the body stands on something, or has just been put where it is.
    #[default]
    Supported,
    /// To the present as it is read, to the middle of the step in the step itself.
    Free,
    /// The same, and it has been struck in this step.
    Struck,
    /// To the time that its joints say.
    Joined,
}
