//! Extra sweeps where few bodies touch: the sweeps go on while the last one changed a velocity by more than a small
//! share of what gravity gives a body in the sub-step.
//!
//! A sweep carries a load through a contact by a share that falls with the ratio of the masses: 1000 kg on a box of
//! 1 kg need hundreds of sweeps until the box pushes back as it must. Old impulses keep what was found, so this costs
//! little once things rest. What counts is the change by each block, for those of a sweep may cancel.
//!
//! Trees and mechanisms (units below) are left out of most of these sweeps where all contacts push them through their joints
//! (`solvers/through`): their rows stay solved, but for those that reach a bound. The last sweep has them. What moves
//! without being touched, as a whip does, asks for no such sweep.
//!
//! A slender stack takes at least three sweeps for every four levels, as far as they can be afforded, unless nothing
//! changes any more: the moment that holds its lean passes one contact a sweep, and one that comes late lets it sway
//! ever more. Towers of 30 to 50 boxes that were up to 1 cm out of line swayed by half a metre or fell with four sweeps;
//! with these they stand.

use crate::row::{Block, Coupling, Owner};
use crate::settings::{Method, Settings};
use crate::system::System;
use crate::work::{SOLVED_BLOCK, Work};

/// The change of a velocity by a block, divided by the length of the sub-step, below which no more sweeps are needed,
/// m/s² or rad/s².
const SETTLED: f32 = 0.3;
/// The most blocks that the extra sweeps of a sub-step may solve. Each body of a tree or mechanism counts as
/// `BLOCKS_PER_BODY`, and `ROWS_PER_BLOCK` rows of joints that are left to the sweeps count as one: about what they cost. If
/// this allows fewer than `MIN_SWEEPS` sweeps, none is made, since a few would help little.
const BLOCKS: usize = 8000;
const BLOCKS_PER_BODY: usize = 2;
const ROWS_PER_BLOCK: usize = 8;
const MIN_SWEEPS: usize = 64;
/// The most sweeps in a row that leave trees and mechanisms out.
const MAX_WITHOUT_UNITS: usize = 7;
/// With fewer blocks than this there are extra relaxing sweeps as well, and soft contacts are as stiff as their loads
/// need: an error that is left on a light body lets its load sink or throws it. A tower of thirty would creep with that.
const FEW_BLOCKS: usize = 12;

/// The least number of sweeps for each level of a slender stack, and the change by a block, divided by the length
/// of the sub-step, below which no such sweep is needed, m/s² or rad/s².
const SWEEPS_PER_LEVEL: f32 = 0.75;
const STILL: f32 = 0.001;
/// Among this many blocks no stack gets such sweeps: they would cost too much.
const WIDE: usize = 1000;

/// Whether a slender stack among so many blocks gets the sweeps that its height needs.
pub fn may_be_slender(settings: &Settings, blocks: usize) -> bool {
    settings.solver.extra > 0 && settings.solver.method == Method::GaussSeidel && (2..WIDE).contains(&blocks)
}

/// The least number of sweeps of a sub-step for the slender stacks of a system of so many blocks.
fn least_sweeps(system: &System, blocks: usize) -> u32 {
    let affordable = (BLOCKS / blocks.max(1)) as u32;
    affordable.min((SWEEPS_PER_LEVEL * system.stack.height() as f32) as u32)
}

/// The largest number of extra sweeps of a sub-step in which bodies touch, for so many blocks.
pub fn max_sweeps(settings: &Settings, blocks: usize) -> u32 {
    let affordable = BLOCKS / blocks.max(1);
    let made = settings.solver.method == Method::GaussSeidel && settings.sweeps() > 0;
    if made && affordable >= MIN_SWEEPS { settings.solver.extra.min(affordable as u32) } else { 0 }
}

/// The extra sweeps of a sub-step.
pub struct Extra {
    /// The number made, and the largest number allowed.
    made: u32,
    max_sweeps: u32,
    /// The change of a velocity below which no more sweeps are made, and that of the last sweep, m/s or rad/s.
    tolerance: f32,
    change: f32,
    /// The number that is made while the last sweep changed a velocity by more than `still`, m/s or rad/s.
    least: u32,
    still: f32,
    /// The blocks of a sweep.
    blocks: usize,
    /// Whether trees and mechanisms may be left out, and the sweeps in a row that have just been made so.
    may_leave_units: bool,
    left_units: usize,
}

impl Extra {
    /// For a sub-step of `h` seconds.
    pub fn new(settings: &Settings, system: &System, h: f32) -> Self {
        let (blocks, contacts, trees) = (&system.blocks, &system.contacts, &system.trees);
        let touches = !contacts.is_empty() || blocks.iter().any(|block| matches!(block.owner, Owner::Contact(_)));
        let bodies: usize = (0..trees.count()).map(|index| trees.bodies(index).count()).sum();
        let swept = blocks.iter().filter(|block| block.coupling != Coupling::Tree);
        let is_joint = |block: &&Block| matches!(block.owner, Owner::Joint(_));
        let rows: usize = swept.clone().filter(is_joint).map(|block| block.count as usize).sum();
        let others = swept.filter(|block| !is_joint(block)).count() + contacts.count();
        let may_leave_units = bodies > 0 && contacts.is_empty() && system.through.takes_all(blocks);
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

    /// For the relaxing sweeps of a sub-step of `h` seconds: only among the fewest blocks, see `FEW_BLOCKS`.
    pub fn relaxing(settings: &Settings, system: &System, h: f32) -> Self {
        let extra = Self::new(settings, system, h);
        let max_sweeps = if extra.is_among_few() { extra.max_sweeps } else { 0 };
        Self { max_sweeps, least: 0, may_leave_units: false, ..extra }
    }

    /// Whether there are so few blocks that the relaxing sweeps go on, too.
    pub fn is_among_few(&self) -> bool {
        self.blocks < FEW_BLOCKS
    }

    /// Whether any may be made.
    pub fn may_follow(&self) -> bool {
        self.max_sweeps > 0
    }

    /// The number of regular sweeps among the first `sweep`.
    pub fn regular(&self, sweep: u32) -> u32 {
        sweep - self.made
    }

    /// Whether the changes of sweeps are to be noted after so many regular ones.
    pub fn watches(&self, settings: &Settings, regular: u32) -> bool {
        (self.max_sweeps > 0 || self.least > 0) && regular + 1 >= settings.sweeps()
    }

    /// Notes the largest change of a velocity by a block of the last sweep, m/s or rad/s.
    pub fn note(&mut self, change: f32) {
        self.change = change;
    }

    /// Whether an extra sweep is due after so many regular ones, which is then counted.
    pub fn goes_on(&mut self, settings: &Settings, regular: u32, work: &mut Work) -> bool {
        regular == settings.sweeps() && self.follows(work)
    }

    /// Whether the sweep that is due leaves trees and mechanisms out.
    pub fn leaves_units_out(&self) -> bool {
        self.left_units > 0
    }

    /// Whether contacts push trees and mechanisms through all joints from now on.
    pub fn pushes_through(&self) -> bool {
        self.made > 0 && self.may_leave_units
    }

    /// Whether trees and mechanisms are left out of some sweeps.
    pub fn may_leave_units(&self) -> bool {
        self.may_leave_units
    }

    /// Whether an extra sweep is due after the regular ones, which is then counted.
    pub fn follows(&mut self, work: &mut Work) -> bool {
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
