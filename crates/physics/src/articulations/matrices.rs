//! 3 × 3 matrices in eight lanes, one mechanism per lane.

use std::ops::AddAssign;

use glam::Mat3;

use super::lanes::{Lanes, Vectors, set};
use crate::kernel::rotation::Quaternion;

/// Unit quaternions.
pub type Quaternions = Quaternion<Lanes>;

/// 3 × 3 matrices, by rows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Matrices {
    pub x: Vectors,
    pub y: Vectors,
    pub z: Vectors,
}

impl Matrices {
    pub const ZERO: Self = Self { x: Vectors::ZERO, y: Vectors::ZERO, z: Vectors::ZERO };

    /// The rotation matrices of unit quaternions.
    #[inline(always)]
    pub fn of(q: Quaternions) -> Self {
        let (d, w) = (q.v + q.v, q.w);
        let (xx, yy, zz) = (d.x * q.v.x, d.y * q.v.y, d.z * q.v.z);
        let (xy, xz, yz) = (d.x * q.v.y, d.x * q.v.z, d.y * q.v.z);
        let (wx, wy, wz) = (d.x * w, d.y * w, d.z * w);
        let one = Lanes::ONE;
        Self {
            x: Vectors { x: one - (yy + zz), y: xy - wz, z: xz + wy },
            y: Vectors { x: xy + wz, y: one - (xx + zz), z: yz - wx },
            z: Vectors { x: xz - wy, y: yz + wx, z: one - (xx + yy) },
        }
    }

    /// M v.
    #[inline(always)]
    pub fn times(&self, v: Vectors) -> Vectors {
        Vectors { x: self.x.dot(v), y: self.y.dot(v), z: self.z.dot(v) }
    }

    /// Mᵀ v.
    #[inline(always)]
    pub fn transposed_times(&self, v: Vectors) -> Vectors {
        self.x * v.x + self.y * v.y + self.z * v.z
    }

    #[inline(always)]
    pub fn masked(&self, mask: Lanes) -> Self {
        Self { x: self.x.masked(mask), y: self.y.masked(mask), z: self.z.masked(mask) }
    }
}

impl AddAssign for Matrices {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        self.x += o.x;
        self.y += o.y;
        self.z += o.z;
    }
}

/// Symmetric 3 × 3 matrices.
#[derive(Debug, Clone, Copy, Default)]
pub struct Symmetric {
    pub xx: Lanes,
    pub xy: Lanes,
    pub xz: Lanes,
    pub yy: Lanes,
    pub yz: Lanes,
    pub zz: Lanes,
}

impl Symmetric {
    pub const ZERO: Self =
        Self { xx: Lanes::ZERO, xy: Lanes::ZERO, xz: Lanes::ZERO, yy: Lanes::ZERO, yz: Lanes::ZERO, zz: Lanes::ZERO };

    /// s · 1.
    #[inline(always)]
    pub fn scalar(s: Lanes) -> Self {
        Self { xx: s, yy: s, zz: s, ..Self::ZERO }
    }

    pub fn set(&mut self, index: usize, m: &Mat3) {
        set(&mut self.xx, index, m.x_axis.x);
        set(&mut self.xy, index, m.x_axis.y);
        set(&mut self.xz, index, m.x_axis.z);
        set(&mut self.yy, index, m.y_axis.y);
        set(&mut self.yz, index, m.y_axis.z);
        set(&mut self.zz, index, m.z_axis.z);
    }

    #[inline(always)]
    pub fn lane(&self, index: usize) -> Mat3 {
        let Matrices { x, y, z } = self.rows();
        Mat3::from_cols(x.lane(index), y.lane(index), z.lane(index))
    }

    /// Its rows.
    #[inline(always)]
    pub fn rows(&self) -> Matrices {
        Matrices {
            x: Vectors { x: self.xx, y: self.xy, z: self.xz },
            y: Vectors { x: self.xy, y: self.yy, z: self.yz },
            z: Vectors { x: self.xz, y: self.yz, z: self.zz },
        }
    }

    #[inline(always)]
    pub fn times(&self, v: Vectors) -> Vectors {
        Vectors {
            x: self.xx * v.x + self.xy * v.y + self.xz * v.z,
            y: self.xy * v.x + self.yy * v.y + self.yz * v.z,
            z: self.xz * v.x + self.yz * v.y + self.zz * v.z,
        }
    }

    /// R S Rᵀ.
    #[inline(always)]
    pub fn turned(&self, r: &Matrices) -> Self {
        let (x, y, z) = (self.times(r.x), self.times(r.y), self.times(r.z));
        Self { xx: r.x.dot(x), xy: r.x.dot(y), xz: r.x.dot(z), yy: r.y.dot(y), yz: r.y.dot(z), zz: r.z.dot(z) }
    }

    #[inline(always)]
    pub fn masked(&self, mask: Lanes) -> Self {
        Self {
            xx: self.xx & mask,
            xy: self.xy & mask,
            xz: self.xz & mask,
            yy: self.yy & mask,
            yz: self.yz & mask,
            zz: self.zz & mask,
        }
    }
}

impl AddAssign for Symmetric {
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
pub struct LdltFactors {
    yx: Lanes,
    zx: Lanes,
    zy: Lanes,
    d: Vectors,
}

impl LdltFactors {
    #[inline(always)]
    pub fn of(m: &Symmetric) -> Self {
        let dx = Lanes::ONE / m.xx;
        let (yx, zx) = (m.xy * dx, m.xz * dx);
        let dy = Lanes::ONE / (m.yy - m.xy * yx);
        let yz = m.yz - m.xz * yx;
        let zy = yz * dy;
        let dz = Lanes::ONE / (m.zz - m.xz * zx - yz * zy);
        Self { yx, zx, zy, d: Vectors { x: dx, y: dy, z: dz } }
    }

    /// L⁻¹ v.
    #[inline(always)]
    pub fn forward(&self, v: Vectors) -> Vectors {
        let y = v.y - self.yx * v.x;
        Vectors { x: v.x, y, z: v.z - self.zx * v.x - self.zy * y }
    }

    /// D⁻¹ v.
    #[inline(always)]
    pub fn scaled(&self, v: Vectors) -> Vectors {
        Vectors { x: v.x * self.d.x, y: v.y * self.d.y, z: v.z * self.d.z }
    }

    /// L⁻ᵀ v.
    #[inline(always)]
    pub fn back(&self, v: Vectors) -> Vectors {
        let y = v.y - self.zy * v.z;
        Vectors { x: v.x - self.yx * y - self.zx * v.z, y, z: v.z }
    }

    #[inline(always)]
    pub fn solve(&self, v: Vectors) -> Vectors {
        self.back(self.scaled(self.forward(v)))
    }
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::super::lanes::LANES;
    use super::*;

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
