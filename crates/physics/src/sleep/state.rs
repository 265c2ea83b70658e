//! Which bodies sleep, and how the others have come to rest so far.

use glam::{Quat, Vec3};

use crate::body::{Body, Motion, Velocity};
use crate::copy::copied_by_fields;
use crate::settings::{Settings, SleepSettings};

/// Which bodies sleep. Lists by body; empty while the setting is off.
#[derive(Debug, Default)]
pub struct Sleep {
    pub(super) asleep: Vec<bool>,
    /// The first body of the island with which each fell asleep.
    pub(super) group: Vec<u32>,
    /// How each body has come to rest so far.
    pub(super) timers: Vec<RestTimer>,
    /// The number of sleeping bodies.
    pub(super) count: usize,
    /// Settings and version of the topology in the last step.
    pub(super) settings: Option<Settings>,
    pub(super) topology: u64,
    /// By an island's first body: the shortest of the times for which its bodies have been slow, s; 0 where the island
    /// touches nothing.
    pub(super) least: Vec<f32>,
    /// By an island's first body: whether one of its bodies touches something.
    pub(super) touches: Vec<bool>,
}

copied_by_fields!(Sleep { asleep, group, timers, count, settings, topology, least, touches });

/// A body is calm if the way that it has left is less than this share of its radius, or if its mean speed is below this
/// share of `sleep.speed`.
const SETTLED: f32 = 1e-4;
const STILL: f32 = 0.01;

/// The most that a point of a body of this radius has moved from one pose to the other, m.
fn moved((x, q): (Vec3, Quat), (y, p): (Vec3, Quat), radius: f32) -> f32 {
    // For small angles the angle is twice the distance of the quaternions, either of which stands for the rotation.
    x.distance(y) + 2.0 * radius * (p - q).length().min((p + q).length())
}

/// For how long a body has been slow and calm.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RestTimer {
    /// How long it has been slow and calm, s; counted in halves of `sleep.time`.
    pub(super) slow: f32,
    /// Time since the present half of `sleep.time` began, s, and the path length since then, m.
    half: f32,
    path: f32,
    /// The path length in the half before, m; infinite if there was none.
    before: f32,
    /// The pose at the beginning of the present half. A push out of an overlap moves a body without a velocity.
    from: (Vec3, Quat),
}

impl RestTimer {
    pub(super) const MOVING: Self =
        Self { slow: 0.0, half: 0.0, path: 0.0, before: f32::INFINITY, from: (Vec3::ZERO, Quat::IDENTITY) };

    /// Adds a step of `dt` seconds of a body at this velocity.
    pub(super) fn add(&mut self, body: &Body, velocity: &Velocity, dt: f32, limits: &SleepSettings) {
        let radius = body.solid.radius;
        let speed = velocity.linear.length() + velocity.angular.length() * radius;
        let pose = (body.position, body.rotation);
        // NaN does not count as slow.
        if speed >= limits.speed || speed.is_nan() {
            *self = Self::MOVING;
            return;
        }
        if self.half == 0.0 {
            self.from = pose;
        }
        (self.half, self.path) = (self.half + dt, self.path + speed * dt);
        if self.half < 0.5 * limits.time {
            return;
        }
        self.path = self.path.max(moved(self.from, pose, radius));
        let fades = self.path * self.path < SETTLED * radius * (self.before - self.path);
        let calm = fades || self.path <= STILL * limits.speed * self.half;
        self.slow = if calm { self.slow + self.half } else { self.half };
        (self.half, self.path, self.before) = (0.0, 0.0, self.path);
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
    pub(super) fn is_active(&self, body: u32, bodies: &[Box<Body>], velocities: &[Velocity]) -> bool {
        let index = body as usize;
        match bodies[index].motion {
            Motion::Static => false,
            Motion::Kinematic => velocities[index] != Velocity::default(),
            Motion::Dynamic => !self.has(body),
        }
    }

    /// Wakes all bodies that fell asleep together with this one.
    pub(super) fn wake(&mut self, body: u32) {
        let group = self.group[body as usize];
        for (index, asleep) in self.asleep.iter_mut().enumerate().filter(|(index, _)| self.group[*index] == group) {
            if std::mem::take(asleep) {
                self.count -= 1;
                self.timers[index] = RestTimer::MOVING;
            }
        }
    }

    /// Which bodies sleep, for the hash of a world's state; nothing where none does.
    pub fn bits(&self) -> impl Iterator<Item = f32> {
        let asleep = if self.count > 0 { &self.asleep[..] } else { &[] };
        asleep.iter().map(|asleep| f32::from(u8::from(*asleep)))
    }

    /// Wakes all bodies.
    pub(crate) fn clear(&mut self) {
        self.asleep.clear();
        self.group.clear();
        self.timers.clear();
        self.count = 0;
    }
}
