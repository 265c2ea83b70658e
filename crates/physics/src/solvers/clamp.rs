//! The step of rows whose bounds depend on other rows' impulses (`bounds.rs`), such as friction. Each row takes its
//! step; then the impulse is projected on the nearest point within the bounds, for the present normal impulses.

use super::block::BlockVelocities;
use crate::bounds::{FrictionBound, FrictionLaw};
use crate::limit_surface::{self, Surface};
use crate::row::Row;

impl<const LIVE: bool> BlockVelocities<LIVE> {
    /// Solves the rows of one bound; `rows` are those of the block.
    #[inline(always)]
    pub(super) fn solve_bound(&mut self, bound: &FrictionBound, rows: &mut [Row]) {
        let radius = bound.radius(rows);
        let first = bound.first as usize;
        match bound.kind {
            FrictionLaw::Span | FrictionLaw::Weight => self.solve_span(&mut rows[first], radius),
            FrictionLaw::Disc => self.solve_disc(&mut rows[first..first + 2], radius),
            FrictionLaw::Surface { arm, surface } => {
                self.solve_surface(&mut rows[first..first + 3], surface, arm, radius)
            }
        }
    }

    /// A row with |λ| ≤ `radius`, N·s.
    #[inline(always)]
    pub(super) fn solve_span(&mut self, row: &mut Row, radius: f32) {
        (row.lo, row.hi) = (-radius, radius);
        self.solve_row(row);
    }

    /// Two rows bounded by ‖λ‖ ≤ radius: one common step, then radial projection.
    #[inline(always)]
    fn solve_disc(&mut self, rows: &mut [Row], radius: f32) {
        let [first, second] = rows else { return };
        let (mut x, mut y) = (first.impulse + self.step(first), second.impulse + self.step(second));
        let length = (x * x + y * y).sqrt();
        if length > radius {
            let shrink = radius / length;
            (x, y) = (x * shrink, y * shrink);
        }
        for (row, impulse) in [(first, x), (second, y)] {
            self.take(row, impulse, radius);
        }
    }

    /// Two tangents and the twist divided by its `arm`, m, bounded together: one common step, then projection on the
    /// limit surface.
    #[inline(always)]
    fn solve_surface(&mut self, rows: &mut [Row], surface: Surface, arm: f32, radius: f32) {
        let [x, y, twist] = rows else { return };
        let mut slide = (x.impulse + self.step(x), y.impulse + self.step(y));
        let mut torsion = (twist.impulse + self.step(twist)) / arm;
        // Every limit surface contains the ball of 0.93 times its radius, so most impulses need no projection.
        if slide.0 * slide.0 + slide.1 * slide.1 + torsion * torsion > 0.86 * radius * radius {
            let wide = (f64::from(slide.0), f64::from(slide.1));
            if let Some(((x, y), z)) = limit_surface::project(surface, wide, torsion.into(), radius.into()) {
                (slide, torsion) = ((x as f32, y as f32), z as f32);
            }
        }
        for (row, impulse, most) in [(x, slide.0, radius), (y, slide.1, radius), (twist, torsion * arm, arm * radius)] {
            self.take(row, impulse, most);
        }
    }

    /// Sets a row's impulse. Also sets its own bounds to ±`most`, for display only.
    #[inline(always)]
    fn take(&mut self, row: &mut Row, impulse: f32, most: f32) {
        let change = impulse - row.impulse;
        row.impulse = impulse;
        (row.lo, row.hi) = (-most, most);
        self.apply(row, change);
    }
}
