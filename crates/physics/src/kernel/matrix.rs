//! 3 × 3 matrices, one per lane.

use std::ops::AddAssign;

use glam::Mat3;

use super::real::Real;
use super::rotation::Quaternion;
use super::vector::Vectors;

/// A 3 × 3 matrix per lane, by rows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Matrix<L> {
    pub x: Vectors<L>,
    pub y: Vectors<L>,
    pub z: Vectors<L>,
}

impl<L: Real> Matrix<L> {
    pub const ZERO: Self = Self { x: Vectors::ZERO, y: Vectors::ZERO, z: Vectors::ZERO };

    /// The rotation matrix of a unit quaternion.
    #[inline(always)]
    pub fn of(q: Quaternion<L>) -> Self {
        let (d, w) = (q.v + q.v, q.w);
        let (xx, yy, zz) = (d.x * q.v.x, d.y * q.v.y, d.z * q.v.z);
        let (xy, xz, yz) = (d.x * q.v.y, d.x * q.v.z, d.y * q.v.z);
        let (wx, wy, wz) = (d.x * w, d.y * w, d.z * w);
        let one = L::ONE;
        Self {
            x: Vectors { x: one - (yy + zz), y: xy - wz, z: xz + wy },
            y: Vectors { x: xy + wz, y: one - (xx + zz), z: yz - wx },
            z: Vectors { x: xz - wy, y: yz + wx, z: one - (xx + yy) },
        }
    }

    /// M v.
    #[inline(always)]
    pub fn times(&self, v: Vectors<L>) -> Vectors<L> {
        Vectors { x: self.x.dot(v), y: self.y.dot(v), z: self.z.dot(v) }
    }

    /// Mᵀ v.
    #[inline(always)]
    pub fn transposed_times(&self, v: Vectors<L>) -> Vectors<L> {
        self.x * v.x + self.y * v.y + self.z * v.z
    }

    #[inline(always)]
    pub fn masked(&self, mask: L::Mask) -> Self {
        Self { x: self.x.masked(mask), y: self.y.masked(mask), z: self.z.masked(mask) }
    }
}

impl<L: Real> AddAssign for Matrix<L> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        self.x += o.x;
        self.y += o.y;
        self.z += o.z;
    }
}

/// A symmetric 3 × 3 matrix per lane.
#[derive(Debug, Clone, Copy, Default)]
pub struct Symmetric<L> {
    pub xx: L,
    pub xy: L,
    pub xz: L,
    pub yy: L,
    pub yz: L,
    pub zz: L,
}

impl<L: Real> Symmetric<L> {
    pub const ZERO: Self = Self { xx: L::ZERO, xy: L::ZERO, xz: L::ZERO, yy: L::ZERO, yz: L::ZERO, zz: L::ZERO };

    /// s · 1.
    #[inline(always)]
    pub fn scalar(s: L) -> Self {
        Self { xx: s, yy: s, zz: s, ..Self::ZERO }
    }

    /// Sets one lane to the lower triangle of a matrix.
    pub fn set(&mut self, index: usize, m: &Mat3)
    where
        L::One: From<f32>,
    {
        self.xx.set_lane(index, m.x_axis.x.into());
        self.xy.set_lane(index, m.x_axis.y.into());
        self.xz.set_lane(index, m.x_axis.z.into());
        self.yy.set_lane(index, m.y_axis.y.into());
        self.yz.set_lane(index, m.y_axis.z.into());
        self.zz.set_lane(index, m.z_axis.z.into());
    }

    /// Its rows.
    #[inline(always)]
    pub fn rows(&self) -> Matrix<L> {
        Matrix {
            x: Vectors { x: self.xx, y: self.xy, z: self.xz },
            y: Vectors { x: self.xy, y: self.yy, z: self.yz },
            z: Vectors { x: self.xz, y: self.yz, z: self.zz },
        }
    }

    #[inline(always)]
    pub fn times(&self, v: Vectors<L>) -> Vectors<L> {
        Vectors {
            x: self.xx * v.x + self.xy * v.y + self.xz * v.z,
            y: self.xy * v.x + self.yy * v.y + self.yz * v.z,
            z: self.xz * v.x + self.yz * v.y + self.zz * v.z,
        }
    }

    /// R S Rᵀ.
    #[inline(always)]
    pub fn turned(&self, r: &Matrix<L>) -> Self {
        let (x, y, z) = (self.times(r.x), self.times(r.y), self.times(r.z));
        Self { xx: r.x.dot(x), xy: r.x.dot(y), xz: r.x.dot(z), yy: r.y.dot(y), yz: r.y.dot(z), zz: r.z.dot(z) }
    }

    #[inline(always)]
    pub fn masked(&self, mask: L::Mask) -> Self {
        Self {
            xx: self.xx.masked(mask),
            xy: self.xy.masked(mask),
            xz: self.xz.masked(mask),
            yy: self.yy.masked(mask),
            yz: self.yz.masked(mask),
            zz: self.zz.masked(mask),
        }
    }
}

impl<L: Real> AddAssign for Symmetric<L> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        self.xx += o.xx;
        self.xy += o.xy;
        self.xz += o.xz;
        self.yy += o.yy;
        self.yz += o.yz;
        self.zz += o.zz;
    }
}

/// L D Lᵀ of a positive definite 3 × 3 matrix: L's entries below the diagonal, and 1/D.
#[derive(Debug, Clone, Copy, Default)]
pub struct LdltFactors<L> {
    yx: L,
    zx: L,
    zy: L,
    d: Vectors<L>,
}

impl<L: Real> LdltFactors<L> {
    #[inline(always)]
    pub fn of(m: &Symmetric<L>) -> Self {
        let dx = L::ONE / m.xx;
        let (yx, zx) = (m.xy * dx, m.xz * dx);
        let dy = L::ONE / (m.yy - m.xy * yx);
        let yz = m.yz - m.xz * yx;
        let zy = yz * dy;
        let dz = L::ONE / (m.zz - m.xz * zx - yz * zy);
        Self { yx, zx, zy, d: Vectors { x: dx, y: dy, z: dz } }
    }

    /// L⁻¹ v.
    #[inline(always)]
    pub fn forward(&self, v: Vectors<L>) -> Vectors<L> {
        let y = v.y - self.yx * v.x;
        Vectors { x: v.x, y, z: v.z - self.zx * v.x - self.zy * y }
    }

    /// D⁻¹ v.
    #[inline(always)]
    pub fn scaled(&self, v: Vectors<L>) -> Vectors<L> {
        Vectors { x: v.x * self.d.x, y: v.y * self.d.y, z: v.z * self.d.z }
    }

    /// L⁻ᵀ v.
    #[inline(always)]
    pub fn back(&self, v: Vectors<L>) -> Vectors<L> {
        let y = v.y - self.zy * v.z;
        Vectors { x: v.x - self.yx * y - self.zx * v.z, y, z: v.z }
    }

    #[inline(always)]
    pub fn solve(&self, v: Vectors<L>) -> Vectors<L> {
        self.back(self.scaled(self.forward(v)))
    }
}
