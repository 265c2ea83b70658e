//! Rows with bounds: the impulse as a function of the row's velocity, and its derivative.
//!
//! ```text
//! λ(w) = P(λ₀ − w/ε)             P: projection on the bounds; ε: a small compliance; λ₀ = 0 initially
//! D = −dλ/dw = P'/ε              free  1/ε · at a bound  0 · on a disc  r/‖z‖ (1 − z zᵀ/‖z‖²)/ε
//! ```
//! A soft row has λ(w) = P((ε λ₀ − w)/(ε + γ)). On a limit surface P' is ρ/(ρ + distance) along the curve of slide
//! and torsion, with ρ its radius of curvature; across it, the factor by which the slide shrinks; along the normal,
//! zero.

use std::ops::Range;

use crate::bounds::FrictionLaw;
use crate::kernel::limit_surface::{self, Surface};
use crate::row::{Block, Row};
use crate::system::couplings::Couplings;

/// The bounds of one row, or of two or three rows together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FeasibleSet {
    /// The bounds of a single row.
    Own { lo: f64, hi: f64 },
    /// |λ| ≤ radius.
    Span,
    /// ‖λ‖ ≤ radius, of two rows.
    Disc,
    /// Two tangents, and a twist over `arm`, within the limit surface of size radius.
    Patch { arm: f64, surface: Surface },
}

impl FeasibleSet {
    /// Number of rows bounded together.
    pub fn count(&self) -> usize {
        match self {
            Self::Own { .. } | Self::Span => 1,
            Self::Disc => 2,
            Self::Patch { .. } => 3,
        }
    }
}

/// Rows bounded together. The friction radius is `mu` times the sum of the impulses of the `normals`, as of the last
/// update.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BoundRows {
    /// Index of the first of its rows.
    pub first: usize,
    pub bounds: FeasibleSet,
    pub mu: f64,
    pub normals: Range<usize>,
    /// The friction radius, N·s.
    pub radius: f64,
}

/// State of one row.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct RowState {
    /// 1/(ε weight); zero for a row that moves no body.
    pub stiff: f64,
    /// Weight of the impulse in the least norm, 1/kg, and softness γ.
    pub weight: f64,
    pub gamma: f64,
    /// λ₀.
    pub centre: f64,
    /// λ.
    pub impulse: f64,
    /// λ at the best iterate so far (smallest residual).
    pub kept: f64,
    /// Its row of D, lower triangle: entries for the rows bounded with it up to itself.
    pub slope: [f64; 3],
}

impl BoundRows {
    /// Indices of its rows.
    pub fn rows(&self) -> Range<usize> {
        self.first..self.first + self.bounds.count()
    }

    /// The factor of its k-th row: the friction impulse of the row is at most the radius times this; 1, or the arm in
    /// m.
    pub fn lever(&self, k: usize) -> f64 {
        match self.bounds {
            FeasibleSet::Patch { arm, .. } if k == 2 => arm,
            _ => 1.0,
        }
    }

    /// The radius that the present normal impulses give, N·s.
    pub fn wanted_radius(&self, states: &[RowState]) -> f64 {
        self.mu * states[self.normals.clone()].iter().map(|state| state.impulse).sum::<f64>()
    }

    /// Sets the impulses for the given velocities of its rows; with `SLOPES` also their derivatives.
    pub fn respond<const SLOPES: bool>(&self, speeds: &[f64], states: &mut [RowState]) {
        let target = |state: &RowState, w: f64| state.centre - w * state.stiff;
        match self.bounds {
            FeasibleSet::Own { lo, hi } => states[0].clamp::<SLOPES>(speeds[0], lo, hi),
            FeasibleSet::Span => states[0].clamp::<SLOPES>(speeds[0], -self.radius, self.radius),
            FeasibleSet::Disc => {
                let z = (target(&states[0], speeds[0]), target(&states[1], speeds[1]));
                let length = (z.0 * z.0 + z.1 * z.1).sqrt();
                let share = if length > self.radius { self.radius / length } else { 1.0 };
                (states[0].impulse, states[1].impulse) = (z.0 * share, z.1 * share);
                if SLOPES {
                    let (x, y) = if share < 1.0 { (z.0 / length, z.1 / length) } else { (0.0, 0.0) };
                    let slope = share * states[0].stiff.max(states[1].stiff);
                    states[0].slope = [slope * (1.0 - x * x), 0.0, 0.0];
                    states[1].slope = [-slope * x * y, slope * (1.0 - y * y), 0.0];
                }
            }
            FeasibleSet::Patch { arm, surface } => {
                // The twist impulse over the arm, N·s, has the velocity of the arm's end.
                let slide = (target(&states[0], speeds[0]), target(&states[1], speeds[1]));
                let torsion = target(&states[2], speeds[2]) / arm;
                let projection = project(surface, slide, torsion, self.radius);
                (states[0].impulse, states[1].impulse) = (slide.0 * projection.across, slide.1 * projection.across);
                states[2].impulse = projection.torsion * arm;
                if SLOPES {
                    projection.slopes(slide, torsion, arm, states);
                }
            }
        }
    }
}

