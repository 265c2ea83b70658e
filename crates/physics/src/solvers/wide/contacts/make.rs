//! Fills the lanes from manifolds, with the operations of `primitives/contact.rs`, `primitives/friction.rs` and
//! `effective_mass::row`. Biases and starting impulses, which every sub-step computes again, are in `bias.rs`.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::Vec3;

use super::bias::BiasRequests;
use super::memory::{Mass, Terms};
use super::rows::{AngularRow, MeanArms, NormalRow, TangentRow};
use super::{ContactGroup, WideContacts};
use crate::body::Body;
use crate::collide::Pair;
use crate::collide::manifold::Point;
use crate::kernel::coupling::{FrictionRow, is_strong};
use crate::kernel::mean::{Arms, MeanRow};
use crate::kernel::patch::{LeverArms, centre_and_gap, common_step, tangents};
use crate::kernel::row::{invert, mobility};
use crate::primitives::friction::old_rolling_impulse;
use crate::settings::Settings;
use crate::solvers::wide::lanes::{LANES, Lanes, Vectors, columns, set};
use crate::threads;
use crate::world::state::State;

impl Mass {
    pub(super) fn of(body: &Body) -> Self {
        let (inv_mass, inertia) = body.inverses();
        let column = |v: Vec3| [v.x, v.y, v.z, 0.0];
        let place = body.position;
        Self([
            [place.x, place.y, place.z, inv_mass],
            column(inertia.x_axis),
            column(inertia.y_axis),
            column(inertia.z_axis),
        ])
    }
}

/// The bodies at one end of the contacts, by lane.
struct BodyLanes {
    place: Vectors,
    inv_mass: Lanes,
    inertia: [Vectors; 3],
}

impl BodyLanes {
    #[inline(always)]
    fn gather(masses: &[Mass], bodies: [u32; LANES]) -> Self {
        let of = bodies.map(|body| &masses[body as usize].0);
        let numbers = |k: usize| columns(of.map(|mass| mass[k]));
        let column = |k: usize| {
            let [x, y, z, _] = numbers(k);
            Vectors { x, y, z }
        };
        let [x, y, z, inv_mass] = numbers(0);
        Self { place: Vectors { x, y, z }, inv_mass, inertia: [column(1), column(2), column(3)] }
    }

    /// I⁻¹ v.
    #[inline(always)]
    fn turned(&self, v: Vectors) -> Vectors {
        self.inertia[0] * v.x + self.inertia[1] * v.y + self.inertia[2] * v.z
    }
}

/// 1/K of a row with linear direction `lin`.
#[inline(always)]
fn step(
    a: &BodyLanes,
    b: &BodyLanes,
    lin: Vectors,
    (ang_a, inv_ia): (Vectors, Vectors),
    (ang_b, inv_ib): (Vectors, Vectors),
) -> Lanes {
    let (of_a, of_b) = mobility(lin, (a.inv_mass, b.inv_mass), (ang_a, ang_b), (inv_ia, inv_ib));
    invert(of_a + of_b)
}

/// Number of groups that a thread takes at a time.
const GROUPS_PER_PIECE: usize = 16;
/// With fewer groups than this one thread does them all.
const MIN_GROUPS_FOR_THREADS: usize = 256;

impl WideContacts {
    /// Fills all groups for a sub-step of `h` seconds.
    pub(super) fn make(&mut self, state: &State, settings: &Settings, h: f32) {
        self.masses.clear();
        self.masses.extend(state.bodies.iter().map(|body| Mass::of(body)));
        let Self { groups, entries, masses, .. } = self;
        let terms = Terms::new(settings, h);
        let threads = if groups.len() < MIN_GROUPS_FOR_THREADS { 1 } else { threads::count(settings.solver.threads) };
        let [soft, corrects] = [(); 2].map(|()| AtomicBool::new(false));
        threads::chunks(threads, groups, GROUPS_PER_PIECE, |_, groups| {
            let mut asks = BiasRequests::default();
            for group in groups {
                let lanes = group.lanes;
                group.ends(entries);
                let pair = |lane: usize| {
                    &state.contacts.pairs[entries[group.entries[lane.min(lanes - 1)] as usize].pair as usize]
                };
                let pairs: [&Pair; LANES] = std::array::from_fn(pair);
                asks = asks.or(group.fill(pairs, masses, &terms));
                if group.shape.rolling {
                    group.fill_rolling(pairs, masses, state, &terms);
                }
            }
            soft.fetch_or(asks.soft, Ordering::Relaxed);
            corrects.fetch_or(asks.corrects, Ordering::Relaxed);
        });
        self.set_requests(BiasRequests { soft: soft.into_inner(), corrects: corrects.into_inner() }, &terms);
    }
}

