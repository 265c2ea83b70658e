//! Finds the settings that cure a breach, by trying them on copies of the world.
//!
//! Each candidate runs from the beginning until half a second after the breach was first seen. The first one that runs
//! without any breach is offered. A trial has a budget of row sweeps and of work, so it ends in a bounded time.

use super::{Breach, Judge};
use crate::words;
use delassus_physics::setting::Value;
use delassus_physics::settings::{Method, Settings};
use delassus_physics::world::World;

/// Settings that cure a breach.
#[derive(Debug, Clone, PartialEq)]
pub struct Cure {
    /// Names and values, as for `--set`.
    pub set: Vec<(&'static str, Value)>,
}

impl Cure {
    /// The label of its button.
    pub fn label(&self) -> String {
        match *self.set.as_slice() {
            [(name, value)] => words::change(name, value),
            _ => format!("Set {}", self.assignments().join(", ")),
        }
    }

    /// As assignments of `--set`.
    pub fn assignments(&self) -> Vec<String> {
        self.set.iter().map(|(name, value)| format!("{name}={value}")).collect()
    }

    fn applied(&self, settings: &Settings) -> Settings {
        let mut settings = *settings;
        for (name, value) in &self.set {
            // The candidates' names and values are valid.
            let _ = settings.set(name, *value);
        }
        settings
    }
}

/// Simulated time of a trial after the breach was first seen, and the longest trial, s.
const TRIAL_TIME_AFTER_BREACH: f64 = 0.5;
const MAX_TRIAL_TIME: f64 = 5.0;
/// The largest number of rows × sweeps of a trial: about a second.
const BUDGET: u64 = 60_000_000;
/// A row costs the direct solver about as much per sub-step as this number of sweeps, in worlds of up to `DIRECT_ROWS`
/// rows. It is not tried in larger ones.
const DIRECT_COST: u64 = 200;
const DIRECT_ROWS: usize = 1500;
const MAX_SUBSTEPS: u32 = 64;
/// The largest work of a trial's step, and of the whole trial, multiplications: about a second.
const STEP_WORK: u64 = 300_000_000;
const WORK: u64 = 1_000_000_000;

/// What a trial starts from.
#[derive(Clone)]
pub struct Trial {
    /// The world at its beginning, with the settings of the run.
    pub beginning: World,
    pub breach: Breach,
}

/// The cure of the trial's breach, if one of the candidates is.
pub fn cure(trial: &Trial) -> Option<Cure> {
    candidates(&trial.beginning.settings).into_iter().find(|cure| holds(trial, cure))
}

/// The settings to try, the cheapest first.
fn candidates(settings: &Settings) -> Vec<Cure> {
    let mut list = Vec::new();
    let exactly = words::exact_solver_setting(settings);
    if exactly.0 == "solver.rows" {
        list.push(Cure { set: vec![exactly] });
    }
    let substeps = settings.step.substeps;
    for many in [4, 4 * substeps].into_iter().filter(|many| *many > substeps && *many <= MAX_SUBSTEPS) {
        list.push(Cure { set: vec![("step.substeps", Value::Int(many))] });
    }
    if !settings.stabilization.geometric_stiffness {
        list.push(Cure { set: vec![("stabilization.geometric_stiffness", Value::Bool(true))] });
    }
    if settings.solver.method != Method::Direct {
        list.push(Cure { set: vec![("solver.method", Value::Choice("Direct"))] });
    }
    list
}

/// Whether the world runs without a breach until after the one that was seen.
fn holds(trial: &Trial, cure: &Cure) -> bool {
    let mut world = trial.beginning.clone();
    world.settings = cure.applied(&world.settings);
    world.pipeline.executor.device = None;
    world.report.work = world.report.work.within(STEP_WORK);
    let direct = world.settings.solver.method == Method::Direct;
    let begin = world.state.time;
    let end = (trial.breach.since + TRIAL_TIME_AFTER_BREACH).min(begin + MAX_TRIAL_TIME);
    let (mut judge, mut spent) = (Judge::default(), 0);
    let mut worked = 0;
    while world.state.time < end {
        if direct && world.report.row_count > DIRECT_ROWS {
            return false;
        }
        world.step();
        if world.report.work.is_over() || world.state.contacts.excess.is_some() {
            return false;
        }
        worked += world.report.work.spent();
        let sweeps = if direct { DIRECT_COST } else { u64::from(world.settings.solver.iterations) + 2 };
        spent += (world.report.row_count as u64 + 64) * sweeps * u64::from(world.settings.step.substeps);
        judge.watch(&world);
        if spent > BUDGET || worked > WORK || !judge.breaches().is_empty() || world.report.fault.is_some() {
            return false;
        }
    }
    true
}
