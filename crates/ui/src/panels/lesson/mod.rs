//! A lesson in the Guide: the question, a prediction, the runs, and only after the prediction the result and its
//! explanation.

mod formula;
mod known;
mod live;
mod mark;
mod pair;

pub use known::knows;

use std::collections::BTreeMap;

use egui::{Label, RichText, Ui};
use lucide_icons::Icon;

use crate::{
    panels::reader::sections,
    request::Request,
    selection::Selection,
    view::{View, is_same},
    view3d::View3d,
    widgets::{self, angles::Angles, icon_sized, named, tex, theme, words},
};
use delassus_scene::lesson::{Lesson, MOST_STEPS, Paragraph, Trial};
use delassus_session::Command;

/// The index of the predicted choice by lesson id; saved when the program ends.
pub type Answers = BTreeMap<String, usize>;

/// The interface's state of the lessons.
#[derive(Default)]
pub struct Lessons {
    pub answers: Answers,
    /// The id of the lesson that was asked for, since several lessons may use the same scene.
    chosen: String,
    /// The trial for which the docks are to be laid out.
    pub asked: Option<Trial>,
    /// The section of the derivations or errata that is to be opened.
    pub reads: Option<(sections::Page, usize)>,
    live: live::Memory,
}

impl Lessons {
    /// With the saved predictions.
    pub fn of(answers: Answers) -> Self {
        Self { answers, ..Self::default() }
    }

    /// Asks for a lesson by its id.
    pub fn choose(&mut self, id: &str) {
        id.clone_into(&mut self.chosen);
    }

    /// Draws the symbols under the pointer.
    pub fn in_view(&mut self, view: &View<'_>, view3d: &mut View3d) {
        self.live.draw(view, view3d);
    }
}

/// The index of the open scene's lesson: the chosen lesson if it uses this scene, else the one of the scene's own
/// chapter, else the first that uses it.
pub fn of(view: &View<'_>, lessons: &Lessons) -> Option<usize> {
    let path = view.path?;
    let entry = view.shelf.entries.iter().find(|entry| is_same(path, &entry.path));
    let has = |lesson: &Lesson| match &lesson.file {
        Some(file) => is_same(path, file),
        None => entry.is_some_and(|entry| entry.own.is_none() && lesson.scene == entry.id),
    };
    let here = || view.shelf.lessons.iter().enumerate().filter(|(_, lesson)| has(lesson));
    let chosen = here().find(|(_, lesson)| lesson.id == lessons.chosen);
    let of_chapter =
        |lesson: &Lesson| !lesson.source.is_empty() && entry.is_some_and(|e| e.source.starts_with(&lesson.source));
    let own = || here().find(|(_, lesson)| of_chapter(lesson));
    chosen.or_else(own).or_else(|| here().next()).map(|(index, _)| index)
}

/// The lesson for a new user.
pub fn first(view: &View<'_>) -> usize {
    view.shelf.lessons.iter().position(|lesson| lesson.first).unwrap_or(0)
}

/// Goes to a lesson; returns a request to open its scene if that is not open.
pub fn open(view: &View<'_>, index: usize, lessons: &mut Lessons) -> Option<Request> {
    let lesson = view.shelf.lessons.get(index)?;
    let scene = view.shelf.scene_of(lesson)?;
    lessons.chosen.clone_from(&lesson.id);
    let here = view.path.is_some_and(|path| is_same(path, &scene));
    (!here).then_some(Request::Open(scene))
}

/// Goes from one lesson to another. If both use the same scene, it is reset to its file, without the last lesson's
/// experiment. The docks return to their default tabs.
fn go(view: &View<'_>, index: usize, lessons: &mut Lessons, out: &mut Vec<Request>) {
    lessons.asked = Some(Trial::default());
    match open(view, index, lessons) {
        Some(request) => out.push(request),
        None if view.session.active_experiment().is_some() => {
            out.extend([Command::ResetSettings, Command::Reset].map(Request::Session));
        }
        None => out.push(Request::Session(Command::Reset)),
    }
}

