//! Writing the document to files and reading it.

use std::path::PathBuf;

use delassus_session::{Edit, Element, JointPose, Placed, Snapshot};
use glam::Quat;

use super::*;

/// Where the joints are.
fn places(snapshot: &Snapshot) -> Vec<JointPose> {
    snapshot.joints.iter().map(|joint| snapshot.place(joint)).collect()
}

#[test]
fn a_kept_pose_is_where_reset_returns_to() {
    let mut session = session();
    steps(&mut session, 45);
    let kept: Vec<_> = session.snapshot().bodies.iter().map(|b| b.pose).collect();
    let anchors = places(session.snapshot());
    session.dispatch(Command::KeepPose).unwrap();
    assert!(session.is_dirty());
    session.dispatch(Command::Reset).unwrap();
    for (body, pose) in session.snapshot().bodies.iter().zip(&kept) {
        assert!((body.pose.position - pose.position).length() < 1e-6, "{}", body.name);
        assert!(body.pose.rotation.angle_between(pose.rotation) < 1e-3, "{}", body.name);
    }
    for ((joint, now), kept) in session.snapshot().joints.iter().zip(places(session.snapshot())).zip(&anchors) {
        let moved = now.anchor_a.distance(kept.anchor_a).max(now.anchor_b.distance(kept.anchor_b));
        assert!(moved < 1e-5, "{}", joint.name);
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

#[test]
fn every_kind_of_joint_is_as_satisfied_in_a_kept_pose() {
    let scenes = delassus_scene::library(&delassus_scene::library::scenes_folder());
    for entry in scenes.iter().filter(|e| e.folder() == "rows") {
        let mut session = Session::open(&entry.path).unwrap_or_else(|e| panic!("{e}"));
        steps(&mut session, 150);
        let before = session.snapshot().clone();
        session.dispatch(Command::KeepPose).unwrap();
        session.dispatch(Command::Reset).unwrap();
        for (then, now) in before.joints.iter().filter(|j| j.broken.is_none()).zip(&session.snapshot().joints) {
            let (id, name) = (&entry.id, &now.name);
            assert_eq!(then.name, now.name, "{id}: the order stays");
            assert!(
                now.readout.error < then.readout.error + 1e-4,
                "{id}, {name}: {} m against {}",
                now.readout.error,
                then.readout.error
            );
            let (a, b) = (now.readout.angular_error, then.readout.angular_error);
            assert!(a < b + 1e-3, "{id}, {name}: {a} rad against {b}");
        }
    }
}

/// A folder that is deleted at the end.
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
    // The edit can still be undone, which is then a change relative to the file.
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
    assert!(!session.is_dirty());
    assert!(session.generation() > generation);
}

#[test]
fn a_reload_that_lost_mine_is_undone() {
    let folder = folder();
    let path = write(&folder, "scene.ron", SCENE);
    let mut session = Session::open(&path).unwrap();
    set(&mut session, "solver.iterations", Value::Int(3));
    let bob = Edit::Place(vec![Placed { name: "box".into(), at: Vec3::new(4.0, 0.0, 0.5), rotation: Quat::IDENTITY }]);
    session.dispatch(Command::Edit { edit: bob, gesture: None }).unwrap();
    let mine = session.scene().cloned().unwrap();
    steps(&mut session, 10);
    write(&folder, "scene.ron", &SCENE.replace("iterations: 8", "iterations: 9").replace("Test", "Theirs"));
    session.dispatch(Command::Reload).unwrap();
    let theirs = session.scene().cloned().unwrap();
    assert_eq!((session.undo_label(), session.snapshot().step), (Some("Reload scene.ron"), 0));
    steps(&mut session, 10);
    session.dispatch(Command::Undo).unwrap();
    assert_eq!((session.scene(), iterations(&session), session.is_dirty()), (Some(&mine), 3, true));
    assert_eq!(session.snapshot().bodies[4].pose.position.x, 4.0);
    session.dispatch(Command::Redo).unwrap();
    assert_eq!((session.scene(), iterations(&session), session.is_dirty()), (Some(&theirs), 9, false));
    // Earlier edits can be undone as well; when saved, my version is written in the wording of their file.
    session.dispatch(Command::Travel(-3)).unwrap();
    assert_eq!((session.title().as_str(), iterations(&session)), ("Test", 8));
    session.dispatch(Command::Save).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), SCENE);
}

