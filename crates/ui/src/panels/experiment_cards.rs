//! The scene's experiments as cards: a click applies one; its buttons run it beside the scene's own settings, or go
//! back to these.

use egui::{Align, Frame, Label, Layout, Margin, Response, RichText, Sense, Ui};
use lucide_icons::Icon;

use crate::{
    panels::{claims, compare},
    request::Request,
    view::View,
    widgets::{self, events, icon_sized, mark_button, theme},
};
use delassus_physics::settings::Settings;
use delassus_session::{Command, CompareCommand, comparison::MOST_RUNS};

/// The experiments as cards, under their title.
pub fn list(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    ui.horizontal(|ui| {
        widgets::title(ui, "Experiments");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(4.0);
            all_beside(ui, view, out);
        });
    });
    // Another scene's list is scrolled to its top.
    let name = format!("experiments of {}", view.path.map_or_else(String::new, |path| path.display().to_string()));
    widgets::scroll(ui, &name, |ui| {
        let active = cards(ui, view, out);
        into_sight(ui, view, active);
    });
}

/// Draws a card for each experiment. Returns that of the active one.
pub fn cards(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) -> Option<Response> {
    ui.spacing_mut().item_spacing.y = 5.0;
    let mut active = None;
    for index in 0..view.scene.experiments.len() {
        let response = card(ui, index, view, out);
        if view.experiment == Some(index) {
            active = Some(response);
        }
    }
    active
}

/// Scrolls to the card of an experiment that has just been applied, by a lesson or the finder, with its claims; to
/// its top if the card is higher than the list.
fn into_sight(ui: &Ui, view: &View<'_>, active: Option<Response>) {
    let shown = ui.scope_id().with("the experiment that is shown");
    // Not for one that is active when the list is first shown.
    let before = ui.data(|data| data.get_temp::<Option<usize>>(shown));
    ui.data_mut(|data| data.insert_temp(shown, view.experiment));
    if let Some(card) = active.filter(|_| before.is_some_and(|before| before != view.experiment)) {
        let is_higher = card.rect.height() > ui.clip_rect().height();
        card.scroll_to_me(is_higher.then_some(Align::Min));
    }
}

/// Applies an experiment: from the start, so that each figure appears as in the source, or to the run as it goes on.
pub fn apply(index: usize, from_the_start: bool, out: &mut Vec<Request>) {
    out.push(Request::Session(Command::ApplyExperiment(index)));
    if from_the_start {
        out.extend([Command::Reset, Command::Play].map(Request::Session));
    }
}

fn card(ui: &mut Ui, index: usize, view: &View<'_>, out: &mut Vec<Request>) -> Response {
    let experiment = &view.scene.experiments[index];
    let colors = theme::colors(ui.visuals());
    // Highlighted while the settings are the experiment's, however they were set.
    let active = view.experiment == Some(index);
    let (settings, same_settings) = settings_of(index, view);
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
                // Room for its buttons.
                let buttons = if active && !same_settings { 38.0 } else { 18.0 };
                let width = (ui.available_width() - buttons).max(40.0);
                ui.allocate_ui_with_layout(egui::vec2(width, 0.0), Layout::top_down(Align::Min), |ui| {
                    ui.set_max_width(width);
                    ui.add(Label::new(RichText::new(unbroken(&experiment.name)).color(colors.strong)).wrap());
                });
            });
            if same_settings {
                let words = "As in the scene.";
                ui.add(Label::new(RichText::new(words).small().color(theme::weak_on(active, colors))).wrap());
            }
            if active && !same_settings && view.samples.marks.iter().any(|mark| mark.step > 0) {
                let words = "Set during this run. Reset to see what is described here.";
                ui.add(Label::new(RichText::new(words).small().color(colors.strong)).wrap());
            }
            if !experiment.about.is_empty() {
                ui.add(
                    Label::new(RichText::new(&experiment.about).small().color(theme::weak_on(active, colors))).wrap(),
                );
            }
            match active {
                true => claims::list(ui, view, Some(index)),
                false => claims::signs(ui, view, Some(index)),
            }
        });
    let response = ui.interact(card.response.rect, id, Sense::click());
    compare_button(ui, index, card.response.rect, (&settings, same_settings), view, out);
    // There is nothing to go back to from the scene's own settings.
    if active && !same_settings {
        back(ui, card.response.rect, out);
    }
    let enabled = ui.is_enabled();
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, enabled, active, &experiment.name));
    if response.clicked() {
        apply(index, !events::click_modifiers(ui).shift, out);
    }
    response.on_hover_text("Applies these settings and starts over.\nShift-click: without starting over.")
}

