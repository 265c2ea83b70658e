//! Sleep: mechanisms that have come to rest are left out of the step until something disturbs them.
//!
//! ```text
//! slow      |v| + |ω| r < sleep.speed     the fastest point of a body whose surface is within r of its centre
//! calm      w² / (w₀ − w) < 10⁻⁴ r           w, w₀: its ways in two halves of sleep.time; fading on like this, it would
//!           still go that far. Or its mean speed is below a hundredth of sleep.speed
//! asleep    an island (bodies connected by contacts and joints) that touches something, and whose bodies have all
//!           been slow and calm for sleep.time
//! woken     all that fell asleep together, when a moving body touches one of them, the mouse takes one, one is given a
//!           velocity, or bodies, joints or settings are changed
//! ```
//! Sleep must not change what a scene is about. Without contact there is no friction that could end a motion, so a
//! pendulum at its turning point stays awake. A slow slide that keeps its speed and a tower that has begun to fall are
//! not calm. What a motor drives, a moving body carries or the mouse holds stays awake.
//!
//! A sleeping body has no velocity and gets no force. Its contacts and joints make no rows but keep their impulses, so
//! a stack that is woken continues as if it had not slept. Source: common to engines since Barenbrug 2000 (designing a
//! physics engine, freezing); the islands are those of `graph.rs`. The rules for contact and calm are our own.

use glam::{Quat, Vec3};

use super::body::{Body, Motion, Velocity};
use super::collide::Pair;
use super::copy::copied_by_fields;
use super::settings::{Settings, SleepSettings};
use super::system::System;
use super::world::State;

/// Which bodies sleep. Lists by body; empty while the setting is off.
#[derive(Debug, Default)]
pub struct Sleep {
    asleep: Vec<bool>,
    /// The first body of the island with which each fell asleep.
    group: Vec<u32>,
    /// How each body has come to rest so far.
    calm: Vec<Calm>,
    /// The number of sleeping bodies.
    count: usize,
    /// Settings and version of the topology in the last step.
    settings: Option<Settings>,
    topology: u64,
    /// By an island's first body: the shortest of the times for which its bodies have been slow, s; 0 where the island
    /// touches nothing.
    least: Vec<f32>,
    /// By an island's first body: whether one of its bodies touches something.
    touches: Vec<bool>,
}

copied_by_fields!(Sleep { asleep, group, calm, count, settings, topology, least, touches });

/// A body is calm if it would still go less far than this share of its radius, or if its mean speed is below this share
/// of `sleep.speed`.
const SETTLED: f32 = 1e-4;
const STILL: f32 = 0.01;

/// By how much the surface of a body of this radius has moved from one pose to the other, at most, m.
fn moved((x, q): (Vec3, Quat), (y, p): (Vec3, Quat), radius: f32) -> f32 {
    // For small angles the angle is twice the distance of the quaternions, either of which stands for the rotation.
    x.distance(y) + 2.0 * radius * (p - q).length().min((p + q).length())
}

/// For how long a body has been slow and calm.
#[derive(Debug, Clone, Copy, Default)]
struct Calm {
    /// Time, s, in whole halves of `sleep.time`.
    slow: f32,
    /// Time since the present half of `sleep.time` began, s, and the way since then, m.
    half: f32,
    way: f32,
    /// The way in the half before, m; infinite if there was none.
    before: f32,
    /// The pose at the beginning of the present half. A push out of an overlap moves a body without a velocity.
    from: (Vec3, Quat),
}

impl Calm {
    const RESTLESS: Self =
        Self { slow: 0.0, half: 0.0, way: 0.0, before: f32::INFINITY, from: (Vec3::ZERO, Quat::IDENTITY) };

    /// Adds a step of `dt` seconds of a body at this velocity.
    fn add(&mut self, body: &Body, velocity: &Velocity, dt: f32, asked: &SleepSettings) {
        let radius = body.solid.radius;
        let speed = velocity.linear.length() + velocity.angular.length() * radius;
        let pose = (body.position, body.rotation);
        // NaN does not count as slow.
        if speed >= asked.speed || speed.is_nan() {
            *self = Self::RESTLESS;
            return;
        }
        if self.half == 0.0 {
            self.from = pose;
        }
        (self.half, self.way) = (self.half + dt, self.way + speed * dt);
        if self.half < 0.5 * asked.time {
            return;
        }
        self.way = self.way.max(moved(self.from, pose, radius));
        let fades = self.way * self.way < SETTLED * radius * (self.before - self.way);
        let calm = fades || self.way <= STILL * asked.speed * self.half;
        self.slow = if calm { self.slow + self.half } else { self.half };
        (self.half, self.way, self.before) = (0.0, 0.0, self.way);
    }
}

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
                self.calm[index] = Calm::RESTLESS;
            }
        }
    }

    /// Which bodies sleep, for the hash of a world's state; nothing where none does.
    pub fn bits(&self) -> impl Iterator<Item = f32> {
        let asleep = if self.count > 0 { &self.asleep[..] } else { &[] };
        asleep.iter().map(|asleep| f32::from(u8::from(*asleep)))
    }

    /// Wakes all bodies.
    pub(super) fn clear(&mut self) {
        self.asleep.clear();
        self.group.clear();
        self.calm.clear();
        self.count = 0;
    }
}

