//! Steps of the past that are made again on a copy, for what was not noted when they were made: the event log, and the
//! curves of new plots. In the window a thread makes them; what arrives is taken if the run has kept that past.

use std::sync::Arc;

use super::background::{Background, Progress};
use super::run::rerun::{Rerun, put_in};
use super::run::{Recorded, repeat};
use super::{Session, events::EventLog, quantity::QuantityTrace};
use delassus_physics::clock::Instant;
use delassus_physics::work::Cancel;
use delassus_physics::world::World;

/// For how long steps may be made again in the frame, and elsewhere, s.
const MAX_RERUN_SECONDS: (f64, f64) = (0.25, 2.0);

/// Identifies a past: the document, how often states were discarded, and the first state of the stretch.
type Era = (u64, u64, Arc<World>);

/// The steps to be made again.
pub(super) struct Past {
    rerun: Rerun,
    inputs: Vec<Recorded>,
    last: u64,
    longest: f64,
    pub elsewhere: bool,
}

impl Past {
    /// Shows each state from the first to the last, as far as time allows.
    pub fn each(self, cancel: Option<&Cancel>, mut see: impl FnMut(&World)) {
        let begin = Instant::now();
        let Ok(mut world) = self.rerun.make(cancel) else { return };
        if self.elsewhere {
            world.pipeline.executor.device = None;
        }
        world.report.work.cancelled_by(cancel.cloned());
        loop {
            see(&world);
            let step = world.state.step_count;
            if step >= self.last || begin.elapsed().as_secs_f64() > 2.0 * self.longest {
                return;
            }
            world.step();
            if world.state.step_count == step || cancel.is_some_and(Cancel::is_cancelled) {
                return;
            }
            put_in(&self.inputs, &mut world);
        }
    }
}

/// What is being made again.
#[derive(Default)]
pub(super) struct LooksBack {
    events: Option<(Era, Background<EventLog>)>,
    traces: Option<(Era, Background<Vec<QuantityTrace>>)>,
}

/// Takes what has arrived: whether its past is still that of the run, and the result if there is one.
fn arrived<T: Send + 'static>(
    pending: &mut Option<(Era, Background<T>)>,
    now: Option<&Era>,
) -> Option<(bool, Option<T>)> {
    let (era, work) = pending.take()?;
    if now.is_none_or(|now| (era.0, era.1) != (now.0, now.1) || !Arc::ptr_eq(&era.2, &now.2)) {
        return Some((false, None));
    }
    match work.poll() {
        Progress::Running => {
            *pending = Some((era, work));
            None
        }
        Progress::Done(result) => Some((true, Some(result))),
        Progress::Failed => Some((true, None)),
    }
}

impl Session {
    /// Whether earlier events, or earlier values of curves, are being computed.
    pub fn looks_back(&self) -> (bool, bool) {
        (self.back.events.is_some(), self.back.traces.is_some())
    }

    fn era(&self) -> Option<Era> {
        let open = self.open.as_ref()?;
        Some((self.opened, self.cuts, open.run.stretch().first().clone()))
    }

    /// The steps up to the end of the run, from `since` on or as far back as is bearable.
    pub(super) fn steps_again(&self, since: u64) -> Option<Past> {
        let open = self.open.as_ref()?;
        let (run, now) = (&open.run, open.run.world().state.step_count);
        let last = open.line.end_step().unwrap_or(now).max(now);
        let elsewhere = self.ahead.on && repeat::may_go_elsewhere(run);
        let longest = if elsewhere { MAX_RERUN_SECONDS.1 } else { MAX_RERUN_SECONDS.0 };
        let bearable = (longest / (2.0 * run.step_seconds.max(1e-6))) as u64;
        if bearable == 0 && self.ahead.on && !elsewhere {
            // A single step of a device would stop the frame.
            return None;
        }
        let bearable = bearable.max(u64::from(elsewhere));
        let first = run.stretch().reaches(run.step_seconds).max(since).max(now.saturating_sub(bearable));
        let rerun = run.stretch().rerun(first, None, run.step_seconds)?;
        let elsewhere = elsewhere && rerun.is_on_processor();
        Some(Past { rerun, inputs: run.inputs().to_vec(), last, longest, elsewhere })
    }

    /// Finds events from before logging started.
    pub(super) fn log_past(&mut self) {
        let (Some(past), Some(era), Some(open)) = (self.steps_again(0), self.era(), &self.open) else { return };
        let (names, elsewhere) = (open.names.clone(), past.elsewhere);
        let find = move |cancel: Option<&Cancel>| {
            let mut log = EventLog::default();
            past.each(cancel, |world| if log.is_on() { log.check(world, &names) } else { log.switch(true, world) });
            log
        };
        if !elsewhere {
            return self.log.append(find(None));
        }
        let work = Background::start("earlier events", move |cancel| find(Some(cancel)));
        self.back.events = work.map(|work| (era, work));
    }

    /// Ends the search for earlier events.
    pub(super) fn forget_past_events(&mut self) {
        self.back.events = None;
    }

    /// Computes the values of these traces from before they were asked for.
    pub(super) fn fill_from_past(&mut self, since: u64, mut traces: Vec<QuantityTrace>) {
        let (Some(past), Some(era)) = (self.steps_again(since), self.era()) else { return };
        let elsewhere = past.elsewhere;
        let find = move |cancel: Option<&Cancel>| {
            let mut list = Default::default();
            past.each(cancel, |world| {
                traces.iter_mut().for_each(|trace| trace.note(world, super::Samples::CAPACITY, &mut list));
            });
            traces
        };
        if !elsewhere {
            return self.samples.take_traces(find(None));
        }
        let work = Background::start("earlier values", move |cancel| find(Some(cancel)));
        self.back.traces = work.map(|work| (era, work));
    }

    /// Takes what has arrived. What belongs to another past is looked for once more.
    pub(super) fn take_past(&mut self) {
        if self.looks_back() == (false, false) {
            return;
        }
        let now = self.era();
        match arrived(&mut self.back.events, now.as_ref()) {
            Some((true, Some(log))) => self.log.append(log),
            Some((false, _)) if self.log.is_on() => self.log_past(),
            _ => {}
        }
        match arrived(&mut self.back.traces, now.as_ref()) {
            Some((true, Some(traces))) => self.samples.take_traces(traces),
            Some((false, _)) => {
                self.samples.traces.iter_mut().for_each(|trace| trace.filled = false);
                self.fill();
            }
            _ => {}
        }
    }
}
