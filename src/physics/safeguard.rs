//! A bound on warm starting: old impulses may add no more energy to a mechanism than its solves have taken out.
//!
//! ```text
//! f(λ) = λᵀ(J u* + b) + ½ λᵀ(A + γ) λ              what sweeps make least; u* the velocities without impulses
//!      = T(u) − T(u*) + bᵀλ + ½ γ λ²               T the kinetic energy, u = u* + M⁻¹ Jᵀ λ
//! ```
//! No impulses at all have f = 0, and a sweep of Gauss–Seidel, or of Jacobi with D ≥ A, never raises f. So a solve that
//! starts from nothing ends with T(u) ≤ T(u*) − bᵀλ, however few its sweeps: without a bias that feeds errors back it
//! cannot add energy. Warm starting starts from λ0, the impulses of the step before, along rows that have turned since.
//! Where sweeps leave much undone, λ' = r λ − (1 − r) w, it runs after the motion like a spring with hardly a damper,
//! and f(λ0) > 0: the bodies start with more energy than they would have without any impulses, and keep it, step for
//! step. Eight links under 100 kg, let go from rest, so reach any speed under Jacobi, and under Gauss–Seidel with stops
//! at their ends.
//!
//! A mechanism (bodies that rows connect) that sags while its impulses build up gets its height back from them later.
//! So what its solves take out, −f, goes into its account, which forgets within `MEMORY`, and it starts from α λ0 with
//! the largest α ≤ 1 for which f(α λ0) is covered. What a solve adds beyond that is a debt, which the next starts have
//! to pay. Then
//!
//! ```text
//! Σ T(u) − T(u*) ≤ −Σ bᵀλ + ½ γ λ²                 over all steps
//! ```
//! and without feedback of errors (none, split impulses, position sweeps) constraints add no kinetic energy in the long
//! run, whatever the sweeps, masses and joints. A start that is covered is left as it is, bit by bit. Bounds and cones
//! hold for α λ0 as for λ0, since all contain zero.
//!
//! Baumgarte and soft stabilisation feed errors back by a bias, whose work is booked as what the rows add: only springs
//! and drives may have it. That work itself makes no debt, or the rows would have to let go, and so these two are
//! bounded in practice, not by proof. SHAKE and RATTLE close the joints by the impulses themselves; what that adds has
//! an account of its own (`ledger.rs`), and here their rows are those of split impulses. The direct solver starts from
//! nothing. Derived here.

use super::body::Velocity;
use super::copy::copied_by_fields;
use super::row::{Block, Owner, Row};
use super::settings::{CarryForm, JacobiStep, LimitForm, Safeguard, Settings, Stabilization};
use super::solvers::{self, block::speed};
use super::system::System;
use super::warm_start;
use super::world::World;

/// What the safeguard needs, kept from step to step.
#[derive(Debug, Default)]
pub struct Scratch {
    /// u*; empty where nothing is watched.
    before: Vec<Velocity>,
    /// By the first body of an island.
    sums: Vec<Sum>,
    /// What the solves have taken out and not given back, J, by what was the first body of an island then.
    account: Vec<f64>,
    /// Whether errors are fed back through the velocities.
    feeds: bool,
}

copied_by_fields!(Scratch { before, sums, account, feeds });

/// What is added up over a mechanism, J.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    /// λᵀ(J u* + b).
    slope: f64,
    /// λᵀ(A + γ)λ.
    curve: f64,
    /// What f may be at most.
    covered: f64,
}

/// Within which time an account is forgotten, s: longer than a heavy load takes to sag and come up again.
const MEMORY: f32 = 4.0;

impl Scratch {
    /// Exchanges what a step makes anew.
    pub(super) fn exchange(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.before, &mut other.before);
        std::mem::swap(&mut self.sums, &mut other.sums);
    }

    /// Makes room for the accounts of so many bodies.
    pub fn make_room(&mut self, bodies: usize) {
        self.account.resize(bodies, 0.0);
    }

    /// The accounts by body, J.
    pub fn accounts(&self) -> &[f64] {
        &self.account
    }

    /// Begins with these.
    pub fn open(&mut self, accounts: impl Iterator<Item = f64>) {
        self.account.clear();
        self.account.extend(accounts);
    }

    /// Takes over the accounts of these bodies.
    pub fn book(&mut self, accounts: &[f64], bodies: &[u32]) {
        for (account, body) in accounts.iter().zip(bodies) {
            self.account[*body as usize] = *account;
        }
    }
}

