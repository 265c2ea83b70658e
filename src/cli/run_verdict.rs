//! Whether a run can be trusted, and its exit code.

use super::common::Failure;
use super::not_finite::NotFinite;
use crate::session::Session;
use crate::session::condition::{Condition, ConditionWatch};

/// The judgement of a run, besides its numbers.
#[derive(Debug, Default)]
pub struct RunVerdict {
    /// Why it cannot be trusted, a sentence each; empty if it can.
    pub distrust: Vec<String>,
    /// The conditions of `--fail-if` that were met, and where.
    pub held: Vec<String>,
    /// Conditions that could not be evaluated.
    pub missed: Vec<String>,
}

impl RunVerdict {
    /// The judgement at the end of a run.
    pub fn new(session: &Session, not_finite: Option<&NotFinite>, watches: &[ConditionWatch]) -> Self {
        let metrics = &session.snapshot().metrics;
        let mut verdict = Self::default();
        if let Some(trouble) = &session.snapshot().trouble {
            verdict.distrust.push(trouble.what.to_string());
        } else if metrics.stopped > 0 {
            let times = if metrics.stopped == 1 { "once".into() } else { format!("{} times", metrics.stopped) };
            verdict.distrust.push(format!("a body was stopped {times} because its velocity ran away"));
        }
        if metrics.guarded > 0 {
            let many = if metrics.guarded == 1 { "impulse was" } else { "impulses were" };
            verdict.distrust.push(format!("{} {many} cut down or reset before being carried on", metrics.guarded));
        }
        verdict.distrust.extend(not_finite.map(NotFinite::to_string));
        for watch in watches {
            match watch.verdict() {
                Ok(Some(held)) => verdict.held.push(held),
                Ok(None) => {}
                Err(missed) => verdict.missed.push(format!("--fail-if {missed}")),
            }
        }
        verdict
    }

    /// The reason for the exit code; `Ok` if all is well. Distrust takes precedence, since the numbers of such a run
    /// decide nothing.
    pub fn failure(self) -> Result<(), Failure> {
        let list =
            |head: &str, lines: &[String]| lines.iter().map(|l| format!("{head}: {l}")).collect::<Vec<_>>().join("\n");
        let (distrust, held) = (list("not to be trusted", &self.distrust), list("failed", &self.held));
        let both =
            [distrust.clone(), held.clone()].into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>().join("\n");
        if !distrust.is_empty() {
            Err(Failure::Distrust(both))
        } else if !held.is_empty() {
            Err(Failure::Held(held))
        } else if !self.missed.is_empty() {
            Err(Failure::Error(self.missed.join("\n")))
        } else {
            Ok(())
        }
    }
}

/// Prepares the conditions for this scene.
pub fn watches(conditions: &[Condition], session: &Session) -> Result<Vec<ConditionWatch>, Failure> {
    let watch = |condition| ConditionWatch::new(condition, session.snapshot());
    let misuse = |error| Failure::Misuse(format!("--fail-if {error}"));
    conditions.iter().map(|condition| watch(condition).map_err(misuse)).collect()
}
