//! Projected Gauss–Seidel, also called sequential impulses: each block uses the velocities updated by the blocks
//! before it.
//!
//! ```text
//! for each iteration, for each row:  Δλ = −(J u + b + γ λ)/(K + γ);  λ ← clamp(λ + Δλ);  u ← u + M⁻¹ Jᵀ Δλ
//! ```
//! It converges for every symmetric positive definite system, with bounds too. An iteration costs one pass over the
//! rows.
//! Source: 000 Common notation; 004 ch. 5, 9.

use super::block::BlockVelocities;
use super::common;
use super::parts::Parts;
use super::pass;
use super::remote_sweeps::{self, RemoteSweeps};
use super::substep::Pass;
use super::tree;
use super::wide::Wide;
use crate::body::Velocity;
use crate::graph::Graph;
use crate::plan::route;
use crate::row::Coupling;
use crate::settings::{Order, Settings};
use crate::system::System;
use crate::trace::{Probe, SweepUnit};
use crate::work::SOLVED_BLOCK;
use crate::world::buffers::Buffers;
use crate::world::report::Report;
use crate::world::state::State;
use crate::{energy_budget, restitution, shake, trace, warm_start, warm_start_limiter};

/// One step.
pub(crate) fn step(parts: Parts<'_>, wide: &mut Wide) {
    let Parts { settings, model, state, system, report, remote, buffers, probe, reads, listed } = parts;
    for substep in common::substeps(settings, state, reads, listed) {
        if !common::collide(settings, model, state, report, substep) {
            return;
        }
        common::linearize(settings, state, system, report, buffers, probe, substep);
        if !common::affords_sweeps(settings, state, system, report, substep) {
            return;
        }
        let deferred = common::warm_start(settings, state, system, report, buffers, probe, substep);
        restitution::propagate(settings, state, system, report, (&mut buffers.pre_impact, &mut buffers.tree), probe);
        let pseudo = common::begin_pseudo_velocities(state, system, report);
        let before = report.sweeps;
        let mut pass = Pass { h: substep.h, relaxation: 1.0, pseudo, deferred };
        sweeps(settings, state, system, report, remote, (buffers, wide), probe, pass);
        let past = energy_budget::is_past(state, system);
        if past {
            shake::update_curvature_bias(settings, state, system, &buffers.gyroscopic, &mut buffers.shake, substep.h);
            pass.deferred = false;
            sweeps(settings, state, system, report, remote, (buffers, wide), probe, pass);
        }
        common::spend_on_exact_blocks(system, report, before);
        energy_budget::close(state, system, past);
        warm_start_limiter::finish(state, system, &buffers.gyroscopic, &mut buffers.warm_start_limiter);
        let (impacts, curvature) =
            ((&mut buffers.pre_impact, &mut buffers.tree), (&buffers.gyroscopic[..], &mut buffers.shake));
        let solved = restitution::apply(settings, state, system, impacts, curvature, probe, substep.h);
        report.work.spend(SOLVED_BLOCK * solved as u64);
        common::integrate(settings, model, state, system, report, buffers, probe, substep);
    }
}

