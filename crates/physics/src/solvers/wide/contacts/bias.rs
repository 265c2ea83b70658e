//! Biases, softness and starting impulses of the contacts in lanes, from their gaps in every sub-step, by the formulas
//! of `kernel/contact.rs`.

use super::memory::{Mass, Terms};
use super::{ContactGroup, NormalRow, WideContacts};
use crate::body::{Body, Velocity};
use crate::collide::Contacts;
use crate::collide::manifold::POINTS;
use crate::kernel::contact::{NormalBias, left_open, soften};
use crate::kernel::row::{SolverRow, invert};
use crate::settings::Settings;
use crate::solvers::wide::lanes::Lanes;
use crate::stabilize;

impl Terms {
    pub fn new(settings: &Settings, h: f32) -> Self {
        let warm = &settings.warm_start;
        Self {
            normal: stabilize::normal_terms(settings, h).in_lanes(),
            deferred: stabilize::defers_friction(settings),
            mean_first: settings.contact.mean_first,
            factor: Lanes::splat(warm.factor),
            warm: if warm.patch { warm.factor } else { 0.0 },
            by_axis: warm.rolling,
        }
    }
}

/// What the groups need in later stages of the step.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BiasRequests {
    /// A normal is soft.
    pub soft: bool,
    /// A normal asks for a split correction.
    pub corrects: bool,
}

impl BiasRequests {
    pub fn or(self, other: Self) -> Self {
        Self { soft: self.soft | other.soft, corrects: self.corrects | other.corrects }
    }
}

impl WideContacts {
    /// Makes the next [`Self::update_for_substep`] compute the biases for a sub-step of `h` seconds.
    pub fn carry(&mut self, settings: &Settings, h: f32) {
        let settings = &*stabilize::settings_of_contacts(settings);
        let mut terms = Terms::new(settings, h);
        if !settings.warm_start.enabled {
            (terms.factor, terms.warm) = (Lanes::ZERO, 0.0);
        }
        self.carry = Some(terms);
    }

    /// If [`Self::carry`] was called, computes the biases from the gaps after the bodies have moved since the points of
    /// `contacts` were found, the arms of contacts that roll, the inertias of bodies that have turned, and applies the
    /// impulses to `velocities`, unless that is empty. Returns false if nothing was due.
    pub fn update_for_substep(
        &mut self,
        bodies: &[Box<Body>],
        contacts: &Contacts,
        velocities: &mut [Velocity],
    ) -> bool {
        let Some(terms) = self.carry.take() else { return false };
        let mut asks = BiasRequests::default();
        let shifts = contacts.shared.shifts().unwrap_or_default();
        let rolls = contacts.any_rolls();
        // The arms are those that were found, and the inertia of a cube or a ball is the same however it turns.
        let all = rolls || bodies.iter().any(|body| body.solver_mass().is_some());
        if all || self.groups.iter().any(|group| group.turns) {
            self.masses.clear();
            self.masses.extend(bodies.iter().map(|body| Mass::of(body)));
        }
        for group in &mut self.groups {
            let mut gaps = group.gaps(shifts);
            if rolls {
                group.roll((&self.entries, &self.masses), &contacts.pairs, &mut gaps);
            }
            if all || group.turns {
                group.update_masses(&self.masses);
            }
            asks = asks.or(group.carry(&gaps, &terms));
            if !velocities.is_empty() {
                group.start(velocities);
            }
        }
        self.set_requests(asks, &terms);
        true
    }

    pub(super) fn set_requests(&mut self, asks: BiasRequests, terms: &Terms) {
        (self.soft, self.corrects, self.deferred) = (asks.soft, asks.corrects, terms.deferred);
        self.mean_first = terms.mean_first;
    }
}

impl ContactGroup {
    /// The lanes in which one of the bodies does not move.
    #[inline(always)]
    pub(super) fn grounded(&self) -> Lanes {
        self.inv_ma.simd_eq(Lanes::ZERO) | self.inv_mb.simd_eq(Lanes::ZERO)
    }

