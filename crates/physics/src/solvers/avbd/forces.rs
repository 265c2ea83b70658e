//! The impulses of a block's rows at the present velocities, and how stiff the rows are there.

use super::ActiveRow;
use crate::bounds::{FrictionBound, FrictionLaw};
use crate::kernel::limit_surface;
use crate::row::{Block, Row};
use crate::solvers::scaled::{ScaledRow, Six};
use crate::system::System;

/// Evaluates the rows of a block at the scaled velocities `y`: p ← clamp(λ − κ (J u + b)), friction within the bounds of
/// the last normal impulses.
pub(super) fn evaluate(system: &System, lines: &[ScaledRow], rows: &mut [ActiveRow], block: &Block, y: &[Six]) {
    let range = block.range();
    let (own, lines, rows) = (&system.rows[range.clone()], &lines[range.clone()], &mut rows[range]);
    let contact = block.coupling.contact();
    let normals = contact.map_or(own.len(), |(normals, _)| normals as usize);
    for (at, ((row, line), active)) in own.iter().zip(lines).zip(&mut *rows).enumerate() {
        let penalty = active.penalty;
        let given = 1.0 / (1.0 + penalty * f64::from(row.gamma));
        let speed = line.bias + line.speed(y);
        active.impulse = (active.multiplier - penalty * speed) * given;
        active.stiffness = penalty * given;
        if at < normals {
            bound(row, active);
        }
    }
    let Some((_, bounds)) = contact else { return };
    for bound in &system.couplings.bounds[bounds.range()] {
        project(bound, rows);
    }
}

/// Keeps an impulse within the row's own bounds.
fn bound(row: &Row, active: &mut ActiveRow) {
    let free = active.impulse;
    active.impulse = free.max(f64::from(row.lo)).min(f64::from(row.hi));
    if active.impulse != free {
        active.stiffness = 0.0;
    }
}

/// The size of a friction bound, N·s or N·m·s: from the multipliers, which no body changes, so that the energy stays one.
pub(super) fn radius(bound: &FrictionBound, rows: &[ActiveRow]) -> f64 {
    f64::from(bound.factor) * rows[bound.normals()].iter().map(|row| row.multiplier).sum::<f64>()
}

/// Projects the impulses of friction rows on their bound. Rows that slip have no stiffness.
fn project(bound: &FrictionBound, rows: &mut [ActiveRow]) {
    let radius = radius(bound, rows).max(0.0);
    let slips = match (bound.kind, &mut rows[bound.rows()]) {
        (FrictionLaw::Span | FrictionLaw::Weight, [row]) => {
            let free = row.impulse;
            row.impulse = free.clamp(-radius, radius);
            row.impulse != free
        }
        (FrictionLaw::Disc | FrictionLaw::Cone, [x, y]) => {
            let size = x.impulse.hypot(y.impulse);
            if size > radius {
                (x.impulse, y.impulse) = (x.impulse * (radius / size), y.impulse * (radius / size));
            }
            size > radius
        }
        (FrictionLaw::Surface { arm, surface }, [x, y, twist]) => {
            let arm = f64::from(arm);
            let free = [x.impulse, y.impulse, twist.impulse / arm];
            let (found, beyond) = limit_surface::project(surface, free, radius);
            if beyond {
                (x.impulse, y.impulse, twist.impulse) = (found[0], found[1], found[2] * arm);
            }
            beyond
        }
        _ => false,
    };
    if slips {
        rows[bound.rows()].iter_mut().for_each(|row| row.stiffness = 0.0);
    }
}
