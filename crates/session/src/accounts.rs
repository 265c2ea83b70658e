//! Energy and momentum balances of past steps: how much each cause contributed.
//!
//! The balance of a step is computed by repeating the step on a copy, from the state before it. For this a companion
//! world follows the run's inputs step by step and is copied before each step. It advances only while
//! [followed](Accounts::follow), within a time budget; otherwise there is no cost. If the run is too far ahead, the
//! steps in between are skipped and the companion restarts at the run's state. In the window a thread of its own makes
//! the companion's steps: a frame takes what is ready.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::Session;
use super::background::{Background, Progress};
use super::run::{Recorded, repeat, rerun};
use delassus_physics::balance::Balance;
use delassus_physics::clock::Instant;
use delassus_physics::work::Cancel;
use delassus_physics::world::World;

/// The balance of a step.
#[derive(Debug, Clone)]
pub struct Accounted {
    pub step: u64,
    /// Simulated time after it, s.
    pub time: f64,
    pub balance: Balance,
}

/// While playing, the companion may be at most this many steps behind.
const MAX_STEPS_BEHIND: u64 = 60;
/// While paused, computing the balances of past steps may take at most this long, s.
const MAX_PAUSED_SECONDS: f64 = 1.0;
/// Approximate cost of a balance, relative to a step.
const BALANCE_COST: f64 = 6.0;
/// While playing, the pause after a computation is this many times its duration.
const PAUSE_FACTOR: f64 = 8.0;

/// How long a batch of steps on the thread takes, or one step.
const BATCH_TIME: Duration = Duration::from_millis(50);

/// The balances of a run's latest steps.
#[derive(Default)]
pub struct Accounts {
    /// Identifies the run: document, number of cuts, and first state of the stretch.
    of: Option<(u64, u64, Arc<World>)>,
    companion: Option<Box<World>>,
    list: VecDeque<Accounted>,
    due: Option<Instant>,
    unfinished: bool,
    /// The companion's steps under way on a thread of their own.
    pending: Option<Background<Option<Batch>>>,
}

/// Steps of the companion: the state after them, and their balances.
struct Batch {
    companion: Box<World>,
    list: Vec<Accounted>,
    took: Duration,
}

impl Accounts {
    /// Oldest first; while playing, steps may be missing.
    pub fn list(&self) -> &VecDeque<Accounted> {
        &self.list
    }

