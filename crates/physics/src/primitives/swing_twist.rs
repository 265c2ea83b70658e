//! Swing and twist: the angle between B's axis and A's, and B's rotation about it.
//!
//! ```text
//! a, b  = the joint's axis as carried by A and by B
//! swing: θ = atan2(‖a × b‖, a · b), n = (a × b)/‖·‖, φ = θ n          θ-dot = n · w,  w = wB − wA
//!        (g · φ)-dot = [(g·n) n − θ (g·m)(a − cot θ m)] · w           m = n × a, the side to which b leans; g ⊥ a
//! twist: q = qA⁻¹ qB q_0⁻¹, negated if w < 0;  τ = 2 atan2(a · Im q, w)   τ-dot = (a + b)/(1 + a·b) · w
//! cone       C = s − θ ≥ 0                                            J = [0, n, 0, −n]
//! ellipse    C = min(s1, s2) (1 − f) ≥ 0,  f² = (φ_u/s1)² + (φ_v/s2)²    the cone's row where s1 = s2
//! pyramid    −s1 ≤ φ_u ≤ s1, −s2 ≤ φ_v ≤ s2                           two rows
//! ```
//! The rate of φ has a part along a: swinging rotates the direction m about it. Without swing the rate is g · w. At
//! 180° the direction is undefined, and the cone uses any direction across a; the twist is singular there and has no
//! row. The twist is the one of the decomposition, never unwrapped beyond ±180°: an unwrapped one would be off by a
//! turn after a swing past 180°. q_0 is the orientation of B at which a = b without twist, so B may start swung. The
//! document's row along `a` alone is exact only without swing, and its swing error in cosines diverges near 180°
//! (erratum 6).
//!
//! The setting `formulation.constant_velocity` selects the book's quaternion row (`quaternion.rs`) with C = 2 a · Im
//! q, which is zero where τ is. The pyramid's limits are then on 2 u · Im q, at 2 sin(s/2). It also selects the
//! book's row as printed, on the sum of the speeds (erratum 15).
//! Source: 000 Swing, Twist; 004 ch. 19–20.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{limit, quaternion};
use crate::angle::Angle;
use crate::row::{Group, Jacobian, JointFrames, RowKind, RowList};
use crate::settings::TwistForm;

/// sin θ below which the direction of a swing is unknown.
const NO_SIDE: f32 = 1e-4;
/// 1 + a·b below which the twist is unknown: 2.5° from opposed axes.
const NO_TWIST: f32 = 1e-3;

/// Limit on the angle between B's axis and A's. The half angles of ellipse and pyramid are about two axes across A's
/// axis: in A's frame these are x and y for an axis z, −z and y for x, x and −z for y.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum SwingLimit {
    /// The same half angle in every direction.
    Cone(Angle),
    /// A half angle about each axis, joined by an ellipse.
    Ellipse(Angle, Angle),
    /// A half angle about each axis separately.
    Pyramid(Angle, Angle),
}

/// The present swing, in A's frame.
#[derive(Debug, Clone, Copy)]
pub struct Swing {
    /// θ, rad.
    pub angle: f32,
    /// n, unit, across a; an arbitrary direction if there is no swing.
    pub about: Vec3,
    /// The axis a.
    axis: Vec3,
    /// Whether the swing's direction is defined.
    sided: bool,
}

/// The swing of B's axis from A's.
pub fn swing(frames: &JointFrames) -> Swing {
    let axis = frames.axis_local;
    let b = frames.qa.inverse() * frames.axis_b;
    let cross = axis.cross(b);
    let sin = cross.length();
    let sided = sin > NO_SIDE;
    let about = if sided { cross / sin } else { axis.any_orthonormal_pair().0 };
    Swing { angle: sin.atan2(axis.dot(b)), about, axis, sided }
}

impl Swing {
    /// φ, rad.
    fn vector(&self) -> Vec3 {
        self.angle * self.about
    }

    /// The vector in A's frame whose dot product with w is the rate of g · φ.
    fn rate(&self, g: Vec3) -> Vec3 {
        if !self.sided {
            return g;
        }
        let (n, side) = (self.about, self.about.cross(self.axis));
        // θ cot θ, bounded because it diverges towards 180° and would dominate the row.
        let turn = (self.angle / self.angle.tan()).max(-10.0);
        n * g.dot(n) - g.dot(side) * (self.axis * self.angle - side * turn)
    }
}

