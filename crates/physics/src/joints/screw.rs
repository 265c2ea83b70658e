//! Screw: B moves along an axis of A by a lead for each turn about it.
//!
//! Rows in order: those of a cylindrical joint (`cylindrical.rs`), and between them in slot 2 the thread:
//!
//! ```text
//! C = s − lead θ / 2π,   J = [−a, sA × −a, a, rB × a] − lead / 2π [0, −a, 0, a]
//! ```
//! s is the slide and θ B's angle about A's axis, both from the pose of the scene. A positive lead is a right-hand
//! thread. Whole turns cancel in C. The motor, the servo and whatever resists act along the axis.
//! Source: docs/math.md, "Screw".

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use super::along::{self, Along};
use super::measure::{self, Relative};
use super::resistance::Resists;
use super::{
    Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, LinearDrive, LinearServo, LinearSpring, Parameter, Role,
};
use crate::primitives::{hinge_axis, phase, plane};
use crate::row::{Group, Jacobian, JointFrames, RowKind, RowList};
use crate::setting::is_default;

/// A screw in a nut.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Screw {
    /// Slide of B for each of its turns about the axis, m; negative for a left-hand thread.
    pub lead: f32,
    /// The slide that counts as zero, from where the anchors coincide, m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub zero: f32,
    /// Least and greatest slide, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<(f32, f32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motor: Option<LinearDrive>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servo: Option<LinearServo>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spring: Option<LinearSpring>,
    /// Coulomb friction while it moves, N.
    #[serde(default, skip_serializing_if = "is_default")]
    pub friction: f32,
    /// Friction while it stands still, N; the larger of the two counts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub breakaway: f32,
    /// Resistance per speed, N·s/m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: f32,
    /// Inertia of the rotor that it drives, on this side of its gear, kg.
    #[serde(default, skip_serializing_if = "is_default")]
    pub armature: f32,
}

impl Default for Screw {
    /// A right-hand thread.
    fn default() -> Self {
        let (limit, motor, servo, spring) = (None, None, None, None);
        let [zero, friction, breakaway, damping, armature] = [0.0; 5];
        Self { lead: 0.1, zero, limit, motor, servo, spring, friction, breakaway, damping, armature }
    }
}

impl Screw {
    pub const INFO: JointInfo = JointInfo {
        name: "Screw",
        what: "B moves along an axis of A by a lead for each turn about it",
        source: "docs/math.md, Screw",
        axis: true,
        coincident: false,
        measures: JointMeasure::Slide,
        winds: false,
        anchor: Anchor::AtB,
        shown: JointDisplay::Rail,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let Self { lead, zero, limit, motor, servo, spring, friction, breakaway, damping, armature } = self;
        let resists = [friction, breakaway, damping, armature];
        let mut list = vec![Parameter {
            name: "lead",
            what: "slide for each turn of B; negative for a left-hand thread",
            role: Role::Lead(lead),
        }];
        list.extend(along::parameters((zero, limit), (motor, "drives it along the axis"), servo, spring, resists));
        list
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
        self.thread(frames, along, rows);
        self.along().rows(frames, along, rows);
    }

    /// The row of the thread.
    fn thread(&self, frames: &JointFrames, along: Jacobian, rows: &mut RowList) {
        let slide = frames.axis_a.dot(frames.p()) - frames.axis_local.dot(frames.made_gap);
        let lead = f64::from(self.lead);
        let (by_angle, angle) = (-lead / TAU, hinge_axis::wrapped(frames));
        let c = phase::within(&[(1.0, slide, 0.0), (by_angle, angle, 0.0)], lead);
        let about = Jacobian::about(frames.axis_a);
        rows.push(Group::Coupling, 2, Jacobian::sum(&[(1.0, along), (by_angle as f32, about)]), RowKind::Equal { c });
    }

    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        measure::slide(frames, relative, self.zero)
    }
}
