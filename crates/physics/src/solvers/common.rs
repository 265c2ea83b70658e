//! The stages that solvers share: making the rows, the forces, a pass over all blocks, moving the bodies.

use glam::Vec3A;

use super::substep::Substep;
use crate::balance::{self, Checkpoint};
use crate::body::Velocity;
use crate::clock::Instant;
use crate::collide::continuous;
use crate::divide::measure;
use crate::effective_mass::rigid_block_mass;
use crate::fault::{FaultWatch, check};
use crate::kernel::row::speed;
use crate::prepare;
use crate::residual::speed_left;
use crate::row::{Coupling, Owner, Row};
use crate::settings::Settings;
use crate::system::System;
use crate::trace::{Probe, StepStage};
use crate::work::SWEPT_ROW;
use crate::world::buffers::Buffers;
use crate::world::model::Model;
use crate::world::report::Report;
use crate::world::state::State;
use crate::{
    ballistic, breaking, confine, energy_budget, force, geometric, gyroscopic, integrate, motor_target, positions,
    rattle, reading, relax, restitution, shake, sleep, trace, warm_start, warm_start_limiter,
};

/// The sub-steps of the next step.
pub(crate) fn substeps(
    settings: &Settings,
    state: &State,
    reads: bool,
    listed: bool,
) -> impl Iterator<Item = Substep> + use<> {
    let (time, h, step) = (state.time, settings.h(), settings.step);
    let at = move |k: u32| time + f64::from(k) / f64::from(step.substeps) / f64::from(step.rate);
    let last = step.substeps;
    (1..=last).map(move |k| Substep { h, start: at(k - 1), end: at(k), first: k == 1, last: k == last, reads, listed })
}

/// Sets the velocities of the bodies that follow movers, for the sub-step of `h` seconds that ends at `time`.
fn drive_movers(model: &Model, state: &mut State, time: f64, h: f32) {
    for driven in &model.movers {
        let position = state.bodies[driven.body as usize].position;
        state.velocities[driven.body as usize] = driven.mover.velocity(driven.start, position, time, h);
    }
}

/// Sets the movers' velocities and finds the contacts, or reuses those of the step's first sub-step. Returns false if
/// the contacts exceed the budget: the step then ends at the start of this sub-step.
pub fn collide(settings: &Settings, model: &Model, state: &mut State, report: &mut Report, substep: Substep) -> bool {
    drive_movers(model, state, substep.end, substep.h);
    if !substep.first && state.contacts.reuse_points(&state.bodies, &state.velocities, substep.h) {
        return true;
    }
    check::check_velocities(state, report, FaultWatch::default());
    let steps = if state.contacts.serves_all(settings) { settings.step.substeps } else { 1 };
    find_contacts(settings, state, report, substep.h * steps as f32);
    sleep::wake_touched(state);
    if state.contacts.excess.is_some() {
        state.time = substep.start;
        return false;
    }
    true
}

/// Finds the pairs and then their contact points, for a sub-step of `h` seconds.
fn find_contacts(settings: &Settings, state: &mut State, report: &mut Report, h: f32) {
    let State { contacts, bodies, velocities, sleep, .. } = state;
    if !settings.contact.enabled {
        contacts.clear();
        return;
    }
    let start = Instant::now();
    contacts.find_pairs(bodies, velocities, settings, h);
    let found = Instant::now();
    if contacts.excess.is_none() {
        contacts.find_points((bodies, sleep), velocities, settings, h);
    }
    report.phases.broad += found - start;
    report.phases.narrow += found.elapsed();
}

/// Makes the rows at the present poses, with their biases. Contacts take their approach speeds from the velocities
/// before forces and warm starting.
pub(crate) fn linearize(
    settings: &Settings,
    model: &Model,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    buffers: &mut Buffers,
    probe: &mut Probe,
    Substep { h, start: from, first, listed, .. }: Substep,
) {
    let start = Instant::now();
    trace::start_trace(state, probe, h);
    warm_start::rescale_impulses(state, h);
    if first {
        warm_start::supports::share(settings, state, &mut buffers.supports);
    }
    geometric::stiffen(settings, state, h);
    force::resist::resist(model, state, h);
    prepare::prepare(settings, state, system, buffers.pre_impact.impulses(), listed, (from, h));
    report.phases.prepare += start.elapsed();
}

