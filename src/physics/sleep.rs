//! Sleep: mechanisms that have come to rest are left out of the step until something disturbs them.
//!
//! ```text
//! slow      |v| + |ω| r < sleep.speed     the fastest point of a body whose surface is within r of its centre
//! asleep    every body of an island (bodies connected by contacts and joints) has been slow for sleep.time
//! woken     all that fell asleep together, when a moving body touches one of them, the mouse takes one, one is given a
//!           velocity, or bodies, joints or settings are changed
//! ```
//! A sleeping body has no velocity and gets no force. Its contacts and joints make no rows but keep their impulses, so
//! a stack that is woken continues as if it had not slept. Motion slower than that speed is lost, which is wrong for
//! very slow motion, so sleep is off unless asked for. Source: common to engines since Barenbrug 2000 (designing a
//! physics engine, freezing); the islands are those of `graph.rs`.

use super::body::{Body, Motion, Velocity};
use super::collide::Pair;
use super::copy::copied_by_fields;
use super::settings::Settings;
use super::world::World;

/// Which bodies sleep. Lists by body; empty while the setting is off.
#[derive(Debug, Default)]
pub struct Sleep {
    asleep: Vec<bool>,
    /// The first body of the island with which each fell asleep.
    group: Vec<u32>,
    /// For how long each body has been slow, s.
    slow: Vec<f32>,
    /// The number of sleeping bodies.
    count: usize,
    /// Settings and version of the topology in the last step.
    settings: Option<Settings>,
    topology: u64,
    /// By an island's first body: the shortest of the times for which its bodies have been slow, s.
    least: Vec<f32>,
}

copied_by_fields!(Sleep { asleep, group, slow, count, settings, topology, least });

impl Sleep {
    /// The number of sleeping bodies.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether a body sleeps.
    pub fn has(&self, body: u32) -> bool {
        self.count > 0 && self.asleep[body as usize]
    }

    /// Whether joints and contacts between these two bodies are left out of the step: one of them sleeps and neither
    /// is active.
    pub fn is_idle(&self, (a, b): (u32, u32), bodies: &[Box<Body>], velocities: &[Velocity]) -> bool {
        let active = |body: u32| self.is_active(body, bodies, velocities);
        (self.has(a) || self.has(b)) && !active(a) && !active(b)
    }

    /// Whether a body can wake another one.
    fn is_active(&self, body: u32, bodies: &[Box<Body>], velocities: &[Velocity]) -> bool {
        let index = body as usize;
        match bodies[index].motion {
            Motion::Static => false,
            Motion::Kinematic => velocities[index] != Velocity::default(),
            Motion::Dynamic => !self.has(body),
        }
    }

    /// Wakes all bodies that fell asleep together with this one.
    fn wake(&mut self, body: u32) {
        let group = self.group[body as usize];
        for (index, asleep) in self.asleep.iter_mut().enumerate().filter(|(index, _)| self.group[*index] == group) {
            if std::mem::take(asleep) {
                self.count -= 1;
                self.slow[index] = 0.0;
            }
        }
    }

    /// The sleep state for the hash of a world's state.
    pub fn bits(&self) -> impl Iterator<Item = f32> {
        let asleep = self.asleep.iter().map(|asleep| f32::from(u8::from(*asleep)));
        asleep.chain(self.slow.iter().copied())
    }

    /// Wakes all bodies.
    pub(super) fn clear(&mut self) {
        self.asleep.clear();
        self.group.clear();
        self.slow.clear();
        self.count = 0;
    }
}

/// Before a step, wakes bodies that were changed from outside.
pub fn begin(world: &mut World) {
    let World { sleep, settings, topology, bodies, velocities, mouse_joint, .. } = world;
    if !settings.sleep.enabled {
        return;
    }
    let same = sleep.settings == Some(*settings) && sleep.topology == *topology && sleep.slow.len() == bodies.len();
    if !same {
        sleep.clear();
        sleep.asleep.resize(bodies.len(), false);
        sleep.group.resize(bodies.len(), 0);
        sleep.slow.resize(bodies.len(), 0.0);
        (sleep.settings, sleep.topology) = (Some(*settings), *topology);
    }
    if sleep.count == 0 {
        return;
    }
    let held = mouse_joint.iter().map(|hand| hand.body);
    let pushed = (0..).zip(velocities.iter()).filter(|(_, velocity)| **velocity != Velocity::default());
    for body in held.chain(pushed.map(|(body, _)| body)) {
        if sleep.has(body) {
            sleep.wake(body);
        }
    }
}

/// Once the contacts are found, wakes what an active body touches or is joined to, and what that touches in turn.
pub fn rouse(world: &mut World) {
    let World { sleep, bodies, velocities, contacts, joints, .. } = world;
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
pub fn settle(world: &mut World) {
    let World { sleep, settings, bodies, velocities, contacts, joints, system, rattle, mouse_joint, .. } = world;
    let asked = settings.sleep;
    if !asked.enabled || sleep.slow.len() != bodies.len() {
        return;
    }
    let moves = |body: usize| bodies[body].motion == Motion::Dynamic;
    let awake = |index: &usize| moves(*index) && !sleep.asleep[*index];
    let dt = 1.0 / settings.step.rate;
    for index in (0..bodies.len()).filter(awake) {
        let velocity = &velocities[index];
        let speed = velocity.linear.length() + velocity.angular.length() * bodies[index].solid.radius;
        // NaN does not count as slow.
        sleep.slow[index] = if speed < asked.speed { sleep.slow[index] + dt } else { 0.0 };
    }
    // Bodies carried by a moving kinematic body, or held by the mouse, are not at rest.
    let touching = contacts.pairs.iter().filter(|pair| pair.touches()).map(|pair| (pair.a, pair.b));
    let joined = joints.iter().filter(|joint| joint.broken.is_none()).map(|joint| (joint.def.a, joint.def.b));
    let stirs = |body: u32| {
        bodies[body as usize].motion == Motion::Kinematic && velocities[body as usize] != Velocity::default()
    };
    let carried = touching.chain(joined).filter_map(|(a, b)| match (stirs(a), stirs(b)) {
        (true, _) => Some(b),
        (_, true) => Some(a),
        _ => None,
    });
    for body in carried.chain(mouse_joint.iter().map(|hand| hand.body)) {
        sleep.slow[body as usize] = 0.0;
    }
    sleep.least.clear();
    sleep.least.resize(bodies.len(), f32::INFINITY);
    for index in (0..bodies.len()).filter(awake) {
        let least = &mut sleep.least[system.graph.island(index as u32) as usize];
        *least = least.min(sleep.slow[index]);
    }
    let resting = |sleep: &Sleep, index: usize| sleep.least[system.graph.island(index as u32) as usize] >= asked.time;
    for index in 0..bodies.len() {
        if !moves(index) || sleep.asleep[index] || !resting(sleep, index) {
            continue;
        }
        (sleep.asleep[index], sleep.group[index]) = (true, system.graph.island(index as u32));
        sleep.count += 1;
        velocities[index] = Velocity::default();
        for list in [&mut rattle.half, &mut rattle.left] {
            if let Some(velocity) = list.get_mut(index) {
                *velocity = Velocity::default();
            }
        }
    }
}
