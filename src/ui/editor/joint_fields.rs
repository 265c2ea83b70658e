//! The fields of a joint's entry in the document, to be changed in the inspector. Angles in degrees.

use egui::{ComboBox, Grid, RichText, TextEdit, Ui};
use glam::Vec3;

use super::fields::{ask_from, label, number, vector};
use super::strip::spaced;
use crate::physics::angle::Angle;
use crate::physics::breaking::Breaks;
use crate::physics::formulation::{HingeForm, OrientationForm};
use crate::physics::joints::{AngularDrive, AngularSpring, JointKind, LinearDrive, LinearSpring, UNBOUNDED};
use crate::physics::parts::swing_twist::SwingLimit;
use crate::physics::setting::{Choice, SettingValue, Value};
use crate::scene::Joint;
use crate::session::Edit;
use crate::ui::state::{Request, UiState, View};
use crate::ui::widgets::{self, named};

/// Draws the fields of the joint of this name and asks for what is changed.
pub fn joint(ui: &mut Ui, name: &str, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let Some(old) = view.session.joint_entry(name) else { return };
    let mut new = old.clone();
    widgets::title(ui, "Entry in the scene");
    Grid::new("joint entry").num_columns(2).spacing([10.0, 5.0]).show(ui, |ui| {
        rename(ui, name, &mut new, state);
        kind(ui, &mut new);
        parameters(ui, &mut new.kind);
        places(ui, &mut new);
        breaks(ui, &mut new.breaks);
        label(ui, "Bodies touch");
        widgets::switch(ui, &mut new.collide, "Joined bodies touch");
        ui.end_row();
    });
    if new != old {
        ask_from(ui, Edit::Joint { name: name.to_owned(), joint: Box::new(new) }, out);
    }
}

/// A name is taken over when its field is left.
fn rename(ui: &mut Ui, name: &str, joint: &mut Joint, state: &mut UiState) {
    label(ui, "Name");
    let (owner, text) = state.rename.get_or_insert_with(|| (name.to_owned(), name.to_owned()));
    if owner != name {
        (*owner, *text) = (name.to_owned(), name.to_owned());
    }
    let response = named(ui.add(TextEdit::singleline(text).desired_width(150.0)), "Joint name");
    if response.lost_focus() {
        if text.trim() != name {
            joint.name = text.trim().to_owned();
        }
        state.rename = None;
    }
    ui.end_row();
}

fn kind(ui: &mut Ui, joint: &mut Joint) {
    label(ui, "Kind");
    let now = joint.kind.info();
    let combo = ComboBox::from_id_salt("kind").width(150.0).height(420.0).selected_text(spaced(now.name));
    let response = combo.show_ui(ui, |ui| {
        for other in JointKind::all() {
            let info = other.info();
            let on = info.name == now.name;
            if ui.selectable_label(on, spaced(info.name)).on_hover_text(info.what).clicked() && !on {
                joint.kind = other;
                if info.axis && joint.axis.is_none() && joint.axis_a.is_none() {
                    joint.axis = Some(Vec3::Z);
                }
            }
        }
    });
    named(response.response, "Kind").on_hover_text(now.what);
    ui.end_row();
}

fn parameters(ui: &mut Ui, kind: &mut JointKind) {
    match kind {
        JointKind::Hinge(joint) => {
            angles(ui, "Limit", &mut joint.limit);
            angular_drive(ui, &mut joint.motor);
            angular_spring(ui, &mut joint.spring);
            form(ui, "Formulation", HingeForm::INFO, &mut joint.formulation);
        }
        JointKind::Prismatic(joint) => {
            slides(ui, &mut joint.limit);
            linear_drive(ui, &mut joint.motor);
            linear_spring(ui, &mut joint.spring);
        }
        JointKind::Plane(joint) => {
            slides(ui, &mut joint.limit);
            linear_drive(ui, &mut joint.motor);
        }
        JointKind::AngularMotor(joint) => turning(ui, &mut joint.motor),
        JointKind::RotaryMotor(joint) => turning(ui, &mut joint.motor),
        JointKind::Distance(joint) => length(ui, "Length", &mut joint.length),
        JointKind::Rope(joint) => length(ui, "Length", &mut joint.length),
        JointKind::PointOnRing(joint) => length(ui, "Radius", &mut joint.radius),
        JointKind::Spring(joint) => {
            length(ui, "Length", &mut joint.length);
            softness(ui, &mut joint.hertz, &mut joint.damping_ratio);
        }
        JointKind::ConeTwist(joint) => {
            swing(ui, &mut joint.swing);
            angles(ui, "Twist", &mut joint.twist);
        }
        JointKind::ConstantVelocity(joint) => {
            optional(ui, "Swing limit", &mut joint.swing, SwingLimit::Cone(Angle::Degrees(45.0)));
            if let Some(limit) = &mut joint.swing {
                swing(ui, limit);
            }
        }
        JointKind::Fixed(joint) => form(ui, "Formulation", OrientationForm::INFO, &mut joint.formulation),
        JointKind::OrientationLock(joint) => form(ui, "Formulation", OrientationForm::INFO, &mut joint.formulation),
        _ => {}
    }
}

