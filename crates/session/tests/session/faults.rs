//! Faults at every point of every write: what is on the disk afterwards can be opened again, and is the old content or
//! the new one. What could not be written is still there to be written again.

use std::fs;

use delassus_files::fault::{FaultKind, at_each_point};

use super::*;

const SCENE: &str =
    r#"(version: 1, title: "Mine", bodies: [(name: "ball", shape: Sphere(radius: 0.2), at: (0, 0, 1))])"#;

#[test]
fn after_a_fault_at_any_point_of_saving_the_old_scene_is_opened_or_the_new() {
    for kind in [FaultKind::Fails, FaultKind::Crashes] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("mine.ron");
        let save = || {
            fs::write(&file, SCENE).expect("a file");
            let mut edited = Session::open(&file).expect("a scene");
            set(&mut edited, "solver.iterations", Value::Int(77));
            edited.dispatch(Command::Save)
        };
        let (before, mut outcomes) = (iterations(&Session::from_text(SCENE, "mine.ron").expect("a scene")), Vec::new());
        let points = at_each_point(kind, save, |point, result| {
            let again = Session::open(&file).unwrap_or_else(|error| panic!("{kind:?} at point {point}: {error}"));
            let saved = iterations(&again) == 77;
            assert!(saved || iterations(&again) == before, "{kind:?} at point {point}");
            assert!(saved || result.is_err(), "{kind:?} at point {point}: lost in silence");
            outcomes.push((saved, result.is_ok()));
        });
        assert!(points > 5 && outcomes.last() == Some(&(true, true)), "{points} {outcomes:?}");
        assert!(outcomes.contains(&(false, false)), "{outcomes:?}");
    }
}

#[test]
fn work_whose_save_failed_is_still_unsaved_and_can_be_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.ron");
    fs::write(&file, SCENE).expect("a file");
    let mut session = Session::open(&file).expect("a scene");
    set(&mut session, "solver.iterations", Value::Int(77));
    let mut failed = 0;
    at_each_point(
        FaultKind::Fails,
        || session.dispatch(Command::Save).map_err(|_| session.is_dirty()),
        |point, result| {
            if let Err(dirty) = result {
                failed += 1;
                assert!(dirty, "at point {point}");
            }
        },
    );
    assert!(failed > 5 && !session.is_dirty());
}

#[test]
fn after_a_fault_at_any_point_of_saving_a_recording_the_old_one_is_replayed_or_the_new() {
    for kind in [FaultKind::Fails, FaultKind::Crashes] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("run.ron");
        let record = |count: u32| {
            let mut session = Session::from_text(SCENE, "mine.ron").expect("a scene");
            session.dispatch(Command::Record).expect("it records");
            steps(&mut session, count);
            session
        };
        record(3).dispatch(Command::SaveRecording(file.clone())).expect("it is saved");
        let old = fs::read(&file).expect("a file");
        let save = || {
            fs::write(&file, &old).expect("a file");
            let mut session = record(5);
            let result = session.dispatch(Command::SaveRecording(file.clone()));
            assert!(result.is_ok() || session.recorded().is_some(), "it can be saved again");
            result
        };
        let points = at_each_point(kind, save, |point, result| {
            let replay = delassus_session::recording::replay(&file, None);
            let replay = replay.unwrap_or_else(|error| panic!("{kind:?} at point {point}: {error}"));
            assert_eq!(replay.differs, None, "{kind:?} at point {point}");
            assert!(replay.steps == 5 || (replay.steps == 3 && result.is_err()), "{kind:?} at point {point}");
        });
        assert!(points > 5, "{points}");
    }
}