/// The share of an account that a sub-step of `h` seconds leaves.
fn kept(h: f32) -> f64 {
    f64::from((1.0 - h / MEMORY).max(0.0))
}

/// The share that a whole step leaves.
pub fn kept_of_step(settings: &Settings) -> f64 {
    (0..settings.step.substeps).fold(1.0, |share, _| share * kept(settings.h()))
}

impl Sum {
    /// The largest share of the impulses that is covered, or that with the least f if none is.
    fn share(&self) -> f32 {
        if self.slope + 0.5 * self.curve <= self.covered || self.curve <= 0.0 {
            return 1.0;
        }
        let root = (self.slope * self.slope + 2.0 * self.curve * self.covered).max(0.0).sqrt();
        ((root - self.slope) / self.curve).clamp(0.0, 1.0) as f32
    }
}

/// Whether what the impulses add is watched. Printed code that applies old impulses late has no start to look at.
/// Contacts alone that serve all sub-steps are swept again so soon, along the same rows, that it would cost more than
/// the sweeps: there they are watched only if that is asked for. Where nothing is taken back and nobody reads what is
/// fed, there is nothing to watch for.
pub fn watches(world: &World) -> bool {
    let (settings, system) = (&world.settings, &world.system);
    let only_contacts = || system.blocks.iter().all(|block| matches!(block.owner, Owner::Contact(_)));
    let safeguard = settings.warm_start.safeguard;
    let small_steps = safeguard == Safeguard::Usual && world.contacts.serves_all(settings);
    if settings.formulation.carry == CarryForm::AsPrinted || system.is_empty() {
        return false;
    }
    let idle = safeguard == Safeguard::Off && !world.reads();
    !(idle || small_steps && only_contacts())
}

/// Whether what is not covered is taken back.
fn applies(world: &World) -> bool {
    let settings = &world.settings;
    match settings.warm_start.safeguard {
        Safeguard::Off => false,
        Safeguard::Always => true,
        Safeguard::Usual => {
            let at_once = solvers::of(settings.solver.method).at_once;
            let manual = at_once && settings.solver.jacobi == JacobiStep::Manual;
            let printed = settings.formulation.limit == LimitForm::Increment;
            !manual && !printed && !has(world, Stabilization::Baumgarte)
        }
    }
}

/// Whether the world or one of its joints is stabilised that way.
fn has(world: &World, method: Stabilization) -> bool {
    let own = |joint: &super::joint::Joint| joint.def.options.stabilization.and_then(|own| own.method);
    world.settings.stabilization.method == method || world.joints.iter().any(|joint| own(joint) == Some(method))
}

