//! The rows that are strictly within their bounds solved at once, as if they had none: what sweeps only come near to, once
//! they have found which rows those are (an active-set step).
//!
//! ```text
//! S Δλ = −(J u + b + γ λ) over those rows,  S_rs = J_r w_s + γ δ_rs;  λ ← λ + α Δλ with the largest α ≤ 1 within bounds
//! ```
//! w_s is what row s does to the bodies while the equalities hold, so S is theirs with the equalities taken out. Bounds of
//! friction stay where the normal impulses have put them; the next sweep moves them.
//! Source: 004 ch. 5 (linear systems); constraints notes, Direct.

use super::envelope::Envelope;
use super::order::Order;
use super::rest::{self, Bounds, each, left_out};
use super::settle::SETTLED;
use super::{Entry, Scratch, Wide, offset, shift, speed};
use crate::physics::body::Body;
use crate::physics::limit_surface;
use crate::physics::prepare::System;

/// More multiplications than this are not spent on one factoring: sweeps are cheaper.
const MOST: f64 = 2e8;
/// About as many are in one row's share of a sweep.
const ROW: f64 = 30.0;
/// A friction row nearer to its bound than this share of it is at its bound: bounds are rounded to 32 bits.
const RIM: f64 = 1e-6;
/// A step that many times over is bounded by nothing.
const FAR: f64 = 1e9;

/// What is kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Free {
    order: Order,
    chosen: Vec<u32>,
    /// The rows within their bounds in factoring order.
    rows: Vec<Entry>,
    /// Whether each row of the system is among them.
    inside: Vec<bool>,
    earliest: Vec<usize>,
    first: Vec<usize>,
    matrix: Envelope,
    step: Vec<f64>,
    /// What redundant rows are still wrong by, m/s.
    wish: Vec<f64>,
}

/// Takes the step. Returns how many sweeps it was worth; `None` where it would have been too many.
pub(super) fn polish<const PUSH: bool>(system: &System, scratch: &mut Scratch, bodies: &[Body]) -> Option<u32> {
    let mut free = std::mem::take(&mut scratch.free);
    choose::<PUSH>(system, scratch, bodies, &mut free);
    let cost = shape(scratch, bodies.len(), &mut free);
    if cost <= MOST {
        step::<PUSH>(system, scratch, &mut free);
    }
    scratch.free = free;
    let sweeps = cost / (ROW * system.rows.len().max(1) as f64);
    (cost <= MOST).then_some(sweeps as u32)
}

/// Finds the rows that are within their bounds, and orders them.
fn choose<const PUSH: bool>(system: &System, scratch: &Scratch, bodies: &[Body], free: &mut Free) {
    let Free { order, chosen, rows, inside, .. } = free;
    inside.clear();
    inside.resize(system.rows.len(), false);
    chosen.clear();
    let impulse = &scratch.impulse;
    for (number, block) in system.blocks.iter().enumerate() {
        let mut any = false;
        each::<PUSH>(block, |index, bounds| {
            let mut note = |index: usize, within: bool| {
                inside[index] = within && scratch.inv_k[index] > 0.0;
                any |= inside[index];
            };
            match bounds {
                Bounds::Own => {
                    let (row, at) = (&system.rows[index], impulse[index]);
                    let (lo, hi) = rest::bounds::<PUSH>(row);
                    let within = lo < at && at < hi;
                    note(index, within && !left_out::<PUSH>(row, scratch.soft));
                }
                Bounds::Span { mu, normals } => {
                    let radius = Bounds::radius(mu, &normals, impulse) * (1.0 - RIM);
                    note(index, impulse[index].abs() < radius);
                }
                Bounds::Disc { mu, normals } => {
                    let radius = Bounds::radius(mu, &normals, impulse) * (1.0 - RIM);
                    let within = impulse[index].hypot(impulse[index + 1]) < radius;
                    note(index, within);
                    note(index + 1, within);
                }
                Bounds::Patch { mu, arm, surface, normals } => {
                    let radius = Bounds::radius(mu, &normals, impulse) * (1.0 - RIM);
                    let (slide, spin) = ((impulse[index], impulse[index + 1]), impulse[index + 2] / arm);
                    let within = limit_surface::project(surface, slide, spin, radius).is_none();
                    (index..index + 3).for_each(|index| note(index, within));
                }
            }
        });
        if any {
            chosen.push(number as u32);
        }
    }
    order.find(&system.blocks, chosen, bodies);
    rows.clear();
    for block in order.blocks.iter().map(|number| &system.blocks[*number as usize]) {
        let of_block = block.range().filter(|index| inside[*index]);
        rows.extend(of_block.map(|index| Entry { row: index as u32, a: block.a, b: block.b }));
    }
}