impl ContactGroup {
    /// Sets bodies, masks and friction coefficients of the lanes.
    fn ends(&mut self, entries: &[super::Entry]) {
        let on = f32::from_bits(u32::MAX);
        (self.a, self.b) = ([0; LANES], [0; LANES]);
        (self.moves_a, self.moves_b, self.turns) = ([false; LANES], [false; LANES], false);
        (self.used, self.mu, self.rolling_length) = (Lanes::ZERO, Lanes::ZERO, Lanes::ZERO);
        for (lane, entry) in self.entries[..self.lanes].iter().enumerate() {
            let entry = &entries[*entry as usize];
            (self.a[lane], self.b[lane]) = (entry.a, entry.b);
            [self.moves_a[lane], self.moves_b[lane]] = entry.moves;
            self.turns |= entry.turns;
            set(&mut self.used, lane, on);
            set(&mut self.mu, lane, entry.mu);
            set(&mut self.rolling_length, lane, entry.rolling);
        }
    }

    #[inline(always)]
    fn fill(&mut self, pairs: [&Pair; LANES], masses: &[Mass], terms: &Terms) -> BiasRequests {
        let (a, b) = (BodyLanes::gather(masses, self.a), BodyLanes::gather(masses, self.b));
        (self.inv_ma, self.inv_mb) = (a.inv_mass, b.inv_mass);
        let manifolds = pairs.map(|pair| &pair.near.manifold);
        let three = |v: Vec3| [v.x, v.y, v.z, 0.0];
        let [x, y, z, arm] = columns(manifolds.map(|m| [m.normal.x, m.normal.y, m.normal.z, m.arm]));
        let n = Vectors { x, y, z };
        self.normal = n;
        self.slop = Lanes::from(manifolds.map(|m| m.slop));
        self.arm = if self.shape.twist { self.used.select(arm, Lanes::ONE) } else { Lanes::ONE };
        let [x, y, z, _] = columns(manifolds.map(|m| three(0.5 * m.sideways)));
        let side = Vectors { x, y, z };
        let centres = (a.place, b.place);
        let count = self.shape.normals as usize;
        let mut places = [(Vectors::default(), Lanes::ZERO, Lanes::ZERO); 4];
        self.pseudo = Lanes::ZERO;
        for (k, (row, place)) in self.normals.iter_mut().zip(&mut places).take(count).enumerate() {
            let of = |m: &crate::collide::manifold::Manifold| -> Point { m.points[k] };
            let points = manifolds.map(of);
            let [x, y, z, gap] = columns(points.map(|p| [p.position.x, p.position.y, p.position.z, p.separation]));
            let at = Vectors { x, y, z };
            *place = (at, gap, Lanes::from(points.map(|p| p.load)));
            let (ang_a, ang_b) = LeverArms::of_normal(at, side, centres).angular(n);
            let old = Lanes::from(points.map(|p| p.impulse));
            *row = NormalRow { ang_a, ang_b, impulse: old, ..NormalRow::default() };
            (self.found[k].gap, self.found[k].curvature) = (gap, Lanes::from(points.map(|p| p.curvature)));
        }
        let centre = centre_and_gap(places[..count].iter().copied(), self.slop);
        let arms = LeverArms::of_friction(centre, n, side, centres);
        let [x, y, z, _] = columns(manifolds.map(|m| three(terms.warm * m.friction)));
        let friction = Vectors { x, y, z };
        let [x, y, z, _] = columns(manifolds.map(|m| three(m.curvature)));
        let curvature = Vectors { x, y, z };
        let (t1, t2) = tangents(n);
        for (row, t) in self.slides.iter_mut().zip([t1, t2]) {
            let impulse = self.used & t.dot(friction);
            let (ang_a, ang_b) = arms.angular(t);
            let bias = self.used & t.dot(curvature);
            *row = TangentRow { lin: t, ang_a, ang_b, bias, impulse, ..TangentRow::default() };
        }
        if self.shape.twist {
            let impulse = self.used & Lanes::from(manifolds.map(|m| terms.warm * m.twist));
            self.twist = AngularRow { axis: n, impulse, ..AngularRow::default() };
        }
        self.update_masses_between(&a, &b);
        let grounded = self.grounded();
        for (row, found) in self.normals[..count].iter_mut().zip(&self.found) {
            self.pseudo |=
                row.set_target((found.gap, found.curvature, self.slop), found.rigid, (self.used, grounded), terms);
        }
        self.coupled = self.coupled_by_sliding(&a, &b);
        self.asks()
    }

    /// Computes what the rows need of the bodies' masses and inertias, once these have turned.
    #[inline(always)]
    pub(super) fn update_masses(&mut self, masses: &[Mass]) {
        let (a, b) = (BodyLanes::gather(masses, self.a), BodyLanes::gather(masses, self.b));
        self.update_masses_between(&a, &b);
        if self.shape.rolling {
            self.update_rolling_masses(&a, &b);
        }
    }

