//! The equality rows, A λ = −(J u + b), solved by LDLᵀ over the graph of joints.

use super::bounded::is_equality;
use super::envelope::{self, Envelope};
use super::{REDUNDANT, Scratch};
use crate::body::Body;
use crate::solvers::scaled::Six;
use crate::system::System;
use crate::work::Work;

/// Builds and factors A over the equality rows. False, and nothing built, if that exceeds the limit of work.
pub(super) fn factor(system: &System, scratch: &mut Scratch, bodies: &[Box<Body>], work: &mut Work) -> bool {
    let Scratch { order, chosen, equal, lines, matrix, loose, is_loose, earliest, first, .. } = scratch;
    let equalities = |index: u32| system.blocks[index as usize].range().filter(|row| is_equality(&system.rows[*row]));
    chosen.clear();
    chosen.extend((0..system.blocks.len() as u32).filter(|index| equalities(*index).next().is_some()));
    order.find(&system.blocks, chosen, bodies);
    equal.clear();
    equal.extend(order.blocks.iter().flat_map(|index| equalities(*index)).map(|row| row as u32));
    // For each row, the earliest row that shares a dynamic body with it.
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
    // An entry costs about as much as ten multiplications.
    let cost = envelope::cost(first.iter().copied())
        + first.iter().enumerate().map(|(row, first)| 10 * (row + 1 - first) as u64).sum::<u64>();
    if !work.charge(cost) {
        return false;
    }
    let build = |matrix: &mut Envelope, compliance: f64| {
        matrix.shape(first.iter().copied());
        for (i, row) in equal.iter().enumerate() {
            let line = &lines[*row as usize];
            for (j, other) in equal[..=i].iter().enumerate().skip(first[i]) {
                *matrix.at(i, j) = line.couple(&lines[*other as usize]);
            }
            *matrix.at(i, i) += compliance * line.weight;
        }
        matrix.factor(if compliance > 0.0 { 0.0 } else { REDUNDANT });
    };
    build(matrix, 0.0);
    *is_loose = (0..equal.len()).any(|i| matrix.is_redundant(i));
    if *is_loose {
        if !work.charge(cost) {
            return false;
        }
        build(loose, REDUNDANT);
    }
    true
}

impl Scratch {
    /// Equality rows that are not redundant.
    pub(super) fn independent(&self) -> impl Iterator<Item = usize> + '_ {
        let independent = |(i, row): (usize, &u32)| (!self.matrix.is_redundant(i)).then_some(*row as usize);
        self.equal.iter().enumerate().filter_map(independent)
    }

    /// Solves the equalities: λ += −A⁻¹ (J u + b). Repeating it refines the result.
    pub(super) fn solve_equalities(&mut self) {
        let Self { right, equal, lines, y, impulse, matrix, .. } = self;
        right.clear();
        right.extend(equal.iter().map(|row| &lines[*row as usize]).map(|line| -line.bias - line.speed(y)));
        matrix.solve(right);
        for (row, lambda) in equal.iter().zip(right.iter()) {
            impulse[*row as usize] += lambda;
            lines[*row as usize].apply(*lambda, y);
        }
    }

    /// Projects a change of velocities on those that keep the equalities.
    pub(super) fn project(&mut self, change: &mut [Six]) {
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

    /// Removes from redundant equalities the part of the impulses that has no effect, so that the smallest impulses
    /// remain. With W the weights, τ (A + τ W)⁻¹ W keeps the part of λ in A's null space and reduces the rest to less
    /// than τ/a of it, a being the eigenvalue of A; applied three times, to less than its third power.
    pub(super) fn spread(&mut self) {
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
        (0..2).for_each(|_| self.solve_equalities());
    }
}
