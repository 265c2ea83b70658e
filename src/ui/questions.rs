//! The one modal question (unsaved changes), and the path field where no dialog service answers.

use std::path::PathBuf;

use egui::{Id, Key, Modal, RichText, TextEdit, Ui};
use lucide_icons::Icon;

use super::{
    state::{Request, UiState, View},
    theme,
    widgets::{icon_sized, named, window_header, word_button},
};
use crate::session::Command;

/// Draws whichever is open.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    unsaved(ui, view, state, out);
    path_field(ui, state, out);
}

fn unsaved(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let Some(question) = state.question.take() else { return };
    let mut answered = false;
    let modal = Modal::new(Id::unique("unsaved")).frame(egui::Frame::window(ui.style())).show(ui.ctx(), |ui| {
        ui.set_width(380.0);
        let colors = theme::colors(ui.visuals());
        ui.horizontal(|ui| {
            ui.label(icon_sized(Icon::TriangleAlert, 20.0).color(colors.warn));
            ui.label(RichText::new("Save the changes first?").heading().color(colors.strong));
        });
        ui.label(format!("“{}” differs from its file. What is not saved is lost.", view.scene.title));
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            if word_button(ui, Icon::Save, "Save").clicked() {
                answered = true;
                if view.path.is_some() {
                    out.push(Request::Session(Command::Save));
                    out.push(Request::AfterSave(Box::new(question.then.clone())));
                } else {
                    out.push(Request::SaveAsDialog);
                }
            }
            if word_button(ui, Icon::Trash2, "Discard changes").clicked() {
                answered = true;
                out.push(Request::Discard(Box::new(question.then.clone())));
            }
            if word_button(ui, Icon::X, "Cancel").clicked() {
                answered = true;
            }
        });
    });
    if !answered && !modal.should_close() {
        state.question = Some(question);
    }
}

fn path_field(ui: &mut Ui, state: &mut UiState, out: &mut Vec<Request>) {
    let Some(mut field) = state.path_field.take() else { return };
    let mut close = false;
    let mut done = false;
    let title = if field.save { "Save scene as" } else { "Open scene" };
    egui::Window::new(title)
        .title_bar(false)
        .resizable(false)
        .order(egui::Order::Foreground)
        .anchor(egui::Align2::CENTER_TOP, egui::vec2(0.0, 90.0))
        .default_width(520.0)
        .show(ui.ctx(), |ui| {
            close = window_header(ui, title);
            ui.label(RichText::new("The system offers no file dialog here. Type the file's path:").weak());
            ui.horizontal(|ui| {
                let edit = TextEdit::singleline(&mut field.text).hint_text("scene.ron").desired_width(400.0);
                let response = named(ui.add(edit), "Path of the scene file");
                if !response.has_focus() && !response.lost_focus() {
                    response.request_focus();
                }
                let enter = response.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
                let word = if field.save { "Save" } else { "Open" };
                let usable = !field.text.trim().is_empty();
                let button = ui.add_enabled_ui(usable, |ui| word_button(ui, Icon::Check, word)).inner;
                if usable && (enter || button.clicked()) {
                    let path = PathBuf::from(field.text.trim());
                    out.push(if field.save { Request::SaveAs(path) } else { Request::Open(path) });
                    done = true;
                }
            });
        });
    let escape = ui.input(|i| i.key_pressed(Key::Escape));
    if !close && !done && !escape {
        state.path_field = Some(field);
    }
}
