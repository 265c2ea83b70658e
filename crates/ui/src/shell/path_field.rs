//! The path field, used where the system has no file dialogs: a text line, and below it the folder that it leads to.
//!
//! Tab completes as far as the names agree; arrow keys and clicks choose from the list. The field stays open and shows
//! errors until the file has been read or written.

use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use egui::text::CCursorRange;
use egui::text_edit::TextEditState;
use egui::{Key, Label, Modifiers, RichText, ScrollArea, TextEdit, Ui, vec2};
use lucide_icons::Icon;

use crate::{
    request::{Purpose, Request},
    shell::state::UiState,
    widgets::{self, icon, icon_sized, named, theme, window_header, word_button},
};
use delassus_session::analysis::AnalysisFile;

/// A path that is being typed.
#[derive(Clone, Debug, Default)]
pub struct PathField {
    pub purpose: Purpose,
    pub text: String,
    /// Why the last attempt failed.
    pub error: Option<String>,
    /// Whether the field has had the keyboard.
    focused: bool,
    /// The entry of the list that the arrow keys are on.
    chosen: Option<usize>,
    /// The listed folder and its entries.
    listed: Option<(PathBuf, Vec<Entry>)>,
}

/// A folder or scene file in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    name: String,
    is_folder: bool,
}

/// The most entries that are listed; of more, typing the name is quicker.
const MAX_ENTRIES: usize = 400;

impl PathField {
    /// A field that offers a path.
    pub fn new(purpose: Purpose, text: String) -> Self {
        Self { purpose, text, ..Self::default() }
    }

    /// The typed folder with its separator, and the beginning of a name behind it.
    fn split(&self) -> (&str, &str) {
        let is_separator = |c: char| c == '/' || c == MAIN_SEPARATOR;
        self.text.rfind(is_separator).map_or(("", self.text.as_str()), |at| self.text.split_at(at + 1))
    }

    /// Lists the typed folder if it has changed.
    fn list(&mut self) {
        let typed = self.split().0;
        let folder = if typed.is_empty() { PathBuf::from(".") } else { PathBuf::from(typed) };
        if self.listed.as_ref().is_none_or(|(listed, _)| *listed != folder) {
            let entries = entries(&folder);
            self.listed = Some((folder, entries));
        }
    }

    /// The entries that begin with the typed name, in upper or lower case; all of them if the name is complete.
    fn matching(&self) -> Vec<Entry> {
        let Some((_, entries)) = &self.listed else { return Vec::new() };
        let begun = self.split().1.to_lowercase();
        let hidden = begun.starts_with('.');
        let shown = |entry: &&Entry| hidden || !entry.name.starts_with('.');
        let found: Vec<_> =
            entries.iter().filter(shown).filter(|e| e.name.to_lowercase().starts_with(&begun)).collect();
        let whole = found.iter().any(|entry| entry.name.to_lowercase() == begun);
        let all = entries.iter().filter(shown);
        if whole || found.is_empty() { all.cloned().collect() } else { found.into_iter().cloned().collect() }
    }

    /// Completes the name as far as all matches agree. Enters a folder that is the only match.
    fn complete(&mut self) {
        let (folder, begun) = self.split();
        let begins = |entry: &&Entry| entry.name.to_lowercase().starts_with(&begun.to_lowercase());
        let matching = self.matching();
        let mut names = matching.iter().filter(begins);
        let Some(first) = names.next() else { return };
        let mut common = first.name.clone();
        let mut alone = first.is_folder;
        for other in names {
            alone = false;
            let same = common.chars().zip(other.name.chars()).take_while(|(a, b)| a == b).count();
            common = common.chars().take(same).collect();
        }
        // Matches that share fewer letters than were typed differ in case: keep what was typed.
        if common.chars().count() >= begun.chars().count() {
            self.text = format!("{folder}{common}{}", if alone { "/" } else { "" });
        }
        self.chosen = None;
    }

    /// Takes an entry of the list into the field.
    fn accept(&mut self, entry: &Entry) {
        let end = if entry.is_folder { "/" } else { "" };
        let folder = self.split().0;
        let parent = Path::new(folder).canonicalize().ok().filter(|_| entry.name == "..");
        self.text = match parent.as_deref().and_then(Path::parent) {
            Some(parent) => format!("{}/", parent.display()).replace("//", "/"),
            None => format!("{folder}{}{end}", entry.name),
        };
        (self.chosen, self.error) = (None, None);
    }

