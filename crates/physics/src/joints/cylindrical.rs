//! Cylindrical: B slides along an axis of A and rotates about it.
//!
//! Rows in order: two planes across the axis (`primitives/plane.rs`), axis 2 (`primitives/hinge_axis.rs`), spring
//! 0–1, motor or servo 0–1 (`servo.rs`), resistance 0–3 (`resistance.rs`) and limit 0–1 along aA (`primitives/limit.rs`), J = the plane row
//! with t = aA. The slide is a · p; rotation is free. Source: 000 Prismatic, Hinge axis, Plane.

use serde::{Deserialize, Serialize};

use super::along::{self, Along};
use super::measure::{self, Relative};
use super::resistance::Resists;
use super::{
    Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, LinearDrive, LinearServo, LinearSpring, Parameter,
};
use crate::primitives::{hinge_axis, plane};
use crate::row::{JointFrames, RowList};
use crate::setting::is_default;

/// A rod in a bushing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cylindrical {
    /// The slide that counts as zero, from where the anchors coincide, m.
    #[serde(skip_serializing_if = "is_default")]
    pub zero: f32,
    /// Least and greatest slide, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<(f32, f32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motor: Option<LinearDrive>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub servo: Option<LinearServo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spring: Option<LinearSpring>,
    /// Coulomb friction while it moves, N.
    #[serde(skip_serializing_if = "is_default")]
    pub friction: f32,
    /// Friction while it stands still, N; the larger of the two counts.
    #[serde(skip_serializing_if = "is_default")]
    pub breakaway: f32,
    /// Resistance per speed, N·s/m.
    #[serde(skip_serializing_if = "is_default")]
    pub damping: f32,
    /// Inertia of the rotor that it drives, on this side of its gear, kg.
    #[serde(skip_serializing_if = "is_default")]
    pub armature: f32,
}

impl Cylindrical {
    pub const INFO: JointInfo = JointInfo {
        name: "Cylindrical",
        what: "B slides along an axis of A and turns about it",
        source: "000 Prismatic, Hinge axis",
        axis: true,
        coincident: false,
        measures: JointMeasure::Slide,
        winds: false,
        anchor: Anchor::AtB,
        shown: JointDisplay::Rail,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let Self { zero, limit, motor, servo, spring, friction, breakaway, damping, armature } = self;
        let resists = [friction, breakaway, damping, armature];
        along::parameters((zero, limit), (motor, "drives it along the axis"), servo, spring, resists)
    }

    fn along(&self) -> Along {
        let Self { zero, limit, motor, servo, spring, friction, breakaway, damping, armature, .. } = *self;
        let resists = Resists { friction, breakaway, damping, armature };
        Along { zero, limit, motor, servo, spring, resists }
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        let (u, v) = frames.axis_local.any_orthonormal_pair();
        plane::lock(frames, frames.qa * u, 0, rows);
        plane::lock(frames, frames.qa * v, 1, rows);
        hinge_axis::lock_axis(frames, frames.form(None, |f| f.hinge), 3, rows);
        let along = plane::jacobian(frames, frames.axis_a);
        self.along().rows(frames, along, rows);
    }

    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        measure::slide(frames, relative, self.zero)
    }
}
