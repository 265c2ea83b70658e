//! The distance between the anchors.
//!
//! ```text
//! C     = ‖p‖ − L
//! C-dot = n · ṗ,  n = p/‖p‖
//! J     = the plane row with t = n; n turns with p itself, which adds nothing because n · n = 1
//! ```
//! λ > 0 pushes the anchors apart. If ‖p‖ vanishes there is no direction and no row.
//!
//! The book uses the squared distance: C = p·p − L², J = the plane row with t = 2p. For a rod that is the same row on
//! another scale. For an anchor, L = 0, J vanishes with the error: at the solution nothing is constrained, and near it
//! only one direction is. A slop in m² leaves an error of its square root in m (erratum 13). Source: 000 Distance; 004
//! ch. 6, 8.

use crate::row::{ErrorForm, Group, JointFrames, RowKind, RowList, Softness, SpringMass};
use crate::settings::AnchorForm;

use super::plane;

/// Closer anchors define no direction, m.
const COINCIDENT: f32 = 1e-6;

/// ‖p‖ = length (`rope` false) or ‖p‖ ≤ length (`rope` true).
pub fn rows(frames: &JointFrames, length: f32, rope: bool, slot: u8, rows: &mut RowList) {
    if !rope && frames.form(None, |f| f.anchor) == AnchorForm::Squared {
        return squared(frames, length, slot, rows);
    }
    row(frames, length, |c| if rope { RowKind::AtMost { c } } else { RowKind::Equal { c } }, Group::Anchor, slot, rows);
}

/// p·p = length², one row whose error is in m².
pub fn squared(frames: &JointFrames, length: f32, slot: u8, rows: &mut RowList) {
    let p = frames.p();
    let c = p.length_squared() - length * length;
    rows.push(Group::Anchor, slot, plane::jacobian(frames, 2.0 * p), RowKind::Equal { c });
}

/// A spring that pulls ‖p‖ to the length, m.
pub fn spring(frames: &JointFrames, length: f32, softness: Softness, slot: u8, rows: &mut RowList) {
    row(frames, length, |c| RowKind::Soft { c, softness, mass: SpringMass::Present }, Group::Spring, slot, rows);
}

/// One row along the line through the anchors; no row if they coincide.
fn row(frames: &JointFrames, length: f32, kind: impl Fn(f32) -> RowKind, group: Group, slot: u8, rows: &mut RowList) {
    let p = frames.p();
    let distance = p.length();
    if distance >= COINCIDENT {
        let jacobian = plane::jacobian(frames, p / distance);
        rows.push_of(ErrorForm::Length, group, slot, jacobian, kind(distance - length));
    }
}
