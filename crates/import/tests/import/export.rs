//! The export, read again by the import: bodies and joints are those of the scene.

use delassus_import::export;
use delassus_import::{Imported, Options, import};
use delassus_physics::Motion;
use delassus_physics::joints::JointKind;
use delassus_scene::{Flat, FlatBody, FlatJoint, Loaded};
use glam::{DMat3, DVec3};

/// The scene, and the model that was made of it as the import reads it.
struct Trip {
    there: Loaded,
    text: String,
    notes: Vec<String>,
    imported: Imported,
    back: Flat,
}

fn trip(name: &str, text: &str) -> Trip {
    let there = delassus_scene::read_str(text, name).unwrap_or_else(|mistakes| panic!("{name}: {mistakes:?}"));
    let exported = export::mjcf(&there.scene, &there.flat, &there.scene.settings.settings());
    let options = Options { key: Some(export::KEY.into()), ..Options::default() };
    let none = |_: &str| Err("there is no such file".into());
    let imported =
        import("model.xml", &exported.text, &options, &none).unwrap_or_else(|m| panic!("{m}\n{}", exported.text));
    let back = delassus_scene::read_str(&imported.text(), "model.ron").unwrap_or_else(|m| panic!("{m:?}")).flat;
    let notes = exported.notes.iter().map(ToString::to_string).collect();
    Trip { there, text: exported.text, notes, imported, back }
}

fn scene(content: &str) -> String {
    format!("(version: 1, title: \"s\", {content})")
}

/// The anchor and the axis of a joint's end in the world.
fn end(flat: &Flat, body: u32, anchor: glam::Vec3, axis: glam::Vec3) -> (DVec3, DVec3) {
    match body.checked_sub(1).map(|i| &flat.bodies[i as usize].def) {
        Some(def) => {
            let turn = def.rotation.as_dquat().normalize();
            (def.position.as_dvec3() + turn * anchor.as_dvec3(), turn * axis.as_dvec3())
        }
        None => (anchor.as_dvec3(), axis.as_dvec3()),
    }
}

fn inertia(body: &FlatBody) -> DMat3 {
    let def = &body.def;
    let own = def.inertia.unwrap_or(def.solid.unit_inertia * def.mass).as_dmat3();
    let axes = DMat3::from_quat(def.rotation.as_dquat().normalize());
    axes * own * axes.transpose()
}

fn close(a: DVec3, b: DVec3) -> bool {
    (a - b).abs().max_element() < 1e-6 * (1.0 + a.abs().max_element())
}

/// Whether a kind needs a single joint of MJCF, or none, so that its body keeps its mass when it is read again.
fn is_single(joint: &FlatJoint) -> bool {
    use JointKind::*;
    matches!(joint.def.kind, Hinge(_) | Prismatic(_) | BallSocket(_) | Fixed(_))
}

fn check(name: &str, trip: &Trip) {
    let Trip { there, back, .. } = trip;
    let find = |name: &str| back.bodies.iter().find(|body| *body.name == *name);
    let moving = there.flat.bodies.iter().filter(|body| body.def.motion == Motion::Dynamic);
    for body in moving {
        let read = find(&body.name).unwrap_or_else(|| panic!("{name}: no body {}\n{}", body.name, trip.text));
        let (a, b) = (&body.def, &read.def);
        assert!((a.mass - b.mass).abs() <= 1e-6 * a.mass, "{name}, {}: {} kg, {} kg", body.name, a.mass, b.mass);
        assert!(close(a.position.as_dvec3(), b.position.as_dvec3()), "{name}, {}: its mass centre", body.name);
        let (i, j) = (inertia(body).to_cols_array(), inertia(read).to_cols_array());
        let most = i.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let off = i.iter().zip(&j).fold(0.0f64, |most, (x, y)| most.max((x - y).abs()));
        assert!(off <= 1e-6 * most, "{name}, {}: inertia {i:?}, {j:?}", body.name);
        assert_eq!(
            (a.collide, a.material.friction),
            (b.collide, if a.collide { b.material.friction } else { a.material.friction })
        );
    }
    for joint in &there.flat.joints {
        let read = back.joints.iter().find(|other| other.name == joint.name);
        let read = read.unwrap_or_else(|| panic!("{name}: no joint {}\n{}", joint.name, trip.text));
        let (a, b) = (&joint.def, &read.def);
        assert_eq!(a.kind.info().name, b.kind.info().name, "{name}, {}", joint.name);
        let (at, _) = end(&there.flat, a.b, a.anchor_b, a.axis_b);
        let (_, axis) = end(&there.flat, a.a, a.anchor_a, a.axis_a);
        let (there_at, _) = end(back, b.b, b.anchor_b, b.axis_b);
        let (_, there_axis) = end(back, b.a, b.anchor_a, b.axis_a);
        assert!(close(at, there_at) || !a.kind.info().coincident, "{name}, {}: {at} {there_at}", joint.name);
        // A joint whose A hangs on B has its bodies exchanged, and with them the sense of its axis.
        let name_of = |flat: &Flat, body: u32| body.checked_sub(1).map(|i| flat.bodies[i as usize].name.to_string());
        let exchanged = name_of(back, b.b) != name_of(&there.flat, a.b);
        let sense = if exchanged { -1.0 } else { 1.0 };
        assert!(close(axis * sense, there_axis) || !a.kind.info().axis, "{name}, {}: {axis} {there_axis}", joint.name);
        assert!((a.kind.zero() - b.kind.zero()).abs() < 1e-6, "{name}, {}: its zero", joint.name);
        let range = |kind: &JointKind| kind.range(0.0).unwrap_or_default();
        let ((least, most), (low, high)) = (range(&a.kind), range(&b.kind));
        assert!((least - low).abs() < 1e-6 && (most - high).abs() < 1e-6, "{name}, {}: its limits", joint.name);
    }
}

