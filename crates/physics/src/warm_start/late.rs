//! The velocity changes of the old impulses, kept apart from the velocities.

use crate::body::Velocity;
use crate::row::{Block, Row};
use crate::system::System;
use crate::world::state::State;

/// Writes the velocity changes of the old impulses to `late`, without applying them.
pub(crate) fn hold(state: &State, system: &mut System, late: &mut Vec<Velocity>) {
    late.clear();
    late.resize(state.velocities.len(), Velocity::default());
    let (joints, others) = system.blocks.split_at(system.before_contacts());
    apply(&system.rows, joints, late);
    system.contacts.apply(late);
    apply(&system.rows, others, late);
}

/// Applies the velocity changes that [`hold`] held back.
pub(crate) fn finish(state: &mut State, late: &[Velocity]) {
    for (velocity, late) in state.velocities.iter_mut().zip(late) {
        velocity.linear += late.linear;
        velocity.angular += late.angular;
    }
}

/// Applies the present impulses of the rows of these blocks to `velocities`.
pub fn apply(rows: &[Row], blocks: &[Block], velocities: &mut [Velocity]) {
    for block in blocks {
        let (mut a, mut b) = (velocities[block.a as usize], velocities[block.b as usize]);
        for row in &rows[block.range()] {
            let lambda = row.impulse;
            a.linear -= row.lin * (row.inv_ma * lambda);
            a.angular += row.inv_ia * lambda;
            b.linear += row.lin * (row.inv_mb * lambda);
            b.angular += row.inv_ib * lambda;
        }
        velocities[block.a as usize] = a;
        velocities[block.b as usize] = b;
    }
}
