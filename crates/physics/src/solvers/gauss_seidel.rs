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
use super::extra_sweeps::ExtraSweeps;
use super::order::Visit;
use super::parts::Parts;
use super::pass;
use super::remote_sweeps::{self, RemoteSweeps};
use super::substep::Pass;
use super::tree;
use super::whip::{Next, Whip};
use super::wide::Wide;
use crate::body::Velocity;
use crate::plan::route;
use crate::row::Coupling;
use crate::settings::Settings;
use crate::system::System;
use crate::trace::{Probe, SweepUnit};
use crate::work::{SOLVED_BLOCK, Work};
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
        common::linearize(settings, model, state, system, report, buffers, probe, substep);
        if !common::affords_sweeps(settings, state, system, report, substep) {
            return;
        }
        let deferred = common::warm_start(settings, model, state, system, report, buffers, probe, substep);
        restitution::propagate(settings, state, system, report, (&mut buffers.pre_impact, &mut buffers.tree), probe);
        let pseudo = common::begin_pseudo_velocities(state, system, report);
        let before = report.sweeps;
        let mut pass = Pass { h: substep.h, relaxation: 1.0, pseudo, deferred, forgets: substep.first };
        sweeps(settings, state, system, report, remote, (buffers, wide), probe, pass);
        let past_budget = energy_budget::exceeds_bound(state, system);
        if past_budget {
            shake::update_curvature_bias(settings, state, system, &buffers.gyroscopic, &mut buffers.shake, substep.h);
            pass.deferred = false;
            sweeps(settings, state, system, report, remote, (buffers, wide), probe, pass);
        }
        let whole_sweeps = report.sweeps - before - buffers.whip.take_sweeps();
        common::spend_on_exact_blocks(system, report, whole_sweeps);
        energy_budget::close(state, system, past_budget);
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
    let one_sweep_solves = system.trees.mechanisms.count() > 0
        && system.contacts.is_empty()
        && system.blocks.iter().all(|block| block.coupling == Coupling::Tree);
    let packs_blocks = probe.is_none() && route::blocks_in_lanes(settings, system.blocks.len());
    let in_lanes = !one_sweep_solves && (packs_blocks || !system.contacts.is_empty());
    if in_lanes {
        wide.pack(system, settings.solver.order);
    }
    let mut extra = ExtraSweeps::new(settings, system, pass.h);
    let (mut solved, mut still) = (false, false);
    for iteration in first.. {
        if report.work.is_cancelled() {
            break;
        }
        let mut regular = extra.regular(iteration);
        let next = if extra.begin_if_due_after(settings, regular, &mut report.work) {
            regular -= 1;
            Next::All
        } else {
            buffers.whip.next(settings, state, system, &buffers.shake, regular, pass.h)
        };
        if next == Next::Nothing {
            break;
        }
        let after = After { iteration: regular, one_sweep_solves, still };
        let bias_is_new = !extra.leaves_units_out() && {
            let lanes = in_lanes.then_some(&*wide);
            refresh_if_due(settings, state, (system, lanes), buffers, after, next, pass.h)
        };
        if still && !shake::is_curvature_unsettled(system, &buffers.shake) {
            break;
        }
        if one_sweep_solves && solved && !(bias_is_new && shake::has_changed(&buffers.shake)) {
            break;
        }
        if in_lanes && bias_is_new {
            wide.copy_biases(system);
        }
        report.sweeps += 1;
        let visit = Visit { order: settings.solver.order, step: state.step_count, iteration };
        if iteration == 0 && next == Next::All && !pass.deferred {
            share_loads(system, &mut buffers.tree, &mut state.velocities, pass);
        }
        system.jointed_contacts.ignores_min_stiffening = extra.ignores_min_stiffening();
        let mut target = SweepTarget::new(state, system, &mut report.pseudo_velocities, buffers);
        (target.leaves_units_out, target.watches_touched) = (extra.leaves_units_out(), extra.may_leave_units());
        let watched = tolerance > 0.0 || extra.must_report_change(settings, regular);
        let lanes = in_lanes.then_some(&mut *wide);
        let moved = match (pass.pseudo, watched) {
            _ if next == Next::Units => target.solve_units(&mut report.work, probe),
            (true, true) if target.leaves_units_out => target.sweep::<false, true>(lanes, visit, probe),
            (false, false) => target.sweep::<false, false>(lanes, visit, probe),
            (true, false) => target.sweep::<true, false>(lanes, visit, probe),
            (false, true) => target.sweep::<false, true>(lanes, visit, probe),
            (true, true) => target.sweep::<true, true>(lanes, visit, probe),
        };
        if !one_sweep_solves && next != Next::Units && regular + 1 >= settings.sweeps() && !target.leaves_units_out {
            target.solve_mechanisms_again(pass.pseudo);
        }
        extra.record_change(moved);
        let applies_deferred = pass.deferred && iteration == 0;
        if applies_deferred {
            warm_start::apply_deferred(state, &buffers.deferred);
        }
        solved = !applies_deferred;
        trace::sweep(state, system, probe);
        still = !applies_deferred && moved < tolerance;
    }
    system.jointed_contacts.ignores_min_stiffening = false;
    if in_lanes {
        wide.finish(system);
    }
}

