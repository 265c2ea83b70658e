//! The session: what commands do to the document and to the world.

use std::path::PathBuf;
use std::time::Duration;

use delassus::physics::setting::Value;
use delassus::session::{Command, Session, SessionError};
use glam::Vec3;

/// A pendulum of three links above a floor with a box on it.
const SCENE: &str = r#"(
    version: 1,
    title: "Test",
    settings: (solver: (iterations: 8), step: (gravity: (0, 0, -10))),
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
        session.dispatch(Command::Pull { body: hit.body, point: hit.local, target }).unwrap();
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
    session.dispatch(Command::Pull { body: hit.body, point: hit.local, target }).unwrap();
    steps(&mut session, 240);
    let pull = session.snapshot().pull.unwrap();
    assert!((pull.point - target).length() < 0.2, "held point {} against {target}", pull.point);
    session.dispatch(Command::Release).unwrap();
    assert!(session.snapshot().pull.is_none());
    let bad = Command::Pull { body: 99, point: Vec3::ZERO, target };
    assert!(matches!(session.dispatch(bad), Err(SessionError::NoBody(99))));
}

#[test]
fn a_flipped_switch_is_an_edit_that_the_running_world_follows() {
    let mut session = session();
    steps(&mut session, 10);
    let hash = session.snapshot().hash;
    set(&mut session, "warm_start.enabled", Value::Bool(false));
    assert_eq!(session.snapshot().hash, hash, "no restart");
    assert_eq!(session.snapshot().step, 10);
    assert!(!session.world().unwrap().settings.warm_start.enabled);
    assert_eq!(session.scene().unwrap().settings.warm_start.enabled, Some(false));
    assert_eq!(session.settings_differ_from_file(), ["warm_start.enabled"]);
    assert!(session.differs("warm_start.enabled") && session.is_dirty());
    let mark = session.samples().marks.back().unwrap();
    assert_eq!((mark.step, mark.label.as_str()), (10, "Warm starting off"));
    assert_eq!(session.undo_label(), Some("Warm starting off"));
    session.dispatch(Command::Undo).unwrap();
    assert!(session.world().unwrap().settings.warm_start.enabled && !session.is_dirty());
    session.dispatch(Command::Redo).unwrap();
    assert!(!session.settings().warm_start.enabled);
    assert!(matches!(session.dispatch(Command::Redo), Err(SessionError::NothingToRedo)));
    // Reset makes the world again, with the edited settings.
    session.dispatch(Command::Reset).unwrap();
    assert!(!session.world().unwrap().settings.warm_start.enabled);
}

#[test]
fn a_drag_is_one_undo_and_leaves_one_mark() {
    let mut session = session();
    for i in 9..40 {
        set(&mut session, "solver.iterations", Value::Int(i));
        session.advance(Duration::from_millis(16), Duration::from_millis(8));
    }
    assert_eq!(session.samples().marks.len(), 1);
    session.advance(Duration::from_secs(2), Duration::from_millis(8));
    set(&mut session, "solver.iterations", Value::Int(50));
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(iterations(&session), 39);
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(iterations(&session), 8);
    assert!(matches!(session.dispatch(Command::Undo), Err(SessionError::NothingToUndo)));
}

#[test]
fn a_setting_goes_back_to_the_files_value_not_the_default() {
    let mut session = session();
    set(&mut session, "solver.iterations", Value::Int(3));
    set(&mut session, "stabilization.beta", Value::Real(0.5));
    session.dispatch(Command::ResetSetting("solver.iterations")).unwrap();
    assert_eq!(iterations(&session), 8);
    assert_eq!(session.settings_differ_from_file(), ["stabilization.beta"]);
    session.dispatch(Command::ResetSettings).unwrap();
    assert!(!session.is_dirty(), "a change that is taken back leaves no trace");
}

#[test]
fn mistaken_settings_change_nothing() {
    let mut session = session();
    for (name, value) in [
        ("solver.iterations", Value::Real(3.0)),
        ("solver.iterations", Value::Int(1_000_000)),
        ("stabilization.beta", Value::Real(f32::NAN)),
        ("solver.iteration", Value::Int(3)),
    ] {
        assert!(session.dispatch(Command::Set { name, value }).is_err());
    }
    assert!(!session.is_dirty() && session.undo_label().is_none());
}

