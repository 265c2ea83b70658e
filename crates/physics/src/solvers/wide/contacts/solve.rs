//! The sweep's step for contacts in lanes. The rows' arithmetic is the kernel's; what a contact's rows share is in
//! `rows.rs`.

use super::memory::GroupRun;
use super::rows::InverseMasses;
use super::{ContactGroup, WideContacts};
use crate::body::Velocity;
use crate::kernel::bodies::Pair;
use crate::kernel::bound::{self, Patch};
use crate::kernel::limit_surface::Surface;
use crate::kernel::mean::MeanRow;
use crate::kernel::real::Real;
use crate::kernel::{row, split};
use crate::solvers::wide::block::{limit_list, write_projected};
use crate::solvers::wide::lanes::{LanePair, Lanes, Vectors, Velocities, largest};
use crate::solvers::wide::limit;

/// How the contacts of a sweep are solved.
#[derive(Clone, Copy)]
struct SweepOptions {
    /// Whether soft stabilisation makes a normal soft.
    soft: bool,
    /// Whether friction is left to the relaxing sweeps.
    deferred: bool,
    /// Whether the row in the mean of the points is solved before them.
    mean: bool,
}

impl WideContacts {
    /// A relaxing sweep; for the first one `moved` has the velocities with which the bodies have moved.
    /// Returns the largest change of a velocity by a contact, m/s or rad/s.
    pub fn relax(&mut self, velocities: &mut [Velocity], moved: Option<&[Velocity]>) -> f32 {
        let surface = self.surface.unwrap_or(Surface::Disc);
        (self.soft, self.deferred) = (false, false);
        let options = SweepOptions { soft: false, deferred: false, mean: self.mean_first };
        let mut changed = Lanes::ZERO;
        for run in self.groups.chunk_by_mut(|_, next| next.place > 0) {
            if let Some(moved) = moved {
                run.iter_mut().for_each(|group| group.stiffen(moved));
            }
            changed = changed.larger(solve_run::<true>(run, &mut self.run, (surface, options), velocities));
        }
        largest(changed)
    }

    /// One pass over all contacts, in reverse order if `backwards`; with `PSEUDO` also one of the split position
    /// correction. With `WATCH` it returns the largest change of a velocity by a contact, m/s or rad/s.
    pub fn sweep<const PSEUDO: bool, const WATCH: bool>(
        &mut self,
        velocities: &mut [Velocity],
        pseudo_velocities: &mut [Velocity],
        backwards: bool,
    ) -> f32 {
        let surface = self.surface.unwrap_or(Surface::Disc);
        let options = SweepOptions { soft: self.soft, deferred: self.deferred, mean: self.mean_first };
        let scratch = &mut self.run;
        let mut moved = Lanes::ZERO;
        let solve = |run: &mut [ContactGroup]| {
            moved = moved.larger(solve_run::<WATCH>(run, scratch, (surface, options), velocities));
            if PSEUDO {
                for group in run {
                    moved = moved.larger(group.correct::<WATCH>(pseudo_velocities));
                }
            }
        };
        let runs = self.groups.chunk_by_mut(|_, next| next.place > 0);
        if backwards {
            runs.rev().for_each(solve)
        } else {
            runs.for_each(solve)
        }
        if WATCH { largest(moved) } else { 0.0 }
    }
}

impl ContactGroup {
    /// The inverse masses of its bodies.
    #[inline(always)]
    pub(super) fn inv_m(&self) -> InverseMasses {
        (self.inv_ma, self.inv_mb)
    }

    /// What its normals share.
    #[inline(always)]
    pub(super) fn of_normals(&self) -> (Vectors, InverseMasses) {
        (self.normal, self.inv_m())
    }

    #[inline(always)]
    pub(super) fn gather(&self, velocities: &[Velocity]) -> LanePair {
        Pair { a: Velocities::gather(velocities, self.a), b: Velocities::gather(velocities, self.b) }
    }

    #[inline(always)]
    pub(super) fn scatter(&self, ends: &LanePair, velocities: &mut [Velocity]) {
        ends.a.scatter(velocities, self.a, self.moves_a);
        ends.b.scatter(velocities, self.b, self.moves_b);
    }

    /// The split position correction; with `WATCH` it returns the largest change of a velocity per lane.
    #[inline(always)]
    fn correct<const WATCH: bool>(&mut self, pseudo_velocities: &mut [Velocity]) -> Lanes {
        let mut ends = self.gather(pseudo_velocities);
        let mask = self.used & (self.pseudo | !ends.at_rest());
        if !mask.any() {
            return Lanes::ZERO;
        }
        let start = ends;
        let shared = self.of_normals();
        let rows = &mut self.normals[..self.shape.normals as usize];
        for row in rows {
            // A normal is never bounded above, but it may be soft: see `split::is_corrected`.
            let mask = mask & !row.gamma.simd_gt(Lanes::ZERO);
            split::correct(&mut ends, row, shared, mask);
        }
        self.scatter(&ends, pseudo_velocities);
        if WATCH { ends.moved(&start) } else { Lanes::ZERO }
    }
}