    /// M⁻¹ Jᵀ and 1/K of normals, tangents and twist.
    #[inline(always)]
    fn update_masses_between(&mut self, a: &BodyLanes, b: &BodyLanes) {
        let (n, inv_m, count) = (self.normal, self.inv_m(), self.shape.normals as usize);
        for (row, found) in self.normals[..count].iter_mut().zip(&mut self.found) {
            (row.inv_ia, row.inv_ib) = (a.turned(row.ang_a), b.turned(row.ang_b));
            found.rigid = self.used & step(a, b, n, (row.ang_a, row.inv_ia), (row.ang_b, row.inv_ib));
        }
        let arms =
            |row: &NormalRow| Arms { ang_a: row.ang_a, ang_b: row.ang_b, inv_ia: row.inv_ia, inv_ib: row.inv_ib };
        let arms = Arms::mean(self.normals[..count].iter().map(arms));
        self.mean = MeanArms { arms, rigid: MeanRow { lin: n, inv_m, arms }.mobility() };
        for row in &mut self.slides {
            (row.inv_ia, row.inv_ib) = (a.turned(row.ang_a), b.turned(row.ang_b));
            row.inv_k = self.used & step(a, b, row.lin, (row.ang_a, row.inv_ia), (row.ang_b, row.inv_ib));
        }
        let [first, second] = &mut self.slides;
        if self.shape.twist {
            self.twist.update_masses(a, b, self.used);
            let square = self.arm * self.arm;
            common_step([(&mut first.inv_k, None), (&mut second.inv_k, None), (&mut self.twist.inv_k, Some(square))]);
        } else {
            common_step([(&mut first.inv_k, None), (&mut second.inv_k, None)]);
        }
    }

    /// The same of the rolling rows.
    #[inline(always)]
    fn update_rolling_masses(&mut self, a: &BodyLanes, b: &BodyLanes) {
        self.rolling.iter_mut().for_each(|row| row.update_masses(a, b, self.used));
        let [first, second] = &mut self.rolling;
        common_step([(&mut first.inv_k, None), (&mut second.inv_k, None)]);
    }

    /// Mask of the contacts that friction moves strongly along their normal: see `solvers/coupled.rs`.
    #[inline(always)]
    fn coupled_by_sliding(&self, a: &BodyLanes, b: &BodyLanes) -> Lanes {
        let MeanArms { arms, rigid } = &self.mean;
        let [first, second] =
            self.slides.each_ref().map(|row| FrictionRow { inv_i: (row.inv_ia, row.inv_ib), arm: None });
        let strong = if self.shape.twist {
            let inv_i = (a.turned(-self.normal), b.turned(self.normal));
            let twist = FrictionRow { inv_i, arm: Some(self.arm) };
            is_strong(self.mu, (arms, *rigid), [first, second, twist])
        } else {
            is_strong(self.mu, (arms, *rigid), [first, second])
        };
        self.used & strong
    }

    fn fill_rolling(&mut self, pairs: [&Pair; LANES], masses: &[Mass], state: &State, terms: &Terms) {
        let (a, b) = (BodyLanes::gather(masses, self.a), BodyLanes::gather(masses, self.b));
        let carried = pairs.map(|pair| {
            let velocity = |body: u32| state.velocities[body as usize].angular;
            let manifold = &pair.near.manifold;
            let spin = (velocity(pair.b) - velocity(pair.a)).into();
            let carried = if terms.by_axis { old_rolling_impulse(manifold, spin) } else { manifold.rolling };
            let carried = terms.warm * carried;
            [carried.x, carried.y, carried.z, 0.0]
        });
        let [x, y, z, _] = columns(carried);
        let carried = Vectors { x, y, z };
        let lins = [self.slides[0].lin, self.slides[1].lin];
        for (row, t) in self.rolling.iter_mut().zip(lins) {
            *row = AngularRow { axis: t, impulse: self.used & t.dot(carried), ..AngularRow::default() };
        }
        self.update_rolling_masses(&a, &b);
    }
}

impl AngularRow {
    /// M⁻¹ Jᵀ and 1/K between two bodies.
    #[inline(always)]
    fn update_masses(&mut self, a: &BodyLanes, b: &BodyLanes, used: Lanes) {
        let axis = self.axis;
        let against = Vectors { x: -axis.x, y: -axis.y, z: -axis.z };
        (self.inv_ia, self.inv_ib) = (a.turned(against), b.turned(axis));
        self.inv_k = used & invert(against.dot(self.inv_ia) + axis.dot(self.inv_ib));
    }
}
