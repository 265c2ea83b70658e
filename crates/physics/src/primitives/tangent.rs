//! The tangent from a drum to a point: how a rope leaves it.
//!
//! ```text
//! z = a · p,  q = p − z a,  d = ‖q‖,  t = √(d² − r²)
//! e = (r/d) q/d ± (t/d) a × q/d      e · (p − r e) = z a · e = 0: a right angle between radius and rope
//! ```
//! The sign is that of the radius. Source: docs/math.md, "Drum".

use glam::Vec3;

/// How a rope leaves a drum, in the frame of its arguments.
#[derive(Debug, Clone, Copy)]
pub struct Leaving {
    /// From the drum's centre to where the rope leaves it, a unit vector.
    pub at: Vec3,
    /// Length of the rope off the drum, m.
    pub free: f32,
    /// Gradient of the free length and of the rope that the tangent's motion winds up.
    pub pull: Vec3,
    /// Gradient of the angle of `at` about the axis, rad/m.
    pub turn: Vec3,
}

/// A rope whose end is closer to the drum than this share of the radius has no tangent.
const TOUCHING: f32 = 1e-4;

impl Leaving {
    /// How the rope leaves a drum about `axis` with the signed radius `radius`, m, to a point at `p` from its centre; none
    /// where that lies within the drum.
    pub fn of(p: Vec3, axis: Vec3, radius: f32) -> Option<Self> {
        let (r, side) = (radius.abs(), radius.signum());
        let z = axis.dot(p);
        let across = p - z * axis;
        let d = across.length();
        if d.is_nan() || d <= r * (1.0 + TOUCHING) {
            return None;
        }
        let t = ((d - r) * (d + r)).sqrt();
        let out = across / d;
        let round = axis.cross(out);
        let free = t.hypot(z);
        let at = (r / d) * out + (side * t / d) * round;
        let pull = (z / free) * axis + (d / free - r * r / (d * t)) * out - (side * r / d) * round;
        let turn = round / d + (side * r / (d * t)) * out;
        Some(Self { at, free, pull, turn })
    }
}