macro_rules! library {
    ($($name:literal),* $(,)?) => { [$(($name, include_str!(concat!("../../../../scenes/", $name, ".ron")))),*] };
}
macro_rules! judged {
    ($($name:literal),* $(,)?) => { [$(($name, include_str!(concat!("../judge/scenes/", $name, ".ron")))),*] };
}

#[test]
fn scenes_come_back_as_they_were() {
    let library = library!["rows/04-hinge", "rows/08-prismatic", "rows/05-hinge-limit", "machines/07-compounds"];
    let judged = judged![
        "pendulum",
        "double-pendulum",
        "spherical-chain",
        "free-body",
        "hinge-spring",
        "slider-damper",
        "gyroscope",
        "cart",
        "six-axis-arm",
    ];
    for (name, text) in library.into_iter().chain(judged) {
        let trip = trip(name, text);
        assert!(trip.there.flat.joints.iter().all(is_single), "{name}");
        check(name, &trip);
    }
}

/// Every scene of the library, but for those of thousands of bodies, is a model that the import reads, with the
/// mass of all moving bodies.
#[test]
fn every_scene_of_the_library_becomes_a_model() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut count = 0;
    for folder in std::fs::read_dir(&root).expect("the library").map(|entry| entry.expect("a folder").path()) {
        for path in std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("a scene").path()) {
            let name = path.display().to_string();
            if name.contains("jacobi") || path.extension().is_none_or(|end| end != "ron") {
                continue;
            }
            let Ok(Loaded { scene, flat, .. }) = delassus_scene::read(&path) else { continue };
            let exported = export::mjcf(&scene, &flat, &scene.settings.settings());
            let options = Options { key: Some(export::KEY.into()), ..Options::default() };
            let read = import("model.xml", &exported.text, &options, &|_| Err("there is no such file".into()));
            let read = read.unwrap_or_else(|mistake| panic!("{name}: {mistake}"));
            let moving = flat.bodies.iter().filter(|body| body.def.motion == Motion::Dynamic);
            let mass: f64 = moving.map(|body| f64::from(body.def.mass)).sum();
            let back: f64 = read.scene.bodies.iter().filter_map(|body| body.mass).map(f64::from).sum();
            // A link between two joints of a body takes its mass from it. What is welded to the world becomes part of it.
            let welded = flat.joints.iter().any(|joint| matches!(joint.def.kind, JointKind::Fixed(_)));
            assert!((back / mass - 1.0).abs() < 1e-4 || mass == 0.0 || welded, "{name}: {mass} kg, {back} kg");
            count += 1;
        }
    }
    assert!(count > 90, "{count} scenes: they were not found");
}