/// A switch for what may be left out.
fn optional<T>(ui: &mut Ui, name: &str, value: &mut Option<T>, default: T) {
    label(ui, name);
    let mut on = value.is_some();
    if widgets::switch(ui, &mut on, name).changed() {
        *value = on.then_some(default);
    }
    ui.end_row();
}

fn degrees(ui: &mut Ui, angle: &mut Angle, name: &str) {
    let mut value = angle.degrees();
    if number(ui, &mut value, 0.5, -720.0..=720.0, "°", name).changed() {
        *angle = Angle::Degrees(value);
    }
}

fn angles(ui: &mut Ui, name: &str, limit: &mut Option<(Angle, Angle)>) {
    optional(ui, name, limit, (Angle::Degrees(-45.0), Angle::Degrees(45.0)));
    if let Some((min, max)) = limit {
        label(ui, "  from, to");
        ui.horizontal(|ui| {
            degrees(ui, min, &format!("{name} from"));
            degrees(ui, max, &format!("{name} to"));
        });
        ui.end_row();
        if min.radians() > max.radians() {
            std::mem::swap(min, max);
        }
    }
}

fn slides(ui: &mut Ui, limit: &mut Option<(f32, f32)>) {
    optional(ui, "Limit", limit, (-0.5, 0.5));
    if let Some((min, max)) = limit {
        label(ui, "  from, to");
        ui.horizontal(|ui| {
            number(ui, min, 0.01, -1e4..=1e4, "m", "Limit from");
            number(ui, max, 0.01, -1e4..=1e4, "m", "Limit to");
        });
        ui.end_row();
        if *min > *max {
            std::mem::swap(min, max);
        }
    }
}

fn turning(ui: &mut Ui, drive: &mut AngularDrive) {
    label(ui, "  speed");
    number(ui, &mut drive.speed, 0.05, -1e4..=1e4, "rad/s", "Motor speed");
    ui.end_row();
    label(ui, "  most torque");
    number(ui, &mut drive.max_torque, 1.0, 0.0..=UNBOUNDED, "N·m", "Most torque");
    ui.end_row();
}

fn angular_drive(ui: &mut Ui, motor: &mut Option<AngularDrive>) {
    optional(ui, "Motor", motor, AngularDrive { speed: 1.0, max_torque: 1000.0 });
    if let Some(drive) = motor {
        turning(ui, drive);
    }
}

fn linear_drive(ui: &mut Ui, motor: &mut Option<LinearDrive>) {
    optional(ui, "Motor", motor, LinearDrive { speed: 1.0, max_force: 1000.0 });
    if let Some(drive) = motor {
        label(ui, "  speed");
        number(ui, &mut drive.speed, 0.05, -1e4..=1e4, "m/s", "Motor speed");
        ui.end_row();
        label(ui, "  most force");
        number(ui, &mut drive.max_force, 1.0, 0.0..=UNBOUNDED, "N", "Most force");
        ui.end_row();
    }
}

fn softness(ui: &mut Ui, hertz: &mut f32, damping_ratio: &mut f32) {
    label(ui, "  frequency");
    number(ui, hertz, 0.05, 0.0..=1e4, "Hz", "Frequency");
    ui.end_row();
    label(ui, "  damping ratio");
    number(ui, damping_ratio, 0.01, 0.0..=1e3, "", "Damping ratio");
    ui.end_row();
}

fn angular_spring(ui: &mut Ui, spring: &mut Option<AngularSpring>) {
    optional(ui, "Spring", spring, AngularSpring { hertz: 2.0, damping_ratio: 0.5, angle: Angle::default() });
    if let Some(spring) = spring {
        softness(ui, &mut spring.hertz, &mut spring.damping_ratio);
        label(ui, "  rests at");
        degrees(ui, &mut spring.angle, "Rests at");
        ui.end_row();
    }
}

fn linear_spring(ui: &mut Ui, spring: &mut Option<LinearSpring>) {
    optional(ui, "Spring", spring, LinearSpring { hertz: 2.0, damping_ratio: 0.5, slide: 0.0 });
    if let Some(spring) = spring {
        softness(ui, &mut spring.hertz, &mut spring.damping_ratio);
        label(ui, "  rests at");
        number(ui, &mut spring.slide, 0.01, -1e4..=1e4, "m", "Rests at");
        ui.end_row();
    }
}

