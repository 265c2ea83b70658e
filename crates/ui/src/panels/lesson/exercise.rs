//! The exercise of a lesson: the task, the settings that may be changed, the claims with their verdicts in the last
//! run, hints that are shown one at a time, and the points.

use egui::{Label, RichText, Ui};
use lucide_icons::Icon;
use serde::{Deserialize, Serialize};

use super::{Lessons, Progress, full_width_text, paragraph, trials};
use crate::{
    editor::form::setting_row,
    panels::claims,
    request::Request,
    selection::Selection,
    view::View,
    widgets::{self, icon_sized, named, number::counted, theme},
};
use delassus_physics::settings::{LIST, Settings};
use delassus_scene::{
    Words as _,
    lesson::{Exercise, Goal, Lesson},
};
use delassus_session::{Command, CompareCommand, claims::ClaimVerdict};

/// What was done in an exercise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExerciseRecord {
    /// Number of runs or answers that were judged.
    pub attempts: u32,
    /// Number of hints that were shown before it was solved.
    pub hints: usize,
    /// Whether a solution was shown before it was solved.
    pub revealed: bool,
    pub solved: bool,
    /// The least product of the settings that are to be small, of the runs that solved it.
    pub cost: Option<f64>,
    /// The same of the author's solution.
    pub author: Option<f64>,
}

impl ExerciseRecord {
    /// The points and their maximum: one for solving it, one for solving it without hints, and, if something is to be
    /// small, one for needing no more than the author. None if a solution was shown first.
    pub fn points(&self) -> (u32, u32) {
        let most = if self.author.is_some() { 3 } else { 2 };
        if !self.solved || self.revealed {
            return (0, most);
        }
        let is_least = self.cost.zip(self.author).is_some_and(|(cost, author)| cost <= author);
        (1 + u32::from(self.hints == 0) + u32::from(is_least), most)
    }
}

/// State kept between frames.
#[derive(Debug, Default)]
pub struct Memory {
    /// The lesson whose last run was judged.
    judged: Option<String>,
    /// The lesson whose exercise was begun, with the settings that it begins with.
    pub(super) begun: Option<String>,
    /// The last wrong answer to an exercise that asks for a joint or body.
    wrong: String,
}

/// Judges the run once all claims are decided, or one has failed.
pub(super) fn judge(view: &View<'_>, lesson: &Lesson, progress: &mut Progress, memory: &mut Memory) {
    let Some(exercise) = lesson.exercise.as_ref().filter(|exercise| !exercise.claims().is_empty()) else { return };
    let goal = view.session.goal();
    let is = |claim: usize, text: &str| exercise.claims().get(claim).is_some_and(|(_, own)| own == text);
    let own = goal.claims.len() == exercise.claims().len()
        && goal.claims.iter().enumerate().all(|(index, claim)| is(index, &claim.text));
    let holds = goal.claims.iter().all(|claim| matches!(claim.verdict, ClaimVerdict::Held(_)));
    let fails = goal.claims.iter().any(|claim| matches!(claim.verdict, ClaimVerdict::Failed(_)));
    let Some(settings) = goal.settings.filter(|_| own && (holds || fails)) else {
        memory.judged = None;
        return;
    };
    if memory.judged.as_ref() == Some(&lesson.id) || !exercise.forbidden(view.file_settings, &settings).is_empty() {
        return;
    }
    memory.judged = Some(lesson.id.clone());
    let record = progress.exercises.entry(lesson.id.clone()).or_default();
    record.attempts = record.attempts.saturating_add(1);
    record.author = exercise.solution(view.file_settings).and_then(|solution| exercise.cost(&solution));
    if holds {
        record.solved = true;
        let cost = exercise.cost(&settings);
        record.cost = [record.cost, cost].into_iter().flatten().reduce(f64::min);
    }
}

