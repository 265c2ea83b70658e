//! The direct solver: solves the same rows up to rounding errors, as the reference for the sweeps.
//!
//! ```text
//! y           u = u* + R y,  R Rᵀ = M⁻¹: velocities scaled by the square root of the masses, f64
//! equalities  A λ = −(J u + b),  A = J R (J R)ᵀ, by LDLᵀ over the graph of joints, with refinement
//! the rest    Newton's method on the remaining convex problem (`newton/`), with friction bounds made consistent
//! ```
//! A mechanism without limits, motors or contacts is solved exactly whatever its mass ratios. With them Newton steps
//! continue until no row is wrong by more than 1e-9 m/s. If the friction bounds are not consistent within 400 steps,
//! 200 sweeps of Gauss–Seidel approximate them and Newton's method starts again from there. The error that then remains
//! is reported as the residual; if it is as large as a real motion, as in a jam, the result of the sweeps is used. The
//! setting `solver.iterations` has no effect.
//!
//! If several impulse vectors solve the rows it takes the smallest, Σ λ²/m (torques weighted by inertia): symmetric
//! loads get symmetric forces. Joint rows that differ only by 32-bit rounding count as redundant, and a contact or
//! stop whose gap is below the resolution of 32-bit positions counts as closed.
//! Source: 004 ch. 5 (linear systems).

pub(super) mod body_matrix;
mod bounded;
mod cuthill_mckee;
mod envelope;
mod equalities;
mod newton;
pub(crate) mod step;

use crate::body::{Body, Velocity};
use crate::solvers::scaled::{Root, ScaledRow, Six, lines};
use crate::system::System;
use crate::work::{ROW, Work};
use cuthill_mckee::CuthillMcKee;
use envelope::Envelope;
use equalities::factor;
use newton::Newton;

/// Pivots below this share of the diagonal count as zero, since the rows come from `f32`: two rows that differ by less
/// are the same row up to rounding, and enforcing their difference would lock the mechanism.
const REDUNDANT: f64 = 3e-7;
/// Compliance of rows that are not equalities, relative to the inverse mass: see `newton/mod.rs`.
const EPSILON: f64 = 1e-6;
/// The same for equalities, used in Newton's direction only.
const STIFF: f64 = 1e-9;

/// Working memory of the direct solver, kept from step to step.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    roots: Vec<Root>,
    /// By row of the system: the row in scaled velocities.
    lines: Vec<ScaledRow>,
    /// By body: scaled velocity.
    y: Vec<Six>,
    order: CuthillMcKee,
    /// Blocks with equality rows.
    chosen: Vec<u32>,
    /// Equality rows in elimination order.
    equal: Vec<u32>,
    /// By row of the system: the impulse that the equalities add, N·s or N·m·s.
    impulse: Vec<f64>,
    /// The factors of A.
    matrix: Envelope,
    /// The factors of A with a small compliance added to all rows, used if rows are redundant.
    loose: Envelope,
    is_loose: bool,
    /// Right-hand side of the system of equations, then its solution.
    right: Vec<f64>,
    /// By body: its first equality row.
    earliest: Vec<usize>,
    /// By equality row: the first column of the matrix that is not zero.
    first: Vec<usize>,
    newton: Newton,
    /// The velocities at the start of the sub-step, restored if the direct solver gives up.
    before: Vec<Velocity>,
    /// The velocities before the rows act, kept for solving again after a bounce.
    free_motion: Vec<Velocity>,
    /// Velocities and impulses of attempts that may turn out to be the best.
    kept: [(Vec<Velocity>, Vec<f32>); 2],
}

/// Solves the rows of `system` at the given velocities, without the other stages of a step. False, and nothing is
/// changed, if that exceeds the limit of work.
pub(crate) fn solve_rows(
    system: &mut System,
    scratch: &mut Scratch,
    velocities: &mut [Velocity],
    bodies: &[Box<Body>],
    work: &mut Work,
) -> bool {
    lines(system, &mut scratch.roots, &mut scratch.lines, bodies);
    if factor(system, scratch, bodies, work) {
        solve::<false>(system, scratch, velocities, bodies, work);
    }
    !work.is_over()
}

/// Solves for the velocities (with `PSEUDO`, for the split position correction). Returns the number of Newton steps.
fn solve<const PSEUDO: bool>(
    system: &mut System,
    scratch: &mut Scratch,
    velocities: &mut [Velocity],
    bodies: &[Box<Body>],
    work: &mut Work,
) -> u32 {
    // The equalities are solved about eight times besides Newton's steps.
    if !work.charge(8 * (scratch.matrix.solving() + ROW * system.rows.len() as u64)) {
        return 0;
    }
    for (line, row) in scratch.lines.iter_mut().zip(&system.rows) {
        let (a, b) = (&velocities[line.a as usize], &velocities[line.b as usize]);
        let speed = row.lin.as_dvec3().dot(b.linear.as_dvec3() - a.linear.as_dvec3())
            + row.net.as_dvec3().dot(a.linear.as_dvec3())
            + row.ang_a.as_dvec3().dot(a.angular.as_dvec3())
            + row.ang_b.as_dvec3().dot(b.angular.as_dvec3());
        line.bias = speed + f64::from(if PSEUDO { row.pseudo_bias } else { row.bias });
    }
    scratch.restart(system.rows.len(), bodies.len());
    let steps = newton::solve::<PSEUDO>(system, scratch, bodies, work);
    if work.is_over() {
        return steps;
    }
    // Computes the equalities' impulses again from zero, with the other rows' impulses as loads.
    scratch.restart(system.rows.len(), bodies.len());
    let Scratch { newton, lines, y, .. } = &mut *scratch;
    for (line, state) in lines.iter().zip(&newton.states).filter(|(_, state)| state.impulse != 0.0) {
        line.apply(state.impulse, y);
    }
    (0..3).for_each(|_| scratch.solve_equalities());
    scratch.spread();
    for (row, (equality, state)) in system.rows.iter_mut().zip(scratch.impulse.iter().zip(&scratch.newton.states)) {
        *(if PSEUDO { &mut row.pseudo_impulse } else { &mut row.impulse }) = (equality + state.impulse) as f32;
    }
    for ((velocity, root), y) in velocities.iter_mut().zip(&scratch.roots).zip(&scratch.y) {
        let (linear, angular) = root.apply(y);
        velocity.linear = (velocity.linear.as_dvec3() + linear).as_vec3a();
        velocity.angular = (velocity.angular.as_dvec3() + angular).as_vec3a();
    }
    steps
}

impl Scratch {
    /// Sets all impulses and scaled velocities to zero.
    fn restart(&mut self, rows: usize, bodies: usize) {
        self.impulse.clear();
        self.impulse.resize(rows, 0.0);
        self.y.clear();
        self.y.resize(bodies, [0.0; 6]);
    }

    /// The velocities of all rows, J u + b.
    fn speeds(&self, speeds: &mut [f64]) {
        speeds.iter_mut().zip(&self.lines).for_each(|(speed, line)| *speed = line.bias + line.speed(&self.y));
    }

    /// The largest component of a change of velocities, m/s or rad/s.
    fn largest(&self, y: &[Six]) -> f64 {
        let each = self.roots.iter().zip(y).map(|(root, y)| {
            let (linear, angular) = root.apply(y);
            linear.abs().max_element().max(angular.abs().max_element())
        });
        each.fold(0.0, f64::max)
    }
}
