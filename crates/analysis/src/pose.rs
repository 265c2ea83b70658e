//! A mechanism posed by the value of one joint: where its bodies are when a coordinate of the joint has another value.
//!
//! - A joint that is part of no loop moves what hangs on one side of it as one body. The side that is connected to the
//!   ground stays; of two free sides the one with more bodies, and A's if they have as many. All other joints keep their values.
//! - Loops are closed by Newton's method along the way, see [`crate::path`]. Where a loop has several degrees of
//!   freedom, other coordinates are held, as many as the loop allows: those of the joint itself, then of joints with a
//!   motor or a servo, then of those on the ground, then of the others, in the order of the scene. What cannot be held
//!   moves as little as it can. What hangs on the loop moves as one body with it.
//!
//! At a dead centre the driven coordinate does not change with the motion of the mechanism. It leaves it along the
//! motion that is free there, on the first side on which its value changes towards the goal.

use glam::DVec3;

use delassus_doctor::DoctorCase;
use delassus_doctor::gram_schmidt::{GramSchmidt, dot};
use delassus_physics::joint::Joint;

use crate::block::Block;
use crate::coordinate::Coordinate;
use crate::found::shown;
use crate::frames::Frames;
use crate::linkage::{Linkage, State};
use crate::newton::{self, Newton};
use crate::path::{BEYOND, Barrier, Drive, Walker, beyond_stop};
use crate::refusal::Refusal;
use crate::rows::{self, Pose};

/// Larger loops are refused: the work grows with the cube of their bodies.
pub const MOST_IN_LOOPS: usize = 32;
/// A coordinate that the free motions move by less than this share of its unit rate is not held.
const HOLDS: f64 = 1e-2;
/// A driven coordinate that they move by less stands at a dead centre.
const DEAD: f64 = 1e-5;
/// How far a mechanism is moved away from a dead centre, as a share of its size.
const NUDGE: f64 = 1e-3;

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
                format!("`{joint}` stops at {at}, a dead centre: its loop does not close beyond it")
            }
            Self::OwnLimit { joint } => format!("`{joint}` stops at {at}, its own limit"),
            Self::LimitOf { joint, other } => format!("`{joint}` stops at {at}, where `{other}` reaches its limit"),
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
        Some(self.stopped_at(case)?.words(&shown(self.coordinate.measure(), self.value)))
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
        return Err(Refusal::Misuse("expected a value of up to 1e6".into()));
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
fn check(case: &DoctorCase<'_>, index: usize, coordinate: Coordinate) -> Result<(), Refusal> {
    let joints = &case.world.state.joints;
    let joint = joints.get(index).ok_or_else(|| Refusal::Misuse("the scene has no such joint".into()))?;
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

/// A joint's loops, closed as they are in the scene.
pub(crate) struct Loops<'a> {
    pub linkage: Linkage<'a>,
    block: Block,
    /// The driven joint of the linkage, and its coordinate.
    pub driven: (usize, Coordinate),
    pub closed: State,
}

/// What has been reached.
struct Reached {
    state: State,
    value: f64,
    stopped: Option<Barrier>,
    held: Vec<(usize, Coordinate)>,
    free: usize,
}

impl<'a> Loops<'a> {
    pub fn of(case: &'a DoctorCase<'a>, joint: usize, coordinate: Coordinate) -> Result<Self, Refusal> {
        check(case, joint, coordinate)?;
        let name = || case.joint(joint).to_owned();
        let confined: Vec<u32> = case.world.state.planes.iter().map(|plane| plane.body).collect();
        let block = Block::of(case, joint, &confined).ok_or_else(|| Refusal::Immovable { joint: name() })?;
        if block.moving.len() > MOST_IN_LOOPS {
            let bodies = block.moving.len();
            return Err(Refusal::LoopTooLarge { joint: name(), bodies, most: MOST_IN_LOOPS });
        }
        let mut linkage = Linkage::with(case, block.moving.clone(), block.joints.clone());
        let at = linkage.joints.iter().position(|(index, _)| *index == joint);
        let at = at.ok_or_else(|| Refusal::Immovable { joint: name() })?;
        let start = linkage.start();
        let closed =
            newton::solve(&linkage, start, &Newton::CLOSING, |state| linkage.system(linkage.held(&state.poses), 0));
        let mut closed = closed.map_err(|(_, error)| Refusal::Open { error })?;
        linkage.note(&mut closed);
        Ok(Self { linkage, block, driven: (at, coordinate), closed })
    }

