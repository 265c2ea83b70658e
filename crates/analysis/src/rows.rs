//! Rows of joints in 64 bits, from the same joint definitions as the rows of the physics.
//!
//! ```text
//! C = 0,   Ċ = J u = Σ over A and B of (lin · v + ang · ω),   v, ω in world axes
//! anchor        C_k = t_k · p, t_k the axes of A, p from A's anchor to B's;   J = along(t_k)
//! rail, plane   C = t · p for t perpendicular to (rail) or along (plane) the axis of A
//! axis          C_k = t_k · (a_A × a_B), t_k perpendicular to the axis of A;  J = about(t_k)
//! orientation   C = 2 sgn(w) Im q of q = q_B q_ref⁻¹ q_A⁻¹;                   J = about(x), about(y), about(z)
//! length        C = ‖p‖ − length;                                             J = along(p/‖p‖)
//! along(t):  lin_B = t, ang_B = r_B × t, lin_A = −t, ang_A = −(s_A × t),  s_A = r_A + p
//! about(t):  ang_B = t, ang_A = −t
//! ```
//! The physics works in 32 bits. Its rows are accurate to 1e-7, which is too coarse for accelerations. Some kinds have
//! no 64-bit form here: gears, racks, belts, pulleys, drums, cams, formulas, joints of six degrees of freedom, and
//! joints with soft rows. Their rows are taken from the physics, and the result says so. Rows of an axis or an
//! orientation are gradients of C to first order, and exact if C = 0. Source: docs/math.md; document 000.

use glam::{DQuat, DVec3};

use crate::frames::{Frames, upright};
use delassus_physics::joint::Joint;
use delassus_physics::joints::{Freedom, JointKind};
use delassus_physics::row::{Jacobian, JointFrames, RowKind, RowList};

/// Where a body is: its centre of mass, m, and its orientation, from body axes to world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    pub position: DVec3,
    pub rotation: DQuat,
}

/// How a body moves, world frame: the velocity of its centre of mass, m/s, and its angular velocity, rad/s.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Twist {
    pub linear: DVec3,
    pub angular: DVec3,
}

/// A row: what one joint requires of two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// The joint; none for the plane of a body that is confined to it.
    pub joint: Option<usize>,
    /// A and B.
    pub bodies: [u32; 2],
    /// Coefficients of the velocities of A and B, and of their angular velocities, in world axes.
    pub linear: [DVec3; 2],
    pub angular: [DVec3; 2],
    /// The error C, m or rad.
    pub error: f64,
}

impl Row {
    /// The speed along the row, J u, for the velocities of A and B, m/s or rad/s.
    pub fn speed(&self, a: Twist, b: Twist) -> f64 {
        self.linear[0].dot(a.linear)
            + self.angular[0].dot(a.angular)
            + self.linear[1].dot(b.linear)
            + self.angular[1].dot(b.angular)
    }

    /// Converts a jacobian of the physics to a row of `joint`, the index of `def`.
    pub(crate) fn of(joint: usize, def: &Joint, jacobian: &Jacobian, error: f64) -> Self {
        Self {
            joint: Some(joint),
            bodies: [def.def.a, def.def.b],
            linear: [jacobian.lin_a().as_dvec3(), jacobian.lin.as_dvec3()],
            angular: [jacobian.ang_a.as_dvec3(), jacobian.ang_b.as_dvec3()],
            error,
        }
    }
}

/// Makes a joint's rows.
pub(crate) struct Maker<'a> {
    index: usize,
    joint: &'a Joint,
    frames: Frames,
    rows: &'a mut Vec<Row>,
}

