//! The session: the effects of commands on the document and on the world. This file: runs, pulling and what can be
//! seen.

mod accounts;
mod ahead;
mod bodies;
mod breakpoints;
mod by_hand;
mod comparison;
mod compounds;
mod edits;
mod elements;
mod faults;
mod files;
mod groups;
mod kept_poses;
mod mid_run;
mod off_frame;
mod others_changes;
mod playing;
mod plots;
mod posing;
mod recording;
mod resident;
mod sensors;
mod timeline;
mod trouble;
mod undo;
mod wholes;

use std::time::Duration;

use delassus_physics::setting::Value;
use delassus_scene::library::{self, scenes_folder};
use delassus_session::{BodyView, Command, Edit, Motion, Placed, Session, SessionError};
use glam::Vec3;

/// A pendulum of three links above a floor with a box on it.
const SCENE: &str = r#"(
    version: 1,
    title: "Test",
    settings: (preset: SingleStep, solver: (iterations: 8), step: (gravity: (0, 0, -10))),
    bodies: [
        (name: "floor", shape: Box(half: (10, 10, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "post", shape: Box(half: (0.1, 0.1, 0.1)), at: (0, 0, 4), motion: Static),
        (name: "one", shape: Box(half: (0.2, 0.2, 0.2)), at: (1, 0, 4), mass: 1),
        (name: "two", shape: Sphere(radius: 0.2), at: (2, 0, 4), mass: 1),
        (name: "box", shape: Box(half: (0.5, 0.5, 0.5)), at: (-3, 0, 0.5), mass: 2),
    ],
    joints: [
        (a: "post", b: "one", anchor: (0, 0, 4), kind: BallSocket()),
        (a: "one", b: "two", anchor: (1, 0, 4), kind: BallSocket()),
    ],
    experiments: [
        (name: "fifty", set: (solver: (iterations: 50))),
        (name: "cold", set: (warm_start: (enabled: false))),
    ],
)"#;

/// Forty chains of twenty beads, row by row. With 32 sub-steps and 200 sweeps a step takes a good part of a second.
const MANY: &str = r#"(
    version: 1,
    title: "Many",
    settings: (preset: SingleStep, solver: (rows: Scalar, lanes: false, iterations: 5)),
    patterns: [
        Grid(
            name: "chain",
            count: (1, 10, 4),
            spacing: (0, 1, 9),
            of: Chain(
                body: (shape: Sphere(radius: 0.1), at: (0, 0, 40), mass: 1, collide: false),
                count: 20,
                spacing: (0.25, 0, 0),
                joint: (kind: BallSocket),
                first: Static,
            ),
        ),
    ],
)"#;

fn many() -> Session {
    Session::from_text(MANY, "many").unwrap_or_else(|error| panic!("{error}"))
}

/// Makes the steps of [`many`] slow.
fn slow_down(session: &mut Session) {
    set(session, "solver.iterations", Value::Int(200));
    set(session, "step.substeps", Value::Int(32));
}

fn session() -> Session {
    match Session::from_text(SCENE, "test") {
        Ok(session) => session,
        Err(error) => panic!("{error}"),
    }
}

fn steps(session: &mut Session, n: u32) {
    for _ in 0..n {
        session.dispatch(Command::Step).unwrap();
    }
}

/// Opens each scene of the library that is small enough to be run often, and records it.
fn each_recorded_scene(mut run: impl FnMut(&str, Session)) {
    for entry in library::ordinary(&scenes_folder()) {
        let mut session = Session::open(&entry.path).unwrap_or_else(|e| panic!("{e}"));
        if session.snapshot().bodies.len() <= 130 {
            session.dispatch(Command::Record).unwrap();
            run(&entry.id, session);
        }
    }
}

/// A body that can move, if there is one.
fn moving(session: &Session) -> Option<BodyView> {
    session.snapshot().bodies.iter().find(|body| body.motion == Motion::Dynamic).cloned()
}

/// Pulls a body around and releases it, calling `each` after every pull.
fn pull_about(session: &mut Session, body: &BodyView, mut each: impl FnMut(&mut Session)) {
    for k in 1..5 {
        let target = body.pose.position + Vec3::new(0.05 * k as f32, 0.1, 0.2);
        session.dispatch(Command::MouseJoint { body: body.id, point: Vec3::ZERO, target }).unwrap();
        assert!(session.snapshot().mouse_joint.is_some_and(|hand| hand.target == target), "it is seen at once");
        each(session);
    }
    session.dispatch(Command::Release).unwrap();
    assert_eq!(session.snapshot().mouse_joint, None);
}

/// Lifts a body by a centimetre. Some bodies may not be moved alone: returns whether this one may.
fn lift(session: &mut Session, body: &BodyView) -> bool {
    let now = session.snapshot().body(body.id).expect("it is there still").pose;
    let placed = Placed { name: body.name.to_string(), at: now.position + Vec3::Z * 0.01, rotation: now.rotation };
    session.dispatch(Command::Edit { edit: Edit::Place(vec![placed]), gesture: None }).is_ok()
}

fn edit(session: &mut Session, edit: Edit) -> Result<(), SessionError> {
    session.dispatch(Command::Edit { edit, gesture: None })
}

