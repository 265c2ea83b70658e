//! Verification of the simulation: cases with a closed-form solution, or with an integration in f64 that shares no
//! code with the physics, each run by every solver at 60, 240 and 1000 steps per second.
//!
//! ```text
//! case (scene, quantities, bounds) -> run (a world) -> measured values -> errors -> table, JSON, docs/truth.md
//! ```
//!
//! A case is an entry of a list in `cases/`: its description, its scene, how it is measured, and for each quantity
//! the true value and the claimed error bound. Known larger errors of a solver are entries of one list, `faults.rs`,
//! each with the reason. Program, table and tests are generated from the lists.

mod accuracy_order;
pub mod case;
mod case_run;
mod cases;
mod faults;
mod markdown;
mod number;
mod outcome;
mod reference;
mod table;

pub use case::{Bounds, Case, Family, METHODS, Quantity, RATES, Runs};
pub use case_run::{CaseRun, document};
pub use cases::{FAMILIES, all};
pub use faults::FAULTS;
pub use markdown::{heading, markdown};
pub use outcome::{CaseOutcome, Reading, ReadingVerdict, cured, failures, verify};
pub use table::{json, table};
