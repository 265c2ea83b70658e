//! One pass over all blocks, and the solve of one block with its split position correction.

use super::block::{self, BlockVelocities, solve_block};
use super::tree;
use crate::angular_cap;
use crate::body::Velocity;
use crate::row::Coupling;
use crate::system::System;

/// One pass over all trees, then all other blocks; returns the largest change of a velocity, m/s or rad/s. `first` is
/// true for the first pass, in which trees apply their Δu directly: see [`tree::Trees::apply`].
pub fn pass(system: &mut System, work: &mut tree::Work, velocities: &mut [Velocity], first: bool) -> f32 {
    let mut moved = 0.0f32;
    for index in 0..system.trees.count() {
        moved = moved.max(system.trees.sweep::<false>(index, &mut system.rows, work, velocities, first));
    }
    for block in &system.blocks {
        let by = solve_block::<true>(block, block.coupling, &mut system.rows, &system.couplings, velocities);
        moved = moved.max(by);
    }
    moved
}

/// Solves one block; with `WATCH` returns the largest change of a velocity.
#[inline(always)]
pub(super) fn solve<const PSEUDO: bool, const WATCH: bool>(
    system: &mut System,
    index: usize,
    velocities: &mut [Velocity],
    pseudo_velocities: &mut [Velocity],
) -> f32 {
    let block = &system.blocks[index].clone();
    if block.coupling == Coupling::Tree {
        return 0.0;
    }
    let System { rows, couplings, trees, jointed_contacts, .. } = system;
    let by_joints = if jointed_contacts.is_listed(index) {
        jointed_contacts.solve((index, block), rows, couplings, trees, velocities)
    } else {
        None
    };
    let mut moved =
        by_joints.unwrap_or_else(|| block::solve_block::<WATCH>(block, block.coupling, rows, couplings, velocities));
    if !system.capped.is_empty() {
        angular_cap::cut(velocities, [block.a, block.b], |body| system.capped[body]);
    }
    if PSEUDO {
        let (a, b) = (block.a as usize, block.b as usize);
        let mut pair = BlockVelocities::<true>::new(pseudo_velocities[a], pseudo_velocities[b], 1.0);
        if !block.in_drive_block && (block.pseudo || !pair.now.at_rest()) {
            pair.correct(block.coupling, &mut rows[block.range()], couplings);
            if WATCH {
                moved = moved.max(pair.moved(&pseudo_velocities[a], &pseudo_velocities[b]));
            }
            pseudo_velocities[a] = pair.now.a;
            pseudo_velocities[b] = pair.now.b;
        }
    }
    moved
}
