//! Small and large bodies: slop and prediction follow the thickness of what touches.

use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::shape::Shape;
use delassus_physics::world::World;
use glam::Vec3;

use crate::build::{body, close, cube, run, settings};

/// Five cubes on each other, of this side, m, on a floor as thick as one of them.
fn stack(side: f32, assignments: &[&str]) -> (World, Vec<u32>) {
    let mut world = World::new(settings(assignments));
    let shape = Shape::Box { half: Vec3::new(20.0 * side, 20.0 * side, 0.5 * side) };
    world.add_body(BodyDef { motion: Motion::Static, ..body(shape, Vec3::new(0.0, 0.0, -0.5 * side)) });
    let at = |i: i32| (i as f32 + 0.5) * side * Vec3::Z;
    let add = |world: &mut World, i| world.add_body(BodyDef { mass: 1000.0 * side.powi(3), ..cube(0.5 * side, at(i)) });
    let cubes = (0..5).map(|i| add(&mut world, i)).collect();
    (world, cubes)
}

/// Stacks from 1 cm cubes to 10 m cubes stand. Each contact overlaps by no more than a twentieth of a cube, the slop
/// of a thin body, and a tenth of that for the correction that is under way.
#[test]
fn small_and_large_stacks_stand() {
    for side in [0.01f32, 0.02, 0.05, 0.3, 1.0, 10.0] {
        // In one step of 1/60 s a cube of 1 cm falls by a quarter of its side.
        for (rate, parts) in [("step.rate=60", "step.substeps=4"), ("step.rate=240", "step.substeps=1")] {
            let (mut world, cubes) = stack(side, &[rate, parts]);
            run(&mut world, 4.0);
            for (i, cube) in (0..).zip(&cubes) {
                let place = world.state.bodies[*cube as usize].position;
                let most = 0.055 * side * (i + 1) as f32;
                close(&format!("cube {i} of {side} m, {rate}"), place.z, (i as f32 + 0.5) * side, most);
                assert!(place.truncate().length() < 0.05 * side, "{place}, cube {i} of {side} m, {rate}");
            }
            let deepest = world.contact_points().map(|p| p.depth).fold(0.0, f32::max);
            assert!(deepest < 0.055 * side, "overlap {deepest} m of cubes of {side} m, {rate}");
        }
    }
}

/// Two balls of 5 mm that pass 4 mm apart do not touch, and those that meet do.
#[test]
fn small_bodies_are_not_held_apart() {
    for rate in ["step.rate=60", "step.rate=1000"] {
        let mut world = World::new(settings(&[rate, "step.gravity=0,0,0"]));
        let ball = |y: f32, v: f32| BodyDef {
            velocity: v * Vec3::X,
            ..body(Shape::Sphere { radius: 0.005 }, Vec3::new(-0.1 * v.signum(), y, 0.0))
        };
        let (one, other) = (world.add_body(ball(0.0, 0.1)), world.add_body(ball(0.014, -0.1)));
        run(&mut world, 2.0);
        close("way", world.state.bodies[one as usize].position.x, 0.1, 1e-4);
        close("way", world.state.bodies[other as usize].position.x, -0.1, 1e-4);
        close("no swerve", world.state.bodies[one as usize].position.y, 0.0, 1e-6);
    }
}
