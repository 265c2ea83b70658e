//! What the rest of the program asks of a solver, instead of asking for its name.

use crate::settings::Method;

/// A solver's properties.
pub struct Solver {
    /// Whether it solves all rows exactly, whatever the number of sweeps, and starts without warm starting.
    pub exact: bool,
    /// Whether all blocks of a sweep use the velocities of its start, so that corrections must be relaxed by ω.
    pub at_once: bool,
    /// Whether it supports the forms of friction and stops as printed in the documents.
    pub printed_forms: bool,
}

/// The properties of the solver for `method`.
pub fn of(method: Method) -> Solver {
    match method {
        Method::GaussSeidel => Solver { exact: false, at_once: false, printed_forms: true },
        Method::Jacobi => Solver { exact: false, at_once: true, printed_forms: true },
        Method::Direct => Solver { exact: true, at_once: false, printed_forms: false },
    }
}
