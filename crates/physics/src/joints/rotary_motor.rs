//! Rotary motor: B shares a point and an axis with A and is driven about that axis.
//!
//! ```text
//! rows   anchor 3 (`primitives/plane.rs`), two locks about u, v ⊥ a in A's frame (`primitives/quaternion.rs`), a drive
//! drive  J = [0, −aA, 0, aA], b = −speed, |λ| ≤ T h: the speed of B relative to A; the reaction acts on A
//! ```
//! The book gives −speed to A and +speed to B and uses the J of their difference, so B rotates at twice the speed;
//! and it rotates u, v, a into world axes before using them as A's own, which is harmless only while A has not
//! rotated (erratum 16). By the setting `formulation.motor`:
//!
//! ```text
//! as printed, for t in (u, v, a) as world vectors:  J = the quaternion row of t,  J u = 2 speed · (m · aA)
//! errors of the first two rows  2 t · qA Im q;  the third has none
//! ```
//! Source: 004 ch. 22.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{
    Anchor, AngularDrive, Freedom, Given, JointDisplay, JointInfo, JointMeasure, Parameter, Role, UNBOUNDED,
    measure::{self, Relative},
};
use crate::primitives::{hinge_axis, limit, plane, quaternion};
use crate::row::{Group, Jacobian, JointFrames, RowKind, RowList};
use crate::settings::MotorForm;

/// The motor of 004.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotaryMotor {
    pub motor: AngularDrive,
}

impl Default for RotaryMotor {
    fn default() -> Self {
        Self { motor: AngularDrive { speed: 0.0, max_torque: UNBOUNDED } }
    }
}

impl RotaryMotor {
    pub const INFO: JointInfo = JointInfo {
        name: "RotaryMotor",
        what: "a shared point and axis; B is driven about it: the book's motor",
        source: "004 ch. 22",
        axis: true,
        coincident: true,
        measures: JointMeasure::Angle,
        winds: true,
        anchor: Anchor::Needed,
        shown: JointDisplay::Hand,
        free: Freedom::Turn,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter { name: "motor", what: "drives it", role: Role::AngularMotor(Given::Always(&mut self.motor)) }]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        plane::anchor(frames, 0, rows);
        if frames.form(None, |f| f.motor) == MotorForm::AsPrinted {
            return self.as_printed(frames, rows);
        }
        let AngularDrive { speed, max_torque } = self.motor;
        let speed = frames.factor() * speed;
        let q = quaternion::aligned(frames);
        let (u, v) = frames.axis_local.any_orthonormal_pair();
        quaternion::lock(frames, q, u, 3, rows);
        quaternion::lock(frames, q, v, 4, rows);
        limit::drive((speed, max_torque), Some(hinge_axis::wrapped(frames)), Jacobian::about(frames.axis_a), 5, rows);
    }

    fn as_printed(&self, frames: &JointFrames, rows: &mut RowList) {
        let AngularDrive { speed, max_torque } = self.motor;
        let speed = frames.factor() * speed;
        let q = quaternion::aligned(frames);
        let axis = frames.axis_a;
        let turned = 2.0 * (frames.qa * Vec3::new(q.x, q.y, q.z));
        let (u, v) = axis.any_orthonormal_pair();
        for (k, t) in [u, v].into_iter().enumerate() {
            let jacobian = quaternion::jacobian(frames.qa, q, t);
            let kind = RowKind::Track { c: t.dot(turned), speed: 2.0 * speed * jacobian.ang_b.dot(axis) };
            rows.push(Group::Axis, 3 + k as u8, jacobian, kind);
        }
        let jacobian = quaternion::jacobian(frames.qa, q, axis);
        limit::drive((2.0 * speed * jacobian.ang_b.dot(axis), max_torque), None, jacobian, 5, rows);
    }

    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        measure::angle_about(frames, relative)
    }
}
