//! Opening a scene with changes: experiments and `--set`.

use super::*;

const WHEEL: &str = r#"(
    version: 1,
    title: "Wheel",
    settings: (step: (rate: 100, gravity: (0, 0, 0))),
    camera: (eye: (1, -3, 2), target: (0, 0, 0)),
    materials: [(name: "ice", friction: 0.02)],
    bodies: [
        (name: "wheel", shape: Cylinder(radius: 0.5, half_length: 0.1), mass: 1),
        // A name with a dot in it.
        (name: "wheel.rim", shape: Sphere(radius: 0.1), at: (2, 0, 0), collide: false),
    ],
    patterns: [Stack(name: "pile", body: (shape: Sphere(radius: 0.1), at: (0, 5, 0)), count: 3, spacing: (0, 0, 1))],
    joints: [
        (name: "motor", b: "wheel", anchor: (0, 0, 0), axis: (0, 0, 1), kind: RotaryMotor(motor: (speed: 1, max_torque: 1000))),
        (b: "wheel.rim", kind: BallSocket, anchor: (2, 0, 0)),
    ],
    experiments: [
        (name: "Coarse", set: (step: (rate: 50))),
        (name: "No warm start", set: (warm_start: (enabled: false))),
    ],
)"#;

fn wheel() -> Folder {
    let folder = Folder::new();
    folder.write("wheel.ron", WHEEL);
    folder
}

/// A column of the last line of a table for the body or joint `who`.
fn last(table: &str, who: &str, column: &str) -> f64 {
    let at = table.lines().next().unwrap().split(',').position(|h| h == column).unwrap();
    let line = table.lines().rfind(|line| line.split(',').nth(2) == Some(who)).unwrap();
    line.split(',').nth(at).unwrap().parse().unwrap()
}

#[test]
fn any_field_of_the_scene_can_be_set_by_its_path() {
    let folder = wheel();
    let joints = |set: &[&str]| {
        let sets: Vec<_> = set.iter().flat_map(|s| ["--set", s]).collect();
        folder.out(&[&["run", "wheel.ron", "--steps", "20", "--joints", "-"], &sets[..]].concat())
    };
    assert!((last(&joints(&[]), "motor", "speed") - 1.0).abs() < 1e-3);
    // The motor's field, with or without the intermediate fields of the path.
    for path in ["joints.motor.speed", "joints.motor.motor.speed", "joints.motor.kind.motor.speed", "joints[0].speed"] {
        let speed = last(&joints(&[&format!("{path}=3")]), "motor", "speed");
        assert!((speed - 3.0).abs() < 1e-3, "{path} gave {speed}");
    }
    let bodies = |set: &[&str]| {
        let sets: Vec<_> = set.iter().flat_map(|s| ["--set", s]).collect();
        folder.out(&[&["run", "wheel.ron", "--steps", "1", "--bodies", "-"], &sets[..]].concat())
    };
    // A given field, an omitted one, a component, by index, in a name with a dot, in a pattern.
    assert_eq!(
        last(&bodies(&["bodies.wheel.rim.at.z=0", "bodies.wheel.angular_velocity=(0, 0, 2)"]), "wheel", "wz").round(),
        1.0
    );
    assert_eq!(last(&bodies(&["patterns.pile.count=5"]), "pile.4", "z"), 4.0);
    assert_eq!(last(&bodies(&["patterns.pile.body.at.y=7"]), "pile.0", "y"), 7.0);
    let printed = json(&folder.out(&["run", "wheel.ron", "--steps", "0", "--json", "--set", "title=\"Other\""]));
    assert_eq!(printed["title"], "Other");
    // A joint without a name is named after its bodies.
    folder.out(&["run", "wheel.ron", "--steps", "1", "--set", "joints.world-wheel.rim.breaks=(force: 5)"]);
    folder.out(&[
        "run",
        "wheel.ron",
        "--steps",
        "1",
        "--set",
        "materials.ice.friction=0.5",
        "--set",
        "camera.eye=(9, 9, 9)",
    ]);
    // The file stays as it is.
    assert_eq!(folder.read("wheel.ron"), WHEEL);
}