/// Finds where each row of S begins; returns the multiplications that factoring costs.
fn shape(scratch: &Scratch, bodies: usize, free: &mut Free) -> f64 {
    let Free { rows, earliest, first, matrix, .. } = free;
    earliest.clear();
    earliest.resize(bodies, usize::MAX);
    for (i, entry) in rows.iter().enumerate() {
        for body in [entry.a, entry.b] {
            earliest[body as usize] = earliest[body as usize].min(i);
        }
    }
    // A row meets those that are on a body which it moves.
    first.clear();
    first.extend(rows.iter().enumerate().map(|(i, entry)| {
        let moved = &scratch.response[scratch.response_range(entry.row as usize)];
        let moved = moved.iter().map(|(body, _)| earliest[*body as usize]);
        moved.fold(i, usize::min)
    }));
    // An entry is made of two bodies' velocities, then eliminated.
    let of_row = |width: f64| width * (width + 20.0);
    let cost = first.iter().enumerate().map(|(i, first)| of_row((i - first) as f64)).sum();
    if cost <= MOST {
        matrix.shape(first.iter().copied());
    }
    cost
}

/// Solves, and goes as far as the bounds allow.
fn step<const PUSH: bool>(system: &System, scratch: &mut Scratch, free: &mut Free) {
    factor(system, scratch, free);
    let Free { rows, matrix, step, wish, .. } = &mut *free;
    step.clear();
    step.extend(rows.iter().map(|entry| {
        let row = &system.rows[entry.row as usize];
        let (a, b) = (&scratch.velocities[entry.a as usize], &scratch.velocities[entry.b as usize]);
        let soft = f64::from(row.gamma) * scratch.impulse[entry.row as usize];
        -(speed(row, a, b) + offset::<PUSH>(row) + soft)
    }));
    wish.clone_from(step);
    matrix.forward(0..rows.len(), wish);
    matrix.solve(step);
    if go::<PUSH>(system, scratch, free, 1.0) < 1.0 {
        // Another row is at its bound now.
        return;
    }
    // Four points on one plane that want to be apart by a hair's breadth more than a plane can: no impulses satisfy all,
    // and sweeps shift load between them without end, until one of them bears none. Go there at once. Not where other
    // bodies are in it: limits and contacts that jam would press the harder, and friction with them, without end.
    for i in 0..free.rows.len() {
        let Free { matrix, step, wish, .. } = &mut *free;
        let Some(left) = matrix.redundant(i).filter(|_| wish[i].abs() > SETTLED) else { continue };
        let most = wish[i].abs() / left;
        step.fill(0.0);
        step[i] = wish[i].signum();
        matrix.back(0..i + 1, step);
        let pair = |entry: &Entry| (entry.a, entry.b);
        let own = free.rows.iter().zip(&free.step).all(|(e, step)| *step == 0.0 || pair(e) == pair(&free.rows[i]));
        if own {
            go::<PUSH>(system, scratch, free, most);
        }
    }
}

