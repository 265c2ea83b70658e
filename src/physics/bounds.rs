//! Bounds as data: what keeps rows of a group within limits that other rows' impulses set.
//!
//! ```text
//! own      lo ≤ λ ≤ hi             of every row, in the row itself
//! span     |λ| ≤ R                 one row
//! disc     ‖(λ1, λ2)‖ ≤ R          two rows that take one step
//! surface  (λ1, λ2, λ3/arm) within a limit surface of size R, three rows that take one step
//! R = factor · Σ λn                over the normal rows that the bound names
//! ```
//! Coulomb's cone, the patch's friction with its twist, the pyramid and rolling resistance are all of these; whoever
//! makes rows (`primitives/friction.rs`) says so here once, and solvers, read-outs and estimates read it. Source: 000
//! Friction; 003.

use std::ops::Range;

use super::limit_surface::{self, Surface};
use super::row::Row;

/// Rows of a block that are bound together by normal rows of the same block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionBound {
    pub kind: FrictionLaw,
    /// The first row that is bound, and the range of the normals, counted from the block's first row.
    pub first: u8,
    pub normals: (u8, u8),
    /// R over the normals' impulses: a coefficient of friction, or a length in m where rows turn.
    pub factor: f32,
}

/// How they are bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FrictionLaw {
    Span,
    Disc,
    /// Two slides and a twist over `arm`, m.
    Surface {
        arm: f32,
        surface: Surface,
    },
    /// A span as 004 prints it, by the bodies' weight or by what the sweep has just added to the normal: see
    /// `solvers/printed.rs`.
    Weight,
}

impl FrictionLaw {
    /// How many rows are bound together.
    pub fn count(&self) -> usize {
        match self {
            Self::Span | Self::Weight => 1,
            Self::Disc => 2,
            Self::Surface { .. } => 3,
        }
    }
}

impl FrictionBound {
    /// Its rows, counted from the block's first.
    pub fn rows(&self) -> Range<usize> {
        self.first as usize..self.first as usize + self.kind.count()
    }

    /// The rows that set it, counted likewise.
    pub fn normals(&self) -> Range<usize> {
        self.normals.0 as usize..self.normals.1 as usize
    }

    /// R for the rows of the block as they stand, N·s or N·m·s.
    #[inline(always)]
    pub fn radius(&self, rows: &[Row]) -> f32 {
        self.factor * rows[self.normals()].iter().map(|n| n.impulse).sum::<f32>()
    }

    /// Gives rows that are bound together one step, that of the slowest: with a step per row the direction of slip is
    /// off by up to a tenth (erratum 12).
    pub fn one_step(&self, rows: &mut [Row]) {
        // In N·s a m/s, a twist's at its lever. Rows that move nothing stay off and slow down none.
        let square = |k: usize| match self.kind {
            FrictionLaw::Surface { arm, .. } if k == 2 => arm * arm,
            _ => 1.0,
        };
        let rows = &mut rows[self.rows()];
        let steps = rows.iter().enumerate().map(|(k, row)| row.inv_k / square(k));
        let step = steps.filter(|step| *step > 0.0).fold(f32::INFINITY, f32::min);
        for (k, row) in rows.iter_mut().enumerate().filter(|(_, row)| row.inv_k > 0.0) {
            row.inv_k = step * square(k);
        }
    }

    /// Whether its rows are within it by more than a rounding error, by the bounds that the last sweep has left in
    /// them.
    pub fn is_inside(&self, rows: &[Row]) -> bool {
        const NEARLY: f32 = 1.0 - 1e-4;
        match (self.kind, &rows[self.rows()]) {
            (FrictionLaw::Disc, [first, second]) => first.impulse.hypot(second.impulse) < first.hi * NEARLY,
            (FrictionLaw::Surface { arm, surface }, [x, y, twist]) => {
                let radius = f64::from(x.hi) * f64::from(NEARLY);
                let (slide, spin) = ((x.impulse.into(), y.impulse.into()), f64::from(twist.impulse / arm));
                limit_surface::project(surface, slide, spin, radius).is_none()
            }
            (_, rows) => rows.iter().all(|row| row.impulse > row.lo && row.impulse < row.hi),
        }
    }
}
