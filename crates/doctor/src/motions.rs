//! The independent motions of a mechanism, chosen so that each can be described.
//!
//! ```text
//! A basis of J v = 0 is brought into a form sorted by the joints' own rates: the largest rate of any joint in any
//! motion becomes 1 in that motion and 0 in all others, and so on. The rest moves no joint: rigid motions of the
//! mechanism.
//! ```
//! So a chain of hinges has one motion for each hinge, in which all links beyond it rotate together, and a four-bar
//! linkage has a single one.

use glam::{Mat3, Vec3};

use super::DoctorCase;
use super::gram_schmidt::dot;
use super::linkage::{Linkage, equality_rows};
use super::loops::MAX_ROWS;
use super::mechanism::Mechanism;
use super::rows::{AGREE, MEET};
use super::words::names;
use delassus_physics::body::Body;
use delassus_physics::joints::{JointDisplay, JointMeasure};
use delassus_physics::row::{Jacobian, RowKind, RowList};

/// Rates below this count as zero, where the largest rate is 1.
const STILL: f64 = 1e-4;
/// Joints that move less than this share of the largest are not named.
const NAMED: f64 = 0.02;
/// The displacement of the fastest body to either side when a motion is displayed, as a share of the mechanism's size.
const AMPLITUDE: f32 = 0.3;
/// The limit of work for separating the motions, multiplications; about ten seconds.
pub const MAX_WORK: u64 = 5_000_000_000;
/// Number of steps to either side.
const STEPS: usize = 12;

/// A motion that no row prevents.
#[derive(Debug, Clone, PartialEq)]
pub struct FreeMotion {
    /// The bodies that move: id, velocity of the centre of mass, m/s, and angular velocity, rad/s, world frame. The
    /// fastest body moves by the mechanism's size in a second.
    pub bodies: Vec<(u32, Vec3, Vec3)>,
    /// A description of the motion.
    pub words: String,
    /// Rates of the linkage's unknowns.
    rates: Vec<f64>,
}

/// Whether a mechanism's motions can be computed: it has degrees of freedom, and not too many rows.
pub fn can_compute(mechanism: &Mechanism) -> bool {
    mechanism.rows <= MAX_ROWS && mechanism.freedom.is_some_and(|freedom| freedom > 0)
}

/// The work of finding a mechanism's motions, multiplications.
pub fn work_of(case: &DoctorCase<'_>, mechanism: &Mechanism) -> u64 {
    if can_compute(mechanism) {
        work(mechanism, Linkage::new(case, &mechanism.bodies, &mechanism.joints).width)
    } else {
        0
    }
}

fn work(mechanism: &Mechanism, width: usize) -> u64 {
    let (count, rows) = (mechanism.freedom.unwrap_or(0) as u64, mechanism.rows as u64);
    // Each motion is chosen among all remaining ones, by six rates of each joint.
    let rates = 6 * mechanism.joints.len() as u64;
    let chosen = rates.saturating_mul(count).saturating_mul(count) / 2;
    rows.saturating_mul(rows).saturating_add(chosen).saturating_mul(width as u64)
}

/// The motions of a mechanism in its present pose, those of joints first; an empty list if it has too many rows. `None`
/// if separating them would take too much work. If the steps of the case's world are cancelled, so is the search, and
/// its result must not be used.
pub fn of(case: &DoctorCase<'_>, mechanism: &Mechanism) -> Option<Vec<FreeMotion>> {
    if !can_compute(mechanism) {
        return Some(Vec::new());
    }
    let linkage = Linkage::new(case, &mechanism.bodies, &mechanism.joints);
    if work(mechanism, linkage.width) > MAX_WORK {
        return None;
    }
    let active = linkage.active_rows(equality_rows(linkage.rows(&case.world.state.bodies)));
    let mut remaining = active.free;
    let rates: Vec<(usize, Vec<f64>)> = mechanism.joints.iter().flat_map(|j| relative(&linkage, *j)).collect();
    let mut separated = Vec::new();
    while let Some((at, row)) = largest(&remaining, &rates).filter(|_| !case.world.report.work.is_cancelled()) {
        let mut chosen = remaining.swap_remove(at);
        let rate = dot(&chosen, &rates[row].1);
        chosen.iter_mut().for_each(|x| *x /= rate);
        for other in separated.iter_mut().map(|(_, v)| v).chain(&mut remaining) {
            let along = dot(other, &rates[row].1);
            other.iter_mut().zip(&chosen).for_each(|(x, y)| *x -= along * y);
        }
        separated.push((rates[row].0, chosen));
    }
    let mut motions: Vec<FreeMotion> = separated
        .into_iter()
        .map(|(joint, rates)| motion(&linkage, rates, |v| joint_words(&linkage, joint, v)))
        .collect();
    let rigid = as_one_body(&linkage, remaining);
    motions.extend(rigid.into_iter().map(|(rates, words)| motion(&linkage, rates, |_| words)));
    Some(motions)
}