/// Solves up to [`RUN`] groups of one shape that share no dynamic body, all normals before all friction. All impulses
/// beyond a limit surface are projected together. With `WATCH` it returns the largest change of a velocity per lane.
#[inline(always)]
fn solve_run<const WATCH: bool>(
    run: &mut [ContactGroup],
    scratch: &mut GroupRun,
    (surface, SweepOptions { soft, deferred, mean }): (Surface, SweepOptions),
    velocities: &mut [Velocity],
) -> Lanes {
    let GroupRun { ends, unprojected, list } = scratch;
    let list = list.as_flattened_mut();
    let mut count = 0;
    for (groups, ends) in run.chunks_mut(2).zip(ends.chunks_mut(2)) {
        match (groups, ends) {
            ([one, two], [first, second]) if soft => {
                solve_normals::<2, true>([one, two], [first, second], velocities, mean);
            }
            ([one, two], [first, second]) => {
                solve_normals::<2, false>([one, two], [first, second], velocities, mean);
            }
            ([one], [first, ..]) if soft => solve_normals::<1, true>([one], [first], velocities, mean),
            ([one], [first, ..]) => solve_normals::<1, false>([one], [first], velocities, mean),
            _ => {}
        }
    }
    let mut moved = Lanes::ZERO;
    let mut store = |group: &ContactGroup, ends: &LanePair| {
        if WATCH {
            moved = moved.larger(ends.moved(&group.gather(velocities)));
        }
        group.scatter(ends, velocities);
    };
    if deferred {
        run.iter().zip(ends).for_each(|(group, ends)| store(group, ends));
        return moved;
    }
    for (k, group) in run.iter_mut().enumerate() {
        let ends = &mut ends[k];
        let (masses, radius, [first, second]) = (group.inv_m(), group.mu * group.load, &group.slides);
        if group.shape.twist {
            let patch = Patch::step::<false, _, _, _>(ends, (first, second, masses), (&group.twist, ()), group.arm);
            unprojected[k] = patch;
            let near = patch.may_exceed(radius);
            if near.any() {
                count += limit_list(&mut list[count..], k as u8, near, patch, radius);
            }
        } else {
            bound::solve_disc::<false, _, _>(ends, &mut group.slides, masses, radius);
        }
    }
    limit::project(surface, &mut list[..count]);
    list[..count].iter().for_each(|answer| write_projected(answer, &mut unprojected[answer.group as usize]));
    for ((group, ends), patch) in run.iter_mut().zip(ends).zip(*unprojected) {
        let masses = group.inv_m();
        if group.shape.twist {
            let [first, second] = &mut group.slides;
            let sizes = (group.arm, group.mu * group.load);
            patch.set_projected(ends, (first, second, masses), (&mut group.twist, ()), sizes);
        }
        if group.shape.rolling {
            let radius = group.rolling_length * group.load;
            bound::solve_disc::<false, _, _>(ends, &mut group.rolling, (), radius);
        }
        if group.coupled.any() {
            group.solve_coupled(ends, surface);
        }
        store(group, ends);
    }
    moved
}

/// The normals of one or two groups of one shape, row by row in alternation, so that one group's arithmetic hides the
/// latency of the other's.
#[inline(always)]
fn solve_normals<const N: usize, const SOFT: bool>(
    mut groups: [&mut ContactGroup; N],
    mut ends: [&mut LanePair; N],
    velocities: &[Velocity],
    mean: bool,
) {
    let mut load = [Lanes::ZERO; N];
    for (group, ends) in groups.iter().zip(&mut ends) {
        **ends = group.gather(velocities);
    }
    if mean && groups[0].shape.normals > 1 {
        for (group, ends) in groups.iter_mut().zip(&mut ends) {
            let mean = MeanRow { lin: group.normal, inv_m: group.inv_m(), arms: group.mean.arms };
            let rows = &mut group.normals[..group.shape.normals as usize];
            mean.solve::<SOFT, _>(ends, rows, group.mean.rigid);
        }
    }
    for row in 0..groups[0].shape.normals as usize {
        for ((group, ends), load) in groups.iter_mut().zip(&mut ends).zip(&mut load) {
            let shared = group.of_normals();
            row::solve::<SOFT, _, _>(*ends, &mut group.normals[row], shared);
            *load += group.normals[row].impulse;
        }
    }
    for (group, load) in groups.iter_mut().zip(load) {
        group.load = load;
    }
}
