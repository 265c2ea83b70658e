//! Fixed: B is welded to A.
//!
//! Anchor 3 (`primitives/plane.rs`) and orientation lock 3 (`primitives/orientation.rs`). Source: 000 Fixed.

use serde::{Deserialize, Serialize};

use super::{
    Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, Role,
    measure::{self, Relative},
};
use crate::primitives::{orientation, plane};
use crate::row::{JointFrames, RowList};
use crate::settings::OrientationForm;

/// A weld.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fixed {
    /// Form of the orientation rows; as in the setting `formulation.orientation` if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formulation: Option<OrientationForm>,
}

impl Fixed {
    pub const INFO: JointInfo = JointInfo {
        name: "Fixed",
        what: "B is welded to A",
        source: "000 Fixed",
        axis: false,
        coincident: true,
        measures: JointMeasure::Angle,
        winds: false,
        anchor: Anchor::AtB,
        shown: JointDisplay::Hand,
        free: Freedom::Nothing,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter {
            name: "formulation",
            what: "how its orientation is written, a choice of the setting `formulation.orientation`",
            role: Role::OrientationForm(&mut self.formulation),
        }]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        plane::anchor(frames, 0, rows);
        orientation::lock(frames, frames.form(self.formulation, |f| f.orientation), 3, rows);
    }

    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        measure::rotation_angle(frames, relative)
    }
}
