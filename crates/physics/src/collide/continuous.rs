//! Continuous collision: a fast body is stopped where it would first touch something, at the time of impact; the
//! contact of the next step handles the impact.
//!
//! ```text
//! fast      (‖v‖ + ‖w‖ r) h > share · half the body's least thickness
//! advance   t ← t + (d − target)/(n·(vA − vB) + ‖wA‖ rA + ‖wB‖ rB)   d, n: distance and normal at the poses of t
//! ```
//! Conservative advancement (Mirtich): two convex shapes cannot meet before the gap along n is closed, and it closes
//! at most at the rate of the denominator, where r is the distance of the farthest point from the centre of mass
//! (zero for a ball). So the bodies are still apart at the pose found, by about the target, half the contact
//! prediction: the next step's contact is found at a gap, with the true normal, place and approach speed. Impacts are
//! handled in order of time; a stopped body counts as standing still for the later ones.
//!
//! Limits. Only fast dynamic bodies are stopped: a slow one that is hit still moves by its whole step, less than the
//! share of its size. A stopped body loses the rest of the step's displacement, (1 − t/h) v h, but keeps its
//! velocity, so a ball that falls past many edges falls a little late. At most one impact per body and step. Pairs
//! that touch at the start of the step are left to their contact rows, and penetrate further by at most the share of
//! the thinner body's thickness. A fast kinematic body is not stopped; contacts of what it may hit are found from
//! farther away instead.
//!
//! The alternative, `Speculative`, makes a contact at the start of the step with b = C/h along the normal of that time;
//! for balls, of the time at which they touch (`ahead.rs`). It is cheap and enough for balls and for walls straight
//! ahead, but it does not model the impact. A body that is no ball and would pass beside an edge is stopped by the
//! plane through it (a ghost contact); one that bounces reverses at its present position, up to ‖v‖ h too early; and a
//! rotating body can enter the gap between its points: of thin plates and rods thrown at a thin plate at 20 to 100 m/s,
//! one in ten would pass through. So the same advancement runs as a safety net after `Speculative`: a fast body is
//! swept with its velocity after the solve, against all static and kinematic bodies, and stopped once it overlaps by a
//! share of its thickness. Where the contacts hold, the net stops nothing. Source: 004 ch. 12 (contacts with a time of
//! impact) and ch. 24.

use glam::{Quat, Vec3};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Pose;
use parry3d::shape::TypedShape;

use super::collider::{self, Collider};
use super::scale;
use super::single::Query;
use super::{Contacts, Search};
use crate::body::{Body, Velocity};
use crate::settings::{Continuous, Settings};
use crate::shape::Solid;
use crate::world::report::Report;
use crate::world::state::State;

/// The most advancement steps per impact; after that the time reached so far is used.
const ADVANCES: usize = 40;
/// The least gap at which a body is stopped, m.
const TOUCH: f32 = 1e-4;

/// Scratch lists, kept from step to step.
#[derive(Clone, Default)]
pub(super) struct Sweeps {
    fast: Vec<u32>,
    meetings: Vec<Meeting>,
}

/// Convex shapes of two bodies that may collide during the step.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Meeting {
    a: u32,
    b: u32,
    /// The numbers of their colliders.
    colliders: [u32; 2],
    /// The distance at which they are stopped.
    stop: Stop,
    /// Time of impact from the start of the step, s; none if they do not meet.
    time: Option<f32>,
}

/// The motion of a body's convex shape during a step.
#[derive(Clone, Copy)]
pub(super) struct Sweep<'a> {
    body: &'a Body,
    piece: &'a Solid,
    linear: Vec3,
    angular: Vec3,
    /// The time from which on it stands still, s.
    until: f32,
}

/// The gap at which a body is stopped, m; `prediction` is the pair's, m.
fn target(prediction: f32) -> f32 {
    (0.5 * prediction).max(TOUCH)
}

/// The prediction distance at which a stopped body is sure to have a contact in the next step, m.
pub(super) fn sight(prediction: f32) -> f32 {
    prediction.max(2.0 * target(prediction))
}

/// Whether a body moves so far in a step of `h` seconds that its time of impact is sought.
pub(super) fn is_fast(body: &Body, velocity: &Velocity, settings: &Settings, h: f32) -> bool {
    settings.contact.continuous == Continuous::TimeOfImpact && moves_far(body, velocity, settings, h)
}

/// Whether a body moves farther in a step of `h` seconds than the set share of its thickness.
fn moves_far(body: &Body, velocity: &Velocity, settings: &Settings, h: f32) -> bool {
    let distance = (velocity.linear.length() + velocity.angular.length() * body.solid.lever) * h;
    body.is_dynamic() && body.collide && distance > settings.contact.fast * body.solid.thickness && distance.is_finite()
}

