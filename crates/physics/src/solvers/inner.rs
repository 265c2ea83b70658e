//! Solves each joint's rows as a small problem with its own inner sweeps before the next joint. 004 solves each of
//! its constraints this way.
//!
//! ```text
//! K x = −(J u + b + γ λ),  K = J M⁻¹ Jᵀ + γ, of the N rows of one joint
//! x = 0;  N times, for each row:  x_i ← x_i − (K x + J u + b + γ λ)_i / K_ii;   then  λ ← λ + x,  u ← u + M⁻¹ Jᵀ x
//! ```
//! K x + J u is J u' with u' = u + M⁻¹ Jᵀ x, trial velocities of the two bodies, so K need not be built: for rows
//! without bounds this equals N sweeps over these rows alone. It approaches the joint's own solution at K's
//! Gauss–Seidel rate per sweep, and costs N passes over the rows. A row with bounds keeps λ + x within them in each
//! of the N sweeps.
//!
//! The book applies the bounds only at the end (`after`): it solves a constraint as if a stop could pull, and then
//! removes the stop's impulse. The other rows were solved with that impulse, so once a stop lets go they are left
//! wrong, in every sweep again (erratum 32). Source: 004 ch. 5 (`LCP_GaussSeidel`), 16–20, 22.

use super::block::BlockVelocities;
use crate::kernel::bodies::Pair;
use crate::row::{Row, SLOTS};

impl<const LIVE: bool> BlockVelocities<LIVE> {
    /// Solves a joint's rows by as many inner sweeps as there are rows. `na`, `nb` are the factors on the two bodies'
    /// inverse masses (mass splitting); `after` applies bounds only at the end.
    #[inline(never)]
    pub(super) fn solve_inner(&mut self, rows: &mut [Row], [na, nb]: [f32; 2], after: bool) {
        let mut found = [0.0f32; SLOTS];
        let mut trial = BlockVelocities::<true>::new(self.now.a, self.now.b, 1.0);
        for _ in 0..rows.len() {
            for (row, x) in rows.iter().zip(&mut found) {
                let step = trial.step(row) - row.gamma * row.inv_k * *x;
                let step = if after { step } else { within(row, row.impulse + *x, step) };
                *x += step;
                trial.apply_shared(row, step, (na, nb));
            }
        }
        for (row, x) in rows.iter_mut().zip(found) {
            let change = if LIVE { x } else { x * self.relaxation() };
            let change = if after { behind(row, change) } else { change };
            row.impulse += change;
            self.apply(row, change);
        }
    }

    /// u ← u + M⁻¹ Jᵀ Δλ with the inverse masses multiplied by `na` and `nb`.
    #[inline(always)]
    fn apply_shared(&mut self, row: &Row, lambda: f32, (na, nb): (f32, f32)) {
        let Pair { a, b } = &mut self.now;
        a.linear += row.lin_a() * (row.inv_ma * na * lambda);
        a.angular += row.inv_ia * (na * lambda);
        b.linear += row.lin * (row.inv_mb * nb * lambda);
        b.angular += row.inv_ib * (nb * lambda);
    }
}

/// The part of `step` that keeps `sum` within the row's bounds; a row without bounds takes all of it.
fn within(row: &Row, sum: f32, step: f32) -> f32 {
    if row.lo == f32::NEG_INFINITY && row.hi == f32::INFINITY {
        return step;
    }
    (sum + step).max(row.lo).min(row.hi) - sum
}

/// A joint's solution with bounds applied at the end: the part of a stop that does not pull, the part of a drive that
/// keeps the sum within its cap.
fn behind(row: &Row, change: f32) -> f32 {
    let stop = row.lo.is_finite() != row.hi.is_finite();
    if stop { change.max(row.lo).min(row.hi) } else { within(row, row.impulse, change) }
}

#[cfg(test)]
mod tests {
    use glam::Vec3A;

    use super::*;
    use crate::body::Velocity;
    use crate::row::Coupling;
    use crate::system::Couplings;

    /// A row along `t` that acts on a point mass of 1 kg, the second body; K = 1.
    fn along(t: Vec3A) -> Row {
        Row { lin: t, inv_mb: 1.0, inv_k: 1.0, lo: f32::NEG_INFINITY, hi: f32::INFINITY, ..Row::default() }
    }

    /// Two rows at an angle of cosine `c`.
    fn pair(c: f32) -> [Row; 2] {
        [along(Vec3A::X), along(Vec3A::new(c, (1.0 - c * c).sqrt(), 0.0))]
    }

    fn still() -> BlockVelocities<true> {
        moving(Vec3A::ZERO)
    }

    fn moving(linear: Vec3A) -> BlockVelocities<true> {
        BlockVelocities::new(Velocity::default(), Velocity { linear, ..Velocity::default() }, 1.0)
    }

    fn solve<const LIVE: bool>(pair: &mut BlockVelocities<LIVE>, rows: &mut [Row], shares: [f32; 2], after: bool) {
        let couplings = Couplings { shares: vec![shares], ..Couplings::default() };
        pair.solve(Coupling::Inner { shares: 0, after }, rows, &couplings);
    }

