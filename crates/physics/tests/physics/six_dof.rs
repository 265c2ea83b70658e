//! Joints of six degrees of freedom: what they are with some axes locked, and their limits and springs in closed form.

use std::f32::consts::TAU;

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::joints::*;
use delassus_physics::row::{Damping, Softness, SpringRate};
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, body, close, joint, run, settings};

const HALF: Vec3 = Vec3::new(0.3, 0.2, 0.1);

/// A box of 2 kg; its principal inertias are ⅓ m (b² + c²) of its half sides.
fn block(at: Vec3) -> BodyDef {
    BodyDef { mass: 2.0, collide: false, ..body(Shape::Box { half: HALF }, at) }
}

fn inertias() -> Vec3 {
    let square = HALF * HALF;
    2.0 / 3.0 * Vec3::new(square.y + square.z, square.z + square.x, square.x + square.y)
}

/// A block at `at` on a joint with the world at `anchor`, by the default settings.
fn mounted(kind: JointKind, at: Vec3, anchor: Vec3, gravity: f32) -> (World, usize) {
    let mut world = World::new(Settings::default());
    world.settings.step.gravity = Vec3::new(0.0, 0.0, -gravity);
    let block = world.add_body(block(at));
    world.add_joint(joint(&world, WORLD, block, anchor, Vec3::Y, kind));
    (world, block as usize)
}

fn spring(stiffness: f32, damping: f32) -> Softness {
    Softness { rate: SpringRate::Stiffness(stiffness), damping: Damping::Coefficient(damping) }
}

fn slide(stiffness: f32, damping: f32) -> SlideAxis {
    let servo = LinearServo { softness: spring(stiffness, damping), ..LinearServo::default() };
    SlideAxis::Free { limit: None, servo: Some(servo) }
}

fn turn(stiffness: f32, damping: f32) -> TurnAxis {
    let servo = AngularServo { softness: spring(stiffness, damping), ..AngularServo::default() };
    TurnAxis::Free { limit: None, servo: Some(servo) }
}

/// Without a free axis it is a weld, to the last bit: force m g, torque m g d.
#[test]
fn all_locked_is_a_weld() {
    let at = Vec3::new(0.5, 0.0, 0.0);
    let (mut mount, id) = mounted(JointKind::SixDof(SixDof::default()), at, Vec3::ZERO, G);
    let (mut weld, _) = mounted(JointKind::Fixed(Fixed::default()), at, Vec3::ZERO, G);
    for world in [&mut mount, &mut weld] {
        // So that both are solved by rows.
        world.settings.assign("solver.method=Direct").expect("a valid assignment");
        run(world, 1.0);
    }
    assert_eq!(mount.state.bodies[id].position, weld.state.bodies[id].position);
    assert_eq!(mount.state.bodies[id].rotation, weld.state.bodies[id].rotation);
    let (own, other) = (&mount.state.joints[0].readout, &weld.state.joints[0].readout);
    assert_eq!((own.force, own.torque), (other.force, other.torque));
    close("force", own.force.z, 2.0 * G, 1e-4 * G);
    // About B's anchor the weight turns with −m g d about −y.
    close("torque", own.torque.y, -2.0 * G * 0.5, 1e-4 * G);
}

/// With one free angle it is a hinge: a compound pendulum that goes over the top, many turns on, has the hinge's angle,
/// whichever of its axes is the free one.
#[test]
fn one_free_angle_is_a_hinge() {
    let (at, free) = (Vec3::new(0.5, 0.0, 0.0), TurnAxis::FREE);
    let about_y = SixDof { about_y: free, ..SixDof::default() };
    // The axes are turned by a quarter about x, so that z lies along the world's −y.
    let turned = RotationVector::of(Vec3::X * TAU / 4.0);
    let about_z = SixDof { about_z: free, axes: turned, ..SixDof::default() };
    let pose = |kind: JointKind, seconds: f32| {
        let (mut world, id) = mounted(kind, at, Vec3::ZERO, G);
        world.settings.assign("solver.method=Direct").expect("a valid assignment");
        let spin = Vec3::Y * 14.0;
        world.state.velocities[id].angular = spin.into();
        world.state.velocities[id].linear = spin.cross(at).into();
        run(&mut world, f64::from(seconds));
        let read = world.state.joints[0].readout;
        (world.state.bodies[id].rotation, read)
    };
    for seconds in [0.3, 2.0] {
        let (hinge, of_hinge) = pose(JointKind::Hinge(Hinge::default()), seconds);
        assert!(of_hinge.value > seconds * TAU, "it goes round: {}", of_hinge.value);
        for (kind, sign) in [(about_y, 1.0), (about_z, -1.0)] {
            let (own, read) = pose(JointKind::SixDof(kind), seconds);
            assert!(hinge.angle_between(own) < 2e-3 * seconds, "{kind:?} {seconds}: {}", hinge.angle_between(own));
            let off = (sign * read.value - of_hinge.value) / TAU;
            assert!((off - off.round()).abs() < 1e-3, "{kind:?}: {} and {}", read.value, of_hinge.value);
            close("rate", sign * read.speed, of_hinge.speed, 2e-2);
            assert!(read.angular_error < 1e-4 && read.error < 1e-4, "{kind:?}: {read:?}");
        }
    }
}

