//! The fields of a body's entry in the document, to be changed in the inspector.

use egui::{ComboBox, DragValue, Grid, Response, TextEdit, Ui};
use glam::{EulerRot, Quat, Vec3};

use super::spawn;
use crate::physics::shape::Shape;
use crate::scene::Body;
use crate::session::{Command, Edit, Gesture};
use crate::ui::state::{Request, UiState, View};
use crate::ui::widgets::{self, named};

/// Draws the fields of the body of this name and asks for what is changed.
pub fn body(ui: &mut Ui, name: &str, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let Some(old) = view.session.body_entry(name) else { return };
    let mut new = old.clone();
    widgets::title(ui, "Entry in the scene");
    Grid::new("entry").num_columns(2).spacing([10.0, 5.0]).show(ui, |ui| {
        label(ui, "Name");
        rename(ui, name, &mut new, state);
        ui.end_row();
        label(ui, "Moves");
        let shown = spawn::MOTIONS.iter().find(|(m, _)| *m == new.motion).map_or("", |(_, n)| n);
        let combo = ComboBox::from_id_salt("motion").selected_text(shown).show_ui(ui, |ui| {
            for (motion, words) in spawn::MOTIONS {
                ui.selectable_value(&mut new.motion, motion, words);
            }
        });
        named(combo.response, "Motion");
        ui.end_row();
        shape(ui, &mut new.shape);
        mass(ui, &mut new);
        vector(ui, "At", &mut new.at, 0.01, "m");
        rotation(ui, &mut new);
        vector(ui, "Velocity", &mut new.velocity, 0.05, "m/s");
        vector(ui, "Spin", &mut new.spin, 0.05, "rad/s");
        optional(ui, "Friction", &mut new.friction, 0.5, 0.0..=1e3);
        optional(ui, "Restitution", &mut new.restitution, 0.0, 0.0..=1.0);
        optional(ui, "Rolling", &mut new.rolling, 0.0, 0.0..=1e3);
        label(ui, "Particle");
        widgets::switch(ui, &mut new.particle, "Particle").on_hover_text("A point mass: it does not turn");
        ui.end_row();
        in_plane(ui, &mut new.plane);
        label(ui, "Collides");
        widgets::switch(ui, &mut new.collide, "Collides");
        ui.end_row();
    });
    if new != old {
        ask_from(ui, Edit::Body { name: name.to_owned(), body: Box::new(new) }, out);
    }
}

/// Asks for an edit from a field: one press of the button is one entry of the history.
pub(super) fn ask_from(ui: &Ui, edit: Edit, out: &mut Vec<Request>) {
    let press = ui.input(|i| i.pointer.press_start_time().filter(|_| i.pointer.primary_down()));
    let gesture = press.map(|t| Gesture::Drag(t.to_bits()));
    out.push(Request::Session(Command::Edit { edit, gesture }));
}

pub(super) fn label(ui: &mut Ui, text: &str) {
    let color = crate::ui::theme::colors(ui.visuals()).weak;
    ui.label(egui::RichText::new(text).color(color));
}

/// A name is taken over when its field is left.
fn rename(ui: &mut Ui, name: &str, body: &mut Body, state: &mut UiState) {
    let (owner, text) = state.rename.get_or_insert_with(|| (name.to_owned(), name.to_owned()));
    if owner != name {
        (*owner, *text) = (name.to_owned(), name.to_owned());
    }
    let response = named(ui.add(TextEdit::singleline(text).desired_width(150.0)), "Body name");
    if response.lost_focus() {
        body.name = text.trim().to_owned();
        state.rename = None;
    }
}

pub(super) fn number(
    ui: &mut Ui,
    value: &mut f32,
    speed: f32,
    range: std::ops::RangeInclusive<f32>,
    unit: &str,
    name: &str,
) -> Response {
    let suffix = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let drag = DragValue::new(value).speed(speed).range(range).max_decimals(4).suffix(suffix);
    named(ui.add(drag), name)
}

pub(super) fn vector(ui: &mut Ui, name: &str, v: &mut Vec3, speed: f32, unit: &str) {
    label(ui, name);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        ui.spacing_mut().interact_size.x = 30.0;
        for (value, axis) in [&mut v.x, &mut v.y, &mut v.z].into_iter().zip(["x", "y", "z"]) {
            number(ui, value, speed, -1e5..=1e5, "", &format!("{name} {axis}"))
                .on_hover_text(format!("{name} {axis}, {unit}"));
        }
    });
    ui.end_row();
}

