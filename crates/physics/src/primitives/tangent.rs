//! The tangent from a drum to a point: how a rope leaves it, and how near its end may come.
//!
//! ```text
//! z = a · p,  q = p − z a,  d = ‖q‖,  t = √(d² − r²)
//! e = (r/d) q/d ± (t/d) a × q/d      e · (p − r e) = z a · e = 0: a right angle between radius and rope
//! d ≥ 1.05 r                         where the rope ends: t ≥ 0.32 r
//! ```
//! The sign is that of the radius. The rope's end has a hook, which stops at the drum before there is no tangent. An end
//! that is nearer than 1.01 r all the same is taken to be that far away in its direction, and on the axis itself in a
//! direction at a right angle to it: the tangent and its gradients stay bounded and never jump. Source: docs/math.md, "Drum".

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
    /// By how much the rope's end is farther from the axis than the drum lets it come, m; negative where it is nearer.
    pub clear: f32,
    /// Gradient of `clear`, a unit vector away from the axis.
    pub out: Vec3,
}

/// The least distance of a rope's end from the drum's axis, in radii.
const HOOK: f32 = 1.05;
/// The same, to which a nearer end is thought to be moved.
const TANGENT: f32 = 1.01;
/// An end that is nearer to the axis has no direction from it, m.
const ON_AXIS: f32 = 1e-6;

impl Leaving {
    /// How the rope leaves a drum about the unit vector `axis` with the signed radius `radius`, m, to a point at `p` from
    /// its centre.
    pub fn of(p: Vec3, axis: Vec3, radius: f32) -> Self {
        let (r, side) = (radius.abs(), radius.signum());
        let z = axis.dot(p);
        let across = p - z * axis;
        let away = across.length();
        let out = if away < ON_AXIS { axis.any_orthonormal_vector() } else { across / away };
        let d = away.max(TANGENT * r).max(ON_AXIS);
        let t = ((d - r) * (d + r)).sqrt();
        let round = axis.cross(out);
        let free = t.hypot(z);
        let at = (r / d) * out + (side * t / d) * round;
        let pull = (z / free) * axis + (d / free - r * r / (d * t)) * out - (side * r / d) * round;
        let turn = round / d + (side * r / (d * t)) * out;
        Self { at, free, pull, turn, clear: away - HOOK * r, out }
    }

    /// Whether the rope's end is so near to the drum that there is no tangent, or hardly one.
    pub fn is_lost(&self, radius: f32) -> bool {
        self.clear < (TANGENT - HOOK) * radius.abs()
    }
}
