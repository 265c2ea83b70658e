//! What is read of a joint after a step: errors and values at the new poses, and forces by the purpose of its rows.
//!
//! ```text
//! force  = Σ λ lin / h    over all rows, on B at B's anchor, and its opposite on A
//! torque = Σ λ angB / h   over the angular rows (lin = 0): what the anchor's lever arm does not account for
//! energy = ½ k C²         over the soft rows, k = m ω², m the spring's mass (`softness.rs`)
//! ```
//! The impulses are those of the last sub-step's velocity solve; a split position correction adds none. They act along
//! the rows at the poses with which that sub-step began, and under SHAKE and RATTLE they are the forces of that moment,
//! a sub-step (or a part of a divided step) h before the poses and velocities that are read: of a bead that is whirled,
//! F = m r ω² points along the string as it was then, and its part along the present string is smaller by cos(h ω).
//!
//! A row's jacobian need not be of unit length, so λ alone is not a torque: a stop written as 2 sin(θ/2) has the
//! length cos(θ/2), an ellipse of 10° by 60° has 1/6 on its long side. For motor, spring and limit the readout is the
//! generalized force that goes with the joint's value x, Q dx = work. A hinge's angle and a twist both grow as fast as
//! B rotates about A's axis a, so
//!
//! ```text
//! Q = Σ λ a · angB / h  (angular rows),  Σ λ / h  (linear ones, of unit length)      Q > 0 drives the value up
//! ```
//! A swing is limited towards any side; the readout of its torque, Σ λ angB / h, is the norm.

use std::time::Instant;

use glam::{Vec3, Vec3A};

use super::body::{Body, Velocity};
use super::breaking;
use super::fault::{self, FaultKind, FaultWatch};
use super::joint::Joint;
use super::joints::{Relative, wound};
use super::rattle;
use super::row::{Ends, Group, Row, RowId, RowKind, RowSpec};
use super::softness;
use super::world::{State, World};

/// Readout of a joint after a step. World frame, SI units; forces are on B.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Readout {
    /// Distance of the anchors from where they should be, m.
    pub error: f32,
    /// Angle by which orientations are off, rad: the rotation that leads back for a lock, the tilt between the axes
    /// for a hinge, the overrun for a stop; for several of these the root of the sum of squares.
    pub angular_error: f32,
    /// What the kind measures, rad or m: see [`super::joints::JointInfo::measures`].
    pub value: f32,
    /// Rate of `value`, rad/s or m/s.
    pub speed: f32,
    /// Force of all linear rows, limits and motors included, N, and torque of all angular ones, N·m; as all forces
    /// here of the moment with which the last sub-step began.
    pub force: Vec3,
    pub torque: Vec3,
    /// Force of the anchor's rows, N.
    pub anchor: Vec3,
    /// Torque of the rows that hold an orientation or an axis, N·m.
    pub axis: Vec3,
    /// Generalized forces of spring, motor and limits, N along the joint's value or N·m about its axis; positive where
    /// they drive the value up.
    pub spring: f32,
    pub motor: f32,
    pub limit: f32,
    /// Norm of the torque of a swing's limit, N·m.
    pub swing: f32,
    /// Elastic energy of its soft rows, J.
    pub energy: f32,
    /// The largest residual of its rows after the last sweep, m/s or rad/s.
    pub residual: f32,
    /// Length of the sub-step, s: an impulse is its force times this.
    pub h: f32,
    pub stops: Stops,
}

/// The angle θ, rad, of the chord 2 sin(θ/2) of the unit circle.
pub fn angle_of_chord(chord: f32) -> f32 {
    2.0 * (0.5 * chord).min(1.0).asin()
}

/// By less than this, rad or m, rounding alone exceeds a limit that carries nothing.
const EXCEEDED: f32 = 1e-5;

/// The limits that a joint is at: those that push, or are exceeded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stops {
    /// The lower stop.
    pub least: bool,
    /// The upper stop, or a taut rope.
    pub greatest: bool,
    /// The limit of a swing, on any side.
    pub swing: bool,
}

impl Stops {
    /// Whether the joint is at any limit.
    pub fn any(&self) -> bool {
        self.least || self.greatest || self.swing
    }

