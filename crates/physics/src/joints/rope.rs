//! Rope: the anchors are at most a length L apart.
//!
//! C = ‖p‖ − L ≤ 0, one row along p with λ ≤ 0 (see `primitives/distance.rs`). The row is always active: while the
//! rope is slack its bias C/h lets it use up just the slack, so it becomes taut without the bounce of a row that is
//! switched on after the violation (erratum 9). Source: 000 Distance (rope).

use serde::{Deserialize, Serialize};

use super::{
    Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, Role,
    measure::{self, Relative},
};
use crate::{primitives, row::JointFrames, row::RowList};

/// A rope between two points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rope {
    /// Length, m; the anchors' distance in the scene if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<f32>,
}

impl Rope {
    pub const INFO: JointInfo = JointInfo {
        name: "Rope",
        what: "the anchors are at most a length apart",
        source: "000 Distance (rope)",
        axis: false,
        coincident: false,
        measures: JointMeasure::Length,
        winds: false,
        anchor: Anchor::Origins,
        shown: JointDisplay::Thread,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter { name: "length", what: "its length when taut", role: Role::Length(&mut self.length) }]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        primitives::distance::rows(frames, self.length.unwrap_or(frames.rest_length), true, 0, rows);
    }

    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        measure::length(frames, relative)
    }
}
