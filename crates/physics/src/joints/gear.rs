//! Gear: the teeth of two bodies mesh, each with a pitch radius about an axis of its own.
//!
//! One row in slot 0, a force between the teeth at the pitch point, equal and opposite on the two bodies. No third body
//! takes part, so it holds on a carrier that turns, too.
//!
//! ```text
//! parallel axes:  C = r_a θ_a + r_b θ_b        θ against the line of centres (`primitives/phase.rs`)
//! crossing axes:  C = r_a θ_a ± r_b θ_b ± n·p  θ against the plane of the axes, n = a × b / |a × b|
//! J = [−t, (p − x_A) × −t, t, (p − x_B) × t]   at the pitch point p, along the tangent t, while the gears lie right
//! ```
//! A negative radius is that of a ring with internal teeth. The sense in which an axis points does not matter. Whole
//! turns cancel in C, which has no memory but B's count of turns. Source: docs/math.md, "Gear".

use std::f64::consts::TAU;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, Role, measure::Relative};
use crate::primitives::phase::{self, Phases};
use crate::row::{Group, Jacobian, JointFrames, RowKind, RowList};

/// Two gears in mesh. Its anchors are the centres of the gears.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gear {
    /// Pitch radius of A's gear, m; negative for internal teeth.
    pub radius_a: f32,
    /// The same of B's.
    pub radius_b: f32,
}

impl Default for Gear {
    /// Two like gears.
    fn default() -> Self {
        Self { radius_a: 0.5, radius_b: 0.5 }
    }
}

impl Gear {
    pub const INFO: JointInfo = JointInfo {
        name: "Gear",
        what: "the teeth of two bodies mesh; anchors at their centres",
        source: "docs/math.md, Gear",
        axis: true,
        coincident: false,
        measures: JointMeasure::Angle,
        winds: true,
        anchor: Anchor::Origins,
        shown: JointDisplay::Teeth,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let Self { radius_a, radius_b } = self;
        vec![
            Parameter {
                name: "radius_a",
                what: "pitch radius of A's gear; negative for internal teeth",
                role: Role::Radius(radius_a),
            },
            Parameter {
                name: "radius_b",
                what: "pitch radius of B's gear; negative for internal teeth",
                role: Role::Radius(radius_b),
            },
        ]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        row(frames, (self.radius_a, self.radius_b), rows);
    }

    /// The angle of B about its axis against the line of centres, or of bevel gears against the plane of the two axes,
    /// rad, and its rate, rad/s.
    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        angle_of_b(frames, relative, (self.radius_a, self.radius_b))
    }
}

/// The share of a row's force below which it is rounding.
const ROUNDING: f32 = 1e-6;

/// The phases of two wheels, whose axes are parallel or cross.
fn phases(frames: &JointFrames, radii: (f32, f32)) -> Option<Phases> {
    match phase::cross(frames) {
        true => phase::of_axes(frames),
        false => phase::of_centres(frames, radii.0.abs().max(radii.1.abs())),
    }
}

/// The row of two wheels with these radii, m, of opposite sense. None while their centres coincide.
pub(super) fn row(frames: &JointFrames, (radius_a, radius_b): (f32, f32), rows: &mut RowList) {
    let Some(Phases { a, b, row_a, row_b }) = phases(frames, (radius_a, radius_b)) else { return };
    let turns = phase::turns(-b, frames.previous);
    let error = |radius_b: f32| {
        let (radius_a, radius_b) = (f64::from(radius_a), f64::from(radius_b));
        phase::within(&[(radius_a, a, 0.0), (radius_b, b, -turns)], TAU * radius_a)
    };
    let (c, jacobian) = if phase::cross(frames) {
        let [on_a, on_b] = senses(frames, (radius_a, radius_b));
        let radius_b = on_a * on_b * radius_b;
        let (apart, row) = phase::axes_apart(frames);
        (error(radius_b) + on_a * apart, Jacobian::sum(&[(radius_a, row_a), (radius_b, row_b), (on_a, row)]))
    } else {
        let (axis_a, axis_b) = phase::made_axes(frames);
        let radius_b = axis_a.dot(axis_b).signum() * radius_b;
        (error(radius_b), Jacobian::sum(&[(radius_a, row_a), (radius_b, row_b)]))
    };
    // Between like pulleys of an open belt no force is left, only couples.
    let cancels = jacobian.lin.length() * frames.p().length() < ROUNDING * (radius_a.abs() + radius_b.abs());
    let lin = if cancels { Vec3::ZERO } else { jacobian.lin };
    rows.push(Group::Coupling, 0, Jacobian { lin, ..jacobian }, RowKind::Equal { c });
}

/// Whether the pitch point of bevel gears lies on the side to which the other axis points, 1, or on the other, −1, for
/// each gear: that which fits to the gears' centres when the joint was made.
///
/// ```text
/// p = s_a r_a n_a − s_b r_b n_b,   n_a ⊥ a towards b,  n_b ⊥ b towards a
/// ```
fn senses(frames: &JointFrames, (radius_a, radius_b): (f32, f32)) -> [f32; 2] {
    let (a, b) = phase::made_axes(frames);
    let to_point_a = radius_a * b.reject_from(a).normalize_or_zero();
    let to_point_b = radius_b * a.reject_from(b).normalize_or_zero();
    let off = |[s, u]: &[f32; 2]| (s * to_point_a - u * to_point_b - frames.made_gap).length();
    let all = [[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]];
    // Gears that lie elsewhere fit to none; they turn as if their axes pointed away from the common point.
    let best = all.into_iter().min_by(|x, y| off(x).total_cmp(&off(y))).unwrap_or(all[0]);
    if off(&best) < 0.99 * off(&all[0]) { best } else { all[0] }
}

/// The angle of B's wheel, rad, and its rate, rad/s.
pub(super) fn angle_of_b(frames: &JointFrames, relative: &Relative, radii: (f32, f32)) -> (f32, f32) {
    let Some(Phases { b, row_b, .. }) = phases(frames, radii) else { return (frames.previous, 0.0) };
    let angle = f64::from(-b) + TAU * phase::turns(-b, frames.previous);
    // The velocity of the line of centres seen from B, whose row acts at A's anchor.
    let seen = relative.anchors - relative.angular.cross(frames.p());
    let rate = match phase::cross(frames) {
        true => row_b.ang_b.dot(relative.angular),
        false => row_b.lin.dot(seen),
    };
    (angle as f32, -rate)
}
