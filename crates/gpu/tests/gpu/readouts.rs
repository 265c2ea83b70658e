//! Readouts of joints if the device steps the scene, or sweeps its rows: forces, torques, limits and motors.
//!
//! Only ball-sockets stay on the device, and they have neither limits nor motors: their readouts have the anchor's
//! force only. The rows of all other joints are swept on the device and read by the processor as usual.

use std::sync::Arc;

use delassus_gpu::{Device, Stepper};
use delassus_physics::readout::{Readout, Stops};
use delassus_session::{Command, Session};

use crate::device;

/// An arm of 2 kg that rests on its stop, with a hand of 1 kg at its end, held out by a motor.
const ARM: &str = r#"(
    version: 1,
    title: "Arm",
    settings: (preset: SingleStep, step: (rate: 240), solver: (rows: Tree, device: Gpu), stabilization: (method: Baumgarte)),
    bodies: [
        (name: "post", shape: Box(half: (0.1, 0.1, 0.1)), at: (0, 0, 2), motion: Static, collide: false),
        (name: "arm", shape: Box(half: (0.5, 0.05, 0.05)), at: (0.5, 0, 2), mass: 2, collide: false),
        (name: "hand", shape: Box(half: (0.2, 0.05, 0.05)), at: (1.2, 0, 2), mass: 1, collide: false),
    ],
    joints: [
        (name: "stop", a: "post", b: "arm", anchor: (0, 0, 2), axis: (0, 1, 0), kind: Hinge(limit: (-0.2, 0.1))),
        (
            name: "motor",
            a: "arm",
            b: "hand",
            anchor: (1, 0, 2),
            axis: (0, 1, 0),
            kind: Hinge(motor: (speed: 0, max_torque: 50)),
        ),
    ],
)"#;

/// Three beads hanging from a fourth one, at rest.
const STRING: &str = r#"(
    version: 1,
    title: "String",
    settings: (preset: SingleStep, 
        step: (rate: 240),
        solver: (method: GaussSeidel, rows: Tree, device: Gpu),
        stabilization: (method: Baumgarte),
        contact: (enabled: false),
    ),
    patterns: [
        Chain(
            name: "bead",
            body: (shape: Sphere(radius: 0.1), at: (0, 0, 2), mass: 1, collide: false),
            count: 4,
            spacing: (0, 0, -0.25),
            joint: (kind: BallSocket),
            first: Static,
        ),
    ],
)"#;

/// The readouts after `steps` steps in a session, and whether the bodies stay on the device.
fn read(device: &Arc<Device>, text: &str, steps: u32) -> (Vec<Readout>, bool) {
    let mut session = Session::from_text(text, "readouts.ron").expect("a scene");
    let device = device.clone();
    session.use_device(Some(Arc::new(Stepper::new(move || Ok(device.clone())))));
    for _ in 0..steps {
        session.dispatch(Command::Step).expect("a step");
    }
    assert_eq!((session.device_refusal(), session.take_device_notice()), (None, None));
    let stays = session.device_world().is_some();
    (session.snapshot().joints.iter().map(|joint| joint.readout).collect(), stays)
}

/// Statics: the stop bears the moments of both weights about the post, the motor that of the hand about the arm's
/// end.
#[test]
fn a_limit_and_a_motor_bear_what_hangs_on_them() {
    let Some(device) = device() else { return };
    let (found, stays) = read(&device, ARM, 480);
    let (here, _) = read(&device, &ARM.replace("device: Gpu", "device: Cpu"), 480);
    assert!(!stays, "hinges are no ball-sockets: their rows alone are on the device");
    let across = 9.81 * 0.1f32.cos();
    let (stop, motor) = (across * (2.0 * 0.5 + 1.0 * 1.2), across * 1.0 * 0.2);
    for found in [&found, &here] {
        assert!((found[0].limit + stop).abs() <= 1e-3 * stop, "{} N·m, {stop} N·m", found[0].limit);
        assert!((found[1].motor + motor).abs() <= 1e-3 * motor, "{} N·m, {motor} N·m", found[1].motor);
        assert!((found[0].value - 0.1).abs() <= 1e-3, "{} rad", found[0].value);
        assert_eq!((found[0].motor, found[1].limit), (0.0, 0.0));
        assert!(found[0].stops != Stops::default() && found[1].stops == Stops::default());
        let weight = 9.81 * 3.0;
        assert!((found[0].anchor.length() - weight).abs() <= 1e-3 * weight, "{}", found[0].anchor);
    }
}

/// A hanging bead bears those below it, and its readout has no other force.
#[test]
fn of_what_stays_on_the_device_a_read_out_has_the_anchor_alone() {
    let Some(device) = device() else { return };
    let (found, stays) = read(&device, STRING, 60);
    assert!(stays);
    assert_eq!(found.len(), 3);
    for (own, below) in found.iter().zip([3.0f32, 2.0, 1.0]) {
        let weight = 9.81 * below;
        assert!((own.force.length() - weight).abs() <= 1e-3 * weight, "{} N, {weight} N", own.force.length());
        assert_eq!(own.anchor, own.force);
        assert_eq!(own.torque, glam::Vec3::ZERO);
        assert_eq!([own.spring, own.motor, own.limit, own.swing, own.energy], [0.0; 5]);
        assert_eq!(own.stops, Stops::default());
        assert!(own.error <= 1e-5 && own.residual <= 1e-3, "{own:?}");
    }
}
