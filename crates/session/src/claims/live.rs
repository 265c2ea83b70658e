//! The claims of the open scene, checked while it runs: those of the scene while its settings are the file's, those
//! of an experiment while its settings apply, and those of a goal, such as a lesson's exercise, whatever the settings.
//! A claim concerns a run from the beginning without other changes; its result is kept until it is tried again.

use super::claim;
use super::term::StepState;
use super::watch::{ClaimVerdict, ClaimWatch};
use crate::Session;
use crate::open::OpenScene;
use crate::run::{Input, Run};
use delassus_physics::metrics::Metrics;
use delassus_physics::row::RowList;
use delassus_physics::settings::Settings;
use delassus_scene::Scene;

/// In scenes with more bodies and joints, claims are not checked after each step.
const MAX_ELEMENTS: usize = 4000;

/// Messages for claims that are not checked.
const CHANGED: &str = "The run was changed: press R to check it from the beginning";
const LARGE: &str = "This scene is too large to check here: use `delassus check --claims`";

/// A claim and its state in the current run.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimState {
    /// The text as written.
    pub text: String,
    pub verdict: ClaimVerdict,
}

/// The claims of a goal, and the settings of the run in which they were checked.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalState {
    pub claims: Vec<ClaimState>,
    /// The settings of the last run from the beginning; `None` before there was one.
    pub settings: Option<Settings>,
}

/// Claims in their last run.
#[derive(Debug)]
struct Tried {
    /// The scene (`None`) or its experiment of this index; not used for a goal.
    whose: Option<usize>,
    watches: Vec<Result<ClaimWatch, String>>,
    /// The last checked step.
    step: u64,
    /// The session's number of cuts when the run began.
    cuts: u64,
    left: bool,
}

/// All claims tried since the scene was opened.
#[derive(Debug, Default)]
pub(crate) struct LiveClaims {
    opened: u64,
    tried: Vec<Tried>,
    /// The goal's claims, and the number of the opened scene to which they belong.
    goal: (u64, Vec<String>),
    goal_run: Option<(Tried, Settings)>,
}

impl LiveClaims {
    /// Checks the world after a step.
    pub fn check(
        &mut self,
        (opened, cuts): (u64, u64),
        open: &OpenScene,
        whose: &[Option<usize>],
        measured: Option<Metrics>,
    ) {
        if self.opened != opened {
            (self.opened, self.tried, self.goal_run) = (opened, Vec::new(), None);
        }
        let (run, world) = (&open.run, open.run.world());
        if world.state.step_count == 0 || world.state.bodies.len() + world.state.joints.len() > MAX_ELEMENTS {
            return;
        }
        let mut list = RowList::default();
        let now = StepState::new(world, measured);
        if world.state.step_count == 1 {
            for whose in whose.iter().filter(|whose| !claims(&open.document.scene, **whose).is_empty()) {
                self.tried.retain(|tried| tried.whose != *whose);
                self.tried.push(Tried::new(*whose, claims(&open.document.scene, *whose), cuts, open));
            }
            let (of, goal) = &self.goal;
            let tries = *of == opened && !goal.is_empty();
            self.goal_run = tries.then(|| (Tried::new(None, goal, cuts, open), world.settings));
        }
        for tried in &mut self.tried {
            tried.left |= !whose.contains(&tried.whose);
        }
        for tried in self.tried.iter_mut().chain(self.goal_run.as_mut().map(|(tried, _)| tried)) {
            tried.left |= tried.cuts != cuts || !is_untouched(run);
            // Repeated steps were checked before.
            if tried.left || world.state.step_count <= tried.step {
                continue;
            }
            tried.left = world.state.step_count != tried.step + 1;
            if !tried.left {
                tried.step = world.state.step_count;
                tried.watches.iter_mut().flatten().for_each(|watch| watch.check(&now, &mut list));
            }
        }
    }
}

