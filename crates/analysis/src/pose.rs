//! A mechanism posed by the value of one joint: where its bodies are when a coordinate of the joint has another value.
//!
//! - A joint that is part of no loop moves what hangs on one side of it as one body. The side that is connected to the
//!   ground stays; of two free sides the one with more bodies, and A's if they have as many. All other joints keep their values.
//! - Loops are closed by Newton's method along the way, see [`crate::path`]. Where a loop has several degrees of
//!   freedom, other coordinates are held, as many as the loop allows: those of the joint itself, then of joints with a
//!   motor or a servo, then of those on the ground, then of the others, in the order of the scene. What cannot be held
//!   moves as little as it can. What hangs on the loop moves as one body with it.

use delassus_doctor::DoctorCase;
use delassus_physics::joint::Joint;

use crate::block::Block;
use crate::coordinate::Coordinate;
use crate::frames::Frames;
use crate::loops::{Loops, Reached};
use crate::path::{BEYOND, Barrier, beyond_stop};
use crate::refusal::Refusal;
use crate::request::misuse;
use crate::rows::{self, Pose};

/// A pose that is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PoseRequest {
    /// The joint, by its index in the world.
    pub joint: usize,
    pub coordinate: Coordinate,
    /// The value that the coordinate shall have, rad or m.
    pub to: f64,
}

/// A pose that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Posed {
    pub joint: usize,
    pub coordinate: Coordinate,
    /// The value that was reached, rad or m.
    pub value: f64,
    /// Why it is not the one that was asked for.
    pub stopped: Option<Barrier>,
    /// The bodies that moved, ascending, and where they are: their centres of mass and orientations.
    pub moved: Vec<(u32, Pose)>,
    /// Coordinates of other joints of its loops that were held, by the joint's index in the world.
    pub held: Vec<(usize, Coordinate)>,
    /// How many motions of its loops remained, in which it moved as little as it could.
    pub free: usize,
}

/// Where and why a mechanism stopped, with the names of joints.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    /// At a dead centre of the driven joint.
    DeadCentre { joint: String },
    /// At the driven joint's own limit.
    OwnLimit { joint: String },
    /// Where another joint reaches its limit.
    LimitOf { joint: String, other: String },
}

impl Stop {
    /// As a sentence, with the value that was reached as text.
    pub fn words(&self, at: &str) -> String {
        match self {
            Self::DeadCentre { joint } => {
                format!("{joint} stops at {at}, a dead centre: its loop does not close beyond it")
            }
            Self::OwnLimit { joint } => format!("{joint} stops at {at}, its own limit"),
            Self::LimitOf { joint, other } => format!("{joint} stops at {at}, where {other} reaches its limit"),
        }
    }
}

impl Posed {
    /// Where and why it stopped.
    pub fn stopped_at(&self, case: &DoctorCase<'_>) -> Option<Stop> {
        let joint = case.joint(self.joint).to_owned();
        Some(match self.stopped? {
            Barrier::DeadCentre => Stop::DeadCentre { joint },
            Barrier::Stop { joint: other } if other == self.joint => Stop::OwnLimit { joint },
            Barrier::Stop { joint: other } => Stop::LimitOf { joint, other: case.joint(other).into() },
        })
    }

    /// Where and why it stopped, as a sentence; angles in degrees.
    pub fn stopped_words(&self, case: &DoctorCase<'_>) -> Option<String> {
        Some(self.stopped_at(case)?.words(&self.coordinate.measure().words(self.value)))
    }
}

/// A coordinate of a joint at the present pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoordinateAt {
    pub coordinate: Coordinate,
    /// rad or m.
    pub value: f64,
    /// Its joint's own limits.
    pub range: Option<(f64, f64)>,
}

/// The free coordinates of a joint of this index; none if it is broken, or if neither of its bodies can move.
pub fn coordinates(case: &DoctorCase<'_>, joint: usize) -> Vec<CoordinateAt> {
    let state = &case.world.state;
    let Some(joint) = state.joints.get(joint).filter(|joint| joint.broken.is_none()) else { return Vec::new() };
    let moves = |id: u32| state.bodies[id as usize].is_dynamic();
    if !(moves(joint.def.a) || moves(joint.def.b)) {
        return Vec::new();
    }
    let all = Coordinate::of(&joint.def.kind).into_iter();
    all.map(|coordinate| CoordinateAt {
        coordinate,
        value: value_now(case, joint, coordinate),
        range: coordinate.range(joint),
    })
    .collect()
}

/// Where a body of the world is.
pub(crate) fn pose_of(case: &DoctorCase<'_>, id: u32) -> Pose {
    let body = &case.world.state.bodies[id as usize];
    Pose { position: body.position.as_dvec3(), rotation: body.rotation.as_dquat().normalize() }
}

fn value_now(case: &DoctorCase<'_>, joint: &Joint, coordinate: Coordinate) -> f64 {
    let frames = Frames::of(joint, &pose_of(case, joint.def.a), &pose_of(case, joint.def.b));
    let value = coordinate.value(joint, &frames);
    let counts = coordinate == Coordinate::Turn && joint.def.kind.info().winds;
    if counts { coordinate.unwrapped(value, joint.readout.value.into()) } else { value }
}

