//! Vectors of three numbers, in one lane or in several.
//!
//! A sweep keeps one row's vectors in one register each ([`Vec3A`]), those of several rows by component ([`Vectors`]).
//! Sums are in the same order in both.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use glam::{Vec3, Vec3A};

use super::real::Real;

/// Three numbers per lane.
pub trait Vector<R>:
    Copy
    + Debug
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<R, Output = Self>
    + Mul<Output = Self>
    + AddAssign
    + SubAssign
{
    fn of(components: [R; 3]) -> Self;
    fn components(self) -> [R; 3];
    /// x + y + z, in the order in which glam adds: the zero of its fourth lane is added to z.
    fn sum(self) -> R;
    fn dot(self, other: Self) -> R;
    fn cross(self, other: Self) -> Self;
}

macro_rules! one_lane {
    ($vector:ident) => {
        impl Vector<f32> for $vector {
            #[inline(always)]
            fn of(components: [f32; 3]) -> Self {
                Self::from_array(components)
            }

            #[inline(always)]
            fn components(self) -> [f32; 3] {
                self.to_array()
            }

            #[inline(always)]
            fn sum(self) -> f32 {
                self.element_sum()
            }

            #[inline(always)]
            fn dot(self, other: Self) -> f32 {
                Self::dot(self, other)
            }

            #[inline(always)]
            fn cross(self, other: Self) -> Self {
                Self::cross(self, other)
            }
        }
    };
}

one_lane!(Vec3);
one_lane!(Vec3A);

/// One vector per lane, stored by component.
#[derive(Debug, Clone, Copy, Default)]
pub struct Vectors<L> {
    pub x: L,
    pub y: L,
    pub z: L,
}

impl<L: Real> Vector<L> for Vectors<L> {
    #[inline(always)]
    fn of([x, y, z]: [L; 3]) -> Self {
        Self { x, y, z }
    }

    #[inline(always)]
    fn components(self) -> [L; 3] {
        [self.x, self.y, self.z]
    }

    #[inline(always)]
    fn sum(self) -> L {
        Self::sum(self)
    }

    #[inline(always)]
    fn dot(self, other: Self) -> L {
        Self::dot(self, other)
    }

    #[inline(always)]
    fn cross(self, other: Self) -> Self {
        Self::cross(self, other)
    }
}

impl<L: Real> Vectors<L> {
    pub const ZERO: Self = Self { x: L::ZERO, y: L::ZERO, z: L::ZERO };

    /// x + y + z, as [`Vector::sum`].
    #[inline(always)]
    pub fn sum(self) -> L {
        (self.x + self.y) + (self.z + L::ZERO)
    }

    /// `change` of each component.
    #[inline(always)]
    pub fn map(self, change: impl Fn(L) -> L) -> Self {
        Self { x: change(self.x), y: change(self.y), z: change(self.z) }
    }

    /// Keeps the lanes of the mask and sets the others to zero.
    #[inline(always)]
    pub fn masked(self, mask: L::Mask) -> Self {
        Self { x: self.x.masked(mask), y: self.y.masked(mask), z: self.z.masked(mask) }
    }

    /// `yes` in the lanes of the mask, `no` in the others.
    #[inline(always)]
    pub fn select(mask: L::Mask, yes: Self, no: Self) -> Self {
        Self { x: L::select(mask, yes.x, no.x), y: L::select(mask, yes.y, no.y), z: L::select(mask, yes.z, no.z) }
    }

    #[inline(always)]
    pub fn dot(self, o: Self) -> L {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        Self { x: self.y * o.z - self.z * o.y, y: self.z * o.x - self.x * o.z, z: self.x * o.y - self.y * o.x }
    }
}

impl<L: Real> Add for Vectors<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

impl<L: Real> Sub for Vectors<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

impl<L: Real> Mul<L> for Vectors<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: L) -> Self {
        Self { x: self.x * o, y: self.y * o, z: self.z * o }
    }
}

/// The product by components.
impl<L: Real> Mul for Vectors<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self { x: self.x * o.x, y: self.y * o.y, z: self.z * o.z }
    }
}

impl<L: Real> Neg for Vectors<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl<L: Real> AddAssign for Vectors<L> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl<L: Real> SubAssign for Vectors<L> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
