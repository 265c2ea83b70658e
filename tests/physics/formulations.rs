//! The forms that claim to be right do the same physics.

use delassus::physics::angle::Angle;
use delassus::physics::body::{BodyDef, Motion};
use delassus::physics::joint::JointDef;
use delassus::physics::joints::*;
use delassus::physics::primitives::swing_twist::SwingLimit;
use delassus::physics::settings::HingeForm;
use delassus::physics::shape::Shape;
use delassus::physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, body, close, cube, joint, motor_at_stop, run, split_blocks};

fn free(def: BodyDef) -> BodyDef {
    BodyDef { collide: false, ..def }
}

/// A compound pendulum keeps its period T = 2π √((I + m d²)/(m g d)) (1 + θ²/16) whatever its hinge is written as, the
/// joint's own form before the setting's.
#[test]
fn hinges_swing_alike() {
    for form in [HingeForm::CrossProduct, HingeForm::TwoAxis, HingeForm::Vector, HingeForm::Quaternion] {
        let mut world = World::new(split_blocks(&["step.rate=240", "formulation.hinge=VectorAsPrinted"]));
        let half = Vec3::new(0.1, 0.2, 0.3);
        let tilt = Quat::from_rotation_y(0.2);
        let mass = 2.0;
        let down = tilt * Vec3::Z * -0.5;
        let bar = world.add_body(free(BodyDef { mass, rotation: tilt, ..body(Shape::Box { half }, down) }));
        let kind = JointKind::Hinge(Hinge { formulation: Some(form), ..Hinge::default() });
        world.add_joint(joint(&world, WORLD, bar, Vec3::ZERO, Vec3::Y, kind));
        let inertia = mass / 3.0 * (half.x * half.x + half.z * half.z);
        let period = std::f32::consts::TAU * ((inertia + mass * 0.25) / (mass * G * 0.5)).sqrt() * (1.0 + 0.04 / 16.0);
        let mut crossings = Vec::new();
        let mut before = world.bodies[bar as usize].position.x;
        while crossings.len() < 5 && world.time < 10.0 {
            world.step();
            let x = world.bodies[bar as usize].position.x;
            if before.signum() != x.signum() {
                crossings.push(world.time as f32 - x / (x - before) / 240.0);
            }
            before = x;
        }
        close(&format!("{form:?}"), (crossings[4] - crossings[0]) / 2.0, period, 2e-3 * period);
    }
}

/// Case 12 for the quaternion rows: weld and lock follow a base that turns about (1, 2, 3) through 540°.
#[test]
fn quaternion_weld_follows_a_turning_base() {
    let mut world = World::new(split_blocks(&["step.gravity=0,0,0", "formulation.orientation=Quaternion"]));
    let axis = Vec3::new(1.0, 2.0, 3.0).normalize();
    let base =
        world.add_body(free(BodyDef { motion: Motion::Kinematic, angular_velocity: axis, ..cube(0.25, Vec3::ZERO) }));
    let arm = world.add_body(free(cube(0.25, Vec3::X)));
    world.add_joint(joint(&world, base, arm, Vec3::X * 0.5, axis, JointKind::Fixed(Fixed::default())));
    run(&mut world, 3.0 * std::f64::consts::PI);
    let readout = world.joints[0].readout;
    assert!(readout.angular_error < 1e-3 && readout.error < 2e-3, "{readout:?}");
}

/// Case 15 for the quaternion stop: a motor against it rests there, and the stop carries its torque. The row's jacobian
/// is cos(θ/2) a, so λ/h = −T/cos(θ/2).
#[test]
fn quaternion_stop_holds_its_motor() {
    let wheel = free(body(Shape::Sphere { radius: 0.5 }, Vec3::ZERO));
    let (world, peak) = motor_at_stop(wheel, Some(HingeForm::Quaternion));
    close("angle", world.joints[0].readout.value, 1.0, 1e-3);
    assert!(peak <= 1.0 + 3.0 / 60.0, "peak {peak}");
    close("limit torque", world.joints[0].impulses[7] * 60.0, -1.0 / 0.5f32.cos(), 1e-2);
}

