//! Numbers of one lane or of several, with the operations that the kernel's formulas need.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub, SubAssign};

use glam::Vec3A;
use wide::{f32x4, f32x8, f64x4};

use super::vector::{Vector, Vectors};

/// A number per lane; a plain number is one lane.
pub trait Real:
    Copy
    + Debug
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
    /// The number in one lane: f32 or f64.
    type One: Copy;
    /// A yes or no per lane.
    type Mask: Mask;
    /// Three numbers per lane, as sweeps keep them.
    type Vector: Vector<Self>;

    /// Number of lanes.
    const LANES: usize;
    const ZERO: Self;
    const ONE: Self;
    const HALF: Self;

    /// The same number in all lanes.
    fn splat(value: Self::One) -> Self;
    /// The number in one lane.
    fn lane(self, index: usize) -> Self::One;
    /// Sets the number in one lane.
    fn set_lane(&mut self, index: usize, value: Self::One);
    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    /// The size of this number with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;
    /// The larger of two numbers; `other` where this one is NaN.
    fn larger(self, other: Self) -> Self;
    /// The smaller of two numbers; `other` where this one is NaN.
    fn smaller(self, other: Self) -> Self;
    /// self > other; comparisons with NaN are false.
    fn gt(self, other: Self) -> Self::Mask;
    /// self ≥ other.
    fn ge(self, other: Self) -> Self::Mask;
    /// self < other.
    fn lt(self, other: Self) -> Self::Mask;
    /// self ≤ other.
    fn le(self, other: Self) -> Self::Mask;
    /// self = other.
    fn same(self, other: Self) -> Self::Mask;
    /// `yes` in the lanes of the mask, `no` in the others.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// The number in the lanes of the mask, zero in the others.
    fn masked(self, mask: Self::Mask) -> Self;
}

/// A yes or no per lane.
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Whether any lane is set.
    fn any(self) -> bool;
    /// Whether all lanes are set.
    fn all(self) -> bool;
    /// Whether this lane is set.
    fn lane(self, index: usize) -> bool;
}

impl Mask for bool {
    #[inline(always)]
    fn any(self) -> bool {
        self
    }

    #[inline(always)]
    fn all(self) -> bool {
        self
    }

    #[inline(always)]
    fn lane(self, _index: usize) -> bool {
        self
    }
}

macro_rules! one_lane {
    ($number:ident, $vector:ty) => {
        impl Real for $number {
            type One = $number;
            type Mask = bool;
            type Vector = $vector;

            const LANES: usize = 1;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const HALF: Self = 0.5;

            #[inline(always)]
            fn splat(value: $number) -> Self {
                value
            }

            #[inline(always)]
            fn lane(self, _index: usize) -> $number {
                self
            }

            #[inline(always)]
            fn set_lane(&mut self, _index: usize, value: $number) {
                *self = value;
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                <$number>::sqrt(self)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                <$number>::abs(self)
            }

            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                <$number>::copysign(self, sign)
            }

            #[inline(always)]
            fn larger(self, other: Self) -> Self {
                self.max(other)
            }

            #[inline(always)]
            fn smaller(self, other: Self) -> Self {
                self.min(other)
            }

            #[inline(always)]
            fn gt(self, other: Self) -> bool {
                self > other
            }

            #[inline(always)]
            fn ge(self, other: Self) -> bool {
                self >= other
            }

            #[inline(always)]
            fn lt(self, other: Self) -> bool {
                self < other
            }

            #[inline(always)]
            fn le(self, other: Self) -> bool {
                self <= other
            }

            #[inline(always)]
            fn same(self, other: Self) -> bool {
                self == other
            }

            #[inline(always)]
            fn select(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }

            #[inline(always)]
            fn masked(self, mask: bool) -> Self {
                if mask { self } else { 0.0 }
            }
        }
    };
}

