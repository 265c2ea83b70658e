//! Translation along one axis t carried by A.
//!
//! ```text
//! C     = t · p,  p = pB − pA
//! C-dot = t · (vB + wB × rB − vA − wA × rA) + (wA × t) · p = −t·vA + (t × sA)·wA + t·vB + (rB × t)·wB
//! J     = [−t, t × sA, t, rB × t],  sA = pB − xA     (the turning of t moves A's arm from rA to sA)
//! K     = 1/mA + 1/mB + (t×sA)ᵀ I_A⁻¹ (t×sA) + (rB×t)ᵀ I_B⁻¹ (rB×t)
//! ```
//! λ > 0 pushes B along +t. The book keeps anchors together by one row on the square of their distance instead
//! (`distance.rs`); the setting `formulation.anchor` chooses. Source: 000 Plane; 004 ch. 8.

use glam::Vec3;

use super::distance;
use crate::row::{ErrorForm, Group, Jacobian, JointFrames, RowKind, RowList};
use crate::settings::AnchorForm;

/// The anchors coincide: three planes along axes carried by A, slots `slot..slot + 3`.
pub fn anchor(frames: &JointFrames, slot: u8, rows: &mut RowList) {
    if frames.form(None, |f| f.anchor) == AnchorForm::Squared {
        return distance::squared(frames, 0.0, slot, rows);
    }
    for (k, axis) in Vec3::AXES.into_iter().enumerate() {
        lock(frames, frames.qa * axis, slot + k as u8, rows);
    }
}

/// No translation along `t`, a unit vector carried by A.
pub fn lock(frames: &JointFrames, t: Vec3, slot: u8, rows: &mut RowList) {
    let kind = RowKind::Equal { c: t.dot(frames.p()) };
    rows.push_of(ErrorForm::Along, Group::Anchor, slot, jacobian(frames, t), kind);
}

/// The row of translation along `t`.
pub fn jacobian(frames: &JointFrames, t: Vec3) -> Jacobian {
    Jacobian::along(t, frames.sa(), frames.rb)
}
