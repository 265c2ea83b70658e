//! Two round bodies whose axes cross, as a rod that lies across a drum.
//!
//! ```text
//! n = ± a × b / |a × b|     a, b: the axes; they touch on the line that is square to both
//! C = n · (q_b − q_a) − R_a − R_b     q: where that line meets the axes
//! ```
//! As one of them tilts or rolls, that line moves over both.

use glam::Vec3;
use parry3d::shape::TypedShape;

use super::round;
use crate::body::Body;
use crate::shape::Solid;

/// The least square of the sine between axes that cross.
const MIN_SINE_SQUARED: f32 = 0.1;

/// The axis of a capsule or a cylinder, world frame, m.
pub(super) struct Axis {
    centre: Vec3,
    direction: Vec3,
    half_length: f32,
    radius: f32,
}

impl Axis {
    /// The axis of a body's shape, if it has one.
    pub fn of((body, piece): (&Body, &Solid)) -> Option<Self> {
        let radius = match piece.geometry.as_typed_shape() {
            TypedShape::Capsule(capsule) => capsule.radius,
            TypedShape::Cylinder(cylinder) => cylinder.radius,
            _ => return None,
        };
        let (direction, half_length) = round::axis(&*piece.geometry)?;
        let pose = body.pose() * piece.offset;
        Some(Self { centre: pose.translation, direction: pose.rotation * direction, half_length, radius })
    }
}

/// The point midway between the two surfaces, world frame, and the gap, m; `normal` points from A to B about as they were
/// found. `None` if the axes are nearly parallel, or if the bodies touch beyond the end of one.
pub(super) fn meet(a: &Axis, b: &Axis, normal: Vec3) -> Option<(Vec3, f32)> {
    let cross = a.direction.cross(b.direction);
    let square = cross.length_squared();
    if square < MIN_SINE_SQUARED {
        return None;
    }
    let apart = b.centre - a.centre;
    let along_a = apart.cross(b.direction).dot(cross) / square;
    let along_b = apart.cross(a.direction).dot(cross) / square;
    if along_a.abs() > a.half_length || along_b.abs() > b.half_length {
        return None;
    }
    let n = cross * (cross.dot(normal).signum() / square.sqrt());
    let gap = n.dot(apart) - a.radius - b.radius;
    Some((a.centre + along_a * a.direction + n * (a.radius + 0.5 * gap), gap))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rods_touch_on_the_line_across_both() {
        let rod = |centre, direction, radius| Axis { centre, direction, half_length: 1.0, radius };
        let a = rod(Vec3::new(0.3, 0.0, 0.0), Vec3::X, 0.25);
        let tilted = Vec3::new(0.0, 0.6, 0.8);
        let b = rod(Vec3::new(0.1, 0.0, 0.0) + 0.5 * tilted + Vec3::new(0.0, -0.8, 0.6), tilted, 0.5);
        let (at, gap) = meet(&a, &b, Vec3::Z).expect("they cross");
        // The common normal is (0, −0.8, 0.6), and a metre lies between the axes at x = 0.1 m.
        assert!((gap - 0.25).abs() < 1e-6, "{gap}");
        assert!(at.distance(Vec3::new(0.1, 0.0, 0.0) + Vec3::new(0.0, -0.8, 0.6) * 0.375) < 1e-6, "{at}");
        assert!(meet(&a, &rod(Vec3::Y, Vec3::X, 0.1), Vec3::Y).is_none(), "parallel");
        assert!(meet(&a, &rod(Vec3::new(1.5, 0.0, 1.0), Vec3::Y, 0.1), Vec3::Z).is_none(), "beyond the end");
    }
}
