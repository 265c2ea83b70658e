//! Breakpoints: conditions over what is measured, looked at after each step while there are any. Playing pauses in the
//! step in which one comes to hold that did not hold before.

use super::condition::{self, ConditionWatch};
use super::{Sample, SessionError, Snapshot};

/// A condition at which playing pauses.
#[derive(Debug, Clone)]
pub struct Breakpoint {
    /// Never given twice.
    pub number: u64,
    /// Whether it is looked at.
    pub on: bool,
    /// The step in which it came to hold last, and how.
    pub hit: Option<(u64, String)>,
    watch: ConditionWatch,
    /// Whether it held after the last step that was looked at.
    holds: bool,
}

impl Breakpoint {
    /// As it was written.
    pub fn text(&self) -> &str {
        self.watch.text()
    }
}

/// All breakpoints of a session.
#[derive(Debug, Default)]
pub(super) struct Breakpoints {
    pub list: Vec<Breakpoint>,
    /// The number that was given last.
    last: u64,
    /// Why playing has paused, until time goes on.
    pub paused: Option<String>,
}

impl Breakpoints {
    /// Whether anything is to be looked at.
    pub fn are_on(&self) -> bool {
        self.list.iter().any(|one| one.on)
    }

    /// Adds one; it is not hit by what holds already.
    pub fn add(&mut self, text: &str, snapshot: &Snapshot, sample: Option<&Sample>) -> Result<(), SessionError> {
        let condition = condition::condition(text).map_err(SessionError::Refused)?;
        let mut watch = ConditionWatch::new(&condition, snapshot).map_err(SessionError::Refused)?;
        let holds = watch.look(snapshot, sample, false);
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

    /// Looks at the state after a step; true if one has come to hold.
    pub fn look(&mut self, snapshot: &Snapshot, sample: Option<&Sample>) -> bool {
        self.paused = None;
        for one in self.list.iter_mut().filter(|one| one.on) {
            let held = one.holds;
            one.holds = one.watch.look(snapshot, sample, false);
            let how = one.watch.take();
            if let Some(how) = how.filter(|_| one.holds && !held) {
                let said = format!("{}: {how}", one.watch.text());
                one.hit = Some((snapshot.step, how));
                self.paused.get_or_insert(said);
            }
        }
        self.paused.is_some()
    }

    /// The run has come to another moment without a step: nothing is hit by what holds there.
    pub fn arrive(&mut self, snapshot: &Snapshot, sample: Option<&Sample>) {
        self.paused = None;
        for one in &mut self.list {
            one.watch.forget();
            one.holds = one.watch.look(snapshot, sample, false);
            one.watch.take();
        }
    }
}