/// Draws the exercise.
pub(super) fn show(
    ui: &mut Ui,
    view: &View<'_>,
    (lesson, exercise): (&Lesson, &Exercise),
    (lessons, selection): (&mut Lessons, &Selection),
    out: &mut Vec<Request>,
) {
    widgets::title(ui, "Exercise");
    paragraph(ui, &exercise.task);
    ui.add_space(4.0);
    match &exercise.goal {
        Goal::Hold { start, .. } if !start.is_empty() && lessons.exercise.begun.as_ref() != Some(&lesson.id) => {
            if widgets::word_button(ui, Icon::Play, "Begin").on_hover_text("Sets the settings to begin with").clicked()
            {
                lessons.exercise.begun = Some(lesson.id.clone());
                out.extend(
                    [Command::ResetSettings, overlay(view.file_settings, &exercise.start(view.file_settings))]
                        .map(Request::Session),
                );
                out.push(Request::Session(Command::Reset));
            }
            return;
        }
        Goal::Hold { controls, .. } => {
            widgets::card(ui, |ui| trials::controls(ui, view, controls, out));
            attempt(ui, view, exercise, out);
        }
        Goal::Find(name) => answer(ui, view, (lesson, name), (lessons, selection)),
    }
    verdict(ui, lesson, exercise, lessons);
    hints(ui, view, (lesson, exercise), lessons, out);
}

/// The button that runs the scene with the chosen settings, and the claims.
fn attempt(ui: &mut Ui, view: &View<'_>, exercise: &Exercise, out: &mut Vec<Request>) {
    let goal = view.session.goal();
    let texts: Vec<&String> = exercise.claims().iter().map(|(_, text)| text).collect();
    if !goal.claims.iter().map(|claim| &claim.text).eq(texts.iter().copied()) {
        out.push(Request::Session(Command::SetGoal(texts.into_iter().cloned().collect())));
    }
    let colors = theme::colors(ui.visuals());
    let words = "Run these settings";
    let button = egui::Button::new(widgets::lead(widgets::icon(Icon::Play), words))
        .fill(colors.accent_soft)
        .stroke(egui::Stroke::new(1.0, colors.accent));
    if named(ui.add_enabled(!view.is_empty(), button), words).on_hover_text("From the start").clicked() {
        if !view.session.runs().is_empty() {
            out.push(Request::Session(Command::Compare(CompareCommand::End)));
        }
        out.extend([Command::Reset, Command::Play].map(Request::Session));
    }
    for ((words, _), claim) in exercise.claims().iter().zip(&goal.claims) {
        claims::line(ui, claim, RichText::new(words));
    }
    let others = exercise.forbidden(view.file_settings, view.settings);
    if !others.is_empty() {
        let words = format!("Runs with other changed settings do not count. Reset {}.", others.join(", "));
        ui.add(Label::new(RichText::new(words).small().color(colors.warn)).wrap());
    }
}

/// The button with which the selected joint or body is given as the answer.
fn answer(
    ui: &mut Ui,
    view: &View<'_>,
    (lesson, name): (&Lesson, &str),
    (lessons, selection): (&mut Lessons, &Selection),
) {
    let joint = selection.joint.and_then(|joint| view.snapshot.joints.get(joint)).map(|joint| joint.name.to_string());
    let body = selection.bodies.last().and_then(|id| view.snapshot.body(*id)).map(|body| body.name.to_string());
    let Some(chosen) = joint.or(body) else {
        let words = "Click a joint or a body in the view, then give your answer here.";
        ui.add(Label::new(RichText::new(words).small().color(theme::colors(ui.visuals()).weak)).wrap());
        return;
    };
    let words = format!("My answer: {chosen}");
    if named(ui.button(&words), &words).clicked() {
        let record = lessons.progress.exercises.entry(lesson.id.clone()).or_default();
        record.attempts = record.attempts.saturating_add(1);
        record.solved |= chosen == name;
        lessons.exercise.wrong = if chosen == name { String::new() } else { chosen };
    }
    if !lessons.exercise.wrong.is_empty() {
        let words = format!("“{}” is not the one.", lessons.exercise.wrong);
        ui.add(Label::new(RichText::new(words).color(theme::colors(ui.visuals()).warn)).wrap());
    }
}