impl RowState {
    fn clamp<const SLOPES: bool>(&mut self, speed: f64, lo: f64, hi: f64) {
        let divisor = 1.0 + self.gamma * self.stiff;
        let target = (self.centre - speed * self.stiff) / divisor;
        self.impulse = target.max(lo).min(hi);
        if SLOPES {
            let free = lo < target && target < hi;
            self.slope = [if free { self.stiff / divisor } else { 0.0 }, 0.0, 0.0];
        }
    }
}

/// The projection of slide and torsion on a limit surface.
struct Projection {
    /// The factor by which the slide shrinks, which is also P' across it.
    across: f64,
    /// N·s.
    torsion: f64,
    /// P' along the curve of slide and torsion, whose normal is (c, s); `None` inside the surface.
    along: Option<(f64, f64, f64)>,
}

fn project(surface: Surface, slide: (f64, f64), torsion: f64, radius: f64) -> Projection {
    if radius <= 0.0 {
        return Projection { across: 0.0, torsion: 0.0, along: Some((0.0, 1.0, 0.0)) };
    }
    let length = (slide.0 * slide.0 + slide.1 * slide.1).sqrt();
    let (f, m) = (length / radius, torsion.abs() / radius);
    let (nearest, true) = limit_surface::outside(surface, f, m) else {
        return Projection { across: 1.0, torsion, along: None };
    };
    let (c, s) = nearest.normal;
    let curve_radius = nearest.radius(surface);
    let distance = (f - nearest.force) * c + (m - nearest.moment) * s;
    let along = curve_radius / (curve_radius + distance.max(0.0));
    // Without slide, P' in the slide directions equals P' along the curve.
    let across = if f > 1e-9 { nearest.force / f } else { along };
    Projection { across, torsion: (nearest.moment * radius).copysign(torsion), along: Some((along, c, s)) }
}

impl Projection {
    fn slopes(&self, slide: (f64, f64), torsion: f64, arm: f64, states: &mut [RowState]) {
        let length = (slide.0 * slide.0 + slide.1 * slide.1).sqrt();
        let (x, y) = if length > 0.0 { (slide.0 / length, slide.1 / length) } else { (1.0, 0.0) };
        let stiff = states[0].stiff.max(states[1].stiff).max(states[2].stiff / (arm * arm));
        let (slides, mixed, torsions) = match self.along {
            None => (1.0, 0.0, 1.0),
            Some((along, c, s)) => (along * s * s, -along * c * s * torsion.signum(), along * c * c),
        };
        let (across, difference) = (self.across * stiff, (slides - self.across) * stiff);
        states[0].slope = [across + difference * x * x, 0.0, 0.0];
        states[1].slope = [difference * x * y, across + difference * y * y, 0.0];
        let mixed = mixed * arm * stiff;
        states[2].slope = [mixed * x, mixed * y, torsions * arm * arm * stiff];
    }
}

/// Lists the bounded rows of a block; friction takes no part in the split position correction (`PSEUDO`).
pub(super) fn of_block<const PSEUDO: bool>(
    block: &Block,
    rows: &[Row],
    couplings: &Couplings,
    list: &mut Vec<BoundRows>,
) {
    let push_row = |list: &mut Vec<BoundRows>, index: usize| {
        let row = &rows[index];
        if is_equality(row) || row.inv_k == 0.0 || (PSEUDO && is_passed_by(row)) {
            return;
        }
        // In the split position correction a drive that keeps to a target has no bounds.
        let (lo, hi) = if PSEUDO && row.in_drive_block {
            (f64::NEG_INFINITY, f64::INFINITY)
        } else {
            (row.lo.into(), row.hi.into())
        };
        list.push(BoundRows { first: index, bounds: FeasibleSet::Own { lo, hi }, mu: 0.0, normals: 0..0, radius: 0.0 });
    };
    let Some((normals, bounds)) = block.coupling.contact() else {
        return block.range().for_each(|index| push_row(list, index));
    };
    let first = block.first as usize;
    (first..first + normals as usize).for_each(|index| push_row(list, index));
    if PSEUDO {
        return;
    }
    list.extend(couplings.bounds[bounds.range()].iter().map(|bound| BoundRows {
        first: first + bound.first as usize,
        bounds: match bound.kind {
            FrictionLaw::Span | FrictionLaw::Weight => FeasibleSet::Span,
            FrictionLaw::Disc | FrictionLaw::Cone => FeasibleSet::Disc,
            FrictionLaw::Surface { arm, surface } => FeasibleSet::Patch { arm: arm.into(), surface },
        },
        mu: bound.factor.into(),
        normals: first + bound.normals.0 as usize..first + bound.normals.1 as usize,
        radius: 0.0,
    }));
}

/// Whether a row is rigid and without bounds.
pub(super) fn is_equality(row: &Row) -> bool {
    row.gamma == 0.0 && row.lo == f32::NEG_INFINITY && row.hi == f32::INFINITY && row.inv_k > 0.0
}

/// Whether the split position correction skips a row: soft rows, and drives that do not keep to a target.
fn is_passed_by(row: &Row) -> bool {
    !row.in_drive_block && (row.gamma > 0.0 || row.lo.is_finite() && row.hi.is_finite())
}
