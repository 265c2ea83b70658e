//! Faults for tests: a write ends at one of its points, as on a full disk or in a crash.
//!
//! ```text
//! at_each_point(kind, write, look)    write with a fault at its first point, look; at its second, look; … until there is none
//! ```
//! Faults are of one thread. Without a plan a point costs a look at a thread's own cell.

use std::cell::Cell;
use std::io::{Error, Result};

/// How a write ends at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The operation fails, as on a full disk: the program goes on and tidies up.
    Fails,
    /// The program ends there: nothing more is done, nothing is tidied up.
    Crashes,
}

/// What is to happen: so many points are passed, then the fault comes.
#[derive(Debug, Clone, Copy)]
struct Plan {
    passes: u32,
    kind: FaultKind,
    /// Whether it came.
    came: bool,
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
    if plan.came && plan.kind == FaultKind::Crashes {
        return Err(Error::other("the program has ended"));
    }
    if plan.passes > 0 {
        plan.passes -= 1;
        PLAN.set(Some(plan));
        return Ok(());
    }
    let first = !std::mem::replace(&mut plan.came, true);
    PLAN.set(Some(plan));
    if first { Err(Error::from(std::io::ErrorKind::StorageFull)) } else { Ok(()) }
}

/// Whether a test plans a fault in this thread.
pub(crate) fn is_planned() -> bool {
    PLAN.get().is_some()
}

/// Whether the program has ended in a planned crash, so that nothing may be tidied up.
pub(crate) fn has_crashed() -> bool {
    PLAN.get().is_some_and(|plan| plan.came && plan.kind == FaultKind::Crashes)
}

/// Calls `write` with a fault at each of its points in turn, and `look` after each with the point's number; at last
/// without a fault. Returns the number of points.
pub fn at_each_point<R>(kind: FaultKind, mut write: impl FnMut() -> R, mut look: impl FnMut(u32, R)) -> u32 {
    for passes in 0.. {
        PLAN.set(Some(Plan { passes, kind, came: false }));
        let result = write();
        let came = PLAN.take().is_some_and(|plan| plan.came);
        look(passes, result);
        if !came {
            return passes;
        }
    }
    unreachable!("a write has a last point")
}
