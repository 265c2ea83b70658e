//! Free flight: bodies that nothing holds fall as leapfrog has them fall.
//!
//! ```text
//! v(½) = v(0) + ½ h g                       the first step's kick is half a kick
//! v(n+½) = v(n−½) + h g,   x(n+1) = x(n) + h v(n+½)
//! v(n+1) = v(n+½) + ½ h g                   the velocity that is read
//! ```
//! The step's velocities belong to the middle of the step. Read as those of its end, they put a ball ½ h g t too low
//! after a time t, while a mechanism under RATTLE (`rattle/`) beside it falls right. With the two half kicks a thrown
//! body is where ½ g t² says, and keeps its energy, for every h.
//!
//! What stands on something is not in flight: the contact balances its weight within the step, and its velocity is that
//! of the present. When the contact lets it go, its flight starts as at v(0), and where it lands without a bounce it
//! has a whole kick again. A soft surface is a spring, and the body's velocities stay those of the middle of the step:
//! half kicks where it lands and leaves would give an undamped trampoline g h at every bounce. A body that bounces stays in flight: it
//! is turned back with the speed v(n−½) and goes on with v(n+½), so that m g z + ½ m v² comes back at the top. So does
//! one that a corner throws up: its centre leaves the contact at more than 2 h g.
//! Bodies with joints are left to the joints' method, and contacts without rows (`ballistic.rs`) to theirs. The kick is
//! that of gravity; `force/apply.rs` does the same with applied forces. Source: Störmer and Verlet; Hairer, Lubich and
//! Wanner 2003.

use glam::{Vec3, Vec3A};

use super::body::{Body, Velocity};
use super::collide::manifold::Manifold;
use super::confine::Confined;
use super::integrate;
use super::primitives::surface::mix;
use super::row::RowId;
use super::settings::{RestitutionForm, Settings};
use super::solvers::properties;
use super::system::System;
use super::velocity::Flight;
use super::world::model::Model;
use super::world::state::State;

/// Buffers, kept from step to step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    /// By body: what bears it in this sub-step.
    support: Vec<Support>,
    /// By body: by which share its kick differs from a whole one in this sub-step, −½, 0 or ½; empty where none does.
    pub changed: Vec<f32>,
}

/// What bears a body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Support {
    #[default]
    Nothing,
    /// Only soft surfaces.
    Soft,
    Rigid,
}

/// Whether bodies in free flight get half kicks: not where contacts are as printed, or the solver's recipe has none.
pub(crate) fn runs(settings: &Settings) -> bool {
    let recipe = properties::of(settings.solver.method).recipe;
    !recipe && !settings.has_impact_contacts() && settings.formulation.restitution != RestitutionForm::Added
}

/// Half of gravity's kick of a step of `h` seconds, m/s; `None` where no body gets any: without gravity and applied
/// forces, and where contacts are as printed.
fn half_kick(settings: &Settings, model: &Model, h: f32) -> Option<Vec3A> {
    let kick = Vec3A::from(settings.step.gravity) * (0.5 * h);
    (runs(settings) && (kick != Vec3A::ZERO || !model.forces.is_empty())).then_some(kick)
}

/// The speed that half a kick gives to one of two bodies at most, m/s: `kicked` by gravity, and more by applied forces
/// at `time`, s.
fn fastest(model: &Model, bodies: &[Box<Body>], pair: [u32; 2], kicked: f32, (time, h): (f64, f32)) -> f32 {
    if model.forces.is_empty() {
        return kicked;
    }
    let pushed = |body: u32| {
        let own = model.forces.binary_search_by_key(&body, |own| own.body).ok();
        own.map_or(0.0, |own| model.forces[own].change(&bodies[body as usize], time, 0.5 * h).linear.length())
    };
    kicked + pushed(pair[0]).max(pushed(pair[1]))
}

/// Adds `kick`, m/s, to the velocities of the bodies that are `in_flight`; to those that a plane confines, the part
/// along it.
fn add_kick(state: &mut State, kick: Vec3A, in_flight: impl Fn(usize, &Body) -> bool) {
    let State { bodies, velocities, planes, sleep, .. } = state;
    let flies =
        |index: usize| bodies[index].is_dynamic() && in_flight(index, &bodies[index]) && !sleep.has(index as u32);
    for index in (0..bodies.len()).filter(|index| flies(*index)) {
        velocities[index].linear += integrate::kicked(&bodies[index], kick);
    }
    for Confined { body, normal, .. } in planes.iter().filter(|plane| flies(plane.body as usize)) {
        let normal = Vec3A::from(*normal);
        let index = *body as usize;
        velocities[index].linear -= normal * normal.dot(integrate::kicked(&bodies[index], kick));
    }
}

/// Goes back to the velocities of the middle of the step before. `h`: length of the sub-steps to come, s.
pub(crate) fn restore_midpoint(settings: &Settings, model: &Model, state: &mut State, h: f32) {
    if let Some(kick) = half_kick(settings, model, h) {
        add_kick(state, -kick, |_, body| body.flight == Flight::Free);
    }
}

