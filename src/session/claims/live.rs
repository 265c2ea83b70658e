//! The claims of the open scene while its run goes: those of the scene itself as long as its settings are the file's,
//! those of an experiment as long as they are its. They are about a run from the beginning to which nothing else is
//! done; what becomes of them stays until they are tried again.

use super::claim;
use super::term::StepState;
use super::watch::{ClaimVerdict, ClaimWatch};
use crate::physics::metrics::Metrics;
use crate::physics::row::RowList;
use crate::scene::Scene;
use crate::session::Session;
use crate::session::open::OpenScene;
use crate::session::run::{Input, Run};

/// In scenes of more bodies and joints they are not looked at after each step.
const MOST: usize = 4000;

/// Why a claim is not looked at any more.
const CHANGED: &str = "The run has been changed: press R to try it from the beginning";
const LARGE: &str = "So large a scene is tried by `delassus check --claims`";

/// A claim and how it stands in the run at hand.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimState {
    /// As it was written.
    pub text: String,
    pub verdict: ClaimVerdict,
}

/// The claims of the scene (`None`) or of an experiment, by its number, in their last run.
#[derive(Debug)]
struct Tried {
    whose: Option<usize>,
    watches: Vec<Result<ClaimWatch, String>>,
    /// The last step that was looked at.
    step: u64,
    /// How often something was cut off from the run when it began.
    cuts: u64,
    left: bool,
}

/// All that were tried since the scene was opened.
#[derive(Debug, Default)]
pub(in crate::session) struct LiveClaims {
    opened: u64,
    tried: Vec<Tried>,
}

impl LiveClaims {
    /// Looks at the world after a step of it.
    pub fn look(
        &mut self,
        (opened, cuts): (u64, u64),
        open: &OpenScene,
        whose: &[Option<usize>],
        measured: Option<Metrics>,
    ) {
        if self.opened != opened {
            (self.opened, self.tried) = (opened, Vec::new());
        }
        let (run, world) = (&open.run, open.run.world());
        if world.step_count == 0 || world.bodies.len() + world.joints.len() > MOST {
            return;
        }
        let mut list = RowList::default();
        let now = StepState::new(world, measured);
        if world.step_count == 1 {
            for whose in whose.iter().filter(|whose| !claims(&open.document.scene, **whose).is_empty()) {
                self.tried.retain(|tried| tried.whose != *whose);
                self.tried.push(Tried::begin(*whose, cuts, open));
            }
        }
        for tried in &mut self.tried {
            tried.left |= !whose.contains(&tried.whose) || tried.cuts != cuts || !is_untouched(run);
            // What comes again has been seen.
            if tried.left || world.step_count <= tried.step {
                continue;
            }
            tried.left = world.step_count != tried.step + 1;
            if !tried.left {
                tried.step = world.step_count;
                tried.watches.iter_mut().flatten().for_each(|watch| watch.look(&now, &mut list));
            }
        }
    }
}

impl Tried {
    fn begin(whose: Option<usize>, cuts: u64, open: &OpenScene) -> Self {
        let watch = |text: &String| claim(text).and_then(|condition| ClaimWatch::new(condition, &open.names));
        let mut watches: Vec<_> = claims(&open.document.scene, whose).iter().map(watch).collect();
        let (now, mut list) = (StepState::new(open.run.beginning(), None), RowList::default());
        watches.iter_mut().flatten().for_each(|watch| watch.look(&now, &mut list));
        Self { whose, watches, step: 0, cuts, left: false }
    }
}

/// Whether nothing was done to a run since its beginning.
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
    /// Whose claims are about a run with the present settings.
    pub(in crate::session) fn claimants(&self) -> Vec<Option<usize>> {
        let own = (self.settings == self.file_settings).then_some(None);
        own.into_iter().chain(self.active_experiment().map(Some)).collect()
    }

    /// The claims of the scene (`None`) or of its experiment of this number, and how they stand in their last run.
    pub fn claims(&self, whose: Option<usize>) -> Vec<ClaimState> {
        let Some(open) = &self.open else { return Vec::new() };
        let world = open.run.world();
        let large = world.bodies.len() + world.joints.len() > MOST;
        let tried = self.claims.tried.iter().find(|tried| tried.whose == whose && self.claims.opened == self.opened);
        // At the beginning of a run to come they are all open again.
        let begins = world.step_count == 0 && !open.line.is_past() && self.claimants().contains(&whose);
        let tried = tried.filter(|_| !begins);
        let verdict = |index: usize| match tried.and_then(|tried| Some((tried, tried.watches.get(index)?))) {
            _ if large => ClaimVerdict::Unclear(LARGE.into()),
            None => ClaimVerdict::Pending(None),
            Some((_, Err(why))) => ClaimVerdict::Unclear(why.clone()),
            Some((tried, Ok(watch))) if tried.left && !watch.is_decided() => ClaimVerdict::Unclear(CHANGED.into()),
            Some((_, Ok(watch))) => watch.verdict(),
        };
        let texts = claims(&open.document.scene, whose).iter().enumerate();
        texts.map(|(index, text)| ClaimState { text: text.clone(), verdict: verdict(index) }).collect()
    }
}
