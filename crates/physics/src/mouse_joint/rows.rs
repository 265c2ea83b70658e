//! The three rows of the spring by which the mouse pulls a body.

use glam::Vec3;

use super::MouseJoint;
use crate::body::Body;
use crate::effective_mass::{row, row_mass};
use crate::kernel::row::invert;
use crate::row::{Block, Coupling, Jacobian, Owner, RowId};
use crate::stabilize;
use crate::system::System;

/// Frequency of the spring, Hz.
const HERTZ: f32 = 4.0;
/// The largest acceleration that the spring gives the body, m/s².
const CAP: f32 = 400.0;

/// Adds the three rows of the spring; none where the body cannot be moved.
pub fn rows(mouse_joint: &MouseJoint, bodies: &[Box<Body>], system: &mut System, h: f32) {
    let Some(body) = bodies.get(mouse_joint.body as usize).filter(|b| b.is_dynamic()) else { return };
    let arm = body.rotation * mouse_joint.point;
    let apart = body.position + arm - mouse_joint.target;
    let omega = std::f32::consts::TAU * HERTZ;
    let (k, c) = (body.mass * omega * omega, 2.0 * body.mass * omega);
    let Some((rate, gamma)) = stabilize::spring(k, c, h) else { return };
    let first = system.rows.len() as u32;
    for (slot, t) in Vec3::AXES.into_iter().enumerate() {
        let jacobian = Jacobian { lin: t, ang_a: Vec3::ZERO, ang_b: arm.cross(t), net: Vec3::ZERO };
        let mut row = row(&jacobian, &bodies[0], body);
        row.gamma = gamma;
        row.inv_k = invert(row_mass(&row, 1.0, 1.0) + row.gamma);
        row.bias = rate * apart.dot(t);
        (row.lo, row.hi) = (-CAP * body.mass * h, CAP * body.mass * h);
        system.rows.push(row);
        system.ids.push(RowId::MouseJoint { slot: slot as u8 });
    }
    system.blocks.push(Block {
        owner: Owner::MouseJoint,
        a: 0,
        b: mouse_joint.body,
        first,
        count: 3,
        coupling: Coupling::Rows,
        pseudo: false,
        in_drive_block: false,
    });
}
