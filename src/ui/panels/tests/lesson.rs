//! A lesson in the Guide: nothing is told before something is predicted, and a run is a click.

use std::path::Path;

use egui_kittest::kittest::Queryable;

use crate::scene::lesson::{self, Line};
use crate::scene::library::{library, scenes_folder};
use crate::session::{Command, Session};
use crate::ui::{
    RightTab,
    bench::{Bench, window_of},
    request::Request,
    widgets::tex,
};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes")
}

#[test]
fn every_lesson_names_what_there_is_and_its_formulas_can_be_set() {
    let files = std::fs::read_dir(folder().join(lesson::FOLDER)).expect("the folder of the lessons").flatten();
    let lessons = lesson::all(&folder());
    assert_eq!(files.count(), lessons.len(), "one cannot be read");
    assert!(lessons.len() >= 5);
    let entries = library(&scenes_folder());
    for lesson in lessons {
        let entry = entries.iter().find(|entry| entry.id == lesson.scene);
        let entry = entry.unwrap_or_else(|| panic!("{}: there is no scene {}", lesson.id, lesson.scene));
        let scene = crate::scene::read(&entry.path).expect("a scene of the library").scene;
        for trial in lesson.trials.iter().filter(|trial| !trial.experiment.is_empty()) {
            let known = scene.experiments.iter().any(|experiment| experiment.name == trial.experiment);
            assert!(known, "{}: no experiment is called “{}”", lesson.id, trial.experiment);
        }
        for line in &lesson.why {
            if let Line::Formula(formula) = line {
                assert!(tex::can_be_set(formula), "{}: {formula}", lesson.id);
            }
        }
    }
}

#[test]
fn a_lesson_asks_before_it_tells_and_runs_by_a_click() {
    let path = folder().join("book/06-bead-on-wire.ron");
    let mut bench = Bench::of(Session::open(&path).expect("it can be read"));
    bench.shelf.lessons = lesson::all(&folder());
    bench.shelf.entries = library(&folder());
    bench.state.right_tab = RightTab::Guide;
    let mut harness = window_of(bench);
    let told = |harness: &egui_kittest::Harness<'_, Bench>| harness.query_all_by_label("WHAT HAPPENED").count();
    assert_eq!(told(&harness), 0);
    let lessons = harness.state().shelf.lessons.clone();
    let choice = &lessons[0].prediction.choices[0];
    harness.get_by_label(&format!("I predict: {choice}")).click();
    harness.run();
    assert_eq!(told(&harness), 1);
    assert_eq!(harness.state().state.lessons.get(&lessons[0].id), Some(&0));
    harness.get_by_label("1. No stabilisation").click();
    harness.run_steps(2);
    assert!(harness.state().asked_for(&Command::Reset) && harness.state().asked_for(&Command::Play));
    let name = &harness.state().session.active_experiment().map(|index| index.to_string());
    assert!(name.is_some(), "its settings are the experiment's");
    harness.state_mut().session.dispatch(Command::Pause).expect("it pauses");
    harness.run_steps(2);
    // It stands below all that was told.
    let next = format!("Next: {}", lessons[1].title);
    harness.get_by_label(&next).scroll_to_me();
    harness.run_steps(4);
    harness.get_by_label(&next).click();
    harness.run_steps(2);
    let next = folder().join("book/08-pendulum.ron");
    assert!(harness.state().asked.contains(&Request::Open(next)), "{:?}", harness.state().asked);
}
