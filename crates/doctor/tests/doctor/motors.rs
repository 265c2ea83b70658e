//! Motors in loops: locked, against each other, at dead centres.

use delassus_doctor::{Fix, Rule, Severity};
use glam::Vec3;

use super::linkages::{bars, four_bar, joint, linkage};
use super::{examined, findings, scene};

/// A triangle of two bars and the ground is rigid, whatever motor is at its foot.
#[test]
fn a_motor_in_a_locked_loop() {
    let p = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    let bodies = bars(&[("left", p(0.0, 0.0), p(1.3, 0.9)), ("right", p(2.0, 0.0), p(1.3, 0.9))]);
    let triangle = |motor: &str| {
        joint("foot", "world", "left", p(0.0, 0.0), Vec3::Y, &format!("Hinge({motor})"))
            + &joint("top", "left", "right", p(1.3, 0.9), Vec3::Y, "Hinge()")
            + &joint("heel", "world", "right", p(2.0, 0.0), Vec3::Y, "Hinge()")
    };
    let seen = examined(&scene(&bodies, &triangle("motor: (speed: 0.7, max_torque: 60)"), ""));
    assert_eq!(seen.mechanisms[0].words(), "nothing can move");
    let locked = seen.findings.iter().find(|f| f.rule == Rule::Locked).expect("it is reported");
    assert_eq!((locked.severity, locked.fix), (Severity::Warning, Some(Fix::NoMotor { joint: 0 })));
    assert!(
        locked.what.contains("The motor of foot is in a locked loop")
            && locked.what.contains("60.0 N·m on top and heel"),
        "{}",
        locked.what
    );
    // Without a motor, with one of speed zero, or on an open chain there is no finding.
    for motor in ["", "motor: (speed: 0, max_torque: 60)"] {
        let found = findings(&scene(&bodies, &triangle(motor), ""));
        assert!(found.iter().all(|f| f.rule == Rule::Loop && f.severity == Severity::Note), "{found:#?}");
    }
    let open = joint("foot", "world", "left", p(0.0, 0.0), Vec3::Y, "Hinge(motor: (speed: 1, max_torque: 60))")
        + &joint("top", "left", "right", p(1.3, 0.9), Vec3::Y, "Hinge(motor: (speed: -2, max_torque: 60))");
    let seen = examined(&scene(&bodies, &open, ""));
    assert!(seen.findings.is_empty(), "{:#?}", seen.findings);
    assert_eq!(seen.mechanisms[0].words(), "2 degrees of freedom, 2 driven");
}

/// Motors at crank and rocker: the rocker's consistent speed is the linkage's ratio times the crank's.
#[test]
fn motors_against_each_other() {
    let points = linkage();
    let [a, b, c, d] = points;
    let along = |arm: Vec3| Vec3::Y.cross(arm).dot((c - b).normalize());
    let ratio = along(b - a) / along(c - d);
    let driven = |speed: f32| {
        let (crank, rocker) =
            ("Hinge(motor: (speed: 1.5, max_torque: 20))", format!("Hinge(motor: (speed: {speed}, max_torque: 35))"));
        let (bodies, joints) = four_bar(points, Vec3::ZERO, [crank, "Hinge()", "Hinge()", &rocker]);
        examined(&scene(&bodies, &joints, ""))
    };
    for speed in [-2.0, 4.0] {
        let seen = driven(speed);
        let against = seen.findings.iter().find(|f| f.rule == Rule::Against).expect("it is reported");
        assert_eq!(against.severity, Severity::Warning);
        assert_eq!(against.joints, [0, 3]);
        assert_eq!(against.fix, Some(Fix::NoMotor { joint: 3 }));
        let suits =
            format!("D would have to go at {:.*} rad/s", if (1.5 * ratio).abs() < 1.0 { 3 } else { 2 }, 1.5 * ratio);
        assert!(against.what.contains(&suits), "{suits}: {}", against.what);
        assert!(against.what.contains("A with up to 20.0 N·m") && against.what.contains("D with up to 35.0 N·m"));
        assert_eq!(seen.mechanisms[0].driven, 1);
    }
    // Two motors at consistent speeds share the work.
    let seen = driven(1.5 * ratio);
    assert!(seen.findings.iter().all(|f| f.rule == Rule::Loop), "{:#?}", seen.findings);
    // A brake, a motor with a cap and zero speed, may be meant as a load: a note.
    let seen = driven(0.0);
    let brake = seen.findings.iter().find(|f| f.rule == Rule::Against).expect("it is reported");
    assert_eq!((brake.severity, &brake.joints[..]), (Severity::Note, &[0, 3][..]));
    assert!(seen.findings.iter().all(|f| matches!(f.rule, Rule::Loop | Rule::Against)), "{:#?}", seen.findings);
    // Two motors on one axle, without a loop of bodies.
    let wheel = r#"(name: "wheel", shape: Cylinder(radius: 0.5, half_length: 0.1), mass: 3)"#;
    let joints = joint("axle", "world", "wheel", Vec3::ZERO, Vec3::Z, "Hinge(motor: (speed: 3, max_torque: 5))")
        + &joint("belt", "world", "wheel", Vec3::ZERO, Vec3::Z, "AngularMotor(motor: (speed: -1, max_torque: 8))");
    let found = findings(&scene(wheel, &joints, ""));
    assert_eq!(found.iter().map(|f| f.rule).collect::<Vec<_>>(), [Rule::Against], "{found:#?}");
    assert!(found[0].what.contains("belt would have to go at 3.00 rad/s"), "{}", found[0].what);
}