/// S of the rows, and its factors.
fn factor(system: &System, scratch: &mut Scratch, free: &mut Free) {
    let Free { rows, first, matrix, .. } = free;
    for (i, entry) in rows.iter().enumerate() {
        let range = scratch.response_range(entry.row as usize);
        let Scratch { response, change, .. } = &mut *scratch;
        response[range.clone()].iter().for_each(|(body, wide)| change[*body as usize] = *wide);
        for (j, other) in rows[..=i].iter().enumerate().skip(first[i]) {
            let row = &system.rows[other.row as usize];
            let value = speed(row, &change[other.a as usize], &change[other.b as usize]);
            *matrix.at(i, j) = value + if i == j { f64::from(row.gamma) } else { 0.0 };
        }
        response[range].iter().for_each(|(body, _)| change[*body as usize] = Wide::default());
    }
    matrix.factor();
}

/// Goes along the step by the largest share, at most `most`, that stays within bounds, and returns it; not at all where
/// nothing bounds it.
fn go<const PUSH: bool>(system: &System, scratch: &mut Scratch, free: &Free, most: f64) -> f64 {
    // The step by row of the system, where the bounds are looked up.
    let by_row = &mut scratch.before;
    by_row.clear();
    by_row.resize(system.rows.len(), 0.0);
    free.rows.iter().zip(&free.step).for_each(|(entry, step)| by_row[entry.row as usize] = *step);
    let way = room::<PUSH>(system, &scratch.impulse, by_row, &free.inside).min(most);
    for (entry, step) in free.rows.iter().zip(&free.step).filter(|(_, step)| **step != 0.0 && way.is_finite()) {
        scratch.impulse[entry.row as usize] += way * step;
        shift(scratch, entry.row as usize, way * step);
    }
    way
}

/// The largest share of a step that stays within bounds.
fn room<const PUSH: bool>(system: &System, impulse: &[f64], step: &[f64], inside: &[bool]) -> f64 {
    let mut way = f64::INFINITY;
    let to = |at: f64, by: f64, lo: f64, hi: f64| match by {
        by if by > 0.0 => (hi - at) / by,
        by if by < 0.0 => (lo - at) / by,
        _ => f64::INFINITY,
    };
    for block in &system.blocks {
        each::<PUSH>(block, |index, bounds| {
            if !inside[index] {
                return;
            }
            let (at, by) = (impulse[index], step[index]);
            let share = match bounds {
                Bounds::Own => {
                    let (lo, hi) = rest::bounds::<PUSH>(&system.rows[index]);
                    to(at, by, lo, hi)
                }
                Bounds::Span { mu, normals } => {
                    let radius = Bounds::radius(mu, &normals, impulse);
                    to(at, by, -radius, radius)
                }
                Bounds::Disc { mu, normals } => {
                    // ‖p + s d‖ = r.
                    let (p, d) = ((at, impulse[index + 1]), (by, step[index + 1]));
                    let radius = Bounds::radius(mu, &normals, impulse);
                    let (dd, pd) = (d.0 * d.0 + d.1 * d.1, p.0 * d.0 + p.1 * d.1);
                    let rest = radius * radius - p.0 * p.0 - p.1 * p.1;
                    if dd > 0.0 { ((pd * pd + dd * rest).sqrt() - pd) / dd } else { f64::INFINITY }
                }
                Bounds::Patch { mu, arm, surface, normals } => {
                    let radius = Bounds::radius(mu, &normals, impulse);
                    let at = |k: usize, share: f64| impulse[index + k] + share * step[index + k];
                    let inside = |share: f64| {
                        let slide = (at(0, share), at(1, share));
                        limit_surface::project(surface, slide, at(2, share) / arm, radius).is_none()
                    };
                    // The set is convex: halved, always from inside.
                    let (mut near, mut far) = (0.0, 1.0);
                    while inside(far) && far < FAR {
                        far *= 2.0;
                    }
                    for _ in 0..40 {
                        let middle = 0.5 * (near + far);
                        (near, far) = if inside(middle) { (middle, far) } else { (near, middle) };
                    }
                    if far < FAR { near } else { f64::INFINITY }
                }
            };
            way = way.min(share.max(0.0));
        });
    }
    way
}
