//! Point on a ring: a point of B moves on a circle about A's anchor, in the plane across A's axis.
//!
//! Two rows: C = a · p along the axis (`primitives/plane.rs`) and C = ‖p‖ − R along p (`primitives/distance.rs`). B's
//! rotation is free; meant for a bead whose rotation does not matter. 004 derives it in the plane from C = ½(x·x −
//! R²); its rows are these times R. Source: 004 ch. 6.

use serde::{Deserialize, Serialize};

use super::{Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, Role, measure::Relative};
use crate::primitives::{distance, hinge_axis, plane};
use crate::row::{JointFrames, RowList};

/// A bead on a ring.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PointOnRing {
    /// Radius, m; the anchors' distance in the scene if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f32>,
}

impl PointOnRing {
    pub const INFO: JointInfo = JointInfo {
        name: "PointOnRing",
        what: "a point of B runs on a ring about A's anchor, perpendicular to A's axis",
        source: "004 ch. 6",
        axis: true,
        coincident: false,
        measures: JointMeasure::Angle,
        winds: true,
        anchor: Anchor::Origins,
        shown: JointDisplay::Ring,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter { name: "radius", what: "of the ring", role: Role::Length(&mut self.radius) }]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        plane::lock(frames, frames.axis_a, 0, rows);
        distance::rows(frames, self.radius.unwrap_or(frames.rest_length), false, 1, rows);
    }

    /// The angle of B's point about A's axis, rad, unwrapped beyond a turn.
    pub fn angle(frames: &JointFrames) -> f32 {
        let (u, v) = frames.axis_local.any_orthonormal_pair();
        let p = frames.qa.inverse() * frames.p();
        hinge_axis::unwrap(v.dot(p).atan2(u.dot(p)), frames.previous)
    }

    /// The angle around the ring, rad, and its rate, rad/s.
    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        let p = frames.p();
        let rate = frames.axis_a.dot(p.cross(relative.anchors)) / p.length_squared().max(f32::MIN_POSITIVE);
        (Self::angle(frames), rate)
    }
}
