//! Contacts on bodies of trees and mechanisms: their rows act through the joints.
//!
//! ```text
//! Δu = M⁻¹ J_cᵀ λ + M⁻¹ Jᵀ μ,   (A + Γ) μ = −J M⁻¹ J_cᵀ λ      J, A: the rows of the tree or mechanism
//! K  = J_c Δu/λ                                                what the joints leave to the contact's row
//! ```
//! A tooth of 20 g on a hub of 1 kg is as hard to push as the hub. Solved for the mass of the tooth, its contact takes
//! fifty sweeps to carry a load. So each row of the contact gets K, the changes Δu of all bodies that hang on its two,
//! and the impulses μ by which the joints respond; the joints then stay solved while contacts iterate. K is also the mass
//! for which the contact is as soft as the settings say.
//!
//! Rows of a mechanism that are at a bound do not respond. Where a solve of the mechanism changes which ones these are,
//! the responses are computed again. Between bodies that the joints hold together nothing gives, and the row is switched
//! off. Where only a motor, friction or a stop holds them, the contact is solved for its two bodies alone, until these
//! rows are at their bounds. For each row the mechanism is solved once, so this is done where few contacts touch small mechanisms.
//!
//! Source: Mirtich 1996, Impulse-based dynamic simulation of rigid body systems, section 4.4; derived here for blocks of
//! rows.

mod row;

use std::ops::Range;

use row::ThroughRow;

use super::block::{BlockVelocities, solve_contact};
use super::tree::{self, Trees};
use crate::bounds::FrictionBound;
use crate::effective_mass::row_mass;
use crate::joints::UNBOUNDED;
use crate::kernel::bodies::{Pair, Velocities};
use crate::kernel::row::{SolverRow, speed};
use crate::row::{Block, Coupling, Owner, Row};
use crate::settings::{Method, Settings};
use crate::system::couplings::Couplings;
use crate::velocity::Velocity;

/// No unit, no entry.
const NONE: u32 = u32::MAX;
/// A body of several units, or of joints that are left to the sweeps.
const SEVERAL: u32 = u32::MAX - 1;
/// The most multiplications that the responses of a sub-step may take, and the rows of a contact in that estimate.
const MOST_WORK: u64 = 16_000_000;
const ROWS: u64 = 8;
/// A contact acts through joints if they make each of its points at least this many times harder to move. Otherwise a few
/// sweeps find its load, and soft rows of the two bodies' own K share a weight more evenly among the legs of a table.
const MIN_STIFFENING: f32 = 8.0;
/// Shares of K of the two bodies alone: below the first, K is rounding and the row is off; K counts as no less than the
/// second, and γ is made smaller for it by no more than the third. What is pressed between links that are nearly in line
/// acts like a toggle press: a rigid contact would pull at the joints without limit.
const ROUNDING: f32 = 1e-5;
const LEAST_K: f32 = 1e-3;
const LEAST_GAMMA: f32 = 1e-2;
/// A motor whose cap is at least this share of the largest has none.
const AT_CAP: f32 = 0.99;

/// The contacts of a sub-step that act through joints.
#[derive(Debug, Clone, Default)]
pub struct Through {
    /// By body: its tree or mechanism.
    unit: Vec<u32>,
    /// Whether the responses are few enough to be computed.
    affordable: bool,
    /// By block: the index of its entry. Empty where there are none.
    entry: Vec<u32>,
    entries: Vec<Entry>,
    /// The bodies that move with the contacts, and the rows of joints that respond, entry by entry.
    bodies: Vec<u32>,
    joint_rows: Vec<u32>,
    /// By row of a contact and body, and by row of a contact and row of a joint: Δu and μ of a unit impulse.
    moves: Vec<Velocity>,
    impulses: Vec<f32>,
    /// By row of a contact: Δu of its own two bodies, and K.
    ends: Vec<Pair<f32>>,
    k: Vec<f32>,
    /// By tree and mechanism: whether a contact acts through it.
    touched: Vec<bool>,
    /// The bound on the impulse of a motor without a cap, N·s or N·m·s.
    uncapped: f32,
    /// Whether contacts act through joints even where these hardly make them harder to move.
    pub always: bool,
    /// Scratch.
    rows: Vec<ThroughRow>,
    steps: Vec<f32>,
    work: tree::Work,
}

/// A contact that acts through joints.
#[derive(Debug, Clone)]
struct Entry {
    /// The units of its two bodies, and the numbers of their factors for which the responses were computed.
    units: [u32; 2],
    factors: Option<[u32; 2]>,
    /// Whether its rows are as soft as they are to be for K.
    softened: bool,
    /// Whether only joint rows with a bound (motors, friction, stops) keep one of its rows from moving anything.
    yields: bool,
    bodies: Range<usize>,
    joint_rows: Range<usize>,
    /// Where its values begin in the lists by row.
    first: usize,
    moves: usize,
    impulses: usize,
}

impl Through {
    pub fn clear(&mut self) {
        self.unit.clear();
        self.affordable = false;
        self.always = false;
        self.entry.clear();
    }