#[test]
fn experiments_replace_each_other_on_top_of_the_file() {
    let mut session = session();
    assert_eq!(session.active_experiment(), None);
    session.dispatch(Command::ApplyExperiment(0)).unwrap();
    assert_eq!((iterations(&session), session.active_experiment()), (50, Some(0)));
    session.dispatch(Command::ApplyExperiment(1)).unwrap();
    assert_eq!((iterations(&session), session.active_experiment()), (8, Some(1)));
    assert_eq!(session.samples().marks.back().unwrap().label, "cold");
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(session.active_experiment(), Some(0));
    assert!(matches!(session.dispatch(Command::ApplyExperiment(2)), Err(SessionError::NoExperiment(2))));
}

#[test]
fn stepping_back_is_exact() {
    let mut session = session();
    let mut hashes = vec![session.snapshot().hash];
    for i in 0..60 {
        if i == 25 {
            set(&mut session, "solver.iterations", Value::Int(2));
        }
        hashes.push(hash_after(&mut session, 1));
    }
    for step in (26..60).rev() {
        session.dispatch(Command::StepBack).unwrap();
        assert_eq!((session.snapshot().step, session.snapshot().hash), (step, hashes[step as usize]));
        assert_eq!(session.samples().samples.back().unwrap().step, step);
    }
    // And forward again the same way.
    assert_eq!(hash_after(&mut session, 4), hashes[30]);
    for _ in 0..30 {
        session.dispatch(Command::StepBack).unwrap();
    }
    assert_eq!(session.snapshot().hash, hashes[0]);
    assert!(matches!(session.dispatch(Command::StepBack), Err(SessionError::NoEarlierState)));
}

#[test]
fn time_passes_only_while_playing() {
    let mut session = session();
    let frame = Duration::from_millis(50);
    assert_eq!(session.advance(frame, frame), 0);
    assert_eq!(session.alpha(), 1.0);
    session.dispatch(Command::Play).unwrap();
    assert_eq!(session.advance(frame, frame), 3);
    assert_eq!(session.snapshot().step, 3);
    session.dispatch(Command::SetSpeed(0.1)).unwrap();
    assert_eq!(session.advance(frame, frame), 0);
    assert!(session.alpha() > 0.2 && session.alpha() < 0.4, "{}", session.alpha());
    session.dispatch(Command::Step).unwrap();
    assert!(!session.playing() && session.alpha() == 1.0 && session.snapshot().step == 4);
}

#[test]
fn no_budget_still_makes_one_step_and_the_rest_is_dropped() {
    let mut session = session();
    session.dispatch(Command::Play).unwrap();
    for frame in 1..=50 {
        assert_eq!(session.advance(Duration::from_millis(100), Duration::ZERO), 1);
        assert_eq!(session.snapshot().step, frame);
    }
    assert!(session.behind() && session.real_time_factor() < 0.3);
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
    // But for what stabilisation corrects.
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
fn a_kept_pose_is_where_reset_returns_to() {
    let mut session = session();
    steps(&mut session, 45);
    let kept: Vec<_> = session.snapshot().bodies.iter().map(|b| b.pose).collect();
    let anchors: Vec<_> = session.snapshot().joints.iter().map(|j| (j.anchor_a, j.anchor_b)).collect();
    session.dispatch(Command::KeepPose).unwrap();
    assert!(session.is_dirty());
    session.dispatch(Command::Reset).unwrap();
    for (body, pose) in session.snapshot().bodies.iter().zip(&kept) {
        assert!((body.pose.position - pose.position).length() < 1e-6, "{}", body.name);
        assert!(body.pose.rotation.angle_between(pose.rotation) < 1e-3, "{}", body.name);
    }
    for (joint, (a, b)) in session.snapshot().joints.iter().zip(&anchors) {
        assert!((joint.anchor_a - a).length() < 1e-5 && (joint.anchor_b - b).length() < 1e-5, "{}", joint.name);
    }
    session.dispatch(Command::Undo).unwrap();
    assert!(!session.is_dirty());
    session.dispatch(Command::Reset).unwrap();
    assert_eq!(session.snapshot().bodies[2].pose.position, Vec3::new(1.0, 0.0, 4.0));
}

#[test]
fn a_kept_pose_writes_patterns_out() {
    let scene = r#"(
        version: 1,
        title: "Chain",
        patterns: [Chain(
            name: "chain",
            body: (shape: Sphere(radius: 0.1), at: (0, 0, 4), mass: 1),
            count: 4, spacing: (1, 0, 0), first: Static, joint: (kind: BallSocket(), along: 0),
        )],
    )"#;
    let mut session = Session::from_text(scene, "chain").unwrap_or_else(|e| panic!("{e}"));
    steps(&mut session, 30);
    let end = session.snapshot().bodies[3].pose.position;
    session.dispatch(Command::KeepPose).unwrap();
    let kept = session.scene().unwrap();
    assert!(kept.patterns.is_empty() && kept.bodies.len() == 4 && kept.joints.len() == 3);
    session.dispatch(Command::Reset).unwrap();
    assert!((session.snapshot().bodies[3].pose.position - end).length() < 1e-6);
    let names: Vec<_> = session.snapshot().bodies.iter().map(|b| b.name.to_string()).collect();
    assert_eq!(names, ["chain.0", "chain.1", "chain.2", "chain.3"]);
}

