//! Eight SIMD lanes: numbers and vectors of eight mechanisms. No operation mixes lanes and none is contracted to a
//! fused multiply-add, so a lane's bits depend neither on the other lanes nor on the machine.

use glam::{Vec3, Vec3A};
pub use wide::f32x8 as Lanes;

use crate::kernel::real::Real;
use crate::kernel::vector;

/// Mechanisms per group.
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

#[cfg(test)]
mod tests {
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
}
