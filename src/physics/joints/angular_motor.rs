//! Angular motor: B is driven about A's axis and otherwise left alone.
//!
//! One drive row, J = [0, −aA, 0, aA], b = −speed, |λ| ≤ T h (`primitives/limit.rs`). Source: 000 Angular motor.

use serde::{Deserialize, Serialize};

use super::{
    Anchor, AngularDrive, Freedom, Given, JointInfo, JointMeasure, Parameter, Role, JointDisplay, UNBOUNDED,
    measure::{self, Relative},
};
use crate::physics::primitives::{hinge_axis, limit};
use crate::physics::row::{Ends, Jacobian, RowList};

/// Cosine of the lean up to which B turns about A's axis alone: a quarter of a degree.
const UPRIGHT: f32 = 0.999_99;

/// A free-standing drive about an axis.
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
        what: "B is driven about an axis of A and otherwise left alone",
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

    pub(super) fn linearize(&self, ends: &Ends, rows: &mut RowList) {
        // While B leans, J u is not the rate of its angle about A's axis.
        let value = (ends.axis_a.dot(ends.axis_b) > UPRIGHT).then(|| hinge_axis::wrapped(ends));
        let AngularDrive { speed, max_torque } = self.motor;
        limit::drive((speed, max_torque), value, Jacobian::about(ends.axis_a), 0, rows);
    }

    pub(super) fn measure(&self, ends: &Ends, relative: &Relative) -> (f32, f32) {
        measure::angle_about(ends, relative)
    }
}
