//! The power iteration.

use super::state::{Scratch, Spectrum};
use crate::body::{Body, Velocity};
use crate::row::{Block, Coupling, Row};
use crate::settings::{Order, SolverSettings};
use crate::solvers::block::{collect_block, solve_block};
use crate::solvers::{jacobi, properties};
use crate::system::System;
use crate::warm_start;

/// If √(eᵀ D e) exceeds this, the null part of e is removed: impulses that move nothing.
const MAX_NULL_NORM: f32 = 300.0;
/// A norm below this after two sweeps in a row means that no error is left: ρ = 0. One such sweep is not enough. The
/// solves of whole trees remove nearly all of the first error at once, and the slow errors of their loops grow only then.
const SMALLEST_NORM: f64 = 1e-5;

/// Estimates from the rows of the last step, with at most `sweeps` sweeps for each of the two numbers.
pub(crate) fn estimate(
    settings: &SolverSettings,
    (bodies, system): (&[Box<Body>], &System),
    scratch: &mut Scratch,
    sweeps: u32,
) -> Spectrum {
    let rows = activate(system, scratch);
    let blocks_per_body = jacobi::blocks_per_body(system, &system.blocks, bodies, &mut scratch.counts);
    let jacobi = properties::of(settings.method).at_once;
    let relaxation = if jacobi { jacobi::relaxation(settings, blocks_per_body) } else { 1.0 };
    let mut spectrum = Spectrum { relaxation, blocks_per_body, rows, settled: true, ..Spectrum::default() };
    if rows == 0 {
        return spectrum;
    }
    let mut power = Power { bodies, system, scratch, sweeps };
    let (largest, first) = power.run(Iteration::Steepest);
    let (radius, second) = power.run(match (jacobi, settings.order) {
        (true, _) => Iteration::Jacobi(relaxation),
        (false, Order::Alternating) => Iteration::BackAndForth,
        (false, _) => Iteration::GaussSeidel,
    });
    (spectrum.largest, spectrum.radius, spectrum.settled) = (largest, radius, first && second);
    spectrum
}

/// The iteration that is repeated.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Iteration {
    /// e ← D⁻¹A e.
    Steepest,
    Jacobi(f32),
    GaussSeidel,
    /// Gauss–Seidel forward, then backward.
    BackAndForth,
}

/// A power iteration on the rows of `scratch`.
struct Power<'a> {
    bodies: &'a [Box<Body>],
    system: &'a System,
    scratch: &'a mut Scratch,
    sweeps: u32,
}

