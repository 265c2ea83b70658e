//! The sweep's step for contacts in lanes: the arithmetic of `block::BlockVelocities` and `clamp.rs`, without terms
//! that are zero for all contacts. An angular row does not change linear velocities: its lin · v and lin (Δλ/m) are
//! zero, and only the sign of that zero is kept, for the same bits.

use super::memory::{GroupRun, VelocityPairs};
use super::{AngularRow, ContactGroup, NormalRow, TangentRow, WideContacts};
use crate::body::Velocity;
use crate::limit_surface::Surface;
use crate::solvers::mean::NOTHING;
use crate::solvers::wide::block::{give_back, limit_list};
use crate::solvers::wide::lanes::{Lanes, Vectors, Velocities};
use crate::solvers::wide::limit;

/// How the contacts of a sweep are solved.
#[derive(Clone, Copy)]
struct Way {
    /// Whether soft stabilisation makes a normal soft.
    gives: bool,
    /// Whether friction is left to the relaxing sweeps.
    deferred: bool,
    /// Whether the row in the mean of the points is solved before them.
    mean: bool,
}

/// The inverse masses that all rows of a group share.
#[derive(Clone, Copy)]
pub(super) struct Masses {
    a: Lanes,
    b: Lanes,
}

impl WideContacts {
    /// A relaxing sweep; for the first one `moved` has the velocities with which the bodies have moved.
    pub fn relax(&mut self, velocities: &mut [Velocity], moved: Option<&[Velocity]>) {
        let surface = self.surface.unwrap_or(Surface::Disc);
        (self.gives, self.deferred) = (false, false);
        let way = Way { gives: false, deferred: false, mean: self.mean_first };
        for run in self.groups.chunk_by_mut(|_, next| next.place > 0) {
            if let Some(moved) = moved {
                run.iter_mut().for_each(|group| group.stiffen(moved));
            }
            solve_run(run, &mut self.run, (surface, way), velocities);
        }
    }

    /// One pass over all contacts, in reverse order if `backwards`; with `PSEUDO` also one of the split position
    /// correction.
    pub fn sweep<const PSEUDO: bool>(
        &mut self,
        velocities: &mut [Velocity],
        pseudo_velocities: &mut [Velocity],
        backwards: bool,
    ) {
        let surface = self.surface.unwrap_or(Surface::Disc);
        let way = Way { gives: self.gives, deferred: self.deferred, mean: self.mean_first };
        let scratch = &mut self.run;
        let solve = |run: &mut [ContactGroup]| {
            solve_run(run, scratch, (surface, way), velocities);
            if PSEUDO {
                run.iter_mut().for_each(|group| group.correct(pseudo_velocities));
            }
        };
        let runs = self.groups.chunk_by_mut(|_, next| next.place > 0);
        if backwards { runs.rev().for_each(solve) } else { runs.for_each(solve) }
    }
}

impl ContactGroup {
    #[inline(always)]
    pub(super) fn gather(&self, velocities: &[Velocity]) -> VelocityPairs {
        VelocityPairs { a: Velocities::gather(velocities, self.a), b: Velocities::gather(velocities, self.b) }
    }

    #[inline(always)]
    pub(super) fn scatter(&self, ends: &VelocityPairs, velocities: &mut [Velocity]) {
        ends.a.scatter(velocities, self.a, self.moves_a);
        ends.b.scatter(velocities, self.b, self.moves_b);
    }

    pub(super) fn masses(&self) -> Masses {
        Masses { a: self.inv_ma, b: self.inv_mb }
    }

    /// The split position correction.
    #[inline(always)]
    fn correct(&mut self, pseudo_velocities: &mut [Velocity]) {
        let mut ends = self.gather(pseudo_velocities);
        let mask = self.used & (self.pseudo | !ends.at_rest());
        if mask.any() {
            let (n, masses) = (self.normal, self.masses());
            self.normals[..self.shape.normals as usize].iter_mut().for_each(|row| ends.correct(n, masses, row, mask));
            self.scatter(&ends, pseudo_velocities);
        }
    }
}

