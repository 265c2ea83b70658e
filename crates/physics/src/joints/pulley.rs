//! Pulley: a rope from A over two points that are fixed in the world, its sheaves, to B. It pulls and never pushes.
//!
//! ```text
//! C = ‖a‖ + k ‖b‖ − L ≤ 0     a, b from the sheaves to the anchors;  k strands hold B: a block and tackle
//! J = [n_a, rA × n_a, k n_b, k rB × n_b],  λ ≤ 0     n_a = a/‖a‖, n_b = b/‖b‖
//! ```
//! The row is always active, as that of a rope (`rope.rs`). The sheaves bear n_a + k n_b, so that momentum goes into the
//! world ([`Jacobian::net`]). Between A's strand and B's strands the rope rubs over the angle θ, and the tensions T_a and T_b
//! of one strand keep to Euler's and Eytelwein's law, e^{−µθ} ≤ T_a/T_b ≤ e^{µθ}:
//!
//! ```text
//! T_a = τ + f,  T_b = τ − f,  τ = −λ/h:   |f| ≤ τ tanh(µθ/2)
//! J_f = [n_a, rA × n_a, −k n_b, −k rB × n_b]     J_f u = 2 ‖a‖-dot while the rope is taut: its speed over the sheaves
//! ```
//! The bound takes τ of the sub-step before: see `capstan.rs`. A strand ends at its sheave, like a hook at the block of a
//! crane:
//!
//! ```text
//! ‖a‖ − 1 cm ≥ 0, ‖b‖ − 1 cm ≥ 0     J = [n_a, rA × n_a, 0, 0] and [0, 0, n_b, rB × n_b],  λ ≥ 0
//! ```
//! Source: docs/math.md, "Pulley".

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Anchor, Coefficient, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, Role, measure::Relative};
use crate::angle::Angle;
use crate::quantity;
use crate::row::{Group, Jacobian, JointFrames, Resistance, RowKind, RowList};
use crate::setting::is_default;

/// A rope over two sheaves in the world.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pulley {
    /// Where the rope of A leaves its sheave, world frame, m.
    pub over_a: Vec3,
    /// Where the rope of B leaves its sheave, world frame, m.
    pub over_b: Vec3,
    /// Strands that hold B for each one that holds A.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub ratio: f32,
    /// Length of A's strand and `ratio` times that of B's when taut, m; as long as it is in the scene if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<f32>,
    /// Coefficient of friction between rope and sheaves.
    #[serde(default, skip_serializing_if = "is_default")]
    pub friction: f32,
    /// Angle over which they touch, rad.
    #[serde(default = "half_a_turn", skip_serializing_if = "is_half_a_turn")]
    pub wrap: Angle,
}

fn one() -> f32 {
    1.0
}
fn is_one(ratio: &f32) -> bool {
    *ratio == 1.0
}
fn half_a_turn() -> Angle {
    Angle::degrees(180.0)
}
fn is_half_a_turn(wrap: &Angle) -> bool {
    *wrap == half_a_turn()
}

impl Default for Pulley {
    /// A metre apart and two above the ground.
    fn default() -> Self {
        Self {
            over_a: Vec3::new(-0.5, 0.0, 2.0),
            over_b: Vec3::new(0.5, 0.0, 2.0),
            ratio: 1.0,
            length: None,
            friction: 0.0,
            wrap: half_a_turn(),
        }
    }
}

/// An anchor that is closer to its sheave leaves its strand no direction, m.
const COINCIDENT: f32 = 1e-6;
/// The length of a strand whose end is at its sheave, m.
const SHORTEST: f32 = 0.01;
/// The slots of the rope, of its friction, and of the strands' ends.
const ROPE: u8 = 0;
const FRICTION: u8 = 9;
const ENDS: [u8; 2] = [6, 7];

