//! The list of edits by name; a click undoes or redoes up to any of them.

use egui::{Align2, RichText, ScrollArea, Ui, vec2};
use lucide_icons::Icon;

use crate::{
    request::Request,
    view::View,
    widgets::{self, icon, named, window_header},
};
use delassus_session::{Command, HISTORY_MEMORY};

/// Draws the list if it is open.
pub fn show(ui: &mut Ui, view: &View<'_>, room: egui::Rect, open: &mut bool, out: &mut Vec<Request>) {
    if !*open {
        return;
    }
    let mut close = false;
    egui::Window::new("History")
        .title_bar(false)
        .resizable(false)
        .pivot(Align2::RIGHT_TOP)
        .default_pos(room.right_top() + vec2(-16.0, 122.0))
        // Without this the first frame overestimates its size and places it over the bars.
        .default_size(vec2(250.0, 80.0))
        .show(ui.ctx(), |ui| {
            ui.set_width(250.0);
            close = window_header(ui, "History");
            let height = (room.height() * 0.6).clamp(80.0, 360.0);
            ScrollArea::vertical().max_height(height).stick_to_bottom(true).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 1.0;
                list(ui, view, out);
            });
            ui.separator();
            let used = match view.session.history_bytes() {
                bytes @ ..1_048_576 => format!("{} KiB", bytes.div_ceil(1 << 10)),
                bytes => format!("{} MiB", bytes.div_ceil(1 << 20)),
            };
            let used = format!("{used} of {} MiB; beyond that the oldest edits are dropped", HISTORY_MEMORY >> 20);
            ui.label(RichText::new(used).small().weak());
        });
    if close {
        *open = false;
    }
}

fn list(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    let (past, future) = (view.session.past(), view.session.future());
    let count = past.len() as isize;
    // The number of edits between each line and the present.
    let begin = std::iter::once(("As it was opened", -count));
    let past = past.enumerate().map(|(i, label)| (label, i as isize + 1 - count));
    let future = future.enumerate().map(|(i, label)| (label, i as isize + 1));
    for (label, by) in begin.chain(past).chain(future) {
        let words = if by > 0 { RichText::new(label).weak() } else { RichText::new(label) };
        let image = match by {
            0 => Icon::ChevronRight,
            1.. => Icon::Redo2,
            _ => Icon::Dot,
        };
        let button = egui::Button::selectable(by == 0, widgets::lead(icon(image), words)).truncate();
        let response = named(ui.add(button.min_size(vec2(ui.available_width(), 22.0))), label);
        if response.clicked() && by != 0 {
            out.push(Request::Session(Command::Travel(by)));
        }
    }
}
