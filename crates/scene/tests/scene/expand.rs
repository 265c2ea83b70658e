//! Patterns, parts and joints expanded: names, poses, anchors, and a hundred thousand bodies.

use std::f32::consts::FRAC_PI_2;
use std::path::Path;
use std::sync::Arc;

use delassus_physics::mover::Mover;
use delassus_scene::{self as scene, Flat, Origin};
use glam::{Quat, Vec3};

fn flat(fields: &str) -> Flat {
    let text = format!("(version: 1, title: \"t\", {fields})");
    match scene::read_str(&text, "s.ron") {
        Ok(loaded) => loaded.flat,
        Err(mistakes) => panic!("{}", mistakes.iter().map(|m| format!("{m}\n")).collect::<String>()),
    }
}

fn names(flat: &Flat) -> Vec<&str> {
    flat.bodies.iter().map(|b| &*b.name).collect()
}

fn near(a: Vec3, b: Vec3) -> bool {
    a.distance(b) < 1e-5
}

/// The positions of a joint's two anchors in the scene's pose.
fn anchors(flat: &Flat, joint: usize) -> (Vec3, Vec3) {
    let def = &flat.joints[joint].def;
    let point = |body: u32, local: Vec3| match body.checked_sub(1) {
        Some(i) => flat.bodies[i as usize].def.position + flat.bodies[i as usize].def.rotation * local,
        None => local,
    };
    (point(def.a, def.anchor_a), point(def.b, def.anchor_b))
}

/// The members of a chain are one spacing apart, joined as `along` says, with the ends fixed as requested.
#[test]
fn chain() {
    let f = flat(
        r#"patterns: [Chain(name: "c", body: (shape: Sphere(radius: 0.1), at: (0, 0, 5), mass: 1), count: 3,
        spacing: (1, 0, 0), joint: (kind: BallSocket, along: 0.25), first: Static)]"#,
    );
    assert_eq!(names(&f), ["c.0", "c.1", "c.2"]);
    assert_eq!(f.joints.iter().map(|j| &*j.name).collect::<Vec<_>>(), ["c.0-1", "c.1-2"]);
    assert_eq!(f.bodies[0].def.motion, scene::Motion::Static);
    assert_eq!(f.bodies[2].def.position, Vec3::new(2.0, 0.0, 5.0));
    let (a, b) = anchors(&f, 1);
    assert!(near(a, Vec3::new(1.25, 0.0, 5.0)) && near(a, b), "{a} {b}");
    assert!(Arc::ptr_eq(&f.bodies[0].def.solid, &f.bodies[2].def.solid));
    assert_eq!(f.bodies[1].origin, Origin::Pattern(0));
}

/// The layers of a pyramid are centred on each other; the odd members of a stack are shifted; a grid counts x
/// fastest.
#[test]
fn pyramid_stack_and_grid() {
    let f = flat(
        r#"patterns: [
        Pyramid(name: "p", body: (shape: Sphere(radius: 1)), base: 3, across: (2, 0, 0), up: (0, 0, 1)),
        Stack(name: "s", body: (shape: Sphere(radius: 1)), count: 3, spacing: (0, 0, 2), stagger: (0.5, 0, 0)),
        Grid(name: "g", count: (2, 2, 1), spacing: (1, 10, 0), of: Body(name: "x", shape: Sphere(radius: 1))),
        ]"#,
    );
    let at = |name: &str| f.bodies.iter().find(|b| *b.name == *name).unwrap().def.position;
    assert_eq!(f.bodies.len(), 6 + 3 + 4);
    assert_eq!(at("p.5"), Vec3::new(2.0, 0.0, 2.0));
    assert_eq!(at("s.1"), Vec3::new(0.5, 0.0, 2.0));
    assert_eq!(at("g.2.x"), Vec3::new(0.0, 10.0, 0.0));
}

