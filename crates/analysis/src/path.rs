//! Moves a mechanism along the value of its driven joint.
//!
//! ```text
//! predict   x + ẋ Δs,  J ẋ = (0, …, 1)
//! correct   J Δ = −C with the shortest Δ, until Δ is no longer than rounding (Newton)
//! accept    if the correction is small against the prediction and no joint is beyond a stop; else half the step
//! ```
//! A step is halved until it is shorter than [`LEAST_STEP`]: this is where the mechanism stops, a dead centre of the
//! driven joint or a joint's stop. There ẋ grows like 1/√(distance), and the halving is the bisection. Source: 005 for
//! Newton's method on positions; E. Allgower, K. Georg, Numerical Continuation Methods, ch. 2.

use delassus_physics::joint::Joint;
use delassus_physics::row::{RowKind, RowList};

use crate::coordinate::Coordinate;
use crate::linkage::{Linkage, State, System};
use crate::newton::{self, Newton};
use crate::rows;

/// The longest step, rad, or as a share of the mechanism's size.
const STEP: f64 = 0.05;
/// The shortest step, in the same measure.
const LEAST_STEP: f64 = 1e-11;
/// Largest correction of a step as a share of what it predicts, beyond which the step is halved.
const BEND: f64 = 0.3;
/// How far a joint may be beyond a stop, m and rad: rounding.
pub(crate) const BEYOND: f64 = 1e-5;

/// What is driven and what is held, by joint of the linkage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drive {
    pub driven: usize,
    /// The coordinate that is driven; none for the joint's own value.
    pub by: Option<Coordinate>,
    /// Joints whose own values are held, and coordinates that are.
    pub held: Vec<usize>,
    pub kept: Vec<(usize, Coordinate)>,
}

/// Why a mechanism goes no further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Barrier {
    /// A dead centre: the driven joint's value is at an end of what the mechanism allows.
    DeadCentre,
    /// A joint, by its index in the world, is at its stop.
    Stop { joint: usize },
}

/// How far a joint is beyond its stops with A and B at these poses, m or rad; zero within them. `value` is its own value,
/// unwrapped.
pub(crate) fn beyond_stop(joint: &Joint, ends: [&rows::Pose; 2], value: Option<f64>) -> f64 {
    let mut list = RowList::default();
    let mut frames = rows::single_precision_frames(joint, ends);
    if let Some(value) = value {
        frames.previous = value as f32;
    }
    joint.rows(&frames, &mut list);
    let beyond = |kind: &RowKind| match kind {
        RowKind::AtMost { c } => f64::from(*c),
        RowKind::AtLeast { c } => -f64::from(*c),
        _ => 0.0,
    };
    list.rows.iter().map(|spec| beyond(&spec.kind)).fold(0.0, f64::max)
}

/// A mechanism on its way.
pub struct Walker<'l, 'a> {
    pub linkage: &'l mut Linkage<'a>,
    pub drive: Drive,
    pub state: State,
    /// The values at which joints are held, in the order of `drive.held`, and coordinates, in that of `drive.kept`.
    held_at: Vec<f64>,
    kept_at: Vec<f64>,
    /// By joint of the linkage: how far it is beyond its stops at the start, m or rad.
    beyond: Vec<f64>,
    /// The largest error of the scene's joints, before their loops were closed, m.
    pub open: f64,
}

impl<'l, 'a> Walker<'l, 'a> {
    /// A mechanism at its start, its loops closed as far as they close. `Err` is the error that is left, m; if it is within
    /// rounding, the driven joint cannot move.
    pub fn new(linkage: &'l mut Linkage<'a>, drive: Drive) -> Result<Self, f64> {
        let state = linkage.start();
        let mut walker = Self::standing(linkage, drive, state);
        let value = walker.value();
        walker.open = walker.system().largest_error();
        let (mut closed, mut left) = (walker.state.clone(), f64::INFINITY);
        // From far away the first corrections may be long.
        for _ in 0..4 {
            match walker.correct(closed, value) {
                Ok(found) => {
                    (closed, left) = (found, 0.0);
                    break;
                }
                Err((moved, error)) => (closed, left) = (moved, error),
            }
        }
        if left > 0.0 || !walker.system_at(&closed, value).is_driven() {
            return Err(left);
        }
        walker.settle(closed);
        Ok(walker)
    }

    /// A mechanism at a state in which its loops are closed. None if the driven coordinate cannot move there.
    pub fn from(linkage: &'l mut Linkage<'a>, drive: Drive, state: State) -> Option<Self> {
        let mut walker = Self::standing(linkage, drive, state);
        if !walker.system().is_driven() {
            return None;
        }
        walker.settle(walker.state.clone());
        Some(walker)
    }

    fn standing(linkage: &'l mut Linkage<'a>, drive: Drive, mut state: State) -> Self {
        if let Some(by) = drive.by {
            let near = state.values[drive.driven];
            let near = if near.is_nan() { 0.0 } else { near };
            let near = if state.driven.is_nan() { near } else { state.driven };
            state.driven = linkage.coordinate((drive.driven, by), &state.poses, near).error;
        }
        let held_at = drive.held.iter().map(|at| state.values[*at]).collect();
        let kept_at = drive.kept.iter().map(|kept| linkage.coordinate(*kept, &state.poses, 0.0).error).collect();
        Self { linkage, drive, state, held_at, kept_at, beyond: Vec::new(), open: 0.0 }
    }

    /// Takes a state as its start.
    fn settle(&mut self, state: State) {
        self.state = state;
        self.linkage.note(&mut self.state);
        self.beyond = (0..self.linkage.joints.len()).map(|at| self.beyond_stop(at, &self.state)).collect();
    }

