//! The sweep's step for four blocks: the arithmetic of `block::BlockVelocities` and `clamp.rs`, lane by lane.

use super::lanes::{LANES, Lanes, Vectors, Velocities, set};
use super::limit::{self, OverLimit};
use super::rows::{BlockForm, BlockGroup, BoundKind, LaneBounds, LaneRow};
use crate::limit_surface::Surface;
use crate::solvers::mean;

/// The velocities of the two bodies in each lane.
#[derive(Clone, Copy)]
pub struct WideBlockVelocities {
    pub a: Velocities,
    pub b: Velocities,
}

impl WideBlockVelocities {
    /// Solves the rows of one group.
    #[inline(always)]
    pub fn solve(
        &mut self,
        way: BlockForm,
        rows: &mut [LaneRow],
        bounds: &[LaneBounds],
        inverse: Option<&[Vectors; 3]>,
    ) {
        match way {
            BlockForm::Rows => rows.iter_mut().for_each(|row| self.solve_any(row)),
            BlockForm::Anchor { soft } => {
                if let Some(inverse) = inverse {
                    self.solve_anchor(soft, rows, inverse);
                }
            }
            BlockForm::Contact { normals, mean } => {
                if mean {
                    self.solve_mean(&mut rows[..normals as usize]);
                }
                rows[..normals as usize].iter_mut().for_each(|row| self.solve_row(row));
                bounds.iter().for_each(|bound| self.solve_bound(bound, rows));
            }
        }
    }

    /// The split position correction of one group, in the lanes of `mask`.
    #[inline(always)]
    pub fn correct(&mut self, way: BlockForm, rows: &mut [LaneRow], inverse: Option<&[Vectors; 3]>, mask: Lanes) {
        match (way, inverse) {
            (BlockForm::Anchor { .. }, Some(inverse)) => {
                let [x, y, z] = rows else { return };
                let wrong = |row: &LaneRow| -(self.speed(row) + row.pseudo_bias);
                let change = times(inverse, [wrong(x), wrong(y), wrong(z)]);
                for (row, change) in [x, y, z].into_iter().zip(change) {
                    let change = change & mask;
                    row.pseudo_impulse += change;
                    self.apply(row, change);
                }
            }
            (BlockForm::Anchor { .. }, None) => {}
            (BlockForm::Rows, _) => rows.iter_mut().for_each(|row| self.correct_row(row, mask)),
            (BlockForm::Contact { normals, .. }, _) => {
                rows[..normals as usize].iter_mut().for_each(|row| self.correct_row(row, mask));
            }
        }
    }

    /// Puts back the velocities of bodies that are not dynamic: a change by nothing can turn the sign of a zero.
    #[inline(always)]
    pub fn keep_still(&mut self, group: &BlockGroup, start: &Self) {
        self.a.restore(&start.a, group.moves_a);
        self.b.restore(&start.b, group.moves_b);
    }

    /// Mask of the lanes in which neither body moves.
    #[inline(always)]
    pub fn at_rest(&self) -> Lanes {
        let size = |v: &Vectors| v.x.abs() + v.y.abs() + v.z.abs();
        let sum = size(&self.a.linear) + size(&self.a.angular) + size(&self.b.linear) + size(&self.b.angular);
        sum.simd_eq(Lanes::ZERO)
    }

    /// J u.
    #[inline(always)]
    fn speed(&self, row: &LaneRow) -> Lanes {
        let along = row.lin * (self.b.linear - self.a.linear);
        (along + row.ang_a * self.a.angular + row.ang_b * self.b.angular).sum()
    }

    /// Δλ before clamping.
    #[inline(always)]
    fn step(&self, row: &LaneRow) -> Lanes {
        -(self.speed(row) + row.bias + row.gamma * row.impulse) * row.inv_k
    }

    /// u ← u + M⁻¹ Jᵀ Δλ.
    #[inline(always)]
    fn apply(&mut self, row: &LaneRow, lambda: Lanes) {
        self.a.linear -= row.lin * (row.inv_ma * lambda);
        self.a.angular += row.inv_ia * lambda;
        self.b.linear += row.lin * (row.inv_mb * lambda);
        self.b.angular += row.inv_ib * lambda;
    }