    fn set(&mut self, group: Group, lower: bool) {
        match (group, lower) {
            (Group::Swing, _) => self.swing = true,
            (_, true) => self.least = true,
            (_, false) => self.greatest = true,
        }
    }
}

impl Readout {
    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        let Self { force, torque, anchor, axis, .. } = *self;
        let vectors = [force, torque, anchor, axis].iter().all(|v| v.is_finite());
        let Self { error, angular_error, value, speed, spring, motor, limit, swing, energy, .. } = *self;
        vectors
            && [error, angular_error, value, speed, spring, motor, limit, swing, energy].iter().all(|v| v.is_finite())
    }

    /// Norm of the impulse of all linear rows in the last sub-step, N·s.
    pub fn impulse(&self) -> f32 {
        self.force.length() * self.h
    }
}

/// Force, N, and torque, N·m, of a joint's rows on B, world frame.
pub fn load(rows: &[Row], h: f32) -> (Vec3, Vec3) {
    let (mut force, mut torque) = (Vec3A::ZERO, Vec3A::ZERO);
    for row in rows {
        force += row.lin * row.impulse;
        torque += angular(row) * row.impulse;
    }
    (Vec3::from(force) / h, Vec3::from(torque) / h)
}

/// The couple of a row per unit of impulse; zero for a linear row, whose moment comes from its lever arm.
fn angular(row: &Row) -> Vec3A {
    if row.lin == Vec3A::ZERO { row.ang_b } else { Vec3A::ZERO }
}

/// Generalized force of a row along or about the joint's value, N or N·m: see the head of this file.
fn generalized(row: &Row, axis: Vec3, h: f32) -> f32 {
    let share = if row.lin == Vec3A::ZERO { row.ang_b.dot(axis.into()) } else { 1.0 };
    share * row.impulse / h
}

impl Joint {
    /// Updates the value at the present poses if it counts whole turns, because the next sub-step continues from it.
    /// The last update was `h` seconds ago: see [`wound`].
    pub fn count_turns(&mut self, bodies: &[Box<Body>], velocities: &[Velocity], h: f32) {
        if self.def.kind.info().winds && self.broken.is_none() {
            let (a, b) = (&velocities[self.def.a as usize], &velocities[self.def.b as usize]);
            let ends = self.ends(bodies);
            self.readout.value = wound(&self.def.kind, &ends, &Relative::between(&ends, a, b), h);
        }
    }

    /// Reads the joint at the bodies' present state: see [`Self::reading`].
    pub fn read(
        &mut self,
        bodies: &[Box<Body>],
        velocities: &[Velocity],
        specs: &[RowSpec],
        solved: (&[Row], &[RowId]),
        h: f32,
    ) {
        let (a, b) = (self.def.a as usize, self.def.b as usize);
        let state = (self.ends(bodies), [&*bodies[a], &*bodies[b]], [velocities[a], velocities[b]]);
        self.readout = self.reading(&state, specs, solved, h);
    }

