//! Bodies that are merged into one, and compounds that are split into bodies.

use delassus_physics::shape::{Shape, ShapePart};
use delassus_scene::{Body, Scene};
use delassus_session::Edit;

use super::*;

const TEXT: &str = r#"(
    version: 1,
    title: "Arm",
    settings: (step: (gravity: (0, 0, 0))),
    bodies: [
        (name: "stand", shape: Box(half: (0.1, 0.1, 0.1)), at: (-1, 0, 0), motion: Static),
        (
            name: "handle",
            shape: Cylinder(radius: 0.05, half_length: 0.5),
            rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees(90)),
            velocity: (0, 1, 0),
        ),
        (name: "head", shape: Box(half: (0.1, 0.3, 0.1)), at: (0.6, 0, 0), mass: 4, velocity: (0, 2, 0)),
        (name: "bob", shape: Sphere(radius: 0.1), at: (0.6, 0, -1)),
    ],
    joints: [
        (name: "weld", a: "handle", b: "head", anchor: (0.5, 0, 0), kind: Fixed),
        (a: "head", b: "bob", anchor_a: (0, 0, -0.1), anchor_b: (0, 0, 0.9), kind: BallSocket),
        (name: "pivot", a: "stand", b: "handle", anchor: (-0.5, 0, 0), axis: (0, 0, 1), kind: Hinge),
    ],
)"#;

fn opened() -> Session {
    Session::from_text(TEXT, "test").unwrap_or_else(|e| panic!("{e}"))
}

fn merge(names: &[&str]) -> Edit {
    Edit::Merge { bodies: names.iter().map(|name| (*name).to_owned()).collect() }
}

fn body<'a>(scene: &'a Scene, name: &str) -> &'a Body {
    scene.bodies.iter().find(|body| body.name == name).expect("a body of this name")
}

/// Momentum and angular momentum about the origin of the bodies that move.
fn momenta(session: &Session) -> (Vec3, Vec3) {
    let mut sum = (Vec3::ZERO, Vec3::ZERO);
    let world = session.world().expect("a world");
    for (body, velocity) in world.state.bodies.iter().zip(&world.state.velocities).filter(|(b, _)| b.is_dynamic()) {
        let linear = body.mass * Vec3::from(velocity.linear);
        sum.0 += linear;
        sum.1 += body.position.cross(linear) + body.inertia() * Vec3::from(velocity.angular);
    }
    sum
}

/// The hammer has the masses and momenta of both bodies; the weld between them is gone, and what hung on the head hangs on
/// the hammer, at the same place.
#[test]
fn bodies_are_merged_with_their_mass_momentum_and_joints() {
    let mut session = opened();
    let before = (session.scene().cloned(), momenta(&session));
    edit(&mut session, merge(&["handle", "head"])).expect("it is merged");
    let scene = session.scene().cloned().expect("a scene");
    let names: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["stand", "handle", "bob"]);
    let hammer = body(&scene, "handle");
    let Shape::Compound { parts } = &hammer.shape else { panic!("a compound") };
    assert_eq!(parts.len(), 2);
    // In the handle's frame, whose z is the world's x.
    assert!(parts[1].at.distance(Vec3::new(0.0, 0.0, 0.6)) < 1e-6, "{}", parts[1].at);
    // m = ρ π r² 2 h and 4 kg; their middles are 0.6 m apart.
    let handle = 1000.0 * std::f32::consts::PI * 0.05 * 0.05;
    let mass = hammer.mass.expect("by value");
    assert!((mass - (handle + 4.0)).abs() < 1e-4 * mass, "{mass}");
    let centre = hammer.mass_centre.expect("by value");
    assert!(centre.distance(Vec3::Z * (0.6 * 4.0 / mass)) < 1e-5, "{centre}");
    let joints: Vec<String> = scene.joints.iter().map(|joint| joint.label()).collect();
    assert_eq!(joints, ["handle-bob", "pivot"]);
    assert!(session.snapshot().joints.iter().all(|joint| joint.readout.error < 1e-5));
    let after = momenta(&session);
    assert!(after.0.distance(before.1.0) < 1e-4 && after.1.distance(before.1.1) < 1e-4, "{after:?}, {:?}", before.1);
    session.dispatch(Command::Undo).expect("an entry");
    assert_eq!(session.scene().cloned(), before.0);
}

