//! B keeps its orientation in A's frame.
//!
//! ```text
//! q_err = qB q_ref⁻¹ qA⁻¹     the rotation, in world axes, from B's wanted orientation to its present one
//! c     = 2 sgn(w) Im(q_err)  the short way round; c ≈ angle · axis
//! C_i   = c_i,  J_i = [0, −e_i, 0, e_i],  K_i = e_iᵀ (I_A⁻¹ + I_B⁻¹) e_i
//! ```
//! λ > 0 rotates B about +e_i. Exact to first order in the error. The document takes the error in A's frame, without
//! choosing its sign, as 2 Im(qA⁻¹ qB q_ref⁻¹), but applies it on world axes, which diverges once A has rotated past
//! about 90° (erratum 1). The book's rows are those of `quaternion.rs` about A's three axes. Both are available
//! through the setting `formulation.orientation` or the joint itself. Source: 000 Orientation lock; 004 ch. 16.

use glam::{Quat, Vec3};

use super::quaternion;
use crate::kernel::joint::orientation_error;
use crate::row::{Group, Jacobian, JointFrames, RowKind, RowList, RowSpec, Softness, SpringMass};
use crate::settings::OrientationForm;

/// The rotation from B's wanted orientation to its present one as a vector in world axes, rad to first order.
pub fn error(qa: Quat, qb: Quat, reference: Quat) -> Vec3 {
    let q = qb * reference.inverse() * qa.inverse();
    orientation_error(q.xyz(), q.w)
}

/// Three rows in the given form, slots `slot..slot + 3`.
pub fn lock(frames: &JointFrames, form: OrientationForm, slot: u8, rows: &mut RowList) {
    let q = quaternion::relative(frames);
    let c = match form {
        OrientationForm::WorldAxes => error(frames.qa, frames.qb, frames.reference),
        OrientationForm::AsPrinted => 2.0 * Vec3::new(q.x, q.y, q.z),
        OrientationForm::Quaternion => {
            for (k, axis) in Vec3::AXES.into_iter().enumerate() {
                quaternion::lock(frames, q, axis, slot + k as u8, rows);
            }
            return;
        }
    };
    for (k, axis) in Vec3::AXES.into_iter().enumerate() {
        rows.push(Group::Axis, slot + k as u8, Jacobian::about(axis), RowKind::Equal { c: c[k] });
    }
}

/// Replaces the three rigid rows of an orientation, where `rows` has them, by springs that have a potential.
///
/// ```text
/// C_k = 2 u_k · Im q,  u_k the axes of A,  q = qA⁻¹ qB q_ref⁻¹ with w ≥ 0     a chord: 2 sin(θ/2) for a turn about u_k
/// V   = Σ ½ k_k C_k²,  k_k constant        torque −Σ k_k C_k m_k with m_k = ∂C_k of `quaternion.rs`: k sin θ about u_k
/// ```
/// Rows about the world's axes are exact to first order only, and the inertia about such an axis changes as the body
/// turns. A spring on them does work on every round trip.
pub fn sprung(frames: &JointFrames, softness: Softness, rows: &mut RowList) {
    let held = |spec: &&mut RowSpec| spec.group == Group::Axis && matches!(spec.kind, RowKind::Equal { .. });
    if rows.rows.iter_mut().filter(held).count() != 3 {
        return;
    }
    let q = quaternion::canonical(quaternion::relative(frames));
    for (spec, axis) in rows.rows.iter_mut().filter(held).zip(Vec3::AXES) {
        spec.jacobian = quaternion::jacobian(frames.qa, q, axis);
        spec.kind = RowKind::Soft { c: quaternion::value(q, axis), softness, mass: SpringMass::Made(axis) };
    }
}
