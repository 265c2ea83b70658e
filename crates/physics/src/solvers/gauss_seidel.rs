//! Projected Gauss–Seidel, also called sequential impulses: each block uses the velocities updated by the blocks
//! before it.
//!
//! ```text
//! for each iteration, for each row:  Δλ = −(J u + b + γ λ)/(K + γ);  λ ← clamp(λ + Δλ);  u ← u + M⁻¹ Jᵀ Δλ
//! ```
//! It converges for every symmetric positive definite system, with bounds too. An iteration costs one pass over the
//! rows.
//! Source: 000 Common notation; 004 ch. 5, 9.

use super::block::{self, BlockVelocities};
use super::common;
use super::remote_sweeps;
use super::wide::Wide;
use crate::body::Velocity;
use crate::graph::Graph;
use crate::row::Coupling;
use crate::settings::{AngularSpeedForm, Order, Settings, SolverSettings};
use crate::system::System;
use crate::trace::SweepUnit;
use crate::world::World;
use crate::{angular_cap, ledger, restitution, safeguard, shake, trace, warm_start};

/// One step.
pub fn step(world: &mut World) {
    for substep in common::substeps(world) {
        if !common::collide(world, substep) {
            return;
        }
        common::linearize(world, substep.h);
        if !common::affords_sweeps(world, substep) {
            return;
        }
        let late = common::warm_start(world, substep.h);
        restitution::propagate(world);
        let pseudo = common::begin_pseudo_velocities(world);
        sweeps(world, substep.h, pseudo, late);
        let past = ledger::is_past(world);
        if past {
            shake::bend(world, substep.h);
            sweeps(world, substep.h, pseudo, false);
        }
        ledger::close(world, past);
        safeguard::finish(world);
        restitution::apply(world);
        common::integrate(world, substep);
    }
}

/// Whether islands can be stepped separately. Not with a tolerance, which ends the sweeps of all islands together,
/// nor with a shuffled order, which is drawn for all blocks.
pub fn by_islands(settings: &SolverSettings) -> bool {
    settings.tolerance == 0.0 && settings.order != Order::Shuffled
}

/// Makes as many sweeps as the settings ask for.
fn sweeps(world: &mut World, h: f32, pseudo: bool, late: bool) {
    let Some(first) = remote_sweeps::sweep(world, h, 1.0, pseudo, late) else { return };
    let tolerance = world.settings.solver.tolerance;
    let blocks = world.system.blocks.len();
    let wide = world.pipeline.probe.is_none() && goes_wide(&world.settings, blocks);
    if wide || !world.system.contacts.is_empty() {
        return wide_sweeps(world, h, pseudo, late, first);
    }
    for iteration in first.. {
        if !shake::goes_on(world, iteration, h) {
            break;
        }
        if shake::is_due(world, iteration) {
            shake::bend(world, h);
        }
        world.report.sweeps += 1;
        let moved = match (pseudo, tolerance > 0.0) {
            (false, false) => sweep::<false, false>(world, iteration),
            (true, false) => sweep::<true, false>(world, iteration),
            (false, true) => sweep::<false, true>(world, iteration),
            (true, true) => sweep::<true, true>(world, iteration),
        };
        let begins = late && iteration == 0;
        if begins {
            warm_start::finish(world);
        }
        trace::sweep(world);
        if !begins && moved < tolerance {
            break;
        }
    }
}

/// With fewer blocks than this the SIMD sweep is not worth its preparation.
const MANY: usize = 12;

/// Whether blocks are solved in SIMD lanes. Not if there are few, if each sweep has its own order, if sweeps end by a
/// tolerance, or if angular speeds are capped after each block.
fn goes_wide(settings: &Settings, blocks: usize) -> bool {
    let solver = &settings.solver;
    let free = settings.formulation.angular_speed == AngularSpeedForm::Free;
    free && solver.lanes && blocks >= MANY && solver.order != Order::Shuffled && solver.tolerance == 0.0
}

