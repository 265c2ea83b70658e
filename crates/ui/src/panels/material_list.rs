//! The scene's materials as cards: name, friction, restitution, rolling, softness, and the number of bodies of each.

use egui::{RichText, Ui};
use lucide_icons::Icon;

use crate::{
    editor::form::{COEFFICIENT, Form, LEVER, UNIT, entries::name_row, fields::ask_from, joint_fields, leaves::Mixed},
    request::{Request, ask},
    view::View,
    widgets::{self, mark_button, theme},
};
use delassus_scene::{FRICTION, Material, Softness};
use delassus_session::{Edit, Element};

/// Draws the cards and the button that adds one.
pub fn show(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    if view.scene.materials.is_empty() {
        ui.label(RichText::new("None: bodies have surfaces of their own.").small().color(colors.weak));
    }
    for (index, old) in view.scene.materials.iter().enumerate() {
        let mut new = old.clone();
        let mut gone = false;
        ui.push_id(("material", index), |ui| {
            widgets::card(ui, |ui| {
                ui.horizontal(|ui| {
                    widgets::title(ui, &old.name);
                    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                        let name = format!("Delete material {}", old.name);
                        let tip = "Delete, if no body uses it";
                        gone = mark_button(ui, Icon::Trash2, colors.weak, &name, tip).clicked();
                    });
                });
                ui.spacing_mut().item_spacing.y = 3.0;
                let mixed = Mixed::default();
                let form = &mut Form::new(&mixed);
                let of = |field: &str| format!("{field} of {}", old.name);
                // Destructured, so that a new field does not compile without a row here.
                let Material { name, friction, restitution, rolling, soft } = &mut new;
                name_row(ui, form, name, &of("Name"));
                let label = of("Friction");
                form.number(ui, ("Friction", &label), "friction", friction, Some(FRICTION), &COEFFICIENT, None);
                let label = of("Restitution");
                form.number(ui, ("Restitution", &label), "restitution", restitution, Some(0.0), &UNIT, None);
                form.number(ui, ("Rolling", &of("Rolling")), "rolling", rolling, Some(0.0), &LEVER, None);
                let begins = Softness { hertz: 5.0, damping_ratio: 0.5 };
                form.optional(ui, ("Soft", &of("Soft")), "soft", soft, begins, None);
                if let Some(Softness { hertz, damping_ratio }) = soft {
                    joint_fields::softness(ui, form, "soft.", hertz, damping_ratio);
                }
            });
        });
        if gone {
            ask(Edit::Element(Element::RemoveMaterial(old.name.clone())), out);
        } else if new != *old {
            ask_from(ui, Edit::Element(Element::Material { name: old.name.clone(), material: new }), out);
        }
    }
    if widgets::word_button(ui, Icon::Plus, "Add a material").clicked() {
        ask(Edit::Element(Element::AddMaterial(Material::default())), out);
    }
}
