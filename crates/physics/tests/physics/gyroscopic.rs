//! Free rotation, and its effect on the axle of a gyroscope.

use delassus_physics::body::BodyDef;
use delassus_physics::joints::{BallSocket, JointKind};
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{DMat3, DVec3, Quat, Vec3};

use crate::build::{G, body, close, joint, run, split_blocks};

/// A free rotating body of a shape.
fn tumbling(shape: Shape, spin: Vec3, assignments: &[&str]) -> World {
    let mut world = World::new(split_blocks(&["step.gravity=0,0,0"]));
    assignments.iter().for_each(|a| world.settings.assign(a).expect("an assignment"));
    let rotation = Quat::from_euler(glam::EulerRot::XYZ, 0.3, -0.7, 1.1);
    world.add_body(BodyDef { rotation, angular_velocity: rotation * spin, mass: 3.0, ..body(shape, Vec3::ZERO) });
    world
}

/// Energy and angular momentum of its body in 64 bits, from its pose and angular velocity alone.
fn measures(world: &World) -> (f64, DVec3) {
    let (body, spin) = (&world.state.bodies[1], world.state.velocities[1].angular.as_dvec3());
    let frame = DMat3::from_quat(body.rotation.as_dquat().normalize());
    let momentum = frame * (body.inertia_local.as_dmat3() * (frame.transpose() * spin));
    (0.5 * spin.dot(momentum), momentum)
}

/// The largest errors of the energy and of the angular momentum, as a vector, over this many seconds.
fn worst(world: &mut World, seconds: u32) -> (f64, f64) {
    let (energy, momentum) = measures(world);
    let (mut of_energy, mut of_momentum) = (0.0f64, 0.0f64);
    for _ in 0..seconds * world.settings.step.rate as u32 {
        world.step();
        let now = measures(world);
        of_energy = of_energy.max((now.0 / energy - 1.0).abs());
        of_momentum = of_momentum.max((now.1 - momentum).length() / momentum.length());
    }
    (of_energy, of_momentum)
}

/// For all inertias, angular velocities and steps, the energy and the angular momentum, in size and direction, are
/// conserved up to the rounding of 32 bits. That is 6e-8 a step in a random direction, so ε √n; five times that
/// allows for the worst of n.
#[test]
fn a_tumbling_body_keeps_its_energy_and_its_angular_momentum_as_a_vector() {
    let shapes = [
        Shape::Box { half: Vec3::new(0.1, 0.2, 0.5) },
        Shape::Box { half: Vec3::new(0.3, 0.31, 0.32) },
        Shape::Box { half: Vec3::new(0.01, 0.5, 0.7) },
        Shape::Cylinder { radius: 0.02, half_length: 0.6 },
        Shape::Cylinder { radius: 0.6, half_length: 0.02 },
        Shape::Hull { points: vec![Vec3::ZERO, Vec3::X, Vec3::Y * 0.4, Vec3::new(0.3, 0.3, 0.9)] },
    ];
    for shape in shapes {
        for spin in [Vec3::new(0.02, 8.0, 0.1), Vec3::new(1.0, 2.0, -3.0), Vec3::new(20.0, 40.0, -22.0)] {
            for rate in [60, 240] {
                let mut world = tumbling(shape.clone(), spin, &[&format!("step.rate={rate}")]);
                let steps = f64::from(20 * rate);
                let (energy, momentum) = worst(&mut world, 20);
                let allowed = 5.0 * f64::from(f32::EPSILON) * steps.sqrt();
                let what = format!("{shape:?} {spin} at {rate} Hz: energy by {energy:.1e}, momentum by {momentum:.1e}");
                assert!(energy < allowed && momentum < allowed, "{what}, allowed {allowed:.1e}");
            }
        }
    }
}

/// Rotation and angular velocity of a free body after a time, s, by the fourth-order Runge–Kutta method in 64 bits:
/// Euler's equation for the angular velocity in the body's axes, q-dot = ½ q ω for the rotation.
fn reference(world: &World, seconds: f64) -> (glam::DQuat, DVec3) {
    let body = &world.state.bodies[1];
    let inertia = body.inertia_local.as_dmat3();
    let inverse = inertia.inverse();
    let rate = |(q, w): (glam::DQuat, DVec3)| {
        (q * glam::DQuat::from_vec4(w.extend(0.0)) * 0.5, inverse * -w.cross(inertia * w))
    };
    let along = |(q, w): (glam::DQuat, DVec3), (dq, dw): (glam::DQuat, DVec3), h: f64| (q + dq * h, w + dw * h);
    let q = body.rotation.as_dquat().normalize();
    let mut state = (q, q.inverse() * world.state.velocities[1].angular.as_dvec3());
    let steps = 20_000;
    let h = seconds / f64::from(steps);
    for _ in 0..steps {
        let first = rate(state);
        let second = rate(along(state, first, h / 2.0));
        let third = rate(along(state, second, h / 2.0));
        let fourth = rate(along(state, third, h));
        for (slope, share) in [(first, 1.0), (second, 2.0), (third, 2.0), (fourth, 1.0)] {
            state = along(state, slope, h * share / 6.0);
        }
    }
    (state.0.normalize(), state.0.normalize() * state.1)
}

