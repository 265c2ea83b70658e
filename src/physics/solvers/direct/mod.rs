//! Direct: the same rows solved to rounding, as the truth that the sweeps are measured against.
//!
//! ```text
//! y           u = u* + R y,  R Rᵀ = M⁻¹: velocities scaled by the root of the masses, in 64 bits
//! equalities  A λ = −(J u + b),  A = J R (J R)ᵀ, by LDLᵀ over the graph of joints, with refinement
//! the rest    Newton's method on the convex problem that is left (`newton.rs`), friction's bounds brought to agree
//! ```
//! A mechanism without limits, motors or contacts is solved exactly whatever its mass ratios. With them the steps go
//! on until no row is wrong by more than 1e-9 m/s; what 400 steps leave is told as the residual. The number of
//! iterations is not used. Of many right impulses it takes the least, Σ λ²/m (torques by their inertia): symmetric
//! loads have symmetric forces. Rows of joints that differ by no more than 32 bits round are redundant, and a contact
//! or stop nearer than they hold of a place is closed.
//! Source: 004 ch. 5 (linear systems).

mod bounded;
mod envelope;
mod newton;
mod order;

use glam::{DMat3, DVec3};

use super::common::{self, Substep};
use crate::physics::body::{Body, Velocity};
use crate::physics::prepare::System;
use crate::physics::trace::Stage;
use crate::physics::world::World;
use crate::physics::{blow_energy, gyroscopic, integrate, ledger, rattle, restitution, shake, trace, warm_start};
use bounded::is_equality;
use envelope::Envelope;
use newton::Newton;
use order::Order;

/// The rows come from 32 bits, so a smaller pivot is rounding: two rows that differ by less are one and the same, and
/// to satisfy the difference would lock a mechanism that is only rounded.
const REDUNDANT: f64 = 3e-7;
/// Compliance of rows that are no equalities, over their share of the mass: see `newton.rs`.
const EPSILON: f64 = 1e-6;
/// The same of equalities, in Newton's direction alone.
const STIFF: f64 = 1e-9;
/// What 32 bits do not hold of a place a metre away, m: a gap or a stop that is nearer is closed.
const CLOSED: f32 = 2e-7;

/// A velocity and an angular velocity.
type Six = [f64; 6];

fn dot(a: &Six, b: &Six) -> f64 {
    ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5])
}

/// R of a body.
#[derive(Debug, Clone, Copy)]
struct Root {
    linear: f64,
    angular: DMat3,
}

impl Root {
    /// Of a body that impulses do not move.
    const FIXED: Self = Self { linear: 0.0, angular: DMat3::ZERO };

    /// Cholesky's factor of the inverse inertia, which may be singular: of a particle or of a body in a plane.
    fn of(body: &Body) -> Self {
        let (inv_mass, inv_inertia) = body.inverses();
        let inertia = inv_inertia.as_dmat3();
        let mut left = 0.5 * (inertia + inertia.transpose());
        let mut angular = DMat3::ZERO;
        let least = REDUNDANT * left.x_axis.x.max(left.y_axis.y).max(left.z_axis.z);
        for k in 0..3 {
            let pivot = left.col(k)[k];
            if pivot > least {
                let column = left.col(k) / pivot.sqrt();
                *angular.col_mut(k) = column;
                left -= DMat3::from_cols(column * column.x, column * column.y, column * column.z);
            }
        }
        Self { linear: f64::from(inv_mass).sqrt(), angular }
    }

    /// R y.
    fn apply(&self, y: &Six) -> (DVec3, DVec3) {
        (self.linear * DVec3::new(y[0], y[1], y[2]), self.angular * DVec3::new(y[3], y[4], y[5]))
    }

    /// Rᵀ (lin, ang).
    fn share(&self, lin: DVec3, ang: DVec3) -> Six {
        let (lin, ang) = (self.linear * lin, self.angular.transpose() * ang);
        [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z]
    }
}

