//! Direct: the same rows solved to rounding, as the truth that the sweeps are measured against.
//!
//! ```text
//! y           u = u* + R y,  R Rᵀ = M⁻¹: velocities scaled by the root of the masses, in 64 bits
//! equalities  A λ = −(J u + b),  A = J R (J R)ᵀ, by LDLᵀ over the graph of joints, with refinement
//! the rest    Newton's method on the convex problem that is left (`newton/`), friction's bounds brought to agree
//! ```
//! A mechanism without limits, motors or contacts is solved exactly whatever its mass ratios. With them the steps go
//! on until no row is wrong by more than 1e-9 m/s. Where friction's bounds do not agree within 400 steps, 200 sweeps of
//! Gauss–Seidel come near them and Newton's method begins again from there. What is left then is told as the residual;
//! where that is as much as motion, in a jam, the sweeps are the answer. The number of iterations is not used.
//!
//! Of many right impulses it takes the least, Σ λ²/m (torques by their inertia): symmetric loads have symmetric forces.
//! Rows of joints that differ by no more than 32 bits round are redundant, and a contact or stop nearer than they hold
//! of a place is closed.
//! Source: 004 ch. 5 (linear systems).

mod bounded;
mod cuthill_mckee;
mod envelope;
mod equalities;
mod newton;
mod scaled;

use super::common::{self, Substep};
use crate::physics::balance::{self, Checkpoint};
use crate::physics::body::{Body, Velocity};
use crate::physics::system::System;
use crate::physics::trace::StepStage;
use crate::physics::world::World;
use crate::physics::{
    ballistic, blow_energy, gyroscopic, integrate, ledger, rattle, restitution, shake, trace, warm_start,
};
use cuthill_mckee::CuthillMcKee;
use envelope::Envelope;
use equalities::factor;
use newton::Newton;
use scaled::{Root, ScaledRow, Six, lines};

/// The rows come from 32 bits, so a smaller pivot is rounding: two rows that differ by less are one and the same, and
/// to satisfy the difference would lock a mechanism that is only rounded.
const REDUNDANT: f64 = 3e-7;
/// Compliance of rows that are no equalities, over their share of the mass: see `newton/mod.rs`.
const EPSILON: f64 = 1e-6;
/// The same of equalities, in Newton's direction alone.
const STIFF: f64 = 1e-9;
/// Newton's method that leaves more than this tries once more from sweeps, m/s.
const UNSETTLED: f64 = 1e-5;
/// One that leaves more than this is lost, m/s: in a heap whose stops and contacts jam impulses grow against each other
/// without end, and what they leave is no motion. Sweeps from nothing add no energy, however few, and are taken instead.
const ASTRAY: f64 = 0.01;
/// So many are made.
const SWEEPS: u32 = 200;
/// What 32 bits do not hold of a place a metre away, m: a gap or a stop that is nearer is closed.
const CLOSED: f32 = 2e-7;

/// What the direct solver needs beside the rows, kept from step to step.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    roots: Vec<Root>,
    /// By row of the system.
    lines: Vec<ScaledRow>,
    /// By body.
    y: Vec<Six>,
    order: CuthillMcKee,
    chosen: Vec<u32>,
    /// Equality rows in factoring order.
    equal: Vec<u32>,
    impulse: Vec<f64>,
    matrix: Envelope,
    /// A with a compliance for all, where rows are redundant.
    loose: Envelope,
    is_loose: bool,
    right: Vec<f64>,
    earliest: Vec<usize>,
    first: Vec<usize>,
    newton: Newton,
    /// The velocities without the rows, to solve once more where something bounces.
    free_motion: Vec<Velocity>,
    /// Velocities and impulses of attempts that may turn out to be the best.
    kept: [(Vec<Velocity>, Vec<f32>); 2],
}

/// One step.
pub fn step(world: &mut World) {
    for substep in common::substeps(world) {
        if !common::collide(world, substep) {
            return;
        }
        advance(world, substep);
    }
}

