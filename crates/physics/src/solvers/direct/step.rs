//! The step of the direct solver.

use super::equalities::factor;
use super::{Scratch, solve};
use crate::balance::{self, Checkpoint};
use crate::settings::Settings;
use crate::solvers::parts::Parts;
use crate::solvers::scaled::lines;
use crate::solvers::substep::Substep;
use crate::solvers::{common, pass, tree};
use crate::system::System;
use crate::trace::{Probe, StepStage};
use crate::work::{ROW, SWEPT_ROW};
use crate::world::buffers::Buffers;
use crate::world::model::Model;
use crate::world::report::Report;
use crate::world::state::State;
use crate::{
    ballistic, energy_budget, force, gyroscopic, impact_energy, rattle, restitution, shake, trace, warm_start,
};

/// If Newton's method leaves a larger residual, it is restarted from sweeps, m/s.
const UNSETTLED: f64 = 1e-5;
/// With a larger residual Newton's method has failed, m/s: in a heap whose stops and contacts jam, impulses grow
/// against each other without end, and the resulting velocities are meaningless. The result of sweeps is then used
/// instead, which add no energy if they start from zero impulses.
const FAILED: f64 = 0.01;
/// The number of those sweeps.
const SWEEPS: u32 = 200;
/// Resolution of 32-bit positions about 1 m from the origin, m: a smaller gap counts as closed.
const CLOSED: f32 = 2e-7;

/// One step.
pub(crate) fn step(parts: Parts<'_>, scratch: &mut Scratch) {
    let Parts { settings, model, state, system, report, buffers, probe, reads, listed, .. } = parts;
    for substep in common::substeps(settings, state, reads, listed) {
        if !common::collide(settings, model, state, report, substep) {
            return;
        }
        scratch.before.clone_from(&state.velocities);
        if !advance(settings, model, state, system, report, (buffers, scratch), probe, substep) {
            state.velocities.copy_from_slice(&scratch.before);
            state.time = substep.start;
            return;
        }
    }
}

/// Makes one sub-step. False, without having moved the bodies, if it exceeds the limit of work.
fn advance(
    settings: &Settings,
    model: &Model,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    (buffers, scratch): (&mut Buffers, &mut Scratch),
    probe: &mut Probe,
    substep: Substep,
) -> bool {
    let h = substep.h;
    common::linearize(settings, model, state, system, report, buffers, probe, substep);
    close_gaps(system, h);
    start(settings, model, state, system, report, buffers, probe, substep);
    restitution::propagate(settings, state, system, report, (&mut buffers.pre_impact, &mut buffers.tree), probe);
    let pseudo = common::begin_pseudo_velocities(state, system, report);
    let work = &mut report.work;
    lines(system, &mut scratch.roots, &mut scratch.lines, &state.bodies);
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
    solve_from_free_motion(state, system, report, (&mut buffers.tree, scratch), Start::Anew);
    trace::sweep(state, system, probe);
    let mut rounds = shake::Rounds::default();
    while rounds.needs_solve(settings, state, system, &buffers.gyroscopic, &mut buffers.shake, h, scratch.is_settled())
    {
        solve_from_free_motion(state, system, report, (&mut buffers.tree, scratch), Start::Resume);
        trace::sweep(state, system, probe);
    }
    let past = energy_budget::exceeds_bound(state, system);
    if past {
        shake::update_curvature_bias(settings, state, system, &buffers.gyroscopic, &mut buffers.shake, h);
        solve_from_free_motion(state, system, report, (&mut buffers.tree, scratch), Start::Resume);
        trace::sweep(state, system, probe);
    }
    energy_budget::close(state, system, past);
    for _ in 0..restitution::ROUNDS {
        if !restitution::mark_and_save(settings, state, system, &mut buffers.pre_impact) {
            break;
        }
        solve_from_free_motion(state, system, report, (&mut buffers.tree, scratch), Start::Anew);
        let mut rounds = shake::Rounds::default();
        while rounds.needs_solve(
            settings,
            state,
            system,
            &buffers.gyroscopic,
            &mut buffers.shake,
            h,
            scratch.is_settled(),
        ) {
            solve_from_free_motion(state, system, report, (&mut buffers.tree, scratch), Start::Resume);
        }
        trace::impacts(state, system, probe);
    }
    impact_energy::check(state, system, &mut buffers.pre_impact, probe);
    if report.work.is_over() {
        return false;
    }
    let left = scratch.newton.left.min(f64::from(f32::MAX)) as f32;
    common::integrate(settings, model, state, system, report, buffers, probe, substep);
    report.residual = report.residual.max(left);
    true
}

/// How a solution begins.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    /// All contacts stick. If Coulomb's law has several solutions, one that sticks is found.
    Anew,
    /// With the friction radii that the normal impulses of the solution before give: nearly the same rows are solved
    /// again.
    Resume,
}

