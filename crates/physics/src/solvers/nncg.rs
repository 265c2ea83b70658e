//! NNCG, the nonsmooth nonlinear conjugate gradient method: sweeps of Gauss–Seidel whose impulses are extrapolated.
//!
//! ```text
//! x' = sweep(y),  g = x' − y            what a sweep still changes, taken for the steepest descent
//! β = ‖g‖²/‖g_before‖², 0 if above 1     Fletcher and Reeves, with a restart
//! y' = x' + β (x' − x)                  and the velocities likewise: see `momentum.rs`
//! ```
//! An error that a sweep multiplies by 1 − μ takes about 1/√μ sweeps instead of 1/μ, so a long chain
//! converges in about a tenth of the sweeps, a tall stack in a quarter. Where bounds come and go, as in impacts, a sweep grows and the method starts
//! again: then it is plain Gauss–Seidel. With few sweeps a step it gains little. It costs one pass over all rows and
//! bodies a sweep beside the sweep itself, and contacts are solved one by one, not in lanes. Source: Silcowitz-Hansen,
//! Niebe and Erleben 2010; as in Bullet's `btNNCGConstraintSolver`.

use super::common;
use super::gauss_seidel::SweepTarget;
use super::momentum::Momentum;
use super::order::Visit;
use super::parts::Parts;
use super::substep::Pass;
use crate::settings::Settings;
use crate::system::System;
use crate::trace::Probe;
use crate::work::SOLVED_BLOCK;
use crate::world::buffers::Buffers;
use crate::world::report::Report;
use crate::world::state::State;
use crate::{energy_budget, restitution, shake, trace, warm_start, warm_start_limiter};

/// The directions of the velocities and of the split position correction.
#[derive(Clone, Default)]
pub struct Scratch {
    momentum: Momentum,
    pseudo_momentum: Momentum,
}

/// One step.
pub(crate) fn step(parts: Parts<'_>, scratch: &mut Scratch) {
    let Parts { settings, model, state, system, report, buffers, probe, reads, listed, .. } = parts;
    for substep in common::substeps(settings, state, reads, listed) {
        if !common::collide(settings, model, state, report, substep) {
            return;
        }
        common::linearize(settings, model, state, system, report, buffers, probe, substep);
        if !common::affords_sweeps(settings, state, system, report, substep) {
            return;
        }
        let deferred = common::warm_start(settings, model, state, system, report, buffers, probe, substep);
        restitution::propagate(settings, state, system, report, (&mut buffers.pre_impact, &mut buffers.tree), probe);
        let pseudo = common::begin_pseudo_velocities(state, system, report);
        let before = report.sweeps;
        let mut pass = Pass { h: substep.h, relaxation: 1.0, pseudo, deferred, forgets: false };
        sweeps(settings, state, system, report, buffers, scratch, probe, pass);
        let past = energy_budget::exceeds_bound(state, system);
        if past {
            shake::update_curvature_bias(settings, state, system, &buffers.gyroscopic, &mut buffers.shake, substep.h);
            pass.deferred = false;
            sweeps(settings, state, system, report, buffers, scratch, probe, pass);
        }
        common::spend_on_exact_blocks(system, report, report.sweeps - before);
        energy_budget::close(state, system, past);
        warm_start_limiter::finish(state, system, &buffers.gyroscopic, &mut buffers.warm_start_limiter);
        let (impacts, curvature) =
            ((&mut buffers.pre_impact, &mut buffers.tree), (&buffers.gyroscopic[..], &mut buffers.shake));
        let solved = restitution::apply(settings, state, system, impacts, curvature, probe, substep.h);
        report.work.spend(SOLVED_BLOCK * solved as u64);
        common::integrate(settings, model, state, system, report, buffers, probe, substep);
    }
}

/// Makes as many sweeps as the settings ask for, with an extrapolation after each but the last.
fn sweeps(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    buffers: &mut Buffers,
    Scratch { momentum, pseudo_momentum }: &mut Scratch,
    probe: &mut Probe,
    Pass { h, pseudo, deferred, .. }: Pass,
) {
    let tolerance = settings.solver.tolerance;
    momentum.restart::<false>(system, &state.velocities);
    pseudo_momentum.restart::<true>(system, &report.pseudo_velocities);
    let mut still = false;
    for iteration in 0.. {
        if report.work.is_cancelled() || !shake::needs_sweep(settings, state, system, &buffers.shake, iteration, h) {
            break;
        }
        if shake::is_due(settings, system, &mut buffers.shake, iteration, false, still) {
            let Buffers { gyroscopic, shake, .. } = buffers;
            shake::refresh_curvature_bias(settings, state, system, gyroscopic, shake, h, None);
            momentum.restart::<false>(system, &state.velocities);
        }
        if still && !shake::is_curvature_unsettled(system, &buffers.shake) {
            break;
        }
        report.sweeps += 1;
        let visit = Visit { order: settings.solver.order, step: state.step_count, iteration };
        let mut target = SweepTarget::new(state, system, &mut report.pseudo_velocities, buffers);
        let moved = match (pseudo, tolerance > 0.0) {
            (false, false) => target.sweep::<false, false>(None, visit, probe),
            (true, false) => target.sweep::<true, false>(None, visit, probe),
            (false, true) => target.sweep::<false, true>(None, visit, probe),
            (true, true) => target.sweep::<true, true>(None, visit, probe),
        };
        let applies_deferred = deferred && iteration == 0;
        if applies_deferred {
            warm_start::apply_deferred(state, &buffers.deferred);
            momentum.restart::<false>(system, &state.velocities);
        }
        trace::sweep(state, system, probe);
        still = !applies_deferred && moved < tolerance;
        if !still && iteration + 1 < settings.sweeps() {
            momentum.extrapolate::<false>(system, &mut state.velocities);
            if pseudo {
                pseudo_momentum.extrapolate::<true>(system, &mut report.pseudo_velocities);
            }
        }
    }
}