    /// Readout of the joint with these ends and its two bodies at these velocities. `specs` are its rows there; `rows`
    /// and `ids` are those of the last solve, a sub-step of `h` seconds.
    pub fn reading(
        &self,
        (ends, [body_a, body_b], [a, b]): &(Ends, [&Body; 2], [Velocity; 2]),
        specs: &[RowSpec],
        (rows, ids): (&[Row], &[RowId]),
        h: f32,
    ) -> Readout {
        let mut read = Readout { h, residual: self.readout.residual, ..Readout::default() };
        if rows.is_empty() {
            read.residual = 0.0;
        }
        let (mut linear, mut turned) = (0.0, 0.0);
        let (mut held, mut axis) = (0, 0.0f32);
        for spec in specs {
            let off = match spec.kind {
                RowKind::Equal { c } | RowKind::Track { c, .. } => c,
                RowKind::AtMost { c } => c.max(0.0),
                RowKind::AtLeast { c } => c.min(0.0),
                RowKind::Drive { .. } => 0.0,
                RowKind::Soft { c, softness, .. } | RowKind::SoftStop { c, softness, .. } => {
                    let mass = softness::spring_mass(spec, specs, self.reference, body_a, body_b).of_spring;
                    read.energy += 0.5 * softness.stiffness(mass) * c * c;
                    0.0
                }
            };
            if off.abs() > EXCEEDED && !matches!(spec.kind, RowKind::Equal { .. } | RowKind::Track { .. }) {
                read.stops.set(spec.group, off < 0.0);
            }
            if !spec.is_angular() {
                linear += off * off;
            } else if spec.group == Group::Axis {
                (held, axis) = (held + 1, axis + off * off);
            } else {
                turned += off * off;
            }
        }
        // The rows' C are sines. Three rows hold an orientation: their C is 2 sin(θ/2) along an axis. Two rows hold an
        // axis: the tips of the two axes are 2 sin(θ/2) apart. The one row of a twist has the angle itself.
        let angle = match held {
            3 => angle_of_chord(axis.sqrt()),
            2 => angle_of_chord(ends.axis_a.distance(ends.axis_b)),
            _ => axis.sqrt(),
        };
        (read.error, read.angular_error) = (linear.sqrt(), (turned + angle * angle).sqrt());

        let mut swing = Vec3A::ZERO;
        for (row, id) in rows.iter().zip(ids) {
            let RowId::Joint { group, .. } = *id else { continue };
            match group {
                Group::Anchor => read.anchor += Vec3::from(row.lin * row.impulse) / h,
                Group::Axis => read.axis += Vec3::from(angular(row) * row.impulse) / h,
                Group::Spring => read.spring += generalized(row, ends.axis_a, h),
                Group::Motor => read.motor += generalized(row, ends.axis_a, h),
                Group::Limit => read.limit += generalized(row, ends.axis_a, h),
                Group::Swing => swing += row.ang_b * row.impulse / h,
                Group::Normal | Group::Friction => {}
            }
            // One-sided rows that push are stops; a drive is bounded on both sides.
            if row.impulse != 0.0 && ((row.lo == 0.0 && row.hi > 0.0) || (row.hi == 0.0 && row.lo < 0.0)) {
                read.stops.set(group, row.lo == 0.0);
            }
        }
        (read.force, read.torque) = load(rows, h);
        read.swing = swing.length();

        (read.value, read.speed) = self.def.kind.measure(ends, &Relative::between(ends, a, b));
        read
    }
}

/// Counts whole turns after a sub-step of `h` seconds.
pub fn count_turns(state: &mut State, h: f32) {
    for joint in &mut state.joints {
        joint.count_turns(&state.bodies, &state.velocities, h);
    }
}

impl World {
    /// Reads all joints anew, as after bodies were moved by hand or joints were replaced. Forces are zero, because
    /// nothing has been solved at these poses.
    pub fn refresh_joints(&mut self) {
        self.settle();
        breaking::exclude(self);
        self.state.joints.iter_mut().for_each(|joint| joint.course = None);
        self.read_joints(None);
    }

    /// Reads errors and values at the present poses, and the forces of the last solve, a sub-step of `solved` seconds;
    /// without forces if `None`.
    pub(super) fn read_joints(&mut self, solved: Option<f32>) {
        let start = Instant::now();
        let mut watch = FaultWatch::default();
        for (index, joint) in self.state.joints.iter_mut().enumerate() {
            // The joint of a sleeping body keeps its readout.
            if self.state.sleep.is_idle((joint.def.a, joint.def.b), &self.state.bodies, &self.state.velocities)
                && solved.is_some()
            {
                continue;
            }
            self.pipeline.buffers.list.rows.clear();
            if joint.broken.is_none() {
                joint.rows(&joint.ends(&self.state.bodies), &mut self.pipeline.buffers.list);
            }
            let range = if solved.is_some() && joint.broken.is_none() { self.system.rows_of(index) } else { 0..0 };
            let rows = (&self.system.rows[range.clone()], &self.system.ids[range]);
            let acted = solved.map_or(1.0, |h| rattle::acted(&self.state.rattle, joint, &self.state.bodies, h));
            joint.read(&self.state.bodies, &self.state.velocities, &self.pipeline.buffers.list.rows, rows, acted);
            if !joint.readout.is_finite() {
                watch.note(joint.def.b, FaultKind::NotFinite);
                joint.readout = Readout { h: joint.readout.h, ..Readout::default() };
            }
        }
        fault::keep(&mut self.state, &mut self.report, watch);
        self.report.phases.integrate += start.elapsed();
    }
}
