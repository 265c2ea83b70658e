//! The verdict on a run: whether its numbers can be trusted. Each error is compared with a size of its own kind.
//!
//! | breach | what is measured | compared with | bound |
//! |---|---|---|---|
//! | gap | distance of a joint's anchors | the link: its diameter, twice its lever arm, or the length of the rod; the drum's diameter if a rope's end is inside it | 1 % |
//! | gap | angle by which a joint's orientation is off, or a stop is overrun | – | 0.02 rad |
//! | slip | mean speed by which a motor below its cap, or without a cap of its own, misses its target | the target, but at least 1 rad/s, or a link per second | 1 % |
//! | forces | force and torque by which a body's motion differs from the same step solved exactly | the load of its joints | 5 % |
//! | overlap | depth of an overlap | the diameter of the smaller body | 5 % |
//! | energy | energy that the rows keep adding | see `physics/stability.rs` | 5 % of the motion |
//! | energy | work of ideal joints in steps where nothing else but gravity acts; the exact work is zero | the largest kinetic energy of the run | 5 % |
//!
//! The judge checks the world every [`CHECK_INTERVAL`] seconds. A breach counts if two checks in a row find it. So an
//! impact, which opens joints for some steps, is no breach. The exact step is computed every [`COMPARISON_INTERVAL`] seconds. Exit code,
//! JSON, Doctor tab, bottom line, Rows and `delassus stability` all use this verdict. `docs/doctor.md` has the table
//! for users.

mod cure;
mod exact;
mod words;

pub use cure::{Cure, Trial, cure};

use glam::Vec3;

use delassus_physics::joint::Joint;
use delassus_physics::joints::{Freedom, JointMeasure, UNBOUNDED};
use delassus_physics::readout::Readout;
use delassus_physics::row::RowList;
use delassus_physics::stability;
use delassus_physics::world::World;
use delassus_scene::Rule;

/// Simulated time between two checks, s.
pub const CHECK_INTERVAL: f64 = 0.1;
/// Simulated time between two comparisons with the exact step, s.
pub const COMPARISON_INTERVAL: f64 = 0.5;
/// Time between checks in worlds with many joints, s.
const LARGE_WORLD_INTERVAL: f64 = 1.0;
/// A world with more joints than this has many joints.
const LARGE_WORLD_JOINTS: usize = 4096;
/// The bounds of the table above: shares, and `ANGLE` in rad.
pub const GAP: f32 = 0.01;
pub const ANGLE: f32 = 0.02;
pub const SLIP: f32 = 0.01;
pub const FORCES: f32 = 0.05;
pub const OVERLAP: f32 = 0.05;
/// The bound on the work of ideal joints, as a share of the largest kinetic energy.
pub const IDEAL_WORK: f64 = 0.05;
/// Less work than this counts as zero, J.
const MIN_WORK: f64 = 1e-6;
/// A motor that bears more than this share of its cap is at the cap.
const AT_CAP: f32 = 0.99;

/// A bound that a run exceeds: where, by how much, and since when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Breach {
    pub rule: Rule,
    /// Index of the joint; none for overlaps and energy.
    pub joint: Option<usize>,
    /// The two bodies.
    pub bodies: (u32, u32),
    /// What is measured, in `unit`. Energy that joints have removed is negative.
    pub value: f32,
    /// What it is compared with, in `unit`.
    pub size: f32,
    pub unit: Unit,
    /// The share `value`/`size` that is allowed.
    pub bound: f32,
    /// When it was first found, simulated time, s.
    pub since: f64,
}

/// The unit of a breach's value and size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Metre,
    Radian,
    MetrePerSecond,
    RadianPerSecond,
    Newton,
    NewtonMetre,
    Joule,
}

impl Breach {
    /// The error as a share of what it is compared with.
    pub fn share(&self) -> f32 {
        self.value.abs() / self.size
    }

    /// Whether it is of the same kind at the same place.
    fn is_same(&self, other: &Self) -> bool {
        (self.rule, self.joint, self.bodies) == (other.rule, other.joint, other.bodies)
    }
}

/// Watches a run and keeps the breaches.
#[derive(Debug, Clone, Default)]
pub struct Judge {
    /// When the world was last checked, simulated time, s.
    last_check: Option<f64>,
    /// By joint: the value at the last check, rad or m; NaN if it says nothing about the motor's speed since then.
    values: Vec<f32>,
    /// What the last check found. It counts if the next check finds it, too.
    found: Vec<Breach>,
    /// When a step was last compared with the exact step, simulated time, s.
    last_comparison: Option<f64>,
    /// What that comparison found.
    found_by_comparison: Vec<Breach>,
    /// The largest kinetic energy at any check, J.
    motion: f64,
    /// The breaches that two checks in a row found: the worst of each rule, joint and pair of bodies, worst first.
    breaches: Vec<Breach>,
    list: RowList,
}

