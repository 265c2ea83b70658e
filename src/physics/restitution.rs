//! Bounces: what was hit leaves at e times the speed with which it came.
//!
//! ```text
//! 1  the sweeps        J u ≥ −C/h          no bounce yet: which points are hit, and hold something, is found
//! 2  simultaneous      J u ≥ −e J u_pre    for the points with λ > 0 that came faster than the threshold, u_pre before
//!                                          forces; J u ≥ 0 for those that only a blow elsewhere has closed; swept from
//!                                          where stage 1 stands until nothing changes
//! 2' pair by pair      before the sweeps: each pair that closes its gap within the step takes its blow alone, as if it
//!                      were the only one, J u = −e J u; again through all pairs until none approaches
//! ```
//! A bounce that ten sweeps, or a relaxed Jacobi, leave half done is a box that tumbles, so stage 2 is Gauss–Seidel's
//! whatever the solver, and goes on until it has settled; the direct solver solves a second time. Where many bodies jam
//! with friction, and where a blow closes another gap, Newton's law asks for speeds off each point that only work could
//! bring. What gains energy so is taken in part: see `blow_energy.rs`. It costs nothing in a step without a blow.
//!
//! Simultaneous impacts on a row of five equal balls give (−0.6, 0.4, 0.4, 0.4, 0.4) for e = 1, pair by pair the last
//! one flies off: both keep momentum and energy, and the law of restitution cannot say which it is to be. Real steel
//! balls do nearly the second, for the wave of the blow runs through them one after the other. In pairs that joints
//! hold, the joints give way between the blows. A blow is no load: the next step does not start from it, neither in the
//! contacts nor in the joints that passed it on. Source: 000 Contact; Newton's law of restitution; Smith, Kaufman,
//! Vouga, Tamstorf and Grinspun 2012 (both kinds).

use super::blow_energy::{self, BlowShare};
use super::body::Velocity;
use super::row::{Block, Row, RowId};
use super::settings::{Impacts, Settings};
use super::solvers::block::{BlockVelocities, solve_block, speed};
use super::system::System;
use super::trace::{self, Depth, SweepUnit, Trace};
use super::world::World;

/// A normal row of a pair that bounces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounce {
    /// Its index.
    pub row: u32,
    /// The pair's restitution.
    pub e: f32,
    /// J u before forces and warm starting, m/s.
    pub approach: f32,
    /// Whether it was hit in this step.
    pub struck: bool,
    /// What forces and old impulses have added to J u, m/s, and the impulse of blows pair by pair, N·s.
    added: f32,
    given: f32,
}

impl Bounce {
    pub fn new(row: usize, e: f32, approach: f32) -> Self {
        Self { row: row as u32, e, approach, struck: false, added: 0.0, given: 0.0 }
    }
}

/// The most sweeps of stage 2, and the share of the fastest bounce at which it has settled.
const SWEEPS: u32 = 200;
const SETTLED: f32 = 2e-5;
/// The most times that a blow is found to have closed a gap farther on.
pub const ROUNDS: usize = 8;
/// The most passes through all pairs, and the most sweeps of one pair's points.
const PASSES: u32 = 1000;
const POINTS: usize = 60;

/// Marks what was hit, as the impulses now stand, and gives its rows their bounce. Whether anything is new.
fn strike(system: &mut System, settings: &Settings) -> bool {
    if settings.contact.impacts == Impacts::Propagate {
        return false;
    }
    let threshold = settings.contact.restitution_threshold;
    let System { bounces, rows, .. } = system;
    let mut blows = bounces.iter().any(|bounce| bounce.struck);
    let mut new = false;
    for bounce in bounces.iter_mut().filter(|bounce| !bounce.struck) {
        let row = &mut rows[bounce.row as usize];
        if row.impulse > 0.0 && bounce.approach < -threshold {
            row.bias = row.bias.min(bounce.e * bounce.approach);
            (bounce.struck, new, blows) = (true, true, true);
        }
    }
    // A gap that only the blow closes is closed before it is passed on.
    for bounce in bounces.iter_mut().filter(|bounce| blows && !bounce.struck) {
        let row = &mut rows[bounce.row as usize];
        if row.impulse > threshold * row.inv_k {
            new |= row.bias > 0.0;
            row.bias = row.bias.min(0.0);
            bounce.struck = true;
        }
    }
    new
}