impl Power<'_> {
    /// Growth of ‖e‖ per sweep in the long run, and whether it has converged.
    fn run(&mut self, iteration: Iteration) -> (f32, bool) {
        self.start(iteration);
        let (mut growth, mut earlier, mut last) = (0.0f64, f64::INFINITY, 1.0);
        let (mut settled, mut before) = (false, f64::INFINITY);
        for sweep in 1..=self.sweeps {
            self.sweep(iteration, sweep);
            let norm = self.normalize();
            if norm < SMALLEST_NORM && (before < SMALLEST_NORM || norm == 0.0) {
                return (0.0, true);
            }
            before = norm;
            self.clean();
            // Forward and backward sweeps shrink an error by different factors: the pair counts.
            growth = if iteration == Iteration::BackAndForth { (last * norm).sqrt() } else { norm };
            last = norm;
            // The error of a power iteration falls geometrically, so a value that has not changed while the number of
            // sweeps doubled is right.
            if sweep >= 16 && sweep.is_power_of_two() {
                settled = (growth - earlier).abs() <= 1e-3 * (1.0 - growth).abs() + 1e-6;
                if settled {
                    break;
                }
                earlier = growth;
            }
        }
        self.keep(iteration);
        (growth as f32, settled)
    }

    /// Starts from the last vector if it has the right length, else from noise.
    fn start(&mut self, iteration: Iteration) {
        let scratch = &mut *self.scratch;
        let kept = if iteration == Iteration::Steepest { &scratch.steepest } else { &scratch.slowest };
        let fits = kept.len() == scratch.rows.len();
        let mut noise = 0x9e37_79b9u32;
        for (i, row) in scratch.rows.iter_mut().enumerate() {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let fresh = (noise >> 8) as f32 / (1 << 23) as f32 - 1.0;
            // Some noise is always added, so that a mode missing from the old vector can grow.
            let impulse = if fits { kept[i] + 1e-3 * fresh * row.inv_k.sqrt() } else { fresh * row.inv_k.sqrt() };
            row.impulse = if row.inv_k > 0.0 { impulse } else { 0.0 };
        }
        self.sweep(Iteration::Steepest, 0);
        self.normalize();
    }

    /// Removes impulses of redundant rows that cancel each other. They do not shrink while ‖e‖ is held at 1, and would
    /// drown e in rounding. Where they have grown, a step of D⁻¹A removes them, because it maps them to zero.
    fn clean(&mut self) {
        let size: f32 = self.scratch.rows.iter().filter(|r| r.inv_k > 0.0).map(|r| r.impulse.powi(2) / r.inv_k).sum();
        if size > MAX_NULL_NORM * MAX_NULL_NORM {
            self.sweep(Iteration::Steepest, 0);
            self.normalize();
        }
    }

    /// u = M⁻¹ Jᵀ e, computed anew each time, because no sweep would remove a rounding error that is in u alone.
    fn move_by_impulses(&mut self) {
        let Scratch { rows, blocks, velocities, .. } = &mut *self.scratch;
        velocities.clear();
        velocities.resize(self.bodies.len(), Velocity::default());
        warm_start::apply(rows, blocks, velocities);
    }

    fn keep(&mut self, iteration: Iteration) {
        let Scratch { rows, steepest, slowest, .. } = &mut *self.scratch;
        let kept = if iteration == Iteration::Steepest { steepest } else { slowest };
        kept.clear();
        kept.extend(rows.iter().map(|r| r.impulse));
    }

    /// Scales e to ‖e‖ = 1 and returns the norm before that.
    fn normalize(&mut self) -> f64 {
        let Scratch { rows, velocities, .. } = &mut *self.scratch;
        let mut energy: f64 = rows.iter().map(|r| f64::from(r.gamma) * f64::from(r.impulse).powi(2)).sum();
        for (body, u) in self.bodies.iter().zip(&*velocities).filter(|(b, _)| b.is_dynamic()) {
            let (v, w) = (u.linear.as_dvec3(), u.angular.as_dvec3());
            energy += f64::from(body.mass) * v.length_squared() + w.dot(body.inertia().as_dmat3() * w);
        }
        let norm = energy.max(0.0).sqrt();
        if norm > 0.0 && norm.is_finite() {
            let scale = (1.0 / norm) as f32;
            rows.iter_mut().for_each(|r| r.impulse *= scale);
            for u in velocities {
                u.linear *= scale;
                u.angular *= scale;
            }
        }
        norm
    }

    /// One sweep with all biases zero.
    fn sweep(&mut self, iteration: Iteration, number: u32) {
        self.move_by_impulses();
        let couplings = &self.system.couplings;
        let Scratch { rows, blocks, trees, velocities, change, old, work, .. } = &mut *self.scratch;
        let live = |block: &Block, rows: &mut [Row], velocities: &mut [Velocity]| {
            solve_block::<false>(block, block.coupling, rows, couplings, velocities);
        };
        let relaxation = match iteration {
            Iteration::BackAndForth if number.is_multiple_of(2) => {
                blocks.iter().rev().for_each(|block| live(block, rows, velocities));
                for tree in (0..trees.count()).rev() {
                    trees.sweep::<false>(tree, rows, work, velocities, false);
                }
                return;
            }
            Iteration::GaussSeidel | Iteration::BackAndForth => {
                for tree in 0..trees.count() {
                    trees.sweep::<false>(tree, rows, work, velocities, false);
                }
                return blocks.iter().for_each(|block| live(block, rows, velocities));
            }
            Iteration::Jacobi(relaxation) => relaxation,
            Iteration::Steepest => 1.0,
        };
        change.clear();
        change.resize(velocities.len(), Velocity::default());
        old.clear();
        old.extend(rows.iter().map(|r| r.impulse));
        for tree in 0..trees.count() {
            trees.solve::<false>(tree, rows, work, velocities, relaxation);
            trees.apply(tree, rows, work, change, false);
        }
        for block in &*blocks {
            collect_block(block, rows, couplings, velocities, change, relaxation);
        }
        if iteration == Iteration::Steepest {
            // Without the old impulse −D⁻¹A e is left; the norm does not depend on the sign.
            std::mem::swap(velocities, change);
            rows.iter_mut().zip(&*old).for_each(|(row, old)| row.impulse -= old);
        } else {
            for (u, change) in velocities.iter_mut().zip(&*change) {
                u.linear += change.linear;
                u.angular += change.angular;
            }
        }
    }
}

/// Copies the rows, frees the active ones of bounds and biases and switches off the others; returns the number of
/// active rows.
fn activate(system: &System, scratch: &mut Scratch) -> usize {
    let Scratch { rows, blocks, trees, .. } = scratch;
    rows.clear();
    blocks.clear();
    rows.extend_from_slice(&system.rows);
    for block in &system.blocks {
        let block_rows = &mut rows[block.range()];
        let bounds = block.coupling.contact().map_or(&[][..], |(_, bounds)| &system.couplings.bounds[bounds.range()]);
        // Rows that are bound together are all free or, where they slide, all off.
        for bound in bounds {
            let within = bound.is_inside(block_rows);
            block_rows[bound.rows()].iter_mut().for_each(|row| release(row, within));
        }
        block_rows.iter_mut().for_each(|row| release(row, row.impulse > row.lo && row.impulse < row.hi));
        let coupling = match block.coupling {
            Coupling::Contact { .. } | Coupling::Printed { .. } | Coupling::Increments => Coupling::Rows,
            other => other,
        };
        blocks.push(Block { coupling, ..*block });
    }
    trees.clone_from(&system.trees);
    trees.mechanisms.release(rows);
    rows.iter().filter(|r| r.inv_k > 0.0).count()
}

/// Frees a row inside its bounds, or switches it off if it is at one.
fn release(row: &mut Row, within: bool) {
    row.inv_k = if within { row.inv_k } else { 0.0 };
    (row.bias, row.lo, row.hi) = (0.0, f32::NEG_INFINITY, f32::INFINITY);
}
