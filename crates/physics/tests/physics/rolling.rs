//! Capsules and cylinders roll as closed forms say, at any size and step, and things across them rest.

use std::f32::consts::{FRAC_PI_2, PI};

use delassus_physics::body::{BodyDef, Material, Motion};
use delassus_physics::shape::Shape;
use delassus_physics::world::World;
use glam::{Quat, Vec3};

use crate::build::{G, body, close, floor, run, settings};

const ROUGH: Material = Material { friction: 0.8, restitution: 0.0, rolling: 0.0, soft: None };

/// With the axis along y.
fn across() -> Quat {
    Quat::from_rotation_x(FRAC_PI_2)
}

/// A shape of radius r and length 8 r with k = I/(m r²) about its axis: ½ of a cylinder; for a capsule the cylinder and
/// the two halves of a ball, ⅖, by their volumes 8 π r³ and 4/3 π r³.
fn rollers(r: f32) -> [(&'static str, Shape, f32); 2] {
    let half_length = 4.0 * r;
    let (middle, ends) = (8.0 * PI, 4.0 / 3.0 * PI);
    [
        ("cylinder", Shape::Cylinder { radius: r, half_length }, 0.5),
        ("capsule", Shape::Capsule { radius: r, half_length }, (0.5 * middle + 0.4 * ends) / (middle + ends)),
    ]
}

/// A rough floor, with gravity leaning by `slope` towards +x.
fn sloping(rate: u32, slope: f32) -> World {
    let (x, z) = (G * slope.sin(), -G * slope.cos());
    let mut world = World::new(settings(&[&format!("step.rate={rate}"), &format!("step.gravity={x},0,{z}")]));
    world.add_body(BodyDef { material: ROUGH, ..floor() });
    world
}

/// Down a slope of 7°, v = g sin α t/(1 + k), to a thousandth: the step of constant acceleration is exact in velocity.
/// It sinks by no more than the slop of a thin body and does not swerve.
#[test]
fn rolling_down_a_slope_converges() {
    let slope = 7f32.to_radians();
    for r in [0.03, 0.11, 0.3, 1.0] {
        for rate in [60, 240, 1000, 2000] {
            for (name, shape, k) in rollers(r) {
                let mut world = sloping(rate, slope);
                let roller =
                    world.add_body(BodyDef { material: ROUGH, rotation: across(), ..body(shape, r * Vec3::Z) });
                let seconds = if rate == 2000 { 0.5 } else { 1.0 };
                run(&mut world, seconds);
                let (place, velocity) =
                    (world.state.bodies[roller as usize].position, &world.state.velocities[roller as usize]);
                let expected = G * slope.sin() * seconds as f32 / (1.0 + k);
                let what = format!("{name} of {r} m, {rate} Hz: {velocity:?} at {place}");
                close(&what, velocity.linear.x, expected, 1e-3 * expected);
                close(&what, velocity.angular.y * r, expected, 1e-3 * expected);
                close(&what, place.z, r, 1e-3 * r);
                close(&what, place.y, 0.0, 1e-3 * r);
            }
        }
    }
}

/// A plank on four rolling capsules or cylinders goes on at 1 m/s, its rollers at half of that. Where a roller is does not
/// matter: one in ten thousand contacts of capsules or so had a point far from the roller, which stopped it.
#[test]
fn a_plank_coasts_on_rollers() {
    for (rate, shift) in [(60, 0.0), (240, 0.0), (1000, 0.0), (2000, 0.0), (2000, 1e-4), (2000, 1e-3)] {
        for (name, shape, _) in rollers(0.11) {
            let mut world = sloping(rate, 0.0);
            for i in 0..4 {
                let at = Vec3::new(-0.75 + 0.5 * i as f32 + shift * (i + 1) as f32, 0.0, 0.11);
                world.add_body(BodyDef {
                    material: ROUGH,
                    rotation: across(),
                    mass: 1.3,
                    velocity: 0.5 * Vec3::X,
                    angular_velocity: 0.5 / 0.11 * Vec3::Y,
                    ..body(shape.clone(), at)
                });
            }
            let plank = world.add_body(BodyDef {
                material: ROUGH,
                mass: 6.0,
                velocity: Vec3::X,
                ..body(Shape::Box { half: Vec3::new(1.5, 0.4, 0.04) }, 0.26 * Vec3::Z)
            });
            run(&mut world, 1.0);
            let velocity = world.state.velocities[plank as usize].linear;
            close(&format!("{name}, {rate} Hz, {shift} m"), velocity.x, 1.0, 2e-3);
        }
    }
}

/// A capsule and a cylinder that lie and spin about the vertical come to rest where they are.
#[test]
fn a_lying_roller_that_spins_stays_in_place() {
    for rate in [60, 240, 1000] {
        for (name, shape, _) in rollers(0.1) {
            let mut world = sloping(rate, 0.0);
            let roller = world.add_body(BodyDef {
                material: ROUGH,
                rotation: across(),
                angular_velocity: 10.0 * Vec3::Z,
                ..body(shape, 0.1 * Vec3::Z)
            });
            run(&mut world, 2.0);
            let place = world.state.bodies[roller as usize].position;
            assert!(place.truncate().length() < 0.01, "{name}, {rate} Hz: it walked to {place}");
        }
    }
}

/// What lies balanced across a cylinder's side stays level and at rest, as across a capsule of its radius. Stable,
/// since its centre is lower over the touch than the radius.
#[test]
fn what_lies_across_a_cylinder_rests() {
    let (radius, half_length) = (0.25, 0.2);
    let drums = [Shape::Cylinder { radius, half_length }, Shape::Capsule { radius, half_length }];
    for rate in [60, 240] {
        for drum in &drums {
            let along = Quat::from_rotation_y(FRAC_PI_2);
            let riders = [
                (Shape::Capsule { radius: 0.02, half_length: 0.1 }, 0.02, along),
                (Shape::Cylinder { radius: 0.02, half_length: 0.1 }, 0.02, along),
                (Shape::Box { half: Vec3::new(0.3, 0.05, 0.02) }, 0.02, Quat::IDENTITY),
                (Shape::Box { half: Vec3::new(0.3, 0.05, 0.02) }, 0.02, Quat::from_rotation_z(0.4)),
            ];
            for (shape, height, rotation) in riders {
                let what = format!("{shape:?} on {drum:?}, {rate} Hz");
                let mut world = sloping(rate, 0.0);
                world.add_body(BodyDef {
                    motion: Motion::Static,
                    rotation: across(),
                    ..body(drum.clone(), Vec3::new(0.0, 0.0, 5.0))
                });
                let at = Vec3::new(0.0, 0.0, 5.0 + radius + height - 1e-4);
                let rider = world.add_body(BodyDef { rotation, mass: 0.01, ..body(shape, at) });
                run(&mut world, 5.0);
                let (found, velocity) = (&world.state.bodies[rider as usize], &world.state.velocities[rider as usize]);
                let turned = (found.rotation * rotation.inverse()).to_axis_angle().1;
                let turned = turned.min(2.0 * PI - turned);
                assert!(turned < 2e-3, "{what}: turned by {turned} rad");
                assert!(found.position.distance(at) < 2e-3, "{what}: at {}", found.position);
                let fastest = velocity.linear.length() + 0.1 * velocity.angular.length();
                assert!(fastest < 1e-3, "{what}: moves at {fastest} m/s");
            }
        }
    }
}
