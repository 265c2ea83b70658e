//! Articulations: steps mechanisms that are trees of joints, eight at a time in SIMD lanes, each group of eight in one
//! pass while it is in the cache.
//!
//! ```text
//! mechanism   a tree of balls, hinges and welds that touches nothing           lane_plan.rs, joints.rs
//! group       eight of them, overlaid node by node, one per lane               group.rs, lanes.rs
//! step        all sub-steps of a group, solved exactly                         step.rs, solve.rs, articulated.rs
//! closing     SHAKE and RATTLE by exact solves                                 closing.rs
//! read        copying the state to the world's bodies and joints               read.rs
//! sums        energy, momentum and joint errors of what is out of date there   sums.rs
//! bounds      which mechanisms must be stepped by rows for a stop or cone      bounds.rs
//! ```
//! The tree block of `solvers/tree` does the same with rows and separately allocated bodies. The articulations solve
//! the same equations without rows, so velocities, poses and impulses agree to within rounding; rounding differs
//! because sums are taken in another order. The result does not depend, to the bit, on the number of threads or on what
//! else is in the world. With `solver.lanes` off every mechanism is stepped by rows.
//!
//! A mechanism is stepped here if the settings allow it (`plan/route.rs`), all its joints are of the supported
//! kinds ([`joints::TreeJoint::of`]), and the mouse joint does not pull it; but not in a step in which it may reach a
//! bound or a body runs away. The other mechanisms are stepped by rows, in batches (`batches/mod.rs`, which also says
//! when the whole world is stepped at once).

mod articulated;
mod bounds;
mod closing;
mod fixed;
mod group;
pub mod joints;
mod lane_plan;
mod read;
mod solve;
mod step;
mod sums;

use std::sync::{Arc, Mutex, PoisonError};

use glam::{Quat, Vec3};

use super::body::Velocity;
use super::graph::NONE;
use super::settings::Settings;
use super::world::report::Report;
use super::world::state::State;
use super::{stabilize, threads};
use crate::kernel::lanes::{self, LANES};
use group::MechanismGroup;
use lane_plan::{LaneAddress, LanePlan};
use step::{Scratch, StepParameters};

/// The mechanisms of a world that are stepped without rows.
#[derive(Default)]
pub struct Articulations {
    /// None if there are no mechanisms, which saves the allocation of an empty plan.
    plan: Option<Arc<LanePlan>>,
    groups: Vec<MechanismGroup>,
    scratch: Vec<Mutex<Scratch>>,
    /// The mechanisms that the last step left to be stepped by rows, as (group, lane).
    by_rows: Vec<(u32, u32)>,
    /// Whether the groups hold the current state and the world's bodies and joints are out of date: see
    /// [`Executor::resident`](crate::world::Executor::resident).
    ahead: bool,
    /// Energy added by SHAKE's and RATTLE's impulses, by mechanism, sorted by root body: see `closing.rs`.
    accounts: Vec<TreeAccount>,
    /// Length of the last sub-step, s, if the joints' read-outs are to be computed from it.
    read: Option<f32>,
}

/// A copy of a world whose bodies are up to date gets no plan and no groups.
impl Clone for Articulations {
    fn clone(&self) -> Self {
        let accounts = self.accounts.clone();
        if !self.ahead {
            return Self { accounts, ..Self::default() };
        }
        let (plan, groups, by_rows) = (self.plan.clone(), self.groups.clone(), self.by_rows.clone());
        Self { plan, groups, by_rows, scratch: Vec::new(), ahead: true, accounts, read: self.read }
    }

    fn clone_from(&mut self, source: &Self) {
        if !(self.ahead && source.ahead) {
            *self = source.clone();
            return;
        }
        let Self { plan, groups, scratch: _, by_rows, ahead: _, accounts, read } = self;
        plan.clone_from(&source.plan);
        groups.clone_from(&source.groups);
        by_rows.clone_from(&source.by_rows);
        accounts.clone_from(&source.accounts);
        *read = source.read;
    }
}

/// Energy that the joints of one mechanism have added, J: see `closing.rs`.
#[derive(Debug, Clone, Copy, Default)]
struct TreeAccount {
    root: u32,
    added: f32,
    max_kinetic_energy: f32,
}

impl Articulations {
    /// Plans and allocates the groups for all mechanisms of a world that are trees. The energy accounts are those of
    /// `before`.
    pub fn new(state: &State, before: &Self) -> Self {
        let plan = Arc::new(LanePlan::new(state));
        let groups = plan.shapes.iter().map(|shape| MechanismGroup::new(shape, state)).collect();
        let mut articulations = Self { plan: Some(plan), groups, accounts: before.accounts.clone(), ..Self::default() };
        articulations.open_accounts();
        articulations
    }

