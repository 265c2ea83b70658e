//! Sweeps over the rows of any joints and contacts: the processor makes the rest of the step (collision,
//! linearization, integration, read-outs), the device makes the Jacobi or Gauss–Seidel sweeps
//! (`physics/solvers/remote_sweeps.rs`).
//!
//! | file | what is there |
//! |---|---|
//! | `kernels.rs` | the kernels, and the buffers that each uses |
//! | `articulations.rs` | single joints and trees, as `shaders/gpu_articulations.wgsl` reads them |
//! | `pack.rs` | blocks packed in the lanes of workgroups, as `shaders/gpu_lanes.wgsl` reads them |
//! | `refusal.rs` | which settings the sweeps do not support |
//! | `memory.rs` | the buffers, and how kernels are bound to them |
//! | `sweeper.rs` | the upload, the kernels in their order, the read-back |
//!
//! The layout is that of the processor's lanes (`physics/solvers/wide`), with 64 lanes instead of four.

pub mod articulations;
pub mod kernels;
mod memory;
pub mod pack;
mod refusal;
pub mod sweeper;

pub use pack::Unsupported;
pub use refusal::refusal;
pub use sweeper::LaneSweeper;
