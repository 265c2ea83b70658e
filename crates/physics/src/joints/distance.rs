//! Distance: the anchors stay a length L apart, as if joined by a massless rod.
//!
//! C = ‖p‖ − L, one row along p (see `primitives/distance.rs`). Source: 000 Distance.

use serde::{Deserialize, Serialize};

use super::{
    Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, Role,
    measure::{self, Relative},
};
use crate::{primitives, row::JointFrames, row::RowList};

/// A rod between two points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Distance {
    /// Length, m; the anchors' distance in the scene if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<f32>,
}

impl Distance {
    pub const INFO: JointInfo = JointInfo {
        name: "Distance",
        what: "the anchors stay a fixed length apart",
        source: "000 Distance",
        axis: false,
        coincident: false,
        measures: JointMeasure::Length,
        winds: false,
        anchor: Anchor::Origins,
        shown: JointDisplay::Rod,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter { name: "length", what: "its length", role: Role::Length(&mut self.length) }]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        primitives::distance::rows(frames, self.length.unwrap_or(frames.rest_length), false, 0, rows);
    }

    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        measure::length(frames, relative)
    }
}
