//! Projected Jacobi: every block uses the velocities of the sweep's start. The order does not matter, and all blocks
//! could be solved in parallel.
//!
//! ```text
//! Δλ_i = −ω (J_i u + b_i + γ_i λ_i)/(K_i + γ_i) for all i with the same u;  then u ← u + M⁻¹ Σ Jᵢᵀ Δλᵢ
//! ```
//! Where n blocks meet at a body their corrections add up: stable for ω < 2/n, monotone for ω ≤ 1/n, exactly for
//! ω < 2/λmax(D⁻¹A). Mass splitting builds D with each body's mass divided by its number of blocks and is safe at
//! ω = 1. Conjugate directions (`momentum.rs`) make these sweeps converge faster. Source: 001; docs/math.md, Sweeps.

use super::block::{self, BlockVelocities};
use super::common;
use super::momentum::Momentum;
use super::parts::Parts;
use super::remote_sweeps::{self, RemoteSweeps};
use super::substep::Pass;
use crate::body::{Body, Velocity};
use crate::effective_mass::{block_inverse, block_mass, row_mass};
use crate::kernel::row::invert;
use crate::row::{Block, Coupling, Row};
use crate::settings::{JacobiStep, Settings, SolverSettings};
use crate::solvers::tree;
use crate::system::System;
use crate::system::couplings::Couplings;
use crate::trace::Probe;
use crate::work::SOLVED_BLOCK;
use crate::world::buffers::Buffers;
use crate::world::report::Report;
use crate::world::state::State;
use crate::{energy_budget, restitution, shake, trace, warm_start, warm_start_limiter};

/// Buffers for Jacobi sweeps, kept from step to step.
#[derive(Clone, Default)]
pub struct Scratch {
    change: Vec<Velocity>,
    /// By body: number of blocks (of rows, in scalar blocks) that act on it.
    counts: Vec<u32>,
    /// Conjugate directions of the velocities and of the split position correction.
    momentum: Momentum,
    pseudo_momentum: Momentum,
}

