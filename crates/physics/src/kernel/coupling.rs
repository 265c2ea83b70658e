//! How strongly slipping friction moves a contact along its normal.
//!
//! ```text
//! r = μ ‖K_nt‖/K_nn       K_nt between the row in the mean of the normals and each friction row, a twist's times its arm
//! ```
//! What follows from it is in `solvers/coupled.rs`; the step along a contact's whole impulse that it takes is here.
//! Derived here.

use super::bodies::{Bodies, Pair};
use super::mean::Arms;
use super::real::Real;
use super::row::{SolverRow, residual};
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

/// The energy of a contact along λ ← (1 + s) λ.
#[derive(Debug, Clone, Copy, Default)]
pub struct WholeImpulse<R: Real> {
    /// M⁻¹ Jᵀ λ.
    whole: Pair<R>,
    /// Σ λn (J_n u + b_n + γ_n λn) and Σ λn (J_n M⁻¹ Jᵀ λ + γ_n λn), J.
    slope: R,
    curve: R,
}

impl<R: Real<One = f32>> WholeImpulse<R> {
    /// Takes in a row's impulse. All rows of the contact come before [`Self::meet`].
    #[inline(always)]
    pub fn take<W: SolverRow<Number = R>>(&mut self, row: &W, shared: W::Shared) {
        row.apply(shared, &mut self.whole, row.impulse());
    }

    /// Takes in what a normal row still misses at these velocities.
    #[inline(always)]
    pub fn meet<B: Bodies<Number = R>, W: SolverRow<Number = R>>(&mut self, bodies: &B, row: &W, shared: W::Shared) {
        let impulse = row.impulse();
        let Pair { a, b } = &self.whole;
        let curve = row.speed(shared, a, b) + row.gamma() * impulse;
        self.slope += impulse * residual::<true, B, W>(bodies, row, shared);
        self.curve += impulse * curve;
    }

    /// The step −1 ≤ s ≤ 0, and the lanes that take it: those whose impulse as a whole presses too much and opens the
    /// contact.
    #[inline(always)]
    pub fn step(&self) -> (R, R::Mask) {
        let takes = self.slope.gt(R::ZERO) & self.curve.gt(R::ZERO);
        ((-self.slope / self.curve).larger(-R::ONE).masked(takes), takes)
    }
}
