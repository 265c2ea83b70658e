//! Breaking: a joint bears so much and no more.
//!
//! ```text
//! F = ‖Σ λ lin‖ / h,  T = ‖Σ λ angB‖ / h over the joint's rows, limits and motors included;  broken once F or T is above
//! ```
//! The impulses are those of the last sub-step's solve, before the poses are corrected: under Baumgarte they hold the
//! correction of the position error, too, as the solver has applied it. Source: 004 ch. 10.1.

use serde::{Deserialize, Serialize};

/// What a joint bears; what is left out breaks nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Breaks {
    /// N.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<f32>,
    /// N·m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torque: Option<f32>,
}

impl Breaks {
    /// What is wrong with the numbers, if anything: the field and what is wrong there.
    pub fn mistake(&self) -> Option<(&'static str, String)> {
        if self.force.is_none() && self.torque.is_none() {
            return Some(("", "breaks needs a `force` in N or a `torque` in N·m".into()));
        }
        [("force", self.force), ("torque", self.torque)].into_iter().find_map(|(name, value)| {
            let wrong = value.filter(|v| !(*v > 0.0 && v.is_finite()))?;
            Some((name, format!("{name} must be positive and finite, not {wrong}")))
        })
    }

    /// Whether a force, N, and a torque, N·m, are more than is borne.
    pub fn exceeded(&self, force: f32, torque: f32) -> bool {
        self.force.is_some_and(|most| force > most) || self.torque.is_some_and(|most| torque > most)
    }
}
