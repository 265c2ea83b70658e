//! A bound on warm starting: old impulses may add no more energy to a mechanism than its solves have removed.
//!
//! ```text
//! f(λ) = λᵀ(J u* + b) + ½ λᵀ(A + γ) λ              is what sweeps minimize; u* the velocities without impulses
//!      = T(u) − T(u*) + bᵀλ + ½ γ λ²               T the kinetic energy, u = u* + M⁻¹ Jᵀ λ
//! ```
//! Zero impulses have f = 0, and a sweep of Gauss–Seidel, or of Jacobi with D ≥ A, never raises f. So a solve that
//! starts from zero ends with T(u) ≤ T(u*) − bᵀλ, however few its sweeps: without a bias that feeds errors back it cannot
//! add energy. Warm starting starts from λ0, the impulses of the step before, along rows that have turned since. If the
//! sweeps leave a large error, λ' = r λ − (1 − r) w, the impulses follow the motion like a spring with almost no damping,
//! and f(λ0) > 0: the bodies start with more energy than without impulses, and keep it, step after step. In this way
//! eight links under 100 kg, released from rest, reach any speed under Jacobi, and under Gauss–Seidel with stops at their
//! ends.
//!
//! A mechanism (bodies connected by rows) that sags while its impulses build up is lifted by them again later. So the
//! energy that its solves remove, −f, is credited to its account, which decays with the time constant `MEMORY`. It starts
//! from α λ0 with the largest α ≤ 1 for which the account covers f(α λ0). Energy that a solve adds beyond the account
//! makes the account negative: a debt, which later solves have to remove. Then
//!
//! ```text
//! Σ T(u) − T(u*) ≤ −Σ bᵀλ + ½ γ λ²                 over all steps
//! ```
//! and without feedback of errors (none, split impulses, position sweeps) constraints add no kinetic energy in the
//! long run, whatever the sweeps, masses and joints. A start that is covered is left as it is, bit by bit. Bounds and
//! cones hold for α λ0 as for λ0, since all contain zero.
//!
//! An impact takes out much energy, and its impulse is no start for the next sub-step: through joints (`solvers/jointed_contacts`)
//! it turns light links so fast that the curvature biases which follow from that turn them faster still. Where a
//! contact acts through joints the account covers nothing, and α λ0 is at least as good a start as zero.
//!
//! Baumgarte and soft stabilisation feed errors back by a bias. The work of that bias counts as energy added by the
//! rows; only springs and drives may do work of their own. The added energy makes no debt, otherwise the rows would
//! have to let go, so these two methods are bounded in practice, not by proof. SHAKE and RATTLE close the joints by
//! the impulses themselves. The energy that this adds has an account of its own (`energy_budget/`), and here their rows
//! count as those of split impulses. The direct solver starts from zero. Derived here.

use super::body::Velocity;
use super::gyroscopic::{self, GyroscopicTerm};
use super::kernel::row::speed;
use super::row::{Block, Owner, Row};
use super::settings::{CarryForm, JacobiStep, LimitForm, Safeguard, Settings, Stabilization};
use super::solvers::properties;
use super::system::System;
use super::warm_start::deferred;
use super::world::state::State;

/// Buffers, kept from step to step.
#[derive(Debug, Default)]
pub struct Scratch {
    /// u* by body; empty if the energy is not tracked.
    before: Vec<Velocity>,
    /// By the first body of an island.
    sums: Vec<Sum>,
    /// Whether errors are fed back through the velocities.
    feeds: bool,
}

/// Sums over a mechanism, J.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    /// λᵀ(J u* + b).
    slope: f64,
    /// λᵀ(A + γ)λ.
    curve: f64,
    /// The account: the largest f that is allowed.
    covered: f64,
    /// The debt before this sub-step.
    debt: f64,
    /// Whether a contact acts through its joints.
    acts_through_joints: bool,
}

/// The time within which an account decays, s: longer than a heavy load takes to sag and come up again.
const MEMORY: f32 = 4.0;

/// The share of an account that is left after a sub-step of `h` seconds.
fn decay_factor(h: f32) -> f64 {
    f64::from((1.0 - h / MEMORY).max(0.0))
}

/// The share of an account that is left after a whole step.
pub fn decay_factor_of_step(settings: &Settings) -> f64 {
    (0..settings.step.substeps).fold(1.0, |share, _| share * decay_factor(settings.h()))
}

