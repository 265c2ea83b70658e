//! The bounds of rows that depend on other rows' impulses (`bounds.rs`), such as friction, for one block. The
//! arithmetic is that of `kernel/bound.rs`.

use crate::bounds::{FrictionBound, FrictionLaw};
use crate::kernel::bodies::Bodies;
use crate::kernel::bound::{self, Patch};
use crate::kernel::cone;
use crate::kernel::limit_surface::{self, Surface};
use crate::kernel::row::SolverRow;

/// Solves the rows of one bound; `rows` are those of the block.
#[inline(always)]
pub fn solve_bound<B: Bodies<Number = f32>, W: SolverRow<Number = f32, Shared = ()>>(
    bodies: &mut B,
    bound: &FrictionBound,
    rows: &mut [W],
) {
    let radius = bound.radius(rows);
    let first = bound.first as usize;
    match bound.kind {
        FrictionLaw::Span | FrictionLaw::Weight => bound::solve_span(bodies, &mut rows[first], (), radius),
        FrictionLaw::Disc => bound::solve_disc::<true, _, _>(bodies, &mut rows[first..first + 2], (), radius),
        FrictionLaw::Cone => {
            if let Ok([normal, x, y]) = rows.get_disjoint_mut([bound.normals.0 as usize, first, first + 1]) {
                cone::solve_point(bodies, [normal, x, y], bound.factor);
            }
        }
        FrictionLaw::Surface { arm, surface } => {
            solve_surface(bodies, &mut rows[first..first + 3], surface, arm, radius);
        }
    }
}

/// Two tangents and the twist divided by its `arm`, m, bounded together.
#[inline(always)]
fn solve_surface<B: Bodies<Number = f32>, W: SolverRow<Number = f32, Shared = ()>>(
    bodies: &mut B,
    rows: &mut [W],
    surface: Surface,
    arm: f32,
    radius: f32,
) {
    let [x, y, twist] = rows else { return };
    let mut patch = Patch::step::<true, _, _, _>(bodies, (&*x, &*y, ()), (&*twist, ()), arm);
    if patch.may_exceed(radius) {
        let unprojected = [patch.x, patch.y, patch.torsion].map(f64::from);
        let [x, y, torsion] = limit_surface::project(surface, unprojected, radius.into()).0.map(|v| v as f32);
        patch = Patch { x, y, torsion };
    }
    patch.set_projected(bodies, (x, y, ()), (twist, ()), (arm, radius));
}