/// The body's pose and angular velocity after 2 s, with steps small enough not to be divided, compared with 64 bits:
/// second order, so halving the step quarters the error.
#[test]
fn a_tumbling_body_is_where_eulers_equation_takes_it_to_second_order() {
    let off = |rate: u32| {
        let shape = Shape::Box { half: Vec3::new(0.1, 0.2, 0.5) };
        let mut world = tumbling(shape, Vec3::new(1.0, 5.0, -2.0), &[&format!("step.rate={rate}")]);
        let (rotation, spin) = reference(&world, 2.0);
        run(&mut world, 2.0);
        let turned = world.state.bodies[1].rotation.as_dquat().angle_between(rotation);
        (turned, (world.state.velocities[1].angular.as_dvec3() - spin).length())
    };
    let (coarse, fine) = (off(60), off(120));
    assert!(fine.0 < 5e-3 && fine.1 < 2e-2, "at 120 Hz {} rad, {} rad/s", fine.0, fine.1);
    for (coarse, fine) in [(coarse.0, fine.0), (coarse.1, fine.1)] {
        assert!((3.5..4.5).contains(&(coarse / fine)), "halving the step took the error from {coarse} to {fine}");
    }
}

/// A wheel of 2 kg whose axle is held at one end, 0.2 m from its centre, spinning at 20 rad/s and precessing at the
/// right rate, Ω = τ/(I ω). Returns the rate at which the axle sinks relative to τ h/(2 T), with T the wheel's
/// inertia across the axle, and the two numbers on which it depends, T/I and m a²/(T + m a²).
fn sinking(assignments: &[&str]) -> (f32, f32, f32) {
    let (radius, half_length, arm, spin, mass) = (0.5f32, 0.02f32, 0.2f32, 20.0f32, 2.0f32);
    let mut world = World::new(split_blocks(assignments));
    let torque = mass * G * arm;
    let along = 0.5 * mass * radius * radius;
    let across = mass * (3.0 * radius * radius + 4.0 * half_length * half_length) / 12.0;
    let precession = torque / (along * spin);
    let wheel = world.add_body(BodyDef {
        mass,
        rotation: Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
        velocity: Vec3::Y * precession * arm,
        angular_velocity: Vec3::new(spin, 0.0, precession),
        collide: false,
        ..body(Shape::Cylinder { radius, half_length }, Vec3::X * arm)
    });
    world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Z, JointKind::BallSocket(BallSocket {})));
    // The start also makes it nutate, at I ω over the inertia about the pivot: means are taken over whole nutations.
    let nod = std::f32::consts::TAU * (across + mass * arm * arm) / (along * spin);
    let steps = (nod * world.settings.step.rate).round() as usize;
    let mut mean = || {
        let dips = (0..steps).map(|_| {
            world.step();
            -f64::from((world.state.bodies[wheel as usize].rotation * Vec3::Z).z).asin()
        });
        dips.sum::<f64>() / steps as f64
    };
    let (first, second) = (mean(), mean());
    let rate = (second - first) as f32 * world.settings.step.rate / steps as f32;
    let unit = torque * world.settings.h() / (2.0 * across);
    (rate / unit, across / along, mass * arm * arm / (across + mass * arm * arm))
}

/// Why the axle of a gyroscope sinks: the order of the weight's kick and the gyroscopic term, and a pose correction
/// that follows the tangent (the formulas of `gyroscopic.rs`). With known old impulses half of the kick counts before
/// the term and half after it, and only a seventh of the sinking remains.
#[test]
fn a_gyroscopes_axle_sinks_by_what_the_order_of_kick_and_term_leaves() {
    for rate in [960, 1920] {
        let rate = format!("step.rate={rate}");
        for method in ["GaussSeidel", "Direct"] {
            let method = format!("solver.method={method}");
            let sinks = |what: &str| sinking(&[&rate, &method, what]);
            let (warm, thin, lever) = sinks("warm_start.enabled=true");
            close(&format!("{method}, {rate}"), warm, (1.0 - thin) * lever * thin, 0.03);
            let (cold, ..) = sinks("warm_start.enabled=false");
            close(&format!("{method}, {rate}, no warm starting"), cold, (1.0 - thin) * (lever * thin + 1.0), 0.03);
            let (late, ..) = sinks("step.gyroscopic=Implicit");
            close(&format!("{method}, {rate}, implicit"), late, (1.0 - thin) * (2.0 - (1.0 - lever) * thin), 0.03);
        }
    }
}
