//! Planes, rings and orientation locks compared with closed forms.

use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::joints::*;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, bead, close, cube, joint, period, run, settings, watch};

/// A bead on a tilted plane slides at g sin α along it and presses on it by m g cos α.
#[test]
fn bead_slides_down_a_tilted_plane() {
    let angle = 30.0f32.to_radians();
    let normal = Vec3::new(angle.sin(), 0.0, angle.cos());
    let mut world = World::new(settings(&[]));
    let ball = world.add_body(BodyDef { mass: 2.0, ..bead(Vec3::ZERO) });
    world.add_joint(joint(&world, WORLD, ball, Vec3::ZERO, normal, JointKind::Plane(Plane::default())));
    run(&mut world, 1.0);
    let down = Vec3::new(angle.cos(), 0.0, -angle.sin());
    close("speed", world.state.velocities[ball as usize].linear.dot(down.into()), G * angle.sin(), 1e-3);
    close("off the plane", world.state.bodies[ball as usize].position.dot(normal), 0.0, 1e-5);
    close("pressure", world.state.joints[0].readout.force.dot(normal), 2.0 * G * angle.cos(), 1e-2);
}

/// A plane with a limit is two planes: a bead falls freely between them and stops at the lower one without a bounce.
#[test]
fn limited_plane_stops_and_driven_plane_lifts() {
    let mut world = World::new(settings(&[]));
    let ball = world.add_body(BodyDef { velocity: Vec3::X, ..bead(Vec3::ZERO) });
    let kind = JointKind::Plane(Plane { limit: Some((-0.5, 0.5)), motor: None });
    world.add_joint(joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Z, kind));
    run(&mut world, 0.2);
    close("free fall", world.state.velocities[ball as usize].linear.z, -G * 0.2, 1e-4);
    let mut lowest = 0.0f32;
    for _ in 0..120 {
        world.step();
        lowest = lowest.min(world.state.joints[0].readout.value);
    }
    close("stop", world.state.joints[0].readout.value, -0.5, 1e-4);
    assert!(lowest > -0.5 - 1e-4, "past the stop: {lowest}");
    close("glides on", world.state.velocities[ball as usize].linear.x, 1.0, 1e-5);

    let mut world = World::new(settings(&[]));
    let ball = world.add_body(BodyDef { mass: 2.0, ..bead(Vec3::ZERO) });
    let motor = Some(LinearDrive { speed: 1.0, max_force: 30.0 });
    world.add_joint(joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Z, JointKind::Plane(Plane { limit: None, motor })));
    run(&mut world, 1.0);
    close("lifted at", world.state.velocities[ball as usize].linear.z, 1.0, 1e-4);
    close("by", world.state.joints[0].readout.force.z, 2.0 * G, 1e-2);
}

/// A bead on an upright ring is a pendulum, T = 2.0073 s from 0.1 rad at R = 1; a force across the ring is borne.
#[test]
fn bead_on_a_ring_is_a_pendulum() {
    let across = 3.0;
    let mut world = World::new(settings(&[]));
    world.settings.step.gravity = Vec3::new(0.0, -across, -G);
    let (sin, cos) = 0.1f32.sin_cos();
    let ball = world.add_body(bead(Vec3::new(sin, 0.0, -cos)));
    let mut def = joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Y, JointKind::PointOnRing(PointOnRing::default()));
    def.anchor_b = Vec3::ZERO;
    world.add_joint(def);
    let samples = watch(&mut world, 25.0, |world| {
        assert!(world.state.joints[0].readout.error < 1e-3, "off the ring by {}", world.state.joints[0].readout.error);
        world.state.bodies[ball as usize].position.x
    });
    close("period", period(&samples, world.settings.h()), 2.0073, 2.0073e-3);
    close("across", world.state.joints[0].readout.force.y, across, 1e-2);
}

/// A lock follows a base that turns by 540° and does not affect the translation of its body.
#[test]
fn orientation_lock_follows_and_leaves_the_way_free() {
    let mut world = World::new(settings(&["step.gravity=0,0,0"]));
    let axis = Vec3::new(1.0, 2.0, 3.0).normalize();
    let base = world.add_body(BodyDef { motion: Motion::Kinematic, angular_velocity: axis, ..cube(0.25, Vec3::ZERO) });
    let turn = Quat::from_rotation_x(0.7);
    let way = Vec3::new(0.0, 0.2, 0.1);
    let b = world.add_body(BodyDef { rotation: turn, velocity: way, ..cube(0.25, Vec3::new(2.0, 0.0, 0.0)) });
    let kind = JointKind::OrientationLock(OrientationLock::default());
    world.add_joint(joint(&world, base, b, Vec3::X, Vec3::Z, kind));
    let time = 3.0 * std::f32::consts::PI;
    run(&mut world, time.into());
    let steps = (time * 60.0).round() / 60.0;
    let wanted = Quat::from_axis_angle(axis, steps) * turn;
    let off = world.state.bodies[b as usize].rotation.angle_between(wanted);
    assert!(off < 2e-3, "off by {off} rad");
    let at = Vec3::new(2.0, 0.0, 0.0) + way * steps;
    close("way", world.state.bodies[b as usize].position.distance(at), 0.0, 1e-3);
}
