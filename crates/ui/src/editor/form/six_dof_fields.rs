//! The fields of a joint of six degrees of freedom: each axis with its limit and its servo, and the axes themselves.

use std::f32::consts::PI;

use egui::Ui;

use crate::editor::form::joint_bounds::limit;
use crate::editor::form::joint_fields::RunningJoint;
use crate::editor::form::servo_fields;
use crate::editor::form::{self, Form};
use delassus_physics::angle::Angle;
use delassus_physics::joints::{RotationVector, SixDof, SlideAxis, TurnAxis};

/// The row of an axis, with those of its limit and its servo while it is free.
pub(super) fn slide(
    ui: &mut Ui,
    form: &mut Form<'_>,
    name: &str,
    axis: &mut SlideAxis,
    joint: Option<&RunningJoint<'_>>,
) {
    let (path, label) = (format!("kind.{name}"), format!("Along {name}"));
    lock(ui, form, (&label, &path), axis, (SlideAxis::Locked, SlideAxis::FREE));
    if let (SlideAxis::Free { limit: range, servo }, false) = (axis, form.mixed(&path)) {
        let now = value(name, joint);
        limit(ui, form, (&format!("  Limit {name}"), &format!("{path}.limit")), range, now);
        servo_fields::linear(ui, form, (name, &format!("{path}.servo")), servo, (now, None));
    }
}

/// The same of an angle.
pub(super) fn turn(
    ui: &mut Ui,
    form: &mut Form<'_>,
    name: &str,
    axis: &mut TurnAxis,
    joint: Option<&RunningJoint<'_>>,
) {
    let about = name.replace('_', " ");
    let (path, label) = (format!("kind.{name}"), about.replace("about", "About"));
    lock(ui, form, (&label, &path), axis, (TurnAxis::Locked, TurnAxis::FREE));
    if let (TurnAxis::Free { limit: range, servo }, false) = (axis, form.mixed(&path)) {
        let now = value(name, joint);
        limit(ui, form, (&format!("  Limit {about}"), &format!("{path}.limit")), range, now);
        // Beyond half a turn an angle goes on from the other side.
        let within = |angle: Angle| {
            if angle.radians.abs() > PI { Angle::degrees(180f32.copysign(angle.radians)) } else { angle }
        };
        *range = range.map(|(least, greatest)| (within(least), within(greatest)));
        servo_fields::angular(ui, form, (&about, &format!("{path}.servo")), servo, (now, None));
    }
}

/// The choice between a locked axis and a free one.
fn lock<T: Copy + PartialEq + 'static>(
    ui: &mut Ui,
    form: &mut Form<'_>,
    (label, path): (&str, &str),
    axis: &mut T,
    (locked, free): (T, T),
) {
    form.row(ui, label, path, axis, Some(locked), |ui, axis, mixed| {
        let chosen = if *axis == locked { locked } else { free };
        let mut now = chosen;
        let used = form::choose(ui, label, &mut now, mixed(""), &[(locked, "locked"), (free, "free")]);
        if used && now != chosen {
            *axis = now;
        }
        used
    });
}

/// The components of a rotation vector.
pub(super) fn rotation_vector(ui: &mut Ui, form: &mut Form<'_>, name: &str, vector: &mut RotationVector) {
    let title = if name == "axes" { "Axes turned" } else { "Zero" };
    let RotationVector(x, y, z) = vector;
    for (part, angle) in [("x", x), ("y", y), ("z", z)] {
        let label = format!("{title}, {part}");
        servo_fields::value(ui, form, (&label, &label), &format!("kind.{name}.{part}"), angle, None);
    }
}

/// The value of an axis in the running world, m or rad.
fn value(name: &str, joint: Option<&RunningJoint<'_>>) -> Option<f32> {
    let read = &joint?.view.readout;
    let axis = SixDof::AXES.iter().position(|axis| *axis == name)?;
    Some(if axis < 3 { read.slides[axis] } else { read.angles[axis - 3] })
}
