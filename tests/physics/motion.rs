//! Free motion and pendulums.

use delassus::physics::body::BodyDef;
use delassus::physics::joints::{BallSocket, Hinge, JointKind};
use delassus::physics::shape::Shape;
use delassus::physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, bead, body, close, joint, run, settings};

/// Case 1: symplectic Euler falls g h² n(n+1)/2 in n steps.
#[test]
fn free_fall_follows_the_discrete_parabola() {
    let mut world = World::new(settings(&[]));
    let ball = world.add_body(bead(Vec3::new(0.0, 0.0, 10.0)));
    run(&mut world, 1.0);
    let (h, n) = (1.0 / 60.0, 60.0);
    close("height", world.bodies[ball as usize].position.z, 10.0 - G * h * h * n * (n + 1.0) / 2.0, 1e-4);
}

/// The time of the upward zero crossings of a sampled signal, s, interpolated.
fn period(samples: &[f32], h: f32) -> f32 {
    let crossings: Vec<f32> = (samples.windows(2).enumerate())
        .filter(|(_, w)| w[0] < 0.0 && w[1] >= 0.0)
        .map(|(i, w)| (i as f32 + w[0] / (w[0] - w[1])) * h)
        .collect();
    assert!(crossings.len() > 3, "the pendulum swings");
    (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f32
}

/// Case 2: T = 2π √(L/g) (1 + θ²/16).
#[test]
fn simple_pendulum_keeps_its_period() {
    let mut world = World::new(settings(&[]));
    let (sin, cos) = 0.1f32.sin_cos();
    let ball = world.add_body(bead(Vec3::new(sin, 0.0, -cos)));
    world.add_joint(joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Y, JointKind::BallSocket(BallSocket {})));
    let samples: Vec<f32> = (0..900)
        .map(|_| {
            world.step();
            world.bodies[ball as usize].position.x
        })
        .collect();
    let expected = std::f32::consts::TAU * (1.0 / G).sqrt() * (1.0 + 0.01 / 16.0);
    close("period", period(&samples, 1.0 / 60.0), expected, 1e-3 * expected);
}

/// Case 2: T = 2π √((I + m d²)/(m g d)) (1 + θ²/16) with I = 0.3, m = 2, d = 0.5.
#[test]
fn compound_pendulum_on_a_hinge_keeps_its_period() {
    let mut world = World::new(settings(&[]));
    let (inertia, mass, d) = (0.3f32, 2.0f32, 0.5f32);
    let half = (1.5 * inertia / mass).sqrt(); // I = m/3 (a² + c²) with a = c
    let turn = Quat::from_rotation_y(0.1);
    let plate = world.add_body(BodyDef {
        mass,
        rotation: turn,
        collide: false,
        ..body(Shape::Box { half: Vec3::new(half, 0.05, half) }, turn * Vec3::new(0.0, 0.0, -d))
    });
    world.add_joint(joint(&world, WORLD, plate, Vec3::ZERO, Vec3::Y, JointKind::Hinge(Hinge::default())));
    let samples: Vec<f32> = (0..900)
        .map(|_| {
            world.step();
            world.bodies[plate as usize].position.x
        })
        .collect();
    let expected = std::f32::consts::TAU * ((inertia + mass * d * d) / (mass * G * d)).sqrt() * (1.0 + 0.01 / 16.0);
    close("period", period(&samples, 1.0 / 60.0), expected, 1e-3 * expected);
}

/// A free body of three unequal inertias keeps its angular momentum; the implicit gyroscopic step never gains energy.
#[test]
fn tumbling_body_keeps_angular_momentum_and_gains_no_energy() {
    let mut world = World::new(settings(&["step.gravity=0,0,0", "step.rate=480"]));
    world.add_body(BodyDef {
        angular_velocity: Vec3::new(0.01, 5.0, 0.01),
        ..body(Shape::Box { half: Vec3::new(0.1, 0.2, 0.5) }, Vec3::ZERO)
    });
    let before = world.metrics();
    let mut turned = false;
    for _ in 0..480 * 10 {
        world.step();
        turned |= (world.bodies[1].rotation * Vec3::Y).y < -0.9;
    }
    let after = world.metrics();
    assert!(turned, "the intermediate axis flips");
    assert!(after.kinetic_energy <= before.kinetic_energy * (1.0 + 1e-5));
    let loss = (after.angular_momentum - before.angular_momentum).length() / before.angular_momentum.length();
    assert!(loss < 0.12, "angular momentum changed by {loss}");
}

/// The midpoint rule keeps the energy and the size of the angular momentum of a free body of three unequal inertias.
#[test]
fn tumbling_body_by_the_midpoint_rule_keeps_energy_and_momentum() {
    let mut world = World::new(settings(&["step.gravity=0,0,0", "step.rate=240", "step.gyroscopic=Midpoint"]));
    world.add_body(BodyDef {
        angular_velocity: Vec3::new(0.01, 5.0, 0.01),
        ..body(Shape::Box { half: Vec3::new(0.1, 0.2, 0.5) }, Vec3::ZERO)
    });
    let before = world.metrics();
    let mut turned = false;
    for _ in 0..240 * 20 {
        world.step();
        turned |= (world.bodies[1].rotation * Vec3::Y).y < -0.9;
        let now = world.metrics();
        let energy = now.kinetic_energy / before.kinetic_energy - 1.0;
        let momentum = now.angular_momentum.length() / before.angular_momentum.length() - 1.0;
        // What is left is the rounding of 4,800 steps.
        assert!(energy.abs() < 1e-4 && momentum.abs() < 1e-4, "energy by {energy}, momentum by {momentum}");
    }
    assert!(turned, "the intermediate axis flips");
}
