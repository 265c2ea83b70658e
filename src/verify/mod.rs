//! The simulation against the truth: cases with a closed form, or with an integration in 64 bits that shares no code
//! with the physics, each run by every solver at 60 and 240 steps a second.
//!
//! ```text
//! case (scene, quantities, bounds) -> run (a world) -> what it measures -> its error -> table, JSON, docs/truth.md
//! ```
//!
//! A case is one entry of one list in `cases/`: what it is, its scene, how it is measured, and for each quantity the
//! truth and how near the program claims to come. What a solver is known to get wrong by more is one list, `faults.rs`,
//! each entry with its reason. Program, table and tests follow from the lists.

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
