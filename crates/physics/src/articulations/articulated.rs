//! Articulated-body elimination for one body of a tree and the joint to its parent, eight trees at a time: the
//! inertia and impulse that the joint passes on from its subtree.
//!
//! ```text
//! at the anchor, velocity (v, ω):   M̂ = [A B; Bᵀ C],  M̂ (v, ω) + p = f       f: joint impulse, p: from the subtree
//! at a point at offset l            v_here = v + [l] ω:   B + A[l],  C + X + Xᵀ,  X = −[l](B + ½ A[l])
//!
//! ball     ω is free:   G = B C⁻¹,  E = A − G Bᵀ,  p' = p_v − G p_ω           f = E v + p'
//!          ω = −Gᵀ v − C⁻¹ p_ω
//! axis s   free, one after another:   w = M̂ s,  D = sᵀ w,  M̂' = M̂ − w wᵀ/D,  p' = p − w (s·p)/D
//!          q̇ = −(w · (v, ω) + s·p)/D,  (v, ω) + s q̇                            f = M̂' (v, ω) + p'
//!
//! leaves to root    M̂_p += M̂' and p_p += M̂' c + p', both at the parent's centre; c: the velocity that the rows want
//! root to leaves    (v, ω) = the parent's at the anchor + c, then the motion along the free directions
//! ```
//! This is the elimination of `solvers/tree`, with the joint's motion expressed by its free directions instead of its
//! rows, so that a ball needs a 3 × 3 matrix where rows would need 6 × 6. Velocities are computed from the parent's,
//! so the joint constraints hold to rounding, and rounding in M̂ only acts as a small error of the masses.
//! Source: Featherstone 1983, 2008, ch. 7.

use crate::kernel::lanes::{Lanes, LdltFactors, Matrices, Symmetric, Vectors, select, splat};

/// The articulated inertia of a body with its subtree, for motions of one of its points: [A B; Bᵀ C].
#[derive(Debug, Clone, Copy, Default)]
pub struct ArticulatedInertia {
    a: Symmetric,
    b: Matrices,
    c: Symmetric,
}

/// A spatial velocity (v of a point, ω) or a spatial impulse (at a point, about it).
#[derive(Debug, Clone, Copy, Default)]
pub struct SpatialVector {
    pub v: Vectors,
    pub w: Vectors,
}

impl SpatialVector {
    pub const ZERO: Self = Self { v: Vectors::ZERO, w: Vectors::ZERO };

    #[inline(always)]
    pub fn masked(self, mask: Lanes) -> Self {
        Self { v: self.v.masked(mask), w: self.w.masked(mask) }
    }

    /// The velocity at offset `l` from the present point.
    #[inline(always)]
    pub fn motion_at(self, l: Vectors) -> Self {
        Self { v: self.v + self.w.cross(l), w: self.w }
    }

    /// An impulse that acts at offset `l`, moved to the present point.
    #[inline(always)]
    pub fn force_from(self, l: Vectors) -> Self {
        Self { v: self.v, w: self.w + l.cross(self.v) }
    }
}

/// A[l], by rows; [l] is the cross-product matrix.
#[inline(always)]
fn crossed(a: &Matrices, l: Vectors) -> Matrices {
    Matrices { x: a.x.cross(l), y: a.y.cross(l), z: a.z.cross(l) }
}

/// X + Xᵀ with X = −[l] n.
#[inline(always)]
fn symmetric_sum(l: Vectors, n: &Matrices) -> Symmetric {
    let (x, y, z) = (n.y * l.z - n.z * l.y, n.z * l.x - n.x * l.z, n.x * l.y - n.y * l.x);
    Symmetric { xx: x.x + x.x, xy: x.y + y.x, xz: x.z + z.x, yy: y.y + y.y, yz: y.z + z.y, zz: z.z + z.z }
}

impl ArticulatedInertia {
    pub const ZERO: Self = Self { a: Symmetric::ZERO, b: Matrices::ZERO, c: Symmetric::ZERO };

    /// Adds a body's own mass and inertia; the reference point must be its centre of mass.
    #[inline(always)]
    pub fn add_body(&mut self, mass: Lanes, inertia: &Symmetric) {
        self.a.xx += mass;
        self.a.yy += mass;
        self.a.zz += mass;
        self.c += *inertia;
    }

    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        self.a += other.a;
        self.b += other.b;
        self.c += other.c;
    }

    /// The inertia for motions of the point at offset `l`.
    #[inline(always)]
    pub fn at_offset(&self, l: Vectors) -> Self {
        let h = crossed(&self.a.rows(), l);
        let half = splat(0.5);
        let n = Matrices { x: self.b.x + h.x * half, y: self.b.y + h.y * half, z: self.b.z + h.z * half };
        let (mut b, mut c) = (self.b, self.c);
        b += h;
        c += symmetric_sum(l, &n);
        Self { a: self.a, b, c }
    }

    #[inline(always)]
    pub fn masked(&self, mask: Lanes) -> Self {
        Self { a: self.a.masked(mask), b: self.b.masked(mask), c: self.c.masked(mask) }
    }

    #[inline(always)]
    pub fn times(&self, t: SpatialVector) -> SpatialVector {
        SpatialVector { v: self.a.times(t.v) + self.b.times(t.w), w: self.b.transposed_times(t.v) + self.c.times(t.w) }
    }

    /// The velocity of a free point under −p, with the rotation already eliminated.
    #[inline(always)]
    pub fn free_point_velocity(e: &Symmetric, p: Vectors) -> Vectors {
        -LdltFactors::of(e).solve(p)
    }

    /// A: the mass matrix of the point, once all rotation is eliminated.
    #[inline(always)]
    pub fn of_point(&self) -> &Symmetric {
        &self.a
    }
}

