//! Limits, drives and springs along or about an axis.
//!
//! ```text
//! value θ with θ-dot = J u;  lower stop: C = θ − min, λ ≥ 0;  upper stop: C = θ − max, λ ≤ 0
//! drive: J u = speed, |λ| ≤ cap · h;  spring: C = θ − rest, soft (`softness.rs`)
//! ```
//! The nearer stop is always on: while it is not reached its bias lets just the gap close, so the stop is met without
//! the bounce that a row switched on after the violation gives (erratum 9). Each stop has a slot of its own, so the
//! impulse of one is never handed to the other. The limit comes after the drive, so that it has the last word.
//! Source: 000 Plane (limit, motor), Hinge axis (limit, motor), Angular motor.

use crate::physics::row::{Group, Jacobian, RowKind, RowList, Softness};

/// At most one row: the nearer stop of `limit`, slots `slot` (lower) and `slot + 1` (upper).
pub fn stop(value: f32, limit: (f32, f32), jacobian: Jacobian, slot: u8, rows: &mut RowList) {
    stop_of(Group::Limit, value, limit, jacobian, slot, rows);
}

/// The same in a group of its own.
pub fn stop_of(group: Group, value: f32, limit: (f32, f32), jacobian: Jacobian, slot: u8, rows: &mut RowList) {
    let (below, above) = (value - limit.0, value - limit.1);
    if below < -above {
        rows.push(group, slot, jacobian, RowKind::AtLeast { c: below });
    } else {
        rows.push(group, slot + 1, jacobian, RowKind::AtMost { c: above });
    }
}

/// One row that drives J u to `speed` by at most `cap` N or N·m. `value`, rad within a turn or m, is what it drives.
pub fn drive((speed, cap): (f32, f32), value: Option<f32>, jacobian: Jacobian, slot: u8, rows: &mut RowList) {
    rows.push(Group::Motor, slot, jacobian, RowKind::Drive { speed, cap, value });
}

/// One row that draws `value` to `rest`.
pub fn spring(value: f32, rest: f32, softness: Softness, jacobian: Jacobian, slot: u8, rows: &mut RowList) {
    rows.push(Group::Spring, slot, jacobian, RowKind::Soft { c: value - rest, softness });
}