impl Sum {
    /// The largest share of the impulses that is covered, or the share with the least f if none is.
    fn share(&self) -> f32 {
        let covered = if self.acts_through_joints { self.covered.min(0.0) } else { self.covered };
        if self.slope + 0.5 * self.curve <= covered || self.curve <= 0.0 {
            return 1.0;
        }
        let root = (self.slope * self.slope + 2.0 * self.curve * covered).max(0.0).sqrt();
        ((root - self.slope) / self.curve).clamp(0.0, 1.0) as f32
    }
}

/// Whether the energy that impulses add is tracked. The printed form that applies old impulses after the first sweep has
/// no start to check. Contacts that serve all sub-steps are swept again so soon, along the same rows, that tracking would
/// cost more than the sweeps; if there is nothing else, it is done only if the setting says so. Without the limiter
/// nothing is tracked unless the joints are read, and with them the added energy.
pub fn watches(settings: &Settings, state: &State, system: &System, reads: bool) -> bool {
    let only_contacts = || system.blocks.iter().all(|block| matches!(block.owner, Owner::Contact(_)));
    let safeguard = settings.warm_start.safeguard;
    let small_steps = safeguard == Safeguard::Usual && state.contacts.serves_all(settings);
    if settings.formulation.carry == CarryForm::AsPrinted || system.is_empty() {
        return false;
    }
    let idle = safeguard == Safeguard::Off && !reads;
    !(idle || small_steps && only_contacts())
}

/// Whether impulses that are not covered are scaled down.
fn applies(settings: &Settings, state: &State) -> bool {
    match settings.warm_start.safeguard {
        Safeguard::Off => false,
        Safeguard::Always => true,
        Safeguard::Usual => {
            let at_once = properties::of(settings.solver.method).at_once;
            let manual = at_once && settings.solver.jacobi == JacobiStep::Manual;
            let printed = settings.formulation.limit == LimitForm::Increment;
            !manual && !printed && !has(settings, state, Stabilization::Baumgarte)
        }
    }
}

/// Whether the world or one of its joints has this method of stabilisation.
fn has(settings: &Settings, state: &State, method: Stabilization) -> bool {
    let joint_method =
        |joint: &super::joint::Joint| joint.def.options.stabilization.and_then(|settings| settings.method);
    settings.stabilization.method == method || state.joints.iter().any(|joint| joint_method(joint) == Some(method))
}

/// Updates the accounts and, before the impulses that the rows start from are applied, scales down those that add too
/// much.
pub(crate) fn scale(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    (scratch, deferred): (&mut Scratch, &mut Vec<Velocity>),
    h: f32,
) {
    deferred::collect(state, system, deferred);
    let applies = applies(settings, state);
    let softened = !system.softened.is_empty() || system.contacts.soft();
    let feeds = has(settings, state, Stabilization::Baumgarte) || softened;
    let before_contacts = system.before_contacts();
    let Scratch { sums, feeds: fed_back, .. } = scratch;
    let State { accounts, bodies, velocities, injected, .. } = state;
    *fed_back = feeds;
    let System { blocks, rows, contacts, graph, softened, jointed_contacts, .. } = system;
    let island = |a: u32, b: u32| graph.island(if bodies[a as usize].is_dynamic() { a } else { b }) as usize;
    sums.clear();
    sums.resize(bodies.len(), Sum::default());
    accounts.resize(bodies.len(), 0.0);
    let remaining_share = decay_factor(h);
    injected.decay(remaining_share);
    for (body, account) in accounts.iter_mut().enumerate().filter(|(_, account)| **account != 0.0) {
        sums[graph.island(body as u32) as usize].covered += remaining_share * *account;
        *account = 0.0;
    }
    sums.iter_mut().for_each(|sum| sum.debt = (-sum.covered).max(0.0));
    if !applies {
        return;
    }
    let mut softened = softened.iter().map(|soft| soft.row as usize).peekable();
    let mut add = |a: u32, b: u32, terms: [f64; 2]| {
        let sum = &mut sums[island(a, b)];
        (sum.slope, sum.curve) = (sum.slope + terms[0], sum.curve + terms[1]);
    };
    let mut block_terms = |block: &Block| {
        let (a, b) = (block.a as usize, block.b as usize);
        let mut terms = [0.0; 2];
        for index in block.range() {
            let row = &rows[index];
            let (bias, gamma) = working(row, feeds, softened.next_if_eq(&index).is_some());
            let impulse = f64::from(row.impulse);
            let moved = speed(row, &deferred[a], &deferred[b]) + gamma * row.impulse;
            terms[0] += impulse * f64::from(speed(row, &velocities[a], &velocities[b]) + bias);
            terms[1] += impulse * f64::from(moved);
        }
        terms
    };
    let (joints, others) = blocks.split_at(before_contacts);
    joints.iter().for_each(|block| add(block.a, block.b, block_terms(block)));
    contacts.start_work(velocities, deferred, feeds, |[a, b], terms| add(a, b, terms));
    others.iter().for_each(|block| add(block.a, block.b, block_terms(block)));
    for block in
        blocks.iter().enumerate().filter(|(index, _)| jointed_contacts.is_listed(*index)).map(|(_, block)| block)
    {
        sums[island(block.a, block.b)].acts_through_joints = true;
    }
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
    deferred::collect(state, system, deferred);
}