/// Six rows that measure the relative motion of a joint's bodies: angular velocity about its axis and across, and the
/// velocity of B's anchor relative to A along the same axes.
fn relative(linkage: &Linkage<'_>, index: usize) -> Vec<(usize, Vec<f64>)> {
    let joint = &linkage.case.world.state.joints[index];
    let ends = joint.frames(&linkage.case.world.state.bodies);
    let axes = if joint.def.kind.info().axis {
        let (u, v) = ends.axis_a.any_orthonormal_pair();
        Mat3::from_cols(ends.axis_a, u, v)
    } else {
        Mat3::IDENTITY
    };
    let axes = [axes.x_axis, axes.y_axis, axes.z_axis];
    let spins = axes.map(Jacobian::about);
    let shifts = axes.map(|t| Jacobian::along(t, ends.sa(), ends.rb));
    spins.into_iter().chain(shifts).map(|jacobian| (index, linkage.value(index, jacobian))).collect()
}

/// The motion and the row with the largest rate.
fn largest(motions: &[Vec<f64>], rates: &[(usize, Vec<f64>)]) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize, f64)> = None;
    for (row, (_, rate)) in rates.iter().enumerate() {
        for (at, v) in motions.iter().enumerate() {
            // Relative to the motion's current length; the first among equals.
            let size = dot(v, v).sqrt();
            let value = dot(v, rate).abs() / size.max(f64::MIN_POSITIVE);
            if size > 1e-9 && value > best.map_or(STILL, |(.., largest)| largest * (1.0 + 1e-6)) {
                best = Some((at, row, value));
            }
        }
    }
    best.map(|(at, row, _)| (at, row))
}

/// The translations along and rotations about the world's axes that are among these motions; if they do not span
/// them, the motions themselves.
fn as_one_body(linkage: &Linkage<'_>, motions: Vec<Vec<f64>>) -> Vec<(Vec<f64>, String)> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for mut v in motions {
        for _ in 0..2 {
            for q in &basis {
                let along = dot(&v, q);
                v.iter_mut().zip(q).for_each(|(x, y)| *x -= along * y);
            }
        }
        let length = dot(&v, &v).sqrt();
        if length > 1e-9 {
            v.iter_mut().for_each(|x| *x /= length);
            basis.push(v);
        }
    }
    let mut named: Vec<(Vec<f64>, String)> = Vec::new();
    for (k, rigid) in linkage.rigid().into_iter().enumerate() {
        let along: Vec<f64> = basis.iter().map(|q| dot(q, &rigid)).collect();
        let size = dot(&rigid, &rigid).sqrt();
        if size > 0.0 && dot(&along, &along).sqrt() > (1.0 - 1e-6) * size {
            let axis = ["x", "y", "z"][k % 3];
            let subject = if linkage.bodies.len() == 1 { linkage.case.body(linkage.bodies[0]) } else { "all of it" };
            let words =
                if k < 3 { format!("{subject} shifts along {axis}") } else { format!("{subject} turns about {axis}") };
            named.push((rigid, words));
        }
    }
    if named.len() != basis.len() {
        // Some direction is not along a world axis.
        return basis.into_iter().map(|v| (v, "all of it moves as one body".to_owned())).collect();
    }
    named
}

/// A motion scaled so that its fastest body moves by the mechanism's size in a second.
fn motion(linkage: &Linkage<'_>, mut rates: Vec<f64>, words: impl FnOnce(&[f64]) -> String) -> FreeMotion {
    let speed = linkage.fastest(&rates);
    rates.iter_mut().for_each(|x| *x *= f64::from(linkage.size) / speed.max(f64::MIN_POSITIVE));
    let bodies = (linkage.bodies.iter().enumerate())
        .map(|(at, id)| (at, *id))
        .filter_map(|(at, id)| {
            let (shift, turn) = linkage.twist(at, &rates);
            let moves = shift.length().max(turn.length() * linkage.size) > 1e-4 * linkage.size;
            moves.then_some((id, shift, turn))
        })
        .collect();
    FreeMotion { bodies, words: words(&rates), rates }
}