/// One step.
pub(crate) fn step(parts: Parts<'_>, scratch: &mut Scratch) {
    let Parts { settings, model, state, system, report, remote, buffers, probe, reads, listed } = parts;
    for substep in common::substeps(settings, state, reads, listed) {
        if !common::collide(settings, model, state, report, substep) {
            return;
        }
        common::linearize(settings, model, state, system, report, buffers, probe, substep);
        if !common::affords_sweeps(settings, state, system, report, substep) {
            return;
        }
        let relaxation = relax(settings, state, system, &mut scratch.counts);
        let deferred = common::warm_start(settings, model, state, system, report, buffers, probe, substep);
        restitution::propagate(settings, state, system, report, (&mut buffers.pre_impact, &mut buffers.tree), probe);
        let pseudo = common::begin_pseudo_velocities(state, system, report);
        let before = report.sweeps;
        let mut pass = Pass { h: substep.h, relaxation, pseudo, deferred, forgets: false };
        sweeps(settings, state, system, report, remote, (buffers, scratch), probe, pass);
        let past = energy_budget::exceeds_bound(state, system);
        if past {
            shake::update_curvature_bias(settings, state, system, &buffers.gyroscopic, &mut buffers.shake, substep.h);
            pass.deferred = false;
            sweeps(settings, state, system, report, remote, (buffers, scratch), probe, pass);
        }
        common::spend_on_exact_blocks(system, report, report.sweeps - before);
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
    (buffers, scratch): (&mut Buffers, &mut Scratch),
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
    let Pass { h, relaxation, pseudo, deferred, .. } = pass;
    let tolerance = settings.solver.tolerance;
    let conjugate = settings.solver.jacobi == JacobiStep::Conjugate;
    let split = splits(&settings.solver);
    if conjugate {
        scratch.momentum.restart::<false>(system, &state.velocities);
        scratch.pseudo_momentum.restart::<true>(system, &report.pseudo_velocities);
    }
    let mut still = false;
    for iteration in first.. {
        if report.work.is_cancelled() || !shake::needs_sweep(settings, state, system, &buffers.shake, iteration, h) {
            break;
        }
        if shake::is_due(settings, system, &mut buffers.shake, iteration, false, still) {
            shake::refresh_curvature_bias(
                settings,
                state,
                system,
                &mut buffers.gyroscopic,
                &mut buffers.shake,
                h,
                None,
            );
            if conjugate {
                scratch.momentum.restart::<false>(system, &state.velocities);
            }
        }
        if still && !shake::is_curvature_unsettled(system, &buffers.shake) {
            break;
        }
        // With split masses a tree's Δu is that of its mass shares, so bodies must be moved by M⁻¹ Jᵀ μ.
        let applies_directly = iteration == 0 && !split;
        let (change, work) = (&mut scratch.change, &mut buffers.tree);
        sweep::<false>(system, &mut state.velocities, change, work, relaxation, applies_directly);
        let mut largest = if tolerance > 0.0 { block::largest(change) } else { 0.0 };
        if pseudo {
            sweep::<true>(system, &mut report.pseudo_velocities, change, work, relaxation, applies_directly);
            largest = if tolerance > 0.0 { largest.max(block::largest(change)) } else { 0.0 };
        }
        report.sweeps += 1;
        let begins = deferred && iteration == 0;
        if begins {
            warm_start::apply_deferred(state, &buffers.deferred);
        }
        trace::sweep(state, system, probe);
        still = !begins && largest < tolerance;
        if conjugate && !still && iteration + 1 < settings.sweeps() {
            scratch.momentum.extrapolate::<false>(system, &mut state.velocities);
            if pseudo {
                scratch.pseudo_momentum.extrapolate::<true>(system, &mut report.pseudo_velocities);
            }
        }
    }
}

/// One pass over all blocks, then all velocities are updated at once. `PSEUDO`: for the split position correction.
/// `applies_directly`: trees apply their Δu directly.
fn sweep<const PSEUDO: bool>(
    system: &mut System,
    velocities: &mut [Velocity],
    change: &mut Vec<Velocity>,
    work: &mut tree::Work,
    relaxation: f32,
    applies_directly: bool,
) {
    change.clear();
    change.resize(velocities.len(), Velocity::default());
    for index in 0..system.trees.count() {
        system.trees.solve::<PSEUDO>(index, &mut system.rows, work, velocities, relaxation);
        system.trees.apply(index, &system.rows, work, change, applies_directly);
    }
    for block in &system.blocks {
        let (rows, couplings) = (&mut system.rows, &system.couplings);
        if !PSEUDO {
            block::collect_block(block, rows, couplings, velocities, change, relaxation);
        } else if !block.in_drive_block {
            let (a, b) = (block.a as usize, block.b as usize);
            let mut pair = BlockVelocities::<false>::new(velocities[a], velocities[b], relaxation);
            pair.correct(block.coupling, &mut rows[block.range()], couplings);
            pair.add_to(change, (a, b));
        }
    }
    for block in system.drive_blocks.iter().filter(|_| PSEUDO) {
        let (a, b) = (block.a as usize, block.b as usize);
        let mut pair = BlockVelocities::<false>::new(velocities[a], velocities[b], relaxation);
        pair.correct_drive_block(block, &mut system.rows);
        pair.add_to(change, (a, b));
    }
    for (velocity, change) in velocities.iter_mut().zip(change) {
        velocity.linear += change.linear;
        velocity.angular += change.angular;
    }
}

/// Whether each block gets a share of its bodies' masses.
pub fn splits(settings: &SolverSettings) -> bool {
    matches!(settings.jacobi, JacobiStep::MassSplitting | JacobiStep::Conjugate)
}

/// Chooses ω; for mass splitting it also rebuilds the effective masses with each body's share.
fn relax(settings: &Settings, state: &State, system: &mut System, counts: &mut Vec<u32>) -> f32 {
    let blocks_per_body = blocks_per_body(system, &system.blocks, &state.bodies, counts);
    if splits(&settings.solver) {
        for block in &system.blocks {
            let (na, nb) = (counts[block.a as usize] as f32, counts[block.b as usize] as f32);
            split(block, &mut system.rows[block.range()], &mut system.couplings, na, nb);
        }
        for block in &mut system.drive_blocks {
            block.split(&system.rows, counts[block.a as usize] as f32, counts[block.b as usize] as f32);
        }
        system.trees.factor(&system.rows, &state.bodies, counts);
    }
    relaxation(&settings.solver, blocks_per_body)
}

/// ω if at most `blocks_per_body` blocks act on one body.
pub fn relaxation(settings: &SolverSettings, blocks_per_body: u32) -> f32 {
    match settings.jacobi {
        JacobiStep::Stable => 1.0 / blocks_per_body.max(1) as f32,
        JacobiStep::Manual => settings.relaxation,
        JacobiStep::MassSplitting | JacobiStep::Conjugate => 1.0,
    }
}

/// Counts the blocks (the rows, in scalar blocks) that act on each dynamic body, and returns the largest count.
/// `blocks` are the system's, or copies of them.
pub(crate) fn blocks_per_body(system: &System, blocks: &[Block], bodies: &[Box<Body>], counts: &mut Vec<u32>) -> u32 {
    counts.clear();
    counts.resize(bodies.len(), 0);
    for body in (0..system.trees.count()).flat_map(|tree| system.trees.bodies(tree)) {
        counts[body as usize] += 1;
    }
    for block in blocks.iter().filter(|block| block.coupling != Coupling::Tree) {
        let whole =
            matches!(block.coupling, Coupling::Anchor { .. } | Coupling::SoftAnchor { .. } | Coupling::Inner { .. });
        let n = if whole { 1 } else { block.count };
        for body in [block.a, block.b] {
            counts[body as usize] += if bodies[body as usize].is_dynamic() { n } else { 0 };
        }
    }
    counts.iter().copied().max().unwrap_or(0)
}

/// Rebuilds a block's effective masses as if its bodies had 1/na and 1/nb of their mass.
fn split(block: &Block, rows: &mut [Row], couplings: &mut Couplings, na: f32, nb: f32) {
    if let Coupling::Anchor { inverse } | Coupling::SoftAnchor { inverse } = block.coupling {
        let inverse = &mut couplings.inverses[inverse as usize];
        *inverse = block_inverse(&block_mass(rows, na, nb)).unwrap_or(*inverse * (1.0 / na.max(nb).max(1.0)));
        return;
    }
    if let Coupling::Inner { shares, .. } = block.coupling {
        couplings.shares[shares as usize] = [na, nb];
    }
    for row in rows.iter_mut() {
        row.inv_k = invert(row_mass(row, na, nb) + row.gamma);
    }
    if let Some((_, bounds)) = block.coupling.contact() {
        couplings.bounds[bounds.range()].iter().for_each(|bound| bound.common_step(rows));
    }
}
