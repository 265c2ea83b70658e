//! A task of a lesson: the learner changes settings until claims hold, or finds a joint or body.

use serde::Deserialize;

use super::{LinkCheck, LinkTarget, check};
use crate::Loaded;
use crate::mistake::nearest;
use crate::report::{DocPath, Report};
use delassus_physics::setting::Value;
use delassus_physics::settings::{LIST, Settings, SettingsPatch};

/// A task that the learner solves alone.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// What to do.
    pub task: String,
    pub goal: Goal,
    /// Hints, the vaguest first. They are shown one at a time.
    #[serde(default)]
    pub hints: Vec<String>,
    /// What is said once it is solved.
    #[serde(default)]
    pub solved: String,
}

/// What solves an exercise.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Goal {
    /// Values of some settings with which claims hold in a run from the beginning.
    Hold {
        /// Settings with which the exercise begins, on top of the scene's.
        #[serde(default)]
        start: Box<SettingsPatch>,
        /// Each claim in words, and as in `docs/claims.md`.
        claims: Vec<(String, String)>,
        /// The settings that may be changed, such as `solver.iterations`.
        controls: Vec<String>,
        /// Settings whose product is to be as small as possible.
        #[serde(default)]
        least: Vec<String>,
        /// Settings that solve it.
        solution: Box<SettingsPatch>,
    },
    /// The joint or body of this name.
    Find(String),
}

impl Exercise {
    /// The settings that may be changed.
    pub fn controls(&self) -> &[String] {
        match &self.goal {
            Goal::Hold { controls, .. } => controls,
            Goal::Find(_) => &[],
        }
    }

    /// The claims that have to hold: in words, and as in `docs/claims.md`.
    pub fn claims(&self) -> &[(String, String)] {
        match &self.goal {
            Goal::Hold { claims, .. } => claims,
            Goal::Find(_) => &[],
        }
    }

    /// The product of the settings that are to be small; `None` if there are none.
    pub fn cost(&self, settings: &Settings) -> Option<f64> {
        let Goal::Hold { least, .. } = &self.goal else { return None };
        let values = least.iter().filter_map(|name| number(name, settings));
        (!least.is_empty()).then(|| values.product())
    }

    /// The settings with which it begins. `file` are the scene's.
    pub fn start(&self, file: &Settings) -> Settings {
        let mut settings = *file;
        if let Goal::Hold { start, .. } = &self.goal {
            start.apply(&mut settings);
        }
        settings
    }

    /// The settings of the author's solution. `file` are the scene's.
    pub fn solution(&self, file: &Settings) -> Option<Settings> {
        let Goal::Hold { solution, .. } = &self.goal else { return None };
        let mut settings = self.start(file);
        solution.apply(&mut settings);
        Some(settings)
    }

    /// The names of the settings that were changed although the exercise does not allow it. `file` are the scene's.
    pub fn forbidden(&self, file: &Settings, now: &Settings) -> Vec<&'static str> {
        changed(&self.start(file), now).filter(|name| !self.controls().iter().any(|control| control == name)).collect()
    }
}

/// The names of the settings in which two differ.
fn changed(one: &Settings, other: &Settings) -> impl Iterator<Item = &'static str> {
    LIST.iter().filter(move |setting| (setting.get)(one) != (setting.get)(other)).map(|setting| setting.name)
}

/// The value of a setting that is a number.
fn number(name: &str, settings: &Settings) -> Option<f64> {
    let setting = LIST.iter().find(|setting| setting.name == name)?;
    match (setting.get)(settings) {
        Value::Int(value) => Some(value.into()),
        Value::Real(value) => Some(value.into()),
        _ => None,
    }
}

/// Checks names of settings in a lesson.
pub(super) fn controls(names: &[String], place: &DocPath<'_>, report: &mut Report) {
    for (index, name) in names.iter().enumerate() {
        if !LIST.iter().any(|setting| setting.name == name) {
            let near = nearest(name, LIST.iter().map(|setting| setting.name));
            report.add(&place.item(index), format!("no setting is called `{name}`{near}"));
        }
    }
}

