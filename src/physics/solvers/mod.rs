//! The solvers, a file each; the stages that they share are in `common.rs`. A solver owns its step: it calls the stages
//! in the order and as often as its method wants. It knows rows and bodies, never joint kinds. A new solver is one file
//! here and one line in [`of`]. The rest of the program asks for a solver's properties ([`Solver`]), never for its
//! name.

pub mod block;
mod clamp;
pub mod common;
pub mod direct;
pub mod gauss_seidel;
pub mod held;
mod inner;
pub mod jacobi;
mod momentum;
mod printed;
pub mod remote_sweeps;
pub mod tree;
pub mod wide;

use super::settings::{Method, SolverSettings};
use super::world::World;

/// A solver.
pub struct Solver {
    /// Makes one step, or as many of its sub-steps as the budget of contacts lets it.
    pub step: fn(&mut World),
    /// Solves all rows exactly, however many sweeps the settings ask for, and starts from no old impulses.
    pub exact: bool,
    /// All blocks of a sweep see the velocities of its start, so that what they add must be relaxed by ω.
    pub at_once: bool,
    /// Makes the same of an island whatever else there is, so that islands may be stepped apart.
    pub by_islands: fn(&SolverSettings) -> bool,
    /// Knows the forms of friction and stops that documents print.
    pub printed_forms: bool,
}

/// The list of solvers.
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