impl Maker<'_> {
    fn row(&self, linear: [DVec3; 2], angular: [DVec3; 2], error: f64) -> Row {
        let def = &self.joint.def;
        Row { joint: Some(self.index), bodies: [def.a, def.b], linear, angular, error }
    }

    /// A row for the velocity of B's anchor relative to A along `t`.
    fn along(&self, t: DVec3, error: f64) -> Row {
        let Frames { arm_a, arm_b, .. } = self.frames;
        self.row([-t, t], [-arm_a.cross(t), arm_b.cross(t)], error)
    }

    /// A row for the angular velocity of B relative to A about `t`.
    fn about(&self, t: DVec3, error: f64) -> Row {
        self.row([DVec3::ZERO; 2], [-t, t], error)
    }

    /// Keeps the anchors together along `t`.
    fn lock(&mut self, t: DVec3) {
        let row = self.along(t, t.dot(self.frames.p));
        self.rows.push(row);
    }

    /// Keeps the anchors at one point.
    fn anchor(&mut self) {
        for axis in DVec3::AXES {
            self.lock(self.frames.qa * axis);
        }
    }

    /// Keeps B's anchor on A's axis.
    fn rails(&mut self) {
        self.frames.across().into_iter().for_each(|t| self.lock(t));
    }

    /// Keeps the axes of A and B parallel.
    fn axis(&mut self) {
        let error = self.frames.axis_a.cross(self.frames.axis_b);
        for t in self.frames.across() {
            self.rows.push(self.about(t, t.dot(error)));
        }
    }

    /// Keeps the orientation of B relative to A.
    fn orientation(&mut self) {
        let Frames { qa, qb, reference, .. } = self.frames;
        let error = 2.0 * upright(qb * reference.inverse() * qa.inverse()).xyz();
        for axis in DVec3::AXES {
            self.rows.push(self.about(axis, axis.dot(error)));
        }
    }

    /// Keeps the anchors at a distance, m. There is no row if they coincide: they then define no direction.
    fn length(&mut self, length: f64) {
        let distance = self.frames.p.length();
        if distance > 1e-9 {
            let row = self.along(self.frames.p / distance, distance - length);
            self.rows.push(row);
        }
    }

    /// Keeps the axes of A and B perpendicular.
    fn cross(&mut self) {
        let (a, b) = (self.frames.axis_a, self.frames.axis_b);
        self.rows.push(self.about(b.cross(a), a.dot(b)));
    }

    /// Keeps the two shafts of a constant-velocity joint from twisting against each other.
    fn twist(&mut self) {
        let Frames { axis_a, axis_b, axis_local, qb, reference, .. } = self.frames;
        let start = reference * (qb.inverse() * axis_b);
        let q = upright(self.frames.turned() * DQuat::from_rotation_arc(axis_local, start.normalize_or_zero()));
        let angle = 2.0 * axis_local.dot(q.xyz()).atan2(q.w);
        let row = self.about((axis_a + axis_b) / (1.0 + axis_a.dot(axis_b)).max(1e-9), angle);
        self.rows.push(row);
    }

    /// Couples the slide along a screw's axis to its angle: `lead` metres per turn.
    fn thread(&mut self, lead: f64) {
        let Frames { axis_a, axis_local, p, .. } = self.frames;
        let slide = axis_a.dot(p) - axis_local.dot(self.joint.made_gap.as_dvec3());
        let by_angle = -lead / std::f64::consts::TAU;
        let error = slide + by_angle * self.frames.angle();
        let turns = if lead == 0.0 { 0.0 } else { (error / lead).round() };
        let (along, about) = (self.along(axis_a, 0.0), self.about(by_angle * axis_a, 0.0));
        let angular = [0, 1].map(|k| along.angular[k] + about.angular[k]);
        self.rows.push(Row { angular, error: error - turns * lead, ..along });
    }

    /// Makes the joint's equality rows. False if the kind has no 64-bit form here.
    fn make(&mut self) -> bool {
        let rest = f64::from(self.joint.rest_length);
        match &self.joint.def.kind {
            JointKind::BallSocket(_) | JointKind::ConeTwist(_) => self.anchor(),
            JointKind::Hinge(_) | JointKind::RotaryMotor(_) => {
                self.anchor();
                self.axis();
            }
            JointKind::Fixed(_) => {
                self.anchor();
                self.orientation();
            }
            JointKind::Prismatic(_) => {
                self.rails();
                self.orientation();
            }
            JointKind::Cylindrical(_) => {
                self.rails();
                self.axis();
            }
            JointKind::Screw(screw) => {
                self.rails();
                self.axis();
                self.thread(screw.lead.into());
            }
            JointKind::Universal(_) => {
                self.anchor();
                self.cross();
            }
            JointKind::ConstantVelocity(_) => {
                self.anchor();
                self.twist();
            }
            JointKind::Plane(plane) if plane.limit.is_none() && plane.motor.is_none() => self.lock(self.frames.axis_a),
            JointKind::PointOnRing(ring) => {
                self.lock(self.frames.axis_a);
                self.length(ring.radius.map_or(rest, f64::from));
            }
            JointKind::Distance(rod) => self.length(rod.length.map_or(rest, f64::from)),
            JointKind::AxisLock(_) => self.axis(),
            JointKind::OrientationLock(_) => self.orientation(),
            JointKind::Plane(_) | JointKind::Rope(_) | JointKind::Spring(_) | JointKind::AngularMotor(_) => {}
            JointKind::Gear(_) | JointKind::Rack(_) | JointKind::Belt(_) | JointKind::Pulley(_) => return false,
            JointKind::Drum(_) | JointKind::Cam(_) | JointKind::SixDof(_) | JointKind::Formula(_) => return false,
        }
        true
    }
}

/// The frames of a joint as the physics computes them, in 32 bits.
pub(crate) fn single_precision_frames(joint: &Joint, [a, b]: [&Pose; 2]) -> JointFrames {
    let pose = |pose: &Pose| (pose.position.as_vec3(), pose.rotation.as_quat());
    joint.frames_at(pose(a), pose(b))
}

