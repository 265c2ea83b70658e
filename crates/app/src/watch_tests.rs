//! Changes of the scene's files by other programs, without a window.

use std::fs::write;

use super::*;
use crate::{config::Config, recovery::Recovery};
use delassus_physics::setting::Value;

const BALL: &str =
    r#"(version: 1, title: "Ball", bodies: [(name: "ball", shape: Sphere(radius: 0.2), at: (0, 0, 1))])"#;
const CART: &str = r#"(version: 1, title: "Cart", parts: [(name: "inner", file: "ball.ron")])"#;
const SCENE: &str = r#"(
    version: 1,
    title: "Cart",
    bodies: [(name: "box", shape: Box(half: (0.5, 0.5, 0.5)), at: (5, 0, 9), velocity: (1, 0, 0))],
    parts: [(name: "cart", file: "cart.ron")],
)"#;

fn app(folder: &Path) -> App {
    for (name, text) in [("ball.ron", BALL), ("cart.ron", CART), ("scene.ron", SCENE)] {
        write(folder.join(name), text).expect("a file");
    }
    let mut app = App::with(None, Config::default(), Recovery::new(None), folder.into());
    app.carry_out(Request::Open(folder.join("scene.ron")));
    assert_eq!(app.session.snapshot().bodies.len(), 2);
    app
}

fn question(app: &App) -> Option<&str> {
    app.state.notices.iter().find(|toast| toast.text.starts_with("Another program")).map(|toast| &*toast.text)
}

fn names(app: &App) -> Vec<String> {
    app.session.snapshot().bodies.iter().map(|b| b.name.to_string()).collect()
}

#[test]
fn a_part_of_a_part_that_another_program_writes_is_read_again_and_edits_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    let watched = app.watch.polled.files();
    assert_eq!(watched.len(), 3, "{watched:?}");
    let before = FilePoll::stamps(watched.clone());
    app.file_touched();
    assert_eq!(question(&app), None);
    app.dispatch(Command::Set { name: "solver.iterations", value: Value::Int(17) });
    (0..10).for_each(|_| assert!(app.dispatch(Command::Step)));
    let (time, x) = (app.session.snapshot().time, app.session.snapshot().bodies[0].pose.position.x);
    let two = BALL.replace("bodies: [", r#"bodies: [(name: "hat", shape: Sphere(radius: 0.1), at: (0, 0, 2)),"#);
    write(folder.path().join("ball.ron"), two).expect("a file");
    assert_ne!(FilePoll::stamps(watched), before, "the thread would tell");
    app.file_touched();
    assert_eq!(question(&app), Some("Another program has changed the part ball.ron."));
    app.carry_out(Request::Session(Command::ReadParts));
    assert_eq!(names(&app), ["box", "cart.inner.hat", "cart.inner.ball"]);
    assert_eq!(question(&app), None);
    app.file_touched();
    assert_eq!(question(&app), None, "it is known now");
    assert!(app.session.is_dirty() && app.session.settings().solver.iterations == 17, "the edit stays");
    let now = app.session.snapshot();
    assert!(now.time == time && now.bodies[0].pose.position.x == x, "and what the part has no say in goes on");
    app.carry_out(Request::Session(Command::Reset));
    assert_eq!(names(&app).len(), 3);
}

#[test]
fn a_part_that_is_broken_or_gone_changes_nothing_and_keeping_asks_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    let part = folder.path().join("ball.ron");
    write(&part, "(version: 1, bodies: [").expect("a file");
    app.file_touched();
    assert!(question(&app).is_some());
    app.carry_out(Request::Session(Command::ReadParts));
    assert_eq!(names(&app), ["box", "cart.inner.ball"], "what stands stays");
    assert!(app.state.notices.iter().any(|toast| toast.text.contains("ball.ron:1")), "and the reason is shown");
    app.carry_out(Request::KeepMine);
    app.file_touched();
    assert_eq!(question(&app), None);
    std::fs::remove_file(&part).expect("it was there");
    app.file_touched();
    assert_eq!(question(&app), None, "there is nothing to read");
    // A change of the scene's file is reported before one of its parts, and reloading it includes them.
    write(&part, BALL).expect("a file");
    write(folder.path().join("scene.ron"), SCENE.replace("Cart", "Wagon")).expect("a file");
    app.file_touched();
    assert_eq!(question(&app), Some("Another program has changed scene.ron."));
    app.carry_out(Request::Reload);
    assert_eq!((app.session.title().as_str(), question(&app)), ("Wagon", None));
}