/// Checks a lesson's exercise.
pub(super) fn check(exercise: &Exercise, scene: Option<&Loaded>, knows: LinkCheck<'_>, report: &mut Report) {
    let root = DocPath::Root.field("exercise");
    if exercise.task.trim().is_empty() {
        report.add(&root.field("task"), "`task` says nothing");
    }
    let hints = root.field("hints");
    for (index, _) in exercise.hints.iter().enumerate().filter(|(_, hint)| hint.trim().is_empty()) {
        report.add(&hints.item(index), "this hint says nothing");
    }
    let goal = root.field("goal");
    let Goal::Hold { claims, controls: names, least, .. } = &exercise.goal else {
        let Goal::Find(name) = &exercise.goal else { return };
        if let Some(what) = scene.and_then(|scene| check::there(&scene.flat, name)) {
            report.add(&goal, what);
        }
        return;
    };
    if claims.is_empty() {
        report.add(&goal.field("claims"), "expected one claim or more");
    }
    let place = goal.field("claims");
    for (index, (words, claim)) in claims.iter().enumerate() {
        if words.trim().is_empty() {
            report.add(&place.item(index), "the words of this claim say nothing");
        }
        if let Some(what) = scene.and_then(|scene| knows(LinkTarget::Claim(claim, scene))) {
            report.add(&place.item(index), what);
        }
    }
    if names.is_empty() {
        report.add(&goal.field("controls"), "expected one setting or more that may be changed");
    }
    controls(names, &goal.field("controls"), report);
    let place = goal.field("least");
    for (index, name) in least.iter().enumerate() {
        let what = match (names.contains(name), number(name, &Settings::default())) {
            (false, _) => format!("`{name}` is not among `controls`"),
            (true, None) => format!("`{name}` is not a number"),
            (true, Some(_)) => continue,
        };
        report.add(&place.item(index), what);
    }
    let Some(scene) = scene else { return };
    let file = scene.scene.settings.settings();
    let Some(solution) = exercise.solution(&file) else { return };
    let others = exercise.forbidden(&file, &solution);
    let place = goal.field("solution");
    if !others.is_empty() {
        report
            .add(&place, format!("the solution changes settings that are not among `controls`: {}", others.join(", ")));
    } else if solution == exercise.start(&file) {
        report.add(&place, "the solution changes nothing");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exercise(least: &[&str]) -> Exercise {
        let names = ["step.substeps", "solver.iterations"].map(str::to_owned).to_vec();
        let mut solution: Box<SettingsPatch> = Box::default();
        solution.step.substeps = Some(3);
        solution.solver.iterations = Some(7);
        let least = least.iter().map(|name| (*name).to_owned()).collect();
        let claims = vec![("It moves".into(), "energy > 0".into())];
        let goal = Goal::Hold { start: Box::default(), claims, controls: names, least, solution };
        Exercise { task: "Try".into(), goal, hints: Vec::new(), solved: String::new() }
    }

    #[test]
    fn the_cost_is_the_product_of_the_named_settings() {
        let file = Settings::default();
        let both = exercise(&["step.substeps", "solver.iterations"]);
        let solution = both.solution(&file).expect("it has one");
        assert_eq!(both.cost(&solution), Some(3.0 * 7.0));
        assert_eq!(exercise(&["solver.iterations"]).cost(&solution), Some(7.0));
        assert_eq!(exercise(&[]).cost(&solution), None);
    }

    #[test]
    fn a_setting_that_is_not_a_control_is_forbidden() {
        let (file, exercise) = (Settings::default(), exercise(&[]));
        let mut now = exercise.solution(&file).expect("it has one");
        assert!(exercise.forbidden(&file, &now).is_empty());
        now.stabilization.beta *= 0.5;
        assert_eq!(exercise.forbidden(&file, &now), ["stabilization.beta"]);
    }
}
