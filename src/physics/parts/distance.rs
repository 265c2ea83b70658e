//! The distance between the anchors.
//!
//! ```text
//! C     = ‖p‖ − L
//! C-dot = n · ṗ,  n = p/‖p‖
//! J     = the plane row with t = n; n turns with p itself, which adds nothing because n · n = 1
//! ```
//! λ > 0 pushes the anchors apart. Where ‖p‖ vanishes there is no direction and no row. Source: 000 Distance.

use crate::physics::row::{Ends, Group, Law, RowList, Softness};

use super::plane;

/// Anchors nearer than this have no direction between them, m.
const COINCIDENT: f32 = 1e-6;

/// ‖p‖ = length (`rope` false) or ‖p‖ ≤ length (`rope` true).
pub fn rows(ends: &Ends, length: f32, rope: bool, slot: u8, rows: &mut RowList) {
    row(ends, length, |c| if rope { Law::AtMost { c } } else { Law::Equal { c } }, Group::Anchor, slot, rows);
}

/// ‖p‖ is drawn to the length.
pub fn spring(ends: &Ends, length: f32, softness: Softness, slot: u8, rows: &mut RowList) {
    row(ends, length, |c| Law::Soft { c, softness }, Group::Spring, slot, rows);
}

fn row(ends: &Ends, length: f32, law: impl Fn(f32) -> Law, group: Group, slot: u8, rows: &mut RowList) {
    let p = ends.p();
    let distance = p.length();
    if distance >= COINCIDENT {
        rows.push(group, slot, plane::jacobian(ends, p / distance), law(distance - length));
    }
}
