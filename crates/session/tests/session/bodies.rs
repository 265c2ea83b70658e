//! Editing bodies and joints: the document changes, the world follows, and undo restores everything.

use delassus_physics::angle::Angle;
use delassus_physics::joints::{BallSocket, Hinge, JointKind};
use delassus_physics::shape::Shape;
use delassus_scene::{Body, Joint, Scene};
use delassus_session::{Edit, Gesture, Placed};
use glam::Quat;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;

fn ball(name: &str, at: Vec3) -> Body {
    Body { mass: Some(1.0), ..Body::new(name, Shape::Sphere { radius: 0.2 }, at) }
}

fn position(session: &Session, name: &str) -> Vec3 {
    session.snapshot().bodies.iter().find(|b| *b.name == *name).expect("a body of this name").pose.position
}

/// Bodies of a pattern that are written out keep their mass centre, their inertia and their groups to the bit: the world
/// that they make is the one that was there. A changed mask acts in the running world, and undo brings the old one back.
#[test]
fn mass_properties_and_groups_are_kept_and_edited() {
    const TEXT: &str = r#"(
        version: 1,
        title: "Masses",
        bodies: [(name: "floor", shape: Box(half: (9, 9, 0.5)), at: (0, 0, -0.5), motion: Static)],
        patterns: [
            Stack(
                name: "row",
                body: (
                    shape: Cylinder(radius: 0.3, half_length: 0.2),
                    at: (0, 0, 0.2),
                    mass: 3,
                    mass_centre: (0.05, 0.02, -0.1),
                    inertia: (xx: 0.07, yy: 0.09, zz: 0.11, xz: 0.013),
                    groups: [3, 5],
                    mask: [0, 3],
                ),
                count: 2,
                spacing: (2, 0, 0),
            ),
        ],
    )"#;
    let mut session = Session::from_text(TEXT, "test").unwrap_or_else(|e| panic!("{e}"));
    let beginning = session.snapshot().hash;
    steps(&mut session, 30);
    let (rests, patterned) = (position(&session, "row.1").z, session.snapshot().bodies[2].inertia);
    session.dispatch(Command::KeepPose).unwrap();
    session.dispatch(Command::Reset).unwrap();
    let row = session.scene().unwrap().bodies.iter().find(|b| b.name == "row.1").expect("it is written out").clone();
    assert_eq!(row.mass_centre, Some(Vec3::new(0.05, 0.02, -0.1)));
    let inertia = row.inertia.expect("by value");
    assert_eq!((inertia.xx, inertia.yy, inertia.zz, inertia.xz), (0.07, 0.09, 0.11, 0.013));
    assert_eq!(row.groups.numbers().collect::<Vec<_>>(), [3, 5]);
    assert_eq!(row.mask.numbers().collect::<Vec<_>>(), [0, 3]);
    assert_eq!(session.snapshot().bodies[2].inertia, patterned);
    let falling = Body { mask: delassus_scene::Groups::NONE, ..row };
    edit(&mut session, Edit::Body { name: "row.1".into(), body: Box::new(falling) }).unwrap();
    steps(&mut session, 30);
    // ½ g t² after half a second; a body on the floor would stay.
    assert!(position(&session, "row.1").z < rests - 1.0, "{}", position(&session, "row.1").z);
    session.dispatch(Command::Undo).unwrap();
    session.dispatch(Command::Reset).unwrap();
    steps(&mut session, 30);
    assert!((position(&session, "row.1").z - rests).abs() < 0.01);
    session.dispatch(Command::Undo).unwrap();
    session.dispatch(Command::Reset).unwrap();
    assert_eq!(session.snapshot().hash, beginning);
}

fn has(session: &Session, name: &str) -> bool {
    session.snapshot().bodies.iter().any(|b| *b.name == *name)
}

#[test]
fn a_new_body_falls_while_the_others_go_on_as_they_do() {
    let (mut session, mut other) = (session(), session());
    steps(&mut session, 40);
    steps(&mut other, 40);
    let new = Edit::Add { bodies: vec![ball("", Vec3::new(5.0, 5.0, 9.0))], joints: vec![] };
    edit(&mut session, new).unwrap();
    assert_eq!(session.undo_label(), Some("Add sphere"));
    assert_eq!(session.snapshot().step, 40, "time goes on");
    steps(&mut session, 30);
    steps(&mut other, 30);
    // Free fall: ½ g t², g = 10, t = 30/60 s.
    let fall = 0.5 * 10.0 * 0.25;
    assert!((position(&session, "sphere").z - (9.0 - fall)).abs() < 1e-4);
    // The chain touches nothing while it swings: its further motion depends only on poses, velocities and impulses.
    // Where its mechanism is set up again, its old impulses are rounded once more, and errors of rounding last for 1/60
    // s.
    for name in ["one", "two"] {
        let apart = position(&session, name).distance(position(&other, name));
        assert!(apart < 1e-5, "{name} was disturbed by a body far off, by {apart} m");
    }
    session.dispatch(Command::Reset).unwrap();
    assert_eq!(position(&session, "sphere"), Vec3::new(5.0, 5.0, 9.0));
}

