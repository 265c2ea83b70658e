//! The solvers, a file each; the stages that they share are in `common.rs`. A solver owns its step: it calls the stages
//! in the order and as often as its method wants. It knows rows and bodies, never joint kinds. A new solver is one file
//! here and one line in [`of`]. The rest of the program asks for a solver's properties ([`Solver`]), never for its
//! name.

pub mod block;
mod clamp;
pub mod common;
pub mod coupled;
pub mod direct;
pub mod gauss_seidel;
pub mod held;
mod inner;
pub mod jacobi;
mod mean;
pub mod mechanism;
mod momentum;
mod printed;
pub mod remote_sweeps;
pub mod tree;
pub mod wide;

use super::settings::{Method, SolverSettings};
use super::world::World;

/// A solver.
pub struct Solver {
    /// Makes one step. It ends early, after the sub-steps made so far, if the contacts exceed their budget.
    pub step: fn(&mut World),
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
        Method::GaussSeidel => Solver {
            step: gauss_seidel::step,
            exact: false,
            at_once: false,
            by_islands: gauss_seidel::by_islands,
            printed_forms: true,
        },
        Method::Jacobi => Solver {
            step: jacobi::step,
            exact: false,
            at_once: true,
            by_islands: jacobi::by_islands,
            printed_forms: true,
        },
        Method::Direct => {
            Solver { step: direct::step, exact: true, at_once: false, by_islands: |_| false, printed_forms: false }
        }
    }
}
