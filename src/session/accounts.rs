//! The accounts of steps that were made: what each has given to energy and momentum, by cause.
//!
//! A step is accounted for by making it again on a copy, from the state before it: a companion goes along what was done
//! behind the run, step by step as the run itself went, and is copied before each step. Whoever looks has it
//! [followed](Accounts::follow) for as long as he can spare; without him it costs nothing. Where the run goes faster than
//! the companion is let, it leaves out what lies between, and begins anew at the run.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Session;
use crate::physics::balance::Balance;
use crate::physics::world::World;

/// The account of a step.
#[derive(Debug, Clone)]
pub struct Accounted {
    pub step: u64,
    /// Simulated time after it, s.
    pub time: f64,
    pub balance: Balance,
}

/// While time runs the companion is left behind at most so many steps.
const BEHIND: u64 = 60;
/// The longest that accounting for what is past may take while time stands, s, and as many times as long as a step
/// takes the account of it, about.
const LONGEST: f64 = 1.0;
const DEARER: f64 = 6.0;
/// While time runs the next account waits for so many times as long as the last one took.
const SHARE: f64 = 8.0;

/// The accounts of a run's last steps.
#[derive(Default)]
pub struct Accounts {
    /// Of which document, how often what came behind a moment was cut off, and of which stretch.
    of: Option<(u64, u64, Arc<World>)>,
    companion: Option<Box<World>>,
    list: VecDeque<Accounted>,
    due: Option<Instant>,
    goes_on: bool,
}

impl Accounts {
    /// Oldest first; while time runs steps may be left out.
    pub fn list(&self) -> &VecDeque<Accounted> {
        &self.list
    }

    /// Accounts for the last `steps` steps of the stretch since the last edit of bodies, and for a quarter as many behind
    /// them where the run stands at an earlier moment; for no longer than about `budget`, or one step. While time runs
    /// what comes is accounted for as it comes, by at most a ninth of the time.
    pub fn follow(&mut self, session: &Session, steps: u64, budget: Duration) {
        let Some(open) = &session.open else { return *self = Self::default() };
        let (run, begin) = (&open.run, Instant::now());
        let now = run.world().step_count;
        let last = open.line.end_step().unwrap_or(now).min(now + steps / 4);
        let plays = session.playing();
        let bearable = if plays { steps } else { (LONGEST / (DEARER * run.step_seconds.max(1e-6))) as u64 };
        let oldest = run.stretch().reaches(run.step_seconds).max(last.saturating_sub(steps));
        let first = oldest.max(last.saturating_sub(bearable));
        let stretch = run.stretch().first();
        let same =
            |of: &(u64, u64, Arc<World>)| (of.0, of.1) == (session.opened, session.cuts) && Arc::ptr_eq(&of.2, stretch);
        if !self.of.as_ref().is_some_and(same) {
            *self = Self { of: Some((session.opened, session.cuts, stretch.clone())), ..Self::default() };
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
        let behind = |at: &World| at.step_count > last || (plays && at.step_count + BEHIND < now);
        if self.companion.as_deref().is_none_or(behind) {
            // While time runs from the run as it stands; else from the state in which the list ends.
            let from = self.list.back().map_or(first, |account| account.step.max(first));
            self.companion = match plays && from + BEHIND < now {
                true => Some(Box::new(run.world_to_step())),
                false => run.stretch().at(from, None, run.step_seconds).map(Box::new),
            };
        }
        self.goes_on = false;
        let Some(companion) = &mut self.companion else { return };
        while companion.step_count < last {
            run.stretch().put_in(companion);
            let (Some((_, balance)), before) = (companion.balanced(), companion.step_count) else { break };
            companion.step();
            if companion.step_count == before {
                break;
            }
            run.stretch().put_in(companion);
            self.list.push_back(Accounted { step: companion.step_count, time: companion.time, balance });
            if begin.elapsed() > budget {
                self.goes_on = companion.step_count < last;
                break;
            }
        }
        self.due = Some(Instant::now() + begin.elapsed().mul_f64(SHARE));
    }

    /// Whether there was no time for all steps that are to be accounted for.
    pub fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// Whether steps behind the first are left out before the last one that is accounted for.
    fn has_gaps(&self, first: u64) -> bool {
        let known = self.list.iter().filter(|account| account.step > first).count() as u64;
        self.list.back().is_some_and(|back| back.step.saturating_sub(first) != known)
    }
}
