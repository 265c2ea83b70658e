//! Distances and angles between points, axes and faces.
//!
//! ```text
//! point – face   (p − q)·n             axis – axis   |(q − p)·(d×e)|/|d×e|, if parallel |(q − p) − d d·(q − p)|
//! axis – axis, face – face   angle acos|d·e|          axis – face   90° minus that
//! ```

use glam::Vec3;

/// The feature at a picked point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Feature {
    Point,
    /// A straight line through the point, unit direction.
    Axis(Vec3),
    /// A plane through the point, its unit outward normal.
    Face(Vec3),
}

/// A picked place, world frame, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    pub at: Vec3,
    pub feature: Feature,
}

/// The measures between two features.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// From the first point to the second, m.
    pub between: Vec3,
    /// The distance of the features if it differs from that of the points, m: between lines, or from a face; negative
    /// behind a face.
    pub apart: Option<f32>,
    /// The angle between axes and faces, 0 to π/2, rad.
    pub angle: Option<f32>,
}

/// Measures two features.
pub fn measure(a: &Spot, b: &Spot) -> Measure {
    use Feature::{Axis, Face, Point};
    let between = b.at - a.at;
    let acute = |d: Vec3, e: Vec3| d.dot(e).abs().min(1.0).acos();
    let (apart, angle) = match (a.feature, b.feature) {
        (Point, Point) => (None, None),
        (Face(n), Point) => (Some(between.dot(n)), None),
        (Point, Face(n)) => (Some(-between.dot(n)), None),
        (Axis(d), Point) | (Point, Axis(d)) => (Some((between - d * between.dot(d)).length()), None),
        (Axis(d), Axis(e)) => {
            let across = d.cross(e);
            let sine = across.length();
            let apart =
                if sine > 1e-4 { between.dot(across).abs() / sine } else { (between - d * between.dot(d)).length() };
            (Some(apart), Some(acute(d, e)))
        }
        (Face(n), Face(m)) => {
            // Only parallel faces have a distance.
            let parallel = n.dot(m).abs() > 1.0 - 1e-6;
            (parallel.then(|| between.dot(n).abs()), Some(acute(n, m)))
        }
        (Axis(d), Face(n)) | (Face(n), Axis(d)) => (None, Some(std::f32::consts::FRAC_PI_2 - acute(d, n))),
    };
    Measure { between, apart, angle }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

    use super::*;

    fn spot(at: [f32; 3], feature: Feature) -> Spot {
        Spot { at: at.into(), feature }
    }

    #[test]
    fn distances_and_angles_are_those_of_geometry() {
        use Feature::{Axis, Face, Point};
        let diagonal = Vec3::new(1.0, 1.0, 0.0).normalize();
        let cases = [
            (Point, Point, None, None),
            // The second point is 3 m along x, 4 along y and 5 along z from the first.
            (Face(Vec3::Z), Point, Some(5.0), None),
            (Point, Face(Vec3::Z), Some(-5.0), None),
            (Axis(Vec3::Z), Point, Some(5.0), None),
            (Axis(Vec3::X), Axis(Vec3::Y), Some(5.0), Some(FRAC_PI_2)),
            (Axis(Vec3::Z), Axis(-Vec3::Z), Some(5.0), Some(0.0)),
            (Axis(Vec3::X), Axis(diagonal), Some(5.0), Some(FRAC_PI_4)),
            (Face(Vec3::X), Face(-Vec3::X), Some(3.0), Some(0.0)),
            (Face(Vec3::X), Face(diagonal), None, Some(FRAC_PI_4)),
            (Axis(Vec3::Z), Face(Vec3::Z), None, Some(FRAC_PI_2)),
            (Face(diagonal), Axis(Vec3::X), None, Some(FRAC_PI_4)),
        ];
        for (first, second, apart, angle) in cases {
            let found = measure(&spot([1.0, 1.0, 1.0], first), &spot([4.0, 5.0, 6.0], second));
            assert_eq!(found.between, Vec3::new(3.0, 4.0, 5.0));
            let near = |a: Option<f32>, b: Option<f32>| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-3,
                (a, b) => a == b,
            };
            assert!(near(found.apart, apart) && near(found.angle, angle), "{first:?} {second:?}: {found:?}");
        }
    }
}
