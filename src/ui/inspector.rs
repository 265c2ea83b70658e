//! The Inspector tab: the live values of the selected body, in fixed width so that they do not jump. A joint has a
//! [page](super::joint_panel) of its own.

use egui::{Grid, Label, RichText, Ui};
use glam::{EulerRot, Quat, Vec3};
use lucide_icons::Icon;

use super::{
    editor::{fields, joint_fields},
    joint_panel,
    number::{component, with_unit},
    state::{Request, UiState, View},
    theme,
    widgets::{self, icon_sized},
};
use crate::{
    physics::shape::Shape,
    session::{BodyView, Motion, Snapshot},
};

/// Draws the tab.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let snapshot = view.snapshot;
    let joint = state.selection.joint.and_then(|index| snapshot.joints.get(index));
    let body = state.selection.bodies.last().and_then(|id| snapshot.body(*id));
    widgets::scroll(ui, "inspector", |ui| {
        ui.set_width((ui.available_width() - 8.0).max(120.0));
        match (joint, body) {
            (Some(joint), _) => {
                joint_panel::show(ui, joint, snapshot, state);
                ui.add_space(6.0);
                joint_fields::joint(ui, &joint.name, view, state, out);
            }
            (None, Some(body)) => {
                body_values(ui, body, snapshot, state);
                ui.add_space(6.0);
                fields::body(ui, &body.name, view, state, out);
            }
            (None, None) => {
                widgets::empty(ui, Icon::MousePointer2, "Nothing is selected.\nClick a body or a joint's anchor.");
            }
        }
    });
}

fn body_values(ui: &mut Ui, body: &BodyView, snapshot: &Snapshot, state: &mut UiState) {
    let kind = match body.motion {
        Motion::Static => "static body",
        Motion::Kinematic => "kinematic body",
        Motion::Dynamic => "dynamic body",
    };
    heading(ui, Icon::Box, &body.name, kind);
    if state.selection.bodies.len() > 1 {
        let text = format!("the last of {} selected", state.selection.bodies.len());
        ui.label(RichText::new(text).small().weak());
    }
    section(ui, "body", |ui| {
        word(ui, "Shape", &describe(&body.solid.shape));
        if body.mass > 0.0 {
            quantity(ui, "Mass", body.mass, "kg");
        } else {
            word(ui, "Mass", "immovable");
        }
        quantity(ui, "Friction", body.friction, "");
        quantity(ui, "Restitution", body.restitution, "");
    });
    widgets::title(ui, "Motion");
    section(ui, "motion", |ui| {
        axes(ui);
        vector(ui, "Position", body.pose.position, "m");
        vector(ui, "Rotation", degrees(body.pose.rotation), "°");
        vector(ui, "Velocity", body.velocity, "m/s");
        vector(ui, "Spin", body.spin, "rad/s");
    });
    section(ui, "scalars", |ui| {
        quantity(ui, "Speed", body.velocity.length(), "m/s");
        if body.mass > 0.0 {
            quantity(ui, "Momentum", body.velocity.length() * body.mass, "kg·m/s");
        }
    });
    let touching = snapshot.contacts.iter().filter(|c| c.a == body.id || c.b == body.id);
    let (count, force_sum) = touching.fold((0usize, 0.0f32), |(n, sum), c| (n + 1, sum + c.impulse));
    widgets::title(ui, "Contacts");
    section(ui, "contacts", |ui| {
        word(ui, "Points", &count.to_string());
        quantity(ui, "Normal impulse, sum", force_sum, "N·s");
    });
    joints_of(ui, body, snapshot, state);
}

fn joints_of(ui: &mut Ui, body: &BodyView, snapshot: &Snapshot, state: &mut UiState) {
    let mut joints = (snapshot.joints.iter().enumerate()).filter(|(_, j)| j.a == body.id || j.b == body.id).peekable();
    if joints.peek().is_none() {
        return;
    }
    widgets::title(ui, "Joints");
    for (index, joint) in joints.take(24) {
        let text = format!("{}  ({})", joint.name, joint.kind.info().name);
        if ui.add(egui::Button::selectable(false, (widgets::icon(Icon::Link2), text)).truncate()).clicked() {
            state.selection.click_joint(index);
        }
    }
}

pub(super) fn heading(ui: &mut Ui, image: Icon, name: &str, kind: &str) {
    let colors = theme::colors(ui.visuals());
    ui.add_space(2.0);
    ui.horizontal(|ui| {
        ui.label(icon_sized(image, 18.0).color(colors.accent));
        ui.add(Label::new(RichText::new(name).heading().color(colors.strong)).truncate());
    });
    ui.label(RichText::new(kind).color(colors.weak));
}

pub(super) fn section(ui: &mut Ui, id: &str, contents: impl FnOnce(&mut Ui)) {
    Grid::new(id).num_columns(2).min_col_width(92.0).spacing([10.0, 3.0]).show(ui, contents);
    ui.add_space(6.0);
}

pub(super) fn word(ui: &mut Ui, name: &str, value: &str) {
    ui.label(RichText::new(name).weak());
    ui.label(RichText::new(value).monospace());
    ui.end_row();
}

pub(super) fn quantity(ui: &mut Ui, name: &str, value: f32, unit: &str) {
    let text =
        if unit.is_empty() { component(value).trim_start().to_owned() } else { with_unit(f64::from(value), unit) };
    word(ui, name, &text);
}

/// The line over columns of components.
pub(super) fn axes(ui: &mut Ui) {
    ui.label("");
    ui.label(RichText::new(format!("{:>9}{:>9}{:>9}", "x", "y", "z")).monospace().weak());
    ui.end_row();
}

pub(super) fn vector(ui: &mut Ui, name: &str, value: Vec3, unit: &str) {
    ui.label(RichText::new(format!("{name}, {unit}")).weak());
    let text = value.to_array().map(component).concat();
    ui.label(RichText::new(text).monospace());
    ui.end_row();
}

/// Turns about the fixed x, then y, then z axis, in degrees.
fn degrees(rotation: Quat) -> Vec3 {
    let (z, y, x) = rotation.to_euler(EulerRot::ZYX);
    Vec3::new(x, y, z).map(f32::to_degrees)
}

fn describe(shape: &Shape) -> String {
    match shape {
        Shape::Box { half } => format!("box {} × {} × {} m", 2.0 * half.x, 2.0 * half.y, 2.0 * half.z),
        Shape::Sphere { radius } => format!("sphere, radius {radius} m"),
        Shape::Capsule { radius, half_length } => format!("capsule, radius {radius}, length {} m", 2.0 * half_length),
        Shape::Cylinder { radius, half_length } => format!("cylinder, radius {radius}, length {} m", 2.0 * half_length),
        Shape::Hull { points } => format!("hull of {} points", points.len()),
    }
}
