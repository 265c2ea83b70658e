//! A step of all bodies together: the sequence of its stages.

use super::balance::{self, Checkpoint};
use super::settings::{Settings, StepSettings};
use super::solvers::parts::Parts;
use super::solvers::step::{self, Scratches};
use super::spectrum::power_iteration;
use super::{flight, force, rattle, reading, sleep};

use crate::clock::Instant;

/// Power-iteration sweeps of one spectrum estimate. The vectors are kept between estimates, so in a scene at rest the
/// estimates converge over the steps.
const SPECTRUM_SWEEPS: u32 = 64;

/// Makes one step in `count` equal parts, each with the sub-steps of the settings.
pub(crate) fn step(parts: &mut Parts<'_>, scratches: &mut Scratches, count: u32) {
    let settings = parts.settings;
    parts.report.parts = count;
    sleep::wake_changed(settings, parts.state);
    reached(parts, Checkpoint::Begin);
    rattle::restore_midpoint(parts.state, count);
    let h = settings.h() / count as f32;
    reached(parts, Checkpoint::Resumed);
    flight::restore_midpoint(settings, parts.model, parts.state, h);
    reached(parts, Checkpoint::Kicked);
    force::apply::restore_midpoint(settings, parts.model, parts.state, h);
    reached(parts, Checkpoint::Forced);
    let (start, time) = (Instant::now(), parts.state.time);
    let substeps = settings.step.substeps * count;
    let divided = Settings { step: StepSettings { substeps, ..settings.step }, ..*settings };
    step::step(parts.under(&divided), scratches);
    let end = time + 1.0 / f64::from(settings.step.rate);
    let Parts { model, state, system, report, .. } = &mut *parts;
    report.phases.solve = start.elapsed().saturating_sub(report.phases.total());
    report.row_count = system.rows.len() + system.contacts.rows();
    report.dense_mechanisms = system.trees.mechanisms.plan.dense_mechanisms;
    if state.contacts.excess.is_some() || report.work.is_over() {
        return;
    }
    force::apply::slow_to_end(settings, model, state, h);
    reached(parts, Checkpoint::Forced);
    flight::finish(settings, parts.model, parts.state, parts.system, (end, h));
    reached(parts, Checkpoint::Kicked);
    force::apply::finish(settings, parts.model, parts.state, end, h);
    reached(parts, Checkpoint::Forced);
    let Parts { model, state, system, report, buffers, reads, .. } = &mut *parts;
    rattle::finish(
        settings,
        (model, end),
        state,
        system,
        report,
        (&mut buffers.rattle, &mut buffers.tree),
        &buffers.gyroscopic,
        (h, count),
    );
    if *reads || state.rattle.has_taut {
        reading::joints(state, system, report, &mut buffers.list, Some(h));
    }
    reached(parts, Checkpoint::Read);
    parts.state.time = end;
    parts.state.step_count += 1;
    sleep::find_resting(settings, parts.model, parts.state, parts.system);
    estimate_spectrum(parts);
}

fn reached(parts: &mut Parts<'_>, at: Checkpoint) {
    let Parts { settings, state, system, report, probe, .. } = parts;
    balance::reached(settings, state, system, report, probe, at);
}

/// Estimates the spectrum of the sweep every `solver.spectrum_every` steps.
fn estimate_spectrum(parts: &mut Parts<'_>) {
    let Parts { settings, state, system, report, .. } = parts;
    let every = u64::from(settings.solver.spectrum_every);
    if every == 0 {
        report.spectrum = None;
    } else if state.step_count.is_multiple_of(every) {
        let mut vectors = std::mem::take(&mut report.spectrum_scratch);
        let matrix = (&state.bodies[..], &**system);
        report.spectrum = Some(power_iteration::estimate(&settings.solver, matrix, &mut vectors, SPECTRUM_SWEEPS));
        report.spectrum_scratch = vectors;
    }
}
