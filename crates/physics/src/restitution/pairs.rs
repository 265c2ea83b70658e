//! Impacts pair by pair, before the sweeps: each pair whose gap closes within the step is solved with the joints of its
//! bodies, as if there were no other pair, until none approaches (stage 2' of `restitution.rs`).

use super::{PreImpact, SETTLED, SWEEPS, block_trace, sweep_awake};
use crate::body::Velocity;
use crate::impact_energy;
use crate::kernel::row::speed;
use crate::row::{Block, Owner, Row};
use crate::settings::{Impacts, Settings};
use crate::solvers::block::BlockVelocities;
use crate::solvers::tree;
use crate::system::System;
use crate::system::bounce::Bounce;
use crate::trace::{self, Probe};
use crate::work::ROW;
use crate::world::report::Report;
use crate::world::state::State;

/// The largest number of passes through all pairs, and of sweeps over one pair's points.
const MAX_PASSES: u32 = 1000;
const MAX_POINT_SWEEPS: usize = 60;

/// Applies impacts pair by pair, before the sweeps.
pub(crate) fn propagate(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    (pre_impact, tree): (&mut PreImpact, &mut tree::Work),
    probe: &mut Probe,
) {
    impact_energy::save_energies(settings, state, system, pre_impact);
    if settings.contact.impacts != Impacts::Propagate || system.bounces.is_empty() {
        return;
    }
    let threshold = settings.contact.restitution_threshold;
    let work = &mut report.work;
    let mut trace = block_trace(probe);
    let velocities = &state.velocities;
    let mut first = 0;
    let System { blocks, rows, bounces, .. } = &mut *system;
    for block in blocks.iter().filter(|block| block.coupling.contact().is_some()) {
        let (a, b) = (&velocities[block.a as usize], &velocities[block.b as usize]);
        for bounce in bounces_of(bounces, block, &mut first) {
            bounce.added = speed(&rows[bounce.row as usize], a, b) - bounce.approach;
        }
    }
    let jointed = system.blocks.iter().any(|block| matches!(block.owner, Owner::Joint(_)));
    let passed = &mut pre_impact.passed;
    if jointed {
        passed.extend(system.rows.iter().map(|row| row.impulse));
    }
    let mut struck = false;
    let cost = ROW * system.rows.len() as u64;
    for pass in 1..=MAX_PASSES {
        if !work.affords(cost) {
            break;
        }
        work.charge(cost);
        let (mut first, mut impacts) = (0, false);
        for index in 0..system.blocks.len() {
            let block = system.blocks[index];
            if block.coupling.contact().is_some() {
                let awake = &mut pre_impact.awake;
                let impact_rows = impact(&block, system, &mut first, state, tree, awake, threshold);
                let velocities = &state.velocities;
                if let Some(trace) = trace.as_mut().filter(|_| impact_rows) {
                    trace.impact(index, pass, system, velocities);
                }
                impacts |= impact_rows;
            }
        }
        if !impacts {
            break;
        }
        struck = true;
    }
    // The sweeps go on from the loads: they must not take back what an impact gave.
    for (row, passed) in system.rows.iter_mut().zip(&mut pre_impact.passed) {
        let load = std::mem::replace(passed, row.impulse - *passed);
        row.impulse = load;
    }
    if struck {
        trace::impacts(state, system, probe);
    } else {
        pre_impact.passed.clear();
    }
}

/// The bounces of a block. They are in the order of the blocks; `first` is the index of the block's first bounce and
/// is moved on to that of the next block.
fn bounces_of<'a>(bounces: &'a mut [Bounce], block: &Block, first: &mut usize) -> &'a mut [Bounce] {
    let end = block.range().end as u32;
    let from = *first;
    *first += bounces[from..].iter().take_while(|bounce| bounce.row < end).count();
    &mut bounces[from..*first]
}

/// Applies the impact of one pair, if its gap closes within the step; returns whether it does. The pair's rows stay as
/// they were, because the sweeps must not take back the impulse of an impact.
fn impact(
    block: &Block,
    system: &mut System,
    first: &mut usize,
    state: &mut State,
    work: &mut tree::Work,
    awake: &mut (Vec<bool>, Vec<bool>),
    threshold: f32,
) -> bool {
    let System { rows, bounces, impact_rows, .. } = system;
    let (bodies, velocities) = (&state.bodies, &mut state.velocities);
    let (a, b) = (block.a as usize, block.b as usize);
    let from = *first;
    let (bounces, rows) = (bounces_of(bounces, block, first), &rows[block.range()]);
    let start = block.first;
    // The bias that separates the row at e times its approach, m/s; `None` where it is not hit.
    let separation_bias = |bounce: &Bounce| {
        let row = &rows[(bounce.row - start) as usize];
        let now = speed(row, &velocities[a], &velocities[b]);
        let comes = now - bounce.added;
        (comes < -threshold && now + row.bias < 0.0).then_some(bounce.e * comes)
    };
    if !bounces.iter().any(|bounce| separation_bias(bounce).is_some()) {
        return false;
    }
    impact_rows.clear();
    impact_rows.extend_from_slice(rows);
    for bounce in bounces.iter_mut() {
        if let Some(bias) = separation_bias(bounce) {
            impact_rows[(bounce.row - start) as usize].bias = bias;
            bounce.struck = true;
        }
    }
    impact_rows.iter_mut().for_each(|row| row.impulse = 0.0);
    let mut impact_rows = std::mem::take(impact_rows);
    let tolerance = SETTLED * threshold;
    let (awake, next) = awake;
    for _ in 0..SWEEPS {
        let moved = solve_pair_impact(block, &mut impact_rows, system, velocities, tolerance);
        // A joint passes the impact on to its other body, and takes the part that it does not let its bodies follow.
        awake.clear();
        awake.resize(bodies.len(), false);
        [a, b].into_iter().for_each(|body| awake[body] = bodies[body].is_dynamic());
        let is_joint = |block: &Block| matches!(block.owner, Owner::Joint(_));
        let mut passed = false;
        for _ in 0..SWEEPS {
            next.clear();
            next.resize(bodies.len(), false);
            if !sweep_awake(system, work, velocities, bodies, (awake, next), tolerance, is_joint, |_, _, _| ()).moved {
                break;
            }
            passed = true;
            std::mem::swap(awake, next);
        }
        if !passed || moved <= tolerance {
            break;
        }
    }
    for bounce in &mut system.bounces[from..*first] {
        bounce.pairwise_impulse += impact_rows[(bounce.row - start) as usize].impulse;
    }
    system.impact_rows = impact_rows;
    true
}

/// Sweeps over one pair's rows `impact_rows` until its bodies change by no more than `tolerance`, m/s or rad/s; returns by
/// how much the first sweep changed them.
fn solve_pair_impact(
    block: &Block,
    impact_rows: &mut [Row],
    system: &System,
    velocities: &mut [Velocity],
    tolerance: f32,
) -> f32 {
    let (a, b) = (block.a as usize, block.b as usize);
    let mut pair = BlockVelocities::<true>::new(velocities[a], velocities[b], 1.0);
    let mut first = None;
    for _ in 0..MAX_POINT_SWEEPS {
        let before = pair.now;
        pair.solve(block.coupling, impact_rows, &system.couplings);
        let moved = pair.moved(&before.a, &before.b);
        first.get_or_insert(moved);
        if moved <= tolerance {
            break;
        }
    }
    (velocities[a], velocities[b]) = (pair.now.a, pair.now.b);
    first.unwrap_or_default()
}