/// A row in scaled velocities: its speed is b + on_a · y_a + on_b · y_b.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    a: u32,
    b: u32,
    on_a: Six,
    on_b: Six,
    /// J u* + b.
    bias: f64,
    /// J M⁻¹ Jᵀ.
    k: f64,
    /// By which its impulse counts in the least norm: 1/mA + 1/mB, an angular row's K.
    weight: f64,
}

impl Line {
    fn speed(&self, y: &[Six]) -> f64 {
        dot(&self.on_a, &y[self.a as usize]) + dot(&self.on_b, &y[self.b as usize])
    }

    fn apply(&self, impulse: f64, y: &mut [Six]) {
        for (on, body) in [(&self.on_a, self.a), (&self.on_b, self.b)] {
            y[body as usize].iter_mut().zip(on).for_each(|(y, on)| *y += on * impulse);
        }
    }

    fn couple(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        for (on, body) in [(&self.on_a, self.a), (&self.on_b, self.b)] {
            for (other, at) in [(&other.on_a, other.a), (&other.on_b, other.b)] {
                sum += if body == at { dot(on, other) } else { 0.0 };
            }
        }
        sum
    }
}

/// What the direct solver needs beside the rows, kept from step to step.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    roots: Vec<Root>,
    /// By row of the system.
    lines: Vec<Line>,
    /// By body.
    y: Vec<Six>,
    order: Order,
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
    world.sweeps += solve::<false>(system, scratch, &mut world.velocities, &world.bodies);
    trace::sweep(world);
    let again = |world: &mut World| {
        let (system, scratch) = (&mut world.system, &mut world.direct);
        world.velocities.copy_from_slice(&scratch.free_motion);
        world.sweeps += solve::<false>(system, scratch, &mut world.velocities, &world.bodies);
        trace::sweep(world);
    };
    shake::rounds(world, h, again);
    let past = ledger::is_past(world);
    if past {
        shake::bend(world, h);
        again(world);
    }
    ledger::close(world, past);
    for _ in 0..restitution::ROUNDS {
        if !restitution::strike_in(world) {
            break;
        }
        again(world);
    }
    blow_energy::check(world);
    let left = world.direct.newton.left.min(f64::from(f32::MAX)) as f32;
    common::integrate(world, substep);
    world.residual = world.residual.max(left);
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
    integrate::forces(&world.bodies, &mut world.velocities, &world.settings, h);
    gyroscopic::begin(world);
    warm_start::hold(world);
    gyroscopic::turn(world, true, h);
    rattle::start(world, h);
    shake::bend(world, h);
    trace::note(world, Stage::Forces);
}

/// All rows in scaled velocities.
fn lines(system: &System, scratch: &mut Scratch, bodies: &[Box<Body>]) {
    let Scratch { roots, lines, .. } = scratch;
    roots.clear();
    roots.extend(bodies.iter().map(|body| if body.is_dynamic() { Root::of(body) } else { Root::FIXED }));
    lines.clear();
    for block in &system.blocks {
        let (a, b) = (&roots[block.a as usize], &roots[block.b as usize]);
        lines.extend(system.rows[block.range()].iter().map(|row| {
            let lin = row.lin.as_dvec3();
            let (on_a, on_b) = (a.share(-lin, row.ang_a.as_dvec3()), b.share(lin, row.ang_b.as_dvec3()));
            let k = dot(&on_a, &on_a) + dot(&on_b, &on_b);
            let linear = a.linear * a.linear + b.linear * b.linear;
            let weight = if lin == DVec3::ZERO { k } else { linear };
            Line { a: block.a, b: block.b, on_a, on_b, bias: 0.0, k, weight }
        }));
    }
}

