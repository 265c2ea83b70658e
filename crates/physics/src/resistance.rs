//! What resists the motion of a joint along or about its axis: Coulomb friction, viscous damping, and the inertia of a
//! rotor that it drives.
//!
//! ```text
//! friction   J u = 0,  |λ| ≤ F h           F the break-away value while |J u| ≤ STICKS, else that of sliding
//! damper     m v' = τ − c v, τ constant:   v(h) = E v + (1 − E) τ/c,   E = e^{−x},  x = c h/m
//! armature   λ = −I (J u − v)              the impulse that changes the rotor's speed v: see `rotor.rs`
//! ```
//! Each is one row of the joint. So whatever solves the joint's other rows solves these with them. The damper's row is
//! J u + β J u₀ + γ λ = 0 with r = x/(1 − E) − 1, γ = 1/(m r) and β = (1 − E x/(1 − E))/r, which gives the v(h) above; m
//! is the mass that the joint's rigid rows leave to the motion. For small x it is the trapezoidal rule, for large x the
//! implicit Euler step, so that it decays for every c. The armature is the rotor's inertia on the joint's side of its
//! gear, n² times its own for a ratio of n to 1. The velocities that RATTLE reads are half a step on from those of the
//! step, so that the damper has a row for h/2 there. Source: 000 Motor (friction); derived here.

use super::effective_mass::row_mass;
use super::kernel::row::invert;
use super::row::{Resistance, Row, RowKind};

/// A joint that is slower than this sticks, rad/s or m/s.
const STICKS: f32 = 1e-3;
/// Below this share of the speed within a step a damper does nothing.
const MIN_DAMPING_SHARE: f64 = 1e-9;

/// The kind that a row has in a sub-step: friction is a drive to speed zero, others stay as they are. `speed` gives J u,
/// rad/s or m/s.
pub fn as_drive(kind: RowKind, speed: impl Fn() -> f32) -> RowKind {
    match kind {
        RowKind::Resist(Resistance::Friction { slides, sticks }) => {
            let cap = if speed().abs() <= STICKS { sticks.max(slides) } else { slides };
            RowKind::Drive { speed: 0.0, cap, value: None }
        }
        other => other,
    }
}

/// Completes the row of a damper or an armature in a sub-step of `h` seconds that begins at `speed`, rad/s or m/s, of the
/// joint or the rotor. `mass` is what moves, kg or kg m². Returns false where the row does nothing.
pub fn soften(row: &mut Row, own: Resistance, mass: f32, speed: f32, h: f32) -> bool {
    let (bias, gamma) = match own {
        Resistance::Friction { .. } | Resistance::Capstan { .. } => return true,
        Resistance::Armature { inertia } => (-speed, 1.0 / inertia),
        Resistance::Damper { coefficient } => {
            let mass = f64::from(mass);
            let x = f64::from(coefficient) * f64::from(h) / mass;
            if !(x > MIN_DAMPING_SHARE && x.is_finite()) {
                return false;
            }
            let (r, start) = if x < 1e-3 {
                (x / 2.0 + x * x / 12.0, x / 2.0 - x * x / 12.0)
            } else {
                let left = x / -(-x).exp_m1();
                (left - 1.0, 1.0 - left * (-x).exp())
            };
            ((start / r) as f32 * speed, (1.0 / (mass * r)) as f32)
        }
    };
    (row.bias, row.gamma) = (bias, gamma);
    row.inv_k = invert(row_mass(row, 1.0, 1.0) + gamma);
    mass > 0.0 && gamma.is_finite()
}
