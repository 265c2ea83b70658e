//! Phases of two bodies whose rotations are coupled: teeth, belts.
//!
//! ```text
//! θ(a, d)  = the angle of a direction d about an axis a, seen from the body that carries a, since the joint was made
//! parallel axes: d = p, from A's anchor to B's, on both bodies: the line of centres
//!     θ-dot = g · (velocity of p seen from the body),  g = a × p / |p ⊥ a|²
//!     J_θA  = a force g at B's anchor,  J_θB = a force g at A's anchor
//! crossing axes: on A d = b, B's axis, and on B d = a, A's axis: the plane of the two axes
//!     J_θA  = the couple (a − (a·b) b) / sin²β on B,  J_θB = the couple −(b − (a·b) a) / sin²β on B
//! ```
//! β is the angle between the axes. Each J is an equal and opposite force at one point, or a couple: both momenta are
//! kept. Source: docs/math.md, "Gear".

use std::f64::consts::TAU;

use glam::Vec3;

use crate::kernel::patch::LeverArms;
use crate::row::{Jacobian, JointFrames};

/// The sine of the angle between two axes from which they count as crossing.
const CROSSING: f32 = 0.05;
/// A line of centres this much shorter than the joint's radii has no direction.
const NO_LINE: f32 = 1e-4;

/// The angle by which a direction has turned about the axis `axis`, from `made` to `now`, rad within ±π.
pub fn turned(axis: Vec3, made: Vec3, now: Vec3) -> f32 {
    let across = made.dot(now) - axis.dot(made) * axis.dot(now);
    axis.dot(made.cross(now)).atan2(across)
}

/// The phases of both bodies and their rows.
#[derive(Debug, Clone, Copy)]
pub struct Phases {
    /// rad within ±π, about the bodies' own axes.
    pub a: f32,
    pub b: f32,
    pub row_a: Jacobian,
    pub row_b: Jacobian,
}

/// The two axes when the joint was made, in A's frame.
pub fn made_axes(frames: &JointFrames) -> (Vec3, Vec3) {
    (frames.axis_local, frames.reference * (frames.qb.inverse() * frames.axis_b))
}

/// Whether the two axes cross, as those of bevel gears, rather than being parallel.
pub fn cross(frames: &JointFrames) -> bool {
    let (a, b) = made_axes(frames);
    a.cross(b).length() > CROSSING
}

/// The phases against the line of centres, for parallel axes. None if the line of centres is much shorter than `size`,
/// m, and so has no direction.
pub fn of_centres(frames: &JointFrames, size: f32) -> Option<Phases> {
    let JointFrames { qa, qb, axis_a, axis_b, axis_local, reference, made_gap, .. } = *frames;
    let p = frames.p();
    let along = |axis: Vec3| {
        let across = p.reject_from_normalized(axis).length();
        (across > NO_LINE * size).then(|| axis.cross(p) / (across * across))
    };
    let row = |force: Vec3, arms: LeverArms<Vec3>| {
        let (ang_a, ang_b) = arms.angular(force);
        Jacobian { lin: force, ang_a, ang_b, net: Vec3::ZERO }
    };
    Some(Phases {
        a: turned(axis_local, made_gap, qa.inverse() * p),
        b: turned(qb.inverse() * axis_b, reference.inverse() * made_gap, qb.inverse() * p),
        row_a: row(along(axis_a)?, LeverArms { a: frames.sa(), b: frames.rb }),
        row_b: row(along(axis_b)?, LeverArms { a: frames.ra, b: frames.rb - p }),
    })
}

/// The phases against the plane of the two axes, for crossing axes. None if they have become parallel.
pub fn of_axes(frames: &JointFrames) -> Option<Phases> {
    let JointFrames { qa, qb, axis_a: a, axis_b: b, reference, .. } = *frames;
    let (made_a, made_b) = made_axes(frames);
    let sine = a.cross(b).length_squared();
    let couple = |of: Vec3, other: Vec3| Jacobian::about((of - of.dot(other) * other) / sine);
    (sine > CROSSING * CROSSING).then(|| Phases {
        a: turned(made_a, made_b, qa.inverse() * b),
        b: turned(qb.inverse() * b, reference.inverse() * made_a, qb.inverse() * a),
        row_a: couple(a, b),
        row_b: Jacobian::sum(&[(-1.0, couple(b, a))]),
    })
}

/// The distance of two crossing axes along their common normal, m, and its row.
pub fn axes_apart(frames: &JointFrames) -> (f32, Jacobian) {
    let (a, b, p) = (frames.axis_a, frames.axis_b, frames.p());
    let normal = a.cross(b);
    let length = normal.length();
    let normal = normal / length;
    let flat = p - normal.dot(p) * normal;
    // The normal turns with both axes.
    let turn_a = a.cross(b.cross(flat)) / length;
    let turn_b = b.cross(flat.cross(a)) / length;
    let (ang_a, ang_b) = LeverArms { a: frames.ra, b: frames.rb }.angular(normal);
    (normal.dot(p), Jacobian { lin: normal, ang_a: ang_a + turn_a, ang_b: ang_b + turn_b, net: Vec3::ZERO })
}

/// An angle within ±π and the whole turns that bring it next to `previous`, rad.
pub fn turns(angle: f32, previous: f32) -> f64 {
    ((f64::from(previous) - f64::from(angle)) / TAU).round()
}

/// `Σ factor · (angle + 2π turns)` less the whole multiples of `period`: a coupling's error, which is near zero
/// however often its bodies have turned. In 64 bits, the period too, so that a thousand turns leave no rounding.
pub fn within(terms: &[(f64, f32, f64)], period: f64) -> f32 {
    let sum: f64 = terms.iter().map(|(factor, angle, turns)| factor * (f64::from(*angle) + TAU * turns)).sum();
    (sum - period * (sum / period).round()) as f32
}