/// A button that leads to the first lesson without a prediction, shown if the open scene has no lesson.
pub fn invitation(ui: &mut Ui, view: &View<'_>, lessons: &mut Lessons, out: &mut Vec<Request>) {
    let answers = &lessons.answers;
    let open_one = |lesson: &Lesson| !answers.contains_key(&lesson.id);
    let next = if answers.is_empty() { None } else { view.shelf.lessons.iter().position(open_one) };
    let next = next.unwrap_or(first(view));
    let Some(lesson) = view.shelf.lessons.get(next) else { return };
    let words = if answers.is_empty() { "Start with" } else { "Continue with" };
    let words = format!("{words} the lesson: {}", lesson.title);
    let button = egui::Button::new(widgets::lead(widgets::icon(Icon::GraduationCap), &words)).wrap();
    if named(ui.add(button), &words).clicked() {
        out.extend(open(view, next, lessons));
    }
    ui.add_space(6.0);
}

/// Draws the lesson with this index in the list.
pub fn show(
    ui: &mut Ui,
    view: &View<'_>,
    index: usize,
    (lessons, selection): (&mut Lessons, &Selection),
    out: &mut Vec<Request>,
) {
    let lesson = &view.shelf.lessons[index];
    let colors = theme::colors(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        ui.label(icon_sized(Icon::GraduationCap, 17.0).color(colors.accent));
        ui.label(RichText::new(&lesson.title).heading().color(colors.strong));
    });
    // A user's own lesson is not counted among the library's.
    let count = view.shelf.lessons.iter().filter(|lesson| !lesson.is_own()).count();
    let far = match lesson.is_own() {
        false => format!("lesson {} of {count}", index + 1),
        true => "a lesson of your own".to_owned(),
    };
    let far = if lesson.source.is_empty() { far } else { format!("{} · {far}", lesson.source) };
    ui.label(RichText::new(far).small().color(colors.weak));
    ui.add_space(4.0);
    paragraph(ui, &lesson.question);
    ui.add_space(6.0);
    prediction(ui, lesson, &mut lessons.answers);
    if lessons.answers.contains_key(&lesson.id) {
        ui.add_space(6.0);
        widgets::title(ui, "Try it");
        for (number, trial) in lesson.trials.iter().enumerate() {
            if run(ui, view, number, trial, out) {
                lessons.asked = Some(trial.clone());
            }
        }
        ui.add_space(6.0);
        widgets::title(ui, "What happened");
        verdict(ui, lesson, &lessons.answers);
        paragraph(ui, &lesson.happened);
        ui.add_space(6.0);
        widgets::title(ui, "Why");
        why(ui, view, lesson, (lessons, selection));
        reading(ui, lesson, lessons);
    }
    ui.add_space(8.0);
    for (image, word, to) in [
        (Icon::ChevronLeft, "Previous", index.checked_sub(1)),
        (Icon::ChevronRight, "Next", Some(index + 1).filter(|next| *next < count)),
    ] {
        let Some(to) = to.filter(|_| !lesson.is_own()) else { continue };
        let words = format!("{word}: {}", view.shelf.lessons[to].title);
        let button = egui::Button::new(widgets::lead(widgets::icon(image), &words)).wrap();
        if named(ui.add(button), &words).clicked() {
            go(view, to, lessons, out);
        }
    }
    ui.separator();
}

/// The derivation, with the values of its symbols below. Pointing at a formula highlights its symbols.
fn why(ui: &mut Ui, view: &View<'_>, lesson: &Lesson, (lessons, selection): (&mut Lessons, &Selection)) {
    let mut hovered = Vec::new();
    for line in &lesson.why {
        match line {
            Paragraph::Words(words) => paragraph(ui, words),
            Paragraph::Formula(formula) => {
                ui.add_space(2.0);
                if tex::lines(ui, formula)
                    && let Some(live) = &lesson.live
                {
                    hovered = formula::letters_of(formula, live);
                }
                ui.add_space(2.0);
            }
        }
    }
    if let Some(letters) = &lesson.live {
        ui.add_space(6.0);
        let angles = Angles::of(ui.ctx());
        live::show(ui, view, letters, (&mut lessons.live, selection, angles), &hovered);
    }
}

/// Links to sections of the derivations and errata.
fn reading(ui: &mut Ui, lesson: &Lesson, lessons: &mut Lessons) {
    for (page, index) in lesson.read.iter().filter_map(|reference| sections::find(reference)) {
        let Some(section) = page.sections().get(index) else { continue };
        let words = format!("{}: {}", page.title(), section.title);
        ui.add_space(2.0);
        let button = egui::Button::new(widgets::lead(widgets::icon(Icon::BookText), &words)).wrap();
        if named(ui.add(button), &words).clicked() {
            lessons.reads = Some((page, index));
        }
    }
}

