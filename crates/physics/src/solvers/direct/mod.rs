//! The direct solver: solves the same rows to rounding, as the reference for the sweeps.
//!
//! ```text
//! y           u = u* + R y,  R Rᵀ = M⁻¹: velocities scaled by the root of the masses, in 64 bits
//! equalities  A λ = −(J u + b),  A = J R (J R)ᵀ, by LDLᵀ over the graph of joints, with refinement
//! the rest    Newton's method on the remaining convex problem (`newton/`), with friction bounds made consistent
//! ```
//! A mechanism without limits, motors or contacts is solved exactly whatever its mass ratios. With them Newton steps
//! continue until no row is wrong by more than 1e-9 m/s. If the friction bounds are not consistent within 400 steps,
//! 200 sweeps of Gauss–Seidel approximate them and Newton's method starts again from there. What is then left is
//! reported as the residual; if that is as large as real motion, as in a jam, the result of the sweeps is taken. The
//! setting for the number of iterations is not used.
//!
//! If several impulse vectors solve the rows it takes the smallest, Σ λ²/m (torques weighted by inertia): symmetric
//! loads get symmetric forces. Joint rows that differ only by 32-bit rounding count as redundant, and a contact or
//! stop whose gap is below the resolution of 32-bit positions counts as closed.
//! Source: 004 ch. 5 (linear systems).

mod bounded;
mod cuthill_mckee;
mod envelope;
mod equalities;
mod newton;
mod scaled;

use super::common::{self, Substep};
use crate::balance::{self, Checkpoint};
use crate::body::{Body, Velocity};
use crate::settings::Settings;
use crate::system::System;
use crate::trace::{Probe, StepStage};
use crate::work::{ROW, SWEPT_ROW, Work};
use crate::world::{Buffers, Model, Pipeline, Report, State, World};
use crate::{
    ballistic, blow_energy, flight, gyroscopic, integrate, ledger, rattle, restitution, shake, trace, warm_start,
};
use cuthill_mckee::CuthillMcKee;
use envelope::Envelope;
use equalities::factor;
use newton::Newton;
use scaled::{Root, ScaledRow, Six, lines};

/// Pivots below this share are rounding, since the rows come from 32 bits: two rows that differ by less are the same
/// row, and enforcing the difference would lock a mechanism that is only rounded.
const REDUNDANT: f64 = 3e-7;
/// Compliance of rows that are not equalities, relative to the inverse mass: see `newton/mod.rs`.
const EPSILON: f64 = 1e-6;
/// The same for equalities, used in Newton's direction only.
const STIFF: f64 = 1e-9;
/// If Newton's method leaves a larger residual, it is restarted from sweeps, m/s.
const UNSETTLED: f64 = 1e-5;
/// With a larger residual Newton's method has failed, m/s: in a heap whose stops and contacts jam, impulses grow
/// against each other without end, and the resulting velocities are meaningless. Sweeps from zero impulses add no
/// energy, however few, and their result is taken instead.
const ASTRAY: f64 = 0.01;
/// The number of those sweeps.
const SWEEPS: u32 = 200;
/// Resolution of 32-bit positions about 1 m from the origin, m: a smaller gap counts as closed.
const CLOSED: f32 = 2e-7;

/// Working memory of the direct solver, kept from step to step.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    roots: Vec<Root>,
    /// By row of the system: the row in scaled velocities.
    lines: Vec<ScaledRow>,
    /// By body: scaled velocity.
    y: Vec<Six>,
    order: CuthillMcKee,
    chosen: Vec<u32>,
    /// Equality rows in elimination order.
    equal: Vec<u32>,
    impulse: Vec<f64>,
    matrix: Envelope,
    /// A with a small compliance added to all rows, used if rows are redundant.
    loose: Envelope,
    is_loose: bool,
    right: Vec<f64>,
    earliest: Vec<usize>,
    first: Vec<usize>,
    newton: Newton,
    /// The velocities at the start of the sub-step, to return to if the step is not made.
    before: Vec<Velocity>,
    /// The velocities before the rows act, kept for solving again after a bounce.
    free_motion: Vec<Velocity>,
    /// Velocities and impulses of attempts that may turn out to be the best.
    kept: [(Vec<Velocity>, Vec<f32>); 2],
}

