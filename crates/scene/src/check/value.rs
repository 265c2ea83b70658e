//! Checks of single values: numbers, vectors, directions and counts.

use delassus_physics::quantity::UnitRange;
use delassus_physics::refuse;
use glam::Vec3;

use crate::report::{DocPath, Report};

/// Checks that a number, if given, is in its quantity's range.
pub(crate) fn number(name: &str, value: Option<f32>, range: &UnitRange, place: &DocPath, report: &mut Report) {
    if let Some(what) = value.and_then(|value| refuse::number(range, name, value)) {
        report.add(&place.field(name), what);
    }
}

/// Checks that a vector is finite and its components are in their quantity's range.
pub(crate) fn vector(v: Vec3, range: &UnitRange, place: &DocPath, name: &str, report: &mut Report) {
    if !v.is_finite() {
        report.add(place, format!("{name} must be finite, not ({}, {}, {})", v.x, v.y, v.z));
    } else if !v.to_array().into_iter().all(|v| range.accepts(v)) {
        report.add(place, format!("{name} must be {}, not ({}, {}, {})", refuse::range(range), v.x, v.y, v.z));
    }
}

/// Checks that a direction, if given, is finite and not zero.
pub(crate) fn direction(v: Option<Vec3>, place: &DocPath, name: &str, report: &mut Report) {
    if let Some(v) = v.filter(|v| v.try_normalize().is_none()) {
        report.add(place, format!("{name} must be finite and not zero, not ({}, {}, {})", v.x, v.y, v.z));
    }
}

/// Checks a pattern's count.
pub(crate) fn count(n: u32, max: u32, place: &DocPath, name: &str, report: &mut Report) -> bool {
    let fits = (1..=max).contains(&n);
    if !fits {
        report.add(place, format!("{name} must be 1 to {max}, not {n}"));
    }
    fits
}
