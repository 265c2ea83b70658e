//! Projected Gauss–Seidel, also called sequential impulses: each block sees the velocities that the blocks before it
//! have just changed.
//!
//! ```text
//! for each iteration, for each row:  Δλ = −(J u + b + γ λ)/(K + γ);  λ ← clamp(λ + Δλ);  u ← u + M⁻¹ Jᵀ Δλ
//! ```
//! Converges for every symmetric positive definite system, bounds included. Costs one pass over the rows an iteration.
//! Source: 000 Common notation; 004 ch. 5, 9.

use super::common::{self, Pair};
use crate::physics::world::World;
use crate::physics::{integrate, warm_start};

/// One (sub-)step of `h` seconds.
pub fn advance(world: &mut World, h: f32) {
    common::prepare(world, h);
    integrate::velocities(&world.bodies, &mut world.velocities, &world.settings, h);
    warm_start::apply(&world.system.rows, &world.system.blocks, &mut world.velocities);
    let pushes = common::begin_pushes(world);
    for _ in 0..world.settings.solver.iterations {
        if pushes { sweep::<true>(world) } else { sweep::<false>(world) }
    }
    common::finish(world, h);
}

/// One pass over all blocks; with `PUSH` a pass of the split position correction too, in the same go because the rows
/// are then at hand: the two never meet, so the order between them does not matter.
fn sweep<const PUSH: bool>(world: &mut World) {
    let (system, velocities, pushes) = (&mut world.system, &mut world.velocities, &mut world.pushes);
    for block in &system.blocks {
        let (a, b) = (block.a as usize, block.b as usize);
        let rows = &mut system.rows[block.range()];
        let mut pair = Pair::<true>::new(velocities[a], velocities[b], 1.0);
        pair.solve(block.coupling, rows, &system.inverses);
        velocities[a] = pair.a;
        velocities[b] = pair.b;
        if PUSH {
            let mut pair = Pair::<true>::new(pushes[a], pushes[b], 1.0);
            if block.pushes || !pair.at_rest() {
                pair.push(block.coupling, rows, &system.inverses);
                pushes[a] = pair.a;
                pushes[b] = pair.b;
            }
        }
    }
}