fn advance(world: &mut World, substep: Substep) {
    let h = substep.h;
    common::linearize(world, h);
    close(&mut world.system, h);
    start(world, h);
    restitution::propagate(world);
    let pseudo = common::begin_pseudo_velocities(world);
    let (system, scratch) = (&mut world.system, &mut world.direct);
    lines(system, scratch, &world.bodies);
    factor(system, scratch, &world.bodies);
    if pseudo {
        solve::<true>(system, scratch, &mut world.pseudo_velocities, &world.bodies);
    }
    scratch.free_motion.clone_from(&world.velocities);
    // Room for attempts, which are rare, so that none of them asks for memory later on.
    for (kept, impulses) in &mut scratch.kept {
        kept.clone_from(&scratch.free_motion);
        impulses.clear();
        impulses.reserve(system.rows.len());
    }
    settle(world);
    trace::sweep(world);
    let round = |world: &mut World| {
        settle(world);
        trace::sweep(world);
    };
    shake::rounds(world, h, round);
    let past = ledger::is_past(world);
    if past {
        shake::bend(world, h);
        round(world);
    }
    ledger::close(world, past);
    for _ in 0..restitution::ROUNDS {
        if !restitution::strike_in(world) {
            break;
        }
        settle(world);
        trace::blows(world);
    }
    blow_energy::check(world);
    let left = world.direct.newton.left.min(f64::from(f32::MAX)) as f32;
    common::integrate(world, substep);
    world.residual = world.residual.max(left);
}

/// Solves for the velocities, which are those of free motion. Where friction's bounds did not agree, sweeps from no
/// impulses come near them, and Newton's method once more from there mostly settles.
fn settle(world: &mut World) {
    world.direct.newton.resumes = false;
    newton_from_free_motion(world);
    if world.direct.newton.left <= UNSETTLED {
        return;
    }
    let first = world.direct.newton.left;
    keep(world, 0);
    sweep(world);
    let swept = world.direct.newton.left;
    keep(world, 1);
    world.direct.newton.resumes = true;
    newton_from_free_motion(world);
    if world.direct.newton.left > first.min(swept) {
        let (which, left) = if first > ASTRAY { (1, swept) } else { (0, first) };
        take_back(world, which, left);
    }
}

fn newton_from_free_motion(world: &mut World) {
    let World { system, velocities, bodies, direct, sweeps, .. } = world;
    velocities.copy_from_slice(&direct.free_motion);
    *sweeps += solve::<false>(system, direct, velocities, bodies);
}

/// Keeps velocities and impulses as they are, at one of two places.
fn keep(world: &mut World, which: usize) {
    let World { system, velocities, direct, .. } = world;
    let (kept, impulses) = &mut direct.kept[which];
    kept.clone_from(velocities);
    impulses.clear();
    impulses.extend(system.rows.iter().map(|row| row.impulse));
}

/// Undoes what came after [`keep`].
fn take_back(world: &mut World, which: usize, left: f64) {
    let World { system, velocities, direct, .. } = world;
    let (kept, impulses) = &direct.kept[which];
    velocities.copy_from_slice(kept);
    system.rows.iter_mut().zip(impulses).for_each(|(row, impulse)| row.impulse = *impulse);
    direct.newton.left = left;
}

/// Sweeps in place of what Newton's method has not found, from no impulses at all.
fn sweep(world: &mut World) {
    let World { system, velocities, tree, direct, sweeps, .. } = world;
    velocities.copy_from_slice(&direct.free_motion);
    system.rows.iter_mut().for_each(|row| row.impulse = 0.0);
    for pass in 0..SWEEPS {
        let moved = common::pass(system, tree, velocities, pass == 0);
        direct.newton.left = f64::from(moved);
        *sweeps += 1;
        if moved <= f32::EPSILON {
            break;
        }
    }
}

/// Solves rows by themselves, at the given velocities.
pub(in crate::physics) fn alone(
    system: &mut System,
    scratch: &mut Scratch,
    velocities: &mut [Velocity],
    bodies: &[Box<Body>],
) {
    lines(system, scratch, bodies);
    factor(system, scratch, bodies);
    solve::<false>(system, scratch, velocities, bodies);
}

