//! Contacts on bodies of trees and mechanisms (below: units). The rows of such a contact act through the joints.
//!
//! ```text
//! Δu = M⁻¹ J_cᵀ λ + M⁻¹ Jᵀ μ,   (A + Γ) μ = −J M⁻¹ J_cᵀ λ      J, A: the rows of the tree or mechanism
//! K  = J_c Δu/λ                                                K of the contact's row, with the joints
//! ```
//! A tooth of 20 g on a hub of 1 kg is as hard to push as the hub. If its contact is solved with the mass of the tooth,
//! it takes fifty sweeps to carry a load. So each row of the contact stores three things for a unit impulse: K, the
//! velocity changes Δu of all bodies that move with it, and the joint impulses μ. The joints then stay solved while the
//! contacts iterate. This K also sets the softness of a soft contact.
//!
//! Rows of a mechanism that are at a bound do not respond. If a solve of the mechanism changes which rows are at a
//! bound, the responses are computed again. If the joints hold the two bodies together, nothing can move, and the
//! contact row is switched off. If only a motor, friction or a stop holds them, the contact is solved for its two
//! bodies alone until that motor, friction or stop is at its bound. Each contact row costs one solve of the mechanism,
//! so responses are computed only if few contacts touch small mechanisms.
//! If a unit stands on several contacts, `share` decides what each of them bears.
//!
//! Source: Mirtich 1996, Impulse-based dynamic simulation of rigid body systems, section 4.4; derived here for blocks
//! of rows.

mod response;
mod row;
mod share;

use std::ops::Range;

use row::JointedRow;
use share::SupportCount;

use super::block::{BlockVelocities, solve_contact};
use super::tree::{self, Trees};
use crate::bounds::FrictionBound;
use crate::effective_mass::row_mass;
use crate::joints::UNBOUNDED;
use crate::kernel::bodies::Pair;
use crate::kernel::row::{SolverRow, speed};
use crate::row::{Block, Coupling, Owner, Row};
use crate::settings::{Method, Settings};
use crate::system::couplings::Couplings;
use crate::velocity::Velocity;

/// In place of an index: the body has no unit, or the block has no entry.
const NONE: u32 = u32::MAX;
/// In place of a unit: the body belongs to several units, or has joints that are left to the sweeps.
const SEVERAL: u32 = u32::MAX - 1;
/// The largest number of multiplications that the responses of a sub-step may take.
const MAX_WORK: u64 = 16_000_000;
/// The number of rows of a contact in the estimate of that work.
const ROWS: u64 = 8;
/// A contact acts through joints if they make each of its points at least this many times harder to move. Otherwise a
/// few sweeps find its load. Soft rows with the K of the two bodies alone then spread a weight more evenly over the
/// legs of a table.
const MIN_STIFFENING: f32 = 8.0;
/// If K is below this share of the K of the two bodies alone, it is a rounding error, and the row is switched off.
const ROUNDING: f32 = 1e-5;
/// K is raised to at least this share of the K of the two bodies alone. A body that is pressed between links nearly in
/// line acts like a toggle press: a rigid contact would pull at the joints without limit.
const MIN_K_SHARE: f32 = 1e-3;
/// For the same reason γ is reduced to no less than this share.
const MIN_GAMMA_SHARE: f32 = 1e-2;
/// A motor counts as uncapped if its cap is at least this share of `UNBOUNDED`.
const AT_CAP: f32 = 0.99;

/// The contacts of a sub-step that act through joints.
#[derive(Debug, Clone, Default)]
pub struct JointedContacts {
    /// By body: the index of its unit (tree or mechanism), or `NONE` or `SEVERAL`.
    unit: Vec<u32>,
    /// Whether the responses are few enough to be computed.
    affordable: bool,
    /// By block: the index of its entry, or `NONE`. Empty if no contact acts through joints.
    entry: Vec<u32>,
    entries: Vec<Entry>,
    /// The bodies that move with a contact, entry by entry.
    bodies: Vec<u32>,
    /// The rows of joints that respond, entry by entry.
    joint_rows: Vec<u32>,
    /// By contact row, then by body: Δu of a unit impulse.
    moves: Vec<Velocity>,
    /// By contact row, then by joint row: μ of a unit impulse.
    impulses: Vec<f32>,
    /// By contact row: Δu of the contact's own two bodies.
    ends: Vec<Pair<f32>>,
    /// By contact row: K.
    k: Vec<f32>,
    /// By unit: whether a contact acts through it.
    touched: Vec<bool>,
    /// The bound on the impulse of a motor without a cap, N·s or N·m·s.
    uncapped: f32,
    /// Whether contacts act through joints even if the joints hardly stiffen them: `MIN_STIFFENING` is ignored.
    pub ignores_min_stiffening: bool,
    /// By unit: how many contacts share its load. Then the indices of the blocks of all contacts that share, and the
    /// velocities of their bodies before a pass.
    support_counts: Vec<SupportCount>,
    supports: Vec<u32>,
    starts: Vec<Pair<f32>>,
    /// The impulses of their rows before a part of them was taken back, N·s or N·m·s.
    before: Vec<f32>,
    /// Scratch: the contact's rows, their 1/(K + γ), and the work space of the tree solver.
    rows: Vec<JointedRow>,
    steps: Vec<f32>,
    work: tree::Work,
}