/// Shares the loads of the units that stand on several contacts, after their own rows have been solved.
fn share_loads(system: &mut System, work: &mut tree::Work, velocities: &mut [Velocity], Pass { h, forgets, .. }: Pass) {
    let System { trees, rows, blocks, couplings, jointed_contacts, .. } = system;
    if !jointed_contacts.has_several_supports(blocks, rows) {
        return;
    }
    for index in (0..trees.count()).filter(|index| jointed_contacts.touches_unit(*index)) {
        trees.sweep::<false>(index, rows, work, velocities, true);
    }
    jointed_contacts.share_loads((blocks, rows, couplings), trees, velocities, forgets, h);
}

/// What the sweeps have done so far.
#[derive(Clone, Copy)]
struct After {
    iteration: u32,
    /// Whether one sweep solves the rows.
    one_sweep_solves: bool,
    /// Whether the last one changed no velocity by more than the tolerance.
    still: bool,
}

/// Evaluates the curvature bias again before a sweep if that is due; returns whether it was. A rope's bias depends on its
/// impulse, which is copied from the lanes first.
fn refresh_if_due(
    settings: &Settings,
    state: &mut State,
    (system, lanes): (&mut System, Option<&Wide>),
    buffers: &mut Buffers,
    After { iteration, one_sweep_solves, still }: After,
    next: Next,
    h: f32,
) -> bool {
    let Buffers { gyroscopic, shake, whip, .. } = buffers;
    let due = next != Next::Last && shake::is_due(settings, system, shake, iteration, one_sweep_solves, still);
    if due {
        if let Some(wide) = lanes {
            wide.finish(system);
        }
        shake::refresh_curvature_bias(settings, state, system, gyroscopic, shake, h, whip.chosen(next));
    }
    due
}

/// What a sweep reads and changes.
pub(super) struct SweepTarget<'a> {
    whip: &'a Whip,
    system: &'a mut System,
    velocities: &'a mut [Velocity],
    /// The velocities of the split position correction; empty where there is none.
    pseudo_velocities: &'a mut [Velocity],
    tree: &'a mut tree::Work,
    pseudo_tree: &'a mut tree::Work,
    /// Whether trees and mechanisms take no part in a sweep, and whether only those that contacts act through are watched.
    leaves_units_out: bool,
    watches_touched: bool,
}

impl<'a> SweepTarget<'a> {
    pub(super) fn new(
        state: &'a mut State,
        system: &'a mut System,
        pseudo_velocities: &'a mut [Velocity],
        Buffers { tree, pseudo_tree, whip, .. }: &'a mut Buffers,
    ) -> Self {
        let velocities = &mut state.velocities;
        let (leaves_units_out, watches_touched) = (false, false);
        Self { whip, system, velocities, pseudo_velocities, tree, pseudo_tree, leaves_units_out, watches_touched }
    }

