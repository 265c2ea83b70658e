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
    /// The last number given.
    last: u64,
    /// Why playing has paused, until the next step.
    pub paused: Option<String>,
}

impl Breakpoints {
    /// Whether any breakpoint is checked.
    pub fn are_on(&self) -> bool {
        self.list.iter().any(|one| one.on)
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
        self.list.retain(|one| one.number != number);
    }

    pub fn switch(&mut self, number: u64, on: bool) {
        if let Some(one) = self.list.iter_mut().find(|one| one.number == number) {
            one.on = on;
        }
    }

    /// Checks the state after a step; true if a condition became true.
    pub fn check(&mut self, snapshot: &Snapshot, sample: Option<&Sample>) -> bool {
        self.paused = None;
        for one in self.list.iter_mut().filter(|one| one.on) {
            let held = one.holds;
            one.holds = one.watch.check(snapshot, sample, false);
            let how = one.watch.take();
            if let Some(how) = how.filter(|_| one.holds && !held) {
                let said = format!("{}: {how}", one.watch.text());
                one.hit = Some((snapshot.step, how));
                self.paused.get_or_insert(said);
            }
        }
        self.paused.is_some()
    }

    /// Takes the state as the reference after the run moved to it without a step; no breakpoint is hit.
    pub fn arrive(&mut self, snapshot: &Snapshot, sample: Option<&Sample>) {
        self.paused = None;
        for one in &mut self.list {
            one.watch.forget();
            one.holds = one.watch.check(snapshot, sample, false);
            one.watch.take();
        }
    }
}
