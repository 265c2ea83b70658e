//! What can be read off a joint after a step: errors and values at the new poses, forces by what its rows are for.
//!
//! ```text
//! force  = Σ λ lin / h    over all rows, on B at B's anchor, and its opposite on A
//! torque = Σ λ angB / h   over the angular rows (lin = 0): what the anchor's lever arm does not account for
//! energy = ½ k C²         over the soft rows, k = m ω², m = 1/K at the present poses (`softness.rs`)
//! ```
//! The impulses are those of the last sub-step's velocity solve; a split position correction adds none.
//!
//! A row's jacobian need not be of unit length, so λ alone is no torque: a stop written on 2 sin(θ/2) has cos(θ/2), an
//! ellipse of 10° by 60° has 1/6 on its long side. What motor, spring and limit do is the generalized force that goes
//! with the joint's value x, Q dx = work: about A's axis a, on which both a hinge's angle and a twist grow as fast as B
//! turns,
//!
//! ```text
//! Q = Σ λ a · angB / h  (angular rows),  Σ λ / h  (linear ones, of unit length)      Q > 0 drives the value up
//! ```
//! A swing is limited to any side, and its torque, Σ λ angB / h, is read by its norm.

use std::time::Instant;

use glam::{Vec3, Vec3A};

use super::body::{Body, Velocity};
use super::breaking;
use super::effective_mass;
use super::fault::{self, FaultKind, FaultWatch};
use super::joint::Joint;
use super::joints::Relative;
use super::rattle;
use super::row::{Ends, Group, Row, RowId, RowKind, RowSpec};
use super::world::World;

/// What can be read off a joint after a step. World frame, SI units; forces are on B.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Readout {
    /// How far the anchors are from where they should be, m.
    pub error: f32,
    /// The angle by which orientations are from where they should be, rad: of a lock the turn that leads back, of a hinge
    /// the lean of its axes, of a stop how far it is passed; of several the root of the sum of squares.
    pub angular_error: f32,
    /// What the kind measures, rad or m: see [`super::joints::JointInfo::measures`].
    pub value: f32,
    /// Rate of `value`.
    pub speed: f32,
    /// Force of all linear rows, limits and motors included, N, and torque of all angular ones, N·m.
    pub force: Vec3,
    pub torque: Vec3,
    /// Force of the anchor's rows, N.
    pub anchor: Vec3,
    /// Torque of the rows that hold an orientation or an axis, N·m.
    pub axis: Vec3,
    /// What the spring, the motor and the limits do, N along what the joint measures or N·m about its axis; above zero
    /// where they drive the value up.
    pub spring: f32,
    pub motor: f32,
    pub limit: f32,
    /// Norm of the torque of a swing's limit, N·m.
    pub swing: f32,
    /// Stored in its soft rows, J.
    pub energy: f32,
    /// The largest velocity by which a row of it was still wrong after the last sweep, m/s or rad/s.
    pub residual: f32,
    /// Length of the sub-step, s: an impulse is its force times this.
    pub h: f32,
    pub stops: Stops,
}

/// The angle, rad, at whose ends two points of the unit circle are so far apart, 2 sin(θ/2).
pub fn angle_of_chord(chord: f32) -> f32 {
    2.0 * (0.5 * chord).min(1.0).asin()
}

/// The limits that a joint stands at: those that push, or are overrun.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stops {
    /// The least value.
    pub least: bool,
    /// The greatest, or a rope that is taut.
    pub greatest: bool,
    /// Any side of a swing's limit.
    pub swing: bool,
}

impl Stops {
    /// Whether it stands at any.
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
    /// Whether every number of it is one.
    pub fn is_finite(&self) -> bool {
        let Self { force, torque, anchor, axis, .. } = *self;
        let vectors = [force, torque, anchor, axis].iter().all(|v| v.is_finite());
        let Self { error, angular_error, value, speed, spring, motor, limit, swing, energy, .. } = *self;
        vectors
            && [error, angular_error, value, speed, spring, motor, limit, swing, energy].iter().all(|v| v.is_finite())
    }

    /// Norm of all that the linear rows passed on in the last sub-step, N·s.
    pub fn impulse(&self) -> f32 {
        self.force.length() * self.h
    }
}

/// The force, N, and torque, N·m, on B of a joint's rows.
pub fn load(rows: &[Row], h: f32) -> (Vec3, Vec3) {
    let (mut force, mut torque) = (Vec3A::ZERO, Vec3A::ZERO);
    for row in rows {
        force += row.lin * row.impulse;
        torque += angular(row) * row.impulse;
    }
    (Vec3::from(force) / h, Vec3::from(torque) / h)
}

