//! The formulations that are meant to be correct give the same physics.

use delassus_physics::angle::Angle;
use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::joints::*;
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::settings::HingeForm;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, body, close, cube, joint, motor_at_stop, period, run, split_blocks, watch};

fn free(def: BodyDef) -> BodyDef {
    BodyDef { collide: false, ..def }
}

/// A compound pendulum has the period T = 2π √((I + m d²)/(m g d)) (1 + θ²/16) in every formulation of its hinge; the
/// joint's own form takes precedence over the setting's.
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
        let expected =
            std::f32::consts::TAU * ((inertia + mass * 0.25) / (mass * G * 0.5)).sqrt() * (1.0 + 0.04 / 16.0);
        let samples = watch(&mut world, 10.0, |world| world.state.bodies[bar as usize].position.x);
        close(&format!("{form:?}"), period(&samples, world.settings.h()), expected, 2e-3 * expected);
    }
}

/// Case 12: a weld follows a base that turns at 1 rad/s about (1, 2, 3) through 540°, in every formulation of its
/// rows.
#[test]
fn weld_follows_a_turning_base() {
    for form in ["WorldAxes", "Quaternion"] {
        let form = format!("formulation.orientation={form}");
        let mut world = World::new(split_blocks(&["step.gravity=0,0,0", &form]));
        let axis = Vec3::new(1.0, 2.0, 3.0).normalize();
        let base = BodyDef { motion: Motion::Kinematic, angular_velocity: axis, ..cube(0.25, Vec3::ZERO) };
        let base = world.add_body(free(base));
        let arm = world.add_body(free(cube(0.25, Vec3::X)));
        world.add_joint(joint(&world, base, arm, Vec3::X * 0.5, axis, JointKind::Fixed(Fixed::default())));
        run(&mut world, 3.0 * std::f64::consts::PI);
        let readout = world.state.joints[0].readout;
        assert!(readout.angular_error < 1e-3 && readout.error < 2e-3, "{form}: {readout:?}");
    }
}

/// Case 15: a motor against a stop rests there, and the stop carries its torque. The Jacobian of the quaternion row
/// is cos(θ/2) a, so that λ/h = −T/cos(θ/2).
#[test]
fn stop_holds_its_motor() {
    for (form, share) in [(None, 1.0), (Some(HingeForm::Quaternion), 0.5f32.cos())] {
        let wheel = free(body(Shape::Sphere { radius: 0.5 }, Vec3::ZERO));
        let (world, peak) = motor_at_stop(wheel, form);
        close("angle", world.state.joints[0].readout.value, 1.0, 1e-3);
        assert!(peak <= 1.0 + 3.0 / 60.0, "{form:?}: peak {peak}");
        close(&format!("{form:?}: limit torque"), world.state.joints[0].impulses[7] * 60.0, -1.0 / share, 1e-2);
    }
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
        peak = peak.max(world.state.joints[0].readout.value);
    }
    close("swing", peak, half, 2e-3);
    close("at rest", world.state.velocities[ball as usize].angular.length(), 0.0, 1e-3);
}

/// Case 10: a motor of torque T accelerates an inertia I as ω = T t/I below its target, and keeps the target; both a
/// hinge's own motor and a separate one.
#[test]
fn motors_accelerate_by_torque_over_inertia() {
    let (inertia, torque) = (0.4 * 0.25, 0.2); // I = 2/5 m r²
    let motor = AngularDrive { speed: 5.0, max_torque: torque };
    for kind in [
        JointKind::Hinge(Hinge { motor: Some(motor), ..Hinge::default() }),
        JointKind::RotaryMotor(RotaryMotor { motor }),
    ] {
        let mut world = World::new(split_blocks(&["step.gravity=0,0,0"]));
        let wheel = world.add_body(free(body(Shape::Sphere { radius: 0.5 }, Vec3::ZERO)));
        world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Z, kind));
        run(&mut world, 1.0);
        close(&format!("{kind:?}: spin"), world.state.velocities[wheel as usize].angular.z, torque / inertia, 1e-2);
        run(&mut world, 3.0);
        close(&format!("{kind:?}: target"), world.state.velocities[wheel as usize].angular.z, 5.0, 1e-3);
    }
}