/// One step.
pub fn step(world: &mut World) {
    let World { settings, model, state, system, report, pipeline: Pipeline { executor, buffers, probe } } = world;
    for substep in common::substeps(settings, state, executor, probe) {
        if !common::collide(settings, model, state, report, substep) {
            return;
        }
        buffers.direct.before.clone_from(&state.velocities);
        if !advance(settings, model, state, system, report, buffers, probe, substep) {
            state.velocities.copy_from_slice(&buffers.direct.before);
            state.time = substep.start;
            return;
        }
    }
}

/// Makes one sub-step. False, with the bodies where they were, if it exceeds the limit of work.
fn advance(
    settings: &Settings,
    model: &Model,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    buffers: &mut Buffers,
    probe: &mut Probe,
    substep: Substep,
) -> bool {
    let h = substep.h;
    common::linearize(settings, state, system, report, buffers, probe, substep);
    close(system, h);
    start(settings, state, system, report, buffers, probe, substep);
    restitution::propagate(settings, state, system, report, buffers, probe);
    let pseudo = common::begin_pseudo_velocities(state, system, report);
    let (scratch, work) = (&mut buffers.direct, &mut report.work);
    lines(system, scratch, &state.bodies);
    if !work.charge(ROW * system.rows.len() as u64) || !factor(system, scratch, &state.bodies, work) {
        return false;
    }
    if pseudo {
        solve::<true>(system, scratch, &mut report.pseudo_velocities, &state.bodies, work);
    }
    scratch.free_motion.clone_from(&state.velocities);
    // Reserves the memory for attempts now; they are rare and must not allocate later.
    for (kept, impulses) in &mut scratch.kept {
        kept.clone_from(&scratch.free_motion);
        impulses.clear();
        impulses.reserve(system.rows.len());
    }
    settle(state, system, report, buffers);
    trace::sweep(state, system, probe);
    let mut rounds = shake::Rounds::default();
    while rounds.goes_on(settings, state, system, buffers, h) {
        settle(state, system, report, buffers);
        trace::sweep(state, system, probe);
    }
    let past = ledger::is_past(state, system);
    if past {
        shake::bend(settings, state, system, buffers, h);
        settle(state, system, report, buffers);
        trace::sweep(state, system, probe);
    }
    ledger::close(state, system, past);
    for _ in 0..restitution::ROUNDS {
        if !restitution::strike_in(settings, state, system, buffers) {
            break;
        }
        settle(state, system, report, buffers);
        let mut rounds = shake::Rounds::default();
        while rounds.goes_on(settings, state, system, buffers, h) {
            settle(state, system, report, buffers);
        }
        trace::blows(state, system, probe);
    }
    blow_energy::check(state, system, buffers, probe);
    if report.work.is_over() {
        return false;
    }
    let left = buffers.direct.newton.left.min(f64::from(f32::MAX)) as f32;
    common::integrate(settings, model, state, system, report, buffers, probe, substep);
    report.residual = report.residual.max(left);
    true
}

/// Solves for the velocities, starting from free motion. If the friction bounds did not become consistent, sweeps
/// from zero impulses approximate them, and Newton's method started from there mostly settles.
fn settle(state: &mut State, system: &mut System, report: &mut Report, buffers: &mut Buffers) {
    buffers.direct.newton.resumes = false;
    newton_from_free_motion(state, system, report, buffers);
    if buffers.direct.newton.left <= UNSETTLED || report.work.is_over() {
        return;
    }
    let first = buffers.direct.newton.left;
    keep(state, system, buffers, 0);
    sweep(state, system, report, buffers);
    let swept = buffers.direct.newton.left;
    keep(state, system, buffers, 1);
    buffers.direct.newton.resumes = true;
    newton_from_free_motion(state, system, report, buffers);
    if buffers.direct.newton.left > first.min(swept) {
        let (which, left) = if first > ASTRAY { (1, swept) } else { (0, first) };
        take_back(state, system, buffers, which, left);
    }
}

fn newton_from_free_motion(state: &mut State, system: &mut System, report: &mut Report, buffers: &mut Buffers) {
    let (velocities, bodies, direct, sweeps, work) =
        (&mut state.velocities, &mut state.bodies, &mut buffers.direct, &mut report.sweeps, &mut report.work);
    velocities.copy_from_slice(&direct.free_motion);
    gyroscopic::renew(&buffers.turning, velocities);
    *sweeps += solve::<false>(system, direct, velocities, bodies, work);
}

