//! Restitution: bodies that collide separate at e times the speed at which they approached.
//!
//! ```text
//! 1  the sweeps        J u ≥ −C/h        without bounce: they find the points that are hit and carry an impulse
//! 2  simultaneous      J u ≥ −e J u_pre  for points with λ > 0 that approached faster than the threshold, u_pre before
//!                                        forces; J u ≥ 0 for points that only an impact elsewhere has closed; swept from
//!                                        the state after stage 1 until nothing changes
//! 2' pair by pair      before the sweeps: each pair whose gap closes within the step is solved with the joints of its
//!                      bodies, as if there were no other pair, J u = −e J u; repeated until none approaches
//! ```
//! A bounce that ten sweeps, or a relaxed Jacobi, leave unfinished makes a box tumble. So stage 2 uses Gauss–Seidel
//! whatever the solver, and goes on until the velocities have settled; the direct solver solves a second time. Where
//! many bodies jam with friction, and where an impact closes another gap, Newton's law asks for separation speeds that
//! would need work from outside. Impacts that gain energy in this way are applied in part: see `impact_energy.rs`. A step
//! without an impact costs nothing extra.
//!
//! A joint that the step itself closes (SHAKE, RATTLE) is closed for the motion after the impact, too: a ball on a tether
//! that is thrown back goes back along its circle. Closed for the motion that stage 1 leaves, in which the ball stands
//! still, it would leave the circle along a straight line, and lose (ω h/2)² of its energy at each hit.
//!
//! Simultaneous impacts on a row of five equal balls give (−0.6, 0.4, 0.4, 0.4, 0.4) for e = 1; pair by pair, the last
//! ball alone flies off. Both conserve momentum and energy, so the law of restitution cannot decide between them. Real
//! steel balls are close to the second, because the wave of the impact passes through them one after the other. The
//! impulse of an impact is not a load: the next step does not start from it, neither in the contacts nor in the joints
//! that transmitted it. Source: 000 Contact; Newton's law of
//! restitution; Smith, Kaufman, Vouga, Tamstorf and Grinspun 2012 (both kinds).

mod pairs;

pub(crate) use self::pairs::propagate;
use super::body::{Body, Velocity};
use super::gyroscopic::GyroscopicTerm;
use super::impact_energy::{self, ImpactShare};
use super::row::{Block, RowId};
use super::settings::{Impacts, Settings};
use super::shake;
use super::solvers::block::solve_block;
use super::solvers::tree;
use super::system::System;
use super::trace::{self, Depth, Probe, SweepUnit, Trace};
use super::world::state::State;

/// The most sweeps of stage 2, and the velocity change, as a share of the fastest bounce, at which it has settled.
const SWEEPS: u32 = 200;
const SETTLED: f32 = 2e-5;
/// Once the impacts of a sub-step have solved this many blocks, each further sweep multiplies the share `SETTLED` by
/// `GROWTH`. So the time for a heap, through which an impact spreads slowly, is bounded.
const PRECISE_SOLVES: usize = 8000;
const GROWTH: f32 = 1.25;
/// Each body of a tree or of a mechanism that is solved counts as this many blocks.
const BLOCKS_PER_BODY: usize = 8;
/// The largest number of rounds in which an impact may close another gap.
pub const ROUNDS: usize = 8;
/// The largest number of times that an impact is solved again for the curvature bias of the motion after it.
const CURVATURE_ROUNDS: u32 = 6;

/// Marks the points that are hit at the present impulses, and gives their rows the bias of the bounce. Returns whether
/// there is anything new to solve.
fn mark_impacts(system: &mut System, settings: &Settings) -> bool {
    if settings.contact.impacts == Impacts::Propagate {
        return false;
    }
    let threshold = settings.contact.restitution_threshold;
    let System { bounces, rows, .. } = system;
    let mut impacts = bounces.iter().any(|bounce| bounce.struck);
    let mut new = false;
    for bounce in bounces.iter_mut().filter(|bounce| !bounce.struck) {
        let row = &mut rows[bounce.row as usize];
        if row.impulse > 0.0 && bounce.approach < -threshold {
            row.bias = row.bias.min(bounce.e * bounce.approach);
            (bounce.struck, new, impacts) = (true, true, true);
        }
    }
    // A gap that only an impact elsewhere closes is treated as closed, J u ≥ 0, so that it passes the impact on.
    for bounce in bounces.iter_mut().filter(|bounce| impacts && !bounce.struck) {
        let row = &mut rows[bounce.row as usize];
        if row.impulse > threshold * row.inv_k {
            new |= row.bias > 0.0;
            row.bias = row.bias.min(0.0);
            bounce.struck = true;
        }
    }
    new
}

