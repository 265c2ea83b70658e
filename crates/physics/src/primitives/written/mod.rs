//! What a constraint that is written down consists of: the formulas of its rows, what each may be, and the values of the
//! names that they use.

mod bounds;
mod rows;
mod values;

pub use bounds::{Bound, Bounds};
pub use rows::{MAX_ROWS, Rows};
pub use values::Values;
