//! Ctrl+P: finds scenes and commands by a few letters, and opens what a line of text asks for.

use egui::{Align2, Key, Label, RichText, ScrollArea, TextEdit, Ui, vec2};
use lucide_icons::Icon;

use crate::opening::{Wanted, line};
use crate::ui::{
    editor::{Tool, tools::grab::Kind},
    request::Request,
    shell::{
        action::{ACTIONS, Action, Menu},
        commands,
        state::UiState,
    },
    view::View,
    widgets::{self, icon, icon_sized, named, theme},
};

/// What is typed and which line is chosen.
#[derive(Clone, Debug, Default)]
pub struct FinderState {
    pub text: String,
    pub chosen: usize,
    /// What the text comes to that was read as a line last.
    line: Option<(String, Result<Wanted, String>)>,
}

impl FinderState {
    /// With something typed already.
    pub fn with(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The text as a line, if it is meant as one. It is read once: it looks into files.
    fn line(&mut self) -> Option<&Result<Wanted, String>> {
        if !line::is_meant(&self.text) {
            return None;
        }
        if self.line.as_ref().is_none_or(|(text, _)| *text != self.text) {
            self.line = Some((self.text.clone(), line::read(&self.text)));
        }
        self.line.as_ref().map(|(_, read)| read)
    }
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq)]
enum Found {
    Scene { title: String, detail: String, path: std::path::PathBuf },
    Command(Action),
    Line(Box<Wanted>),
}

/// Lines shown at once.
const MOST: usize = 60;

/// Draws the finder if it is open.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let Some(mut finder) = state.finder.take() else { return };
    let (found, nothing) = match finder.line().cloned() {
        Some(Ok(wanted)) => (vec![Found::Line(Box::new(wanted))], String::new()),
        // What begins as a line does may be words all the same: the program has the name of a matrix.
        Some(Err(why)) if line::may_be_words(&finder.text) => (search(view, state, &finder.text), why),
        Some(Err(why)) => (Vec::new(), why),
        None => (search(view, state, &finder.text), "Nothing matches.".to_owned()),
    };
    finder.chosen = finder.chosen.min(found.len().saturating_sub(1));
    let (up, down, enter, escape) = ui.input_mut(|i| {
        let mut pressed = |key| i.consume_key(egui::Modifiers::NONE, key);
        (pressed(Key::ArrowUp), pressed(Key::ArrowDown), pressed(Key::Enter), pressed(Key::Escape))
    });
    if up {
        finder.chosen = finder.chosen.checked_sub(1).unwrap_or(found.len().saturating_sub(1));
    }
    if down {
        finder.chosen = (finder.chosen + 1) % found.len().max(1);
    }
    let mut taken = enter.then(|| found.get(finder.chosen).cloned()).flatten();
    let screen = ui.ctx().content_rect();
    let width = (screen.width() - 40.0).clamp(40.0, 560.0);
    let window = egui::Window::new("Find")
        .title_bar(false)
        .resizable(false)
        .order(egui::Order::Foreground)
        .anchor(Align2::CENTER_TOP, vec2(0.0, (screen.height() * 0.12).min(90.0)))
        .show(ui.ctx(), |ui| {
            ui.set_width(width);
            ui.horizontal(|ui| {
                let weak = theme::colors(ui.visuals()).weak;
                ui.label(icon_sized(Icon::Search, 17.0).color(weak));
                let field = TextEdit::singleline(&mut finder.text)
                    .hint_text("Find a scene or a command, or paste a line that opens one")
                    .font(egui::FontId::proportional(16.0))
                    .frame(egui::Frame::NONE)
                    .desired_width(f32::INFINITY);
                let response = named(ui.add(field), "Find a scene or a command");
                response.request_focus();
                if response.changed() {
                    finder.chosen = 0;
                }
            });
            ui.separator();
            if found.is_empty() {
                ui.add(Label::new(RichText::new(nothing).weak()).wrap());
            }
            let height = (screen.height() * 0.6).min(420.0);
            ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 1.0;
                for (index, item) in found.iter().enumerate() {
                    let response = row(ui, item, index == finder.chosen, view);
                    if (up || down) && index == finder.chosen {
                        response.scroll_to_me(None);
                    }
                    if response.clicked() {
                        taken = Some(item.clone());
                    }
                }
            });
        });
    let outside = window.is_some_and(|w| {
        ui.input(|i| i.pointer.any_pressed() && i.pointer.interact_pos().is_some_and(|p| !w.response.rect.contains(p)))
    });
    match taken {
        Some(Found::Scene { path, .. }) => out.push(Request::Open(path)),
        Some(Found::Line(wanted)) => out.push(Request::OpenWanted(wanted)),
        Some(Found::Command(action)) => commands::perform(action, view, state, out),
        None if escape || outside => {}
        None => state.finder = Some(finder),
    }
}

