//! Solves one block, the rows between two bodies. Which rows are solved in which way, and in which order, is here; the
//! arithmetic is that of `kernel/row.rs`. Friction bounds are in `clamp.rs`, contacts as documents print them in
//! `printed.rs`.

use glam::{Mat3A, Vec3A};

use super::clamp::solve_bound;
use crate::body::Velocity;
use crate::bounds::{FrictionBound, FrictionLaw};
use crate::kernel::bodies::{Bodies, Pair};
use crate::kernel::row::{self, SolverRow};
use crate::kernel::split;
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

/// The velocities of a block's two bodies while it is solved. `LIVE` rows see each other's changes at once
/// (Gauss–Seidel); otherwise all see the velocities that the block started with and the changes are kept apart
/// (Jacobi).
pub struct BlockVelocities<const LIVE: bool> {
    pub now: Pair<f32>,
    pub change: Pair<f32>,
    relaxation: f32,
}

impl<const LIVE: bool> Bodies for BlockVelocities<LIVE> {
    type Number = f32;

    #[inline(always)]
    fn velocities(&self) -> &Pair<f32> {
        &self.now
    }

    #[inline(always)]
    fn velocities_mut(&mut self) -> &mut Pair<f32> {
        if LIVE { &mut self.now } else { &mut self.change }
    }

    #[inline(always)]
    fn relaxed(&self, step: f32) -> f32 {
        if LIVE { step } else { step * self.relaxation }
    }
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
    (velocities[a], velocities[b]) = (pair.now.a, pair.now.b);
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
        change[a].linear += self.change.a.linear;
        change[a].angular += self.change.a.angular;
        change[b].linear += self.change.b.linear;
        change[b].angular += self.change.b.angular;
    }
}

impl<const LIVE: bool> BlockVelocities<LIVE> {
    /// From the two bodies' velocities; `relaxation` is the factor ω on each correction.
    #[inline(always)]
    pub fn new(a: Velocity, b: Velocity, relaxation: f32) -> Self {
        Self { now: Pair { a, b }, change: Pair::default(), relaxation }
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
                    let free = row::is_free(row.lo, row.hi);
                    row::solve_some_free(self, row, (), free);
                }
            }
            Coupling::Inner { shares, after } => self.solve_inner(rows, couplings.shares[shares as usize], after),
            Coupling::Anchor { inverse } => {
                row::solve_anchor::<false, _, _>(self, rows, (), &columns(&couplings.inverses[inverse as usize]));
            }
            Coupling::SoftAnchor { inverse } => {
                row::solve_anchor::<true, _, _>(self, rows, (), &columns(&couplings.inverses[inverse as usize]));
            }
            Coupling::EvenAnchor { inverse, share } => {
                row::solve_even_anchor(self, rows, (), &columns(&couplings.inverses[inverse as usize]), share);
            }
            Coupling::Increments => rows.iter_mut().for_each(|row| self.solve_increment(row)),
            Coupling::Tree => {}
            Coupling::Contact { normals, mean, coupled, bounds } => {
                if LIVE && mean {
                    let rows = &mut rows[..normals as usize];
                    let mean = Row::mean(rows);
                    mean.solve::<true, _>(&mut self.now, rows, mean.mobility());
                }
                let bounds = &couplings.bounds[bounds.range()];
                solve_contact(self, normals as usize, bounds, rows);
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
    /// bias. Rows bounded on both sides (motors, friction) and soft rows take no part; drives that keep to a target
    /// are corrected by `Self::correct_drive_block`.
    #[inline(always)]
    pub fn correct(&mut self, coupling: Coupling, rows: &mut [Row], couplings: &Couplings) {
        match coupling {
            Coupling::Anchor { inverse } => {
                split::correct_anchor(self, rows, (), &columns(&couplings.inverses[inverse as usize]), true);
            }
            Coupling::Rows | Coupling::Inner { .. } | Coupling::Increments => {
                rows.iter_mut().for_each(|row| self.correct_row(row));
            }
            Coupling::SoftAnchor { .. } | Coupling::EvenAnchor { .. } | Coupling::Tree => {}
            Coupling::Contact { normals, .. } | Coupling::Printed { normals, .. } => {
                rows[..normals as usize].iter_mut().for_each(|row| self.correct_row(row));
            }
        }
    }

    /// J u plus the bias of the split correction.
    #[inline(always)]
    pub(super) fn off(&self, row: &Row) -> f32 {
        split::pseudo_residual(self, row, ())
    }

    /// Adds `change` to the row's impulse of the split correction.
    #[inline(always)]
    pub(super) fn correct_by(&mut self, row: &mut Row, change: f32) {
        let change = self.relaxed(change);
        row.pseudo_impulse += change;
        self.apply(row, change);
    }

    #[inline(always)]
    fn correct_row(&mut self, row: &mut Row) {
        if split::is_corrected(row.gamma, row.lo, row.hi) {
            split::correct(self, row, (), true);
        }
    }

    /// The largest change of a velocity component from `a` and `b`, m/s or rad/s.
    #[inline(always)]
    pub fn moved(&self, a: &Velocity, b: &Velocity) -> f32 {
        self.now.moved(&Pair { a: *a, b: *b })
    }

    /// Δλ before clamping.
    #[inline(always)]
    pub(super) fn step(&self, row: &Row) -> f32 {
        row::step::<true, _, _>(self, row, ())
    }

    /// u ← u + M⁻¹ Jᵀ Δλ.
    #[inline(always)]
    pub(super) fn apply(&mut self, row: &Row, lambda: f32) {
        row.apply((), self.velocities_mut(), lambda);
    }

    /// Solves one row within its own bounds.
    #[inline(always)]
    pub(super) fn solve_row(&mut self, row: &mut Row) {
        row::solve::<true, _, _>(self, row, ());
    }

    /// Clamps the increment, as 004 prints it for its stops: an excess from one sweep is never taken back (erratum
    /// 18).
    #[inline(never)]
    pub(super) fn solve_increment(&mut self, row: &mut Row) {
        let change = self.step(row).max(row.lo).min(row.hi);
        row.impulse += change;
        self.apply(row, change);
    }
}

/// Solves the rows of a contact: its normals, then those that are bounded by them. Normals on exact cones are solved with
/// their friction.
#[inline(always)]
pub(super) fn solve_contact<B: Bodies<Number = f32>, W: SolverRow<Number = f32, Shared = ()>>(
    bodies: &mut B,
    normals: usize,
    bounds: &[FrictionBound],
    rows: &mut [W],
) {
    let with_friction = bounds.first().is_some_and(|bound| bound.kind == FrictionLaw::Cone);
    if !with_friction {
        rows[..normals].iter_mut().for_each(|row| row::solve::<true, _, _>(bodies, row, ()));
    }
    bounds.iter().for_each(|bound| solve_bound(bodies, bound, rows));
}

/// The columns of a matrix.
#[inline(always)]
fn columns(matrix: &Mat3A) -> [Vec3A; 3] {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis]
}
