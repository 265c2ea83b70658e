//! The left dock: the scene library as a tree by source and chapter, and the open scene's experiments as cards.

use egui::{Align, CollapsingHeader, Frame, Label, Layout, Margin, RichText, Sense, TextEdit, Ui};
use lucide_icons::Icon;

use crate::ui::{
    panels::{claims, compare},
    request::Request,
    view::{View, file_name, is_same},
    widgets::{self, icon_sized, mark_button, named, theme},
};
use crate::{
    physics::settings::Settings,
    scene::{library::Entry, sources},
    session::{Command, Compare, beside::MOST_RUNS},
};

/// The chapter that the file's name starts with, if any.
fn chapter(entry: &Entry) -> String {
    file_name(entry).chars().take_while(char::is_ascii_digit).collect()
}

/// The title of a folder of the library.
fn folder_title(folder: &str) -> String {
    match folder {
        "" => "Scenes".into(),
        "book" => "The book".into(),
        "rows" => "Rows, one by one".into(),
        "jacobi" => "Jacobi".into(),
        "contact2d" => "Contact in a plane".into(),
        "admc" => "Momentum and energy".into(),
        "errata" => "Errata, as printed".into(),
        "lab" => "The lab".into(),
        other => other.into(),
    }
}

/// The library's memory.
#[derive(Clone, Debug, Default)]
pub struct Library {
    pub search: String,
}

/// Draws the dock.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut Library, out: &mut Vec<Request>) {
    // The experiments keep the lower part, as much as they need and at most half.
    let experiments = !view.scene.experiments.is_empty();
    if experiments {
        let most = ui.available_height() * 0.55;
        egui::Panel::bottom("experiments")
            .resizable(true)
            .frame(Frame::new().inner_margin(Margin { left: 10, right: 4, top: 6, bottom: 8 }))
            .default_size(most.min(78.0 + 62.0 * view.scene.experiments.len() as f32))
            .size_range(90.0..=most.max(100.0))
            .show(ui, |ui| experiments_list(ui, view, out));
    }
    Frame::new().inner_margin(Margin { left: 10, right: 4, top: 8, bottom: 4 }).show(ui, |ui| {
        search_field(ui, &mut state.search, "Search the library");
        ui.add_space(2.0);
        tree(ui, view, &state.search, out);
    });
}

/// A one-line search field with its icon and a button that clears it.
pub fn search_field(ui: &mut Ui, text: &mut String, hint: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let weak = theme::colors(ui.visuals()).weak;
        ui.label(icon_sized(Icon::Search, 14.0).color(weak));
        let room = if text.is_empty() { 6.0 } else { 28.0 };
        let field = TextEdit::singleline(text).hint_text(hint).desired_width(ui.available_width() - room);
        named(ui.add(field), hint);
        if !text.is_empty() && mark_button(ui, Icon::X, weak, "Clear search", "Clear").clicked() {
            text.clear();
        }
    });
}

fn tree(ui: &mut Ui, view: &View<'_>, search: &str, out: &mut Vec<Request>) {
    if view.shelf.entries.is_empty() {
        widgets::empty(ui, Icon::Library, "No library was found.\nDrop a .ron file here,\nor open one with Ctrl+O.");
        return;
    }
    let found = view.shelf.matching(search);
    if found.is_empty() {
        widgets::empty(ui, Icon::SearchX, "No scene matches.");
        return;
    }
    widgets::scroll(ui, "library", |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        let mut rest = found.as_slice();
        while let Some(first) = rest.first() {
            let count = rest.iter().take_while(|e| e.folder() == first.folder()).count();
            let (folder, others) = rest.split_at(count);
            rest = others;
            let title = RichText::new(folder_title(first.folder())).strong();
            let searching = !search.trim().is_empty();
            CollapsingHeader::new(title)
                .id_salt(first.folder())
                .default_open(true)
                .open(searching.then_some(true))
                .show(ui, |ui| folder.iter().for_each(|entry| row(ui, entry, view, out)));
            ui.add_space(4.0);
        }
    });
}

