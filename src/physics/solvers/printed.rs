//! Contacts as the documents print them, faults included; chosen by the settings of `formulation`. Apart from the
//! corrected sweep in `block.rs`, which does not pay for them.
//!
//! ```text
//! increments   each sweep's normal impulse Δλn ≥ 0, nothing is ever taken back        002, per-iteration clamping
//! box          each tangent of a patch bound by itself, |λ| ≤ μ Λ                     000 Friction (patch), erratum 8
//! generic      the patch's tangents among the generic rows, before the normals,       000 Friction (patch), erratum 7
//!              with the infinite bounds that `plane_setup` gives them
//! weight       |λt| ≤ max(μ · 10 · 1/(1/mA + 1/mB), μ |Δλn|): newtons for newton-     004 ch. 12, erratum 14
//!              seconds, and the increment for the sum
//! ```

use super::block::BlockVelocities;
use crate::physics::bounds::{Bound, Kind};
use crate::physics::collide::manifold::POINTS;
use crate::physics::row::{Printed, Row};

/// The book's gravity in its bound `umg`, m/s².
const BOOK_GRAVITY: f32 = 10.0;

impl<const LIVE: bool> BlockVelocities<LIVE> {
    /// Solves a contact block in a printed form.
    #[inline(never)]
    pub(super) fn solve_printed(&mut self, form: Printed, normals: usize, bounds: &[Bound], rows: &mut [Row]) {
        let before = normals + form.before as usize;
        rows[normals..before].iter_mut().for_each(|row| self.solve_row(row));
        let mut gained = [0.0; POINTS];
        for (row, gained) in rows[..normals].iter_mut().zip(&mut gained) {
            let before = row.impulse;
            if form.increments {
                self.solve_increment(row);
            } else {
                self.solve_row(row);
            }
            *gained = row.impulse - before;
        }
        for bound in bounds {
            if bound.kind == Kind::Weight {
                let gained: f32 = gained[bound.normals()].iter().sum();
                let row = &mut rows[bound.first as usize];
                let weight = bound.factor * BOOK_GRAVITY / (row.inv_ma + row.inv_mb).max(f32::MIN_POSITIVE);
                self.solve_span(row, weight.max((bound.factor * gained).abs()));
            } else {
                self.solve_bound(bound, rows);
            }
        }
    }
}
