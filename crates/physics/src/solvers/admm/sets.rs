//! The sets that bound impulses, and the nearest point of each.
//!
//! ```text
//! interval  lo ≤ λ ≤ hi                                    stops, motors, normal rows
//! disc      ‖λt‖ ≤ µ Σ λn, the normals as just projected   friction of a point, rolling; span: one row of it
//! patch     two tangents and a twist in a limit surface of size µ Σ λn
//! cone      ‖λt‖ ≤ µ λn, three rows together               friction by the exact cone
//! ```
//! Distances are measured with one weight for all rows of a set, so that the nearest point is that of geometry.

use std::ops::Range;

use crate::bounds::FrictionLaw;
use crate::kernel::limit_surface::{self, Surface};
use crate::row::{Block, Row};
use crate::system::couplings::Couplings;

/// The shape of a set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape {
    Interval {
        lo: f64,
        hi: f64,
    },
    Span,
    Disc,
    /// A twist over `arm`, m.
    Patch {
        arm: f64,
        surface: Surface,
    },
    /// Two tangents with their normal row.
    Cone,
}

/// Rows that are bounded together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Set {
    pub shape: Shape,
    /// Index of its first row: an interval's only one, otherwise the first tangent.
    pub first: usize,
    /// The coefficient of friction, or a length of rolling friction, m.
    pub mu: f64,
    /// The normal rows whose impulses set the size.
    pub normals: Range<usize>,
}

impl Set {
    /// Its rows, without the normal row of a cone.
    pub fn rows(&self) -> Range<usize> {
        self.first
            ..self.first
                + match self.shape {
                    Shape::Interval { .. } | Shape::Span => 1,
                    Shape::Disc | Shape::Cone => 2,
                    Shape::Patch { .. } => 3,
                }
    }

    /// The length by which the impulse of the `k`-th row is divided to compare it with the others, m.
    pub fn lever(&self, k: usize) -> f64 {
        match self.shape {
            Shape::Patch { arm, .. } if k == 2 => arm,
            _ => 1.0,
        }
    }

    /// Replaces impulses, by row of the system, by the nearest ones in the set. The normal rows must have been projected
    /// before, unless the set is a cone.
    pub fn project(&self, impulses: &mut [f64]) {
        let i = self.first;
        let radius = self.mu * impulses[self.normals.clone()].iter().sum::<f64>().max(0.0);
        match self.shape {
            Shape::Interval { lo, hi } => impulses[i] = impulses[i].max(lo).min(hi),
            Shape::Span => impulses[i] = impulses[i].clamp(-radius, radius),
            Shape::Disc => {
                let share = (radius / impulses[i].hypot(impulses[i + 1])).min(1.0);
                if share < 1.0 {
                    impulses[i..i + 2].iter_mut().for_each(|impulse| *impulse *= share);
                }
            }
            Shape::Patch { .. } if radius == 0.0 => impulses[i..i + 3].fill(0.0),
            Shape::Patch { arm, surface } => {
                let point = [impulses[i], impulses[i + 1], impulses[i + 2] / arm];
                let (inside, _) = limit_surface::project(surface, point, radius);
                impulses[i..i + 3].copy_from_slice(&[inside[0], inside[1], inside[2] * arm]);
            }
            Shape::Cone => {
                let n = self.normals.start;
                let (normal, tangent) = (impulses[n], impulses[i].hypot(impulses[i + 1]));
                if tangent <= self.mu * normal {
                    return;
                }
                // On the surface of the cone, or at its tip.
                let along = ((normal + self.mu * tangent) / (1.0 + self.mu * self.mu)).max(0.0);
                let share = if tangent > 0.0 { self.mu * along / tangent } else { 0.0 };
                impulses[n] = along;
                impulses[i..i + 2].iter_mut().for_each(|impulse| *impulse *= share);
            }
        }
    }
}

/// Whether a row has neither bounds nor a friction law.
pub(super) fn is_unbounded(row: &Row) -> bool {
    row.lo == f32::NEG_INFINITY && row.hi == f32::INFINITY
}

/// Lists the sets of a block: intervals before the friction that depends on them. In the split position correction
/// (`PSEUDO`) friction and soft rows take no part.
pub(super) fn of_block<const PSEUDO: bool>(block: &Block, rows: &[Row], couplings: &Couplings, list: &mut Vec<Set>) {
    let mut interval = |index: usize| {
        let row = &rows[index];
        if is_active::<PSEUDO>(row) && !is_unbounded_in::<PSEUDO>(row) {
            let shape = Shape::Interval { lo: row.lo.into(), hi: row.hi.into() };
            list.push(Set { shape, first: index, mu: 0.0, normals: 0..0 });
        }
    };
    let Some((normals, bounds)) = block.coupling.contact() else {
        return block.range().for_each(interval);
    };
    let first = block.first as usize;
    let bounds = &couplings.bounds[bounds.range()];
    let in_cone = |index: usize| {
        !PSEUDO
            && bounds.iter().any(|bound| bound.kind == FrictionLaw::Cone && bound.normals().contains(&(index - first)))
    };
    (first..first + normals as usize).filter(|index| !in_cone(*index)).for_each(&mut interval);
    if PSEUDO {
        return;
    }
    list.extend(bounds.iter().map(|bound| Set {
        shape: match bound.kind {
            FrictionLaw::Span | FrictionLaw::Weight => Shape::Span,
            FrictionLaw::Disc => Shape::Disc,
            FrictionLaw::Cone => Shape::Cone,
            FrictionLaw::Surface { arm, surface } => Shape::Patch { arm: arm.into(), surface },
        },
        first: first + bound.first as usize,
        mu: bound.factor.into(),
        normals: first + bound.normals.0 as usize..first + bound.normals.1 as usize,
    }));
}

/// Whether a row takes part.
pub(super) fn is_active<const PSEUDO: bool>(row: &Row) -> bool {
    let passed = !row.in_drive_block && (row.gamma > 0.0 || row.lo.is_finite() && row.hi.is_finite());
    row.inv_k > 0.0 && !(PSEUDO && passed)
}

/// The same, where the split position correction frees drives that keep to a target.
pub(super) fn is_unbounded_in<const PSEUDO: bool>(row: &Row) -> bool {
    is_unbounded(row) || PSEUDO && row.in_drive_block
}

#[cfg(test)]
mod tests {
    use super::{Set, Shape};

    /// The nearest point of a convex set: the way to it is normal to the set, (x − p)·(q − p) ≤ 0 for all q in it.
    #[test]
    fn the_nearest_point_of_a_cone() {
        let mu = 0.6;
        let cone = Set { shape: Shape::Cone, first: 1, mu, normals: 0..1 };
        for x in [[1.0, 0.2, 0.1], [1.0, 2.0, -1.0], [-1.0, 1.0, 0.5], [-3.0, 0.1, 0.0], [0.0, 0.0, 0.0]] {
            let mut p = x;
            cone.project(&mut p);
            assert!(p[1].hypot(p[2]) <= mu * p[0] + 1e-12, "{x:?} to {p:?}");
            for turn in 0..16 {
                let (sin, cos) = (f64::from(turn) * 0.4).sin_cos();
                for (height, share) in [(0.0, 0.0), (1.0, 1.0), (3.0, 1.0), (2.0, 0.5)] {
                    let q = [height, share * mu * height * cos, share * mu * height * sin];
                    let dot: f64 = (0..3).map(|k| (x[k] - p[k]) * (q[k] - p[k])).sum();
                    assert!(dot <= 1e-12, "{x:?} to {p:?}, {q:?} in the cone: {dot}");
                }
            }
        }
    }
}
