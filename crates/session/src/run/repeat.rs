//! A copy of a run that repeats its steps from an earlier state. In the window a thread of its own makes the steps, and
//! no frame waits for one.

use std::sync::Arc;
use std::time::Duration;

use super::Run;
use super::ahead::{AheadThread, Precomputed};
use delassus_physics::clock::Instant;
use delassus_physics::settings::Processor;
use delassus_physics::world::World;

/// A run that is repeated.
pub struct Repeat {
    run: Run,
    steps: AheadThread,
    /// Whether another thread makes the steps.
    elsewhere: bool,
}

/// The result of asking for a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeated {
    Made,
    /// It is still being made.
    NotYet,
    /// It cannot be made.
    Never,
}

/// Where the next step of a run comes from.
pub enum Source {
    /// The thread has made it.
    Thread(Precomputed),
    /// It is to be made here.
    Here,
    /// The thread is making it.
    NotYet,
}

/// The largest number of states that are made ahead.
const MAX_AHEAD: usize = 4;

impl Repeat {
    /// Repeats the run's stretch from `from`, a state of it.
    pub fn new(run: &Run, from: &Arc<World>, elsewhere: bool) -> Self {
        Self { run: run.repeat_from(from), steps: AheadThread::default(), elsewhere }
    }

    /// The state that it has reached.
    pub fn world(&self) -> &World {
        self.run.world()
    }

    /// The number of steps up to that state.
    pub fn at(&self) -> u64 {
        self.world().state.step_count
    }

    /// Whether the next step need not be waited for.
    pub fn is_ready(&mut self, until: Instant) -> bool {
        !self.elsewhere || is_ready(&self.run, &mut self.steps, until)
    }

    /// Makes the next step, or takes it from the thread; waits for the thread until `until` at the latest.
    pub fn step(&mut self, until: Instant) -> Repeated {
        let before = self.at();
        match if self.is_ready(until) { next_step(&self.run, &mut self.steps) } else { Source::NotYet } {
            Source::NotYet => return Repeated::NotYet,
            Source::Here => drop(self.run.step()),
            Source::Thread(made) => {
                let (_, old) = self.run.accept(made);
                self.run.put_in();
                self.steps.discard(old);
            }
        }
        if self.at() > before { Repeated::Made } else { Repeated::Never }
    }

    /// How long the next step has been computed.
    pub fn computing(&self) -> Duration {
        self.steps.computing()
    }

    /// Makes no further steps ahead until the next one is asked for.
    pub fn rest(&mut self) {
        self.steps.stop();
    }
}

/// Whether a thread may make the steps of this run: not if a graphics device does.
pub fn may_go_elsewhere(run: &Run) -> bool {
    run.world().settings.solver.device == Processor::Cpu
}

/// Whether the next step of this run has been made by its thread, or must be made here. Waits for the thread until
/// `until` at the latest.
pub fn is_ready(run: &Run, steps: &mut AheadThread, until: Instant) -> bool {
    if !may_go_elsewhere(run) {
        return true;
    }
    steps.go_on(run, MAX_AHEAD);
    if steps.is_at_work(run) && steps.ready(run) == 0 {
        steps.wait(until.saturating_duration_since(Instant::now()));
    }
    !steps.is_at_work(run) || steps.ready(run) > 0
}

/// The next step of this run, if it is ready.
pub fn next_step(run: &Run, steps: &mut AheadThread) -> Source {
    match steps.take(run) {
        Some(made) => Source::Thread(made),
        None if steps.is_at_work(run) => Source::NotYet,
        None => Source::Here,
    }
}
