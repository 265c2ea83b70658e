//! Drag of a body in free flight: the resistance of a medium, solved exactly for any coefficient and length of step.
//!
//! ```text
//! m v' = −(c₁ + c₂ |v|) v      v(h) = E v/(1 + b |v| T),   E = e^{−a h},  T = (1 − E)/a,  a = c₁/m,  b = c₂/m
//! I ω' = −c₃ ω                 ω(h) = exp(−h c₃ I⁻¹) ω     the body's turn within the step left aside
//! ```
//! The velocity keeps its direction, so its amount obeys Bernoulli's equation. The matrix exponential of the angular
//! part is (1 + y + y²/2)⁻¹ to the power of 1024, with y = h c₃ I⁻¹/1024: it decays for every y, and its error is
//! below rounding in single precision where the decay is not complete. Derived here.

use glam::{DMat3, Vec3A};

use super::Drag;
use crate::body::Body;
use crate::velocity::Velocity;

/// The matrix is squared so often.
const SQUARINGS: u32 = 10;

/// exp(−m) for a matrix whose eigenvalues are not negative.
fn decay(m: DMat3) -> DMat3 {
    let y = m * f64::from(1 << SQUARINGS).recip();
    let step = (DMat3::IDENTITY + y + (y * y) * 0.5).inverse();
    let whole = (0..SQUARINGS).fold(step, |power, _| power * power);
    // Beyond the range of 64 bits nothing of the motion is left.
    if whole.is_finite() { whole } else { DMat3::ZERO }
}

impl Drag {
    /// Slows a body down for `h` seconds.
    pub fn slow(&self, body: &Body, velocity: &mut Velocity, h: f32) {
        let (inv_mass, inv_inertia) = body.inverses();
        if self.linear > 0.0 || self.quadratic > 0.0 {
            let speed = velocity.linear.as_dvec3().length();
            velocity.linear *= self.kept(inv_mass, speed, h) as f32;
        }
        if self.angular > 0.0 && velocity.angular != Vec3A::ZERO {
            let decay = decay(inv_inertia.as_dmat3() * f64::from(self.angular * h));
            velocity.angular = (decay * velocity.angular.as_dvec3()).as_vec3a();
        }
    }

    /// The share of its speed, m/s, that a body of this inverse mass, 1/kg, keeps for `h` seconds.
    pub(super) fn kept(&self, inv_mass: f32, speed: f64, h: f32) -> f64 {
        let (h, inv_mass) = (f64::from(h), f64::from(inv_mass));
        let (a, b) = (f64::from(self.linear) * inv_mass, f64::from(self.quadratic) * inv_mass);
        let time = if a > 0.0 { -(-a * h).exp_m1() / a } else { h };
        (-a * h).exp() / (1.0 + b * speed * time)
    }
}
