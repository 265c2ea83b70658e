//! Position errors of joints, for one joint or for several in lanes.
//!
//! ```text
//! anchors      p = p_B − p_A,   lever arms s_A = p_B − x_A and r_B = p_B − x_B, so that both impulses act at one point
//! axis         a_A × a_B        the sine of the angle between them, about an axis across both
//! orientation  2 sgn(w) v       of q_B q_ref⁻¹ q_A⁻¹ = (w, v): a rotation vector to first order
//! ```
//! The rotations come from glam for one joint and from [`Quaternion`](super::rotation::Quaternion) for lanes. Their
//! products sum in another order, so the two agree to rounding. Source: 000 Hinge, Fixed; errata 6.

use super::real::Real;
use super::vector::Vector;

/// Where a joint's anchors are, world axes, m: the centres of mass x, and the vectors r from these to the anchors.
#[derive(Debug, Clone, Copy)]
pub struct AnchorPlaces<V> {
    pub xa: V,
    pub ra: V,
    pub xb: V,
    pub rb: V,
}

impl<V: Copy> AnchorPlaces<V> {
    /// From A's anchor to B's.
    #[inline(always)]
    pub fn gap<R>(&self) -> V
    where
        V: Vector<R>,
    {
        self.on_b() - self.on_a()
    }

    /// A's anchor.
    #[inline(always)]
    pub fn on_a<R>(&self) -> V
    where
        V: Vector<R>,
    {
        self.xa + self.ra
    }

    /// B's anchor.
    #[inline(always)]
    pub fn on_b<R>(&self) -> V
    where
        V: Vector<R>,
    {
        self.xb + self.rb
    }

    /// A's lever arm: from its centre to B's anchor.
    #[inline(always)]
    pub fn lever_a<R>(&self) -> V
    where
        V: Vector<R>,
    {
        self.on_b() - self.xa
    }
}

/// The angular error of two unit axes.
#[inline(always)]
pub fn axis_error<R, V: Vector<R>>(a: V, b: V) -> V {
    a.cross(b)
}

/// Axes with a smaller cosine are opposed: their cross product has no direction.
pub const OPPOSED: f32 = -0.9999;

/// The rotation vector, rad to first order, of the unit quaternion (w, v) by which an orientation is wrong.
#[inline(always)]
pub fn orientation_error<R: Real<One = f32>, V: Vector<R>>(v: V, w: R) -> V {
    v * R::splat(2.0).copysign(w)
}

/// SHAKE and RATTLE close a position error up to this, left by earlier steps, by the impulses of the step, m or rad.
pub const INHERITED: f32 = 1e-4;
/// A position error up to this may be rounding, m or rad.
pub const NOISE: f32 = 1e-6;

/// The nearest number within ±`most`. NaN stays NaN.
#[inline(always)]
fn within<R: Real<One = f32>>(c: R, most: f32) -> R {
    let most = R::splat(most);
    R::select(c.gt(most), most, R::select(c.lt(-most), -most, c))
}

/// The part of an error beyond ±`most`.
#[inline(always)]
pub fn beyond<R: Real<One = f32>>(c: R, most: f32) -> R {
    c - within(c, most)
}

/// The part of an error, m or rad, that a step closes together with its curvature bias.
#[inline(always)]
pub fn inherited_error<R: Real<One = f32>>(c: R, share_of_noise: f32) -> R {
    within(c, INHERITED) - within(c, NOISE) * R::splat(1.0 - share_of_noise)
}

/// The part of an error that a step leaves to the split correction, m or rad.
#[inline(always)]
pub fn left_to_correction<R: Real<One = f32>>(c: R) -> R {
    beyond(c, INHERITED)
}