/// With one free slide it is a slider: along axes turned by α about y it gains g sin α t.
#[test]
fn one_free_slide_is_a_slider() {
    let alpha = 0.5f32;
    let kind = SixDof { x: SlideAxis::FREE, axes: RotationVector::of(Vec3::Y * alpha), ..SixDof::default() };
    let (mut world, _) = mounted(JointKind::SixDof(kind), Vec3::ZERO, Vec3::ZERO, G);
    run(&mut world, 1.0);
    let read = world.state.joints[0].readout;
    close("speed", read.speed, G * alpha.sin(), 1e-3);
    close("slide", read.value, 0.5 * G * alpha.sin(), 1e-3);
    close("across", read.slides.y.hypot(read.slides.z), 0.0, 1e-5);
    // Pressed on by the weight's part across: m g cos α.
    close("force", read.force.length(), 2.0 * G * alpha.cos(), 1e-3 * G);
}

/// On a spring of k a weight sags by m g/k, and swings undamped with a period of 2π √(m/k); about an axis 2π √(I/k).
#[test]
fn each_sprung_axis_has_its_own_frequency() {
    let (k_slide, k_turn) = (Vec3::new(200.0, 500.0, 800.0), Vec3::new(2.0, 5.0, 8.0));
    let all = SixDof {
        x: slide(k_slide.x, 0.0),
        y: slide(k_slide.y, 0.0),
        z: slide(k_slide.z, 0.0),
        about_x: turn(k_turn.x, 0.0),
        about_y: turn(k_turn.y, 0.0),
        about_z: turn(k_turn.z, 0.0),
        ..SixDof::default()
    };
    for axis in 0..6 {
        let period = match axis {
            0..3 => TAU * (2.0 / k_slide[axis]).sqrt(),
            _ => TAU * (inertias()[axis - 3] / k_turn[axis - 3]).sqrt(),
        };
        let (mut world, id) = mounted(JointKind::SixDof(all), Vec3::ZERO, Vec3::ZERO, 0.0);
        world.settings.assign("step.rate=480").expect("a valid assignment");
        let kick = Vec3::AXES[axis % 3] * 0.2;
        let velocity = &mut world.state.velocities[id];
        if axis < 3 {
            velocity.linear = kick.into()
        } else {
            velocity.angular = kick.into()
        }
        // After a whole number of periods it is back at zero with its first speed; a quarter later at its amplitude.
        let cycles = 8.0;
        run(&mut world, f64::from(cycles * period));
        let read = world.state.joints[0].readout;
        let values = [read.slides.to_array(), read.angles.to_array()].concat();
        let amplitude = 0.2 * period / TAU;
        close(&format!("axis {axis}"), values[axis], 0.0, 0.05 * amplitude);
        run(&mut world, f64::from(0.25 * period));
        let read = world.state.joints[0].readout;
        let values = [read.slides.to_array(), read.angles.to_array()].concat();
        close(&format!("axis {axis}"), values[axis], amplitude, 0.02 * amplitude);
        for (other, value) in values.iter().enumerate().filter(|(other, _)| *other != axis) {
            close(&format!("axis {other} while {axis} swings"), *value, 0.0, 1e-4);
        }
    }
    let damped = SixDof { z: slide(800.0, 40.0), ..SixDof::default() };
    let (mut world, _) = mounted(JointKind::SixDof(damped), Vec3::ZERO, Vec3::ZERO, G);
    run(&mut world, 5.0);
    close("sag", world.state.joints[0].readout.value, -2.0 * G / 800.0, 1e-6);
    close("servo", world.state.joints[0].readout.motor, 2.0 * G, 1e-3);
}

/// Three like springs about the axes are one spring of the rotation vector: under a torque T it comes to rest at φ = T/k,
/// also far from small angles and about a slanting axis.
#[test]
fn springs_about_three_axes_have_a_potential() {
    let k = 3.0;
    let mount = SixDof { about_x: turn(k, 1.0), about_y: turn(k, 1.0), about_z: turn(k, 1.0), ..SixDof::default() };
    for angles in [Vec3::new(0.2, -0.1, 0.3), Vec3::new(1.0, 0.8, -0.6), Vec3::new(-1.4, 1.6, 1.2)] {
        let (mut world, id) = mounted(JointKind::SixDof(mount), Vec3::ZERO, Vec3::ZERO, 0.0);
        // So that the torque acts in every sub-step, and the velocity that it gives has no gyroscopic torque.
        for assignment in ["step.substeps=1", "step.gyroscopic=Off"] {
            world.settings.assign(assignment).expect("a valid assignment");
        }
        let end = Quat::from_scaled_axis(angles);
        for _ in 0..1500 {
            let h = 1.0 / world.settings.step.rate;
            let velocity = &mut world.state.velocities[id];
            let rotation = world.state.bodies[id].rotation;
            // The torque T, applied as the change of the angular velocity that it makes in a step.
            let local = rotation.inverse() * (k * angles) / inertias();
            velocity.angular += glam::Vec3A::from(rotation * local * h);
            world.step();
        }
        let read = world.state.joints[0].readout;
        assert!(read.angles.distance(angles) < 1e-4, "{angles}: {}", read.angles);
        assert!(world.state.bodies[id].rotation.angle_between(end) < 1e-3);
    }
}

