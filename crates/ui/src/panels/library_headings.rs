//! The headings in the library: the user's own folders, and the scenes that came with the program.

use egui::{Align, Label, Layout, Response, RichText, Ui, vec2};
use lucide_icons::Icon;

use crate::{
    request::Request,
    view::ShelfFolder,
    widgets::{self, icon_sized, mark_button, theme},
};
use delassus_scene::library::Reason;

/// The name of the button, and of the menu's entry, that asks for a folder.
const ADD: &str = "Add a folder of scenes";

/// The button that asks for another folder.
pub(super) fn add_button(ui: &mut Ui, out: &mut Vec<Request>) {
    if widgets::icon_button(ui, Icon::FolderPlus, ADD, "Adds a folder of your own scenes to the library").clicked() {
        out.push(Request::FolderDialog);
    }
}

/// The heading of a user's folder; `is_empty` says that no scene is in it.
pub(super) fn own(ui: &mut Ui, shown: &ShelfFolder, is_empty: bool, out: &mut Vec<Request>) -> Response {
    let colors = theme::colors(ui.visuals());
    let path = &shown.folder.path;
    let (mark, why) = match shown.folder.reason {
        Reason::Option => ("--scenes", "named by the option --scenes"),
        Reason::Variable => ("DELASSUS_SCENES", "named by the variable DELASSUS_SCENES"),
        Reason::Window => ("", "added here"),
        Reason::Current => ("current folder", "in the folder in which the program was started"),
    };
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    let (image, ink) = if shown.exists { (Icon::FolderOpen, colors.accent) } else { (Icon::FolderX, colors.warn) };
    let tip = format!("{}\nYour own scenes, {why}", path.display());
    let heading = heading(ui, (image, ink), &name, &tip, |ui| {
        if shown.folder.reason == Reason::Window {
            let words = format!("Remove {name} from the library");
            let tip = "Removes the folder from this list; its files stay";
            if mark_button(ui, Icon::X, colors.weak, &words, tip).clicked() {
                out.push(Request::ForgetFolder(path.clone()));
            }
        } else {
            ui.label(RichText::new(mark).small().color(colors.weak));
        }
    });
    let said = match (shown.exists, is_empty) {
        (false, _) => "This folder is not there.",
        (true, true) => "No scene is in it yet.",
        (true, false) => return heading,
    };
    ui.label(RichText::new(said).color(colors.weak));
    heading
}

/// The heading of the scenes that came with the program, and where they are read from.
pub(super) fn program(ui: &mut Ui, place: &str) {
    let colors = theme::colors(ui.visuals());
    let tip = "The scenes that came with the program";
    heading(ui, (Icon::LibraryBig, colors.accent), "Delassus", tip, |ui| {
        ui.label(RichText::new(place).small().color(colors.weak));
    });
}

/// An icon and a name, with `right` at the right edge.
fn heading(
    ui: &mut Ui,
    (image, ink): (Icon, egui::Color32),
    name: &str,
    tip: &str,
    right: impl FnOnce(&mut Ui),
) -> Response {
    let strong = theme::colors(ui.visuals()).strong;
    ui.add_space(4.0);
    ui.allocate_ui_with_layout(
        vec2(ui.available_width() - 6.0, theme::ROW_HEIGHT),
        Layout::right_to_left(Align::Center),
        |ui| {
            right(ui);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.label(icon_sized(image, 14.0).color(ink));
                ui.add(Label::new(RichText::new(name).strong().color(strong)).truncate()).on_hover_text(tip);
            });
        },
    )
    .response
}
