//! What a step of SHAKE closes of a row, and what it leaves open.

use crate::kernel::joint::inherited_error;
use crate::row::{ErrorForm, Row, RowKind, RowSpec};
use crate::settings::Settings;
use crate::stabilize::{self, is_position_level};
use crate::system::closing::RowClosing;

/// By how much a row misses its bias at the end of a step of `h` seconds with this speed along it, m or rad.
pub fn left(row: &Row, speed: f32, h: f32) -> f32 {
    let left = speed + row.bias + row.gamma * row.impulse;
    let met = row.inv_k == 0.0 || (row.lo == 0.0 && left > 0.0) || (row.hi == 0.0 && left < 0.0);
    if met { 0.0 } else { h * left.abs() }
}

/// What the step closes of a row; `None` where the row keeps no position.
pub fn closing(spec: &RowSpec, settings: &Settings, h: f32) -> Option<RowClosing> {
    if !is_position_level(settings) || (spec.is_angular() && !settings.formulation.angular_stabilization) {
        return None;
    }
    let c = error(spec.kind)?;
    let (gap, inherited) = match spec.kind {
        RowKind::AtMost { c } => (c.min(0.0), 0.0),
        RowKind::AtLeast { c } => (c.max(0.0), 0.0),
        _ => (0.0, inherited_error(c, stabilize::share_of_noise(h))),
    };
    Some(RowClosing { c, gap: gap / h, inherited: inherited / h, measures: spec.measures, is_rotor: false })
}

/// What the step closes of the row of a rotor whose speed before it is `before`, m/s: what the arc adds to the speed.
pub fn closing_of_rotor(spec: &RowSpec, before: f32, settings: &Settings) -> Option<RowClosing> {
    let slides = is_position_level(settings) && !spec.is_angular();
    let measures = ErrorForm::Along;
    slides.then_some(RowClosing { c: 0.0, gap: -before, inherited: 0.0, measures, is_rotor: true })
}

/// The error of a row that keeps a position, m or rad.
pub(super) fn error(kind: RowKind) -> Option<f32> {
    match kind {
        RowKind::Equal { c } | RowKind::AtMost { c } | RowKind::AtLeast { c } => Some(c),
        RowKind::Drive { .. } | RowKind::Track { .. } | RowKind::Soft { .. } | RowKind::SoftStop { .. } => None,
        RowKind::Resist(_) | RowKind::Servo(_) => None,
    }
}