/// Forces and free rotation. The old impulses count for the latter only: what is solved exactly starts from nothing.
fn start(world: &mut World, h: f32) {
    ledger::begin(world, h);
    integrate::forces((&world.bodies, &world.sleep), &mut world.velocities, &world.settings, h);
    ballistic::find(world, h);
    balance::reached(world, Checkpoint::Kicked);
    gyroscopic::begin(world);
    warm_start::hold(world);
    gyroscopic::turn(world, true, h);
    rattle::start(world, h);
    shake::bend(world, h);
    balance::reached(world, Checkpoint::Started { exact: true });
    trace::note(world, StepStage::Forces);
}

/// Solves for the velocities (or, with `PSEUDO`, for the split position correction). Returns Newton's steps.
fn solve<const PSEUDO: bool>(
    system: &mut System,
    scratch: &mut Scratch,
    velocities: &mut [Velocity],
    bodies: &[Box<Body>],
) -> u32 {
    for (line, row) in scratch.lines.iter_mut().zip(&system.rows) {
        let (a, b) = (&velocities[line.a as usize], &velocities[line.b as usize]);
        let speed = row.lin.as_dvec3().dot(b.linear.as_dvec3() - a.linear.as_dvec3())
            + row.ang_a.as_dvec3().dot(a.angular.as_dvec3())
            + row.ang_b.as_dvec3().dot(b.angular.as_dvec3());
        line.bias = speed + f64::from(if PSEUDO { row.pseudo_bias } else { row.bias });
    }
    scratch.restart(system.rows.len(), bodies.len());
    let steps = newton::solve::<PSEUDO>(system, scratch, bodies);
    // The equalities' own impulses, from the start, with the other rows' impulses as loads.
    scratch.restart(system.rows.len(), bodies.len());
    let Scratch { newton, lines, y, .. } = &mut *scratch;
    for (line, state) in lines.iter().zip(&newton.states).filter(|(_, state)| state.impulse != 0.0) {
        line.apply(state.impulse, y);
    }
    (0..3).for_each(|_| scratch.hold());
    scratch.spread();
    for (row, (own, state)) in system.rows.iter_mut().zip(scratch.impulse.iter().zip(&scratch.newton.states)) {
        *(if PSEUDO { &mut row.pseudo_impulse } else { &mut row.impulse }) = (own + state.impulse) as f32;
    }
    for ((velocity, root), y) in velocities.iter_mut().zip(&scratch.roots).zip(&scratch.y) {
        let (linear, angular) = root.apply(y);
        velocity.linear = (velocity.linear.as_dvec3() + linear).as_vec3a();
        velocity.angular = (velocity.angular.as_dvec3() + angular).as_vec3a();
    }
    steps
}

/// Takes a one-sided row that is all but closed for closed: the four feet of a table are on one plane, whatever 32 bits
/// say.
fn close(system: &mut System, h: f32) {
    for row in system.rows.iter_mut().filter(|row| row.gamma == 0.0 && (row.lo == 0.0) != (row.hi == 0.0)) {
        for offset in [&mut row.bias, &mut row.pseudo_bias] {
            *offset = if offset.abs() * h < CLOSED { 0.0 } else { *offset };
        }
    }
}

impl Scratch {
    /// No impulses.
    fn restart(&mut self, rows: usize, bodies: usize) {
        self.impulse.clear();
        self.impulse.resize(rows, 0.0);
        self.y.clear();
        self.y.resize(bodies, [0.0; 6]);
    }

    /// The speeds of all rows.
    fn speeds(&self, speeds: &mut [f64]) {
        speeds.iter_mut().zip(&self.lines).for_each(|(speed, line)| *speed = line.bias + line.speed(&self.y));
    }

    /// The largest component of a change of velocities.
    fn largest(&self, y: &[Six]) -> f64 {
        let each = self.roots.iter().zip(y).map(|(root, y)| {
            let (linear, angular) = root.apply(y);
            linear.abs().max_element().max(angular.abs().max_element())
        });
        each.fold(0.0, f64::max)
    }
}