/// The quaternion pyramid of a constant velocity joint stops the swing at its half angle about each side.
#[test]
fn quaternion_pyramid_stops_the_swing() {
    let half = 0.6f32;
    let mut world = World::new(split_blocks(&["step.gravity=0,0,0", "formulation.constant_velocity=Quaternion"]));
    let ball = BodyDef { angular_velocity: Vec3::X * 3.0, ..body(Shape::Sphere { radius: 0.5 }, Vec3::ZERO) };
    let ball = world.add_body(free(ball));
    let swing = Some(SwingLimit::Pyramid(Angle::radians(half), Angle::radians(half)));
    let kind = JointKind::ConstantVelocity(ConstantVelocity { swing });
    world.add_joint(joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Z, kind));
    let mut peak = 0.0f32;
    for _ in 0..120 {
        world.step();
        peak = peak.max(world.joints[0].readout.value);
    }
    close("swing", peak, half, 2e-3);
    close("at rest", world.velocities[ball as usize].angular.length(), 0.0, 1e-3);
}

/// The rotary motor turns an inertia I by ω = T t/I below its target, and keeps the target.
#[test]
fn rotary_motor_accelerates_by_torque_over_inertia() {
    let mut world = World::new(split_blocks(&["step.gravity=0,0,0"]));
    let (inertia, torque) = (0.4 * 0.25, 0.2); // I = 2/5 m r²
    let wheel = world.add_body(free(body(Shape::Sphere { radius: 0.5 }, Vec3::ZERO)));
    let motor = AngularDrive { speed: 5.0, max_torque: torque };
    world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Z, JointKind::RotaryMotor(RotaryMotor { motor })));
    run(&mut world, 1.0);
    close("spin", world.velocities[wheel as usize].angular.z, torque / inertia, 1e-2);
    run(&mut world, 3.0);
    close("target", world.velocities[wheel as usize].angular.z, 5.0, 1e-3);
}

/// Case 11: the forms that claim to be right conserve linear and angular momentum, however far the joint is open.
#[test]
fn open_joints_conserve_momentum_in_every_form() {
    let hinge = JointKind::Hinge(Hinge::default());
    let shaft = JointKind::ConstantVelocity(ConstantVelocity::default());
    for (kind, form) in [
        (hinge, "hinge=TwoAxis"),
        (hinge, "hinge=Vector"),
        (hinge, "hinge=Quaternion"),
        (JointKind::Fixed(Fixed::default()), "orientation=Quaternion"),
        (JointKind::BallSocket(BallSocket {}), "anchor=Squared"),
        (shaft, "constant_velocity=Quaternion"),
        (JointKind::RotaryMotor(RotaryMotor::default()), "motor=Relative"),
    ] {
        let form = format!("formulation.{form}");
        let mut world = World::new(split_blocks(&["step.gravity=0,0,0", "step.gyroscopic=Off", &form]));
        let shape = Shape::Box { half: Vec3::new(0.1, 0.2, 0.3) };
        let angular_velocity = Vec3::new(0.3, -1.0, 0.7);
        let a =
            world.add_body(free(BodyDef { velocity: Vec3::X, angular_velocity, ..body(shape.clone(), Vec3::ZERO) }));
        let rotation = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 2.0) / 3.0, 0.6);
        let b = BodyDef { mass: 3.0, rotation, velocity: Vec3::Y, ..body(shape, Vec3::new(0.7, 0.1, -0.2)) };
        let b = world.add_body(free(b));
        let def = joint(&world, a, b, Vec3::new(0.3, 0.0, 0.1), Vec3::Z, kind);
        world.add_joint(JointDef { anchor_b: def.anchor_b + Vec3::new(0.1, 0.2, 0.0), axis_b: Vec3::Y, ..def });
        let before = world.metrics();
        // The velocities after the solve belong to the poses before it.
        let poses: Vec<_> = world.bodies.iter().map(|b| (b.position, b.rotation)).collect();
        world.step();
        for (body, (position, rotation)) in world.bodies.iter_mut().zip(poses) {
            (body.position, body.rotation) = (position, rotation);
            body.refresh_inertia();
        }
        let after = world.metrics();
        let changed =
            (after.momentum - before.momentum).length() + (after.angular_momentum - before.angular_momentum).length();
        let scale = before.momentum.length() + before.angular_momentum.length();
        assert!(changed < 2e-6 * scale, "{form}: momentum changed by {changed}");
        assert!(world.system.rows.iter().any(|r| r.impulse.abs() > 1e-3), "{form} acts");
    }
}
