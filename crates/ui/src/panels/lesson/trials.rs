//! The runs of a lesson: a button for each, and below it what the run shows, once it has been run.

use egui::{Label, ProgressBar, RichText, Stroke, Ui};
use lucide_icons::Icon;

use super::{Lessons, mode::RunningTrial, paragraph};
use crate::{
    editor::form::setting_row::{self, SettingEdit},
    panels::compare,
    request::Request,
    view::View,
    widgets::{self, named, number, theme},
};
use delassus_physics::settings::LIST;
use delassus_scene::{
    Words as _,
    lesson::{Algebra, Lesson, MAX_STEPS, Tab, Trial},
};
use delassus_session::{Command, CompareCommand};

/// The name of a run of the scene without an experiment.
const AS_OPENED: &str = "As the scene opens";

/// Draws all of them.
pub(super) fn show(ui: &mut Ui, view: &View<'_>, lesson: &Lesson, lessons: &mut Lessons, out: &mut Vec<Request>) {
    let next = lessons.next_trial(lesson);
    for (number, trial) in lesson.trials.iter().enumerate() {
        let running = lessons.runs_now(lesson, number);
        if button(ui, view, (number, trial), next == Some(number)).clicked() {
            start(view, trial, out);
            lessons.asked = Some(trial.clone());
            lessons.compares = trial.beside.is_some();
            lessons.running = Some(RunningTrial::new(&lesson.id, number));
            lessons.asked_last = Some((lesson.id.clone(), number));
        }
        // The settings to play with belong to the run that was started last.
        if lessons.asked_last.as_ref() == Some(&(lesson.id.clone(), number)) && !trial.controls.is_empty() {
            widgets::card(ui, |ui| controls(ui, view, &trial.controls, out));
        }
        if lessons.is_shown(lesson, number) {
            paragraph(ui, &trial.say);
        } else if running {
            waiting(ui, view, trial, &mut || lessons.progress.note_run(&lesson.id, number));
        }
        ui.add_space(3.0);
    }
}

/// The name of a trial: its experiment, its number of steps and what they show, or its system.
fn name(trial: &Trial) -> String {
    let steps = trial.steps.map(|steps| number::counted(steps as usize, "step", "steps"));
    match (trial.system.as_str(), trial.experiment.as_str(), steps) {
        ("", "", None) => AS_OPENED.to_owned(),
        ("", "", Some(steps)) => format!("{}, {steps}", shown(trial)),
        ("", name, None) => name.to_owned(),
        ("", name, Some(steps)) => format!("{name}, {steps}"),
        (system, ..) => system.to_owned(),
    }
}

/// What a trial that stands still shows: its page of matrices, or its tab of the lower dock.
fn shown(trial: &Trial) -> &'static str {
    match (trial.algebra, trial.tab) {
        (Some(Algebra::TwoBodies), _) => "Two bodies",
        (Some(Algebra::Manifold), _) => "Manifold",
        (Some(Algebra::Quaternions), _) => "Quaternions",
        (None, Some(Tab::Step)) => "Step",
        (None, Some(Tab::Rows)) => "Rows",
        (None, Some(Tab::Matrix)) => "Matrix",
        (None, Some(Tab::Sweeps)) => "Sweeps",
        (None, Some(Tab::Ledger)) => "Ledger",
        (None, Some(Tab::Compare)) => "Compare",
        (None, Some(Tab::Plots) | None) => "Plots",
    }
}

/// The name of a run that goes on beside another one.
fn run_name(experiment: &str) -> &str {
    if experiment.is_empty() { AS_OPENED } else { experiment }
}

/// The button of a trial; that of the next one is marked.
fn button(ui: &mut Ui, view: &View<'_>, (number, trial): (usize, &Trial), next: bool) -> egui::Response {
    let colors = theme::colors(ui.visuals());
    let (image, tip) = match (trial.system.is_empty(), trial.steps, &trial.beside) {
        (false, ..) => (Icon::Grid2x2, "On the page Linear systems".to_owned()),
        (true, Some(_), _) => (Icon::StepForward, "Makes these steps from the start, then pauses".to_owned()),
        (true, None, Some(other)) => {
            (Icon::Columns2, format!("From the start, side by side with “{}”", run_name(other)))
        }
        (true, None, None) => (Icon::Play, "From the start".to_owned()),
    };
    let words = format!("{}. {}", number + 1, name(trial));
    let mut button = egui::Button::new(widgets::lead(widgets::icon(image), &words)).wrap();
    if next {
        button = button.fill(colors.accent_soft).stroke(Stroke::new(1.0, colors.accent));
    }
    let response = named(ui.add_enabled(!view.is_empty(), button), &words);
    response.on_hover_text(tip)
}

/// How long it takes until the result is shown, and a button that shows it now.
fn waiting(ui: &mut Ui, view: &View<'_>, trial: &Trial, show: &mut dyn FnMut()) {
    let weak = theme::colors(ui.visuals()).weak;
    let share = (view.snapshot.time / f64::from(trial.seconds.max(1e-3))) as f32;
    let bar = ui.add(ProgressBar::new(share.clamp(0.0, 1.0)).desired_height(4.0));
    let words = format!("The result appears {} s into the run.", trial.seconds);
    named(bar, &words);
    ui.horizontal_wrapped(|ui| {
        ui.add(Label::new(RichText::new(&words).small().color(weak)).wrap());
        if ui.link(RichText::new("Show it now").small()).clicked() {
            show();
        }
    });
}

/// Requests a run from the start: at its speed, or of a number of steps. A trial with a page of systems runs nothing.
fn start(view: &View<'_>, trial: &Trial, out: &mut Vec<Request>) {
    if !trial.system.is_empty() {
        return;
    }
    let mut all = Vec::new();
    if !view.session.runs().is_empty() {
        all.push(Command::Compare(CompareCommand::End));
    }
    all.push(match view.scene.experiments.iter().position(|e| e.name == trial.experiment) {
        Some(index) => Command::ApplyExperiment(index),
        None => Command::ResetSettings,
    });
    all.extend([Command::Reset, Command::SetSpeed(trial.speed)]);
    out.extend(all.into_iter().map(Request::Session));
    if let Some(other) = &trial.beside {
        let mut settings = *view.file_settings;
        if let Some(experiment) = view.scene.experiments.iter().find(|e| e.name == *other) {
            experiment.set.apply(&mut settings);
        }
        out.push(compare::ask(view, Some(run_name(other)), &settings));
    }
    match trial.steps {
        Some(steps) => {
            out.push(Request::Session(Command::Pause));
            out.extend((0..steps.min(MAX_STEPS)).map(|_| Request::Session(Command::Step)));
        }
        None => out.push(Request::Session(Command::Play)),
    }
}

/// Draws the settings of these names. What they change is laid over the scene and is no edit of it.
pub(super) fn controls(ui: &mut Ui, view: &View<'_>, names: &[String], out: &mut Vec<Request>) {
    ui.spacing_mut().item_spacing.y = 6.0;
    for setting in LIST.iter().filter(|setting| names.iter().any(|name| name == setting.name)) {
        let (now, file) = ((setting.get)(view.settings), (setting.get)(view.file_settings));
        let value = match setting_row::large(ui, setting, setting.words().label, now, file, None) {
            None => continue,
            Some(SettingEdit::Set(value)) => value,
            Some(SettingEdit::Reset) => file,
        };
        out.push(Request::Session(Command::Overlay(vec![(setting.name, value)])));
    }
}
