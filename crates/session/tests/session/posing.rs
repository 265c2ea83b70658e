//! The scene posed by the value of a joint: what is saved measures the same, and undoing takes all of it back.

use delassus_physics::joints::JointKind;
use delassus_session::pose::{Coordinate, PoseRequest};
use delassus_session::{Command, Edit, FoundPose, Gesture, Session};

/// A crank with a limit, a coupler, a rocker, a rod as long as it is in the scene, and a flag on the coupler.
const FOUR_BAR: &str = r#"(
    version: 1,
    title: "Posed",
    settings: (preset: SingleStep),
    bodies: [
        (name: "crank", shape: Box(half: (0.3, 0.05, 0.05)), at: (0.3125, 0, 1), collide: false),
        (name: "coupler", shape: Box(half: (1.25, 0.05, 0.05)), at: (1.375, 0, 2), collide: false),
        (name: "rocker", shape: Box(half: (0.05, 0.05, 1)), at: (2.125, 0, 2), collide: false),
        (name: "flag", shape: Sphere(radius: 0.1), at: (2.125, 0, 3.5), collide: false),
    ],
    joints: [
        (name: "crank", b: "crank", anchor: (0, 0, 1), axis: (0, -1, 0),
            kind: Hinge(limit: (Degrees(-100), Degrees(200)), zero: Degrees(-10))),
        (name: "rocker", b: "rocker", anchor: (2.125, 0, 1), axis: (0, -1, 0), kind: Hinge()),
        (name: "pin", a: "crank", b: "coupler", anchor: (0.625, 0, 1), axis: (0, -1, 0), kind: Hinge()),
        (name: "far pin", a: "rocker", b: "coupler", anchor: (2.125, 0, 3), axis: (0, -1, 0), kind: Hinge()),
        (name: "rod", a: "coupler", b: "flag", anchor_a: (0.75, 0, 1), anchor_b: (0, 0, 0), kind: Distance()),
        (name: "weld", a: "coupler", b: "flag", anchor: (2.125, 0, 3.5), kind: Fixed()),
    ],
)"#;

fn open(text: &str) -> Session {
    Session::from_text(text, "posed.ron").expect("the scene is right")
}

fn text_of(session: &Session) -> String {
    delassus_scene::write(session.scene().expect("a scene"))
}

fn index(session: &Session, joint: &str) -> usize {
    session.snapshot().joints.iter().position(|j| &*j.name == joint).expect("a joint")
}

fn value(session: &Session, joint: &str) -> f64 {
    session.coordinates(index(session, joint))[0].value
}

fn posed(session: &Session, joint: &str, to: f64) -> FoundPose {
    let coordinate = session.coordinates(index(session, joint))[0].coordinate;
    session.pose(&PoseRequest { joint: index(session, joint), coordinate, to }).expect("it can be posed")
}

fn pose(session: &mut Session, joint: &str, to: f64, gesture: Option<Gesture>) -> FoundPose {
    let found = posed(session, joint, to);
    session.dispatch(Command::Edit { edit: found.edit.clone(), gesture }).expect("an edit");
    found
}

fn reopened(session: &Session) -> Session {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("posed.ron");
    let mut copy = open(&text_of(session));
    copy.dispatch(Command::SaveAs(file.clone())).expect("it is written");
    Session::open(&file).expect("it is read")
}

/// Posed by 30°, saved and read: the joint reads 30°, its limits are what they were, its loop is closed.
#[test]
fn a_posed_joint_reads_the_same_after_a_save() {
    let mut session = open(FOUR_BAR);
    let limits = session.snapshot().joints[0].kind.range(0.0);
    assert!((value(&session, "crank") - 10f64.to_radians()).abs() < 1e-6, "its zero is 10° before the scene's pose");
    pose(&mut session, "crank", 30f64.to_radians(), None);
    let text = text_of(&session);
    assert!(text.contains("zero: Degrees(-30)"), "{text}");
    for session in [&session, &reopened(&session)] {
        assert!((value(session, "crank") - 30f64.to_radians()).abs() < 1e-6);
        assert_eq!(session.snapshot().joints[0].kind.range(0.0), limits);
        assert!((f64::from(session.snapshot().joints[0].readout.value) - 30f64.to_radians()).abs() < 1e-6);
        for joint in &session.snapshot().joints {
            assert!(joint.readout.error < 2e-6, "{}: {}", joint.name, joint.readout.error);
        }
    }
    assert!(!text.contains("length"), "the rod moved with the bodies that it joins");
}

