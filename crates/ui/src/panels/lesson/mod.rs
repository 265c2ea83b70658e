//! A lesson in the Guide: the question, a prediction, the runs, what each one shows once it has been run, and then the
//! explanation.

pub mod contents;
mod exercise;
mod formula;
mod known;
mod live;
mod mark;
pub mod mode;
mod pair;
mod pictures;
mod prediction;
pub mod progress;
mod results;
mod trials;

pub use exercise::ExerciseRecord;
pub use known::knows;
pub use progress::{Answers, Progress, Stage, next};

use std::collections::BTreeSet;

use egui::{Label, RichText, Ui};
use lucide_icons::Icon;

use self::mode::RunningTrial;
use crate::{
    panels::reader::sections,
    request::Request,
    selection::Selection,
    view::{View, is_same},
    view3d::View3d,
    widgets::{self, angles::Angles, glossary, icon_sized, named, tex, theme, words},
};
use delassus_scene::lesson::{Lesson, Paragraph, Trial};
use delassus_session::{Command, CompareCommand};

/// The interface's state of the lessons.
#[derive(Default)]
pub struct Lessons {
    pub answers: Answers,
    pub progress: Progress,
    /// Whether the contents are open.
    pub contents: bool,
    /// Lesson mode: only what the chosen lesson needs is on screen.
    pub focus: bool,
    /// The id of the lesson that was asked for, since several lessons may use the same scene.
    chosen: String,
    /// The chosen lesson was just asked for: its scene is to begin paused.
    arriving: bool,
    running: Option<RunningTrial>,
    /// The lesson and the trial that was started last.
    asked_last: Option<(String, usize)>,
    /// Whether the trial that was started last shows two runs side by side.
    pub compares: bool,
    /// Whether its scene waited for the prediction in the last frame.
    pub waited: bool,
    /// Lessons whose results are shown without their runs.
    revealed: BTreeSet<String>,
    /// The trial for which the docks are to be laid out.
    pub asked: Option<Trial>,
    /// The section of the derivations or errata that is to be opened.
    pub reads: Option<(sections::Page, usize)>,
    live: live::Memory,
    exercise: exercise::Memory,
}

impl Lessons {
    /// With what was saved.
    pub fn of(answers: Answers, progress: Progress) -> Self {
        Self { answers, progress, ..Self::default() }
    }

    /// Asks for a lesson by its id: it gets the window to itself as soon as its scene is open.
    pub fn choose(&mut self, id: &str) {
        id.clone_into(&mut self.chosen);
        id.clone_into(&mut self.progress.last);
        (self.focus, self.arriving, self.contents, self.compares) = (true, true, false, false);
        (self.running, self.asked_last) = (None, None);
        self.exercise = exercise::Memory::default();
    }

    /// Draws the symbols under the pointer.
    pub fn in_view(&mut self, view: &View<'_>, view3d: &mut View3d) {
        self.live.draw(view, view3d);
    }

    /// Whether the result of a trial is shown.
    fn is_shown(&self, lesson: &Lesson, trial: usize) -> bool {
        self.revealed.contains(&lesson.id) || self.progress.ran(lesson, trial)
    }

    /// Whether its runs may be made: there is a prediction, or nothing to predict.
    fn is_unlocked(&self, lesson: &Lesson) -> bool {
        !lesson.predicts() || self.answers.contains_key(&lesson.id)
    }

    /// Whether a trial goes on whose result is not shown yet.
    fn runs_now(&self, lesson: &Lesson, trial: usize) -> bool {
        self.running.as_ref().is_some_and(|running| running.lesson == lesson.id && running.trial == trial)
    }

    /// The trial to run next: the first whose result is not shown; none while one goes on.
    pub(crate) fn next_trial(&self, lesson: &Lesson) -> Option<usize> {
        let mut trials = 0..lesson.trials.len();
        if trials.clone().any(|trial| self.runs_now(lesson, trial) && !self.is_shown(lesson, trial)) {
            return None;
        }
        trials.find(|trial| !self.is_shown(lesson, *trial))
    }