/// Joints can connect pattern members and the world; their ends are points of the scene's pose or of each body.
#[test]
fn joint_ends() {
    let f = flat(
        r#"bodies: [
          (name: "box", shape: Box(half: (1, 1, 1)), at: (1, 2, 3), rotation: Euler(z: Degrees(90)), mass: 1),
          (name: "wedge", shape: Hull(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]), at: (5, 0, 0), mass: 1),
        ],
        joints: [
          (b: "box", anchor: (1, 2, 4), axis: (2, 0, 0), kind: Hinge),
          (a: "box", b: "wedge", anchor_a: (1, 0, 0), anchor_b: (0, 0, 1), kind: Rope(length: 9)),
          (a: "box", b: "wedge", anchor_a: (1, 0, 0), kind: BallSocket),
          (a: "box", b: "wedge", kind: Distance),
        ]"#,
    );
    let (a, b) = anchors(&f, 0);
    assert!(near(a, Vec3::new(1.0, 2.0, 4.0)) && near(a, b));
    assert!(near(f.joints[0].def.axis_a, Vec3::X) && near(f.joints[0].def.axis_b, Vec3::NEG_Y));
    let (a, b) = anchors(&f, 1);
    assert!(near(a, Vec3::new(1.0, 3.0, 3.0)) && near(b, Vec3::new(5.0, 0.0, 1.0)), "{a} {b}");
    let (a, b) = anchors(&f, 2);
    assert!(near(a, Vec3::new(1.0, 3.0, 3.0)) && near(a, b));
    let (a, b) = anchors(&f, 3);
    assert!(near(a, Vec3::new(1.0, 2.0, 3.0)) && near(b, Vec3::new(5.0, 0.0, 0.0)));
    let names: Vec<_> = f.joints.iter().map(|j| &*j.name).collect();
    assert_eq!(names, ["world-box", "box-wedge", "box-wedge#2", "box-wedge#3"]);
}

/// A part brings its bodies, joints and materials, rotated and moved; its settings are ignored.
#[test]
fn parts_are_placed() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "arm.ron",
        r#"(version: 1, title: "arm", settings: (solver: (iterations: 1)), materials: [(name: "skin", friction: 0.9)],
        bodies: [(name: "upper", shape: Sphere(radius: 0.1), at: (1, 0, 0), velocity: (1, 0, 0), material: "skin")],
        joints: [(name: "root", b: "upper", anchor: (0, 0, 0), axis: (1, 0, 0), kind: Hinge)])"#,
    );
    write(
        "body.ron",
        r#"(version: 1, title: "body", parts: [
        (name: "left", file: "arm.ron", at: (0, 0, 5), rotation: AxisAngle(axis: (0, 0, 1), angle: Degrees(90))),
        (name: "right", file: "arm.ron")], joints: [(a: "left.upper", b: "right.upper", kind: Distance)])"#,
    );
    write("scene.ron", r#"(version: 1, title: "s", parts: [(name: "doll", file: "body.ron", at: (10, 0, 0))])"#);
    let loaded = scene::read(&folder.path().join("scene.ron")).ok().unwrap();
    let f = &loaded.flat;
    assert_eq!(names(f), ["doll.left.upper", "doll.right.upper"]);
    assert!(near(f.bodies[0].def.position, Vec3::new(10.0, 1.0, 5.0)), "{}", f.bodies[0].def.position);
    assert!(near(f.bodies[0].def.velocity, Vec3::Y));
    assert_eq!(f.bodies[0].def.material.friction, 0.9);
    assert_eq!(f.bodies[0].origin, Origin::Part(0));
    assert_eq!(&*f.joints[0].name, "doll.left.root");
    let (a, b) = anchors(f, 0);
    assert!(near(a, Vec3::new(10.0, 0.0, 5.0)) && near(a, b));
    assert!(near(f.joints[0].def.axis_a, Vec3::Y));
    assert_eq!(&*f.joints[2].name, "doll.left.upper-right.upper");
    assert!(loaded.scene.settings.is_empty());
    assert_eq!(f.find_body("doll.right.upper"), Some(2));
}

