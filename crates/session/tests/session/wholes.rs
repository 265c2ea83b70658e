//! Patterns, parts and mechanisms that are moved as a whole.

use delassus_scene::{Pattern, Scene};
use delassus_session::{Edit, Placed};
use glam::Quat;

use super::*;

const WHOLES: &str = r#"(
    version: 1,
    title: "Wholes",
    bodies: [
        (name: "floor", shape: Box(half: (9, 9, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "door", shape: Box(half: (0.5, 0.1, 1)), at: (-0.1, 3, 1.1), mass: 3),
        (name: "wing", shape: Box(half: (0.5, 0.1, 1)), at: (0.9, 3, 1.1), mass: 3),
    ],
    patterns: [
        Chain(name: "chain", body: (shape: Box(half: (0.2, 0.1, 0.1)), at: (-0.1, 0, 5), mass: 1),
            count: 4, spacing: (0.5, 0, 0), joint: (kind: Hinge(), axis: (0, 1, 0)), first: Static),
        Pyramid(name: "heap", body: (shape: Box(half: (0.2, 0.2, 0.2)), at: (-3, 0, 0.2)), base: 3,
            across: (0.5, 0, 0), up: (0, 0, 0.4)),
        Stack(name: "tower", body: (shape: Box(half: (0.2, 0.2, 0.2)), at: (-6, 0, 0.2)), count: 3, spacing: (0, 0, 0.4),
            stagger: (0.05, 0, 0)),
        Grid(name: "crowd", count: (2, 2, 1), spacing: (1, 1, 0), of: Body(shape: Sphere(radius: 0.1), at: (5, 5, 0.1))),
    ],
    joints: [
        (a: "chain.3", b: "door", anchor_a: (0.25, 0, 0), anchor_b: (0, 0, 1), kind: Rope()),
        (b: "door", anchor: (-0.6, 3, 1.1), axis: (0, 0, 1), kind: Hinge()),
        (a: "door", b: "wing", anchor: (0.4, 3, 1.1), axis: (0, 0, 1), kind: Hinge()),
        (b: "wing", anchor_a: (1.4, 3, 2.1), anchor_b: (0.5, 0, 1), kind: Spring(length: 0.1)),
    ],
)"#;

fn wholes() -> Session {
    Session::from_text(WHOLES, "wholes").unwrap_or_else(|e| panic!("{e}"))
}

/// The bodies whose names begin with one of these prefixes, moved by a rotation about the origin and a shift.
fn moved(session: &Session, prefixes: &[&str], turn: Quat, shift: Vec3) -> Vec<Placed> {
    let bodies = session.snapshot().bodies.iter().filter(|b| prefixes.iter().any(|p| b.name.starts_with(p)));
    let placed = |b: &delassus_session::BodyView| Placed {
        name: b.name.to_string(),
        at: turn * b.pose.position + shift,
        rotation: (turn * b.pose.rotation).normalize(),
    };
    bodies.map(placed).collect()
}

fn edit(session: &mut Session, edit: Edit) {
    session.dispatch(Command::Edit { edit, gesture: None }).unwrap_or_else(|e| panic!("{e}"));
}

fn scene(session: &Session) -> &Scene {
    session.scene().unwrap()
}

/// All bodies are where they were put, and no joint's error has changed.
fn assert_placed(session: &Session, placed: &[Placed], errors: &[f32], what: &str) {
    for wanted in placed {
        let body = session.snapshot().bodies.iter().find(|b| *b.name == *wanted.name).unwrap();
        assert!(body.pose.position.distance(wanted.at) < 1e-5, "{what}, {}: {:?}", wanted.name, body.pose);
        assert!(body.pose.rotation.angle_between(wanted.rotation) < 1e-3, "{what}, {}", wanted.name);
    }
    for (joint, was) in session.snapshot().joints.iter().zip(errors) {
        assert!((joint.readout.error - was).abs() < 1e-5, "{what}, {}: {} m", joint.name, joint.readout.error);
    }
}

fn errors(session: &Session) -> Vec<f32> {
    session.snapshot().joints.iter().map(|j| j.readout.error).collect()
}

/// Distance of the anchors of the last joint, m.
fn stretch_of_last(session: &Session) -> f32 {
    let snapshot = session.snapshot();
    let place = snapshot.place(snapshot.joints.last().expect("the scene has joints"));
    place.anchor_a.distance(place.anchor_b)
}

#[test]
fn a_pattern_that_is_moved_or_turned_as_a_whole_stays_a_pattern() {
    let turn = Quat::from_rotation_z(0.7) * Quat::from_rotation_x(0.2);
    for (turn, shift) in [(Quat::IDENTITY, Vec3::new(0.5, 0.0, 1.0)), (turn, Vec3::new(0.3, -2.0, 0.4))] {
        for name in ["chain", "heap", "tower", "crowd"] {
            let mut session = wholes();
            let before = scene(&session).clone();
            let errors = errors(&session);
            let placed = moved(&session, &[name], turn, shift);
            assert!(placed.len() >= 3);
            edit(&mut session, Edit::Place(placed.clone()));
            // The rope's end on the chain moves with it; how far the rope is stretched is not its error.
            assert_placed(&session, &placed, &errors, name);
            // The rows of a grid are along the world's axes.
            let stays = name != "crowd" || turn == Quat::IDENTITY;
            assert_eq!(scene(&session).patterns.len(), if stays { 4 } else { 3 }, "{name}");
            assert_eq!(scene(&session).joints, before.joints, "{name}");
            session.dispatch(Command::Undo).unwrap();
            assert_eq!(scene(&session), &before);
        }
    }
    // If one of its bodies is left behind, or moved differently, it is no longer a pattern.
    let mut session = wholes();
    let placed = moved(&session, &["tower.0", "tower.1"], Quat::IDENTITY, Vec3::X);
    edit(&mut session, Edit::Place(placed));
    assert_eq!(scene(&session).patterns.len(), 3);
}

/// An edit before the first step changes the start, exactly.
#[test]
fn a_velocity_or_a_rope_s_end_that_is_edited_at_the_beginning_counts_at_once() {
    let mut session = wholes();
    let mut door = session.body_entry("door").unwrap();
    (door.velocity, door.at.z) = (Vec3::new(0.0, 2.0, 0.0), 3.0);
    edit(&mut session, Edit::Body { name: "door".into(), body: Box::new(door) });
    let now = session.snapshot().clone();
    session.dispatch(Command::Reset).unwrap();
    let reset = session.snapshot();
    assert_eq!(now.hash, reset.hash);
    let joints =
        |s: &delassus_session::Snapshot| s.joints.iter().map(|j| (j.rest_length, j.readout)).collect::<Vec<_>>();
    assert_eq!(joints(&now), joints(reset));
    assert_eq!(reset.bodies[1].velocity.y, 2.0);
}

#[test]
fn two_wholes_and_a_member_of_a_third_are_moved_at_once() {
    let mut session = wholes();
    let placed = moved(&session, &["chain", "heap", "tower.1", "door"], Quat::IDENTITY, Vec3::new(0.0, 1.0, 0.0));
    edit(&mut session, Edit::Place(placed.clone()));
    assert_placed(&session, &placed, &[], "at once");
    let names: Vec<_> = scene(&session).patterns.iter().map(Pattern::name).collect();
    assert_eq!(names, ["chain", "heap", "crowd"]);
    assert!(scene(&session).bodies.iter().any(|b| b.name == "tower.2"));
}

#[test]
fn a_part_that_is_turned_as_a_whole_stays_a_part() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("wholes.ron"), WHOLES).unwrap();
    let text = r#"(version: 1, title: "Parts", parts: [(name: "p", file: "wholes.ron", at: (0, 0, -0.1))])"#;
    std::fs::write(folder.path().join("scene.ron"), text).unwrap();
    let mut session = Session::open(&folder.path().join("scene.ron")).unwrap_or_else(|e| panic!("{e}"));
    let errors = errors(&session);
    let placed = moved(&session, &["p."], Quat::from_rotation_z(1.2), Vec3::new(3.0, 0.0, 0.0));
    edit(&mut session, Edit::Place(placed.clone()));
    assert_eq!((scene(&session).parts.len(), scene(&session).bodies.len()), (1, 0));
    assert_eq!(scene(&session).parts[0].at.z, -0.1);
    let inner: Vec<f32> = errors;
    // What the part attaches to the world belongs to the part and moves with it.
    assert_placed(&session, &placed, &inner, "a part");
}

