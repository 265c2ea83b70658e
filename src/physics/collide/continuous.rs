//! Continuous collision: a body that goes far in a step is stopped where it would first touch something, by the time of
//! impact, and the next step's contact deals with the blow.
//!
//! ```text
//! fast      (‖v‖ + ‖w‖ r) h > share · half the body's least thickness
//! advance   t ← t + (d − target)/(n·(vA − vB) + ‖wA‖ rA + ‖wB‖ rB)   d, n: distance and normal at the poses of t
//! ```
//! Conservative advancement (Mirtich): two convex shapes cannot meet before the gap along n is closed, and nothing
//! closes it faster than the denominator, r being the farthest point from the centre of mass (nothing for a ball). So
//! the pose found is apart, by about the target, a half of the contacts' prediction: the contact of the next step is
//! found at a gap, with its true normal, place and approach speed. Of all impacts of a step the earliest comes first;
//! what it stops stands still for the later ones.
//!
//! Limits. Only fast dynamic bodies are stopped: a slow one that is struck moves on by its part of the step, less than
//! the share of its size. A stopped body loses the rest of its step's way, (1 − t/h) v h, but not of its velocity, so a
//! ball that falls past many edges falls a little late. One impact a body and step. Pairs that touch at the step's
//! start are left to their contact rows, and go no deeper into each other than the share of the thinner one. A fast
//! mover is not stopped; what it may strike is seen from afar instead.
//!
//! The alternative, `Speculative`, is a contact made at the step's start with b = C/h along the normal of then: cheap
//! and enough for balls and walls ahead, but it is no impact. A body that would pass beside an edge is stopped by the
//! plane through it (a ghost), one that bounces turns round where it stands, up to ‖v‖ h too early, and what turns
//! comes into the gap that its points left: of thin plates and rods thrown at a thin plate at 20 to 100 m/s one in ten
//! would go through. So the same advance is a net below `Speculative`: a body that goes far is followed with the
//! velocities that its contacts have left it, against all that impulses do not move, and stopped once it overlaps by a
//! share of its thickness. Where the contacts hold, the net finds nothing.
//! Source: 004 ch. 12 (contacts with a time of impact) and ch. 24.

use glam::{Quat, Vec3};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Pose;

use super::Contacts;
use super::single::Query;
use crate::physics::body::{Body, Velocity};
use crate::physics::settings::{Continuous, Settings};
use crate::physics::world::World;

/// The most advances toward one impact; the body stands wherever it has come by then.
const ADVANCES: usize = 40;
/// The least distance at which a body is stopped, m.
const TOUCH: f32 = 1e-4;

/// What a sweep needs, kept from step to step.
#[derive(Clone, Default)]
pub(super) struct Sweeps {
    fast: Vec<u32>,
    meetings: Vec<Meeting>,
}

/// Two bodies that may meet during the step, at the time of impact if they do.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Meeting {
    a: u32,
    b: u32,
    /// How near they may come.
    stop: Stop,
    /// s, from the step's start.
    time: Option<f32>,
}

/// A body's motion during a step.
#[derive(Clone, Copy)]
struct Sweep<'a> {
    body: &'a Body,
    linear: Vec3,
    angular: Vec3,
    /// From when on it stands still, s.
    until: f32,
}

/// At how large a gap a body is stopped, m.
fn target(settings: &Settings) -> f32 {
    (0.5 * settings.contact.prediction).max(TOUCH)
}

/// How far contacts are to be seen so that a stopped body has one in the next step, m.
pub(super) fn sight(settings: &Settings) -> f32 {
    settings.contact.prediction.max(2.0 * target(settings))
}

/// Whether a body goes so far in a step of `h` seconds that it is stopped by the time of impact.
pub(super) fn is_fast(body: &Body, velocity: &Velocity, settings: &Settings, h: f32) -> bool {
    settings.contact.continuous == Continuous::TimeOfImpact && goes_far(body, velocity, settings, h)
}

/// Whether a body goes farther in a step of `h` seconds than a share of its thickness.
fn goes_far(body: &Body, velocity: &Velocity, settings: &Settings, h: f32) -> bool {
    let way = (velocity.linear.length() + velocity.angular.length() * body.solid.lever) * h;
    body.is_dynamic() && body.collide && way > settings.contact.fast * body.solid.thickness && way.is_finite()
}