/// The state before the first impact, for the impacts' energy check.
#[derive(Debug, Clone, Default)]
pub struct PreImpact {
    /// Kinetic energy of each island after the forces and the old impulses, J, by its first body; infinite where a
    /// kinematic body drives it.
    pub(super) energy: Vec<f64>,
    /// By an island's first body: whether joints hold it together; and the kinetic energy of all such islands, J.
    pub(super) joined: Vec<bool>,
    pub(super) energy_of_joined: f64,
    /// By an island's first body: its present kinetic energy, J, and the share of its impacts that it takes.
    pub(super) now: Vec<f64>,
    pub(super) share: Vec<ImpactShare>,
    /// Before the first impact: velocities by body, and impulses by row, N·s or N·m·s. And whether there was an impact.
    pub(super) velocities: Vec<Velocity>,
    pub(super) impulses: Vec<f32>,
    pub(super) struck: bool,
    /// By body: whether the last sweep of stage 2 moved it, and whether the present sweep does.
    awake: (Vec<bool>, Vec<bool>),
    /// By row of a joint: the impulse that it transmitted in impacts solved pair by pair, N·s or N·m·s; empty if there
    /// were none.
    pub(super) passed: Vec<f32>,
}

impl PreImpact {
    /// The impulses of all rows without the impacts, N·s or N·m·s; `None` where there were no impacts.
    pub fn impulses(&self) -> Option<&[f32]> {
        self.struck.then_some(&self.impulses)
    }
}

/// Marks what is hit, as `mark_impacts` does. Saves the state before the first impact.
pub(crate) fn mark_and_save(
    settings: &Settings,
    state: &State,
    system: &mut System,
    pre_impact: &mut PreImpact,
) -> bool {
    let new = mark_impacts(system, settings);
    if new && !std::mem::replace(&mut pre_impact.struck, true) {
        impact_energy::raise_saved_energies(state, system, pre_impact);
        let PreImpact { velocities, impulses, .. } = pre_impact;
        velocities.clone_from(&state.velocities);
        impulses.clear();
        impulses.extend(system.rows.iter().map(|row| row.impulse));
    }
    new
}

/// How exactly stage 2 has to settle.
struct Settling {
    /// The velocity change at which it has, as a share of the fastest bounce.
    share: f32,
    /// The blocks that were solved in this sub-step.
    solved: usize,
}

impl Settling {
    /// Counts the blocks of a sweep; beyond `PRECISE_SOLVES` it relaxes the tolerance.
    fn count(&mut self, solved: usize) {
        self.solved += solved;
        if self.solved > PRECISE_SOLVES {
            self.share *= GROWTH;
        }
    }
}

/// The result of a sweep over awake bodies: whether it moved a body, and the number of blocks that it solved.
struct Swept {
    moved: bool,
    solved: usize,
}

/// Stage 2 for solvers that sweep, in a sub-step of `h` seconds. Returns the number of blocks that it solved.
pub(crate) fn apply(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    (pre_impact, tree): (&mut PreImpact, &mut tree::Work),
    (gyroscopic, curvature): (&[GyroscopicTerm], &mut shake::Scratch),
    probe: &mut Probe,
    h: f32,
) -> usize {
    let mut settling = Settling { share: SETTLED, solved: 0 };
    for _ in 0..ROUNDS {
        if !mark_and_save(settings, state, system, pre_impact) {
            break;
        }
        sweep_until_settled(state, system, (&mut *pre_impact, &mut *tree), probe, &mut settling);
        for _ in 0..CURVATURE_ROUNDS {
            curvature.after_impact = true;
            shake::update_curvature_bias(settings, state, system, gyroscopic, curvature, h);
            curvature.after_impact = false;
            if !shake::is_curvature_unsettled(system, curvature) {
                break;
            }
            sweep_until_settled(state, system, (&mut *pre_impact, &mut *tree), probe, &mut settling);
        }
        trace::impacts(state, system, probe);
    }
    impact_energy::check(state, system, pre_impact, probe);
    settling.solved
}