/// A scene that was posed runs as one in which a drive went there: at the same limit the same stop.
#[test]
fn a_posed_hinge_runs_as_if_it_had_been_driven_there() {
    let scene = |zero: &str| {
        format!(
            r#"(version: 1, title: "t", settings: (preset: SingleStep),
            bodies: [(name: "arm", shape: Box(half: (0.5, 0.05, 0.05)), at: (0.5, 0, 1), collide: false)],
            joints: [(name: "pivot", b: "arm", anchor: (0, 0, 1), axis: (0, -1, 0),
                kind: Hinge(limit: (Degrees(-20), Degrees(90)){zero}))])"#
        )
    };
    let mut posed = open(&scene(""));
    pose(&mut posed, "pivot", 30f64.to_radians(), None);
    // The same by hand: the arm turned by 30° about its pivot, the zero 30° before it.
    let (s, c) = 30f32.to_radians().sin_cos();
    let at = format!("at: ({}, 0, {})", 0.5 * c, 1.0 + 0.5 * s);
    let turn = r#", rotation: AxisAngle(axis: (0, -1, 0), angle: Degrees(30)), collide"#;
    let text = scene(", zero: Degrees(-30)").replace("at: (0.5, 0, 1)", &at).replace(", collide", turn);
    let mut written = open(
        &text
            .replace("anchor: (0, 0, 1)", "anchor_a: (0, 0, 1), anchor_b: (-0.5, 0, 0)")
            .replace("axis: (0, -1, 0),\n", "axis_a: (0, -1, 0), axis_b: (0, -1, 0),\n"),
    );
    for step in 0..240 {
        let read = |session: &Session| f64::from(session.snapshot().joints[0].readout.value);
        assert!((read(&posed) - read(&written)).abs() < 1e-4, "step {step}: {} {}", read(&posed), read(&written));
        posed.dispatch(Command::Step).expect("a step");
        written.dispatch(Command::Step).expect("a step");
    }
    assert!(posed.snapshot().joints[0].readout.stops.least, "it has fallen to its lower limit, −20°");
}

/// A drag is one entry, and undoing it gives the same bits.
#[test]
fn a_drag_is_undone_bit_for_bit() {
    let mut session = open(FOUR_BAR);
    let (text, poses) = (text_of(&session), session.snapshot().bodies.clone());
    for k in 1..20 {
        pose(&mut session, "crank", f64::from(k) * 0.1, Some(Gesture::Drag(7)));
    }
    assert_eq!(session.undo_label(), Some("Pose crank"));
    assert!((value(&session, "crank") - 1.9).abs() < 1e-6);
    let after = text_of(&session);
    session.dispatch(Command::Undo).expect("an entry");
    assert_eq!(session.undo_label(), None);
    assert_eq!(text_of(&session), text);
    assert!(session.snapshot().bodies.iter().zip(&poses).all(|(a, b)| a.pose == b.pose));
    session.dispatch(Command::Redo).expect("an entry");
    assert_eq!(text_of(&session), after);
}

/// Around and back to where it was: rounding of many edits does not open the loop.
#[test]
fn a_long_drag_leaves_the_loop_closed() {
    let mut session = open(&FOUR_BAR.replace("limit: (Degrees(-100), Degrees(200)), ", ""));
    for k in 0..=720 {
        pose(&mut session, "crank", f64::from(k).to_radians(), Some(Gesture::Drag(7)));
    }
    assert!((value(&session, "crank") - 4.0 * std::f64::consts::PI).abs() < 1e-5, "it counts turns");
    let most = session.snapshot().joints.iter().map(|joint| joint.readout.error).fold(0.0, f32::max);
    assert!(most < 5e-6, "{most}");
}

