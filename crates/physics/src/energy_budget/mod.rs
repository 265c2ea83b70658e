//! Limits the energy that closing the joints adds, however few the sweeps are. Each mechanism has an account of it.
//!
//! ```text
//! w = λᵀ J ½ (v⁻ + v)           work of the rows that the step closes (`shake.rs`); v⁻: velocities before forces
//! T(v) + V − T(v⁻) − V⁻ = w + work of drives, springs and contacts
//!                               T: kinetic, V: potential energy; leapfrog accounts exactly for the work of gravity
//! ```
//! Ideal joints do no work. If the step closes them, J(x) (v⁻ + v) = O(h³), and w oscillates about zero, as RATTLE's
//! energy does. If the sweeps leave a large residual, or a light link turns by a radian per step, w grows. So each
//! mechanism has an account of the energy that its joints have added. The account has a bound: `SHARE` of the largest
//! recent kinetic energy, plus the mechanism's weight times `HEIGHT`. Above half of the bound the impulses include less
//! and less of the curvature bias (`shake.rs`), and at the bound none of it. The step is then one of split impulses,
//! which add no energy (`warm_start_limiter.rs`). The energy that it removes is subtracted from the account. If the
//! sweeps of a step would exceed the bound, they continue without the curvature bias, and the next steps do without it,
//! too. A cracking whip then loses energy, as it does under split impulses. Removed energy is a credit. The credit is
//! limited to the bound, and it decays.
//!
//! A step is *closed* if all joint errors at its end are within `SETTLED`. After a closed step, such a step is one of a
//! symplectic scheme: its energy error oscillates and returns. While a whip cracks, the error reaches half of the total
//! energy. So a single closed step may add any amount. Closed steps have an account of their own, which does not decay.
//! Their energy accumulates only if the scheme no longer follows the motion (a link with h ω ≥ 2 under a load). The
//! bound of this account is `CLOSED` of the kinetic energy. Above half of it less of the curvature bias is included,
//! and credit from open steps reduces it. A crack adds energy in one step and returns it in the next, so the smaller of
//! the last two sums counts. Derived here.

pub(crate) mod state;

use glam::Vec3;

use self::state::Growth;
pub use self::state::{EnergyBudget, MechanismAccount};
use super::body::{Body, Velocity};
use super::kernel::row::speed;
use super::row::{Coupling, Owner};
use super::row_energy::RESOLUTION;
use super::settings::Settings;
use super::system::System;
use super::world::state::State;
use super::{graph, shake, warm_start_limiter};

/// The bound on the energy that open steps have added, as a share of the kinetic energy.
const SHARE: f64 = 0.1;
/// The same for the energy that closed steps have added.
pub const CLOSED: f64 = 0.5;
/// The part of the bound that remains at rest: the mechanism's weight times this, m.
pub const HEIGHT: f64 = 1e-3;
/// A mechanism's curvature bias is left out once its change has grown this many times in a row.
const MAX_GROWTHS: u32 = 3;
/// The time constant with which the largest kinetic energy and the credit decay, s.
pub const MEMORY: f64 = 4.0;

/// Opens the accounts of a sub-step of `h` seconds: saves the velocities before forces, and finds the share of the
/// curvature bias that each mechanism may use. `reads`: whether the joints are read after it.
pub fn open_accounts(settings: &Settings, state: &mut State, system: &System, reads: bool, h: f32) {
    let mut energy_budget = std::mem::take(&mut state.energy_budget);
    energy_budget.before.clear();
    if warm_start_limiter::watches(settings, state, system, reads) && system.closing.iter().any(Option::is_some) {
        energy_budget.open(settings, state, system, h);
    }
    state.energy_budget = energy_budget;
}

impl EnergyBudget {
    /// Index of the account of the mechanism that contains two connected bodies; `None` if no accounts are kept.
    pub fn of(&self, system: &System, (a, b): (u32, u32), bodies: &[Box<Body>]) -> Option<usize> {
        let island = system.graph.island(if bodies[a as usize].is_dynamic() { a } else { b });
        (!self.before.is_empty()).then_some(island as usize)
    }

    /// The share of the curvature bias that the mechanism uses, 0 to 1.
    pub fn share(&self, account: Option<usize>) -> f32 {
        account.map_or(1.0, |account| self.accounts[account].share)
    }

    /// Whether one sweep solves all rows of the mechanism: the exact solver has it as one unit, with no blocks or
    /// contacts besides.
    pub fn is_at_once(&self, account: Option<usize>) -> bool {
        account.is_some_and(|account| !self.accounts[account].mixed && self.accounts[account].trees == 1)
    }

    /// Whether one sweep solves the mechanism, and it has no loops.
    pub fn is_tree(&self, account: Option<usize>) -> bool {
        self.is_at_once(account) && account.is_some_and(|account| !self.accounts[account].looped)
    }

