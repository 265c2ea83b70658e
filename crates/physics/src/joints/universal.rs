//! Universal: two shafts with a cross between them, whose arms are pinned to one shaft each. Cardan's or Hooke's joint.
//!
//! Rows in order: anchor 3 (`primitives/plane.rs`), cross 1. A's axis is the arm that is pinned to A, B's axis the other:
//!
//! ```text
//! C = aA · aB,   J = [0, aA × aB, 0, −aA × aB]
//! ```
//! Unlike a constant velocity joint it makes bent shafts turn unevenly: tan φ_out = tan φ_in / cos β at a bend of β.
//! Source: docs/math.md, "Universal".

use serde::{Deserialize, Serialize};

use super::{Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, measure::Relative};
use crate::primitives::{hinge_axis, phase, plane};
use crate::row::{Group, Jacobian, JointFrames, RowKind, RowList};

/// Two shafts joined by a cross.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Universal {}

impl Universal {
    pub const INFO: JointInfo = JointInfo {
        name: "Universal",
        what: "a shared point, and a cross between an axis of A and one of B at a right angle",
        source: "docs/math.md, Universal",
        axis: true,
        coincident: true,
        measures: JointMeasure::Angle,
        winds: true,
        anchor: Anchor::Needed,
        shown: JointDisplay::Cross,
        free: Freedom::More,
    };

    pub(super) fn parameters(&self) -> Vec<Parameter<'_>> {
        Vec::new()
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        plane::anchor(frames, 0, rows);
        let (a, b) = (frames.axis_a, frames.axis_b);
        rows.push(Group::Axis, 3, Jacobian::about(b.cross(a)), RowKind::Equal { c: a.dot(b) });
    }

    /// The angle of the cross about A's arm, rad, and its rate, rad/s.
    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        let (made_a, made_b) = phase::made_axes(frames);
        let angle = phase::turned(made_a, made_b, frames.qa.inverse() * frames.axis_b);
        let (a, b) = (frames.axis_a, frames.axis_b);
        let across = (b - a.dot(b) * a).length_squared().max(f32::MIN_POSITIVE);
        (hinge_axis::unwrap(angle, frames.previous), (a - a.dot(b) * b).dot(relative.angular) / across)
    }
}