/// Describes the motion of the joint that it was sorted by, and which other joints move with it.
fn joint_words(linkage: &Linkage<'_>, first: usize, motion: &[f64]) -> String {
    let case = linkage.case;
    let rate = |joint: usize| {
        let rows = relative(linkage, joint);
        let part = |range: std::ops::Range<usize>| {
            rows[range].iter().map(|(_, row)| dot(row, motion).powi(2)).sum::<f64>().sqrt()
        };
        (part(0..3), part(3..6))
    };
    let (turn, shift) = rate(first);
    let all = turn.hypot(shift);
    let others: Vec<usize> = (linkage.joints.iter().copied())
        .filter(|joint| *joint != first && !linkage.rows_of(*joint).is_empty())
        .filter(|joint| {
            let (turn, shift) = rate(*joint);
            turn.hypot(shift) > NAMED * all
        })
        .collect();
    let kind = case.world.state.joints[first].def.kind;
    let verb = match kind.info().shown {
        JointDisplay::Rod | JointDisplay::Thread | JointDisplay::Coil => "swings",
        JointDisplay::Ring => "goes round",
        _ if kind.info().measures == JointMeasure::Slide || shift > 10.0 * turn => "slides",
        _ => "turns",
    };
    let followers = if others.is_empty() { String::new() } else { format!(", and with it {}", names(case, &others)) };
    format!("{} {verb}{followers}", case.joint(first))
}

/// The path along a motion in both directions as poses of the centres of mass, from one end over the present pose to
/// the other. It ends where a stop or the mechanism itself prevents going on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MotionPath {
    /// The ids of the bodies that move.
    pub bodies: Vec<u32>,
    /// By step and body: position, m, and rotation, world frame.
    pub poses: Vec<Vec<(Vec3, glam::Quat)>>,
    /// The index of the present pose.
    pub middle: usize,
}

/// Computes the path along a motion in both directions.
pub fn motion_path(case: &DoctorCase<'_>, mechanism: &Mechanism, motion: &FreeMotion) -> MotionPath {
    let linkage = Linkage::new(case, &mechanism.bodies, &mechanism.joints);
    let ids: Vec<u32> = motion.bodies.iter().map(|(id, ..)| *id).collect();
    let start = &case.world.state.bodies;
    let read = |bodies: &[Box<Body>]| -> Vec<_> {
        ids.iter().map(|id| (bodies[*id as usize].position, bodies[*id as usize].rotation)).collect()
    };
    // A linkage with contradicting rows cannot be closed: it is moved without closing it.
    let closes = linkage.close(&mut start.clone());
    let side = |sign: f64| {
        let mut bodies = start.clone();
        let mut poses = Vec::new();
        let step: Vec<f64> = motion.rates.iter().map(|x| x * sign * f64::from(AMPLITUDE) / STEPS as f64).collect();
        for _ in 0..STEPS {
            linkage.displace(&mut bodies, &step);
            let cancelled = case.world.report.work.is_cancelled();
            if cancelled || (closes && !linkage.close(&mut bodies)) || beyond(&linkage, start, &bodies) {
                break;
            }
            poses.push(read(&bodies));
        }
        poses
    };
    let mut poses = side(-1.0);
    poses.reverse();
    let middle = poses.len();
    poses.push(read(start));
    poses.extend(side(1.0));
    MotionPath { bodies: ids, poses, middle }
}

/// Whether a stop is exceeded that was not exceeded at the start.
fn beyond(linkage: &Linkage<'_>, start: &[Box<Body>], bodies: &[Box<Body>]) -> bool {
    let mut list = RowList::default();
    let mut over = |joint: usize, bodies: &[Box<Body>]| {
        let joint = &linkage.case.world.state.joints[joint];
        list.rows.clear();
        if joint.broken.is_none() {
            joint.def.kind.linearize(&joint.frames(bodies), &mut list);
        }
        let excesses = list.rows.iter().map(|row| {
            let near = if row.jacobian.is_angular() { AGREE } else { MEET };
            match row.kind {
                RowKind::AtLeast { c } => -c / near,
                RowKind::AtMost { c } => c / near,
                _ => 0.0,
            }
        });
        excesses.fold(0.0, f32::max)
    };
    linkage.joints.iter().any(|joint| over(*joint, bodies) > over(*joint, start).max(1.0) * 1.01)
}