/// Whether the joint's rows are taken from the physics, in 32 bits.
pub fn is_single_precision(joint: &Joint) -> bool {
    let kind = &joint.def.kind;
    let coarse = kind.is_coupling() && !matches!(kind, JointKind::Screw(_));
    let coarse = coarse || matches!(kind, JointKind::Pulley(_) | JointKind::Drum(_) | JointKind::SixDof(_));
    let coarse = coarse || matches!(kind, JointKind::Formula(_));
    coarse || joint.def.options.soft.is_some()
}

/// Adds the joint's equality rows (C = 0 is required) at these poses of A and B.
pub fn constraints(index: usize, joint: &Joint, poses: [&Pose; 2], rows: &mut Vec<Row>) {
    if joint.broken.is_some() {
        return;
    }
    if !is_single_precision(joint) {
        let frames = Frames::of(joint, poses[0], poses[1]);
        if (Maker { index, joint, frames, rows }).make() {
            return;
        }
    }
    let mut list = RowList::default();
    joint.rows(&single_precision_frames(joint, poses), &mut list);
    for spec in &list.rows {
        if let RowKind::Equal { c } | RowKind::Track { c, .. } = spec.kind {
            rows.push(Row::of(index, joint, &spec.jacobian, c.into()));
        }
    }
}

/// What a joint's value measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// B's angle about the axis, rad.
    Angle,
    /// B's slide along the axis, m.
    Slide,
    /// The distance of the anchors, m.
    Length,
}

impl Measure {
    /// What the value of this kind of joint measures; `None` if it has no single value that can be driven.
    pub fn of(kind: &JointKind) -> Option<Self> {
        Some(match kind {
            JointKind::Hinge(_) | JointKind::RotaryMotor(_) | JointKind::AxisLock(_) => Self::Angle,
            JointKind::Prismatic(_) | JointKind::Cylindrical(_) | JointKind::Screw(_) => Self::Slide,
            JointKind::Plane(plane) if plane.limit.is_some() || plane.motor.is_some() => Self::Slide,
            JointKind::Spring(_) | JointKind::Rope(_) => Self::Length,
            JointKind::SixDof(_) => match kind.info().free {
                Freedom::Turn => Self::Angle,
                Freedom::Slide => Self::Slide,
                Freedom::Nothing | Freedom::More => return None,
            },
            _ => return None,
        })
    }

    /// The units of the value, of its rate, and of the force or torque that drives it.
    pub fn units(self) -> [&'static str; 3] {
        match self {
            Self::Angle => ["rad", "rad/s", "N·m"],
            Self::Slide | Self::Length => ["m", "m/s", "N"],
        }
    }

    /// Converts a value, rad or m, to the unit that is shown: degrees or m.
    pub fn shown(self, value: f64) -> f64 {
        if self == Self::Angle { value.to_degrees() } else { value }
    }

    /// Converts a value that a user wrote, degrees or m, to rad or m.
    pub fn from_shown(self, shown: f64) -> f64 {
        if self == Self::Angle { shown.to_radians() } else { shown }
    }

    /// The unit in which a value is shown.
    pub fn shown_unit(self) -> &'static str {
        if self == Self::Angle { "deg" } else { "m" }
    }

    /// A value with its unit as text; an angle in degrees.
    pub fn words(self, value: f64) -> String {
        // No negative zero.
        let rounded = |by: f64| (self.shown(value) * by).round() / by + 0.0;
        match self {
            Self::Angle => format!("{:.4}°", rounded(1e4)),
            Self::Slide | Self::Length => format!("{:.6} m", rounded(1e6)),
        }
    }
}

/// The joint's value as a row: its error is the value, rad or m, and its J u is the value's rate. An angle gets the
/// whole turns that bring it nearest to `before`, rad. `None` if the joint has no single value.
pub fn value(index: usize, joint: &Joint, poses: [&Pose; 2], before: f64) -> Option<Row> {
    let measure = Measure::of(&joint.def.kind)?;
    if let JointKind::SixDof(six) = &joint.def.kind {
        let single = single_precision_frames(joint, poses);
        let value = f64::from(six.values(&single)[six.measured()?]);
        return Some(Row::of(index, joint, &six.only_motion(&single)?, unwrapped(measure, value, before)));
    }
    let frames = Frames::of(joint, poses[0], poses[1]);
    let zero = f64::from(joint.def.kind.zero());
    let maker = Maker { index, joint, frames, rows: &mut Vec::new() };
    Some(match measure {
        Measure::Angle => maker.about(maker.frames.axis_a, unwrapped(measure, maker.frames.angle() - zero, before)),
        Measure::Slide => maker.along(maker.frames.axis_a, maker.frames.axis_a.dot(maker.frames.p) - zero),
        Measure::Length => maker.along(maker.frames.p.normalize_or_zero(), maker.frames.p.length()),
    })
}

/// An angle plus the whole turns that bring it nearest to `before`, rad; a length as it is.
fn unwrapped(measure: Measure, value: f64, before: f64) -> f64 {
    use std::f64::consts::TAU;
    if measure == Measure::Angle { value + TAU * ((before - value) / TAU).round() } else { value }
}
