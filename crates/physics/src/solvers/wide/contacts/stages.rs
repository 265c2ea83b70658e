//! Stages other than the sweeps for contacts in lanes: `warm_start/`, `warm_start_limiter.rs` and the residual of
//! `common.rs`.

use super::memory::Sums;
use super::rows::AngularRow;
use super::{ContactGroup, Entry, WideContacts};
use crate::body::Velocity;
use crate::collide::Pair;
use crate::kernel::row::{self, SolverRow};
use crate::solvers::wide::lanes::{LANES, LanePair, Lanes, Vectors};
use glam::Vec3;

/// Adds impulse × value to each of the two sums, by lane.
#[inline(always)]
fn add(sums: &mut [[f64; LANES]; 2], impulse: Lanes, values: [Lanes; 2]) {
    let impulse = impulse.to_array();
    for (sum, value) in sums.iter_mut().zip(values) {
        let value = value.to_array();
        for lane in 0..LANES {
            sum[lane] += f64::from(impulse[lane]) * f64::from(value[lane]);
        }
    }
}

impl ContactGroup {
    /// Calls `act` with each row's J u and J v, bias and impulse.
    #[inline(always)]
    fn each(&self, (u, v): (&LanePair, &LanePair), mut act: impl FnMut([Lanes; 2], Lanes, Lanes)) {
        let (normals, masses) = (self.of_normals(), self.inv_m());
        for row in &self.normals[..self.shape.normals as usize] {
            act([row.speed(normals, &u.a, &u.b), row.speed(normals, &v.a, &v.b)], row.bias, row.impulse);
        }
        for row in &self.slides {
            act([row.speed(masses, &u.a, &u.b), row.speed(masses, &v.a, &v.b)], row.bias, row.impulse);
        }
        self.each_angular(|row| {
            act([row.speed((), &u.a, &u.b), row.speed((), &v.a, &v.b)], Lanes::ZERO, row.impulse);
        });
    }

    /// Calls `act` with the twist and the rolling rows that it has.
    #[inline(always)]
    pub(super) fn each_angular(&self, mut act: impl FnMut(&AngularRow)) {
        if self.shape.twist {
            act(&self.twist);
        }
        if self.shape.rolling {
            self.rolling.iter().for_each(act);
        }
    }

    /// The lanes in which a row has an impulse.
    #[inline(always)]
    fn loaded_lanes(&self) -> Lanes {
        let mut bears = Lanes::ZERO;
        let mut note = |impulse: Lanes| bears |= impulse.simd_ne(Lanes::ZERO);
        self.normals[..self.shape.normals as usize].iter().for_each(|row| note(row.impulse));
        self.slides.iter().for_each(|row| note(row.impulse));
        self.each_angular(|row| note(row.impulse));
        bears
    }

    /// Applies the group's present impulses to the velocities.
    #[inline(always)]
    pub(super) fn start(&self, velocities: &mut [Velocity]) {
        let mut ends = self.gather(velocities);
        self.apply(&mut ends);
        self.scatter(&ends, velocities);
    }

    #[inline(always)]
    fn apply(&self, ends: &mut LanePair) {
        let (normals, masses) = (self.of_normals(), self.inv_m());
        for row in &self.normals[..self.shape.normals as usize] {
            row.apply(normals, ends, row.impulse);
        }
        self.slides.iter().for_each(|row| row.apply(masses, ends, row.impulse));
        self.each_angular(|row| row.apply((), ends, row.impulse));
    }
}

impl WideContacts {
    /// Applies the present impulses of all contacts to the velocities.
    pub fn apply(&self, velocities: &mut [Velocity]) {
        self.groups.iter().for_each(|group| group.start(velocities));
    }

    /// Computes `sums_of` for every group and passes each contact's bodies and sums to `each`, in their order.
    fn sum(&mut self, mut each: impl FnMut([u32; 2], Sums), sums_of: impl Fn(&ContactGroup) -> [[f64; LANES]; 2]) {
        let Self { sums, groups, entries, .. } = self;
        sums.resize(entries.len(), [0.0; 2]);
        for group in groups.iter() {
            let [first, second] = sums_of(group);
            for (lane, entry) in group.entries[..group.lanes].iter().enumerate() {
                sums[*entry as usize] = [first[lane], second[lane]];
            }
        }
        for (entry, sums) in entries.iter().zip(&*sums) {
            each([entry.a, entry.b], *sums);
        }
    }

