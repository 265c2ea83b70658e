//! What joints ask at given poses, sorted by what it means for moving, and the ways in which a body can.
//!
//! ```text
//! held      C = 0: takes a way to move away                      Law::Equal, and Law::Track
//! driven    J u = speed, as far as its cap reaches               Law::Drive
//! stopped   J u ≥ 0 while the value stands at a limit            Law::AtLeast, and −J for Law::AtMost
//! ```
//! Springs hold nothing. Rows are taken in the corrected forms.

use glam::{DVec3, Mat3, Vec3};

use super::DoctorCase;
use crate::physics::body::Body;
use crate::physics::joint::Joint;
use crate::physics::joints::{Freedom, JointDisplay, UNBOUNDED};
use crate::physics::row::{Jacobian, RowKind, RowList, RowSpec};

/// Anchors nearer than this meet, m, and axes and limits nearer than that agree, rad.
pub(super) const MEET: f32 = 1e-3;
pub(super) const AGREE: f32 = 0.01;

/// What a row means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowRole {
    /// C, m or rad.
    Held { c: f32 },
    /// Speed, m/s or rad/s, and the most force or torque.
    Driven { speed: f32, cap: f32 },
    /// Only J u ≥ 0 is left.
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

/// Adds the rows of a joint as it stands among these bodies.
pub fn of_joint(index: usize, joint: &Joint, bodies: &[Box<Body>], list: &mut RowList, rows: &mut Vec<JointRow>) {
    if joint.broken.is_some() {
        return;
    }
    list.rows.clear();
    joint.def.kind.linearize(&joint.ends(bodies), list);
    let tight = joint.def.kind.range(joint.rest_length).is_some_and(|(min, max)| max - min < 1e-4);
    for RowSpec { jacobian, kind, .. } in &list.rows {
        let mut push = |jacobian: Jacobian, role| {
            rows.push(JointRow { joint: index, a: joint.def.a, b: joint.def.b, jacobian, role });
        };
        let near = if jacobian.lin == Vec3::ZERO { AGREE } else { MEET };
        let turned = Jacobian { lin: -jacobian.lin, ang_a: -jacobian.ang_a, ang_b: -jacobian.ang_b };
        match *kind {
            RowKind::Equal { c } | RowKind::Track { c, .. } => push(*jacobian, RowRole::Held { c }),
            // A motor that holds still and can be overpowered is a brake: friction, which forbids nothing.
            RowKind::Drive { speed, cap, .. } if cap > 0.0 && (speed != 0.0 || cap >= UNBOUNDED) => {
                push(*jacobian, RowRole::Driven { speed, cap });
            }
            RowKind::AtLeast { c } if c < near => {
                push(*jacobian, RowRole::Stopped);
                if tight {
                    push(turned, RowRole::Stopped);
                }
            }
            RowKind::AtMost { c } if c > -near => {
                push(turned, RowRole::Stopped);
                if tight && joint.def.kind.info().shown != JointDisplay::Thread {
                    push(*jacobian, RowRole::Stopped);
                }
            }
            // Stops that are not met, brakes and springs forbid nothing.
            RowKind::Drive { .. } | RowKind::AtLeast { .. } | RowKind::AtMost { .. } => {}
            RowKind::Soft { .. } | RowKind::SoftStop { .. } => {}
        }
    }
}

/// The row of the one value that a joint leaves free, if it is such a joint: a hinge's angle, a slider's slide.
pub fn free_value(joint: &Joint, bodies: &[Box<Body>]) -> Option<Jacobian> {
    let ends = joint.ends(bodies);
    match joint.def.kind.info().free {
        Freedom::Turn => Some(Jacobian::about(ends.axis_a)),
        Freedom::Slide => Some(Jacobian::along(ends.axis_a, ends.sa(), ends.rb)),
        Freedom::Nothing | Freedom::More => None,
    }
}

/// A way in which a body can move: a shift along it, or a turn about it.
#[derive(Debug, Clone, Copy)]
pub struct Twist {
    pub shift: Vec3,
    pub turn: Vec3,
}

impl Twist {
    /// What a row makes of it for one of its bodies; angles count times `size`.
    pub fn through(&self, row: &JointRow, body: u32, size: f32) -> f64 {
        let mut entry = 0.0;
        if body == row.a {
            entry += f64::from(row.jacobian.ang_a.dot(self.turn) / size - row.jacobian.lin.dot(self.shift));
        }
        if body == row.b {
            entry += f64::from(row.jacobian.ang_b.dot(self.turn) / size + row.jacobian.lin.dot(self.shift));
        }
        entry
    }
}

/// All six ways of a body, or those that are left to a particle or in a plane.
pub fn ways(case: &DoctorCase<'_>, body: u32) -> Vec<Twist> {
    let shift = |along: Vec3| Twist { shift: along, turn: Vec3::ZERO };
    let turn = |about: Vec3| Twist { shift: Vec3::ZERO, turn: about };
    let turns = case.world.bodies[body as usize].inv_inertia_local != Mat3::ZERO;
    match case.plane(body) {
        Some(normal) => {
            let (u, v) = normal.any_orthonormal_pair();
            [u, v].map(shift).into_iter().chain(turns.then(|| turn(normal))).collect()
        }
        None => {
            let turned: &[Vec3] = if turns { &Vec3::AXES } else { &[] };
            Vec3::AXES.map(shift).into_iter().chain(turned.iter().map(|about| turn(*about))).collect()
        }
    }
}

/// The length by which angles among these bodies are measured, m.
pub fn size(case: &DoctorCase<'_>, bodies: &[u32]) -> f32 {
    let at = |id: &u32| case.world.bodies[*id as usize].position;
    let middle = bodies.iter().map(|id| at(id).as_dvec3()).sum::<DVec3>() / bodies.len().max(1) as f64;
    let reach = |id: &u32| {
        let body = &case.world.bodies[*id as usize];
        body.position.distance(middle.as_vec3()) + body.solid.radius
    };
    bodies.iter().map(reach).fold(1e-3, f32::max)
}