/// Sets [`Report::toi_fractions`], the share of the coming step of `h` seconds that each body may move; empty if all
/// may move the whole step.
pub fn clamp(settings: &Settings, state: &mut State, report: &mut Report, h: f32) {
    report.toi_fractions.clear();
    let (contacts, bodies, velocities, pseudo_velocities, toi_fractions) = (
        &mut state.contacts,
        &mut state.bodies,
        &mut state.velocities,
        &mut report.pseudo_velocities,
        &mut report.toi_fractions,
    );
    if !settings.contact.enabled || settings.contact.continuous == Continuous::Off {
        return;
    }
    let net = settings.contact.continuous == Continuous::Speculative;
    // Points that serve all sub-steps were found for the whole step, and so is what is fast.
    let found_for = if contacts.serves_all(settings) { h * settings.step.substeps as f32 } else { h };
    let velocity = |index: u32| {
        let (velocity, pseudo) =
            (velocities[index as usize], pseudo_velocities.get(index as usize).copied().unwrap_or_default());
        Velocity { linear: velocity.linear + pseudo.linear, angular: velocity.angular + pseudo.angular }
    };
    let Contacts { search: Search { sweeps: Sweeps { fast, meetings }, colliders, .. }, shared, .. } = contacts;
    let colliders = &**colliders;
    fast.clear();
    fast.extend(
        (0..bodies.len() as u32).filter(|&i| moves_far(&bodies[i as usize], &velocity(i), settings, found_for)),
    );
    if fast.is_empty() {
        return;
    }
    let body_of = |collider: u32| colliders[collider as usize].body;
    let sweep = |fractions: &[f32], collider: u32| {
        let Collider { body: index, .. } = colliders[collider as usize];
        let ((body, piece), velocity) = (colliders[collider as usize].of(bodies), velocity(index));
        let until = fractions.get(index as usize).map_or(h, |share| share * h);
        Sweep { body, piece, linear: velocity.linear.into(), angular: velocity.angular.into(), until }
    };
    meetings.clear();
    let near = |ends: [u32; 2]| {
        let [a, b] = ends.map(|collider| colliders[collider as usize].of(bodies).1.thickness);
        scale::prediction(settings, a.min(b))
    };
    for (k, &fast_body) in fast.iter().enumerate() {
        for i in collider::of_body(colliders, fast_body) {
            let swept = sweep(&[], i).aabb(h, sight(settings.contact.prediction));
            let counts = |j: u32| !net || !bodies[j as usize].is_dynamic();
            let slow = |j: &u32| fast.binary_search(&body_of(*j)).is_err() && counts(body_of(*j));
            let others = contacts.search.bvh.intersect_aabb(&swept).filter(slow);
            let twins = if net { &[] } else { &fast[k + 1..] };
            let twins = twins.iter().flat_map(|&body| collider::of_body(colliders, body));
            let twins = twins.filter(|&j| swept.intersects(&sweep(&[], j).aabb(h, 0.0)));
            for j in others.chain(twins) {
                let ends = [i.min(j), i.max(j)];
                let [a, b] = ends.map(body_of);
                let allowed = bodies[a as usize].filter.allows(bodies[b as usize].filter);
                if a != b && allowed && !contacts.excluded.contains((a, b)) {
                    meetings.push(Meeting { a, b, colliders: ends, stop: touch(near(ends)), time: None });
                }
            }
        }
    }
    meetings.sort_unstable_by_key(|m| m.colliders);
    let query = &mut contacts.search.query;
    for meeting in meetings.iter_mut() {
        let [a, b] = meeting.colliders.map(|collider| sweep(&[], collider));
        let Some((distance, _)) = gap(query, &a, &b, 0.0) else { continue };
        let near = near(meeting.colliders);
        let ahead = distance > sight(near) && !net;
        meeting.stop = if ahead { touch(near) } else { deeper(distance, &a, &b, settings) };
        meeting.time = impact(query, &a, &b, 0.0, h, meeting.stop);
    }
    let earliest = |meetings: &[Meeting]| {
        let times = meetings.iter().enumerate().filter_map(|(k, m)| Some((k, m.time?)));
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    };
    while let Some((next, time)) = earliest(meetings) {
        let met = meetings[next];
        meetings[next].time = None;
        shared.expire();
        toi_fractions.resize(bodies.len(), 1.0);
        let mut stopped = [met.a, met.b].map(|i| fast.binary_search(&i).is_ok().then_some(i));
        for body in &mut stopped {
            *body = body.filter(|&i| toi_fractions[i as usize] * h > time);
            if let Some(i) = *body {
                toi_fractions[i as usize] = time / h;
            }
        }
        // A pair with a body that was just stopped has another time of impact, or none.
        let goes_on = |i: u32| fast.binary_search(&i).is_ok() && toi_fractions[i as usize] == 1.0;
        for meeting in meetings.iter_mut() {
            if stopped.iter().flatten().any(|&i| i == meeting.a || i == meeting.b) {
                let [a, b] = meeting.colliders.map(|collider| sweep(toi_fractions, collider));
                let moves = goes_on(meeting.a) || goes_on(meeting.b);
                meeting.time = if moves { impact(query, &a, &b, time, h, meeting.stop) } else { None };
            }
        }
    }
}