#[test]
fn a_deleted_file_is_told_once_and_written_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    let file = folder.path().join("scene.ron");
    let gone = |app: &App| app.state.notices.iter().filter(|toast| toast.text.contains("deleted or moved")).count();
    std::fs::remove_file(&file).expect("it was there");
    app.file_touched();
    assert_eq!(gone(&app), 1);
    // The open document is the only copy: leaving it asks although nothing was edited.
    assert!(!app.session.is_dirty());
    app.carry_out(Request::Quit);
    assert!(!app.quitting && app.state.questions.unsaved.take().is_some());
    app.carry_out(Request::Overwrite);
    assert_eq!(std::fs::read_to_string(&file).expect("it is there again"), SCENE);
    app.file_touched();
    assert!(app.state.notices.iter().all(|toast| !toast.text.contains("not on the disk")));
    // If the file is back, as when an editor rewrites it, the notice disappears.
    std::fs::remove_file(&file).expect("it was there");
    app.file_touched();
    write(&file, SCENE).expect("a file");
    app.file_touched();
    assert!(app.state.notices.iter().all(|toast| !toast.text.contains("not on the disk")));
}

#[test]
fn taking_theirs_can_be_undone_and_a_conflict_is_settled_entry_by_entry() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    let file = folder.path().join("scene.ron");
    let theirs = SCENE.replace("at: (5, 0, 9)", "at: (7, 0, 9)");
    let x = |app: &App| app.session.scene().map(|scene| scene.bodies[0].at.x);
    app.dispatch(Command::Set { name: "solver.iterations", value: Value::Int(17) });
    write(&file, &theirs).expect("a file");
    app.file_touched();
    // Different entries were changed on both sides: the merge proposes both changes.
    app.carry_out(Request::ShowConflict);
    assert!(app.state.questions.conflict.take().is_some());
    let conflict = app.session.conflict().expect("it can be read");
    let takes = conflict.differences.iter().map(|d| d.proposes_theirs()).collect();
    app.carry_out(Request::Merge(Box::new(conflict), takes));
    assert_eq!((x(&app), app.session.settings().solver.iterations, question(&app)), (Some(7.0), 17, None));
    // Take the file's version only, then undo.
    app.carry_out(Request::Session(Command::Undo));
    app.carry_out(Request::Reload);
    assert_eq!((x(&app), app.session.is_dirty(), question(&app)), (Some(7.0), false, None));
    app.carry_out(Request::Session(Command::Undo));
    assert_eq!((x(&app), app.session.settings().solver.iterations), (Some(5.0), 17));
    app.carry_out(Request::Session(Command::Save));
    assert_eq!(app.session.on_disk(), OnDisk::Same);
}

/// The window waited for ever for what somebody would write to the pipe.
#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_the_open_file_or_of_a_lesson_does_not_stop_the_window() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    app.dispatch(Command::Set { name: "solver.iterations", value: Value::Int(17) });
    let file = folder.path().join("scene.ron");
    std::fs::remove_file(&file).expect("it was there");
    std::fs::create_dir(folder.path().join("lessons")).expect("a folder");
    for pipe in [&file, &folder.path().join("lessons/01-pipe.ron")] {
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().expect("the system has mkfifo").success());
    }
    app.file_touched();
    assert!(question(&app).is_some_and(|text| text.starts_with("Another program has changed scene.ron")));
    app.carry_out(Request::Session(Command::Save));
    assert!(app.state.questions.overwrite, "it asks");
    app.carry_out(Request::Overwrite);
    app.carry_out(Request::Reload);
    assert!(app.session.is_dirty(), "what is not a file is not replaced");
    app.refresh_shelf();
    assert!(app.shelf.lessons.is_empty());
    // Nor does a file of gigabytes fill the memory.
    app.state.questions.overwrite = false;
    std::fs::remove_file(&file).expect("it was there");
    std::fs::File::create(&file).expect("a file").set_len(3 << 30).expect("a sparse file");
    app.file_touched();
    app.carry_out(Request::Session(Command::Save));
    assert!(app.state.questions.overwrite, "it asks");
}