/// The same sweeps, several blocks at a time in SIMD lanes.
fn wide_sweeps(world: &mut World, h: f32, pseudo: bool, late: bool, first: u32) {
    let mut wide = std::mem::take(&mut world.pipeline.buffers.wide);
    let order = world.settings.solver.order;
    if order == Order::Coloured {
        wide.begin_by_colour(&mut world.system);
    } else {
        wide.begin(&world.system, 0..world.system.before_contacts() as u32);
    }
    for iteration in first.. {
        if !shake::goes_on(world, iteration, h) {
            break;
        }
        if shake::is_due(world, iteration) {
            shake::bend(world, h);
            wide.rebias(&world.system);
        }
        world.report.sweeps += 1;
        let backwards = match order {
            Order::Backward => true,
            Order::Alternating => !iteration.is_multiple_of(2),
            _ => false,
        };
        if pseudo {
            wide_sweep::<true>(world, &mut wide, iteration, backwards);
        } else {
            wide_sweep::<false>(world, &mut wide, iteration, backwards);
        }
        if late && iteration == 0 {
            warm_start::finish(world);
        }
    }
    wide.finish(&mut world.system);
    world.pipeline.buffers.wide = wide;
}

/// One pass over all trees and blocks.
fn wide_sweep<const PSEUDO: bool>(world: &mut World, wide: &mut Wide, iteration: u32, backwards: bool) {
    if PSEUDO {
        correct_held(world);
    }
    let trees = world.system.trees.count();
    let others = world.system.before_contacts()..world.system.blocks.len();
    if !backwards {
        (0..trees).for_each(|tree| _ = solve_tree::<PSEUDO>(world, tree, iteration == 0));
        let (system, velocities, pseudo_velocities) =
            (&mut world.system, &mut world.state.velocities, &mut world.report.pseudo_velocities);
        wide.sweep::<PSEUDO>(system, velocities, pseudo_velocities, false);
        system.contacts.sweep::<PSEUDO>(velocities, pseudo_velocities, false);
        others.for_each(|block| _ = solve::<PSEUDO, false>(system, block, velocities, pseudo_velocities));
    } else {
        let (system, velocities, pseudo_velocities) =
            (&mut world.system, &mut world.state.velocities, &mut world.report.pseudo_velocities);
        others.rev().for_each(|block| _ = solve::<PSEUDO, false>(system, block, velocities, pseudo_velocities));
        system.contacts.sweep::<PSEUDO>(velocities, pseudo_velocities, true);
        wide.sweep::<PSEUDO>(system, velocities, pseudo_velocities, true);
        (0..trees).rev().for_each(|tree| _ = solve_tree::<PSEUDO>(world, tree, iteration == 0));
    }
}

/// One pass over all blocks, trees before the others. With `PSEUDO` also a pass of the split position correction,
/// made together because the rows are then in the cache; the two do not interact, so their order does not matter.
/// With `WATCH` it returns the largest change of a velocity, m/s or rad/s.
fn sweep<const PSEUDO: bool, const WATCH: bool>(world: &mut World, iteration: u32) -> f32 {
    let mut moved = if PSEUDO { correct_held(world) } else { 0.0 };
    let traced = trace::by_blocks(world);
    let order = Visit { order: world.settings.solver.order, step: world.state.step_count, iteration };
    let (trees, blocks) = (world.system.trees.count(), world.system.blocks.len());
    let mut graph = std::mem::take(&mut world.system.graph);
    order.each(&mut graph, (trees, blocks), |i| {
        let by = if i < trees {
            solve_tree::<PSEUDO>(world, i, iteration == 0)
        } else {
            let (velocities, pseudo_velocities) = (&mut world.state.velocities, &mut world.report.pseudo_velocities);
            solve::<PSEUDO, WATCH>(&mut world.system, i - trees, velocities, pseudo_velocities)
        };
        if WATCH {
            moved = moved.max(by);
        }
        if traced {
            note(world, i, trees);
        }
    });
    world.system.graph = graph;
    moved
}

/// Traces a solved tree or block; not a block that is solved with its tree.
fn note(world: &mut World, i: usize, trees: usize) {
    if i < trees {
        trace::block_solved(world, SweepUnit::Tree(i as u32));
    } else if world.system.blocks[i - trees].coupling != Coupling::Tree {
        trace::block_solved(world, SweepUnit::Block((i - trees) as u32));
    }
}

/// The order in which a sweep visits trees and blocks.
struct Visit {
    order: Order,
    /// The step's number, from which shuffled orders are drawn, and that of the sweep.
    step: u64,
    iteration: u32,
}

