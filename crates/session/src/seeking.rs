//! Going to an earlier moment. In the window its state is computed again on a thread of its own: a frame waits a
//! little, and shows a state that needs longer once it is ready. Until then the session computes, the shown moment
//! stays, and a pause, a step and an edit cancel.

use std::time::Duration;

use super::background::{Background, Progress};
use super::open::SeekPlan;
use super::run::rerun::RerunError;
use super::{Session, SessionError};
use delassus_physics::clock::Instant;
use delassus_physics::world::World;

/// A moment whose state is being computed.
pub(super) struct Seeking {
    step: u64,
    /// The offset of its chapter from the current one.
    by: isize,
    /// The epoch of the run from which it was asked for. A change in between drops it.
    epoch: u64,
    pending: Background<Result<World, RerunError>>,
    begun: Instant,
    /// The moment that was asked for meanwhile. It is computed next, so that a drag along the timeline shows some of
    /// the moments that it passes.
    next: Option<u64>,
}

impl Session {
    /// Goes to the state after this step, or has it computed.
    pub(super) fn seek(&mut self, step: u64) -> Result<(), SessionError> {
        self.ask_no_more();
        let seeking = self.seeking.take();
        self.play(false);
        let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
        if open.run.world().state.step_count == step {
            return Ok(());
        }
        let epoch = open.run.epoch();
        if let Some(seeking) = seeking.filter(|seeking| seeking.epoch == epoch) {
            let next = (seeking.step != step).then_some(step);
            self.seeking = Some(Seeking { next, ..seeking });
            return Ok(());
        }
        match open.plan_seek(step).ok_or(SessionError::NoEarlierState)? {
            SeekPlan::Here => self.arrive_at(false),
            SeekPlan::Last(by, world) => self.stand_at(by, World::clone(&world)),
            SeekPlan::Rerun(by, rerun) if rerun.steps() == 0 || !self.is_ahead() || !rerun.is_on_processor() => {
                let world = rerun.make(None).map_err(|error| unreachable_step(step, error))?;
                self.stand_at(by, world);
            }
            SeekPlan::Rerun(by, mut rerun) => {
                rerun.device = None;
                let begun = Instant::now();
                let pending = Background::start("past", move |cancel| rerun.make(Some(cancel)));
                let pending = pending.ok_or_else(|| SessionError::Refused("no thread can be started".into()))?;
                match pending.wait(self.ahead.patience) {
                    Progress::Running => {
                        self.seeking = Some(Seeking { step, by, epoch, pending, begun, next: None });
                    }
                    come => self.take_state(step, by, come)?,
                }
            }
        }
        Ok(())
    }

    /// Pauses and goes one step back from the moment that was asked for last.
    pub(super) fn step_back(&mut self) -> Result<(), SessionError> {
        let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
        let now = open.run.world().state.step_count;
        let from = self.seeking().map_or(now, |seeking| seeking.next.unwrap_or(seeking.step));
        self.seek(from.checked_sub(1).ok_or(SessionError::NoEarlierState)?)
    }

    /// Goes to the moment that was asked for, if its state is ready.
    pub(super) fn look_at_seeking(&mut self) {
        let Some(seeking) = self.seeking.take() else { return };
        if self.open.as_ref().is_none_or(|open| open.run.epoch() != seeking.epoch) {
            return;
        }
        let Seeking { step, by, next, .. } = seeking;
        let come = match seeking.pending.poll() {
            Progress::Running => {
                self.seeking = Some(seeking);
                return;
            }
            come => self.take_state(step, by, come),
        };
        let come = come.and_then(|()| next.map_or(Ok(()), |next| self.seek(next)));
        if let Err(error) = come {
            self.notices.push(format!("That moment is not shown: {error}."));
        }
    }

    /// The moment that is being computed.
    pub(super) fn seeking(&self) -> Option<&Seeking> {
        let open = self.open.as_ref()?;
        self.seeking.as_ref().filter(|seeking| seeking.epoch == open.run.epoch())
    }

    /// What a computation without a caller came to: a sentence, once.
    pub fn take_notice(&mut self) -> Option<String> {
        (!self.notices.is_empty()).then(|| self.notices.remove(0))
    }

    fn take_state(
        &mut self,
        step: u64,
        by: isize,
        come: Progress<Result<World, RerunError>>,
    ) -> Result<(), SessionError> {
        match come {
            Progress::Done(Ok(world)) => self.stand_at(by, world),
            Progress::Done(Err(error)) => return Err(unreachable_step(step, error)),
            Progress::Running | Progress::Failed => return Err(unreachable_step(step, RerunError::NoStep)),
        }
        Ok(())
    }

    fn stand_at(&mut self, by: isize, world: World) {
        let Some(open) = &mut self.open else { return };
        let crossed = open.stand(by, world);
        self.arrive_at(crossed);
    }
}

impl Seeking {
    pub fn computing(&self) -> Duration {
        self.begun.elapsed()
    }
}

/// Why a step is not shown.
fn unreachable_step(step: u64, error: RerunError) -> SessionError {
    SessionError::Refused(match error {
        RerunError::Work => format!("computing step {step} again needs more work than its limit"),
        RerunError::Cancelled | RerunError::NoStep => format!("step {step} could not be computed again"),
    })
}
