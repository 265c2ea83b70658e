//! The motion of bodies that hang together as one: what a pass over single bodies finds last.
//!
//! ```text
//! Σ M (u − u*) = 0,  Σ r × M (u − u*) = 0         of an island that nothing outside holds
//! ```
//! Stiff rows let a body move only as its neighbours move, so a pass changes the common motion of an island little and
//! its momentum by what is missing. A rigid motion, which no row within the island resists, gives it back. Derived here.

use glam::DVec3;

use super::descent::solve;
use super::{ActiveRow, Scratch};
use crate::body::Body;
use crate::row::{Block, Row};
use crate::solvers::scaled::{Root, Six, dot};
use crate::system::System;

/// The islands of a sub-step.
#[derive(Debug, Clone, Default)]
pub(super) struct Islands {
    /// By body: another body of its island, at last the island's first.
    parent: Vec<u32>,
    /// By body, at the first body of an island.
    sums: Vec<Sum>,
}

/// What is summed over an island.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    bodies: u32,
    /// Whether something outside acts on it.
    held: bool,
    /// kg, and kg·m.
    mass: f64,
    centre: DVec3,
    /// Its mass in the six rigid motions, and its momentum.
    matrix: [Six; 6],
    momentum: Six,
}

impl Islands {
    /// Finds the bodies that blocks join.
    pub(super) fn find(&mut self, blocks: &[Block], bodies: &[Box<Body>]) {
        let Self { parent, sums } = self;
        parent.clear();
        parent.extend(0..bodies.len() as u32);
        for block in blocks {
            if bodies[block.a as usize].is_dynamic() && bodies[block.b as usize].is_dynamic() {
                let (a, b) = (first(parent, block.a), first(parent, block.b));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        // A parent comes before its body.
        for body in 0..parent.len() {
            parent[body] = parent[parent[body] as usize];
        }
        sums.clear();
        sums.resize(bodies.len(), Sum::default());
    }

    fn of(&mut self, body: usize) -> &mut Sum {
        &mut self.sums[self.parent[body] as usize]
    }
}

/// The first body of an island.
fn first(parent: &mut [u32], mut body: u32) -> u32 {
    while parent[body as usize] != body {
        let next = parent[parent[body as usize] as usize];
        parent[body as usize] = next;
        body = next;
    }
    body
}

/// The six rigid motions of an island as scaled velocities of a body at `arm` from its centre.
fn motions(root: &Root, arm: DVec3) -> [Six; 6] {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    std::array::from_fn(|k| match axes.get(k) {
        Some(along) => root.undo(*along, DVec3::ZERO),
        None => root.undo(axes[k - 3].cross(arm), axes[k - 3]),
    })
}

/// Gives free islands of two bodies and more their momentum back.
pub(super) fn restore(system: &System, scratch: &mut Scratch, bodies: &[Box<Body>]) {
    let Scratch { roots, rows, y, islands, .. } = scratch;
    islands.sums.fill(Sum::default());
    for (body, root) in roots.iter().enumerate().filter(|(body, _)| bodies[*body].is_dynamic()) {
        let place = bodies[body].position.as_dvec3();
        let sum = islands.of(body);
        sum.bodies += 1;
        sum.held |= root.linear <= 0.0;
        let mass = (root.linear * root.linear).recip();
        sum.mass += mass;
        sum.centre += mass * place;
    }
    for block in &system.blocks {
        let (own, rows) = (&system.rows[block.range()], &rows[block.range()]);
        let outside = [block.a, block.b].iter().any(|body| !bodies[*body as usize].is_dynamic());
        if own.iter().zip(rows).any(|(own, row)| is_outer(own, row, outside)) {
            [block.a, block.b].into_iter().for_each(|body| islands.of(body as usize).held = true);
        }
    }
    let arm = |sum: &Sum, body: usize| bodies[body].position.as_dvec3() - sum.centre / sum.mass;
    let moves = |sum: &Sum| sum.bodies > 1 && !sum.held;
    for body in 0..y.len() {
        let sum = islands.of(body);
        if moves(sum) {
            let motions = motions(&roots[body], arm(sum, body));
            for (i, motion) in motions.iter().enumerate() {
                sum.momentum[i] += dot(motion, &y[body]);
                motions[..=i].iter().zip(&mut sum.matrix[i]).for_each(|(other, entry)| *entry += dot(motion, other));
            }
        }
    }
    for sum in islands.sums.iter_mut().filter(|sum| moves(sum)) {
        sum.momentum = solve(&mut sum.matrix, sum.momentum);
    }
    for body in 0..y.len() {
        let sum = islands.of(body);
        if moves(sum) {
            for (motion, speed) in motions(&roots[body], arm(sum, body)).iter().zip(sum.momentum) {
                y[body].iter_mut().zip(motion).for_each(|(y, motion)| *y -= motion * speed);
            }
        }
    }
}

/// Whether a row acts between the island and something outside: another body (`outside`) or the world.
fn is_outer(own: &Row, row: &ActiveRow, outside: bool) -> bool {
    (outside || own.net != glam::Vec3A::ZERO) && (row.impulse != 0.0 || row.stiffness > 0.0)
}