/// A strand: its direction away from the sheave, and its length, m.
fn strand(anchor: Vec3, over: Vec3) -> (Vec3, f32) {
    let along = anchor - over;
    let length = along.length();
    (if length > COINCIDENT { along / length } else { Vec3::ZERO }, length)
}

impl Pulley {
    pub const INFO: JointInfo = JointInfo {
        name: "Pulley",
        what: "a rope from A over two fixed points of the world to B; it pulls, may go slack, and ends at its sheaves",
        source: "docs/math.md, Pulley",
        axis: false,
        coincident: false,
        measures: JointMeasure::Length,
        winds: false,
        anchor: Anchor::Origins,
        shown: JointDisplay::Sheaves,
        free: Freedom::More,
    };

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let Self { over_a, over_b, ratio, length, friction, wrap } = self;
        let of = |value, of, usual| Role::Coefficient(Coefficient { value, of, usual });
        vec![
            Parameter { name: "over_a", what: "where A's rope leaves its sheave", role: Role::Place(over_a) },
            Parameter { name: "over_b", what: "where B's rope leaves its sheave", role: Role::Place(over_b) },
            Parameter {
                name: "ratio",
                what: "strands that hold B for each one that holds A",
                role: of(ratio, quantity::RATIO, 1.0),
            },
            Parameter {
                name: "length",
                what: "A's strand and `ratio` times B's strand when taut",
                role: Role::Length(length),
            },
            Parameter {
                name: "friction",
                what: "coefficient of friction between rope and sheaves",
                role: of(friction, quantity::FRICTION, 0.0),
            },
            Parameter { name: "wrap", what: "angle over which they touch", role: Role::Wrap(wrap) },
        ]
    }

    /// A's strand and `ratio` times B's, m.
    pub(super) fn whole(&self, frames: &JointFrames) -> f32 {
        strand(frames.pa(), self.over_a).1 + self.ratio * strand(frames.pb(), self.over_b).1
    }

    /// The share of the mean tension that friction can take: tanh(µθ/2).
    fn share(&self) -> f32 {
        (0.5 * self.friction * self.wrap.radians).tanh()
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        let (on_a, length_a) = strand(frames.pa(), self.over_a);
        let (on_b, length_b) = strand(frames.pb(), self.over_b);
        let at_a = Jacobian { lin: Vec3::ZERO, ang_a: frames.ra.cross(on_a), ang_b: Vec3::ZERO, net: on_a };
        let at_b = Jacobian { lin: on_b, ang_a: Vec3::ZERO, ang_b: frames.rb.cross(on_b), net: on_b };
        let on_b = self.ratio * on_b;
        if on_a == Vec3::ZERO && on_b == Vec3::ZERO {
            return;
        }
        let row = |on_b: Vec3| Jacobian {
            lin: on_b,
            ang_a: frames.ra.cross(on_a),
            ang_b: frames.rb.cross(on_b),
            net: on_a + on_b,
        };
        let c = length_a + self.ratio * length_b - self.length.unwrap_or(frames.rest_length);
        rows.push(Group::Anchor, ROPE, row(on_b), RowKind::AtMost { c });
        for (slot, (jacobian, length)) in ENDS.into_iter().zip([(at_a, length_a), (at_b, length_b)]) {
            if jacobian.net != Vec3::ZERO {
                rows.push(Group::Limit, slot, jacobian, RowKind::AtLeast { c: length - SHORTEST });
            }
        }
        let share = self.share();
        if share > 0.0 {
            let rubs = Resistance::Capstan { share, load: ROPE };
            rows.push(Group::JointFriction, FRICTION, row(-on_b), RowKind::Resist(rubs));
        }
    }

    /// A's strand and `ratio` times B's, m, and their rate, m/s.
    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        let (on_a, on_b) = (strand(frames.pa(), self.over_a).0, strand(frames.pb(), self.over_b).0);
        let [at_a, at_b] = relative.points;
        (self.whole(frames), on_a.dot(at_a) + self.ratio * on_b.dot(at_b))
    }
}
