//! Drum: a rope that is wound on a drum of A and leaves it along a tangent, to a point of B. It pulls and never pushes.
//!
//! ```text
//! p = from the drum's centre to B's anchor;  z = a · p,  q = p − z a,  d = ‖q‖,  t = √(d² − r²)
//! e = (r/d) q/d ± (t/d) a × q/d      from the centre to where the rope leaves the drum; + for a positive radius
//! C = √(t² + z²) + R φ − L ≤ 0       R = ±r;  φ = the drum's angle about a relative to e, since the joint was made
//! J = a force G at B's anchor and its reaction on A, λ ≤ 0
//! G = z a/√(t² + z²) + (d/√(t² + z²) − r²/(d t)) q/d ∓ (r/d) a × q/d     for z = 0 the rope's direction
//!
//! d − 1.05 r ≥ 0            the hook at the rope's end stops at the drum
//! J = a force q/d at B's anchor and its reaction on A, away from the axis
//! ```
//! If the radius is positive, a turn of the drum about +axis relative to the rope winds the rope up. The angle counts whole
//! turns. A rope that is wound up ends at its hook: B then goes round with the drum, or the drum's motor stalls at its cap.
//! G is the gradient of C in A's frame, so both momenta are conserved. The rope leaves the drum in the plane of its centre:
//! z is assumed to be much smaller than t. A sheave with a mass is two drums, one that winds up and one that unwinds. Source:
//! docs/math.md, "Drum".

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use super::{Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, Role, measure::Relative};
use crate::primitives::phase;
use crate::primitives::tangent::Leaving;
use crate::row::{Group, Jacobian, JointFrames, RowKind, RowList};

/// A rope wound on a drum of A, with its end on B.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drum {
    /// Radius of the drum, m; positive if a turn about its axis winds the rope up, negative if it unwinds it.
    pub radius: f32,
    /// Length of the taut rope off the drum in the scene's pose, m; the distance from the drum to B's anchor if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<f32>,
}

impl Default for Drum {
    fn default() -> Self {
        Self { radius: 0.2, length: None }
    }
}

/// The slots of the rope and of its hook's stop.
const ROPE: u8 = 0;
const HOOK: u8 = 6;

impl Drum {
    pub const INFO: JointInfo = JointInfo {
        name: "Drum",
        what: "a rope wound on a drum of A, about A's anchor and axis, to B's anchor",
        source: "docs/math.md, Drum",
        axis: true,
        coincident: false,
        measures: JointMeasure::Angle,
        winds: true,
        anchor: Anchor::Origins,
        shown: JointDisplay::Drum,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let Self { radius, length } = self;
        vec![
            Parameter {
                name: "radius",
                what: "radius of the drum; negative if a turn about the axis unwinds the rope",
                role: Role::Radius(radius),
            },
            Parameter {
                name: "length",
                what: "length of the rope off the drum in the scene's pose when taut",
                role: Role::Length(length),
            },
        ]
    }

    /// How the rope leaves the drum.
    fn leaving(&self, frames: &JointFrames) -> Leaving {
        Leaving::of(frames.p(), frames.axis_a, self.radius)
    }

    /// The drum's diameter, m, if the rope's end is so near to the drum that it has no tangent, or no accurate one.
    pub(super) fn lost(&self, frames: &JointFrames) -> Option<f32> {
        self.leaving(frames).is_lost(self.radius).then_some(2.0 * self.radius.abs())
    }

    /// The length of the rope off the drum, m.
    pub(super) fn free(&self, frames: &JointFrames) -> f32 {
        self.leaving(frames).free
    }

    /// The drum's angle about its axis against the point where the rope leaves it, rad.
    fn angle(&self, frames: &JointFrames, now: &Leaving) -> f64 {
        let made = Leaving::of(frames.made_gap, frames.axis_local, self.radius);
        let angle = -phase::turned(frames.axis_local, made.at, frames.qa.inverse() * now.at);
        f64::from(angle) + TAU * phase::turns(angle, frames.previous)
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        let now = self.leaving(frames);
        let length = self.length.unwrap_or(frames.rest_length);
        // In 64 bits, so that a thousand turns leave no rounding.
        let c = f64::from(now.free) - f64::from(length) + f64::from(self.radius) * self.angle(frames, &now);
        let along = |direction| Jacobian::along(direction, frames.sa(), frames.rb);
        rows.push(Group::Anchor, ROPE, along(now.pull), RowKind::AtMost { c: c as f32 });
        rows.push(Group::Limit, HOOK, along(now.out), RowKind::AtLeast { c: now.clear });
    }

    /// The drum's angle about its axis against the rope, rad, and its rate, rad/s.
    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        let now = self.leaving(frames);
        (self.angle(frames, &now) as f32, -now.turn.dot(relative.anchors))
    }
}
