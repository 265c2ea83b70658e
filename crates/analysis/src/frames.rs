//! A joint's frames in 64 bits, for its rows.

use glam::{DQuat, DVec3};

use delassus_physics::joint::Joint;

use crate::rows::Pose;

/// A joint's frames in 64 bits; see [`delassus_physics::row::JointFrames`].
pub(crate) struct Frames {
    pub p: DVec3,
    /// From A's centre of mass, and from B's, to B's anchor.
    pub arm_a: DVec3,
    pub arm_b: DVec3,
    pub qa: DQuat,
    pub qb: DQuat,
    pub axis_a: DVec3,
    pub axis_b: DVec3,
    pub axis_local: DVec3,
    pub reference: DQuat,
}

fn quat(q: glam::Quat) -> DQuat {
    q.as_dquat().normalize()
}

impl Frames {
    pub fn of(joint: &Joint, a: &Pose, b: &Pose) -> Self {
        let def = &joint.def;
        let (qa, qb) = (a.rotation, b.rotation);
        let (ra, rb) = (qa * def.anchor_a.as_dvec3(), qb * def.anchor_b.as_dvec3());
        let p = b.position + rb - a.position - ra;
        let (local_a, local_b) = (def.axis_a.as_dvec3().normalize_or_zero(), def.axis_b.as_dvec3().normalize_or_zero());
        Self {
            p,
            arm_a: ra + p,
            arm_b: rb,
            qa,
            qb,
            axis_a: qa * local_a,
            axis_b: qb * local_b,
            axis_local: local_a,
            reference: quat(joint.reference),
        }
    }

    /// Two directions across the axis of A, carried by A.
    pub fn across(&self) -> [DVec3; 2] {
        let (u, v) = self.axis_local.any_orthonormal_pair();
        [self.qa * u, self.qa * v]
    }

    /// qA⁻¹ qB q_ref⁻¹ with w ≥ 0: how B has turned since the joint was made, in A's frame.
    pub fn turned(&self) -> DQuat {
        upright(self.qa.inverse() * self.qb * self.reference.inverse())
    }

    /// The angle about the axis within ±π, rad.
    pub fn angle(&self) -> f64 {
        let q = self.turned();
        2.0 * self.axis_local.dot(q.xyz()).atan2(q.w)
    }
}

pub(crate) fn upright(q: DQuat) -> DQuat {
    if q.w < 0.0 { -q } else { q }
}
