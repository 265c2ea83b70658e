//! The floor: a program that does only one exact step of equal chains of beads, with eight chains side by side in the
//! lanes of a processor, one group of eight after the other while it is in the cache. It shows how fast the machine
//! can be.
//!
//! ```text
//! bead k: position x, lever e from its centre to the next joint, 1/m = w, 1/I = i (a ball's, about every axis)
//! joint k   J u = (v_k − ω_k × e_k) − (v_{k−1} + ω_{k−1} × e_{k−1}),   C likewise of the positions
//! T = ‖e‖² − e eᵀ       A_kk = (w + w) + i T_k + i T_{k−1},   A_{k+1,k} = −w + i T_k       (all symmetric)
//! ```
//! A is block tridiagonal: eliminated from the fixed end to the free end, then solved backwards. Errors are corrected
//! by Baumgarte's β/h.

use std::thread;

use glam::{Quat, Vec3};
use wide::f32x8;

use work::scene::{BEAD, BEADS, G, H, SPACING, Scene};
use work::{Engine, serve};

const BETA: f32 = 0.2;
const LANES: usize = 8;

/// Three numbers in eight lanes.
#[derive(Clone, Copy, Default)]
struct Three(f32x8, f32x8, f32x8);

impl Three {
    fn splat(v: Vec3) -> Self {
        Self(f32x8::splat(v.x), f32x8::splat(v.y), f32x8::splat(v.z))
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(self.0 + o.0, self.1 + o.1, self.2 + o.2)
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(self.0 - o.0, self.1 - o.1, self.2 - o.2)
    }
    #[inline(always)]
    fn times(self, s: f32x8) -> Self {
        Self(self.0 * s, self.1 * s, self.2 * s)
    }
    #[inline(always)]
    fn dot(self, o: Self) -> f32x8 {
        self.0 * o.0 + self.1 * o.1 + self.2 * o.2
    }
    #[inline(always)]
    fn cross(self, o: Self) -> Self {
        Self(self.1 * o.2 - self.2 * o.1, self.2 * o.0 - self.0 * o.2, self.0 * o.1 - self.1 * o.0)
    }
}

/// A symmetric matrix: xx, yy, zz, xy, xz, yz.
#[derive(Clone, Copy, Default)]
struct Symmetric([f32x8; 6]);

impl Symmetric {
    /// a + i (‖e‖² − e eᵀ).
    #[inline(always)]
    fn of(a: f32x8, i: f32x8, e: Three) -> Self {
        let on = a + i * e.dot(e);
        let Three(x, y, z) = e;
        Self([on - i * x * x, on - i * y * y, on - i * z * z, -(i * x * y), -(i * x * z), -(i * y * z)])
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        let mut sum = self.0;
        sum.iter_mut().zip(o.0).for_each(|(a, b)| *a += b);
        Self(sum)
    }
    #[inline(always)]
    fn times(self, v: Three) -> Three {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        Three(xx * v.0 + xy * v.1 + xz * v.2, xy * v.0 + yy * v.1 + yz * v.2, xz * v.0 + yz * v.1 + zz * v.2)
    }
    #[inline(always)]
    fn columns(self) -> [Three; 3] {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        [Three(xx, xy, xz), Three(xy, yy, yz), Three(xz, yz, zz)]
    }
    #[inline(always)]
    fn inverse(self) -> Self {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        let (a, d, e) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy);
        let (b, f, c) = (xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy);
        let one = f32x8::splat(1.0) / (xx * a + xy * d + xz * e);
        Self([a * one, b * one, c * one, d * one, e * one, f * one])
    }
    /// self − B D B, where `through` is D.
    #[inline(always)]
    fn less(self, b: Self, through: Self) -> Self {
        let [p, q, r] = b.columns().map(|column| through.times(column));
        let [bx, by, bz] = b.columns();
        let taken = [bx.dot(p), by.dot(q), bz.dot(r), bx.dot(q), bx.dot(r), by.dot(r)];
        let mut rest = self.0;
        rest.iter_mut().zip(taken).for_each(|(a, b)| *a -= b);
        Self(rest)
    }
}

#[derive(Clone, Copy, Default)]
struct Bead {
    x: Three,
    /// Rotation: vector and scalar part.
    q: (Three, f32x8),
    v: Three,
    w: Three,
}

/// Eight chains.
#[derive(Clone)]
struct Group {
    nail: Three,
    beads: [Bead; BEADS],
}

impl Bead {
    /// Half of the spacing along the bead's own x axis.
    #[inline(always)]
    fn lever(&self) -> Three {
        let (Three(x, y, z), s) = self.q;
        let (one, two) = (f32x8::splat(1.0), f32x8::splat(2.0));
        Three(one - two * (y * y + z * z), two * (x * y + s * z), two * (x * z - s * y))
            .times(f32x8::splat(0.5 * SPACING))
    }

