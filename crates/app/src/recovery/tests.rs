//! Crashes, one and two in a row. A window that crashes is one that is dropped: its thread ends, its lock is released,
//! and nothing is written or deleted. The processes of `crash_tests` really end.

use std::fs::{self, read_to_string, write};
use std::path::{Path, PathBuf};

use super::copy;
use super::slot::{self, Slot};
use crate::{config::Config, recovery::Recovery, window::App};
use delassus_physics::setting::Value;
use delassus_scene as scene;
use delassus_session::{Command, UnsavedWork};
use delassus_ui::request::Request;

const SCENE: &str =
    r#"(version: 1, title: "Mine", bodies: [(name: "ball", shape: Sphere(radius: 0.2), at: (0, 0, 1))])"#;

fn window(folder: &Path) -> App {
    App::with(None, Config::default(), Recovery::new(Some(folder)), folder.into())
}

fn scene(folder: &Path) -> PathBuf {
    let path = folder.join("mine.ron");
    write(&path, SCENE).expect("a file");
    path
}

/// Sets the number of iterations, which tells one work from another.
fn edit(app: &mut App, iterations: u32) {
    app.carry_out(Request::Session(Command::Set { name: "solver.iterations", value: Value::Int(iterations) }));
    assert!(app.session.is_dirty());
}

fn crash_with(folder: &Path, file: &Path, iterations: u32) {
    let mut app = window(folder);
    app.carry_out(Request::Open(file.into()));
    edit(&mut app, iterations);
    app.recovery.flush();
}

/// The iterations of the copies that the next start offers, newest first.
fn offered(folder: &Path) -> Vec<u32> {
    let recovery = Recovery::new(Some(folder));
    let iterations = |text: &str| {
        let digits = text.split("iterations: ").nth(1).unwrap_or_default();
        digits.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or_default()
    };
    recovery.found().iter().map(|found| iterations(&recovery.claim(&found.copy).expect("it is lost").1.text)).collect()
}

/// Times of files are only as fine as the system's clock.
fn tick() {
    std::thread::sleep(std::time::Duration::from_millis(20));
}

fn recover_newest(app: &mut App) {
    let newest = app.recovery.found().swap_remove(0).copy;
    app.carry_out(Request::Recover(newest));
}

fn iterations(app: &App) -> u32 {
    app.session.settings().solver.iterations
}

/// The oldest of two copies of one file was offered: a notice with the same text replaced the earlier one.
#[test]
fn after_two_crashes_on_one_file_the_newest_copy_is_offered_and_both_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = scene(folder.path());
    crash_with(folder.path(), &file, 11);
    tick();
    crash_with(folder.path(), &file, 12);
    let mut app = window(folder.path());
    app.offer_recovered();
    assert_eq!(app.state.notices.iter().filter(|notice| notice.text.contains("unsaved work")).count(), 1);
    app.carry_out(Request::ListLostWork);
    let listed = app.state.lost_work.as_ref().expect("the list is shown").list.clone();
    assert_eq!(listed.len(), 2);
    app.carry_out(Request::Recover(listed[0].copy.clone()));
    assert_eq!(iterations(&app), 12);
}

/// The newest three of eight copies were dropped, because at most five notices are shown.
#[test]
fn eight_copies_are_all_listed_until_each_is_saved_or_discarded() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = scene(folder.path());
    for work in 11..19 {
        crash_with(folder.path(), &file, work);
        tick();
    }
    let mut left: Vec<u32> = (11..19).rev().collect();
    assert_eq!(offered(folder.path()), left);
    let mut app = window(folder.path());
    let found = app.recovery.found();
    app.carry_out(Request::DiscardLostWork(found[3].copy.clone()));
    left.remove(3);
    assert_eq!(offered(folder.path()), left);
    app.carry_out(Request::Recover(found[0].copy.clone()));
    app.carry_out(Request::Session(Command::Save));
    app.recovery.flush();
    left.remove(0);
    assert_eq!(offered(folder.path()), left);
    assert_eq!(read_to_string(&file).expect("the scene").matches("iterations: 18").count(), 1);
}

/// The notice that offers the newest copy lay over the list of all.
#[test]
fn the_list_of_lost_work_takes_the_place_of_the_notice() {
    let folder = tempfile::tempdir().expect("a folder");
    crash_with(folder.path(), &scene(folder.path()), 21);
    let mut app = window(folder.path());
    app.offer_recovered();
    let offers = |app: &App| app.state.notices.iter().any(|notice| notice.text.contains("ended with unsaved work"));
    assert!(offers(&app));
    app.carry_out(Request::ListLostWork);
    assert!(app.state.lost_work.is_some() && !offers(&app));
}

