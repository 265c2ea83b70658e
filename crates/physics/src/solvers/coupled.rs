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
//! the rows alone, since their matrix is symmetric. Only contacts of r above `STRONG` take the step; below it each
//! sweep leaves less than that of the error. Derived here.

use glam::Vec3A;

use super::block::BlockVelocities;
use crate::bounds::{FrictionBound, FrictionLaw};
use crate::kernel::bodies::Pair;
use crate::kernel::row::{SolverRow, speed};
use crate::row::Row;

/// The r above which a contact is solved as a block.
pub const STRONG: f32 = 0.75;

/// K between two rows of the same two bodies, without the linear part: normals and tangents are at right angles.
fn between(r: &Row, s: &Row) -> f32 {
    r.ang_a.dot(s.inv_ia) + r.ang_b.dot(s.inv_ib)
}

/// Whether r of one of these bounds on a contact's tangents is above [`STRONG`]; `rows` are those of its block.
pub fn is_coupled(bounds: &[FrictionBound], rows: &[Row]) -> bool {
    bounds.iter().any(|bound| {
        let normals = &rows[bound.normals()];
        let Some(first) = normals.first().filter(|_| rows[bound.rows()][0].lin != Vec3A::ZERO) else { return false };
        // The row in the mean of the normals.
        let share = 1.0 / normals.len() as f32;
        let mut mean = Row { inv_ma: first.inv_ma, inv_mb: first.inv_mb, lin: first.lin, ..Row::default() };
        for normal in normals {
            mean.ang_a += normal.ang_a;
            mean.ang_b += normal.ang_b;
            mean.inv_ia += normal.inv_ia;
            mean.inv_ib += normal.inv_ib;
        }
        for part in [&mut mean.ang_a, &mut mean.ang_b, &mut mean.inv_ia, &mut mean.inv_ib] {
            *part *= share;
        }
        let normal_mobility = mean.lin.length_squared() * (mean.inv_ma + mean.inv_mb) + between(&mean, &mean);
        let across = rows[bound.rows()].iter().enumerate().map(|(k, row)| match bound.kind {
            FrictionLaw::Surface { arm, .. } if k == 2 => arm * between(&mean, row),
            _ => between(&mean, row),
        });
        bound.factor * across.map(|k| k * k).sum::<f32>().sqrt() > STRONG * normal_mobility
    })
}

impl<const LIVE: bool> BlockVelocities<LIVE> {
    /// Takes away the share of a slipping contact's impulse by which its friction lifts it off.
    #[inline(never)]
    pub(super) fn solve_coupled(&mut self, normals: usize, bounds: &[FrictionBound], rows: &mut [Row]) {
        if bounds.iter().all(|bound| bound.is_inside(rows)) {
            return;
        }
        let mut whole = Pair::default();
        for row in rows.iter() {
            row.apply((), &mut whole, row.impulse);
        }
        let (mut slope, mut curve) = (0.0, 0.0);
        for row in &rows[..normals] {
            let gives = row.gamma * row.impulse;
            slope += row.impulse * (speed(row, &self.now.a, &self.now.b) + row.bias + gives);
            curve += row.impulse * (speed(row, &whole.a, &whole.b) + gives);
        }
        if slope <= 0.0 || curve <= 0.0 {
            return;
        }
        let step = (-slope / curve).max(-1.0);
        for row in rows.iter_mut() {
            let change = step * row.impulse;
            row.impulse += change;
            self.apply(row, change);
        }
    }
}
