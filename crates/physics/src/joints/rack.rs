//! Rack: the teeth of a pinion, A, mesh with those of a rack, B.
//!
//! One row in slot 0, a force between the teeth at the pitch point, equal and opposite on the two bodies:
//!
//! ```text
//! d = the rack's direction, carried by B;  s = d · p from where it was made;  θ = the angle of d about a seen from A
//! C = s + k θ,   k = ±r: the rack's anchor is on the side of the pinion where the teeth are
//! J = [−d, (p − x_A) × −d, d, (p − x_B) × d]   at the pitch point p, r beside A's anchor, while d ⊥ a
//! ```
//! Whole turns cancel in C. Source: docs/math.md, "Rack".

use std::f64::consts::TAU;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, Role, measure::Relative};
use crate::kernel::patch::LeverArms;
use crate::primitives::phase;
use crate::row::{Group, Jacobian, JointFrames, RowKind, RowList};

/// A pinion on a rack. A's anchor is the pinion's centre, B's lies on the rack. A's axis is the pinion's, B's points
/// along the rack.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rack {
    /// Pitch radius of the pinion, m; negative if the teeth are on the other side than the rack's anchor.
    pub radius: f32,
}

impl Default for Rack {
    fn default() -> Self {
        Self { radius: 0.5 }
    }
}

impl Rack {
    pub const INFO: JointInfo = JointInfo {
        name: "Rack",
        what: "A is a pinion that meshes with B, a rack along B's axis",
        source: "docs/math.md, Rack",
        axis: true,
        coincident: false,
        measures: JointMeasure::Slide,
        winds: false,
        anchor: Anchor::Origins,
        shown: JointDisplay::Rack,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let what = "pitch radius of the pinion; negative if the teeth are beyond it";
        vec![Parameter { name: "radius", what, role: Role::Radius(&mut self.radius) }]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        let (a, d) = (frames.axis_a, frames.axis_b);
        let (made_a, made_d) = phase::made_axes(frames);
        let k = self.radius * made_d.cross(made_a).dot(frames.made_gap).signum();
        // The angle of the rack about the pinion's axis.
        let across = (d - a.dot(d) * a).length_squared();
        if across < 0.5 {
            return;
        }
        let angle = phase::turned(frames.axis_local, made_d, frames.qa.inverse() * d);
        let wide = f64::from(k);
        let c = phase::within(&[(1.0, slid(frames), 0.0), (wide, angle, 0.0)], TAU * wide);
        let turns = Jacobian::about((a - a.dot(d) * d) / across);
        rows.push(Group::Coupling, 0, Jacobian::sum(&[(1.0, slides(frames)), (k, turns)]), RowKind::Equal { c });
    }

    /// How far the rack has moved along itself past the pinion, m, and its rate, m/s.
    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        let d = frames.axis_b;
        (slid(frames), d.dot(relative.anchors) + relative.angular.cross(d).dot(frames.p()))
    }
}

/// How far the rack has moved along itself since the joint was made, m.
fn slid(frames: &JointFrames) -> f32 {
    let made: Vec3 = frames.reference.inverse() * frames.made_gap;
    let JointFrames { qb, axis_b, .. } = *frames;
    axis_b.dot(frames.p()) - (qb.inverse() * axis_b).dot(made)
}

/// The row of that: a force along the rack at A's anchor, since B carries its direction.
fn slides(frames: &JointFrames) -> Jacobian {
    let (ang_a, ang_b) = LeverArms { a: frames.ra, b: frames.rb - frames.p() }.angular(frames.axis_b);
    Jacobian { lin: frames.axis_b, ang_a, ang_b, net: Vec3::ZERO }
}