/// −0.1 stays −0.1, despite the sums computed there and back.
#[test]
fn numbers_that_were_not_changed_keep_their_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wholes.ron");
    std::fs::write(&path, WHOLES).unwrap();
    let mut session = Session::open(&path).unwrap_or_else(|e| panic!("{e}"));
    let pivot = Vec3::new(0.37, 1.913, 2.71);
    let about = |p: Vec3| pivot + (p - pivot) + Vec3::new(0.0, 0.3, 0.0);
    let placed = moved(&session, &["chain", "door", "wing"], Quat::IDENTITY, Vec3::ZERO);
    let placed = placed.into_iter().map(|p| Placed { at: about(p.at), ..p }).collect();
    edit(&mut session, Edit::Place(placed));
    session.dispatch(Command::Save).unwrap();
    let saved = std::fs::read_to_string(&path).unwrap();
    let expected = WHOLES
        .replace("at: (-0.1, 0, 5)", "at: (-0.1, 0.3, 5)")
        .replace("at: (-0.1, 3, 1.1)", "at: (-0.1, 3.3, 1.1)")
        .replace("at: (0.9, 3, 1.1)", "at: (0.9, 3.3, 1.1)")
        .replace("anchor: (0.4, 3, 1.1)", "anchor: (0.4, 3.3, 1.1)");
    let changed =
        |text: &str| text.lines().filter(|line| !saved.contains(*line)).map(str::to_owned).collect::<Vec<_>>();
    // The joint to the world keeps its place there, and is written with both ends.
    let left: Vec<_> = changed(&expected);
    assert!(left.iter().all(|line| line.contains("(b: \"door\"")), "{left:?}\n{saved}");
}

