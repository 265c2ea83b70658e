//! Mechanisms that cannot move because of their stops or the directions of their axes.

use delassus_doctor::{Fix, Rule, Severity};
use glam::Vec3;

use super::linkages::{four_bar, joint, linkage};
use super::mobility::only;
use super::{findings, scene};

/// Stops of two joints in one motion: opposite to each other they prevent it, in the same direction they allow one
/// way out.
#[test]
fn stops_that_leave_no_motion() {
    let [a, b, c, d] = [0.0, 0.0, 2.0, 2.0].map(|x| Vec3::new(x, 0.0, 0.0));
    let square = [a, b + Vec3::Z, c + Vec3::Z, d];
    let limits = |one: &str, two: &str| {
        let (one, two) = (format!("Hinge(limit: {one})"), format!("Hinge(limit: {two})"));
        let (bodies, joints) = four_bar(square, Vec3::ZERO, [&one, "Hinge()", "Hinge()", &two]);
        (only(&bodies, &joints), findings(&scene(&bodies, &joints, "")))
    };
    let (open, found) = limits("(0, 1)", "(0, 1)");
    assert_eq!((open.freedom, open.stopped), (Some(1), 0));
    assert!(found.iter().all(|f| f.rule == Rule::Loop), "{found:#?}");
    let (shut, found) = limits("(0, 1)", "(-1, 0)");
    assert_eq!((shut.freedom, shut.stopped), (Some(1), 1));
    assert_eq!(shut.words(), "1 degree of freedom, but its stops leave none");
    let stops = found.iter().find(|f| f.rule == Rule::Stops).expect("it is reported");
    assert!(stops.what.starts_with("A and D are at stops"), "{}", stops.what);
}

/// A door on two hinges: it moves if both axes are the line through the hinges, and jams at the smallest
/// misalignment.
#[test]
fn hinges_that_lean_from_each_other_jam() {
    let door = r#"(name: "door", shape: Box(half: (0.45, 0.02, 1)), at: (0.45, 0, 0), mass: 20, collide: false)"#;
    let hung = |top: Vec3, bottom: Vec3, aside: f32| {
        joint("top", "world", "door", Vec3::new(0.0, 0.0, 0.7), top, "Hinge()")
            + &joint("bottom", "world", "door", Vec3::new(aside, 0.0, -0.9), bottom, "Hinge()")
    };
    let free = only(door, &hung(Vec3::Z, Vec3::Z, 0.0));
    assert_eq!((free.freedom, free.redundant), (Some(1), 5));
    for degrees in [0.1f32, 0.5, 0.8, 5.7, 12.0] {
        let lean = Vec3::new(0.0, degrees.to_radians().sin(), degrees.to_radians().cos());
        let joints = hung(Vec3::Z, lean, 0.0);
        assert_eq!(only(door, &joints).words(), "nothing can move");
        let found = findings(&scene(door, &joints, ""));
        assert_eq!(found.iter().map(|f| (f.rule, f.severity)).collect::<Vec<_>>(), [(Rule::Jam, Severity::Warning)]);
        let shown = if degrees < 1.0 {
            format!("{degrees:.3}°")
        } else if degrees < 10.0 {
            format!("{degrees:.2}°")
        } else {
            format!("{degrees:.1}°")
        };
        assert!(found[0].what.contains(&format!("the axes of top and bottom differ by {shown}")), "{}", found[0].what);
        let Some(Fix::Axis { joint: 1, axis }) = found[0].fix else { panic!("{found:#?}") };
        assert!(axis.distance(Vec3::Z) < 1e-5);
    }
    // Parallel, but 20 mm apart: both must be on the line through the hinges.
    let found = findings(&scene(door, &hung(Vec3::Z, Vec3::Z, 0.02), ""));
    assert!(found[0].rule == Rule::Jam && found[0].what.contains("20.0 mm apart"), "{found:#?}");
    // An angle of 40° is intended: the only finding is that nothing can move.
    let joints = hung(Vec3::Z, Vec3::new(0.64, 0.0, 0.77), 0.0);
    assert_eq!(only(door, &joints).words(), "nothing can move");
    assert!(findings(&scene(door, &joints, "")).iter().all(|f| f.rule == Rule::Loop && f.severity == Severity::Note));
}

/// A linkage with one axis tilted by two degrees; its motor is named as well.
#[test]
fn a_linkage_jams_by_one_axis() {
    let tilt = Vec3::new(2f32.to_radians().tan(), 0.0, 0.0);
    let motor = "Hinge(motor: (speed: 1, max_torque: 30))";
    let (bodies, joints) = four_bar(linkage(), tilt, [motor, "Hinge()", "Hinge()", "Hinge()"]);
    assert_eq!(only(&bodies, &joints).freedom, Some(0));
    let found = findings(&scene(&bodies, &joints, ""));
    assert_eq!(found.iter().map(|f| f.rule).collect::<Vec<_>>(), [Rule::Jam], "{found:#?}");
    assert!(found[0].what.contains("differ by 2.00°") && found[0].what.contains("The motor of A pushes"), "{found:#?}");
    assert!(matches!(found[0].fix, Some(Fix::Axis { joint: 2, .. })));
}
