//! The lever arm with which a patch's friction resists a spin about its normal: the mean distance of its points from
//! its centre O, under uniform pressure.
//!
//! ```text
//! r_p = ∫ r dA / ∫ dA        disc of radius R  ⅔ R        a line of length L  2/L ∫₀^{L/2} s ds = L/4        a point  0
//! ```
//! The touching points, at most four, span a polygon, which is cut into triangles from O to each edge. With h the
//! edge's distance from O, and s along the edge from the foot of that distance, a triangle's share is
//!
//! ```text
//! ∫ r dA = h ∫ ds ∫₀¹ ρ² √(h² + s²) dρ = h/3 ∫ √(h² + s²) ds = h/6 [s √(h² + s²) + h² asinh(s/h)],   ∫ dA = h/2 [s]
//! ```
//! between the edge's ends. For the rectangle with half sides p, q it is d/3 + p²/6q asinh(q/p) + q²/6p asinh(p/q),
//! with d its half diagonal; it tends to p/2 = L/4 as q goes to zero. 000 uses ⅔ √(area/π), which is right for the
//! disc, 1.7 % too small for a square, and zero for a line, on which a rolling cylinder would then turn freely.

use glam::Vec2;

use super::manifold::{Manifold, POINTS};
use crate::kernel::patch::centre_and_gap;

impl Manifold {
    /// The lever arm of the touching points, m; `cap` is the radius of the cylinder cap on which they lie, m, if any.
    pub(super) fn lever(&self, slop: f32, cap: Option<f32>) -> f32 {
        let places = self.points.iter().map(|point| (point.position, point.separation, 0.0));
        let ((centre, _), (u, v)) = (centre_and_gap(places, slop), self.normal.any_orthonormal_pair());
        let (mut corners, mut count) = ([Vec2::ZERO; POINTS], 0);
        for point in self.touching(slop).take(POINTS) {
            let from = point.position - centre;
            corners[count] = Vec2::new(from.dot(u), from.dot(v));
            count += 1;
        }
        let corners = &mut corners[..count];
        let extent =
            corners.iter().flat_map(|a| corners.iter().map(|b| a.distance_squared(*b))).fold(0.0, f32::max).sqrt();
        match (corners, cap) {
            ([] | [_], _) => 0.0,
            ([_, _], _) => 0.25 * extent,
            (corners, None) => mean_distance(corners, extent),
            // The corners are those of the disc's inscribed square, as far apart as its diameter unless the disc
            // overhangs.
            (_, Some(radius)) => extent.min(2.0 * radius) / 3.0,
        }
    }
}

/// The mean distance of a convex polygon's interior from the origin, m, which is the mean of its corners; `extent` is
/// the largest distance between two corners, m.
fn mean_distance(corners: &mut [Vec2], extent: f32) -> f32 {
    corners.sort_unstable_by(|a, b| quadrants(*a).total_cmp(&quadrants(*b)));
    let (mut area, mut moment) = (0.0, 0.0);
    for (i, &from) in corners.iter().enumerate() {
        let to = corners[(i + 1) % corners.len()];
        let Some(along) = (to - from).try_normalize() else { continue };
        let (height, s0, s1) = (from.perp_dot(along), from.dot(along), to.dot(along));
        if height <= 1e-6 * (s1 - s0) {
            continue;
        }
        let primitive = |s: f32| s * (s * s + height * height).sqrt() + height * height * libm::asinhf(s / height);
        area += 0.5 * height * (s1 - s0);
        moment += height / 6.0 * (primitive(s1) - primitive(s0));
    }
    // Without area up to rounding: collinear points.
    if area > 1e-5 * extent * extent { moment / area } else { 0.25 * extent }
}

/// Increases with the direction's angle, from −2 to 2; for sorting only.
pub(super) fn quadrants(d: Vec2) -> f32 {
    let across = d.x / (d.x.abs() + d.y.abs()).max(f32::MIN_POSITIVE);
    if d.y < 0.0 { across - 1.0 } else { 1.0 - across }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::collide::manifold::Point;

    fn lever(points: &[(f32, f32, f32)]) -> f32 {
        let turn = glam::Quat::from_rotation_x(0.4) * glam::Quat::from_rotation_z(0.7);
        let mut manifold = Manifold { normal: turn * Vec3::Z, ..Manifold::default() };
        manifold.points.extend(points.iter().map(|&(x, y, separation)| Point {
            position: turn * Vec3::new(x, y, 0.0) + Vec3::new(3.0, -1.0, 2.0),
            separation,
            ..Point::default()
        }));
        manifold.lever(0.005, None)
    }

    /// Mean of r over a rectangle with half sides p and q, by the midpoint rule.
    fn rectangle(p: f32, q: f32) -> f32 {
        let n = 200;
        let mean = |i: usize| (i as f32 + 0.5) / n as f32;
        let all = (0..n).flat_map(|i| (0..n).map(move |j| (p * mean(i)).hypot(q * mean(j))));
        all.sum::<f32>() / (n * n) as f32
    }

    #[test]
    fn a_rectangle_has_its_mean_distance_and_a_line_a_quarter_of_its_length() {
        for (p, q) in [(1.0f32, 1.0f32), (2.0, 0.5), (0.3, 0.001), (0.05, 0.02)] {
            let found = lever(&[(-p, -q, 0.0), (p, q, 0.0), (p, -q, 0.0), (-p, q, 0.0)]);
            let expected = rectangle(p, q);
            assert!((found - expected).abs() < 2e-3 * expected, "{p} × {q}: {found}, expected {expected}");
        }
        assert!((lever(&[(-1.5, 0.2, 0.0), (0.5, 0.2, 0.0)]) - 0.5).abs() < 1e-5);
        // Three in a line.
        assert!((lever(&[(-1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]) - 0.5).abs() < 1e-3);
        assert_eq!(lever(&[(0.3, 0.2, 0.0)]), 0.0);
    }

    /// A box on one edge has that edge's lever arm; points that do not touch have no effect.
    #[test]
    fn only_what_touches_has_an_arm() {
        let found = lever(&[(-0.5, -0.5, 0.0), (-0.5, 0.5, -0.001), (0.5, -0.5, 0.02), (0.5, 0.5, 0.019)]);
        assert!((found - 0.25).abs() < 1e-4, "{found}");
    }
}
