//! Limits, drives and springs along or about an axis.
//!
//! ```text
//! value θ with θ-dot = J u;  lower stop: C = θ − min, λ ≥ 0;  upper stop: C = θ − max, λ ≤ 0
//! drive: J u = speed, |λ| ≤ cap · h;  spring: C = θ − rest, soft (`softness.rs`)
//! ```
//! The nearer stop is always active. Before it is reached, its bias lets the gap close within the step but no more. So
//! the value reaches the stop without the bounce of a row that is switched on only after the violation (erratum 9). Each
//! stop has its own slot, so that the impulse of one is never reused for the other. The limit is solved after the drive,
//! so that the limit prevails. Two stops without play between them are a lock: one equality, which acts both ways.
//! Source: 000 Plane (limit, motor), Hinge axis (limit, motor), Angular motor.

use crate::row::{Group, Jacobian, RowKind, RowList, Softness, SpringMass};

/// Stops that are at most this far apart count as a lock, rad or m.
const PLAY: f32 = 1e-6;

/// At most one row: the nearer stop of `limit`, in slot `slot` (lower) or `slot + 1` (upper).
pub fn stop(value: f32, limit: (f32, f32), jacobian: Jacobian, slot: u8, rows: &mut RowList) {
    stop_of(Group::Limit, value, limit, jacobian, slot, rows);
}

/// The same with the given slots of the two stops, which may be one: the impulse that one stop left is then cut to zero
/// by the bounds of the other.
pub fn stop_in(value: f32, limit: (f32, f32), jacobian: Jacobian, slots: [u8; 2], rows: &mut RowList) {
    stop_between(Group::Limit, value, limit, jacobian, slots, rows);
}

/// The same with the given row group.
pub fn stop_of(group: Group, value: f32, limit: (f32, f32), jacobian: Jacobian, slot: u8, rows: &mut RowList) {
    stop_between(group, value, limit, jacobian, [slot, slot + 1], rows);
}

fn stop_between(
    group: Group,
    value: f32,
    limit: (f32, f32),
    jacobian: Jacobian,
    [lower, upper]: [u8; 2],
    rows: &mut RowList,
) {
    let (below, above) = (value - limit.0, value - limit.1);
    if limit.1 - limit.0 <= PLAY {
        rows.push(group, lower, jacobian, RowKind::Equal { c: 0.5 * (below + above) });
    } else if below < -above {
        rows.push(group, lower, jacobian, RowKind::AtLeast { c: below });
    } else {
        rows.push(group, upper, jacobian, RowKind::AtMost { c: above });
    }
}

/// One row that drives J u to `speed` with at most `cap` N or N·m. `value` is the driven quantity, rad within a turn
/// or m.
pub fn drive((speed, cap): (f32, f32), value: Option<f32>, jacobian: Jacobian, slot: u8, rows: &mut RowList) {
    rows.push(Group::Motor, slot, jacobian, RowKind::Drive { speed, cap, value });
}

/// One soft row that pulls `value` to `rest`.
pub fn spring(value: f32, rest: f32, softness: Softness, jacobian: Jacobian, slot: u8, rows: &mut RowList) {
    rows.push(Group::Spring, slot, jacobian, RowKind::Soft { c: value - rest, softness, mass: SpringMass::Present });
}
