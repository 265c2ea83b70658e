//! The fields of a joint's servo.

use egui::Ui;

use crate::editor::form::joint_bounds::AngleOrSlide;
use crate::editor::form::joint_fields::RunningJoint;
use crate::editor::form::spring_fields::{self, SpringHint};
use crate::editor::form::{self, DragRange, Form};
use crate::widgets::angles::Angles;
use delassus_physics::joints::{AngularServo, JointKind, LinearServo, UNBOUNDED};
use delassus_physics::quantity;
use delassus_physics::row::Softness;

/// Labels and ranges of the fields of a servo's speed, constant load and cap.
struct ServoWords {
    sprung: SpringHint,
    speed: DragRange,
    load: DragRange,
    cap: DragRange,
    /// Name of the constant load and its field; of the largest one and its field.
    constant: (&'static str, &'static str),
    most: (&'static str, &'static str),
}

const ANGULAR: ServoWords = ServoWords {
    sprung: SpringHint::ANGULAR,
    speed: DragRange::of(quantity::MOTOR_SPIN, 0.05).dragged(-1e4, 1e4),
    load: DragRange::of(quantity::APPLIED_TORQUE, 0.5),
    cap: DragRange::of(quantity::MOTOR_TORQUE, 1.0).cap(),
    constant: ("Servo's constant torque", "torque"),
    most: ("Most torque", "max_torque"),
};
const LINEAR: ServoWords = ServoWords {
    sprung: SpringHint::LINEAR,
    speed: DragRange::of(quantity::MOTOR_SPEED, 0.05).dragged(-1e4, 1e4),
    load: DragRange::of(quantity::APPLIED_FORCE, 0.5),
    cap: DragRange::of(quantity::MOTOR_FORCE, 1.0).cap(),
    constant: ("Servo's constant force", "force"),
    most: ("Most force", "max_force"),
};

/// A servo about an axis; `of` names the axis of a joint with several. `now` is the value that it leads in the running
/// world, and the joint if it has one servo only.
pub(super) fn angular(
    ui: &mut Ui,
    form: &mut Form<'_>,
    (of, path): (&str, &str),
    field: &mut Option<AngularServo>,
    now: (Option<f32>, Option<&RunningJoint<'_>>),
) {
    let label = if of.is_empty() { "Servo".to_owned() } else { format!("  Servo {of}") };
    form.optional(ui, (&label, label.trim()), path, field, AngularServo::default(), None);
    if let Some(AngularServo { softness, target, offset, speed, torque, max_torque }) = field {
        servo(ui, form, (&ANGULAR, of, path), (target, offset), softness, [speed, torque, max_torque], now);
    }
}

/// A servo along an axis.
pub(super) fn linear(
    ui: &mut Ui,
    form: &mut Form<'_>,
    (of, path): (&str, &str),
    field: &mut Option<LinearServo>,
    now: (Option<f32>, Option<&RunningJoint<'_>>),
) {
    let label = if of.is_empty() { "Servo".to_owned() } else { format!("  Servo {of}") };
    form.optional(ui, (&label, label.trim()), path, field, LinearServo::default(), None);
    if let Some(LinearServo { softness, target, offset, speed, force, max_force }) = field {
        servo(ui, form, (&LINEAR, of, path), (target, offset), softness, [speed, force, max_force], now);
    }
}

/// The fields of either. The last numbers are its speed, its constant load and its cap.
fn servo<Q: AngleOrSlide>(
    ui: &mut Ui,
    form: &mut Form<'_>,
    (words, of, path): (&ServoWords, &str, &str),
    (target, offset): (&mut Q, &mut Q),
    softness: &mut Softness,
    [speed, constant, cap]: [&mut f32; 3],
    (value_now, now): (Option<f32>, Option<&RunningJoint<'_>>),
) {
    let read = now.map(|joint| &joint.view.readout);
    let named = |name: &str| if of.is_empty() { name.to_owned() } else { format!("{name} {of}") };
    value(ui, form, ("  target", &named("Servo target")), &format!("{path}.target"), target, value_now);
    value(ui, form, ("  offset", &named("Servo offset")), &format!("{path}.offset"), offset, None);
    let sprung = words.sprung.moving(read.map_or(0.0, |read| read.sprung));
    spring_fields::softness(ui, form, &format!("{path}.softness"), softness, sprung);
    let rate = read.map(|read| read.speed);
    form.number(ui, ("  speed", &named("Servo speed")), &format!("{path}.speed"), speed, Some(0.0), &words.speed, rate);
    let (name, field) = words.constant;
    form.number(ui, ("  constant", &named(name)), &format!("{path}.{field}"), constant, Some(0.0), &words.load, None);
    let (name, field) = words.most;
    let load = read.map(|read| read.motor);
    form.number(ui, ("  at most", &named(name)), &format!("{path}.{field}"), cap, Some(UNBOUNDED), &words.cap, load);
}

/// An angle or a slide, with its value in the running world.
pub(super) fn value<Q: AngleOrSlide>(
    ui: &mut Ui,
    form: &mut Form<'_>,
    (label, name): (&str, &str),
    path: &str,
    value: &mut Q,
    now: Option<f32>,
) {
    form.row(ui, label, path, value, Some(Q::NONE), |ui, value, mixed| {
        let changed = value.field(ui, mixed(""), name);
        let angles = Angles::of(ui.ctx());
        form::now_is(ui, now.map(|now| Q::words(now, angles)));
        changed
    });
}

/// A joint has a motor or a servo: of two, the one that it had `before` is removed.
pub(super) fn keep_one(kind: &mut JointKind, before: JointKind) {
    if kind.motor().is_some() && kind.servo().is_some() {
        if before.motor().is_some() { kind.lose_motor() } else { kind.lose_servo() }
    }
}
