//! ExtraSweeps sweeps if few bodies touch. The sweeps go on while the last one changed a velocity by more than a small share
//! of the velocity that gravity adds in the sub-step.
//!
//! A sweep carries only a share of a load through a contact. The share falls with the ratio of the masses: 1000 kg on a
//! box of 1 kg need hundreds of sweeps until the box pushes back with the full force. Warm starting keeps the result,
//! so this costs little once the bodies rest. The change by each block is what counts, because the changes within one
//! sweep may cancel.
//!
//! Trees and mechanisms (below: units) are left out of most extra sweeps if all contacts push them through their joints
//! (`solvers/jointed_contacts`). Their rows then stay solved, except rows that reach a bound. The last sweep includes the units.
//! A mechanism that nothing touches, such as a whip, causes no extra sweeps.
//!
//! A slender stack gets at least three sweeps for every four levels, if that is affordable and velocities still change.
//! The moment that keeps the stack from leaning passes one contact per sweep. If it comes late, the stack sways more
//! and more. Towers of 30 to 50 boxes that were up to 1 cm out of line swayed by half a metre or fell with four sweeps;
//! with the extra sweeps they stand.

use crate::row::{Block, Coupling, Owner};
use crate::settings::{Method, Settings};
use crate::system::System;
use crate::work::{SOLVED_BLOCK, Work};

/// The change of a velocity by a block, divided by the length of the sub-step, below which no more sweeps are needed,
/// m/s² or rad/s².
const SETTLED: f32 = 0.3;
/// The largest number of block solves in the extra sweeps of a sub-step.
const BLOCKS: usize = 8000;
/// The cost of a body of a unit, in block solves.
const BLOCKS_PER_BODY: usize = 2;
/// The number of joint rows, left to the sweeps, that cost as much as one block solve.
const ROWS_PER_BLOCK: usize = 8;
/// If fewer extra sweeps than this are affordable, none is made: a few would help little.
const MIN_SWEEPS: usize = 64;
/// The largest number of successive sweeps that leave the units out.
const MAX_WITHOUT_UNITS: usize = 7;
/// With fewer blocks than this the relaxing sweeps also get extra sweeps, and soft contacts are stiffened for their
/// loads. Otherwise an error that remains on a light body lets its load sink, or throws it. A tower of thirty bodies
/// would creep with this, so larger worlds do without.
const FEW_BLOCKS: usize = 12;

/// The least number of sweeps for each level of a slender stack.
const SWEEPS_PER_LEVEL: f32 = 0.75;
/// The change of a velocity by a block, divided by the length of the sub-step, below which a stack needs no more
/// sweeps, m/s² or rad/s².
const STILL: f32 = 0.001;
/// With this many blocks no stack gets sweeps for its height: they would cost too much.
const WIDE: usize = 1000;

/// Whether a slender stack gets the sweeps that its height needs, in a world of `blocks` blocks.
pub fn may_be_slender(settings: &Settings, blocks: usize) -> bool {
    settings.solver.extra > 0 && settings.solver.method == Method::GaussSeidel && (2..WIDE).contains(&blocks)
}

/// The least number of sweeps of a sub-step that the slender stacks need, as far as it is affordable with `blocks`
/// blocks.
fn least_sweeps(system: &System, blocks: usize) -> u32 {
    let affordable = (BLOCKS / blocks.max(1)) as u32;
    affordable.min((SWEEPS_PER_LEVEL * system.stack.height() as f32) as u32)
}

/// The largest number of extra sweeps of a sub-step in which bodies touch, for `blocks` blocks.
pub fn max_sweeps(settings: &Settings, blocks: usize) -> u32 {
    let affordable = BLOCKS / blocks.max(1);
    let made = settings.solver.method == Method::GaussSeidel && settings.sweeps() > 0;
    if made && affordable >= MIN_SWEEPS { settings.solver.extra.min(affordable as u32) } else { 0 }
}

/// The extra sweeps of a sub-step.
pub struct ExtraSweeps {
    /// The number of extra sweeps made, and the largest number allowed.
    made: u32,
    max_sweeps: u32,
    /// The change of a velocity below which no more sweeps are made, m/s or rad/s.
    tolerance: f32,
    /// The largest change of a velocity by a block in the last sweep, m/s or rad/s.
    change: f32,
    /// For slender stacks: at least this many extra sweeps are made while `change` is larger than `still`, m/s or
    /// rad/s.
    least: u32,
    still: f32,
    /// The number of blocks in a sweep.
    blocks: usize,
    /// Whether sweeps may leave the units out.
    may_leave_units: bool,
    /// The number of successive sweeps, up to now, that left the units out.
    left_units: usize,
}

