//! Free motion and pendulums.

use delassus_physics::body::BodyDef;
use delassus_physics::joints::{BallSocket, JointKind};
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{G, bead, body, close, joint, period, run, settings, watch};

/// Case 1: symplectic Euler falls g h² n(n+1)/2 in n steps.
#[test]
fn free_fall_follows_the_discrete_parabola() {
    let mut world = World::new(settings(&[]));
    let ball = world.add_body(bead(Vec3::new(0.0, 0.0, 10.0)));
    run(&mut world, 1.0);
    let (h, n) = (1.0 / 60.0, 60.0);
    close("height", world.state.bodies[ball as usize].position.z, 10.0 - G * h * h * n * (n + 1.0) / 2.0, 1e-4);
}

/// Case 2: T = 2π √(L/g) (1 + θ²/16).
#[test]
fn simple_pendulum_keeps_its_period() {
    let mut world = World::new(settings(&[]));
    let (sin, cos) = 0.1f32.sin_cos();
    let ball = world.add_body(bead(Vec3::new(sin, 0.0, -cos)));
    world.add_joint(joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Y, JointKind::BallSocket(BallSocket {})));
    let samples = watch(&mut world, 15.0, |world| world.state.bodies[ball as usize].position.x);
    let expected = std::f32::consts::TAU * (1.0 / G).sqrt() * (1.0 + 0.01 / 16.0);
    close("period", period(&samples, 1.0 / 60.0), expected, 1e-3 * expected);
}

/// A free body with three unequal moments of inertia conserves its angular momentum; the implicit gyroscopic step
/// never gains energy.
#[test]
fn tumbling_body_keeps_angular_momentum_and_gains_no_energy() {
    let mut world = World::new(settings(&["step.gravity=0,0,0", "step.rate=480", "step.gyroscopic=Implicit"]));
    world.add_body(BodyDef {
        angular_velocity: Vec3::new(0.01, 5.0, 0.01),
        ..body(Shape::Box { half: Vec3::new(0.1, 0.2, 0.5) }, Vec3::ZERO)
    });
    let before = world.metrics();
    let mut turned = false;
    for _ in 0..480 * 10 {
        world.step();
        turned |= (world.state.bodies[1].rotation * Vec3::Y).y < -0.9;
    }
    let after = world.metrics();
    assert!(turned, "the intermediate axis flips");
    assert!(after.kinetic_energy <= before.kinetic_energy * (1.0 + 1e-5));
    let loss = (after.angular_momentum - before.angular_momentum).length() / before.angular_momentum.length();
    assert!(loss < 0.12, "angular momentum changed by {loss}");
}