    /// The request for the typed path.
    fn request(&self) -> Request {
        let path = PathBuf::from(self.text.trim());
        match self.purpose {
            Purpose::Open => Request::Open(path),
            Purpose::Save => Request::SaveAs(path),
            Purpose::Folder => Request::AddFolder(path),
            Purpose::Export => Request::Export(path),
            Purpose::Recording => Request::SaveRecording(path),
            Purpose::Figure => Request::SaveFigure(path),
            Purpose::Results => Request::SaveResults(path),
            Purpose::Analysis(file) => Request::SaveAnalysis(file, path),
            Purpose::Film => Request::RecordFilm(path),
            Purpose::Still => Request::SaveStill(path),
        }
    }
}

/// A folder's folders and scene files by name; empty where it cannot be read.
fn entries(folder: &Path) -> Vec<Entry> {
    let read = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let entry = |found: std::fs::DirEntry| {
        let path = found.path();
        let is_folder = path.is_dir();
        // Scenes, and robot descriptions, which are opened as scenes.
        let known =
            |ending: &std::ffi::OsStr| ["ron", "urdf", "xml"].iter().any(|known| ending.eq_ignore_ascii_case(known));
        let is_scene = path.extension().is_some_and(known);
        (is_folder || is_scene).then(|| Entry { name: found.file_name().to_string_lossy().into_owned(), is_folder })
    };
    let mut list: Vec<Entry> = read.filter_map(entry).collect();
    list.sort_by_key(|entry| (!entry.is_folder, entry.name.to_lowercase()));
    list.truncate(MAX_ENTRIES);
    list
}

/// Draws the field if it is open.
pub fn show(ui: &mut Ui, state: &mut UiState, out: &mut Vec<Request>) {
    let Some(mut field) = state.questions.path_field.take() else { return };
    // A question about the typed path comes first.
    let answers = state.questions.replace.is_none() && state.questions.unsaved.is_none();
    let (title, word) = match field.purpose {
        Purpose::Open => ("Open scene", "Open"),
        Purpose::Save => ("Save scene as", "Save"),
        Purpose::Folder => ("Add a folder of scenes", "Add"),
        Purpose::Export => ("Save the state as a new scene", "Save"),
        Purpose::Recording => ("Save the recording", "Save"),
        Purpose::Results => ("Save the results as .html", "Save"),
        Purpose::Analysis(AnalysisFile::Csv) => ("Save the analysis as .csv", "Save"),
        Purpose::Analysis(AnalysisFile::Svg) => ("Save the path as .svg", "Save"),
        Purpose::Analysis(AnalysisFile::Dxf) => ("Save the path as .dxf", "Save"),
        Purpose::Analysis(AnalysisFile::Html) => ("Save the report as .html", "Save"),
        Purpose::Figure => ("Save plots as .png, .svg or .csv", "Save"),
        Purpose::Film => ("Record a film as .png or .gif", "Record"),
        Purpose::Still => ("Save a figure as .png", "Save"),
    };
    let mut close = false;
    let screen = ui.ctx().content_rect();
    let width = (screen.width() - 60.0).clamp(40.0, 540.0);
    egui::Window::new(title)
        .title_bar(false)
        .resizable(false)
        .order(egui::Order::Foreground)
        .anchor(egui::Align2::CENTER_TOP, vec2(0.0, (screen.height() * 0.1).min(90.0)))
        .show(ui.ctx(), |ui| {
            ui.set_width(width);
            close = window_header(ui, title);
            let what = if field.purpose == Purpose::Folder { "folder" } else { "file" };
            let words = format!("The system offers no file dialog here. Type the {what}'s path:");
            ui.label(RichText::new(words).weak());
            let sent = line(ui, &mut field, answers, word);
            if let Some(error) = &field.error {
                let color = theme::colors(ui.visuals()).bad;
                ui.horizontal_top(|ui| {
                    ui.label(icon_sized(Icon::TriangleAlert, 15.0).color(color));
                    ui.add(Label::new(RichText::new(error).color(color)).wrap());
                });
            }
            ui.separator();
            let opened = folder(ui, &mut field);
            if sent || opened {
                out.push(field.request());
            }
        });
    let escape = answers && ui.input(|i| i.key_pressed(Key::Escape));
    if close || escape {
        out.push(Request::GiveUpSaving);
    } else {
        state.questions.path_field = Some(field);
    }
}

/// Id of the text line.
fn id() -> egui::Id {
    egui::Id::unique("path field")
}

