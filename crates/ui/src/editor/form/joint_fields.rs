//! The inspector's fields of a joint's entry, and of the joints in a chain. Angles are in the chosen unit.

use std::f32::consts::FRAC_PI_2;

use delassus_scene::Words as _;
use egui::{ComboBox, Ui};
use glam::Vec3;

use crate::editor::form::fields::direction;
use crate::editor::form::joint_bounds::{length, limit, swing};
use crate::editor::form::own_stabilization;
use crate::editor::form::profile_fields;
use crate::editor::form::rows_fields;
use crate::editor::form::servo_fields;
use crate::editor::form::six_dof_fields;
use crate::editor::form::spring_fields::{self, SpringHint};
use crate::editor::form::time_fields::{self, TimeNames};
use crate::editor::form::{self, DEGREES, DragRange, Form, PLACE};
use crate::widgets::angles::Angles;
use crate::widgets::named;
use crate::widgets::words::spaced;
use delassus_physics::angle::Angle;
use delassus_physics::breaking::Breaks;
use delassus_physics::formulation::{HingeForm, OrientationForm};
use delassus_physics::joints::{
    Anchor, AngularDrive, AngularSpring, Given, JointKind, JointMeasure, LinearDrive, LinearSpring, Parameter, Role,
    UNBOUNDED,
};
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::quantity;
use delassus_physics::setting::{Choices, SettingValue, Value};
use delassus_physics::settings::Settings;
use delassus_scene::{ByTime, Joint, SoftRows, Softness};
use delassus_session::{JointPose, JointView};

/// A joint in the running world, and where it is.
pub struct RunningJoint<'a> {
    pub view: &'a JointView,
    pub place: JointPose,
}

/// Draws all fields of an entry but its name. `settings` are the scene's, `now` is the same joint in the running world.
pub fn joint(ui: &mut Ui, form: &mut Form<'_>, joint: &mut Joint, settings: &Settings, now: Option<&RunningJoint<'_>>) {
    // Destructured by name, so that a new field does not compile without a row. The row of the name is drawn above.
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
        kind,
        collide,
        breaks,
        stabilization,
        soft,
        by_time,
    } = joint;
    ui.spacing_mut().item_spacing.y = 3.0;
    if kind_row(ui, form, kind) && axis.is_none() && axis_a.is_none() {
        *axis = Some(Vec3::Z);
    }
    if !form.mixed("kind") {
        parameters(ui, form, kind, now);
        by_time_rows(ui, form, kind, by_time);
    }
    for (label, path, end) in [("A", "a", a), ("B", "b", b)] {
        form.row(ui, &format!("Body {label}"), path, end, None, |ui, end, mixed| {
            let shown = if mixed("") { "—" } else { end.as_str() };
            let typed = form::text(ui, shown, &format!("Body {label}"), 1);
            let used = typed.is_some();
            *end = typed.unwrap_or_else(|| end.clone());
            used
        });
    }
    anchors(ui, form, kind, (anchor, anchor_a, anchor_b), now);
    for (name, path, axis) in [("Axis", "axis", axis), ("Axis on A", "axis_a", axis_a), ("Axis on B", "axis_b", axis_b)]
    {
        if let Some(axis) = axis {
            direction(ui, form, name, path, axis);
        }
    }
    breaks_rows(ui, form, breaks, now);
    soft_rows(ui, form, kind, soft);
    form.switch(ui, "Bodies touch", "collide", collide, Some(false), "Whether A and B touch each other");
    own_stabilization::rows(ui, form, "stabilization", stabilization, settings);
}

/// The choice of a kind; true if another one was chosen that needs an axis.
pub fn kind_row(ui: &mut Ui, form: &mut Form<'_>, kind: &mut JointKind) -> bool {
    let mut needs_axis = false;
    form.row(ui, "Kind", "kind", kind, None, |ui, kind, mixed| {
        let now = kind.info();
        let mixed = mixed("");
        let shown = if mixed { "—".to_owned() } else { spaced(now.name) };
        let mut used = false;
        let combo = ComboBox::from_id_salt("kind").width(ui.available_width()).height(420.0).selected_text(shown);
        let response = combo.show_ui(ui, |ui| {
            for other in JointKind::all() {
                let info = other.info();
                let on = info.name == now.name && !mixed;
                if ui.selectable_label(on, spaced(info.name)).on_hover_text(info.what).clicked() && !on {
                    (*kind, needs_axis, used) = (other, info.axis, true);
                }
            }
        });
        named(response.response, "Kind").on_hover_text(now.what);
        used
    });
    needs_axis
}