#[test]
fn a_joint_made_in_the_middle_of_a_run_holds_what_it_ties_as_it_is() {
    let mut session = session();
    steps(&mut session, 30);
    let two = session.snapshot().bodies.iter().find(|b| &*b.name == "two").unwrap().clone();
    let mut weld = Joint::new("world", "two", two.pose.position, JointKind::Fixed(Default::default()));
    weld.anchor = None;
    weld.anchor_a = Some(two.pose.position);
    weld.anchor_b = Some(Vec3::ZERO);
    edit(&mut session, Edit::Add { bodies: vec![], joints: vec![weld] }).unwrap();
    steps(&mut session, 30);
    let moved = position(&session, "two").distance(two.pose.position);
    assert!(moved < 0.02, "welded where it was, it moved by {moved} m");
}

#[test]
fn joints_of_a_body_with_itself_and_twins_are_refused_with_a_reason() {
    let mut session = session();
    let before = session.scene().cloned();
    let same = Joint::new("one", "one", Vec3::ZERO, JointKind::BallSocket(BallSocket::default()));
    let error = edit(&mut session, Edit::Add { bodies: vec![], joints: vec![same] }).unwrap_err().to_string();
    assert!(error.contains("two bodies"), "{error}");
    let twin = session.scene().unwrap().joints[1].clone();
    let error = edit(&mut session, Edit::Add { bodies: vec![], joints: vec![twin] }).unwrap_err().to_string();
    assert!(error.contains("already share"), "{error}");
    let broken = Body { mass: Some(-1.0), ..ball("bad", Vec3::ZERO) };
    let error = edit(&mut session, Edit::Add { bodies: vec![broken], joints: vec![] }).unwrap_err().to_string();
    assert!(error.contains("mass"), "{error}");
    assert_eq!(session.scene().cloned(), before);
    assert_eq!(session.undo_label(), None);
}

#[test]
fn a_deleted_body_takes_its_joints_along_and_undo_brings_all_back() {
    let mut session = session();
    let before = session.scene().cloned();
    edit(&mut session, Edit::Remove { bodies: vec!["one".into()], joints: vec![] }).unwrap();
    assert_eq!(session.undo_label(), Some("Delete one with 2 joints"));
    assert!(!has(&session, "one") && session.snapshot().joints.is_empty());
    steps(&mut session, 10);
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(session.scene().cloned(), before);
    assert!(has(&session, "one") && session.snapshot().joints.len() == 2);
    steps(&mut session, 10);
    session.dispatch(Command::Redo).unwrap();
    assert!(!has(&session, "one"));
}

#[test]
fn a_renamed_body_keeps_its_joints_and_a_taken_name_is_refused() {
    let mut session = session();
    let body = session.scene().unwrap().bodies[2].clone();
    let rename =
        |name: &str| Edit::Body { name: "one".into(), body: Box::new(Body { name: name.into(), ..body.clone() }) };
    assert!(edit(&mut session, rename("two")).unwrap_err().to_string().contains("already"));
    edit(&mut session, rename("first")).unwrap();
    let joints = &session.scene().unwrap().joints;
    assert_eq!((joints[0].b.as_str(), joints[1].a.as_str()), ("first", "first"));
    assert_eq!(session.undo_label(), Some("Rename one to first"));
}

#[test]
fn a_drag_moves_a_body_with_its_anchors_on_it_and_is_one_entry() {
    let mut session = session();
    let before = session.scene().cloned();
    for i in 1..=20 {
        let at = Vec3::new(1.0, 0.05 * i as f32, 4.0);
        let edit = Edit::Place(vec![Placed { name: "one".into(), at, rotation: Quat::IDENTITY }]);
        session.dispatch(Command::Edit { edit, gesture: Some(Gesture::Drag(7)) }).unwrap();
    }
    // The anchors stay on the bodies: the ends of the first joint, moved 1 m apart sideways, have that distance as
    // their error.
    let error = session.snapshot().joints[0].readout.error;
    assert!((error - 1.0).abs() < 1e-5, "{error}");
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(session.scene().cloned(), before, "the whole drag is one entry");
    assert_eq!(session.undo_label(), None);
}

