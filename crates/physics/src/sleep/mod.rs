//! Sleep: mechanisms that have come to rest are left out of the step until something disturbs them.
//!
//! ```text
//! slow      |v| + |ω| r < sleep.speed     the fastest point of a body whose surface is within r of its centre
//! calm      w² / (w₀ − w) < 10⁻⁴ r, with the paths w₀, w in the two halves of sleep.time: the left side is the way
//!           that remains if each path is w/w₀ times the one before. Or the mean speed is below sleep.speed / 100
//! asleep    an island (bodies connected by contacts and joints) that touches something or is taut, and whose bodies have
//!           all been slow and calm for sleep.time
//! woken     all that fell asleep together, when a moving body touches one of them, the mouse takes one, one is given a
//!           velocity, or bodies, joints or settings are changed
//! ```
//! Sleep must not change what a scene is about. Without contact there is no friction that could end a motion, so a
//! pendulum at its turning point stays awake. The swing of a taut mechanism ends (`divide/taut.rs`). A slow slide that
//! keeps its speed and a tower that has begun to fall are not calm. What a motor drives, a moving body carries, the mouse holds or a varying force pushes stays awake.
//!
//! A sleeping body has no velocity and gets no force. Its contacts and joints make no rows but keep their impulses, so
//! a stack that is woken continues as if it had not slept. Source: common to engines since Barenbrug 2000 (designing a
//! physics engine, freezing); the islands are those of `graph.rs`. The rules for contact and calm are our own.

pub(crate) mod state;

use self::state::RestTimer;
pub use self::state::Sleep;
use super::body::{Motion, Velocity};
use super::collide::Pair;
use super::force::ByTime;
use super::joint::Joint;
use super::settings::Settings;
use super::system::System;
use super::world::model::Model;
use super::world::state::State;

/// Before a step, wakes bodies that were changed from outside.
pub fn wake_changed(settings: &Settings, state: &mut State) {
    let (sleep, topology, bodies, velocities, mouse_joint) =
        (&mut state.sleep, &mut state.topology, &mut state.bodies, &mut state.velocities, &mut state.mouse_joint);
    if !settings.sleep.enabled {
        return;
    }
    let unchanged =
        sleep.settings == Some(*settings) && sleep.topology == *topology && sleep.timers.len() == bodies.len();
    if !unchanged {
        sleep.clear();
        sleep.asleep.resize(bodies.len(), false);
        sleep.group.resize(bodies.len(), 0);
        sleep.timers.resize(bodies.len(), RestTimer::MOVING);
        (sleep.settings, sleep.topology) = (Some(*settings), *topology);
    }
    if sleep.count == 0 {
        return;
    }
    let held = mouse_joint.iter().map(|mouse| mouse.body);
    let pushed = (0..).zip(velocities.iter()).filter(|(_, velocity)| **velocity != Velocity::default());
    for body in held.chain(pushed.map(|(body, _)| body)) {
        if sleep.has(body) {
            sleep.wake(body);
        }
    }
}

/// Once the contacts are found, wakes each body that an active body touches or is joined to, and so on from there.
pub fn wake_touched(state: &mut State) {
    let (sleep, bodies, velocities, contacts, joints) =
        (&mut state.sleep, &mut state.bodies, &mut state.velocities, &mut state.contacts, &mut state.joints);
    while sleep.count > 0 {
        let before = sleep.count;
        let touches = |pair: &Pair| !pair.idle && pair.touches();
        let touching = contacts.pairs.iter().filter(|pair| touches(pair)).map(|pair| (pair.a, pair.b));
        let joined = joints.iter().filter(|joint| joint.broken.is_none()).map(|joint| (joint.def.a, joint.def.b));
        for (a, b) in touching.chain(joined) {
            for (one, other) in [(a, b), (b, a)] {
                if sleep.has(one) && sleep.is_active(other, bodies, velocities) {
                    sleep.wake(one);
                }
            }
        }
        if sleep.count == before {
            break;
        }
        // A sleeping body has not moved, so the points of its contacts are still right.
        for pair in contacts.pairs.iter_mut().filter(|pair| pair.idle) {
            pair.idle = sleep.is_idle((pair.a, pair.b), bodies, velocities);
        }
    }
}

