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

pub use pack::Lacks;
pub use sweeper::LaneSweeper;

use delassus_physics::settings::{CarryForm, JacobiStep, Method, Order, Settings};

/// Why no device sweeps a world, regardless of its rows.
pub fn refusal(settings: &Settings) -> Option<Lacks> {
    let solver = &settings.solver;
    let at_once = solver.method == Method::Jacobi;
    let checks = [
        (solver.method == Method::Direct, Lacks::Method),
        (at_once && solver.jacobi == JacobiStep::Conjugate, Lacks::Conjugate),
        (!at_once && solver.order == Order::Shuffled, Lacks::Order),
        (solver.tolerance > 0.0, Lacks::Tolerance),
        (solver.spectrum_every > 0, Lacks::Spectrum),
        (settings.formulation.carry == CarryForm::AsPrinted, Lacks::Carry),
    ];
    checks.into_iter().find(|(refused, _)| *refused).map(|(_, why)| why)
}