/// A contact that acts through joints.
#[derive(Debug, Clone)]
struct Entry {
    /// The units of its two bodies.
    units: [u32; 2],
    /// The versions of the units' factors with which the responses were computed; `None` if they were not yet.
    factors: Option<[u32; 2]>,
    /// Whether the softness of its rows has been adjusted to K.
    softened: bool,
    /// Whether only joint rows with a bound (motors, friction, stops) keep one of its rows from moving anything.
    yields: bool,
    /// Its ranges in `bodies` and `joint_rows` of [`JointedContacts`].
    bodies: Range<usize>,
    joint_rows: Range<usize>,
    /// Where its values begin: in `ends` and `k`, in `moves`, and in `impulses`.
    first: usize,
    moves: usize,
    impulses: usize,
}

impl JointedContacts {
    pub fn clear(&mut self) {
        self.unit.clear();
        self.affordable = false;
        self.ignores_min_stiffening = false;
        self.entry.clear();
    }

    /// Finds the unit of each of the `bodies` bodies, if the settings have extra sweeps. Then estimates whether the
    /// responses take at most `MAX_WORK`. `contacts` are the pairs of bodies whose contacts bear a load.
    pub fn find_units(
        &mut self,
        settings: &Settings,
        (trees, joints): (&Trees, &[Block]),
        contacts: impl Iterator<Item = [u32; 2]>,
        bodies: usize,
    ) {
        self.unit.clear();
        self.affordable = false;
        if joints.is_empty() || settings.solver.extra == 0 || settings.solver.method != Method::GaussSeidel {
            return;
        }
        self.unit.resize(bodies, NONE);
        self.uncapped = AT_CAP * UNBOUNDED * settings.h();
        for block in joints.iter().filter(|block| block.coupling != Coupling::Tree) {
            [block.a, block.b].into_iter().for_each(|body| self.unit[body as usize] = SEVERAL);
        }
        for index in 0..trees.count() {
            for body in trees.bodies(index) {
                let unit = &mut self.unit[body as usize];
                *unit = if *unit == NONE { index as u32 } else { SEVERAL };
            }
        }
        let mut work = 0u64;
        for [a, b] in contacts {
            let (a, b) = (self.unit_of(a), self.unit_of(b));
            for unit in [a, b].into_iter().filter(|unit| *unit != NONE) {
                work += ROWS * trees.solving_one(unit as usize);
            }
            if work > MAX_WORK {
                return;
            }
        }
        self.affordable = true;
    }

    /// Whether a contact of these bodies acts through joints.
    pub fn includes(&self, ends: [u32; 2]) -> bool {
        self.affordable && ends.into_iter().any(|body| self.unit_of(body) != NONE)
    }

    /// Whether joints bear the load of a contact of these bodies: at least one of them has joints, and they are not
    /// links of the same unit. Links of one unit touch where it folds.
    pub fn joints_bear(&self, ends: [u32; 2]) -> bool {
        let [a, b] = ends.map(|body| self.unit.get(body as usize).copied().unwrap_or(NONE));
        (a, b) != (NONE, NONE) && (a != b || a == SEVERAL)
    }

    fn unit_of(&self, body: u32) -> u32 {
        self.unit.get(body as usize).copied().filter(|unit| *unit != SEVERAL).unwrap_or(NONE)
    }

    /// Whether a contact acts through this unit.
    pub fn touches_unit(&self, unit: usize) -> bool {
        self.touched.get(unit) == Some(&true)
    }

    /// Whether the block with this index was listed as a contact that acts through joints.
    pub fn is_listed(&self, block: usize) -> bool {
        self.entry.get(block).is_some_and(|entry| *entry != NONE)
    }

    /// Whether every block outside the units acts through joints or touches no body with joints. Then sweeps may leave
    /// the units out: their rows stay solved, unless one of them reaches a bound.
    pub fn includes_all(&self, blocks: &[Block]) -> bool {
        let has_no_unit = |body: u32| self.unit.get(body as usize) == Some(&NONE);
        let mut others = blocks.iter().filter(|block| block.coupling != Coupling::Tree);
        self.affordable
            && others.all(|block| self.includes_block(block) || (has_no_unit(block.a) && has_no_unit(block.b)))
    }