    fn plan(&self) -> &LanePlan {
        static NONE: LanePlan =
            LanePlan { mechanisms: 0, shapes: Vec::new(), addresses: Vec::new(), joint_addresses: Vec::new() };
        self.plan.as_deref().unwrap_or(&NONE)
    }

    /// Copies the mechanisms' energy accounts into the groups.
    fn open_accounts(&mut self) {
        for group in &mut self.groups {
            for lane in (0..LANES).filter(|lane| group.fixed.lanes >> lane & 1 == 1) {
                let root = group.fixed.shape.members[0][lane].body;
                let Ok(index) = self.accounts.binary_search_by_key(&root, |account| account.root) else { continue };
                let TreeAccount { added, max_kinetic_energy, .. } = self.accounts[index];
                lanes::set(&mut group.accounts.added, lane, added);
                lanes::set(&mut group.accounts.max_kinetic_energy, lane, max_kinetic_energy);
            }
        }
    }

    /// Copies the energy accounts out of the groups, so that a copy of the world continues them.
    fn close_accounts(&mut self) {
        self.accounts.clear();
        for group in &self.groups {
            for lane in (0..LANES).filter(|lane| group.fixed.lanes >> lane & 1 == 1) {
                self.accounts.push(TreeAccount {
                    root: group.fixed.shape.members[0][lane].body,
                    added: lanes::lane(&group.accounts.added, lane),
                    max_kinetic_energy: lanes::lane(&group.accounts.max_kinetic_energy, lane),
                });
            }
        }
        self.accounts.sort_unstable_by_key(|account| account.root);
    }

    /// Whether there are no mechanisms.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The number of mechanisms.
    pub fn mechanisms(&self) -> usize {
        self.plan.as_ref().map_or(0, |plan| plan.mechanisms)
    }

    /// Whether a body belongs to one of the mechanisms.
    pub fn holds(&self, body: u32) -> bool {
        self.plan().addresses.get(body as usize).is_some_and(|address| *address != LaneAddress::NOWHERE)
    }

    /// Whether a joint belongs to one of the mechanisms.
    pub fn holds_joint(&self, joint: u32) -> bool {
        self.plan().joint_addresses.get(joint as usize).is_some_and(|address| *address != LaneAddress::NOWHERE)
    }

    /// Whether the groups hold mid-step velocities of the last step (RATTLE).
    pub fn has_halves(&self) -> bool {
        self.groups.iter().any(|group| !group.midpoints.is_empty())
    }

    /// The number of mechanism slots: groups times lanes.
    pub fn slots(&self) -> usize {
        self.groups.len() * LANES
    }

    /// The slots that the last step left to be stepped by rows.
    pub fn by_rows(&self) -> impl Iterator<Item = usize> {
        self.by_rows.iter().map(|(group, lane)| *group as usize * LANES + *lane as usize)
    }

    /// The bodies and joints of the mechanism in this slot, in the world's order.
    pub fn island(&self, slot: usize) -> (Vec<u32>, Vec<u32>) {
        lane_plan::island(&self.plan().shapes[slot / LANES], slot % LANES)
    }

