//! The row of a servo: a spring with a damper to a target that moves, a constant force, and a cap on their sum.
//!
//! ```text
//! e = q − q*,   λ = h τ₀ − (J u − w + r e)/γ,   |λ| ≤ h cap,    w = (q*(t + h) − q*(t))/h + ω*
//! b = r e − w − γ h τ₀
//! ```
//! r and γ are those of the soft row with this spring (`softness.rs`), in the frame of the target: where the target is
//! constant and the cap is not reached, the servo is that spring, with its potential, its static sag τ/k and its decay.
//! (It keeps no speed: beyond ω h = ½ it is the implicit Euler step for every ζ.)
//! A target that moves is followed with an error of the order c h/2m beside the exact amplitude and phase. A constant
//! force alone is a row with a damper that is below rounding. Derived here.

use super::effective_mass::row_mass;
use super::kernel::row::invert;
use super::row::{Row, ServoRow, SprungMass};

/// The share of its speed that a servo without spring and damper takes from what it moves in a step.
const FREE: f32 = 1e-10;

/// Completes the row of a servo in a sub-step of `h` seconds. Returns false where nothing moves.
pub fn soften(row: &mut Row, servo: ServoRow, mass: SprungMass, h: f32) -> bool {
    let ServoRow { c, advance, speed, softness, force, cap: _ } = servo;
    let (rate, gamma) =
        softness.row(mass, h).map_or((0.0, 1.0 / (mass.moved * FREE)), |terms| (terms.rate, terms.gamma));
    (row.bias, row.gamma) = (rate * c - (advance / h + speed) - gamma * h * force, gamma);
    row.inv_k = invert(row_mass(row, 1.0, 1.0) + gamma);
    mass.moved > 0.0 && row.bias.is_finite() && gamma.is_finite()
}