/// Finds how much of the coming step each body may go: [`World::toi_fractions`], empty where all may go all the way.
pub fn clamp(world: &mut World, h: f32) {
    world.toi_fractions.clear();
    let World { settings, contacts, bodies, velocities, pseudo_velocities, toi_fractions, .. } = world;
    if !settings.contact.enabled || settings.contact.continuous == Continuous::Off {
        return;
    }
    let net = settings.contact.continuous == Continuous::Speculative;
    let velocity = |index: u32| {
        let (velocity, pseudo) =
            (velocities[index as usize], pseudo_velocities.get(index as usize).copied().unwrap_or_default());
        Velocity { linear: velocity.linear + pseudo.linear, angular: velocity.angular + pseudo.angular }
    };
    let Contacts { sweeps: Sweeps { fast, meetings }, .. } = contacts;
    fast.clear();
    fast.extend((0..bodies.len() as u32).filter(|&i| goes_far(&bodies[i as usize], &velocity(i), settings, h)));
    if fast.is_empty() {
        return;
    }
    let sweep = |fractions: &[f32], index: u32| {
        let (body, velocity) = (&bodies[index as usize], velocity(index));
        let until = fractions.get(index as usize).map_or(h, |share| share * h);
        Sweep { body, linear: velocity.linear.into(), angular: velocity.angular.into(), until }
    };
    meetings.clear();
    for (k, &i) in fast.iter().enumerate() {
        let swept = sweep(&[], i).aabb(h, sight(settings));
        let counts = |j: &u32| !net || !bodies[*j as usize].is_dynamic();
        let others = contacts.bvh.intersect_aabb(&swept).filter(|j| fast.binary_search(j).is_err() && counts(j));
        let twins = if net { &[] } else { &fast[k + 1..] };
        let twins = twins.iter().copied().filter(|&j| swept.intersects(&sweep(&[], j).aabb(h, 0.0)));
        for j in others.chain(twins) {
            let (a, b) = (i.min(j), i.max(j));
            if a != b && !contacts.excluded.contains((a, b)) {
                meetings.push(Meeting { a, b, stop: touch(settings), time: None });
            }
        }
    }
    meetings.sort_unstable_by_key(|m| (m.a, m.b));
    let query = &mut contacts.query;
    for meeting in meetings.iter_mut() {
        let (a, b) = (sweep(&[], meeting.a), sweep(&[], meeting.b));
        let Some((distance, _)) = gap(query, &a, &b, 0.0) else { continue };
        let ahead = distance > sight(settings) && !net;
        meeting.stop = if ahead { touch(settings) } else { deeper(distance, &a, &b, settings) };
        meeting.time = impact(query, &a, &b, 0.0, h, meeting.stop);
    }
    let earliest = |meetings: &[Meeting]| {
        let times = meetings.iter().enumerate().filter_map(|(k, m)| Some((k, m.time?)));
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    };
    while let Some((next, time)) = earliest(meetings) {
        let met = meetings[next];
        meetings[next].time = None;
        toi_fractions.resize(bodies.len(), 1.0);
        let mut stopped = [met.a, met.b].map(|i| fast.binary_search(&i).is_ok().then_some(i));
        for body in &mut stopped {
            *body = body.filter(|&i| toi_fractions[i as usize] * h > time);
            if let Some(i) = *body {
                toi_fractions[i as usize] = time / h;
            }
        }
        // What was to meet a body that now stands still meets it elsewhere, or not at all.
        let goes_on = |i: u32| fast.binary_search(&i).is_ok() && toi_fractions[i as usize] == 1.0;
        for meeting in meetings.iter_mut() {
            if stopped.iter().flatten().any(|&i| i == meeting.a || i == meeting.b) {
                let (a, b) = (sweep(toi_fractions, meeting.a), sweep(toi_fractions, meeting.b));
                let moves = goes_on(meeting.a) || goes_on(meeting.b);
                meeting.time = if moves { impact(query, &a, &b, time, h, meeting.stop) } else { None };
            }
        }
    }
}

impl Sweep<'_> {
    /// The pose of its geometry at a time of the step.
    fn pose(&self, time: f32) -> Pose {
        let time = time.min(self.until);
        let rotation = Quat::from_scaled_axis(self.angular * time) * self.body.rotation;
        Pose::from_parts(self.body.position + self.linear * time, rotation) * self.body.solid.offset
    }

    /// The box around all that it may touch during the step.
    fn aabb(&self, h: f32, more: f32) -> Aabb {
        let (from, to) = (self.body.position, self.body.position + self.linear * h);
        Aabb::new(from.min(to), from.max(to)).loosened(self.body.solid.radius + more)
    }
}

/// Distance and normal, from A to B in the world, of two bodies at a time of the step.
fn gap(query: &mut Query, a: &Sweep, b: &Sweep, time: f32) -> Option<(f32, Vec3)> {
    let (pose_a, pose_b) = (a.pose(time), b.pose(time));
    let relative = pose_a.inv_mul(&pose_b);
    let (distance, normal) = query.distance(&relative, &*a.body.solid.geometry, &*b.body.solid.geometry)?;
    Some((distance, pose_a.rotation * normal))
}

/// Where an advance leads to, and when it has come near enough: distances, m.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stop {
    aim: f32,
    enough: f32,
}

/// Just before the first touch.
fn touch(settings: &Settings) -> Stop {
    Stop { aim: target(settings), enough: 1.5 * target(settings) }
}

/// A pair that is in touch has its contact rows, which see to the points that touch; others, at the far end of a rod
/// that turns, are only found once they overlap. So it is let go on until it overlaps by the share of the thinner body
/// more, which can be pushed out again.
fn deeper(distance: f32, a: &Sweep, b: &Sweep, settings: &Settings) -> Stop {
    let deep = settings.contact.fast * a.body.solid.thickness.min(b.body.solid.thickness);
    // What is deeper already may go on by little only, or it would sink step by step.
    let now = distance.min(0.0);
    let aim = (now - 0.1 * deep).min(-deep);
    Stop { aim, enough: aim + 0.25 * (now - aim) }
}

/// When two bodies have come as near as `stop`, from the time `from` on and before `h`, s. The distance along n shrinks
/// by the closing speed at most, and the signed distance is never less than that along any one direction: so this holds
/// for bodies that overlap as well.
fn impact(query: &mut Query, a: &Sweep, b: &Sweep, from: f32, h: f32, stop: Stop) -> Option<f32> {
    let mut time = from;
    for _ in 0..ADVANCES {
        let (distance, normal) = gap(query, a, b, time)?;
        if distance <= stop.enough {
            return Some(time);
        }
        let moves = |s: &Sweep| {
            if time < s.until { (s.linear, s.angular.length() * s.body.solid.lever) } else { (Vec3::ZERO, 0.0) }
        };
        let ((va, ra), (vb, rb)) = (moves(a), moves(b));
        let closing = normal.dot(va - vb) + ra + rb;
        if closing <= 0.0 {
            return None;
        }
        time += (distance - stop.aim) / closing;
        if time >= h {
            return None;
        }
    }
    Some(time)
}