fn row(ui: &mut Ui, entry: &Entry, view: &View<'_>, out: &mut Vec<Request>) {
    let open = view.path.is_some_and(|path| is_same(path, &entry.path));
    let chapter = chapter(entry);
    let colors = theme::colors(ui.visuals());
    let title = if open { RichText::new(&entry.title).color(colors.strong) } else { RichText::new(&entry.title) };
    let lead = if chapter.is_empty() { "·".to_owned() } else { chapter };
    // A file that cannot be read is marked before it is clicked.
    let lead = if entry.mistake.is_some() {
        widgets::icon_sized(Icon::TriangleAlert, 13.0).color(colors.bad)
    } else {
        RichText::new(format!("{lead:>2}")).monospace().color(colors.weak)
    };
    let button = egui::Button::selectable(open, widgets::lead(lead, title))
        .truncate()
        .min_size(egui::vec2(ui.available_width() - 6.0, theme::ROW_HEIGHT));
    let response = named(ui.add(button), &entry.title);
    if response.clicked() && !open {
        out.push(Request::Open(entry.path.clone()));
    }
    // The open scene comes into sight once, however it was opened.
    let shown = egui::Id::unique("shown in the library");
    if open && ui.data(|data| data.get_temp::<std::path::PathBuf>(shown)).as_ref() != Some(&entry.path) {
        response.scroll_to_me(Some(Align::Center));
        ui.data_mut(|data| data.insert_temp(shown, entry.path.clone()));
    }
    response.on_hover_ui(|ui| {
        ui.label(RichText::new(&entry.title).strong());
        if !entry.source.is_empty() {
            ui.label(&entry.source);
            for title in sources::titles(&entry.source) {
                ui.label(RichText::new(title).small().weak());
            }
        }
        if !entry.about.is_empty() {
            ui.set_max_width(360.0);
            ui.label(RichText::new(&entry.about).weak());
        }
        if let Some(mistake) = &entry.mistake {
            ui.label(RichText::new(mistake).color(theme::colors(ui.visuals()).bad));
        }
        ui.label(RichText::new(entry.path.display().to_string()).small().weak());
    });
}

/// The experiments as cards, under their title.
pub fn experiments_list(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    ui.horizontal(|ui| {
        widgets::title(ui, "Experiments");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(4.0);
            all_beside(ui, view, out);
        });
    });
    widgets::scroll(ui, "experiments", |ui| cards(ui, view, out));
}

/// A card for each experiment.
pub fn cards(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    ui.spacing_mut().item_spacing.y = 5.0;
    for index in 0..view.scene.experiments.len() {
        experiment_card(ui, index, view, out);
    }
}

fn experiment_card(ui: &mut Ui, index: usize, view: &View<'_>, out: &mut Vec<Request>) {
    let experiment = &view.scene.experiments[index];
    let colors = theme::colors(ui.visuals());
    // Lit as long as the settings are the experiment's, whoever set them.
    let active = view.experiment == Some(index);
    let id = ui.scope_id().with(("experiment", index));
    let hovered = ui.ctx().read_response(id).is_some_and(|r| r.hovered());
    let (fill, line) = match (active, hovered) {
        (true, _) => (colors.accent_soft, colors.accent),
        (false, true) => (ui.visuals().widgets.hovered.weak_bg_fill, colors.weak),
        (false, false) => (colors.raised, colors.line),
    };
    let card = Frame::new()
        .fill(fill)
        .stroke(egui::Stroke::new(1.0, line))
        .corner_radius(7)
        .inner_margin(Margin::symmetric(9, 6))
        .show(ui, |ui| {
            ui.set_width((ui.available_width() - 8.0).max(40.0));
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                let tint = if active { colors.accent } else { colors.weak };
                ui.label(icon_sized(Icon::FlaskConical, 14.0).color(tint));
                // Beside it stand its buttons.
                let buttons = if active { 38.0 } else { 18.0 };
                let width = (ui.available_width() - buttons).max(40.0);
                ui.allocate_ui_with_layout(egui::vec2(width, 0.0), Layout::top_down(Align::Min), |ui| {
                    ui.set_max_width(width);
                    ui.add(Label::new(RichText::new(unbroken(&experiment.name)).color(colors.strong)).wrap());
                });
            });
            if !experiment.about.is_empty() {
                ui.add(Label::new(RichText::new(&experiment.about).small().color(colors.weak)).wrap());
            }
            match active {
                true => claims::list(ui, view, Some(index)),
                false => claims::signs(ui, view, Some(index)),
            }
        });
    let response = ui.interact(card.response.rect, id, Sense::click());
    beside(ui, index, card.response.rect, view, out);
    if active {
        back(ui, card.response.rect, out);
    }
    let enabled = ui.is_enabled();
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, enabled, active, &experiment.name));
    if response.clicked() {
        out.push(Request::Session(Command::ApplyExperiment(index)));
        // From the start, so that each figure appears as in the source; with shift the motion goes on.
        if !ui.input(|input| input.modifiers.shift) {
            out.push(Request::Session(Command::Reset));
            out.push(Request::Session(Command::Play));
        }
    }
    response.on_hover_text("Applies these settings and starts over.\nShift-click: without starting over.");
}

