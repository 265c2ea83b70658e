//! A limit of work for each step, so that no scene can make a step that never ends.
//!
//! Work is counted in multiplications, not in seconds: a run ends at the same step on every machine. A step that would
//! exceed the limit is not made: the world stays as it was at the start of the sub-step, and [`Work::is_over`] says so.
//!
//! ```text
//! direct solver   every factorization, triangular solve and pass over the rows, as it is made
//! sweeps          rows × sweeps × sub-steps, before they are made
//! exact blocks    every pass through the factors of trees and mechanisms, after the sweeps of a sub-step
//! restitution     every pass through the pairs that are hit; simultaneous impacts: every block, as it is solved
//! ```
//! A device's step is not charged. It is given to the device only if its rows × sweeps × sub-steps and its passes are
//! within the limit; otherwise the processor makes it, as far as the limit allows.
//!
//! Another thread may also end a step with a [`Cancel`]: it is checked at every charge and before every sweep. A world
//! whose step was cancelled has an undefined state, and must be dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The default limit for a step, multiplications: about two seconds.
const DEFAULT_LIMIT: u64 = 5_000_000_000;
/// What a row costs in one sweep.
pub const SWEPT_ROW: u64 = 8;
/// What a block of a contact costs when it is solved once.
pub const SOLVED_BLOCK: u64 = 4 * SWEPT_ROW;
/// What a pass of a device over all rows costs besides its rows: about 10 µs.
const PASS: u64 = 25_000;
/// What a row costs in one evaluation of the direct solver.
pub const ROW: u64 = 24;

/// Ends a computation from another thread. All copies share one flag: cancelling any of them cancels all.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Cancels. This cannot be undone.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The work of the present step, its limit, and what may cancel it.
#[derive(Debug, Clone)]
pub struct Work {
    limit: u64,
    spent: u64,
    over: bool,
    cancel: Option<Cancel>,
}

impl Default for Work {
    fn default() -> Self {
        Self::of(DEFAULT_LIMIT)
    }
}

impl Work {
    /// A limit for each step, in multiplications.
    pub fn of(limit: u64) -> Self {
        Self { limit, spent: 0, over: false, cancel: None }
    }

    /// The same with another limit for each step.
    pub fn within(&self, limit: u64) -> Self {
        Self { cancel: self.cancel.clone(), ..Self::of(limit) }
    }

    /// Sets what cancels the steps from now on; with `None` they cannot be cancelled.
    pub fn cancelled_by(&mut self, cancel: Option<Cancel>) {
        self.cancel = cancel;
    }

    /// Whether the steps are cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(Cancel::is_cancelled)
    }

    /// Starts a step.
    pub fn reset(&mut self) {
        (self.spent, self.over) = (0, false);
    }

    /// Adds work that is about to be done. False if the limit does not allow it: the step is then not made.
    pub fn charge(&mut self, operations: u64) -> bool {
        self.spent = self.spent.saturating_add(operations);
        self.over |= self.spent > self.limit || self.is_cancelled();
        !self.over
    }

    /// Adds work that was already done, for stages whose work is not known before. If that exceeds the limit, the next
    /// charge is refused.
    pub fn spend(&mut self, operations: u64) {
        self.spent = self.spent.saturating_add(operations);
    }

    /// Whether this much more work is within the limit.
    pub fn affords(&self, operations: u64) -> bool {
        !self.over && !self.is_cancelled() && self.spent.saturating_add(operations) <= self.limit
    }

    /// Whether a device may make this number of sweeps over `rows` rows in a step. They cannot be cancelled.
    pub fn affords_device(&self, sweeps: u64, rows: u64) -> bool {
        self.affords(sweeps.saturating_mul(PASS + SWEPT_ROW * rows))
    }

    /// Whether the last step was not made because of the limit, or was cancelled.
    pub fn is_over(&self) -> bool {
        self.over || self.is_cancelled()
    }

    /// The work of the last step, multiplications.
    pub fn spent(&self) -> u64 {
        self.spent
    }
}

#[cfg(test)]
mod tests {
    use super::{Cancel, Work};

    #[test]
    fn work_beyond_the_limit_is_refused_until_the_next_step() {
        let mut work = Work::of(10);
        assert!(work.charge(10) && !work.affords(1));
        assert!(!work.charge(1) && work.is_over() && !work.charge(0));
        work.reset();
        assert!(work.charge(1) && !work.is_over());
        assert!(!work.charge(u64::MAX), "and nothing overflows");
        work.reset();
        work.spend(11);
        assert!(!work.is_over() && !work.charge(0), "what was done beyond the limit ends the step at the next charge");
    }

    #[test]
    fn cancelled_work_is_refused_for_good() {
        let (mut work, cancel) = (Work::of(10), Cancel::default());
        work.cancelled_by(Some(cancel.clone()));
        assert!(work.charge(1) && work.affords(1) && !work.is_over());
        cancel.cancel();
        let mut narrower = work.within(5);
        for work in [&mut work, &mut narrower] {
            assert!(!work.affords(1) && work.is_over() && !work.charge(1));
            work.reset();
            assert!(!work.charge(1));
        }
    }
}
