//! The rows of joints at given poses, classified by their effect on mobility, and the degrees of freedom of bodies.
//!
//! ```text
//! held      C = 0: removes a degree of freedom                   RowKind::Equal, and RowKind::Track
//! driven    J u = speed, up to a cap                             RowKind::Drive
//! stopped   J u ≥ 0 while the value is at a limit                RowKind::AtLeast, and −J for RowKind::AtMost
//! ```
//! Springs remove none. The rows have the corrected forms.

use glam::{DVec3, Mat3, Vec3};

use super::DoctorCase;
use delassus_physics::body::Body;
use delassus_physics::joint::Joint;
use delassus_physics::joints::{Freedom, JointDisplay, JointKind, UNBOUNDED};
use delassus_physics::row::{Jacobian, RowKind, RowList, RowSpec};

/// Tolerances: anchors nearer than `MEET` coincide, m; axes and limits within `AGREE` agree, rad.
pub(super) const MEET: f32 = 1e-3;
pub(super) const AGREE: f32 = 0.01;

/// The effect of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowRole {
    /// The error C, m or rad.
    Held { c: f32 },
    /// The speed, m/s or rad/s, and the largest force or torque, N or N·m.
    Driven { speed: f32, cap: f32 },
    /// A motor with zero speed and a cap: a brake. It resists motion but cannot be relied on to prevent it.
    Braked { cap: f32 },
    /// Only J u ≥ 0 is allowed.
    Stopped,
}

/// A row of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointRow {
    pub joint: usize,
    pub a: u32,
    pub b: u32,
    pub jacobian: Jacobian,
    pub role: RowRole,
}

/// Adds the active rows of a joint at these poses.
pub fn of_joint(index: usize, joint: &Joint, bodies: &[Box<Body>], list: &mut RowList, rows: &mut Vec<JointRow>) {
    if joint.broken.is_some() {
        return;
    }
    list.rows.clear();
    joint.def.kind.linearize(&joint.frames(bodies), list);
    let tight = joint.def.kind.range(joint.rest_length).is_some_and(|(min, max)| max - min < 1e-4);
    for RowSpec { jacobian, kind, .. } in &list.rows {
        let mut push = |jacobian: Jacobian, role| {
            rows.push(JointRow { joint: index, a: joint.def.a, b: joint.def.b, jacobian, role });
        };
        let near = if jacobian.is_angular() { AGREE } else { MEET };
        let reversed = Jacobian::sum(&[(-1.0, *jacobian)]);
        match *kind {
            RowKind::Equal { c } | RowKind::Track { c, .. } => push(*jacobian, RowRole::Held { c }),
            RowKind::Drive { speed, cap, .. } if cap > 0.0 && (speed != 0.0 || cap >= UNBOUNDED) => {
                push(*jacobian, RowRole::Driven { speed, cap });
            }
            RowKind::Drive { cap, .. } if cap > 0.0 => push(*jacobian, RowRole::Braked { cap }),
            RowKind::AtLeast { c } if c < near => {
                push(*jacobian, RowRole::Stopped);
                if tight {
                    push(reversed, RowRole::Stopped);
                }
            }
            RowKind::AtMost { c } if c > -near => {
                push(reversed, RowRole::Stopped);
                if tight && joint.def.kind.info().shown != JointDisplay::Thread {
                    push(*jacobian, RowRole::Stopped);
                }
            }
            // Stops that are not reached, springs, servos and friction prevent no motion.
            RowKind::Drive { .. } | RowKind::AtLeast { .. } | RowKind::AtMost { .. } => {}
            RowKind::Soft { .. } | RowKind::SoftStop { .. } | RowKind::Resist(_) | RowKind::Servo(_) => {}
        }
    }
}

/// The row of a joint's only free value, if it has exactly one: a hinge's angle, a slider's distance.
pub fn free_value(joint: &Joint, bodies: &[Box<Body>]) -> Option<Jacobian> {
    let ends = joint.frames(bodies);
    if let JointKind::SixDof(kind) = &joint.def.kind {
        return kind.only_motion(&ends);
    }
    match joint.def.kind.info().free {
        Freedom::Turn => Some(Jacobian::about(ends.axis_a)),
        Freedom::Slide => Some(Jacobian::along(ends.axis_a, ends.sa(), ends.rb)),
        Freedom::Nothing | Freedom::More => None,
    }
}

/// A degree of freedom of a body: a translation along `shift`, or a rotation about `turn`; unit vectors, world frame.
#[derive(Debug, Clone, Copy)]
pub struct Twist {
    pub shift: Vec3,
    pub turn: Vec3,
}

impl Twist {
    /// The entry of a row for this degree of freedom of `body`; angles are multiplied by `size`, m.
    pub fn row_entry(&self, row: &JointRow, body: u32, size: f32) -> f64 {
        let mut entry = 0.0;
        if body == row.a {
            entry += f64::from(row.jacobian.ang_a.dot(self.turn) / size + row.jacobian.lin_a().dot(self.shift));
        }
        if body == row.b {
            entry += f64::from(row.jacobian.ang_b.dot(self.turn) / size + row.jacobian.lin.dot(self.shift));
        }
        entry
    }
}

/// The six degrees of freedom of a body, or fewer for a particle or in a plane.
pub fn freedoms(case: &DoctorCase<'_>, body: u32) -> Vec<Twist> {
    let shift = |along: Vec3| Twist { shift: along, turn: Vec3::ZERO };
    let turn = |about: Vec3| Twist { shift: Vec3::ZERO, turn: about };
    let rotates = case.world.state.bodies[body as usize].inv_inertia_local != Mat3::ZERO;
    match case.plane(body) {
        Some(normal) => {
            let (u, v) = normal.any_orthonormal_pair();
            [u, v].map(shift).into_iter().chain(rotates.then(|| turn(normal))).collect()
        }
        None => {
            let axes: &[Vec3] = if rotates { &Vec3::AXES } else { &[] };
            Vec3::AXES.map(shift).into_iter().chain(axes.iter().map(|about| turn(*about))).collect()
        }
    }
}

/// The length that converts angles of these bodies to lengths, m.
pub fn size(case: &DoctorCase<'_>, bodies: &[u32]) -> f32 {
    let at = |id: &u32| case.world.state.bodies[*id as usize].position;
    let middle = bodies.iter().map(|id| at(id).as_dvec3()).sum::<DVec3>() / bodies.len().max(1) as f64;
    let reach = |id: &u32| {
        let body = &case.world.state.bodies[*id as usize];
        body.position.distance(middle.as_vec3()) + body.solid.radius
    };
    bodies.iter().map(reach).fold(1e-3, f32::max)
}