    /// One pass over all blocks, trees before the others, several blocks at a time where there are `lanes`. With
    /// `PSEUDO` also a pass of the split position correction, made together because the rows are then in the cache; the
    /// two do not interact, so their order does not matter. With `WATCH` it returns the largest change of a velocity by
    /// a block, m/s or rad/s.
    pub(super) fn sweep<const PSEUDO: bool, const WATCH: bool>(
        &mut self,
        lanes: Option<&mut Wide>,
        visit: Visit,
        probe: &mut Probe,
    ) -> f32 {
        let corrected = if PSEUDO { self.correct_drive_blocks() } else { 0.0 };
        let swept = match lanes {
            Some(wide) => self.sweep_wide::<PSEUDO, WATCH>(wide, visit),
            None => self.sweep_blocks::<PSEUDO, WATCH>(visit, probe),
        };
        if WATCH { swept.max(corrected) } else { 0.0 }
    }

    /// Several blocks at a time.
    fn sweep_wide<const PSEUDO: bool, const WATCH: bool>(&mut self, wide: &mut Wide, visit: Visit) -> f32 {
        let trees = 0..if self.leaves_units_out { 0 } else { self.system.trees.count() };
        let others = self.system.before_contacts()..self.system.blocks.len();
        let first = visit.iteration == 0;
        let mut moved = 0.0f32;
        let mut note = |by: f32| moved = moved.max(by);
        let backwards = visit.is_backward();
        if !backwards {
            trees.for_each(|tree| note(self.watch_tree::<PSEUDO>(tree, first)));
            note(wide.sweep::<PSEUDO, WATCH>(self.system, self.velocities, self.pseudo_velocities, false));
            note(self.system.contacts.sweep::<PSEUDO, WATCH>(self.velocities, self.pseudo_velocities, false));
            others.for_each(|block| note(self.solve::<PSEUDO, WATCH>(block)));
        } else {
            others.rev().for_each(|block| note(self.solve::<PSEUDO, WATCH>(block)));
            note(self.system.contacts.sweep::<PSEUDO, WATCH>(self.velocities, self.pseudo_velocities, true));
            note(wide.sweep::<PSEUDO, WATCH>(self.system, self.velocities, self.pseudo_velocities, true));
            trees.rev().for_each(|tree| note(self.watch_tree::<PSEUDO>(tree, first)));
        }
        moved
    }

    /// One block after another.
    fn sweep_blocks<const PSEUDO: bool, const WATCH: bool>(&mut self, visit: Visit, probe: &mut Probe) -> f32 {
        let mut moved = 0.0f32;
        let traced = trace::by_blocks(probe);
        let (trees, blocks) = (self.system.trees.count(), self.system.blocks.len());
        let mut graph = std::mem::take(&mut self.system.graph);
        visit.each(&mut graph, (trees, blocks), |i| {
            let by = if i < trees && self.leaves_units_out {
                0.0
            } else if i < trees {
                self.watch_tree::<PSEUDO>(i, visit.iteration == 0)
            } else {
                self.solve::<PSEUDO, WATCH>(i - trees)
            };
            if WATCH {
                moved = moved.max(by);
            }
            // A block that is solved with its tree is traced with it.
            let in_tree = i >= trees && self.system.blocks[i - trees].coupling == Coupling::Tree;
            let left_out = in_tree || i < trees && self.leaves_units_out;
            if traced && !left_out {
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

    /// The same; the change of a tree that is not watched is zero.
    fn watch_tree<const PSEUDO: bool>(&mut self, index: usize, first: bool) -> f32 {
        let moved = self.solve_tree::<PSEUDO>(index, first);
        if self.watches_touched && !self.system.jointed_contacts.touches_unit(index) { 0.0 } else { moved }
    }

    /// Solves the trees and mechanisms that whip; returns the largest change of a velocity. The split position
    /// correction does not ask for it.
    fn solve_units(&mut self, work: &mut Work, probe: &mut Probe) -> f32 {
        let traced = trace::by_blocks(probe);
        let mut moved = 0.0f32;
        for unit in self.whip.units() {
            work.spend(self.system.trees.solving_one(unit));
            moved = moved.max(self.solve_tree::<false>(unit, false));
            if traced {
                trace::block_solved(self.velocities, self.system, probe, SweepUnit::Tree(unit as u32));
            }
        }
        moved
    }

    /// Solves the mechanisms once more, at the end of the last sweep: the poses then follow from velocities that keep
    /// their joints and drives. What the sweeps have left undone is in the contacts, which take it up in the next step;
    /// left in the drives it would add up, and legs that stand on the floor would sag.
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
