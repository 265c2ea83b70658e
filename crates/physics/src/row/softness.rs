//! A spring with a damper; the formulas are in `softness.rs`, one level up.

use std::f32::consts::TAU;

use serde::{Deserialize, Serialize};

/// A spring with a damper, given by frequency and damping ratio: it moves every mass in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Softness {
    /// Undamped natural frequency, Hz. At zero there is no row.
    pub hertz: f32,
    /// Damping ratio ζ: 0 oscillates for ever, 1 is critical damping.
    pub damping_ratio: f32,
}

impl Softness {
    /// Stiffness, N/m or N·m/rad, for the effective mass `m`, kg or kg m².
    pub fn stiffness(&self, m: f32) -> f32 {
        let omega = TAU * self.hertz;
        m * omega * omega
    }

    /// Bias over C, 1/s, and γ of a row with this mass; `None` where frequency or mass is zero.
    pub fn row(&self, mass: SprungMass, h: f32) -> Option<(f32, f32)> {
        let SprungMass { of_spring, moved } = mass;
        let share = of_spring / moved;
        let turn = TAU * self.hertz * h * share.sqrt();
        let lag = (2.0 * turn - 1.0).clamp(0.0, 1.0);
        let decay = 2.0 * self.damping_ratio * TAU * self.hertz * h * share;
        // exp(x) − 1 up to x³, with the same bits on every machine. Beyond x = 1 a step shows no oscillation anyway.
        let damping = decay * (1.0 + (1.0 - lag) * decay * (0.5 + decay / 6.0));
        // Without any damping γ would be infinite.
        let whole = (damping + lag * turn * turn).max(LEAST_DAMPING);
        (turn > 0.0 && moved > 0.0).then(|| (turn * turn / (h * whole), 1.0 / (moved * whole)))
    }
}

/// The masses of a spring, kg or kg m².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprungMass {
    /// The mass to which frequency and damping ratio refer: k = m ω², c = 2 ζ m ω.
    pub of_spring: f32,
    /// The mass that the spring moves. It is less where a spring pulls beside the centre of a body, which also rotates it.
    pub moved: f32,
}

impl SprungMass {
    /// A spring that moves just the mass to which its frequency refers.
    pub fn of(mass: f32) -> Self {
        Self { of_spring: mass, moved: mass }
    }
}

/// The least share of a row's speed that the damper removes in a step, so that γ stays finite. A spring of ζ = 0 at
/// 1 Hz still oscillates for an hour.
const LEAST_DAMPING: f32 = 1e-6;
