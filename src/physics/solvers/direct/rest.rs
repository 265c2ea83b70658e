//! Limits, motors, soft rows, contacts and friction: projected Gauss–Seidel on their responses while the equalities hold.

use std::ops::Range;

use super::{Scratch, is_equality, offset, shift, speed};
use crate::physics::limit_surface::{self, Surface};
use crate::physics::row::{Block, Coupling, Friction, Row};

/// What keeps a row, or a pair of rows, within bounds. Friction's are `mu` times the impulses of normal rows together.
pub(super) enum Bounds {
    /// The row's own.
    Own,
    /// |λ| ≤ radius.
    Span { mu: f32, normals: Range<usize> },
    /// ‖λ‖ ≤ radius, for this row and the next.
    Disc { mu: f32, normals: Range<usize> },
    /// This row, the next, and the one after it over `arm`, within the surface of size radius.
    Patch { mu: f32, arm: f64, surface: Surface, normals: Range<usize> },
}

impl Bounds {
    /// How far friction may go as the normal impulses stand, N·s.
    pub fn radius(mu: f32, normals: &Range<usize>, impulse: &[f64]) -> f64 {
        f64::from(mu) * impulse[normals.clone()].iter().sum::<f64>()
    }
}

/// The rows of a block with what bounds them, in the order of a sweep; friction takes no part in the split position
/// correction (`PUSH`).
pub(super) fn each<const PUSH: bool>(block: &Block, mut visit: impl FnMut(usize, Bounds)) {
    let (Coupling::Contact { normals, friction } | Coupling::Printed { normals, friction, .. }) = block.coupling else {
        return block.range().for_each(|index| visit(index, Bounds::Own));
    };
    let first = block.first as usize;
    let mut next = first + normals as usize;
    let all = first..next;
    all.clone().for_each(|index| visit(index, Bounds::Own));
    if PUSH {
        return;
    }
    match friction {
        Friction::Off => return,
        Friction::Patch { mu, arm, surface, .. } if friction.is_coupled() => {
            visit(next, Bounds::Patch { mu, arm: arm.into(), surface, normals: all.clone() });
            next += 3;
        }
        Friction::Patch { mu, arm, .. } => {
            visit(next, Bounds::Disc { mu, normals: all.clone() });
            next += 2;
            if arm > 0.0 {
                visit(next, Bounds::Span { mu: mu * arm, normals: all.clone() });
                next += 1;
            }
        }
        Friction::Cone { mu, .. } => {
            for normal in all.clone() {
                visit(next, Bounds::Disc { mu, normals: normal..normal + 1 });
                next += 2;
            }
        }
        Friction::Pyramid { mu, .. } => {
            for normal in all.clone() {
                visit(next, Bounds::Span { mu, normals: normal..normal + 1 });
                visit(next + 1, Bounds::Span { mu, normals: normal..normal + 1 });
                next += 2;
            }
        }
    }
    if friction.rolling() > 0.0 {
        visit(next, Bounds::Disc { mu: friction.rolling(), normals: all });
    }
}

/// Whether a row is none of the rest: equalities; in the split position correction drives and soft rows, too.
pub(super) fn left_out<const PUSH: bool>(row: &Row, soft: bool) -> bool {
    is_equality(row, soft) || (PUSH && !row.held && (row.gamma > 0.0 || row.lo.is_finite() && row.hi.is_finite()))
}

/// A row's own bounds; a drive has none in the split position correction.
pub(super) fn bounds<const PUSH: bool>(row: &Row) -> (f64, f64) {
    if PUSH && row.held { (f64::NEG_INFINITY, f64::INFINITY) } else { (row.lo.into(), row.hi.into()) }
}

/// One projected pass over a block; returns the largest change of a row's velocity, m/s or rad/s.
pub(super) fn sweep<const PUSH: bool>(block: &Block, rows: &mut [Row], scratch: &mut Scratch) -> f64 {
    let mut pass = Pass::<PUSH> { block, rows, scratch, moved: 0.0 };
    each::<PUSH>(block, |index, bounds| match bounds {
        Bounds::Own => pass.plain(index),
        Bounds::Span { mu, normals } => pass.bounded(index, Bounds::radius(mu, &normals, &pass.scratch.impulse)),
        Bounds::Disc { mu, normals } => pass.disc(index, Bounds::radius(mu, &normals, &pass.scratch.impulse)),
        Bounds::Patch { mu, arm, surface, normals } => {
            pass.patch(index, surface, arm, Bounds::radius(mu, &normals, &pass.scratch.impulse));
        }
    });
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
        let (lo, hi) = bounds::<PUSH>(row);
        if !left_out::<PUSH>(row, self.scratch.soft) {
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

    /// Two tangents and the twist over its arm: one common step, then projected on the surface.
    fn patch(&mut self, first: usize, surface: Surface, arm: f64, radius: f64) {
        let square = arm * arm;
        let steps = [0, 1, 2].map(|k| self.scratch.inv_k[first + k] / if k == 2 { square } else { 1.0 });
        let inv_k = steps.into_iter().filter(|step| *step > 0.0).fold(f64::INFINITY, f64::min);
        if inv_k.is_infinite() {
            return;
        }
        let mut slide = (self.wanted(first, inv_k), self.wanted(first + 1, inv_k));
        let mut spin = self.wanted(first + 2, inv_k * square) / arm;
        if let Some(found) = limit_surface::project(surface, slide, spin, radius) {
            (slide, spin) = found;
        }
        for (index, impulse, most) in
            [(first, slide.0, radius), (first + 1, slide.1, radius), (first + 2, spin * arm, arm * radius)]
        {
            (self.rows[index].lo, self.rows[index].hi) = (-most as f32, most as f32);
            self.set(index, impulse);
        }
    }
}
