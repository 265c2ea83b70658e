//! Rays from the eye against planes and lines.

use glam::Vec3;

/// Where a ray meets the plane through `point` with this normal.
pub fn on_plane((origin, direction): (Vec3, Vec3), point: Vec3, normal: Vec3) -> Option<Vec3> {
    let slope = direction.dot(normal);
    let reach = (point - origin).dot(normal) / slope;
    (slope.abs() > 1e-4 && reach > 0.0 && reach < 1e4).then(|| origin + direction * reach)
}

/// How far along the line through `point` the ray passes nearest, m.
pub fn along((origin, direction): (Vec3, Vec3), point: Vec3, axis: Vec3) -> Option<f32> {
    let between = point - origin;
    let (b, d, e) = (axis.dot(direction), axis.dot(between), direction.dot(between));
    let spread = 1.0 - b * b;
    (spread > 1e-3).then(|| (b * e - d) / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_passes_a_line_nearest_where_geometry_says() {
        // From (2, −5, 1) along +y past the x axis: nearest at x = 2.
        let t = along((Vec3::new(2.0, -5.0, 1.0), Vec3::Y), Vec3::ZERO, Vec3::X);
        assert!((t.expect("not parallel") - 2.0).abs() < 1e-6);
        assert!(along((Vec3::ZERO, Vec3::X), Vec3::Y, Vec3::X).is_none());
        let hit = on_plane((Vec3::new(1.0, 2.0, 5.0), -Vec3::Z), Vec3::ZERO, Vec3::Z);
        assert_eq!(hit, Some(Vec3::new(1.0, 2.0, 0.0)));
        assert!(on_plane((Vec3::Z, Vec3::Z), Vec3::ZERO, Vec3::Z).is_none(), "behind the eye");
    }
}
