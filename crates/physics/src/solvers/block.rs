//! Solves one block, the rows between two bodies: each row's error, the change of its impulse, and the resulting
//! change of the two velocities.
//!
//! ```text
//! r = J u + b + γ λ      Δλ = −r / (K + γ), clamped on the accumulated λ      u ← u + M⁻¹ Jᵀ Δλ
//! ```
//!
//! Friction bounds are in `clamp.rs`, contacts as documents print them in `printed.rs`.

use glam::{Mat3A, Vec3A};

use crate::body::Velocity;
use crate::row::{Block, Coupling, Row};
use crate::system::couplings::Couplings;

/// The largest component of a list of velocities, m/s or rad/s.
pub fn largest(velocities: &[Velocity]) -> f32 {
    velocities.iter().map(size).fold(0.0, f32::max)
}

/// The largest component of a velocity, m/s or rad/s.
#[inline(always)]
fn size(velocity: &Velocity) -> f32 {
    velocity.linear.abs().max(velocity.angular.abs()).max_element()
}

/// J u, m/s or rad/s.
#[inline(always)]
pub(crate) fn speed(row: &Row, a: &Velocity, b: &Velocity) -> f32 {
    (row.lin * (b.linear - a.linear) + row.ang_a * a.angular + row.ang_b * b.angular).element_sum()
}

/// The velocities of a block's two bodies while it is solved. `LIVE` rows see each other's changes at once
/// (Gauss–Seidel); otherwise all see the velocities that the block started with and the changes are kept apart
/// (Jacobi).
pub struct BlockVelocities<const LIVE: bool> {
    pub a: Velocity,
    pub b: Velocity,
    pub change_a: Velocity,
    pub change_b: Velocity,
    relaxation: f32,
}

/// Solves a block and updates the velocities at once (Gauss–Seidel). With `WATCH` it returns the largest change of a
/// velocity.
#[inline(always)]
pub fn solve_block<const WATCH: bool>(
    block: &Block,
    coupling: Coupling,
    rows: &mut [Row],
    couplings: &Couplings,
    velocities: &mut [Velocity],
) -> f32 {
    let (a, b) = (block.a as usize, block.b as usize);
    let mut pair = BlockVelocities::<true>::new(velocities[a], velocities[b], 1.0);
    pair.solve(coupling, &mut rows[block.range()], couplings);
    let moved = if WATCH { pair.moved(&velocities[a], &velocities[b]) } else { 0.0 };
    (velocities[a], velocities[b]) = (pair.a, pair.b);
    moved
}

/// Solves a block on the velocities of the pass's start and adds the changes to `change` (Jacobi).
#[inline(always)]
pub fn collect_block(
    block: &Block,
    rows: &mut [Row],
    couplings: &Couplings,
    velocities: &[Velocity],
    change: &mut [Velocity],
    relaxation: f32,
) {
    let (a, b) = (block.a as usize, block.b as usize);
    let mut pair = BlockVelocities::<false>::new(velocities[a], velocities[b], relaxation);
    pair.solve(block.coupling, &mut rows[block.range()], couplings);
    pair.add_to(change, (a, b));
}

impl BlockVelocities<false> {
    /// Adds the collected changes of the two bodies.
    #[inline(always)]
    pub fn add_to(&self, change: &mut [Velocity], (a, b): (usize, usize)) {
        change[a].linear += self.change_a.linear;
        change[a].angular += self.change_a.angular;
        change[b].linear += self.change_b.linear;
        change[b].angular += self.change_b.angular;
    }
}

impl<const LIVE: bool> BlockVelocities<LIVE> {
    /// From the two bodies' velocities; `relaxation` is the factor ω on each correction.
    #[inline(always)]
    pub fn new(a: Velocity, b: Velocity, relaxation: f32) -> Self {
        Self { a, b, change_a: Velocity::default(), change_b: Velocity::default(), relaxation }
    }

    /// The factor ω on each correction.
    pub(super) fn relaxation(&self) -> f32 {
        self.relaxation
    }

    /// Solves the rows of one block.
    #[inline(always)]
    pub fn solve(&mut self, coupling: Coupling, rows: &mut [Row], couplings: &Couplings) {
        match coupling {
            Coupling::Rows => {
                for row in rows {
                    if row.lo == f32::NEG_INFINITY && row.hi == f32::INFINITY {
                        self.solve_free(row);
                    } else {
                        self.solve_row(row);
                    }
                }
            }
            Coupling::Inner { shares, after } => self.solve_inner(rows, couplings.shares[shares as usize], after),
            Coupling::Anchor { inverse } => self.solve_anchor::<false>(rows, &couplings.inverses[inverse as usize]),
            Coupling::SoftAnchor { inverse } => self.solve_anchor::<true>(rows, &couplings.inverses[inverse as usize]),
            Coupling::Increments => rows.iter_mut().for_each(|row| self.solve_increment(row)),
            Coupling::Tree => {}
            Coupling::Contact { normals, mean, coupled, bounds } => {
                if LIVE && mean {
                    self.solve_mean(&mut rows[..normals as usize]);
                }
                rows[..normals as usize].iter_mut().for_each(|row| self.solve_row(row));
                let bounds = &couplings.bounds[bounds.range()];
                bounds.iter().for_each(|bound| self.solve_bound(bound, rows));
                if LIVE && coupled {
                    self.solve_coupled(normals as usize, bounds, rows);
                }
            }
            Coupling::Printed { normals, bounds, form } => {
                self.solve_printed(form, normals as usize, &couplings.bounds[bounds.range()], rows);
            }
        }
    }