    /// K = [[1, c], [c, 1]]: a Gauss–Seidel sweep multiplies the second row's error by c², and the first's is −c
    /// times the second's before it. One call makes two sweeps.
    #[test]
    fn inner_sweeps_come_nearer_at_the_rate_of_gauss_seidel() {
        let c = 0.8f32;
        let (b, determinant) = ([0.3f32, -1.1], 1.0 - c * c);
        let exact = [-(b[0] - c * b[1]) / determinant, -(b[1] - c * b[0]) / determinant];
        let mut rows = pair(c);
        (rows[0].bias, rows[1].bias) = (b[0], b[1]);
        let mut velocities = still();
        for turn in 1..=4 {
            solve(&mut velocities, &mut rows, [1.0; 2], false);
            let second = -exact[1] * c.powi(4 * turn);
            let first = -c * second / (c * c);
            let (e1, e2) = (rows[0].impulse - exact[0], rows[1].impulse - exact[1]);
            assert!(
                (e1 - first).abs() < 2e-6 && (e2 - second).abs() < 2e-6,
                "turn {turn}: {e1} {first}, {e2} {second}"
            );
        }
        for _ in 0..20 {
            solve(&mut velocities, &mut rows, [1.0; 2], false);
        }
        let left = rows.each_ref().map(|row| row.lin.dot(velocities.now.b.linear) + row.bias);
        assert!(left.iter().all(|left| left.abs() < 1e-6), "{left:?}");
    }

    /// The impulses of the rows equal the body's change of momentum: M (u' − u) = Jᵀ λ.
    #[test]
    fn a_turn_gives_the_body_the_impulses_that_it_notes() {
        let mut rows = pair(0.6);
        rows[1].bias = 2.0;
        let start = Vec3A::new(0.4, -0.7, 0.2);
        let mut velocities = moving(start);
        solve(&mut velocities, &mut rows, [1.0; 2], false);
        let given: Vec3A = rows.iter().map(|row| row.lin * row.impulse).sum();
        assert!((velocities.now.b.linear - start - given).length() < 1e-6);
    }

    /// The second row, a stop, only pushes (λ ≥ 0), and the body leaves it: only the first row acts, x₁ = −v₁. With
    /// bounds applied after the sweeps the method settles where its step of two sweeps vanishes: with r the rows'
    /// velocities, −r₁ + c (r₂ − c r₁) = 0, r₁ = c r₂/(1 + c²).
    #[test]
    fn erratum_32_bounds_behind_the_sweeps_leave_the_other_rows_wrong() {
        let c = 0.6f32;
        let settled = |after: bool| {
            let mut rows = pair(c);
            rows[1].lo = 0.0;
            let mut velocities = moving(Vec3A::new(0.5, 1.0, 0.0));
            for _ in 0..200 {
                solve(&mut velocities, &mut rows, [1.0; 2], after);
            }
            (rows.each_ref().map(|row| row.lin.dot(velocities.now.b.linear)), rows[1].impulse)
        };
        let ([first, second], stop) = settled(false);
        assert!(first.abs() < 1e-6 && second > 0.5 && stop == 0.0, "{first} {second} {stop}");
        let ([first, second], stop) = settled(true);
        let printed = c * second / (1.0 + c * c);
        assert!((first - printed).abs() < 1e-5 && first > 0.2 && stop == 0.0, "{first} {printed} {stop}");
    }

    /// Accumulated impulses stay within their bounds: a drive with a cap of 0.25 N·s.
    #[test]
    fn inner_sweeps_keep_bounds() {
        let mut rows = pair(0.5);
        (rows[1].bias, rows[1].lo, rows[1].hi) = (3.0, -0.25, 0.25);
        let mut velocities = still();
        for _ in 0..10 {
            solve(&mut velocities, &mut rows, [1.0; 2], false);
            assert!(rows[1].impulse >= -0.25, "{}", rows[1].impulse);
        }
        assert_eq!(rows[1].impulse, -0.25);
        assert!(velocities.now.b.linear.x.abs() < 1e-6, "the first row holds: {}", velocities.now.b.linear.x);
    }

    /// If two blocks share a mass, each uses half of it: together they change the velocity as much as one block that
    /// uses it whole.
    #[test]
    fn blocks_that_share_a_mass_add_up_to_one() {
        let linear = Vec3A::new(0.9, -0.4, 0.0);
        let mut velocities =
            BlockVelocities::<false>::new(Velocity::default(), Velocity { linear, ..Velocity::default() }, 1.0);
        let mut rows = pair(0.0);
        rows.iter_mut().for_each(|row| row.inv_k = 0.5);
        solve(&mut velocities, &mut rows, [1.0, 2.0], false);
        assert!((2.0 * velocities.change.b.linear + linear).length() < 1e-6, "{}", velocities.change.b.linear);
    }
}
