//! The list of bookmarks and branches. Each can be renamed, opened by a click, and forgotten.

use egui::{Align, Align2, Layout, RichText, ScrollArea, TextEdit, Ui, vec2};
use lucide_icons::Icon;

use crate::{
    request::Request,
    view::View,
    widgets::{icon_button, named, number, theme, title, window_header, word_button},
};
use delassus_session::Command;

/// The state of the list.
#[derive(Debug, Default)]
pub struct Moments {
    pub open: bool,
    /// The name that is being edited.
    typed: Option<(Of, String)>,
}

/// The entry that a name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Bookmark(u64),
    Branch(u64),
}

/// The number of the current line among the branches.
const PRESENT: u64 = 0;
const WIDTH: f32 = 372.0;

/// Draws the list if it is open.
pub fn show(ui: &mut Ui, view: &View<'_>, room: egui::Rect, moments: &mut Moments, out: &mut Vec<Request>) {
    if !moments.open {
        moments.typed = None;
        return;
    }
    let mut close = false;
    egui::Window::new("Bookmarks and branches")
        .title_bar(false)
        .resizable(false)
        .pivot(Align2::RIGHT_BOTTOM)
        .default_pos(room.right_bottom() + vec2(-16.0, -12.0))
        .default_size(vec2(WIDTH, 120.0))
        .show(ui.ctx(), |ui| {
            ui.set_width(WIDTH);
            close = window_header(ui, "Bookmarks and branches");
            let height = (room.height() * 0.6).clamp(90.0, 320.0);
            ScrollArea::vertical().max_height(height).show(ui, |ui| {
                ui.set_width(WIDTH - 10.0);
                bookmarks(ui, view, moments, out);
                ui.add_space(6.0);
                branches(ui, view, moments, out);
            });
            ui.separator();
            ui.label(RichText::new(super::memory(view.session)).small().weak());
        });
    if close {
        moments.open = false;
    }
}

fn bookmarks(ui: &mut Ui, view: &View<'_>, moments: &mut Moments, out: &mut Vec<Request>) {
    title(ui, "Bookmarks");
    if view.session.bookmarks().is_empty() {
        ui.label(RichText::new("Ctrl+B bookmarks the shown moment.").weak());
    }
    for bookmark in view.session.bookmarks() {
        let at = number::time(bookmark.time);
        let go = (bookmark.step != view.snapshot.step).then_some(Command::Seek(bookmark.step));
        let forget = Command::Bookmark { step: bookmark.step, name: None };
        let line = Line { of: Of::Bookmark(bookmark.step), name: &bookmark.name, at, go, forget: Some(forget) };
        line.show(ui, moments, out);
    }
}

fn branches(ui: &mut Ui, view: &View<'_>, moments: &mut Moments, out: &mut Vec<Request>) {
    title(ui, "Branches");
    let session = view.session;
    let last = session.timeline().map_or(0, |line| line.last);
    let at = format!("to {}", number::time(session.time_of(last)));
    let present = Line { of: Of::Branch(PRESENT), name: session.branch_name(), at, go: None, forget: None };
    present.show(ui, moments, out);
    for branch in session.branches() {
        let at = format!("{} to {}", number::time(branch.fork.1), number::time(branch.end.1));
        let (go, forget) = (Some(Command::SwitchTo(branch.number)), Some(Command::DeleteBranch(branch.number)));
        Line { of: Of::Branch(branch.number), name: &branch.name, at, go, forget }.show(ui, moments, out);
    }
    if session.is_past() {
        ui.add_space(2.0);
        let tip = "What follows this moment is kept as another branch";
        if word_button(ui, Icon::GitFork, "Continue from here").on_hover_text(tip).clicked() {
            out.push(Request::Session(Command::Fork));
        }
    } else if session.branches().is_empty() {
        let text = "A change at an earlier moment starts another branch; this one is kept.";
        ui.label(RichText::new(text).weak());
    }
}

/// A line of the list.
struct Line<'a> {
    of: Of,
    name: &'a str,
    at: String,
    /// `None` if the run is there.
    go: Option<Command>,
    forget: Option<Command>,
}

impl Line<'_> {
    fn show(self, ui: &mut Ui, moments: &mut Moments, out: &mut Vec<Request>) {
        let colors = theme::colors(ui.visuals());
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            let here = self.go.is_none();
            let go = ui.add_enabled_ui(!here, |ui| {
                let image = if here { Icon::MapPin } else { Icon::CornerUpLeft };
                icon_button(ui, image, &format!("Go to {}", self.name), "Go there")
            });
            if go.inner.clicked() {
                out.extend(self.go.map(Request::Session));
            }
            self.of.field(ui, self.name, moments, out);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if let Some(forget) = self.forget {
                    if icon_button(ui, Icon::Trash2, &format!("Delete {}", self.name), "Delete").clicked() {
                        out.push(Request::Session(forget));
                    }
                } else {
                    ui.add_space(31.0);
                }
                ui.label(RichText::new(self.at).monospace().size(10.5).color(colors.weak));
            });
        });
    }
}

impl Of {
    /// The name as a field.
    fn field(self, ui: &mut Ui, name: &str, moments: &mut Moments, out: &mut Vec<Request>) {
        let typed = moments.typed.take_if(|(line, _)| *line == self);
        let mut text = typed.map_or_else(|| name.to_owned(), |(_, text)| text);
        let field = TextEdit::singleline(&mut text).desired_width(158.0);
        let response = named(ui.add(field), &format!("Name of {name}")).on_hover_text(name);
        if response.lost_focus() {
            let new = text.trim();
            if !new.is_empty() && new != name {
                out.push(Request::Session(match self {
                    Self::Bookmark(step) => Command::Bookmark { step, name: Some(new.to_owned()) },
                    Self::Branch(number) => Command::RenameBranch(number, new.to_owned()),
                }));
            }
        } else if response.has_focus() {
            moments.typed = Some((self, text));
        }
    }
}
