//! The value that a joint measures of its relative motion, so that panels, plots and CSV need not know the kinds.

use glam::Vec3;

use crate::physics::primitives::hinge_axis;
use crate::physics::row::Ends;

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
}

/// The angle of B about the axis, rad, unwrapped beyond a half turn, and its rate, rad/s.
pub(super) fn angle_about(ends: &Ends, relative: &Relative) -> (f32, f32) {
    let angle = hinge_axis::angle(ends.qa, ends.qb, ends.reference, ends.axis_local, ends.previous);
    (angle, ends.axis_a.dot(relative.angular))
}

/// The rotation angle of B in A's frame since the joint was made, 0 to π rad, and its rate, rad/s.
pub(super) fn turn(ends: &Ends, relative: &Relative) -> (f32, f32) {
    let q = ends.qb * ends.reference.inverse() * ends.qa.inverse();
    let v = Vec3::new(q.x, q.y, q.z) * q.w.signum();
    let sine = v.length();
    let axis = if sine > 0.0 { v / sine } else { Vec3::ZERO };
    (2.0 * sine.atan2(q.w.abs()), axis.dot(relative.angular))
}

/// The anchors' distance, m, and its rate, m/s.
pub(super) fn length(ends: &Ends, relative: &Relative) -> (f32, f32) {
    let p = ends.p();
    (p.length(), p.normalize_or_zero().dot(relative.anchors))
}

/// The slide along the axis, m, and its rate, m/s.
pub(super) fn slide(ends: &Ends, relative: &Relative) -> (f32, f32) {
    (ends.axis_a.dot(ends.p()), ends.axis_a.dot(relative.anchors))
}