/// Solves for the velocities, starting from free motion. If the friction bounds did not become consistent, sweeps from
/// zero impulses approximate them, and Newton's method starts again from there. The best of the three results is kept.
fn solve_from_free_motion(
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    (tree, scratch): (&mut tree::Work, &mut Scratch),
    start: Start,
) {
    scratch.newton.resumes = start == Start::Resume;
    newton_from_free_motion(state, system, report, scratch);
    let left = if start == Start::Resume { scratch.newton.radii_left } else { scratch.newton.left };
    if left <= UNSETTLED || report.work.is_over() {
        return;
    }
    if start == Start::Resume {
        solve_from_free_motion(state, system, report, (tree, scratch), Start::Anew);
        return;
    }
    let first = scratch.newton.left;
    store_slot(state, system, scratch, 0);
    sweep(state, system, report, (tree, scratch));
    let swept = scratch.newton.left;
    store_slot(state, system, scratch, 1);
    scratch.newton.resumes = true;
    newton_from_free_motion(state, system, report, scratch);
    if scratch.newton.left > first.min(swept) {
        let (which, left) = if first > FAILED { (1, swept) } else { (0, first) };
        restore_slot(state, system, scratch, which, left);
    }
}

impl Scratch {
    /// Whether the friction radii of the last solution are consistent.
    fn is_settled(&self) -> bool {
        self.newton.radii_left <= UNSETTLED
    }
}

fn newton_from_free_motion(state: &mut State, system: &mut System, report: &mut Report, direct: &mut Scratch) {
    let (velocities, bodies, sweeps, work) =
        (&mut state.velocities, &mut state.bodies, &mut report.sweeps, &mut report.work);
    velocities.copy_from_slice(&direct.free_motion);
    *sweeps += solve::<false>(system, direct, velocities, bodies, work);
}

/// Stores velocities and impulses in slot `which`.
fn store_slot(state: &mut State, system: &mut System, direct: &mut Scratch, which: usize) {
    let velocities = &mut state.velocities;
    let (kept, impulses) = &mut direct.kept[which];
    kept.clone_from(velocities);
    impulses.clear();
    impulses.extend(system.rows.iter().map(|row| row.impulse));
}

/// Restores what [`store_slot`] stored.
fn restore_slot(state: &mut State, system: &mut System, direct: &mut Scratch, which: usize, left: f64) {
    let velocities = &mut state.velocities;
    let (kept, impulses) = &direct.kept[which];
    velocities.copy_from_slice(kept);
    system.rows.iter_mut().zip(impulses).for_each(|(row, impulse)| row.impulse = *impulse);
    direct.newton.left = left;
    direct.newton.radii_left = left;
}

/// Replaces Newton's method by sweeps from zero impulses.
fn sweep(state: &mut State, system: &mut System, report: &mut Report, (tree, direct): (&mut tree::Work, &mut Scratch)) {
    let (velocities, sweeps, work) = (&mut state.velocities, &mut report.sweeps, &mut report.work);
    velocities.copy_from_slice(&direct.free_motion);
    system.rows.iter_mut().for_each(|row| row.impulse = 0.0);
    for sweep in 0..SWEEPS {
        if !work.charge(SWEPT_ROW * system.rows.len() as u64) {
            break;
        }
        let moved = pass::pass(system, tree, velocities, sweep == 0);
        direct.newton.left = f64::from(moved);
        direct.newton.radii_left = f64::from(moved);
        *sweeps += 1;
        if moved <= f32::EPSILON {
            break;
        }
    }
}

/// Applies forces and the gyroscopic term. The old impulses are used for the latter only: an exact solve needs no
/// warm start.
pub(in crate::solvers) fn start(
    settings: &Settings,
    model: &Model,
    state: &mut State,
    system: &mut System,
    report: &Report,
    buffers: &mut Buffers,
    probe: &mut Probe,
    substep: Substep,
) {
    let Substep { h, reads, .. } = substep;
    energy_budget::open_accounts(settings, state, system, reads, h);
    force::apply::apply(settings, model, state, system, report, buffers, probe, substep);
    ballistic::find(settings, state, &mut buffers.ballistic, h);
    gyroscopic::collect_terms(settings, state, &mut buffers.gyroscopic);
    warm_start::collect(state, system, &mut buffers.deferred);
    gyroscopic::apply(settings, state, &mut buffers.gyroscopic, Some(&buffers.deferred), h);
    rattle::start(settings, model, state, system, &buffers.gyroscopic, h);
    shake::update_curvature_bias(settings, state, system, &buffers.gyroscopic, &mut buffers.shake, h);
    balance::reached(settings, state, system, report, probe, Checkpoint::Started { exact: true });
    trace::record_moment(state, system, probe, StepStage::Forces);
}

/// Treats one-sided rows whose gap is below `CLOSED` as exactly closed, so that for instance the four feet of a table
/// count as coplanar.
pub(in crate::solvers) fn close_gaps(system: &mut System, h: f32) {
    for row in system.rows.iter_mut().filter(|row| row.gamma == 0.0 && (row.lo == 0.0) != (row.hi == 0.0)) {
        for offset in [&mut row.bias, &mut row.pseudo_bias] {
            *offset = if offset.abs() * h < CLOSED { 0.0 } else { *offset };
        }
    }
}