/// Whether the limit of work allows to sweep the rows. If not, the step ends at the start of this sub-step.
pub fn affords_sweeps(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    substep: Substep,
) -> bool {
    let sweeps = u64::from(settings.sweeps());
    let rows = system.rows.len() + system.contacts.rows();
    let affords = report.work.charge(SWEPT_ROW * sweeps * rows as u64);
    if !affords {
        state.time = substep.start;
    }
    affords
}

/// Counts what trees and mechanisms have cost in so many sweeps.
pub fn spend_on_exact_blocks(system: &System, report: &mut Report, sweeps: u32) {
    report.work.spend(system.trees.solving() * u64::from(sweeps));
}

/// Applies forces, warm-start impulses and the gyroscopic term. Returns true if the warm-start impulses are only
/// applied after the first sweep: see `warm_start/`.
pub(crate) fn warm_start(
    settings: &Settings,
    model: &Model,
    state: &mut State,
    system: &mut System,
    report: &Report,
    buffers: &mut Buffers,
    probe: &mut Probe,
    substep: Substep,
) -> bool {
    let Substep { h, reads, .. } = substep;
    energy_budget::open_accounts(settings, state, system, reads, h);
    force::apply::apply(settings, model, state, system, report, buffers, probe, substep);
    ballistic::find(settings, state, &mut buffers.ballistic, h);
    trace::record_moment(state, system, probe, StepStage::Forces);
    gyroscopic::collect_terms(settings, state, &mut buffers.gyroscopic);
    // Uses the velocities that the last step left: in a loop that is closed twice over, the old impulses turn its
    // light links wildly.
    shake::update_curvature_bias(settings, state, system, &buffers.gyroscopic, &mut buffers.shake, h);
    let deferred = warm_start::apply_cached_impulses(
        settings,
        state,
        system,
        &mut buffers.deferred,
        &mut buffers.warm_start_limiter,
        reads,
        h,
    );
    balance::reached(settings, state, system, report, probe, Checkpoint::Warm { deferred });
    gyroscopic::apply(settings, state, &mut buffers.gyroscopic, deferred.then_some(&buffers.deferred), h);
    rattle::start(settings, model, state, system, &buffers.gyroscopic, h);
    if warm_start_limiter::watches(settings, state, system, reads) {
        warm_start_limiter::save_free_velocities(state, &mut buffers.warm_start_limiter, &buffers.deferred);
    }
    balance::reached(settings, state, system, report, probe, Checkpoint::Started { exact: false });
    trace::record_moment(state, system, probe, StepStage::Start);
    deferred
}

/// Allocates the split-correction velocities if a row needs them; returns whether any does.
pub fn begin_pseudo_velocities(state: &mut State, system: &mut System, report: &mut Report) -> bool {
    report.pseudo_velocities.clear();
    let wanted = system.blocks.iter().any(|b| b.pseudo) || system.contacts.corrects();
    if wanted {
        report.pseudo_velocities.resize(state.bodies.len(), Velocity::default());
    }
    wanted
}

/// The end of a sub-step: [`advance`], [`relax`] and [`conclude`].
pub(crate) fn integrate(
    settings: &Settings,
    model: &Model,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    buffers: &mut Buffers,
    probe: &mut Probe,
    substep: Substep,
) {
    let watch = advance(settings, state, system, report, buffers, probe, substep);
    relax(settings, state, system, report, buffers, substep);
    conclude(settings, model, state, system, report, buffers, probe, (substep, watch));
}

