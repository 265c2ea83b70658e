//! A lesson in the Guide: the question, a prediction, the runs, and only then what happened and why.

use std::collections::BTreeMap;

use egui::{Label, RichText, Ui};
use lucide_icons::Icon;

use crate::scene::lesson::{Lesson, Line, Trial};
use crate::session::Command;
use crate::ui::{
    request::Request,
    view::{View, is_same},
    widgets::{self, icon_sized, named, tex, theme},
};

/// What was predicted, by the lessons' ids; kept from one run of the program to the next.
pub type Answers = BTreeMap<String, usize>;

/// The lesson of the open scene, by its place in the list.
pub fn of(view: &View<'_>) -> Option<usize> {
    let entry = view.shelf.entries.iter().find(|entry| view.path.is_some_and(|path| is_same(path, &entry.path)))?;
    view.shelf.lessons.iter().position(|lesson| lesson.scene == entry.id)
}

/// Opens a lesson's scene.
pub fn open(view: &View<'_>, index: usize) -> Option<Request> {
    let lesson = view.shelf.lessons.get(index)?;
    let entry = view.shelf.entries.iter().find(|entry| entry.id == lesson.scene)?;
    Some(Request::Open(entry.path.clone()))
}

/// The way to the lessons, where the open scene has none: the first one that is not done.
pub fn invitation(ui: &mut Ui, view: &View<'_>, answers: &Answers, out: &mut Vec<Request>) {
    let next = view.shelf.lessons.iter().position(|lesson| !answers.contains_key(&lesson.id)).unwrap_or(0);
    let Some(lesson) = view.shelf.lessons.get(next) else { return };
    let words = if answers.is_empty() { "Start with" } else { "Go on with" };
    let words = format!("{words} the lesson: {}", lesson.title);
    let button = egui::Button::new((widgets::icon(Icon::GraduationCap), words.as_str())).truncate();
    if named(ui.add(button), &words).clicked() {
        out.extend(open(view, next));
    }
    ui.add_space(6.0);
}

/// Draws the lesson of this place in the list.
pub fn show(ui: &mut Ui, view: &View<'_>, index: usize, answers: &mut Answers, out: &mut Vec<Request>) {
    let lesson = &view.shelf.lessons[index];
    let colors = theme::colors(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        ui.label(icon_sized(Icon::GraduationCap, 17.0).color(colors.accent));
        ui.label(RichText::new(&lesson.title).heading().color(colors.strong));
    });
    let far = format!("{} · lesson {} of {}", lesson.source, index + 1, view.shelf.lessons.len());
    ui.label(RichText::new(far).small().color(colors.weak));
    ui.add_space(4.0);
    paragraph(ui, &lesson.question);
    ui.add_space(6.0);
    prediction(ui, lesson, answers);
    if answers.contains_key(&lesson.id) {
        ui.add_space(6.0);
        widgets::title(ui, "Try it");
        for (number, trial) in lesson.trials.iter().enumerate() {
            run(ui, view, number, trial, out);
        }
        ui.add_space(6.0);
        widgets::title(ui, "What happened");
        verdict(ui, lesson, answers);
        paragraph(ui, &lesson.happened);
        ui.add_space(6.0);
        widgets::title(ui, "Why");
        for line in &lesson.why {
            match line {
                Line::Words(words) => paragraph(ui, words),
                Line::Formula(formula) => {
                    ui.add_space(2.0);
                    tex::formula(ui, formula);
                    ui.add_space(2.0);
                }
            }
        }
    }
    ui.add_space(8.0);
    let count = view.shelf.lessons.len();
    for (image, word, to) in [
        (Icon::ChevronLeft, "Previous", index.checked_sub(1)),
        (Icon::ChevronRight, "Next", Some(index + 1).filter(|next| *next < count)),
    ] {
        let Some(to) = to else { continue };
        let words = format!("{word}: {}", view.shelf.lessons[to].title);
        let button = egui::Button::new((widgets::icon(image), words.as_str())).truncate();
        if named(ui.add(button), &words).clicked() {
            out.extend(open(view, to));
        }
    }
    ui.separator();
}

fn paragraph(ui: &mut Ui, text: &str) {
    ui.add(Label::new(text).wrap());
}

/// The choices; once one is made it stays marked.
fn prediction(ui: &mut Ui, lesson: &Lesson, answers: &mut Answers) {
    let colors = theme::colors(ui.visuals());
    widgets::card(ui, |ui| {
        ui.add(Label::new(RichText::new(&lesson.prediction.ask).color(colors.strong)).wrap());
        for (index, choice) in lesson.prediction.choices.iter().enumerate() {
            let chosen = answers.get(&lesson.id) == Some(&index);
            let button = egui::Button::selectable(chosen, choice.as_str()).wrap();
            if named(ui.add(button), &format!("I predict: {choice}")).clicked() {
                answers.insert(lesson.id.clone(), index);
            }
        }
        if !answers.contains_key(&lesson.id) {
            let words = "Choose before you run it: the answer comes then.";
            ui.add(Label::new(RichText::new(words).small().color(colors.weak)).wrap());
        }
    });
}

/// Whether the prediction was borne out.
fn verdict(ui: &mut Ui, lesson: &Lesson, answers: &Answers) {
    let Some(answer) = answers.get(&lesson.id) else { return };
    let colors = theme::colors(ui.visuals());
    let right = *answer == lesson.prediction.right;
    let (image, color, words) = match (right, lesson.prediction.choices.get(lesson.prediction.right)) {
        (true, _) => (Icon::CircleCheck, colors.good, "As you predicted.".to_owned()),
        (false, Some(choice)) => (Icon::CircleX, colors.warn, format!("Not as you predicted, but: {choice}")),
        (false, None) => return,
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(icon_sized(image, 14.0).color(color));
        ui.label(RichText::new(words).color(colors.strong));
    });
}

/// A run from the start, at its speed.
fn run(ui: &mut Ui, view: &View<'_>, number: usize, trial: &Trial, out: &mut Vec<Request>) {
    let experiment = view.scene.experiments.iter().position(|e| e.name == trial.experiment);
    let name = if trial.experiment.is_empty() { "As the scene opens" } else { &trial.experiment };
    let words = format!("{}. {name}", number + 1);
    let button = egui::Button::new((widgets::icon(Icon::Play), words.as_str())).truncate();
    let response = named(ui.add(button), &words);
    if response.on_hover_text("From the start").clicked() {
        let first = match experiment {
            Some(index) => Command::ApplyExperiment(index),
            None => Command::ResetSettings,
        };
        let all = [first, Command::Reset, Command::SetSpeed(trial.speed), Command::Play];
        out.extend(all.map(Request::Session));
    }
    paragraph(ui, &trial.say);
    ui.add_space(3.0);
}