#[test]
fn a_mechanism_moved_as_a_whole_takes_its_joints_along() {
    let mut session = session();
    let turn = Quat::from_rotation_z(0.7);
    let placed = ["post", "one", "two"].map(|name| {
        let at = position(&session, name);
        Placed { name: name.into(), at: turn * at + Vec3::new(0.0, 0.0, 1.0), rotation: turn }
    });
    edit(&mut session, Edit::Place(placed.to_vec())).unwrap();
    assert!(session.snapshot().joints.iter().all(|j| j.readout.error < 1e-5), "a rigid motion opens no joint");
    assert!(session.scene().unwrap().joints.iter().all(|j| j.anchor.is_some()), "and the document keeps its form");
}

#[test]
fn a_member_of_a_pattern_is_written_out_when_it_is_edited() {
    let text = r#"(version: 1, title: "Chain", patterns: [Chain(name: "link", count: 5, joint: (kind: BallSocket),
        spacing: (0.5, 0, 0), first: Static, body: (shape: Sphere(radius: 0.2), at: (0, 0, 3), mass: 1))])"#;
    let Ok(mut session) = Session::from_text(text, "chain") else { panic!("the chain is a good scene") };
    let names: Vec<String> = session.snapshot().bodies.iter().map(|b| b.name.to_string()).collect();
    let joints = session.snapshot().joints.len();
    let before = session.scene().cloned();
    edit(&mut session, Edit::Remove { bodies: vec![names[4].clone()], joints: vec![] }).unwrap();
    let scene = session.scene().unwrap();
    assert!(scene.patterns.is_empty() && scene.bodies.len() == 4);
    assert_eq!(session.snapshot().joints.len(), joints - 1);
    assert!(session.snapshot().joints.iter().all(|j| j.readout.error < 1e-6));
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(session.scene().cloned(), before);
}

#[test]
fn an_edit_after_a_kept_pose_starts_from_that_pose() {
    let mut session = session();
    steps(&mut session, 25);
    session.dispatch(Command::KeepPose).unwrap();
    steps(&mut session, 5);
    let two = position(&session, "two");
    edit(&mut session, Edit::Remove { bodies: vec!["box".into()], joints: vec![] }).unwrap();
    assert_eq!(position(&session, "two"), two, "the run goes on");
    session.dispatch(Command::Undo).unwrap();
    session.dispatch(Command::Undo).unwrap();
    assert!(has(&session, "box"));
}

#[test]
fn stepping_back_goes_on_beyond_the_edit() {
    let mut session = session();
    let before = hash_after(&mut session, 19);
    steps(&mut session, 1);
    edit(&mut session, Edit::Remove { bodies: vec!["box".into()], joints: vec![] }).unwrap();
    let at_edit = session.snapshot().hash;
    steps(&mut session, 3);
    for _ in 0..3 {
        session.dispatch(Command::StepBack).unwrap();
    }
    assert_eq!(session.snapshot().hash, at_edit);
    session.dispatch(Command::StepBack).unwrap();
    assert!(session.snapshot().hash == before && has(&session, "box"));
}

