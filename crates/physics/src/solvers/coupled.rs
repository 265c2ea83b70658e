//! Normal and friction of one contact as a block, where friction that slips moves the contact along its normal.
//!
//! ```text
//! r = μ ‖K_nt‖/K_nn               what slipping friction does to the normal, over what the normal does itself
//! λn ← (a + r' λn)⁺, |r'| ≤ r     normal and friction in turn: for r' ≤ −1 the contact bears a, 0, a, 0, …
//! Σ λn (J_n u + b_n + γ_n λn) = 0  along λ ← (1 + s) λ, −1 ≤ s ≤ 0: the whole impulse of the block at once
//! ```
//! A rod that slides with its rough end behind its centre of mass is unloaded by its own friction. Row by row the
//! normal is solved for the friction of the sweep before, which belonged to another normal, and after an even number of
//! sweeps it may be zero. Bounds of friction are cones, so the scaled impulse is within them as before, and where
//! friction slips one step along it ends on the law: λn ≥ 0, no speed along the normal, friction at its bound. The step
//! only takes impulse away; friction that presses a contact together converges row by row, for r' < 1. Where the
//! impulse as a whole closes the contact (Painlevé's paradox) there is no such step. Friction that sticks is solved by
//! the rows alone, since their matrix is symmetric. Only contacts of r above [`STRONG`](crate::kernel::coupling::STRONG) take the step; below it each
//! sweep leaves less than that of the error. Derived here.

use super::block::BlockVelocities;
use crate::bounds::{FrictionBound, FrictionLaw};
use crate::kernel::coupling::{FrictionRow, WholeImpulse, is_strong};
use crate::kernel::row;
use crate::row::Row;

/// Whether r of one of these bounds on a contact's tangents is too large for its rows; `rows` are those of its block.
pub fn is_coupled(bounds: &[FrictionBound], rows: &[Row]) -> bool {
    bounds.iter().any(|bound| {
        let normals = &rows[bound.normals()];
        let mean = Row::mean(normals);
        let (mean, mu) = ((&mean.arms, mean.mobility()), bound.factor);
        let slide = |row: &Row| FrictionRow { inv_i: (row.inv_ia, row.inv_ib), arm: None };
        match (bound.kind, &rows[bound.rows()]) {
            // Solved exactly.
            (FrictionLaw::Cone, _) => false,
            (_, [first, ..]) if normals.is_empty() || first.is_angular() => false,
            (FrictionLaw::Surface { arm, .. }, [x, y, twist]) => {
                is_strong(mu, mean, [slide(x), slide(y), FrictionRow { arm: Some(arm), ..slide(twist) }])
            }
            (_, [x, y]) => is_strong(mu, mean, [slide(x), slide(y)]),
            (_, [x]) => is_strong(mu, mean, [slide(x)]),
            _ => false,
        }
    })
}

impl<const LIVE: bool> BlockVelocities<LIVE> {
    /// Takes away the share of a slipping contact's impulse by which its friction lifts it off.
    #[inline(never)]
    pub(super) fn solve_coupled(&mut self, normals: usize, bounds: &[FrictionBound], rows: &mut [Row]) {
        if bounds.iter().all(|bound| bound.is_inside(rows)) {
            return;
        }
        let mut whole = WholeImpulse::default();
        rows.iter().for_each(|row| whole.take(row, ()));
        rows[..normals].iter().for_each(|row| whole.meet(self, row, ()));
        let (step, takes) = whole.step();
        if takes {
            rows.iter_mut().for_each(|row| row::add(self, row, (), step * row.impulse));
        }
    }
}
