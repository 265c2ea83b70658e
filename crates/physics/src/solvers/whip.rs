//! The extra sweeps of a whip: a limb that turns fast within a step asks for more rounds of rows and curvature bias
//! than the settings have sweeps (`shake.rs`).
//!
//! ```text
//! unit       a tree, or a mechanism, which one solve closes. Joints that are left to the sweeps, and trees and mechanisms
//!            that share a body with them or with each other, are one unit together
//! it whips   while e of one of its joints still changes, and its rows are solved for the biases that they have
//! ```
//! Only units that whip are solved again, each on its own, while contacts keep their impulses; a heap does not sweep
//! because a limb in it whips. At the end one whole sweep lets the contacts follow. Only where the joints that are left to
//! the sweeps whip does everything sweep on.

use crate::row::{Block, Coupling, Owner, RowId};
use crate::settings::Settings;
use crate::shake::{self, Chosen};
use crate::system::System;
use crate::world::state::State;

/// The unit of what iterates.
const SWEPT: u32 = u32::MAX;

/// What whips in a sub-step.
#[derive(Default)]
pub struct Whip {
    /// By joint: the tree or mechanism that it belongs to, or [`SWEPT`].
    unit: Vec<u32>,
    /// By body: its tree or mechanism, [`SWEPT`] where there are several or joints that are left to the sweeps.
    unit_of_body: Vec<Option<u32>>,
    /// By tree and mechanism: whether it whips; and whether what iterates does.
    whips: Vec<bool>,
    swept: bool,
    chosen: Chosen,
    /// Whether units were solved alone since the last whole sweep.
    alone: bool,
    /// The number of sweeps over units alone.
    sweeps: u32,
}

/// What the next sweep is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Everything.
    All,
    /// The trees and mechanisms that whip: [`Whip::units`].
    Units,
    /// Everything, once, after units were solved alone.
    Last,
    Nothing,
}

impl Whip {
    /// What to sweep over after `sweep` sweeps of a sub-step of `h` seconds.
    pub fn next(
        &mut self,
        settings: &Settings,
        state: &State,
        system: &System,
        curvature: &shake::Scratch,
        sweep: u32,
        h: f32,
    ) -> Next {
        if sweep < settings.sweeps() {
            return Next::All;
        }
        if sweep == settings.sweeps() {
            self.alone = false;
        }
        if shake::may_whip(settings, system, curvature, sweep) {
            if sweep == settings.sweeps() {
                self.find_units(state, system);
            }
            if self.find_whips(state, system, curvature, h) {
                self.alone |= !self.swept;
                self.sweeps += u32::from(!self.swept);
                return if self.swept { Next::All } else { Next::Units };
            }
        }
        let others = !system.contacts.is_empty() || system.blocks.iter().any(|block| block.coupling != Coupling::Tree);
        if std::mem::take(&mut self.alone) && others { Next::Last } else { Next::Nothing }
    }

    /// The joints whose curvature bias is to be evaluated before the sweep: all, or those that whip alone.
    pub fn chosen(&self, next: Next) -> Option<&Chosen> {
        (next == Next::Units).then_some(&self.chosen)
    }

    /// The number of sweeps over units alone since this was last asked.
    pub fn take_sweeps(&mut self) -> u32 {
        std::mem::take(&mut self.sweeps)
    }

    /// The trees and mechanisms that whip.
    pub fn units(&self) -> impl Iterator<Item = usize> {
        self.whips.iter().enumerate().filter(|(_, whips)| **whips).map(|(unit, _)| unit)
    }

    fn find_units(&mut self, state: &State, system: &System) {
        let Self { unit, unit_of_body, .. } = self;
        unit_of_body.clear();
        unit_of_body.resize(state.bodies.len(), None);
        for block in joint_blocks(system).filter(|block| block.coupling != Coupling::Tree) {
            for body in [block.a, block.b].into_iter().filter(|body| state.bodies[*body as usize].is_dynamic()) {
                unit_of_body[body as usize] = Some(SWEPT);
            }
        }
        for index in 0..system.trees.count() {
            for body in system.trees.bodies(index) {
                let body_unit = &mut unit_of_body[body as usize];
                *body_unit = Some(if body_unit.is_none() { index as u32 } else { SWEPT });
            }
        }
        unit.clear();
        unit.resize(state.joints.len(), SWEPT);
        for index in 0..system.trees.count() {
            if !system.trees.bodies(index).all(|body| unit_of_body[body as usize] == Some(index as u32)) {
                continue;
            }
            for row in system.trees.rows_of(index) {
                if let RowId::Joint { joint, .. } = system.ids[row] {
                    unit[joint as usize] = index as u32;
                }
            }
        }
    }

    /// Whether anything whips.
    fn find_whips(&mut self, state: &State, system: &System, curvature: &shake::Scratch, h: f32) -> bool {
        let Self { unit, whips, swept, chosen, .. } = self;
        whips.clear();
        whips.resize(system.trees.count(), false);
        *swept = false;
        for (_, unit) in unit.iter().enumerate().filter(|(joint, _)| curvature.is_unsettled(*joint)) {
            *whips.get_mut(*unit as usize).unwrap_or(swept) = true;
        }
        for block in joint_blocks(system) {
            let Owner::Joint(joint) = block.owner else { continue };
            let still_whips = whips.get_mut(unit[joint as usize] as usize).unwrap_or(swept);
            *still_whips = *still_whips && shake::is_block_solved(state, system, block, h);
        }
        chosen.joints.clear();
        chosen.joints.extend(unit.iter().map(|unit| whips.get(*unit as usize).copied().unwrap_or(false)));
        chosen.bodies.clear();
        chosen.bodies.resize(state.bodies.len(), false);
        for (joint, _) in state.joints.iter().zip(&chosen.joints).filter(|(_, chosen)| **chosen) {
            chosen.bodies[joint.def.a as usize] = true;
            chosen.bodies[joint.def.b as usize] = true;
        }
        *swept || whips.contains(&true)
    }
}

fn joint_blocks(system: &System) -> impl Iterator<Item = &Block> {
    system.blocks.iter().filter(|block| matches!(block.owner, Owner::Joint(_)))
}
