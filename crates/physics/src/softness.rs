//! Soft rows: a joint or a contact held by a spring with a damper.
//!
//! ```text
//! k = m ω², m the mass that the joint leaves to the row;  D = exp(2 ζ ω h) − 1
//! λ = −h k (C + α h J u) − (m/h) D J u        b = (ω h)²/(h N) C,  γ = K/N,  N = D + α (ω h)²
//! ```
//! J u is the speed after the step. With α = 0 the spring's force belongs to the old position, and the damper removes
//! the share of the speed that a damper removes in h seconds. A free row follows z² − (2 + D − ω² h²)/(1 + D) z +
//! 1/(1 + D) = 0: the amplitude shrinks by exactly exp(−ζ ω h) a step, and the relative error of the period is (ω h)²/24.
//! This is stable for ω h < 2, and for less if several springs act on the same bodies. So between ω h = ½ and ω h = 1 the
//! force goes over to that of a later position, C + α h J u + β h (J u − v₀), where v₀ is the speed before the step:
//!
//! ```text
//! N = D + (α + β)(ω h)²,   γ = K/N,   b = (ω h)²/(h N) C − β (ω h)²/N v₀
//! E = x + x²/2 + x³/6, x = 2 ζ ω h;   β → max(0, (1 − 2 α)/4);   D → 2 ζ ω h + β (ω h)² E
//! α → 1 − s (1 − min(1, (E − 2 ζ ω h)/(ω h)²)),   s = max(0, 1 − ζ/0.1)
//! ```
//! From ω h = 1 on this is stable for every k and any number of springs, because 2 α + 4 β ≥ 1. The term with β resists a
//! change of the speed, like a mass, and removes no energy. For ζ = 0 it gives Newmark's step of mean acceleration, which
//! keeps the amplitude; its period is too long by (ω h)²/12. From ζ = 0.1 on, α = 1: the implicit Euler step, which adds
//! about ω h/2 to ζ. With less damping than that, sweeps over a chain of springs gained energy if its load was a hundred
//! times a link's mass. Soft stops and contacts only push; they and servos always use α = 1. At rest C = −λ/(h k) for
//! every α and β: a weight sags by g/ω².
//!
//! From ζ = 1 on both poles are real. The slower one, p = ω (ζ − √(ζ² − 1)), is visible: a door creeps shut at k/c. D is
//! then chosen so that z = exp(−p h) solves the equation above, D = (1 − z)/z + ω² h²/(1 − z), and α goes from 0 to 1
//! with p h instead of ω h. The other pole stays positive and below z, so nothing overshoots for any h.
//!
//! A spring is given by frequency and damping ratio, or by k, N/m or N·m/rad, and the damping coefficient c, N·s/m or
//! N·m·s/rad, or by one of each. ω² = k/m and 2 ζ ω = c/m, m the mass that the row moves.
//!
//! A spring of constant frequency on a row whose mass changes with the pose has a changing stiffness, and so no
//! potential. An orientation's three rows are held by springs of constant stiffness instead: that for the inertias in
//! the pose in which the joint was made.
//!
//! These springs are part of the scene and act under every method of stabilisation. Soft *stabilisation*
//! (`stabilize.rs`) is a way to remove the errors of rigid rows. A soft stop acts only while it is passed, a soft
//! contact only while it overlaps. The spring causes the bounce, e = exp(−π ζ/√(1 − ζ²)). 000 prints the soft row with k
//! β/h in place of b, whose stiffness is β m/h² whatever the frequency (erratum 2); that form is a choice of the
//! setting `formulation.soft`. Source: 000 Soft constraints; erratum 2; Newmark 1959.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::body::Body;
use super::effective_mass::{self, row_mass};
use super::kernel::row::invert;
use super::primitives::orientation;
use super::row::{
    Factor, Group, JointFrames, MAX_BLOCK_ROWS, Row, RowKind, RowList, RowSpec, SoftTerms, Softness, SpringMass,
    SprungMass,
};
use super::settings::{Settings, SoftForm};

/// Softness of a joint's rows, by what they hold. Rows without a softness are rigid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SoftRows {
    /// Rows of points: anchors, rods, rings, a slider's rails, and a rope while it is taut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Softness>,
    /// Rows of axes and orientations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axis: Option<Softness>,
    /// Stops, including those of a swing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Softness>,
}

impl SoftRows {
    /// Makes the rows in `list` soft. Stops that are not reached are removed. The three rows of an orientation get a
    /// potential: see [`orientation::sprung`].
    pub fn soften(&self, frames: &JointFrames, list: &mut RowList) {
        if let Some(softness) = self.axis {
            orientation::sprung(frames, softness, list);
        }
        list.rows.retain_mut(|spec| {
            let softness = match spec.group {
                Group::Anchor => self.anchor,
                Group::Axis => self.axis,
                Group::Limit | Group::Swing => self.limit,
                _ => None,
            };
            let Some(softness) = softness else { return true };
            spec.kind = match spec.kind {
                RowKind::Equal { c } => RowKind::Soft { c, softness, mass: SpringMass::Present },
                RowKind::AtMost { c } if c > 0.0 => RowKind::SoftStop { c, softness, upper: true },
                RowKind::AtLeast { c } if c < 0.0 => RowKind::SoftStop { c, softness, upper: false },
                RowKind::AtMost { .. } | RowKind::AtLeast { .. } => return false,
                other => other,
            };
            true
        });
    }
}