fn set(session: &mut Session, name: &'static str, value: Value) {
    session.dispatch(Command::Set { name, value }).unwrap();
}

fn iterations(session: &Session) -> u32 {
    session.settings().solver.iterations
}

fn hash_after(session: &mut Session, n: u32) -> u64 {
    steps(session, n);
    session.snapshot().hash
}

#[test]
fn two_runs_of_one_scene_end_in_the_same_bits() {
    assert_eq!(hash_after(&mut session(), 200), hash_after(&mut session(), 200));
}

#[test]
fn reset_returns_to_the_document_and_the_run_repeats() {
    let mut session = session();
    let start = session.snapshot().hash;
    let end = hash_after(&mut session, 100);
    session.dispatch(Command::Reset).unwrap();
    assert_eq!((session.snapshot().hash, session.snapshot().step), (start, 0));
    assert_eq!(session.samples().samples.len(), 1, "the plots begin anew");
    // The earlier run stays as a ghost.
    let earlier = session.earlier().expect("the run before");
    assert_eq!(earlier.samples.back().map(|last| last.step), Some(100));
    assert_eq!(hash_after(&mut session, 100), end);
}

#[test]
fn recorded_inputs_lead_to_the_same_bits() {
    let mut session = session();
    steps(&mut session, 20);
    set(&mut session, "solver.iterations", Value::Int(3));
    steps(&mut session, 20);
    let hit = session.pick(Vec3::new(-3.0, 0.0, 9.0), Vec3::NEG_Z).unwrap();
    for i in 0..30 {
        let target = hit.point + Vec3::new(0.0, 0.05 * i as f32, 0.02 * i as f32);
        session.dispatch(Command::MouseJoint { body: hit.body, point: hit.local, target }).unwrap();
        steps(&mut session, 1);
    }
    session.dispatch(Command::Release).unwrap();
    steps(&mut session, 20);
    assert_eq!(session.inputs().len(), 1 + 30 + 1);
    assert_eq!(session.replayed_hash(), Some(session.snapshot().hash));
}

#[test]
fn the_pulled_body_follows_the_hand() {
    let mut session = session();
    let hit = session.pick(Vec3::new(-3.0, 0.0, 9.0), Vec3::NEG_Z).unwrap();
    assert_eq!(&*session.snapshot().body(hit.body).unwrap().name, "box");
    assert!((hit.point - Vec3::new(-3.0, 0.0, 1.0)).length() < 1e-4, "{}", hit.point);
    assert!((hit.distance - 8.0).abs() < 1e-4);
    let target = Vec3::new(-3.0, 2.0, 3.0);
    session.dispatch(Command::MouseJoint { body: hit.body, point: hit.local, target }).unwrap();
    steps(&mut session, 240);
    let pull = session.snapshot().mouse_joint.unwrap();
    assert!((pull.point - target).length() < 0.2, "held point {} against {target}", pull.point);
    session.dispatch(Command::Release).unwrap();
    assert!(session.snapshot().mouse_joint.is_none());
    let bad = Command::MouseJoint { body: 99, point: Vec3::ZERO, target };
    assert!(matches!(session.dispatch(bad), Err(SessionError::NoBody(99))));
}

#[test]
fn the_snapshot_knows_names_mechanisms_and_interpolates() {
    let mut session = session();
    let names: Vec<_> = session.snapshot().bodies.iter().map(|b| b.name.to_string()).collect();
    assert_eq!(names, ["floor", "post", "one", "two", "box"]);
    let mechanism = |i: usize| session.snapshot().bodies[i].mechanism;
    assert_eq!(mechanism(2), mechanism(3), "one and two hang together");
    assert_ne!(mechanism(1), mechanism(2), "a post is not part of what hangs from it");
    assert_eq!(&*session.snapshot().joints[0].name, "post-one");
    steps(&mut session, 20);
    let body = &session.snapshot().bodies[3];
    let fell = body.pose.position - body.previous.position;
    // Except for the corrections of the stabilisation.
    assert!((fell - body.velocity / 60.0).length() < 2e-3, "{fell} in a step at {}", body.velocity);
    assert!(session.snapshot().contacts.len() >= 4, "the box stands on the floor");
}

#[test]
fn rays_meet_the_nearest_body_or_nothing() {
    let session = session();
    let hit = session.pick(Vec3::new(-9.0, 0.0, 4.0), Vec3::new(5.0, 0.0, 0.0)).unwrap();
    assert_eq!(&*session.snapshot().body(hit.body).unwrap().name, "post");
    assert!((hit.normal - Vec3::NEG_X).length() < 1e-4);
    assert!(session.pick(Vec3::new(0.0, 0.0, 9.0), Vec3::Z).is_none());
    assert!(session.pick(Vec3::ZERO, Vec3::ZERO).is_none());
    assert!(session.pick(Vec3::NAN, Vec3::X).is_none());
}

#[test]
fn without_a_scene_commands_are_refused_and_time_stands() {
    let mut session = Session::new();
    for command in [Command::Step, Command::Reset, Command::KeepPose, Command::Release] {
        assert!(matches!(session.dispatch(command), Err(SessionError::NoScene)));
    }
    session.dispatch(Command::Play).unwrap();
    assert_eq!(session.advance(Duration::from_secs(1), Duration::from_secs(1)), 0);
    assert!(!session.playing());
}
