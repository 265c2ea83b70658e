//! From what a row wants to its velocity bias and bounds.
//!
//! ```text
//! C = 0           b = (β/h) C                          C(n+1) = (1 − β) C(n)
//! C ≤ 0, λ ≤ 0    b = C/h while C < 0 (speculative: the gap may close and no more), (β/h) C above
//! J u = speed     b = −speed, |λ| ≤ cap h
//! ```
//! Source: 000 Plane, Distance (rope); erratum 9.

use super::row::{Group, Law};
use super::settings::{Settings, Stabilization};

/// Bias and bounds of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    /// m/s or rad/s.
    pub bias: f32,
    /// Bounds of the accumulated impulse, N·s or N·m·s.
    pub lo: f32,
    pub hi: f32,
}

/// β/h, zero without stabilisation; 1/s.
pub fn rate(settings: &Settings, h: f32) -> f32 {
    match settings.stabilization.method {
        Stabilization::Off => 0.0,
        Stabilization::Baumgarte => settings.stabilization.beta / h,
    }
}

/// The target of a joint's row; `linear` tells metres from radians.
pub fn target(law: Law, group: Group, linear: bool, settings: &Settings, h: f32) -> Target {
    const FREE: f32 = f32::INFINITY;
    let rate = rate(settings, h);
    match law {
        Law::Equal { c } => {
            let slop = if linear && group == Group::Anchor { settings.stabilization.joint_slop } else { 0.0 };
            Target { bias: rate * (c - c.clamp(-slop, slop)), lo: -FREE, hi: FREE }
        }
        Law::AtMost { c } => Target { bias: if c < 0.0 { c / h } else { rate * c }, lo: -FREE, hi: 0.0 },
        Law::AtLeast { c } => Target { bias: if c > 0.0 { c / h } else { rate * c }, lo: 0.0, hi: FREE },
        Law::Drive { speed, cap } => Target { bias: -speed, lo: -cap * h, hi: cap * h },
    }
}

/// The bias of a contact's normal row. `c` is the gap, `approach` the normal speed before forces and warm starting
/// (negative when the bodies approach), `e` the pair's restitution.
///
/// ```text
/// C ≥ 0   C/h, but e · approach where the gap would close within the step at a speed that bounces
/// C < 0   min((β/h) min(0, C + slop), e · approach where that bounces), at most the push-out speed
/// ```
pub fn contact_bias(c: f32, approach: f32, e: f32, settings: &Settings, h: f32) -> f32 {
    let contact = &settings.contact;
    let bounces = contact.restitution && e > 0.0 && approach < -contact.restitution_threshold;
    if c >= 0.0 {
        return if bounces && c + approach * h < 0.0 { e * approach } else { c / h };
    }
    let push = (rate(settings, h) * (c + contact.slop).min(0.0)).max(-contact.max_push);
    if bounces { push.min(e * approach) } else { push }
}
