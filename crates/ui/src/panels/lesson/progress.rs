//! What the user has done in the lessons, by lesson id. It is kept in the settings.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::exercise::ExerciseRecord;
use crate::panels::plots::HandDrawn;
use delassus_scene::lesson::Lesson;

/// The index of the predicted choice.
pub type Answers = BTreeMap<String, usize>;

/// Runs, drawn curves and the lesson to continue with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// The indices of the trials whose result was shown.
    pub runs: BTreeMap<String, BTreeSet<usize>>,
    /// The curves that were drawn as predictions.
    pub drawn: BTreeMap<String, HandDrawn>,
    /// What was done in the exercises.
    pub exercises: BTreeMap<String, ExerciseRecord>,
    /// The learner's name on the page of results.
    pub name: String,
    /// The lesson that was opened last.
    pub last: String,
}

/// How far a lesson is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Without a prediction; if there is nothing to predict, without a run and a try.
    New,
    /// So many of its runs were made.
    Begun(usize),
    /// All runs were made, and the exercise is solved.
    Done,
}

impl Progress {
    /// Whether the result of a trial was shown.
    pub fn ran(&self, lesson: &Lesson, trial: usize) -> bool {
        self.runs.get(&lesson.id).is_some_and(|runs| runs.contains(&trial))
    }

    /// Notes that the result of a trial is shown.
    pub fn note_run(&mut self, id: &str, trial: usize) {
        if !self.runs.get(id).is_some_and(|runs| runs.contains(&trial)) {
            self.runs.entry(id.to_owned()).or_default().insert(trial);
        }
    }

    /// How far a lesson is.
    pub fn stage(&self, answers: &Answers, lesson: &Lesson) -> Stage {
        if lesson.predicts() && !answers.contains_key(&lesson.id) {
            return Stage::New;
        }
        // The file may have fewer trials than when they were run.
        let runs = (0..lesson.trials.len()).filter(|trial| self.ran(lesson, *trial)).count();
        let exercise = self.exercises.get(&lesson.id);
        let is_solved = lesson.exercise.is_none() || exercise.is_some_and(|record| record.solved);
        if runs == lesson.trials.len() && is_solved {
            Stage::Done
        } else if !lesson.predicts() && runs == 0 && exercise.is_none() {
            Stage::New
        } else {
            Stage::Begun(runs)
        }
    }

    /// Forgets the runs, the drawn curve and the exercise of a lesson.
    pub fn forget(&mut self, id: &str) {
        self.runs.remove(id);
        self.drawn.remove(id);
        self.exercises.remove(id);
    }
}

/// The index of the lesson to continue with: the last one if it is not done, else the next one that is not, else the
/// first that is not; `None` if all are done.
pub fn next(lessons: &[Lesson], answers: &Answers, progress: &Progress) -> Option<usize> {
    let open = |index: &usize| progress.stage(answers, &lessons[*index]) != Stage::Done;
    let last = lessons.iter().position(|lesson| lesson.id == progress.last);
    let from = last.unwrap_or(super::first(lessons));
    (from..lessons.len()).find(open).or_else(|| (0..from.min(lessons.len())).find(open))
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_scene::lesson::{Exercise, Goal, Prediction, Trial};

    fn lesson(id: &str, first: bool) -> Lesson {
        let trials = vec![Trial::default(), Trial::default()];
        let prediction = Prediction { choices: vec!["One".into(), "Two".into()], ..Prediction::default() };
        Lesson { id: id.into(), first, trials, prediction, ..Lesson::default() }
    }

    #[test]
    fn an_exercise_without_a_prediction_is_done_when_it_is_solved() {
        let exercise = Exercise {
            task: "Find it".into(),
            goal: Goal::Find("pin".into()),
            hints: Vec::new(),
            solved: String::new(),
        };
        let lesson = Lesson { id: "task".into(), exercise: Some(exercise), ..Lesson::default() };
        let (answers, mut progress) = (Answers::new(), Progress::default());
        assert_eq!(progress.stage(&answers, &lesson), Stage::New);
        progress.exercises.insert("task".into(), ExerciseRecord { attempts: 1, ..ExerciseRecord::default() });
        assert_eq!(progress.stage(&answers, &lesson), Stage::Begun(0));
        progress.exercises.entry("task".into()).or_default().solved = true;
        assert_eq!(progress.stage(&answers, &lesson), Stage::Done);
        progress.forget("task");
        assert_eq!(progress.stage(&answers, &lesson), Stage::New);
    }

    #[test]
    fn a_lesson_is_done_when_it_is_predicted_and_all_its_runs_were_made() {
        let (one, mut answers, mut progress) = (lesson("one", false), Answers::new(), Progress::default());
        progress.note_run("one", 0);
        assert_eq!(progress.stage(&answers, &one), Stage::New, "nothing was predicted");
        answers.insert("one".into(), 1);
        assert_eq!(progress.stage(&answers, &one), Stage::Begun(1));
        // A trial that the file no longer has does not count.
        progress.note_run("one", 7);
        assert_eq!(progress.stage(&answers, &one), Stage::Begun(1));
        progress.note_run("one", 1);
        assert_eq!(progress.stage(&answers, &one), Stage::Done);
    }

    #[test]
    fn one_goes_on_with_the_last_lesson_then_with_those_after_it_then_with_those_before() {
        let lessons = [lesson("a", false), lesson("b", true), lesson("c", false)];
        let (mut answers, mut progress) = (Answers::new(), Progress::default());
        assert_eq!(next(&lessons, &answers, &progress), Some(1), "the first lesson of all");
        progress.last = "c".into();
        let mut finish = |index: usize, progress: &mut Progress| {
            answers.insert(lessons[index].id.clone(), 0);
            (0..2).for_each(|trial| progress.note_run(&lessons[index].id, trial));
            next(&lessons, &answers, progress)
        };
        assert_eq!(finish(1, &mut progress), Some(2), "the last one is not done");
        assert_eq!(finish(2, &mut progress), Some(0), "only the first is left");
        assert_eq!(finish(0, &mut progress), None);
        assert_eq!(next(&[], &Answers::new(), &progress), None);
    }
}
