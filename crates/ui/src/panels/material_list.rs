//! The scene's materials as cards: name, friction, restitution, rolling, softness, and the number of bodies of each.

use egui::{RichText, TextEdit, Ui};
use lucide_icons::Icon;

use crate::{
    editor::form::{
        COEFFICIENT, Form, LEVER, UNIT,
        entries::name_row,
        field_visitor::Mixed,
        fields::ask_from,
        spring_fields::{self, SpringHint},
    },
    request::{Request, ask},
    view::View,
    widgets::{self, mark_button, named, theme},
};
use delassus_scene::{FRICTION, Material, Softness};
use delassus_session::{Edit, Element};

/// The most cards at once. Where there are more materials, a field finds those that are wanted.
const MAX_CARDS: usize = 50;

/// Draws the cards and the button that adds one.
pub fn show(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    if view.scene.materials.is_empty() {
        ui.label(RichText::new("None: bodies have surfaces of their own.").small().color(colors.weak));
    }
    let all = view.scene.materials.len();
    let wanted = if all > MAX_CARDS { find(ui, all) } else { String::new() };
    let shown = (view.scene.materials.iter().enumerate()).filter(|(_, old)| old.name.to_lowercase().contains(&wanted));
    for (index, old) in shown.take(MAX_CARDS) {
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
                let label_of = |field: &str| format!("{field} of {}", old.name);
                // Destructured, so that a new field does not compile without a row here.
                let Material { name, friction, restitution, rolling, soft } = &mut new;
                name_row(ui, form, name, &label_of("Name"));
                let label = label_of("Friction");
                form.number(ui, ("Friction", &label), "friction", friction, Some(FRICTION), &COEFFICIENT, None);
                let label = label_of("Restitution");
                form.number(ui, ("Restitution", &label), "restitution", restitution, Some(0.0), &UNIT, None);
                form.number(ui, ("Rolling", &label_of("Rolling")), "rolling", rolling, Some(0.0), &LEVER, None);
                let begins = Softness::of(5.0, 0.5);
                form.optional(ui, ("Soft", &label_of("Soft")), "soft", soft, begins, None);
                if let Some(soft) = soft {
                    spring_fields::softness(ui, form, "soft", soft, SpringHint::LINEAR);
                }
            });
        });
        if gone {
            ask(Edit::Element(Element::RemoveMaterial(old.name.clone())), out);
        } else if new != *old {
            ask_from(ui, Edit::Element(Element::Material { name: old.name.clone(), material: new }), out);
        }
    }
    if all > MAX_CARDS {
        let text = format!("At most {MAX_CARDS} of {all} are shown.");
        ui.label(RichText::new(text).small().color(colors.weak));
    }
    if widgets::word_button(ui, Icon::Plus, "Add a material").clicked() {
        ask(Edit::Element(Element::AddMaterial(Material::default())), out);
    }
}

/// A field for a part of a name; the text in it, in small letters.
fn find(ui: &mut Ui, all: usize) -> String {
    let id = ui.scope_id().with("find a material");
    let mut text: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let field = TextEdit::singleline(&mut text).hint_text(format!("Find one of {all}")).desired_width(f32::INFINITY);
    named(ui.add(field), "Find a material");
    let wanted = text.trim().to_lowercase();
    ui.data_mut(|data| data.insert_temp(id, text));
    wanted
}