fn rotation(ui: &mut Ui, body: &mut Body) {
    let Ok(quat) = body.rotation.quat() else { return };
    let (x, y, z) = quat.to_euler(EulerRot::XYZEx);
    // Adding zero takes the sign off a zero.
    let mut degrees = Vec3::new(x, y, z).map(|angle| angle.to_degrees() + 0.0);
    let before = degrees;
    vector(ui, "Turned", &mut degrees, 0.5, "°: about the fixed x, then y, then z axis");
    if degrees != before {
        let [x, y, z] = degrees.to_array().map(f32::to_radians);
        body.rotation = Quat::from_euler(EulerRot::XYZEx, x, y, z).normalize().into();
    }
}

fn shape(ui: &mut Ui, shape: &mut Shape) {
    const SIZES: std::ops::RangeInclusive<f32> = 1e-3..=1e3;
    match shape {
        Shape::Box { half } => {
            label(ui, "Half size");
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 3.0;
                ui.spacing_mut().interact_size.x = 30.0;
                for (value, axis) in [&mut half.x, &mut half.y, &mut half.z].into_iter().zip(["x", "y", "z"]) {
                    number(ui, value, 0.01, SIZES, "", &format!("Half size {axis}")).on_hover_text("m");
                }
            });
            ui.end_row();
        }
        Shape::Sphere { radius } => {
            label(ui, "Radius");
            number(ui, radius, 0.01, SIZES, "m", "Radius");
            ui.end_row();
        }
        Shape::Capsule { radius, half_length } | Shape::Cylinder { radius, half_length } => {
            label(ui, "Radius");
            number(ui, radius, 0.01, SIZES, "m", "Radius");
            ui.end_row();
            label(ui, "Half length");
            number(ui, half_length, 0.01, SIZES, "m", "Half length");
            ui.end_row();
        }
        Shape::Hull { points } => {
            label(ui, "Shape");
            ui.label(format!("hull of {} points", points.len()));
            ui.end_row();
        }
    }
}

fn mass(ui: &mut Ui, body: &mut Body) {
    let volume = body.shape.solid().map_or(0.0, |solid| solid.volume);
    label(ui, "Mass");
    ui.horizontal(|ui| {
        let by_density = body.mass.is_none();
        let mut density = body.density.unwrap_or(crate::scene::DENSITY);
        let mut mass = body.mass.unwrap_or(density * volume);
        if by_density {
            if number(ui, &mut density, 5.0, 1e-3..=1e6, "kg/m³", "Density").changed() {
                body.density = Some(density);
            }
        } else if number(ui, &mut mass, 0.05, 1e-6..=1e12, "kg", "Mass").changed() {
            body.mass = Some(mass);
        }
        let (words, tip) = if by_density {
            ("ρ", "By density; click to give the mass itself")
        } else {
            ("m", "Click to give the density instead")
        };
        if named(ui.small_button(words), "Mass or density").on_hover_text(tip).clicked() {
            (body.mass, body.density) = if by_density { (Some(mass), None) } else { (None, None) };
        }
    });
    ui.end_row();
}

/// Whether the body stays in a plane, and the plane's normal.
fn in_plane(ui: &mut Ui, plane: &mut Option<Vec3>) {
    label(ui, "In a plane");
    let mut on = plane.is_some();
    if widgets::switch(ui, &mut on, "In a plane")
        .on_hover_text("It moves along a plane and turns about its normal")
        .changed()
    {
        *plane = on.then_some(Vec3::Y);
    }
    ui.end_row();
    if let Some(normal) = plane {
        let before = *normal;
        vector(ui, "  normal", normal, 0.01, "of any length");
        if normal.length_squared() < 1e-6 {
            *normal = before;
        }
    }
}

/// A surface's number: the material's or the default unless given.
fn optional(ui: &mut Ui, name: &str, value: &mut Option<f32>, default: f32, range: std::ops::RangeInclusive<f32>) {
    label(ui, name);
    let mut shown = value.unwrap_or(default);
    if number(ui, &mut shown, 0.01, range, "", name).changed() {
        *value = Some(shown);
    }
    ui.end_row();
}