/// Of one density nothing needs to be given by value; merged compounds stay one list of parts.
#[test]
fn merged_parts_lie_in_one_list_and_even_density_stays() {
    let text = r#"(version: 1, title: "Three", bodies: [
        (name: "a", shape: Sphere(radius: 0.1)),
        (name: "b", shape: Sphere(radius: 0.1), at: (1, 0, 0)),
        (name: "c", shape: Sphere(radius: 0.1), at: (2, 0, 0)),
    ])"#;
    let mut session = Session::from_text(text, "test").unwrap_or_else(|e| panic!("{e}"));
    edit(&mut session, merge(&["b", "a"])).expect("two of them");
    edit(&mut session, merge(&["c", "b"])).expect("all of them");
    let ball = |x: f32| ShapePart::new(Shape::Sphere { radius: 0.1 }, Vec3::new(x, 0.0, 0.0));
    let scene = session.scene().cloned().expect("a scene");
    let shape = Shape::Compound { parts: [ball(0.0), ball(-1.0), ball(-2.0)].into() };
    assert_eq!(*body(&scene, "c"), Body::new("c", shape, Vec3::new(2.0, 0.0, 0.0)));
    edit(&mut session, Edit::Split { body: "c".into() }).expect("into balls");
    let scene = session.scene().cloned().expect("a scene");
    let places: Vec<f32> = scene.bodies.iter().map(|body| body.at.x).collect();
    assert_eq!(places, [2.0, 1.0, 0.0]);
    assert!(scene.bodies.iter().all(|body| body.shape == Shape::Sphere { radius: 0.1 }));
}

/// A joint of a compound leads to the part at its anchor.
#[test]
fn a_split_compound_leaves_each_joint_at_its_part() {
    let mut session = opened();
    edit(&mut session, merge(&["handle", "head"])).expect("it is merged");
    edit(&mut session, Edit::Split { body: "handle".into() }).expect("it is split");
    let scene = session.scene().cloned().expect("a scene");
    let ends = |name: &str| {
        let joint = scene.joints.iter().find(|joint| joint.label() == name).expect("a joint");
        (joint.a.clone(), joint.b.clone())
    };
    assert_eq!(ends("pivot"), ("stand".into(), "handle".into()));
    assert_eq!(ends("handle-2-bob"), ("handle-2".into(), "bob".into()));
    let head = body(&scene, "handle-2");
    assert!(head.at.distance(Vec3::new(0.6, 0.0, 0.0)) < 1e-6, "{}", head.at);
    let q = head.rotation.quat().expect("a rotation");
    assert!(q.angle_between(glam::Quat::IDENTITY) < 1e-3, "{q}");
    assert!(session.snapshot().joints.iter().all(|joint| joint.readout.error < 1e-5));
}

#[test]
fn what_cannot_be_one_body_is_refused() {
    let mut session = opened();
    let before = session.scene().cloned();
    for (names, why) in [
        (&["handle"][..], "at least two"),
        (&["stand", "head"], "do not move in the same way"),
        (&["handle", "nobody"], "no body called"),
    ] {
        let refusal = edit(&mut session, merge(names)).expect_err("it is refused").to_string();
        assert!(refusal.contains(why), "{refusal}");
    }
    let refusal = edit(&mut session, Edit::Split { body: "head".into() }).expect_err("a box").to_string();
    assert!(refusal.contains("not a compound"), "{refusal}");
    assert_eq!(session.scene().cloned(), before);
}