    /// The motions that the joints leave at a state.
    fn motions(&self, state: &State) -> Vec<Vec<f64>> {
        self.linkage.system(self.linkage.held(&state.poses), 0).free()
    }

    /// How the motions move a coordinate, as shares of its unit rate.
    fn moves(&self, of: (usize, Coordinate), state: &State, motions: &[Vec<f64>]) -> Vec<f64> {
        let row = self.linkage.vector(&self.linkage.coordinate(of, &state.poses, 0.0));
        let length = dot(&row, &row).sqrt().max(1e-12);
        motions.iter().map(|motion| dot(&row, motion) / length).collect()
    }

    /// The coordinates that are held while the driven one moves, by joint of the linkage, and how many motions remain.
    /// None if the driven one cannot move.
    pub fn held(&self, state: &State) -> Option<(Vec<(usize, Coordinate)>, usize)> {
        let motions = self.motions(state);
        let mut driven = self.moves(self.driven, state, &motions);
        let length = dot(&driven, &driven).sqrt();
        if length < DEAD {
            return None;
        }
        driven.iter_mut().for_each(|x| *x /= length);
        let mut basis = GramSchmidt::within(motions.len(), HOLDS);
        basis.add(&[driven]);
        let mut held = Vec::new();
        for candidate in self.candidates() {
            if basis.rank() == motions.len() {
                break;
            }
            if basis.add(&[self.moves(candidate, state, &motions)]) > 0 {
                held.push(candidate);
            }
        }
        Some((held, motions.len() - basis.rank()))
    }

    /// What may be held, in this order.
    fn candidates(&self) -> Vec<(usize, Coordinate)> {
        let bodies = &self.linkage.case.world.state.bodies;
        let order = |at: usize, joint: &Joint| match () {
            () if at == self.driven.0 => 0,
            () if joint.def.kind.is_driven() || joint.def.kind.has_servo() => 1,
            () if [joint.def.a, joint.def.b].iter().any(|id| !bodies[*id as usize].is_dynamic()) => 2,
            () => 3,
        };
        let mut all: Vec<(u8, usize, Coordinate)> = Vec::new();
        for (at, (_, joint)) in self.linkage.joints.iter().enumerate() {
            let own = Coordinate::of(&joint.def.kind).into_iter();
            let own = own.filter(|own| (at, *own) != self.driven && *own != Coordinate::Length);
            all.extend(own.map(|coordinate| (order(at, joint), at, coordinate)));
        }
        all.sort_by_key(|(order, ..)| *order);
        all.into_iter().map(|(_, at, coordinate)| (at, coordinate)).collect()
    }

    /// The value of the driven coordinate, rad or m.
    pub fn value(&self, state: &State) -> f64 {
        let near = state.values[self.driven.0];
        self.linkage.coordinate(self.driven, &state.poses, if near.is_nan() { 0.0 } else { near }).error
    }