impl Judge {
    /// The worst breach of each rule, worst first.
    pub fn breaches(&self) -> Vec<Breach> {
        let mut worst: Vec<Breach> = Vec::new();
        for breach in &self.breaches {
            if !worst.iter().any(|known| known.rule == breach.rule) {
                worst.push(*breach);
            }
        }
        worst
    }

    /// The breaches of the last check and the last comparison that are confirmed: two in a row have found them.
    pub fn now(&self) -> impl Iterator<Item = &Breach> {
        let is_confirmed = |found: &&Breach| self.breaches.iter().any(|breach| breach.is_same(found));
        self.found.iter().chain(&self.found_by_comparison).filter(is_confirmed)
    }

    /// Forgets everything, for another run.
    pub fn clear(&mut self) {
        *self = Self { list: std::mem::take(&mut self.list), ..Self::default() };
    }

    /// Checks the world if a check is due; returns whether it found a new breach.
    pub fn watch(&mut self, world: &World) -> bool {
        let many_joints = world.state.joints.len() > LARGE_WORLD_JOINTS;
        let interval = if many_joints { LARGE_WORLD_INTERVAL } else { CHECK_INTERVAL };
        match self.last_check {
            Some(before) if world.state.time < before => self.clear(),
            Some(before) if world.state.time - before < interval - 1e-6 => return false,
            _ => {}
        }
        self.check(world)
    }

    fn check(&mut self, world: &World) -> bool {
        let since = self.last_check.replace(world.state.time);
        let mut found = Vec::new();
        self.joints(world, since, &mut found);
        overlaps(world, &mut found);
        found.extend(self.energy(world));
        let mut new = confirm(&mut self.breaches, &self.found, &mut found);
        self.found = found;
        let due = |before: f64| world.state.time - before > COMPARISON_INTERVAL - 1e-6;
        if self.last_comparison.is_none_or(due) {
            let mut found = Vec::new();
            exact::compare(world, &mut found);
            new |= confirm(&mut self.breaches, &self.found_by_comparison, &mut found);
            (self.found_by_comparison, self.last_comparison) = (found, Some(world.state.time));
        }
        self.breaches.sort_by(|a, b| (b.share() / b.bound).total_cmp(&(a.share() / a.bound)));
        new
    }

    /// Energy that the rows keep adding, or that ideal joints have added or removed.
    fn energy(&mut self, world: &World) -> Option<Breach> {
        let breach = |value: f64, size: f64, bound: f64| Breach {
            rule: Rule::Energy,
            joint: None,
            bodies: (0, 0),
            value: value as f32,
            size: size as f32,
            unit: Unit::Joule,
            bound: bound as f32,
            since: world.state.time,
        };
        let injected = &world.state.injected;
        if world.may_grow() && world.metrics().growing {
            let joules = injected.joules();
            return Some(breach(joules, world.metrics().kinetic_energy.max(joules), stability::INJECTED_SHARE));
        }
        let work = injected.ideal_beyond_rounding();
        if work.abs() < MIN_WORK {
            return None;
        }
        self.motion = self.motion.max(injected.ideal_kinetic_energy()).max(world.metrics().kinetic_energy);
        (work.abs() > IDEAL_WORK * self.motion).then(|| breach(work, self.motion, IDEAL_WORK))
    }

