//! Each kind of mistake gives one line that says where it is, what is wrong and what was expected.

use delassus_scene as scene;

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

/// Bodies: the text is the third line, from column 3.
const BODIES: &[(&str, &str)] = &[
    (r#"(name: "a", shape: Sphere(radius: 1), atx: (0, 0, 1))"#, "3:41: unknown field `atx`, did you mean `at`?"),
    (r#"(name: "a", shape: Sphere(radius: 1), at: (0, 0))"#, "3:45: `at`: expected (x, y, z), found `(0, 0)`"),
    (
        r#"(name: "a", shape: Sphere(radius: 1), at: (0, 0, 1, 4))"#,
        "3:45: `at`: expected (x, y, z), found `(0, 0, 1, 4)`",
    ),
    (r#"(name: "a", shape: Sphere(radius: 1), at: "x")"#, r#"3:45: `at`: expected (x, y, z), found `"x"`"#),
    (r#"(name: "a", shape: Sphere(radius: 1), at: (0, x, 0))"#, "3:45: `at`: expected (x, y, z), found `(0, x, 0)`"),
    (r#"(name: "a", shape: Sphere(radius: 1), at: (0, NaN, 0))"#, "3:45: at must be finite, not (0, NaN, 0)"),
    (r#"(name: "a", shape: Sphere(radius: 1e400))"#, "3:37: radius must be finite, not inf"),
    (r#"(name: "a", shape: Sphere(radius: 0))"#, "3:37: radius must be above 0, at most 100000, not 0"),
    (r#"(name: "a", shape: Sphere(radius: "x"))"#, r#"3:37: `radius`: expected a number, found `"x"`"#),
    (r#"(name: "a", shape: Sphere(r: 1))"#, "3:29: unknown field `r`, did you mean `radius`?"),
    (r#"(name: "a", shape: Sphere())"#, "3:22: missing field `radius`"),
    (r#"(name: "a", shape: Sphere)"#, "3:22: `shape`: expected fields in brackets, `(…: …)`, found `Sphere`"),
    (r#"(name: "a", shape: Shpere(radius: 1))"#, "3:22: unknown name `Shpere`, did you mean `Sphere`?"),
    (r#"(name: "a", shape: Box(half: (1, 1, -1)))"#, "3:32: half must be above 0, at most 100000, not -1"),
    // When stepped, such a box made GJK lose its simplex and panic.
    (
        r#"(name: "a", shape: Box(half: (157625651.2, 0.15, 0.1)))"#,
        "3:32: half must be above 0, at most 100000, not 157625650",
    ),
    (
        r#"(name: "a", shape: Box(half: (0.000001, 264.8, 0.00006)))"#,
        "3:22: the shape is thinner than a millionth of its size",
    ),
    (
        r#"(name: "a", shape: Capsule(radius: 1, half_length: 2e5))"#,
        "3:54: half_length must be above 0, at most 100000, not 200000",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), soft: (hertz: -1, damping_ratio: 1))"#,
        "3:55: hertz must be 0 to 100000, not -1",
    ),
    (
        r#"(name: "a", shape: Hull(points: [(0,0,0),(1,0,0),(0,1,0),(1,1,0)]))"#,
        "3:22: the hull is degenerate: its points must not lie in one plane, nor nearer to one than a hundred-thousandth of \
         its size",
    ),
    (
        r#"(name: "a", shape: Hull(points: [(0,0,0),(1,0)]))"#,
        "3:35: `points`: expected a list of points, `[(x, y, z), …]`, found `[(0,0,0),(1,0)]`",
    ),
    (r#"(name: "a", shape: Hull(points: [(0,0,0),(1,inf,0)]))"#, "3:44: a point must be finite, not (1, inf, 0)"),
    (r#"(name: "a", shape: Compound(parts: []))"#, "3:38: a compound needs at least one part"),
    (
        r#"(name: "a", shape: Compound(parts: [(shape: Sphere(radius: 1)), (shape: Sphere(radius: 0), at: (1, 0, 0))]))"#,
        "3:90: radius must be above 0, at most 100000, not 0",
    ),
    (
        r#"(name: "a", shape: Compound(parts: [(shape: Compound(parts: [(shape: Sphere(radius: 1))]))]))"#,
        "3:47: a part of a compound is no compound itself: list all parts in one",
    ),
    (
        r#"(name: "a", shape: Compound(parts: [(shape: Sphere(radius: 1), at: (0, inf, 0))]))"#,
        "3:70: at must be finite, not inf",
    ),
    (
        r#"(name: "a", shape: Compound(parts: [(shape: Sphere(radius: 1), rotation: (0, 0, 0, 0))]))"#,
        "3:76: rotation must be a unit quaternion (x, y, z, w), not zero; no rotation is (0, 0, 0, 1)",
    ),
    (r#"(name: "a")"#, "3:3: missing field `shape`"),
    ("(shape: Sphere(radius: 1))", "3:3: missing field `name`"),
    (r#"(name: "world", shape: Sphere(radius: 1))"#, "3:10: `world` is the world itself, a body needs another name"),
    (
        r#"(name: "a", shape: Sphere(radius: 1), rotation: (0, 0, 0, 2))"#,
        "3:51: rotation must be a unit quaternion (x, y, z, w), this one has length 2.000",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), rotation: (0, 0, 0, 0))"#,
        "3:51: rotation must be a unit quaternion (x, y, z, w), not zero; no rotation is (0, 0, 0, 1)",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), rotation: (0, 0, 1))"#,
        "3:51: expected a rotation: (x, y, z, w), AxisAngle(axis: (0, 0, 1), angle: Degrees(45)) or Euler(x: \
         Degrees(90)), not `(0, 0, 1)`",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), rotation: AxisAngle(axis: (0, 0, 0), angle: 1))"#,
        "3:51: the rotation's axis must be finite and not zero",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), motion: Static, particle: true)"#,
        "3:67: only a dynamic body has `particle`",
    ),
    // A field under its old name is located correctly.
    (r#"(name: "a", shape: Sphere(radius: 1), particle: true, spin: (1, 0, 0))"#, "3:63: a particle does not rotate"),
    (
        r#"(name: "a", shape: Sphere(radius: 1), plane: (0, 0, 0))"#,
        "3:48: plane must be finite and not zero, not (0, 0, 0)",
    ),
    (r#"(name: "a", shape: Sphere(radius: 1), plane: 1)"#, "3:48: `plane`: expected (x, y, z), found `1`"),
    (
        r#"(name: "a", shape: Sphere(radius: 1), plane: (0, 1, 0), velocity: (1, 1, 0))"#,
        "3:69: the velocity must lie in the body's plane",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), plane: (0, 1, 0), angular_velocity: (1, 1, 0))"#,
        "3:77: a body in a plane turns about the plane's normal only",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), mover: Sinusoid(rate: 1))"#,
        "3:48: a mover is for a body with `motion: Kinematic`",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), motion: Kinematic, velocity: (1, 0, 0), mover: Sinusoid(rate: 1))"#,
        "3:88: give `velocity` or a mover, not both",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), motion: Kinematic, mover: Sinusoid(rate: inf))"#,
        "3:82: rate must be finite, not inf",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), motion: Kinematic, mover: Sinusoid(phase: 1))"#,
        "3:67: missing field `rate`",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), motion: Kinematic, mover: Waypoints(points: [], speed: 1))"#,
        "3:85: the number of points must be 1 to 1000, not 0",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), motion: Kinematic, mover: Waypoints(points: [(0, 0, 1)], speed: 0))"#,
        "3:105: speed must be above 0, at most 100000, not 0",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), forces: [(force: (1, 0, 0)), (force: (0, inf, 0))])"#,
        "3:78: force must be finite, not (0, inf, 0)",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), forces: [(by_time: Table(points: [(0, 1), (1, 2), (1, 0)]))])"#,
        "3:91: the times must increase, and 1 s comes after 1 s",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), forces: [(by_time: Table(points: []))])"#,
        "3:74: the number of points must be 1 to 1000, not 0",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), forces: [(by_time: Formula(factor: "2*(t+", start: 0))])"#,
        "3:76: formula: a value is missing at the end, at character 6",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), forces: [(by_time: Formula(factor: "sin(2*x)"))])"#,
        "3:76: formula: `x` is not known; the time is t, in seconds, at character 7",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), forces: [(by_time: Formula(factor: "sqrt(2.05 - t)"))])"#,
        "3:76: formula: `sqrt(2.05 - t)` has no value at t = 2.1 s",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), forces: [(by_time: Formula(factor: "1/(t - 3)", start: 3))])"#,
        "3:76: formula: `1/(t - 3)` is infinite at t = 3 s",
    ),
    (r#"(name: "a", shape: Sphere(radius: 1), drag: (linear: -1))"#, "3:56: linear must be 0 to 1000000000000, not -1"),
    (
        r#"(name: "a", shape: Sphere(radius: 1), inertia: (xx: 1, yy: 1, zz: 3))"#,
        "3:50: no body can have this inertia: its largest principal moment, 3 kg·m², exceeds the sum of the other two, 1 + 1 \
         kg·m²",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), inertia: (xx: 1, yy: 1, zz: 1, xy: 2))"#,
        "3:50: the inertia must be positive definite, but its principal moments are -1, 1 and 3 kg·m²",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), inertia: (xx: -1, yy: 1, zz: 1))"#,
        "3:55: xx must be above 0, at most 100000000000000000000, not -1",
    ),
    (r#"(name: "a", shape: Sphere(radius: 1), inertia: (xx: 1, yy: 1))"#, "3:50: missing field `zz`"),
    (
        r#"(name: "a", shape: Sphere(radius: 1), particle: true, inertia: (xx: 1, yy: 1, zz: 1))"#,
        "3:66: a particle has no inertia",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), com: (0, 0, 1))"#,
        "3:41: unknown field `com`, did you mean `mass_centre`?",
    ),
    (
        r#"(name: "a", shape: Sphere(radius: 1), mass_centre: (0, 0, 1e9))"#,
        "3:54: mass_centre must be within ±100000, not (0, 0, 1000000000)",
    ),
    (r#"(name: "a", shape: Sphere(radius: 1), groups: [40])"#, "3:49: a collision group is 0 to 31, not 40"),
    (r#"(name: "a", shape: Sphere(radius: 1), mass: 0)"#, "3:47: mass must be above 0, not 0"),
    (r#"(name: "a", shape: Sphere(radius: 1), mass: 1, density: 1)"#, "3:59: give mass or density, not both"),
    (r#"(name: "a", shape: Sphere(radius: 1), motion: Statik)"#, "3:49: unknown name `Statik`, did you mean `Static`?"),
    (
        r#"(name: "a", shape: Sphere(radius: 1), motion: Static, velocity: (1, 0, 0))"#,
        "3:67: a static body has no `velocity`; one with `motion: Kinematic` moves by its own",
    ),
    (r#"(name: "a", shape: Sphere(radius: 1), restitution: 2)"#, "3:54: restitution must be 0 to 1, not 2"),
];

/// Patterns: the text is the second line, from column 3.
const PATTERNS: &[(&str, &str)] = &[
    (
        r#"Stack(name: "s", body: (shape: Sphere(radius: 1)), count: 0, spacing: (0, 0, 1))"#,
        "2:61: count must be 1 to 1200000, not 0",
    ),
    (
        r#"Stack(name: "s", body: (shape: Sphere(radius: -1)), count: 3, spacing: (0, 0, 1))"#,
        "2:49: radius must be above 0, at most 100000, not -1",
    ),
    (
        r#"Grid(name: "s", of: Body(shape: Sphere(radius: 1)), count: (1000, 10000, 1), spacing: (1, 0, 1))"#,
        "2:62: count must make 1 to 1200000 copies, not 10000000",
    ),
    (
        r#"Grid(name: "s", of: Stack(body: (shape: Sphere(radius: 1)), count: 3000, spacing: (0, 0, 1)), count: (1000, 1, 1), spacing: (1, 0, 1))"#,
        "2:23: the scene has too many bodies, at most 1200000",
    ),
    (
        r#"Chain(name: "s", body: (shape: Sphere(radius: 1)), count: 3, spacing: (0, 0, 1), joint: (kind: Hinge))"#,
        "2:98: Hinge needs an `axis`, such as (0, 0, 1)",
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
