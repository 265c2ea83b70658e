//! Sweeps over the rows of any joints and contacts: the processor collides, linearizes, integrates and reads out; the
//! device makes Jacobi's or Gauss–Seidel's sweeps between (`physics/solvers/elsewhere.rs`).
//!
//! | file | what is there |
//! |---|---|
//! | `kernels.rs` | the kernels, and the buffers that each uses |
//! | `forest.rs` | whole joints and trees, as `shaders/gpu_forest.wgsl` reads them |
//! | `pack.rs` | blocks side by side in the lanes of a workgroup, as `shaders/gpu_lanes.wgsl` reads them |
//! | `sweeper.rs` | the buffers, the passes, what comes back |
//!
//! The layout is that of the processor's lanes (`physics/solvers/wide`), sixty-four wide instead of four.

pub mod forest;
pub mod kernels;
pub mod pack;
pub mod sweeper;

pub use sweeper::{LaneSweeper, refusal};
