//! Newton's method on the rows of a mechanism: J Δ = −C with the shortest Δ, until Δ is no longer than rounding.
//! Source: 005.

use crate::linkage::{Linkage, State, System};

/// A correction below this share of the mechanism's size is rounding: that of 64 bits, and of 32 bits.
const ROUNDING: f64 = 1e-13;
const ROUNDING_SINGLE: f64 = 2e-7;
/// Rows that say the same as others may disagree by this share of the size, since a scene's numbers have 32 bits.
pub const INCONSISTENT: f64 = 2e-5;

/// What bounds an iteration.
#[derive(Debug, Clone, Copy)]
pub struct Newton {
    /// The most corrections.
    pub corrections: usize,
    /// A correction that is longer than this share of the size: given up, or, `shortens`, taken as long as this.
    pub longest: f64,
    pub shortens: bool,
    /// Whether the last row, that of a driven joint, must not depend on the others.
    pub drives: bool,
}

impl Default for Newton {
    /// For corrections of a step.
    fn default() -> Self {
        Self { corrections: 12, longest: 4.0, shortens: false, drives: true }
    }
}

impl Newton {
    /// For closing loops as they are, without a driven joint.
    pub const CLOSING: Self = Self { corrections: 40, longest: 4.0, shortens: false, drives: false };
    /// For closing loops from far away.
    pub const FROM_AFAR: Self = Self { corrections: 60, longest: 0.5, shortens: true, drives: false };
}

/// Solves the rows that `system` makes. `Err` is the last state and its largest error, m.
pub fn solve(
    linkage: &Linkage<'_>,
    mut state: State,
    how: &Newton,
    system: impl Fn(&State) -> System,
) -> Result<State, (State, f64)> {
    let rounding = linkage.size * if linkage.is_single_precision { ROUNDING_SINGLE } else { ROUNDING };
    let is_met = |system: &System, most: f64| {
        let left = system.largest_error();
        if (!how.drives || system.is_driven()) && left <= most * linkage.size { Ok(()) } else { Err(left) }
    };
    for _ in 0..how.corrections {
        let now = system(&state);
        let wanted: Vec<f64> = now.rows.iter().map(|row| -row.error).collect();
        let twists = linkage.twists(&now.solve(&wanted));
        let by = linkage.fastest(&twists);
        let is_long = by > how.longest * linkage.size;
        if !by.is_finite() || (is_long && !how.shortens) {
            return Err((state, f64::INFINITY));
        }
        let share = if is_long { how.longest * linkage.size / by } else { 1.0 };
        state.poses = linkage.moved(&state.poses, &twists, share);
        if by <= rounding {
            return match is_met(&system(&state), INCONSISTENT) {
                Ok(()) => Ok(state),
                Err(left) => Err((state, left)),
            };
        }
    }
    // Rounding may keep corrections alive.
    match is_met(&system(&state), if linkage.is_single_precision { INCONSISTENT } else { 1e-9 }) {
        Ok(()) => Ok(state),
        Err(left) => Err((state, left)),
    }
}
