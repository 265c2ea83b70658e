//! Tries the claims of a scene or of an experiment in a run from the beginning, without a window.

use std::ops::ControlFlow;

use super::claim;
use super::term::StepState;
use super::watch::{ClaimVerdict, ClaimWatch};
use crate::names::Names;
use crate::run::trouble::{Trouble, cause};
use delassus_physics::row::RowList;
use delassus_physics::settings::Settings;
use delassus_physics::world::World;
use delassus_scene::Loaded;

/// Result of a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimOutcome {
    /// The text as written.
    pub text: String,
    pub verdict: ClaimVerdict,
}

/// Tries the claims of the scene, or of its experiment of this index, in a separate run that is as long as they need.
/// Deterministic: the result does not depend on what else runs.
pub fn trial(loaded: &Loaded, experiment: Option<usize>) -> Vec<ClaimOutcome> {
    trial_run(loaded, experiment).0
}

/// Like [`trial`]; also returns the world as it is when the last claim is decided.
pub fn trial_run(loaded: &Loaded, experiment: Option<usize>) -> (Vec<ClaimOutcome>, World) {
    let scene = &loaded.scene;
    let mut settings = scene.settings.settings();
    let experiment = experiment.and_then(|index| scene.experiments.get(index));
    if let Some(experiment) = experiment {
        experiment.set.apply(&mut settings);
    }
    run(loaded, settings, experiment.map_or(&scene.claims, |experiment| &experiment.claims))
}

/// Tries claims in a separate run of a scene with these settings.
pub fn trial_of(loaded: &Loaded, settings: Settings, texts: &[String]) -> Vec<ClaimOutcome> {
    run(loaded, settings, texts).0
}

fn run(loaded: &Loaded, settings: Settings, texts: &[String]) -> (Vec<ClaimOutcome>, World) {
    trial_by(loaded, settings, texts, |world| {
        world.step();
        world.wait();
        ControlFlow::Continue(())
    })
}

/// Tries claims in a separate run of a scene with these settings, in which `step` makes every step: it may measure the
/// step's time, or end the run. Also returns the world as it is then.
pub fn trial_by(
    loaded: &Loaded,
    mut settings: Settings,
    texts: &[String],
    mut step: impl FnMut(&mut World) -> ControlFlow<()>,
) -> (Vec<ClaimOutcome>, World) {
    // Callers that try many claims use one thread for each.
    settings.solver.threads = 1;
    let names = Names::of(&loaded.flat);
    let watch = |text: &String| claim(text).and_then(|condition| ClaimWatch::new(condition, &names));
    let mut watches: Vec<_> = texts.iter().map(watch).collect();
    let rate = f64::from(settings.step.rate);
    let last = watches.iter().flatten().map(|watch| watch.steps(rate)).max().unwrap_or(0);
    let mut world = loaded.flat.world(settings);
    world.pipeline.executor.resident = true;
    let mut list = RowList::default();
    for count in 0..=last {
        let now = StepState::new(&world, None);
        watches.iter_mut().flatten().for_each(|watch| watch.check(&now, &mut list));
        if watches.iter().flatten().all(ClaimWatch::is_decided) {
            break;
        }
        if step(&mut world).is_break() {
            break;
        }
        if world.state.step_count == count {
            let why = broke_off(&world, &names);
            watches.iter_mut().flatten().for_each(|watch| watch.give_up(&why));
            break;
        }
    }
    watches.iter_mut().flatten().for_each(|watch| watch.give_up("the run ended before that"));
    let verdict = |watch: Result<ClaimWatch, String>| watch.map_or_else(ClaimVerdict::Unclear, |watch| watch.verdict());
    let outcomes = texts
        .iter()
        .zip(watches)
        .map(|(text, watch)| ClaimOutcome { text: text.clone(), verdict: verdict(watch) })
        .collect();
    (outcomes, world)
}

/// Why a step was not made.
fn broke_off(world: &World, names: &Names) -> String {
    let name = |id: u32| names.bodies.get((id as usize).checked_sub(1)?).map(|name| &**name);
    let trouble = cause(world).map(|cause| Trouble::new(cause, world, name).what.to_string());
    trouble.unwrap_or_else(|| format!("the run broke off at {:.3} s", world.state.time))
}
