//! How strongly slipping friction moves a contact along its normal.
//!
//! ```text
//! r = μ ‖K_nt‖/K_nn       K_nt between the row in the mean of the normals and each friction row, a twist's times its arm
//! ```
//! What follows from it is in `solvers/coupled.rs`. Derived here.

use super::mean::Arms;
use super::real::Real;
use super::vector::Vector;

/// The r above which a contact is solved as a block.
pub const STRONG: f32 = 0.75;

/// I⁻¹ times the angular parts of a friction row for A and B, and the lever arm, m, of a twist.
#[derive(Debug, Clone, Copy)]
pub struct FrictionRow<R: Real> {
    pub inv_i: (R::Vector, R::Vector),
    pub arm: Option<R>,
}

/// The lanes whose r is above [`STRONG`]. `mean` is of the normals and `rigid` its K. Normals and tangents are at
/// right angles, so K_nt has no linear part.
#[inline(always)]
pub fn is_strong<R: Real<One = f32>, const N: usize>(
    mu: R,
    (mean, rigid): (&Arms<R>, R),
    friction: [FrictionRow<R>; N],
) -> R::Mask {
    let mut sum = R::ZERO;
    for FrictionRow { inv_i: (inv_ia, inv_ib), arm } in friction {
        let k = mean.ang_a.dot(inv_ia) + mean.ang_b.dot(inv_ib);
        let k = arm.map_or(k, |arm| arm * k);
        sum += k * k;
    }
    (mu * sum.sqrt()).gt(R::splat(STRONG) * rigid)
}