    /// Steps all mechanisms, except those that it leaves to be stepped by rows: see [`Articulations::by_rows`].
    ///
    /// - `half_step`: `state.rattle` holds the mid-step velocities of the previous step.
    /// - `reads`: the read-outs of the joints are computed.
    /// - `stays`: the state stays in the groups after the step and is not copied to the world.
    pub fn step(
        &mut self,
        settings: &Settings,
        state: &mut State,
        report: &mut Report,
        (threads, reads, stays): (usize, bool, bool),
        half_step: bool,
    ) {
        if self.is_empty() {
            return;
        }
        while self.scratch.len() < threads {
            self.scratch.push(Mutex::default());
        }
        if !state.stiffness.is_empty() {
            state.bodies.iter_mut().for_each(|body| body.set_solver_mass(None));
        }
        let Articulations { plan, groups, scratch, by_rows, ahead, read, .. } = &mut *self;
        let pulled =
            state.mouse_joint.and_then(|mouse_joint| plan.as_ref()?.addresses.get(mouse_joint.body as usize).copied());
        let closes = stabilize::is_position_level(settings);
        groups.iter_mut().for_each(|group| group.by_rows_next = 0);
        if let Some(address) = pulled.filter(|address| *address != LaneAddress::NOWHERE) {
            groups[address.group as usize].by_rows_next |= 1 << address.lane;
        }
        let params = StepParameters::new(*settings, reads, state.rattle.runs);
        let lists = (&state.bodies[..], &state.velocities[..], &state.joints[..]);
        let half_step = half_step.then_some((&*state.rattle.midpoint, &*state.rattle.end));
        threads::each(threads, groups, |thread, group| {
            let mut scratch = scratch[thread].lock().unwrap_or_else(PoisonError::into_inner);
            if !*ahead {
                group.load(group.fixed.lanes, lists, half_step);
            }
            group.step(&params, lists.2, &mut scratch);
        });
        by_rows.clear();
        for (index, group) in (0..).zip(&*groups) {
            by_rows.extend((0..LANES as u32).filter(|lane| group.by_rows >> lane & 1 == 1).map(|lane| (index, lane)));
            for lane in (0..LANES).filter(|lane| (group.fixed.lanes & !group.by_rows) >> lane & 1 == 1) {
                report.row_count += group.fixed.rows[lane] as usize;
                report.trees += 1;
            }
            report.residual = report.residual.max(group.residual);
        }
        report.sweeps = report.sweeps.max(params.substeps);
        // SHAKE's first step goes from v(0) to v(½): see `rattle/`.
        let halved = params.is_first_substep && params.substeps == 1;
        *read = reads.then_some(if halved { 0.5 * params.h } else { params.h });
        if closes {
            self.close_accounts();
        }
        let was_ahead = std::mem::replace(&mut self.ahead, stays);
        if !self.ahead {
            self.store(state, threads);
        } else if was_ahead {
            self.store_by_rows(state);
        }
    }

    /// Brings the world's bodies and joints up to date if the groups are ahead.
    pub fn sync(&mut self, settings: &Settings, state: &mut State) {
        if self.ahead {
            let threads = threads::count(settings.solver.threads);
            while self.scratch.len() < threads {
                self.scratch.push(Mutex::default());
            }
            self.store(state, threads);
            self.ahead = false;
        }
    }

    /// Loads the mechanisms that were stepped by rows back into the groups, if the groups hold the state.
    pub fn reload_by_rows(&mut self, state: &State) {
        let State { bodies, velocities, joints, rattle, .. } = state;
        if self.ahead {
            let half_step = (rattle.midpoint.len() == bodies.len()).then_some((&*rattle.midpoint, &*rattle.end));
            for (group, lane) in &self.by_rows {
                self.groups[*group as usize].load(1 << *lane, (bodies, velocities, joints), half_step);
            }
        }
    }
}

impl Articulations {
    /// The group of a body that the last step stepped here, and its (node, lane) in it.
    fn stepped(&self, address: LaneAddress) -> Option<(&MechanismGroup, (usize, usize))> {
        let group = (address.group != NONE).then(|| &self.groups[address.group as usize])?;
        (group.by_rows >> address.lane & 1 == 0).then_some((group, (address.node as usize, address.lane as usize)))
    }

    /// About how many bytes a copy of it takes; shared data is not counted.
    pub fn bytes(&self) -> usize {
        let bytes = |group: &MechanismGroup| {
            size_of_val(&*group.states)
                + size_of_val(&*group.anchors)
                + size_of_val(&*group.axes)
                + size_of_val(&*group.values)
                + size_of_val(&*group.loads)
                + size_of_val(&*group.midpoints)
        };
        self.groups.iter().map(bytes).sum()
    }

    /// Whether the world's bodies and joints are out of date.
    pub fn is_ahead(&self) -> bool {
        self.ahead
    }

    /// Position (m), orientation and velocity of a body that is out of date in the world; none otherwise.
    pub fn state(&self, body: u32) -> Option<(Vec3, Quat, Velocity)> {
        if !self.ahead {
            return None;
        }
        let (group, (node, lane)) = self.stepped(*self.plan().addresses.get(body as usize)?)?;
        let state = &group.states[node];
        let velocity = Velocity { linear: state.v.lane_a(lane), angular: state.w.lane_a(lane) };
        Some((state.x.lane(lane), state.q.lane(lane), velocity))
    }

    /// Whether a body is out of date in the world.
    pub fn is_body_behind(&self, body: usize) -> bool {
        self.ahead && self.plan().addresses.get(body).is_some_and(|address| self.stepped(*address).is_some())
    }

    /// Whether a joint is out of date in the world.
    pub fn is_joint_behind(&self, joint: usize) -> bool {
        self.ahead && self.plan().joint_addresses.get(joint).is_some_and(|address| self.stepped(*address).is_some())
    }
}