/// The parameters of a kind, each by its role.
pub fn parameters(ui: &mut Ui, form: &mut Form<'_>, kind: &mut JointKind, now: Option<&RunningJoint<'_>>) {
    let value = now.map(|joint| joint.view.readout.value);
    let mass = now.map_or(0.0, |joint| joint.view.readout.sprung);
    // Of a joint that is a spring.
    let (sprung, coil) = (SpringHint::LINEAR.moving(mass), kind.spring().unwrap_or(Softness::of(2.0, 0.2)));
    let before = *kind;
    for Parameter { name, what, role } in kind.parameters() {
        let (path, title) = (format!("kind.{name}"), title(name));
        match role {
            Role::AngleZero(zero) => servo_fields::value(ui, form, (&title, "Joint zero"), &path, zero, None),
            Role::SlideZero(zero) => servo_fields::value(ui, form, (&title, "Joint zero"), &path, zero, None),
            Role::AngularServo(servo) => servo_fields::angular(ui, form, ("", &path), servo, (value, now)),
            Role::LinearServo(servo) => servo_fields::linear(ui, form, ("", &path), servo, (value, now)),
            Role::AngleLimit(range) => limit(ui, form, (&title, &path), range, value),
            Role::SlideLimit(range) => limit(ui, form, (&title, &path), range, value),
            Role::Swing(mut limit) => {
                let begins = SwingLimit::Cone(Angle::degrees(45.0));
                optional(ui, form, ("Swing limit", &path), &mut limit, begins);
                if let Some(limit) = limit.get_mut() {
                    swing(ui, form, limit, now);
                }
            }
            Role::AngularMotor(mut motor) => {
                let begins = AngularDrive { speed: brisk(Angles::of(ui.ctx())), max_torque: 1000.0 };
                optional(ui, form, (&title, &path), &mut motor, begins);
                if let Some(AngularDrive { speed, max_torque }) = motor.get_mut() {
                    drive(ui, form, &ANGULAR, &path, (speed, max_torque), now);
                }
            }
            Role::LinearMotor(mut motor) => {
                optional(ui, form, (&title, &path), &mut motor, LinearDrive { speed: 1.0, max_force: 1000.0 });
                if let Some(LinearDrive { speed, max_force }) = motor.get_mut() {
                    drive(ui, form, &LINEAR, &path, (speed, max_force), now);
                }
            }
            Role::AngularSpring(spring) => {
                let begins = AngularSpring { softness: Softness::of(2.0, 0.5), angle: Angle::default() };
                form.optional(ui, (&title, &title), &path, spring, begins, None);
                if let Some(AngularSpring { softness, angle }) = spring {
                    let sprung = SpringHint::ANGULAR.moving(mass);
                    spring_fields::softness(ui, form, &format!("{path}.softness"), softness, sprung);
                    servo_fields::value(ui, form, RESTS, &format!("{path}.angle"), angle, value);
                }
            }
            Role::LinearSpring(spring) => {
                let begins = LinearSpring { softness: Softness::of(2.0, 0.5), slide: 0.0 };
                form.optional(ui, (&title, &title), &path, spring, begins, None);
                if let Some(LinearSpring { softness, slide }) = spring {
                    let sprung = SpringHint::LINEAR.moving(mass);
                    spring_fields::softness(ui, form, &format!("{path}.softness"), softness, sprung);
                    servo_fields::value(ui, form, RESTS, &format!("{path}.slide"), slide, value);
                }
            }
            Role::SlideAxis(axis) => six_dof_fields::slide(ui, form, name, axis, now),
            Role::TurnAxis(axis) => six_dof_fields::turn(ui, form, name, axis, now),
            Role::Axes(vector) | Role::RotationZero(vector) => {
                six_dof_fields::rotation_vector(ui, form, name, vector);
            }
            Role::Length(field) => length(ui, form, &title, &path, field, now),
            Role::SpringRate(field) => spring_fields::rate(ui, form, &path, field, (sprung, coil.damping)),
            Role::Damping(field) => spring_fields::damping(ui, form, &path, field, (sprung, coil.rate), 0.2),
            Role::Coefficient(field) => {
                let range = DragRange::of(field.of, 0.01);
                let named = format!("Joint {name}");
                form.number(ui, (&title, &named), &path, field.value, Some(field.usual), &range, None);
            }
            Role::Place(point) => {
                let label = if name == "over_a" { "Sheave at A" } else { "Sheave at B" };
                ui.scope(|ui| form.vector(ui, label, &path, point, None, &PLACE, None)).response.on_hover_text(what);
            }
            Role::Profile(profile) => profile_fields::radii(ui, form, &path, profile),
            Role::Rows(rows) => rows_fields::rows(ui, form, &path, rows, &before),
            Role::Bounds(bounds) => rows_fields::bounds(ui, form, &path, bounds, &before),
            Role::Values(values) => rows_fields::values(ui, form, &path, values, &before),
            Role::Switch(field) => form.switch(ui, &title, &path, field, Some(false), what),
            Role::Wrap(angle) => {
                const WRAP: DragRange = DEGREES.within(0.0, quantity::WRAP.max.to_degrees());
                form.angle(ui, ("Wrap", "Wrap"), &path, angle, Some(Angle::degrees(180.0)), &WRAP, None);
            }
            Role::Radius(field) | Role::Lead(field) => {
                let (label, range, before) = (of_body(&title), DragRange::of(quantity::RADIUS, 0.01), *field);
                ui.scope(|ui| form.number(ui, (&label, &label), &path, field, None, &range, None))
                    .response
                    .on_hover_text(what);
                // Dragged through zero it changes its side at once.
                if *field == 0.0 {
                    *field = before;
                }
            }
            Role::HingeForm(field) => formulation(ui, form, HingeForm::CHOICES, &path, field),
            Role::OrientationForm(field) => formulation(ui, form, OrientationForm::CHOICES, &path, field),
        }
    }
    servo_fields::keep_one(kind, before);
}