/// Moves the bodies. Returns whether any has a velocity that is not finite, for [`conclude`].
pub(crate) fn advance(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    buffers: &mut Buffers,
    probe: &mut Probe,
    Substep { h, reads, .. }: Substep,
) -> FaultWatch {
    let start = Instant::now();
    trace::record_moment(state, system, probe, StepStage::Solved);
    balance::reached(settings, state, system, report, probe, Checkpoint::Solved);
    if reads {
        measure_residuals(state, system, report);
    }
    let mut watch = FaultWatch::default();
    positions::save_touches(settings, state, &mut buffers.positions);
    continuous::clamp(settings, state, report, h);
    ballistic::apply_impacts(settings, state, system, report, &mut buffers.ballistic, probe, h, &mut watch);
    motor_target::correct::advance(state, system, report, h);
    let rotation = settings.formulation.rotation;
    let motions = integrate::Motions {
        pseudo_velocities: &report.pseudo_velocities,
        toi_fractions: &report.toi_fractions,
        gyroscopic: &buffers.gyroscopic,
        rotation,
        only: None,
    };
    integrate::poses(&mut state.bodies, &mut state.velocities, &motions, h, &mut watch);
    balance::reached(settings, state, system, report, probe, Checkpoint::Moved);
    positions::correct(settings, state, system, &mut buffers.positions, &mut watch);
    report.phases.integrate += start.elapsed();
    watch
}

/// Makes the relaxing sweeps.
pub(crate) fn relax(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    buffers: &mut Buffers,
    Substep { h, .. }: Substep,
) {
    let start = Instant::now();
    relax::sweep(settings, state, system, &mut buffers.deferred, &mut buffers.tree, &mut report.work, h);
    report.phases.integrate += start.elapsed();
}

/// Stores the impulses for the next step, and breaks overloaded joints.
pub(crate) fn conclude(
    settings: &Settings,
    model: &Model,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    buffers: &mut Buffers,
    probe: &mut Probe,
    (Substep { h, end, last, .. }, watch): (Substep, FaultWatch),
) {
    let start = Instant::now();
    confine::rows::finish(state, system);
    restitution::finish(system, &mut buffers.pre_impact);
    reading::count_turns(state, h);
    trace::record_impulses(system, probe);
    check::check_velocities(state, report, watch);
    warm_start::store(settings, state, system, report, buffers.pre_impact.impulses(), last);
    measure::record_angles(settings, state, system, &mut buffers.divide);
    if breaking::can(settings, model) {
        breaking::check(settings, state, system, h, end);
    }
    balance::reached(settings, state, system, report, probe, Checkpoint::Corrected);
    report.phases.integrate += start.elapsed();
}

/// γ λ of an anchor whose softness is alike in all directions.
fn given_way(coupling: Coupling, rows: &[Row]) -> Option<Vec3A> {
    let Coupling::EvenAnchor { share, .. } = coupling else { return None };
    let impulse = Vec3A::new(rows[0].impulse, rows[1].impulse, rows[2].impulse);
    Some(rigid_block_mass(rows) * impulse * (share / (1.0 - share)))
}

/// Sets the largest residual speed of a row, m/s or rad/s, of the world and of each joint; of a soft row the part
/// that one more solve would change. A clamped row counts only if it would leave its bound; friction rows, which may
/// slip, do not count.
fn measure_residuals(state: &mut State, system: &System, report: &mut Report) {
    report.residual = system.contacts.residual(&state.velocities);
    state.joints.iter_mut().for_each(|joint| joint.readout.residual = 0.0);
    for block in &system.blocks {
        let (a, b) = (&state.velocities[block.a as usize], &state.velocities[block.b as usize]);
        let rows = &system.rows[block.range()];
        let counted = block.coupling.contact().map_or(rows.len(), |(normals, _)| normals as usize);
        let mut worst = 0.0f32;
        let given = given_way(block.coupling, rows);
        for (at, row) in rows[..counted].iter().enumerate() {
            let r = speed(row, a, b) + row.bias + given.map_or(row.gamma * row.impulse, |given| given[at]);
            let settled = row.inv_k == 0.0 || (row.impulse <= row.lo && r > 0.0) || (row.impulse >= row.hi && r < 0.0);
            worst = if settled { worst } else { worst.max(speed_left(row, r).abs().min(f32::MAX)) };
        }
        report.residual = report.residual.max(worst);
        if let Owner::Joint(joint) = block.owner {
            let joint_residual = &mut state.joints[joint as usize].readout.residual;
            *joint_residual = joint_residual.max(worst);
        }
    }
}
