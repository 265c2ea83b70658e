//! Direct: the same rows solved to rounding, as the truth that the sweeps are measured against.
//!
//! ```text
//! equalities    A λ = −(J u + b),  A = J M⁻¹ Jᵀ + γ, by LDLᵀ in 64 bits over the graph of joints, with refinement
//! the rest      projected Gauss–Seidel on the rows' response while the equalities hold:
//!               w_r = M⁻¹ (J_rᵀ − J_eᵀ A⁻¹ J_e M⁻¹ J_rᵀ),  K_r = J_r w_r,  until no row moves by more than 1e-9 m/s
//! ```
//! A mechanism without limits, motors or contacts is solved exactly whatever its mass ratios. With them the sweeps, sped
//! up, go on until they have settled or 4,000 are spent; the residual then says how far off they are. The number of
//! iterations is not used. Of redundant rows (closed loops) the earlier ones carry the load; rows that differ
//! by no more than 32 bits round are redundant, too.
//! Source: 004 ch. 5 (linear systems); the design's "ground truth".

mod envelope;
mod order;
mod polish;
mod rest;
mod settle;

use std::ops::Range;

use glam::DVec3;

use super::common;
use crate::physics::body::{Body, Velocity};
use crate::physics::prepare::System;
use crate::physics::row::{Block, Row};
use crate::physics::world::World;
use crate::physics::{integrate, restitution, shake, spin, warm_start};
use envelope::Envelope;
use order::Order;

/// A body's velocity in 64 bits.
#[derive(Debug, Clone, Copy, Default)]
struct Wide {
    linear: DVec3,
    angular: DVec3,
}

/// What the direct solver needs beside the rows, kept from step to step.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    order: Order,
    chosen: Vec<u32>,
    /// Equality rows in factoring order, each with its bodies.
    equal: Vec<Entry>,
    /// The equality rows of each body's mechanism; empty for a body that none holds.
    held: Vec<(u32, u32)>,
    matrix: Envelope,
    right: Vec<f64>,
    velocities: Vec<Wide>,
    /// Responses of the other rows: where a row's list starts, and (body, velocity) lists.
    response_start: Vec<u32>,
    response: Vec<(u32, Wide)>,
    /// 1/K of each row while the equalities hold.
    inv_k: Vec<f64>,
    impulse: Vec<f64>,
    touched: Vec<u32>,
    change: Vec<Wide>,
    /// The impulses before a sweep, and the direction in which the sweeps go.
    before: Vec<f64>,
    direction: Vec<f64>,
    free: polish::Free,
    /// The velocities without the rows, to solve once more where something bounces.
    free_motion: Vec<Velocity>,
    /// Whether free soft rows are solved with the equalities; not where split corrections go past them.
    soft: bool,
}

/// A row and its bodies.
#[derive(Debug, Clone, Copy)]
struct Entry {
    row: u32,
    a: u32,
    b: u32,
}

/// One (sub-)step of `h` seconds.
pub fn advance(world: &mut World, h: f32) {
    common::prepare(world, h);
    start(world, h);
    restitution::propagate(world);
    let pushes = common::begin_pushes(world);
    let (system, scratch) = (&mut world.system, &mut world.direct);
    scratch.soft = !pushes;
    factor(system, scratch, &world.bodies);
    respond(system, scratch, world.bodies.len());
    if pushes {
        solve::<true>(system, scratch, &mut world.pushes, &world.bodies);
    }
    scratch.free_motion.clone_from(&world.velocities);
    world.sweeps += solve::<false>(system, scratch, &mut world.velocities, &world.bodies);
    shake::rounds(world, h, |world| {
        let (system, scratch) = (&mut world.system, &mut world.direct);
        world.velocities.clone_from(&scratch.free_motion);
        world.sweeps += solve::<false>(system, scratch, &mut world.velocities, &world.bodies);
    });
    for _ in 0..restitution::ROUNDS {
        if !restitution::strike_in(world) {
            break;
        }
        let (system, scratch) = (&mut world.system, &mut world.direct);
        world.velocities.clone_from(&scratch.free_motion);
        world.sweeps += solve::<false>(system, scratch, &mut world.velocities, &world.bodies);
    }
    restitution::check(world);
    common::finish(world, h);
}