/// A length that is the anchors' distance in the scene unless it is given.
fn length(ui: &mut Ui, name: &str, length: &mut Option<f32>) {
    optional(ui, &format!("{name} given"), length, 1.0);
    if let Some(length) = length {
        label(ui, &format!("  {}", name.to_lowercase()));
        number(ui, length, 0.01, 1e-3..=1e4, "m", name);
        ui.end_row();
    }
}

fn swing(ui: &mut Ui, limit: &mut SwingLimit) {
    label(ui, "Swing");
    ui.horizontal(|ui| {
        let (name, first, second) = match *limit {
            SwingLimit::Cone(a) => ("cone", a, a),
            SwingLimit::Ellipse(a, b) => ("ellipse", a, b),
            SwingLimit::Pyramid(a, b) => ("pyramid", a, b),
        };
        let combo = ComboBox::from_id_salt("swing").width(84.0).selected_text(name).show_ui(ui, |ui| {
            for other in
                [SwingLimit::Cone(first), SwingLimit::Ellipse(first, second), SwingLimit::Pyramid(first, second)]
            {
                let words = match other {
                    SwingLimit::Cone(_) => "cone",
                    SwingLimit::Ellipse(..) => "ellipse",
                    SwingLimit::Pyramid(..) => "pyramid",
                };
                if ui.selectable_label(words == name, words).clicked() {
                    *limit = other;
                }
            }
        });
        named(combo.response, "Swing shape");
        match limit {
            SwingLimit::Cone(a) => degrees(ui, a, "Swing"),
            SwingLimit::Ellipse(a, b) | SwingLimit::Pyramid(a, b) => {
                degrees(ui, a, "Swing about the first axis");
                degrees(ui, b, "Swing about the second axis");
            }
        }
    });
    ui.end_row();
}

/// A form of its own, or the one of the settings.
fn form<T: SettingValue + Copy>(ui: &mut Ui, name: &str, choices: &'static [Choice], form: &mut Option<T>) {
    label(ui, name);
    let now = form.map(SettingValue::to_value);
    let of_settings = "as in the settings";
    let shown = choices.iter().find(|c| now == Some(Value::Choice(c.name))).map_or(of_settings, |c| c.label);
    let combo = ComboBox::from_id_salt(name).width(150.0).selected_text(shown).show_ui(ui, |ui| {
        if ui.selectable_label(now.is_none(), of_settings).clicked() {
            *form = None;
        }
        for choice in choices {
            let value = Value::Choice(choice.name);
            if ui.selectable_label(now == Some(value), choice.label).on_hover_text(choice.what).clicked() {
                *form = T::from_value(value);
            }
        }
    });
    named(combo.response, name);
    ui.end_row();
}

fn places(ui: &mut Ui, joint: &mut Joint) {
    let places =
        [("Anchor", &mut joint.anchor), ("Anchor on A", &mut joint.anchor_a), ("Anchor on B", &mut joint.anchor_b)];
    for (name, place) in places {
        if let Some(place) = place {
            vector(ui, name, place, 0.01, "m");
        }
    }
    for (name, axis) in [("Axis", &mut joint.axis), ("Axis on A", &mut joint.axis_a), ("Axis on B", &mut joint.axis_b)]
    {
        if let Some(axis) = axis {
            let before = *axis;
            vector(ui, name, axis, 0.01, "of any length");
            // An axis of no length is none.
            if axis.length_squared() < 1e-6 {
                *axis = before;
            }
        }
    }
}

fn breaks(ui: &mut Ui, breaks: &mut Option<Breaks>) {
    let mut bears = breaks.unwrap_or_default();
    optional(ui, "Breaks by force", &mut bears.force, 1000.0);
    if let Some(force) = &mut bears.force {
        label(ui, "  above");
        number(ui, force, 1.0, 1e-3..=1e9, "N", "Breaking force");
        ui.end_row();
    }
    optional(ui, "Breaks by torque", &mut bears.torque, 1000.0);
    if let Some(torque) = &mut bears.torque {
        label(ui, "  above");
        number(ui, torque, 1.0, 1e-3..=1e9, "N·m", "Breaking torque");
        ui.end_row();
    }
    let any = bears.force.is_some() || bears.torque.is_some();
    *breaks = any.then_some(bears);
    if any {
        ui.label("");
        ui.label(RichText::new("Whichever is passed first; Reset mends it.").small().weak());
        ui.end_row();
    }
}
