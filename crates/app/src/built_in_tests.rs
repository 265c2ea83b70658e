//! Scenes that came with the program, without a window: they open, and changes to them become files of the user's.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use super::{config::Config, dialog::Answer, recovery::Recovery, window::App};
use delassus_files::built_in::{self, BuiltInFile};
use delassus_launch::OpenRequest;
use delassus_physics::setting::Value;
use delassus_scene::library::{OwnFolder, Reason};
use delassus_session::{Command, OnDisk};
use delassus_ui::request::{Purpose, Request};
use delassus_ui::view::ShelfFolder;

const DOLL: &str =
    r#"(version: 1, title: "Doll", bodies: [(name: "head", shape: Sphere(radius: 0.2), at: (0, 0, 1))])"#;
const SCENE: &str = r#"(
    version: 1,
    title: "Two dolls",
    // A remark that stays.
    parts: [(name: "a", file: "../parts/doll.ron"), (name: "b", file: "../parts/doll.ron", at: (2, 0, 0))],
)"#;
const LESSON: &str = r#"(title: "Dolls", scene: "book/09-dolls", question: "", happened: "", why: [], trials: [],
    prediction: (ask: "", choices: ["yes", "no"], right: 0))"#;
const FILES: &[BuiltInFile] =
    &[("book/09-dolls.ron", SCENE), ("lessons/09-dolls.ron", LESSON), ("parts/doll.ron", DOLL)];

fn dolls() -> PathBuf {
    built_in::path("book/09-dolls.ron")
}

/// A window of a program with the library within it, whose recovery copies are in `folder`.
fn app(folder: &Path) -> App {
    built_in::install(FILES);
    let mut app = App::with(None, Config::default(), Recovery::new(Some(folder)), built_in::path(""));
    app.refresh_shelf();
    app.carry_out(Request::Open(dolls()));
    assert_eq!(app.session.snapshot().bodies.len(), 2, "its parts are found");
    app
}

fn edit(app: &mut App) {
    app.carry_out(Request::Session(Command::Set { name: "solver.iterations", value: Value::Int(17) }));
    assert!(app.session.is_dirty());
}

fn errors(app: &App) -> Vec<&str> {
    app.state.notices.iter().map(|toast| toast.text.as_str()).collect()
}

#[test]
fn the_library_within_the_program_fills_the_panel_and_a_lesson_opens_its_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = app(folder.path());
    assert_eq!(app.shelf.entries.iter().map(|entry| entry.path.clone()).collect::<Vec<_>>(), [dolls()]);
    assert_eq!(app.shelf.parts.iter().map(|part| part.id.as_str()).collect::<Vec<_>>(), ["parts/doll"]);
    assert_eq!(app.shelf.scene_of(&app.shelf.lessons[0]), Some(dolls()));
    assert_eq!(app.state.recent.paths(), [dolls()]);
}

#[test]
fn saving_a_scene_of_the_program_asks_for_another_file_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    edit(&mut app);
    app.carry_out(Request::Session(Command::Save));
    assert!(app.session.is_dirty() && app.session.file() == Some(&dolls()), "nothing was written");
    assert!(app.session.dispatch(Command::Save).is_err_and(|error| error.to_string().contains("another name")));
    // Without a dialog of the system a path is asked for, and not one within the program.
    app.answered(Answer { purpose: Purpose::Save, path: None, unavailable: true });
    let offered = app.state.questions.path_field.take().expect("it is asked").text;
    assert!(offered.ends_with("09-dolls.ron") && !offered.contains(built_in::ROOT), "{offered}");

    let mine = folder.path().join("mine.ron");
    app.carry_out(Request::SaveAs(mine.clone()));
    let text = read_to_string(&mine).expect("it is written");
    assert!(text.contains("A remark that stays") && text.contains("iterations: 17"), "{text}");
    assert!(text.contains(r#"file: "built-in:/parts/doll.ron""#), "the parts stay where they are: {text}");
    assert_eq!((app.session.file(), app.session.is_dirty()), (Some(mine.as_path()), false));
    app.carry_out(Request::Session(Command::Reload));
    assert_eq!(app.session.snapshot().bodies.len(), 2, "they are found from there");
}

#[test]
fn the_state_of_a_scene_of_the_program_is_exported_and_its_run_is_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    app.carry_out(Request::Session(Command::Record));
    (0..5).for_each(|_| assert!(app.dispatch(Command::Step)));
    let (state, run) = (folder.path().join("state.ron"), folder.path().join("run.ron"));
    app.carry_out(Request::Export(state.clone()));
    app.carry_out(Request::SaveRecording(run.clone()));
    let replay = delassus_session::recording::replay(&run, None).expect("it is repeated");
    assert_eq!((replay.steps, replay.differs.is_none()), (5, true));
    app.carry_out(Request::Discard(Box::new(Request::Open(state))));
    assert_eq!(app.session.snapshot().bodies.len(), 2);
    assert!(app.session.dispatch(Command::Export(dolls())).is_err(), "not over the original");
}

