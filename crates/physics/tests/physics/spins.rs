//! Fast spins on joints, at the default settings: flywheels, and gyroscopes whose axis may tilt.

use delassus_physics::settings::Settings;
use delassus_physics::world::World;
use delassus_scene::read_str;
use glam::Vec3;

fn world(bodies: &str, joints: &str) -> World {
    let text = format!(r#"(version: 1, title: "t", bodies: [{bodies}], joints: [{joints}])"#);
    let loaded = read_str(&text, "spins.ron").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    loaded.flat.world(Settings::default())
}

/// A free wheel on a hinge keeps its speed, whatever the angle by which it turns in a sub-step of 1/240 s. Near half a turn,
/// 754 rad/s, it lost half of it, because corrections of its axis acted beside it.
#[test]
fn a_flywheel_keeps_its_speed() {
    for speed in [100.0f32, 500.0, 600.0, 680.0, 720.0, 753.0, 760.0, 780.0, 900.0, 2500.0] {
        let wheel = format!(
            r#"(name: "w", shape: Cylinder(radius: 0.1, half_length: 0.02), mass: 2, angular_velocity: (0, 0, {speed}))"#
        );
        let mut world = world(&wheel, r#"(b: "w", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge)"#);
        let begin = world.state.velocities[1].angular.z;
        (0..300).for_each(|_| world.step());
        let end = world.state.velocities[1].angular.z;
        assert!((end / begin - 1.0).abs() < 2e-4, "{begin} rad/s became {end}");
    }
}

/// A wheel whose axle is held at one end precesses at Ω = m g d/(I ω), level. It precessed up to 12 % too fast, and was
/// trusted.
#[test]
fn a_fast_gyroscope_precesses_as_it_should() {
    for speed in [200.0f32, 300.0, 400.0, 500.0, 600.0, 1000.0] {
        let (mass, arm, radius) = (0.8f32, 0.15, 0.1f32);
        let rate = mass * 9.81 * arm / (0.5 * mass * radius * radius * speed);
        let wheel = format!(
            r#"(name: "w", shape: Cylinder(radius: {radius}, half_length: 0.02), at: ({arm}, 0, 0), mass: {mass},
            rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees(90)), velocity: (0, {}, 0),
            angular_velocity: ({speed}, 0, {rate}), collide: false)"#,
            rate * arm
        );
        let mut world = world(&wheel, r#"(b: "w", anchor: (0, 0, 0), kind: BallSocket)"#);
        let mut turned = 0.0;
        let heading = |world: &World| world.state.bodies[1].position;
        for _ in 0..240 {
            let before = heading(&world);
            world.step();
            let now = heading(&world);
            turned += before.cross(now).dot(Vec3::Z).atan2(before.dot(now));
        }
        let expected = rate * 240.0 / 60.0;
        assert!((turned / expected - 1.0).abs() < 4e-3, "{speed} rad/s: {turned} rad, not {expected}");
        assert!(heading(&world).z.abs() < 1e-3, "{speed} rad/s: it sinks to {}", heading(&world).z);
    }
}

/// A rotor in a gimbal that a motor turns: the gimbal bears I₃ ω Ω. From 300 rad/s on it was off by 3 to 20 %, and at
/// 1500 by several times, because the steps were not divided.
#[test]
fn a_control_moment_gyroscope_gives_its_torque() {
    for (across, speed) in [(0.51f32, 300.0f32), (0.6, 600.0), (0.6, 1500.0), (1.5, 150.0), (1.5, 600.0)] {
        let (inertia, rate) = (0.05f32, 0.3f32);
        let tensor = |across: f32| format!("(xx: {a}, yy: {a}, zz: {inertia})", a = inertia * across);
        let text = format!(
            r#"(version: 1, title: "t", settings: (step: (gravity: (0, 0, 0))), bodies: [
            (name: "gimbal", shape: Box(half: (0.1, 0.1, 0.1)), collide: false, mass: 2, inertia: {},
            angular_velocity: ({rate}, 0, 0)),
            (name: "rotor", shape: Box(half: (0.1, 0.1, 0.1)), collide: false, mass: 3, inertia: {},
            angular_velocity: ({rate}, 0, {speed}))],
            joints: [(name: "g", b: "gimbal", anchor: (0, 0, 0), axis: (1, 0, 0), kind: Hinge(motor: (speed: {rate}))),
            (a: "gimbal", b: "rotor", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge(motor: (speed: {speed})))])"#,
            tensor(1.0),
            tensor(across)
        );
        let loaded = read_str(&text, "cmg.ron").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let mut world = loaded.flat.world(loaded.scene.settings.settings());
        let mut torque = 0.0;
        for step in 0..120 {
            world.step();
            if step >= 60 {
                let axis = Vec3::X;
                let read = world.state.joints[0].readout.torque;
                torque += (read - axis * axis.dot(read)).length() / 60.0;
            }
        }
        let expected = inertia * speed * rate;
        assert!((torque / expected - 1.0).abs() < 8e-3, "{across}, {speed} rad/s: {torque} N·m, not {expected}");
    }
}
