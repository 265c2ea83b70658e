//! Axis lock: an axis of B stays parallel to one of A; B rotates about it and translates freely. A hinge without its
//! anchor.
//!
//! Two rows (`primitives/hinge_axis.rs`) in the form of the setting `formulation.hinge`. Source: 000 Hinge axis.

use serde::{Deserialize, Serialize};

use super::{
    Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter,
    measure::{self, Relative},
};
use crate::primitives::hinge_axis;
use crate::row::{JointFrames, RowList};

/// Two axes kept parallel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AxisLock {}

impl AxisLock {
    pub const INFO: JointInfo = JointInfo {
        name: "AxisLock",
        what: "an axis of B stays parallel to one of A; B turns about it and moves freely otherwise",
        source: "000 Hinge axis",
        axis: true,
        coincident: false,
        measures: JointMeasure::Angle,
        winds: true,
        anchor: Anchor::AtB,
        shown: JointDisplay::Hand,
        free: Freedom::More,
    };

    pub(super) fn parameters(&self) -> Vec<Parameter<'_>> {
        Vec::new()
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        hinge_axis::lock_axis(frames, frames.form(None, |f| f.hinge), 0, rows);
    }

    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        measure::angle_about(frames, relative)
    }
}