    /// Resets the recorded changes of the curvature biases, before the biases are evaluated again.
    pub fn reset_bias_changes(&mut self) {
        self.bias_changes.iter_mut().for_each(|bias_changes| *bias_changes = 0.0);
    }

    /// Records by how much a row's curvature bias has changed, m or rad.
    pub fn note_bias_change(&mut self, account: Option<usize>, by: f32) {
        if let Some(account) = account {
            self.bias_changes[account] = self.bias_changes[account].max(by);
        }
    }

    /// Stops using the curvature bias of mechanisms whose bias changes keep growing from evaluation to evaluation.
    /// Changes up to `above`, m or rad, may grow. Returns whether there was such a mechanism. For example, a loaded
    /// flat net cannot follow its curvature: each evaluation would ask for more than the last, without end.
    pub fn disable_diverging_bias(&mut self, above: f32) -> bool {
        let Self { accounts, bias_changes, growths, .. } = self;
        let mut any = false;
        for ((account, change), growth) in accounts.iter_mut().zip(&*bias_changes).zip(growths) {
            if *change == 0.0 || !(account.looped || account.swept) {
                continue;
            }
            growth.in_a_row = if *change > growth.last { growth.in_a_row + 1 } else { 0 };
            growth.last = *change;
            if growth.in_a_row >= MAX_GROWTHS && *change > above && account.share > 0.0 {
                (account.share, any) = (0.0, true);
            }
        }
        any
    }

    /// Whether a mechanism's step ends with its joints closed.
    fn is_closed(&self, account: usize) -> bool {
        let Self { accounts, open, bias_changes, .. } = self;
        accounts[account].share == 1.0 && open[account].max(bias_changes[account]) <= shake::SETTLED
    }

    /// The work of the joints' impulses in a step that has closed all joints, J; `None` if it left one open.
    pub fn closed_work(&self, island: usize) -> Option<f64> {
        let known = !self.before.is_empty() && self.is_closed(island);
        self.work.get(island).copied().filter(|_| known)
    }

    fn open(&mut self, settings: &Settings, state: &State, system: &System, h: f32) {
        let Self { before, accounts, kept, bias_changes, growths, .. } = self;
        before.clone_from(&state.velocities);
        bias_changes.clear();
        bias_changes.resize(state.bodies.len(), 0.0);
        growths.clear();
        growths.resize(state.bodies.len(), Growth::default());
        self.h = h;
        kept.resize(state.bodies.len(), MechanismAccount::default());
        accounts.clear();
        accounts.resize(state.bodies.len(), MechanismAccount::default());
        let decay = (1.0 - f64::from(h) / MEMORY).max(0.0);
        let gravity = f64::from(settings.step.gravity.length());
        let graph = &system.graph;
        for (index, (body, velocity)) in state.bodies.iter().zip(&state.velocities).enumerate() {
            if !body.is_dynamic() {
                continue;
            }
            let account = &mut accounts[graph.island(index as u32) as usize];
            let old = std::mem::take(&mut kept[index]);
            account.added_open += if old.added_open < 0.0 { old.added_open * decay } else { old.added_open };
            account.added_closed += old.added_closed;
            account.added_closed_before += old.added_closed_before;
            account.max_kinetic_energy += decay * old.max_kinetic_energy;
            let mass = f64::from(body.mass);
            let angular = body.rotation.inverse() * Vec3::from(velocity.angular);
            let rotational_energy = f64::from(angular.dot(body.inertia_local * angular));
            account.kinetic_energy += 0.5 * (mass * f64::from(velocity.linear.length_squared()) + rotational_energy);
            account.bound += mass * gravity * HEIGHT;
        }
        let moving_body = |a: u32, b: u32| if state.bodies[a as usize].is_dynamic() { a } else { b };
        for block in system.blocks.iter().filter(|block| block.coupling != Coupling::Tree) {
            let account = &mut accounts[graph.island(moving_body(block.a, block.b)) as usize];
            account.mixed = true;
            account.swept |= matches!(block.owner, Owner::Joint(_));
        }
        for body in system.contacts.edges().filter_map(|ends| ends.into_iter().find(|end| *end != graph::NONE)) {
            accounts[graph.island(body) as usize].mixed = true;
        }
        let trees = &system.trees;
        for tree in 0..trees.count() {
            let Some(body) = trees.bodies(tree).next() else { continue };
            let account = &mut accounts[graph.island(body) as usize];
            account.trees += 1;
            account.looped |= !trees.is_tree(tree);
        }
        for account in accounts.iter_mut() {
            account.max_kinetic_energy = account.max_kinetic_energy.max(account.kinetic_energy);
            account.bound += SHARE * account.max_kinetic_energy;
            account.added_open = account.added_open.max(-account.bound);
            let paid = account.added_closed.min(-account.added_open).max(0.0);
            (account.added_closed, account.added_open) = (account.added_closed - paid, account.added_open + paid);
            let closed = account.added_closed.min(account.added_closed_before) * SHARE / CLOSED;
            account.added_closed_before = account.added_closed;
            let bound = account.bound.max(f64::MIN_POSITIVE);
            account.share = (2.0 - 2.0 * account.added_open.max(closed) / bound).clamp(0.0, 1.0) as f32;
        }
    }
}

