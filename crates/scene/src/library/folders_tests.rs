//! The order of the folders, and what is read from several of them.

use std::fs;

use super::*;
use delassus_files::built_in::BuiltInFile;

const SCENE: &str = "(version: 1, title: \"As it came\")";
const LESSON: &str = r#"(title: "As it came", scene: "book/09-chain", question: "", happened: "", why: [], trials: [],
    prediction: (ask: "", choices: ["yes", "no"], right: 0))"#;
const FILES: &[BuiltInFile] = &[
    ("book/09-chain.ron", SCENE),
    ("book/12-stack.ron", SCENE),
    ("lessons/01-first.ron", LESSON),
    ("lessons/02-second.ron", LESSON),
    ("parts/doll.ron", SCENE),
];

/// The library within the program, and user's folders with these files.
fn with(folders: &[&[&str]]) -> (Library, tempfile::TempDir) {
    built_in::install(FILES);
    let place = tempfile::tempdir().expect("a folder");
    let mut own = Vec::new();
    for (index, files) in folders.iter().enumerate() {
        let path = place.path().join(index.to_string());
        for file in *files {
            let file = path.join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            let text = if file.parent().is_some_and(|folder| folder.ends_with("lessons")) { LESSON } else { SCENE };
            fs::write(file, text.replace("As it came", "Changed")).expect("a file");
        }
        own.push(OwnFolder { path, reason: Reason::Option });
    }
    (Library::of(built_in::path(""), own), place)
}

/// Names, and whether they are of the user's folders.
fn names(entries: &[LibraryEntry]) -> Vec<(&str, bool)> {
    entries.iter().map(|entry| (entry.id.as_str(), entry.own.is_some())).collect()
}

#[test]
fn the_library_within_the_program_is_read_as_one_on_the_disk_is() {
    let (library, _place) = with(&[]);
    let entries = library.entries();
    assert_eq!(names(&entries), [("book/09-chain", false), ("book/12-stack", false)]);
    assert_eq!((entries[0].title.as_str(), entries[0].place()), ("As it came", "built-in".to_owned()));
    assert_eq!(entries[0].bodies(), Some(0));
    assert_eq!(names(&library.parts()), [("parts/doll", false)]);
    assert_eq!(
        library.lessons().iter().map(|lesson| lesson.id.as_str()).collect::<Vec<_>>(),
        ["01-first", "02-second"]
    );
    for name in
        ["book/09-chain", "book/chain", "book/09-chain.ron", "built-in:book/chain", "built-in:/book/09-chain.ron"]
    {
        assert_eq!(library.find(name), Some("built-in:/book/09-chain.ron".into()), "{name}");
    }
    assert_eq!(library.find("book/nothing"), None);
}

#[test]
fn scenes_of_the_same_name_are_all_listed_and_the_name_opens_the_first_folders() {
    let (library, place) = with(&[&["book/09-chain.ron"], &["book/09-chain.ron", "mine.ron", "parts/pen.ron"]]);
    let entries = library.entries();
    let own = |name| (name, true);
    let shown = [own("book/09-chain"), own("book/09-chain"), own("mine"), ("book/09-chain", false)];
    assert_eq!(names(&entries)[..4], shown);
    let first = place.path().join("0/book/09-chain.ron");
    assert_eq!(library.find("book/09-chain"), Some(first.clone()));
    assert_eq!(library.find("book/chain"), Some(first.clone()));
    assert_eq!(library.find("built-in:book/09-chain"), Some("built-in:/book/09-chain.ron".into()));
    assert_eq!(library.find("mine"), Some(place.path().join("1/mine.ron")));
    assert_eq!(library.find("built-in:mine"), None);
    assert_eq!(names(&library.parts()), [own("parts/pen"), ("parts/doll", false)]);
    let second = place.path().join("1/book/09-chain.ron").display().to_string();
    let opened_by: Vec<String> = entries[..4].iter().map(|entry| library.name_of(entry)).collect();
    assert_eq!(opened_by, ["book/09-chain", &second, "mine", "built-in:book/09-chain"]);
}

#[test]
fn a_lesson_of_the_users_is_shown_in_place_of_another_with_the_scene_beside_it() {
    let (library, place) = with(&[&["lessons/02-second.ron", "book/09-chain.ron"]]);
    let lessons = library.lessons();
    let shown: Vec<_> = lessons.iter().map(|lesson| (lesson.id.as_str(), lesson.title.as_str())).collect();
    assert_eq!(shown, [("01-first", "As it came"), ("02-second", "Changed")]);
    assert_eq!(lessons[0].file, None);
    assert_eq!(lessons[1].file, Some(place.path().join("0/book/09-chain.ron")));
}

#[test]
fn a_folder_counts_once_and_one_that_is_gone_not_at_all() {
    let (library, place) = with(&[&["mine.ron"]]);
    let folder = |path: &str| OwnFolder { path: place.path().join(path), reason: Reason::Window };
    let again = Library::of(place.path().join("0"), vec![folder("0"), folder("gone"), folder("0/../0")]);
    assert_eq!(again.own, []);
    assert_eq!(names(&again.entries()), [("mine", false)]);
    let twice = Library::of(library.root, vec![folder("0"), folder("gone"), folder("0/../0")]);
    assert_eq!(twice.own, [folder("0")]);
}

#[test]
fn a_folder_that_cannot_be_read_is_named_with_the_reason() {
    let (_, place) = with(&[&["mine.ron"]]);
    let of = |name: &str| unusable(&place.path().join(name)).unwrap_or_default();
    assert_eq!(of("0"), "");
    assert!(of("gone").ends_with("gone: there is no such folder"), "{}", of("gone"));
    assert!(of("0/mine.ron").ends_with("mine.ron: it is not a folder"), "{}", of("0/mine.ron"));
    assert!(add_folders(&[place.path().join("0"), place.path().join("gone")]).is_err());
}
