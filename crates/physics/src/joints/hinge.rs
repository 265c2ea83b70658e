//! Hinge: one shared point, one shared axis, the angle about it free, sprung, driven or limited.
//!
//! Rows in order: anchor 3 (`primitives/plane.rs`), axis 2 (`primitives/hinge_axis.rs`), spring 0–1, motor or servo 0–1
//! (`servo.rs`), resistance 0–3 (`resistance.rs`) and limit 0–1 about aA (`primitives/limit.rs`), J = [0, −aA, 0, aA].
//! If the axis rows are quaternion rows, so is the limit's (`primitives/quaternion.rs`), up to half a turn. The angle is
//! zero in the pose of the scene file, or at `zero` from there, and grows as B rotates about +axis. Source: 000 Hinge,
//! Hinge axis; 004 ch. 14–18.

use serde::{Deserialize, Serialize};

use super::{
    Anchor, AngularDrive, AngularServo, AngularSpring, Freedom, Given, JointDisplay, JointInfo, JointMeasure,
    Parameter, Role,
    measure::{self, Relative},
    radians,
    resistance::{self, Resists},
    servo,
};
use crate::angle::Angle;
use crate::primitives::{hinge_axis, limit, plane, quaternion};
use crate::row::{Group, Jacobian, JointFrames, RowList};
use crate::setting::is_default;
use crate::settings::HingeForm;

/// A shared axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hinge {
    /// The angle from the pose of the scene that counts as zero, rad.
    #[serde(skip_serializing_if = "is_default")]
    pub zero: Angle,
    /// Least and greatest angle, rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<(Angle, Angle)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motor: Option<AngularDrive>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub servo: Option<AngularServo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spring: Option<AngularSpring>,
    /// Coulomb friction while it moves, N·m.
    #[serde(skip_serializing_if = "is_default")]
    pub friction: f32,
    /// Friction while it stands still, N·m; the larger of the two counts.
    #[serde(skip_serializing_if = "is_default")]
    pub breakaway: f32,
    /// Resistance per speed, N·m·s/rad.
    #[serde(skip_serializing_if = "is_default")]
    pub damping: f32,
    /// Inertia of the rotor that it drives, on this side of its gear, kg m².
    #[serde(skip_serializing_if = "is_default")]
    pub armature: f32,
    /// Form of the axis rows; as in the setting `formulation.hinge` if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formulation: Option<HingeForm>,
}

impl Hinge {
    pub const INFO: JointInfo = JointInfo {
        name: "Hinge",
        what: "a shared point and axis; the angle is free, sprung, driven or limited",
        source: "000 Hinge, Hinge axis",
        axis: true,
        coincident: true,
        measures: JointMeasure::Angle,
        winds: true,
        anchor: Anchor::Needed,
        shown: JointDisplay::Hand,
        free: Freedom::Turn,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let Self { zero, limit, motor, servo, spring, friction, breakaway, damping, armature, formulation } = self;
        let resists = resistance::parameters([friction, breakaway, damping, armature], true);
        let mut list = vec![
            Parameter {
                name: "zero",
                what: "the angle from the scene's pose that counts as zero",
                role: Role::AngleZero(zero),
            },
            Parameter { name: "limit", what: "least and greatest angle", role: Role::AngleLimit(limit) },
            Parameter { name: "motor", what: "drives it", role: Role::AngularMotor(Given::Maybe(motor)) },
            Parameter {
                name: "servo",
                what: "moves it towards a target; instead of a motor",
                role: Role::AngularServo(servo),
            },
            Parameter { name: "spring", what: "pulls it towards its rest angle", role: Role::AngularSpring(spring) },
        ];
        list.extend(resists);
        list.push(Parameter {
            name: "formulation",
            what: "how the axes are kept together, a choice of the setting `formulation.hinge`",
            role: Role::HingeForm(formulation),
        });
        list
    }

    /// What resists its motion.
    pub(crate) fn resists(&self) -> Resists {
        let Self { friction, breakaway, damping, armature, .. } = *self;
        Resists { friction, breakaway, damping, armature }
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        plane::anchor(frames, 0, rows);
        let form = frames.form(self.formulation, |f| f.hinge);
        hinge_axis::lock_axis(frames, form, 3, rows);
        let about = Jacobian::about(frames.axis_a);
        let zero = self.zero.radians;
        let angle = || measure::angle(frames, zero);
        if let Some(spring) = self.spring {
            limit::spring(angle(), spring.angle.radians, spring.softness, about, 8, rows);
        }
        if let Some(motor) = self.motor {
            limit::drive(
                (frames.factor() * motor.speed, motor.max_torque),
                Some(hinge_axis::wrapped(frames)),
                about,
                5,
                rows,
            );
        }
        if let Some(servo) = self.servo {
            servo::row(servo.into(), angle(), about, (frames, 5), rows);
        }
        self.resists().rows(about, rows);
        if let Some(range) = radians(self.limit) {
            let from_scene = (range.0 + zero, range.1 + zero);
            let q = quaternion::aligned(frames);
            let quaternion = form == HingeForm::Quaternion
                && quaternion::stop(Group::Limit, frames, q, frames.axis_local, from_scene, 6, rows);
            if !quaternion {
                limit::stop(angle(), range, about, 6, rows);
            }
        }
    }

    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        measure::angle_from(frames, relative, self.zero.radians)
    }
}
