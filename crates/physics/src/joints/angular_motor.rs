//! Angular motor: drives B about A's axis; all other motion is free.
//!
//! One drive row, J = [0, −aA, 0, aA], b = −speed, |λ| ≤ T h (`primitives/limit.rs`). Source: 000 Angular motor.

use serde::{Deserialize, Serialize};

use super::{
    Anchor, AngularDrive, Freedom, Given, JointDisplay, JointInfo, JointMeasure, Parameter, Role, UNBOUNDED,
    measure::{self, Relative},
};
use crate::primitives::{hinge_axis, limit};
use crate::row::{Jacobian, JointFrames, RowList};

/// Cosine of a quarter of a degree: if B's axis is tilted more, B's rotation is not about A's axis alone.
const UPRIGHT: f32 = 0.999_99;

/// A motor about an axis, without other constraints.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AngularMotor {
    pub motor: AngularDrive,
}

impl Default for AngularMotor {
    fn default() -> Self {
        Self { motor: AngularDrive { speed: 0.0, max_torque: UNBOUNDED } }
    }
}

impl AngularMotor {
    pub const INFO: JointInfo = JointInfo {
        name: "AngularMotor",
        what: "B is driven about an axis of A and is free otherwise",
        source: "000 Angular motor",
        axis: true,
        coincident: false,
        measures: JointMeasure::Angle,
        winds: true,
        anchor: Anchor::AtB,
        shown: JointDisplay::Hand,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter { name: "motor", what: "drives it", role: Role::AngularMotor(Given::Always(&mut self.motor)) }]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        // While B is tilted, J u is not the rate of its angle about A's axis.
        let value = (frames.axis_a.dot(frames.axis_b) > UPRIGHT).then(|| hinge_axis::wrapped(frames));
        let AngularDrive { speed, max_torque } = self.motor;
        limit::drive((frames.factor() * speed, max_torque), value, Jacobian::about(frames.axis_a), 0, rows);
    }

    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        measure::angle_about(frames, relative)
    }
}