/// A random command from the set of edits; names are chosen by number, so that many are wrong on purpose.
fn random_edit() -> impl Strategy<Value = Command> {
    let name = || prop::sample::select(vec!["one", "two", "box", "floor", "sphere", "sphere-2", "nobody"]);
    let point = || (-5.0f32..5.0, -5.0f32..5.0, 0.0f32..8.0).prop_map(|(x, y, z)| Vec3::new(x, y, z));
    let edit = |edit| Command::Edit { edit, gesture: None };
    prop_oneof![
        point().prop_map(move |at| edit(Edit::Add { bodies: vec![ball("", at)], joints: vec![] })),
        (name(), name(), point()).prop_map(move |(a, b, at)| {
            let joints = vec![Joint::new(a, b, at, JointKind::BallSocket(BallSocket::default()))];
            edit(Edit::Add { bodies: vec![], joints })
        }),
        (name(), name(), point()).prop_map(move |(a, b, at)| {
            let joint = Box::new(Joint::new(a, b, at, JointKind::Hinge(Hinge::default())));
            edit(Edit::Join { joint, moved: Placed { name: b.into(), at, rotation: Quat::IDENTITY } })
        }),
        name().prop_map(move |n| edit(Edit::Remove { bodies: vec![n.into()], joints: vec![] })),
        (name(), point(), 0.0f32..3.0).prop_map(move |(n, at, turn)| {
            edit(Edit::Place(vec![Placed { name: n.into(), at, rotation: Quat::from_rotation_x(turn) }]))
        }),
        (name(), name(), point())
            .prop_map(move |(n, to, at)| { edit(Edit::Body { name: n.into(), body: Box::new(ball(to, at)) }) }),
        (1.0f32..50.0).prop_map(|n| Command::Set { name: "solver.iterations", value: Value::Int(n as u32) }),
        Just(Command::Step),
        Just(Command::KeepPose),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]
    #[test]
    fn any_edits_undone_give_back_the_scene_and_redone_give_it_again(commands in prop::collection::vec(random_edit(), 1..14)) {
        let mut session = session();
        let undo_all = |session: &mut Session| {
            let mut n = 0;
            while session.undo_label().is_some() {
                session.dispatch(Command::Undo).unwrap();
                n += 1;
            }
            n
        };
        let first: Option<Scene> = session.scene().cloned();
        for command in commands {
            // Refusals are expected: then nothing must have changed.
            let before = session.scene().cloned();
            if session.dispatch(command).is_err() {
                prop_assert_eq!(session.scene().cloned(), before);
            }
        }
        let last = session.scene().cloned();
        let n = undo_all(&mut session);
        prop_assert_eq!(session.scene().cloned(), first);
        for _ in 0..n {
            session.dispatch(Command::Redo).unwrap();
        }
        prop_assert_eq!(session.scene().cloned(), last);
        session.dispatch(Command::Reset).unwrap();
        for _ in 0..5 {
            session.dispatch(Command::Step).unwrap();
        }
        prop_assert!(session.snapshot().bodies.iter().all(|b| b.pose.position.is_finite()));
    }
}