/// A slider–crank with crank and rod in line: the piston's velocity is zero there, whatever the crank does. A motor
/// on the piston cannot start it, one on the crank can. A tenth of a turn further neither is at a dead centre.
#[test]
fn dead_centres() {
    let crank = |angle: f32, main: &str, guide: &str| {
        let (r, l) = (0.35, 1.1);
        let pin = Vec3::new(r * angle.cos(), 0.0, r * angle.sin());
        let wrist = Vec3::new(pin.x + (l * l - pin.z * pin.z).sqrt(), 0.0, 0.0);
        let bodies = bars(&[("crank", Vec3::ZERO, pin), ("rod", pin, wrist)])
            + &format!(
                r#"(name: "piston", shape: Box(half: (0.1, 0.1, 0.1)), at: ({}, 0, 0), mass: 1, collide: false)"#,
                wrist.x
            );
        let joints = joint("main", "world", "crank", Vec3::ZERO, Vec3::Y, &format!("Hinge({main})"))
            + &joint("pin", "crank", "rod", pin, Vec3::Y, "Hinge()")
            + &joint("wrist", "rod", "piston", wrist, Vec3::Y, "BallSocket()")
            + &joint("guide", "world", "piston", wrist, Vec3::X, &format!("Prismatic({guide})"));
        examined(&scene(&bodies, &joints, ""))
    };
    let (turns, pushes) = ("motor: (speed: 2, max_torque: 9)", "motor: (speed: 0.3, max_force: 120)");
    for angle in [0.0, std::f32::consts::PI] {
        let seen = crank(angle, "", pushes);
        let dead: Vec<_> = seen.findings.iter().filter(|f| f.rule == Rule::Dead).collect();
        assert!(dead.len() == 1 && dead[0].severity == Severity::Warning, "{:#?}", seen.findings);
        assert!(dead[0].what.contains("The motor of guide is at a dead centre") && dead[0].what.contains("120 N"));
        assert_eq!(seen.mechanisms[0].dead, [3]);
        // Driven by the crank it is only a note.
        let seen = crank(angle, turns, "");
        let dead: Vec<_> = seen.findings.iter().filter(|f| f.rule == Rule::Dead).collect();
        assert!(dead.len() == 1 && dead[0].severity == Severity::Note && dead[0].joints == [3], "{:#?}", seen.findings);
        assert_eq!((seen.mechanisms[0].freedom, seen.mechanisms[0].driven), (Some(1), 1));
    }
    for (main, guide) in [("", pushes), (turns, "")] {
        let seen = crank(0.628, main, guide);
        assert!(seen.findings.iter().all(|f| f.rule == Rule::Loop), "{:#?}", seen.findings);
        assert!(seen.mechanisms[0].dead.is_empty());
    }
}
