//! The loops that a joint is part of, moved by one of its coordinates.
//!
//! At a dead centre the driven coordinate does not change with the motion of the mechanism. It leaves it along the
//! motion that is free there, on the first side on which its value changes towards the goal.

use delassus_doctor::DoctorCase;
use delassus_doctor::gram_schmidt::{GramSchmidt, dot};
use delassus_physics::joint::Joint;
use glam::DVec3;

use crate::block::Block;
use crate::coordinate::Coordinate;
use crate::linkage::{Linkage, State};
use crate::newton::{self, Newton};
use crate::path::{Barrier, Drive, Walker};
use crate::pose::{carried, check, pose_of};
use crate::refusal::Refusal;
use crate::rows::Pose;

/// Larger loops are refused: the work grows with the cube of their bodies.
pub const MAX_IN_LOOPS: usize = 32;
/// A coordinate that the free motions move by less than this share of its unit rate is not held.
const HOLDS: f64 = 1e-2;
/// A driven coordinate that they move by less stands at a dead centre.
const DEAD: f64 = 1e-5;
/// How far a mechanism is moved away from a dead centre, as a share of its size.
const NUDGE: f64 = 1e-3;

/// A joint's loops, closed as they are in the scene.
pub(crate) struct Loops<'a> {
    pub linkage: Linkage<'a>,
    block: Block,
    /// The driven joint of the linkage, and its coordinate.
    pub driven: (usize, Coordinate),
    pub closed: State,
}

/// What has been reached.
pub(crate) struct Reached {
    pub state: State,
    pub value: f64,
    pub stopped: Option<Barrier>,
    pub held: Vec<(usize, Coordinate)>,
    pub free: usize,
}

impl<'a> Loops<'a> {
    pub fn of(case: &'a DoctorCase<'a>, joint: usize, coordinate: Coordinate) -> Result<Self, Refusal> {
        check(case, joint, coordinate)?;
        let name = || case.joint(joint).to_owned();
        let confined: Vec<u32> = case.world.state.planes.iter().map(|plane| plane.body).collect();
        let block = Block::of(case, joint, &confined).ok_or_else(|| Refusal::Immovable { joint: name() })?;
        if block.moving.len() > MAX_IN_LOOPS {
            let bodies = block.moving.len();
            return Err(Refusal::LoopTooLarge { joint: name(), bodies, most: MAX_IN_LOOPS });
        }
        let mut linkage = Linkage::with(case, block.moving.clone(), block.joints.clone());
        let at = linkage.joints.iter().position(|(index, _)| *index == joint);
        let at = at.ok_or_else(|| Refusal::Immovable { joint: name() })?;
        let start = linkage.start();
        let closed = newton::solve(&linkage, start, &Newton::CLOSING, |state| {
            linkage.system(linkage.constraint_rows(&state.poses), 0)
        });
        let mut closed = closed.map_err(|(_, error)| Refusal::Open { error })?;
        linkage.note(&mut closed);
        Ok(Self { linkage, block, driven: (at, coordinate), closed })
    }

    /// The motions that the joints leave at a state.
    fn motions(&self, state: &State) -> Vec<Vec<f64>> {
        self.linkage.system(self.linkage.constraint_rows(&state.poses), 0).free()
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
        let mut basis = GramSchmidt::with_tolerance(motions.len(), HOLDS);
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
    pub fn walk(&mut self, to: f64) -> Result<Reached, Refusal> {
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
                self.linkage.system(self.linkage.constraint_rows(&state.poses), 0)
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