/// Parts that include each other in a cycle, or have mistakes themselves, are reported as mistakes with their own
/// location.
#[test]
fn parts_go_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let read = |name: &str| match scene::read(&folder.path().join(name)) {
        Ok(_) => Vec::new(),
        Err(mistakes) => {
            let prefix = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
            mistakes.iter().map(|m| m.to_string().replace(&prefix, "")).collect::<Vec<_>>()
        }
    };
    write("a.ron", r#"(version: 1, title: "a", parts: [(name: "b", file: "b.ron")])"#);
    write("b.ron", "(version: 1, title: \"b\",\n parts: [(name: \"a\", file: \"a.ron\")])");
    assert_eq!(read("a.ron"), ["b.ron:2:28: parts include each other in a circle: a.ron -> b.ron -> a.ron"]);
    for i in 0..20 {
        let text = format!("(version: 1, title: \"t\", parts: [(name: \"p\", file: \"d{}.ron\")])", i + 1);
        write(&format!("d{i}.ron"), &text);
    }
    assert_eq!(read("d0.ron"), ["d8.ron:1:52: parts are nested too deeply, at most 8"]);
    write("bad.ron", r#"(version: 1, title: "bad", bodies: [(name: "x", shape: Sphere(radius: 0))])"#);
    write(
        "user.ron",
        r#"(version: 1, title: "u", patterns: [Grid(name: "g", count: (3, 1, 1), spacing: (1, 0, 0),
        of: Part(file: "bad.ron"))], joints: [(b: "g.0.x", kind: Fixed)])"#,
    );
    assert_eq!(read("user.ron"), ["bad.ron:1:71: radius must be above 0, at most 100000, not 0"]);
    write("twice.ron", r#"(version: 1, title: "u", parts: [(file: "good.ron"), (file: "good.ron")])"#);
    write("good.ron", r#"(version: 1, title: "good", bodies: [(name: "x", shape: Sphere(radius: 1))])"#);
    assert_eq!(read("twice.ron"), ["twice.ron:1:54: the part adds a second body called `x`: give it another name"]);
}

/// Expanding grids of parts without bodies terminates, too.
#[test]
fn empty_parts_come_to_an_end() {
    let folder = tempfile::tempdir().unwrap();
    for i in 0..6 {
        let text = format!(
            "(version: 1, title: \"t\", patterns: [Grid(name: \"g\", count: (1000, 1, 1), spacing: (1, 0, 0),
            of: Part(file: \"e{}.ron\"))])",
            i + 1
        );
        std::fs::write(folder.path().join(format!("e{i}.ron")), text).unwrap();
    }
    std::fs::write(folder.path().join("e6.ron"), "(version: 1, title: \"t\")").unwrap();
    let mistakes = scene::read(&folder.path().join("e0.ron")).err().unwrap();
    assert!(mistakes[0].what.contains("too many parts"), "{}", mistakes[0]);
}

/// A quaternion of nearly unit length is normalised; one of unit length stays the same, bit for bit.
#[test]
fn rotations() {
    let body = |rotation: &str| {
        flat(&format!("bodies: [(name: \"a\", shape: Sphere(radius: 1), rotation: {rotation})]")).bodies[0].def.rotation
    };
    let close = |a: Quat, b: Quat| a.dot(b).abs() > 1.0 - 1e-6;
    assert!((body("(0, 0, 0, 1.005)").length() - 1.0).abs() < 1e-6);
    assert!(close(body("AxisAngle(axis: (0, 0, 2), angle: Degrees(90))"), Quat::from_rotation_z(FRAC_PI_2)));
    assert!(close(body("AxisAngle(axis: (0, 0, 2), angle: 1.5)"), Quat::from_rotation_z(1.5)));
    let euler = body("Euler(x: Degrees(90), z: Degrees(90))");
    assert!(near(euler * Vec3::Y, Vec3::Z) && near(euler * Vec3::X, Vec3::Y));
}

/// 2,500 chains of 40 beads: a few lines of text, and one solid shared by all.
#[test]
fn a_hundred_thousand_bodies() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/jacobi/03-chains-2500.ron");
    let loaded = scene::read(&path).ok().unwrap();
    let f = &loaded.flat;
    assert_eq!((f.bodies.len(), f.joints.len()), (100_000, 97_500));
    assert!(f.bodies.iter().all(|b| Arc::ptr_eq(&b.def.solid, &f.bodies[0].def.solid)));
    assert_eq!(&*f.bodies[99_999].name, "chain.2499.39");
    let world = f.world(loaded.scene.settings.settings());
    assert_eq!(world.state.bodies.len(), 100_001);
}

/// Every value of every setting is unchanged by writing and reading it.
#[test]
fn every_setting_comes_back() {
    use delassus_physics::setting::{Domain, Value};
    use delassus_physics::settings::{LIST, Settings, SettingsPatch};
    for setting in LIST {
        let base = Settings::default();
        let mut changed = base;
        let value = match (setting.domain, (setting.get)(&base)) {
            (Domain::Switch, Value::Bool(v)) => Value::Bool(!v),
            (Domain::Integer { max, .. }, _) => Value::Int(max),
            (Domain::Real { min, max }, _) => Value::Real(min + 0.3 * (max - min)),
            (Domain::Choice(choices), Value::Choice(v)) => {
                Value::Choice(choices.names.iter().copied().find(|c| *c != v).unwrap())
            }
            (Domain::Vector { .. }, _) => Value::Vector(Vec3::new(0.1, -2.0, 3.3)),
            other => panic!("{other:?}"),
        };
        changed.set(setting.name, value).unwrap();
        let patch = SettingsPatch::between(&base, &changed);
        let scene = scene::Scene { title: "t".into(), settings: patch, ..Default::default() };
        let text = scene::write(&scene);
        let again = scene::read_str(&text, "s.ron").map(|l| l.scene).ok().unwrap();
        assert_eq!(again.settings.settings(), changed, "{}: {text}", setting.name);
    }
}

/// Planes and movers are transformed into the frame of their part, and are unchanged by saving.
#[test]
fn planes_and_movers_follow_their_part() {
    let folder = tempfile::tempdir().unwrap();
    let inner = r#"(version: 1, title: "inner", bodies: [
        (name: "lift", shape: Box(half: (1, 1, 0.1)), at: (1, 0, 0), motion: Kinematic, mover: Waypoints(points: [(1, 0, 2)], speed: 0.5, repeat: true)),
        (name: "rocker", shape: Box(half: (1, 1, 0.1)), motion: Kinematic,
            mover: Sinusoid(velocity: (1, 0, 0), angular_velocity: (0, 1, 0), rate: 3, phase: Degrees(90))),
        (name: "disc", shape: Sphere(radius: 1), at: (0, 0, 5), plane: (2, 0, 0), particle: true),
    ])"#;
    std::fs::write(folder.path().join("inner.ron"), inner).unwrap();
    let outer = r#"(version: 1, title: "outer", parts: [(name: "p", file: "inner.ron", at: (0, 0, 10), rotation: AxisAngle(axis: (0, 0, 1), angle: Degrees(90)))])"#;
    let path = folder.path().join("outer.ron");
    std::fs::write(&path, outer).unwrap();
    let flat = scene::read(&path).unwrap_or_else(|m| panic!("{}", m[0])).flat;
    let near = |a: Vec3, b: Vec3| assert!(a.distance(b) < 1e-5, "{a} is not {b}");
    // A quarter turn about z takes x to y.
    match flat.bodies[0].def.mover.as_ref() {
        Some(Mover::Waypoints { points, speed, repeat }) => {
            near(points[0], Vec3::new(0.0, 1.0, 12.0));
            assert_eq!((*speed, *repeat), (0.5, true));
        }
        other => panic!("{other:?}"),
    }
    match flat.bodies[1].def.mover.as_ref() {
        Some(Mover::Sinusoid { velocity, angular_velocity, rate, phase }) => {
            near(*velocity, Vec3::Y);
            near(*angular_velocity, Vec3::NEG_X);
            assert_eq!((*rate, phase.to_degrees()), (3.0, 90.0));
        }
        other => panic!("{other:?}"),
    }
    near(flat.bodies[2].def.plane.unwrap(), Vec3::Y);
    assert!(flat.bodies[2].def.particle);
    let read = scene::read_str(inner, "inner").unwrap().scene;
    let again = scene::read_str(&scene::write(&read), "again").unwrap().scene;
    assert_eq!(read, again);
}

/// The arms of the crosses of a chain lay in one line.
#[test]
fn a_chain_of_crosses_has_arms_at_right_angles() {
    let f = flat(
        r#"patterns: [Chain(name: "c", body: (shape: Sphere(radius: 0.1), mass: 1), count: 3,
        spacing: (0.2, 0, 0), joint: (kind: Universal, axis: (0, 1, 0)))]"#,
    );
    for joint in &f.joints {
        assert!(near(joint.def.axis_a, Vec3::Y) && near(joint.def.axis_b.abs(), Vec3::Z), "{:?}", joint.def.axis_b);
    }
}
