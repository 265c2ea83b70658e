//! The loads above which a joint breaks, and the record of a joint that broke.

use serde::{Deserialize, Serialize};

use crate::settings::BreakingSettings;

/// Loads above which a joint breaks. Without a value there is no limit.
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
    /// Whether a force, N, or a torque, N·m, exceeds its limit.
    pub fn exceeded(&self, force: f32, torque: f32) -> bool {
        self.force.is_some_and(|limit| force > limit) || self.torque.is_some_and(|limit| torque > limit)
    }
}

/// When and under what a joint broke.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Broken {
    /// Simulated time, s.
    pub time: f64,
    /// The loads at which it broke, N and N·m.
    pub force: f32,
    pub torque: f32,
}

/// The loads that break joints without loads of their own.
pub(super) fn general(settings: &BreakingSettings) -> Option<Breaks> {
    let some = |value: f32| (value > 0.0).then_some(value);
    let breaks = Breaks { force: some(settings.force), torque: some(settings.torque) };
    (breaks != Breaks::default()).then_some(breaks)
}

/// Whether joints without loads of their own can break.
pub(crate) fn is_general(settings: &BreakingSettings) -> bool {
    settings.enabled && general(settings).is_some()
}