/// The couple of a row of unit impulse; none of a linear row, whose moment is its lever arm's.
fn angular(row: &Row) -> Vec3A {
    if row.lin == Vec3A::ZERO { row.ang_b } else { Vec3A::ZERO }
}

/// What a row does along or about what its joint measures, N or N·m: see the file's head.
fn generalized(row: &Row, axis: Vec3, h: f32) -> f32 {
    let share = if row.lin == Vec3A::ZERO { row.ang_b.dot(axis.into()) } else { 1.0 };
    share * row.impulse / h
}

impl Joint {
    /// Notes the value at the bodies' present poses, if it counts whole turns: the next step goes on from it.
    pub fn count_turns(&mut self, bodies: &[Box<Body>]) {
        if self.def.kind.info().winds {
            let still = Relative { angular: Vec3::ZERO, anchors: Vec3::ZERO };
            (self.readout.value, _) = self.def.kind.measure(&self.ends(bodies), &still);
        }
    }

    /// Reads the joint off the bodies' present state: see [`Self::reading`].
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

    /// What is read of the joint with its ends there and its two bodies at these velocities. `specs` are its rows
    /// there; `rows` and `ids` those of the last solve, a sub-step of `h` seconds.
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
                RowKind::Soft { c, softness } | RowKind::SoftStop { c, softness, .. } => {
                    let mass = effective_mass::row(&spec.jacobian, body_a, body_b).inv_k;
                    read.energy += 0.5 * softness.stiffness(mass) * c * c;
                    0.0
                }
            };
            if off != 0.0 && !matches!(spec.kind, RowKind::Equal { .. } | RowKind::Track { .. }) {
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
        // Rows say sines. Three hold an orientation, their C is 2 sin(θ/2) along an axis; two hold an axis, whose tips
        // are 2 sin(θ/2) apart; the one of a twist says the angle itself.
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

        let (wa, wb) = (Vec3::from(a.angular), Vec3::from(b.angular));
        let anchors = Vec3::from(b.linear) + wb.cross(ends.rb) - Vec3::from(a.linear) - wa.cross(ends.sa());
        (read.value, read.speed) = self.def.kind.measure(ends, &Relative { angular: wb - wa, anchors });
        read
    }
}

impl World {
    /// Whether somebody reads the joints after the step; geometric stiffness is made of what they bear.
    pub(super) fn reads(&self) -> bool {
        self.readouts || self.settings.stabilization.geometric_stiffness
    }

    /// Goes on counting the turns of what turns.
    pub(super) fn count_turns(&mut self) {
        let start = Instant::now();
        for joint in &mut self.joints {
            joint.count_turns(&self.bodies);
        }
        self.phases.integrate += start.elapsed();
    }

    /// Reads all joints off the bodies anew, as after bodies were put elsewhere by hand or joints exchanged. Nothing
    /// was solved there.
    pub fn refresh_joints(&mut self) {
        self.settle();
        breaking::exclude(self);
        self.joints.iter_mut().for_each(|joint| joint.course = None);
        self.read_joints(None);
    }

    /// Errors and angles at the present poses, and the forces of the last solve, a sub-step of `solved` seconds.
    pub(super) fn read_joints(&mut self, solved: Option<f32>) {
        let start = Instant::now();
        let mut watch = FaultWatch::default();
        for (index, joint) in self.joints.iter_mut().enumerate() {
            // What sleeps bears what it bore.
            if self.sleep.is_idle((joint.def.a, joint.def.b), &self.bodies, &self.velocities) && solved.is_some() {
                continue;
            }
            self.list.rows.clear();
            if joint.broken.is_none() {
                joint.rows(&joint.ends(&self.bodies), &mut self.list);
            }
            let range = if solved.is_some() && joint.broken.is_none() { self.system.rows_of(index) } else { 0..0 };
            let rows = (&self.system.rows[range.clone()], &self.system.ids[range]);
            let acted = solved.map_or(1.0, |h| rattle::acted(&self.rattle, joint, &self.bodies, h));
            joint.read(&self.bodies, &self.velocities, &self.list.rows, rows, acted);
            if !joint.readout.is_finite() {
                watch.note(joint.def.b, FaultKind::NotFinite);
                joint.readout = Readout { h: joint.readout.h, ..Readout::default() };
            }
        }
        fault::keep(self, watch);
        self.phases.integrate += start.elapsed();
    }
}
