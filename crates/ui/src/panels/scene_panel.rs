//! The Inspector's page of the scene itself, while nothing is selected: texts, camera, the world's settings, materials,
//! patterns and parts, sensors, experiments.

use egui::{CollapsingHeader, Label, RichText, Ui};
use glam::Vec3;
use lucide_icons::Icon;

use crate::{
    editor::form::{self, Form, PLACE, field_visitor::Mixed, fields::ask_from},
    panels::{experiment_list, material_list, sensor_list, solver::setting_rows},
    request::{Request, ask},
    selection::Selection,
    view::View,
    widgets::{self, icon_sized, theme},
};
use delassus_scene::{CameraDoc, Origin};
use delassus_session::{Edit, Element, Heading};

/// Draws the page.
pub fn show(ui: &mut Ui, view: &View<'_>, eye: (Vec3, Vec3), selection: &mut Selection, out: &mut Vec<Request>) {
    if view.session.scene().is_none() {
        widgets::empty(ui, Icon::MousePointer2, "No scene is open.\nPick one on the left, or Ctrl+N.");
        return;
    }
    let colors = theme::colors(ui.visuals());
    ui.horizontal(|ui| {
        ui.label(icon_sized(Icon::Globe, 18.0).color(colors.accent));
        ui.add(Label::new(RichText::new(view.session.title()).heading().color(colors.strong)).truncate());
    });
    let hint = "Nothing is selected: this is the scene itself.";
    ui.label(RichText::new(hint).color(colors.weak));
    ui.add_space(4.0);
    section(ui, "Words", true, |ui| words(ui, view, out));
    section(ui, "Camera", true, |ui| camera(ui, view, eye, out));
    section(ui, "World", true, |ui| {
        setting_rows(ui, view, |name| name.starts_with("step.") || name == "contact.enabled", out);
        ui.label(RichText::new("All other settings are in the Solver tab.").small().color(colors.weak));
    });
    let scene = view.scene;
    section(ui, &format!("Materials  {}", scene.materials.len()), true, |ui| material_list::show(ui, view, out));
    if !(scene.patterns.is_empty() && scene.parts.is_empty()) {
        section(ui, "Patterns and parts", true, |ui| many(ui, view, selection));
    }
    section(ui, &format!("Sensors  {}", scene.sensors.len()), true, |ui| sensor_list::show(ui, view, out));
    section(ui, &format!("Experiments  {}", scene.experiments.len()), true, |ui| experiment_list::show(ui, view, out));
}

fn section(ui: &mut Ui, title: &str, open: bool, contents: impl FnOnce(&mut Ui)) {
    // The id leaves out the count, which may change.
    let salt = title.split("  ").next().unwrap_or_default().to_owned();
    CollapsingHeader::new(RichText::new(title).strong()).id_salt(salt).default_open(open).show_unindented(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 3.0;
        contents(ui);
        ui.add_space(4.0);
    });
}

fn words(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    let mut heading = Heading::of(view.scene);
    let before = heading.clone();
    let mixed = Mixed::default();
    let form = &mut Form::new(&mixed);
    // Destructured, so that a new field does not compile without a row here. The camera has a section of its own.
    let Heading { title, source, about, look_for, camera: _ } = &mut heading;
    for (label, name, text, lines) in [
        ("Title", "Scene title", title, 1),
        ("Source", "Scene source", source, 1),
        ("About", "Scene about", about, 4),
        ("Look for", "What to look for", look_for, 3),
    ] {
        let field = |ui: &mut Ui, text: &mut String| {
            *text = form::text(ui, text, name, lines).unwrap_or_else(|| std::mem::take(text));
        };
        if lines == 1 {
            form.row(ui, label, label, text, None, |ui, text, _| {
                field(ui, text);
                false
            });
        } else {
            // Long texts get the whole width.
            ui.label(RichText::new(label).color(theme::colors(ui.visuals()).weak));
            field(ui, text);
        }
    }
    if heading != before {
        ask(Edit::Element(Element::Heading(Box::new(heading))), out);
    }
}

fn camera(ui: &mut Ui, view: &View<'_>, (eye, target): (Vec3, Vec3), out: &mut Vec<Request>) {
    let mut heading = Heading::of(view.scene);
    let mixed = Mixed::default();
    let form = &mut Form::new(&mixed);
    let default = CameraDoc::default();
    form.vector(ui, "Eye", "eye", &mut heading.camera.eye, Some(default.eye), &PLACE, Some(eye));
    form.vector(ui, "Looks at", "target", &mut heading.camera.target, Some(default.target), &PLACE, Some(target));
    form.row(ui, "", "as now", &mut heading.camera, None, |ui, camera, _| {
        let tip = "The scene opens with the present view";
        if widgets::word_button(ui, Icon::Camera, "As now").on_hover_text(tip).clicked() {
            *camera = CameraDoc { eye, target };
        }
        false
    });
    if heading.camera != view.scene.camera {
        ask_from(ui, Edit::Element(Element::Heading(Box::new(heading))), out);
    }
}

/// Patterns and parts; a click selects their bodies.
fn many(ui: &mut Ui, view: &View<'_>, selection: &mut Selection) {
    let patterns = view.scene.patterns.iter().enumerate().map(|(i, p)| (Origin::Pattern(i), Icon::Layers, p.name()));
    let parts = view.scene.parts.iter().enumerate().map(|(i, part)| {
        (Origin::Part(i), Icon::Package, if part.name.is_empty() { part.file.as_str() } else { part.name.as_str() })
    });
    for (origin, image, name) in patterns.chain(parts) {
        let row = egui::Button::selectable(false, widgets::lead(icon_sized(image, 13.0), name)).truncate();
        let response = widgets::named(ui.add(row), &format!("Select {name}"));
        if response.on_hover_text("Selects all of its bodies").clicked() {
            let is_made = |id: &u32| view.session.body_origin(*id) == Some(origin);
            selection.clear();
            selection.bodies = view.snapshot.bodies.iter().map(|b| b.id).filter(is_made).collect();
        }
    }
}