#[test]
fn a_conflict_is_told_entry_by_entry_and_either_can_be_taken() {
    use delassus_session::EntryChange;
    let folder = folder();
    let path = write(&folder, "scene.ron", SCENE);
    let mut session = Session::open(&path).unwrap();
    assert_eq!(session.conflict().unwrap().differences, []);
    // Mine: other iterations, a moved box, no second link. Theirs: a heavier box, a heavier first link, a new ball.
    set(&mut session, "solver.iterations", Value::Int(3));
    let at = Vec3::new(4.0, 0.0, 0.5);
    let place = Edit::Place(vec![Placed { name: "box".into(), at, rotation: Quat::IDENTITY }]);
    let remove = Edit::Remove { bodies: vec!["two".into()], joints: vec![] };
    for edit in [place, remove] {
        session.dispatch(Command::Edit { edit, gesture: None }).unwrap();
    }
    let mine = session.scene().cloned().unwrap();
    let theirs = SCENE
        .replace(
            "at: (-3, 0, 0.5), mass: 2),",
            "at: (-3, 0, 0.5), mass: 5),\n(name: \"new\", shape: Sphere(radius: 0.1)),",
        )
        .replace("at: (1, 0, 4), mass: 1", "at: (1, 0, 4), mass: 7");
    write(&folder, "scene.ron", &theirs);
    let conflict = session.conflict().unwrap();
    let differences: Vec<_> = (conflict.differences.iter())
        .map(|d| (d.what, d.name.as_str(), d.mine.fate, d.theirs.fate, d.proposes_theirs(), d.is_both()))
        .collect();
    use EntryChange::{Added, Changed, Removed, Same};
    let expected = [
        ("setting", "solver.iterations", Changed, Same, false, false),
        ("body", "one", Same, Changed, true, false),
        ("body", "box", Changed, Changed, false, true),
        ("body", "new", Same, Added, true, false),
        ("body", "two", Removed, Same, false, false),
        ("joint", "one-two", Removed, Same, false, false),
    ];
    let sorted = |mut list: Vec<_>| {
        list.sort_by_key(|(what, name, ..): &(&str, &str, EntryChange, EntryChange, bool, bool)| {
            format!("{what} {name}")
        });
        list
    };
    assert_eq!(sorted(differences), sorted(expected.to_vec()));
    let of = |name: &str| conflict.differences.iter().find(|d| d.name == name).unwrap();
    assert_eq!((of("one").mine.words.as_str(), of("one").theirs.words.as_str()), ("mass: 1.0", "mass: 7.0"));
    // With the proposed choices: the changes from both sides, and mine where they conflict.
    let takes: Vec<bool> = conflict.differences.iter().map(|d| d.proposes_theirs()).collect();
    session.dispatch(Command::Merge { conflict: Box::new(conflict.clone()), theirs: takes }).unwrap();
    let merged = session.scene().cloned().unwrap();
    let masses: Vec<_> = merged.bodies.iter().map(|b| (b.name.as_str(), b.mass)).collect();
    let masses_expected = [("floor", None), ("post", None), ("one", Some(7.0)), ("box", Some(2.0)), ("new", None)];
    assert_eq!(masses, masses_expected);
    assert_eq!((merged.bodies[3].at, merged.joints.len(), iterations(&session)), (at, 1, 3));
    assert!(session.is_dirty() && session.on_disk() == delassus_session::OnDisk::Same);
    session.dispatch(Command::Undo).unwrap();
    assert_eq!(session.scene(), Some(&mine));
    // Taking all of theirs gives their file.
    let takes = vec![true; conflict.differences.len()];
    session.dispatch(Command::Merge { conflict: Box::new(conflict.clone()), theirs: takes }).unwrap();
    assert_eq!(session.scene(), Some(&delassus_scene::read_str(&theirs, "theirs").unwrap().scene));
    assert!(!session.is_dirty());
    session.dispatch(Command::Undo).unwrap();
    // A merge that gives no valid scene is refused: their link without my missing body.
    let takes: Vec<bool> = conflict.differences.iter().map(|d| d.what == "joint").collect();
    assert!(session.dispatch(Command::Merge { conflict: Box::new(conflict), theirs: takes }).is_err());
    assert_eq!(session.scene(), Some(&mine));
}

