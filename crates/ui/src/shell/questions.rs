//! Modal questions: unsaved changes, a file changed by another program, a file that exists already.

use egui::{Id, Modal, RichText, Ui};
use lucide_icons::Icon;

use crate::{
    request::{Replace, Request},
    shell::{
        conflict::{self, ConflictView},
        path_field::{self, PathField},
        state::UiState,
    },
    view::View,
    widgets::{icon_sized, theme, word_button},
};
use delassus_session::Command;

/// The question that is asked before unsaved changes are lost.
#[derive(Clone, Debug)]
pub struct UnsavedQuestion {
    pub then: Request,
}

/// The open questions.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// Asked before unsaved changes are lost.
    pub unsaved: Option<UnsavedQuestion>,
    /// Whether to overwrite another program's changes to the scene's file.
    pub overwrite: bool,
    /// Whether to overwrite an existing file.
    pub replace: Option<Replace>,
    /// The differences between document and file, while they are shown.
    pub conflict: Option<ConflictView>,
    pub path_field: Option<PathField>,
}

impl Questions {
    /// Whether one of them is open and takes keys and mouse.
    pub fn any(&self) -> bool {
        self.unsaved.is_some()
            || self.overwrite
            || self.replace.is_some()
            || self.conflict.is_some()
            || self.path_field.is_some()
    }
}

/// Draws whichever is open.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    unsaved(ui, view, state, out);
    overwrite(ui, view, state, out);
    replace(ui, state, out);
    conflict::show(ui, view, state, out);
    path_field::show(ui, state, out);
}

fn unsaved(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let Some(question) = state.questions.unsaved.take() else { return };
    let mut answered = false;
    let modal = Modal::new(Id::unique("unsaved")).frame(egui::Frame::window(ui.style())).show(ui.ctx(), |ui| {
        ui.set_width(380.0);
        let colors = theme::colors(ui.visuals());
        ui.horizontal(|ui| {
            ui.label(icon_sized(Icon::TriangleAlert, 20.0).color(colors.warn));
            ui.label(RichText::new("Save the changes first?").heading().color(colors.strong));
        });
        let title = &view.scene.title;
        ui.label(if view.unsaved {
            format!("“{title}” has unsaved changes, which would be lost.")
        } else {
            format!("The file of “{title}” has been deleted or moved. Unsaved work would be lost.")
        });
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            if word_button(ui, Icon::Save, "Save").clicked() {
                answered = true;
                if view.has_own_file() {
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
        state.questions.unsaved = Some(question);
    }
}

fn overwrite(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    if !state.questions.overwrite {
        return;
    }
    let mut answer = None;
    let modal = Modal::new(Id::unique("overwrite")).frame(egui::Frame::window(ui.style())).show(ui.ctx(), |ui| {
        ui.set_width(470.0);
        let colors = theme::colors(ui.visuals());
        ui.horizontal(|ui| {
            ui.label(icon_sized(Icon::TriangleAlert, 20.0).color(colors.warn));
            ui.label(RichText::new("Overwrite the other changes?").heading().color(colors.strong));
        });
        let name = view.path.and_then(std::path::Path::file_name).unwrap_or_default().to_string_lossy();
        ui.label(format!("Another program has changed {name} since it was opened here. Saving would undo that."));
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            if word_button(ui, Icon::Save, "Overwrite").clicked() {
                answer = Some(Some(Request::Overwrite));
            }
            if word_button(ui, Icon::GitMerge, "Show differences").clicked() {
                answer = Some(Some(Request::ShowConflict));
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
        state.questions.overwrite = false;
        out.extend(answer.flatten());
    }
}

fn replace(ui: &mut Ui, state: &mut UiState, out: &mut Vec<Request>) {
    let Some(question) = state.questions.replace.take() else { return };
    let (mut answered, mut given_up) = (false, false);
    let modal = Modal::new(Id::unique("replace")).frame(egui::Frame::window(ui.style())).show(ui.ctx(), |ui| {
        ui.set_width(420.0);
        let colors = theme::colors(ui.visuals());
        let name = question.path.file_name().unwrap_or_default().to_string_lossy();
        ui.horizontal(|ui| {
            ui.label(icon_sized(Icon::TriangleAlert, 20.0).color(colors.warn));
            ui.label(RichText::new("Replace the file?").heading().color(colors.strong));
        });
        let folder = question.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let place = folder.map_or_else(String::new, |folder| format!(" in {}", folder.display()));
        ui.add(egui::Label::new(format!("{name} already exists{place}. Its contents would be lost.")).wrap());
        ui.add_space(10.0);
        ui.horizontal(|ui| {
            if word_button(ui, Icon::Save, "Replace").clicked() {
                answered = true;
                out.push(Request::Replace(question.clone()));
            }
            if word_button(ui, Icon::SaveAll, "Another name…").clicked() {
                answered = true;
                // If the path field is still open, another name is typed there.
                if state.questions.path_field.is_none() {
                    out.push(Request::AskPath(question.purpose));
                }
            }
            if word_button(ui, Icon::X, "Cancel").clicked() {
                given_up = true;
            }
        });
    });
    if given_up || (modal.should_close() && !answered) {
        // The path field may still save it elsewhere.
        if state.questions.path_field.is_none() {
            out.push(Request::GiveUpSaving);
        }
    } else if !answered {
        state.questions.replace = Some(question);
    }
}