/// Makes as many sweeps as the settings ask for.
fn sweeps(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    remote: &mut RemoteSweeps,
    (buffers, wide): (&mut Buffers, &mut Wide),
    probe: &mut Probe,
    pass: Pass,
) {
    let Some(first) = remote_sweeps::sweep(
        settings,
        state,
        system,
        report,
        remote,
        (&mut buffers.gyroscopic, &mut buffers.shake),
        pass,
    ) else {
        return;
    };
    let tolerance = settings.solver.tolerance;
    // Mechanisms that nothing else acts on are solved by the first sweep.
    let at_once = system.trees.mechanisms.count() > 0
        && system.contacts.is_empty()
        && system.blocks.iter().all(|block| block.coupling == Coupling::Tree);
    let in_lanes =
        probe.is_none() && route::blocks_in_lanes(settings, system.blocks.len()) || !system.contacts.is_empty();
    if in_lanes && !at_once {
        return wide_sweeps(settings, state, system, report, (buffers, wide), pass, first);
    }
    let mut moved = f32::INFINITY;
    for iteration in first.. {
        if report.work.is_cancelled() || !shake::goes_on(settings, state, system, &buffers.shake, iteration, pass.h) {
            break;
        }
        let mut bias_changed = false;
        if shake::is_due(settings, system, &mut buffers.shake, iteration) {
            shake::refresh_curvature_bias(settings, state, system, &mut buffers.gyroscopic, &mut buffers.shake, pass.h);
            bias_changed = shake::has_changed(&buffers.shake);
        }
        if at_once && !bias_changed && moved == 0.0 {
            break;
        }
        report.sweeps += 1;
        let order = Visit { order: settings.solver.order, step: state.step_count, iteration };
        let mut target = SweepTarget::new(state, system, report, buffers);
        moved = match (pass.pseudo, tolerance > 0.0 || at_once) {
            (false, false) => target.sweep::<false, false>(order, probe),
            (true, false) => target.sweep::<true, false>(order, probe),
            (false, true) => target.sweep::<false, true>(order, probe),
            (true, true) => target.sweep::<true, true>(order, probe),
        };
        if !at_once && iteration + 1 >= settings.sweeps() {
            target.solve_mechanisms_again(pass.pseudo);
        }
        let begins = pass.deferred && iteration == 0;
        if begins {
            warm_start::apply_deferred(state, &buffers.deferred);
            moved = f32::INFINITY;
        }
        trace::sweep(state, system, probe);
        if !begins && moved < tolerance {
            break;
        }
    }
}

/// The same sweeps, several blocks at a time in SIMD lanes.
fn wide_sweeps(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    (buffers, wide): (&mut Buffers, &mut Wide),
    pass: Pass,
    first: u32,
) {
    let order = settings.solver.order;
    if order == Order::Coloured {
        wide.pack_by_colour(system);
    } else {
        wide.pack(system, 0..system.before_contacts() as u32);
    }
    for iteration in first.. {
        if report.work.is_cancelled() || !shake::goes_on(settings, state, system, &buffers.shake, iteration, pass.h) {
            break;
        }
        if shake::is_due(settings, system, &mut buffers.shake, iteration) {
            shake::refresh_curvature_bias(settings, state, system, &mut buffers.gyroscopic, &mut buffers.shake, pass.h);
            wide.copy_biases(system);
        }
        report.sweeps += 1;
        let backwards = match order {
            Order::Backward => true,
            Order::Alternating => !iteration.is_multiple_of(2),
            _ => false,
        };
        let mut target = SweepTarget::new(state, system, report, buffers);
        if pass.pseudo {
            target.sweep_wide::<true>(wide, iteration, backwards);
        } else {
            target.sweep_wide::<false>(wide, iteration, backwards);
        }
        if iteration + 1 >= settings.sweeps() {
            target.solve_mechanisms_again(pass.pseudo);
        }
        if pass.deferred && iteration == 0 {
            warm_start::apply_deferred(state, &buffers.deferred);
        }
    }
    wide.finish(system);
}

/// What a sweep reads and changes.
struct SweepTarget<'a> {
    system: &'a mut System,
    velocities: &'a mut [Velocity],
    /// The velocities of the split position correction; empty where there is none.
    pseudo_velocities: &'a mut [Velocity],
    tree: &'a mut tree::Work,
    pseudo_tree: &'a mut tree::Work,
}

impl<'a> SweepTarget<'a> {
    fn new(
        state: &'a mut State,
        system: &'a mut System,
        report: &'a mut Report,
        Buffers { tree, pseudo_tree, .. }: &'a mut Buffers,
    ) -> Self {
        let (velocities, pseudo_velocities) = (&mut state.velocities, &mut report.pseudo_velocities);
        Self { system, velocities, pseudo_velocities, tree, pseudo_tree }
    }

