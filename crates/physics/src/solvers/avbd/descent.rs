//! A pass over the bodies: each takes the velocity that is best while all others stand.

use super::Scratch;
use super::forces::evaluate;
use crate::body::Body;
use crate::row::Block;
use crate::solvers::scaled::{ScaledRow, Six};
use crate::system::System;

/// The blocks of each body, one body after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Neighbours {
    /// By body: the place in `blocks` of its first block; and one more at the end.
    first: Vec<u32>,
    blocks: Vec<u32>,
}

impl Neighbours {
    /// Lists the blocks of the bodies that they move.
    pub(super) fn find(&mut self, blocks: &[Block], bodies: &[Box<Body>]) {
        let Self { first, blocks: list } = self;
        first.clear();
        first.resize(bodies.len() + 2, 0);
        let ends = |block: &Block| [block.a, block.b].into_iter().filter(|body| bodies[*body as usize].is_dynamic());
        // Counted two places ahead, so that `first[body + 1]` is where the next block of a body goes.
        blocks.iter().flat_map(ends).for_each(|body| first[body as usize + 2] += 1);
        (1..first.len()).for_each(|k| first[k] += first[k - 1]);
        list.clear();
        list.resize(first[first.len() - 1] as usize, 0);
        for (index, block) in blocks.iter().enumerate() {
            for body in ends(block) {
                let place = &mut first[body as usize + 1];
                list[*place as usize] = index as u32;
                *place += 1;
            }
        }
    }

    fn of(&self, body: usize) -> &[u32] {
        &self.blocks[self.first[body] as usize..self.first[body + 1] as usize]
    }
}

/// The most times that a body looks for its velocity.
const MAX_TRIES: u32 = 4;

/// Visits all bodies, first to last and then last to first.
pub(super) fn pass(system: &System, scratch: &mut Scratch) {
    for body in (0..scratch.y.len()).chain((0..scratch.y.len()).rev()) {
        if !scratch.neighbours.of(body).is_empty() {
            visit(system, scratch, body);
        }
    }
}

/// Gives a body the velocity at which its inertia and its rows balance. A step that closes a gap, or stops what slips,
/// would go too far: it is made again with the stiffness of the rows that it has met.
fn visit(system: &System, scratch: &mut Scratch, body: usize) {
    let Scratch { lines, rows, y, neighbours, .. } = scratch;
    let blocks = neighbours.of(body);
    let start = y[body];
    let mut gradient = start;
    let mut hessian = UNIT;
    let mut may_meet = false;
    for index in blocks {
        let block = &system.blocks[*index as usize];
        evaluate(system, lines, rows, block, y);
        for (line, row) in lines[block.range()].iter().zip(&mut rows[block.range()]) {
            row.held = row.stiffness;
            may_meet |= row.stiffness == 0.0 && row.penalty > 0.0;
            for on in line.of(body) {
                gradient.iter_mut().zip(on).for_each(|(gradient, on)| *gradient -= on * row.impulse);
                stiffen(&mut hessian, on, row.stiffness);
            }
        }
    }
    for attempt in 1.. {
        let step = solve(&mut hessian, gradient);
        y[body] = std::array::from_fn(|k| start[k] - step[k]);
        if !may_meet || attempt == MAX_TRIES {
            break;
        }
        (hessian, may_meet) = (UNIT, false);
        for index in blocks {
            let block = &system.blocks[*index as usize];
            evaluate(system, lines, rows, block, y);
            for (line, row) in lines[block.range()].iter().zip(&mut rows[block.range()]) {
                may_meet |= row.stiffness > row.held;
                row.held = row.held.max(row.stiffness);
                line.of(body).for_each(|on| stiffen(&mut hessian, on, row.held));
            }
        }
        if !may_meet {
            break;
        }
    }
}

const UNIT: [Six; 6] = {
    let mut unit = [[0.0; 6]; 6];
    let mut k = 0;
    while k < 6 {
        unit[k][k] = 1.0;
        k += 1;
    }
    unit
};

/// Adds a row's stiffness to the body's matrix.
#[inline(always)]
fn stiffen(hessian: &mut [Six; 6], on: &Six, stiffness: f64) {
    if stiffness == 0.0 {
        return;
    }
    for (i, on_i) in on.iter().enumerate() {
        for (entry, on_j) in hessian[i][..=i].iter_mut().zip(on) {
            *entry += stiffness * on_i * on_j;
        }
    }
}

/// Pivots below this share of the diagonal count as zero.
const MIN_PIVOT: f64 = 1e-12;

/// Solves H x = b by Cholesky's factors. Where H is singular, x is zero.
pub(super) fn solve(h: &mut [Six; 6], mut b: Six) -> Six {
    for i in 0..6 {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| h[i][k] * h[j][k]).sum();
            let rest = h[i][j] - sum;
            h[i][j] = match i == j {
                true if rest > MIN_PIVOT * h[i][i] => rest.sqrt(),
                true => f64::INFINITY,
                false => rest / h[j][j],
            };
        }
        let sum: f64 = (0..i).map(|k| h[i][k] * b[k]).sum();
        b[i] = (b[i] - sum) / h[i][i];
    }
    for i in (0..6).rev() {
        let sum: f64 = (i + 1..6).map(|k| h[k][i] * b[k]).sum();
        b[i] = (b[i] - sum) / h[i][i];
    }
    b
}

/// Sets the scaled velocities to those that the rows' present impulses give.
pub(super) fn gather(lines: &[ScaledRow], impulses: impl Iterator<Item = f64>, y: &mut [Six]) {
    y.fill([0.0; 6]);
    lines.iter().zip(impulses).for_each(|(line, impulse)| line.apply(impulse, y));
}