/// A writer counted as alive by its process number. In a container every process has the number 1, and so had this.
#[test]
fn only_work_of_ended_windows_is_offered_whatever_their_process_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = scene(folder.path());
    crash_with(folder.path(), &file, 11);
    let mut other = window(folder.path());
    other.carry_out(Request::Open(file));
    edit(&mut other, 12);
    other.recovery.flush();
    // All of this is one process.
    assert_eq!(offered(folder.path()), [11]);
    let copy = other.recovery.own().expect("it is written");
    assert!(other.recovery.claim(&copy).is_err());
    drop(other);
    assert_eq!(offered(folder.path()), [12, 11]);
}

#[test]
fn two_windows_cannot_recover_the_same_work() {
    let folder = tempfile::tempdir().expect("a folder");
    crash_with(folder.path(), &scene(folder.path()), 11);
    let (mut one, mut two) = (window(folder.path()), window(folder.path()));
    let copy = one.recovery.found().swap_remove(0).copy;
    one.carry_out(Request::Recover(copy.clone()));
    two.carry_out(Request::Recover(copy));
    assert_eq!(iterations(&one), 11);
    assert!(two.session.scene().is_none());
    assert!(two.state.notices.iter().any(|notice| notice.text.contains("another window")));
}

/// Recover and Ctrl+S overwrote what a colleague had written since the crash.
#[test]
fn a_file_that_has_changed_since_the_crash_is_asked_about_and_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = scene(folder.path());
    crash_with(folder.path(), &file, 11);
    let theirs = SCENE.replace("radius: 0.2", "radius: 0.7");
    write(&file, &theirs).expect("a file");
    let mut app = window(folder.path());
    recover_newest(&mut app);
    assert!(app.state.notices.iter().any(|notice| notice.text.starts_with("Another program has changed mine.ron")));
    app.carry_out(Request::Session(Command::Save));
    assert!(app.state.questions.overwrite, "Ctrl+S asks");
    assert_eq!(read_to_string(&file).expect("the scene"), theirs);
    // Both changes can be had: neither side changed what the other one did.
    app.state.questions.overwrite = false;
    let conflict = app.session.conflict().expect("both can be read");
    let takes = conflict.differences.iter().map(|difference| difference.proposes_theirs()).collect();
    app.carry_out(Request::Merge(Box::new(conflict), takes));
    app.carry_out(Request::Session(Command::Save));
    let merged = read_to_string(&file).expect("the scene");
    assert!(merged.contains("radius: 0.7") && merged.contains("iterations: 11"), "{merged}");
}

#[test]
fn work_that_was_saved_before_the_crash_is_not_unsaved_when_it_is_recovered() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = scene(folder.path());
    crash_with(folder.path(), &file, 11);
    // The crash came after the file was written, and before the copy was deleted.
    write(&file, SCENE.replace("bodies:", "settings: (solver: (iterations: 11)), bodies:")).expect("a file");
    let mut app = window(folder.path());
    recover_newest(&mut app);
    assert!(!app.session.is_dirty() && iterations(&app) == 11);
    app.recovery.flush();
    assert!(offered(folder.path()).is_empty() && app.recovery.found().is_empty());
}

#[test]
fn the_only_copy_of_a_scene_whose_file_is_gone_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = scene(folder.path());
    let mut app = window(folder.path());
    app.carry_out(Request::Open(file.clone()));
    fs::remove_file(&file).expect("it was there");
    app.file_touched();
    app.keep_work();
    app.recovery.flush();
    drop(app);
    let mut app = window(folder.path());
    recover_newest(&mut app);
    assert!(app.state.notices.iter().any(|notice| notice.text.contains("deleted or moved")));
    app.carry_out(Request::Overwrite);
    assert!(file.is_file());
}

/// What happens in a window before it crashes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Moment {
    /// It has started, and lists what others left.
    Started,
    /// It has recovered the newest work. Nothing has been written since.
    Recovered,
    RecoveredAndWritten,
    RecoveredAndEdited,
    RecoveredAndSaved,
    /// It has recovered the newest work, and left it for another scene without saving.
    RecoveredAndLeft,
    /// It has edited a scene of its own.
    Edited,
    EditedAndUndone,
    EditedAndSaved,
    Discarded,
}

impl Moment {
    const ALL: [Self; 10] = [
        Self::Started,
        Self::Recovered,
        Self::RecoveredAndWritten,
        Self::RecoveredAndEdited,
        Self::RecoveredAndSaved,
        Self::RecoveredAndLeft,
        Self::Edited,
        Self::EditedAndUndone,
        Self::EditedAndSaved,
        Self::Discarded,
    ];

