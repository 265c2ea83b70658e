//! Spring: pulls the anchors to a distance L with a damped spring.
//!
//! C = ‖p‖ − L, one soft row along p (see `primitives/distance.rs` and `softness.rs`). Frequency and damping ratio
//! are those of the two bodies on this spring, whatever their masses: under gravity the spring stretches by g/ω².
//! Source: 000 Distance, Soft constraints (corrected: erratum 2).

use serde::{Deserialize, Serialize};

use super::{
    Anchor, Freedom, JointInfo, JointMeasure, Parameter, Role, JointDisplay,
    measure::{self, Relative},
};
use crate::primitives::distance;
use crate::row::{Ends, RowList, Softness};

/// A coil spring between two points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Spring {
    /// Rest length, m; the anchors' distance in the scene if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<f32>,
    /// Undamped frequency, Hz, of the masses of the two bodies; zero switches the spring off.
    pub hertz: f32,
    /// Damping ratio: 0 undamped, 1 critically damped.
    pub damping_ratio: f32,
}

impl Default for Spring {
    fn default() -> Self {
        Self { length: None, hertz: 2.0, damping_ratio: 0.2 }
    }
}

impl Spring {
    pub const INFO: JointInfo = JointInfo {
        name: "Spring",
        what: "the anchors are drawn to a length apart by a spring with a damper",
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
            Parameter {
                name: "hertz",
                what: "undamped frequency; zero switches it off",
                role: Role::Hertz(&mut self.hertz),
            },
            Parameter {
                name: "damping_ratio",
                what: "0 swings without end, 1 comes to rest soonest",
                role: Role::DampingRatio(&mut self.damping_ratio),
            },
        ]
    }

    pub(super) fn linearize(&self, ends: &Ends, rows: &mut RowList) {
        let softness = Softness { hertz: self.hertz, damping_ratio: self.damping_ratio };
        distance::spring(ends, self.length.unwrap_or(ends.rest_length), softness, 0, rows);
    }

    pub(super) fn measure(&self, ends: &Ends, relative: &Relative) -> (f32, f32) {
        measure::length(ends, relative)
    }
}