/// The mass of the spring of a row, one of the rows `specs` of a joint whose relative orientation was `reference` when
/// it was made.
pub fn spring_mass(spec: &RowSpec, specs: &[RowSpec], reference: Quat, a: &Body, b: &Body) -> SprungMass {
    match spec.kind {
        RowKind::Soft { mass: SpringMass::Made(axis), .. } => {
            let k = |body: &Body, axis: Vec3| axis.dot(body.inv_inertia_local * axis);
            SprungMass::of(invert(k(a, axis) + k(b, reference.inverse() * axis)))
        }
        _ => mass_left_by_rigid_rows(spec, specs, a, b),
    }
}

/// The mass that a joint's rigid rows leave to the motion along one of its rows: 1/K of the row, given that the rigid
/// rows hold. So the stiffness of a spring on a rail does not depend on where on the body the rail is. Without rigid
/// rows the masses of the two bodies count. Then the stiffness is the same in all directions, although a spring beside
/// the centre of mass also rotates the body.
fn mass_left_by_rigid_rows(spec: &RowSpec, specs: &[RowSpec], a: &Body, b: &Body) -> SprungMass {
    let spring_row = effective_mass::row(&spec.jacobian, a, b);
    let mut rows = [Row::default(); MAX_BLOCK_ROWS];
    let mut count = 0;
    for rigid in specs.iter().filter(|other| matches!(other.kind, RowKind::Equal { .. })).take(MAX_BLOCK_ROWS - 1) {
        rows[count] = effective_mass::row(&rigid.jacobian, a, b);
        count += 1;
    }
    if count > 0 {
        rows[count] = spring_row;
        return SprungMass::of(Factor::of(count + 1, |i| &rows[i], 1.0, 1.0).last() as f32);
    }
    let linear = invert(spring_row.inv_ma + spring_row.inv_mb);
    let of_spring = if spec.is_angular() || linear == 0.0 { spring_row.inv_k } else { linear };
    SprungMass { of_spring, moved: spring_row.inv_k }
}

/// Makes a rigid row soft. `c` is its position error, m or rad, and `speed` J u before the step; `None` for a row that only
/// pushes. Returns false where the caller is to leave the row out: where nothing can move or, except in the printed form,
/// the frequency is zero.
pub fn soften(
    row: &mut Row,
    (c, speed): (f32, Option<f32>),
    (softness, mass): (Softness, SprungMass),
    settings: &Settings,
    h: f32,
) -> bool {
    if settings.formulation.soft == SoftForm::AsPrinted {
        let den_inv = h * (h * softness.stiffness(row.inv_k) + softness.damping(row.inv_k));
        return soften_as_printed(row, settings.stabilization.beta / h * c, den_inv);
    }
    let terms = match speed {
        Some(_) => softness.row_from_speed(mass, h),
        None => softness.row(mass, h),
    };
    let Some(SoftTerms { rate, gamma, kept }) = terms else { return false };
    (row.bias, row.gamma) = (rate * c - kept * speed.unwrap_or_default(), gamma);
    row.inv_k = invert(row_mass(row, 1.0, 1.0) + gamma);
    true
}

/// The soft row exactly as 000 prints it. `bias` is the rigid (β/h) C and `den_inv` = h (h k + c).
///
/// ```text
/// Ks = K/den_inv;  γ = K Ks/(1 + Ks);  effective mass 1/(K (1 + Ks));  b ← b Ks/(1 + Ks)
/// at rest b + γ λ = 0, so λ/h = −(β m/h²) C:  neither frequency nor damping ratio is left
/// ```
fn soften_as_printed(row: &mut Row, bias: f32, den_inv: f32) -> bool {
    if row.inv_k == 0.0 {
        return false;
    }
    row.bias = bias;
    if den_inv >= 1e-12 {
        let k = 1.0 / row.inv_k;
        let ks = k / den_inv;
        row.gamma = k * ks / (1.0 + ks);
        row.inv_k = 1.0 / (k * (1.0 + ks));
        row.bias *= ks / (1.0 + ks);
    }
    true
}

/// Makes the normal row of a contact soft. `c` is its gap, m. The row is one of `count` points that carry the pair's
/// load, each with its share of k, so that the bodies move as on one spring. Where they do not overlap there is no
/// force.
pub fn contact(row: &mut Row, c: f32, softness: Softness, count: usize, h: f32) {
    (row.bias, row.pseudo_bias) = (0.0, 0.0);
    let mass = row.inv_ma + row.inv_mb;
    let part = SprungMass::of(1.0 / (mass * count as f32));
    let spring = softness.shared(count).row(part, h).filter(|_| c < 0.0 && mass > 0.0);
    match spring {
        Some(SoftTerms { rate, gamma, .. }) => {
            (row.bias, row.gamma, row.lo, row.hi) = (rate * c, gamma, 0.0, f32::INFINITY);
            row.inv_k = invert(row_mass(row, 1.0, 1.0) + gamma);
        }
        None => (row.lo, row.hi) = (0.0, 0.0),
    }
}
