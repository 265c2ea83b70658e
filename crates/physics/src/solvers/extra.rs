//! Extra sweeps where few bodies touch: the sweeps go on while the last one changed a velocity by more than a small share
//! of what gravity gives a body in the sub-step.
//!
//! A sweep carries a load through a contact by a share that falls with the ratio of the masses: 1000 kg on a box of
//! 1 kg need hundreds of sweeps until the box pushes back as it must. Old impulses keep what was found, so this costs
//! little once things rest. In large heaps there is no time for it: extra
//! sweeps are made where few bodies touch.

use crate::body::Velocity;
use crate::row::Owner;
use crate::settings::{Method, Settings};
use crate::system::System;
use crate::work::{SOLVED_BLOCK, Work};

/// A change of a velocity by a sweep, over the length of the sub-step, that is small enough, m/s² or rad/s².
const ENOUGH: f32 = 0.3;
/// The most blocks that the extra sweeps of a sub-step may solve. Where that does not allow for at least so many sweeps,
/// none is made: a few more make a wall or a tower of many bricks creep faster than none.
const BLOCKS: usize = 8000;
const LEAST: usize = 64;
/// Each body of a tree or of a mechanism counts as so many blocks.
const BLOCKS_PER_BODY: usize = 8;

/// The most extra sweeps of a sub-step in which bodies touch and a sweep solves so many blocks, each body of a tree or a
/// mechanism counting as eight.
pub fn most(settings: &Settings, blocks: usize) -> u32 {
    let affordable = BLOCKS / blocks.max(1);
    let made = settings.solver.method == Method::GaussSeidel && settings.sweeps() > 0 && affordable >= LEAST;
    if made { settings.solver.extra.min(affordable as u32) } else { 0 }
}

/// The extra sweeps of a sub-step.
pub(super) struct Extra {
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
        let (blocks, trees) = (&system.blocks, &system.trees);
        let touches =
            !system.contacts.is_empty() || blocks.iter().any(|block| matches!(block.owner, Owner::Contact(_)));
        let bodies: usize = (0..trees.count()).map(|index| trees.bodies(index).count()).sum();
        let blocks = blocks.len() + system.contacts.edges().count() + BLOCKS_PER_BODY * bodies;
        let most = if touches { most(settings, blocks) } else { 0 };
        Self { made: 0, most, enough: ENOUGH * h, change: f32::INFINITY, blocks }
    }

    /// The number of regular sweeps among the first `sweep` ones, in place of which an extra one is made if that is due.
    pub fn regular(&self, sweep: u32) -> u32 {
        sweep - self.made
    }

    /// Whether the changes of sweeps are to be noted after so many regular ones.
    pub fn watches(&self, settings: &Settings, regular: u32) -> bool {
        self.most > 0 && regular + 1 >= settings.sweeps()
    }

    /// Notes the largest change of a velocity by the last sweep, from those before it and after it.
    pub fn note(&mut self, before: &[Velocity], velocities: &[Velocity]) {
        let moved = |(a, b): (&Velocity, &Velocity)| {
            (a.linear - b.linear).length_squared().max((a.angular - b.angular).length_squared())
        };
        self.change = before.iter().zip(velocities).map(moved).fold(0.0, f32::max).sqrt();
    }

    /// Whether an extra sweep is due after so many regular ones, which is then counted.
    pub fn goes_on(&mut self, settings: &Settings, regular: u32, work: &mut Work) -> bool {
        let due = regular == settings.sweeps() && self.made < self.most && self.change > self.enough;
        if due {
            self.made += 1;
            work.spend(SOLVED_BLOCK * self.blocks as u64);
        }
        due
    }
}
