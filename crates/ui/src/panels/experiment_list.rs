//! The scene's experiments as fields: name, texts, order, and the settings that each of them changes.

use delassus_scene::Words as _;
use egui::{Label, RichText, Ui};
use lucide_icons::Icon;

use crate::{
    editor::form::{self, setting_row},
    request::{Request, ask},
    view::View,
    widgets::{self, mark_button, named, theme},
};
use delassus_physics::settings::{LIST, SettingsPatch};
use delassus_scene::Experiment;
use delassus_session::{Edit, Element};

/// Draws the cards and the button that adds one from the present settings.
pub fn show(ui: &mut Ui, view: &View<'_>, out: &mut Vec<Request>) {
    let colors = theme::colors(ui.visuals());
    let present = SettingsPatch::between(view.file_settings, view.settings);
    let mut new = None;
    for index in 0..view.scene.experiments.len() {
        ui.push_id(("experiment", index), |ui| {
            widgets::card(ui, |ui| {
                if let Some(list) = card(ui, index, present, view) {
                    new = Some(list);
                }
            });
        });
    }
    let able = !present.is_empty();
    let add = ui.add_enabled_ui(able, |ui| widgets::word_button(ui, Icon::Plus, "Add from the present settings")).inner;
    if add.on_hover_text("An experiment with the settings that differ from the file now").clicked() {
        let is_taken = |name: &str| view.scene.experiments.iter().any(|e| e.name == name);
        let name = (1..).map(|n| format!("Experiment {n}")).find(|name| !is_taken(name)).unwrap_or_default();
        let mut list = view.scene.experiments.to_vec();
        list.push(Experiment { name, set: present, ..Experiment::default() });
        new = Some(list);
    }
    if !able {
        let words = "Change settings first: an experiment holds the settings that differ from the file.";
        ui.add(Label::new(RichText::new(words).small().color(colors.weak)).wrap());
    }
    if let Some(list) = new {
        ask(Edit::Element(Element::Experiments(list)), out);
    }
}

/// Draws one experiment. Returns the new list if it was changed.
fn card(ui: &mut Ui, index: usize, present: SettingsPatch, view: &View<'_>) -> Option<Vec<Experiment>> {
    let colors = theme::colors(ui.visuals());
    let list = &view.scene.experiments;
    let experiment = &list[index];
    let changed = |change: &dyn Fn(&mut Vec<Experiment>)| {
        let mut list = list.to_vec();
        change(&mut list);
        Some(list)
    };
    let mut new = None;
    ui.horizontal(|ui| {
        widgets::title(ui, &format!("{}", index + 1));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let name = format!("Delete experiment {}", index + 1);
            if mark_button(ui, Icon::Trash2, colors.weak, &name, "Delete this experiment").clicked() {
                new = changed(&|list| drop(list.remove(index)));
            }
            for (image, word, other) in [
                (Icon::ChevronDown, "down", (index + 1 < list.len()).then_some(index + 1)),
                (Icon::ChevronUp, "up", index.checked_sub(1)),
            ] {
                ui.add_enabled_ui(other.is_some(), |ui| {
                    let name = format!("Move experiment {} {word}", index + 1);
                    let clicked = mark_button(ui, image, colors.weak, &name, &format!("Move {word}")).clicked();
                    if let (true, Some(other)) = (clicked, other) {
                        new = changed(&|list| list.swap(index, other));
                    }
                });
            }
        });
    });
    ui.spacing_mut().item_spacing.y = 4.0;
    let typed = form::text(ui, &experiment.name, &format!("Name of experiment {}", index + 1), 1);
    if let Some(name) = typed {
        new = changed(&|list| list[index].name.clone_from(&name));
    }
    let typed = form::text(ui, &experiment.about, &format!("Text of experiment {}", index + 1), 2);
    if let Some(about) = typed {
        new = changed(&|list| list[index].about.clone_from(&about));
    }
    let mut settings = *view.file_settings;
    experiment.set.apply(&mut settings);
    for setting in LIST.iter().filter(|s| (s.get)(&settings) != (s.get)(view.file_settings)) {
        let words = format!("{}: {}", setting.words().label, setting_row::words(setting, (setting.get)(&settings)));
        ui.add(Label::new(RichText::new(words).small().color(colors.weak)).truncate()).on_hover_text(setting.name);
    }
    if !present.is_empty() && experiment.set != present {
        let button = egui::Button::new(RichText::new("Use the present settings").small());
        let name = format!("Present settings into experiment {}", index + 1);
        if named(ui.add(button), &name)
            .on_hover_text("Replaces its settings by those that differ from the file now")
            .clicked()
        {
            new = changed(&|list| list[index].set = present);
        }
    }
    new
}