/// Eliminated rotation of a ball joint.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ball {
    /// B C⁻¹.
    g: Matrices,
    /// Factors of C.
    factors: LdltFactors,
}

impl Ball {
    /// Eliminates ω; also returns E.
    #[inline(always)]
    pub fn eliminate(hat: &ArticulatedInertia) -> (Self, Symmetric) {
        let f = LdltFactors::of(&hat.c);
        let (x, y, z) = (f.forward(hat.b.x), f.forward(hat.b.y), f.forward(hat.b.z));
        let (sx, sy, sz) = (f.scaled(x), f.scaled(y), f.scaled(z));
        let a = &hat.a;
        let e = Symmetric {
            xx: a.xx - x.dot(sx),
            xy: a.xy - x.dot(sy),
            xz: a.xz - x.dot(sz),
            yy: a.yy - y.dot(sy),
            yz: a.yz - y.dot(sz),
            zz: a.zz - z.dot(sz),
        };
        (Self { g: Matrices { x: f.back(sx), y: f.back(sy), z: f.back(sz) }, factors: f }, e)
    }

    /// p' of p at the anchor, and C⁻¹ p_ω, which [`Self::up`] needs.
    #[inline(always)]
    pub fn down(&self, p: SpatialVector) -> (Vectors, Vectors) {
        (p.v - self.g.times(p.w), self.factors.solve(p.w))
    }

    /// ω from the anchor's velocity `v` and the vector that [`Self::down`] returned.
    #[inline(always)]
    pub fn up(&self, v: Vectors, left: Vectors) -> Vectors {
        -(self.g.transposed_times(v) + left)
    }
}

/// E as the parent's articulated inertia; `arm` is the anchor's offset from the parent's centre.
#[inline(always)]
pub fn for_parent(e: &Symmetric, arm: Vectors) -> ArticulatedInertia {
    ArticulatedInertia { a: *e, b: Matrices::ZERO, c: Symmetric::ZERO }.at_offset(-arm)
}

/// One eliminated free axis.
#[derive(Debug, Clone, Copy, Default)]
pub struct FreeAxis {
    s: Vectors,
    w: SpatialVector,
    /// 1/D; zero in lanes where the axis is not free.
    inverse: Lanes,
}

impl FreeAxis {
    /// Eliminates rotation about `s`, unit, in the lanes where it is `free`.
    #[inline(always)]
    pub fn eliminate(hat: &mut ArticulatedInertia, s: Vectors, free: Lanes) -> Self {
        let w = SpatialVector { v: hat.b.times(s), w: hat.c.times(s) };
        let inverse = (Lanes::ONE / select(free, s.dot(w.w), Lanes::ONE)) & free;
        let by = SpatialVector { v: w.v * inverse, w: w.w * inverse };
        let (v, u) = (w.v, w.w);
        hat.a.xx -= v.x * by.v.x;
        hat.a.xy -= v.x * by.v.y;
        hat.a.xz -= v.x * by.v.z;
        hat.a.yy -= v.y * by.v.y;
        hat.a.yz -= v.y * by.v.z;
        hat.a.zz -= v.z * by.v.z;
        hat.b.x -= by.w * v.x;
        hat.b.y -= by.w * v.y;
        hat.b.z -= by.w * v.z;
        hat.c.xx -= u.x * by.w.x;
        hat.c.xy -= u.x * by.w.y;
        hat.c.xz -= u.x * by.w.z;
        hat.c.yy -= u.y * by.w.y;
        hat.c.yz -= u.y * by.w.z;
        hat.c.zz -= u.z * by.w.z;
        Self { s, w, inverse }
    }

    /// Replaces p by p', and returns s · p, which [`Self::up`] needs.
    #[inline(always)]
    pub fn down(&self, p: &mut SpatialVector) -> Lanes {
        let along = self.s.dot(p.w);
        let share = along * self.inverse;
        p.v -= self.w.v * share;
        p.w -= self.w.w * share;
        along
    }

    /// Adds the rotation about the axis to a velocity.
    #[inline(always)]
    pub fn up(&self, motion: &mut SpatialVector, along: Lanes) {
        let rate = (self.w.v.dot(motion.v) + self.w.w.dot(motion.w) + along) * self.inverse;
        motion.w -= self.s * rate;
    }
}