impl ExtraSweeps {
    /// For a sub-step of `h` seconds.
    pub fn new(settings: &Settings, system: &System, h: f32) -> Self {
        let (blocks, contacts, trees) = (&system.blocks, &system.contacts, &system.trees);
        let touches = !contacts.is_empty() || blocks.iter().any(|block| matches!(block.owner, Owner::Contact(_)));
        let bodies: usize = (0..trees.count()).map(|index| trees.bodies(index).count()).sum();
        let swept = blocks.iter().filter(|block| block.coupling != Coupling::Tree);
        let is_joint = |block: &&Block| matches!(block.owner, Owner::Joint(_));
        let rows: usize = swept.clone().filter(is_joint).map(|block| block.count as usize).sum();
        let others = swept.filter(|block| !is_joint(block)).count() + contacts.count();
        let may_leave_units = bodies > 0 && contacts.is_empty() && system.jointed_contacts.includes_all(blocks);
        let of_units = BLOCKS_PER_BODY * bodies / if may_leave_units { MAX_WITHOUT_UNITS + 1 } else { 1 };
        let blocks = blocks.len() + contacts.count();
        let max_sweeps =
            if touches { max_sweeps(settings, of_units + rows.div_ceil(ROWS_PER_BLOCK) + others) } else { 0 };
        let least = if touches { least_sweeps(system, blocks) } else { 0 };
        let least = least.saturating_sub(settings.sweeps()).min(settings.solver.extra);
        let (tolerance, still) = (SETTLED * h, STILL * h);
        let change = f32::INFINITY;
        Self { made: 0, max_sweeps, tolerance, change, least, still, blocks, may_leave_units, left_units: 0 }
    }

    /// For the relaxing sweeps of a sub-step of `h` seconds. There are extra ones only with few blocks: see
    /// `FEW_BLOCKS`.
    pub fn relaxing(settings: &Settings, system: &System, h: f32) -> Self {
        let extra = Self::new(settings, system, h);
        let max_sweeps = if extra.has_few_blocks() { extra.max_sweeps } else { 0 };
        Self { max_sweeps, least: 0, may_leave_units: false, ..extra }
    }

    /// Whether there are so few blocks that the relaxing sweeps get extra sweeps, too.
    pub fn has_few_blocks(&self) -> bool {
        self.blocks < FEW_BLOCKS
    }

    /// Whether any extra sweeps may follow.
    pub fn may_follow(&self) -> bool {
        self.max_sweeps > 0
    }

    /// The number of regular sweeps among the first `sweep`.
    pub fn regular(&self, sweep: u32) -> u32 {
        sweep - self.made
    }

    /// Whether the next sweep must report its change of velocity, after `regular` regular sweeps.
    pub fn must_report_change(&self, settings: &Settings, regular: u32) -> bool {
        (self.max_sweeps > 0 || self.least > 0) && regular + 1 >= settings.sweeps()
    }

    /// Records the largest change of a velocity by a block of the last sweep, m/s or rad/s.
    pub fn record_change(&mut self, change: f32) {
        self.change = change;
    }

    /// Whether an extra sweep is due after `regular` regular sweeps. If so, it is counted as made.
    pub fn begin_if_due_after(&mut self, settings: &Settings, regular: u32, work: &mut Work) -> bool {
        regular == settings.sweeps() && self.begin_if_due(work)
    }

    /// Whether the sweep that is due leaves the units out.
    pub fn leaves_units_out(&self) -> bool {
        self.left_units > 0
    }

    /// Whether from now on contacts push units through joints even if these hardly stiffen them.
    pub fn ignores_min_stiffening(&self) -> bool {
        self.made > 0 && self.may_leave_units
    }

    /// Whether some sweeps leave the units out.
    pub fn may_leave_units(&self) -> bool {
        self.may_leave_units
    }

    /// Whether an extra sweep is due after all regular sweeps. If so, it is counted as made.
    pub fn begin_if_due(&mut self, work: &mut Work) -> bool {
        let unsettled = self.made < self.max_sweeps && self.change > self.tolerance
            || self.made < self.least && self.change > self.still;
        let due = unsettled || self.left_units > 0;
        let leaves_units_out = unsettled && self.may_leave_units && self.left_units < MAX_WITHOUT_UNITS;
        self.left_units = if leaves_units_out { self.left_units + 1 } else { 0 };
        if due {
            self.made += 1;
            work.spend(SOLVED_BLOCK * self.blocks as u64);
        }
        due
    }
}