/// In any state, a mechanism that is moved as a whole is as intact as before, including its joints to the world.
#[test]
fn a_mechanism_that_is_carried_takes_along_what_it_holds_in_the_world() {
    let turn = Quat::from_rotation_z(0.4);
    for (run, turn) in [(0, Quat::IDENTITY), (0, turn), (40, Quat::IDENTITY), (40, turn)] {
        for carried in [true, false] {
            let mut session = wholes();
            edit(&mut session, Edit::Remove { bodies: vec![], joints: vec!["chain.3-door".into()] });
            steps(&mut session, run);
            let errors = errors(&session);
            let shift = Vec3::new(0.5, -0.25, 0.3);
            let placed = moved(&session, &["door", "wing"], turn, shift);
            let stretch = stretch_of_last(&session);
            let what = format!("after {run} steps, {turn}, carried: {carried}");
            edit(
                &mut session,
                if carried { Edit::Carry { placed: placed.clone(), turn, shift } } else { Edit::Place(placed.clone()) },
            );
            if carried {
                assert_placed(&session, &placed, &errors, &what);
                assert!((stretch_of_last(&session) - stretch).abs() < 1e-5, "{what}");
            } else {
                let worst = session.snapshot().joints.iter().map(|j| j.readout.error).fold(0.0, f32::max);
                assert!(worst > 0.3, "left in the world, it pulls: {worst} m, {what}");
            }
            session.dispatch(Command::Undo).unwrap();
        }
    }
}
