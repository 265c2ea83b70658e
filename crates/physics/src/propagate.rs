//! Blows pair by pair (`contact.impacts = Propagate`): each pair whose gap closes within the step is solved with the
//! joints of its bodies, as if there were no other pair. See `restitution.rs`.
//!
//! ```text
//! pair      J u = −e J u_pre   for its points that come closer faster than the threshold
//! joints    J u = 0            for those that hang on the two bodies
//! ```
//! The two are solved in turn until both hold. So a ball on a tether leaves a wall along its circle, whatever the angle
//! between the two: the wall's normal and the tether share the blow. Source: Smith, Kaufman, Vouga, Tamstorf and
//! Grinspun 2012, with the joints as further rows of each pair.

use super::blow_energy;
use super::body::Velocity;
use super::restitution::{Bounce, PreImpact, SETTLED, SWEEPS, by_blows, sweep_awake};
use super::row::{Block, Owner, Row};
use super::settings::{Impacts, Settings};
use super::solvers::block::{BlockVelocities, speed};
use super::solvers::tree;
use super::system::System;
use super::trace::{self, Probe};
use super::work::ROW;
use super::world::{Buffers, Report, State};

/// The most passes through all pairs, and the most sweeps over one pair's points.
const PASSES: u32 = 1000;
const POINTS: usize = 60;

/// Applies blows pair by pair, before the sweeps.
pub(crate) fn apply(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    buffers: &mut Buffers,
    probe: &mut Probe,
) {
    blow_energy::begin(settings, state, system, buffers);
    if settings.contact.impacts != Impacts::Propagate || system.bounces.is_empty() {
        return;
    }
    let threshold = settings.contact.restitution_threshold;
    let work = &mut report.work;
    let mut trace = by_blows(probe);
    let velocities = &state.velocities;
    let mut first = 0;
    let System { blocks, rows, bounces, .. } = &mut *system;
    for block in blocks.iter().filter(|block| block.coupling.contact().is_some()) {
        let (a, b) = (&velocities[block.a as usize], &velocities[block.b as usize]);
        for bounce in own(bounces, block, &mut first) {
            bounce.added = speed(&rows[bounce.row as usize], a, b) - bounce.approach;
        }
    }
    let jointed = system.blocks.iter().any(|block| matches!(block.owner, Owner::Joint(_)));
    let passed = &mut buffers.pre_impact.passed;
    passed.clear();
    if jointed {
        passed.extend(system.rows.iter().map(|row| row.impulse));
    }
    let mut struck = false;
    let cost = ROW * system.rows.len() as u64;
    for pass in 1..=PASSES {
        if !work.affords(cost) {
            break;
        }
        work.charge(cost);
        let (mut first, mut blows) = (0, false);
        for index in 0..system.blocks.len() {
            let block = system.blocks[index];
            if block.coupling.contact().is_some() {
                let awake = &mut buffers.pre_impact.awake;
                let blown = blow(&block, system, &mut first, state, &mut buffers.tree, awake, threshold);
                let velocities = &state.velocities;
                if let Some(trace) = trace.as_mut().filter(|_| blown) {
                    trace.blow(index, pass, system, velocities);
                }
                blows |= blown;
            }
        }
        if !blows {
            break;
        }
        struck = true;
    }
    // The sweeps go on from the loads: they must not take back what a blow gave.
    for (row, passed) in system.rows.iter_mut().zip(&mut buffers.pre_impact.passed) {
        let load = std::mem::replace(passed, row.impulse - *passed);
        row.impulse = load;
    }
    if struck {
        trace::blows(state, system, probe);
    } else {
        buffers.pre_impact.passed.clear();
    }
}

/// The bounces of a block. They are in the order of the blocks; `first` is the index of the block's first bounce and
/// is moved on to that of the next block.
fn own<'a>(bounces: &'a mut [Bounce], block: &Block, first: &mut usize) -> &'a mut [Bounce] {
    let end = block.range().end as u32;
    let from = *first;
    *first += bounces[from..].iter().take_while(|bounce| bounce.row < end).count();
    &mut bounces[from..*first]
}

