//! Checks of what moves bodies: movers, forces and drag, and what varies with time.

use glam::Vec3;

use super::value::{count, number, vector};
use crate::report::{DocPath, Report};
use crate::types::{Body, ByTime, Drag, Force, Motion, Mover};
use delassus_physics::force::formula::Formula;
use delassus_physics::joints::JointKind;
use delassus_physics::quantity;

/// Maximum number of a mover's waypoints.
pub const MAX_WAYPOINTS: u32 = 1000;
/// Maximum number of forces on a body, and of points in a table of time.
pub const MAX_FORCES: usize = 16;
pub const MAX_TIMES: u32 = 1000;
/// A formula is tried for so long, at times so far apart, s.
const TRIED_FOR: f64 = 60.0;
const TRIED_EVERY: f64 = 0.1;

/// Checks a mover's parameters.
pub(crate) fn mover(mover: &Mover, body: &Body, place: &DocPath, report: &mut Report) {
    if body.motion != Motion::Kinematic {
        report.add(place, "a mover is for a body with `motion: Kinematic`");
    }
    for (name, value) in [("velocity", body.velocity), ("angular_velocity", body.angular_velocity)] {
        if value != Vec3::ZERO {
            report.add(place, format!("give `{name}` or a mover, not both"));
        }
    }
    match mover {
        Mover::Constant { velocity, angular_velocity } => {
            vector(*velocity, &quantity::VELOCITY, &place.field("velocity"), "velocity", report);
            vector(*angular_velocity, &quantity::SPIN, &place.field("angular_velocity"), "angular velocity", report);
        }
        Mover::Sinusoid { velocity, angular_velocity, rate, phase } => {
            vector(*velocity, &quantity::VELOCITY, &place.field("velocity"), "velocity", report);
            vector(*angular_velocity, &quantity::SPIN, &place.field("angular_velocity"), "angular velocity", report);
            number("rate", Some(*rate), &quantity::RATE, place, report);
            number("phase", Some(phase.radians), &quantity::PHASE, place, report);
        }
        Mover::Waypoints { points, speed, repeat: _ } => {
            number("speed", Some(*speed), &quantity::PACE, place, report);
            let points_at = place.field("points");
            count(points.len() as u32, MAX_WAYPOINTS, &points_at, "the number of points", report);
            for (i, point) in points.iter().enumerate().take(MAX_WAYPOINTS as usize) {
                vector(*point, &quantity::PLACE, &points_at.item(i), "a point", report);
            }
        }
    }
}

/// Checks the forces on a body.
pub(crate) fn forces(forces: &[Force], place: &DocPath, report: &mut Report) {
    if forces.len() > MAX_FORCES {
        return report.add(place, format!("a body has at most {MAX_FORCES} forces, not {}", forces.len()));
    }
    for (index, Force { force, torque, at, frame: _, by_time }) in forces.iter().enumerate() {
        let place = place.item(index);
        vector(*force, &quantity::APPLIED_FORCE, &place.field("force"), "force", report);
        vector(*torque, &quantity::APPLIED_TORQUE, &place.field("torque"), "torque", report);
        if let Some(at) = at {
            vector(*at, &quantity::PLACE, &place.field("at"), "at", report);
        }
        factor(by_time, &place.field("by_time"), report);
    }
}

/// Checks the function of time of a joint's motor or servo.
pub(crate) fn drive(kind: &JointKind, by_time: &ByTime, place: &DocPath, report: &mut Report) {
    let place = place.field("by_time");
    if *by_time != ByTime::Constant && !kind.is_driven() {
        report.add(&place, "a function of time is for a joint with a motor or a servo");
    }
    factor(by_time, &place, report);
}

/// Checks a factor as a function of time.
fn factor(by_time: &ByTime, place: &DocPath, report: &mut Report) {
    match by_time {
        ByTime::Constant => {}
        ByTime::Sinusoid { rate, phase } => {
            number("rate", Some(*rate), &quantity::RATE, place, report);
            number("phase", Some(phase.radians), &quantity::PHASE, place, report);
        }
        ByTime::Table { points } => {
            let points_at = place.field("points");
            if !count(points.len() as u32, MAX_TIMES, &points_at, "the number of points", report) {
                return;
            }
            let mut before = f32::NEG_INFINITY;
            for (index, (time, factor)) in points.iter().enumerate() {
                let place = points_at.item(index);
                number("time", Some(*time), &quantity::TIME, &place, report);
                number("factor", Some(*factor), &quantity::FACTOR, &place, report);
                if *time <= before {
                    report.add(&place, format!("the times must increase, and {time} s comes after {before} s"));
                    return;
                }
                before = *time;
            }
        }
        ByTime::Formula { factor, start } => {
            number("start", Some(*start), &quantity::TIME, place, report);
            if let Some(what) = missing_value(factor, f64::from(*start)) {
                report.add(&place.field("factor"), what);
            }
        }
    }
}

/// What is wrong with the values of a formula whose time begins at `start`, s: the first time at which it has none, of
/// those that are tried.
pub fn missing_value(factor: &Formula, start: f64) -> Option<String> {
    let t = factor.undefined(start, TRIED_FOR, TRIED_EVERY)?;
    let what = if factor.at(t).is_nan() { "has no value" } else { "is infinite" };
    Some(format!("formula: `{}` {what} at t = {} s", factor.text(), (t * 1e6).round() / 1e6))
}

/// Checks a body's drag.
pub(crate) fn drag(drag: Option<Drag>, place: &DocPath, report: &mut Report) {
    let Some(Drag { linear, quadratic, angular }) = drag else { return };
    number("linear", Some(linear), &quantity::DAMPING, place, report);
    number("quadratic", Some(quadratic), &quantity::QUADRATIC_DRAG, place, report);
    number("angular", Some(angular), &quantity::ANGULAR_DAMPING, place, report);
}
