//! Vectors of several objects in SIMD lanes, stored by component. The operations are in the same order for every
//! number of lanes, so a lane's bits do not depend on that number.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Arithmetic lane by lane; a plain number is one lane.
pub trait LaneNumber: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self> {}
impl LaneNumber for f32 {}
impl LaneNumber for wide::f32x4 {}
impl LaneNumber for wide::f32x8 {}
impl LaneNumber for wide::f64x4 {}

/// One vector per lane.
#[derive(Debug, Clone, Copy, Default)]
pub struct Vectors<L> {
    pub x: L,
    pub y: L,
    pub z: L,
}

impl<L: LaneNumber> Vectors<L> {
    #[inline(always)]
    pub fn dot(self, o: Self) -> L {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        Self { x: self.y * o.z - self.z * o.y, y: self.z * o.x - self.x * o.z, z: self.x * o.y - self.y * o.x }
    }
}

impl<L: LaneNumber> Add for Vectors<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

impl<L: LaneNumber> Sub for Vectors<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

impl<L: LaneNumber> Mul<L> for Vectors<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: L) -> Self {
        Self { x: self.x * o, y: self.y * o, z: self.z * o }
    }
}

impl<L: LaneNumber> Neg for Vectors<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl<L: LaneNumber> AddAssign for Vectors<L> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl<L: LaneNumber> SubAssign for Vectors<L> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