/// k, c, the target and the cap of a servo; a speed and a constant torque move the target: k Δ = τ₀ + c ω.
#[test]
fn springs_servos_and_resistance_keep_their_numbers() {
    let arm = r#"bodies: [(name: "bar", shape: Box(half: (0.5, 0.1, 0.1)), at: (0.5, 0, 2), mass: 1, collide: false)],
        joints: [(name: "j", b: "bar", anchor: (0, 0, 2), axis: (0, 1, 0), kind: Hinge(zero: 0.3, friction: 0.4,
        damping: 0.5, armature: 0.6, limit: (-1, 2), spring: (stiffness: 7, damping: 0.25, angle: 0.2), servo: (
        target: 0.5, offset: 0.1, speed: 2, stiffness: 40, damping: 3, torque: 4, max_torque: 50)))]"#;
    let trip = trip("arm", &scene(arm));
    check("arm", &trip);
    let JointKind::Hinge(hinge) = trip.back.joints[0].def.kind else { panic!("a hinge") };
    let spring = hinge.spring.expect("a spring");
    assert_eq!((hinge.friction, hinge.damping, hinge.armature), (0.4, 0.75, 0.6), "the spring's damper is the joint's");
    assert_eq!((spring.softness.stiffness(1.0), spring.angle.radians), (7.0, 0.2));
    let servo = hinge.servo.expect("a servo");
    assert_eq!((servo.softness.stiffness(1.0), servo.softness.damping(1.0), servo.max_torque), (40.0, 3.0, 50.0));
    assert!((servo.target.radians - (0.6 + (4.0 + 3.0 * 2.0) / 40.0)).abs() < 1e-6, "{servo:?}");
    assert!(trip.notes.iter().all(|note| note.starts_with("settings")), "{:?}", trip.notes);
}

/// A frequency is that of the bar about its end: k = J ω², J = m (4 a² + b²)/3 with half sides a and b.
#[test]
fn a_frequency_becomes_a_stiffness() {
    let door = r#"bodies: [(name: "bar", shape: Box(half: (0.5, 0.1, 0.1)), at: (0.5, 0, 2), mass: 3, collide: false)],
        joints: [(name: "j", b: "bar", anchor: (0, 0, 2), axis: (0, 1, 0), kind: Hinge(spring: (hertz: 2,
        damping_ratio: 0.5)))]"#;
    let trip = trip("door", &scene(door));
    let JointKind::Hinge(hinge) = trip.back.joints[0].def.kind else { panic!("a hinge") };
    let (inertia, omega) = (3.0 * (4.0 * 0.25 + 0.01) / 3.0, std::f64::consts::TAU * 2.0);
    let stiffness = f64::from(hinge.spring.expect("a spring").softness.stiffness(1.0));
    assert!((stiffness / (inertia * omega * omega) - 1.0).abs() < 1e-5, "{stiffness}");
    assert!((f64::from(hinge.damping) / (2.0 * 0.5 * inertia * omega) - 1.0).abs() < 1e-5, "{}", hinge.damping);
}

/// What closes a loop: a ball stays a ball, a weld a weld, a hinge is two points of its axis.
#[test]
fn loops_are_closed_by_equalities() {
    let four = include_str!("../judge/scenes/four-bar.ron");
    let trip = trip("four-bar", four);
    assert_eq!(trip.text.matches("<connect").count(), 2, "{}", trip.text);
    let points: Vec<DVec3> = trip
        .back
        .joints
        .iter()
        .filter(|joint| matches!(joint.def.kind, JointKind::BallSocket(_)))
        .map(|joint| end(&trip.back, joint.def.b, joint.def.anchor_b, joint.def.axis_b).0)
        .collect();
    let [a, b] = points[..] else { panic!("{points:?}") };
    let pin = DVec3::new(0.942857, 0.0, 2.198639);
    assert!(close((a + b) * 0.5, pin) && (b - a).cross(DVec3::Y).length() < 1e-6, "{a} {b}");
    // A slider cannot close a loop: the weld does.
    let frame = r#"bodies: [(name: "a", shape: Sphere(radius: 0.1), at: (0, 0, 1), collide: false),
        (name: "b", shape: Sphere(radius: 0.1), at: (1, 0, 1), collide: false)],
        joints: [(name: "weld", a: "a", b: "b", kind: Fixed()), (name: "left", b: "a", axis: (0, 0, 1), kind: Prismatic()),
        (name: "right", b: "b", axis: (0, 0, 1), kind: Prismatic())]"#;
    let trip = self::trip("frame", &scene(frame));
    assert!(trip.text.contains("<weld name=\"weld\" body1=\"b\" body2=\"a\""), "{}", trip.text);
    check("frame", &trip);
}