    #[inline(always)]
    fn solve_row(&mut self, row: &mut LaneRow) {
        let impulse = clamped(row.impulse + self.step(row), row);
        let change = impulse - row.impulse;
        row.impulse = impulse;
        self.apply(row, change);
    }

    /// See `solvers/mean.rs`.
    #[inline(always)]
    fn solve_mean(&mut self, rows: &mut [LaneRow]) {
        let Some((first, others)) = rows.split_first() else { return };
        let mut mean = *first;
        let (mut offset, mut least) = (first.bias + first.gamma * first.impulse, first.impulse);
        for row in others {
            mean.ang_a += row.ang_a;
            mean.ang_b += row.ang_b;
            mean.inv_ia += row.inv_ia;
            mean.inv_ib += row.inv_ib;
            mean.gamma += row.gamma;
            offset += row.bias + row.gamma * row.impulse;
            least = least.fast_min(row.impulse);
        }
        let count = rows.len() as f32;
        let share = Lanes::splat(1.0 / count);
        for part in [&mut mean.ang_a, &mut mean.ang_b, &mut mean.inv_ia, &mut mean.inv_ib] {
            *part = *part * share;
        }
        let size = mean.lin.dot(mean.lin);
        let rigid =
            (mean.inv_ma * size + mean.ang_a.dot(mean.inv_ia)) + (mean.inv_mb * size + mean.ang_b.dot(mean.inv_ib));
        let k = rigid + mean.gamma * share * share;
        let step = -(self.speed(&mean) + offset * share) / k;
        let step = step.fast_max(-least * Lanes::splat(count)) + Lanes::ZERO;
        let step = k.simd_gt(Lanes::splat(mean::NOTHING)) & step;
        rows.iter_mut().for_each(|row| row.impulse += step * share);
        self.apply(&mean, step);
    }

    /// Rows that may be bounded or not, by lane: an unbounded one adds its step directly, see `block::solve_free`.
    #[inline(always)]
    fn solve_any(&mut self, row: &mut LaneRow) {
        let infinity = Lanes::splat(f32::INFINITY);
        let free = row.lo.simd_eq(-infinity) & row.hi.simd_eq(infinity);
        let step = self.step(row);
        let whole = row.impulse + step;
        let impulse = free.select(whole, clamped(whole, row));
        let change = free.select(step, impulse - row.impulse);
        row.impulse = impulse;
        self.apply(row, change);
    }

    #[inline(always)]
    fn solve_anchor(&mut self, soft: bool, rows: &mut [LaneRow], inverse: &[Vectors; 3]) {
        let [x, y, z] = rows else { return };
        let wrong = |row: &LaneRow| {
            let rigid = self.speed(row) + row.bias;
            -(if soft { rigid + row.gamma * row.impulse } else { rigid })
        };
        let change = times(inverse, [wrong(x), wrong(y), wrong(z)]);
        for (row, change) in [x, y, z].into_iter().zip(change) {
            row.impulse += change;
            self.apply(row, change);
        }
    }

    #[inline(always)]
    fn correct_row(&mut self, row: &mut LaneRow, mask: Lanes) {
        let infinity = Lanes::splat(f32::INFINITY);
        let bounded = row.lo.abs().simd_lt(infinity) & row.hi.abs().simd_lt(infinity);
        let out = row.gamma.simd_gt(Lanes::ZERO) | bounded;
        let step = -(self.speed(row) + row.pseudo_bias) * row.inv_k;
        let impulse = clamped(row.pseudo_impulse + step, row);
        let change = (!out & mask) & (impulse - row.pseudo_impulse);
        row.pseudo_impulse = (!out & mask).select(impulse, row.pseudo_impulse);
        self.apply(row, change);
    }