    /// Moves to a value of the driven coordinate.
    fn walk(&mut self, to: f64) -> Result<Reached, Refusal> {
        let start = self.closed.clone();
        if let Some((held, free)) = self.held(&start) {
            return self.walk_from(&start, to, held, free);
        }
        let value = self.value(&start);
        if to == value {
            return Ok(Reached { state: start, value, stopped: None, held: Vec::new(), free: 0 });
        }
        let motions = self.motions(&start);
        let signs = motions.iter().flat_map(|motion| [(motion, 1.0), (motion, -1.0)]);
        for (motion, sign) in signs {
            let twists = self.linkage.twists(motion);
            let share = sign * NUDGE * self.linkage.size / self.linkage.fastest(&twists).max(1e-12);
            let poses = self.linkage.moved(&start.poses, &twists, share);
            let beside = State { poses, ..start.clone() };
            let beside = newton::solve(&self.linkage, beside, &Newton::CLOSING, |state| {
                self.linkage.system(self.linkage.held(&state.poses), 0)
            });
            let Ok(beside) = beside else { continue };
            let by = self.value(&beside) - value;
            if by * (to - value) <= 0.0 || by.abs() < 1e-12 {
                continue;
            }
            if let Some((held, free)) = self.held(&beside) {
                return self.walk_from(&beside, to, held, free);
            }
        }
        if motions.is_empty() {
            return Err(Refusal::Locked {
                joint: self.linkage.case.joint(self.linkage.joints[self.driven.0].0).into(),
            });
        }
        Ok(Reached { state: start, value, stopped: Some(Barrier::DeadCentre), held: Vec::new(), free: 0 })
    }

    fn walk_from(
        &mut self,
        start: &State,
        to: f64,
        held: Vec<(usize, Coordinate)>,
        free: usize,
    ) -> Result<Reached, Refusal> {
        let first = self.go(start, to, held, free)?;
        // Where two branches meet, what is held may be what has to move.
        if first.stopped != Some(Barrier::DeadCentre) || first.held.is_empty() {
            return Ok(first);
        }
        let free = free + first.held.len();
        let second = self.go(start, to, Vec::new(), free)?;
        let is_nearer = (second.value - to).abs() < (first.value - to).abs() - 1e-6 * self.linkage.size.max(1.0);
        Ok(if is_nearer { second } else { first })
    }

    fn go(&mut self, start: &State, to: f64, kept: Vec<(usize, Coordinate)>, free: usize) -> Result<Reached, Refusal> {
        let (driven, by) = self.driven;
        for ((_, joint), measured) in self.linkage.joints.iter_mut().zip(&start.measured) {
            joint.readout.value = *measured;
        }
        let held = kept.iter().map(|(at, coordinate)| (self.linkage.joints[*at].0, *coordinate)).collect();
        let name = self.linkage.case.joint(self.linkage.joints[driven].0).to_owned();
        let drive = Drive { driven, by: Some(by), held: Vec::new(), kept };
        let walker = Walker::from(&mut self.linkage, drive, start.clone());
        let mut walker = walker.ok_or(Refusal::Locked { joint: name })?;
        let stopped = walker.walk(to).err();
        Ok(Reached { value: walker.value(), state: walker.state, stopped, held, free })
    }

    /// The bodies of the loops and what hangs on them, at a state.
    pub fn moved(&self, state: &State) -> Vec<(u32, Pose)> {
        let case = self.linkage.case;
        let own = self.block.moving.iter().map(|id| (*id, state.poses[*id as usize]));
        let hanging =
            self.block.followers.iter().map(|(id, with)| {
                (*id, carried(&pose_of(case, *id), &pose_of(case, *with), &state.poses[*with as usize]))
            });
        let mut all: Vec<(u32, Pose)> = own.chain(hanging).collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        all
    }

    /// The places of all anchors and centres of mass of the loops at a state, world frame, m.
    pub fn points(&self, state: &State) -> Vec<DVec3> {
        let centres = self.block.moving.iter().map(|id| state.poses[*id as usize].position);
        let anchors = self.linkage.joints.iter().enumerate().map(|(at, (_, joint))| {
            let [_, b] = self.linkage.ends(at, &state.poses);
            b.position + b.rotation * joint.def.anchor_b.as_dvec3()
        });
        centres.chain(anchors).collect()
    }
}