fn paragraph(ui: &mut Ui, text: &str) {
    let color = theme::colors(ui.visuals()).text;
    full_width_text(ui, text, color);
}

/// Text over the whole width; it is also the label's accessible name.
fn full_width_text(ui: &mut Ui, text: &str, color: egui::Color32) {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let label = ui.add(Label::new(words::indexed(text, &font, color)).wrap());
    named(label, text);
}

/// The choices of the prediction; the chosen one stays marked.
fn prediction(ui: &mut Ui, lesson: &Lesson, answers: &mut Answers) {
    let colors = theme::colors(ui.visuals());
    widgets::card(ui, |ui| {
        full_width_text(ui, &lesson.prediction.ask, colors.strong);
        for (index, choice) in lesson.prediction.choices.iter().enumerate() {
            let chosen = answers.get(&lesson.id) == Some(&index);
            let font = egui::TextStyle::Button.resolve(ui.style());
            let color = if chosen { colors.strong } else { colors.text };
            let button = egui::Button::selectable(chosen, words::indexed(choice, &font, color)).wrap();
            if named(ui.add(button), &format!("I predict: {choice}")).clicked() {
                answers.insert(lesson.id.clone(), index);
            }
        }
        if !answers.contains_key(&lesson.id) {
            let words = "Choose before you run it; then the answer is shown.";
            ui.add(Label::new(RichText::new(words).small().color(colors.weak)).wrap());
        }
    });
}

/// Whether the prediction was right.
fn verdict(ui: &mut Ui, lesson: &Lesson, answers: &Answers) {
    let Some(answer) = answers.get(&lesson.id) else { return };
    let colors = theme::colors(ui.visuals());
    let right = *answer == lesson.prediction.right;
    let (image, color, words) = match (right, lesson.prediction.choices.get(lesson.prediction.right)) {
        (true, _) => (Icon::CircleCheck, colors.good, "Correct, as you predicted.".to_owned()),
        (false, Some(choice)) => (Icon::CircleX, colors.warn, format!("Incorrect. The answer: {choice}")),
        (false, None) => return,
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(icon_sized(image, 14.0).color(color));
        full_width_text(ui, &words, colors.strong);
    });
}

/// A button for a trial: a run from the start at its speed, a number of steps, or the page Linear systems. Returns
/// whether it was clicked.
fn run(ui: &mut Ui, view: &View<'_>, number: usize, trial: &Trial, out: &mut Vec<Request>) -> bool {
    let experiment = view.scene.experiments.iter().position(|e| e.name == trial.experiment);
    let page = !trial.system.is_empty();
    let name = match (page, trial.experiment.as_str(), trial.steps) {
        (true, ..) => trial.system.clone(),
        (false, "", None) => "As the scene opens".to_owned(),
        (false, "", Some(steps)) => widgets::number::counted(steps as usize, "step", "steps"),
        (false, name, None) => name.to_owned(),
        (false, name, Some(steps)) => format!("{name}, {}", widgets::number::counted(steps as usize, "step", "steps")),
    };
    let (image, tip) = match (page, trial.steps) {
        (true, _) => (Icon::Grid2x2, "On the page Linear systems"),
        (false, Some(_)) => (Icon::StepForward, "Makes these steps from the start, then pauses"),
        (false, None) => (Icon::Play, "From the start"),
    };
    let words = format!("{}. {name}", number + 1);
    let button = egui::Button::new(widgets::lead(widgets::icon(image), &words)).wrap();
    let clicked = named(ui.add(button), &words).on_hover_text(tip).clicked();
    if clicked && !page {
        let first = match experiment {
            Some(index) => Command::ApplyExperiment(index),
            None => Command::ResetSettings,
        };
        let mut all = vec![first, Command::Reset, Command::SetSpeed(trial.speed)];
        match trial.steps {
            Some(steps) => {
                all.push(Command::Pause);
                all.extend((0..steps.min(MOST_STEPS)).map(|_| Command::Step));
            }
            None => all.push(Command::Play),
        }
        out.extend(all.into_iter().map(Request::Session));
    }
    paragraph(ui, &trial.say);
    ui.add_space(3.0);
    clicked
}