    /// Notes the tree or mechanism of each of so many `bodies`, if the settings have extra sweeps, and whether the responses to
    /// the `contacts` that bear a load, given by their bodies, take no more than `MOST_WORK`.
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
            if work > MOST_WORK {
                return;
            }
        }
        self.affordable = true;
    }

    /// Whether a contact of these bodies acts through joints.
    pub fn takes(&self, ends: [u32; 2]) -> bool {
        self.affordable && ends.into_iter().any(|body| self.unit_of(body) != NONE)
    }

    /// Whether joints bear the load of a contact of these bodies: one of them has joints, and they are not links of the same
    /// tree or mechanism, which touch where it folds.
    pub fn bears(&self, ends: [u32; 2]) -> bool {
        let [a, b] = ends.map(|body| self.unit.get(body as usize).copied().unwrap_or(NONE));
        (a, b) != (NONE, NONE) && (a != b || a == SEVERAL)
    }

    fn unit_of(&self, body: u32) -> u32 {
        self.unit.get(body as usize).copied().filter(|unit| *unit != SEVERAL).unwrap_or(NONE)
    }

    /// Whether a contact acts through a tree or mechanism.
    pub fn touches(&self, unit: usize) -> bool {
        self.touched.get(unit) == Some(&true)
    }

    /// Whether the block with this index was listed as a contact that acts through joints.
    pub fn has(&self, block: usize) -> bool {
        self.entry.get(block).is_some_and(|entry| *entry != NONE)
    }

    /// Whether none of these blocks pushes a body of a tree or mechanism but through its joints. Their rows then stay solved
    /// in sweeps that leave them out, unless one of them reaches a bound.
    pub fn takes_all(&self, blocks: &[Block]) -> bool {
        let apart = |body: u32| self.unit.get(body as usize) == Some(&NONE);
        let mut others = blocks.iter().filter(|block| block.coupling != Coupling::Tree);
        self.affordable && others.all(|block| self.takes_block(block) || (apart(block.a) && apart(block.b)))
    }

    /// Whether a block is a contact that acts through joints.
    fn takes_block(&self, block: &Block) -> bool {
        matches!(block.owner, Owner::Contact(_))
            && matches!(block.coupling, Coupling::Contact { coupled: false, .. })
            && self.takes([block.a, block.b])
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
            let takes = self.takes_block(block);
            self.entry.push(if takes { self.entries.len() as u32 } else { NONE });
            if !takes {
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

    /// Computes the responses of the joints to a unit impulse of each row of a contact. Returns whether one of these rows
    /// moves nothing, but would if joint rows with a bound gave way.
    fn compute_responses(&mut self, entry: &Entry, block: &Block, rows: &[Row], trees: &mut Trees) -> bool {
        let bodies = &self.bodies[entry.bodies.clone()];
        let joint_rows = &self.joint_rows[entry.joint_rows.clone()];
        let mut yields = false;
        for (c, row) in rows[block.range()].iter().enumerate() {
            let moves = &mut self.moves[entry.moves + c * bodies.len()..][..bodies.len()];
            let impulses = &mut self.impulses[entry.impulses + c * entry.joint_rows.len()..][..entry.joint_rows.len()];
            let mut pair = Pair::default();
            row.apply((), &mut pair, 1.0);
            let [mut body, mut impulse] = [0, 0];
            for (end, unit) in entry.units.into_iter().enumerate() {
                if unit == NONE {
                    moves[body] = if end == 0 { pair.a } else { pair.b };
                    body += 1;
                } else if end == 0 || entry.units[0] != unit {
                    let pushed = [0, 1].map(|end| entry.units[end] == unit);
                    let (bodies, rows) = (trees.bodies(unit as usize).count(), trees.rows_of(unit as usize).count());
                    let into = (&mut moves[body..body + bodies], &mut impulses[impulse..impulse + rows]);
                    trees.unit_response(unit as usize, (row, [block.a, block.b], pushed), into, &mut self.work);
                    (body, impulse) = (body + bodies, impulse + rows);
                }
            }
            let answer_of =
                |end: u32| bodies.iter().position(|body| *body == end).map_or(Velocities::default(), |at| moves[at]);
            let ends = Pair { a: answer_of(block.a), b: answer_of(block.b) };
            self.ends[entry.first + c] = ends;
            let k = speed(row, &ends.a, &ends.b);
            self.k[entry.first + c] = k;
            let gives_way = |row: u32| rows[row as usize].lo.is_finite() || rows[row as usize].hi.is_finite();
            yields |= k <= ROUNDING * row_mass(row, 1.0, 1.0)
                && joint_rows.iter().zip(&*impulses).any(|(row, impulse)| *impulse != 0.0 && gives_way(*row));
        }
        yields
    }

    /// Solves the contact of a block and updates the velocities of all bodies that move with it, and the impulses of the
    /// joints. Returns the largest change of a velocity of its own two bodies, m/s or rad/s; nothing if the contact is to
    /// be solved for its two bodies alone.
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
        let (a, b) = (&velocities[block.a as usize], &velocities[block.b as usize]);
        let contact_rows = &rows[block.range()];
        let open =
            contact_rows[..normals as usize].iter().all(|row| row.impulse == 0.0 && speed(row, a, b) + row.bias >= 0.0);
        if open && contact_rows[normals as usize..].iter().all(|row| row.impulse == 0.0) {
            return Some(0.0);
        }
        let entry = self.entries[self.entry[index] as usize].clone();
        let factors = entry.units.map(|unit| if unit == NONE { 0 } else { trees.factors_number(unit as usize) });
        if entry.factors != Some(factors) {
            let yields = self.compute_responses(&entry, block, rows, trees);
            let entry = &mut self.entries[self.entry[index] as usize];
            (entry.factors, entry.yields) = (Some(factors), yields);
        }
        if self.entries[self.entry[index] as usize].yields {
            self.hold_motors(&entry, rows, normals as usize);
            return None;
        }
        let is_mobile = |(k, row): (&f32, &Row)| *k > row_mass(row, 1.0, 1.0) / MIN_STIFFENING;
        let mobile = self.k[entry.first..].iter().zip(&rows[block.range()][..normals as usize]).any(is_mobile);
        if mobile && !self.always {
            return None;
        }
        if !mobile && !entry.softened {
            self.soften(&entry, &mut rows[block.range()]);
            self.entries[self.entry[index] as usize].softened = true;
        }
        self.load(&entry, &rows[block.range()], bounds);
        let (a, b) = (block.a as usize, block.b as usize);
        let mut pair = BlockVelocities::<true>::new(velocities[a], velocities[b], 1.0);
        for through in self.rows.iter_mut().filter(|through| through.inv_k == 0.0) {
            let impulse = std::mem::take(&mut through.row.impulse);
            through.apply((), &mut pair.now, -impulse);
        }
        solve_contact(&mut pair, normals as usize, bounds, &mut self.rows);
        let moved = pair.moved(&velocities[a], &velocities[b]);
        self.store(&entry, block, rows, velocities);
        Some(moved)
    }

    /// Keeps motors that drive the bodies of a contact into each other at their present impulse for the rest of the
    /// sub-step: a contest with a wall would last for as many sweeps as it takes to reach their caps. The impulse grows
    /// from sub-step to sub-step instead.
    fn hold_motors(&self, entry: &Entry, rows: &mut [Row], normals: usize) {
        let joint_rows = &self.joint_rows[entry.joint_rows.clone()];
        for (at, index) in joint_rows.iter().enumerate() {
            let row = &mut rows[*index as usize];
            let responds = (0..normals).any(|c| self.impulses[entry.impulses + c * joint_rows.len() + at] != 0.0);
            if responds && row.hi.is_finite() && (row.bias != 0.0 || row.hi >= self.uncapped) {
                let most = row.impulse.abs();
                (row.lo, row.hi) = (-most, most);
            }
        }
    }

    /// Makes the rows of a contact as soft as they are to be for the mass that the joints leave to them.
    fn soften(&self, entry: &Entry, rows: &mut [Row]) {
        for (k, row) in self.k[entry.first..].iter().zip(rows).filter(|(_, row)| row.gamma > 0.0) {
            let pair_k = row_mass(row, 1.0, 1.0);
            row.gamma *= (k / pair_k).clamp(LEAST_GAMMA, 1.0);
            row.inv_k = 1.0 / (pair_k + row.gamma);
        }
    }

    /// Prepares the rows of a contact.
    fn load(&mut self, entry: &Entry, rows: &[Row], bounds: &[FrictionBound]) {
        self.steps.clear();
        for (index, row) in (entry.first..).zip(rows) {
            let (k, pair_k) = (self.k[index], row_mass(row, 1.0, 1.0));
            let gives = row.inv_k > 0.0 && k > ROUNDING * pair_k;
            self.steps.push(if gives { 1.0 / (k.max(LEAST_K * pair_k) + row.gamma) } else { 0.0 });
        }
        for bound in bounds.iter().filter(|bound| bound.kind.count() > 1) {
            self.limit_steps(entry.first, bound, rows);
        }
        self.rows.clear();
        let ends = &self.ends[entry.first..];
        let all = rows.iter().zip(ends).zip(&self.steps);
        self.rows.extend(all.map(|((row, by), inv_k)| ThroughRow { row: *row, by: *by, inv_k: *inv_k }));
    }

    /// Gives the rows that are bound together a step with which they converge: 1/σ, where σ is a bound on the largest
    /// eigenvalue of their K, the largest sum of a row of it. Joints couple them, unlike those of free bodies.
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

    /// Applies what the rows of a contact have changed.
    fn store(&self, entry: &Entry, block: &Block, rows: &mut [Row], velocities: &mut [Velocity]) {
        let (bodies, joint_rows) = (&self.bodies[entry.bodies.clone()], &self.joint_rows[entry.joint_rows.clone()]);
        for (c, through) in self.rows.iter().enumerate() {
            let row = &mut rows[block.range()][c];
            let change = through.row.impulse - row.impulse;
            *row = through.row;
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
