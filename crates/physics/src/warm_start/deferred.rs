//! The velocity changes of the old impulses, kept apart from the velocities.

use crate::body::Velocity;
use crate::row::{Block, Row};
use crate::system::System;
use crate::world::state::State;

/// Writes the velocity changes of the old impulses to `deferred`, without applying them.
pub(crate) fn collect(state: &State, system: &mut System, deferred: &mut Vec<Velocity>) {
    deferred.clear();
    deferred.resize(state.velocities.len(), Velocity::default());
    let (joints, others) = system.blocks.split_at(system.before_contacts());
    apply(&system.rows, joints, deferred);
    system.contacts.apply(deferred);
    apply(&system.rows, others, deferred);
}

/// Applies the velocity changes that [`collect`] held back.
pub(crate) fn apply_deferred(state: &mut State, deferred: &[Velocity]) {
    for (velocity, deferred) in state.velocities.iter_mut().zip(deferred) {
        velocity.linear += deferred.linear;
        velocity.angular += deferred.angular;
    }
}

/// Applies the present impulses of the rows of these blocks to `velocities`.
pub fn apply(rows: &[Row], blocks: &[Block], velocities: &mut [Velocity]) {
    for block in blocks {
        let (mut a, mut b) = (velocities[block.a as usize], velocities[block.b as usize]);
        for row in &rows[block.range()] {
            row.add_to_a(&mut a, row.impulse);
            row.add_to_b(&mut b, row.impulse);
        }
        velocities[block.a as usize] = a;
        velocities[block.b as usize] = b;
    }
}
