//! Contacts as the documents print them, errors included; chosen by the settings of `formulation`. Kept separate from
//! the corrected sweep in `block.rs`, so that they do not slow it down.
//!
//! ```text
//! increments   each sweep's normal impulse Δλn ≥ 0, so λn never decreases             002, per-iteration clamping
//! box          each tangent of a patch bound by itself, |λ| ≤ μ Λ                     000 Friction (patch), erratum 8
//! generic      the patch's tangents among the generic rows, before the normals,       000 Friction (patch), erratum 7
//!              with the infinite bounds that `plane_setup` gives them
//! weight       |λt| ≤ max(μ · 10 · 1/(1/mA + 1/mB), μ |Δλn|): newtons for newton-     004 ch. 12, erratum 14
//!              seconds, and the increment for the sum
//! points       normal and tangents of a point as one equation, by three sweeps        004 ch. 12, erratum 32
//!              among themselves, with the bounds applied afterwards
//! ```

use super::block::BlockVelocities;
use super::clamp::solve_bound;
use crate::bounds::{FrictionBound, FrictionLaw};
use crate::collide::manifold::POINTS;
use crate::kernel::bound;
use crate::row::{Printed, Row};

/// The book's gravity in its bound `umg`, m/s².
const BOOK_GRAVITY: f32 = 10.0;

impl<const LIVE: bool> BlockVelocities<LIVE> {
    /// Solves a contact block in a printed form.
    #[inline(never)]
    pub(super) fn solve_printed(&mut self, form: Printed, normals: usize, bounds: &[FrictionBound], rows: &mut [Row]) {
        if form.points {
            (0..normals).for_each(|point| self.solve_point(point, bounds, rows));
            let others = bounds.iter().filter(|bound| bound.kind != FrictionLaw::Weight);
            return others.for_each(|bound| solve_bound(self, bound, rows));
        }
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
            if bound.kind == FrictionLaw::Weight {
                let gained: f32 = gained[bound.normals()].iter().sum();
                let row = &mut rows[bound.first as usize];
                bound::solve_span(self, row, (), weight(row, bound.factor).max((bound.factor * gained).abs()));
            } else {
                solve_bound(self, bound, rows);
            }
        }
    }

    /// A contact point as the book solves it: its normal and two tangents as one equation, by inner sweeps, with the
    /// bounds applied to the sums afterwards. A separated point has no constraint there, and its impulses are
    /// dropped. (Solving the normal of a separated point alone, without its tangents, kept a stack of five rocking.)
    fn solve_point(&mut self, point: usize, bounds: &[FrictionBound], rows: &mut [Row]) {
        let (mut list, mut count, mut mu) = ([point; 3], 1, 0.0);
        let bounds_point = |bound: &&FrictionBound| {
            bound.kind == FrictionLaw::Weight && bound.normals().start == point && bound.factor > 0.0
        };
        for (entry, bound) in list[1..].iter_mut().zip(bounds.iter().filter(bounds_point)) {
            (*entry, mu) = (bound.first as usize, bound.factor);
            count += 1;
        }
        if rows[point].bias > 0.0 {
            for index in &list[..count] {
                let row = &mut rows[*index];
                let held = std::mem::take(&mut row.impulse);
                self.apply(row, -held);
            }
            return;
        }
        let mut found = [0.0f32; 3];
        let mut trial = BlockVelocities::<true>::new(self.now.a, self.now.b, 1.0);
        for _ in 0..count {
            for (index, x) in list[..count].iter().zip(&mut found) {
                let row = &rows[*index];
                let step = trial.step(row) - row.gamma * row.inv_k * *x;
                *x += step;
                trial.apply(row, step);
            }
        }
        for (index, x) in list[..count].iter().zip(found) {
            let row = &mut rows[*index];
            let limit = weight(row, mu).max((mu * found[0]).abs());
            let (lo, hi) = if *index == point { (row.lo, row.hi) } else { (-limit, limit) };
            let impulse = (row.impulse + x).max(lo).min(hi);
            let change = impulse - row.impulse;
            row.impulse = impulse;
            self.apply(row, change);
        }
    }
}

/// The book's bound `umg`, N.
fn weight(row: &Row, mu: f32) -> f32 {
    mu * BOOK_GRAVITY / (row.inv_ma + row.inv_mb).max(f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use glam::Vec3A;

    use super::*;
    use crate::body::Velocity;

    /// Regression: a stack of five, solved by the book's points, rocked for twelve seconds, because the normal of a
    /// separated point was solved alone and its old friction stayed. In the book such a point has no constraint and
    /// loses its impulses.
    #[test]
    fn a_point_that_is_apart_holds_nothing_and_forgets_its_friction() {
        let row = |lin: Vec3A, impulse: f32| Row { lin, inv_mb: 1.0, inv_k: 1.0, impulse, ..Row::default() };
        let mut rows = [row(Vec3A::Z, 3.0), row(Vec3A::X, 0.5), row(Vec3A::Y, -0.25)];
        (rows[0].bias, rows[0].lo, rows[0].hi) = (0.2, 0.0, f32::INFINITY);
        let tangent = |first: u8| FrictionBound { kind: FrictionLaw::Weight, first, normals: (0, 1), factor: 0.5 };
        // 1 kg; warm starting has applied all three impulses.
        let free = Vec3A::new(0.1, 0.2, -1.0);
        let warm = free + Vec3A::new(0.5, -0.25, 3.0);
        let b = Velocity { linear: warm, ..Velocity::default() };
        let mut pair = BlockVelocities::<true>::new(Velocity::default(), b, 1.0);
        pair.solve_point(0, &[tangent(1), tangent(2)], &mut rows);
        assert_eq!(rows.map(|row| row.impulse), [0.0; 3]);
        assert!((pair.now.b.linear - free).length() < 1e-6, "{}", pair.now.b.linear);
    }
}