/// Applies the blow of one pair, if its gap closes within the step; returns whether it does. The pair's rows stay as
/// they were, because the sweeps must not take back the impulse of a blow.
fn blow(
    block: &Block,
    system: &mut System,
    first: &mut usize,
    state: &mut State,
    work: &mut tree::Work,
    awake: &mut (Vec<bool>, Vec<bool>),
    threshold: f32,
) -> bool {
    let System { rows, bounces, blown, .. } = system;
    let (bodies, velocities) = (&state.bodies, &mut state.velocities);
    let (a, b) = (block.a as usize, block.b as usize);
    let from = *first;
    let (bounces, rows) = (own(bounces, block, first), &rows[block.range()]);
    let start = block.first;
    // The bias that separates the row at e times its approach, m/s; `None` where it is not hit.
    let leave = |bounce: &Bounce| {
        let row = &rows[(bounce.row - start) as usize];
        let now = speed(row, &velocities[a], &velocities[b]);
        let comes = now - bounce.added;
        (comes < -threshold && now + row.bias < 0.0).then_some(bounce.e * comes)
    };
    if !bounces.iter().any(|bounce| leave(bounce).is_some()) {
        return false;
    }
    blown.clear();
    blown.extend_from_slice(rows);
    for bounce in bounces.iter_mut() {
        if let Some(bias) = leave(bounce) {
            blown[(bounce.row - start) as usize].bias = bias;
            bounce.struck = true;
        }
    }
    blown.iter_mut().for_each(|row| row.impulse = 0.0);
    let mut blown = std::mem::take(blown);
    let enough = SETTLED * threshold;
    let (awake, next) = awake;
    for _ in 0..SWEEPS {
        let moved = strike_pair(block, &mut blown, system, velocities, enough);
        // A joint passes the blow on to its other body, and takes the part that it does not let its bodies follow.
        awake.clear();
        awake.resize(bodies.len(), false);
        [a, b].into_iter().for_each(|body| awake[body] = bodies[body].is_dynamic());
        let is_joint = |block: &Block| matches!(block.owner, Owner::Joint(_));
        let mut passed = false;
        for _ in 0..SWEEPS {
            next.clear();
            next.resize(bodies.len(), false);
            if !sweep_awake(system, work, velocities, bodies, (awake, next), enough, is_joint, |_, _, _| ()) {
                break;
            }
            passed = true;
            std::mem::swap(awake, next);
        }
        if !passed || moved <= enough {
            break;
        }
    }
    for bounce in &mut system.bounces[from..*first] {
        bounce.given += blown[(bounce.row - start) as usize].impulse;
    }
    system.blown = blown;
    true
}

/// Sweeps over one pair's rows `blown` until its bodies change by no more than `enough`, m/s or rad/s; returns by how
/// much the first sweep changed them.
fn strike_pair(block: &Block, blown: &mut [Row], system: &System, velocities: &mut [Velocity], enough: f32) -> f32 {
    let (a, b) = (block.a as usize, block.b as usize);
    let mut pair = BlockVelocities::<true>::new(velocities[a], velocities[b], 1.0);
    let mut first = None;
    for _ in 0..POINTS {
        let before = (pair.a, pair.b);
        pair.solve(block.coupling, blown, &system.couplings);
        let moved = pair.moved(&before.0, &before.1);
        first.get_or_insert(moved);
        if moved <= enough {
            break;
        }
    }
    (velocities[a], velocities[b]) = (pair.a, pair.b);
    first.unwrap_or_default()
}

/// Adds the blows applied pair by pair to the impulses of the step, for readers.
pub(crate) fn finish(system: &mut System, buffers: &mut Buffers) {
    let PreImpact { passed, impulses, struck, .. } = &mut buffers.pre_impact;
    if !passed.is_empty() {
        impulses.clear();
        impulses.extend(system.rows.iter().map(|row| row.impulse));
        *struck = true;
        system.rows.iter_mut().zip(&*passed).for_each(|(row, passed)| row.impulse += passed);
    }
    for bounce in system.bounces.iter().filter(|bounce| bounce.given > 0.0) {
        system.rows[bounce.row as usize].impulse += bounce.given;
    }
}