/// The state before anything bounces, to go back to.
#[derive(Debug, Clone, Default)]
pub struct PreImpact {
    /// Energy of motion of each island as the forces and the old impulses have left it, J, by its first body; infinite
    /// where something drives it.
    pub(super) energy: Vec<f64>,
    /// Of those that joints hold together: which they are, and what they have all together.
    pub(super) joined: Vec<bool>,
    pub(super) energy_of_joined: f64,
    /// What they have now, and what share of the blows they take.
    pub(super) now: Vec<f64>,
    pub(super) share: Vec<BlowShare>,
    pub(super) velocities: Vec<Velocity>,
    pub(super) impulses: Vec<f32>,
    pub(super) struck: bool,
    /// Bodies that the last sweep of stage 2 has moved, and those that the present one does.
    awake: (Vec<bool>, Vec<bool>),
}

impl PreImpact {
    /// The impulses of all rows without the blows; nothing where there were none.
    pub fn impulses(&self) -> Option<&[f32]> {
        self.struck.then_some(&self.impulses)
    }
}

/// Marks what was hit, as `strike` does; keeps the state in which nothing has bounced yet.
pub fn strike_in(world: &mut World) -> bool {
    let new = strike(&mut world.system, &world.settings);
    if new && !std::mem::replace(&mut world.pre_impact.struck, true) {
        blow_energy::keep(world);
        let PreImpact { velocities, impulses, .. } = &mut world.pre_impact;
        velocities.clone_from(&world.velocities);
        impulses.clear();
        impulses.extend(world.system.rows.iter().map(|row| row.impulse));
    }
    new
}

/// Stage 2 of a solver that sweeps.
pub fn apply(world: &mut World) {
    for _ in 0..ROUNDS {
        if !strike_in(world) {
            break;
        }
        settle(world);
        trace::blows(world);
    }
    blow_energy::check(world);
}

/// Sweeps until nothing changes any more. The blows spread from where they fell: what hangs on no body that has moved
/// since it was last solved is left alone.
fn settle(world: &mut World) {
    let World { system, velocities, bodies, pre_impact, tree, trace, .. } = world;
    let mut trace = by_blows(trace);
    let (awake, next) = &mut pre_impact.awake;
    let speeds = system.bounces.iter().filter(|bounce| bounce.struck).map(|bounce| -bounce.e * bounce.approach);
    let enough = SETTLED * speeds.fold(0.0, f32::max);
    awake.clear();
    awake.resize(bodies.len(), false);
    for bounce in system.bounces.iter().filter(|bounce| bounce.struck) {
        if let RowId::Contact { a, b, .. } = system.ids[bounce.row as usize] {
            [a, b].into_iter().for_each(|body| awake[body as usize] = bodies[body as usize].is_dynamic());
        }
    }
    for pass in 1..=SWEEPS {
        next.clear();
        next.resize(bodies.len(), false);
        let mut settled = true;
        for index in 0..system.trees.count() {
            if !system.trees.bodies(index).any(|body| awake[body as usize]) {
                continue;
            }
            let moved = system.trees.sweep::<false>(index, &mut system.rows, tree, velocities, false);
            if let Some(trace) = trace.as_mut().filter(|_| moved > 0.0) {
                trace.block_solved(SweepUnit::Tree(index as u32), pass, system, velocities);
            }
            if moved > enough {
                settled = false;
                system.trees.bodies(index).for_each(|body| (awake[body as usize], next[body as usize]) = (true, true));
            }
        }
        for index in 0..system.blocks.len() {
            let block = system.blocks[index];
            let (a, b) = (block.a as usize, block.b as usize);
            if !(awake[a] || awake[b]) {
                continue;
            }
            let (rows, couplings) = (&mut system.rows, &system.couplings);
            let moved = solve_block::<true>(&block, block.coupling, rows, couplings, velocities);
            if let Some(trace) = trace.as_mut().filter(|_| moved > 0.0) {
                trace.block_solved(SweepUnit::Block(index as u32), pass, system, velocities);
            }
            if moved > enough {
                settled = false;
                for body in [a, b].into_iter().filter(|body| bodies[*body].is_dynamic()) {
                    (awake[body], next[body]) = (true, true);
                }
            }
        }
        if settled {
            break;
        }
        std::mem::swap(awake, next);
    }
}

