//! Free flight: bodies that nothing supports are integrated by leapfrog.
//!
//! ```text
//! v(½) = v(0) + ½ h g                       the first step adds half a kick (a kick: the velocity change h g)
//! v(n+½) = v(n−½) + h g,   x(n+1) = x(n) + h v(n+½)
//! v(n+1) = v(n+½) + ½ h g                   the velocity that is read between steps
//! ```
//! A leapfrog step's velocities belong to the middle of the step. If they were taken as those of its end, a ball would
//! be ½ h g t too low after a time t, while a mechanism under RATTLE (`rattle/`) beside it falls correctly. With the
//! two half kicks a thrown body follows ½ g t² and keeps its energy, for every h.
//!
//! A body that stands on something is not in flight. The contact balances its weight within the step, so its velocity
//! belongs to the time of its pose. When the contact lets the body go, its flight starts as at v(0), with half a kick.
//! When it lands without a bounce, it gets a whole kick again. A soft surface is a spring: there the velocities stay
//! those of the middle of the step. Half kicks at landing and take-off would add the speed g h to each bounce on an
//! undamped trampoline.
//!
//! A body that bounces stays in flight. The bounce reverses v(n−½), and the body goes on with v(n+½), so m g z + ½ m v²
//! has its old value at the top. A body that is thrown up by its own corner also stays in flight: its centre leaves the
//! contact at more than 2 h g.
//!
//! Bodies with joints are left to the joints' method, and impacts without rows (`ballistic.rs`) to theirs. This file
//! handles gravity's kick; `force/apply.rs` does the same for applied forces. Source: Störmer and Verlet; Hairer,
//! Lubich and Wanner 2003.

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
    /// By body: what supports it in this sub-step.
    support: Vec<Support>,
    /// By body: the share of a kick that this sub-step adds to the usual one, for applied forces: ½ if the body lands,
    /// −½ if it takes off, otherwise 0. Empty without applied forces, and if no body stands or touches anything.
    pub changed: Vec<f32>,
}

/// What supports a body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Support {
    #[default]
    Nothing,
    /// Only soft surfaces.
    Soft,
    Rigid,
}

/// Whether bodies in free flight get half kicks. They do not if impacts have no rows, if restitution takes the form
/// that a document prints, or if the solver follows a recipe without them.
pub(crate) fn runs(settings: &Settings) -> bool {
    let recipe = properties::of(settings.solver.method).recipe;
    !recipe && !settings.has_impact_contacts() && settings.formulation.restitution != RestitutionForm::Added
}

/// Half of gravity's kick for a step of `h` seconds, m/s; `None` if no body gets half kicks, or if there is neither
/// gravity nor an applied force.
fn half_kick(settings: &Settings, model: &Model, h: f32) -> Option<Vec3A> {
    let kick = Vec3A::from(settings.step.gravity) * (0.5 * h);
    (runs(settings) && (kick != Vec3A::ZERO || !model.forces.is_empty())).then_some(kick)
}

/// An upper bound on the speed that half a kick gives to either body of a pair, m/s: `kicked` from gravity, and more
/// from applied forces at `time`, s.
fn max_kick_speed(model: &Model, bodies: &[Box<Body>], pair: [u32; 2], kicked: f32, (time, h): (f64, f32)) -> f32 {
    if model.forces.is_empty() {
        return kicked;
    }
    let pushed = |body: u32| {
        let own = model.forces.binary_search_by_key(&body, |own| own.body).ok();
        own.map_or(0.0, |own| model.forces[own].change(&bodies[body as usize], time, 0.5 * h).linear.length())
    };
    kicked + pushed(pair[0]).max(pushed(pair[1]))
}

/// Adds `kick`, m/s, to the velocities of the bodies that are `in_flight`. A body that is confined to a plane gets only
/// the part along the plane.
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

/// Restores the velocities of the middle of the previous step. `h`: length of the next sub-steps, s.
pub(crate) fn restore_midpoint(settings: &Settings, model: &Model, state: &mut State, h: f32) {
    if let Some(kick) = half_kick(settings, model, h) {
        add_kick(state, -kick, |_, body| body.flight == Flight::Free);
    }
}

