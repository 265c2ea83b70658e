//! How joints are read after a step: errors and values at the present poses, forces from the impulses of the last
//! solve.

use glam::{Vec3, Vec3A};

use super::body::{Body, Velocity};
use super::fault::{FaultKind, FaultWatch, check};
use super::joint::Joint;
use super::joints::{JointKind, Relative, unwrapped_value};
use super::rattle::state::acted;
use super::readout::{Readout, angle_of_chord, angular, load};
use super::row::{Group, JointFrames, Resistance, Row, RowId, RowKind, RowList, RowSpec};
use super::softness;
use super::system::System;
use super::world::report::Report;
use super::world::state::State;

use crate::clock::Instant;

/// Generalized force of a row along or about the joint's value, N or N·m: see `readout.rs`.
fn generalized(row: &Row, axis: Vec3, h: f32) -> f32 {
    let share = if row.is_angular() { row.ang_b.dot(axis.into()) } else { 1.0 };
    share * row.impulse / h
}

/// A limit without an impulse counts as reached only if it is exceeded by more than this, rad or m: less may be rounding.
const EXCEEDED: f32 = 1e-5;

impl Joint {
    /// Updates the value at the present poses if it counts whole turns, because the next sub-step continues from it.
    /// The last update was `h` seconds ago: see [`unwrapped_value`].
    pub fn count_turns(&mut self, bodies: &[Box<Body>], velocities: &[Velocity], h: f32) {
        if self.def.kind.info().winds && self.broken.is_none() {
            let (a, b) = (&velocities[self.def.a as usize], &velocities[self.def.b as usize]);
            let frames = self.frames(bodies);
            self.readout.value = unwrapped_value(&self.def.kind, &frames, &Relative::between(&frames, a, b), h);
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
        let state = (self.frames(bodies), [&*bodies[a], &*bodies[b]], [velocities[a], velocities[b]]);
        self.readout = self.reading(&state, specs, solved, h);
    }

    /// Readout of the joint with these frames and its two bodies at these velocities. `specs` are its rows there;
    /// `rows` and `ids` are those of the last solve, a sub-step of `h` seconds.
    pub fn reading(
        &self,
        (frames, [body_a, body_b], [a, b]): &(JointFrames, [&Body; 2], [Velocity; 2]),
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
                RowKind::Servo(_) => {
                    if read.sprung == 0.0 {
                        read.sprung = softness::spring_mass(spec, specs, self.reference, body_a, body_b).of_spring;
                    }
                    0.0
                }
                RowKind::Resist(own) => {
                    if let Resistance::Armature { inertia } = own {
                        read.energy += 0.5 * inertia * spec.speed(a, b).powi(2);
                    }
                    0.0
                }
                RowKind::Soft { c, softness, .. } | RowKind::SoftStop { c, softness, .. } => {
                    let mass = softness::spring_mass(spec, specs, self.reference, body_a, body_b).of_spring;
                    if spec.group == Group::Spring {
                        read.sprung = mass;
                    }
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
            2 if self.def.kind.axes().is_some() => axis.sqrt(),
            3 => angle_of_chord(axis.sqrt()),
            2 => angle_of_chord(frames.axis_a.distance(frames.axis_b)),
            _ => axis.sqrt(),
        };
        (read.error, read.angular_error) = (linear.sqrt(), (turned + angle * angle).sqrt());

        let mut swing = Vec3A::ZERO;
        for (row, id) in rows.iter().zip(ids) {
            let RowId::Joint { group, slot, .. } = *id else { continue };
            match group {
                Group::Motor | Group::Limit if let JointKind::SixDof(kind) = &self.def.kind => {
                    let along = if kind.is_of_value(slot) { row.impulse / h } else { 0.0 };
                    if group == Group::Motor { read.motor += along } else { read.limit += along }
                }
                Group::Anchor => read.anchor += Vec3::from(row.lin * row.impulse) / h,
                Group::Axis => read.axis += Vec3::from(angular(row) * row.impulse) / h,
                Group::Spring => read.spring += generalized(row, frames.axis_a, h),
                Group::Motor => read.motor += generalized(row, frames.axis_a, h),
                Group::JointFriction => read.friction += generalized(row, frames.axis_a, h),
                Group::Damper => read.damping += generalized(row, frames.axis_a, h),
                Group::Limit => read.limit += generalized(row, frames.axis_a, h),
                Group::Swing => swing += row.ang_b * row.impulse / h,
                Group::Coupling => read.coupling += row.impulse / h,
                Group::Armature | Group::Normal | Group::Friction => {}
            }
            // One-sided rows that push are stops; a drive is bounded on both sides.
            if row.impulse != 0.0 && ((row.lo == 0.0 && row.hi > 0.0) || (row.hi == 0.0 && row.lo < 0.0)) {
                read.stops.set(group, row.lo == 0.0);
            }
        }
        (read.force, read.torque) = load(rows, h);
        read.swing = swing.length();

        (read.slides, read.angles) = self.def.kind.six_values(frames);
        (read.value, read.speed) = self.def.kind.measure(frames, &Relative::between(frames, a, b));
        read
    }
}

/// Counts whole turns after a sub-step of `h` seconds.
pub fn count_turns(state: &mut State, h: f32) {
    for joint in &mut state.joints {
        joint.count_turns(&state.bodies, &state.velocities, h);
    }
}

/// Reads errors and values at the present poses, and the forces of the last solve, a sub-step of `solved` seconds;
/// without forces if `None`.
pub(super) fn joints(state: &mut State, system: &System, report: &mut Report, list: &mut RowList, solved: Option<f32>) {
    let start = Instant::now();
    let State { bodies, velocities, joints, sleep, rattle, .. } = &mut *state;
    let mut watch = FaultWatch::default();
    for (index, joint) in joints.iter_mut().enumerate() {
        // The joint of a sleeping body keeps its readout.
        if sleep.is_idle((joint.def.a, joint.def.b), bodies, velocities) && solved.is_some() {
            continue;
        }
        list.rows.clear();
        if joint.broken.is_none() {
            joint.rows(&joint.frames(bodies), list);
        }
        let range = if solved.is_some() && joint.broken.is_none() { system.rows_of(index) } else { 0..0 };
        let rows = (&system.rows[range.clone()], &system.ids[range]);
        let acted = solved.map_or(1.0, |h| acted(rattle, joint, bodies, h));
        joint.read(bodies, velocities, &list.rows, rows, acted);
        if !joint.readout.is_finite() {
            watch.record(joint.def.b, FaultKind::NotFinite);
            joint.readout = Readout { h: joint.readout.h, ..Readout::default() };
        }
    }
    check::keep(state, report, watch);
    report.phases.integrate += start.elapsed();
}
