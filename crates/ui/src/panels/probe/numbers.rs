//! The numbers of the panel; a click on one copies it in full precision.

use egui::{Grid, RichText, Ui};
use glam::Vec3;
use lucide_icons::Icon;

use super::Probes;
use crate::{
    selection::Selection,
    view::View,
    widgets::{angles::Angles, icon_button, named, number, theme, title, word_button},
};
use delassus_lab::load::{Wrench, load};
use delassus_lab::measure::{Feature, measure};

/// A number that a click copies in full precision.
fn copied(ui: &mut Ui, shown: String, whole: String, name: &str) {
    let text = RichText::new(shown).monospace().size(11.5);
    let label = egui::Label::new(text).sense(egui::Sense::click()).extend();
    let response = named(ui.add(label), name);
    if response.clicked() {
        ui.ctx().copy_text(whole.clone());
    }
    response.on_hover_text(format!("{whole}\nClick to copy"));
}

fn vector(v: Vec3) -> String {
    format!("{}, {}, {}", v.x, v.y, v.z)
}

pub(super) fn measures(ui: &mut Ui, view: &View<'_>, probes: &mut Probes) {
    title(ui, "Measure");
    ui.horizontal(|ui| {
        let words = if probes.picking { "Stop measuring" } else { "Measure" };
        let tip = "Click two points, edges, faces, centres, or joints' axes in the view";
        if word_button(ui, Icon::Ruler, words).on_hover_text(tip).clicked() {
            probes.picking = !probes.picking;
            probes.first = None;
        }
        let hint = match (&probes.first, probes.picking) {
            (Some(first), true) => format!("from the {}: click the other", first.words),
            (None, true) => "click the first place".to_owned(),
            (_, false) => String::new(),
        };
        ui.add(egui::Label::new(RichText::new(hint).small().weak()).truncate());
    });
    let angles = Angles::of(ui.ctx());
    let mut gone = None;
    for (index, (first, second)) in probes.measures.iter().enumerate() {
        ui.separator();
        ui.horizontal(|ui| {
            let words = format!("{} – {}", first.words, second.words);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let name = format!("Delete measure {}", index + 1);
                if icon_button(ui, Icon::Trash2, &name, "Delete").clicked() {
                    gone = Some(index);
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    ui.add(egui::Label::new(RichText::new(&words).small()).truncate()).on_hover_text(&words);
                });
            });
        });
        let (Some(a), Some(b)) = (first.now(view.snapshot), second.now(view.snapshot)) else {
            ui.label(RichText::new("Its body is gone.").weak());
            continue;
        };
        let found = measure(&a, &b);
        Grid::new(("measure", index)).num_columns(2).spacing([12.0, 1.0]).show(ui, |ui| {
            let n = index + 1;
            let mut line = |name: &str, shown: String, whole: String| {
                ui.label(RichText::new(name).small());
                copied(ui, shown, whole, &format!("{name} {n}"));
                ui.end_row();
            };
            let far = found.between.length();
            line("distance", number::length(far.into()), far.to_string());
            let parts = found.between.to_array().map(|part| number::length(part.into())).join("  ");
            line("along x, y, z", parts, vector(found.between));
            if let Some(apart) = found.apart {
                let name = if matches!((a.feature, b.feature), (Feature::Axis(_), Feature::Axis(_))) {
                    "of the lines"
                } else {
                    "square"
                };
                line(name, number::length(apart.into()), apart.to_string());
            }
            if let Some(angle) = found.angle {
                line("angle", angles.words(angle), angle.to_string());
            }
        });
    }
    if let Some(index) = gone {
        probes.measures.remove(index);
    }
}

pub(super) fn forces(ui: &mut Ui, view: &View<'_>, probes: &mut Probes, selection: &Selection) {
    title(ui, "Forces");
    let settings = view.settings;
    let Some(load) = load(view.snapshot, &selection.bodies, settings.step.gravity, view.snapshot.sub_step) else {
        let text = "Select one or more bodies to see what acts on them from outside, as across a cut around them.";
        ui.add(egui::Label::new(RichText::new(text).weak()).wrap());
        return;
    };
    let name = match selection.bodies.as_slice() {
        [one] => view.snapshot.body(*one).map_or_else(String::new, |body| body.name.to_string()),
        many => number::counted(many.len(), "body", "bodies"),
    };
    let (joints, pairs) = load.cut;
    let through = format!(
        "through {} and {}",
        number::counted(joints, "joint", "joints"),
        number::counted(pairs, "contact", "contacts")
    );
    ui.label(RichText::new(format!("{name}, {through}")).small());
    ui.checkbox(&mut probes.arrows, "Arrows in the view")
        .on_hover_text("Joints purple, contacts green, weight blue, all together red, with the torque as an arc");
    Grid::new("forces").num_columns(3).spacing([12.0, 2.0]).striped(true).show(ui, |ui| {
        ui.label("");
        ui.label(RichText::new("force").small());
        ui.label(RichText::new("torque").small());
        ui.end_row();
        let colors = theme::colors(ui.visuals());
        let parts: [(&str, Wrench); 4] =
            [("joints", load.joints), ("contacts", load.contacts), ("weight", load.weight), ("together", load.net())];
        for (name, wrench) in parts {
            ui.label(RichText::new(name).small().color(if name == "together" { colors.strong } else { colors.text }));
            for (what, v, unit) in [("Force", wrench.force, "N"), ("Torque", wrench.torque, "N·m")] {
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing.y = 0.0;
                    let size = v.length();
                    let shown = if size < 1e-6 { "0".to_owned() } else { number::with_unit(size.into(), unit) };
                    copied(ui, shown, size.to_string(), &format!("{what} of {name}"));
                    let shown = v.to_array().map(|part| number::component(part).trim().to_owned()).join(" ");
                    copied(ui, shown, vector(v), &format!("{what} of {name}, along x, y, z"));
                });
            }
            ui.end_row();
        }
    });
    let text = "From the last sub-step; torques about the centre of mass; without the pull of the mouse.";
    ui.add(egui::Label::new(RichText::new(text).small().weak()).wrap());
}
