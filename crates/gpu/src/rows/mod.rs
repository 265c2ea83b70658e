//! Sweeps over the rows of any joints and contacts: the processor makes the rest of the step (collision,
//! linearization, integration, read-outs), the device makes the Jacobi or Gauss–Seidel sweeps
//! (`physics/solvers/remote_sweeps.rs`).
//!
//! | file | what is there |
//! |---|---|
//! | `kernels.rs` | the kernels, and the buffers that each uses |
//! | `articulations.rs` | single joints and trees, as `shaders/gpu_articulations.wgsl` reads them |
//! | `pack.rs` | blocks packed in the lanes of workgroups, as `shaders/gpu_lanes.wgsl` reads them |
//! | `memory.rs` | the buffers, and how kernels are bound to them |
//! | `sweeper.rs` | the upload, the kernels in their order, the read-back |
//!
//! The layout is that of the processor's lanes (`physics/solvers/wide`), with 64 lanes instead of four.

pub mod articulations;
pub mod kernels;
mod memory;
pub mod pack;
pub mod sweeper;

pub use pack::Unsupported;
pub use sweeper::LaneSweeper;

use delassus_physics::settings::{CarryForm, JacobiStep, Method, Order, Settings};

/// Why no device sweeps a world, regardless of its rows.
pub fn refusal(settings: &Settings) -> Option<Unsupported> {
    let solver = &settings.solver;
    let at_once = solver.method == Method::Jacobi;
    let checks = [
        (solver.method == Method::Direct, Unsupported::Method),
        (at_once && solver.jacobi == JacobiStep::Conjugate, Unsupported::Conjugate),
        (!at_once && solver.order == Order::Shuffled, Unsupported::Order),
        (solver.tolerance > 0.0, Unsupported::Tolerance),
        (solver.spectrum_every > 0, Unsupported::Spectrum),
        (settings.formulation.carry == CarryForm::AsPrinted, Unsupported::Carry),
    ];
    checks.into_iter().find(|(refused, _)| *refused).map(|(_, why)| why)
}
