//! The session's interface to its comparison runs: commands and read access.

use std::sync::Arc;
use std::time::Duration;

use super::{CompareCommand, ComparedRun, Comparison, Divergence, Score};
use crate::run::Input;
use crate::{BodyNeeds, Session, SessionError, SnapshotNeeds};
use delassus_physics::mouse_joint::MouseJoint;

impl Session {
    /// Executes a command of the comparison.
    pub(crate) fn compare(&mut self, asked: CompareCommand) -> Result<(), SessionError> {
        if let CompareCommand::Take(run) = asked
            && let Some(run) = run.checked_sub(1).and_then(|at| self.comparison.runs.get(at))
        {
            let (label, settings) = (format!("Settings of {}", run.name), run.session.settings);
            return self.replace_settings(label, None, &settings);
        }
        let mut comparison = std::mem::take(&mut self.comparison);
        let done = comparison.execute(asked, self);
        self.comparison = comparison;
        done
    }

    /// Moves the comparison runs to this run's step, within `budget`; false while they are behind.
    pub(crate) fn follow_runs(&mut self, budget: Duration) -> bool {
        if self.comparison.runs.is_empty() {
            return true;
        }
        let mut comparison = std::mem::take(&mut self.comparison);
        let done = comparison.catch_up_all(self, budget);
        self.comparison = comparison;
        done
    }

    /// Applies these inputs to the next step.
    pub(super) fn put_in(&mut self, pull: Option<MouseJoint>, rate: f32) {
        let Some(open) = &self.open else { return };
        let world = open.run.world();
        let mut settings = world.settings;
        settings.step.rate = rate;
        if world.state.mouse_joint == pull && world.settings == settings {
            return;
        }
        self.diverge();
        self.branches.clear();
        let Some(open) = &mut self.open else { return };
        if open.run.world().state.mouse_joint != pull {
            open.run.input(Input::MouseJoint(pull));
        }
        if open.run.world().settings != settings {
            open.run.input(Input::Settings(settings));
            self.settings = settings;
        }
    }

    /// Sets which parts of the comparison runs' snapshots are kept up to date while playing.
    pub(crate) fn set_needs_of_runs(&mut self, needs: &SnapshotNeeds) {
        // They are drawn from their snapshots, never on the device.
        let needs = SnapshotNeeds { bodies: BodyNeeds::Now, ..needs.clone() };
        self.comparison.runs.iter_mut().for_each(|run| run.session.set_needs(needs.clone()));
    }

    /// The comparison runs, in order; this run has the number 0, the first comparison run 1.
    pub fn runs(&self) -> &[ComparedRun] {
        &self.comparison.runs
    }

    /// The distances between the runs.
    pub fn divergence(&self) -> &Divergence {
        &self.comparison.apart
    }

    /// The run from which distances are measured.
    pub fn reference_run(&self) -> usize {
        self.comparison.reference
    }

    /// The step at which all runs began, and whether it is a chosen moment.
    pub fn runs_from(&self) -> (u64, bool) {
        self.comparison.base.as_ref().map_or((0, false), |b| (b.from.state.step_count, !Arc::ptr_eq(&b.from, &b.first)))
    }

    /// How many steps the other runs are behind.
    pub fn runs_behind(&self) -> u64 {
        let now = self.open.as_ref().map_or(0, |open| open.run.world().state.step_count);
        if self.comparison.runs.is_empty() { 0 } else { now.saturating_sub(self.comparison.at) }
    }

    /// The score of a run since the common beginning, as far as its samples go back.
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

    /// Wall time of one step of all comparison runs together, s.
    pub(crate) fn comparison_seconds(comparison: &Comparison) -> f64 {
        let step_seconds = |run: &ComparedRun| run.session.open.as_ref().map_or(0.0, |open| open.run.step_seconds);
        comparison.runs.iter().map(step_seconds).sum()
    }
}
