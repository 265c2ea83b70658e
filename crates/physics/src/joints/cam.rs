//! Cam: a point of B, the follower, stays on a closed profile. The profile is fixed to A, perpendicular to A's axis.
//!
//! ```text
//! p = from A's anchor to B's, in A's frame, without its part along the axis;   c(θ) the profile (`primitives/profile.rs`)
//! d = the distance of p from the profile, positive outside, at the nearest c, with the outward normal n there
//! C = d − ρ = 0, or ≥ 0 if the follower only rests on it        ρ the radius of a roller, 0 of a knife edge
//! J = [−n, s_A × −n, n, r_B × n]:   the gradient of a distance is its normal, so no curvature enters J
//! ```
//! The force passes through the roller's centre and the point of contact, so both momenta are kept. The roller's centre
//! moves on the curve at the distance ρ from the profile. A guide holds the follower: the row says nothing about its
//! motion along the profile and along the axis. The angle θ = 0 points from A's anchor to B's in the pose in which the
//! joint was made, less `zero`. Source: docs/math.md, "Cam".

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Anchor, Coefficient, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, Role, measure::Relative};
use crate::angle::Angle;
use crate::primitives::hinge_axis;
use crate::primitives::profile::Profile;
use crate::quantity;
use crate::row::{Group, Jacobian, JointFrames, RowKind, RowList};
use crate::setting::is_default;

/// A cam and its follower. A's anchor is on the cam's axis, B's is the knife edge or the centre of the roller.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cam {
    /// Radii of the profile at equal angles, m.
    pub radii: Profile,
    /// Radius of the roller, m; zero for a knife edge.
    #[serde(default, skip_serializing_if = "is_default")]
    pub roller: f32,
    /// Whether the follower only rests on the cam, and may lift off.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rests: bool,
    /// The angle that counts as zero, from the pose of the scene.
    #[serde(default, skip_serializing_if = "is_default")]
    pub zero: Angle,
}

impl Default for Cam {
    /// A lift of 0.1 m in a sine.
    fn default() -> Self {
        let radii = Profile::of(24, |t| 0.35 - 0.05 * t.cos());
        Self { radii, roller: 0.0, rests: false, zero: Angle::default() }
    }
}

impl Cam {
    pub const INFO: JointInfo = JointInfo {
        name: "Cam",
        what: "a point of B, or a roller about it, follows the profile of A, a cam perpendicular to A's axis",
        source: "docs/math.md, Cam",
        axis: true,
        coincident: false,
        measures: JointMeasure::Angle,
        winds: true,
        anchor: Anchor::Origins,
        shown: JointDisplay::Cam,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let Self { radii, roller, rests, zero } = self;
        let what = "radii of the profile at equal angles, in the positive sense about A's axis; the first one points \
                    at the follower";
        vec![
            Parameter { name: "radii", what, role: Role::Profile(radii) },
            Parameter {
                name: "roller",
                what: "radius of the roller; 0 for a knife edge",
                role: Role::Coefficient(Coefficient { value: roller, of: quantity::ROLLER, usual: 0.0 }),
            },
            Parameter {
                name: "rests",
                what: "whether the follower only rests on the cam, and may lift off; otherwise it runs in a groove",
                role: Role::Switch(rests),
            },
            Parameter {
                name: "zero",
                what: "angle of the first radius from the follower, in the pose of the scene",
                role: Role::AngleZero(zero),
            },
        ]
    }

    /// The directions of the angles zero and a quarter turn, in A's frame. `None` if A's axis passed through both anchors
    /// when the joint was made.
    pub fn directions(&self, frames: &JointFrames) -> Option<(Vec3, Vec3)> {
        let JointFrames { axis_local, made_gap, .. } = *frames;
        let u = made_gap.reject_from_normalized(axis_local).try_normalize()?;
        let v = axis_local.cross(u);
        let (sine, cosine) = self.zero.radians.sin_cos();
        Some((cosine * u + sine * v, cosine * v - sine * u))
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        let Some((u, v)) = self.directions(frames) else { return };
        let p = frames.qa.inverse() * frames.p();
        let nearest = self.radii.nearest([u.dot(p).into(), v.dot(p).into()]);
        let [x, y] = nearest.normal.map(|part| part as f32);
        let normal = frames.qa * (x * u + y * v);
        let c = (nearest.distance - f64::from(self.roller)) as f32;
        let kind = if self.rests { RowKind::AtLeast { c } } else { RowKind::Equal { c } };
        rows.push(Group::Coupling, 0, Jacobian::along(normal, frames.sa(), frames.rb), kind);
    }

    /// The angle of the follower about A's axis, seen from the cam, rad, and its rate, rad/s.
    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        let Some((u, v)) = self.directions(frames) else { return (0.0, 0.0) };
        let p = frames.p();
        let local = frames.qa.inverse() * p;
        let across = p.reject_from_normalized(frames.axis_a).length_squared().max(f32::MIN_POSITIVE);
        let rate = frames.axis_a.dot(p.cross(relative.anchors)) / across;
        (hinge_axis::unwrap(v.dot(local).atan2(u.dot(local)), frames.previous), rate)
    }
}