impl<'a> Sweep<'a> {
    /// The motion of a body that nothing stops for `h` seconds.
    pub fn new((body, piece): (&'a Body, &'a Solid), velocity: &Velocity, h: f32) -> Self {
        Self { body, piece, linear: velocity.linear.into(), angular: velocity.angular.into(), until: h }
    }

    /// Velocity at `time`, m/s, and how fast rotation moves its surface at most, m/s: its farthest point, or the middle of
    /// a ball. A top that spins on the ball of its tip would otherwise be stopped for most of each step.
    fn speeds(&self, time: f32) -> (Vec3, f32) {
        if time >= self.until {
            return (Vec3::ZERO, 0.0);
        }
        let rotation = match self.piece.geometry.as_typed_shape() {
            TypedShape::Ball(_) => self.angular.cross(self.body.rotation * self.piece.offset.translation).length(),
            _ => self.angular.length() * self.piece.lever,
        };
        (self.linear, rotation)
    }

    /// World pose of its geometry at `time` from the start of the step, s.
    pub fn pose(&self, time: f32) -> Pose {
        let time = time.min(self.until);
        let rotation = Quat::from_scaled_axis(self.angular * time) * self.body.rotation;
        Pose::from_parts(self.body.position + self.linear * time, rotation) * self.piece.offset
    }

    /// The box around the path of the shape during the step, enlarged by `more`, m, however the body turns.
    fn aabb(&self, h: f32, more: f32) -> Aabb {
        let (from, to) = (self.body.position, self.body.position + self.linear * h);
        Aabb::new(from.min(to), from.max(to)).loosened(self.piece.radius + more)
    }
}

/// Signed distance, m, and unit normal from A to B, world frame, at `time` s of the step.
fn gap(query: &mut Query, a: &Sweep, b: &Sweep, time: f32) -> Option<(f32, Vec3)> {
    let (pose_a, pose_b) = (a.pose(time), b.pose(time));
    let relative = pose_a.inv_mul(&pose_b);
    let (distance, normal) = query.distance(&relative, &*a.piece.geometry, &*b.piece.geometry)?;
    Some((distance, pose_a.rotation * normal))
}

/// When advancement stops, m: it aims for the gap `aim` and ends at a gap of at most `accepted`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stop {
    aim: f32,
    accepted: f32,
}

/// Stops just before the first touch.
fn touch(prediction: f32) -> Stop {
    Stop { aim: target(prediction), accepted: 1.5 * target(prediction) }
}

/// For a pair already in contact. Its contact rows handle the points that touch; others, such as the far end of a
/// rotating rod, are found only once they overlap. So it may overlap further by the share of the thinner body's
/// thickness, from which it can be pushed out again.
fn deeper(distance: f32, a: &Sweep, b: &Sweep, settings: &Settings) -> Stop {
    let deep = settings.contact.fast * a.piece.thickness.min(b.piece.thickness);
    // A pair that is deeper already may sink only a little more, or it would sink step by step.
    let now = distance.min(0.0);
    let aim = (now - 0.1 * deep).min(-deep);
    Stop { aim, accepted: aim + 0.25 * (now - aim) }
}

/// The greatest rate at which the gap along `normal` may close at `time`, m/s.
fn closing(a: &Sweep, b: &Sweep, normal: Vec3, time: f32) -> f32 {
    let ((va, ra), (vb, rb)) = (a.speeds(time), b.speeds(time));
    normal.dot(va - vb) + ra + rb
}

/// Where two bodies are when they meet or have passed each other.
pub(super) struct Approach {
    /// From the start of the step, s.
    pub time: f32,
    /// Their gap at that time, m, and the unit normal from A to B, world frame.
    pub gap: f32,
    pub normal: Vec3,
}

/// Follows two bodies until their gap is at most `target_gap`, m, or opens again, or `h` seconds are over.
pub(super) fn advance(query: &mut Query, a: &Sweep, b: &Sweep, h: f32, target_gap: f32) -> Option<Approach> {
    let mut time = 0.0;
    for _ in 0..ADVANCES {
        let (gap, normal) = gap(query, a, b, time)?;
        let closing = closing(a, b, normal, time);
        if gap <= target_gap || closing <= 0.0 {
            return Some(Approach { time, gap, normal });
        }
        if time == h {
            break;
        }
        time = (time + gap / closing).min(h);
    }
    gap(query, a, b, time).map(|(gap, normal)| Approach { time, gap, normal })
}

/// The time, s, at which two bodies come as near as `stop`, from `from` on and before `h`; none if they do not. The
/// distance along n shrinks at most at the closing speed, and the signed distance is never less than the gap along
/// any one direction, so this also holds for bodies that overlap.
fn impact(query: &mut Query, a: &Sweep, b: &Sweep, from: f32, h: f32, stop: Stop) -> Option<f32> {
    let mut time = from;
    for _ in 0..ADVANCES {
        let (distance, normal) = gap(query, a, b, time)?;
        if distance <= stop.accepted {
            return Some(time);
        }
        let closing = closing(a, b, normal, time);
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
