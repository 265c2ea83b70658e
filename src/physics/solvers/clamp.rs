//! A sweep's step for rows whose bounds depend on other rows' impulses (`bounds.rs`). Each row takes its step; then the
//! impulse goes to the nearest point within the bounds, as the other impulses stand now.

use super::block::BlockVelocities;
use crate::physics::bounds::{FrictionBound, FrictionLaw};
use crate::physics::limit_surface::{self, Surface};
use crate::physics::row::Row;

impl<const LIVE: bool> BlockVelocities<LIVE> {
    /// Solves the rows of a bound; `rows` are the block's.
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

    /// A row with |λ| ≤ `radius`.
    #[inline(always)]
    pub(super) fn solve_span(&mut self, row: &mut Row, radius: f32) {
        (row.lo, row.hi) = (-radius, radius);
        self.solve_row(row);
    }

    /// Two rows bound by ‖λ‖ ≤ radius: one common step, then projected radially.
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

    /// Two tangents and the twist over its `arm`, bound together: one common step, then projected on the surface.
    #[inline(always)]
    fn solve_surface(&mut self, rows: &mut [Row], surface: Surface, arm: f32, radius: f32) {
        let [x, y, twist] = rows else { return };
        let mut slide = (x.impulse + self.step(x), y.impulse + self.step(y));
        let mut torsion = (twist.impulse + self.step(twist)) / arm;
        // Every surface holds the ball of nine tenths.
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

    /// Gives a row this impulse. Its own bounds are for readers only: the box around what binds it.
    #[inline(always)]
    fn take(&mut self, row: &mut Row, impulse: f32, most: f32) {
        let change = impulse - row.impulse;
        row.impulse = impulse;
        (row.lo, row.hi) = (-most, most);
        self.apply(row, change);
    }
}