/// The function of time of a motor or a servo.
pub fn by_time_rows(ui: &mut Ui, form: &mut Form<'_>, kind: &JointKind, by_time: &mut ByTime) {
    if kind.is_driven() {
        let names = TimeNames {
            path: "by_time",
            label: "In time",
            law: "Time of the drive",
            rate: "Rate of the drive",
            phase: "Phase of the drive",
            formula: "Formula of the drive",
        };
        time_fields::time(ui, form, by_time, &names);
    } else if *by_time != ByTime::Constant {
        *by_time = ByTime::Constant;
        form.touch("by_time");
    }
}

/// Label and name of the rest position of a spring.
const RESTS: (&str, &str) = ("  rests at", "Rests at");

/// The speed of a new motor, rad/s: a round number in the unit in which it is shown.
fn brisk(angles: Angles) -> f32 {
    match angles {
        Angles::Degrees => FRAC_PI_2,
        Angles::Radians => 1.5,
    }
}

/// A field's name as a title.
fn title(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `Radius of A` for the title `Radius_a`.
fn of_body(title: &str) -> String {
    match title.rsplit_once('_') {
        Some((what, "a")) => format!("{what} of A"),
        Some((what, "b")) => format!("{what} of B"),
        _ => title.replace('_', " "),
    }
}

/// The switch of a parameter that may be left out.
fn optional<T: Copy + crate::editor::form::field_visitor::VisitFields + 'static>(
    ui: &mut Ui,
    form: &mut Form<'_>,
    (name, path): (&str, &str),
    given: &mut Given<'_, T>,
    begins: T,
) {
    if let Given::Maybe(field) = given {
        form.optional(ui, (name, name), path, field, begins, None);
    }
}

/// Labels and ranges of a drive's fields.
struct DriveWords {
    speed: DragRange,
    cap: DragRange,
    /// Label and field of the maximum.
    most: (&'static str, &'static str),
}

const ANGULAR: DriveWords = DriveWords {
    speed: DragRange::of(quantity::MOTOR_SPIN, 0.05).dragged(-1e4, 1e4),
    cap: DragRange::of(quantity::MOTOR_TORQUE, 1.0).cap(),
    most: ("Most torque", "max_torque"),
};
const LINEAR: DriveWords = DriveWords {
    speed: DragRange::of(quantity::MOTOR_SPEED, 0.05).dragged(-1e4, 1e4),
    cap: DragRange::of(quantity::MOTOR_FORCE, 1.0).cap(),
    most: ("Most force", "max_force"),
};

fn drive(
    ui: &mut Ui,
    form: &mut Form<'_>,
    words: &DriveWords,
    path: &str,
    (speed, cap): (&mut f32, &mut f32),
    now: Option<&RunningJoint<'_>>,
) {
    let rate = now.map(|joint| joint.view.readout.speed);
    form.number(ui, ("  speed", "Motor speed"), &format!("{path}.speed"), speed, None, &words.speed, rate);
    let load = now.map(|joint| joint.view.readout.motor);
    let (name, field) = words.most;
    form.number(ui, ("  at most", name), &format!("{path}.{field}"), cap, Some(UNBOUNDED), &words.cap, load);
}

