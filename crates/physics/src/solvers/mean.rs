//! The row in the mean of a contact's points, solved before the points themselves.
//!
//! ```text
//! J̄ = (1/n) Σ Jᵢ,  b̄ = (1/n) Σ (bᵢ + γᵢ λᵢ),  K̄ = J̄ M⁻¹ J̄ᵀ + (1/n²) Σ γᵢ
//! s = max(−(J̄ u + b̄)/K̄, −n minᵢ λᵢ)       λᵢ ← λᵢ + s/n,   u ← u + M⁻¹ J̄ᵀ s
//! ```
//! Point by point, the first point takes the whole load of a body that is set down flat, and tilts it. Ten sweeps do
//! not undo that, so a tower that stands still at first begins to sway. The mean row carries an even load evenly. It
//! is one more step of Gauss–Seidel, along the direction (1, …, 1)/n, so the energy that the sweep minimises never
//! rises. An impulse below zero would pull, so the step ends where the smallest impulse is zero.
//! (`contact.mean_first`; derived here.)

use super::block::{BlockVelocities, speed};
use crate::effective_mass::row_mass;
use crate::row::Row;

/// K̄ below this counts as zero: nothing can move.
pub const NOTHING: f32 = 1e-12;

impl<const LIVE: bool> BlockVelocities<LIVE> {
    /// Solves the mean row of a contact's normals.
    #[inline(always)]
    pub(super) fn solve_mean(&mut self, rows: &mut [Row]) {
        let Some((first, others)) = rows.split_first() else { return };
        let mut mean = *first;
        let (mut offset, mut least) = (first.bias + first.gamma * first.impulse, first.impulse);
        for row in others {
            mean.ang_a += row.ang_a;
            mean.ang_b += row.ang_b;
            mean.inv_ia += row.inv_ia;
            mean.inv_ib += row.inv_ib;
            mean.gamma += row.gamma;
            offset += row.bias + row.gamma * row.impulse;
            least = least.min(row.impulse);
        }
        let count = rows.len() as f32;
        let share = 1.0 / count;
        mean.ang_a *= share;
        mean.ang_b *= share;
        mean.inv_ia *= share;
        mean.inv_ib *= share;
        let k = row_mass(&mean, 1.0, 1.0) + mean.gamma * share * share;
        if k > NOTHING {
            let step = -(speed(&mean, &self.a, &self.b) + offset * share) / k;
            // Adding zero turns −0 into 0, here and in lanes.
            let step = step.max(-least * count) + 0.0;
            rows.iter_mut().for_each(|row| row.impulse += step * share);
            self.apply(&mean, step);
        }
    }
}
