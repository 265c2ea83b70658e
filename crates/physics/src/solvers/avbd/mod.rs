//! AVBD, augmented vertex block descent, for rigid bodies: a Newton step of one body after the other on the energy of an
//! implicit Euler step, with penalties that grow and multipliers that take their load over.
//!
//! ```text
//! minimise  ½ ‖u − u*‖²_M + Σ ½ κ (J u + b − λ/κ)²            u* after forces; the sum over rows within their bounds
//! body      p = clamp(λ − κ (J u + b)),  (M_i + Σ κ J_iᵀ J_i) Δu_i = Σ J_iᵀ p − M_i (u_i − u*_i)     6 × 6, in turn
//! rows      λ ← p,   κ ← min(κ + β |h r|/K, κ_max),  r = J u + b + γ λ            after each pass over the bodies
//! soft      p = (λ − κ (J u + b))/(1 + κ γ)                     springs, dampers; 1/(γ h) is their stiffness
//! next      λ ← w λ,   κ ← max(g κ, κ_min)                      w is `warm_start.factor`, g = 0.99
//! ```
//! An iteration costs five to nine evaluations of each row and two or more 6 × 6 systems for each body, in 64 bits: about
//! ten sweeps of Gauss–Seidel over the same rows. For it, a chain of light links bears a load of a thousand times their
//! mass. Limits: errors are left to the next step, and heavy boxes on light ones sink by some millimetres. The step is
//! implicit Euler's and takes energy out. What happens between bodies within an island converges slowly.
//!
//! Differences from the paper:
//!
//! - The rows are linearised once a sub-step; the paper evaluates C at every iteration. Its C − α C₀ is Baumgarte's bias
//!   with `stabilization.beta` = 1 − α. Stiffness of geometry is there if `stabilization.geometric_stiffness` says so.
//! - κ, kg, is measured in effective masses 1/K of its row: bodies of grams and of tonnes move alike. It grows by at most
//!   ten of them an iteration, and not for friction.
//! - Friction is bounded by μ times the multipliers of the normals. A soft row has a multiplier, too.
//! - Bodies are visited forth and back, which stiff penalties need to converge. They start from their last velocities: old
//!   impulses, applied to the velocities, would be errors κ times as large.
//! - Free islands get back the momentum that a pass loses (`islands.rs`). Elsewhere action equals reaction only as far as
//!   the iterations converge.
//! - Restitution is a pass of its own at the end of the step (`rebound.rs`). What is fixed is in `recipe.rs`.
//!
//! Source: C. Giles, E. Diaz, C. Yuksel, "Augmented Vertex Block Descent", 2025.

mod descent;
mod forces;
mod islands;
pub(crate) mod recipe;

use self::descent::Neighbours;
use self::islands::Islands;
use super::common;
use super::parts::Parts;
use super::rebound::Hits;
use super::scaled::{self, Root, ScaledRow, Six};
use crate::angular_cap;
use crate::body::Velocity;
use crate::row::{ContactPart, RowId};
use crate::settings::Settings;
use crate::system::System;
use crate::trace;
use crate::work::SWEPT_ROW;
use crate::world::report::Report;
use crate::world::state::State;

/// The least and the greatest penalty, in effective masses of the row.
const MIN_PENALTY: f64 = 1.0;
const MAX_PENALTY: f64 = 1e4;
/// The most by which an iteration raises it. More lets the impulses of an impact, which a few iterations do not settle,
/// run away.
const MAX_GROWTH: f64 = 10.0;
/// The share of a penalty that is kept to the next sub-step.
const KEPT: f64 = 0.99;
/// What an iteration costs more than a sweep.
const ITERATION: u64 = 9 * SWEPT_ROW;

/// A row within a sub-step.
#[derive(Debug, Clone, Copy, Default)]
struct ActiveRow {
    /// κ, kg or kg·m²; zero switches the row off.
    penalty: f64,
    /// λ, N·s or N·m·s.
    multiplier: f64,
    /// p at the velocities at which it was last evaluated, N·s or N·m·s.
    impulse: f64,
    /// −∂p/∂(J u) there, kg or kg·m².
    stiffness: f64,
    /// The greatest of these stiffnesses while a body looks for its velocity.
    held: f64,
}

/// Working memory, kept from step to step.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    roots: Vec<Root>,
    /// By row of the system: the row in scaled velocities.
    lines: Vec<ScaledRow>,
    rows: Vec<ActiveRow>,
    /// By body: M^½ (u − u*), now and before the first iteration.
    y: Vec<Six>,
    start: Vec<Six>,
    neighbours: Neighbours,
    islands: Islands,
    /// The velocities at the start of the sub-step.
    before: Vec<Velocity>,
}

/// One step.
pub(crate) fn step(parts: Parts<'_>, scratch: &mut Scratch, hits: &mut Hits) {
    let Parts { settings, model, state, system, report, buffers, probe, reads, listed, .. } = parts;
    for substep in common::substeps(settings, state, reads, listed) {
        if !common::collide(settings, model, state, report, substep) {
            return;
        }
        common::linearize(settings, model, state, system, report, buffers, probe, substep);
        if !common::affords_sweeps(settings, state, system, report, substep) {
            return;
        }
        if substep.first {
            hits.note_approaches(system);
        }
        scratch.before.clone_from(&state.velocities);
        let deferred = common::warm_start(settings, model, state, system, report, buffers, probe, substep);
        begin(state, system, scratch, deferred);
        for iteration in 0..settings.sweeps() {
            if report.work.is_cancelled() {
                break;
            }
            iterate(settings, state, system, report, scratch, substep.h);
            if probe.is_some() || iteration + 1 == settings.sweeps() {
                write(state, system, scratch);
                trace::sweep(state, system, probe);
            }
        }
        finish(state, system, scratch);
        hits.note_touches(system);
        let watch = common::advance(settings, state, system, report, buffers, probe, substep);
        if substep.last {
            // Impulses and velocities agree only as far as the iterations converge.
            hits.apply_restitution(settings, state, system, false);
        }
        common::conclude(settings, model, state, system, report, buffers, probe, (substep, watch));
    }
}

