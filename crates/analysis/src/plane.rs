//! Plane mechanisms: their common normal, and the instant centres of pairs of bodies.
//!
//! ```text
//! a mechanism is plane if all ω are parallel to one n, and all v across it
//! of bodies i and j:   P = x_j + n × (v_j − v_i − ω_i n × (x_j − x_i))/(ω_j − ω_i)
//! ```
//! At P both bodies have the same velocity: j turns about it as seen from i. If ω_i = ω_j the centre is at infinity. By
//! the theorem of Aronhold and Kennedy the three centres of three bodies lie on a line. Source: J. Uicker, G. Pennock, J.
//! Shigley, Theory of Machines and Mechanisms, ch. 3.

use glam::DVec3;

use crate::rows::Twist;

/// A motion counts as plane if no more than this share of it is out of the plane.
const FLAT: f64 = 1e-5;
/// Angular velocities that differ by less than this share of the largest have no centre.
const PARALLEL: f64 = 1e-9;

/// The normal of the plane in which all these bodies move: their velocities and the size that converts angles, m. None if
/// nothing rotates, or if they do not move in one plane.
pub fn normal(twists: &[Twist], size: f64) -> Option<DVec3> {
    let largest = twists.iter().max_by(|a, b| a.angular.length().total_cmp(&b.angular.length()))?;
    let n = largest.angular.try_normalize()?;
    let fastest = twists.iter().map(|t| t.linear.length().max(size * t.angular.length())).fold(0.0, f64::max);
    let is_flat = |t: &Twist| {
        let out = t.linear.dot(n).abs().max(size * t.angular.reject_from_normalized(n).length());
        out <= FLAT * fastest
    };
    // The sense in which most of its components are positive, so that it is the same at all poses.
    let n = if n.x + n.y + n.z < 0.0 { -n } else { n };
    twists.iter().all(is_flat).then_some(n)
}

/// The instant centre of two bodies, given by position of the centre of mass and motion; none at infinity. It lies at
/// the height of the second body's centre along the normal `n`.
pub fn centre(n: DVec3, i: (DVec3, Twist), j: (DVec3, Twist)) -> Option<DVec3> {
    let (turns_i, turns_j) = (i.1.angular.dot(n), j.1.angular.dot(n));
    let relative = turns_j - turns_i;
    if relative.abs() <= PARALLEL * turns_i.abs().max(turns_j.abs()) || relative == 0.0 {
        return None;
    }
    let carried = i.1.linear + i.1.angular.cross(j.0 - i.0);
    Some(j.0 + n.cross(j.1.linear - carried) / relative)
}
