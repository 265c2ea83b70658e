//! The bounds of rows that depend on other rows' impulses (`bounds.rs`), such as friction, for one block. The
//! arithmetic is that of `kernel/bound.rs`.

use super::block::BlockVelocities;
use crate::bounds::{FrictionBound, FrictionLaw};
use crate::kernel::bound::{self, Patch};
use crate::kernel::limit_surface::{self, Surface};
use crate::row::Row;

impl<const LIVE: bool> BlockVelocities<LIVE> {
    /// Solves the rows of one bound; `rows` are those of the block.
    #[inline(always)]
    pub(super) fn solve_bound(&mut self, bound: &FrictionBound, rows: &mut [Row]) {
        let radius = bound.radius(rows);
        let first = bound.first as usize;
        match bound.kind {
            FrictionLaw::Span | FrictionLaw::Weight => self.solve_span(&mut rows[first], radius),
            FrictionLaw::Disc => bound::solve_disc::<true, _, _>(self, &mut rows[first..first + 2], (), radius),
            FrictionLaw::Surface { arm, surface } => {
                self.solve_surface(&mut rows[first..first + 3], surface, arm, radius)
            }
        }
    }

    /// A row with |λ| ≤ `radius`, N·s.
    #[inline(always)]
    pub(super) fn solve_span(&mut self, row: &mut Row, radius: f32) {
        bound::solve_span(self, row, (), radius);
    }

    /// Two tangents and the twist divided by its `arm`, m, bounded together.
    #[inline(always)]
    fn solve_surface(&mut self, rows: &mut [Row], surface: Surface, arm: f32, radius: f32) {
        let [x, y, twist] = rows else { return };
        let mut patch = Patch::step::<true, _, _, _>(self, (&*x, &*y, ()), (&*twist, ()), arm);
        if patch.may_exceed(radius) {
            let unprojected = [patch.x, patch.y, patch.torsion].map(f64::from);
            let [x, y, torsion] = limit_surface::project(surface, unprojected, radius.into()).0.map(|v| v as f32);
            patch = Patch { x, y, torsion };
        }
        patch.set_projected(self, (x, y, ()), (twist, ()), (arm, radius));
    }
}
