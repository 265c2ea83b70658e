//! How a unit that stands on several contacts shares its load among them.
//!
//! Four legs can bear a weight in many ways. The rows of their contacts depend on each other, so K is singular: a part
//! of λ, the null part, moves nothing. Gauss–Seidel sweeps give too much to the contact that comes first, and the warm
//! start keeps that for ever. Here a part ε of the impulses is taken back in each step and given again by damped Jacobi
//! passes, in which every row sees the same velocities:
//!
//! ```text
//! λ ← (1 − ε) λ,   then repeated   λ ← clamp(λ − ω (J u + b + γ λ)/(K + γ))     ω = 1/(the number of rows that share)
//! ```
//! The passes add nothing to the null part, so it decays. The impulses tend to those of the least Σ K λ²: a robot whose
//! left and right are alike stands on both alike, whatever the order of its contacts. The sweeps then solve what is
//! left.
//!
//! Only contacts with immovable bodies share. Where friction is near its bounds, or the passes do not converge, the old
//! impulses stay. A contact that bears a load may be open by a rounding error of the poses. It counts as closed, because
//! closing it would give its load to others.
//!
//! Source: derived here; 001 for ω = 1/n.

use super::{Entry, JointedContacts, NONE, is_open};
use crate::bounds::{FrictionBound, FrictionLaw};
use crate::kernel::bodies::Pair;
use crate::kernel::row::{SolverRow, step};
use crate::row::{Block, Coupling, Row};
use crate::solvers::block::BlockVelocities;
use crate::solvers::clamp::solve_bound;
use crate::solvers::tree::Trees;
use crate::system::couplings::Couplings;
use crate::velocity::Velocity;

/// The part ε of the impulses that is taken back in a step.
const FORGOTTEN: f32 = 0.1;
/// The largest number of Jacobi passes.
const MAX_PASSES: usize = 48;
/// The passes end when the changes of the velocities have fallen to this share of the first pass's, or to this
/// acceleration times the length of the sub-step, m/s² or rad/s².
const CONVERGED: f32 = 3e-4;
const STILL: f32 = 3e-4;
/// A contact that bears a load and is open by less than this counts as closed, m. Such a gap is a rounding error of the
/// poses. Closing it within a sub-step would move the load elsewhere.
const ROUNDING_GAP: f32 = 1e-6;
/// With more of the friction used than this, impulses are not taken back.
const MAX_USED: f32 = 0.5;
/// The largest number of contacts that share, and of the velocities and joint impulses that a pass may change.
const MAX_CONTACTS: usize = 8;
const MAX_CHANGES: usize = 20_000;

/// How many contacts, and how many of their points, share the load of a unit.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SupportCount {
    contacts: u16,
    points: u16,
}

impl SupportCount {
    fn add(&mut self, points: u8) {
        self.contacts = self.contacts.saturating_add(1);
        self.points = self.points.saturating_add(u16::from(points));
    }
}

impl JointedContacts {
    /// Whether a unit stands on several contacts, few enough in all to share its load. Lists them.
    pub fn has_several_supports(&mut self, blocks: &[Block], rows: &[Row]) -> bool {
        self.find_supports(blocks, rows);
        (1..=MAX_CONTACTS).contains(&self.supports.len()) && self.moves.len() + self.impulses.len() <= MAX_CHANGES
    }

