//! Tries an exercise of a lesson without a window: the author's solution solves it, and the settings with which it begins do not.

use super::{ClaimOutcome, ClaimVerdict, trial_of};
use delassus_physics::settings::Settings;
use delassus_scene::{Loaded, lesson::Exercise};

/// What is wrong with an exercise of this scene, in words; empty if nothing is.
pub fn exercise_faults(loaded: &Loaded, exercise: &Exercise) -> Vec<String> {
    let file = loaded.scene.settings.settings();
    let Some(solution) = exercise.solution(&file) else { return Vec::new() };
    let texts: Vec<String> = exercise.claims().iter().map(|(_, text)| text.clone()).collect();
    let tried = |settings: &Settings| trial_of(loaded, *settings, &texts);
    let failed = |outcome: ClaimOutcome| match outcome.verdict {
        ClaimVerdict::Held(_) => None,
        ClaimVerdict::Failed(value) => Some(format!("with the solution, `{}` fails: {value}", outcome.text)),
        ClaimVerdict::Unclear(why) => Some(format!("with the solution, `{}` cannot be checked: {why}", outcome.text)),
        ClaimVerdict::Pending(_) => Some(format!("with the solution, `{}` is not decided", outcome.text)),
    };
    let mut faults: Vec<String> = tried(&solution).into_iter().filter_map(failed).collect();
    // A scene that is solved as it opens leaves something to do only if that costs more than the solution.
    let start = exercise.start(&file);
    let is_cheaper = exercise.cost(&solution).zip(exercise.cost(&start)).is_some_and(|(own, start)| own < start);
    let is_solved = || tried(&start).iter().all(|outcome| matches!(outcome.verdict, ClaimVerdict::Held(_)));
    if !is_cheaper && is_solved() {
        faults.push("it is solved as it begins".to_owned());
    }
    faults
}
