//! The library's panel: the user's own folders and the program's scenes.

use egui_kittest::{Harness, kittest::Queryable};

use crate::{
    bench::{Bench, click},
    request::Request,
    view::ShelfFolder,
};
use delassus_scene::library::{LibraryEntry, OwnFolder, Reason};

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