    #[inline(always)]
    fn advance(&mut self, h: f32x8) {
        self.x = self.x.add(self.v.times(h));
        let (turn, (v, s)) = (self.w.times(h * f32x8::splat(0.5)), self.q);
        let q = (v.add(turn.times(s)).add(turn.cross(v)), s - turn.dot(v));
        let one = f32x8::splat(1.0) / (q.0.dot(q.0) + q.1 * q.1).sqrt();
        self.q = (q.0.times(one), q.1 * one);
    }
}

impl Group {
    fn step(&mut self, h: f32) {
        let (rate, h) = (f32x8::splat(BETA / h), f32x8::splat(h));
        let (w, i) = (f32x8::splat(1.0), f32x8::splat(1.0 / (0.4 * BEAD * BEAD)));
        let gravity = Three::splat(Vec3::NEG_Z * G).times(h);
        let mut levers = [Three::default(); BEADS];
        let mut inverses = [Symmetric::default(); BEADS];
        let mut right = [Three::default(); BEADS];
        // The upper end of the joint: its position and velocity, and its body's contribution to A.
        let (mut end, mut speed, mut above) = (self.nail, Three::default(), Symmetric::default());
        let mut between = Symmetric::default();
        for k in 0..BEADS {
            let bead = &mut self.beads[k];
            bead.v = bead.v.add(gravity);
            let e = bead.lever();
            levers[k] = e;
            let spin = bead.w.cross(e);
            let wrong = bead.v.sub(spin).sub(speed).add(bead.x.sub(e).sub(end).times(rate));
            let own = Symmetric::of(w, i, e);
            let a = own.add(above);
            if k == 0 {
                (right[k], inverses[k]) = (wrong, a.inverse());
            } else {
                let before = inverses[k - 1].times(right[k - 1]);
                right[k] = wrong.sub(between.times(before));
                inverses[k] = a.less(between, inverses[k - 1]).inverse();
            }
            (end, speed, above) = (bead.x.add(e), bead.v.add(spin), own);
            between = Symmetric::of(-w, i, e);
        }
        let mut below = Three::default();
        for k in (0..BEADS).rev() {
            let e = levers[k];
            let mut rest = Three::default().sub(right[k]);
            if k + 1 < BEADS {
                rest = rest.sub(Symmetric::of(-w, i, e).times(below));
            }
            let impulse = inverses[k].times(rest);
            let bead = &mut self.beads[k];
            bead.v = bead.v.add(impulse.sub(below).times(w));
            bead.w = bead.w.sub(e.cross(impulse.add(below)).times(i));
            bead.advance(h);
            below = impulse;
        }
    }
}

struct Floor {
    groups: Vec<Group>,
    chains: usize,
    substeps: usize,
    threads: usize,
}

impl Floor {
    /// The scene's chains, in the order in which it lists them.
    fn new(scene: &Scene, substeps: usize, threads: usize) -> Self {
        let chains = scene.bodies.len() / BEADS;
        let lanes = |of: &dyn Fn(usize) -> Vec3, group: usize| {
            let each = |pick: fn(Vec3) -> f32| {
                f32x8::from(std::array::from_fn::<f32, LANES, _>(|k| pick(of((group * LANES + k).min(chains - 1)))))
            };
            Three(each(|v| v.x), each(|v| v.y), each(|v| v.z))
        };
        let groups = (0..chains.div_ceil(LANES)).map(|group| {
            let beads = std::array::from_fn(|k| Bead {
                x: lanes(&|chain| scene.bodies[chain * BEADS + k].at, group),
                q: (Three::default(), f32x8::splat(1.0)),
                ..Bead::default()
            });
            Group { nail: lanes(&|chain| scene.joints[chain * BEADS].anchor, group), beads }
        });
        Self { groups: groups.collect(), chains, substeps, threads }
    }
}

impl Engine for Floor {
    fn step(&mut self) {
        let share = self.groups.len().div_ceil(self.threads);
        let substeps = self.substeps;
        let work = |groups: &mut [Group]| {
            groups.iter_mut().for_each(|group| (0..substeps).for_each(|_| group.step(H / substeps as f32)));
        };
        if self.threads == 1 {
            return work(&mut self.groups);
        }
        thread::scope(|scope| {
            self.groups.chunks_mut(share).for_each(|groups| {
                scope.spawn(|| work(groups));
            });
        });
    }

    fn poses(&self) -> Vec<(Vec3, Quat)> {
        let lane = |v: f32x8, k: usize| v.to_array()[k];
        let three = |v: Three, k: usize| Vec3::new(lane(v.0, k), lane(v.1, k), lane(v.2, k));
        let of = |chain: usize, bead: usize| {
            let (bead, k) = (&self.groups[chain / LANES].beads[bead], chain % LANES);
            (three(bead.x, k), Quat::from_vec4(three(bead.q.0, k).extend(lane(bead.q.1, k))))
        };
        (0..self.chains).flat_map(|chain| (0..BEADS).map(move |bead| of(chain, bead))).collect()
    }
}

fn main() -> std::io::Result<()> {
    serve(|scene, options| {
        let number = |k: usize| options.get(k).and_then(|word| word.parse().ok()).unwrap_or(1);
        Floor::new(scene, number(0), number(1))
    })
}
