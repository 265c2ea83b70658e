//! How fast the configured sweep converges, and whether it does: the largest eigenvalue of D⁻¹A and the spectral
//! radius ρ of the iteration, by power iteration on a copy of the rows of the last step. No matrix is formed.
//!
//! ```text
//! A = J M⁻¹ Jᵀ + γ,  D its diagonal (blocks where anchors are solved as blocks, split masses where masses are split)
//! Jacobi         e ← (1 − ω D⁻¹A) e                  ρ = max |1 − ω μ| over the eigenvalues μ of D⁻¹A
//! Gauss–Seidel   e ← −(D + L)⁻¹ Lᵀ e                 one sweep with all biases zero
//! ‖e‖² = eᵀ A e = uᵀ M u + γ λ²,  u = M⁻¹ Jᵀ e      the effect of an error: redundant rows, whose errors move no body,
//!                                                    do not count
//! ```
//! ‖e‖ shrinks by ρ a sweep once only the slowest mode is left. Rows at a bound (open contacts, sliding friction,
//! stops not reached, motors at their cap) are left out: ρ is the rate at which the active rows find their impulses.
//! The vectors are kept, so a repeated estimate continues where the last one stopped. Source: 001; docs/math.md,
//! Sweeps; 004 ch. 5.

pub(crate) mod power_iteration;
pub(crate) mod state;

pub use self::state::{Scratch, Spectrum};
use super::world::World;

/// The most sweeps of an estimate on demand.
pub const SWEEPS: u32 = 4096;

/// Estimates from the rows of the last step, with at most `sweeps` sweeps for each of the two numbers.
pub fn estimate(world: &World, scratch: &mut Scratch, sweeps: u32) -> Spectrum {
    power_iteration::estimate(&world.settings.solver, (&world.state.bodies, &world.system), scratch, sweeps)
}
