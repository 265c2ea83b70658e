//! The sweep's step for eight blocks: which of the kernel's formulas solves which rows, as `solvers/block.rs` has it for
//! one block.

use super::lanes::{LANES, LanePair, Lanes, Vectors, Velocities, set};
use super::limit::{self, OverLimit};
use super::rows::{BlockForm, BlockGroup, BoundKind, LaneBounds, LaneRow};
use crate::body::Velocity;
use crate::kernel::bodies::Pair;
use crate::kernel::bound::{self, Patch};
use crate::kernel::limit_surface::Surface;
use crate::kernel::row;
use crate::kernel::split;

/// Reads the velocities of a group's bodies.
#[inline(always)]
pub fn gather(group: &BlockGroup, velocities: &[Velocity]) -> LanePair {
    Pair { a: Velocities::gather(velocities, group.a), b: Velocities::gather(velocities, group.b) }
}

/// Writes those of the bodies that move.
#[inline(always)]
pub fn scatter(group: &BlockGroup, pair: &LanePair, velocities: &mut [Velocity]) {
    pair.a.scatter(velocities, group.a, group.moves_a);
    pair.b.scatter(velocities, group.b, group.moves_b);
}

/// Puts back the velocities of bodies that are not dynamic: a change by nothing can turn the sign of a zero.
#[inline(always)]
pub fn restore_static(group: &BlockGroup, pair: &mut LanePair, start: &LanePair) {
    pair.a.restore(&start.a, group.moves_a);
    pair.b.restore(&start.b, group.moves_b);
}

/// Solves the rows of one group.
#[inline(always)]
pub fn solve(
    pair: &mut LanePair,
    form: BlockForm,
    rows: &mut [LaneRow],
    bounds: &[LaneBounds],
    (inverse, share): (Option<&[Vectors; 3]>, Lanes),
) {
    match (form, inverse) {
        (BlockForm::Rows, _) => {
            for row in rows {
                let free = row::is_free(row.lo, row.hi);
                row::solve_some_free(pair, row, (), free);
            }
        }
        (BlockForm::Anchor { soft: false }, Some(inverse)) => {
            row::solve_anchor::<false, _, _>(pair, rows, (), inverse);
        }
        (BlockForm::Anchor { soft: true }, Some(inverse)) => row::solve_anchor::<true, _, _>(pair, rows, (), inverse),
        (BlockForm::EvenAnchor, Some(inverse)) => row::solve_even_anchor(pair, rows, (), inverse, share),
        (BlockForm::Anchor { .. } | BlockForm::EvenAnchor, None) => {}
        (BlockForm::Contact { normals, mean }, _) => {
            let count = normals as usize;
            if mean {
                let rows = &mut rows[..count];
                let mean = LaneRow::mean(rows);
                mean.solve::<true, _>(pair, rows, mean.mobility());
            }
            rows[..count].iter_mut().for_each(|row| row::solve::<true, _, _>(pair, row, ()));
            bounds.iter().for_each(|bound| solve_bound(pair, bound, rows));
        }
    }
}

/// The split position correction of one group, in the lanes of `mask`.
#[inline(always)]
pub fn correct(
    pair: &mut LanePair,
    form: BlockForm,
    rows: &mut [LaneRow],
    inverse: Option<&[Vectors; 3]>,
    mask: Lanes,
) {
    let rows = match (form, inverse) {
        (BlockForm::Anchor { .. }, Some(inverse)) => return split::correct_anchor(pair, rows, (), inverse, mask),
        (BlockForm::Anchor { .. }, None) | (BlockForm::EvenAnchor, _) => return,
        (BlockForm::Rows, _) => rows,
        (BlockForm::Contact { normals, .. }, _) => &mut rows[..normals as usize],
    };
    for row in rows {
        let corrected = split::is_corrected(row.gamma, row.lo, row.hi) & mask;
        split::correct(pair, row, (), corrected);
    }
}

#[inline(always)]
fn solve_bound(pair: &mut LanePair, bound: &LaneBounds, rows: &mut [LaneRow]) {
    let (from, to) = bound.shape.normals;
    let normals = rows[from as usize..to as usize].iter().map(|row| row.impulse);
    let radius = bound.factor * normals.fold(Lanes::ZERO, |sum, impulse| sum + impulse);
    let first = bound.shape.first as usize;
    match bound.shape.kind {
        BoundKind::Span => bound::solve_span(pair, &mut rows[first], (), radius),
        BoundKind::Disc => bound::solve_disc::<true, _, _>(pair, &mut rows[first..first + 2], (), radius),
        BoundKind::Surface(surface) => {
            solve_surface(pair, &mut rows[first..first + 3], surface, bound.arm, radius);
        }
    }
}

#[inline(always)]
fn solve_surface(pair: &mut LanePair, rows: &mut [LaneRow], surface: Surface, arm: Lanes, radius: Lanes) {
    let [first, second, twist] = rows else { return };
    let mut patch = Patch::step::<true, _, _, _>(pair, (&*first, &*second, ()), (&*twist, ()), arm);
    let near = patch.may_exceed(radius);
    if near.any() {
        let mut list = [OverLimit::default(); LANES];
        let count = limit_list(&mut list, 0, near, patch, radius);
        limit::project(surface, &mut list[..count]);
        list[..count].iter().for_each(|unprojected| write_projected(unprojected, &mut patch));
    }
    patch.set_projected(pair, (first, second, ()), (twist, ()), (arm, radius));
}

/// Appends the lanes of the mask `near` to `list`: what group `group` asks for, and the radius. Returns how many there
/// are.
#[inline(always)]
pub(super) fn limit_list(list: &mut [OverLimit], group: u8, near: Lanes, patch: Patch<Lanes>, radius: Lanes) -> usize {
    let (near, [x, y, torsion, radius]) =
        (near.to_bitmask(), [patch.x, patch.y, patch.torsion, radius].map(Lanes::to_array));
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
pub(super) fn write_projected(unprojected: &OverLimit, patch: &mut Patch<Lanes>) {
    let lane = unprojected.lane as usize;
    set(&mut patch.x, lane, unprojected.slide.0);
    set(&mut patch.y, lane, unprojected.slide.1);
    set(&mut patch.torsion, lane, unprojected.torsion);
}
