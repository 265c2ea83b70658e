//! Ball-socket: one point of A is one point of B; all rotations are free.
//!
//! C = p, three plane rows along axes carried by A (see `primitives/plane.rs`), solved one by one or as one 3×3 block.
//! Because A's lever arm reaches to B's anchor, angular momentum is conserved exactly even while the joint is open.
//! Source: 000 Ball-socket.

use serde::{Deserialize, Serialize};

use super::{
    Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter,
    measure::{self, Relative},
};
use crate::{primitives::plane, row::JointFrames, row::RowList};

/// Two points coincide.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BallSocket {}

impl BallSocket {
    pub const INFO: JointInfo = JointInfo {
        name: "BallSocket",
        what: "a point of A and a point of B coincide; all rotations are free",
        source: "000 Ball-socket",
        axis: false,
        coincident: true,
        measures: JointMeasure::Angle,
        winds: false,
        anchor: Anchor::Needed,
        shown: JointDisplay::Hand,
        free: Freedom::More,
    };

    pub(super) fn parameters(&self) -> Vec<Parameter<'_>> {
        Vec::new()
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        plane::anchor(frames, 0, rows);
    }

    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        measure::rotation_angle(frames, relative)
    }
}
