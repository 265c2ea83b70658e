//! Rows on the relative quaternion.
//!
//! ```text
//! q     = qA⁻¹ qB q0⁻¹ = (w, v)       the identity in the rest pose
//! q-dot = ½ [qA⁻¹ (wB − wA)] ∘ q      since qA-dot = ½ wA ∘ qA, qB-dot = ½ wB ∘ qB; the first factor is imaginary
//! C     = 2 u · Im q,  u in A's frame: the angle about u to first order
//! C-dot = u · (w ω + ω × v) = (w u + v × u) · ω,  ω = qA⁻¹ (wB − wA)
//! J     = [0, −m, 0, m],  m = qA (w u + v × u),  K = mᵀ (I_A⁻¹ + I_B⁻¹) m
//! ```
//! Exact at every angle. With P the projection on the imaginary part and L, R the matrices of left and right
//! multiplication, m is twice the book's Mᵀ u, M = ½ P L(qA⁻¹) R(qB q0⁻¹) Pᵀ; the book prints M u, and its code is
//! right because two transposes cancel (erratum 17). The factor 2 makes C an angle and λ an angular impulse.
//!
//! q and −q are the same rotation. Both C and J change sign with q, so a row C = 0 is unaffected and takes the short
//! way round; its sign is best left alone, since a sign chosen in each step would flip λ where w passes zero.
//! One-sided rows need w ≥ 0. K vanishes at half a turn about an axis across u, an unstable rest pose and not a
//! mirrored one. λ > 0 rotates B about +m. Source: 004 ch. 15–20.

use std::f32::consts::PI;

use glam::{Quat, Vec3};

use super::limit;
use crate::row::{Group, Jacobian, JointFrames, RowKind, RowList};

/// q of a joint whose rest pose is the one in which it was made.
pub fn relative(frames: &JointFrames) -> Quat {
    frames.qa.inverse() * frames.qb * frames.reference.inverse()
}

/// q of a joint that is at rest if the axes agree without twist, even if B was made tilted.
pub fn aligned(frames: &JointFrames) -> Quat {
    // B's axis in A's frame when the joint was made.
    let start = frames.reference * (frames.qb.inverse() * frames.axis_b);
    relative(frames) * Quat::from_rotation_arc(frames.axis_local, start.normalize())
}

/// The same rotation with w ≥ 0.
pub fn canonical(q: Quat) -> Quat {
    if q.w < 0.0 { -q } else { q }
}

/// C: twice u · Im q, rad to first order.
pub fn value(q: Quat, u: Vec3) -> f32 {
    2.0 * u.dot(Vec3::new(q.x, q.y, q.z))
}

/// The row of C-dot.
pub fn jacobian(qa: Quat, q: Quat, u: Vec3) -> Jacobian {
    Jacobian::about(qa * (u * q.w + Vec3::new(q.x, q.y, q.z).cross(u)))
}

/// One row: B does not rotate about `u`, an axis in A's frame.
pub fn lock(frames: &JointFrames, q: Quat, u: Vec3, slot: u8, rows: &mut RowList) {
    rows.push(Group::Axis, slot, jacobian(frames.qa, q, u), RowKind::Equal { c: value(q, u) });
}

/// The rotation about `u` stays within `range`, rad, within ±π: at most one row, slots `slot` and `slot + 1`. Returns
/// false and adds no row if the range exceeds half a turn, where the sine of the half angle is not unique.
pub fn stop(
    group: Group,
    frames: &JointFrames,
    q: Quat,
    u: Vec3,
    range: (f32, f32),
    slot: u8,
    rows: &mut RowList,
) -> bool {
    let within = range.0 >= -PI && range.1 <= PI;
    if within {
        let q = canonical(q);
        let range = (2.0 * (0.5 * range.0).sin(), 2.0 * (0.5 * range.1).sin());
        limit::stop_of(group, value(q, u), range, jacobian(frames.qa, q, u), slot, rows);
    }
    within
}