#[test]
fn no_other_program_changes_a_scene_of_the_program_and_it_reverts_to_the_original() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    edit(&mut app);
    app.file_touched();
    assert_eq!((app.session.on_disk(), errors(&app)), (OnDisk::Same, vec![]));
    app.carry_out(Request::Reload);
    assert!(!app.session.is_dirty());
    app.state.recent.check_files();
    assert!(app.state.recent.iter().all(|recent| recent.exists));
}

#[test]
fn unsaved_work_on_a_scene_of_the_program_is_recovered() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut crashed = app(folder.path());
    edit(&mut crashed);
    crashed.recovery.flush();
    drop(crashed);
    let mut app = app(folder.path());
    let newest = app.recovery.found().swap_remove(0).copy;
    app.carry_out(Request::Recover(newest));
    assert!(app.session.is_dirty() && app.session.file() == Some(&dolls()), "{:?}", errors(&app));
    assert_eq!((app.session.settings().solver.iterations, app.session.snapshot().bodies.len()), (17, 2));
}

#[test]
fn a_line_names_a_scene_of_the_program_by_its_path_and_opens_it() {
    built_in::install(FILES);
    // The tests run beside the source tree, whose library has no such scene.
    let open_request = OpenRequest::of("built-in:/book/09-dolls.ron", None);
    assert_eq!(open_request.path(), dolls());
    open_request.check().expect("it is there");
    let session = open_request.open().expect("it opens");
    assert_eq!(session.snapshot().bodies.len(), 2);
}

#[test]
fn a_folder_that_was_added_is_listed_until_it_is_removed_and_a_wrong_one_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let own = folder.path().join("own");
    std::fs::create_dir_all(own.join("book")).expect("a folder");
    std::fs::write(own.join("book/09-dolls.ron"), DOLL).expect("a file");
    let mut app = app(folder.path());
    app.carry_out(Request::AddFolder(own.clone()));
    let entries = |app: &App| app.shelf.entries.iter().map(|entry| entry.own.clone()).collect::<Vec<_>>();
    assert_eq!(entries(&app), [Some(own.clone()), None], "both scenes of this name");
    let shown = |exists| vec![ShelfFolder { folder: OwnFolder { path: own.clone(), reason: Reason::Window }, exists }];
    assert_eq!((&app.config.folders, &app.shelf.folders), (&vec![own.clone()], &shown(true)));
    assert_eq!(app.shelf.scene_of(&app.shelf.lessons[0]), Some(dolls()), "the lesson keeps its own");

    for (wrong, why) in
        [(own.clone(), "already"), (own.join("none"), "no such"), (own.join("book/09-dolls.ron"), "not a")]
    {
        app.carry_out(Request::AddFolder(wrong));
        let said = errors(&app).join("\n");
        assert!(said.contains(why), "{said}");
    }
    assert_eq!(app.config.folders.len(), 1);
    std::fs::remove_dir_all(&own).expect("it is taken away");
    app.refresh_shelf();
    assert_eq!((entries(&app), &app.shelf.folders), (vec![None], &shown(false)), "shown, so that it can be removed");
    app.carry_out(Request::ForgetFolder(own));
    assert!(app.config.folders.is_empty() && app.shelf.folders.is_empty());
}