/// Takes the velocities, which contain the old impulses unless these are `deferred`, for a start.
fn begin(state: &State, system: &System, scratch: &mut Scratch, deferred: bool) {
    let Scratch { roots, lines, rows, y, start, neighbours, islands, before } = scratch;
    scaled::lines(system, roots, lines, &state.bodies);
    neighbours.find(&system.blocks, &state.bodies);
    islands.find(&system.blocks, &state.bodies);
    rows.clear();
    for ((row, line), id) in system.rows.iter().zip(&*lines).zip(&system.ids) {
        let penalty = state.penalties.of(*id).map_or(MIN_PENALTY, |kept| (KEPT * f64::from(kept)).max(MIN_PENALTY));
        let penalty = if row.inv_k > 0.0 && line.k > 0.0 { penalty / line.k } else { 0.0 };
        rows.push(ActiveRow { penalty, multiplier: row.impulse.into(), ..ActiveRow::default() });
    }
    y.clear();
    y.resize(state.bodies.len(), [0.0; 6]);
    descent::gather(lines, rows.iter().map(|row| row.multiplier), y);
    start.clone_from(y);
    if deferred {
        start.fill([0.0; 6]);
    }
    for (line, row) in lines.iter_mut().zip(&system.rows) {
        let (a, b) = (&state.velocities[line.a as usize], &state.velocities[line.b as usize]);
        let speed = row.lin_a().as_dvec3().dot(a.linear.as_dvec3())
            + row.lin.as_dvec3().dot(b.linear.as_dvec3())
            + row.ang_a.as_dvec3().dot(a.angular.as_dvec3())
            + row.ang_b.as_dvec3().dot(b.angular.as_dvec3());
        line.bias = speed + f64::from(row.bias) - line.speed(start);
    }
    for ((((y, start), root), now), before) in
        y.iter_mut().zip(&*start).zip(&*roots).zip(&state.velocities[..]).zip(&*before)
    {
        let (linear, angular) = (before.linear - now.linear, before.angular - now.angular);
        let change = root.undo(linear.as_dvec3(), angular.as_dvec3());
        *y = std::array::from_fn(|k| start[k] + change[k]);
    }
}

/// One pass over the bodies, and one over the rows.
fn iterate(settings: &Settings, state: &State, system: &System, report: &mut Report, scratch: &mut Scratch, h: f32) {
    report.sweeps += 1;
    report.work.spend(ITERATION * system.rows.len() as u64);
    descent::pass(system, scratch);
    islands::restore(system, scratch, &state.bodies);
    let Scratch { lines, rows, y, .. } = scratch;
    let growth = f64::from(settings.solver.stiffening) * f64::from(h);
    for block in &system.blocks {
        forces::evaluate(system, lines, rows, block, y);
        for at in block.range() {
            let (row, line, active) = (&system.rows[at], &lines[at], &mut rows[at]);
            active.multiplier = active.impulse;
            if active.stiffness > 0.0 && !is_friction(system.ids[at]) {
                let left = line.bias + line.speed(y) + f64::from(row.gamma) * active.impulse;
                let grown = active.penalty + (growth * left.abs()).min(MAX_GROWTH) / line.k;
                active.penalty = grown.min(MAX_PENALTY / line.k);
            }
        }
    }
}

/// Whether a row is bounded by normal rows. Its penalty does not grow: it would take over the errors of its bound.
fn is_friction(id: RowId) -> bool {
    matches!(id, RowId::Contact { part, .. } if !matches!(part, ContactPart::Normal(_)))
}

/// Gives bodies and rows the velocities and impulses found so far.
fn write(state: &mut State, system: &mut System, scratch: &mut Scratch) {
    let Scratch { roots, rows, y, start, .. } = scratch;
    for (((velocity, root), y), start) in state.velocities.iter_mut().zip(&*roots).zip(&*y).zip(start) {
        let change: Six = std::array::from_fn(|k| y[k] - start[k]);
        *start = *y;
        let (linear, angular) = root.apply(&change);
        velocity.linear = (velocity.linear.as_dvec3() + linear).as_vec3a();
        velocity.angular = (velocity.angular.as_dvec3() + angular).as_vec3a();
    }
    system.rows.iter_mut().zip(&*rows).for_each(|(row, active)| row.impulse = active.multiplier as f32);
}

/// Keeps the penalties, and the bounds of friction for those who read the rows.
fn finish(state: &mut State, system: &mut System, scratch: &mut Scratch) {
    let Scratch { lines, rows, .. } = scratch;
    let kept = rows.iter().zip(&*lines).zip(&system.ids).filter(|((row, _), _)| row.penalty > 0.0);
    state.penalties.keep(kept.map(|((row, line), id)| (*id, (row.penalty * line.k) as f32)));
    let System { rows: own, blocks, couplings, capped, .. } = system;
    for block in &*blocks {
        if !capped.is_empty() {
            angular_cap::cut(&mut state.velocities, [block.a, block.b], |body| capped[body]);
        }
        let Some((_, bounds)) = block.coupling.contact() else { continue };
        for bound in &couplings.bounds[bounds.range()] {
            let radius = forces::radius(bound, &rows[block.range()]) as f32;
            for (k, row) in own[block.range()][bound.rows()].iter_mut().enumerate() {
                let most = radius * bound.scale(k);
                (row.lo, row.hi) = (-most, most);
            }
        }
    }
}