/// A chain's links are a pattern: it is written out, and its joints keep what they measure.
#[test]
fn a_member_of_a_pattern_is_posed() {
    let text = r#"(version: 1, title: "t", patterns: [Chain(
        name: "arm", count: 4, spacing: (1, 0, 0), first: Static,
        body: (shape: Box(half: (0.4, 0.05, 0.05)), at: (0.5, 0, 1), collide: false),
        joint: (kind: Hinge(limit: (Degrees(-90), Degrees(90))), axis: (0, -1, 0)),
    )])"#;
    let mut session = open(text);
    let joint = session.snapshot().joints[2].name.to_string();
    pose(&mut session, &joint, 0.5, None);
    assert!((value(&session, &joint) - 0.5).abs() < 1e-6);
    assert!((value(&reopened(&session), &joint) - 0.5).abs() < 1e-6);
}

/// The other way in which the loop closes is an edit, and back again.
#[test]
fn assemblies_are_edits() {
    let mut session = open(FOUR_BAR);
    let joint = index(&session, "crank");
    let found = session.assemblies(joint, Coordinate::Turn)(None);
    assert_eq!((found.len(), found.iter().filter(|edit| edit.is_none()).count()), (2, 1));
    let edit: Edit = found.into_iter().flatten().next().expect("the other one");
    let before = value(&session, "crank");
    session.dispatch(Command::Edit { edit, gesture: None }).expect("an edit");
    assert!((value(&session, "crank") - before).abs() < 1e-6);
    // Crossed: the pin of the rocker lies below the line from the crank's pin to the rocker's pivot.
    let flag = session.snapshot().bodies.iter().find(|body| &*body.name == "flag").expect("a flag").pose.position;
    assert!(flag.z < 1.0, "{flag}");
    let most = session.snapshot().joints.iter().map(|joint| joint.readout.error).fold(0.0, f32::max);
    assert!(most < 5e-6, "{most}");
    let back = session.assemblies(joint, Coordinate::Turn)(None);
    let edit = back.into_iter().flatten().next().expect("the first one");
    session.dispatch(Command::Edit { edit, gesture: None }).expect("an edit");
    let flag = session.snapshot().bodies.iter().find(|body| &*body.name == "flag").expect("a flag").pose.position;
    assert!(flag.distance(glam::Vec3::new(2.125, 0.0, 3.5)) < 1e-4, "{flag}");
}

/// Six degrees of freedom keep their zero as well; a ball counts from the scene's pose.
#[test]
fn other_kinds_are_kept_as_far_as_a_scene_can() {
    let text = r#"(version: 1, title: "t", bodies: [
            (name: "one", shape: Sphere(radius: 0.1), at: (1, 0, 1), collide: false),
            (name: "two", shape: Sphere(radius: 0.1), at: (3, 0, 1), collide: false),
        ], joints: [
            (name: "six", b: "one", kind: SixDof(about_x: Free(), about_y: Free(), about_z: Free())),
            (name: "ball", b: "two", anchor: (2, 0, 1), kind: BallSocket),
        ])"#;
    let mut session = open(text);
    pose(&mut session, "six", 0.5, None);
    let coordinates = session.coordinates(index(&session, "six"));
    let request = PoseRequest { joint: 0, coordinate: coordinates[1].coordinate, to: -0.25 };
    let edit = session.pose(&request).expect("a pose").edit;
    session.dispatch(Command::Edit { edit, gesture: None }).expect("an edit");
    let again = reopened(&session);
    for (found, expected) in again.coordinates(0).iter().zip([0.5, -0.25, 0.0]) {
        assert!((found.value - expected).abs() < 2e-6, "{found:?}");
    }
    pose(&mut session, "ball", 0.5, None);
    assert!(
        value(&session, "ball").abs() < 1e-6 && matches!(session.snapshot().joints[1].kind, JointKind::BallSocket(_))
    );
}
