//! The accounts of added energy that a world keeps from step to step.

use crate::body::Velocity;
use crate::copy::copied_by_fields;

/// The accounts of a world, kept from step to step.
#[derive(Debug, Default)]
pub struct EnergyBudget {
    /// v⁻ by body; empty where no account is kept.
    pub(super) before: Vec<Velocity>,
    /// By an island's first body.
    pub(super) accounts: Vec<MechanismAccount>,
    /// By body, at the body that was the first of its island in the last step.
    pub(super) kept: Vec<MechanismAccount>,
    /// By an island's first body: the energy added in this step, J.
    pub(super) work: Vec<f64>,
    /// By an island's first body: how much of it may be rounding, J.
    pub(super) rounding: Vec<f64>,
    /// By an island's first body: whether only ideal joints act in this step. A stop, a rope, a spring, a motor,
    /// friction and whatever touches may take energy; so may a body that is moved.
    pub(super) ideal: Vec<bool>,
    /// By an island's first body: what the step leaves open, m or rad, by its rows at their present biases, and by the
    /// last change of these biases.
    pub(super) open: Vec<f32>,
    pub(super) bias_changes: Vec<f32>,
    /// By an island's first body: how these changes grow in the sub-step.
    pub(super) growths: Vec<Growth>,
    /// Length of the sub-step, s.
    pub(super) h: f32,
}

copied_by_fields!(EnergyBudget { before, accounts, kept, work, rounding, ideal, open, bias_changes, growths, h });

/// How the changes of the curvature bias grow from evaluation to evaluation.
#[derive(Debug, Clone, Copy)]
pub struct Growth {
    /// The last change, m or rad, and the number of times in a row that it has grown.
    pub(super) last: f32,
    pub(super) in_a_row: u32,
}

impl Default for Growth {
    fn default() -> Self {
        Self { last: f32::INFINITY, in_a_row: 0 }
    }
}

/// The account of a mechanism.
#[derive(Debug, Clone, Copy, Default)]
pub struct MechanismAccount {
    /// Energy that the joints have added in open steps, J.
    pub(super) added_open: f64,
    /// Energy that they have added in closed steps, J: now, and a step before.
    pub(super) added_closed: f64,
    pub(super) added_closed_before: f64,
    /// Present kinetic energy, and its decaying maximum, J.
    pub(super) kinetic_energy: f64,
    pub(super) max_kinetic_energy: f64,
    /// The bound on `added_open`, J.
    pub(super) bound: f64,
    /// The share of the curvature bias that the step closes, 0 to 1.
    pub(super) share: f32,
    /// The number of its trees and mechanisms, and whether it has blocks outside of them.
    pub(super) trees: u32,
    pub(super) mixed: bool,
    /// Whether one of them may have loops, and whether some joints are left to the sweeps.
    pub(super) looped: bool,
    pub(super) swept: bool,
}

impl EnergyBudget {
    /// Makes room for the accounts of `bodies` bodies.
    pub fn make_room(&mut self, bodies: usize) {
        self.kept.resize(bodies, MechanismAccount::default());
    }

    /// The accounts by body.
    pub fn kept(&self) -> &[MechanismAccount] {
        &self.kept
    }

    /// Replaces all accounts.
    pub fn replace_accounts(&mut self, accounts: impl Iterator<Item = MechanismAccount>) {
        self.kept.clear();
        self.kept.extend(accounts);
    }

    /// Takes over the accounts of these bodies.
    pub fn take_over(&mut self, accounts: &[MechanismAccount], bodies: &[u32]) {
        for (account, body) in accounts.iter().zip(bodies) {
            self.kept[*body as usize] = *account;
        }
    }
}