    /// Puts it where it was.
    pub fn stand(&mut self, state: &State) {
        self.state = state.clone();
        for ((_, joint), measured) in self.linkage.joints.iter_mut().zip(&state.measured) {
            joint.readout.value = *measured;
        }
    }

    /// The value of the driven joint, or of the driven coordinate, rad or m.
    pub fn value(&self) -> f64 {
        if self.drive.by.is_some() { self.state.driven } else { self.state.values[self.drive.driven] }
    }

    /// Notes that the value has been reached to rounding.
    fn reached(&mut self, value: f64) {
        if self.drive.by.is_some() {
            self.state.driven = value;
        } else {
            self.state.values[self.drive.driven] = value;
        }
    }

    /// All rows at a state: those with C = 0, those of held joints, and last that of the driven joint with its error from
    /// `value`.
    pub fn rows_at(&self, state: &State, value: f64) -> Vec<rows::Row> {
        let mut rows = self.linkage.constraint_rows(&state.poses);
        for (at, wanted) in self.drive.held.iter().zip(&self.held_at) {
            rows.extend(self.linkage.value(*at, state).map(|row| rows::Row { error: row.error - wanted, ..row }));
        }
        for (kept, wanted) in self.drive.kept.iter().zip(&self.kept_at) {
            let row = self.linkage.coordinate(*kept, &state.poses, *wanted);
            rows.push(rows::Row { error: row.error - wanted, ..row });
        }
        let driven = match self.drive.by {
            Some(by) => Some(self.linkage.coordinate((self.drive.driven, by), &state.poses, value)),
            None => self.linkage.value(self.drive.driven, state),
        };
        rows.extend(driven.map(|row| rows::Row { error: row.error - value, ..row }));
        rows
    }

    /// The same, decomposed.
    fn system_at(&self, state: &State, value: f64) -> System {
        self.linkage.system(self.rows_at(state, value), self.drive.held.len() + self.drive.kept.len() + 1)
    }

    /// All rows at the present state.
    pub fn system(&self) -> System {
        self.system_at(&self.state, self.value())
    }

    /// Newton's method. `Err` is the last state and its largest error, m.
    fn correct(&self, state: State, value: f64) -> Result<State, (State, f64)> {
        newton::solve(self.linkage, state, &Newton::default(), |state| self.system_at(state, value))
    }

    /// The measure of the driven value: its longest step, rad or m.
    fn scale(&self) -> f64 {
        let joint = &self.linkage.joints[self.drive.driven].1;
        match self.drive.by.map_or_else(|| rows::Measure::of(&joint.def.kind), |by| Some(by.measure())) {
            Some(rows::Measure::Angle) | None => 1.0,
            Some(rows::Measure::Slide | rows::Measure::Length) => self.linkage.size,
        }
    }

    /// How far a joint of the linkage is beyond its stops, m or rad; zero within them.
    fn beyond_stop(&self, at: usize, state: &State) -> f64 {
        let value = self.linkage.value(at, state).map(|row| row.error);
        beyond_stop(&self.linkage.joints[at].1, self.linkage.ends(at, &state.poses), value)
    }

    /// The first joint that is farther beyond a stop than at the start.
    fn stopped_by(&self, state: &State) -> Option<usize> {
        let scale = self.linkage.size.max(1.0);
        let is_beyond = |at: &usize| self.beyond_stop(*at, state) > self.beyond[*at] + BEYOND * scale;
        (0..self.linkage.joints.len()).find(is_beyond).map(|at| self.linkage.joints[at].0)
    }

    /// Moves on until the driven joint has this value, rad or m. `Err`: where it stopped, and the walker stands there.
    pub fn walk(&mut self, to: f64) -> Result<(), Barrier> {
        let scale = self.scale();
        let mut step = STEP * scale;
        while self.value() != to {
            let left = to - self.value();
            let by = if left.abs() <= step { left } else { step.copysign(left) };
            match self.step(by) {
                Ok(state) => {
                    self.state = state;
                    self.linkage.note(&mut self.state);
                    // The value is met to rounding; so is what is left.
                    let value = if by == left { to } else { self.state.driven + by };
                    if by == left || self.drive.by.is_some() {
                        self.reached(value);
                    }
                    step = (2.0 * step).min(STEP * scale);
                }
                Err(barrier) => {
                    step = 0.5 * by.abs();
                    if step < LEAST_STEP * scale {
                        return Err(barrier);
                    }
                }
            }
        }
        Ok(())
    }

    /// The state after the value has changed by `by`.
    fn step(&self, by: f64) -> Result<State, Barrier> {
        let system = self.system();
        let mut wanted = vec![0.0; system.rows.len()];
        if let Some(last) = wanted.last_mut() {
            *last = by;
        }
        let twists = self.linkage.twists(&system.solve(&wanted));
        let predicted = self.linkage.fastest(&twists);
        let mut state = self.state.clone();
        state.poses = self.linkage.moved(&state.poses, &twists, 1.0);
        let start = state.poses.clone();
        let state = self.correct(state, self.value() + by).map_err(|_| Barrier::DeadCentre)?;
        let corrected = self.linkage.bodies.iter().map(|id| {
            let (from, to) = (&start[*id as usize], &state.poses[*id as usize]);
            let turn = from.rotation.angle_between(to.rotation);
            (to.position - from.position).length().max(self.linkage.size * turn)
        });
        // `angle_between` is good to 1e-8.
        if corrected.fold(0.0, f64::max) > BEND * predicted + 1e-7 * self.linkage.size {
            return Err(Barrier::DeadCentre);
        }
        match self.stopped_by(&state) {
            Some(joint) => Err(Barrier::Stop { joint }),
            None => Ok(state),
        }
    }
}