/// A folder that is removed at the end.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn write(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn saving_writes_the_flipped_switch_and_cleans_the_document() {
    let folder = folder();
    let path = write(&folder, "scene.ron", SCENE);
    let mut session = Session::open(&path).unwrap();
    assert_eq!(session.title(), "Test");
    set(&mut session, "warm_start.enabled", Value::Bool(false));
    session.dispatch(Command::Save).unwrap();
    assert!(!session.is_dirty() && session.settings_differ_from_file().is_empty());
    let again = Session::open(&path).unwrap();
    assert!(!again.settings().warm_start.enabled);
    assert_eq!(iterations(&again), 8, "what the file named stays named");
    assert_eq!(again.scene(), session.scene());
    // The edit can still be undone, and is a change of the file then.
    session.dispatch(Command::Undo).unwrap();
    assert!(session.is_dirty());
    let other = folder.path().join("other.ron");
    session.dispatch(Command::SaveAs(other.clone())).unwrap();
    assert_eq!(session.file(), Some(other.as_path()));
    assert!(Session::open(&other).unwrap().settings().warm_start.enabled);
}

#[test]
fn a_broken_file_leaves_the_present_scene_open() {
    let folder = folder();
    let broken = write(&folder, "broken.ron", "(version: 1, title: \"x\", bodies: [(name: 3)])");
    let mut session = session();
    let hash = hash_after(&mut session, 5);
    for path in [broken, folder.path().join("absent.ron")] {
        let error = session.dispatch(Command::Open(path.clone())).unwrap_err();
        assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    }
    assert_eq!((session.snapshot().hash, session.title().as_str()), (hash, "Test"));
    assert!(matches!(session.dispatch(Command::Save), Err(SessionError::NoFile)));
    assert!(matches!(session.dispatch(Command::Reload), Err(SessionError::NoFile)));
}

#[test]
fn reload_reads_what_others_wrote() {
    let folder = folder();
    let path = write(&folder, "scene.ron", SCENE);
    let mut session = Session::open(&path).unwrap();
    set(&mut session, "solver.iterations", Value::Int(3));
    let generation = session.generation();
    write(&folder, "scene.ron", &SCENE.replace("iterations: 8", "iterations: 9"));
    session.dispatch(Command::Reload).unwrap();
    assert_eq!(iterations(&session), 9);
    assert!(!session.is_dirty() && session.undo_label().is_none());
    assert!(session.generation() > generation);
}

#[test]
fn parts_are_still_found_from_another_folder() {
    let folder = folder();
    write(&folder, "part.ron", SCENE);
    let whole = r#"(version: 1, title: "Whole", parts: [(name: "p", file: "part.ron")])"#;
    let path = write(&folder, "whole.ron", whole);
    let mut session = Session::open(&path).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(session.snapshot().bodies.len(), 5);
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    let elsewhere = folder.path().join("deep/whole.ron");
    session.dispatch(Command::SaveAs(elsewhere.clone())).unwrap();
    assert_eq!(session.scene().unwrap().parts[0].file, "../part.ron");
    assert_eq!(Session::open(&elsewhere).unwrap_or_else(|e| panic!("{e}")).snapshot().bodies.len(), 5);
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
