//! Balls that come fast: where they go depends on where they touch, not on where the step began.

use delassus_physics::body::{BodyDef, Material, Motion};
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::World;
use glam::Vec3;

use crate::build::{body, close, run};

/// A billiard ball's radius, m.
const R: f32 = 0.0286;

/// A ball that rolls no friction and keeps the share `e` of its speed of approach.
fn ball(radius: f32, at: Vec3, velocity: Vec3, e: f32) -> BodyDef {
    let material = Material { friction: 0.0, restitution: e, ..Material::default() };
    BodyDef { material, velocity, ..body(Shape::Sphere { radius }, at) }
}

fn empty(rate: f32) -> World {
    let mut settings = Settings::default();
    settings.step.rate = rate;
    settings.step.gravity = Vec3::ZERO;
    settings.contact.restitution_threshold = 0.1;
    World::new(settings)
}

/// A ball that is cut at the angle α leaves along the line of centres, at α to the way of the other, with (1 + e)/2 v
/// cos α; the other keeps v sin α across and (1 − e)/2 v cos α along it. For each rate and each place at which the step
/// finds them.
#[test]
fn a_cut_ball_leaves_along_the_line_of_centres() {
    for rate in [60.0, 240.0] {
        for (speed, e) in [(2.0f32, 1.0f32), (5.0, 0.95), (12.0, 0.9)] {
            for degrees in [0.0f32, 10.0, 25.0, 45.0, 70.0] {
                for start in [0.3, 0.32, 0.35, 0.37] {
                    let (sin, cos) = degrees.to_radians().sin_cos();
                    let mut world = empty(rate);
                    let cue =
                        world.add_body(ball(R, Vec3::new(-start, -2.0 * R * sin, 0.0), speed * Vec3::X, e)) as usize;
                    let cut = world.add_body(ball(R, Vec3::ZERO, Vec3::ZERO, e)) as usize;
                    run(&mut world, 0.3);
                    let [cue, cut] = [cue, cut].map(|ball| world.state.velocities[ball]);
                    let (along, across) = (Vec3::new(cos, sin, 0.0), Vec3::new(sin, -cos, 0.0));
                    let what = format!("{rate} Hz, {speed} m/s, {degrees}° from {start} m");
                    let expected = 0.5 * (1.0 + e) * speed * cos * along;
                    let off = (Vec3::from(cut.linear) - expected).length() / speed;
                    assert!(off < 2e-3, "{what}: {} m/s, not {expected}", cut.linear);
                    let expected = speed * sin * across + 0.5 * (1.0 - e) * speed * cos * along;
                    let off = (Vec3::from(cue.linear) - expected).length() / speed;
                    assert!(off < 2e-3, "{what}: the other {} m/s, not {expected}", cue.linear);
                    close(&format!("{what}: spin"), cut.angular.length() * R / speed, 0.0, 1e-3);
                }
            }
        }
    }
}

/// A ball that passes another, or the edge of a block, by a hair is not pushed aside.
#[test]
fn a_ball_that_just_passes_is_left_alone() {
    for start in [0.3, 0.31, 0.33, 0.36] {
        let mut world = empty(60.0);
        let one = world.add_body(ball(R, Vec3::new(-start, -2.02 * R, 0.0), 8.0 * Vec3::X, 1.0)) as usize;
        world.add_body(ball(R, Vec3::ZERO, Vec3::ZERO, 1.0));
        let other = world.add_body(ball(R, Vec3::new(-start, 2.0 + 1.02 * R, 0.0), 8.0 * Vec3::X, 1.0)) as usize;
        let block = body(Shape::Box { half: Vec3::splat(0.5) }, Vec3::new(0.5, 1.5, 0.0));
        world.add_body(BodyDef { motion: Motion::Static, ..block });
        run(&mut world, 0.2);
        for passing in [one, other] {
            let velocity = Vec3::from(world.state.velocities[passing].linear);
            assert!(velocity.distance(8.0 * Vec3::X) < 1e-3, "from {start} m: {velocity}");
        }
    }
}

/// A ball that meets the edge of a block is turned about the edge: its centre passes at the height b above the face, so
/// that the normal leans by sin φ = b/R, and e = 1 mirrors the velocity at it.
#[test]
fn a_ball_that_meets_an_edge_is_turned_by_the_edge() {
    for start in [0.3, 0.31, 0.33, 0.36] {
        for share in [0.2f32, 0.5, 0.9] {
            let mut world = empty(60.0);
            let one = world.add_body(ball(R, Vec3::new(-start, share * R, 0.0), 6.0 * Vec3::X, 1.0)) as usize;
            let block = body(Shape::Box { half: Vec3::splat(0.5) }, Vec3::new(0.5, -0.5, 0.0));
            let material = Material { friction: 0.0, restitution: 1.0, ..Material::default() };
            world.add_body(BodyDef { motion: Motion::Static, material, ..block });
            run(&mut world, 0.2);
            let normal = Vec3::new(-(1.0 - share * share).sqrt(), share, 0.0);
            let expected = 6.0 * (Vec3::X - 2.0 * Vec3::X.dot(normal) * normal);
            let velocity = Vec3::from(world.state.velocities[one].linear);
            assert!(velocity.distance(expected) < 0.02, "{share} R, from {start} m: {velocity}, not {expected}");
        }
    }
}
