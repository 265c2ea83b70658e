//! Whether a run can be trusted, and its exit code.

use serde::Serialize;

use super::common::Failure;
use super::not_finite::NotFinite;
use super::printable::within_line;
use super::sensors::SensorReport;
use delassus_doctor::verdict::{self, Breach, Cure};
use delassus_doctor::{Finding, Severity};
use delassus_scene::Rule;
use delassus_session::Session;
use delassus_session::columns::Distrust;
use delassus_session::condition::{Condition, ConditionWatch};

/// A breach of the verdict's bounds, for JSON.
#[derive(Debug, Serialize)]
pub struct BreachReport {
    pub rule: Rule,
    pub joint: Option<String>,
    pub bodies: Vec<String>,
    pub value: f32,
    pub size: f32,
    pub unit: &'static str,
    /// `value`/`size`, and the share that is allowed.
    pub share: f32,
    pub bound: f32,
    /// When it was seen first, s.
    pub since: f64,
    /// Whether the scene breaks this rule on purpose.
    pub expected: bool,
    pub what: String,
    pub why: &'static str,
    /// Settings that cure it, as assignments of `--set`, found by trials; none where no trial helps.
    pub cure: Option<Vec<String>>,
}

impl BreachReport {
    fn new(session: &Session, breach: &Breach, cure: Option<&Cure>) -> Self {
        let snapshot = session.snapshot();
        let joint = breach.joint.and_then(|joint| snapshot.joints.get(joint)).map(|joint| joint.name.to_string());
        let (a, b) = breach.bodies;
        let name = |id: u32| snapshot.body(id).map_or_else(|| "world".to_owned(), |body| body.name.to_string());
        let bodies = if (a, b) == (0, 0) { Vec::new() } else { vec![name(a), name(b)] };
        Self {
            rule: breach.rule,
            joint,
            bodies,
            value: breach.value,
            size: breach.size,
            unit: breach.unit.name(),
            share: breach.share(),
            bound: breach.bound,
            since: breach.since,
            expected: session.expects(breach.rule),
            what: session.breach_words(breach),
            why: breach.why(),
            cure: cure.map(Cure::assignments),
        }
    }
}

/// The verdict's breaches in a run, the gravest first; the cure of the gravest unexpected one is searched by trials.
pub fn breaches(session: &Session) -> Vec<BreachReport> {
    let all = session.breaches();
    let worst = all.iter().find(|breach| !session.expects(breach.rule));
    let cure = worst.and_then(|breach| session.trial(breach)).and_then(|trial| verdict::cure(&trial));
    let report = |breach: &Breach| {
        let cure = cure.as_ref().filter(|_| worst == Some(breach));
        BreachReport::new(session, breach, cure)
    };
    all.iter().map(report).collect()
}

/// The judgement of a run, besides its numbers.
#[derive(Debug, Default)]
pub struct RunVerdict {
    /// What exceeds the bounds of the verdict, expected or not.
    pub breaches: Vec<BreachReport>,
    /// Why it cannot be trusted, a sentence each; empty if it can.
    pub distrust: Vec<String>,
    /// The conditions of `--fail-if` that were met, and where.
    pub held: Vec<String>,
    /// Conditions that could not be evaluated.
    pub missed: Vec<String>,
}

/// What the state itself says against the run: trouble, and impulses and velocities that were cut down.
fn against(session: &Session) -> Vec<String> {
    let metrics = &session.snapshot().metrics;
    let mut said = Vec::new();
    if let Some(trouble) = &session.snapshot().trouble {
        said.push(trouble.what.to_string());
    } else if metrics.stopped > 0 {
        let times = if metrics.stopped == 1 { "once".into() } else { format!("{} times", metrics.stopped) };
        said.push(format!("a body was stopped {times} because its velocity ran away"));
    }
    if metrics.guarded > 0 {
        let many = if metrics.guarded == 1 { "impulse was" } else { "impulses were" };
        said.push(format!("{} {many} cut down or reset before being carried on", metrics.guarded));
    }
    said
}

/// What is said against a run up to its present step: the reasons of the [`RunVerdict`] without cures.
pub fn so_far(session: &Session, not_finite: Option<&NotFinite>) -> Distrust {
    let mut said = against(session);
    let breaches = session.breaches();
    let unexpected = breaches.iter().filter(|breach| !session.expects(breach.rule));
    said.extend(unexpected.map(|breach| format!("{} {}", session.breach_words(breach), breach.why())));
    said.extend(not_finite.map(NotFinite::to_string));
    Distrust(said.join("; "))
}

/// What the doctor says of bodies that overlap where the scene begins: it may be the cause of what follows.
fn overlap_at_the_start(session: &Session) -> Option<String> {
    let overlaps = |finding: &&Finding| finding.rule == Rule::Overlap && finding.severity >= Severity::Warning;
    session.findings().iter().find(overlaps).map(|finding| format!("{} {}", finding.what, finding.cure))
}

impl RunVerdict {
    /// The judgement at the end of a run.
    pub fn new(session: &Session, not_finite: Option<&NotFinite>, watches: &[ConditionWatch]) -> Self {
        let mut verdict = Self { distrust: against(session), ..Self::default() };
        verdict.breaches = breaches(session);
        for breach in verdict.breaches.iter().filter(|breach| !breach.expected) {
            let cure = breach.cure.as_ref().map_or_else(String::new, |cure| {
                let set: Vec<String> = cure.iter().map(|assignment| format!("--set {assignment}")).collect();
                format!(" This was tried and helps: {}.", set.join(" "))
            });
            verdict.distrust.push(format!("{} {}{cure}", breach.what, breach.why));
        }
        verdict.distrust.extend(not_finite.map(NotFinite::to_string));
        if !verdict.distrust.is_empty() {
            verdict.distrust.extend(overlap_at_the_start(session));
        }
        for watch in watches {
            match watch.verdict() {
                Ok(Some(held)) => verdict.held.push(held),
                Ok(None) => {}
                Err(missed) => verdict.missed.push(format!("--fail-if {missed}")),
            }
        }
        verdict
    }

    /// Counts alarms as failures, and sensors that could not be read as conditions that could not be evaluated.
    pub fn alarms(&mut self, sensors: &[SensorReport]) {
        for sensor in sensors {
            let list = if sensor.fault.is_some() { &mut self.missed } else { &mut self.held };
            list.extend(sensor.line());
        }
    }

    /// The reason for the exit code; `Ok` if all is well. Distrust takes precedence, since the numbers of such a run
    /// decide nothing.
    pub fn failure(self) -> Result<(), Failure> {
        let list = |head: &str, lines: &[String]| {
            lines.iter().map(|line| format!("{head}: {}", within_line(line))).collect::<Vec<_>>().join("\n")
        };
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