/// The text line and its button. True if the path was confirmed.
fn line(ui: &mut Ui, field: &mut PathField, answers: bool, word: &str) -> bool {
    let mut sent = false;
    ui.horizontal(|ui| {
        let id = id();
        let has_focus = answers && ui.memory(|m| m.has_focus(id));
        // Before the text line consumes these keys.
        let (tab, up, down) = ui.input_mut(|i| {
            let mut pressed = |key| has_focus && i.consume_key(Modifiers::NONE, key);
            (pressed(Key::Tab), pressed(Key::ArrowUp), pressed(Key::ArrowDown))
        });
        field.list();
        if up || down {
            let count = field.matching().len();
            field.chosen = step(field.chosen, count, down);
        }
        let room = ui.available_width() - 92.0;
        let (hint, name) = match field.purpose {
            Purpose::Folder => ("folder", "Path of the folder"),
            _ => ("scene.ron", "Path of the scene file"),
        };
        let edit = TextEdit::singleline(&mut field.text).id(id).hint_text(hint).desired_width(room);
        let response = named(ui.add(edit.lock_focus(true)), name);
        if response.changed() {
            (field.error, field.chosen) = (None, None);
        }
        // Only after the line has the text of the same frame, which can be long on a busy machine.
        if tab {
            field.list();
            field.complete();
            to_end(ui, &field.text);
            ui.ctx().request_repaint();
        }
        let enter = response.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
        if !field.focused {
            response.request_focus();
            let mut edit = TextEditState::load(ui.ctx(), id).unwrap_or_default();
            edit.cursor.set_char_range(Some(CCursorRange::select_all_str(&field.text)));
            edit.store(ui.ctx(), id);
            field.focused = true;
        } else if answers && !enter && !response.has_focus() {
            response.request_focus();
        }
        let chosen = field.chosen.and_then(|at| field.matching().get(at).cloned());
        if let (true, Some(entry)) = (enter, chosen) {
            field.accept(&entry);
            to_end(ui, &field.text);
            sent = !entry.is_folder && field.purpose == Purpose::Open;
            return;
        }
        let usable = !field.text.trim().is_empty() && answers;
        let button = ui.add_enabled_ui(usable, |ui| word_button(ui, Icon::Check, word)).inner;
        sent = usable && (enter || button.clicked());
    });
    sent
}

/// The next or previous entry; past either end, back to the text line.
fn step(chosen: Option<usize>, count: usize, down: bool) -> Option<usize> {
    let next = match (chosen, down) {
        (None, true) => Some(0),
        (None, false) => count.checked_sub(1),
        (Some(at), true) => Some(at + 1),
        (Some(at), false) => at.checked_sub(1),
    };
    next.filter(|at| *at < count)
}

/// Puts the cursor behind the text.
fn to_end(ui: &Ui, text: &str) {
    let mut edit = TextEditState::load(ui.ctx(), id()).unwrap_or_default();
    let end = egui::text::CCursor::new(text.chars().count());
    edit.cursor.set_char_range(Some(CCursorRange::one(end)));
    edit.store(ui.ctx(), id());
}

/// The folder's entries. True if a file was clicked twice.
fn folder(ui: &mut Ui, field: &mut PathField) -> bool {
    /// Rows of the list, points.
    const HEIGHT: f32 = 200.0;
    let mut opened = false;
    let entries = field.matching();
    let mut taken = None;
    ScrollArea::vertical().max_height(HEIGHT).min_scrolled_height(HEIGHT).auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        if entries.is_empty() {
            ui.label(RichText::new("No folder or scene file is here.").weak());
        }
        let parent = Entry { name: "..".into(), is_folder: true };
        for (index, entry) in std::iter::once((None, &parent)).chain((0..).map(Some).zip(&entries)) {
            let image = if entry.is_folder { Icon::Folder } else { Icon::FileBox };
            let on = index.is_some() && index == field.chosen;
            let button = egui::Button::selectable(on, widgets::lead(icon(image), &entry.name)).truncate();
            let response = named(ui.add(button.min_size(vec2(ui.available_width(), 22.0))), &entry.name);
            if on {
                response.scroll_to_me(None);
            }
            if response.clicked() {
                taken = Some(entry.clone());
            }
            opened |= response.double_clicked() && !entry.is_folder;
        }
    });
    if let Some(entry) = taken {
        field.accept(&entry);
        to_end(ui, &field.text);
    }
    opened
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tab_completes_as_far_as_names_agree_and_enters_a_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["bridge-1.ron", "bridge-2.ron", "notes.txt"] {
            std::fs::write(folder.path().join(name), "").expect("a file");
        }
        std::fs::create_dir(folder.path().join("Lab")).expect("a folder");
        let at = |name: &str| format!("{}/{name}", folder.path().display());
        let mut field = PathField::new(Purpose::Open, at("br"));
        let mut complete = |text: &str, expected: &str| {
            field.text = at(text);
            field.list();
            field.complete();
            assert_eq!(field.text, at(expected));
        };
        complete("br", "bridge-");
        complete("bridge-1", "bridge-1.ron");
        complete("la", "Lab/");
        complete("no", "no");
        field.text = at("");
        field.list();
        let names: Vec<_> = field.matching().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["Lab", "bridge-1.ron", "bridge-2.ron"], "folders first, scenes only");
    }
}