/// What a scene expects was once not compared, so that their change of it was lost.
#[test]
fn a_merge_takes_what_their_scene_expects() {
    let folder = folder();
    let path = write(&folder, "scene.ron", SCENE);
    let mut session = Session::open(&path).unwrap_or_else(|e| panic!("{e}"));
    write(&folder, "scene.ron", &SCENE.replacen("version: 1,", "version: 1, expects: [mass],", 1));
    let conflict = session.conflict().unwrap();
    let names: Vec<_> = conflict.differences.iter().map(|d| (d.name.as_str(), d.proposes_theirs())).collect();
    assert_eq!(names, [("expects", true)]);
    session.dispatch(Command::Merge { conflict: Box::new(conflict), theirs: vec![true] }).unwrap();
    assert_eq!(session.scene().unwrap().expects.len(), 1);
    assert!(!session.is_dirty());
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
fn an_undo_after_saving_elsewhere_still_finds_the_parts() {
    let folder = folder();
    write(&folder, "part.ron", SCENE);
    let whole = r#"(version: 1, title: "Whole", parts: [(name: "p", file: "part.ron")])"#;
    let path = write(&folder, "whole.ron", whole);
    let mut session = Session::open(&path).unwrap_or_else(|e| panic!("{e}"));
    let place = |session: &mut Session, x: f32| {
        let mut part = session.scene().unwrap().parts[0].clone();
        part.at.x = x;
        let edit = Edit::Element(Element::Part { index: 0, part: Box::new(part) });
        session.dispatch(Command::Edit { edit, gesture: None }).unwrap_or_else(|e| panic!("{e}"));
    };
    let x = |session: &Session| session.snapshot().bodies[0].pose.position.x;
    place(&mut session, 1.0);
    place(&mut session, 2.0);
    session.dispatch(Command::Undo).unwrap();
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    session.dispatch(Command::SaveAs(folder.path().join("deep/whole.ron"))).unwrap();
    session.dispatch(Command::Undo).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((x(&session), session.scene().unwrap().parts[0].file.as_str()), (0.0, "../part.ron"));
    session.dispatch(Command::Travel(2)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((x(&session), session.scene().unwrap().parts[0].file.as_str()), (2.0, "../part.ron"));
    // Also in mid-run: the states to which an undo leads back know the new names.
    steps(&mut session, 10);
    place(&mut session, 3.0);
    steps(&mut session, 10);
    session.dispatch(Command::SaveAs(path.clone())).unwrap();
    session.dispatch(Command::Undo).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((x(&session), session.scene().unwrap().parts[0].file.as_str()), (2.0, "part.ron"));
    session.dispatch(Command::Reset).unwrap_or_else(|e| panic!("{e}"));
    session.dispatch(Command::Travel(-2)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(x(&session), 0.0);
}

/// Written by hand, with comments, in an order and layout of the author's own.
const BY_HAND: &str = r#"// A pendulum, written by hand.
(
    version: 1,
    title: "By hand",
    bodies: [
        // holds it
        (name: "post",  shape: Box(half: (0.1,0.1,0.1)), at: (0,0,4), motion: Static),

        (name: "bob",   shape: Sphere(radius: 0.20), at: (1,0,4), mass: 1), // swings
        (name: "other", shape: Sphere(radius: 0.20), at: (5,0,4), mass: 1),
    ],
    // the only one
    joints: [(a: "post", b: "bob", anchor: (0,0,4), kind: BallSocket)],
    settings: (step: (gravity: (0, 0, -10))), /* as in the book */
)
"#;

#[test]
fn what_was_not_touched_stays_as_it_was_written() {
    let folder = folder();
    let path = write(&folder, "hand.ron", BY_HAND);
    let mut session = Session::open(&path).unwrap_or_else(|e| panic!("{e}"));
    let mut bob = session.body_entry("bob").unwrap();
    bob.mass = Some(3.0);
    let edit = delassus_session::Edit::Body { name: "bob".into(), body: Box::new(bob) };
    session.dispatch(Command::Edit { edit, gesture: None }).unwrap();
    session.dispatch(Command::Save).unwrap();
    let saved = std::fs::read_to_string(&path).unwrap();
    assert_eq!(saved, BY_HAND.replace("at: (1,0,4), mass: 1", "at: (1,0,4), mass: 3"));
    // After undo and another save it is the author's text byte for byte, also in another place.
    session.dispatch(Command::Undo).unwrap();
    let other = folder.path().join("other.ron");
    session.dispatch(Command::SaveAs(other.clone())).unwrap();
    assert_eq!(std::fs::read_to_string(&other).unwrap(), BY_HAND);
}

#[test]
fn a_file_that_another_program_has_written_or_removed_is_noticed() {
    use delassus_session::OnDisk;
    let folder = folder();
    let path = write(&folder, "scene.ron", SCENE);
    let mut session = Session::open(&path).unwrap();
    assert_eq!(session.on_disk(), OnDisk::Same);
    write(&folder, "scene.ron", SCENE);
    assert_eq!(session.on_disk(), OnDisk::Same, "the same text, whenever it was written");
    write(&folder, "scene.ron", &SCENE.replace("iterations: 8", "iterations: 9"));
    assert_eq!(session.on_disk(), OnDisk::Changed);
    // With a mistake in the file, the current scene stays.
    write(&folder, "scene.ron", "(version: 1, title: ");
    assert!(session.dispatch(Command::Reload).is_err());
    assert_eq!((iterations(&session), session.on_disk()), (8, OnDisk::Changed));
    std::fs::remove_file(&path).unwrap();
    assert_eq!(session.on_disk(), OnDisk::Gone);
    session.dispatch(Command::Save).unwrap();
    assert_eq!(session.on_disk(), OnDisk::Same, "our own saving is no change");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), SCENE);
}

#[test]
fn the_exported_state_begins_where_the_run_is_and_goes_on_alike() {
    let folder = folder();
    let path = write(&folder, "scene.ron", SCENE);
    let mut session = Session::open(&path).unwrap();
    steps(&mut session, 30);
    let here = session.snapshot().clone();
    let state = folder.path().join("state.ron");
    session.dispatch(Command::Export(state.clone())).unwrap();
    assert_eq!((session.file(), session.is_dirty()), (Some(path.as_path()), false), "the document stays");
    let mut other = Session::open(&state).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(other.title(), "Test at 0.50 s");
    for (then, now) in here.bodies.iter().zip(&other.snapshot().bodies) {
        assert!(then.pose.position.distance(now.pose.position) < 1e-6, "{}", then.name);
        assert!((then.velocity - now.velocity).length() < 1e-5, "{}: {}", then.name, now.velocity);
        assert!(
            (then.angular_velocity - now.angular_velocity).length() < 1e-5,
            "{}: {}",
            then.name,
            now.angular_velocity
        );
    }
    assert!(here.bodies[2].velocity.length() > 1.0, "it swings");
    steps(&mut session, 10);
    steps(&mut other, 10);
    let (a, b) = (session.snapshot().bodies[2].pose.position, other.snapshot().bodies[2].pose.position);
    assert!(a.distance(b) < 0.01, "{a} {b}");
    // Never over the document's own file.
    assert!(matches!(session.dispatch(Command::Export(path.clone())), Err(SessionError::Refused(_))));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), SCENE);
}

