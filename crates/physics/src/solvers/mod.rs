//! The solvers, a file each; the stages that they share are in `common.rs`. A solver owns its step: it calls the stages
//! in the order and as often as its method wants. It knows rows and bodies, never joint kinds. A new solver is one file
//! here, one line in `step.rs` and one in [`of`]. The rest of the program asks for a solver's properties ([`Solver`]),
//! never for its name.

pub mod admm;
mod avbd;
pub mod block;
mod clamp;
pub mod common;
pub mod coupled;
pub mod direct;
pub mod drive_block;
pub mod extra_sweeps;
pub mod gauss_seidel;
mod inner;
pub mod jacobi;
pub mod jointed_contacts;
pub mod mechanism;
mod momentum;
pub mod nncg;
mod order;
pub(crate) mod parts;
pub(crate) mod pass;
mod printed;
pub(crate) mod properties;
mod rebound;
pub mod remote_sweeps;
mod scaled;
pub(crate) mod step;
pub mod substep;
pub(crate) mod tgs_recipe;
pub mod tgs_soft;
pub mod tree;
pub(crate) mod whip;
pub mod wide;

pub use self::properties::{Solver, of};