    #[inline(always)]
    fn solve_bound(&mut self, bound: &LaneBounds, rows: &mut [LaneRow]) {
        let (from, to) = bound.shape.normals;
        let normals = rows[from as usize..to as usize].iter().map(|row| row.impulse);
        let radius = bound.factor * normals.fold(Lanes::ZERO, |sum, impulse| sum + impulse);
        let first = bound.shape.first as usize;
        match bound.shape.kind {
            BoundKind::Span => {
                let row = &mut rows[first];
                (row.lo, row.hi) = (-radius, radius);
                self.solve_row(row);
            }
            BoundKind::Disc => self.solve_disc(&mut rows[first..first + 2], radius),
            BoundKind::Surface(surface) => {
                self.solve_surface(&mut rows[first..first + 3], surface, bound.arm, radius);
            }
        }
    }

    #[inline(always)]
    fn solve_disc(&mut self, rows: &mut [LaneRow], radius: Lanes) {
        let [first, second] = rows else { return };
        let (x, y) = (first.impulse + self.step(first), second.impulse + self.step(second));
        let length = (x * x + y * y).sqrt();
        let beyond = length.simd_gt(radius);
        let shrink = radius / length;
        self.take(first, beyond.select(x * shrink, x), radius);
        self.take(second, beyond.select(y * shrink, y), radius);
    }

    #[inline(always)]
    fn solve_surface(&mut self, rows: &mut [LaneRow], surface: Surface, arm: Lanes, radius: Lanes) {
        let [first, second, twist] = rows else { return };
        let mut x = first.impulse + self.step(first);
        let mut y = second.impulse + self.step(second);
        let mut torsion = (twist.impulse + self.step(twist)) / arm;
        let near = (x * x + y * y + torsion * torsion).simd_gt(Lanes::splat(0.86) * radius * radius);
        if near.any() {
            let mut list = [OverLimit::default(); LANES];
            let count = limit_list(&mut list, 0, near, [x, y, torsion, radius]);
            limit::project(surface, &mut list[..count]);
            for asked in &list[..count] {
                give_back(asked, [&mut x, &mut y, &mut torsion]);
            }
        }
        self.take(first, x, radius);
        self.take(second, y, radius);
        self.take(twist, torsion * arm, arm * radius);
    }

    #[inline(always)]
    fn take(&mut self, row: &mut LaneRow, impulse: Lanes, most: Lanes) {
        let change = impulse - row.impulse;
        row.impulse = impulse;
        (row.lo, row.hi) = (-most, most);
        self.apply(row, change);
    }
}

/// Appends the lanes of the mask `near` to `list`: slide, torsion and radius of group `group`. Returns how many there
/// are.
#[inline(always)]
pub(super) fn limit_list(list: &mut [OverLimit], group: u8, near: Lanes, of: [Lanes; 4]) -> usize {
    let (near, [x, y, torsion, radius]) = (near.to_bitmask(), of.map(Lanes::to_array));
    let mut count = 0;
    for lane in (0..LANES).filter(|lane| near & (1 << lane) != 0) {
        let slide = (x[lane], y[lane]);
        list[count] = OverLimit { slide, torsion: torsion[lane], radius: radius[lane], group, lane: lane as u8 };
        count += 1;
    }
    count
}

/// Writes a projected impulse back to its lane.
#[inline(always)]
pub(super) fn give_back(asked: &OverLimit, [x, y, torsion]: [&mut Lanes; 3]) {
    let lane = asked.lane as usize;
    set(x, lane, asked.slide.0);
    set(y, lane, asked.slide.1);
    set(torsion, lane, asked.torsion);
}

/// Clamps to the row's own bounds; NaN becomes the lower one.
#[inline(always)]
fn clamped(impulse: Lanes, row: &LaneRow) -> Lanes {
    impulse.fast_max(row.lo).fast_min(row.hi)
}

/// A matrix times a vector.
#[inline(always)]
fn times(matrix: &[Vectors; 3], [x, y, z]: [Lanes; 3]) -> [Lanes; 3] {
    let product = matrix[0] * x + matrix[1] * y + matrix[2] * z;
    [product.x, product.y, product.z]
}
