//! Steps that are asked for one by one. In the window the steps' thread makes them: a frame waits a little, and takes a
//! step that needs longer once it is ready. Until then the session computes, and a pause cancels.

use std::time::Duration;

use super::run::ahead::Precomputed;
use super::{Session, SessionError};
use delassus_physics::settings::Processor;

/// So many steps wait at most.
const MAX_WAITING_STEPS: u32 = 100;

/// The steps that are still to be made.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Asked {
    count: u32,
    /// The epoch of the run that they continue. A change in between drops them.
    epoch: u64,
}

impl Session {
    /// Makes a step, whether playing or not, or has it made.
    pub(super) fn step_by_hand(&mut self) -> Result<(), SessionError> {
        self.play(false);
        self.seeking = None;
        let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
        if !self.can_step_elsewhere() {
            return self.step(None);
        }
        let asked = Asked { count: (self.remaining_steps() + 1).min(MAX_WAITING_STEPS), epoch: open.run.epoch() };
        self.ahead.asked = asked;
        self.go_ahead();
        self.take_asked(self.ahead.patience)
    }

    /// The number of steps that were asked for and are still to be made.
    pub(super) fn remaining_steps(&self) -> u32 {
        let Asked { count, epoch } = self.ahead.asked;
        let open = self.open.as_ref().filter(|open| open.run.epoch() == epoch && !self.clock.playing);
        open.map_or(0, |_| count)
    }

    /// Drops the steps that were asked for.
    pub(super) fn ask_no_more(&mut self) {
        self.ahead.asked = Asked::default();
    }

    /// Takes the steps that were asked for and are ready, and waits for them for at most `patience` each.
    pub(super) fn take_asked(&mut self, patience: Duration) -> Result<(), SessionError> {
        // The runs that go along come after each step.
        while self.remaining_steps() > 0 && self.runs_behind() == 0 {
            let Some(open) = &self.open else { break };
            let steps = &mut self.ahead.steps;
            let made = if steps.is_at_work(&open.run) {
                steps.wait(patience);
                let Some(made) = steps.take(&open.run) else { break };
                Some(made)
            } else {
                // There is no thread.
                None
            };
            let (before, left) = (open.run.world().state.step_count, self.remaining_steps() - 1);
            self.step(made)?;
            self.apply_waiting_commands();
            let Some(open) = &self.open else { break };
            // After a step that could not be made no other is tried.
            let count = if open.run.world().state.step_count > before { left } else { 0 };
            self.ahead.asked = Asked { count, epoch: open.run.epoch() };
            self.go_ahead();
        }
        Ok(())
    }

    /// Whether threads may make the steps, and what is computed from them: not if a graphics device makes them.
    pub fn can_step_elsewhere(&self) -> bool {
        self.is_ahead() && self.settings.solver.device == Processor::Cpu
    }

    /// How long the step or the earlier moment that the run, or one that goes along, waits for has been computed, if it
    /// waits for one. [`Command::Pause`] cancels it.
    ///
    /// [`Command::Pause`]: super::Command::Pause
    pub fn computing(&self) -> Option<Duration> {
        if let Some(seeking) = self.seeking() {
            return Some(seeking.computing());
        }
        let open = self.open.as_ref()?;
        let waits = self.remaining_steps() > 0 || self.clock.playing && self.ahead.steps.ready(&open.run) == 0;
        let waits_for_run = waits && self.ahead.steps.is_at_work(&open.run);
        waits_for_run.then(|| self.ahead.steps.computing()).max(self.comparison.computing(&open.run))
    }

    /// Makes a step here, unless it was made already.
    pub(super) fn make_or_take(&mut self, made: Option<Precomputed>) -> Result<(bool, bool), SessionError> {
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let Some(made) = made else { return Ok(open.step()) };
        let (well, crossed, old) = open.accept(made);
        self.ahead.steps.discard(old);
        Ok((well, crossed))
    }
}
