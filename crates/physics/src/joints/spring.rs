//! Spring: pulls the anchors to a distance L with a damped spring.
//!
//! C = ‖p‖ − L, one soft row along p (see `primitives/distance.rs` and `softness.rs`). Frequency and damping ratio
//! are those of the two bodies on this spring, whatever their masses: under gravity the spring stretches by g/ω². A
//! stiffness k is the same whatever hangs on it: then it stretches by m g/k.
//! Source: 000 Distance, Soft constraints (corrected: erratum 2).

use serde::{Deserialize, Serialize};

use super::{
    Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, Role, fields,
    measure::{self, Relative},
};
use crate::primitives::distance;
use crate::row::{JointFrames, RowList, Softness};

/// A coil spring between two points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "fields::Spring", into = "fields::Spring")]
pub struct Spring {
    /// Rest length, m; the anchors' distance in the scene if left out.
    pub length: Option<f32>,
    /// Frequency and damping ratio of the masses of the two bodies, or stiffness, N/m, and damping coefficient, N·s/m.
    pub softness: Softness,
}

impl Default for Spring {
    fn default() -> Self {
        Self { length: None, softness: Softness::of(2.0, 0.2) }
    }
}

impl Spring {
    pub const INFO: JointInfo = JointInfo {
        name: "Spring",
        what: "a spring with a damper pulls the anchors to a length apart",
        source: "000 Distance, Soft constraints",
        axis: false,
        coincident: false,
        measures: JointMeasure::Length,
        winds: false,
        anchor: Anchor::Origins,
        shown: JointDisplay::Coil,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter { name: "length", what: "at rest", role: Role::Length(&mut self.length) },
            Parameter::of_rate(&mut self.softness.rate),
            Parameter::of_damping(&mut self.softness.damping),
        ]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        distance::spring(frames, self.length.unwrap_or(frames.rest_length), self.softness, 0, rows);
    }

    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        measure::length(frames, relative)
    }
}