/// B's axis stays within the limit: one or two rows, in slots `slot..slot + 4`.
pub fn limit_swing(frames: &JointFrames, limit: SwingLimit, slot: u8, rows: &mut RowList) {
    let swing = swing(frames);
    let (u, v) = frames.axis_local.any_orthonormal_pair();
    let about = |rate: Vec3| Jacobian::about(frames.qa * rate);
    let quaternions = frames.form(None, |f| f.constant_velocity) == TwistForm::Quaternion;
    match limit {
        SwingLimit::Cone(s) => cone(frames, &swing, s.radians, slot, rows),
        SwingLimit::Ellipse(s, t) => {
            let (s, t, phi) = (s.radians, t.radians, swing.vector());
            let (x, y) = (phi.dot(u) / s, phi.dot(v) / t);
            let f = x.hypot(y);
            let smaller = s.min(t);
            if !swing.sided || s == t {
                // Without a direction, the cone inside the ellipse is used.
                return cone(frames, &swing, smaller, slot, rows);
            }
            let gradient = (u * (x / s) + v * (y / t)) / f;
            let rate = swing.rate(gradient) * -smaller;
            rows.push(Group::Swing, slot, about(rate), RowKind::AtLeast { c: smaller * (1.0 - f) });
        }
        SwingLimit::Pyramid(s, t) if quaternions => {
            let q = quaternion::aligned(frames);
            for (k, (g, s)) in [(u, s.radians), (v, t.radians)].into_iter().enumerate() {
                quaternion::stop(Group::Swing, frames, q, g, (-s, s), slot + 2 * k as u8, rows);
            }
        }
        SwingLimit::Pyramid(s, t) => {
            for (k, (g, s)) in [(u, s.radians), (v, t.radians)].into_iter().enumerate() {
                let (value, jacobian) = (g.dot(swing.vector()), about(swing.rate(g)));
                limit::stop_of(Group::Swing, value, (-s, s), jacobian, slot + 2 * k as u8, rows);
            }
        }
    }
}

/// θ ≤ s. Without swing there is no direction and no row.
fn cone(frames: &JointFrames, swing: &Swing, s: f32, slot: u8, rows: &mut RowList) {
    if swing.sided || swing.angle > 1.0 {
        let jacobian = Jacobian::about(frames.qa * -swing.about);
        rows.push(Group::Swing, slot, jacobian, RowKind::AtLeast { c: s - swing.angle });
    }
}

/// τ, rad, between −π and π.
pub fn twist(frames: &JointFrames) -> f32 {
    let q = quaternion::canonical(quaternion::aligned(frames));
    2.0 * frames.axis_local.dot(Vec3::new(q.x, q.y, q.z)).atan2(q.w)
}

/// The row of the twist; none if the axes are opposed.
pub fn twist_row(frames: &JointFrames) -> Option<Jacobian> {
    let sum = 1.0 + frames.axis_a.dot(frames.axis_b);
    (sum > NO_TWIST).then(|| Jacobian::about((frames.axis_a + frames.axis_b) / sum))
}

/// B's twist is locked: one row in the form of the setting `formulation.constant_velocity`.
pub fn lock_twist(frames: &JointFrames, slot: u8, rows: &mut RowList) {
    match frames.form(None, |f| f.constant_velocity) {
        TwistForm::TwistRow => {
            if let Some(jacobian) = twist_row(frames) {
                rows.push(Group::Axis, slot, jacobian, RowKind::Equal { c: twist(frames) });
            }
        }
        TwistForm::Quaternion => quaternion::lock(frames, quaternion::aligned(frames), frames.axis_local, slot, rows),
        TwistForm::AsPrinted => {
            // −½ · −½ on A's side and ½ · ½ on B's: equal signs. The book stabilises its anchor only.
            let m = quaternion::jacobian(frames.qa, quaternion::aligned(frames), frames.axis_local).ang_b / 4.0;
            let jacobian = Jacobian { lin: Vec3::ZERO, ang_a: m, ang_b: m, net: Vec3::ZERO };
            rows.push(Group::Axis, slot, jacobian, RowKind::Equal { c: 0.0 });
        }
    }
}

/// The twist stays within the limits: at most one row, slots `slot` and `slot + 1`.
pub fn limit_twist(frames: &JointFrames, range: (f32, f32), slot: u8, rows: &mut RowList) {
    if let Some(jacobian) = twist_row(frames) {
        limit::stop(twist(frames), range, jacobian, slot, rows);
    }
}
