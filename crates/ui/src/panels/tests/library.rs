//! The library's panel: the user's own folders and the program's scenes.

use egui_kittest::{Harness, kittest::Queryable};

use crate::{
    bench::{Bench, click},
    request::Request,
    view::ShelfFolder,
};
use delassus_physics::{setting::Value, settings::Settings};
use delassus_scene::library::{LibraryEntry, OwnFolder, Reason};
use delassus_session::{Command, Session};

/// A user's own folders are headings of their own above the program's scenes.
#[test]
fn the_library_shows_where_each_scene_comes_from_and_removes_only_folders_that_were_added() {
    let mut bench = Bench::new();
    let folder = |path: &str, reason, exists| ShelfFolder { folder: OwnFolder { path: path.into(), reason }, exists };
    bench.shelf.folders = vec![
        folder("/given", Reason::Option, true),
        folder("/home/bridges", Reason::Window, true),
        folder("/home/gone", Reason::Window, false),
    ];
    let mine = LibraryEntry {
        path: "/home/bridges/book/09-chain.ron".into(),
        title: "My chain".into(),
        own: Some("/home/bridges".into()),
        ..bench.shelf.entries[0].clone()
    };
    bench.shelf.entries.insert(0, mine.clone());
    let mut harness = crate::bench::window_of(bench);
    harness.run();
    for shown in
        ["given", "--scenes", "No scene is in it yet.", "bridges", "gone", "This folder is not there.", "Delassus"]
    {
        assert!(harness.query_by_label(shown).is_some(), "{shown}");
    }
    let above = |harness: &Harness<'_, Bench>, a: &str, b: &str| {
        harness.get_by_label(a).rect().top() < harness.get_by_label(b).rect().top()
    };
    assert!(above(&harness, "bridges", "My chain") && above(&harness, "My chain", "Delassus"));
    assert!(above(&harness, "Delassus", "Hanging chain"), "the scene of the same name is there, too");
    assert!(harness.query_by_label("Remove given from the library").is_none(), "the command line named it");
    click(&mut harness, "My chain");
    click(&mut harness, "Remove bridges from the library");
    click(&mut harness, "Add a folder of scenes");
    let asked = [Request::Open(mine.path), Request::ForgetFolder("/home/bridges".into()), Request::FolderDialog];
    assert_eq!(harness.state().asked, asked);
}

/// A switch during a run lit the card of the experiment with the same settings, and what the card says was not what was
/// seen.
#[test]
fn a_card_says_that_its_settings_were_set_during_the_run() {
    const WORDS: &str = "Set during this run. Reset to see what is described here.";
    let text = r#"(version: 1, title: "t", bodies: [(name: "ball", shape: Sphere(radius: 0.1), at: (1, 0, 0))],
        experiments: [(name: "One sweep", about: "It sinks.", set: (solver: (iterations: 1)))])"#;
    let session = Session::from_text(text, "t").expect("a scene");
    let mut harness = crate::bench::window_of(Bench::of(session));
    let dispatch = |harness: &mut Harness<'_, Bench>, command| {
        harness.state_mut().session.dispatch(command).expect("it is done");
        harness.run_steps(3);
    };
    (0..5).for_each(|_| dispatch(&mut harness, Command::Step));
    let iterations = Settings::find("solver.iterations").expect("it is a setting").name;
    dispatch(&mut harness, Command::Set { name: iterations, value: Value::Int(1) });
    assert!(harness.query_by_label("It sinks.").is_some() && harness.query_by_label(WORDS).is_some());
    dispatch(&mut harness, Command::Reset);
    assert!(harness.query_by_label(WORDS).is_none());
    dispatch(&mut harness, Command::ApplyExperiment(0));
    assert!(harness.query_by_label(WORDS).is_none());
}
