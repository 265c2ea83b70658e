//! The modal questions (unsaved changes, a file that another program has changed), and the path field where no dialog service answers.

use std::path::PathBuf;

use egui::{Id, Key, Modal, RichText, TextEdit, Ui};
use lucide_icons::Icon;

use super::{
    state::{Purpose, Request, UiState, View},
    theme,
    widgets::{icon_sized, named, window_header, word_button},
};
use crate::session::Command;

/// Draws whichever is open.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    unsaved(ui, view, state, out);
    overwrite(ui, view, state, out);
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
                } else {
                    out.push(Request::SaveAsDialog);
                }
                out.push(Request::AfterSave(Box::new(question.then.clone())));
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

fn overwrite(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    if !state.overwrite {
        return;
    }
    let mut answer = None;
    let modal = Modal::new(Id::unique("overwrite")).frame(egui::Frame::window(ui.style())).show(ui.ctx(), |ui| {
        ui.set_width(400.0);
        let colors = theme::colors(ui.visuals());
        ui.horizontal(|ui| {
            ui.label(icon_sized(Icon::TriangleAlert, 20.0).color(colors.warn));
            ui.label(RichText::new("Write over the other changes?").heading().color(colors.strong));
        });
        let name = view.path.and_then(std::path::Path::file_name).unwrap_or_default().to_string_lossy();
        ui.label(format!("Another program has changed {name} since it was opened here. Saving would undo that."));
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            if word_button(ui, Icon::Save, "Overwrite").clicked() {
                answer = Some(Some(Request::Overwrite));
            }
            if word_button(ui, Icon::SaveAll, "Save as…").clicked() {
                answer = Some(Some(Request::SaveAsDialog));
            }
            if word_button(ui, Icon::X, "Cancel").clicked() {
                answer = Some(None);
            }
        });
    });
    if answer.is_some() || modal.should_close() {
        state.overwrite = false;
        out.extend(answer.flatten());
    }
}

fn path_field(ui: &mut Ui, state: &mut UiState, out: &mut Vec<Request>) {
    let Some(mut field) = state.path_field.take() else { return };
    let mut close = false;
    let mut done = false;
    let title = match field.purpose {
        Purpose::Open => "Open scene",
        Purpose::Save => "Save scene as",
        Purpose::Export => "Save the state as a new scene",
    };
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
                let word = if field.purpose == Purpose::Open { "Open" } else { "Save" };
                let usable = !field.text.trim().is_empty();
                let button = ui.add_enabled_ui(usable, |ui| word_button(ui, Icon::Check, word)).inner;
                if usable && (enter || button.clicked()) {
                    let path = PathBuf::from(field.text.trim());
                    out.push(match field.purpose {
                        Purpose::Open => Request::Open(path),
                        Purpose::Save => Request::SaveAs(path),
                        Purpose::Export => Request::Export(path),
                    });
                    done = true;
                }
            });
        });
    let escape = ui.input(|i| i.key_pressed(Key::Escape));
    if !close && !done && !escape {
        state.path_field = Some(field);
    }
}