/// Two gears in mesh turn against each other as their radii are: q_small = 2 q_large with axes of opposite sense. Values
/// do not count from zero: MuJoCo's polynomial is one of what the joints have moved.
#[test]
fn a_gear_comes_back_with_its_ratio() {
    let text = include_str!("../judge/scenes/geared-pair.ron")
        .replace("axis: (0, -1, 0), kind: Hinge()", "axis: (0, -1, 0), kind: Hinge(zero: 0.7)");
    let trip = trip("geared-pair", &text);
    assert!(trip.text.contains("ref=\"-0.7\""), "{}", trip.text);
    let gears: Vec<_> = trip
        .back
        .joints
        .iter()
        .filter_map(|joint| match joint.def.kind {
            JointKind::Gear(gear) => Some(gear.radius_a / gear.radius_b),
            _ => None,
        })
        .collect();
    assert!(matches!(gears[..], [ratio] if (ratio - 2.0).abs() < 1e-5), "{gears:?} {:?}", trip.imported.notes);
}

/// The ends of a body that moves slide and ball: a cylindrical joint is a slide and a hinge about the same axis.
#[test]
fn kinds_of_several_motions_have_several_joints() {
    let count = |kind: &str, words: &[&str]| {
        let text = scene(&format!(
            r#"bodies: [(name: "a", shape: Box(half: (0.1, 0.2, 0.3)), at: (0, 0, 1), collide: false)],
            joints: [(name: "j", b: "a", {kind})]"#
        ));
        let text = trip(kind, &text).text;
        let kinds: Vec<&str> = text.split(" type=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(&kinds[..kinds.len() - 1], words, "{kind}\n{text}");
    };
    count("anchor: (0, 0, 0), axis: (0, 0, 1), kind: Cylindrical()", &["slide", "hinge"]);
    count("anchor: (0, 0, 0), axis: (0, 0, 1), kind: Screw(lead: 0.1)", &["slide", "hinge"]);
    count("anchor: (0, 0, 0), axis_a: (0, 0, 1), axis_b: (1, 0, 0), kind: Universal()", &["hinge", "hinge"]);
    count("anchor: (0, 0, 0), axis: (0, 0, 1), kind: Plane()", &["slide", "slide", "ball"]);
    count("anchor: (0, 0, 0), axis: (0, 0, 1), kind: Plane(limit: (-1, 1))", &["slide", "slide", "slide", "ball"]);
    count("anchor: (0, 0, 0), kind: OrientationLock()", &["slide", "slide", "slide"]);
    count("anchor: (0, 0, 0), axis: (0, 0, 1), kind: AxisLock()", &["slide", "slide", "slide", "hinge"]);
    count("anchor_a: (1, 0, 1), axis_a: (0, 1, 0), kind: PointOnRing()", &["hinge", "ball"]);
    count("kind: SixDof(x: Free(), about_z: Free())", &["slide", "hinge"]);
    count("kind: SixDof(about_x: Free(), about_y: Free(), about_z: Free())", &["ball"]);
}

/// Two planes that hold one point leave it a line: a slide and a ball, and nothing is left over to close a loop.
#[test]
fn planes_that_hold_one_point_are_one_slide() {
    let content = r#"bodies: [(name: "a", shape: Box(half: (0.1, 0.2, 0.3)), at: (0, 0, 1), collide: false)],
        joints: [(name: "along", b: "a", anchor: (0.1, 0, 1), axis: (1, 0, 0), kind: Plane()),
        (name: "across", b: "a", anchor: (0.1, 0, 1), axis: (0, 0, 1), kind: Plane())]"#;
    let Trip { notes, text, .. } = trip("planes", &scene(content));
    assert!(text.contains("type=\"slide\" axis=\"0 -1 0\"") && text.contains("type=\"ball\""), "{text}");
    assert!(text.matches("<joint").count() == 2 && notes.len() == 1, "{text}");
}

/// A bar of mass m and half length a on a hinge at its end, whose centre gets the speed v across it and no spin. The impulse
/// at the hinge leaves ω = m a v/J with J = 4/3 m a²: three quarters of v/a. The second bar hangs on the first in line, and
/// is at rest: H q̇ = p for both at once.
#[test]
fn velocities_that_break_joints_are_fitted_to_them() {
    let bar = |name: &str, x: f64, v: f64| {
        format!(
            r#"(name: "{name}", shape: Box(half: (0.5, 0.001, 0.001)), at: ({x}, 0, 2), mass: 1, velocity: (0, 0, {v}), collide: false), "#
        )
    };
    let hinge = |a: &str, b: &str, x: f64| {
        format!(r#"(name: "{b} pin", {a}b: "{b}", anchor: ({x}, 0, 2), axis: (0, -1, 0), kind: Hinge()), "#)
    };
    let rates = |text: &str| -> Vec<f64> {
        let list = text.split("qvel=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
        list.split(' ').map(|x| x.parse().unwrap()).collect()
    };
    let one = trip("one", &scene(&format!("bodies: [{}], joints: [{}]", bar("one", 0.5, 2.0), hinge("", "one", 0.0))));
    assert!((rates(&one.text)[0] - 0.75 * 2.0 / 0.5).abs() < 1e-4, "{}", one.text);
    let bodies = [bar("one", 0.5, 2.0), bar("two", 1.5, 0.0)].concat();
    let joints = [hinge("", "one", 0.0), hinge("a: \"one\", ", "two", 1.0)].concat();
    let two = trip("two", &scene(&format!("bodies: [{bodies}], joints: [{joints}]")));
    // With a = ½ and m = 1: centres at ½ q₁ and 3/2 q₁ + ½ q₂, spins q₁ and q₁ + q₂, inertias 1/12.
    let (h11, h12, h22) = (0.25 + 2.25 + 2.0 / 12.0, 0.75 + 1.0 / 12.0, 0.25 + 1.0 / 12.0);
    let (p1, p2) = (0.5 * 2.0, 0.0);
    let determinant = h11 * h22 - h12 * h12;
    let expected = [(h22 * p1 - h12 * p2) / determinant, (h11 * p2 - h12 * p1) / determinant];
    let found = rates(&two.text);
    assert!(found.iter().zip(&expected).all(|(x, y)| (x - y).abs() < 1e-4), "{found:?} {expected:?}");
}

/// What has no counterpart is told, in the text, too.
#[test]
fn what_has_no_counterpart_is_told() {
    let content = r#"bodies: [
        (name: "a", shape: Sphere(radius: 0.1), at: (0, 0, 1), restitution: 0.5, drag: (linear: 1)),
        (name: "b", shape: Sphere(radius: 0.1), at: (1, 0, 1), angular_velocity: (0, 0, 3)),
        (name: "c", shape: Sphere(radius: 0.1), at: (2, 0, 1), motion: Kinematic, velocity: (1, 0, 0))],
        joints: [(name: "drum -- rope", a: "a", b: "b", axis: (0, 1, 0), kind: Drum(radius: 0.1)),
        (name: "weak", b: "b", anchor: (1, 0, 2), axis: (0, 1, 0), kind: Hinge(breakaway: 3), breaks: (force: 10))]"#;
    let Trip { notes, text, .. } = trip("left", &scene(content));
    for words in [
        "restitution: has no counterpart",
        "body `a`: its drag",
        "body `c`: moves by itself",
        "body `b`: its velocities break joints: MuJoCo starts with what they leave, 0.000 m/s and 3.000 rad/s off",
        "joint `weak`: never breaks",
        "joint `weak`: friction at rest, 3",
        "joint `drum -- rope`: a Drum has no counterpart",
    ] {
        assert!(notes.iter().any(|note| note.starts_with(words)), "{words}: {notes:#?}");
    }
    // XML's comments have no two hyphens side by side.
    assert!(text.contains("  - joint `drum - - rope`: a Drum has no") && text.matches("--").count() == 2, "{text}");
}

/// Groups that few bodies are in become few bits. A mask that only one of two bodies has keeps both from touching.
#[test]
fn groups_masks_and_joints_say_what_touches() {
    let ball = |name: &str, x: f32, rest: &str| {
        format!(r#"(name: "{name}", shape: Sphere(radius: 0.1), at: ({x}, 0, 1){rest}), "#)
    };
    let bodies = [
        ball("a", 0.0, ", groups: [31], mask: [31, 5]"),
        ball("b", 1.0, ", groups: [5], mask: [5]"),
        ball("c", 2.0, ", groups: [5], mask: [31, 5]"),
        ball("d", 3.0, ", groups: [5], mask: [31, 5]"),
    ];
    let joints = r#"joints: [(name: "rope", a: "c", b: "d", kind: Rope())]"#;
    let trip = trip("groups", &scene(&format!("bodies: [{}], {joints}", bodies.concat())));
    assert!(
        trip.text.contains("contype=\"2\" conaffinity=\"3\"") && trip.text.contains("contype=\"1\" conaffinity=\"1\"")
            || trip.text.contains("contype=\"1\" conaffinity=\"3\""),
        "{}",
        trip.text
    );
    let touch = |flat: &Flat, a: usize, b: usize| flat.bodies[a].def.filter.allows(flat.bodies[b].def.filter);
    for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)] {
        assert_eq!(touch(&trip.there.flat, a, b), touch(&trip.back, a, b), "{a} {b}\n{}", trip.text);
    }
    assert!(!touch(&trip.back, 2, 3) && trip.text.contains("<exclude body1=\"c\" body2=\"d\"/>"), "the rope's bodies");
}
