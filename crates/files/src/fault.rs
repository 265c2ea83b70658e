//! Faults for tests: a write ends at one of its points, as on a full disk or in a crash.
//!
//! ```text
//! at_each_point(kind, write, check)    write with a fault at the first point, check; at the second, check; … to the last
//! ```
//! A fault is planned for one thread only. Without a plan a point only reads a thread-local cell.

use std::cell::Cell;
use std::io::{Error, Result};

/// How a write ends at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The operation fails, as on a full disk: the program goes on and cleans up.
    Fails,
    /// The program ends there: it does nothing more and cleans nothing up.
    Crashes,
}

/// A planned fault.
#[derive(Debug, Clone, Copy)]
struct Plan {
    /// The number of points before the fault.
    passes: u32,
    kind: FaultKind,
    /// Whether it has happened.
    happened: bool,
}

thread_local! {
    static PLAN: Cell<Option<Plan>> = const { Cell::new(None) };
}

/// A point of a write, before or after an operation.
///
/// # Errors
/// Only if a test plans a fault here.
pub(crate) fn point() -> Result<()> {
    let Some(mut plan) = PLAN.get() else { return Ok(()) };
    if plan.happened && plan.kind == FaultKind::Crashes {
        return Err(Error::other("the program has ended"));
    }
    if plan.passes > 0 {
        plan.passes -= 1;
        PLAN.set(Some(plan));
        return Ok(());
    }
    let first = !std::mem::replace(&mut plan.happened, true);
    PLAN.set(Some(plan));
    if first { Err(Error::from(std::io::ErrorKind::StorageFull)) } else { Ok(()) }
}

/// Whether a test plans a fault in this thread.
pub(crate) fn is_planned() -> bool {
    PLAN.get().is_some()
}

/// Whether the program has ended in a planned crash, so that nothing may be cleaned up.
pub(crate) fn has_crashed() -> bool {
    PLAN.get().is_some_and(|plan| plan.happened && plan.kind == FaultKind::Crashes)
}

/// Calls `write` with a fault at each of its points in turn, and finally without a fault; calls `check` after each with
/// the point's number. Returns the number of points.
pub fn at_each_point<R>(kind: FaultKind, mut write: impl FnMut() -> R, mut check: impl FnMut(u32, R)) -> u32 {
    for passes in 0.. {
        PLAN.set(Some(Plan { passes, kind, happened: false }));
        let result = write();
        let happened = PLAN.take().is_some_and(|plan| plan.happened);
        check(passes, result);
        if !happened {
            return passes;
        }
    }
    unreachable!("a write has a last point")
}