/// Builds and factors A over the equality rows.
fn factor(system: &System, scratch: &mut Scratch, bodies: &[Box<Body>]) {
    let Scratch { order, chosen, equal, lines, matrix, loose, is_loose, earliest, first, .. } = scratch;
    let equalities = |index: u32| system.blocks[index as usize].range().filter(|row| is_equality(&system.rows[*row]));
    chosen.clear();
    chosen.extend((0..system.blocks.len() as u32).filter(|index| equalities(*index).next().is_some()));
    order.find(&system.blocks, chosen, bodies);
    equal.clear();
    equal.extend(order.blocks.iter().flat_map(|index| equalities(*index)).map(|row| row as u32));
    // The earliest row that shares a moving body with each row.
    earliest.clear();
    earliest.resize(bodies.len(), usize::MAX);
    first.clear();
    for (i, row) in equal.iter().enumerate() {
        let line = &lines[*row as usize];
        let mut begin = i;
        for body in [line.a, line.b].into_iter().filter(|body| bodies[*body as usize].is_dynamic()) {
            let seen = &mut earliest[body as usize];
            *seen = (*seen).min(i);
            begin = begin.min(*seen);
        }
        first.push(begin);
    }
    let build = |matrix: &mut Envelope, give: f64| {
        matrix.shape(first.iter().copied());
        for (i, row) in equal.iter().enumerate() {
            let line = &lines[*row as usize];
            for (j, other) in equal[..=i].iter().enumerate().skip(first[i]) {
                *matrix.at(i, j) = line.couple(&lines[*other as usize]);
            }
            *matrix.at(i, i) += give * line.weight;
        }
        matrix.factor(if give > 0.0 { 0.0 } else { REDUNDANT });
    };
    build(matrix, 0.0);
    *is_loose = (0..equal.len()).any(|i| matrix.is_redundant(i));
    if *is_loose {
        build(loose, REDUNDANT);
    }
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

    /// Equality rows that say something of their own.
    fn independent(&self) -> impl Iterator<Item = usize> + '_ {
        let own = |(i, row): (usize, &u32)| (!self.matrix.is_redundant(i)).then_some(*row as usize);
        self.equal.iter().enumerate().filter_map(own)
    }

    /// Makes the equalities hold: λ += −A⁻¹ (J u + b). Repeated, it refines.
    fn hold(&mut self) {
        let Self { right, equal, lines, y, impulse, matrix, .. } = self;
        right.clear();
        right.extend(equal.iter().map(|row| &lines[*row as usize]).map(|line| -line.bias - line.speed(y)));
        matrix.solve(right);
        for (row, lambda) in equal.iter().zip(right.iter()) {
            impulse[*row as usize] += lambda;
            lines[*row as usize].apply(*lambda, y);
        }
    }

    /// Takes out of a change of velocities what breaks the equalities.
    fn project(&mut self, change: &mut [Six]) {
        let Self { right, equal, lines, matrix, .. } = self;
        if equal.is_empty() {
            return;
        }
        right.clear();
        right.extend(equal.iter().map(|row| -lines[*row as usize].speed(change)));
        matrix.solve(right);
        for (row, lambda) in equal.iter().zip(right.iter()) {
            lines[*row as usize].apply(*lambda, change);
        }
    }

    /// Takes from redundant equalities the impulses that do nothing, so that the least are left. With W the weights,
    /// τ (A + τ W)⁻¹ W leaves of λ what A makes nothing of, and less than τ/a of the rest; three times, and less than
    /// the third power of it.
    fn spread(&mut self) {
        if !self.is_loose {
            return;
        }
        let Self { right, equal, lines, y, impulse, loose, .. } = self;
        right.clear();
        right.extend(equal.iter().map(|row| impulse[*row as usize]));
        for _ in 0..3 {
            for (right, row) in right.iter_mut().zip(equal.iter()) {
                *right *= REDUNDANT * lines[*row as usize].weight;
            }
            loose.solve(right);
        }
        for (row, lambda) in equal.iter().zip(right.iter()) {
            impulse[*row as usize] -= lambda;
            lines[*row as usize].apply(-lambda, y);
        }
        (0..2).for_each(|_| self.hold());
    }
}
