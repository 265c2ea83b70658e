//! Contacts as the documents print them, faults included; chosen by the settings of `formulation`. Apart from the
//! corrected sweep in `common.rs`, which does not pay for them.
//!
//! ```text
//! increments   each sweep's normal impulse Δλn ≥ 0, nothing is ever taken back        002, per-iteration clamping
//! box          each tangent of a patch bound by itself, |λ| ≤ μ Λ                     000 Friction (patch), erratum 8
//! generic      the patch's tangents among the generic rows, before the normals,       000 Friction (patch), erratum 7
//!              with the infinite bounds that `plane_setup` gives them
//! weight       |λt| ≤ max(μ · 10 · 1/(1/mA + 1/mB), μ |Δλn|): newtons for newton-     004 ch. 12, erratum 14
//!              seconds, and the increment for the sum
//! ```

use super::common::Pair;
use crate::physics::collide::manifold::POINTS;
use crate::physics::row::{Friction, Printed, Row, Tangents};

/// The book's gravity in its bound `umg`, m/s².
const BOOK_GRAVITY: f32 = 10.0;

impl<const LIVE: bool> Pair<LIVE> {
    /// Solves a contact block whose rows are bound as printed.
    #[inline(never)]
    pub(super) fn solve_printed(
        &mut self,
        printed: Printed,
        friction: Friction,
        normals: &mut [Row],
        rest: &mut [Row],
    ) {
        if printed.tangents == Tangents::Generic {
            rest.iter_mut().take(2).for_each(|row| self.solve_row(row));
        }
        let mut gained = [0.0; POINTS];
        for (row, gained) in normals.iter_mut().zip(&mut gained) {
            let before = row.impulse;
            if printed.increments {
                self.solve_increment(row);
            } else {
                self.solve_row(row);
            }
            *gained = row.impulse - before;
        }
        let total: f32 = normals.iter().map(|n| n.impulse).sum();
        match (printed.tangents, friction) {
            (Tangents::Box | Tangents::Generic, Friction::Patch { mu, arm, rolling, .. }) => {
                let (tangents, rest) = rest.split_at_mut(2);
                if printed.tangents == Tangents::Box {
                    tangents.iter_mut().for_each(|row| self.solve_within(row, mu * total));
                }
                let (twists, rest) = rest.split_at_mut(usize::from(arm > 0.0));
                twists.iter_mut().for_each(|row| self.solve_within(row, mu * arm * total));
                self.solve_disc(rest, rolling * total);
            }
            (Tangents::Weight, Friction::Cone { mu, rolling } | Friction::Pyramid { mu, rolling }) => {
                let (tangents, rest) = rest.split_at_mut(2 * normals.len());
                for (pair, gained) in tangents.chunks_exact_mut(2).zip(gained) {
                    for row in pair {
                        let weight = mu * BOOK_GRAVITY / (row.inv_ma + row.inv_mb).max(f32::MIN_POSITIVE);
                        self.solve_within(row, weight.max((mu * gained).abs()));
                    }
                }
                self.solve_disc(rest, rolling * total);
            }
            _ => self.solve_friction(friction, normals, rest),
        }
    }

    /// A row with |λ| ≤ `most`.
    fn solve_within(&mut self, row: &mut Row, most: f32) {
        (row.lo, row.hi) = (-most, most);
        self.solve_row(row);
    }
}
