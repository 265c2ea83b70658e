//! A search field for a list.

use egui::{Id, TextEdit, Ui};
use lucide_icons::Icon;

use super::{icon_sized, mark_button, named, theme};

/// A one-line search field with its icon and a button that clears it.
pub fn search_field(ui: &mut Ui, text: &mut String, hint: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let weak = theme::colors(ui.visuals()).weak;
        ui.label(icon_sized(Icon::Search, 14.0).color(weak));
        let room = if text.is_empty() { 6.0 } else { 28.0 };
        let field = TextEdit::singleline(text).hint_text(hint).desired_width(ui.available_width() - room);
        // What stands above it may go while one types, and it must keep the focus.
        let field = field.id(Id::unique(("search", hint)));
        named(ui.add(field), hint);
        if !text.is_empty() && mark_button(ui, Icon::X, weak, "Clear search", "Clear").clicked() {
            text.clear();
        }
    });
}