/// The choice of rows that are springs.
pub fn soft_rows(ui: &mut Ui, form: &mut Form<'_>, kind: &JointKind, joint_rows: &mut Option<SoftRows>) {
    let mut soft = joint_rows.unwrap_or_default();
    let (anchor, axis, limit) = kind.holds();
    let stops = if kind.info().measures == JointMeasure::Angle { SpringHint::ANGULAR } else { SpringHint::LINEAR };
    for (label, name, path, has, rows, sprung) in [
        ("Soft points", "Soft anchor", "soft.anchor", anchor, &mut soft.anchor, SpringHint::LINEAR),
        ("Soft axes", "Soft axis", "soft.axis", axis, &mut soft.axis, SpringHint::ANGULAR),
        ("Soft stops", "Soft limit", "soft.limit", limit, &mut soft.limit, stops),
    ] {
        // A soft row that the kind lacks is shown as long as the entry has it.
        if !has && rows.is_none() {
            continue;
        }
        form.optional(ui, (label, name), path, rows, Softness::of(2.0, 0.5), None);
        if let Some(rows) = rows {
            spring_fields::softness(ui, form, path, rows, sprung);
        }
    }
    *joint_rows = Some(soft).filter(|soft| *soft != SoftRows::default());
}

/// The joint's own formulation, or the one of the settings.
fn formulation<T>(ui: &mut Ui, form: &mut Form<'_>, choices: Choices, path: &str, chosen: &mut Option<T>)
where
    T: SettingValue + PartialEq,
{
    let named = choices.words().iter().filter_map(|c| Some((T::from_value(Value::Choice(c.name))?, c.label)));
    let all: Vec<(Option<T>, &str)> =
        std::iter::once((None, "as in the settings")).chain(named.map(|(form, label)| (Some(form), label))).collect();
    form.choice(ui, ("Formulation", "Formulation"), path, chosen, Some(None), &all);
}

/// The anchors, common or one for each end, as far as they are given. Of a kind that needs one, the last is not taken
/// off.
fn anchors(
    ui: &mut Ui,
    form: &mut Form<'_>,
    kind: &JointKind,
    (anchor, anchor_a, anchor_b): (&mut Option<Vec3>, &mut Option<Vec3>, &mut Option<Vec3>),
    now: Option<&RunningJoint<'_>>,
) {
    let given = [&anchor, &anchor_a, &anchor_b].into_iter().filter(|anchor| anchor.is_some()).count();
    let is_last = kind.info().anchor == Anchor::Needed && given == 1;
    let mut row = |ui: &mut Ui, names: (&str, &str), path: &str, anchor: &mut Option<Vec3>, begins: Vec3| {
        let held = is_last && anchor.is_some();
        let row = ui.add_enabled_ui(!held, |ui| form.optional(ui, names, path, anchor, begins, None)).response;
        if held {
            row.on_hover_text(format!("{} needs an anchor", spaced(kind.info().name)));
        }
    };
    if anchor_a.is_none() && anchor_b.is_none() {
        let begins = now.map_or(Vec3::ZERO, |joint| joint.place.anchor_a);
        row(ui, ("Anchor given", "Anchor given"), "anchor", anchor, begins);
    }
    if anchor.is_none() {
        row(ui, ("Own on A", "Own anchor on A"), "anchor_a", anchor_a, Vec3::ZERO);
        row(ui, ("Own on B", "Own anchor on B"), "anchor_b", anchor_b, Vec3::ZERO);
    }
    let world = now.map(|joint| (joint.place.anchor_a, joint.place.anchor_b));
    for (name, path, place, now) in [
        ("Anchor", "anchor", anchor, world.map(|w| w.0)),
        ("Anchor on A", "anchor_a", anchor_a, None),
        ("Anchor on B", "anchor_b", anchor_b, None),
    ] {
        if let Some(place) = place {
            form.vector(ui, name, path, place, None, &PLACE, now);
        }
    }
}

/// The joint's break limits. It breaks when one of them is exceeded; Reset repairs it.
pub fn breaks_rows(ui: &mut Ui, form: &mut Form<'_>, breaks: &mut Option<Breaks>, now: Option<&RunningJoint<'_>>) {
    const FORCE: DragRange = DragRange::of(quantity::FORCE, 1.0).dragged(1e-3, UNBOUNDED);
    const TORQUE: DragRange = DragRange::of(quantity::TORQUE, 1.0).dragged(1e-3, UNBOUNDED);
    let mut bears = breaks.unwrap_or_default();
    let load = now.map(|joint| (joint.view.readout.force.length(), joint.view.readout.torque.length()));
    for (what, path, limit, range, now) in [
        ("force", "breaks.force", &mut bears.force, FORCE, load.map(|l| l.0)),
        ("torque", "breaks.torque", &mut bears.torque, TORQUE, load.map(|l| l.1)),
    ] {
        let label = format!("Breaks, {}", what);
        form.optional(ui, (&label, &format!("Breaks by {}", what)), path, limit, 1000.0, None);
        if let Some(limit) = limit {
            form.number(ui, ("  above", &format!("Breaking {}", what)), path, limit, None, &range, now);
        }
    }
    *breaks = Some(bears).filter(|b| *b != Breaks::default());
}
