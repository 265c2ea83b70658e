//! Free motion and pendulums.

use delassus_physics::body::BodyDef;
use delassus_physics::joints::{BallSocket, JointKind};
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{G, bead, body, close, floor, joint, period, run, settings, watch};

/// Case 1: z = z₀ + v t − ½ g t², whatever the step and its sub-steps: 5.095 m after 1 s. (Symplectic Euler falls
/// ½ h g t lower: 5.013 m at 60 Hz.)
#[test]
fn free_fall_follows_the_parabola() {
    for set in
        [&[][..], &["step.rate=240"], &["step.substeps=4"], &["contact.enabled=false"], &["solver.method=Direct"]]
    {
        let mut world = World::new(settings(set));
        let ball = world.add_body(bead(Vec3::new(0.0, 0.0, 10.0)));
        run(&mut world, 1.0);
        close("height", world.state.bodies[ball as usize].position.z, 10.0 - G / 2.0, 1e-4);
        close("speed", world.state.velocities[ball as usize].linear.z, -G, 1e-4);
    }
}

/// A ball and a pair on a rod are let go together. Both fall ½ g t², 19.620 m in 2 s, and stay side by side; the ball
/// fell 0.163 m more.
#[test]
fn a_ball_and_a_jointed_pair_fall_side_by_side() {
    for rate in ["step.rate=60", "step.rate=1000"] {
        let mut world = World::new(settings(&[rate]));
        let ball = world.add_body(bead(Vec3::new(0.0, 0.0, 100.0)));
        let [a, b] = [1.0, 1.4].map(|x| world.add_body(bead(Vec3::new(x, 0.0, 100.0))));
        world.add_joint(joint(&world, a, b, Vec3::new(1.2, 0.0, 100.0), Vec3::Y, JointKind::BallSocket(BallSocket {})));
        run(&mut world, 2.0);
        for body in [ball, a, b] {
            close("way", 100.0 - world.state.bodies[body as usize].position.z, G * 2.0, 1e-3);
            close("speed", world.state.velocities[body as usize].linear.z, -2.0 * G, 1e-3);
        }
    }
}

/// A ball with e = 1 keeps m g z of its start, at the top of every bounce; a body at rest stays at rest.
#[test]
fn a_bouncing_ball_keeps_its_energy_and_a_resting_one_rests() {
    let mut world = World::new(settings(&[]));
    let solid = |half| body(Shape::Box { half }, Vec3::ZERO);
    let mut floor = floor();
    floor.material.restitution = 1.0;
    world.add_body(floor);
    let mut ball = bead(Vec3::new(0.0, 0.0, 1.0));
    ball.material.restitution = 1.0;
    (ball.collide, ball.solid) = (true, body(Shape::Sphere { radius: 0.1 }, Vec3::ZERO).solid);
    let ball = world.add_body(ball);
    let mut rests = solid(Vec3::splat(0.1));
    rests.position = Vec3::new(2.0, 0.0, 0.1);
    let rests = world.add_body(rests);
    let heights = watch(&mut world, 60.0, |world| world.state.bodies[ball as usize].position.z);
    let last = heights[heights.len() - 120..].iter().copied().fold(0.0, f32::max);
    close("top of the last bounce", last, 1.0, 2e-3);
    close("rest", world.state.bodies[rests as usize].position.distance(Vec3::new(2.0, 0.0, 0.1)), 0.0, 1e-3);
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
