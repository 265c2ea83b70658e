//! Limits, motors, soft rows, contacts and friction: projected Gauss–Seidel on their responses while the equalities hold.

use super::{Scratch, is_equality, offset, shift, speed};
use crate::physics::row::{Block, Coupling, Friction, Row};

/// One projected pass over a block; returns the largest change of a row's velocity, m/s or rad/s. Only equalities are
/// left out; drives, soft rows and friction also take no part in the split position correction (`PUSH`).
pub(super) fn sweep<const PUSH: bool>(block: &Block, rows: &mut [Row], scratch: &mut Scratch) -> f64 {
    let mut pass = Pass::<PUSH> { block, rows, scratch, moved: 0.0 };
    match block.coupling {
        Coupling::Contact { normals, friction } | Coupling::Printed { normals, friction, .. } => {
            let first = block.first as usize;
            let rest = first + normals as usize;
            (first..rest).for_each(|index| pass.plain(index));
            if !PUSH {
                pass.friction(friction, first, rest);
            }
        }
        _ => block.range().for_each(|index| pass.plain(index)),
    }
    pass.moved
}

struct Pass<'a, const PUSH: bool> {
    block: &'a Block,
    rows: &'a mut [Row],
    scratch: &'a mut Scratch,
    moved: f64,
}

impl<const PUSH: bool> Pass<'_, PUSH> {
    /// The impulse that would satisfy a row, bounds apart.
    fn wanted(&self, index: usize, inv_k: f64) -> f64 {
        let row = &self.rows[index];
        let velocities = &self.scratch.velocities;
        let (a, b) = (&velocities[self.block.a as usize], &velocities[self.block.b as usize]);
        let lambda = self.scratch.impulse[index];
        lambda - (speed(row, a, b) + offset::<PUSH>(row) + f64::from(row.gamma) * lambda) * inv_k
    }

    fn set(&mut self, index: usize, impulse: f64) {
        let (change, inv_k) = (impulse - self.scratch.impulse[index], self.scratch.inv_k[index]);
        if change != 0.0 && inv_k > 0.0 {
            self.scratch.impulse[index] = impulse;
            shift(self.scratch, index, change);
            self.moved = self.moved.max(change.abs() / inv_k);
        }
    }

    /// A row within fixed bounds.
    fn plain(&mut self, index: usize) {
        let row = &self.rows[index];
        let (lo, hi) = (f64::from(row.lo), f64::from(row.hi));
        let left_out =
            is_equality(row, self.scratch.soft) || (PUSH && (row.gamma > 0.0 || lo.is_finite() && hi.is_finite()));
        if !left_out {
            self.set(index, self.wanted(index, self.scratch.inv_k[index]).max(lo).min(hi));
        }
    }

    /// A row within ± `radius`.
    fn bounded(&mut self, index: usize, radius: f64) {
        (self.rows[index].lo, self.rows[index].hi) = (-radius as f32, radius as f32);
        self.set(index, self.wanted(index, self.scratch.inv_k[index]).max(-radius).min(radius));
    }

    /// Two rows bound by a disc: one common step, then projected radially.
    fn disc(&mut self, first: usize, radius: f64) {
        // A direction in which the equalities let nothing move, as across a plane, has no step to take part in.
        let inv_k = match (self.scratch.inv_k[first], self.scratch.inv_k[first + 1]) {
            (0.0, other) | (other, 0.0) => other,
            (one, other) => one.min(other),
        };
        let (mut x, mut y) = (self.wanted(first, inv_k), self.wanted(first + 1, inv_k));
        let length = x.hypot(y);
        if length > radius {
            (x, y) = (x * radius / length, y * radius / length);
        }
        for (index, impulse) in [(first, x), (first + 1, y)] {
            (self.rows[index].lo, self.rows[index].hi) = (-radius as f32, radius as f32);
            self.set(index, impulse);
        }
    }

    /// Friction rows from `next` on, bound by the normals `first..next` as they stand.
    fn friction(&mut self, friction: Friction, first: usize, mut next: usize) {
        let normals = next - first;
        let total: f64 = self.scratch.impulse[first..next].iter().sum();
        match friction {
            Friction::Off => return,
            Friction::Patch { mu, twist, .. } => {
                self.disc(next, f64::from(mu) * total);
                next += 2;
                if twist > 0.0 {
                    self.bounded(next, f64::from(twist) * total);
                    next += 1;
                }
            }
            Friction::Cone { mu, .. } => {
                for i in 0..normals {
                    self.disc(next, f64::from(mu) * self.scratch.impulse[first + i]);
                    next += 2;
                }
            }
            Friction::Pyramid { mu, .. } => {
                for i in 0..2 * normals {
                    self.bounded(next, f64::from(mu) * self.scratch.impulse[first + i / 2]);
                    next += 1;
                }
            }
        }
        if friction.rolling() > 0.0 {
            self.disc(next, f64::from(friction.rolling()) * total);
        }
    }
}