/// The button over the cards that runs all experiments beside the scene's own settings, from the start.
fn all_beside(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    let like_own =
        |(name, settings): &(&str, Settings)| !name.is_empty() && settings.step.rate == view.file_settings.step.rate;
    let all = view.scene.experiments.iter().map(|experiment| {
        let mut settings = *view.file_settings;
        experiment.set.apply(&mut settings);
        (experiment.name.as_str(), settings)
    });
    let able: Vec<(&str, Settings)> = all.filter(like_own).collect();
    if able.len() < 2 {
        return;
    }
    let shown = able.len().min(MOST_RUNS - 1);
    let tip = format!(
        "Runs {shown} of {} experiments beside the scene's own settings, from the start: one plot and one table of \
         all. Those with another step rate are left out",
        view.scene.experiments.len()
    );
    let weak = theme::colors(ui.visuals()).weak;
    if mark_button(ui, Icon::ChartSpline, weak, "All experiments beside each other", &tip).clicked() {
        let others = Request::Session(Command::Compare(Compare::End));
        out.extend(std::iter::once(others).chain([Command::ResetSettings, Command::Reset].map(Request::Session)));
        out.extend(able.iter().take(shown).map(|(name, settings)| compare::ask(view, Some(name), settings)));
        out.push(Request::Session(Command::Play));
    }
}

/// The button of the card that is shown: one click back to the scene as it is.
fn back(ui: &mut Ui, card: egui::Rect, out: &mut Vec<Request>) {
    let at = egui::Rect::from_min_size(card.right_top() + egui::vec2(-42.0, 3.0), egui::Vec2::splat(18.0));
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(at).id_salt("back"));
    let accent = theme::colors(ui.visuals()).accent;
    let tip = "Back: the file's own settings again, from the start";
    if mark_button(&mut ui, Icon::Undo2, accent, "Leave the experiment", tip).clicked() {
        out.push(Request::Session(Command::ResetSettings));
        out.push(Request::Session(Command::Reset));
    }
}

/// The button of a card that runs the experiment beside the scene's own settings, from the start.
fn beside(ui: &mut Ui, index: usize, card: egui::Rect, view: &View<'_>, out: &mut Vec<Request>) {
    let experiment = &view.scene.experiments[index];
    let mut settings = *view.file_settings;
    experiment.set.apply(&mut settings);
    let able = settings.step.rate == view.file_settings.step.rate;
    let at = egui::Rect::from_min_size(card.right_top() + egui::vec2(-22.0, 3.0), egui::Vec2::splat(18.0));
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(at).id_salt(("beside", index)));
    ui.add_enabled_ui(able, |ui| {
        let weak = theme::colors(ui.visuals()).weak;
        let tip = "Beside the scene's own: runs both from the start, this one as ghosts";
        let name = format!("{} beside the scene's own", experiment.name);
        let response = mark_button(ui, Icon::GitCompare, weak, &name, tip);
        let response = response.on_disabled_hover_text("It has another step rate, and runs in lockstep have one");
        if response.clicked() {
            let others = Request::Session(Command::Compare(Compare::End));
            let own = [Command::ResetSettings, Command::Reset].map(Request::Session);
            out.extend(std::iter::once(others).chain(own));
            out.push(compare::ask(view, Some(&experiment.name), &settings));
            out.push(Request::Session(Command::Play));
        }
    });
}

/// A figure's number stays on the line of its word.
fn unbroken(text: &str) -> String {
    text.replace("fig. ", "fig.\u{a0}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::view::Shelf;
    use std::path::Path;

    fn shelf() -> Shelf {
        let entry = |id: &str, title: &str, source: &str| Entry {
            path: format!("{id}.ron").into(),
            id: id.into(),
            title: title.into(),
            source: source.into(),
            about: String::new(),
            mistake: None,
        };
        Shelf {
            entries: vec![
                entry("book/09-chain", "The chain", "004 ch. 9"),
                entry("book/12-stack", "The stack", "004 ch. 12"),
                entry("lab/pyramid-20", "Pyramid of 210 boxes", "ours"),
            ],
            ..Shelf::default()
        }
    }

    #[test]
    fn every_word_has_to_match_somewhere() {
        let shelf = shelf();
        let titles = |search: &str| shelf.matching(search).iter().map(|e| e.title.clone()).collect::<Vec<_>>();
        assert_eq!(titles("CHAIN"), ["The chain"]);
        assert_eq!(titles("the 004"), ["The chain", "The stack"]);
        assert_eq!(titles("pyramid-20"), ["Pyramid of 210 boxes"]);
        assert!(titles("chain lab").is_empty());
        assert_eq!(titles("  ").len(), 3);
    }

    #[test]
    fn neighbours_go_round() {
        let shelf = shelf();
        let at = |path: &str, by| shelf.neighbour(Some(Path::new(path)), by);
        assert_eq!(at("book/09-chain.ron", 1), Some("book/12-stack.ron".into()));
        assert_eq!(at("book/09-chain.ron", -1), Some("lab/pyramid-20.ron".into()));
        assert_eq!(at("elsewhere.ron", 1), Some("book/09-chain.ron".into()));
        assert_eq!(Shelf::default().neighbour(None, 1), None);
    }
}