    /// Makes a window that crashes at this moment, and says what must be left of `before`, newest first. `mark` is
    /// that of new work.
    fn crash(self, folder: &Path, before: &[u32], mark: u32) -> Vec<u32> {
        let mut app = window(folder);
        let mut left = before.to_vec();
        app.offer_recovered();
        match self {
            Self::Started => return left,
            Self::Edited | Self::EditedAndUndone | Self::EditedAndSaved => {
                let file = folder.join(format!("own-{mark}.ron"));
                write(&file, SCENE).expect("a file");
                app.carry_out(Request::Open(file));
                edit(&mut app, mark);
            }
            Self::Discarded => {
                let newest = app.recovery.found().swap_remove(0).copy;
                app.carry_out(Request::DiscardLostWork(newest));
                return left.split_off(1);
            }
            _ => recover_newest(&mut app),
        }
        match self {
            Self::RecoveredAndEdited => {
                edit(&mut app, mark);
                left[0] = mark;
            }
            Self::RecoveredAndSaved => {
                // Whatever stands in the file was written by the window before.
                app.carry_out(Request::Overwrite);
                assert!(!app.session.is_dirty());
                left.remove(0);
            }
            Self::RecoveredAndLeft => {
                app.carry_out(Request::Discard(Box::new(Request::New)));
                left.remove(0);
            }
            Self::Edited => left.insert(0, mark),
            Self::EditedAndUndone => app.carry_out(Request::Session(Command::Undo)),
            Self::EditedAndSaved => app.carry_out(Request::Session(Command::Save)),
            _ => {}
        }
        if self != Self::Recovered {
            app.recovery.flush();
        }
        left
    }
}

/// After two crashes at any two moments, all work that was neither saved nor discarded is listed, newest first.
#[test]
fn every_pair_of_crashes_leaves_the_work() {
    let pair = |first: Moment, second: Moment| {
        let folder = tempfile::tempdir().expect("a folder");
        let file = scene(folder.path());
        let mut left = Vec::new();
        for work in [11, 12, 13] {
            crash_with(folder.path(), &file, work);
            left.insert(0, work);
            tick();
        }
        for (moment, mark) in [(first, 21), (second, 22)] {
            left = moment.crash(folder.path(), &left, mark);
            assert_eq!(offered(folder.path()), left, "{first:?}, then {second:?}");
            tick();
        }
    };
    // Most of the time is spent in `tick`, so that the pairs are tried on many threads.
    std::thread::scope(|scope| {
        for first in Moment::ALL {
            scope.spawn(move || Moment::ALL.map(|second| pair(first, second)));
        }
    });
}

/// A fault at any point of writing a copy leaves the copy that was there, or none if it is the first, or the new one.
/// Each state is listed and recovered by the next window.
#[test]
fn after_a_fault_at_any_point_of_writing_a_copy_the_old_work_is_offered_or_the_new() {
    use delassus_files::fault::{FaultKind, at_each_point};
    let scene = |radius: &str| scene::scene_of(&SCENE.replace("0.2", radius)).expect("a scene");
    let work = |radius| UnsavedWork { scene: scene(radius).into(), file: None, base: "".into() };
    for kind in [FaultKind::Fails, FaultKind::Crashes] {
        for before in [None, Some("0.3")] {
            let folder = tempfile::tempdir().expect("a folder");
            let prepared = before.map(|radius| {
                let slot = Slot::new(folder.path()).expect("a place");
                slot.write(&work(radius)).expect("it is written");
                let bytes = fs::read(slot.copy()).expect("a copy");
                slot.discard().expect("it is deleted");
                bytes
            });
            let write = || {
                let slot = Slot::new(folder.path()).expect("a place");
                if let Some(bytes) = &prepared {
                    fs::write(slot.copy(), bytes).expect("a copy");
                }
                // The lock is released with the slot, as at the end of a process.
                slot.write(&work("0.4"))
            };
            let points = at_each_point(kind, write, |point, result| {
                let offered = slot::lost(folder.path());
                assert_eq!(offered.len(), usize::from(before.is_some() || offered.len() == 1), "{kind:?} at {point}");
                assert!(result.is_err() || offered.len() == 1, "{kind:?} at {point}");
                for kept in offered {
                    let text = copy::read(&kept.copy).expect("a whole copy").text;
                    let new = text.contains("radius: 0.4");
                    assert!(new || (result.is_err() && text.contains("radius: 0.3")), "{kind:?} at {point}: {text}");
                    Slot::claim(&kept.copy).expect("it is lost").discard().expect("it is deleted");
                }
            });
            assert!(points > 5, "{points}");
        }
    }
}

#[test]
fn other_files_in_the_folder_are_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let recovery = Recovery::new(Some(folder.path()));
    let inside = folder.path().join("recovery");
    fs::create_dir_all(inside.join("folder.work")).expect("a folder");
    for (name, text) in [("notes.work", "mine"), ("old.ron", "mine"), ("newer.work", "{\"format\":2}\nnull\n\"\"\n")] {
        write(inside.join(name), text).expect("a file");
    }
    assert!(recovery.found().is_empty());
    assert_eq!(["notes.work", "old.ron", "newer.work"].map(|name| inside.join(name).exists()), [true; 3]);
}