/// Before a step, wakes bodies that were changed from outside.
pub fn begin(settings: &Settings, state: &mut State) {
    let (sleep, topology, bodies, velocities, mouse_joint) =
        (&mut state.sleep, &mut state.topology, &mut state.bodies, &mut state.velocities, &mut state.mouse_joint);
    if !settings.sleep.enabled {
        return;
    }
    let same = sleep.settings == Some(*settings) && sleep.topology == *topology && sleep.calm.len() == bodies.len();
    if !same {
        sleep.clear();
        sleep.asleep.resize(bodies.len(), false);
        sleep.group.resize(bodies.len(), 0);
        sleep.calm.resize(bodies.len(), Calm::RESTLESS);
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
pub fn rouse(state: &mut State) {
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
pub fn settle(settings: &Settings, state: &mut State, system: &mut System) {
    let (sleep, bodies, velocities, contacts, joints, rattle, mouse_joint) = (
        &mut state.sleep,
        &mut state.bodies,
        &mut state.velocities,
        &mut state.contacts,
        &mut state.joints,
        &mut state.rattle,
        &mut state.mouse_joint,
    );
    let asked = settings.sleep;
    if !asked.enabled || sleep.calm.len() != bodies.len() {
        return;
    }
    let Sleep { asleep, calm, least, touches, .. } = &mut *sleep;
    let moves = |body: usize| bodies[body].motion == Motion::Dynamic;
    let dt = 1.0 / settings.step.rate;
    for index in (0..bodies.len()).filter(|index| moves(*index) && !asleep[*index]) {
        calm[index].add(&bodies[index], &velocities[index], dt, &asked);
    }
    let touching = || contacts.pairs.iter().filter(|pair| pair.touches()).map(|pair| (pair.a, pair.b));
    let joined = joints.iter().filter(|joint| joint.broken.is_none());
    // Bodies that a moving kinematic body carries, a motor drives or the mouse holds are not at rest.
    let stirs = |body: u32| {
        bodies[body as usize].motion == Motion::Kinematic && velocities[body as usize] != Velocity::default()
    };
    for (a, b) in touching().chain(joined.clone().map(|joint| (joint.def.a, joint.def.b))) {
        match (stirs(a), stirs(b)) {
            (true, _) => calm[b as usize] = Calm::RESTLESS,
            (_, true) => calm[a as usize] = Calm::RESTLESS,
            _ => {}
        }
    }
    for joint in joined.filter(|joint| joint.def.kind.motor().is_some_and(|(speed, _)| speed != 0.0)) {
        (calm[joint.def.a as usize], calm[joint.def.b as usize]) = (Calm::RESTLESS, Calm::RESTLESS);
    }
    if let Some(hand) = mouse_joint {
        calm[hand.body as usize] = Calm::RESTLESS;
    }
    touches.clear();
    touches.resize(bodies.len(), false);
    for body in touching().flat_map(|(a, b)| [a, b]).filter(|body| moves(*body as usize)) {
        touches[system.graph.island(body) as usize] = true;
    }
    least.clear();
    least.resize(bodies.len(), f32::INFINITY);
    for index in (0..bodies.len()).filter(|index| moves(*index) && !asleep[*index]) {
        let island = system.graph.island(index as u32) as usize;
        least[island] = if touches[island] { least[island].min(calm[index].slow) } else { 0.0 };
    }
    let resting = |sleep: &Sleep, index: usize| sleep.least[system.graph.island(index as u32) as usize] >= asked.time;
    for index in 0..bodies.len() {
        if !moves(index) || sleep.asleep[index] || !resting(sleep, index) {
            continue;
        }
        (sleep.asleep[index], sleep.group[index]) = (true, system.graph.island(index as u32));
        sleep.count += 1;
        velocities[index] = Velocity::default();
        for list in [&mut rattle.half, &mut rattle.left, &mut rattle.kicked] {
            if let Some(velocity) = list.get_mut(index) {
                *velocity = Velocity::default();
            }
        }
    }
}
