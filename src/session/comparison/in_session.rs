//! The session's side of the runs beside it: its commands to them, and what it reads of them.

use std::sync::Arc;
use std::time::Duration;

use super::{CompareCommand, ComparedRun, Comparison, Divergence, Score};
use crate::physics::mouse_joint::MouseJoint;
use crate::session::run::Input;
use crate::session::{BodyNeeds, Session, SessionError, SnapshotNeeds};

impl Session {
    /// Obeys what is asked of the comparison.
    pub(in crate::session) fn compare(&mut self, asked: CompareCommand) -> Result<(), SessionError> {
        if let CompareCommand::Take(run) = asked
            && let Some(run) = run.checked_sub(1).and_then(|at| self.comparison.runs.get(at))
        {
            let (label, settings) = (format!("Settings of {}", run.name), run.session.settings);
            return self.follow(label, None, &settings);
        }
        let mut comparison = std::mem::take(&mut self.comparison);
        let done = comparison.execute(asked, self);
        self.comparison = comparison;
        done
    }

    /// Has the other runs come to where this one stands, as far as `budget` reaches; false while they are behind.
    pub(in crate::session) fn follow_runs(&mut self, budget: Duration) -> bool {
        if self.comparison.runs.is_empty() {
            return true;
        }
        let mut comparison = std::mem::take(&mut self.comparison);
        let done = comparison.follow(self, budget);
        self.comparison = comparison;
        done
    }

    /// The next step is made with these inputs.
    pub(super) fn put_in(&mut self, pull: Option<MouseJoint>, rate: f32) {
        let Some(open) = &self.open else { return };
        let world = open.run.world();
        let mut settings = world.settings;
        settings.step.rate = rate;
        if world.mouse_joint == pull && world.settings == settings {
            return;
        }
        self.diverge();
        self.futures.clear();
        let Some(open) = &mut self.open else { return };
        if open.run.world().mouse_joint != pull {
            open.run.input(Input::MouseJoint(pull));
        }
        if open.run.world().settings != settings {
            open.run.input(Input::Settings(settings));
            self.settings = settings;
        }
    }

    /// What the other runs show of themselves while they play.
    pub(in crate::session) fn set_needs_of_runs(&mut self, needs: &SnapshotNeeds) {
        // They are drawn by what is read of them.
        let needs = SnapshotNeeds { bodies: BodyNeeds::Now, ..needs.clone() };
        self.comparison.runs.iter_mut().for_each(|run| run.session.set_needs(needs.clone()));
    }

    /// The runs beside this one, in their order; this one has the number 0, the first of them 1.
    pub fn runs(&self) -> &[ComparedRun] {
        &self.comparison.runs
    }

    /// How far runs are from each other.
    pub fn apart(&self) -> &Divergence {
        &self.comparison.apart
    }

    /// The run from which distances are measured.
    pub fn reference_run(&self) -> usize {
        self.comparison.reference
    }

    /// The step from which all runs began, and whether that is a moment that was asked for.
    pub fn runs_from(&self) -> (u64, bool) {
        self.comparison.base.as_ref().map_or((0, false), |b| (b.from.step_count, !Arc::ptr_eq(&b.from, &b.first)))
    }

    /// How many steps the other runs are behind.
    pub fn runs_behind(&self) -> u64 {
        let now = self.open.as_ref().map_or(0, |open| open.run.world().step_count);
        if self.comparison.runs.is_empty() { 0 } else { now.saturating_sub(self.comparison.at) }
    }

    /// What a run has come to since all began, as far as its samples reach back.
    pub fn score(&self, run: usize) -> Score {
        let samples = match run.checked_sub(1) {
            None => &self.samples,
            Some(at) => match self.comparison.runs.get(at) {
                Some(run) => &run.session.samples,
                None => return Score::default(),
            },
        };
        let (from, _) = self.runs_from();
        Score::of(samples.samples.iter().filter(|sample| sample.step >= from))
    }

    /// The wall time of a step of all runs beside this one, s.
    pub(in crate::session) fn comparison_seconds(comparison: &Comparison) -> f64 {
        let of = |run: &ComparedRun| run.session.open.as_ref().map_or(0.0, |open| open.run.step_seconds);
        comparison.runs.iter().map(of).sum()
    }
}