/// Solves rows by themselves, from no impulses on, at the given velocities.
pub(in crate::physics) fn alone(
    system: &mut System,
    scratch: &mut Scratch,
    velocities: &mut [Velocity],
    bodies: &[Body],
) {
    factor(system, scratch, bodies);
    respond(system, scratch, bodies.len());
    solve::<false>(system, scratch, velocities, bodies);
}

/// Forces and free rotation. The old impulses count for the latter only: what is solved exactly starts from nothing.
fn start(world: &mut World, h: f32) {
    integrate::forces(&world.bodies, &mut world.velocities, &world.settings, h);
    spin::begin(world);
    warm_start::hold(world);
    spin::turn(world, true, h);
}

/// A free row: solved exactly. Soft rows, which the split corrections go past, are among the rest unless `soft`.
fn is_equality(row: &Row, soft: bool) -> bool {
    (soft || row.gamma == 0.0) && row.lo == f32::NEG_INFINITY && row.hi == f32::INFINITY && row.inv_k > 0.0
}

/// J u.
fn speed(row: &Row, a: &Wide, b: &Wide) -> f64 {
    row.lin.as_dvec3().dot(b.linear - a.linear)
        + row.ang_a.as_dvec3().dot(a.angular)
        + row.ang_b.as_dvec3().dot(b.angular)
}

/// u += M⁻¹ Jᵀ λ.
fn apply(row: &Row, lambda: f64, velocities: &mut [Wide], a: u32, b: u32) {
    let lin = row.lin.as_dvec3() * lambda;
    let first = &mut velocities[a as usize];
    first.linear -= lin * f64::from(row.inv_ma);
    first.angular += row.inv_ia.as_dvec3() * lambda;
    let second = &mut velocities[b as usize];
    second.linear += lin * f64::from(row.inv_mb);
    second.angular += row.inv_ib.as_dvec3() * lambda;
}

/// One row's J M⁻¹ times another's Jᵀ, where they share bodies.
fn couple(r: &Row, ends_r: Entry, s: &Row, ends_s: Entry) -> f64 {
    let (lr, ls) = (r.lin.as_dvec3(), s.lin.as_dvec3());
    let lin = lr.dot(ls);
    let (ra, rb) = (r.ang_a.as_dvec3(), r.ang_b.as_dvec3());
    let (sa, sb) = (s.inv_ia.as_dvec3(), s.inv_ib.as_dvec3());
    let mut sum = 0.0;
    if ends_r.a == ends_s.a {
        sum += f64::from(s.inv_ma) * lin + ra.dot(sa);
    }
    if ends_r.b == ends_s.b {
        sum += f64::from(s.inv_mb) * lin + rb.dot(sb);
    }
    if ends_r.a == ends_s.b {
        sum += ra.dot(sb) - f64::from(s.inv_mb) * lin;
    }
    if ends_r.b == ends_s.a {
        sum += rb.dot(sa) - f64::from(s.inv_ma) * lin;
    }
    sum
}

