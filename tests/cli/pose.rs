//! `delassus pose`: a scene posed by the value of a joint.

use super::{Folder, err};

/// A slider–crank of r = 0.5 m and l = 2 m in line, and a ball beside it.
const CRANK: &str = r#"(
    version: 1,
    title: "Crank",
    settings: (preset: SingleStep),
    bodies: [
        (name: "crank", shape: Box(half: (0.25, 0.125, 0.125)), at: (0.25, 0, 0), mass: 2, collide: false),
        (name: "rod", shape: Box(half: (1, 0.125, 0.125)), at: (1.5, 0, 0), mass: 1, collide: false),
        (name: "slider", shape: Box(half: (0.25, 0.125, 0.125)), at: (2.5, 0, 0), mass: 4, collide: false),
        (name: "bob", shape: Sphere(radius: 0.1), at: (0, 5, 0), mass: 1, collide: false),
    ],
    joints: [
        (name: "crank", b: "crank", anchor: (0, 0, 0), axis: (0, -1, 0), kind: Hinge(limit: (Degrees(-10), Degrees(170)))),
        (name: "guide", b: "slider", axis: (1, 0, 0), kind: Prismatic),
        (name: "pin", a: "crank", b: "rod", anchor: (0.5, 0, 0), axis: (0, 1, 0), kind: Hinge),
        (name: "wrist", a: "slider", b: "rod", anchor: (2.5, 0, 0), axis: (0, 1, 0), kind: Hinge),
        (name: "ball", b: "bob", anchor: (0, 5, 1), kind: BallSocket),
    ],
)"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("crank.ron", CRANK);
    folder
}

/// x = r cos θ + √(l² − r² sin² θ) − (r + l), read again from the scene that was written.
#[test]
fn a_posed_scene_is_written_and_reads_the_same() {
    let folder = folder();
    let text = folder.out(&["pose", "crank.ron", "--joint", "crank", "--to", "60", "--out", "posed.ron"]);
    assert_eq!(text, "crank angle: 60.0000°\n");
    let again = folder.out(&["pose", "posed.ron", "--joint", "crank"]);
    assert_eq!(again, "Angle: 60.0000°, from -10.0000° to 170.0000° (angle of B about A's axis)\n");
    let (s, c) = 60f64.to_radians().sin_cos();
    let x = 0.5 * c + (4.0 - 0.25 * s * s).sqrt() - 2.5;
    let guide = folder.out(&["pose", "posed.ron", "--joint", "guide"]);
    assert!(guide.starts_with(&format!("Slide: {x:.6} m")), "{guide} {x}");
    assert!(folder.out(&["check", "posed.ron"]).contains("posed.ron"));
}

#[test]
fn the_values_of_a_ball_are_three() {
    let text = folder().out(&["pose", "crank.ron", "--joint", "ball"]);
    let names: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once(':')?.0)).collect();
    assert_eq!(names, ["Swing 1", "Swing 2", "Twist"]);
    let text = folder().out(&["pose", "crank.ron", "--joint", "ball", "--coordinate", "twist", "--to", "45"]);
    assert_eq!(text, "ball twist: 45.0000°\n");
}

#[test]
fn what_cannot_be_reached_is_said_and_not_written() {
    let folder = folder();
    let out = folder.path("posed.ron");
    for (joint, to, words) in [
        ("crank", "175", "crank stops at 170.0000°, its own limit"),
        ("guide", "0.5", "guide stops at 0.000000 m, a dead centre: its loop does not close beyond it"),
    ] {
        let told = err(&folder.run(&["pose", "crank.ron", "--joint", joint, "--to", to, "--out", "posed.ron"]));
        assert!(told.contains(words), "{told}");
        assert!(!out.exists(), "nothing is written");
    }
    let told = err(&folder.run(&["pose", "crank.ron", "--joint", "crnk", "--to", "1"]));
    assert!(told.contains("no joint is called `crnk`"), "{told}");
    let told = err(&folder.run(&["pose", "crank.ron", "--joint", "ball", "--coordinate", "bend", "--to", "1"]));
    assert!(told.contains("`ball` has Swing 1, Swing 2, Twist"), "{told}");
    let told = err(&folder.run(&["pose", "crank.ron", "--joint", "crank", "--to", "nan"]));
    assert!(told.contains("expected a value of up to 1e6"), "{told}");
}