    #[inline(always)]
    pub(super) fn asks(&self) -> BiasRequests {
        let soft = |row: &NormalRow| row.gamma.simd_gt(Lanes::ZERO).any();
        let soft = self.normals[..self.shape.normals as usize].iter().any(soft);
        BiasRequests { soft, corrects: self.pseudo.any() }
    }

    /// The gaps after the bodies' `shifts`, m and rad, since the points were found, m.
    #[inline(always)]
    fn gaps(&self, shifts: &[Velocity]) -> [Lanes; POINTS] {
        let (ways, shared) = (self.gather(shifts), self.of_normals());
        let mut gaps = [Lanes::ZERO; POINTS];
        for ((gap, row), found) in gaps.iter_mut().zip(&self.normals[..self.shape.normals as usize]).zip(&self.found) {
            *gap = found.gap + row.speed(shared, &ways.a, &ways.b);
        }
        gaps
    }

    /// Sets the biases for these gaps, m. Friction continues with its present impulses.
    #[inline(always)]
    fn carry(&mut self, gaps: &[Lanes], terms: &Terms) -> BiasRequests {
        let count = self.shape.normals as usize;
        let grounded = self.grounded();
        self.pseudo = Lanes::ZERO;
        for ((row, found), gap) in self.normals[..count].iter_mut().zip(&self.found).zip(gaps) {
            self.pseudo |=
                row.set_target((*gap, found.curvature, self.slop), found.rigid, (self.used, grounded), terms);
        }
        let warm = Lanes::splat(terms.warm);
        self.slides.iter_mut().for_each(|row| row.impulse *= warm);
        self.twist.impulse *= warm;
        self.rolling.iter_mut().for_each(|row| row.impulse *= warm);
        self.asks()
    }

    /// Makes all normals rigid, with the gaps that remain after moving with the velocities `moved` as bias and no
    /// push but the curvature bias: see `relax.rs`.
    #[inline(always)]
    pub(super) fn stiffen(&mut self, moved: &[Velocity]) {
        let mut ends = None;
        let shared = self.of_normals();
        let count = self.shape.normals as usize;
        for k in 0..count {
            let (row, curvature) = (self.normals[k], self.found[k].curvature);
            let soft = row.gamma.simd_gt(Lanes::ZERO);
            // A bias that comes from the curvature of an overlap is no gap.
            let open = row.bias.simd_gt(Lanes::ZERO) & !(soft & curvature.simd_ne(Lanes::ZERO));
            let left = if open.any() {
                let ends = ends.get_or_insert_with(|| self.gather(moved));
                open.select(left_open(row.bias, row.speed(shared, &ends.a, &ends.b)), curvature)
            } else {
                curvature
            };
            let row = &mut self.normals[k];
            row.inv_k = soft.select(invert(Lanes::ONE / row.inv_k - row.gamma), row.inv_k);
            (row.bias, row.gamma) = (left, Lanes::ZERO);
        }
    }
}

impl NormalRow {
    /// Sets bias, softness and starting impulse of a normal for its gap, m, its curvature bias, m/s, and the pair's slop, m;
    /// `rigid` is its 1/K, `impulse` still the old one; see `stabilize::contact`. `grounded` are the lanes in which a body
    /// does not move. Returns a mask of the lanes that ask for a split correction.
    #[inline(always)]
    pub(super) fn set_target(
        &mut self,
        (gap, curvature, slop): (Lanes, Lanes, Lanes),
        rigid: Lanes,
        (used, grounded): (Lanes, Lanes),
        terms: &Terms,
    ) -> Lanes {
        let NormalBias { bias, pseudo_bias, overlapping, softness } =
            terms.normal.bias((gap, curvature), slop, grounded);
        (self.bias, self.pseudo_bias) = (bias, pseudo_bias);
        (self.inv_k, self.gamma, self.pseudo_impulse) = (rigid, Lanes::ZERO, Lanes::ZERO);
        if terms.normal.moving.softness.to_array()[0] > 0.0 {
            (self.inv_k, self.gamma) = soften(rigid, softness, overlapping);
        }
        self.impulse = used & (terms.factor * self.impulse).fast_max(Lanes::ZERO);
        used & self.pseudo_bias.simd_lt(Lanes::ZERO)
    }
}
