//! Which joints the articulations support: those that keep two anchors together and allow rotation about all axes, one
//! axis or none.
//!
//! ```text
//! ball    three rows of the anchor
//! hinge   these and two across its axis, C = t · (aA × aB), which leave ω_rel = −b + s q̇, s = aA
//! fixed   those of the anchor and three, C = 2 sgn(w) Im(qB q_ref⁻¹ qA⁻¹)
//! ```
//! The rows are orthonormal in space, so the impulses along them are the components of a force and a torque. Cones
//! and stops are inequalities: they are tested in each sub-step, and a mechanism that may reach one is stepped by
//! rows (`bounds.rs`). Joints with a motor, servo, spring, friction, damping, armature, compliance, breaking load or a stabilisation of their own are
//! always stepped by rows.

use crate::joint::Joint;
use crate::joints::{Hinge, JointKind};
use crate::settings::{HingeForm, OrientationForm};

/// The joint types of the articulations, by the rotation that they leave free: all axes, one, none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeJoint {
    Ball,
    Hinge,
    Fixed,
}

impl TreeJoint {
    /// Number of constraint rows.
    pub fn rows(self) -> u32 {
        match self {
            Self::Ball => 3,
            Self::Hinge => 5,
            Self::Fixed => 6,
        }
    }

    /// The type of a joint; none if it must be stepped by rows.
    pub fn of(joint: &Joint) -> Option<Self> {
        let options = &joint.def.options;
        if options.breaks.is_some() || options.stabilization.is_some() || options.soft.is_some() {
            return None;
        }
        match joint.def.kind {
            JointKind::BallSocket(_) | JointKind::ConeTwist(_) => Some(Self::Ball),
            JointKind::Hinge(hinge @ Hinge { motor: None, servo: None, spring: None, formulation, .. }) => {
                let usual = matches!(formulation, None | Some(HingeForm::CrossProduct));
                (usual && !hinge.resists().any()).then_some(Self::Hinge)
            }
            JointKind::Fixed(fixed) => {
                matches!(fixed.formulation, None | Some(OrientationForm::WorldAxes)).then_some(Self::Fixed)
            }
            _ => None,
        }
    }
}

/// Whether a joint has inequality rows (stops, cone) that may become active.
pub fn has_bounds(kind: &JointKind) -> bool {
    match kind {
        JointKind::Hinge(hinge) => hinge.limit.is_some(),
        JointKind::ConeTwist(_) => true,
        _ => false,
    }
}
