//! Friction bounds as data: limits on the impulses of rows that depend on the impulses of other rows.
//!
//! ```text
//! own      lo ≤ λ ≤ hi             of every row, in the row itself
//! span     |λ| ≤ R                 one row
//! disc     ‖(λ1, λ2)‖ ≤ R          two rows that take one step
//! cone     ‖(λ1, λ2)‖ ≤ R          two rows that are solved exactly with their one normal (`kernel/cone.rs`)
//! surface  (λ1, λ2, λ3/arm) within a limit surface of size R, three rows that take one step
//! R = factor · Σ λn                over the normal rows that the bound names
//! ```
//! Coulomb's cone, the friction patch with its twist, the pyramid and rolling resistance are all of these kinds.
//! `primitives/friction.rs` sets the bounds as it makes the rows; solvers, readouts and estimates read them. Source:
//! 000 Friction; 003.

use std::ops::Range;

use super::kernel::limit_surface::{self, Surface};
use super::kernel::patch::common_step;
use super::kernel::row::SolverRow;
use super::row::Row;

/// A bound on rows of a block that depends on normal rows of the same block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionBound {
    pub kind: FrictionLaw,
    /// Index of the first bound row, and range of the normal rows, both counted from the block's first row.
    pub first: u8,
    pub normals: (u8, u8),
    /// R over the sum of the normal impulses: a coefficient of friction, or a length in m for angular rows.
    pub factor: f32,
}

/// The shape of a bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FrictionLaw {
    Span,
    Disc,
    /// A disc whose two rows and one normal are solved together.
    Cone,
    /// Two tangential rows and a twist with the lever arm `arm`, m.
    Surface {
        arm: f32,
        surface: Surface,
    },
    /// A span as 004 prints it, set by the weight of the bodies or by the last change of the normal impulse: see
    /// `solvers/printed.rs`.
    Weight,
}

impl FrictionLaw {
    /// The number of rows that are bound together.
    pub fn count(&self) -> usize {
        match self {
            Self::Span | Self::Weight => 1,
            Self::Disc | Self::Cone => 2,
            Self::Surface { .. } => 3,
        }
    }
}

impl FrictionBound {
    /// The bound rows, counted from the block's first.
    pub fn rows(&self) -> Range<usize> {
        self.first as usize..self.first as usize + self.kind.count()
    }

    /// The normal rows that set R, counted likewise.
    pub fn normals(&self) -> Range<usize> {
        self.normals.0 as usize..self.normals.1 as usize
    }

    /// R at the present impulses of the block's `rows`, N·s or N·m·s.
    #[inline(always)]
    pub fn radius<W: SolverRow<Number = f32>>(&self, rows: &[W]) -> f32 {
        self.factor * rows[self.normals()].iter().map(SolverRow::impulse).sum::<f32>()
    }

    /// Gives the rows that are bound together one step: see `kernel/patch.rs`.
    pub fn common_step(&self, rows: &mut [Row]) {
        match (self.kind, &mut rows[self.rows()]) {
            (FrictionLaw::Surface { arm, .. }, [x, y, twist]) => {
                common_step([(&mut x.inv_k, None), (&mut y.inv_k, None), (&mut twist.inv_k, Some(arm * arm))]);
            }
            (_, [x, y]) => common_step([(&mut x.inv_k, None), (&mut y.inv_k, None)]),
            _ => {}
        }
    }

    /// The length by which the impulse of the `k`-th bound row is divided to compare it with the others, m: the lever
    /// arm of a twist, 1 of a slide.
    pub fn scale(&self, k: usize) -> f32 {
        match self.kind {
            FrictionLaw::Surface { arm, .. } if k == 2 => arm,
            _ => 1.0,
        }
    }

    /// Whether the impulses are inside the bound by more than rounding. R is taken from the rows' own bounds, as the
    /// last sweep set them.
    pub fn is_inside(&self, rows: &[Row]) -> bool {
        match (self.kind, &rows[self.rows()]) {
            (FrictionLaw::Disc | FrictionLaw::Cone, [x, y]) => is_inside_disc([x.impulse, y.impulse], x.hi),
            (FrictionLaw::Surface { arm, surface }, [x, y, twist]) => {
                is_inside_surface(surface, [x.impulse, y.impulse, twist.impulse / arm], x.hi)
            }
            (_, rows) => rows.iter().all(|row| row.impulse > row.lo && row.impulse < row.hi),
        }
    }
}

/// By how much more than rounding an impulse must be inside its bound.
const NEARLY: f32 = 1.0 - 1e-4;

/// Whether two impulses are inside a disc of this radius by more than rounding, N·s or N·m·s.
pub fn is_inside_disc([x, y]: [f32; 2], radius: f32) -> bool {
    x.hypot(y) < radius * NEARLY
}

/// The same of two slides and the torsion over its lever arm, within a limit surface, N·s.
pub fn is_inside_surface(surface: Surface, impulses: [f32; 3], radius: f32) -> bool {
    let (_, beyond) = limit_surface::project(surface, impulses.map(f64::from), f64::from(radius) * f64::from(NEARLY));
    !beyond
}