/// Mistakes have the same messages as those in scene files, with suggestions.
#[test]
fn a_field_that_cannot_be_set_is_misuse() {
    let folder = wheel();
    for (set, hint) in [
        ("joints.motor.sped=3", "unknown field `sped`, did you mean `speed`?"),
        ("joints.moter.speed=3", "no joint is called `moter`, did you mean `motor`?"),
        ("joint.motor.speed=3", "did you mean `joints`?"),
        ("joints.motor.speed=fast", "`speed`: expected a number, found `fast`"),
        ("joints.motor.speed=1e999", "speed must be finite"),
        ("joints.motor.speed=(1", "is not closed"),
        ("joints.motor.speed=1, b: \"world\"", "expected the end"),
        ("joints.motor.speed=", "expected a value"),
        ("joints.motor=3", "say which field of the joint"),
        ("joints=[]", "say which joint"),
        ("joints[7].speed=3", "there are 2 joints"),
        ("bodies.wheel.mass=-1", "mass must be above 0, not -1"),
        ("bodies.wheel.mass.x=1", "has no fields"),
        ("bodies.pile.0.mass=1", "can only be set in that pattern or part"),
        ("bodies.wheel.at=(0, 0)", "expected (x, y, z)"),
        ("bodies.wheel.material=\"icy\"", "no material is called `icy`, did you mean `ice`?"),
        ("bodies..mass=1", "no body"),
    ] {
        let said = folder.refused(&["run", "wheel.ron", "--set", set], 2);
        assert!(said.contains(hint), "{set}: {said}");
    }
}

#[test]
fn an_experiment_goes_by_its_name() {
    let folder = wheel();
    let steps = |extra: &[&str]| {
        json(&folder.out(&[&["run", "wheel.ron", "--json", "--seconds", "1"], extra].concat()))["steps"].clone()
    };
    assert_eq!(steps(&[]), 100);
    assert_eq!(steps(&["--experiment", "Coarse"]), 50);
    assert_eq!(steps(&["--experiment", "coarse"]), 50);
    // `--set` is applied after the experiment.
    assert_eq!(steps(&["--experiment", "Coarse", "--set", "step.rate=200"]), 200);
    let said = folder.refused(&["run", "wheel.ron", "--experiment", "Corse"], 2);
    assert!(said.contains("did you mean `Coarse`?"), "{said}");
    let said = folder.refused(&["stability", "wheel.ron", "--experiment", "zzz"], 2);
    assert!(said.contains("`Coarse`, `No warm start`"), "{said}");
    let said = folder.refused(&["run", "scene.ron", "--experiment", "x"], 2);
    assert!(said.contains("the scene has no experiments"), "{said}");
}

/// The window's arguments are checked before it opens.
#[cfg(feature = "gui")]
#[test]
fn what_the_window_cannot_open_is_told_before_it_opens() {
    let folder = wheel();
    for (arguments, code, message) in [
        (&["wheel.ron", "--experiment", "Corse"][..], 2, "did you mean `Coarse`?"),
        (&["wheel.ron", "--set", "joints.moter.speed=3"], 2, "did you mean `motor`?"),
        (&["wheel.ron", "--set", "solver.iteration=3"], 2, "did you mean `solver.iterations`?"),
        (&["wheel.ron", "--eye", "1,2"], 2, "expected X,Y,Z in metres"),
        (&["--experiment", "Coarse"], 2, "SCENE"),
        (&["weel.ron"], 1, "no such file, and no scene of the library"),
        (&["book/9-chain"], 1, "did you mean `book/09-chain`?"),
    ] {
        let said = folder.refused(arguments, code);
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
    let help = folder.out(&["--help"]);
    for word in ["--experiment <NAME>", "--set <NAME=VALUE>", "--eye <X,Y,Z>", "--target <X,Y,Z>", "--parallel"] {
        assert!(help.contains(word), "{word}: {help}");
    }
}