/// Solves up to [`RUN`] groups of one shape that share no dynamic body, all normals before all friction. All impulses
/// beyond a limit surface are projected together.
#[inline(always)]
fn solve_run(
    run: &mut [ContactGroup],
    scratch: &mut GroupRun,
    (surface, Way { gives, deferred, mean }): (Surface, Way),
    velocities: &mut [Velocity],
) {
    let GroupRun { ends, asked, list } = scratch;
    let list = list.as_flattened_mut();
    let mut count = 0;
    for (groups, ends) in run.chunks_mut(2).zip(ends.chunks_mut(2)) {
        match (groups, ends) {
            ([one, two], [first, second]) if gives => {
                solve_normals::<2, true>([one, two], [first, second], velocities, mean);
            }
            ([one, two], [first, second]) => {
                solve_normals::<2, false>([one, two], [first, second], velocities, mean);
            }
            ([one], [first, ..]) if gives => solve_normals::<1, true>([one], [first], velocities, mean),
            ([one], [first, ..]) => solve_normals::<1, false>([one], [first], velocities, mean),
            _ => {}
        }
    }
    if deferred {
        return run.iter().zip(ends).for_each(|(group, ends)| group.scatter(ends, velocities));
    }
    for (k, group) in run.iter_mut().enumerate() {
        let ends = &mut ends[k];
        let (masses, radius, [first, second]) = (group.masses(), group.mu * group.load, &group.slides);
        if group.shape.twist {
            let (x, y) = (ends.slid(first), ends.slid(second));
            let torsion = (group.twist.impulse + -ends.turning(group.twist.axis) * group.twist.inv_k) / group.arm;
            asked[k] = [x, y, torsion, radius];
            let near = (x * x + y * y + torsion * torsion).simd_gt(Lanes::splat(0.86) * radius * radius);
            if near.any() {
                count += limit_list(&mut list[count..], k as u8, near, asked[k]);
            }
        } else {
            ends.solve_disc(masses, &mut group.slides, radius);
        }
    }
    limit::project(surface, &mut list[..count]);
    for answer in &list[..count] {
        let [x, y, torsion, _] = &mut asked[answer.group as usize];
        give_back(answer, [x, y, torsion]);
    }
    for ((group, ends), [x, y, torsion, _]) in run.iter_mut().zip(ends).zip(*asked) {
        let masses = group.masses();
        if group.shape.twist {
            let [first, second] = &mut group.slides;
            ends.take(masses, first, x);
            ends.take(masses, second, y);
            ends.take_turn(&mut group.twist, torsion * group.arm);
        }
        if group.shape.rolling {
            ends.solve_rolling(&mut group.rolling, group.rolling_length * group.load);
        }
        group.scatter(ends, velocities);
    }
}

/// The normals of one or two groups of one shape, row by row in alternation, so that one group's arithmetic hides the
/// latency of the other's.
#[inline(always)]
fn solve_normals<const N: usize, const GIVES: bool>(
    mut groups: [&mut ContactGroup; N],
    mut ends: [&mut VelocityPairs; N],
    velocities: &[Velocity],
    mean: bool,
) {
    let mut load = [Lanes::ZERO; N];
    for (group, ends) in groups.iter().zip(&mut ends) {
        **ends = group.gather(velocities);
    }
    if mean && groups[0].shape.normals > 1 {
        for (group, ends) in groups.iter_mut().zip(&mut ends) {
            ends.solve_mean::<GIVES>(group);
        }
    }
    for row in 0..groups[0].shape.normals as usize {
        for ((group, ends), load) in groups.iter_mut().zip(&mut ends).zip(&mut load) {
            let (n, masses) = (group.normal, group.masses());
            ends.solve_normal::<GIVES>(n, masses, &mut group.normals[row]);
            *load += group.normals[row].impulse;
        }
    }
    for (group, load) in groups.iter_mut().zip(load) {
        group.load = load;
    }
}

impl VelocityPairs {
    /// Mask of the lanes in which neither body moves.
    #[inline(always)]
    fn at_rest(&self) -> Lanes {
        let size = |v: &Vectors| v.x.abs() + v.y.abs() + v.z.abs();
        let sum = size(&self.a.linear) + size(&self.a.angular) + size(&self.b.linear) + size(&self.b.angular);
        sum.simd_eq(Lanes::ZERO)
    }

    /// J u of a row with linear direction `lin`.
    #[inline(always)]
    pub(super) fn speed(&self, lin: Vectors, ang_a: Vectors, ang_b: Vectors) -> Lanes {
        let along = lin * (self.b.linear - self.a.linear);
        (along + ang_a * self.a.angular + ang_b * self.b.angular).sum()
    }

    /// J u of a row about `axis`.
    #[inline(always)]
    pub(super) fn turning(&self, axis: Vectors) -> Lanes {
        (axis * self.b.angular - axis * self.a.angular).sum() + Lanes::ZERO
    }

    /// u ← u + M⁻¹ Jᵀ Δλ of a row with linear direction `lin`.
    #[inline(always)]
    pub(super) fn apply(&mut self, masses: Masses, lin: Vectors, (inv_ia, inv_ib): (Vectors, Vectors), lambda: Lanes) {
        self.a.linear -= lin * (masses.a * lambda);
        self.a.angular += inv_ia * lambda;
        self.b.linear += lin * (masses.b * lambda);
        self.b.angular += inv_ib * lambda;
    }