    /// Begins a lesson again, as if nothing of it had been done.
    fn again(&mut self, id: &str) {
        self.answers.remove(id);
        self.progress.forget(id);
        self.revealed.remove(id);
        self.choose(id);
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

/// The index of the lesson for a new user.
pub fn first(lessons: &[Lesson]) -> usize {
    lessons.iter().position(|lesson| lesson.first).unwrap_or(0)
}

/// Enters a lesson: requests to open its scene. If that is open, it is reset to its file, without the last lesson's
/// experiment and without other runs. The docks return to their default tabs.
pub fn enter(view: &View<'_>, index: usize, lessons: &mut Lessons) -> Vec<Request> {
    let Some(lesson) = view.shelf.lessons.get(index) else { return Vec::new() };
    let Some(scene) = view.shelf.scene_of(lesson) else { return Vec::new() };
    lessons.choose(&lesson.id);
    lessons.asked = Some(Trial::default());
    match view.path.is_some_and(|path| is_same(path, &scene)) {
        true => reset(view),
        // The last lesson's comparison is not carried over, and its running clock does not start this scene.
        false => {
            let others = (!view.session.runs().is_empty()).then_some(Command::Compare(CompareCommand::End));
            let stops = others.into_iter().chain(view.clock.playing.then_some(Command::Pause));
            stops.map(Request::Session).chain([Request::Open(scene)]).collect()
        }
    }
}

/// The open scene as in its file, at its beginning. The curves of the run before would give the answer away.
fn reset(view: &View<'_>) -> Vec<Request> {
    let others = (!view.session.runs().is_empty()).then_some(Command::Compare(CompareCommand::End));
    let own = view.session.active_experiment().map(|_| Command::ResetSettings);
    others.into_iter().chain(own).chain([Command::Reset, Command::ForgetEarlier]).map(Request::Session).collect()
}

/// A button that leads to the next lesson, shown if the open scene has no lesson.
pub fn invitation(ui: &mut Ui, view: &View<'_>, lessons: &mut Lessons, out: &mut Vec<Request>) {
    let Some(index) = next(&view.shelf.lessons, &lessons.answers, &lessons.progress) else { return };
    let word = if lessons.answers.is_empty() { "Start with" } else { "Continue with" };
    let words = format!("{word} the lesson: {}", view.shelf.lessons[index].title);
    let button = egui::Button::new(widgets::lead(widgets::icon(Icon::GraduationCap), &words)).wrap();
    if named(ui.add(button), &words).clicked() {
        out.extend(enter(view, index, lessons));
    }
    ui.add_space(6.0);
}

/// The line above a lesson: the contents, and whether only this lesson is on screen.
fn bar(ui: &mut Ui, view: &View<'_>, index: usize, lessons: &mut Lessons, out: &mut Vec<Request>) {
    ui.horizontal_wrapped(|ui| {
        if widgets::word_button(ui, Icon::List, "All lessons").on_hover_text("The contents of the lessons").clicked() {
            lessons.contents = !lessons.contents;
        }
        if lessons.focused(view).is_some() {
            let tip = "Brings back the library, the switches, the laboratory and the numbers";
            if widgets::word_button(ui, Icon::Maximize2, "Show everything").on_hover_text(tip).clicked() {
                lessons.focus = false;
            }
        } else {
            let tip = "Hides what this lesson does not use. The scene begins again";
            if widgets::word_button(ui, Icon::Minimize2, "Only the lesson").on_hover_text(tip).clicked() {
                out.extend(enter(view, index, lessons));
            }
        }
    });
    ui.add_space(4.0);
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
    bar(ui, view, index, lessons, out);
    ui.horizontal_wrapped(|ui| {
        ui.label(icon_sized(Icon::GraduationCap, 17.0).color(colors.accent));
        ui.label(RichText::new(&lesson.title).heading().color(colors.strong));
    });
    // A user's own lesson is not counted among the library's.
    let count = view.shelf.lessons.iter().filter(|lesson| !lesson.is_own()).count();
    let far = match lesson.is_own() {
        false => format!("Lesson {} of {count}", index + 1),
        true => "A lesson of your own".to_owned(),
    };
    let place = contents::chapter(&lesson.source);
    let far = if place.is_empty() { far } else { format!("{far} · {place}") };
    ui.label(RichText::new(far).small().color(colors.weak));
    ui.add_space(4.0);
    paragraph(ui, &lesson.question);
    ui.add_space(6.0);
    if lesson.predicts() {
        prediction::choices(ui, lesson, lessons);
    }
    if lessons.is_unlocked(lesson) {
        if !lesson.trials.is_empty() {
            ui.add_space(6.0);
            widgets::title(ui, "Try it");
            trials::show(ui, view, lesson, lessons, out);
            ui.add_space(6.0);
        }
        if (0..lesson.trials.len()).all(|trial| lessons.is_shown(lesson, trial)) {
            explanation(ui, view, lesson, (lessons, selection));
            if let Some(task) = &lesson.exercise {
                ui.add_space(6.0);
                exercise::show(ui, view, (lesson, task), (lessons, selection), out);
            }
        } else {
            let words = "Run each of them. Then read what happened, and why.";
            ui.add(Label::new(RichText::new(words).small().color(colors.weak)).wrap());
            if ui.link(RichText::new("Skip the runs and read on").small()).clicked() {
                lessons.revealed.insert(lesson.id.clone());
            }
        }
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
            out.extend(enter(view, to, lessons));
        }
    }
    if lessons.progress.stage(&lessons.answers, lesson) != Stage::New {
        let tip = "Forgets the prediction, the runs and the points of this lesson";
        if widgets::word_button(ui, Icon::RotateCcw, "Begin this lesson again").on_hover_text(tip).clicked() {
            lessons.again(&lesson.id);
            lessons.asked = Some(Trial::default());
            out.extend(reset(view));
        }
    }
    ui.separator();
}

/// What happened, whether the prediction was right, and why.
fn explanation(ui: &mut Ui, view: &View<'_>, lesson: &Lesson, (lessons, selection): (&mut Lessons, &Selection)) {
    if lesson.happened.is_empty() {
        return;
    }
    widgets::title(ui, "What happened");
    prediction::verdict(ui, lesson, &lessons.answers);
    paragraph(ui, &lesson.happened);
    ui.add_space(6.0);
    widgets::title(ui, "Why");
    why(ui, view, lesson, (&mut *lessons, selection));
    reading(ui, lesson, lessons);
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

/// Text over the whole width, whose terms are explained under the pointer; it is also the label's accessible name.
fn full_width_text(ui: &mut Ui, text: &str, color: egui::Color32) {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let response = glossary::text(ui, words::indexed(&words::unbroken(text), &font, color));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
}