/// Sweeps until the velocities have settled. A block is left out while neither of its bodies has moved since it was
/// last solved, so the sweeps spread out from the points that were hit.
fn sweep_until_settled(
    state: &mut State,
    system: &mut System,
    (pre_impact, tree): (&mut PreImpact, &mut tree::Work),
    trace: &mut Probe,
    settling: &mut Settling,
) {
    let (velocities, bodies) = (&mut state.velocities, &mut state.bodies);
    let mut trace = block_trace(trace);
    let (awake, next) = &mut pre_impact.awake;
    let speeds = system.bounces.iter().filter(|bounce| bounce.struck).map(|bounce| -bounce.e * bounce.approach);
    let fastest = speeds.fold(0.0, f32::max);
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
        let swept = sweep_awake(
            system,
            tree,
            velocities,
            bodies,
            (awake, next),
            settling.share * fastest,
            |_| true,
            |unit, system, now| {
                if let Some(trace) = trace.as_mut() {
                    trace.block_solved(unit, pass, system, now);
                }
            },
        );
        if !swept.moved {
            break;
        }
        settling.count(swept.solved);
        std::mem::swap(awake, next);
    }
}

/// Solves the mechanisms with `awake` bodies, and the blocks with awake bodies for which `takes` is true. Marks the bodies
/// whose velocities this changes by more than `tolerance`, m/s or rad/s, in both lists.
fn sweep_awake(
    system: &mut System,
    work: &mut tree::Work,
    velocities: &mut [Velocity],
    bodies: &[Box<Body>],
    (awake, next): (&mut [bool], &mut [bool]),
    tolerance: f32,
    takes: impl Fn(&Block) -> bool,
    mut solved: impl FnMut(SweepUnit, &System, &[Velocity]),
) -> Swept {
    let mut swept = Swept { moved: false, solved: 0 };
    for index in 0..system.trees.count() {
        if !system.trees.bodies(index).any(|body| awake[body as usize]) {
            continue;
        }
        let moved = system.trees.sweep::<false>(index, &mut system.rows, work, velocities, false);
        if moved > 0.0 {
            solved(SweepUnit::Tree(index as u32), system, velocities);
        }
        swept.solved += BLOCKS_PER_BODY * system.trees.bodies(index).count();
        if moved > tolerance {
            swept.moved = true;
            system.trees.bodies(index).for_each(|body| (awake[body as usize], next[body as usize]) = (true, true));
        }
    }
    for index in 0..system.blocks.len() {
        let block = system.blocks[index];
        let (a, b) = (block.a as usize, block.b as usize);
        if !(awake[a] || awake[b]) || !takes(&block) {
            continue;
        }
        let (rows, couplings) = (&mut system.rows, &system.couplings);
        let moved = solve_block::<true>(&block, block.coupling, rows, couplings, velocities);
        if moved > 0.0 {
            solved(SweepUnit::Block(index as u32), system, velocities);
        }
        swept.solved += 1;
        if moved > tolerance {
            swept.moved = true;
            for body in [a, b].into_iter().filter(|body| bodies[*body].is_dynamic()) {
                (awake[body], next[body]) = (true, true);
            }
        }
    }
    swept
}

/// The trace, if it records single blocks.
fn block_trace(trace: &mut Option<Box<Trace>>) -> Option<&mut Trace> {
    trace.as_deref_mut().filter(|trace| trace.depth == Depth::Blocks)
}

/// Adds the impacts applied pair by pair to the impulses of the step, for readers.
pub(crate) fn finish(system: &mut System, pre_impact: &mut PreImpact) {
    let PreImpact { passed, impulses, struck, .. } = pre_impact;
    if !passed.is_empty() {
        impulses.clear();
        impulses.extend(system.rows.iter().map(|row| row.impulse));
        *struck = true;
        system.rows.iter_mut().zip(&*passed).for_each(|(row, passed)| row.impulse += passed);
    }
    for bounce in system.bounces.iter().filter(|bounce| bounce.pairwise_impulse > 0.0) {
        system.rows[bounce.row as usize].impulse += bounce.pairwise_impulse;
    }
}