    /// Makes a step of the split position correction: the same rows on velocities of their own, with `pseudo_bias` as
    /// bias. Rows bounded on both sides (motors, friction) and soft rows take no part; drives that keep to a course
    /// are corrected by `Self::correct_held`.
    #[inline(always)]
    pub fn correct(&mut self, coupling: Coupling, rows: &mut [Row], couplings: &Couplings) {
        match coupling {
            Coupling::Anchor { inverse } => {
                let [x, y, z] = rows else { return };
                let wrong = |row: &Row| speed(row, &self.a, &self.b) + row.pseudo_bias;
                let change = couplings.inverses[inverse as usize] * -Vec3A::new(wrong(x), wrong(y), wrong(z));
                for (row, change) in [x, y, z].into_iter().zip((change * self.relaxation).to_array()) {
                    row.pseudo_impulse += change;
                    self.apply(row, change);
                }
            }
            Coupling::Rows | Coupling::Inner { .. } | Coupling::Increments => {
                rows.iter_mut().for_each(|row| self.correct_row(row));
            }
            Coupling::SoftAnchor { .. } | Coupling::Tree => {}
            Coupling::Contact { normals, .. } | Coupling::Printed { normals, .. } => {
                rows[..normals as usize].iter_mut().for_each(|row| self.correct_row(row));
            }
        }
    }

    /// J u plus the bias of the split correction.
    #[inline(always)]
    pub(super) fn off(&self, row: &Row) -> f32 {
        speed(row, &self.a, &self.b) + row.pseudo_bias
    }

    /// Adds `change` to the row's impulse of the split correction.
    #[inline(always)]
    pub(super) fn correct_by(&mut self, row: &mut Row, change: f32) {
        let change = if LIVE { change } else { change * self.relaxation };
        row.pseudo_impulse += change;
        self.apply(row, change);
    }

    #[inline(always)]
    fn correct_row(&mut self, row: &mut Row) {
        if row.gamma > 0.0 || (row.lo.is_finite() && row.hi.is_finite()) {
            return;
        }
        let step = -(speed(row, &self.a, &self.b) + row.pseudo_bias) * row.inv_k * self.relaxation;
        let impulse = (row.pseudo_impulse + step).max(row.lo).min(row.hi);
        let change = impulse - row.pseudo_impulse;
        row.pseudo_impulse = impulse;
        self.apply(row, change);
    }

    /// The largest change of a velocity component from `a` and `b`, m/s or rad/s.
    #[inline(always)]
    pub fn moved(&self, a: &Velocity, b: &Velocity) -> f32 {
        let by = |now: &Velocity, was: &Velocity| {
            size(&Velocity { linear: now.linear - was.linear, angular: now.angular - was.angular })
        };
        by(&self.a, a).max(by(&self.b, b))
    }

    /// Whether both velocities are zero.
    #[inline(always)]
    pub fn at_rest(&self) -> bool {
        let sum = self.a.linear.abs() + self.a.angular.abs() + self.b.linear.abs() + self.b.angular.abs();
        sum == Vec3A::ZERO
    }

    /// Δλ before clamping.
    #[inline(always)]
    pub(super) fn step(&self, row: &Row) -> f32 {
        let step = -(speed(row, &self.a, &self.b) + row.bias + row.gamma * row.impulse) * row.inv_k;
        if LIVE { step } else { step * self.relaxation }
    }

    /// u ← u + M⁻¹ Jᵀ Δλ.
    #[inline(always)]
    pub(super) fn apply(&mut self, row: &Row, lambda: f32) {
        let (a, b) = if LIVE { (&mut self.a, &mut self.b) } else { (&mut self.change_a, &mut self.change_b) };
        a.linear -= row.lin * (row.inv_ma * lambda);
        a.angular += row.inv_ia * lambda;
        b.linear += row.lin * (row.inv_mb * lambda);
        b.angular += row.inv_ib * lambda;
    }

    /// Clamps the accumulated impulse, not the increment: a later sweep may reduce what an earlier one has added.
    #[inline(always)]
    pub(super) fn solve_row(&mut self, row: &mut Row) {
        let impulse = (row.impulse + self.step(row)).max(row.lo).min(row.hi);
        let change = impulse - row.impulse;
        row.impulse = impulse;
        self.apply(row, change);
    }

    /// A row without bounds adds its step directly. As a difference of two impulses the step would be rounded to the
    /// precision of the impulses: a weld that bears 500 N·s would not change by less than 3e-5 N·s.
    #[inline(always)]
    fn solve_free(&mut self, row: &mut Row) {
        let step = self.step(row);
        row.impulse += step;
        self.apply(row, step);
    }

    /// Clamps the increment, as 004 prints it for its stops: an excess from one sweep is never taken back (erratum
    /// 18).
    #[inline(never)]
    pub(super) fn solve_increment(&mut self, row: &mut Row) {
        let change = self.step(row).max(row.lo).min(row.hi);
        row.impulse += change;
        self.apply(row, change);
    }

    /// Three unbounded rows at once: Δλ = −K⁻¹ (J u + b), or −(K + γ)⁻¹ (J u + b + γ λ) if `SOFT`.
    #[inline(always)]
    fn solve_anchor<const SOFT: bool>(&mut self, rows: &mut [Row], inverse: &Mat3A) {
        let [x, y, z] = rows else { return };
        let wrong = |row: &Row| {
            let rigid = speed(row, &self.a, &self.b) + row.bias;
            if SOFT { rigid + row.gamma * row.impulse } else { rigid }
        };
        let mut change = *inverse * -Vec3A::new(wrong(x), wrong(y), wrong(z));
        if !LIVE {
            change *= self.relaxation;
        }
        for (row, change) in [x, y, z].into_iter().zip(change.to_array()) {
            row.impulse += change;
            self.apply(row, change);
        }
    }
}
