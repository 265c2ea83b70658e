//! Rows whose bounds depend on the impulses of other rows: friction and rolling resistance.
//!
//! ```text
//! span     |λ| ≤ R                                     one row
//! disc     ‖(λ₁, λ₂)‖ ≤ R                              one common step, then radial projection
//! surface  (λ₁, λ₂, λ₃/r_p) within a limit surface     one common step, then projection (`limit_surface.rs`)
//! ```
//! Each row takes its step first; then the impulse is projected on the nearest point within the bound, whose size R is
//! that of the present normal impulses (`bounds.rs`). Between the step and the projection on a limit surface stands who
//! projects: one contact at once, or those of several groups in one list.
//! Source: 000 Friction; 003.

use super::bodies::Bodies;
use super::real::{Mask, Real};
use super::row::{SolverRow, set, solve, step};

/// Solves a row with |λ| ≤ `radius`, N·s or N·m·s.
#[inline(always)]
pub fn solve_span<B: Bodies<Number = W::Number>, W: SolverRow>(
    bodies: &mut B,
    row: &mut W,
    shared: W::Shared,
    radius: W::Number,
) {
    row.bound(radius);
    solve::<true, B, W>(bodies, row, shared);
}

/// The impulse of a row after its step, before projection.
#[inline(always)]
fn unprojected<const SOFT: bool, B: Bodies<Number = W::Number>, W: SolverRow>(
    bodies: &B,
    row: &W,
    shared: W::Shared,
) -> W::Number {
    row.impulse() + step::<SOFT, B, W>(bodies, row, shared)
}

/// Gives a row a projected impulse; `most` is what its bound allows it alone.
#[inline(always)]
fn set_projected<B: Bodies<Number = W::Number>, W: SolverRow>(
    bodies: &mut B,
    row: &mut W,
    shared: W::Shared,
    (impulse, most): (W::Number, W::Number),
) {
    row.bound(most);
    set(bodies, row, shared, impulse);
}

/// Solves two rows with ‖λ‖ ≤ `radius`, N·s or N·m·s.
#[inline(always)]
pub fn solve_disc<const SOFT: bool, B: Bodies<Number = W::Number>, W: SolverRow>(
    bodies: &mut B,
    rows: &mut [W],
    shared: W::Shared,
    radius: W::Number,
) {
    let [first, second] = rows else { return };
    solve_disc_of::<SOFT, B, W>(bodies, [first, second], shared, radius);
}

/// The same for two rows that need not be neighbours.
#[inline(always)]
pub fn solve_disc_of<const SOFT: bool, B: Bodies<Number = W::Number>, W: SolverRow>(
    bodies: &mut B,
    [first, second]: [&mut W; 2],
    shared: W::Shared,
    radius: W::Number,
) {
    let (x, y) = (unprojected::<SOFT, B, W>(bodies, first, shared), unprojected::<SOFT, B, W>(bodies, second, shared));
    let (x, y) = on_disc((x, y), radius);
    set_projected(bodies, first, shared, (x, radius));
    set_projected(bodies, second, shared, (y, radius));
}

/// Radial projection on the disc ‖(x, y)‖ ≤ radius.
#[inline(always)]
fn on_disc<R: Real>((x, y): (R, R), radius: R) -> (R, R) {
    let length = (x * x + y * y).sqrt();
    let beyond = length.gt(radius);
    // One lane need not divide for nothing.
    if R::LANES == 1 && !beyond.any() {
        return (x, y);
    }
    let shrink = radius / length;
    (R::select(beyond, x * shrink, x), R::select(beyond, y * shrink, y))
}

/// Impulses whose square is below this times that of the bound are within every limit surface: it is less than the
/// square of [`INSIDE`](super::limit_surface::INSIDE).
pub const SURELY_INSIDE: f32 = 0.86;

/// What the rows of a friction patch ask for before projection, N·s: two slides, and the torsion over its lever arm.
#[derive(Debug, Clone, Copy, Default)]
pub struct Patch<R> {
    pub x: R,
    pub y: R,
    pub torsion: R,
}

impl<R: Real<One = f32>> Patch<R> {
    /// The common step of two tangents and the twist with the lever arm `arm`, m.
    #[inline(always)]
    pub fn step<const SOFT: bool, B, T, W>(
        bodies: &B,
        (first, second, of_slides): (&T, &T, T::Shared),
        (twist, of_twist): (&W, W::Shared),
        arm: R,
    ) -> Self
    where
        B: Bodies<Number = R>,
        T: SolverRow<Number = R>,
        W: SolverRow<Number = R>,
    {
        Self {
            x: unprojected::<SOFT, B, T>(bodies, first, of_slides),
            y: unprojected::<SOFT, B, T>(bodies, second, of_slides),
            torsion: unprojected::<SOFT, B, W>(bodies, twist, of_twist) / arm,
        }
    }

    /// The lanes that may exceed a limit surface of this size, N·s; most impulses need no projection.
    #[inline(always)]
    pub fn may_exceed(&self, radius: R) -> R::Mask {
        let Self { x, y, torsion } = *self;
        (x * x + y * y + torsion * torsion).gt(R::splat(SURELY_INSIDE) * radius * radius)
    }

    /// Gives the rows these impulses, once they are within the bound of size `radius`.
    #[inline(always)]
    pub fn set_projected<B, T, W>(
        self,
        bodies: &mut B,
        (first, second, of_slides): (&mut T, &mut T, T::Shared),
        (twist, of_twist): (&mut W, W::Shared),
        (arm, radius): (R, R),
    ) where
        B: Bodies<Number = R>,
        T: SolverRow<Number = R>,
        W: SolverRow<Number = R>,
    {
        set_projected(bodies, first, of_slides, (self.x, radius));
        set_projected(bodies, second, of_slides, (self.y, radius));
        set_projected(bodies, twist, of_twist, (self.torsion * arm, arm * radius));
    }
}

#[cfg(test)]
mod tests {
    use wide::f32x4;

    use super::*;

    #[test]
    fn four_discs_have_the_bits_of_one_at_a_time() {
        let points = [(0.3f32, -0.4f32), (3.0, 4.0), (0.0, 0.0), (-1e-3, 7.0)];
        let radii = [1.0f32, 2.0, 0.0, 1e-4];
        let (x, y) = (f32x4::from(points.map(|p| p.0)), f32x4::from(points.map(|p| p.1)));
        let (x, y) = on_disc((x, y), f32x4::from(radii));
        for lane in 0..4 {
            let one = on_disc(points[lane], radii[lane]);
            assert_eq!((x.to_array()[lane], y.to_array()[lane]), one);
            assert!(one.0.hypot(one.1) <= radii[lane] * (1.0 + 1e-6));
        }
    }
}
