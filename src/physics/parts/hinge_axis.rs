//! A's and B's hinge axes stay aligned; the angle about them is free and measured.
//!
//! ```text
//! C_k   = t_k · (aA × aB),  t_1, t_2 ⊥ aA carried by A
//! C-dot = t_k · (wB − wA) to first order in the misalignment
//! J_k   = [0, −t_k, 0, t_k],  K_k = t_kᵀ (I_A⁻¹ + I_B⁻¹) t_k
//! angle: q = qA⁻¹ qB q_ref⁻¹, negated if w < 0;  θ = 2 atan2(a · Im q, w), unwrapped beyond ±π
//! ```
//! The document's `t_k · aB` has a mirrored pose as a second attractor and K = 0 at 90° (erratum 4); the cross product
//! has neither. Source: 000 Hinge axis.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3};

use crate::physics::row::{Ends, Group, Jacobian, Law, RowList};

/// Two rows, slots `slot` and `slot + 1`.
pub fn align(ends: &Ends, slot: u8, rows: &mut RowList) {
    let (u, v) = ends.axis_local.any_orthonormal_pair();
    // At exactly 180° the cross product vanishes: any direction across the axis leads back.
    let opposed = ends.axis_a.dot(ends.axis_b) < -0.9999;
    let error = if opposed { ends.qa * u } else { ends.axis_a.cross(ends.axis_b) };
    for (k, t) in [u, v].into_iter().enumerate() {
        let t = ends.qa * t;
        rows.push(Group::Axis, slot + k as u8, Jacobian::about(t), Law::Equal { c: t.dot(error) });
    }
}

/// The angle of B about the axis in A's frame, rad, the turn nearest to `previous`.
pub fn angle(qa: Quat, qb: Quat, reference: Quat, axis_local: Vec3, previous: f32) -> f32 {
    let q = qa.inverse() * qb * reference.inverse();
    let q = if q.w < 0.0 { -q } else { q };
    let wrapped = 2.0 * axis_local.dot(Vec3::new(q.x, q.y, q.z)).atan2(q.w);
    unwrap(wrapped, previous)
}

/// The same angle by whole turns, the one nearest to `previous`, rad.
pub fn unwrap(angle: f32, previous: f32) -> f32 {
    angle + TAU * ((previous - angle + PI) / TAU).floor()
}