/// Builds and factors A over the equality rows.
fn factor(system: &System, scratch: &mut Scratch, bodies: &[Body]) {
    let Scratch { order, chosen, equal, held, matrix, soft, .. } = scratch;
    let soft = *soft;
    chosen.clear();
    let has_equality = |b: &Block| system.rows[b.range()].iter().any(|row| is_equality(row, soft));
    chosen.extend((0..system.blocks.len() as u32).filter(|&i| has_equality(&system.blocks[i as usize])));
    order.find(&system.blocks, chosen, bodies);
    equal.clear();
    held.clear();
    held.resize(bodies.len(), (0, 0));
    for (i, &begin) in order.mechanisms.iter().enumerate() {
        let end = order.mechanisms.get(i + 1).map_or(order.blocks.len(), |e| *e as usize);
        let mechanism = &order.blocks[begin as usize..end];
        let from = equal.len() as u32;
        for &index in mechanism {
            let block = &system.blocks[index as usize];
            let rows = block.range().filter(|&row| is_equality(&system.rows[row], soft));
            equal.extend(rows.map(|row| Entry { row: row as u32, a: block.a, b: block.b }));
        }
        for block in mechanism.iter().map(|&index| &system.blocks[index as usize]) {
            for body in [block.a, block.b].into_iter().filter(|b| bodies[*b as usize].is_dynamic()) {
                held[body as usize] = (from, equal.len() as u32);
            }
        }
    }
    // The earliest row that shares a moving body with each row.
    let mut earliest = std::mem::take(&mut scratch.touched);
    earliest.clear();
    earliest.resize(bodies.len(), u32::MAX);
    let moving = |body: u32| bodies[body as usize].is_dynamic();
    for (i, entry) in equal.iter().enumerate() {
        for body in [entry.a, entry.b] {
            let seen = &mut earliest[body as usize];
            *seen = (*seen).min(i as u32);
        }
    }
    let first = |i: usize| {
        let entry = equal[i];
        [entry.a, entry.b].into_iter().filter(|b| moving(*b)).map(|b| earliest[b as usize] as usize).fold(i, usize::min)
    };
    matrix.shape((0..equal.len()).map(first));
    for (i, entry) in equal.iter().enumerate() {
        let row = &system.rows[entry.row as usize];
        for (j, other) in equal[..=i].iter().enumerate().skip(first(i)) {
            let value = couple(row, *entry, &system.rows[other.row as usize], *other);
            *matrix.at(i, j) = value + if i == j { f64::from(row.gamma) } else { 0.0 };
        }
    }
    matrix.factor();
    earliest.clear();
    scratch.touched = earliest;
}

/// For each row that is no equality: how its unit impulse moves the bodies while the equalities hold.
fn respond(system: &System, scratch: &mut Scratch, bodies: usize) {
    scratch.response.clear();
    scratch.response_start.clear();
    scratch.inv_k.clear();
    scratch.inv_k.resize(system.rows.len(), 0.0);
    scratch.change.clear();
    scratch.change.resize(bodies, Wide::default());
    for block in &system.blocks {
        for index in block.range() {
            scratch.response_start.push(scratch.response.len() as u32);
            let row = &system.rows[index];
            if is_equality(row, scratch.soft) || row.inv_k == 0.0 {
                continue;
            }
            apply(row, 1.0, &mut scratch.change, block.a, block.b);
            let (first, second) = (scratch.held[block.a as usize], scratch.held[block.b as usize]);
            hold_response(system, scratch, first);
            if second != first {
                hold_response(system, scratch, second);
            }
            let k =
                speed(row, &scratch.change[block.a as usize], &scratch.change[block.b as usize]) + f64::from(row.gamma);
            scratch.inv_k[index] = if k > 1e-12 { 1.0 / k } else { 0.0 };
            let Scratch { response, change, equal, .. } = scratch;
            let mut keep = |body: u32, wide: &mut Wide| {
                let moved = std::mem::take(wide);
                if moved.linear != DVec3::ZERO || moved.angular != DVec3::ZERO {
                    response.push((body, moved));
                }
            };
            [block.a, block.b].into_iter().for_each(|body| keep(body, &mut change[body as usize]));
            // A body of the mechanism that has been kept already is at rest again and is not kept twice.
            for (from, end) in [first, second] {
                for entry in &equal[from as usize..end as usize] {
                    [entry.a, entry.b].into_iter().for_each(|body| keep(body, &mut change[body as usize]));
                }
            }
        }
    }
    scratch.response_start.push(scratch.response.len() as u32);
}

/// Takes out of `change` what breaks the equalities of one mechanism.
fn hold_response(system: &System, scratch: &mut Scratch, (from, end): (u32, u32)) {
    let part = from as usize..end as usize;
    let Scratch { right, equal, change, matrix, .. } = scratch;
    right.resize(equal.len(), 0.0);
    for (right, e) in right[part.clone()].iter_mut().zip(&equal[part.clone()]) {
        *right = -speed(&system.rows[e.row as usize], &change[e.a as usize], &change[e.b as usize]);
    }
    matrix.solve_part(part.clone(), right);
    for (entry, lambda) in equal[part.clone()].iter().zip(&right[part]) {
        apply(&system.rows[entry.row as usize], *lambda, change, entry.a, entry.b);
    }
}