impl Visit {
    /// Calls `each` for all trees and blocks. Indices below the number of trees are trees; the blocks follow.
    #[inline(always)]
    fn each(&self, graph: &mut Graph, (trees, blocks): (usize, usize), mut each: impl FnMut(usize)) {
        let all = 0..trees + blocks;
        match self.order {
            Order::Forward => all.for_each(each),
            Order::Backward => all.rev().for_each(each),
            Order::Alternating if self.iteration.is_multiple_of(2) => all.for_each(each),
            Order::Alternating => all.rev().for_each(each),
            Order::Shuffled => {
                let seed = self.step.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(self.iteration);
                shuffled(all.end, seed).for_each(each);
            }
            Order::Coloured => {
                (0..trees).for_each(&mut each);
                graph.by_colour().flatten().for_each(|block| each(trees + *block as usize));
            }
        }
    }
}

/// Solves one tree (or single joint); returns the largest change of a velocity.
fn solve_tree<const PSEUDO: bool>(world: &mut World, index: usize, first: bool) -> f32 {
    let (system, velocities, pseudo_velocities) =
        (&mut world.system, &mut world.state.velocities, &mut world.report.pseudo_velocities);
    let (trees, rows, work) = (&system.trees, &mut system.rows, &mut world.pipeline.buffers.tree);
    if PSEUDO {
        trees.sweep_both(
            index,
            rows,
            (work, &mut world.pipeline.buffers.pseudo_tree),
            velocities,
            pseudo_velocities,
            first,
        )
    } else {
        trees.sweep::<false>(index, rows, work, velocities, first)
    }
}

/// Visits every index below `count` once, in an order that depends on `seed`: an affine walk modulo a power of two
/// that skips indices which are too large, so that nothing has to be stored.
fn shuffled(count: usize, seed: u64) -> impl Iterator<Item = usize> {
    let size = count.next_power_of_two() as u64;
    let mixed = (seed ^ (seed >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    // Multiplier 1 mod 4 and odd increment: the walk visits all residues (Hull and Dobell).
    let (multiplier, increment) = ((mixed >> 20) << 2 | 1, (mixed >> 7) | 1);
    (0..size)
        .scan(mixed, move |state, _| {
            *state = state.wrapping_mul(multiplier).wrapping_add(increment) & (size - 1);
            Some(*state as usize)
        })
        .filter(move |i| *i < count)
}

/// Solves one block; with `WATCH` returns the largest change of a velocity.
#[inline(always)]
pub(super) fn solve<const PSEUDO: bool, const WATCH: bool>(
    system: &mut System,
    index: usize,
    velocities: &mut [Velocity],
    pseudo_velocities: &mut [Velocity],
) -> f32 {
    let block = &system.blocks[index];
    if block.coupling == Coupling::Tree {
        return 0.0;
    }
    let (rows, couplings) = (&mut system.rows, &system.couplings);
    let mut moved = block::solve_block::<WATCH>(block, block.coupling, rows, couplings, velocities);
    if !system.capped.is_empty() {
        angular_cap::cut(velocities, [block.a, block.b], |body| system.capped[body]);
    }
    if PSEUDO {
        let (a, b) = (block.a as usize, block.b as usize);
        let mut pair = BlockVelocities::<true>::new(pseudo_velocities[a], pseudo_velocities[b], 1.0);
        if !block.held && (block.pseudo || !pair.at_rest()) {
            pair.correct(block.coupling, &mut rows[block.range()], couplings);
            if WATCH {
                moved = moved.max(pair.moved(&pseudo_velocities[a], &pseudo_velocities[b]));
            }
            pseudo_velocities[a] = pair.a;
            pseudo_velocities[b] = pair.b;
        }
    }
    moved
}

/// Split position correction of the driven joints; returns the largest change of a velocity.
fn correct_held(world: &mut World) -> f32 {
    let (system, pseudo_velocities) = (&mut world.system, &mut world.report.pseudo_velocities);
    let mut moved = 0.0f32;
    for held in &system.held {
        let (a, b) = (held.a as usize, held.b as usize);
        let mut pair = BlockVelocities::<true>::new(pseudo_velocities[a], pseudo_velocities[b], 1.0);
        pair.correct_held(held, &mut system.rows);
        moved = moved.max(pair.moved(&pseudo_velocities[a], &pseudo_velocities[b]));
        (pseudo_velocities[a], pseudo_velocities[b]) = (pair.a, pair.b);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::shuffled;

    #[test]
    fn shuffled_order_visits_every_block_once() {
        for count in [0, 1, 2, 3, 7, 64, 1000] {
            for seed in [0, 1, 99, u64::MAX] {
                let mut seen: Vec<usize> = shuffled(count, seed).collect();
                seen.sort_unstable();
                assert_eq!(seen, (0..count).collect::<Vec<_>>());
            }
        }
    }
}
