//! What the rest of the program asks of a solver, instead of asking for its name.

use crate::settings::{JacobiStep, Method, Order, SolverSettings};

/// A solver's properties.
pub struct Solver {
    /// Whether it solves all rows exactly, whatever the number of sweeps, and starts without warm starting.
    pub exact: bool,
    /// Whether all blocks of a sweep use the velocities of its start, so that corrections must be relaxed by ω.
    pub at_once: bool,
    /// Whether the result for an island is independent of the rest of the world, so that islands may be stepped
    /// separately.
    pub by_islands: fn(&SolverSettings) -> bool,
    /// Whether it supports the forms of friction and stops as printed in the documents.
    pub printed_forms: bool,
}

/// The properties of the solver for `method`.
pub fn of(method: Method) -> Solver {
    match method {
        Method::GaussSeidel => {
            Solver { exact: false, at_once: false, by_islands: gauss_seidel_by_islands, printed_forms: true }
        }
        Method::Jacobi => Solver { exact: false, at_once: true, by_islands: jacobi_by_islands, printed_forms: true },
        Method::Direct => Solver { exact: true, at_once: false, by_islands: |_| false, printed_forms: false },
    }
}

/// Whether islands can be stepped separately by Gauss–Seidel. Not with a tolerance, which ends the sweeps of all islands
/// together, nor with a shuffled order, which is drawn for all blocks.
fn gauss_seidel_by_islands(settings: &SolverSettings) -> bool {
    settings.tolerance == 0.0 && settings.order != Order::Shuffled
}

/// Whether islands can be stepped separately by Jacobi: only if ω does not depend on the whole world and no tolerance
/// ends all sweeps together.
fn jacobi_by_islands(settings: &SolverSettings) -> bool {
    settings.tolerance == 0.0 && matches!(settings.jacobi, JacobiStep::Manual | JacobiStep::MassSplitting)
}