    /// One pass over all trees and blocks, several blocks at a time.
    fn sweep_wide<const PSEUDO: bool>(&mut self, wide: &mut Wide, iteration: u32, backwards: bool) {
        if PSEUDO {
            self.correct_drive_blocks();
        }
        let trees = 0..self.system.trees.count();
        let others = self.system.before_contacts()..self.system.blocks.len();
        if !backwards {
            trees.for_each(|tree| _ = self.solve_tree::<PSEUDO>(tree, iteration == 0));
            wide.sweep::<PSEUDO>(self.system, self.velocities, self.pseudo_velocities, false);
            self.system.contacts.sweep::<PSEUDO>(self.velocities, self.pseudo_velocities, false);
            others.for_each(|block| _ = self.solve::<PSEUDO, false>(block));
        } else {
            others.rev().for_each(|block| _ = self.solve::<PSEUDO, false>(block));
            self.system.contacts.sweep::<PSEUDO>(self.velocities, self.pseudo_velocities, true);
            wide.sweep::<PSEUDO>(self.system, self.velocities, self.pseudo_velocities, true);
            trees.rev().for_each(|tree| _ = self.solve_tree::<PSEUDO>(tree, iteration == 0));
        }
    }

    /// One pass over all blocks, trees before the others. With `PSEUDO` also a pass of the split position correction,
    /// made together because the rows are then in the cache; the two do not interact, so their order does not matter.
    /// With `WATCH` it returns the largest change of a velocity, m/s or rad/s.
    fn sweep<const PSEUDO: bool, const WATCH: bool>(&mut self, order: Visit, probe: &mut Probe) -> f32 {
        let mut moved = if PSEUDO { self.correct_drive_blocks() } else { 0.0 };
        let traced = trace::by_blocks(probe);
        let (trees, blocks) = (self.system.trees.count(), self.system.blocks.len());
        let mut graph = std::mem::take(&mut self.system.graph);
        order.each(&mut graph, (trees, blocks), |i| {
            let by = if i < trees {
                self.solve_tree::<PSEUDO>(i, order.iteration == 0)
            } else {
                self.solve::<PSEUDO, WATCH>(i - trees)
            };
            if WATCH {
                moved = moved.max(by);
            }
            // A block that is solved with its tree is traced with it.
            let in_tree = i >= trees && self.system.blocks[i - trees].coupling == Coupling::Tree;
            if traced && !in_tree {
                let unit = if i < trees { SweepUnit::Tree(i as u32) } else { SweepUnit::Block((i - trees) as u32) };
                trace::block_solved(self.velocities, self.system, probe, unit);
            }
        });
        self.system.graph = graph;
        moved
    }

    /// Solves one tree (or single joint); returns the largest change of a velocity.
    fn solve_tree<const PSEUDO: bool>(&mut self, index: usize, first: bool) -> f32 {
        let System { trees, rows, .. } = self.system;
        if PSEUDO {
            let works = (&mut *self.tree, &mut *self.pseudo_tree);
            trees.sweep_both(index, rows, works, self.velocities, self.pseudo_velocities, first)
        } else {
            trees.sweep::<false>(index, rows, self.tree, self.velocities, first)
        }
    }

    /// Solves the mechanisms once more, at the end of the last sweep: the poses then follow from velocities that keep their
    /// joints and drives. What the sweeps have left undone is in the contacts, which take it up in the next step; left in
    /// the drives it would add up, and legs that stand on the floor would sag.
    fn solve_mechanisms_again(&mut self, pseudo: bool) {
        for index in self.system.trees.only_mechanisms() {
            if pseudo {
                self.solve_tree::<true>(index, false);
            } else {
                self.solve_tree::<false>(index, false);
            }
        }
    }

    #[inline(always)]
    fn solve<const PSEUDO: bool, const WATCH: bool>(&mut self, index: usize) -> f32 {
        pass::solve::<PSEUDO, WATCH>(self.system, index, self.velocities, self.pseudo_velocities)
    }

    /// Split position correction of the driven joints; returns the largest change of a velocity.
    fn correct_drive_blocks(&mut self) -> f32 {
        let mut moved = 0.0f32;
        for block in &self.system.drive_blocks {
            let (a, b) = (block.a as usize, block.b as usize);
            let velocities = &mut *self.pseudo_velocities;
            let mut pair = BlockVelocities::<true>::new(velocities[a], velocities[b], 1.0);
            pair.correct_drive_block(block, &mut self.system.rows);
            moved = moved.max(pair.moved(&velocities[a], &velocities[b]));
            (velocities[a], velocities[b]) = (pair.now.a, pair.now.b);
        }
        moved
    }
}

/// The order in which a sweep visits trees and blocks.
#[derive(Clone, Copy)]
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
