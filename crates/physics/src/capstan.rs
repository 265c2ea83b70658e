//! The tension on which the friction of a rope over sheaves depends.
//!
//! ```text
//! |λ_f| ≤ s |λ|,  s = tanh(µθ/2)      λ of the rope's row, λ_f of its friction
//! ```
//! The solvers know bounds that are given at the start of a sub-step, so λ is that of the sub-step before: exact once the
//! tension is steady. A rope that was slack before has none. There λ is that of the two rows alone between their two
//! bodies, with gravity, to which nothing else is joined:
//!
//! ```text
//! holds   K (λ, λ_f) = −(v, v_f)           if λ ≤ 0 and |λ_f| ≤ s |λ|
//! slides  (k + σ s k_f) λ = −v,  λ_f = σ s λ    σ = ±1 so that friction acts against the speed that is left
//! ```
//! Source: docs/math.md, "Pulley".

use glam::Vec3A;

use super::kernel::row::SolverRow;
use super::row::{Resistance, Row, RowKind};
use super::velocity::Velocity;

/// The kind of a row in a sub-step: the friction of a rope is a drive to speed zero, others stay as they are. `load` gives
/// the tension for the share s and the slot of the rope's row, N.
pub fn as_drive(kind: RowKind, load: impl FnOnce(f32, u8) -> f32) -> RowKind {
    match kind {
        RowKind::Resist(Resistance::Capstan { share, load: slot }) => {
            RowKind::Drive { speed: 0.0, cap: share * load(share, slot), value: None }
        }
        other => other,
    }
}

/// The impulse with which a rope that was slack pulls in a sub-step, N·s, from the row of the rope and that of its
/// friction with the share `share`, between bodies at these velocities.
pub fn first_pull(rope: &Row, rubs: &Row, share: f32, a: &Velocity, b: &Velocity) -> f32 {
    let (speed, slip) = (rope.speed((), a, b) + rope.bias, rubs.speed((), a, b));
    let between = |r: &Row, s: &Row| {
        let on_a = r.inv_ma * r.lin_a().dot(s.lin_a()) + r.ang_a.dot(s.inv_ia);
        on_a + r.inv_mb * r.lin.dot(s.lin) + r.ang_b.dot(s.inv_ib)
    };
    let (own, both, rub) = (between(rope, rope), between(rope, rubs), between(rubs, rubs));
    let determinant = own * rub - both * both;
    let (held, rubbed) = ((both * slip - rub * speed) / determinant, (both * speed - own * slip) / determinant);
    if held.is_finite() && rubbed.is_finite() && determinant > 0.0 && held <= 0.0 && rubbed.abs() <= share * -held {
        return -held;
    }
    for side in [share, -share] {
        let pull = -speed / (own + side * both);
        // λ_f = side · λ, and λ is negative.
        let left = slip + both * pull + rub * side * pull;
        if pull.is_finite() && pull <= 0.0 && left * side * pull <= 0.0 {
            return -pull;
        }
    }
    0.0
}

/// A velocity after gravity has acted for a sub-step.
pub fn pulled_down(velocity: &Velocity, inv_mass: f32, by: Vec3A) -> Velocity {
    if inv_mass > 0.0 { Velocity { linear: velocity.linear + by, ..*velocity } } else { *velocity }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two weights under a sheave: with E = e^{µθ} the rope holds them with the mean of their weights, or slides with
    /// T_a = E T_b = 2 E m_a m_b g/(m_a + E m_b).
    #[test]
    fn the_first_pull_is_that_of_two_weights() {
        let up = Vec3A::Z;
        let (h_g, growth) = (0.1, 2.0f32);
        let share = 0.5f32 * growth.ln();
        let share = share.tanh();
        for (m_a, m_b) in [(1.5, 1.0), (1.0, 1.5), (5.0, 1.0), (1.0, 5.0)] {
            let row = |lin: Vec3A, net: Vec3A| Row { lin, net, inv_ma: 1.0 / m_a, inv_mb: 1.0 / m_b, ..Row::default() };
            // Both strands point downwards.
            let (rope, rubs) = (row(-up, -2.0 * up), row(up, Vec3A::ZERO));
            let falls = Velocity { linear: -up * h_g, ..Velocity::default() };
            let pull = first_pull(&rope, &rubs, share, &falls, &falls);
            let (heavy, light) = (m_a.max(m_b), m_a.min(m_b));
            let light_tension = 2.0 * heavy * light * h_g / (heavy + growth * light);
            let slides = 0.5 * (1.0 + growth) * light_tension;
            let expected = if heavy < growth * light { 0.5 * (m_a + m_b) * h_g } else { slides };
            assert!((pull - expected).abs() < 1e-5, "{m_a}, {m_b}: {pull}, expected {expected}");
            let rises = Velocity { linear: up * h_g, ..Velocity::default() };
            assert_eq!(first_pull(&rope, &rubs, share, &rises, &rises), 0.0, "a slack rope pulls at nothing");
        }
    }
}