    /// λᵀ(J u + b) and λᵀ J v of each contact, J; b is left out if `feeds`, when the bias feeds position errors back.
    pub fn start_work(&mut self, u: &[Velocity], v: &[Velocity], feeds: bool, each: impl FnMut([u32; 2], Sums)) {
        self.sum(each, |group| {
            let (u, v) = (group.gather(u), group.gather(v));
            let mut sums = [[0.0; LANES]; 2];
            group.each((&u, &v), |[u, v], bias, impulse| {
                let bias = if feeds { Lanes::ZERO } else { bias };
                add(&mut sums, impulse, [u + bias, v]);
            });
            sums
        });
    }

    /// ½ λᵀ(J u + J v + 2 b) of each contact, J; b is left out if `feeds`.
    pub fn end_work(&mut self, u: &[Velocity], v: &[Velocity], feeds: bool, each: impl FnMut([u32; 2], Sums)) {
        self.sum(each, |group| {
            let (u, v) = (group.gather(u), group.gather(v));
            let mut sums = [[0.0; LANES]; 2];
            group.each((&u, &v), |[u, v], bias, impulse| {
                let bias = if feeds { Lanes::ZERO } else { bias };
                add(&mut sums, Lanes::HALF * impulse, [u + v + Lanes::splat(2.0) * bias, Lanes::ZERO]);
            });
            sums
        });
    }

    /// The bodies of each contact with a non-zero impulse.
    pub fn loaded_pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        self.groups.iter().flat_map(|group| {
            let bears = group.loaded_lanes().to_bitmask();
            (0..group.lanes).filter(move |lane| bears & (1 << lane) != 0).map(|lane| [group.a[lane], group.b[lane]])
        })
    }

    /// Scales the impulses of each contact by `share` of its bodies.
    pub fn scale(&mut self, share: impl Fn([u32; 2]) -> f32) {
        for group in &mut self.groups {
            let shares: [f32; LANES] = std::array::from_fn(|lane| share([group.a[lane], group.b[lane]]));
            let share = Lanes::from(shares);
            group.normals.iter_mut().for_each(|row| row.impulse *= share);
            group.slides.iter_mut().for_each(|row| row.impulse *= share);
            group.twist.impulse *= share;
            group.rolling.iter_mut().for_each(|row| row.impulse *= share);
        }
    }

    /// The largest residual speed of a normal, m/s; see `measure_residuals`.
    pub fn residual(&self, velocities: &[Velocity]) -> f32 {
        let mut worst = Lanes::ZERO;
        for group in &self.groups {
            let ends = group.gather(velocities);
            for row in &group.normals[..group.shape.normals as usize] {
                let wrong = row::residual::<true, _, _>(&ends, row, group.of_normals());
                let off = row.inv_k.simd_eq(Lanes::ZERO);
                let settled = off | (row.impulse.simd_le(Lanes::ZERO) & wrong.simd_gt(Lanes::ZERO));
                let moved = (Lanes::splat(1.0) - row.gamma * row.inv_k).fast_max(Lanes::ZERO);
                let size = (wrong * moved).abs().fast_min(Lanes::splat(f32::MAX));
                worst = worst.fast_max(!settled & group.used & size);
            }
        }
        worst.to_array().into_iter().fold(0.0, f32::max)
    }

    /// Stores the impulses in the manifolds; `keep` maps each impulse to the stored value.
    pub fn store(&self, pairs: &mut [Pair], mut keep: impl FnMut(f32) -> f32) {
        for group in &self.groups {
            let mut kept = |impulse: Lanes| Lanes::from(impulse.to_array().map(&mut keep));
            let mut normals = [[0.0; LANES]; 4];
            for (to, row) in normals.iter_mut().zip(&group.normals[..group.shape.normals as usize]) {
                *to = kept(row.impulse).to_array();
            }
            let [first, second] = &group.slides;
            let (x, y) = (kept(first.impulse), kept(second.impulse));
            let friction = Vectors::default() + first.lin * x + second.lin * y;
            let twist = if group.shape.twist { kept(group.twist.impulse) } else { Lanes::ZERO }.to_array();
            let rolling = if group.shape.rolling {
                let [first, second] = &group.rolling;
                let (x, y) = (kept(first.impulse), kept(second.impulse));
                Vectors::default() + first.axis * x + second.axis * y
            } else {
                Vectors::default()
            };
            for lane in 0..group.lanes {
                let entry: &Entry = &self.entries[group.entries[lane] as usize];
                let manifold = &mut pairs[entry.pair as usize].near.manifold;
                manifold.impact_share = 0.0;
                (manifold.friction, manifold.rolling) = (friction.lane(lane), rolling.lane(lane));
                manifold.twist = twist[lane];
                manifold.friction_model = self.friction_model(entry, manifold.arm);
                for (point, normals) in manifold.points.iter_mut().zip(&normals) {
                    (point.impulse, point.friction) = (normals[lane], Vec3::ZERO);
                }
            }
        }
    }
}
