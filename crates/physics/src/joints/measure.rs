//! The value that a joint measures of its relative motion, so that panels, plots and CSV need not know the kinds.

use glam::Vec3;

use super::JointKind;
use crate::body::Velocity;
use crate::primitives::{hinge_axis, rotation_vector};
use crate::row::JointFrames;

/// The quantity and unit of a joint's value and its rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointMeasure {
    /// rad, and rad/s.
    Angle,
    /// Along the joint's axis, m, and m/s.
    Slide,
    /// Between the anchors, m, and m/s.
    Length,
}

/// Motion of B relative to A, world frame.
#[derive(Debug, Clone, Copy)]
pub struct Relative {
    /// wB − wA, rad/s.
    pub angular: Vec3,
    /// Velocity of B's anchor as seen from A, m/s.
    pub anchors: Vec3,
    /// Velocities of A's anchor and of B's, m/s.
    pub points: [Vec3; 2],
}

impl Relative {
    /// The motion between two bodies at these frames, with these velocities.
    pub fn between(frames: &JointFrames, a: &Velocity, b: &Velocity) -> Self {
        let (wa, wb) = (Vec3::from(a.angular), Vec3::from(b.angular));
        let (va, vb) = (Vec3::from(a.linear), Vec3::from(b.linear));
        let at_b = vb + wb.cross(frames.rb);
        let anchors = at_b - va - wa.cross(frames.sa());
        Self { angular: wb - wa, anchors, points: [va + wa.cross(frames.ra), at_b] }
    }
}

impl JointKind {
    /// B's anchor from A's, m, and B's rotation vector since the joint was made, rad, along and about A's axes; of a
    /// joint with axes of its own along and about these, and from its zero.
    pub fn six_values(&self, frames: &JointFrames) -> (Vec3, Vec3) {
        if let Self::SixDof(joint) = self {
            let [x, y, z, about_x, about_y, about_z] = joint.values(frames);
            return (Vec3::new(x, y, z), Vec3::new(about_x, about_y, about_z));
        }
        (frames.qa.inverse() * frames.p(), rotation_vector::relative(frames))
    }
}

/// More than this in a sub-step, rad, is unwrapped by the speed.
const FAST: f32 = 1.0;

/// The value of a joint that counts whole turns, after a sub-step of `h` seconds. `frames.previous` is its value
/// before.
///
/// ```text
/// θ ≡ θ' (mod 2π),   nearest to θ_before + θ̇ h
/// ```
/// A wheel that turns by more than half a turn in a sub-step would otherwise seem to turn backwards.
pub fn unwrapped_value(kind: &JointKind, frames: &JointFrames, relative: &Relative, h: f32) -> f32 {
    let (value, speed) = kind.measure(frames, relative);
    let by = speed * h;
    if !(by.abs() > FAST && by.is_finite()) {
        return value;
    }
    let frames = JointFrames { previous: frames.previous + by, ..*frames };
    kind.measure(&frames, relative).0
}

/// The angle of B about the axis, rad, unwrapped beyond a half turn, and its rate, rad/s.
pub(super) fn angle_about(frames: &JointFrames, relative: &Relative) -> (f32, f32) {
    angle_from(frames, relative, 0.0)
}

/// The angle of B about the axis from the zero `zero`, rad, unwrapped beyond a half turn. `frames.previous` is from
/// there, too.
pub(super) fn angle(frames: &JointFrames, zero: f32) -> f32 {
    let JointFrames { qa, qb, reference, axis_local, previous, .. } = *frames;
    hinge_axis::angle(qa, qb, reference, axis_local, previous + zero) - zero
}

/// The same with its rate, rad/s.
pub(super) fn angle_from(frames: &JointFrames, relative: &Relative, zero: f32) -> (f32, f32) {
    (angle(frames, zero), frames.axis_a.dot(relative.angular))
}

/// The rotation angle of B in A's frame since the joint was made, 0 to π rad, and its rate, rad/s.
pub(super) fn rotation_angle(frames: &JointFrames, relative: &Relative) -> (f32, f32) {
    let q = frames.qb * frames.reference.inverse() * frames.qa.inverse();
    let v = Vec3::new(q.x, q.y, q.z) * q.w.signum();
    let sine = v.length();
    let axis = if sine > 0.0 { v / sine } else { Vec3::ZERO };
    (2.0 * sine.atan2(q.w.abs()), axis.dot(relative.angular))
}

/// The anchors' distance, m, and its rate, m/s.
pub(super) fn length(frames: &JointFrames, relative: &Relative) -> (f32, f32) {
    let p = frames.p();
    (p.length(), p.normalize_or_zero().dot(relative.anchors))
}

/// The slide along the axis from the zero `zero`, m, and its rate, m/s.
pub(super) fn slide(frames: &JointFrames, relative: &Relative, zero: f32) -> (f32, f32) {
    (frames.axis_a.dot(frames.p()) - zero, frames.axis_a.dot(relative.anchors))
}
