//! Cone–twist: a ball joint with a limit on the angle between B's axis and A's, and stops on the twist about it.
//!
//! Rows in order: anchor 3 (`primitives/plane.rs`), swing limit 1–2 and twist limit 0–1 (`primitives/swing_twist.rs`).
//! The twist is zero in the pose of the scene file. Source: 000 Swing, Twist, Cone–twist; 004 ch. 21.

use serde::{Deserialize, Serialize};

use super::{
    Anchor, Freedom, Given, JointDisplay, JointInfo, JointMeasure, Parameter, Role, measure::Relative, radians,
};
use crate::angle::Angle;
use crate::primitives::plane;
use crate::primitives::swing_twist::{self, SwingLimit};
use crate::row::{JointFrames, RowList};

/// A shoulder-like joint.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConeTwist {
    /// Limit on the angle between B's axis and A's.
    pub swing: SwingLimit,
    /// Least and greatest twist, rad, within ±π; free if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twist: Option<(Angle, Angle)>,
}

impl Default for ConeTwist {
    fn default() -> Self {
        Self { swing: SwingLimit::Cone(Angle::radians(std::f32::consts::FRAC_PI_4)), twist: None }
    }
}

impl ConeTwist {
    pub const INFO: JointInfo = JointInfo {
        name: "ConeTwist",
        what: "a shared point; B's axis stays within a cone about A's, its turn about it within stops",
        source: "000 Swing, Twist, Cone–twist",
        axis: true,
        coincident: true,
        measures: JointMeasure::Angle,
        winds: false,
        anchor: Anchor::Needed,
        shown: JointDisplay::Dial,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            Parameter {
                name: "swing",
                what: "how far B's axis may lean from A's",
                role: Role::Swing(Given::Always(&mut self.swing)),
            },
            Parameter { name: "twist", what: "least and greatest twist", role: Role::AngleLimit(&mut self.twist) },
        ]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        plane::anchor(frames, 0, rows);
        swing_twist::limit_swing(frames, self.swing, 3, rows);
        if let Some(range) = radians(self.twist) {
            swing_twist::limit_twist(frames, range, 7, rows);
        }
    }

    /// The twist, rad, and its rate, rad/s.
    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        let rate = swing_twist::twist_row(frames).map_or(0.0, |row| row.ang_b.dot(relative.angular));
        (swing_twist::twist(frames), rate)
    }
}
