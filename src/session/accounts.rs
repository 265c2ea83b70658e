//! The accounts of steps that were made: each is made again on a copy, from a state that is kept.

use super::Session;
use crate::physics::balance::Balance;

/// The account of a step.
#[derive(Debug, Clone)]
pub struct Accounted {
    pub step: u64,
    /// Simulated time after it, s.
    pub time: f64,
    pub balance: Balance,
}

/// The longest that making accounts of the past may take, s.
const LONGEST: f64 = 0.25;
/// As many times as long as a step takes the account of it, about: a copy, a step by single rows, sums over the bodies.
const DEARER: f64 = 6.0;

impl Session {
    /// What each of the last steps has given, at most so many, and as many behind them where the run stands at an
    /// earlier moment; of the stretch since the last edit of bodies, as far as it does not take long.
    pub fn accounts(&self, steps: u64) -> Vec<Accounted> {
        let Some(open) = &self.open else { return Vec::new() };
        let (run, now) = (&open.run, open.run.world().step_count);
        let bearable = (LONGEST / (DEARER * run.step_seconds.max(1e-6))) as u64;
        let steps = steps.min(bearable);
        let end = open.line.end_step().unwrap_or(now);
        let last = end.min(now + steps / 4);
        let first = run.stretch().reaches(run.step_seconds).max(last.saturating_sub(steps));
        let Some(mut world) = run.stretch().at(first, None, run.step_seconds) else { return Vec::new() };
        let mut accounts = Vec::new();
        while world.step_count < last {
            let Some((after, balance)) = world.balanced() else { break };
            world = after;
            run.stretch().put_in(&mut world);
            accounts.push(Accounted { step: world.step_count, time: world.time, balance });
        }
        accounts
    }
}
