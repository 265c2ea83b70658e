//! Belt: a belt or chain without slip over two pulleys with parallel axes.
//!
//! One row in slot 0. The tension of one span exceeds that of the other by λ, and both act along their spans:
//!
//! ```text
//! C = r_a θ_a − r_b θ_b        θ against the line of centres (`primitives/phase.rs`); r_b < 0 for a crossed belt
//! ```
//! An open belt turns both pulleys the same way about the line of centres, a crossed one the opposite way. A tensioner
//! is thought to keep the belt tight: the distance of the centres is free. Source: docs/math.md, "Belt".

use serde::{Deserialize, Serialize};

use super::gear;
use super::{Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, Role, measure::Relative};
use crate::row::{JointFrames, RowList};

/// A belt over two pulleys. Its anchors are the centres of the pulleys.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Belt {
    /// Radius of A's pulley, m.
    pub radius_a: f32,
    /// The same of B's; negative if the belt is crossed.
    pub radius_b: f32,
}

impl Default for Belt {
    /// Two like pulleys.
    fn default() -> Self {
        Self { radius_a: 0.3, radius_b: 0.3 }
    }
}

impl Belt {
    pub const INFO: JointInfo = JointInfo {
        name: "Belt",
        what: "a belt over two pulleys with parallel axes; anchors at their centres",
        source: "docs/math.md, Belt",
        axis: true,
        coincident: false,
        measures: JointMeasure::Angle,
        winds: true,
        anchor: Anchor::Origins,
        shown: JointDisplay::Belt,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let Self { radius_a, radius_b } = self;
        vec![
            Parameter { name: "radius_a", what: "radius of A's pulley", role: Role::Radius(radius_a) },
            Parameter {
                name: "radius_b",
                what: "radius of B's pulley; negative if the belt is crossed",
                role: Role::Radius(radius_b),
            },
        ]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        gear::row(frames, (self.radius_a, -self.radius_b), rows);
    }

    /// The angle of B about its axis against the line of centres, rad, and its rate, rad/s.
    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        gear::angle_of_b(frames, relative, (self.radius_a, self.radius_b))
    }
}