/// Stores velocities and impulses in slot `which`.
fn keep(state: &mut State, system: &mut System, buffers: &mut Buffers, which: usize) {
    let (velocities, direct) = (&mut state.velocities, &mut buffers.direct);
    let (kept, impulses) = &mut direct.kept[which];
    kept.clone_from(velocities);
    impulses.clear();
    impulses.extend(system.rows.iter().map(|row| row.impulse));
}

/// Restores what [`keep`] stored.
fn take_back(state: &mut State, system: &mut System, buffers: &mut Buffers, which: usize, left: f64) {
    let (velocities, direct) = (&mut state.velocities, &mut buffers.direct);
    let (kept, impulses) = &direct.kept[which];
    velocities.copy_from_slice(kept);
    system.rows.iter_mut().zip(impulses).for_each(|(row, impulse)| row.impulse = *impulse);
    direct.newton.left = left;
}

/// Replaces Newton's method by sweeps from zero impulses.
fn sweep(state: &mut State, system: &mut System, report: &mut Report, buffers: &mut Buffers) {
    let (velocities, tree, direct, sweeps, work) =
        (&mut state.velocities, &mut buffers.tree, &mut buffers.direct, &mut report.sweeps, &mut report.work);
    velocities.copy_from_slice(&direct.free_motion);
    gyroscopic::renew(&buffers.turning, velocities);
    system.rows.iter_mut().for_each(|row| row.impulse = 0.0);
    for pass in 0..SWEEPS {
        if !work.charge(SWEPT_ROW * system.rows.len() as u64) {
            break;
        }
        let moved = common::pass(system, tree, velocities, pass == 0);
        direct.newton.left = f64::from(moved);
        *sweeps += 1;
        if moved <= f32::EPSILON {
            break;
        }
    }
}

/// Solves the rows of `system` at the given velocities, without the other stages of a step. False, and nothing is
/// changed, if that exceeds the limit of work.
pub(crate) fn alone(
    system: &mut System,
    scratch: &mut Scratch,
    velocities: &mut [Velocity],
    bodies: &[Box<Body>],
    work: &mut Work,
) -> bool {
    lines(system, scratch, bodies);
    if factor(system, scratch, bodies, work) {
        solve::<false>(system, scratch, velocities, bodies, work);
    }
    !work.is_over()
}

/// Applies forces and the gyroscopic term. The old impulses are used for the latter only: an exact solve needs no
/// warm start.
fn start(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    report: &Report,
    buffers: &mut Buffers,
    probe: &mut Probe,
    Substep { h, reads, .. }: Substep,
) {
    ledger::begin(settings, state, system, reads, h);
    integrate::forces((&state.bodies, &state.sleep), &mut state.velocities, settings, h);
    flight::start(settings, state, buffers, h);
    ballistic::find(settings, state, buffers, h);
    balance::reached(settings, state, system, report, probe, Checkpoint::Kicked);
    gyroscopic::begin(settings, state, buffers);
    warm_start::hold(state, system, buffers);
    gyroscopic::turn(settings, state, buffers, true, h);
    rattle::start(settings, state, system, buffers, h);
    shake::bend(settings, state, system, buffers, h);
    balance::reached(settings, state, system, report, probe, Checkpoint::Started { exact: true });
    trace::note(state, system, probe, StepStage::Forces);
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
    (0..3).for_each(|_| scratch.hold());
    scratch.spread();
    for (row, (own, state)) in system.rows.iter_mut().zip(scratch.impulse.iter().zip(&scratch.newton.states)) {
        *(if PSEUDO { &mut row.pseudo_impulse } else { &mut row.impulse }) = (own + state.impulse) as f32;
    }
    for ((velocity, root), y) in velocities.iter_mut().zip(&scratch.roots).zip(&scratch.y) {
        let (linear, angular) = root.apply(y);
        velocity.linear = (velocity.linear.as_dvec3() + linear).as_vec3a();
        velocity.angular = (velocity.angular.as_dvec3() + angular).as_vec3a();
    }
    steps
}

/// Treats one-sided rows whose gap is below `CLOSED` as exactly closed, so that for instance the four feet of a table
/// count as coplanar.
fn close(system: &mut System, h: f32) {
    for row in system.rows.iter_mut().filter(|row| row.gamma == 0.0 && (row.lo == 0.0) != (row.hi == 0.0)) {
        for offset in [&mut row.bias, &mut row.pseudo_bias] {
            *offset = if offset.abs() * h < CLOSED { 0.0 } else { *offset };
        }
    }
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
