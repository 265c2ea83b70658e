//! Eight SIMD lanes: numbers, vectors and matrices of eight mechanisms side by side. No operation mixes lanes and none is contracted to a
//! fused multiply-add, so a lane's bits depend neither on the other lanes nor on the machine.

use glam::{Mat3, Vec3, Vec3A};
pub use wide::f32x8 as Lanes;

use super::real::Real;
use super::rotation::Quaternion;
use super::{matrix, vector};

/// Number of lanes.
pub const LANES: usize = 8;

/// The same number in all lanes.
#[inline(always)]
pub fn splat(value: f32) -> Lanes {
    Lanes::splat(value)
}

/// A lane mask from booleans.
pub fn mask(lanes: [bool; LANES]) -> Lanes {
    Lanes::from(lanes.map(|on| if on { 1.0f32 } else { 0.0 })).simd_gt(Lanes::ZERO)
}

/// `yes` in the lanes of the mask, `no` in the others.
#[inline(always)]
pub fn select(mask: Lanes, yes: Lanes, no: Lanes) -> Lanes {
    Real::select(mask, yes, no)
}

/// The value of one lane.
#[inline(always)]
pub fn lane(lanes: &Lanes, index: usize) -> f32 {
    lanes.as_array()[index]
}

/// Sets the value of one lane.
#[inline(always)]
pub fn set(lanes: &mut Lanes, index: usize, value: f32) {
    lanes.as_mut_array()[index] = value;
}

/// Mask of the lanes below a bound; false for NaN.
#[inline(always)]
pub fn below(value: Lanes, bound: f32) -> Lanes {
    value.simd_lt(splat(bound))
}

/// Vectors of eight lanes, stored by component.
pub type Vectors = vector::Vectors<Lanes>;

impl Vectors {
    #[inline(always)]
    pub fn splat(v: Vec3) -> Self {
        Self { x: splat(v.x), y: splat(v.y), z: splat(v.z) }
    }

    pub fn set(&mut self, index: usize, v: Vec3) {
        set(&mut self.x, index, v.x);
        set(&mut self.y, index, v.y);
        set(&mut self.z, index, v.z);
    }

    #[inline(always)]
    pub fn lane(&self, index: usize) -> Vec3 {
        Vec3::new(lane(&self.x, index), lane(&self.y, index), lane(&self.z, index))
    }

    #[inline(always)]
    pub fn lane_a(&self, index: usize) -> Vec3A {
        Vec3A::new(lane(&self.x, index), lane(&self.y, index), lane(&self.z, index))
    }

    /// |x| + |y| + |z|.
    #[inline(always)]
    pub fn size(self) -> Lanes {
        self.x.abs() + self.y.abs() + self.z.abs()
    }
}

/// Unit quaternions of eight lanes.
pub type Quaternions = Quaternion<Lanes>;
/// 3 × 3 matrices of eight lanes.
pub type Matrices = matrix::Matrix<Lanes>;
/// Symmetric 3 × 3 matrices of eight lanes.
pub type Symmetric = matrix::Symmetric<Lanes>;
/// Their factors.
pub type LdltFactors = matrix::LdltFactors<Lanes>;

impl Symmetric {
    /// The matrix of one lane.
    #[inline(always)]
    pub fn lane(&self, index: usize) -> Mat3 {
        let Matrices { x, y, z } = self.rows();
        Mat3::from_cols(x.lane(index), y.lane(index), z.lane(index))
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;

    #[test]
    fn masks_choose_lane_by_lane() {
        let chosen = mask([true, false, true, false, false, false, true, true]);
        let (yes, no) = (splat(2.0), splat(-3.0));
        let found = select(chosen, yes, no).to_array();
        assert_eq!(found, [2.0, -3.0, 2.0, -3.0, -3.0, -3.0, 2.0, 2.0]);
        let not_a_number = splat(f32::NAN);
        assert_eq!(below(not_a_number, 1.0).to_bitmask(), 0);
        assert_eq!(select(chosen, yes, not_a_number).to_array()[0], 2.0);
    }

    /// Pseudo-random numbers between −1 and 1, the same in every run.
    fn random(seed: u64) -> impl FnMut() -> f32 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        }
    }

    #[test]
    fn each_lane_is_the_arithmetic_of_one() {
        let mut next = random(5);
        let mut vector = || Vec3::new(next(), next(), next());
        let (mut p, mut s) = (Vectors::ZERO, Symmetric::ZERO);
        let (mut q, mut o) = (Quaternions::IDENTITY, Quaternions::IDENTITY);
        let mut plain = Vec::new();
        for lane in 0..LANES {
            let (a, b) = (Quat::from_scaled_axis(vector() * 3.0), Quat::from_scaled_axis(vector()));
            let root = Mat3::from_cols(vector(), vector(), vector());
            let (v, m) = (vector(), root * root.transpose() + Mat3::IDENTITY * 0.1);
            p.set(lane, v);
            q.set(lane, a);
            o.set(lane, b);
            s.set(lane, &m);
            plain.push((a, b, v, m));
        }
        let factors = LdltFactors::of(&s);
        let near = |found: Vec3, expected: Vec3| {
            assert!((found - expected).length() < 2e-5 * (1.0 + expected.length()), "{found}, not {expected}");
        };
        for (lane, (a, b, v, m)) in plain.into_iter().enumerate() {
            near(q.rotate(p).lane(lane), a * v);
            near(q.rotate_back(p).lane(lane), a.inverse() * v);
            near(Matrices::of(q).times(p).lane(lane), a * v);
            near(Matrices::of(q).transposed_times(p).lane(lane), a.inverse() * v);
            near(q.times(o).normalized().rotate(p).lane(lane), a * (b * v));
            near(s.turned(&Matrices::of(q)).times(p).lane(lane), a * (m * (a.inverse() * v)));
            near(m * factors.solve(p).lane(lane), v);
        }
    }
}
