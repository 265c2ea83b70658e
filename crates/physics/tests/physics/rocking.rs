//! Bodies that rock on round ones that stand still, at the default settings.

use delassus_physics::settings::Settings;
use delassus_scene::read_str;
use glam::Vec3;

/// The largest angular speed of the body `l` on a drum of this radius, m, in each of `parts` parts of `seconds`, rad/s.
fn largest_speeds(radius: f32, body: &str, seconds: f64, parts: usize) -> Vec<f32> {
    let text = format!(
        r#"(version: 1, title: "t", bodies: [(name: "drum", shape: Cylinder(radius: {radius}, half_length: 0.3),
        rotation: AxisAngle(axis: (1, 0, 0), angle: Degrees(90)), motion: Static, friction: 2), {body}])"#
    );
    let loaded = read_str(&text, "drum.ron").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let mut world = loaded.flat.world(Settings::default());
    let mut largest = vec![0.0f32; parts];
    while world.state.time < seconds {
        let part = (world.state.time / seconds * parts as f64) as usize;
        world.step();
        largest[part] = largest[part].max(world.state.velocities[2].angular.length());
    }
    largest
}

/// The pose of a body that lies on a drum at `angle`, rad: it has rolled there from the top. `height`: of its centre above
/// the surface on which it lies, m.
fn rolled(radius: f32, height: f32, angle: f32) -> Vec3 {
    let (sin, cos) = angle.sin_cos();
    let up = Vec3::new(sin, 0.0, cos);
    // What has rolled off lies along the plank.
    up * (radius + height) - Vec3::new(cos, 0.0, -sin) * (radius * angle)
}

/// A plank on a drum rocks with an amplitude that does not grow: the contact point follows the drum within a step. Its
/// amplitude grew from 5° to 48° in a minute. It is as stable as R > h, the height of its middle.
#[test]
fn a_plank_on_a_drum_rocks_evenly() {
    for (radius, degrees) in [(0.5, 1.0f32), (0.5, 5.0), (1.5, 2.0)] {
        let at = rolled(radius, 0.05, degrees.to_radians());
        let body = format!(
            r#"(name: "l", shape: Box(half: (0.5, 0.05, 0.1)), at: ({}, 0, {}), mass: 3, friction: 2,
            rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees({degrees})))"#,
            at.x, at.z
        );
        let largest = largest_speeds(radius, &body, 10.0, 4);
        let change = largest[3] / largest[0];
        assert!((0.97..1.002).contains(&change), "{degrees}° on {radius} m: {largest:?}");
    }
}

/// The same for a rod that lies across the drum: two round surfaces.
#[test]
fn a_rod_across_a_drum_rocks_evenly() {
    let at = rolled(0.25, 0.02, 6f32.to_radians());
    let body = format!(
        r#"(name: "l", shape: Capsule(radius: 0.02, half_length: 0.2), at: ({}, 0, {}), mass: 0.1, friction: 2,
        rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees(96)))"#,
        at.x, at.z
    );
    let largest = largest_speeds(0.25, &body, 10.0, 4);
    let change = largest[3] / largest[0];
    assert!((0.94..1.002).contains(&change), "{largest:?}");
}
