//! Unit quaternions q = (w, v), and rotation by a vector φ, an axis times its angle in rad.
//!
//! ```text
//! q p q⁻¹    p + 2 w v × p + 2 v × (v × p)
//! q o        (w_q w_o − v_q · v_o,  w_q v_o + w_o v_q + v_q × v_o)
//! exp(φ)     (cos ½θ, ½ φ sin ½θ/½θ),  θ = ‖φ‖
//! ```
//! The exponential map stands here in two forms that are no copies of each other. [`turned`] takes the sine of the
//! standard library and glam's product, for the bits of glam's `from_scaled_axis`. [`Quaternion::turned`] sums power
//! series, because no lane may call a function of its own; past their range it takes the lane's sine after all. The two
//! agree to rounding. The rotation of a free body (`free_rotation.rs`) needs neither: it starts from tan ½θ, of which
//! the map is algebraic. Source: Hamilton; Diebel 2006.

use glam::{Quat, Vec3};

use super::real::{Mask, Real};
use super::vector::Vectors;

/// The orientation after a rotation about a world axis: exp(turn) `rotation`, with `turn` the axis times the angle,
/// rad.
///
/// The bits are those of glam's `from_scaled_axis` and `normalize`. These take square roots by libm's legacy SSE
/// instruction, which stalls the processor while wide registers are in use: up to a tenth of a step of ragdolls.
pub fn turned(rotation: Quat, turn: Vec3) -> Quat {
    let angle = turn.length_squared().sqrt();
    let by = if angle == 0.0 { Quat::IDENTITY } else { Quat::from_axis_angle(turn / angle, angle) };
    let turned = by * rotation;
    turned * (1.0 / turned.length_squared().sqrt())
}

/// A unit quaternion per lane.
#[derive(Debug, Clone, Copy)]
pub struct Quaternion<L> {
    pub v: Vectors<L>,
    pub w: L,
}

impl<L: Real> Quaternion<L> {
    pub const IDENTITY: Self = Self { v: Vectors::ZERO, w: L::ONE };

    /// `yes` in the lanes of the mask, `no` in the others.
    #[inline(always)]
    pub fn select(mask: L::Mask, yes: Self, no: Self) -> Self {
        Self { v: Vectors::select(mask, yes.v, no.v), w: L::select(mask, yes.w, no.w) }
    }

    /// q p q⁻¹.
    #[inline(always)]
    pub fn rotate(self, p: Vectors<L>) -> Vectors<L> {
        let t = self.v.cross(p);
        let t = t + t;
        p + t * self.w + self.v.cross(t)
    }

    /// q⁻¹ p q.
    #[inline(always)]
    pub fn rotate_back(self, p: Vectors<L>) -> Vectors<L> {
        self.conjugate().rotate(p)
    }

    /// q⁻¹.
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        Self { v: -self.v, w: self.w }
    }

    /// The product that rotates by `o` first, then by `self`.
    #[inline(always)]
    pub fn times(self, o: Self) -> Self {
        Self { v: o.v * self.w + self.v * o.w + self.v.cross(o.v), w: self.w * o.w - self.v.dot(o.v) }
    }

    #[inline(always)]
    pub fn normalized(self) -> Self {
        let r = L::ONE / (self.v.dot(self.v) + self.w * self.w).sqrt();
        Self { v: self.v * r, w: self.w * r }
    }
}

/// Half angles up to this use power series that are accurate to rounding, rad.
const MAX_SERIES_ANGLE: f32 = 0.8;

impl<L: Real<One = f32>> Quaternion<L> {
    /// The quaternion of one lane.
    #[inline(always)]
    pub fn lane(&self, index: usize) -> Quat {
        let Vectors { x, y, z } = self.v;
        Quat::from_xyzw(x.lane(index), y.lane(index), z.lane(index), self.w.lane(index))
    }

    /// Sets the quaternion of one lane.
    pub fn set(&mut self, index: usize, q: Quat) {
        let Vectors { x, y, z } = &mut self.v;
        for (lanes, value) in [x, y, z, &mut self.w].into_iter().zip(q.to_array()) {
            lanes.set_lane(index, value);
        }
    }

    /// The orientation after a rotation about a world axis: exp(2 `half`) q, `half` the axis times half the angle, rad.
    #[inline(always)]
    pub fn turned(self, half: Vectors<L>) -> Self {
        let x = half.dot(half);
        let series = |c: [f32; 5]| {
            let [a, b, c, d, e] = c.map(L::splat);
            a + x * (b + x * (c + x * (d + x * e)))
        };
        let sine = series([1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5_040.0, 1.0 / 362_880.0]);
        let cosine = series([1.0, -1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0]);
        let mut turn = Self { v: half * sine, w: cosine };
        let small = x.lt(L::splat(MAX_SERIES_ANGLE * MAX_SERIES_ANGLE));
        if !small.all() {
            for lane in (0..L::LANES).filter(|lane| !small.lane(*lane)) {
                let Vectors { x, y, z } = half;
                let half = Vec3::new(x.lane(lane), y.lane(lane), z.lane(lane));
                turn.set(lane, Quat::from_scaled_axis(2.0 * half));
            }
        }
        turn.times(self).normalized()
    }
}

#[cfg(test)]
mod tests {
    use wide::f32x8;

    use super::*;

    #[test]
    fn a_turn_has_the_bits_of_the_library_s_own() {
        let rotation = Quat::from_xyzw(0.1, -0.7, 0.3, 0.64).normalize();
        for size in [0.0, 1e-30, 1e-20, 1e-6, 1e-3, 0.1, 1.0, 3.0, 40.0] {
            for axis in [Vec3::X, Vec3::new(0.3, -0.2, 0.9), Vec3::new(-1.0, 1.0, 1e-3)] {
                let turn = size * axis;
                let expected = (Quat::from_scaled_axis(turn) * rotation).normalize();
                assert_eq!(turned(rotation, turn).to_array().map(f32::to_bits), expected.to_array().map(f32::to_bits));
            }
        }
    }

    /// The turns of eight lanes are those of one body, to rounding; the last three are past the series' range.
    #[test]
    fn turns_in_lanes_are_those_of_one_body() {
        let rotation = Quat::from_xyzw(0.1, -0.7, 0.3, 0.64).normalize();
        let axis = Vec3::new(0.3, -0.2, 0.9).normalize();
        let angles = [0.0f32, 1e-6, 1e-3, 0.1, 1.5, 1.7, 3.0, 40.0];
        let along = |axis: Vec3| Vectors { x: f32x8::splat(axis.x), y: f32x8::splat(axis.y), z: f32x8::splat(axis.z) };
        let mut q = Quaternion::<f32x8>::IDENTITY;
        (0..8).for_each(|lane| q.set(lane, rotation));
        let found = q.turned(along(axis) * f32x8::from(angles.map(|angle| 0.5 * angle)));
        for (lane, angle) in angles.into_iter().enumerate() {
            let (found, expected) = (found.lane(lane), turned(rotation, angle * axis));
            assert!((found - expected).length() < 5e-7, "{angle} rad: {found}, not {expected}");
            let mut one = Quaternion::<f32>::IDENTITY;
            one.set(0, rotation);
            let [x, y, z] = (axis * (0.5 * angle)).to_array();
            assert_eq!(one.turned(Vectors { x, y, z }).lane(0).to_array(), found.to_array(), "one lane of eight");
        }
    }
}
