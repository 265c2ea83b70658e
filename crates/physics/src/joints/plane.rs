//! Plane: a point of B stays in a plane of A, or between two such planes, or is driven along their normal.
//!
//! C = a · p, one row along A's axis a (`primitives/plane.rs`). With a limit or a motor this row is replaced by
//! theirs (`primitives/limit.rs`), and the slide is free between the stops. Rotation and motion within the plane are
//! free. Source: 000 Plane (limit, motor).

use serde::{Deserialize, Serialize};

use super::{
    Anchor, Freedom, Given, JointDisplay, JointInfo, JointMeasure, LinearDrive, Parameter, Role,
    measure::{self, Relative},
};
use crate::primitives::{limit, plane};
use crate::row::{JointFrames, RowList};

/// A plane across A's axis through A's anchor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Plane {
    /// Least and greatest slide along the axis, m; without limit and motor the slide is zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<(f32, f32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motor: Option<LinearDrive>,
}

impl Plane {
    pub const INFO: JointInfo = JointInfo {
        name: "Plane",
        what: "a point of B stays in a plane of A, or between two, or is driven along their normal",
        source: "000 Plane",
        axis: true,
        coincident: false,
        measures: JointMeasure::Slide,
        winds: false,
        anchor: Anchor::Needed,
        shown: JointDisplay::Plane,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter {
                name: "limit",
                what: "least and greatest slide along the axis; in the plane itself if there is neither limit nor motor",
                role: Role::SlideLimit(&mut self.limit),
            },
            Parameter { name: "motor", what: "drives it", role: Role::LinearMotor(Given::Maybe(&mut self.motor)) },
        ]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        if self.limit.is_none() && self.motor.is_none() {
            plane::lock(frames, frames.axis_a, 0, rows);
        }
        let along = plane::jacobian(frames, frames.axis_a);
        let slide = frames.axis_a.dot(frames.p());
        if let Some(motor) = self.motor {
            limit::drive((frames.factor() * motor.speed, motor.max_force), Some(slide), along, 1, rows);
        }
        if let Some(range) = self.limit {
            limit::stop(slide, range, along, 2, rows);
        }
    }

    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        measure::slide(frames, relative, 0.0)
    }
}