/// After a step, finds the bodies that have come to rest.
pub fn find_resting(settings: &Settings, model: &Model, state: &mut State, system: &mut System) {
    let (sleep, bodies, velocities, contacts, joints, rattle, mouse_joint) = (
        &mut state.sleep,
        &mut state.bodies,
        &mut state.velocities,
        &mut state.contacts,
        &mut state.joints,
        &mut state.rattle,
        &mut state.mouse_joint,
    );
    let limits = settings.sleep;
    if !limits.enabled || sleep.timers.len() != bodies.len() {
        return;
    }
    let Sleep { asleep, timers, least, touches, .. } = &mut *sleep;
    let is_dynamic = |body: usize| bodies[body].motion == Motion::Dynamic;
    let dt = 1.0 / settings.step.rate;
    for index in (0..bodies.len()).filter(|index| is_dynamic(*index) && !asleep[*index]) {
        timers[index].add(&bodies[index], &velocities[index], dt, &limits);
    }
    let touching = || contacts.pairs.iter().filter(|pair| pair.touches()).map(|pair| (pair.a, pair.b));
    let joined = joints.iter().filter(|joint| joint.broken.is_none());
    // Bodies that a moving kinematic body carries, a motor drives, the mouse holds or a varying force pushes are not at
    // rest.
    let is_moving_kinematic = |body: u32| {
        bodies[body as usize].motion == Motion::Kinematic && velocities[body as usize] != Velocity::default()
    };
    for (a, b) in touching().chain(joined.clone().map(|joint| (joint.def.a, joint.def.b))) {
        match (is_moving_kinematic(a), is_moving_kinematic(b)) {
            (true, _) => timers[b as usize] = RestTimer::MOVING,
            (_, true) => timers[a as usize] = RestTimer::MOVING,
            _ => {}
        }
    }
    let drives = |joint: &Joint| {
        joint.def.kind.motor().is_some_and(|(speed, _)| speed != 0.0)
            || joint.def.options.by_time != ByTime::Constant && joint.def.kind.has_servo()
    };
    for joint in joined.clone().filter(|joint| drives(joint)) {
        (timers[joint.def.a as usize], timers[joint.def.b as usize]) = (RestTimer::MOVING, RestTimer::MOVING);
    }
    if let Some(mouse) = mouse_joint {
        timers[mouse.body as usize] = RestTimer::MOVING;
    }
    for own in model.forces.iter().filter(|own| own.varies()) {
        timers[own.body as usize] = RestTimer::MOVING;
    }
    touches.clear();
    touches.resize(bodies.len(), false);
    let taut = joined.filter(|joint| joint.taut > 0).map(|joint| (joint.def.a, joint.def.b));
    for body in touching().chain(taut).flat_map(|(a, b)| [a, b]).filter(|body| is_dynamic(*body as usize)) {
        touches[system.graph.island(body) as usize] = true;
    }
    least.clear();
    least.resize(bodies.len(), f32::INFINITY);
    for index in (0..bodies.len()).filter(|index| is_dynamic(*index) && !asleep[*index]) {
        let island = system.graph.island(index as u32) as usize;
        least[island] = if touches[island] { least[island].min(timers[index].slow) } else { 0.0 };
    }
    let resting = |sleep: &Sleep, index: usize| sleep.least[system.graph.island(index as u32) as usize] >= limits.time;
    for index in 0..bodies.len() {
        if !is_dynamic(index) || sleep.asleep[index] || !resting(sleep, index) {
            continue;
        }
        (sleep.asleep[index], sleep.group[index]) = (true, system.graph.island(index as u32));
        sleep.count += 1;
        velocities[index] = Velocity::default();
        for list in [&mut rattle.midpoint, &mut rattle.end, &mut rattle.kicked] {
            if let Some(velocity) = list.get_mut(index) {
                *velocity = Velocity::default();
            }
        }
    }
}
