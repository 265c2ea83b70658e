//! Constant velocity: two shafts that meet at a point at any angle and rotate at the same speed.
//!
//! Rows in order: anchor 3 (`primitives/plane.rs`), twist 1 with τ = 0, swing limit 0–2 (`primitives/swing_twist.rs`).
//! The twist row lies along a + b: both shafts rotate about themselves by the same angle. A's shaft is A's axis, B's
//! shaft is B's; they may form an angle from the start. 004 applies a factor −½ twice and so constrains wA + wB
//! instead of their difference (erratum 15); the setting `formulation.constant_velocity` chooses. Source: 004 ch.
//! 19–20; 000 Twist.

use serde::{Deserialize, Serialize};

use super::{Anchor, Freedom, Given, JointDisplay, JointInfo, JointMeasure, Parameter, Role, measure::Relative};
use crate::primitives::plane;
use crate::primitives::swing_twist::{self, SwingLimit};
use crate::row::{JointFrames, RowList};

/// A universal joint with equal shaft speeds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConstantVelocity {
    /// Limit on the angle between the shafts; free if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swing: Option<SwingLimit>,
}

impl ConstantVelocity {
    pub const INFO: JointInfo = JointInfo {
        name: "ConstantVelocity",
        what: "a shared point; two shafts at any angle turn about their own axes at the same speed",
        source: "004 ch. 19–20, 000 Twist",
        axis: true,
        coincident: true,
        measures: JointMeasure::Angle,
        winds: false,
        anchor: Anchor::Needed,
        shown: JointDisplay::Bend,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![Parameter {
            name: "swing",
            what: "how far the shafts may bend",
            role: Role::Swing(Given::Maybe(&mut self.swing)),
        }]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        plane::anchor(frames, 0, rows);
        swing_twist::lock_twist(frames, 3, rows);
        if let Some(swing) = self.swing {
            swing_twist::limit_swing(frames, swing, 4, rows);
        }
    }

    /// The angle between the shafts, rad, and its rate, rad/s.
    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        let swing = swing_twist::swing(frames);
        (swing.angle, (frames.qa * swing.about).dot(relative.angular))
    }
}
