//! Bodies that move fast over curved ground, at the default settings: while a normal turns fast within a step, the points
//! are found again in every sub-step.

use delassus_physics::settings::Settings;
use delassus_physics::world::World;
use delassus_scene::read_str;

use crate::build::{G, close, watch};

fn world(bodies: &str, joints: &str) -> World {
    let text = format!("(version: 1, title: \"bumps\", bodies: [{bodies}], joints: [{joints}])");
    let loaded = read_str(&text, "bumps.ron").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    loaded.flat.world(Settings::default())
}

/// A body of radius r slides or rolls from the top of a dome of radius R: v² = v₀² + 2 g (R + r)(1 − cos θ)/(1 + k), with
/// k = I/(m r²) if it rolls. Before, it had lost 4 to 5 % of v² at 30°.
#[test]
fn what_slides_or_rolls_over_a_dome_keeps_its_energy() {
    let on_its_side = "rotation: AxisAngle(axis: (1, 0, 0), angle: Degrees(90))";
    for (shape, inertia) in [("Sphere(radius: 0.1)", 0.4f32), ("Cylinder(radius: 0.1, half_length: 0.2)", 0.5)] {
        for dome in ["Cylinder(radius: 1, half_length: 1)", "Sphere(radius: 1)"] {
            for (friction, k, spin) in [(0.0, 0.0f32, 0.0), (0.8, inertia, 15.0)] {
                let mut world = world(
                    &format!(
                        r#"(name: "dome", shape: {dome}, at: (0, 0, 0), {on_its_side}, motion: Static, friction: {friction}),
                        (name: "body", shape: {shape}, at: (0, 0, 1.1), {on_its_side}, mass: 1, velocity: (1.5, 0, 0),
                            angular_velocity: (0, {spin}, 0), friction: {friction})"#
                    ),
                    "",
                );
                // The dome is body 1, the body 2.
                let cos = |world: &World| world.state.bodies[2].position.z / world.state.bodies[2].position.length();
                while cos(&world) > 0.87 && world.state.time < 1.0 {
                    world.step();
                }
                let expected = 1.5 * 1.5 + 2.0 * G * 1.1 * (1.0 - cos(&world)) / (1.0 + k);
                let found = world.state.velocities[2].linear.length_squared();
                close(&format!("{shape} on {dome}, friction {friction}"), found, expected, 0.015 * expected);
            }
        }
    }
}

/// A sprung wheel of 0.35 m runs over a round bump of 80 mm: it follows the ground. Before, it rose by 88 mm at 10 m/s,
/// and by 112 mm at 15.
#[test]
fn a_fast_wheel_rises_as_high_as_the_bump() {
    for speed in [5.0f32, 10.0, 15.0] {
        let spin = speed / 0.35;
        let mut world = world(
            &format!(
                r#"(name: "floor", shape: Box(half: (50, 5, 0.5)), at: (0, 0, -0.5), motion: Static, friction: 0.9),
                (name: "bump", shape: Cylinder(radius: 0.6, half_length: 1), at: (2, 0, -0.52), motion: Static, friction: 0.9,
                    rotation: AxisAngle(axis: (1, 0, 0), angle: Degrees(90))),
                (name: "frame", shape: Box(half: (0.5, 0.2, 0.1)), at: (0, 0, 1), mass: 300, collide: false,
                    velocity: ({speed}, 0, 0)),
                (name: "hub", shape: Sphere(radius: 0.08), at: (0, 0, 0.35), mass: 15, collide: false,
                    velocity: ({speed}, 0, 0)),
                (name: "wheel", shape: Cylinder(radius: 0.35, half_length: 0.1), at: (0, 0, 0.35), mass: 20, friction: 0.9,
                    rotation: AxisAngle(axis: (1, 0, 0), angle: Degrees(90)), velocity: ({speed}, 0, 0),
                    angular_velocity: (0, {spin}, 0))"#
            ),
            r#"(name: "rail", b: "frame", kind: Prismatic, axis: (1, 0, 0), anchor: (0, 0, 1)),
            (name: "strut", a: "frame", b: "hub", kind: Prismatic(spring: (stiffness: 40000, damping: 3000)),
                axis: (0, 0, 1), anchor: (0, 0, 0.35)),
            (name: "axle", a: "hub", b: "wheel", kind: Hinge, axis: (0, 1, 0), anchor: (0, 0, 0.35))"#,
        );
        let heights = watch(&mut world, 0.8, |world| world.state.bodies[5].position.z);
        let highest = heights.into_iter().fold(0.0, f32::max);
        close(&format!("rise at {speed} m/s"), highest - 0.35, 0.08, 0.005);
    }
}
