//! The Guide tab: a description of the open scene, its source, and what to look for.

use egui::{Label, RichText, Ui};
use lucide_icons::Icon;

use crate::{
    panels::{
        claims, experiment_cards,
        lesson::{self, Lessons},
    },
    request::Request,
    selection::Selection,
    view::View,
    widgets::{self, icon_sized, number, theme},
};
use delassus_scene::sources;

/// Draws the tab.
pub fn show(ui: &mut Ui, view: &View<'_>, (lessons, selection): (&mut Lessons, &Selection), out: &mut Vec<Request>) {
    let scene = view.scene;
    let colors = theme::colors(ui.visuals());
    if scene.title.is_empty() && view.is_empty() {
        widgets::empty(ui, Icon::BookOpen, "No scene is open.\nPick one on the left.");
        return;
    }
    let lesson = lesson::of(view, lessons);
    // Another scene's text is scrolled to its top.
    let place = lesson.map_or("guide", |index| view.shelf.lessons[index].id.as_str());
    widgets::scroll(ui, place, |ui| {
        ui.set_width((ui.available_width() - 8.0).max(120.0));
        ui.add_space(2.0);
        match lesson {
            Some(index) => {
                lesson::show(ui, view, index, (&mut *lessons, selection), out);
                // What is said of the scene would give the results away.
                if lessons.focused(view).is_some() {
                    return;
                }
            }
            None => lesson::invitation(ui, view, lessons, out),
        }
        ui.add(Label::new(RichText::new(&scene.title).heading().color(colors.strong)).wrap());
        if !scene.source.is_empty() {
            ui.horizontal_wrapped(|ui| {
                ui.label(icon_sized(Icon::BookOpen, 13.0).color(colors.weak));
                ui.label(RichText::new(&scene.source).color(colors.weak));
            });
            for title in sources::titles(&scene.source) {
                ui.add(Label::new(RichText::new(title).small().color(colors.weak)).wrap());
            }
        }
        ui.add_space(8.0);
        paragraph(ui, &scene.about);
        if !scene.look_for.is_empty() {
            ui.add_space(8.0);
            widgets::card(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.label(icon_sized(Icon::Eye, 15.0).color(colors.accent));
                    ui.label(RichText::new("What to look for").color(colors.strong));
                });
                paragraph(ui, &scene.look_for);
            });
        }
        if !scene.claims.is_empty() {
            ui.add_space(8.0);
            widgets::card(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.label(icon_sized(Icon::ListChecks, 15.0).color(colors.accent));
                    ui.label(RichText::new("Claims of the scene").color(colors.strong));
                });
                claims::list(ui, view, None);
            });
        }
        ui.add_space(10.0);
        if !scene.experiments.is_empty() {
            widgets::title(ui, "Experiments");
            ui.scope(|ui| experiment_cards::cards(ui, view, out));
            ui.add_space(8.0);
        }
        facts(ui, view);
    });
}

fn paragraph(ui: &mut Ui, text: &str) {
    if !text.is_empty() {
        ui.add(Label::new(text).wrap());
    }
}

fn facts(ui: &mut Ui, view: &View<'_>) {
    widgets::title(ui, "File");
    let weak = theme::colors(ui.visuals()).weak;
    let path = view.path.map_or_else(|| "not saved yet".to_owned(), |path| path.display().to_string());
    ui.add(Label::new(RichText::new(path).small().color(weak)).wrap().selectable(true));
    if view.path.is_some() && !view.has_own_file() {
        let words = "This scene came with the program and stays as it is. Save asks for a file of your own.";
        ui.add(Label::new(RichText::new(words).small().color(weak)).wrap());
    }
    let bodies = number::counted(view.snapshot.bodies.len(), "body", "bodies");
    let text = format!("{bodies}, {}", number::counted(view.snapshot.joints.len(), "joint", "joints"));
    ui.label(RichText::new(text).small().color(weak));
}