#[test]
fn claims_of_a_scene_are_not_made_of_its_exported_state() {
    let folder = folder();
    let claims = "claims: [\"joint_error_max < 1 m\"],";
    let text = SCENE.replacen("settings: (", &format!("{claims} settings: ("), 1).replacen(
        "(name: \"fifty\",",
        &format!("(name: \"fifty\", {claims}"),
        1,
    );
    let mut session = Session::open(&write(&folder, "scene.ron", &text)).unwrap_or_else(|e| panic!("{e}"));
    let scene = session.scene().unwrap();
    assert_eq!((scene.claims.len(), scene.experiments[0].claims.len()), (1, 1), "the scene has claims");
    steps(&mut session, 30);
    let state = folder.path().join("state.ron");
    session.dispatch(Command::Export(state.clone())).unwrap();
    let other = Session::open(&state).unwrap_or_else(|e| panic!("{e}"));
    let scene = other.scene().unwrap();
    assert!(scene.claims.is_empty(), "{:?}", scene.claims);
    assert_eq!((scene.experiments[0].name.as_str(), scene.experiments[0].claims.len()), ("fifty", 0));
}

#[test]
fn recovered_work_differs_from_its_file_in_what_was_changed() {
    let folder = folder();
    let path = write(&folder, "scene.ron", BY_HAND);
    let mut session = Session::open(&path).unwrap();
    set(&mut session, "warm_start.enabled", Value::Bool(false));
    let text = delassus_scene::write(session.scene().unwrap());
    let mut next = Session::new();
    next.dispatch(Command::Recover { text, file: Some(path.clone()), base: None }).unwrap();
    assert!(next.is_dirty());
    assert_eq!(next.settings_differ_from_file(), ["warm_start.enabled"]);
    next.dispatch(Command::ResetSettings).unwrap();
    assert!(!next.is_dirty());
    // When saved, it keeps the wording of the file, not that of the copy.
    next.dispatch(Command::Save).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), BY_HAND);
}
