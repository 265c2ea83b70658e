//! Extra sweeps where few bodies touch: the sweeps go on while the last one changed a velocity by more than a small
//! share of what gravity gives a body in the sub-step.
//!
//! A sweep carries a load through a contact by a share that falls with the ratio of the masses: 1000 kg on a box of
//! 1 kg need hundreds of sweeps until the box pushes back as it must. Old impulses keep what was found, so this costs
//! little once things rest. What counts is the change by each block, for those of a sweep may cancel.

use crate::row::Owner;
use crate::settings::{Method, Settings};
use crate::system::System;
use crate::work::{SOLVED_BLOCK, Work};

/// A change of a velocity by a block, over the length of the sub-step, that is small enough, m/s² or rad/s².
const ENOUGH: f32 = 0.3;
/// The most blocks that the extra sweeps of a sub-step may solve, each body of a tree or of a mechanism counting as so
/// many. Where that does not allow for at least `LEAST` sweeps, none is made: a few more help little.
const BLOCKS: usize = 8000;
const BLOCKS_PER_BODY: usize = 8;
const LEAST: usize = 64;
/// Among fewer blocks than this the relaxing sweeps go on likewise, and soft contacts are as stiff as their loads ask for:
/// what they leave undone on a light body sinks or throws what it carries. A tower of thirty would creep with that.
const FEW: usize = 12;

/// The most extra sweeps of a sub-step in which bodies touch, there are so many joints and contacts, and trees and
/// mechanisms have so many `bodies`.
pub fn most(settings: &Settings, blocks: usize, bodies: usize) -> u32 {
    let affordable = BLOCKS / (blocks + BLOCKS_PER_BODY * bodies).max(1);
    let made = settings.solver.method == Method::GaussSeidel && settings.sweeps() > 0;
    if made && affordable >= LEAST { settings.solver.extra.min(affordable as u32) } else { 0 }
}

/// The extra sweeps of a sub-step.
pub struct Extra {
    /// The number made, and the most that may be.
    made: u32,
    most: u32,
    /// The change of a velocity that is small enough, and that of the last sweep, m/s or rad/s.
    enough: f32,
    change: f32,
    /// The blocks of a sweep.
    blocks: usize,
}

impl Extra {
    /// For a sub-step of `h` seconds.
    pub fn new(settings: &Settings, system: &System, h: f32) -> Self {
        let (blocks, contacts, trees) = (&system.blocks, &system.contacts, &system.trees);
        let touches = !contacts.is_empty() || blocks.iter().any(|block| matches!(block.owner, Owner::Contact(_)));
        let blocks = blocks.len() + contacts.count();
        let bodies = (0..trees.count()).map(|index| trees.bodies(index).count()).sum();
        let most = if touches { most(settings, blocks, bodies) } else { 0 };
        Self { made: 0, most, enough: ENOUGH * h, change: f32::INFINITY, blocks }
    }

    /// For the relaxing sweeps of a sub-step of `h` seconds: only among the fewest blocks, see `FEW`.
    pub fn relaxing(settings: &Settings, system: &System, h: f32) -> Self {
        let own = Self::new(settings, system, h);
        Self { most: if own.blocks < FEW { own.most } else { 0 }, ..own }
    }

    /// Whether any may be made.
    pub fn may_follow(&self) -> bool {
        self.most > 0
    }

    /// The number of regular sweeps among the first `sweep`.
    pub fn regular(&self, sweep: u32) -> u32 {
        sweep - self.made
    }

    /// Whether the changes of sweeps are to be noted after so many regular ones.
    pub fn watches(&self, settings: &Settings, regular: u32) -> bool {
        self.most > 0 && regular + 1 >= settings.sweeps()
    }

    /// Notes the largest change of a velocity by a block of the last sweep, m/s or rad/s.
    pub fn note(&mut self, change: f32) {
        self.change = change;
    }

    /// Whether an extra sweep is due after so many regular ones, which is then counted.
    pub fn goes_on(&mut self, settings: &Settings, regular: u32, work: &mut Work) -> bool {
        regular == settings.sweeps() && self.follows(work)
    }

    /// Whether an extra sweep is due after the regular ones, which is then counted.
    pub fn follows(&mut self, work: &mut Work) -> bool {
        let due = self.made < self.most && self.change > self.enough;
        if due {
            self.made += 1;
            work.spend(SOLVED_BLOCK * self.blocks as u64);
        }
        due
    }
}