    /// Computes the balances of the last `steps` steps since the last edit of bodies; at an earlier moment, also of
    /// up to a quarter as many steps after it. Takes at most about `budget`, or one step. While playing, only new
    /// steps are added, in at most a ninth of the time.
    pub fn update(&mut self, session: &Session, steps: u64, budget: Duration) {
        let Some(open) = &session.open else { return *self = Self::default() };
        let (run, begin) = (&open.run, Instant::now());
        let now = run.world().state.step_count;
        let last = open.line.end_step().unwrap_or(now).min(now + steps / 4);
        let plays = session.playing();
        let bearable =
            if plays { steps } else { (MAX_PAUSED_SECONDS / (BALANCE_COST * run.step_seconds.max(1e-6))) as u64 };
        let oldest = run.stretch().reaches(run.step_seconds).max(last.saturating_sub(steps));
        let first = oldest.max(last.saturating_sub(bearable));
        let stretch = run.stretch().first();
        let same =
            |of: &(u64, u64, Arc<World>)| (of.0, of.1) == (session.opened, session.cuts) && Arc::ptr_eq(&of.2, stretch);
        if !self.of.as_ref().is_some_and(same) {
            *self = Self { of: Some((session.opened, session.cuts, stretch.clone())), ..Self::default() };
        }
        match self.pending.take().map(|pending| (pending.poll(), pending)) {
            None => {}
            Some((Progress::Running, pending)) => {
                (self.pending, self.unfinished) = (Some(pending), true);
                return;
            }
            Some((Progress::Done(Some(batch)), _)) => self.append(batch, last),
            // There is nothing to show.
            Some((Progress::Done(None) | Progress::Failed, _)) => return,
        }
        while self.list.front().is_some_and(|account| account.step <= oldest) {
            self.list.pop_front();
        }
        while self.list.back().is_some_and(|account| account.step > last) {
            self.list.pop_back();
            self.companion = None;
        }
        if plays && self.due.is_some_and(|due| begin < due) {
            return;
        }
        if !plays && self.has_gaps(first) {
            self.list.retain(|account| account.step <= first);
            self.companion = None;
        }
        let behind = |at: &World| at.state.step_count > last || (plays && at.state.step_count + MAX_STEPS_BEHIND < now);
        self.unfinished = false;
        let companion = match self.companion.take().filter(|at| !behind(at)) {
            Some(companion) if companion.state.step_count >= last => {
                self.companion = Some(companion);
                return;
            }
            Some(companion) => Ok(companion),
            // While playing and too far behind, restart at the run's state; otherwise at the end of the list.
            None => {
                let from = self.list.back().map_or(first, |account| account.step.max(first));
                match plays && from + MAX_STEPS_BEHIND < now {
                    true => Ok(Box::new(run.world_to_step())),
                    false => match run.stretch().rerun(from, None, run.step_seconds) {
                        Some(rerun) => Err(rerun),
                        None => return,
                    },
                }
            }
        };
        let inputs = run.inputs().to_vec();
        let elsewhere = session.is_ahead() && repeat::may_go_elsewhere(run);
        let work = move |budget, cancel: Option<&Cancel>| {
            let mut companion = match companion {
                Ok(companion) => companion,
                Err(rerun) => Box::new(rerun.make(cancel).ok()?),
            };
            if elsewhere {
                companion.pipeline.executor.device = None;
            }
            Some(batch(companion, &inputs, last, budget, cancel))
        };
        if elsewhere {
            self.unfinished = true;
            self.pending = Background::start("ledger", move |cancel| work(BATCH_TIME, Some(cancel)));
        } else if let Some(batch) = work(budget, None) {
            self.append(batch, last);
        }
    }

    /// Takes what has been computed.
    fn append(&mut self, batch: Batch, last: u64) {
        self.unfinished = batch.companion.state.step_count < last && !batch.list.is_empty();
        self.companion = Some(batch.companion);
        self.list.extend(batch.list);
        self.due = Some(Instant::now() + batch.took.mul_f64(PAUSE_FACTOR));
    }

    /// Cancels the steps under way; they begin again when they are asked for.
    pub fn rest(&mut self) {
        self.pending = None;
    }

    /// Whether the budget ended before all wanted steps were done.
    pub fn unfinished(&self) -> bool {
        self.unfinished
    }

    /// Whether steps after `first` are missing before the last one in the list.
    fn has_gaps(&self, first: u64) -> bool {
        let known = self.list.iter().filter(|account| account.step > first).count() as u64;
        self.list.back().is_some_and(|back| back.step.saturating_sub(first) != known)
    }
}

/// Makes steps of the companion up to `last`, for at most about `budget`, or one step.
fn batch(
    mut companion: Box<World>,
    inputs: &[Recorded],
    last: u64,
    budget: Duration,
    cancel: Option<&Cancel>,
) -> Batch {
    let (begin, mut list) = (Instant::now(), Vec::new());
    companion.report.work.cancelled_by(cancel.cloned());
    while companion.state.step_count < last && !cancel.is_some_and(Cancel::is_cancelled) {
        rerun::put_in(inputs, &mut companion);
        let (Some((_, balance)), before) = (companion.balanced(), companion.state.step_count) else { break };
        companion.step();
        if companion.state.step_count == before {
            break;
        }
        rerun::put_in(inputs, &mut companion);
        list.push(Accounted { step: companion.state.step_count, time: companion.state.time, balance });
        if begin.elapsed() > budget {
            break;
        }
    }
    companion.report.work.cancelled_by(None);
    Batch { companion, list, took: begin.elapsed() }
}