/// Whether it is solved, and the points.
fn verdict(ui: &mut Ui, lesson: &Lesson, exercise: &Exercise, lessons: &Lessons) {
    let Some(record) = lessons.progress.exercises.get(&lesson.id) else { return };
    let colors = theme::colors(ui.visuals());
    if !record.solved {
        let words = format!("{} so far.", counted(record.attempts as usize, "try", "tries"));
        ui.add(Label::new(RichText::new(words).small().color(colors.weak)).wrap());
        return;
    }
    let (points, most) = record.points();
    let mut words = format!("Solved: {points} of {most} points.");
    if let Some((cost, author)) = record.cost.zip(record.author) {
        words += &format!(" Your best is {cost}, the author's {author}.");
    }
    ui.horizontal_wrapped(|ui| {
        ui.label(icon_sized(Icon::CircleCheck, 14.0).color(colors.good));
        let tip = "One point for solving it, one for doing so without hints, and, where a cost should be small, one \
                   for needing no more than the author";
        full_width_text(ui, &words, colors.strong);
        ui.label(icon_sized(Icon::CircleQuestionMark, 12.0).color(colors.weak)).on_hover_text(tip);
    });
    if !exercise.solved.is_empty() {
        paragraph(ui, &exercise.solved);
    }
}

/// The hints that were asked for, a link to the next one, and at the end one to a solution.
fn hints(
    ui: &mut Ui,
    view: &View<'_>,
    (lesson, exercise): (&Lesson, &Exercise),
    lessons: &mut Lessons,
    out: &mut Vec<Request>,
) {
    let record = lessons.progress.exercises.get(&lesson.id).cloned().unwrap_or_default();
    let count = exercise.hints.len();
    for (index, hint) in exercise.hints.iter().take(record.hints).enumerate() {
        paragraph(ui, &format!("Hint {}: {hint}", index + 1));
    }
    let solution = record.revealed.then(|| revealed(exercise, view.file_settings));
    if let Some(words) = solution {
        paragraph(ui, &words);
    }
    if record.solved || record.revealed {
        return;
    }
    if record.hints < count {
        let words = format!("Show hint {} of {count}", record.hints + 1);
        if ui.link(RichText::new(&words).small()).clicked() {
            lessons.progress.exercises.entry(lesson.id.clone()).or_default().hints += 1;
        }
    } else if ui.link(RichText::new("Show a solution").small()).on_hover_text("It then gives no points").clicked() {
        lessons.progress.exercises.entry(lesson.id.clone()).or_default().revealed = true;
        if let Some(solution) = exercise.solution(view.file_settings) {
            out.push(Request::Session(overlay(view.settings, &solution)));
        }
    }
}

/// The command that shows these settings, which is no edit of the scene.
fn overlay(now: &Settings, settings: &Settings) -> Command {
    let changes = LIST.iter().filter(|setting| (setting.get)(now) != (setting.get)(settings));
    Command::Overlay(changes.map(|setting| (setting.name, (setting.get)(settings))).collect())
}

/// The solution in words.
fn revealed(exercise: &Exercise, file: &Settings) -> String {
    match (&exercise.goal, exercise.solution(file)) {
        (Goal::Find(name), _) => format!("It is “{name}”."),
        (_, None) => String::new(),
        (_, Some(solution)) => {
            let start = exercise.start(file);
            let changed = LIST.iter().filter(|setting| (setting.get)(&solution) != (setting.get)(&start));
            let words = changed.map(|setting| {
                format!("{} {}", setting.words().label, setting_row::words(setting, (setting.get)(&solution)))
            });
            format!("A solution: {}.", words.collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_for_solving_without_hints_and_with_no_more_than_the_author() {
        let record = |hints, cost| ExerciseRecord {
            attempts: 1,
            hints,
            solved: true,
            cost: Some(cost),
            author: Some(12.0),
            ..ExerciseRecord::default()
        };
        assert_eq!(record(0, 12.0).points(), (3, 3));
        assert_eq!(record(1, 11.0).points(), (2, 3));
        assert_eq!(record(0, 13.0).points(), (2, 3));
        assert_eq!(record(2, 13.0).points(), (1, 3));
        assert_eq!(ExerciseRecord { revealed: true, ..record(0, 12.0) }.points(), (0, 3));
        assert_eq!(ExerciseRecord { solved: false, ..record(0, 12.0) }.points(), (0, 3));
        assert_eq!(ExerciseRecord { author: None, cost: None, ..record(0, 0.0) }.points(), (2, 2));
    }
}