/// Saves u*, once the old impulses and free rotation are applied.
pub(crate) fn save_free_velocities(state: &State, scratch: &mut Scratch, deferred: &[Velocity]) {
    let before = &mut scratch.before;
    before.clear();
    before.extend(state.velocities.iter().zip(deferred).map(|(now, deferred)| Velocity {
        linear: now.linear - deferred.linear,
        angular: now.angular - deferred.angular,
    }));
}

/// Updates the accounts with the result of the sweeps, before any bounce. `gyroscopic`: the gyroscopic terms, which were
/// updated with the sweeps.
pub(crate) fn finish(state: &mut State, system: &mut System, gyroscopic: &[GyroscopicTerm], scratch: &mut Scratch) {
    let before_contacts = system.before_contacts();
    let Scratch { before, sums, feeds } = scratch;
    let State { accounts, bodies, velocities, injected, energy_budget, .. } = state;
    if before.is_empty() {
        return;
    }
    gyroscopic::add_later_changes(gyroscopic, before);
    let System { blocks, rows, contacts, graph, softened, closing, .. } = system;
    let mut add = |a: u32, b: u32, work: f64| {
        sums[graph.island(if bodies[a as usize].is_dynamic() { a } else { b }) as usize].covered -= work;
    };
    let mut softened = softened.iter().map(|soft| soft.row as usize).peekable();
    let mut block_work = |block: &Block| {
        let (a, b) = (block.a as usize, block.b as usize);
        let mut work = 0.0;
        for index in block.range() {
            let row = &rows[index];
            let (bias, gamma) = working(row, *feeds, softened.next_if_eq(&index).is_some());
            let bias = closing.get(index).copied().flatten().map_or(bias, |closing| closing.gap);
            // f = ½ λ (J u* + J u + 2 b + γ λ).
            let twice = speed(row, &before[a], &before[b]) + speed(row, &velocities[a], &velocities[b]) + 2.0 * bias;
            work += 0.5 * f64::from(row.impulse) * f64::from(twice + gamma * row.impulse);
        }
        work
    };
    let (joints, others) = blocks.split_at(before_contacts);
    joints.iter().for_each(|block| add(block.a, block.b, block_work(block)));
    contacts.end_work(before, velocities, *feeds, |[a, b], work| add(a, b, work[0]));
    others.iter().for_each(|block| add(block.a, block.b, block_work(block)));
    for (island, (account, sum)) in accounts.iter_mut().zip(&*sums).enumerate() {
        let account_left = if sum.covered.is_finite() { sum.covered } else { 0.0 };
        // A debt of earlier sub-steps counts once, not again in each.
        injected.add_step((-account_left).max(0.0) - sum.debt, energy_budget.closed_work(island));
        *account = if *feeds { account_left.max(0.0) } else { account_left };
    }
    before.clear();
}

/// The part of a row's bias and γ that may do work: all of it, or only that of springs and drives where errors are fed
/// back (`feeds`).
fn working(row: &Row, feeds: bool, softened: bool) -> (f32, f32) {
    let does_work = row.gamma > 0.0 || (row.lo.is_finite() && row.hi.is_finite());
    match (feeds, softened) {
        (true, true) => (0.0, 0.0),
        (true, false) if !does_work => (0.0, 0.0),
        _ => (row.bias, row.gamma),
    }
}
