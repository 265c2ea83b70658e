//! One solver runs one scene: the error, and what it costs.

use std::ops::ControlFlow;
use std::time::Duration;

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};

use super::list::{ArenaScene, ArenaSolver};
use crate::cli::common::Failure;
use crate::cli::stop::Stop;
use delassus_scene::Loaded;
use delassus_session::claims::{ClaimVerdict, tolerance, trial_by};

/// A line of the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArenaResult {
    pub scene: String,
    pub solver: String,
    /// The measured value, with its unit; empty if there is none.
    pub measured: String,
    /// |measured − right|/tolerance; infinite if the value is not finite.
    pub error: Option<f64>,
    /// Processor time of the steps, on one thread, per simulated second, s/s.
    pub cost: Option<f64>,
    /// Why there is no value, or why it is not to be trusted.
    pub note: String,
}

/// Runs a scene; `None` if the user stops it. The run ends once its steps have taken `limit` of processor time.
pub fn run(
    scene: &ArenaScene,
    loaded: &Loaded,
    solver: ArenaSolver,
    limit: Duration,
    stop: &Stop,
) -> Result<Option<ArenaResult>, Failure> {
    let wrong = |what: String| Failure::Error(format!("{}: {what}", scene.scene));
    let tolerance = tolerance(&scene.claim).map_err(wrong)?;
    let settings = solver.settings(&loaded.scene.settings.settings());
    let mut spent = Duration::ZERO;
    let (outcomes, world) = trial_by(loaded, settings, std::slice::from_ref(&scene.claim), |world| {
        if stop.is_asked() || spent > limit {
            return ControlFlow::Break(());
        }
        // Nothing else runs in this process.
        let begin = ProcessTime::now();
        world.step();
        world.wait();
        spent += begin.elapsed();
        ControlFlow::Continue(())
    });
    if stop.is_asked() {
        return Ok(None);
    }
    let time = world.state.time;
    let cost = (time > 0.0).then(|| spent.as_secs_f64() / time);
    let (value, note) = match outcomes.into_iter().next().map(|outcome| outcome.verdict) {
        Some(ClaimVerdict::Held(value) | ClaimVerdict::Failed(value)) => {
            let ran_away = "a body ran away and was stopped";
            (Some(value), if world.report.fault.is_some() { ran_away.to_owned() } else { String::new() })
        }
        _ if spent > limit => {
            (None, format!("ended after {} s of processor time, at {time:.1} s", limit.as_secs_f64()))
        }
        Some(ClaimVerdict::Unclear(why)) => (None, why),
        _ => (None, "nothing was measured".into()),
    };
    Ok(Some(ArenaResult {
        scene: scene.scene.clone(),
        solver: solver.name().into(),
        error: value.as_ref().map(|value| 1.0 - value.margin / tolerance),
        measured: value.map_or_else(String::new, |value| value.words),
        cost,
        note,
    }))
}
