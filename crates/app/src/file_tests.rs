//! Saving under a name, without a window: an existing file is never replaced without asking.

use std::fs::{read_to_string, write};
use std::path::Path;

use super::{config::Config, recovery::Recovery, window::App};
use delassus_physics::setting::Value;
use delassus_session::Command;
use delassus_session::analysis::AnalysisFile;
use delassus_ui::panels::plots::PlotSketch;
use delassus_ui::request::Request;
use delassus_ui::request::{Purpose, Replace};
use delassus_ui::shell::path_field::PathField;

const SCENE: &str =
    r#"(version: 1, title: "Mine", bodies: [(name: "ball", shape: Sphere(radius: 0.2), at: (0, 0, 1))])"#;

fn app(folder: &Path) -> App {
    write(folder.join("mine.ron"), SCENE).expect("a file");
    write(folder.join("theirs.ron"), "work of years").expect("a file");
    let mut app = App::with(None, Config::default(), Recovery::new(None), folder.into());
    app.carry_out(Request::Open(folder.join("mine.ron")));
    assert!(app.dispatch(Command::Set { name: "solver.iterations", value: Value::Int(17) }));
    app
}

#[test]
fn saving_over_another_file_is_asked_first_and_so_is_the_export() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    let theirs = folder.path().join("theirs.ron");
    // A name without the ending means the same file.
    for (purpose, typed) in [(Purpose::Save, "theirs"), (Purpose::Export, "theirs"), (Purpose::Save, "theirs.ron")] {
        let typed = folder.path().join(typed);
        app.carry_out(if purpose == Purpose::Save { Request::SaveAs(typed) } else { Request::Export(typed) });
        assert_eq!(app.state.questions.replace.take(), Some(Replace { purpose, path: theirs.clone() }));
        assert_eq!(read_to_string(&theirs).expect("it is there"), "work of years");
        assert_eq!(app.session.file(), Some(folder.path().join("mine.ron").as_path()));
    }
    app.carry_out(Request::Replace(Replace { purpose: Purpose::Save, path: theirs.clone() }));
    assert!(read_to_string(&theirs).expect("it is there").contains("iterations: 17"));
    assert_eq!(app.session.file(), Some(theirs.as_path()));
    // A new name is written without a question.
    app.carry_out(Request::SaveAs(folder.path().join("new")));
    assert!(app.state.questions.replace.is_none() && folder.path().join("new.ron").is_file());
}

#[test]
fn what_waits_for_a_name_waits_through_the_question_and_goes_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    let theirs = folder.path().join("theirs.ron");
    for answer in [false, true] {
        app.after_save = Some(Request::Quit);
        app.carry_out(Request::SaveAs(theirs.clone()));
        assert!(!app.quitting && app.after_save.is_some());
        let asked = app.state.questions.replace.take().expect("it is asked");
        app.carry_out(if answer { Request::Replace(asked) } else { Request::GiveUpSaving });
        assert_eq!((app.quitting, app.after_save.is_none()), (answer, true));
    }
}

#[test]
fn a_typed_path_that_fails_stays_with_the_reason_and_names_no_file_that_nobody_knows() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    let absent = folder.path().join("absent/scene.ron");
    let reason = |app: &App| app.state.questions.path_field.as_ref().and_then(|field| field.error.clone());
    for purpose in [
        Purpose::Save,
        Purpose::Export,
        Purpose::Recording,
        Purpose::Figure,
        Purpose::Results,
        Purpose::Analysis(AnalysisFile::Dxf),
        Purpose::Film,
        Purpose::Folder,
        Purpose::Open,
    ] {
        app.state.questions.path_field = Some(PathField::new(purpose, absent.display().to_string()));
        let request = match purpose {
            Purpose::Save => Request::SaveAs(absent.clone()),
            Purpose::Export => Request::Export(absent.clone()),
            Purpose::Recording => {
                app.carry_out(Request::Session(Command::Record));
                Request::SaveRecording(absent.clone())
            }
            Purpose::Figure => {
                app.figure = Some(Box::default());
                Request::SaveFigure(absent.with_extension("svg"))
            }
            Purpose::Results => {
                app.results = Some("<p>One</p>".to_owned());
                Request::SaveResults(absent.with_extension("html"))
            }
            Purpose::Analysis(file) => {
                app.analysis = Some("0\nEOF\n".to_owned());
                Request::SaveAnalysis(file, absent.with_extension("dxf"))
            }
            Purpose::Film | Purpose::Still => Request::RecordFilm(absent.with_extension("gif")),
            Purpose::Folder => Request::AddFolder(absent.clone()),
            Purpose::Open => Request::Discard(Box::new(Request::Open(absent.clone()))),
        };
        app.carry_out(request);
        let reason = reason(&app).expect("it stays open and says why");
        assert!(!reason.contains("/.scene") && reason.contains("absent"), "{reason}");
        assert!(app.state.notices.iter().all(|toast| !toast.text.contains("absent")), "said once, where it is typed");
    }
    app.carry_out(Request::SaveAs(folder.path().join("there.ron")));
    assert!(app.state.questions.path_field.is_none(), "done");
}

/// A mended bug: predictions and the welcome were saved only by Quit.
#[test]
fn predictions_and_the_welcome_are_kept_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    app.config.welcomed = false;
    assert!(app.has_new_answers() && app.config.welcomed, "the welcome, in the first frame");
    assert!(!app.has_new_answers(), "once");
    app.state.lessons.answers.insert("lessons/01#2".into(), 1);
    assert!(app.has_new_answers(), "a prediction");
    assert_eq!(app.config.lessons, app.state.lessons.answers);
    assert!(!app.has_new_answers());
    // The same for a run, and for a curve when the pointer is released.
    app.state.lessons.progress.note_run("lessons/01#2", 0);
    assert!(app.has_new_answers() && !app.has_new_answers(), "a run");
    assert_eq!(app.config.lesson_progress, app.state.lessons.progress);
    app.state.lessons.progress.drawn.insert("lessons/01#2".into(), [(0, 1.0)].into());
    let sketch = PlotSketch {
        of: String::new(),
        seconds: 1.0,
        range: (0.0, 1.0),
        drawn: Default::default(),
        open: true,
        last: Some((0, 1.0)),
        changed: true,
    };
    app.state.plots.sketch = Some(sketch);
    assert!(!app.has_new_answers(), "the pointer still draws");
    app.state.plots.sketch = None;
    assert!(app.has_new_answers(), "a curve");
}

#[test]
fn the_results_of_the_lessons_are_written_as_html_and_replace_no_file_unasked() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut app = app(folder.path());
    app.results = Some("<p>One</p>".to_owned());
    app.carry_out(Request::SaveResults(folder.path().join("results")));
    let path = folder.path().join("results.html");
    assert_eq!(read_to_string(&path).expect("it is there"), "<p>One</p>");
    app.results = Some("<p>Two</p>".to_owned());
    app.carry_out(Request::SaveResults(path.clone()));
    let asked = app.state.questions.replace.take().expect("it is asked");
    assert_eq!(read_to_string(&path).expect("it is there"), "<p>One</p>");
    app.carry_out(Request::Replace(asked));
    assert_eq!(read_to_string(&path).expect("it is there"), "<p>Two</p>");
}
