//! The mean row of a contact: one normal row at the mean of its points, solved before the points themselves.
//!
//! ```text
//! J̄ = (1/n) Σ Jᵢ,  b̄ = (1/n) Σ (bᵢ + γᵢ λᵢ),  K̄ = J̄ M⁻¹ J̄ᵀ + (1/n²) Σ γᵢ
//! s = max(−(J̄ u + b̄)/K̄, −n minᵢ λᵢ)       λᵢ ← λᵢ + s/n,   u ← u + M⁻¹ J̄ᵀ s
//! ```
//! Point by point, the first point takes the whole load of a body that is set down flat, and tilts it. Ten sweeps do
//! not undo that, so a tower that stands still at first begins to sway. The mean row carries an even load evenly. It
//! is one more step of Gauss–Seidel, along the direction (1, …, 1)/n, so the energy that the sweep minimises never
//! rises. An impulse below zero would pull, so the step ends where the smallest impulse is zero.
//! (`contact.mean_first`; derived here.)

use super::bodies::{Pair, Velocities};
use super::real::Real;
use super::row::{SMALLEST_K, SolverRow, apply_along, mobility, offset, speed_along};

/// The angular parts of a row's jacobian, and I⁻¹ times these.
#[derive(Debug, Clone, Copy, Default)]
pub struct Arms<R: Real> {
    pub ang_a: R::Vector,
    pub ang_b: R::Vector,
    pub inv_ia: R::Vector,
    pub inv_ib: R::Vector,
}

impl<R: Real<One = f32>> Arms<R> {
    /// The mean of rows along one direction; none of them gives zero.
    #[inline(always)]
    pub fn mean(rows: impl ExactSizeIterator<Item = Self>) -> Self {
        let count = rows.len() as f32;
        let Some(sum) = rows.reduce(|mut sum, row| {
            sum.ang_a += row.ang_a;
            sum.ang_b += row.ang_b;
            sum.inv_ia += row.inv_ia;
            sum.inv_ib += row.inv_ib;
            sum
        }) else {
            return Self::default();
        };
        let share = R::splat(1.0 / count);
        Self {
            ang_a: sum.ang_a * share,
            ang_b: sum.ang_b * share,
            inv_ia: sum.inv_ia * share,
            inv_ib: sum.inv_ib * share,
        }
    }
}

/// The mean row of a contact.
#[derive(Debug, Clone, Copy, Default)]
pub struct MeanRow<R: Real> {
    /// The direction and the inverse masses that its points share.
    pub lin: R::Vector,
    pub inv_m: (R, R),
    pub arms: Arms<R>,
}

impl<R: Real<One = f32>> MeanRow<R> {
    /// J̄ M⁻¹ J̄ᵀ.
    #[inline(always)]
    pub fn mobility(&self) -> R {
        let Self { lin, inv_m, arms } = *self;
        let (a, b) = mobility(lin, inv_m, (arms.ang_a, arms.ang_b), (arms.inv_ia, arms.inv_ib));
        a + b
    }

    #[inline(always)]
    fn speed(&self, a: &Velocities<R>, b: &Velocities<R>) -> R {
        speed_along(self.lin, (self.arms.ang_a, self.arms.ang_b), a, b)
    }

    /// Solves it for the normals `rows` of the contact; `rigid` is its K without softness, its
    /// [`mobility`](Self::mobility).
    #[inline(always)]
    pub fn solve<const SOFT: bool, W: SolverRow<Number = R>>(&self, to: &mut Pair<R>, rows: &mut [W], rigid: R) {
        let Some((first, others)) = rows.split_first() else { return };
        let (mut sum, mut smallest, mut gamma) = (offset::<SOFT, W>(first), first.impulse(), first.gamma());
        for row in others {
            let row_offset = offset::<SOFT, W>(row);
            sum += row_offset;
            gamma += row.gamma();
            smallest = smallest.smaller(row.impulse());
        }
        let count = rows.len() as f32;
        let share = R::splat(1.0 / count);
        let k = if SOFT { rigid + gamma * share * share } else { rigid };
        let step = -(self.speed(&to.a, &to.b) + sum * share) / k;
        // Adding zero turns −0 into 0.
        let step = step.larger(-smallest * R::splat(count)) + R::ZERO;
        let step = step.masked(k.gt(R::splat(SMALLEST_K)));
        rows.iter_mut().for_each(|row| row.set_impulse(row.impulse() + step * share));
        apply_along(self.lin, self.inv_m, (self.arms.inv_ia, self.arms.inv_ib), to, step);
    }
}
