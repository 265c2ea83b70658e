//! Small worlds for the tests.

use std::sync::Arc;

use delassus::physics::body::{BodyDef, Material, Motion};
use delassus::physics::joint::{JointDef, JointOptions};
use delassus::physics::joints::JointKind;
use delassus::physics::settings::Settings;
use delassus::physics::shape::Shape;
use delassus::physics::world::World;
use glam::{Quat, Vec3};

/// Standard gravity of the analytic cases, m/s².
pub const G: f32 = 9.81;

/// A body of a shape at a place, at rest, 1 kg, dynamic, μ = 0.5.
pub fn body(shape: Shape, position: Vec3) -> BodyDef {
    BodyDef {
        solid: Arc::new(shape.solid().expect("a solid shape")),
        position,
        rotation: Quat::IDENTITY,
        velocity: Vec3::ZERO,
        spin: Vec3::ZERO,
        motion: Motion::Dynamic,
        mass: 1.0,
        material: Material::default(),
        collide: true,
        particle: false,
        plane: None,
        mover: None,
    }
}

/// A cube of the given half side.
pub fn cube(half: f32, position: Vec3) -> BodyDef {
    body(Shape::Box { half: Vec3::splat(half) }, position)
}

/// A ball small enough to be a point mass.
pub fn bead(position: Vec3) -> BodyDef {
    BodyDef { collide: false, ..body(Shape::Sphere { radius: 0.01 }, position) }
}

/// A thick floor with its top at z = 0.
pub fn floor() -> BodyDef {
    let shape = Shape::Box { half: Vec3::new(100.0, 100.0, 1.0) };
    BodyDef { motion: Motion::Static, ..body(shape, Vec3::new(0.0, 0.0, -1.0)) }
}

/// A joint whose anchor is one world point and whose axis is one world direction, at the bodies' present poses.
pub fn joint(world: &World, a: u32, b: u32, anchor: Vec3, axis: Vec3, kind: JointKind) -> JointDef {
    let local = |i: u32| {
        let body = &world.bodies[i as usize];
        (body.rotation.inverse() * (anchor - body.position), body.rotation.inverse() * axis)
    };
    let ((anchor_a, axis_a), (anchor_b, axis_b)) = (local(a), local(b));
    JointDef { a, b, anchor_a, anchor_b, axis_a, axis_b, kind, collide: false, options: JointOptions::default() }
}

/// The defaults with assignments such as `solver.iterations=50`.
pub fn settings(assignments: &[&str]) -> Settings {
    let mut settings = Settings::default();
    for assignment in assignments {
        settings.assign(assignment).expect("a valid assignment");
    }
    settings
}

/// Runs for a time, s.
pub fn run(world: &mut World, seconds: f64) {
    let steps = (seconds * f64::from(world.settings.step.rate)).round() as usize;
    for _ in 0..steps {
        world.step();
    }
}

/// Fails unless `found` is within `tolerance` of `expected`.
#[track_caller]
pub fn close(what: &str, found: f32, expected: f32, tolerance: f32) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected} ± {tolerance}");
}
