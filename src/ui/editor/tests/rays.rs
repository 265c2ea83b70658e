//! Rays against lines and planes.

use glam::Vec3;

use crate::ui::editor::{along, on_plane};

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