/// Halves gravity's first kick of bodies that nothing holds any more, and gives those that land a whole one. To be
/// called once gravity and applied forces are added, and nothing else, in every sub-step of `h` seconds that begins at
/// `time`, s.
pub(crate) fn start(
    settings: &Settings,
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    (time, h): (f64, f32),
) {
    scratch.changed.clear();
    let Some(kick) = half_kick(settings, model, h) else { return };
    let moves = |body: &Body| body.is_dynamic() && body.flight != Flight::Joined;
    let stands = |body: &Body| moves(body) && matches!(body.flight, Flight::Supported | Flight::Cushioned);
    if state.bodies.iter().any(|body| stands(body)) {
        join(state);
    } else if state.contacts.manifolds().next().is_none() {
        return;
    }
    let support = &mut scratch.support;
    support.clear();
    support.resize(state.bodies.len(), Support::Nothing);
    let State { bodies, velocities, contacts, .. } = &*state;
    let kicked = kick.length();
    for (a, b, manifold) in contacts.manifolds() {
        // What falls together counts as touching.
        let reach = 2.0 * h * fastest(model, bodies, [a, b], kicked, (time, h));
        let [a, b] = [a as usize, b as usize];
        if support[a].min(support[b]) < Support::Rigid
            && supports(settings, manifold, [a, b].map(|body| (&*bodies[body], &velocities[body])), h, reach)
        {
            let by = if is_soft(&bodies[a], &bodies[b]) { Support::Soft } else { Support::Rigid };
            (support[a], support[b]) = (support[a].max(by), support[b].max(by));
        }
    }
    add_kick(state, kick, |index, body| support[index] == Support::Rigid && body.flight == Flight::Free);
    add_kick(state, -kick, |index, body| support[index] == Support::Nothing && body.flight == Flight::Supported);
    if !model.forces.is_empty() {
        scratch.changed.extend(state.bodies.iter().zip(&*support).map(|(body, support)| {
            match (body.flight, support) {
                (Flight::Free, Support::Rigid) => 0.5,
                (Flight::Supported, Support::Nothing) => -0.5,
                _ => 0.0,
            }
        }));
    }
    let State { bodies, sleep, .. } = state;
    for (index, support) in support.iter().enumerate().filter(|(index, _)| !sleep.has(*index as u32)) {
        let flight = match support {
            Support::Nothing => Flight::Free,
            Support::Soft => Flight::Cushioned,
            Support::Rigid => Flight::Supported,
        };
        if moves(&bodies[index]) && bodies[index].flight != flight {
            bodies[index].flight = flight;
        }
    }
}

/// Whether the contact of two bodies is a spring.
fn is_soft(a: &Body, b: &Body) -> bool {
    a.material.soft.is_some() || b.material.soft.is_some()
}

/// Whether a point of the manifold of two bodies is nearer than `reach` after `h` seconds, m, and they will not bounce.
fn supports(settings: &Settings, manifold: &Manifold, pair: [(&Body, &Velocity); 2], h: f32, reach: f32) -> bool {
    let contact = &settings.contact;
    let bounces = || contact.restitution && mix(pair[0].0, pair[1].0, settings).restitution > 0.0;
    // Sub-steps share points, and what rolls leaves them behind: its centre does not leave the surface.
    let centres = manifold.normal.dot(Vec3::from(pair[1].1.linear - pair[0].1.linear));
    manifold.points.iter().any(|point| {
        let [a, b] = pair.map(|(body, velocity)| {
            Vec3::from(velocity.linear) + Vec3::from(velocity.angular).cross(point.position - body.position)
        });
        let apart = manifold.normal.dot(b - a);
        let is_near = point.separation + h * apart.min(centres) < reach;
        is_near && (apart >= -contact.restitution_threshold || !bounces())
    })
}

/// Marks bodies with joints.
fn join(state: &mut State) {
    let State { bodies, joints, mouse_joint, .. } = state;
    for joint in joints.iter().filter(|joint| joint.broken.is_none()) {
        [joint.def.a, joint.def.b].into_iter().for_each(|body| bodies[body as usize].flight = Flight::Joined);
    }
    if let Some(mouse_joint) = mouse_joint {
        bodies[mouse_joint.body as usize].flight = Flight::Joined;
    }
}

fn carries_load(manifold: &Manifold) -> bool {
    manifold.points.iter().any(|point| point.impulse != 0.0)
}

/// Makes the velocities of bodies in flight those of the end of the last sub-step, of `h` seconds, at `time`, s, as far
/// as gravity goes.
pub(crate) fn finish(settings: &Settings, model: &Model, state: &mut State, system: &System, (time, h): (f64, f32)) {
    let Some(kick) = half_kick(settings, model, h) else { return };
    let State { bodies, velocities, contacts, rattle, .. } = &mut *state;
    // RATTLE's joints leave bodies that they let go the velocities of the middle of the step.
    let let_go = if rattle.runs { Flight::Free } else { Flight::Supported };
    for body in bodies.iter_mut().filter(|body| body.flight == Flight::Joined) {
        body.flight = let_go;
    }
    let turn = |bodies: &mut [Box<Body>], from: Flight, to: Flight, body: u32| {
        let flight = &mut bodies[body as usize].flight;
        *flight = if *flight == from { to } else { *flight };
    };
    for bounce in system.bounces.iter().filter(|bounce| bounce.struck) {
        if let RowId::Contact { a, b, .. } = system.ids[bounce.row as usize] {
            [a, b].into_iter().for_each(|body| turn(bodies, Flight::Free, Flight::Struck, body));
        }
    }
    let kicked = kick.length();
    for (a, b, manifold) in contacts.manifolds().filter(|(.., manifold)| carries_load(manifold)) {
        let leaves = 4.0 * fastest(model, bodies, [a, b], kicked, (time, h));
        let apart = velocities[b as usize].linear - velocities[a as usize].linear;
        if apart.dot(manifold.normal.into()) <= leaves {
            let soft = is_soft(&bodies[a as usize], &bodies[b as usize]);
            let flight = if soft { Flight::Cushioned } else { Flight::Supported };
            [a, b].into_iter().for_each(|body| turn(bodies, Flight::Free, flight, body));
        }
    }
    for body in bodies.iter_mut().filter(|body| body.flight == Flight::Struck) {
        body.flight = Flight::Free;
    }
    join(state);
    add_kick(state, kick, |_, body| body.flight == Flight::Free);
}
