//! The fields of a body's collision groups and of its mask: a button for each group.

use egui::{Button, Ui};

use crate::editor::form::Form;
use crate::widgets;
use delassus_scene::{GROUPS, Groups};

/// Groups in a row of buttons.
const ROW: u32 = 8;

/// Draws the groups and the mask.
pub fn rows(ui: &mut Ui, form: &mut Form<'_>, groups: &mut Groups, mask: &mut Groups) {
    // Rows up to the last group that the body names itself, and one more to choose from.
    let last = |set: Groups| if set == Groups::ALL { 0 } else { set.numbers().last().unwrap_or(0) };
    let own = last(*groups).max(last(*mask));
    let shown = if own == 0 && *mask == Groups::ALL { ROW } else { ((own / ROW + 1) * ROW + ROW).min(GROUPS) };
    buttons(ui, form, ("Groups", "Group", "groups"), groups, Groups::FIRST, shown);
    buttons(ui, form, ("Touches groups", "Mask", "mask"), mask, Groups::ALL, shown);
}

fn buttons(
    ui: &mut Ui,
    form: &mut Form<'_>,
    (label, name, path): (&str, &str, &str),
    set: &mut Groups,
    default: Groups,
    shown: u32,
) {
    form.row(ui, label, path, set, Some(default), |ui, set, mixed| {
        let differ = mixed("");
        let mut used = false;
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(2.0, 2.0);
            ui.spacing_mut().button_padding.x = 3.0;
            for first in (0..shown).step_by(ROW as usize) {
                ui.horizontal(|ui| {
                    for number in first..(first + ROW).min(shown) {
                        used |= button(ui, set, differ, name, number);
                    }
                });
            }
        });
        used
    });
}

/// One button; true if it was clicked.
fn button(ui: &mut Ui, set: &mut Groups, differ: bool, name: &str, number: u32) -> bool {
    let member = set.has(number) && !differ;
    let button = Button::selectable(member, number.to_string()).min_size(egui::vec2(18.0, 0.0));
    let clicked = widgets::named(ui.add(button), &format!("{name} {number}")).clicked();
    if clicked {
        *set = set.with(number, !set.has(number));
    }
    clicked
}