    /// Whether a block is a contact that acts through joints.
    fn includes_block(&self, block: &Block) -> bool {
        matches!(block.owner, Owner::Contact(_))
            && matches!(block.coupling, Coupling::Contact { coupled: false, .. })
            && self.includes([block.a, block.b])
    }

    /// Lists the contacts that act through joints.
    pub fn list(&mut self, blocks: &[Block], trees: &Trees) {
        if !self.affordable {
            return;
        }
        self.entries.clear();
        self.bodies.clear();
        self.joint_rows.clear();
        self.moves.clear();
        self.impulses.clear();
        self.ends.clear();
        self.k.clear();
        self.touched.clear();
        self.touched.resize(trees.count(), false);
        for block in blocks {
            let is_included = self.includes_block(block);
            self.entry.push(if is_included { self.entries.len() as u32 } else { NONE });
            if !is_included {
                continue;
            }
            let entry = self.add(block, trees);
            self.entries.push(entry);
        }
    }

    /// Makes room for a contact.
    fn add(&mut self, block: &Block, trees: &Trees) -> Entry {
        let units = [block.a, block.b].map(|body| self.unit_of(body));
        let (bodies, joint_rows) = (self.bodies.len(), self.joint_rows.len());
        for (end, unit) in units.into_iter().enumerate() {
            if let Some(touched) = self.touched.get_mut(unit as usize) {
                *touched = true;
            }
            if unit == NONE {
                self.bodies.push([block.a, block.b][end]);
            } else if end == 0 || units[0] != unit {
                self.bodies.extend(trees.bodies(unit as usize));
                self.joint_rows.extend(trees.rows_of(unit as usize).map(|row| row as u32));
            }
        }
        let (bodies, joint_rows) = (bodies..self.bodies.len(), joint_rows..self.joint_rows.len());
        let (first, moves, impulses) = (self.ends.len(), self.moves.len(), self.impulses.len());
        let count = block.count as usize;
        self.moves.resize(moves + count * bodies.len(), Velocity::default());
        self.impulses.resize(impulses + count * joint_rows.len(), 0.0);
        self.ends.resize(first + count, Pair::default());
        self.k.resize(first + count, 0.0);
        Entry { units, factors: None, softened: false, yields: false, bodies, joint_rows, first, moves, impulses }
    }

    /// Solves the contact of a block. Updates the velocities of all bodies that move with it, and the impulses of the
    /// joints. Returns the largest change of a velocity of its own two bodies, m/s or rad/s. Returns `None` if the
    /// caller must solve the contact for its two bodies alone.
    pub fn solve(
        &mut self,
        (index, block): (usize, &Block),
        rows: &mut [Row],
        couplings: &Couplings,
        trees: &mut Trees,
        velocities: &mut [Velocity],
    ) -> Option<f32> {
        let Coupling::Contact { normals, bounds, .. } = block.coupling else { return None };
        let bounds = &couplings.bounds[bounds.range()];
        let ends = Pair { a: velocities[block.a as usize], b: velocities[block.b as usize] };
        if is_open(&rows[block.range()], normals as usize, &ends) {
            return Some(0.0);
        }
        let entry = self.respond((index, block), rows, trees);
        if entry.yields {
            self.hold_motors(&entry, rows, normals as usize);
            return None;
        }
        let mobile = self.is_mobile(&entry, &rows[block.range()][..normals as usize]);
        if mobile && !self.ignores_min_stiffening {
            return None;
        }
        if !mobile {
            self.soften(index, &entry, &mut rows[block.range()]);
        }
        self.load(&entry, &rows[block.range()], bounds);
        let (a, b) = (block.a as usize, block.b as usize);
        let mut pair = BlockVelocities::<true>::new(velocities[a], velocities[b], 1.0);
        // Rows that are switched off lose their old impulses.
        for jointed in self.rows.iter_mut().filter(|jointed| jointed.inv_k == 0.0) {
            let impulse = std::mem::take(&mut jointed.row.impulse);
            jointed.apply((), &mut pair.now, -impulse);
        }
        solve_contact(&mut pair, normals as usize, bounds, &mut self.rows);
        let moved = pair.moved(&velocities[a], &velocities[b]);
        self.store(&entry, block, rows, velocities);
        Some(moved)
    }

