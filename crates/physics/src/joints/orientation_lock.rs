//! Orientation lock: B keeps its orientation in A's frame and moves freely otherwise.
//!
//! Three rows about the world's axes (`primitives/orientation.rs`). Source: 000 Orientation lock; 004 ch. 16.

use serde::{Deserialize, Serialize};

use super::{
    Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, Role,
    measure::{self, Relative},
};
use crate::primitives::orientation;
use crate::row::{JointFrames, RowList};
use crate::settings::OrientationForm;

/// B does not rotate relative to A.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OrientationLock {
    /// Form of the rows; as in the setting `formulation.orientation` if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formulation: Option<OrientationForm>,
}

impl OrientationLock {
    pub const INFO: JointInfo = JointInfo {
        name: "OrientationLock",
        what: "B keeps its orientation in A's frame and moves freely otherwise",
        source: "000 Orientation lock, 004 ch. 16",
        axis: false,
        coincident: false,
        measures: JointMeasure::Angle,
        winds: false,
        anchor: Anchor::AtB,
        shown: JointDisplay::Hand,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter {
            name: "formulation",
            what: "how its orientation is written, a choice of the setting `formulation.orientation`",
            role: Role::OrientationForm(&mut self.formulation),
        }]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        orientation::lock(frames, frames.form(self.formulation, |f| f.orientation), 0, rows);
    }

    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        measure::rotation_angle(frames, relative)
    }
}