impl Tried {
    fn new(whose: Option<usize>, texts: &[String], cuts: u64, open: &OpenScene) -> Self {
        let watch = |text: &String| claim(text).and_then(|condition| ClaimWatch::new(condition, &open.names));
        let mut watches: Vec<_> = texts.iter().map(watch).collect();
        let (now, mut list) = (StepState::new(open.run.beginning(), None), RowList::default());
        watches.iter_mut().flatten().for_each(|watch| watch.check(&now, &mut list));
        Self { whose, watches, step: 0, cuts, left: false }
    }

    /// The result of the claim of this index.
    fn verdict(&self, index: usize) -> ClaimVerdict {
        match self.watches.get(index) {
            None => ClaimVerdict::Pending(None),
            Some(Err(why)) => ClaimVerdict::Unclear(why.clone()),
            Some(Ok(watch)) if self.left && !watch.is_decided() => ClaimVerdict::Unclear(CHANGED.into()),
            Some(Ok(watch)) => watch.verdict(),
        }
    }
}

/// Whether a run has no edits of bodies, no mouse pulls and no inputs after step 0.
fn is_untouched(run: &Run) -> bool {
    run.start().is_none()
        && run.inputs().iter().all(|input| input.step == 0 && !matches!(input.input, Input::MouseJoint(Some(_))))
}

fn claims(scene: &Scene, whose: Option<usize>) -> &[String] {
    match whose {
        None => &scene.claims,
        Some(index) => scene.experiments.get(index).map_or(&[], |experiment| &experiment.claims),
    }
}

impl Session {
    /// Whose claims apply to a run with the present settings.
    pub(crate) fn active_claims(&self) -> Vec<Option<usize>> {
        let scene_claims = (self.settings == self.file_settings).then_some(None);
        scene_claims.into_iter().chain(self.active_experiment().map(Some)).collect()
    }

    /// The claims of the scene (`None`) or of its experiment of this index, with their state in the last run.
    pub fn claims(&self, whose: Option<usize>) -> Vec<ClaimState> {
        let Some(open) = &self.open else { return Vec::new() };
        let world = open.run.world();
        let large = world.state.bodies.len() + world.state.joints.len() > MAX_ELEMENTS;
        let tried = self.claims.tried.iter().find(|tried| tried.whose == whose && self.claims.opened == self.opened);
        // At the beginning of a new run all claims are pending again.
        let begins = world.state.step_count == 0 && !open.line.is_past() && self.active_claims().contains(&whose);
        let tried = tried.filter(|_| !begins);
        let verdict = |index: usize| match tried {
            _ if large => ClaimVerdict::Unclear(LARGE.into()),
            None => ClaimVerdict::Pending(None),
            Some(tried) => tried.verdict(index),
        };
        let texts = claims(&open.document.scene, whose).iter().enumerate();
        texts.map(|(index, text)| ClaimState { text: text.clone(), verdict: verdict(index) }).collect()
    }

    /// Sets the claims of a goal, which are checked in every run from the beginning, whatever its settings. Opening
    /// another scene removes them.
    pub(crate) fn set_goal(&mut self, claims: Vec<String>) {
        let goal = (self.opened, claims);
        if self.claims.goal != goal {
            (self.claims.goal, self.claims.goal_run) = (goal, None);
        }
    }

    /// The claims of the goal in the last run from the beginning.
    pub fn goal(&self) -> GoalState {
        let (of, texts) = &self.claims.goal;
        let Some(open) = self.open.as_ref().filter(|_| *of == self.opened) else {
            return GoalState { claims: Vec::new(), settings: None };
        };
        let world = open.run.world();
        let begins = world.state.step_count == 0 && !open.line.is_past();
        let run = self.claims.goal_run.as_ref().filter(|_| !begins && self.claims.opened == self.opened);
        let verdict = |index: usize| run.map_or(ClaimVerdict::Pending(None), |(tried, _)| tried.verdict(index));
        let claims = texts.iter().enumerate();
        let claims = claims.map(|(index, text)| ClaimState { text: text.clone(), verdict: verdict(index) }).collect();
        GoalState { claims, settings: run.map(|(_, settings)| *settings) }
    }
}