/// Looks at the impulses that the rows start from, before they are applied, and scales those that add too much.
pub fn scale(world: &mut World, h: f32) {
    warm_start::hold(world);
    let applies = applies(world);
    let softened = !world.system.softened.is_empty() || world.system.contacts.gives();
    let feeds = has(world, Stabilization::Baumgarte) || softened;
    let before_contacts = world.system.before_contacts();
    let World {
        safeguard: Scratch { sums, account, feeds: fed_back, .. }, system, bodies, velocities, late, fed, ..
    } = world;
    *fed_back = feeds;
    let System { blocks, rows, contacts, graph, softened, .. } = system;
    let island = |a: u32, b: u32| graph.island(if bodies[a as usize].is_dynamic() { a } else { b }) as usize;
    sums.clear();
    sums.resize(bodies.len(), Sum::default());
    account.resize(bodies.len(), 0.0);
    let kept = kept(h);
    *fed *= kept;
    for (body, account) in account.iter_mut().enumerate().filter(|(_, account)| **account != 0.0) {
        sums[graph.island(body as u32) as usize].covered += kept * *account;
        *account = 0.0;
    }
    if !applies {
        return;
    }
    let mut softened = softened.iter().map(|soft| soft.row as usize).peekable();
    let mut add = |a: u32, b: u32, own: [f64; 2]| {
        let sum = &mut sums[island(a, b)];
        (sum.slope, sum.curve) = (sum.slope + own[0], sum.curve + own[1]);
    };
    let mut of = |block: &Block| {
        let (a, b) = (block.a as usize, block.b as usize);
        let mut own = [0.0; 2];
        for index in block.range() {
            let row = &rows[index];
            let (bias, gamma) = working(row, feeds, softened.next_if_eq(&index).is_some());
            let impulse = f64::from(row.impulse);
            let moved = speed(row, &late[a], &late[b]) + gamma * row.impulse;
            own[0] += impulse * f64::from(speed(row, &velocities[a], &velocities[b]) + bias);
            own[1] += impulse * f64::from(moved);
        }
        own
    };
    let (joints, others) = blocks.split_at(before_contacts);
    joints.iter().for_each(|block| add(block.a, block.b, of(block)));
    contacts.starts(velocities, late, feeds, |[a, b], own| add(a, b, own));
    others.iter().for_each(|block| add(block.a, block.b, of(block)));
    if sums.iter().all(|sum| sum.share() == 1.0) {
        return;
    }
    for block in &*blocks {
        let share = sums[island(block.a, block.b)].share();
        if share < 1.0 {
            rows[block.range()].iter_mut().for_each(|row| row.impulse *= share);
        }
    }
    contacts.scale(|[a, b]| sums[island(a, b)].share());
    warm_start::hold(world);
}

/// Notes u*, once the old impulses and free rotation are in.
pub fn begin(world: &mut World) {
    let before = &mut world.safeguard.before;
    before.clear();
    before.extend(
        world
            .velocities
            .iter()
            .zip(&world.late)
            .map(|(now, late)| Velocity { linear: now.linear - late.linear, angular: now.angular - late.angular }),
    );
}

/// Books what the sweeps have come to, before anything bounces.
pub fn finish(world: &mut World) {
    let before_contacts = world.system.before_contacts();
    let World { safeguard: Scratch { before, sums, account, feeds }, system, bodies, velocities, .. } = world;
    if before.is_empty() {
        return;
    }
    let System { blocks, rows, contacts, graph, softened, closing, .. } = system;
    let mut add = |a: u32, b: u32, own: f64| {
        sums[graph.island(if bodies[a as usize].is_dynamic() { a } else { b }) as usize].covered -= own;
    };
    let mut softened = softened.iter().map(|soft| soft.row as usize).peekable();
    let mut of = |block: &Block| {
        let (a, b) = (block.a as usize, block.b as usize);
        let mut own = 0.0;
        for index in block.range() {
            let row = &rows[index];
            let (bias, gamma) = working(row, *feeds, softened.next_if_eq(&index).is_some());
            let bias = closing.get(index).copied().flatten().map_or(bias, |closing| closing.gap);
            // f = ½ λ (J u* + J u + 2 b + γ λ).
            let twice = speed(row, &before[a], &before[b]) + speed(row, &velocities[a], &velocities[b]) + 2.0 * bias;
            own += 0.5 * f64::from(row.impulse) * f64::from(twice + gamma * row.impulse);
        }
        own
    };
    let (joints, others) = blocks.split_at(before_contacts);
    joints.iter().for_each(|block| add(block.a, block.b, of(block)));
    contacts.ends(before, velocities, *feeds, |[a, b], own| add(a, b, own[0]));
    others.iter().for_each(|block| add(block.a, block.b, of(block)));
    for (account, sum) in account.iter_mut().zip(&*sums).filter(|(_, sum)| sum.covered != 0.0) {
        let left = if sum.covered.is_finite() { sum.covered } else { 0.0 };
        world.fed += (-left).max(0.0);
        *account = if *feeds { left.max(0.0) } else { left };
    }
    before.clear();
}

/// The part of a row's bias and γ that may do work: all, but where errors are `feeds` back only a spring's or a drive's.
fn working(row: &Row, feeds: bool, softened: bool) -> (f32, f32) {
    let foreign = row.gamma > 0.0 || (row.lo.is_finite() && row.hi.is_finite());
    match (feeds, softened) {
        (true, true) => (0.0, 0.0),
        (true, false) if !foreign => (0.0, 0.0),
        _ => (row.bias, row.gamma),
    }
}
