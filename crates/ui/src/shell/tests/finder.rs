//! The finder also has lessons and experiments.

use egui::{Key, Modifiers};
use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};

use crate::bench::{Bench, window_of};
use crate::request::Request;
use crate::shell::state::RightTab;
use delassus_launch::LaunchOptions;
use delassus_scene::{lesson, library};
use delassus_session::{Command, Session};

/// A window with the library, in which the chain of chapter 9 is open.
fn bench() -> Harness<'static, Bench> {
    let folder = library::scenes_folder();
    let mut session = Session::new();
    session.dispatch(Command::Open(folder.join("book/09-chain.ron"))).expect("it is in the library");
    let mut bench = Bench::of(session);
    (bench.shelf.entries, bench.shelf.lessons) = (library::library(&folder), lesson::all(&folder));
    let mut harness = window_of(bench);
    harness.run_steps(3);
    harness
}

fn find(harness: &mut Harness<'_, Bench>, words: &str) {
    harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    harness.run_steps(3);
    harness.get_by_label("Find a scene or a command").type_text(words);
    harness.run_steps(3);
    harness.key_press(Key::Enter);
    harness.run_steps(3);
}

#[test]
fn a_lesson_is_found_by_its_title_and_opens_its_guide() {
    let mut harness = bench();
    let lesson = harness.state().shelf.lessons.iter().find(|lesson| lesson.id == "12-penetration").cloned();
    let lesson = lesson.expect("it is in the library");
    find(&mut harness, &lesson.title);
    assert_eq!(harness.state().state.right_tab, RightTab::Guide);
    let scene = harness.state().shelf.scene_of(&lesson).expect("it is in the library");
    assert_eq!(harness.state().asked.last(), Some(&Request::Open(scene)));
}

#[test]
fn an_experiment_is_applied_where_its_scene_is_open_and_opened_with_it_elsewhere() {
    let mut harness = bench();
    let name = harness.state().session.scene().expect("the chain").experiments[1].name.clone();
    find(&mut harness, &name);
    assert_eq!(harness.state().session.active_experiment(), Some(1), "{name}");
    assert!(harness.state().session.playing() && !harness.state().session.is_dirty());
    let entries = harness.state().shelf.entries.clone();
    let entry = entries.iter().find(|entry| entry.id == "book/10-loose-chain").expect("it is in the library");
    // Found by its name and its scene, in any order.
    let words = &entry.experiments[0];
    find(&mut harness, &format!("{} {}", words.name, entry.title));
    let wanted = LaunchOptions::with_experiment(&entry.path, &words.name);
    assert_eq!(harness.state().asked.last(), Some(&Request::OpenLaunch(Box::new(wanted))));
}

/// An experiment is found by its description, after hits by name; its entry names its kind and its scene.
#[test]
fn an_entry_says_what_it_is_and_what_it_belongs_to() {
    let mut harness = bench();
    let entries = harness.state().shelf.entries.clone();
    let entry = entries.iter().find(|entry| entry.id == "book/10-loose-chain").expect("it is in the library");
    let words = &entry.experiments[0];
    let about: Vec<&str> = words.about.split_whitespace().skip(3).take(4).collect();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    harness.run_steps(3);
    harness.get_by_label("Find a scene or a command").type_text(&about.join(" "));
    harness.run_steps(3);
    let line = harness.get_by_label(&words.name);
    let description = line.accesskit_node().description().unwrap_or_default();
    assert!(description.contains("experiment") && description.contains("Loose chain"), "{description}");
}
