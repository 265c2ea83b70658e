//! Document 001 on a graphics device: whole steps over ball-sockets as compute shaders.
//!
//! ```text
//! World -> pack::PackedWorld -> DeviceSolver::new, step ... read -> pack::DeviceState -> World
//! ```
//!
//! | file | what is there |
//! |---|---|
//! | `device.rs` | an open device, and its errors |
//! | `pack.rs` | a world as the shaders' lists |
//! | `connectivity.rs` | the constraints at each body, in compressed rows |
//! | `wavefronts.rs`, `trees.rs`, `chains.rs` | the order in which Gauss–Seidel solves constraints; trees; chains |
//! | `layout.rs` | the buffers: contents and sizes |
//! | `kernels.rs` | the shaders: which buffers each reads and writes |
//! | `constants.rs` | the numbers that shaders and Rust share |
//! | `solver_config.rs` | the parameters of a step, from the settings |
//! | `device_solver.rs`, `binding.rs` | the state on the device, and its step; how buffers are bound to kernels |
//! | `stepper.rs`, `readback.rs` | the device interface of the physics: see `physics/device/mod.rs` |
//! | `refusal.rs` | which settings and worlds the kernels do not support |
//! | `reading.rs`, `async_reads.rs` | reading the state back, blocking or not; its poses for drawing |
//! | `rows/` | sweeps over the rows of any joints and contacts, for steps that the processor makes |
//! | `traffic.rs` | memory traffic and operations per constraint and sweep, counted |
//! | `timing.rs`, `bench.rs` | kernel times; 001's chains as a benchmark of solvers |
//!
//! The equations are in `shaders/gpu_*.wgsl`, one file per stage of 001's `update`. A step is one submission; only
//! what is requested is read back. Architecture invariant: `physics` does not depend on this module.

pub mod async_reads;
pub mod bench;
mod binding;
pub mod chains;
pub mod connectivity;
mod constants;
pub mod device;
pub mod device_solver;
pub mod kernels;
pub mod layout;
pub mod pack;
pub mod readback;
mod reading;
mod refusal;
pub mod rows;
pub mod solver_config;
pub mod stepper;
pub mod timing;
pub mod traffic;
pub mod trees;
pub mod wavefronts;

pub use device::{Device, DeviceFault};
pub use device_solver::DeviceSolver;
pub use pack::{DeviceState, PackedWorld};
pub use refusal::Refusal;
pub use solver_config::{Scheme, SolverConfig};
pub use stepper::Stepper;
