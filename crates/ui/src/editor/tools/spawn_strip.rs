//! The palette: a click chooses an item, dragging it into the view places it there.

use egui::{Button, ComboBox, DragValue, Response, RichText, ScrollArea, Sense, Ui, vec2};
use lucide_icons::Icon;

use crate::editor::tools::extent;
use crate::editor::tools::spawn;
use crate::editor::tools::starters::STARTERS;
use crate::editor::tools::stencils::SpawnChoice;
use crate::editor::tools::stock;
use crate::widgets::theme;
use crate::widgets::{self, icon_sized, named};
use crate::{editor::Hands, request::Request, view::View};
use delassus_scene::LibraryEntry;

/// Height of the list of parts before it scrolls, points.
const PARTS_HEIGHT: f32 = 84.0;
const WIDTH: f32 = 396.0;

/// Draws the palette.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    ui.horizontal(|ui| {
        for (index, item) in stock::SHAPES.iter().enumerate() {
            let tip = format!("{}: click and place it, or drag it into the view", item.name);
            let choice = SpawnChoice::Shape(index);
            let on = state.editor.choice == choice;
            let response = widgets::icon_toggle(ui, item.icon, on, item.name, &tip);
            taken(ui, &response, choice, &tip, state);
        }
        let shown = spawn::MOTIONS.iter().find(|(m, _)| *m == state.editor.motion).map_or("", |(_, name)| name);
        let combo = ComboBox::from_id_salt("spawned motion").width(92.0).selected_text(shown);
        let response = combo.show_ui(ui, |ui| {
            for (motion, name) in spawn::MOTIONS {
                ui.selectable_value(&mut state.editor.motion, motion, name);
            }
        });
        named(response.response, "Spawned bodies are").on_hover_text("What moves the new bodies");
    });
    ui.horizontal(|ui| {
        for (index, template) in stock::PATTERNS.iter().enumerate() {
            let tip = format!("{}: {}; click and place it, or drag it into the view", template.name, template.what);
            let choice = SpawnChoice::Pattern(index);
            let on = state.editor.choice == choice;
            let response = widgets::icon_toggle(ui, template.icon, on, template.name, &tip);
            taken(ui, &response, choice, &tip, state);
        }
        ui.add_space(6.0);
        shot(ui, view, state, out);
    });
    ui.horizontal(|ui| {
        for (index, starter) in STARTERS.iter().enumerate() {
            let tip = format!("{}: {}; click and place it, or drag it into the view", starter.name, starter.what);
            let choice = SpawnChoice::Starter(index);
            let on = state.editor.choice == choice;
            let response = widgets::icon_toggle(ui, starter.icon, on, starter.name, &tip);
            taken(ui, &response, choice, &tip, state);
        }
    });
    extent::fields(ui, state);
    parts(ui, &view.shelf.parts, state);
}

/// Chooses an item that is clicked or dragged, and starts a drag.
fn taken(ui: &Ui, response: &Response, choice: SpawnChoice, tip: &str, state: &mut Hands<'_>) {
    let drag = ui.interact(response.rect, response.id.with("drag"), Sense::click_and_drag());
    if response.clicked() || drag.clicked() || drag.drag_started() {
        state.editor.choice = choice;
    }
    if drag.drag_started() {
        state.editor.carrying = true;
    }
    drag.on_hover_text(tip);
}

/// The button that shoots a ball from the eye, and its speed.
fn shot(ui: &mut Ui, view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    let tip = format!(
        "Shoots a ball of 33 kg from the camera towards the pointer at {:.0} m/s  (Shift+S, in any tool)",
        state.editor.shot.0
    );
    if widgets::icon_button(ui, Icon::Rocket, "Shoot a ball now", &tip).clicked() {
        // The pointer is on the palette now: aim at the middle of the view.
        state.view3d.pointer = None;
        spawn::shoot(view, state, out);
    }
    let speed = DragValue::new(&mut state.editor.shot.0).speed(0.2).range(spawn::SHOTS).max_decimals(1).suffix(" m/s");
    named(ui.add(speed), "Speed of shot balls").on_hover_text(tip);
}

/// The library's parts by their files' names.
fn parts(ui: &mut Ui, parts: &[LibraryEntry], state: &mut Hands<'_>) {
    if parts.is_empty() {
        return;
    }
    ui.set_max_width(WIDTH);
    ScrollArea::vertical().max_height(PARTS_HEIGHT).id_salt("parts").show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            for part in parts {
                let name = part.id.rsplit('/').next().unwrap_or(&part.id);
                let tip = match &part.mistake {
                    Some(mistake) => mistake.clone(),
                    None => format!("{}: {} Click and place it, or drag it into the view.", part.title, part.about),
                };
                let choice = SpawnChoice::Part(part.path.clone());
                let on = state.editor.choice == choice;
                let color = if on { theme::colors(ui.visuals()).accent } else { theme::colors(ui.visuals()).text };
                let image = icon_sized(Icon::Puzzle, 13.0).color(color);
                let button = Button::selectable(on, (image, RichText::new(name)));
                let response = ui.add_enabled(part.mistake.is_none(), button.min_size(vec2(0.0, theme::ROW_HEIGHT)));
                let response = named(response, &format!("Part {name}"));
                if part.mistake.is_none() {
                    taken(ui, &response, choice, &tip, state);
                } else {
                    response.on_disabled_hover_text(tip);
                }
            }
        });
    });
}
