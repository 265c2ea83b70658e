//! The list of work that was not saved when the program ended, newest first: each entry can be recovered or discarded.

use std::path::PathBuf;
use std::time::Duration;

use egui::{Align2, Label, RichText, ScrollArea, Ui};
use lucide_icons::Icon;

use crate::{
    request::Request,
    widgets::{self, theme, word_button},
};

/// Work that was not saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostWork {
    /// The recovery copy.
    pub copy: PathBuf,
    pub title: String,
    /// The scene file that it belongs to, if it had one.
    pub file: Option<PathBuf>,
    /// How long ago it was written.
    pub age: Duration,
}

impl LostWork {
    /// The name of its file.
    pub fn name(&self) -> String {
        let name = self.file.as_deref().and_then(std::path::Path::file_name);
        name.map_or_else(|| "a new scene".into(), |name| name.to_string_lossy().into_owned())
    }
}

/// The list while it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LostWorkList {
    pub list: Vec<LostWork>,
    /// The copy that is deleted at the next click.
    doomed: Option<PathBuf>,
}

impl LostWorkList {
    /// Shows these, the newest first.
    pub fn new(list: Vec<LostWork>) -> Self {
        Self { list, doomed: None }
    }
}

/// The window's name.
const NAME: &str = "Recover work";

/// Draws the list if it is shown.
pub fn show(ui: &mut Ui, list: &mut Option<LostWorkList>, out: &mut Vec<Request>) {
    let Some(mut shown) = list.take() else { return };
    let screen = ui.ctx().content_rect();
    let mut close = false;
    egui::Window::new(NAME)
        .title_bar(false)
        .resizable(false)
        .pivot(Align2::CENTER_CENTER)
        .default_pos(screen.center())
        .show(ui.ctx(), |ui| {
            ui.set_width((screen.width() - 60.0).clamp(40.0, 520.0));
            let colors = theme::colors(ui.visuals());
            close = widgets::window_header(ui, NAME);
            let words = if shown.list.is_empty() {
                "There is no unsaved work. If the program ends without saving, its work is listed here."
            } else {
                "The program ended without saving this work. It is kept until you save or discard it."
            };
            ui.add(Label::new(RichText::new(words).color(colors.weak)).wrap());
            let height = (screen.height() - 200.0).clamp(40.0, 420.0);
            ScrollArea::vertical().max_height(height).show(ui, |ui| {
                let LostWorkList { list, doomed } = &mut shown;
                list.iter().for_each(|work| entry(ui, work, doomed, out));
            });
        });
    if !close {
        *list = Some(shown);
    }
}

fn entry(ui: &mut Ui, work: &LostWork, doomed: &mut Option<PathBuf>, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    ui.separator();
    let whole = work.file.as_ref().map_or_else(|| "It has no file yet.".to_owned(), |file| file.display().to_string());
    let title = if work.title.is_empty() { String::new() } else { format!("“{}”, ", work.title) };
    ui.add(Label::new(RichText::new(work.name()).color(colors.strong)).truncate()).on_hover_text(whole);
    let words = format!("{title}{}", ago(work.age));
    ui.add(Label::new(RichText::new(words).small().color(colors.weak)).truncate());
    ui.push_id(&work.copy, |ui| {
        ui.horizontal(|ui| {
            if word_button(ui, Icon::Undo2, "Recover").on_hover_text("Opens it as unsaved changes").clicked() {
                out.push(Request::Recover(work.copy.clone()));
            }
            if doomed.as_ref() == Some(&work.copy) {
                if word_button(ui, Icon::Trash2, "Discard for good").clicked() {
                    out.push(Request::DiscardLostWork(work.copy.clone()));
                }
                if word_button(ui, Icon::X, "Keep").clicked() {
                    *doomed = None;
                }
            } else if word_button(ui, Icon::Trash2, "Discard…").clicked() {
                *doomed = Some(work.copy.clone());
            }
        });
    });
}

/// An age in words.
fn ago(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    let (count, unit) = match minutes {
        0 => return "less than a minute ago".into(),
        1..60 => (minutes, "minute"),
        60..1440 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_read_as_people_say_them() {
        let age = |seconds| ago(Duration::from_secs(seconds));
        assert_eq!(age(59), "less than a minute ago");
        assert_eq!([age(60), age(7199), age(86_400 * 3)], ["1 minute ago", "1 hour ago", "3 days ago"]);
    }
}