    /// Shares the loads of these contacts in a sub-step of `h` seconds; `forgets`: takes a part of the impulses back
    /// first. The units' own rows must have been solved.
    pub fn share_loads(
        &mut self,
        (blocks, rows, couplings): (&[Block], &mut [Row], &Couplings),
        trees: &mut Trees,
        velocities: &mut [Velocity],
        forgets: bool,
        h: f32,
    ) {
        let supports = std::mem::take(&mut self.supports);
        for block in supports.iter().map(|index| &blocks[*index as usize]) {
            close(&mut rows[block.range()], block, h);
        }
        self.before.clear();
        let is_held = |index: &u32| is_held(&blocks[*index as usize], rows, couplings);
        let forgets = forgets && supports.iter().all(is_held);
        if forgets {
            let impulses =
                supports.iter().flat_map(|index| &rows[blocks[*index as usize].range()]).map(|row| row.impulse);
            self.before.extend(impulses);
            for index in supports.iter().map(|index| *index as usize) {
                self.forget((index, &blocks[index]), rows, couplings, trees, velocities);
            }
        }
        let mut first = 0.0f32;
        for _ in 0..MAX_PASSES {
            self.starts.clear();
            let ends = supports.iter().map(|index| &blocks[*index as usize]);
            self.starts
                .extend(ends.map(|block| Pair { a: velocities[block.a as usize], b: velocities[block.b as usize] }));
            let mut moved = 0.0f32;
            for (at, index) in supports.iter().map(|index| *index as usize).enumerate() {
                let start = self.starts[at];
                let by = self.share((index, &blocks[index]), start, (rows, couplings), trees, velocities);
                moved = moved.max(by);
            }
            first = first.max(moved);
            if moved <= (CONVERGED * first).max(STILL * h) {
                self.supports = supports;
                return;
            }
        }
        if forgets && self.before.iter().any(|impulse| *impulse != 0.0) {
            self.restore(&supports, (blocks, rows, couplings), velocities);
        }
        self.supports = supports;
    }

    /// Lists the contacts with immovable bodies of units that have several of them. What lies on a unit, or leans against
    /// it, has contacts of its own, which the passes do not see.
    fn find_supports(&mut self, blocks: &[Block], rows: &[Row]) {
        self.supports.clear();
        if self.entry.is_empty() || self.entries.len() < 2 {
            return;
        }
        self.support_counts.clear();
        self.support_counts.resize(self.touched.len(), SupportCount::default());
        for (index, entry) in self.entry.iter().enumerate().filter(|(_, entry)| **entry != NONE) {
            let normals = blocks[index].coupling.contact().map_or(0, |(normals, _)| normals);
            if let Some(unit) = self.supported_unit(*entry, &rows[blocks[index].range()]) {
                self.support_counts[unit].add(normals);
            }
        }
        for (index, entry) in self.entry.iter().enumerate().filter(|(_, entry)| **entry != NONE) {
            let unit = self.supported_unit(*entry, &rows[blocks[index].range()]);
            if unit.is_some_and(|unit| self.support_counts[unit].contacts > 1) {
                self.supports.push(index as u32);
            }
        }
    }

    /// The unit of a contact with these rows whose other body cannot move.
    fn supported_unit(&self, entry: u32, rows: &[Row]) -> Option<usize> {
        let row = rows.first()?;
        let unit = match self.entries[entry as usize].units {
            [unit, NONE] if row.inv_mb == 0.0 => unit,
            [NONE, unit] if row.inv_ma == 0.0 => unit,
            _ => NONE,
        };
        (unit != NONE).then_some(unit as usize)
    }

    /// Those of the contact's unit.
    fn support_count_of(&self, entry: &Entry) -> SupportCount {
        let of_units = entry.units.into_iter().filter_map(|unit| self.support_counts.get(unit as usize).copied());
        of_units.max_by_key(|count| count.points).unwrap_or_default()
    }

    /// Takes a part of a contact's impulses back.
    fn forget(
        &mut self,
        (index, block): (usize, &Block),
        rows: &mut [Row],
        couplings: &Couplings,
        trees: &mut Trees,
        velocities: &mut [Velocity],
    ) {
        if rows[block.range()].iter().all(|row| row.impulse == 0.0) {
            return;
        }
        let Coupling::Contact { normals, bounds, .. } = block.coupling else { return };
        let bounds = &couplings.bounds[bounds.range()];
        let Some(entry) = self.support_entry((index, block), normals as usize, (rows, bounds), trees) else { return };
        self.load(&entry, &rows[block.range()], bounds);
        self.rows.iter_mut().for_each(|jointed| jointed.row.impulse *= 1.0 - FORGOTTEN);
        self.store(&entry, block, rows, velocities);
    }