/// Poses a mechanism.
///
/// # Errors
/// A [`Refusal`] says why nothing can be moved. A mechanism that cannot go all the way is no error, see
/// [`Posed::stopped`].
pub fn pose(case: &DoctorCase<'_>, request: &PoseRequest) -> Result<Posed, Refusal> {
    check(case, request.joint, request.coordinate)?;
    if !(request.to.is_finite() && request.to.abs() <= 1e6) {
        return Err(misuse("", "expected a value of up to 1e6"));
    }
    let immovable = || Refusal::Immovable { joint: case.joint(request.joint).into() };
    let block = Block::of(case, request.joint, &[]).ok_or_else(immovable)?;
    if block.is_open {
        let posed = open(case, request, &block);
        if posed.moved.iter().all(|(id, pose)| stays_in_plane(case, *id, pose)) {
            return Ok(posed);
        }
    }
    let mut loops = Loops::of(case, request.joint, request.coordinate)?;
    let (to, clamped) = goal(case, request);
    let Reached { state, value, stopped, held, free } = loops.walk(to)?;
    let stopped = stopped.or(clamped.then_some(Barrier::Stop { joint: request.joint }));
    let (joint, coordinate) = (request.joint, request.coordinate);
    Ok(Posed { joint, coordinate, value, stopped, moved: loops.moved(&state), held, free })
}

/// Whether a joint has this coordinate and can be posed.
pub(crate) fn check(case: &DoctorCase<'_>, index: usize, coordinate: Coordinate) -> Result<(), Refusal> {
    let joints = &case.world.state.joints;
    let joint = joints.get(index).ok_or_else(|| misuse("", "the scene has no such joint"))?;
    let name = || case.joint(index).to_owned();
    if joint.broken.is_some() {
        return Err(Refusal::Broken { joint: name() });
    }
    if !Coordinate::of(&joint.def.kind).contains(&coordinate) {
        return Err(Refusal::NoCoordinate { joint: name(), kind: joint.def.kind.info().name });
    }
    Ok(())
}

/// The value to go to: within the joint's own limits, unless it is beyond them already. And whether they changed it.
fn goal(case: &DoctorCase<'_>, request: &PoseRequest) -> (f64, bool) {
    let joint = &case.world.state.joints[request.joint];
    let now = value_now(case, joint, request.coordinate);
    let Some((least, greatest)) = request.coordinate.range(joint) else { return (request.to, false) };
    let to = request.to.clamp(least.min(now), greatest.max(now));
    (to, to != request.to)
}

fn stays_in_plane(case: &DoctorCase<'_>, id: u32, pose: &Pose) -> bool {
    let body = &case.world.state.bodies[id as usize];
    let planes = case.world.state.planes.iter().filter(|plane| plane.body == id);
    planes.into_iter().all(|plane| {
        let n = plane.normal.as_dvec3().normalize_or_zero();
        let turned = pose.rotation * body.rotation.as_dquat().normalize().inverse();
        let away = n.dot(pose.position) - f64::from(plane.offset);
        away.abs() < 1e-4 * f64::from(body.solid.radius).max(1e-2) && (turned * n).dot(n) > 1.0 - 1e-8
    })
}

/// Poses a joint that is part of no loop.
fn open(case: &DoctorCase<'_>, request: &PoseRequest, block: &Block) -> Posed {
    let joint = &case.world.state.joints[request.joint];
    let (a, b) = (pose_of(case, joint.def.a), pose_of(case, joint.def.b));
    let PoseRequest { joint: index, coordinate, .. } = *request;
    let now = value_now(case, joint, coordinate);
    let (mut value, clamped) = goal(case, request);
    let own = coordinate.measure();
    let before = rows::Measure::of(&joint.def.kind).filter(|measure| *measure == own).map(|_| now);
    let beyond = |value: f64| beyond_stop(joint, [&a, &coordinate.set(joint, &a, &b, value)], before.map(|_| value));
    let most = beyond(now) + BEYOND;
    let mut stopped = clamped.then_some(Barrier::Stop { joint: index });
    if beyond(value) > most {
        // A limit of several coordinates together, such as a cone.
        let (mut within, mut outside) = (now, value);
        for _ in 0..50 {
            let middle = 0.5 * (within + outside);
            if beyond(middle) > most { outside = middle } else { within = middle }
        }
        (value, stopped) = (within, Some(Barrier::Stop { joint: index }));
    }
    let set = coordinate.set(joint, &a, &b, value);
    let b_moves = block.moving.first() == Some(&joint.def.b);
    let (from, to) = if b_moves { (b, set) } else { (set, b) };
    let all = block.moving.iter().copied().chain(block.followers.iter().map(|(id, _)| *id));
    let mut moved: Vec<(u32, Pose)> = all.map(|id| (id, carried(&pose_of(case, id), &from, &to))).collect();
    moved.sort_unstable_by_key(|(id, _)| *id);
    Posed { joint: index, coordinate, value, stopped, moved, held: Vec::new(), free: 0 }
}

/// A pose after the motion that takes `from` to `to`.
pub(crate) fn carried(pose: &Pose, from: &Pose, to: &Pose) -> Pose {
    let turn = to.rotation * from.rotation.inverse();
    Pose {
        position: to.position + turn * (pose.position - from.position),
        rotation: (turn * pose.rotation).normalize(),
    }
}
