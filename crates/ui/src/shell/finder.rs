//! Ctrl+P: finds scenes, lessons, experiments and commands by a few letters, and opens what a line of text asks for.

use egui::{Align2, Key, Label, RichText, ScrollArea, TextEdit, Ui, vec2};
use lucide_icons::Icon;

use crate::{
    panels::{experiment_cards, lesson},
    request::Request,
    shell::{
        commands,
        search_index::{ExperimentPlace, SearchHit, SearchIndex},
        state::{RightTab, UiState},
    },
    view::View,
    widgets::{self, icon, icon_sized, named, theme},
};
use delassus_launch::{LaunchOptions, line};

/// What is typed and which line is chosen.
#[derive(Clone, Debug, Default)]
pub struct FinderState {
    pub text: String,
    pub chosen: usize,
    /// The text that was last read as a line, and the result.
    line: Option<(String, Result<LaunchOptions, String>)>,
    /// Gathered when the finder is opened.
    index: Option<SearchIndex>,
}

impl FinderState {
    /// A finder with this text typed.
    pub fn with(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The text as a line, if it is meant as one. Reading it looks into files, so the result is kept.
    fn line(&mut self) -> Option<&Result<LaunchOptions, String>> {
        if !line::is_meant(&self.text) {
            return None;
        }
        if self.line.as_ref().is_none_or(|(text, _)| *text != self.text) {
            self.line = Some((self.text.clone(), line::read(&self.text)));
        }
        self.line.as_ref().map(|(_, read)| read)
    }
}

/// Lines shown at once.
const MAX_LINES: usize = 60;

/// Draws the finder if it is open.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let Some(mut finder) = state.finder.take() else { return };
    let line = finder.line().cloned();
    let index = finder.index.get_or_insert_with(|| SearchIndex::of(view, &state.recent));
    let (mut found, nothing) = match line {
        Some(Ok(wanted)) => (vec![SearchHit::Line(Box::new(wanted))], String::new()),
        // A text that begins like a line may be words: the program is named after a matrix.
        Some(Err(why)) if line::may_be_words(&finder.text) => (index.search(view, &finder.text), why),
        Some(Err(why)) => (Vec::new(), why),
        None => (index.search(view, &finder.text), "Nothing matches.".to_owned()),
    };
    let more = found.len().saturating_sub(MAX_LINES);
    found.truncate(MAX_LINES);
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
                    .hint_text("Find a scene, a lesson, an experiment or a command, or paste a line")
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
                if more > 0 {
                    ui.label(RichText::new(format!("and {more} more: type more letters")).small().weak());
                }
            });
        });
    let outside = window.is_some_and(|w| {
        ui.input(|i| i.pointer.any_pressed() && i.pointer.interact_pos().is_some_and(|p| !w.response.rect.contains(p)))
    });
    match taken {
        Some(found) => open_hit(found, view, state, out),
        None if escape || outside => {}
        None => state.finder = Some(finder),
    }
}

/// Opens or carries out the chosen hit.
fn open_hit(found: SearchHit, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    match found {
        SearchHit::Scene { path, .. } => out.push(Request::Open(path)),
        SearchHit::Lesson { index, .. } => {
            out.extend(lesson::enter(view, index, &mut state.lessons));
            state.show_right(RightTab::Guide);
        }
        SearchHit::Experiment { place: ExperimentPlace::Here(index), .. } => experiment_cards::apply(index, true, out),
        SearchHit::Experiment { name, place: ExperimentPlace::In(path), .. } => {
            out.push(Request::OpenLaunch(Box::new(LaunchOptions::with_experiment(&path, &name))));
        }
        SearchHit::Line(wanted) => out.push(Request::OpenLaunch(wanted)),
        SearchHit::Command(action) => commands::perform(action, view, state, out),
    }
}

fn row(ui: &mut Ui, item: &SearchHit, chosen: bool, view: &View<'_>) -> egui::Response {
    let (image, name, detail) = match item {
        SearchHit::Scene { title, detail, .. } => (Icon::FileBox, title.clone(), detail.clone()),
        SearchHit::Lesson { title, detail, .. } => (Icon::GraduationCap, title.clone(), detail.clone()),
        SearchHit::Experiment { name, detail, .. } => (Icon::FlaskConical, name.clone(), detail.clone()),
        SearchHit::Command(action) => match action.info() {
            Some(info) => (info.icon, commands::name(info, view).to_owned(), info.key_text()),
            None => (Icon::Command, String::new(), String::new()),
        },
        SearchHit::Line(wanted) => {
            let open_request = wanted.open_request().unwrap_or_default();
            let experiment = open_request.changes.experiment.unwrap_or_default();
            (Icon::Terminal, format!("Open {} with this line", open_request.scene), experiment)
        }
    };
    let button = egui::Button::selectable(chosen, widgets::lead(icon(image), &name))
        .right_text(RichText::new(&detail).small().weak())
        .truncate()
        .min_size(vec2(ui.available_width(), 26.0));
    let response = named(ui.add(button), &name);
    response.ctx.accesskit_node_builder(response.id, |node| node.set_description(detail));
    response
}