/// A block pushed against the limits of all six axes stays within them, and the stop carries what pushes.
#[test]
fn limits_hold() {
    let (far, wide) = (Some((-0.1, 0.05)), Some((Angle::radians(-0.4), Angle::radians(0.2))));
    let slide = |force: f32| {
        let servo = LinearServo { softness: spring(0.0, 5.0), force, ..LinearServo::default() };
        SlideAxis::Free { limit: far, servo: Some(servo) }
    };
    let turn = |torque: f32| {
        let servo = AngularServo { softness: spring(0.0, 0.5), torque, ..AngularServo::default() };
        TurnAxis::Free { limit: wide, servo: Some(servo) }
    };
    for sign in [1.0, -1.0] {
        let kind = SixDof {
            x: slide(sign * 10.0),
            y: slide(sign * 20.0),
            z: slide(sign * 30.0),
            about_x: turn(sign * 1.0),
            about_y: turn(sign * 2.0),
            about_z: turn(sign * 3.0),
            ..SixDof::default()
        };
        let (mut world, _) = mounted(JointKind::SixDof(kind), Vec3::ZERO, Vec3::ZERO, 0.0);
        for _ in 0..300 {
            world.step();
            let read = world.state.joints[0].readout;
            for value in read.slides.to_array() {
                assert!((-0.1 - 1e-3..0.05 + 1e-3).contains(&value), "{read:?}");
            }
            for value in read.angles.to_array() {
                assert!((-0.4 - 5e-3..0.2 + 5e-3).contains(&value), "{read:?}");
            }
        }
        let read = world.state.joints[0].readout;
        let (slides, angles) = if sign > 0.0 { (0.05, 0.2) } else { (-0.1, -0.4) };
        assert!(read.slides.distance(Vec3::splat(slides)) < 1e-4, "{read:?}");
        assert!(read.angles.distance(Vec3::splat(angles)) < 1e-3, "{read:?}");
        // Of the slide along x, which is the value that is read.
        close("limit", read.limit, -sign * 10.0, 1e-2);
        close("servo", read.motor, sign * 10.0, 1e-2);
    }
}

/// A damper that aims at a speed drives its axis to it and leaves the others alone.
#[test]
fn a_servo_drives_its_axis() {
    let servo = AngularServo { softness: spring(0.0, 2.0), speed: 3.0, ..AngularServo::default() };
    let kind = SixDof { about_z: TurnAxis::Free { limit: None, servo: Some(servo) }, ..SixDof::default() };
    let (mut world, id) = mounted(JointKind::SixDof(kind), Vec3::ZERO, Vec3::ZERO, 0.0);
    // ω = 3 (1 − exp(−c t/I)), c t/I = 2 · 1/0.0867 = 23.
    run(&mut world, 1.0);
    let spin = Vec3::from(world.state.velocities[id].angular);
    assert!(spin.distance(Vec3::Z * 3.0) < 1e-4, "{spin}");
}

/// Two bodies that only a sprung joint holds together keep their momentum, with their anchors apart and turned.
#[test]
fn momentum_is_kept() {
    let mut world = World::new(settings(&["step.gravity=(0, 0, 0)"]));
    let spins = [Vec3::new(1.0, -2.0, 0.5), Vec3::new(-0.7, 0.3, 1.5)];
    let places = [Vec3::new(0.2, 0.1, 0.0), Vec3::new(1.1, -0.4, 0.6)];
    for (at, spin) in places.into_iter().zip(spins) {
        let turned = Quat::from_scaled_axis(at + spin);
        let velocity = Vec3::new(0.3, -0.2, 0.4) * at.x;
        world.add_body(BodyDef { velocity, angular_velocity: spin, rotation: turned, ..block(at) });
    }
    let limit = Some((Angle::radians(-0.3), Angle::radians(0.3)));
    let kind = SixDof {
        x: slide(50.0, 1.0),
        z: SlideAxis::Free { limit: Some((-0.1, 0.1)), servo: None },
        about_x: turn(2.0, 0.1),
        about_y: TurnAxis::Free { limit, servo: None },
        axes: RotationVector::of(Vec3::new(0.3, 1.0, -0.4)),
        ..SixDof::default()
    };
    world.add_joint(joint(&world, 1, 2, Vec3::new(0.6, 0.0, 0.2), Vec3::Z, JointKind::SixDof(kind)));
    let before = world.metrics();
    run(&mut world, 2.0);
    let after = world.metrics();
    assert!((after.momentum - before.momentum).length() < 1e-4, "{} and {}", after.momentum, before.momentum);
    let (was, is) = (before.angular_momentum, after.angular_momentum);
    assert!((is - was).length() < 2e-3 * was.length(), "{is} and {was}");
}
