//! What a step closes of the error of a row.

use crate::kernel::joint::left_to_correction;
use crate::row::ErrorForm;

/// A row that the step itself closes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowClosing {
    /// C(x₀), m or rad.
    pub(crate) c: f32,
    /// Bias of a straight step: of a gap that may close, or of a rotor's speed, m/s or rad/s.
    pub gap: f32,
    /// Bias of a straight step for the part of C that the step closes together with the curvature bias, m/s or rad/s.
    pub(crate) inherited: f32,
    /// What C is a function of.
    pub(crate) measures: ErrorForm,
    /// Whether the row is that of a rotor (`rotor.rs`), which keeps no position; then `gap` is minus its speed.
    pub(crate) is_rotor: bool,
}

impl RowClosing {
    /// The part of the error that is left to the split correction, m or rad.
    pub fn left_to_split(&self) -> f32 {
        if self.gap == 0.0 { left_to_correction(self.c).abs() } else { 0.0 }
    }
}