    /// Gaps, angles and the slip of motors.
    fn joints(&mut self, world: &World, since: Option<f64>, found: &mut Vec<Breach>) {
        let mut list = std::mem::take(&mut self.list);
        self.values.resize(world.state.joints.len(), f32::NAN);
        for (index, joint) in world.state.joints.iter().enumerate() {
            let value = &mut self.values[index];
            if joint.broken.is_some() {
                *value = f32::NAN;
                continue;
            }
            let (frames, read) = world.joint_now(index, &mut list);
            let link = joint.def.kind.lost_in(&frames).unwrap_or_else(|| link(world, joint));
            let breach = |rule, value, size, unit, bound| Breach {
                rule,
                joint: Some(index),
                bodies: (joint.def.a, joint.def.b),
                value,
                size,
                unit,
                bound,
                since: world.state.time,
            };
            if read.error > GAP * link {
                found.push(breach(Rule::Gap, read.error, link, Unit::Metre, GAP));
            } else if read.angular_error > ANGLE {
                found.push(breach(Rule::Gap, read.angular_error, 1.0, Unit::Radian, ANGLE));
            }
            let info = joint.def.kind.info();
            // The mean speed since the last check. If the joint has several degrees of freedom, its value is not what
            // the motor drives: then the present speed is used.
            let moved = match since {
                Some(since) if matches!(info.free, Freedom::Turn | Freedom::Slide) => {
                    Some((read.value - *value) / (world.state.time - since) as f32)
                }
                _ => Some(read.speed),
            };
            *value = f32::NAN;
            let Some((target, cap)) = joint.def.kind.motor() else { continue };
            let (size, unit) = match info.measures {
                JointMeasure::Angle => (1.0, Unit::RadianPerSecond),
                JointMeasure::Slide => (link, Unit::MetrePerSecond),
                _ => continue,
            };
            // A motor at its own cap, or a joint at a stop, is no breach. A motor without a cap that carries the
            // largest possible load is stuck, and is one.
            if cap < UNBOUNDED && read.motor.abs() >= AT_CAP * cap || read.stops.any() {
                continue;
            }
            *value = read.value;
            if let Some(speed) = moved.filter(|speed| speed.is_finite()) {
                // If the target varies with time, any speed between its extremes since the last check is right.
                let [least, most] = targets(joint, target, since.unwrap_or(world.state.time), world.state.time);
                let size = size.max(least.abs()).max(most.abs());
                let off = (speed - most).max(least - speed).max(0.0);
                if off > SLIP * size {
                    found.push(breach(Rule::Slip, off, size, unit, SLIP));
                }
            }
        }
        self.list = list;
    }
}

/// The least and the greatest target speed of a joint's motor between two times, s, rad/s or m/s. `speed` is the speed
/// in its definition, which a function of time scales.
fn targets(joint: &Joint, speed: f32, from: f64, to: f64) -> [f32; 2] {
    const PARTS: u32 = 8;
    let times = (0..=PARTS).map(|part| from + (to - from) * f64::from(part) / f64::from(PARTS));
    let targets = times.map(|time| speed * joint.factor(time));
    targets.fold([f32::INFINITY, f32::NEG_INFINITY], |[least, most], target| [least.min(target), most.max(target)])
}

/// Adds to `breaches` what was found now and by the previous check, too. Returns whether it added a new breach.
fn confirm(breaches: &mut Vec<Breach>, previous: &[Breach], found: &mut [Breach]) -> bool {
    let mut new = false;
    for breach in found {
        let Some(before) = previous.iter().find(|before| before.is_same(breach)) else { continue };
        breach.since = before.since;
        match breaches.iter_mut().find(|known| known.is_same(breach)) {
            Some(known) if known.share() < breach.share() => *known = Breach { since: known.since, ..*breach },
            Some(_) => {}
            None => {
                new = true;
                breaches.push(*breach);
            }
        }
    }
    new
}

/// Motors and servos at their caps: the index of the joint, and the cap, N or N·m.
pub fn at_cap(world: &World) -> impl Iterator<Item = (usize, f32)> {
    world.state.joints.iter().enumerate().filter_map(|(index, joint)| {
        let cap = joint.def.kind.cap().filter(|_| joint.broken.is_none())?;
        let Readout { motor, .. } = joint.readout;
        (cap > 0.0 && motor.abs() >= AT_CAP * cap).then_some((index, cap))
    })
}

/// The length of a joint's link, m: the diameter of its smaller moving body or twice the lever arm there, or the length
/// of its rod.
fn link(world: &World, joint: &Joint) -> f32 {
    let length = |(body, anchor): (u32, Vec3)| {
        let body = &world.state.bodies[body as usize];
        if body.is_dynamic() { 2.0 * body.solid.radius.max(anchor.length()) } else { f32::INFINITY }
    };
    let def = &joint.def;
    length((def.a, def.anchor_a)).min(length((def.b, def.anchor_b))).max(joint.rest_length)
}

/// Adds a breach for each pair of bodies that overlaps too deeply.
fn overlaps(world: &World, found: &mut Vec<Breach>) {
    for (a, b, manifold) in world.state.contacts.manifolds() {
        let deepest = manifold.points.iter().map(|point| -point.separation).fold(0.0, f32::max);
        // A soft surface is meant to give way.
        let soft = |body: u32| world.state.bodies[body as usize].material.soft.is_some();
        if deepest <= 0.0 || soft(a) || soft(b) {
            continue;
        }
        let diameter = |body: u32| {
            let body = &world.state.bodies[body as usize];
            if body.is_dynamic() { 2.0 * body.solid.radius } else { f32::INFINITY }
        };
        let size = diameter(a).min(diameter(b));
        if deepest > OVERLAP * size {
            found.push(Breach {
                rule: Rule::Penetration,
                joint: None,
                bodies: (a, b),
                value: deepest,
                size,
                unit: Unit::Metre,
                bound: OVERLAP,
                since: world.state.time,
            });
        }
    }
}
