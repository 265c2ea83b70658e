//! When applied forces and drag act in a step.
//!
//! ```text
//! D½  K  D½        a body in free flight, in each sub-step; D½: drag for h/2, K: the kick of gravity and forces
//! R                a body that stands on something or has joints: kick and drag within the solve of its rows (`resist.rs`)
//! K  D             such a body in the sub-step in which it lands
//! ```
//! The velocities of a body in free flight belong to the middle of the step (`flight.rs`), so the first D½ of a step's
//! first sub-step was made at the end of the step before: velocities are read after K½ D ... D½ K½. This is second
//! order in h. The terminal speed under quadratic drag is then √(m g/k + (h g)²/4) in place of √(m g/k). Joints are
//! solved after the kick, so every solver sees the forces. Mechanisms under RATTLE get half kicks as they get those of
//! gravity (`rattle/`). Source: Strang 1968 (splitting).

use glam::Vec3A;

use super::resist;
use crate::balance::{self, Checkpoint};
use crate::body::Body;
use crate::settings::Settings;
use crate::solvers::substep::Substep;
use crate::system::System;
use crate::trace::Probe;
use crate::velocity::Flight;
use crate::world::buffers::Buffers;
use crate::world::model::Model;
use crate::world::report::Report;
use crate::world::state::State;
use crate::{flight, integrate};

/// Applies gravity, forces and drag for a sub-step.
pub(crate) fn apply(
    settings: &Settings,
    model: &Model,
    state: &mut State,
    system: &System,
    report: &Report,
    buffers: &mut Buffers,
    probe: &mut Probe,
    Substep { h, start, first, .. }: Substep,
) {
    let forced = !model.forces.is_empty();
    if forced {
        slow(model, state, |body| if first { 0.0 } else { half(body) * h });
        resist::slow(model, state, h);
        push(model, state, (start, h), |_, _| 1.0);
        balance::reached(settings, state, system, report, probe, Checkpoint::Forced);
    }
    integrate::forces((&state.bodies, &state.sleep), &mut state.velocities, settings, h);
    flight::start(settings, model, state, &mut buffers.flight, (start, h));
    balance::reached(settings, state, system, report, probe, Checkpoint::Kicked);
    if forced {
        let changed = &buffers.flight.changed;
        push(model, state, (start, h), |_, index| changed.get(index).copied().unwrap_or_default());
        slow(model, state, |body| match body.flight {
            _ if body.is_resisted() => 0.0,
            Flight::Free => 0.5 * h,
            _ => h,
        });
        balance::reached(settings, state, system, report, probe, Checkpoint::Forced);
    }
}

/// Goes back to the velocities of the middle of the step before, for bodies in free flight. `h`: length of the
/// sub-steps to come, s.
pub(crate) fn restore_midpoint(settings: &Settings, model: &Model, state: &mut State, h: f32) {
    if !model.forces.is_empty() && flight::runs(settings) {
        let time = state.time;
        push(model, state, (time, -h), |body, _| half(body));
        confine(model, state);
    }
}

/// The drag in the second half of the step's last sub-step, of `h` seconds, for bodies in free flight.
pub(crate) fn slow_to_end(settings: &Settings, model: &Model, state: &mut State, h: f32) {
    if !model.forces.is_empty() && flight::runs(settings) {
        slow(model, state, |body| half(body) * h);
    }
}

/// Makes the velocities of bodies in free flight those of the end of the last sub-step, of `h` seconds, which is at
/// `time`, s.
pub(crate) fn finish(settings: &Settings, model: &Model, state: &mut State, time: f64, h: f32) {
    if !model.forces.is_empty() && flight::runs(settings) {
        push(model, state, (time, h), |body, _| half(body));
        confine(model, state);
    }
}

/// Adds the change by the forces at `time` within a `share` of `h` seconds to the bodies that are awake.
fn push(model: &Model, state: &mut State, (time, h): (f64, f32), share: impl Fn(&Body, usize) -> f32) {
    let State { bodies, velocities, sleep, .. } = state;
    for own in model.forces.iter().filter(|own| !own.forces.is_empty() && !sleep.has(own.body)) {
        let index = own.body as usize;
        let body = &bodies[index];
        let share = share(body, index);
        if body.is_dynamic() && share != 0.0 {
            let change = own.change(body, time, share * h);
            velocities[index].linear += change.linear;
            velocities[index].angular += change.angular;
        }
    }
}

/// The share of a whole kick at either end of a step.
fn half(body: &Body) -> f32 {
    if body.flight == Flight::Free { 0.5 } else { 0.0 }
}

/// Applies drag for the seconds that `long` gives for a body.
fn slow(model: &Model, state: &mut State, long: impl Fn(&Body) -> f32) {
    let State { bodies, velocities, sleep, .. } = state;
    for own in model.forces.iter().filter(|own| !sleep.has(own.body)) {
        let body = &bodies[own.body as usize];
        let h = long(body);
        if body.is_dynamic() && h > 0.0 {
            own.drag.slow(body, &mut velocities[own.body as usize], h);
        }
    }
}

/// Removes the part of the velocity across the plane that confines a body.
fn confine(model: &Model, state: &mut State) {
    let State { velocities, planes, .. } = state;
    for plane in planes.iter() {
        if model.forces.binary_search_by_key(&plane.body, |own| own.body).is_ok() {
            let (velocity, normal) = (&mut velocities[plane.body as usize].linear, Vec3A::from(plane.normal));
            *velocity -= normal * normal.dot(*velocity);
        }
    }
}