/// Halves gravity's kick of bodies that take off, and restores the whole kick of bodies that land. To be called in
/// every sub-step, of `h` seconds from `time`, s, after gravity and applied forces are added and before anything else
/// is.
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
    let stands = |body: &Body| moves(body) && matches!(body.flight, Flight::Supported | Flight::OnSoftSurface);
    if state.bodies.iter().any(|body| stands(body)) {
        mark_jointed(state);
    } else if state.contacts.manifolds().next().is_none() {
        return;
    }
    let support = &mut scratch.support;
    support.clear();
    support.resize(state.bodies.len(), Support::Nothing);
    let State { bodies, velocities, contacts, .. } = &*state;
    let kicked = kick.length();
    for (a, b, manifold) in contacts.manifolds() {
        // Bodies closer than this count as touching: gravity alone could close the gap.
        let reach = 2.0 * h * max_kick_speed(model, bodies, [a, b], kicked, (time, h));
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
            Support::Soft => Flight::OnSoftSurface,
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

/// Whether a contact supports its bodies: a point of it will have a gap smaller than `reach`, m, in `h` seconds, and
/// the bodies will not bounce there.
fn supports(settings: &Settings, manifold: &Manifold, pair: [(&Body, &Velocity); 2], h: f32, reach: f32) -> bool {
    let contact = &settings.contact;
    let bounces = || contact.restitution && mix(pair[0].0, pair[1].0, settings).restitution > 0.0;
    // Sub-steps share contact points. A rolling body moves away from such a point, but its centre stays at the surface:
    // so the slower of the two separation speeds counts.
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

/// Marks bodies with joints, and the body that the mouse pulls.
fn mark_jointed(state: &mut State) {
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

/// Advances the velocities of bodies in flight by half of gravity's kick, to the end of the last sub-step, which has
/// `h` seconds and ends at `time`, s.
pub(crate) fn finish(settings: &Settings, model: &Model, state: &mut State, system: &System, (time, h): (f64, f32)) {
    let Some(kick) = half_kick(settings, model, h) else { return };
    let State { bodies, velocities, contacts, rattle, .. } = &mut *state;
    // A body that RATTLE's joints let go has the velocity of the middle of the step, as in flight.
    let let_go = if rattle.runs { Flight::Free } else { Flight::Supported };
    for body in bodies.iter_mut().filter(|body| body.flight == Flight::Joined) {
        body.flight = let_go;
    }
    let change_flight = |bodies: &mut [Box<Body>], from: Flight, to: Flight, body: u32| {
        let flight = &mut bodies[body as usize].flight;
        *flight = if *flight == from { to } else { *flight };
    };
    for bounce in system.bounces.iter().filter(|bounce| bounce.struck) {
        if let RowId::Contact { a, b, .. } = system.ids[bounce.row as usize] {
            [a, b].into_iter().for_each(|body| change_flight(bodies, Flight::Free, Flight::Struck, body));
        }
    }
    let kicked = kick.length();
    for (a, b, manifold) in contacts.manifolds().filter(|(.., manifold)| carries_load(manifold)) {
        let leave_speed = 4.0 * max_kick_speed(model, bodies, [a, b], kicked, (time, h));
        let apart = velocities[b as usize].linear - velocities[a as usize].linear;
        if apart.dot(manifold.normal.into()) <= leave_speed {
            let soft = is_soft(&bodies[a as usize], &bodies[b as usize]);
            let flight = if soft { Flight::OnSoftSurface } else { Flight::Supported };
            [a, b].into_iter().for_each(|body| change_flight(bodies, Flight::Free, flight, body));
        }
    }
    for body in bodies.iter_mut().filter(|body| body.flight == Flight::Struck) {
        body.flight = Flight::Free;
    }
    mark_jointed(state);
    add_kick(state, kick, |_, body| body.flight == Flight::Free);
}
