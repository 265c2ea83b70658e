//! Breakpoints: conditions on measured quantities, checked after each step while there are any. Playing pauses in a
//! step in which a condition becomes true.

use super::condition::{self, ConditionWatch};
use super::{Sample, SessionError, Snapshot};

/// A condition that pauses playing.
#[derive(Debug, Clone)]
pub struct Breakpoint {
    /// Unique, never reused.
    pub number: u64,
    /// Whether it is checked.
    pub on: bool,
    /// The last step in which it became true, and the value.
    pub hit: Option<(u64, String)>,
    watch: ConditionWatch,
    /// Whether it was true after the last checked step.
    holds: bool,
}

impl Breakpoint {
    /// The text as written.
    pub fn text(&self) -> &str {
        self.watch.text()
    }
}

/// All breakpoints of a session.
#[derive(Debug, Default)]
pub(super) struct Breakpoints {
    pub list: Vec<Breakpoint>,
    /// The number of the last breakpoint that was added.
    last: u64,
    /// Why playing has paused, until the next step.
    pub paused: Option<String>,
}

impl Breakpoints {
    /// Whether any breakpoint is checked.
    pub fn are_on(&self) -> bool {
        self.list.iter().any(|breakpoint| breakpoint.on)
    }

    /// Adds a breakpoint; it is not hit if its condition is true already.
    pub fn add(&mut self, text: &str, snapshot: &Snapshot, sample: Option<&Sample>) -> Result<(), SessionError> {
        let condition = condition::condition(text).map_err(SessionError::Refused)?;
        let mut watch = ConditionWatch::new(&condition, snapshot).map_err(SessionError::Refused)?;
        let holds = watch.check(snapshot, sample, false);
        self.last += 1;
        self.list.push(Breakpoint { number: self.last, on: true, hit: None, watch, holds });
        Ok(())
    }

    pub fn remove(&mut self, number: u64) {
        self.list.retain(|breakpoint| breakpoint.number != number);
    }

    pub fn switch(&mut self, number: u64, on: bool) {
        if let Some(breakpoint) = self.list.iter_mut().find(|breakpoint| breakpoint.number == number) {
            breakpoint.on = on;
        }
    }

    /// Checks the state after a step; true if a condition became true.
    pub fn check(&mut self, snapshot: &Snapshot, sample: Option<&Sample>) -> bool {
        self.paused = None;
        for breakpoint in self.list.iter_mut().filter(|breakpoint| breakpoint.on) {
            let held_before = breakpoint.holds;
            breakpoint.holds = breakpoint.watch.check(snapshot, sample, false);
            let how = breakpoint.watch.take();
            if let Some(how) = how.filter(|_| breakpoint.holds && !held_before) {
                let reason = format!("{}: {how}", breakpoint.watch.text());
                breakpoint.hit = Some((snapshot.step, how));
                self.paused.get_or_insert(reason);
            }
        }
        self.paused.is_some()
    }

    /// Takes the state as the reference after the run moved to it without a step; no breakpoint is hit.
    pub fn arrive(&mut self, snapshot: &Snapshot, sample: Option<&Sample>) {
        self.paused = None;
        for breakpoint in &mut self.list {
            breakpoint.watch.forget();
            breakpoint.holds = breakpoint.watch.check(snapshot, sample, false);
            breakpoint.watch.take();
        }
    }
}
