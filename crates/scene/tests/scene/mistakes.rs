//! Each kind of mistake gives one line that says where it is, what is wrong and what was expected.

use delassus_scene as scene;

use crate::mistakes_of_bodies::{BODIES, PATTERNS};
use crate::mistakes_of_joints::JOINTS;

/// Whole files.
const SCENES: &[(&str, &str)] = &[
    (r#"(version: 1, title: "t", bodis: [])"#, "1:26: unknown field `bodis`, did you mean `bodies`?"),
    ("(version: 1)", "1:1: missing field `title`"),
    (r#"(version: 2, title: "t")"#, "1:11: this program reads version 1, not 2"),
    ("(version: 1, title: 5)", "1:21: `title`: expected a text in double quotes, found `5`"),
    (r#"(version: one, title: "t")"#, "1:11: `version`: expected a whole number, zero or more, found `one`"),
    (r#"(version: 1.5, title: "t")"#, "1:11: `version`: expected a whole number, zero or more, found `1.5`"),
    (r#"(version: 1, title: "t", title: "u")"#, "1:26: the field `title` is given twice"),
    (r#"(version: 1, title: "t", bodies: (1))"#, "1:34: expected a list, `[…]`"),
    (r#"(version: 1, title: "t", 5)"#, "1:26: expected a field with its name, `name: value`"),
    ("[]", r#"1:1: expected a scene, `(version: 1, title: "…", …)`"#),
    ("", "1:1: expected a value, found the end of the file"),
    (
        r#"(version: 1, title: "t", settings: (solver: (iteration: 5)))"#,
        "1:46: unknown field `iteration`, did you mean `iterations`?",
    ),
    (
        r#"(version: 1, title: "t", settings: (solver: (iterations: -5)))"#,
        "1:58: `iterations`: expected a whole number, zero or more, found `-5`",
    ),
    (
        r#"(version: 1, title: "t", settings: (solver: (iterations: 5000)))"#,
        "1:58: `solver.iterations` takes 0 to 1000, not `5000`",
    ),
    (
        r#"(version: 1, title: "t", settings: (solver: (iterations: 5.5)))"#,
        "1:58: `iterations`: expected a whole number, zero or more, found `5.5`",
    ),
    (
        r#"(version: 1, title: "t", settings: (solver: (method: Jacoby)))"#,
        "1:54: unknown name `Jacoby`, did you mean `Jacobi`?",
    ),
    (
        r#"(version: 1, title: "t", settings: (step: (gravity: (0, 0))))"#,
        "1:53: `gravity`: expected (x, y, z), found `(0, 0)`",
    ),
    (
        r#"(version: 1, title: "t", settings: (step: (gravity: (0, 0, 1, 2))))"#,
        "1:53: `gravity`: expected (x, y, z), found `(0, 0, 1, 2)`",
    ),
    (
        r#"(version: 1, title: "t", settings: (warm_start: (enabled: 1)))"#,
        "1:59: `enabled`: expected true or false, found `1`",
    ),
    (
        r#"(version: 1, title: "t", settings: (step: 5))"#,
        "1:43: `step`: expected fields in brackets, `(…: …)`, found `5`",
    ),
    (
        r#"(version: 1, title: "t", experiments: [(name: "a", set: (stabilization: (beta: 3)))])"#,
        "1:80: `stabilization.beta` takes 0 to 2, not `3`",
    ),
    (
        r#"(version: 1, title: "t", bodies: [(name: "a", shape: Sphere(radius: 1))], joints: [(b: "a", anchor: (0, 0, 0), kind: BallSocket, stabilization: (method: Soft, hertz: 0))])"#,
        "1:167: `stabilization.hertz` takes 0.1 to 10000, not `0`",
    ),
    (
        r#"(version: 1, title: "t", parts: [(file: "none.ron")])"#,
        "1:41: the part `none.ron` cannot be read: there is no such file",
    ),
    (
        r#"(version: 1, title: "t", parts: [(file: "Cargo.toml")])"#,
        "1:41: a part is a scene file, `.ron`, not `Cargo.toml`",
    ),
];

/// The lines of the mistakes in a text; none if it is correct.
fn mistakes(text: &str) -> Vec<String> {
    match scene::read_str(text, "s.ron") {
        Ok(_) => Vec::new(),
        Err(mistakes) => mistakes.iter().map(ToString::to_string).collect(),
    }
}

fn check(table: &[(&str, &str)], before: &str, after: &str) {
    for (text, mistake) in table {
        assert_eq!(mistakes(&format!("{before}{text}{after}")), [format!("s.ron:{mistake}")], "{text}");
    }
}

#[test]
fn scenes() {
    check(SCENES, "", "");
}

#[test]
fn bodies() {
    check(BODIES, "(version: 1, title: \"t\",\n bodies: [\n  ", ",\n ])");
}

#[test]
fn joints() {
    let before = "(version: 1, title: \"t\", bodies: [(name: \"door\", shape: Sphere(radius: 1))],\n joints: [\n  ";
    check(JOINTS, before, ",\n ])");
}

#[test]
fn patterns() {
    check(PATTERNS, "(version: 1, title: \"t\", patterns: [\n  ", ",\n ])");
}

/// A mistake in one element does not hide the next one, and is not blamed on elements that refer to it.
#[test]
fn several_at_once() {
    let text = r#"(version: 1, title: "t", bodies: [
  (name: "a", shape: Sphere(radius: 1), at: 5),
  (name: "b", shape: Sphere(radius: 1), mass: -1),
  (name: "c", shape: Sphere(radius: 1), mass: x),
  (name: "e", shape: Sphere(radius: 1), material: "icy"),
  (name: "e", shape: Sphere(radius: 1)),
],
 materials: [(name: "ice")],
 joints: [
  (a: "a", b: "b", kind: BallSocket),
  (a: "a", b: "f", kind: BallSocket),
 ])"#;
    let expected = [
        "s.ron:2:45: `at`: expected (x, y, z), found `5`",
        "s.ron:3:47: mass must be above 0, not -1",
        "s.ron:4:47: `mass`: expected a number, found `x`",
        "s.ron:5:51: no material is called `icy`, did you mean `ice`?",
        "s.ron:6:10: a second body is called `e`",
        "s.ron:11:15: no body is called `f`",
    ];
    assert_eq!(mistakes(text), expected);
}

/// Two bodies, joints, materials, experiments or sensors with the same name.
#[test]
fn names_given_twice() {
    let body = r#"(name: "a", shape: Sphere(radius: 1))"#;
    let joint = r#"(name: "j", b: "a", kind: Fixed)"#;
    for (list, element, more, column, what) in [
        ("bodies", body, "", 10, "a second body is called `a`"),
        ("joints", joint, "bodies: [(name: \"a\", shape: Sphere(radius: 1))],", 10, "a second joint is called `j`"),
        ("materials", r#"(name: "m")"#, "", 10, "a second material is called `m`"),
        ("experiments", r#"(name: "x")"#, "", 10, "a second experiment is called `x`"),
        ("sensors", r#"(name: "s", of: "energy")"#, "", 10, "a second sensor is called `s`"),
    ] {
        let text = format!("(version: 1, title: \"t\", {more} {list}: [\n  {element},\n  {element},\n])");
        assert_eq!(mistakes(&text), [format!("s.ron:3:{column}: {what}")]);
    }
}

/// Names and limits of sensors; their quantities are looked up by `delassus check`.
#[test]
fn names_and_limits_of_sensors() {
    for (fields, column, what) in [
        (r#"name: "", of: "energy""#, 10, "a sensor needs a name"),
        (r#"name: "a\nb", of: "energy""#, 10, "a sensor's name is one line without tabs"),
        (r#"name: "a", of: "energy", low: 2, high: 1.5"#, 34, "`low` is 2 and must not exceed `high`, which is 1.5"),
        (r#"name: "a", of: "energy", high: inf"#, 35, "`high` must be a finite number"),
        (r#"name: "a""#, 3, "missing field `of`"),
    ] {
        let text = format!("(version: 1, title: \"t\", sensors: [\n  ({fields}),\n])");
        assert_eq!(mistakes(&text), [format!("s.ron:2:{column}: {what}")]);
    }
    let many: String = (0..=scene::MAX_SENSORS).map(|n| format!("(name: \"{n}\", of: \"energy\"),")).collect();
    let text = format!("(version: 1, title: \"t\", sensors: [{many}])");
    assert_eq!(mistakes(&text), ["s.ron:1:35: a scene has at most 200 sensors, not 201"]);
}

/// Breaking loads, in scenes and in chains.
#[test]
fn breaking_loads() {
    for (breaks, column, what) in [
        ("()", 33, "breaks needs a `force` in N or a `torque` in N·m"),
        ("(force: -1)", 41, "force must be above 0, not -1"),
        ("(force: 5, torque: 0)", 52, "torque must be above 0, not 0"),
        ("(load: 5)", 34, "unknown field `load`, expected `force` or `torque`"),
    ] {
        let text = format!(
            "(version: 1, title: \"t\", bodies: [(name: \"a\", shape: Sphere(radius: 1))], joints: [\n  (b: \"a\", \
             kind: Fixed, breaks: {breaks}),\n])"
        );
        assert_eq!(mistakes(&text), [format!("s.ron:2:{column}: {what}")]);
    }
}

/// The mistakes of a scene without text have paths instead of line numbers.
#[test]
fn places_of_a_scene_without_text() {
    let mut scene = scene::Scene { title: "t".into(), ..Default::default() };
    let shape = delassus_physics::shape::Shape::Sphere { radius: -1.0 };
    scene.bodies.push(scene::Body::new("a", shape, glam::Vec3::ZERO));
    let mistakes = scene::expand(&scene, std::path::Path::new("")).err().unwrap();
    let lines: Vec<_> = mistakes.iter().map(ToString::to_string).collect();
    assert_eq!(lines, ["bodies[0].shape.radius: radius must be above 0, at most 100000, not -1"]);
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let line = |name: &str| scene::read(&folder.path().join(name)).err().unwrap()[0].to_string();
    assert!(line("none.ron").ends_with("none.ron: cannot be read: there is no such file"));
    std::fs::create_dir(folder.path().join("folder.ron")).unwrap();
    assert!(line("folder.ron").ends_with("folder.ron: is not a file"));
    std::fs::write(folder.path().join("latin.ron"), b"(version: 1,\n title: \"caf\xe9\")").unwrap();
    assert!(line("latin.ron").ends_with("latin.ron:2:13: this is not UTF-8 text"));
    std::fs::write(folder.path().join("large.ron"), vec![b' '; scene::read::MAX_BYTES as usize + 1]).unwrap();
    assert!(line("large.ron").ends_with("large.ron: the file is too large, at most 16 MiB"));
}

/// Whatever a file contains, a message about it is one line that begins with the location.
#[test]
fn every_message_is_a_line_with_its_place() {
    let body = |inside: &str| {
        format!("(version: 1, title: \"t\", bodies: [\n (name: \"a\", shape: Sphere(radius: 1), {inside})])")
    };
    let long = "x".repeat(5000);
    for text in [
        body("rotation: (1,\n2,\n3)"),
        body("rotation: AxisAngle(\n  axis: (0, 0, 1),\n  angle: Degrees(\n))"),
        body("rotation: Euler(x: Radians(\n1))"),
        body(&format!("rotation: {long}")),
        body(&format!("{long}: 1")),
        body("material: \"i\\nc\\re\\u{202e}\""),
        body("name: \"a\\nb\""),
        body("at: (\n0,\n0)"),
        body("at: \"\\q\""),
        body("at: '\n"),
        "(version: 1, title: \"t\", parts: [(file: \"no\\nsuch\\tfile.ron\")])".into(),
        "(version: 1, title: \"t\", bodies: [(name: \"a\\nb\"), (name: \"a\\nb\", shape: Box(half: (1, 1, 1)))])"
            .into(),
        "(version: 1, title: \"t\", joints: [(b: \"a\\u{7}b\", kind: Fixed)])".into(),
        "(version: 1, title: \"t\", joints: [(b: \"world\", axis: (0, 0, 1), kind: Hinge(limit: (Degrees(\n\"1\"), \
         2)))])"
            .into(),
        "\u{0}".into(),
        "(\n\u{7}".into(),
    ] {
        let found = mistakes(&text);
        assert!(!found.is_empty(), "{text}");
        for line in found {
            let mut parts = line.splitn(4, ':');
            let place = (parts.next(), parts.next().map(str::parse::<usize>), parts.next().map(str::parse::<usize>));
            assert!(matches!(place, (Some("s.ron"), Some(Ok(1..)), Some(Ok(1..)))), "{line}");
            assert!(!line.chars().any(char::is_control), "{line:?}");
            assert!(line.chars().count() < 400, "{} characters: {line}", line.chars().count());
        }
    }
}