/// Blows pair by pair, before the sweeps.
pub fn propagate(world: &mut World) {
    blow_energy::begin(world);
    if world.settings.contact.impacts != Impacts::Propagate || world.system.bounces.is_empty() {
        return;
    }
    let threshold = world.settings.contact.restitution_threshold;
    let World { system, velocities, trace, .. } = &mut *world;
    let mut trace = by_blows(trace);
    let mut first = 0;
    let System { blocks, rows, bounces, .. } = &mut *system;
    for block in blocks.iter().filter(|block| block.coupling.contact().is_some()) {
        let (a, b) = (&velocities[block.a as usize], &velocities[block.b as usize]);
        for bounce in own(bounces, block, &mut first) {
            bounce.added = speed(&rows[bounce.row as usize], a, b) - bounce.approach;
        }
    }
    let mut struck = false;
    for pass in 1..=PASSES {
        let (mut first, mut blows) = (0, false);
        for index in 0..system.blocks.len() {
            let block = system.blocks[index];
            if block.coupling.contact().is_some() {
                let blown = blow(&block, system, &mut first, velocities, threshold);
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
    if struck {
        trace::blows(world);
    }
}

/// The trace, if somebody looks at each blow.
fn by_blows(trace: &mut Option<Box<Trace>>) -> Option<&mut Trace> {
    trace.as_deref_mut().filter(|trace| trace.depth == Depth::Blocks)
}

/// The bounces of a block, which stand in the blocks' order.
fn own<'a>(bounces: &'a mut [Bounce], block: &Block, first: &mut usize) -> &'a mut [Bounce] {
    let end = block.range().end as u32;
    let from = *first;
    *first += bounces[from..].iter().take_while(|bounce| bounce.row < end).count();
    &mut bounces[from..*first]
}

/// The blow of one pair, if it closes its gap within the step. Its rows are left as they were: what a blow gives is no
/// part of what the sweeps may take back.
fn blow(block: &Block, system: &mut System, first: &mut usize, velocities: &mut [Velocity], threshold: f32) -> bool {
    let System { rows, bounces, couplings, blown, .. } = system;
    let (a, b) = (block.a as usize, block.b as usize);
    let mut pair = BlockVelocities::<true>::new(velocities[a], velocities[b], 1.0);
    let (bounces, rows) = (own(bounces, block, first), &mut rows[block.range()]);
    let start = block.first;
    // What the row is to be left with, m/s; nothing where it is not hit.
    let leave = |bounce: &Bounce, rows: &[Row]| {
        let row = &rows[(bounce.row - start) as usize];
        let now = speed(row, &pair.a, &pair.b);
        let comes = now - bounce.added;
        (comes < -threshold && now + row.bias < 0.0).then_some(bounce.e * comes)
    };
    if !bounces.iter().any(|bounce| leave(bounce, rows).is_some()) {
        return false;
    }
    blown.clear();
    blown.extend_from_slice(rows);
    for bounce in bounces.iter_mut() {
        if let Some(bias) = leave(bounce, rows) {
            blown[(bounce.row - start) as usize].bias = bias;
            bounce.struck = true;
        }
    }
    blown.iter_mut().for_each(|row| row.impulse = 0.0);
    for _ in 0..POINTS {
        let before = (pair.a, pair.b);
        pair.solve(block.coupling, blown, couplings);
        if pair.moved(&before.0, &before.1) <= SETTLED * threshold {
            break;
        }
    }
    for bounce in bounces.iter_mut() {
        bounce.given += blown[(bounce.row - start) as usize].impulse;
    }
    (velocities[a], velocities[b]) = (pair.a, pair.b);
    true
}

/// Adds the blows to the impulses of the step, for whoever reads them.
pub fn finish(system: &mut System) {
    for bounce in system.bounces.iter().filter(|bounce| bounce.given > 0.0) {
        system.rows[bounce.row as usize].impulse += bounce.given;
    }
}

impl System {
    /// Whether a row of a block was hit: a blow is no load, and the next step does not start from it.
    pub(super) fn is_struck(&self, block: &Block) -> bool {
        let range = block.range();
        let from = self.bounces.partition_point(|bounce| (bounce.row as usize) < range.start);
        self.bounces[from..].iter().take_while(|bounce| (bounce.row as usize) < range.end).any(|bounce| bounce.struck)
    }
}
