//! Checks of a joint's own fields.

use delassus_physics::breaking::Breaks;
use delassus_physics::joints::JointKind;
use delassus_physics::quantity;
use delassus_physics::refuse;
use delassus_physics::setting_text::SettingError;
use delassus_physics::settings::{SettingsPatch, StabilizationPatch};
use glam::Vec3;

use super::motion;
use super::value::{direction, vector};
use crate::report::{DocPath, Report};
use crate::types::{Joint, SoftRows};

/// Checks a joint's own fields.
pub(crate) fn joint(joint: &Joint, place: &DocPath, report: &mut Report) {
    // Fields are listed by name so that a new field must be checked here.
    let Joint {
        name: _,
        a,
        b,
        anchor,
        anchor_a,
        anchor_b,
        axis,
        axis_a,
        axis_b,
        kind: of,
        collide: _,
        breaks: most,
        stabilization: own,
        soft: rows,
        by_time,
    } = joint;
    if a == b {
        report.add(&place.field("b"), format!("a joint needs two bodies, both are `{a}`"));
    }
    for (name, value) in [("anchor", *anchor), ("anchor_a", *anchor_a), ("anchor_b", *anchor_b)] {
        if let Some(v) = value {
            vector(v, &quantity::PLACE, &place.field(name), name, report);
        }
    }
    if anchor.is_some() && (anchor_a.is_some() || anchor_b.is_some()) {
        report.add(&place.field("anchor"), "give anchor, or anchor_a and anchor_b, not both");
    }
    if axis.is_some() && (axis_a.is_some() || axis_b.is_some()) {
        report.add(&place.field("axis"), "give axis, or axis_a and axis_b, not both");
    }
    for (name, value) in [("axis", *axis), ("axis_a", *axis_a), ("axis_b", *axis_b)] {
        direction(value, &place.field(name), name, report);
    }
    kind(of, axis.or(*axis_a), place, report);
    breaks(*most, &place.field("breaks"), report);
    stabilization(*own, &place.field("stabilization"), report);
    soft(*rows, &place.field("soft"), report);
    motion::drive(of, by_time, place, report);
}

/// Checks a joint's soft rows.
pub(crate) fn soft(soft: Option<SoftRows>, place: &DocPath, report: &mut Report) {
    if let Some((rows, (field, what))) = soft.as_ref().and_then(refuse::soft_rows) {
        report.add(&place.field(rows).field(field), what);
    }
}

/// Checks a joint's own stabilisation.
pub(crate) fn stabilization(patch: Option<StabilizationPatch>, place: &DocPath, report: &mut Report) {
    let Some(stabilization) = patch else { return };
    let patch = SettingsPatch { stabilization, ..SettingsPatch::default() };
    for mistake in patch.mistakes() {
        let field = match &mistake {
            SettingError::Value { name, .. } => name.split_once('.').map(|(_, field)| field),
            SettingError::Unknown { .. } => None,
        };
        report.add(&place.field(field.unwrap_or_default()), mistake.to_string());
    }
}

/// Checks a joint's break limits.
pub(crate) fn breaks(breaks: Option<Breaks>, place: &DocPath, report: &mut Report) {
    match breaks.as_ref().and_then(refuse::breaks) {
        Some(("", what)) => report.add(place, what),
        Some((field, what)) => report.add(&place.field(field), what),
        None => {}
    }
}

/// Checks a joint's parameters, and that it has an axis if required.
pub(crate) fn kind(kind: &JointKind, axis: Option<Vec3>, place: &DocPath, report: &mut Report) {
    if let Some((path, what)) = refuse::kind(kind) {
        // A path borrows the one that it continues.
        fn add(at: &DocPath, path: &[&'static str], what: String, report: &mut Report) {
            match path {
                [] => report.add(at, what),
                // An element of a list.
                [item, rest @ ..] if item.parse::<usize>().is_ok() => {
                    add(&at.item(item.parse().unwrap_or(0)), rest, what, report);
                }
                [field, rest @ ..] => add(&at.field(field), rest, what, report),
            }
        }
        add(&place.field("kind"), &path, what, report);
    }
    let info = kind.info();
    if info.axis && axis.is_none() {
        report.add(&place.field("kind"), format!("{} needs an `axis`, such as (0, 0, 1)", info.name));
    }
}
