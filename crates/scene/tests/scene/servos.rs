//! Servos, zeros and functions of time of joints in files.

use delassus_physics::angle::Angle;
use delassus_physics::force::ByTime;
use delassus_physics::joints::{AngularServo, Hinge, JointKind, LinearServo, Prismatic, UNBOUNDED};
use delassus_physics::row::Softness;
use delassus_scene::{self as scene, Joint};

fn read(kind: &str, more: &str) -> Result<Joint, String> {
    let text = format!(
        "(version: 1, title: \"t\", bodies: [(name: \"a\", shape: Sphere(radius: 0.1), mass: 1)], joints: [(name: \"j\", \
         b: \"a\", anchor: (0, 0, 0), axis: (0, 0, 1), kind: {kind}{more})])"
    );
    let loaded = scene::read_str(&text, "s.ron").map_err(|mistakes| mistakes[0].to_string())?;
    Ok(loaded.scene.joints[0].clone())
}

/// What is written comes back as it was read, and what has its default is not written.
#[test]
fn a_servo_comes_back_as_it_was_written() {
    let angular = AngularServo {
        softness: Softness::of_stiffness(200.0, 20.0),
        target: Angle::degrees(30.0),
        offset: Angle::radians(0.5),
        speed: 1.0,
        torque: -3.0,
        max_torque: 50.0,
    };
    let fields = "target: Degrees(30), offset: 0.5, speed: 1, stiffness: 200, damping: 20, torque: -3, max_torque: 50";
    let hinge = read(&format!("Hinge(zero: Degrees(-180), servo: ({fields}))"), ", by_time: Sinusoid(rate: 2)");
    let hinge = hinge.expect("it is right");
    let kind = Hinge { zero: Angle::degrees(-180.0), servo: Some(angular), ..Hinge::default() };
    assert_eq!(hinge.kind, JointKind::Hinge(kind));
    assert_eq!(hinge.by_time, ByTime::Sinusoid { rate: 2.0, phase: Angle::default() });
    let linear = LinearServo { softness: Softness::of(2.0, 1.0), target: 0.2, ..LinearServo::default() };
    let slider =
        read("Prismatic(zero: 0.1, servo: (target: 0.2, hertz: 2, damping_ratio: 1))", "").expect("it is right");
    assert_eq!(slider.kind, JointKind::Prismatic(Prismatic { zero: 0.1, servo: Some(linear), ..Prismatic::default() }));
    for (kind, text) in [(hinge.kind, fields), (slider.kind, "target:0.2,hertz:2.0,damping_ratio:1.0")] {
        let written = ron::to_string(&kind).expect("ron writes it");
        assert_eq!(ron::from_str::<JointKind>(&written).expect("and reads it"), kind, "{text}: {written}");
        assert!(written.contains("max_torque") == (kind.cap() != Some(UNBOUNDED)), "{written}");
    }
}

/// A damper alone, and a torque alone.
#[test]
fn a_servo_may_leave_out_its_spring_or_its_damper() {
    let servo = |fields: &str| match read(&format!("Hinge(servo: ({fields}))"), "").expect(fields).kind {
        JointKind::Hinge(hinge) => hinge.servo.expect("a servo"),
        other => panic!("{other:?}"),
    };
    assert_eq!(servo("damping: 3").softness, Softness::of_stiffness(0.0, 3.0));
    assert_eq!(servo("stiffness: 3").softness, Softness::of_stiffness(3.0, 0.0));
    let torque = servo("torque: 3");
    assert_eq!((torque.softness, torque.torque), (Softness::of_stiffness(0.0, 0.0), 3.0));
    assert!(!ron::to_string(&torque).expect("ron writes it").contains("damping"));
}

#[test]
fn what_a_servo_does_not_take_is_said() {
    for (kind, more, wrong) in [
        ("Hinge(servo: ())", "", "a servo needs `hertz`, a `stiffness`, a `damping`"),
        ("Hinge(servo: (damping_ratio: 1))", "", "needs `hertz` or a `stiffness`"),
        ("Hinge(servo: (hertz: 1, stiffness: 2))", "", "takes `hertz` or `stiffness`, not both"),
        ("Hinge(servo: (stiffness: -1))", "", "stiffness"),
        ("Hinge(servo: (stiffness: 1, max_torque: -1))", "", "max_torque"),
        ("Hinge(servo: (stiffness: 1, torque: inf))", "", "torque"),
        ("Hinge(servo: (stiffness: 1, force: 2))", "", "force"),
        ("Hinge(zero: nan)", "", "expected an angle"),
        ("Prismatic(servo: (stiffness: 1, max_torque: 2))", "", "max_torque"),
        ("Hinge(motor: (speed: 1), servo: (stiffness: 1))", "", "a motor or a servo, not both"),
        ("Hinge(limit: (0, 1))", ", by_time: Sinusoid(rate: 2)", "for a joint with a motor or a servo"),
        ("Hinge(motor: (speed: 1))", ", by_time: Table(points: [])", "the number of points must be 1 to 1000"),
        ("Hinge(motor: (speed: 1))", ", by_time: Sinusoid(rate: inf)", "rate"),
    ] {
        let message = read(kind, more).expect_err(kind);
        assert!(message.contains(wrong) && message.starts_with("s.ron:1:"), "{kind}{more}: {message}");
    }
}