/// A fix proposed by the doctor removes the finding, and undo brings it back.
#[test]
fn what_the_doctor_proposes_helps_and_can_be_undone() {
    use delassus_doctor::{Fix, Rule, Severity};
    let ball =
        |name: &str, x: f32| format!(r#"(name: "{name}", shape: Sphere(radius: 0.2), at: ({x}, 0, 4), mass: 1)"#);
    for (joint, rule) in [
        (r#"(a: "a", b: "b", anchor_a: (0.5, 0, 0), anchor_b: (-0.3, 0, 0), kind: BallSocket())"#, Rule::Anchors),
        (r#"(a: "a", b: "b", kind: Distance(length: 1.4))"#, Rule::Anchors),
        (r#"(a: "a", b: "b", kind: Rope(length: 0.4))"#, Rule::Limit),
        (r#"(a: "a", b: "b", anchor: (0.5, 0, 4), axis_a: (0, 1, 0), axis_b: (0, 1, 1), kind: Hinge())"#, Rule::Axes),
        (r#"(a: "a", b: "b", anchor: (0.5, 0, 4), axis: (0, 1, 0), kind: Hinge(limit: (1, 2)))"#, Rule::Limit),
        (r#"(a: "a", b: "b", axis: (1, 0, 0), kind: Prismatic(limit: (0.5, 2)))"#, Rule::Limit),
        (r#"(b: "fixed", anchor: (5, 0, 0), kind: BallSocket())"#, Rule::Immovable),
        (r#"(b: "a", anchor: (0, 0, 4), axis: (0, 1, 0), kind: Hinge(limit: (-30, 30)))"#, Rule::Degrees),
        (
            r#"(b: "a", anchor: (0, -0.5, 4), axis: (0, 1, 0), kind: Hinge()), (b: "a", anchor: (0, 0.5, 4), axis: (0, 1, 0.07), kind: Hinge())"#,
            Rule::Jam,
        ),
        (
            r#"(b: "a", anchor: (0, 0, 4), axis: (0, 1, 0), kind: Hinge(motor: (speed: 2, max_torque: 3))),
            (b: "a", axis: (0, 1, 0), kind: AngularMotor(motor: (speed: 1, max_torque: 3))),"#,
            Rule::Against,
        ),
        (r#"(b: "a", anchor: (0, 0, 5), kind: BallSocket, breaks: (force: 5))"#, Rule::Breaks),
        ("", Rule::Overlap),
    ] {
        let b = if rule == Rule::Overlap { 0.3 } else { 1.0 };
        let text = format!(
            r#"(version: 1, title: "t", bodies: [{}, {}, (name: "fixed", shape: Sphere(radius: 1), at: (5, 0, 0), motion: Static)], joints: [{joint}])"#,
            ball("a", 0.0),
            ball("b", b)
        );
        let mut session = Session::from_text(&text, "test").unwrap();
        let found = session.findings().to_vec();
        assert_eq!(found.iter().map(|f| f.rule).collect::<Vec<_>>(), [rule], "{joint}");
        let fix: Fix = found[0].fix.unwrap();
        session.dispatch(Command::ApplyFix(fix)).unwrap();
        let left: Vec<_> = session.findings().iter().filter(|f| f.severity > Severity::Note).collect();
        assert!(left.is_empty(), "{joint}: {left:#?}");
        session.dispatch(Command::Undo).unwrap();
        session.dispatch(Command::Examine).unwrap();
        assert_eq!(session.findings(), found, "{joint}");
    }
    let mut session = session();
    assert!(matches!(session.dispatch(Command::ApplyFix(Fix::Remove { joint: 99 })), Err(SessionError::Refused(_))));
}

/// An edited scene is examined again once the edits pause.
#[test]
fn the_doctor_looks_again_after_edits() {
    let mut session = session();
    assert!(session.findings().is_empty(), "{:?}", session.findings());
    edit(&mut session, Edit::Add { bodies: vec![ball("far", Vec3::new(9000.0, 0.0, 0.0))], joints: vec![] }).unwrap();
    assert!(session.findings().is_empty());
    session.advance(Duration::from_millis(400), Duration::from_millis(10));
    assert_eq!(session.findings().len(), 1);
}

/// A hinge that has turned by more than half a turn keeps its count when its limits are changed while it runs.
#[test]
fn a_joint_s_angle_goes_on_counting_when_its_limits_change() {
    let text = r#"(
        version: 1,
        title: "Wheel",
        settings: (step: (gravity: (0, 0, 0))),
        bodies: [(name: "wheel", shape: Cylinder(radius: 0.5, half_length: 0.1), angular_velocity: (0, 0, 5))],
        joints: [(name: "axle", b: "wheel", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge())],
    )"#;
    let mut session = Session::from_text(text, "test").expect("the scene is right");
    steps(&mut session, 60);
    let angle = |session: &Session| session.snapshot().joints[0].readout.value;
    let before = angle(&session);
    assert!((before - 5.0).abs() < 0.01, "{before}");
    let mut joint = session.joint_entry("axle").expect("it has an entry");
    let limit = Some((Angle::degrees(0.0), Angle::degrees(400.0)));
    joint.kind = JointKind::Hinge(Hinge { limit, ..Hinge::default() });
    edit(&mut session, Edit::Joint { name: "axle".into(), joint: Box::new(joint) }).expect("limits");
    assert!((angle(&session) - before).abs() < 1e-4, "{}", angle(&session));
    steps(&mut session, 120);
    let end = angle(&session).to_degrees();
    assert!((end - 400.0).abs() < 0.5, "it stops at its limit, past a turn, not at {end}");
    session.dispatch(Command::Undo).expect("an entry");
    assert!((angle(&session).to_degrees() - end).abs() < 0.1);
}

#[test]
fn a_refused_joint_leaves_the_body_that_was_to_come_for_it() {
    let mut session = session();
    let before = session.scene().cloned();
    let joint = Joint::new("post", "one", Vec3::new(0.0, 0.0, 4.0), JointKind::BallSocket(BallSocket {}));
    let moved = Placed { name: "one".into(), at: Vec3::new(0.0, 0.0, 3.0), rotation: Quat::IDENTITY };
    let join = Edit::Join { joint: Box::new(joint.clone()), moved: moved.clone() };
    // The same anchor, written in the bodies' frames.
    let on_bodies = (Some(Vec3::ZERO), Some(Vec3::Z));
    let twin = Joint { anchor: None, anchor_a: on_bodies.0, anchor_b: on_bodies.1, ..joint.clone() };
    edit(&mut session, join).expect("the first one's anchors have gone along with its body");
    let one = session.scene().cloned();
    let again = Edit::Join { joint: Box::new(twin), moved };
    assert!(matches!(edit(&mut session, again), Err(SessionError::Refused(_))));
    assert_eq!(session.scene().cloned(), one);
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(session.scene().cloned(), before);
    // A joint to a body that does not exist changes nothing either.
    let lost = Joint { b: "nobody".into(), ..joint };
    let moved = Placed { name: "one".into(), at: Vec3::ONE, rotation: Quat::IDENTITY };
    assert!(edit(&mut session, Edit::Join { joint: Box::new(lost), moved }).is_err());
    assert_eq!(session.scene().cloned(), before);
}
