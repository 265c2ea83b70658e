//! The split position correction of one row and of an anchor's three rows. It solves the same rows for separate
//! pseudo-velocities u'.
//!
//! ```text
//! r' = J u' + b'      Δλ' = −r'/K, clamped on the accumulated λ'      u' ← u' + M⁻¹ Jᵀ Δλ'
//! ```
//! u' moves the poses and is then discarded, so the correction adds no energy. Where b' comes from: `stabilize.rs`.

use super::bodies::{Bodies, Pair};
use super::real::Real;
use super::row::{SolverRow, times};

/// A row that takes part in the split position correction.
pub trait CorrectedRow: SolverRow {
    /// Bias of the split correction, m/s or rad/s.
    fn pseudo_bias(&self) -> Self::Number;
    /// Its accumulated impulse, N·s or N·m·s.
    fn pseudo_impulse(&self) -> Self::Number;
    fn set_pseudo_impulse(&mut self, impulse: Self::Number);
}

/// J u + b of the split correction.
#[inline(always)]
pub fn pseudo_residual<B: Bodies<Number = W::Number>, W: CorrectedRow>(
    bodies: &B,
    row: &W,
    shared: W::Shared,
) -> W::Number {
    let Pair { a, b } = bodies.velocities();
    row.speed(shared, a, b) + row.pseudo_bias()
}

/// Whether a row takes part in the split correction: soft rows do not, nor rows that are bounded on both sides (motors,
/// friction).
#[inline(always)]
pub fn is_corrected<R: Real<One = f32>>(gamma: R, lo: R, hi: R) -> R::Mask {
    let infinity = R::splat(f32::INFINITY);
    !(gamma.gt(R::ZERO) | (lo.abs().lt(infinity) & hi.abs().lt(infinity)))
}

/// The split correction of one row, in the lanes of `mask`.
#[inline(always)]
pub fn correct<B: Bodies<Number = W::Number>, W: CorrectedRow>(
    bodies: &mut B,
    row: &mut W,
    shared: W::Shared,
    mask: <W::Number as Real>::Mask,
) {
    let step = bodies.relaxed(-pseudo_residual(bodies, row, shared) * row.inv_k());
    let impulse = row.clamp(row.pseudo_impulse() + step);
    let change = (impulse - row.pseudo_impulse()).masked(mask);
    row.set_pseudo_impulse(W::Number::select(mask, impulse, row.pseudo_impulse()));
    row.apply(shared, bodies.velocities_mut(), change);
}

/// The split correction of three rigid rows at once, in the lanes of `mask`.
#[inline(always)]
pub fn correct_anchor<B: Bodies<Number = W::Number>, W: CorrectedRow>(
    bodies: &mut B,
    rows: &mut [W],
    shared: W::Shared,
    inverse: &[<W::Number as Real>::Vector; 3],
    mask: <W::Number as Real>::Mask,
) {
    let [x, y, z] = rows else { return };
    let residual = |row: &W| -pseudo_residual(bodies, row, shared);
    let change = times(inverse, [residual(x), residual(y), residual(z)]);
    for (row, change) in [x, y, z].into_iter().zip(change) {
        let change = bodies.relaxed(change).masked(mask);
        row.set_pseudo_impulse(row.pseudo_impulse() + change);
        row.apply(shared, bodies.velocities_mut(), change);
    }
}
