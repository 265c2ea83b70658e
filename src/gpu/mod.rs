//! Seed document 001 on a graphics device: sweeps over ball-sockets as compute shaders, poses and all.
//!
//! ```text
//! World -> pack::PackedWorld -> DeviceSolver::new, step ... read -> pack::DeviceState -> World
//! ```
//!
//! | file | what is there |
//! |---|---|
//! | `device.rs` | an open device, and the errors that it may give |
//! | `pack.rs` | a world as the shaders' lists, and which worlds cannot be one |
//! | `connectivity.rs` | the constraints at each body, one list behind the other |
//! | `wavefronts.rs`, `trees.rs`, `chains.rs` | in which order Gauss–Seidel takes them; which of them form trees, or chains |
//! | `layout.rs` | the buffers: what is in each, how many bytes |
//! | `kernels.rs` | the shaders: which buffers each reads and writes |
//! | `solver_config.rs` | a step's numbers, from the settings |
//! | `device_solver.rs`, `binding.rs` | the state on the device, and its step; its buffers as the kernels have them |
//! | `stepper.rs`, `readback.rs` | what the physics asks of a device: see `physics/device.rs` |
//! | `reading.rs`, `async_reads.rs` | what is read back of a state, at once or without waiting; its poses for whoever draws |
//! | `rows/` | sweeps over the rows of any joints and contacts, which the processor makes |
//! | `traffic.rs` | bytes and operations a constraint and sweep, by count |
//! | `timing.rs`, `bench.rs` | what a kernel takes; 001's chains as a measure of solvers |
//!
//! The equations stand in `shaders/gpu_*.wgsl`, a file a stage of 001's `update`. A step is one submission; nothing is
//! read back but what is asked for. Architecture invariant: `physics` knows nothing of this.

pub mod async_reads;
pub mod bench;
mod binding;
pub mod chains;
pub mod connectivity;
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