macro_rules! several_lanes {
    ($lanes:ident, $number:ident) => {
        impl Real for $lanes {
            type One = $number;
            type Mask = $lanes;
            type Vector = Vectors<$lanes>;

            const LANES: usize = size_of::<$lanes>() / size_of::<$number>();
            const ZERO: Self = $lanes::ZERO;
            const ONE: Self = $lanes::ONE;
            const HALF: Self = $lanes::HALF;

            #[inline(always)]
            fn splat(value: $number) -> Self {
                $lanes::splat(value)
            }

            #[inline(always)]
            fn lane(self, index: usize) -> $number {
                self.as_array()[index]
            }

            #[inline(always)]
            fn set_lane(&mut self, index: usize, value: $number) {
                self.as_mut_array()[index] = value;
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                $lanes::sqrt(self)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                $lanes::abs(self)
            }

            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                $lanes::abs(self) | (sign & $lanes::splat(-0.0))
            }

            #[inline(always)]
            fn larger(self, other: Self) -> Self {
                self.fast_max(other)
            }

            #[inline(always)]
            fn smaller(self, other: Self) -> Self {
                self.fast_min(other)
            }

            #[inline(always)]
            fn gt(self, other: Self) -> Self {
                self.simd_gt(other)
            }

            #[inline(always)]
            fn ge(self, other: Self) -> Self {
                self.simd_ge(other)
            }

            #[inline(always)]
            fn lt(self, other: Self) -> Self {
                self.simd_lt(other)
            }

            #[inline(always)]
            fn le(self, other: Self) -> Self {
                self.simd_le(other)
            }

            #[inline(always)]
            fn same(self, other: Self) -> Self {
                self.simd_eq(other)
            }

            #[inline(always)]
            fn select(mask: Self, yes: Self, no: Self) -> Self {
                $lanes::select(mask, yes, no)
            }

            #[inline(always)]
            fn masked(self, mask: Self) -> Self {
                mask & self
            }
        }

        impl Mask for $lanes {
            #[inline(always)]
            fn any(self) -> bool {
                $lanes::any(self)
            }

            #[inline(always)]
            fn all(self) -> bool {
                $lanes::all(self)
            }

            #[inline(always)]
            fn lane(self, index: usize) -> bool {
                self.to_bitmask() >> index & 1 == 1
            }
        }
    };
}

one_lane!(f32, Vec3A);
one_lane!(f64, Vectors<f64>);
several_lanes!(f32x4, f32);
several_lanes!(f32x8, f32);
several_lanes!(f64x4, f64);

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation on every pair of these, in all lanes, has the bits of one lane. Of two zeros the larger is
    /// either.
    #[test]
    fn lanes_have_the_bits_of_one() {
        const NUMBERS: [f32; 8] = [1.5, -2.0, 0.0, 1e-40, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 3.0];
        for a in NUMBERS {
            for b in NUMBERS {
                let (x, y) = (f32x8::splat(a), f32x8::splat(b));
                let bits = |lanes: f32x8| lanes.to_array().map(f32::to_bits);
                let same = |lanes: f32x8, one: f32| {
                    assert!(bits(lanes).into_iter().all(|bits| bits == one.to_bits()), "{a} {b}: {lanes:?} {one}");
                };
                if !b.is_nan() {
                    same(x.larger(y), a.larger(b));
                    same(x.smaller(y), a.smaller(b));
                }
                let masks = [
                    (x.gt(y), a.gt(b)),
                    (x.ge(y), a.ge(b)),
                    (x.lt(y), a.lt(b)),
                    (x.le(y), a.le(b)),
                    (Real::same(x, y), Real::same(a, b)),
                ];
                for (lanes, one) in masks {
                    assert_eq!((Mask::any(lanes), Mask::all(lanes)), (one, one), "{a} {b}");
                    same(Real::select(lanes, x, y), Real::select(one, a, b));
                    same(x.masked(lanes), a.masked(one));
                }
                if !a.is_nan() {
                    same(Real::copysign(x, y), Real::copysign(a, b));
                }
            }
        }
    }
}
