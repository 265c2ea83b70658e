//! Another program changes the scene's file while it is open.

use glam::Quat;

use super::files::{folder, write};
use super::*;

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
