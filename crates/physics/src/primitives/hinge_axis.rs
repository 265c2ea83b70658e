//! A's and B's hinge axes stay aligned; the angle about them is free and can be measured.
//!
//! ```text
//! C_k   = t_k · (aA × aB),  t_1, t_2 ⊥ aA carried by A
//! C-dot = t_k · (wB − wA) to first order in the misalignment
//! J_k   = [0, −t_k, 0, t_k],  K_k = t_kᵀ (I_A⁻¹ + I_B⁻¹) t_k
//! angle: q = qA⁻¹ qB q_ref⁻¹, negated if w < 0;  θ = 2 atan2(a · Im q, w), unwrapped beyond ±π
//! ```
//! The document's `t_k · aB` has a mirrored pose as a second attractor and K = 0 at 90° (erratum 4); the cross
//! product has neither. The setting `formulation.hinge`, or the joint itself, selects another form:
//!
//! ```text
//! two-axis           C_k = t_k · aB         J_k about aB × t_k         exact; mirrored rest pose (erratum 4)
//! vector             C = 1 − aA · aB        J about aA × aB            one row; J = 0 at C = 0, and none there
//! vector, as printed C = aA · aB            J about aB × aA            one row; rests where axes cross (erratum 19)
//! quaternion         C_k = 2 t_k · Im q     see `quaternion.rs`        exact
//! ```
//! Source: 000 Hinge axis; 004 ch. 14, 17.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3};

use super::quaternion;
use crate::kernel::joint::{OPPOSED, axis_error};
use crate::row::{Group, Jacobian, JointFrames, RowKind, RowList};
use crate::settings::HingeForm;

/// The sine of the angle between the axes below which the direction of the tilt is only rounding error, so that no row
/// can be written along it.
const NO_SIDE: f32 = 1e-4;

/// The axis rows in the given form: one or two rows, slots `slot` and `slot + 1`.
pub fn lock_axis(frames: &JointFrames, form: HingeForm, slot: u8, rows: &mut RowList) {
    let (a, b) = (frames.axis_a, frames.axis_b);
    let mut row = |slot, about: Vec3, c| rows.push(Group::Axis, slot, Jacobian::about(about), RowKind::Equal { c });
    match form {
        HingeForm::CrossProduct => align(frames, slot, rows),
        HingeForm::TwoAxis => {
            let (u, v) = frames.axis_local.any_orthonormal_pair();
            for (k, t) in [frames.qa * u, frames.qa * v].into_iter().enumerate() {
                row(slot + k as u8, b.cross(t), t.dot(b));
            }
        }
        HingeForm::Vector | HingeForm::VectorAsPrinted if a.cross(b).length() < NO_SIDE => {}
        HingeForm::Vector => {
            // 1 − cos θ as sin²θ/(1 + cos θ): near zero the difference would be all rounding.
            let (sine, cosine) = (a.cross(b), a.dot(b));
            let c = if cosine > 0.0 { sine.length_squared() / (1.0 + cosine) } else { 1.0 - cosine };
            row(slot, sine, c);
        }
        HingeForm::VectorAsPrinted => row(slot, b.cross(a), a.dot(b)),
        HingeForm::Quaternion => {
            let (u, v) = frames.axis_local.any_orthonormal_pair();
            let q = quaternion::aligned(frames);
            quaternion::lock(frames, q, u, slot, rows);
            quaternion::lock(frames, q, v, slot + 1, rows);
        }
    }
}

/// The two rows of the cross product, slots `slot` and `slot + 1`.
pub fn align(frames: &JointFrames, slot: u8, rows: &mut RowList) {
    let (u, v) = frames.axis_local.any_orthonormal_pair();
    align_across(frames, [(slot, u), (slot + 1, v)], rows);
}

/// The same about two directions across the axis in A's frame, each with its slot.
pub fn align_across(frames: &JointFrames, across: [(u8, Vec3); 2], rows: &mut RowList) {
    // At exactly 180° the cross product vanishes: any direction across the axis leads back.
    let opposed = frames.axis_a.dot(frames.axis_b) < OPPOSED;
    let error = if opposed { frames.qa * across[0].1 } else { axis_error(frames.axis_a, frames.axis_b) };
    for (slot, t) in across {
        let t = frames.qa * t;
        rows.push(Group::Axis, slot, Jacobian::about(t), RowKind::Equal { c: t.dot(error) });
    }
}

/// The angle of B about the axis in A's frame, rad; of the equivalent angles the one nearest to `previous`.
pub fn angle(qa: Quat, qb: Quat, reference: Quat, axis_local: Vec3, previous: f32) -> f32 {
    let q = qa.inverse() * qb * reference.inverse();
    let q = if q.w < 0.0 { -q } else { q };
    let wrapped = 2.0 * axis_local.dot(Vec3::new(q.x, q.y, q.z)).atan2(q.w);
    unwrap(wrapped, previous)
}

/// The same angle within ±π, rad.
pub fn wrapped(frames: &JointFrames) -> f32 {
    angle(frames.qa, frames.qb, frames.reference, frames.axis_local, 0.0)
}

/// The angle plus whole turns that is nearest to `previous`, rad.
pub fn unwrap(angle: f32, previous: f32) -> f32 {
    angle + TAU * ((previous - angle + PI) / TAU).floor()
}