/// An experiment's settings, and whether they equal the scene's own.
fn settings_of(index: usize, view: &View<'_>) -> (Settings, bool) {
    let mut settings = *view.file_settings;
    view.scene.experiments[index].set.apply(&mut settings);
    (settings, settings == *view.file_settings)
}

/// The button over the cards that runs all experiments beside the scene's own settings, from the start.
fn all_beside(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    let all = view.scene.experiments.iter().enumerate().filter_map(|(index, experiment)| {
        let (settings, same_settings) = settings_of(index, view);
        let able = !same_settings && !experiment.name.is_empty() && settings.step.rate == view.file_settings.step.rate;
        able.then_some((experiment.name.as_str(), settings))
    });
    let able: Vec<(&str, Settings)> = all.collect();
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
    if mark_button(ui, Icon::ChartSpline, weak, "All experiments side by side", &tip).clicked() {
        let others = Request::Session(Command::Compare(CompareCommand::End));
        out.extend(std::iter::once(others).chain([Command::ResetSettings, Command::Reset].map(Request::Session)));
        out.extend(able.iter().take(shown).map(|(name, settings)| compare::ask(view, Some(name), settings)));
        out.push(Request::Session(Command::Play));
    }
}

/// The button of the active card, which goes back to the file's settings and to the start.
fn back(ui: &mut Ui, card: egui::Rect, out: &mut Vec<Request>) {
    let at = egui::Rect::from_min_size(card.right_top() + egui::vec2(-42.0, 3.0), egui::Vec2::splat(18.0));
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(at).id_salt("back"));
    let accent = theme::colors(ui.visuals()).accent;
    let tip = "Back to the file's own settings, from the start";
    if mark_button(&mut ui, Icon::Undo2, accent, "Leave the experiment", tip).clicked() {
        out.push(Request::Session(Command::ResetSettings));
        out.push(Request::Session(Command::Reset));
    }
}

/// The button of a card that runs the experiment beside the scene's own settings, from the start.
fn compare_button(
    ui: &mut Ui,
    index: usize,
    card: egui::Rect,
    (settings, same_settings): (&Settings, bool),
    view: &View<'_>,
    out: &mut Vec<Request>,
) {
    let experiment = &view.scene.experiments[index];
    let able = settings.step.rate == view.file_settings.step.rate && !same_settings;
    let at = egui::Rect::from_min_size(card.right_top() + egui::vec2(-22.0, 3.0), egui::Vec2::splat(18.0));
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(at).id_salt(("beside", index)));
    ui.add_enabled_ui(able, |ui| {
        let weak = theme::colors(ui.visuals()).weak;
        let tip = "Beside the scene's own: runs both from the start, this one as ghosts";
        let name = format!("{} beside the scene's own", experiment.name);
        let response = mark_button(ui, Icon::GitCompare, weak, &name, tip);
        let why = if same_settings {
            "These are the scene's own settings: both runs would be the same"
        } else {
            "It has another step rate; runs in lockstep share one"
        };
        let response = response.on_disabled_hover_text(why);
        if response.clicked() {
            let others = Request::Session(Command::Compare(CompareCommand::End));
            let reset = [Command::ResetSettings, Command::Reset].map(Request::Session);
            out.extend(std::iter::once(others).chain(reset));
            out.push(compare::ask(view, Some(&experiment.name), settings));
            out.push(Request::Session(Command::Play));
        }
    });
}

/// Prevents a line break between “fig.” and its number.
fn unbroken(text: &str) -> String {
    text.replace("fig. ", "fig.\u{a0}")
}