/// Solves for the velocities (or, with `PUSH`, for the split position correction). Returns the sweeps that limits, motors
/// and contacts took.
fn solve<const PUSH: bool>(
    system: &mut System,
    scratch: &mut Scratch,
    velocities: &mut [Velocity],
    bodies: &[Body],
) -> u32 {
    let wide = |v: &Velocity| Wide { linear: v.linear.as_dvec3(), angular: v.angular.as_dvec3() };
    scratch.velocities.clear();
    scratch.velocities.extend(velocities.iter().map(wide));
    scratch.impulse.clear();
    // Equalities start from nothing, they are solved exactly; the rest starts from the old impulses.
    let soft = scratch.soft;
    let start = |row: &Row| if PUSH || is_equality(row, soft) { 0.0 } else { f64::from(row.impulse) };
    scratch.impulse.extend(system.rows.iter().map(start));
    hold::<PUSH>(system, scratch);
    for block in &system.blocks {
        for index in block.range() {
            let lambda = scratch.impulse[index];
            if lambda != 0.0 && !is_equality(&system.rows[index], soft) {
                shift(scratch, index, lambda);
            }
        }
    }
    let sweeps = settle::settle::<PUSH>(system, scratch, bodies);
    // The equalities' own impulses, from the start, with the other rows' impulses as loads.
    scratch.velocities.clear();
    scratch.velocities.extend(velocities.iter().map(wide));
    for entry in &scratch.equal {
        scratch.impulse[entry.row as usize] = 0.0;
    }
    for block in &system.blocks {
        for index in block.range().filter(|&i| !is_equality(&system.rows[i], soft)) {
            apply(&system.rows[index], scratch.impulse[index], &mut scratch.velocities, block.a, block.b);
        }
    }
    for _ in 0..3 {
        hold::<PUSH>(system, scratch);
    }
    for (row, impulse) in system.rows.iter_mut().zip(&scratch.impulse) {
        *(if PUSH { &mut row.push_impulse } else { &mut row.impulse }) = *impulse as f32;
    }
    for (velocity, wide) in velocities.iter_mut().zip(&scratch.velocities) {
        velocity.linear = wide.linear.as_vec3a();
        velocity.angular = wide.angular.as_vec3a();
    }
    sweeps
}

fn offset<const PUSH: bool>(row: &Row) -> f64 {
    f64::from(if PUSH { row.push } else { row.bias })
}

/// Makes the equalities hold: λ_e += −A⁻¹ (J u + b + γ λ_e). Repeated, it refines.
fn hold<const PUSH: bool>(system: &System, scratch: &mut Scratch) {
    let Scratch { right, equal, velocities, impulse, matrix, .. } = scratch;
    right.clear();
    right.extend(equal.iter().map(|e| {
        let row = &system.rows[e.row as usize];
        let soft = f64::from(row.gamma) * impulse[e.row as usize];
        -(speed(row, &velocities[e.a as usize], &velocities[e.b as usize]) + offset::<PUSH>(row) + soft)
    }));
    matrix.solve(right);
    for (entry, lambda) in equal.iter().zip(right.iter()) {
        impulse[entry.row as usize] += lambda;
        apply(&system.rows[entry.row as usize], *lambda, velocities, entry.a, entry.b);
    }
}

impl Scratch {
    /// Where a row's response is in the list of all.
    fn response_range(&self, row: usize) -> Range<usize> {
        self.response_start[row] as usize..self.response_start[row + 1] as usize
    }
}

/// Adds an impulse of a row while the equalities hold.
fn shift(scratch: &mut Scratch, index: usize, lambda: f64) {
    let range = scratch.response_range(index);
    for (body, wide) in &scratch.response[range] {
        let velocity = &mut scratch.velocities[*body as usize];
        velocity.linear += wide.linear * lambda;
        velocity.angular += wide.angular * lambda;
    }
}