fn row(ui: &mut Ui, item: &Found, chosen: bool, view: &View<'_>) -> egui::Response {
    let (image, name, detail) = match item {
        Found::Scene { title, detail, .. } => (Icon::FileBox, title.clone(), detail.clone()),
        Found::Command(action) => match action.info() {
            Some(info) => (info.icon, commands::name(info, view).to_owned(), info.key_text()),
            None => (Icon::Command, String::new(), String::new()),
        },
        Found::Line(wanted) => {
            let opening = wanted.opening().unwrap_or_default();
            let experiment = opening.changes.experiment.unwrap_or_default();
            (Icon::Terminal, format!("Open {} as this line says", opening.scene), experiment)
        }
    };
    let button = egui::Button::selectable(chosen, widgets::lead(icon(image), &name))
        .right_text(RichText::new(detail).small().weak())
        .truncate()
        .min_size(vec2(ui.available_width(), 26.0));
    named(ui.add(button), &name)
}

/// Scenes and commands that match, the best first.
fn search(view: &View<'_>, state: &UiState, text: &str) -> Vec<Found> {
    let scenes = view.shelf.entries.iter().map(|entry| {
        let detail = if entry.source.is_empty() { entry.folder().to_owned() } else { entry.source.clone() };
        let words = format!("{} {} {}", entry.title, detail, crate::ui::view::file_name(entry));
        (words, Found::Scene { title: entry.title.clone(), detail, path: entry.path.clone() })
    });
    let recent = state.recent.iter().filter(|recent| recent.there).map(|recent| {
        let (title, folder) = (recent.name(), recent.folder());
        let found =
            Found::Scene { title: title.clone(), detail: format!("recent, {folder}"), path: recent.path.clone() };
        (format!("recent {title} {folder}"), found)
    });
    let commands = (ACTIONS.iter())
        .filter(|info| info.menu != Menu::Hidden && info.action != Action::Find)
        .filter(|info| commands::is_enabled(info.action, view))
        .map(|info| (format!("{} {}", info.name, also_called(info.action)), Found::Command(info.action)));
    let mut ranked: Vec<(usize, Found)> =
        scenes.chain(recent).chain(commands).filter_map(|(words, found)| Some((rank(&words, text)?, found))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().take(MOST).map(|(_, found)| found).collect()
}

/// What others call a command by.
fn also_called(action: Action) -> &'static str {
    match action {
        Action::Export => "export",
        Action::Record => "replay save recording",
        Action::Probes => "measure ruler",
        Action::Reload => "reload",
        Action::Quit => "exit close",
        Action::Grab(Kind::Rotate) => "rotate",
        Action::Look(_) | Action::Perspective => "orthographic",
        Action::Tool(Tool::Spawn) => "add body",
        Action::TogglePlay => "run stop",
        Action::UiScale(_) => "zoom scale",
        _ => "",
    }
}

/// How well `words` answer `text`, 0 the best; `None` if not at all. Words that begin with what was typed come before
/// words that hold it, and those before letters that merely follow in order.
fn rank(words: &str, text: &str) -> Option<usize> {
    let (words, text) = (words.to_lowercase(), text.trim().to_lowercase());
    if text.is_empty() {
        return Some(0);
    }
    let all = |matches: &dyn Fn(&str) -> bool| text.split_whitespace().all(matches);
    if words.starts_with(&text) {
        Some(0)
    } else if all(&|part| words.split_whitespace().any(|word| word.starts_with(part))) {
        Some(1)
    } else if all(&|part| words.contains(part)) {
        Some(2)
    } else {
        let mut letters = words.chars();
        let in_order = text.chars().filter(|c| !c.is_whitespace()).all(|c| letters.any(|l| l == c));
        in_order.then_some(3)
    }
}

#[cfg(test)]
mod tests {
    use super::rank;

    #[test]
    fn better_matches_come_first() {
        assert_eq!(rank("One step back", ""), Some(0));
        assert_eq!(rank("One step back", "one"), Some(0));
        assert_eq!(rank("One step back", "back st"), Some(1));
        assert_eq!(rank("One step back", "tep"), Some(2));
        assert_eq!(rank("One step back", "osb"), Some(3));
        assert_eq!(rank("One step back", "zz"), None);
    }
}
