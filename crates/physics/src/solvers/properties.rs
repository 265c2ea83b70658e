//! What the rest of the program asks of a solver, instead of asking for its name.

use super::avbd::recipe as avbd_recipe;
use super::tgs_recipe;
use crate::settings::{Method, Settings};

/// A solver's properties.
pub struct Solver {
    /// Whether it solves all rows exactly, whatever the number of sweeps, and starts without warm starting.
    pub exact: bool,
    /// Whether all blocks of a sweep use the velocities of its start, so that corrections must be relaxed by ω.
    pub at_once: bool,
    /// Whether it supports the forms of friction and stops as printed in the documents.
    pub printed_forms: bool,
    /// Whether it is the recipe of one source, which fixes other settings, too: see `resolved`.
    pub recipe: bool,
}

/// The properties of the solver for `method`.
pub fn of(method: Method) -> Solver {
    match method {
        Method::GaussSeidel => Solver { exact: false, at_once: false, printed_forms: true, recipe: false },
        Method::Jacobi => Solver { exact: false, at_once: true, printed_forms: true, recipe: false },
        Method::Direct => Solver { exact: true, at_once: false, printed_forms: false, recipe: false },
        Method::Nncg => Solver { exact: false, at_once: false, printed_forms: true, recipe: false },
        Method::Avbd => Solver { exact: false, at_once: false, printed_forms: false, recipe: true },
        Method::Admm => Solver { exact: true, at_once: false, printed_forms: false, recipe: false },
        Method::TgsSoft => Solver { exact: false, at_once: false, printed_forms: false, recipe: true },
    }
}

impl Solver {
    /// Whether each block of a sweep uses the velocities that the blocks before it have changed.
    pub fn in_turn(&self) -> bool {
        !self.exact && !self.at_once
    }
}

/// The settings under which a step is made: those chosen, but what the method fixes is as it says.
pub(crate) fn resolved(settings: &Settings) -> Settings {
    match settings.solver.method {
        Method::TgsSoft => tgs_recipe::recipe(settings),
        Method::Avbd => avbd_recipe::recipe(settings),
        Method::GaussSeidel | Method::Jacobi | Method::Direct | Method::Nncg | Method::Admm => *settings,
    }
}