    /// Gives the contacts the impulses that they had before.
    fn restore(
        &mut self,
        supports: &[u32],
        (blocks, rows, couplings): (&[Block], &mut [Row], &Couplings),
        velocities: &mut [Velocity],
    ) {
        let mut first = 0;
        for index in supports.iter().map(|index| *index as usize) {
            let block = &blocks[index];
            let entry = self.entries[self.entry[index] as usize].clone();
            let Coupling::Contact { bounds, .. } = block.coupling else { continue };
            let before = &self.before[first..][..block.count as usize];
            if rows[block.range()].iter().zip(before).any(|(row, before)| row.impulse != *before) {
                self.load(&entry, &rows[block.range()], &couplings.bounds[bounds.range()]);
                for (jointed, before) in self.rows.iter_mut().zip(&self.before[first..]) {
                    jointed.row.impulse = *before;
                }
                self.store(&entry, block, rows, velocities);
            }
            first += block.count as usize;
        }
    }

    /// The entry of a contact that takes part: the joints hold its rows, and its friction is no exact cone.
    fn support_entry(
        &mut self,
        (index, block): (usize, &Block),
        normals: usize,
        (rows, bounds): (&[Row], &[FrictionBound]),
        trees: &mut Trees,
    ) -> Option<Entry> {
        if bounds.first().is_some_and(|bound| bound.kind == FrictionLaw::Cone) {
            return None;
        }
        let entry = self.respond((index, block), rows, trees);
        let takes_part = !entry.yields && !self.is_mobile(&entry, &rows[block.range()][..normals]);
        takes_part.then_some(entry)
    }

    /// A Jacobi pass over one contact, whose bodies moved at `start` before the pass. Returns the largest change of
    /// their velocities by it, m/s or rad/s.
    fn share(
        &mut self,
        (index, block): (usize, &Block),
        start: Pair<f32>,
        (rows, couplings): (&mut [Row], &Couplings),
        trees: &mut Trees,
        velocities: &mut [Velocity],
    ) -> f32 {
        let Coupling::Contact { normals, bounds, .. } = block.coupling else { return 0.0 };
        if is_open(&rows[block.range()], normals as usize, &start) {
            return 0.0;
        }
        let (normals, bounds) = (normals as usize, &couplings.bounds[bounds.range()]);
        let Some(entry) = self.support_entry((index, block), normals, (rows, bounds), trees) else { return 0.0 };
        self.soften(index, &entry, &mut rows[block.range()]);
        let support_count = self.support_count_of(&entry);
        self.load(&entry, &rows[block.range()], bounds);
        let mut pair = BlockVelocities::<true>::new(start.a, start.b, 1.0);
        for row in &mut self.rows[..normals] {
            let by = step::<true, _, _>(&pair, row, ()) / f32::from(support_count.points);
            row.row.impulse = row.clamp(row.row.impulse + by);
        }
        for bound in bounds {
            solve_bound(&mut pair, bound, &mut self.rows);
        }
        let old = &rows[block.range()];
        for (jointed, old) in self.rows.iter_mut().zip(old).skip(normals) {
            jointed.row.impulse = old.impulse + (jointed.row.impulse - old.impulse) / f32::from(support_count.contacts);
        }
        let mut pair = BlockVelocities::<true>::new(start.a, start.b, 1.0);
        for (jointed, old) in self.rows.iter().zip(old) {
            jointed.apply((), &mut pair.now, jointed.row.impulse - old.impulse);
        }
        let moved = pair.moved(&start.a, &start.b);
        self.store(&entry, block, rows, velocities);
        moved
    }
}

/// Whether friction holds a contact with much to spare.
fn is_held(block: &Block, rows: &[Row], couplings: &Couplings) -> bool {
    let Coupling::Contact { bounds, .. } = block.coupling else { return true };
    let rows = &rows[block.range()];
    couplings.bounds[bounds.range()].iter().all(|bound| {
        let scaled = |(k, row): (usize, &Row)| (row.impulse / bound.scale(k)).powi(2);
        let used: f32 = rows[bound.rows()].iter().enumerate().map(scaled).sum();
        used.sqrt() <= MAX_USED * bound.radius(rows)
    })
}

/// Removes the biases of points that bear a load and are open by a rounding error.
fn close(rows: &mut [Row], block: &Block, h: f32) {
    let (normals, _) = block.coupling.contact().unwrap_or_default();
    for row in &mut rows[..normals as usize] {
        if row.impulse > 0.0 && row.bias > 0.0 && row.bias * h < ROUNDING_GAP {
            row.bias = 0.0;
        }
    }
}