/// Checks the result of the sweeps. Returns true if a mechanism exceeds its bound. Such a mechanism then needs more
/// sweeps without the curvature bias.
pub fn exceeds_bound(state: &mut State, system: &System) -> bool {
    let mut energy_budget = std::mem::take(&mut state.energy_budget);
    let mut past = false;
    if !energy_budget.before.is_empty() {
        energy_budget.add_up(state, system);
        for island in 0..energy_budget.accounts.len() {
            let open = !energy_budget.is_closed(island);
            let (account, work) = (&mut energy_budget.accounts[island], energy_budget.work[island]);
            if open && account.share > 0.0 && work > 0.0 && account.added_open + work > account.bound {
                (account.share, account.added_open, past) = (0.0, account.bound, true);
            }
        }
    }
    state.energy_budget = energy_budget;
    past
}

/// Adds the work of the step to the accounts. `again`: whether there were more sweeps after [`exceeds_bound`].
pub fn close(state: &mut State, system: &System, again: bool) {
    let mut energy_budget = std::mem::take(&mut state.energy_budget);
    if !energy_budget.before.is_empty() {
        if again {
            energy_budget.add_up(state, system);
        }
        for island in 0..energy_budget.accounts.len() {
            let closed = energy_budget.is_closed(island);
            let (account, work) = (&mut energy_budget.accounts[island], energy_budget.work[island]);
            if energy_budget.ideal[island] {
                state.injected.add_ideal(work, energy_budget.rounding[island], account.kinetic_energy);
            }
            if closed {
                account.added_closed += work;
            } else {
                let added = account.added_open + work;
                account.added_open = if added.is_finite() { added } else { account.bound };
            }
            energy_budget.kept[island] = *account;
        }
    }
    state.energy_budget = energy_budget;
}

impl EnergyBudget {
    /// Sums w of each mechanism and its rounding, and finds the largest joint error that the step leaves. Records in
    /// which mechanisms only ideal joints act.
    fn add_up(&mut self, state: &State, system: &System) {
        let (bodies, velocities) = (&state.bodies, &state.velocities);
        self.work.clear();
        self.work.resize(bodies.len(), 0.0);
        self.open.clear();
        self.open.resize(bodies.len(), 0.0);
        self.rounding.clear();
        self.rounding.resize(bodies.len(), 0.0);
        self.note_contacts(state, system);
        for block in system.blocks.iter().filter(|block| matches!(block.owner, Owner::Joint(_))) {
            let (a, b) = (block.a as usize, block.b as usize);
            let (mut work, mut open, mut rounding) = (0.0f64, 0.0f32, 0.0f64);
            let reach = [a, b].map(|end| bodies[end].position.abs().max_element()).into_iter().fold(1.0, f32::max);
            let mut ideal =
                [a, b].iter().all(|&end| bodies[end].is_dynamic() || velocities[end] == Velocity::default());
            for index in block.range() {
                let row = &system.rows[index];
                ideal &= row.impulse == 0.0 || row.lo == f32::NEG_INFINITY && row.hi == f32::INFINITY;
                let Some(closing) = system.closing[index].filter(|closing| !closing.is_rotor) else {
                    ideal &= row.impulse == 0.0;
                    continue;
                };
                let now = speed(row, &velocities[a], &velocities[b]);
                work += 0.5 * f64::from(row.impulse) * f64::from(speed(row, &self.before[a], &self.before[b]) + now);
                rounding +=
                    f64::from(row.impulse.abs() * RESOLUTION * if row.is_angular() { 1.0 } else { reach } / self.h);
                open = open.max(closing.left_to_split()).max(shake::left(row, now, self.h));
            }
            let moving_body = if bodies[a].is_dynamic() { block.a } else { block.b };
            let island = system.graph.island(moving_body) as usize;
            self.work[island] += work;
            self.rounding[island] += rounding;
            self.open[island] = self.open[island].max(open);
            self.ideal[island] &= ideal;
        }
    }

    /// Marks the mechanisms that nothing touches as ideal, for [`Self::add_up`] to rule out more. In the first step no
    /// mechanism is ideal: it may begin with velocities that the joints do not allow.
    fn note_contacts(&mut self, state: &State, system: &System) {
        self.ideal.clear();
        self.ideal.resize(state.bodies.len(), state.step_count > 0);
        let blocks = system.blocks.iter().filter(|block| matches!(block.owner, Owner::Contact(_)));
        let touching = blocks.map(|block| [block.a, block.b]).chain(system.contacts.edges());
        for body in touching.flatten().filter(|body| *body != graph::NONE && state.bodies[*body as usize].is_dynamic())
        {
            self.ideal[system.graph.island(body) as usize] = false;
        }
    }
}