    /// The same for a row about an axis.
    #[inline(always)]
    pub(super) fn turn(&mut self, row: &AngularRow, lambda: Lanes) {
        let zero = lambda & Lanes::splat(-0.0);
        let zero = Vectors { x: zero, y: zero, z: zero };
        self.a.linear -= zero;
        self.a.angular += row.inv_ia * lambda;
        self.b.linear += zero;
        self.b.angular += row.inv_ib * lambda;
    }

    #[inline(always)]
    fn solve_normal<const GIVES: bool>(&mut self, n: Vectors, masses: Masses, row: &mut NormalRow) {
        let rigid = self.speed(n, row.ang_a, row.ang_b) + row.bias;
        let wrong = if GIVES { rigid + row.gamma * row.impulse } else { rigid };
        let step = -wrong * row.inv_k;
        let impulse = (row.impulse + step).fast_max(Lanes::ZERO);
        let change = impulse - row.impulse;
        row.impulse = impulse;
        self.apply(masses, n, (row.inv_ia, row.inv_ib), change);
    }

    /// See `solvers/mean.rs`.
    #[inline(always)]
    fn solve_mean<const GIVES: bool>(&mut self, group: &mut ContactGroup) {
        let (n, masses, mean) = (group.normal, group.masses(), group.mean);
        let rows = &mut group.normals[..group.shape.normals as usize];
        let (mut offset, mut least, mut gamma) = (Lanes::ZERO, rows[0].impulse, Lanes::ZERO);
        for (k, row) in rows.iter().enumerate() {
            let own = if GIVES { row.bias + row.gamma * row.impulse } else { row.bias };
            offset = if k == 0 { own } else { offset + own };
            gamma = if k == 0 { row.gamma } else { gamma + row.gamma };
            least = least.fast_min(row.impulse);
        }
        let count = rows.len() as f32;
        let share = Lanes::splat(1.0 / count);
        let k = if GIVES { mean.rigid + gamma * share * share } else { mean.rigid };
        let step = -(self.speed(n, mean.ang_a, mean.ang_b) + offset * share) / k;
        let step = step.fast_max(-least * Lanes::splat(count)) + Lanes::ZERO;
        let step = k.simd_gt(Lanes::splat(NOTHING)) & step;
        rows.iter_mut().for_each(|row| row.impulse += step * share);
        self.apply(masses, n, (mean.inv_ia, mean.inv_ib), step);
    }

    #[inline(always)]
    fn correct(&mut self, n: Vectors, masses: Masses, row: &mut NormalRow, mask: Lanes) {
        let step = -(self.speed(n, row.ang_a, row.ang_b) + row.pseudo_bias) * row.inv_k;
        let impulse = (row.pseudo_impulse + step).fast_max(Lanes::ZERO);
        let change = mask & (impulse - row.pseudo_impulse);
        row.pseudo_impulse = mask.select(impulse, row.pseudo_impulse);
        self.apply(masses, n, (row.inv_ia, row.inv_ib), change);
    }

    /// The impulse of a tangent after its step, before projection.
    #[inline(always)]
    fn slid(&self, row: &TangentRow) -> Lanes {
        row.impulse + -(self.speed(row.lin, row.ang_a, row.ang_b) + Lanes::ZERO) * row.inv_k
    }

    #[inline(always)]
    fn take(&mut self, masses: Masses, row: &mut TangentRow, impulse: Lanes) {
        let change = impulse - row.impulse;
        row.impulse = impulse;
        self.apply(masses, row.lin, (row.inv_ia, row.inv_ib), change);
    }

    #[inline(always)]
    fn take_turn(&mut self, row: &mut AngularRow, impulse: Lanes) {
        let change = impulse - row.impulse;
        row.impulse = impulse;
        self.turn(row, change);
    }

    #[inline(always)]
    fn solve_disc(&mut self, masses: Masses, [first, second]: &mut [TangentRow; 2], radius: Lanes) {
        let (x, y) = within((self.slid(first), self.slid(second)), radius);
        self.take(masses, first, x);
        self.take(masses, second, y);
    }

    #[inline(always)]
    fn solve_rolling(&mut self, [first, second]: &mut [AngularRow; 2], radius: Lanes) {
        let turned = |row: &AngularRow| row.impulse + -self.turning(row.axis) * row.inv_k;
        let (x, y) = within((turned(first), turned(second)), radius);
        self.take_turn(first, x);
        self.take_turn(second, y);
    }
}

/// Radial projection on the disc ‖(x, y)‖ ≤ radius.
#[inline(always)]
fn within((x, y): (Lanes, Lanes), radius: Lanes) -> (Lanes, Lanes) {
    let length = (x * x + y * y).sqrt();
    let beyond = length.simd_gt(radius);
    let shrink = radius / length;
    (beyond.select(x * shrink, x), beyond.select(y * shrink, y))
}