    /// Holds motors that drive the bodies of a contact into each other at their present impulse for the rest of the
    /// sub-step. Otherwise a motor that pushes against a wall would need many sweeps to reach its cap. The impulse
    /// grows from sub-step to sub-step instead.
    fn hold_motors(&self, entry: &Entry, rows: &mut [Row], normals: usize) {
        let joint_rows = &self.joint_rows[entry.joint_rows.clone()];
        for (at, index) in joint_rows.iter().enumerate() {
            let row = &mut rows[*index as usize];
            let responds = (0..normals).any(|c| self.impulses[entry.impulses + c * joint_rows.len() + at] != 0.0);
            if responds && row.hi.is_finite() && (row.bias != 0.0 || row.hi >= self.uncapped) {
                let present = row.impulse.abs();
                (row.lo, row.hi) = (-present, present);
            }
        }
    }

    /// Adjusts the softness γ of a contact's rows, once, from the K of its two bodies alone to the K with joints.
    fn soften(&mut self, index: usize, entry: &Entry, rows: &mut [Row]) {
        if std::mem::replace(&mut self.entries[self.entry[index] as usize].softened, true) {
            return;
        }
        for (k, row) in self.k[entry.first..].iter().zip(rows).filter(|(_, row)| row.gamma > 0.0) {
            let pair_k = row_mass(row, 1.0, 1.0);
            row.gamma *= (k / pair_k).clamp(MIN_GAMMA_SHARE, 1.0);
            row.inv_k = 1.0 / (pair_k + row.gamma);
        }
    }

    /// Copies the rows of a contact to `rows`, each with its response and step 1/(K + γ).
    fn load(&mut self, entry: &Entry, rows: &[Row], bounds: &[FrictionBound]) {
        self.steps.clear();
        for (index, row) in (entry.first..).zip(rows) {
            let (k, pair_k) = (self.k[index], row_mass(row, 1.0, 1.0));
            let can_move = row.inv_k > 0.0 && k > ROUNDING * pair_k;
            self.steps.push(if can_move { 1.0 / (k.max(MIN_K_SHARE * pair_k) + row.gamma) } else { 0.0 });
        }
        for bound in bounds.iter().filter(|bound| bound.kind.count() > 1) {
            self.limit_steps(entry.first, bound, rows);
        }
        self.rows.clear();
        let ends = &self.ends[entry.first..];
        let all = rows.iter().zip(ends).zip(&self.steps);
        self.rows.extend(all.map(|((row, by), inv_k)| JointedRow { row: *row, by: *by, inv_k: *inv_k }));
    }

    /// Limits the steps of rows with a common bound, so that they converge: to 1/σ, where σ is the largest row sum of
    /// their matrix K. It bounds the largest eigenvalue (Gershgorin). Joints couple these rows more than free bodies
    /// do.
    fn limit_steps(&mut self, first: usize, bound: &FrictionBound, rows: &[Row]) {
        let scale = |k: usize| bound.scale(k);
        let bound_rows = bound.rows();
        let mut largest = 0.0f32;
        for (i, row) in bound_rows.clone().enumerate() {
            let sum = bound_rows.clone().enumerate().map(|(j, other)| {
                let ends = &self.ends[first + other];
                (speed(&rows[row], &ends.a, &ends.b) * scale(i) * scale(j)).abs()
            });
            largest = largest.max(sum.sum());
        }
        for (i, step) in self.steps[bound_rows].iter_mut().enumerate().filter(|(_, step)| **step > 0.0) {
            *step = step.min(scale(i) * scale(i) / largest);
        }
    }

    /// Writes the solved impulses back, and applies their changes to all bodies and joint rows that respond.
    fn store(&self, entry: &Entry, block: &Block, rows: &mut [Row], velocities: &mut [Velocity]) {
        let (bodies, joint_rows) = (&self.bodies[entry.bodies.clone()], &self.joint_rows[entry.joint_rows.clone()]);
        for (c, jointed) in self.rows.iter().enumerate() {
            let row = &mut rows[block.range()][c];
            let change = jointed.row.impulse - row.impulse;
            *row = jointed.row;
            if change == 0.0 {
                continue;
            }
            let moves = &self.moves[entry.moves + c * bodies.len()..];
            for (body, by) in bodies.iter().zip(moves) {
                let velocity = &mut velocities[*body as usize];
                velocity.linear += by.linear * change;
                velocity.angular += by.angular * change;
            }
            let impulses = &self.impulses[entry.impulses + c * joint_rows.len()..];
            for (row, by) in joint_rows.iter().zip(impulses) {
                rows[*row as usize].impulse += by * change;
            }
        }
    }
}

/// Whether a contact without an impulse is not pressed by bodies that move with the velocities `ends`.
fn is_open(rows: &[Row], normals: usize, ends: &Pair<f32>) -> bool {
    rows.iter().all(|row| row.impulse == 0.0)
        && rows[..normals].iter().all(|row| speed(row, &ends.a, &ends.b) + row.bias >= 0.0)
}
