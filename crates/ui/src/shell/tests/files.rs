//! Files and history, driven as by a user.

use egui::{Key, Modifiers};
use egui_kittest::{Harness, kittest::Queryable};

use crate::bench::{Bench, window};
use crate::notices::{Remedy, Topic};
use crate::request::{Purpose, Replace, Request};
use crate::shell::path_field::PathField;
use delassus_physics::setting::Value;
use delassus_session::{Command, Session};

/// Opens a menu of the top bar.
fn menu(harness: &mut Harness<'_, Bench>, name: &str) {
    harness.get_by_label(name).click();
    harness.run();
}

#[test]
fn recent_files_stand_in_the_menu_and_in_the_finder() {
    let folder = tempfile::tempdir().expect("a folder");
    let bridge = folder.path().join("bridge.ron");
    std::fs::write(&bridge, "(version: 1, title: \"Bridge\")").expect("a file");
    let mut harness = window();
    harness.run();
    let recent = &mut harness.state_mut().state.recent;
    recent.note(Some(&folder.path().join("gone.ron")));
    recent.note(Some(&bridge));
    recent.check_files();
    menu(&mut harness, "File");
    harness.get_by_label("Open recent").hover();
    harness.run();
    assert!(harness.query_by_label("gone.ron").is_some(), "greyed, but there");
    harness.get_by_label("bridge.ron").click();
    harness.run();
    assert!(harness.state().asked.contains(&Request::Open(bridge.clone())), "{:?}", harness.state().asked);

    harness.state_mut().asked.clear();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    harness.run_steps(3);
    harness.get_by_label("Find a scene or a command").type_text("recent bridge");
    harness.run_steps(3);
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    assert!(harness.state().asked.contains(&Request::Open(bridge)), "{:?}", harness.state().asked);
}

#[test]
fn the_history_names_the_edits_and_a_click_jumps() {
    let mut harness = window();
    harness.run();
    for (name, value) in [("warm_start.enabled", Value::Bool(false)), ("solver.iterations", Value::Int(9))] {
        harness.state_mut().session.dispatch(Command::Set { name, value }).expect("a good value");
    }
    harness.state_mut().session.dispatch(Command::KeepPose).expect("a scene");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::H);
    harness.run();
    assert!(harness.query_by_label("Warm starting off").is_some());
    harness.get_by_label("As it was opened").click();
    harness.run();
    assert!(!harness.state().session.is_dirty());
    assert_eq!(harness.state().session.undo_label(), None);
    harness.get_by_label("Warm starting off").click();
    harness.run();
    let settings = harness.state().session.settings();
    assert!(!settings.warm_start.enabled && settings.solver.iterations == 7);
    assert_eq!(harness.state().session.redo_label(), Some("Solver: Iterations 9"));
}

#[test]
fn a_run_is_recorded_and_asked_for_its_file() {
    let mut harness = window();
    harness.run();
    menu(&mut harness, "Simulate");
    harness.get_by_label("Record the run from its beginning").click();
    harness.run();
    assert_eq!(harness.state().session.recorded(), Some((0, true)));
    harness.get_by_label("REC");
    menu(&mut harness, "Simulate");
    harness.get_by_label("Record the run from its beginning").click();
    harness.run();
    assert_eq!(harness.state().asked.last(), Some(&Request::RecordingDialog));
    menu(&mut harness, "Simulate");
    harness.get_by_label("Discard the recording").click();
    harness.run();
    assert_eq!(harness.state().session.recorded(), None);
    assert!(harness.query_by_label("REC").is_none());
}

#[test]
fn file_entries_ask_for_what_they_say() {
    let mut harness = window();
    harness.run();
    menu(&mut harness, "File");
    harness.get_by_label("Save the state as a new scene…").click();
    harness.run();
    assert_eq!(harness.state().asked, [Request::ExportDialog]);
    // A scene without a file has nothing to revert to.
    menu(&mut harness, "File");
    harness.get_by_label("Revert to the file").click();
    harness.run();
    assert_eq!(harness.state().asked.len(), 1);
}

#[test]
fn a_changed_file_offers_two_answers_and_stays_until_one_is_given() {
    let mut harness = window();
    let ask = |label: &str, request| Remedy::Ask { label: label.into(), request: Box::new(request) };
    let remedies = vec![ask("Reload", Request::Reload), ask("Keep mine", Request::KeepMine)];
    harness.state_mut().state.notices.ask(Topic::Disk, "Another program has changed box.ron.", remedies);
    for _ in 0..20 {
        harness.run_steps(30);
    }
    assert!(harness.query_by_label("Reload").is_some());
    harness.get_by_label("Keep mine").click();
    harness.run();
    assert_eq!(harness.state().asked, [Request::KeepMine]);
    assert!(harness.query_by_label("Keep mine").is_none());
}

#[test]
fn writing_over_the_work_of_another_program_is_asked_first() {
    let mut harness = window();
    harness.state_mut().state.questions.overwrite = true;
    harness.run();
    harness.get_by_label("Cancel").click();
    harness.run();
    assert!(!harness.state().state.questions.overwrite && harness.state().asked.is_empty());
    harness.state_mut().state.questions.overwrite = true;
    harness.run();
    harness.get_by_label("Overwrite").click();
    harness.run();
    assert_eq!(harness.state().asked, [Request::Overwrite]);
}

#[test]
fn a_typed_path_takes_the_state_where_no_dialog_answers() {
    let mut harness = window();
    let text = "folder/box-state.ron".to_owned();
    harness.state_mut().state.questions.path_field = Some(PathField::new(Purpose::Export, text));
    harness.run();
    harness.get_by_role_and_label(egui::Role::Button, "Save").click();
    harness.run();
    assert_eq!(harness.state().asked, [Request::Export("folder/box-state.ron".into())]);
}

#[test]
fn a_new_scene_that_is_left_is_saved_under_a_name_and_then_left() {
    let mut harness = window();
    harness.state_mut().session = Session::from_text("(version: 1, title: \"New\")", "new").expect("a scene");
    harness.state_mut().state.questions.unsaved =
        Some(crate::shell::questions::UnsavedQuestion { then: Request::Quit });
    harness.run();
    harness.get_by_role_and_label(egui::Role::Button, "Save").click();
    harness.run();
    assert_eq!(harness.state().asked, [Request::SaveAsDialog, Request::AfterSave(Box::new(Request::Quit))]);
}

#[test]
fn a_file_that_is_there_is_replaced_only_when_that_is_said() {
    let mut harness = window();
    let asked = Replace { purpose: Purpose::Export, path: "folder/there.ron".into() };
    harness.state_mut().state.questions.path_field = Some(PathField::new(Purpose::Export, "folder/there.ron".into()));
    for (answer, expected) in [("Cancel", vec![]), ("Replace", vec![Request::Replace(asked.clone())])] {
        harness.state_mut().state.questions.replace = Some(asked.clone());
        harness.run_steps(3);
        harness.get_by_label(answer).click();
        harness.run_steps(3);
        assert_eq!(harness.state().asked, expected);
        assert!(harness.state().state.questions.replace.is_none());
        assert!(harness.state().state.questions.path_field.is_some(), "it stays until the file is written");
    }
}

#[test]
fn a_path_field_has_its_text_selected_lists_the_folder_and_keeps_what_went_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["bridge.ron", "tower.ron"] {
        std::fs::write(folder.path().join(name), "(version: 1, title: \"x\")").expect("a file");
    }
    let path = |name: &str| format!("{}/{name}", folder.path().display());
    let mut harness = window();
    harness.state_mut().state.questions.path_field = Some(PathField::new(Purpose::Open, path("bridge.ron")));
    harness.run_steps(4);
    assert!(harness.query_by_label("tower.ron").is_some(), "the folder is listed");
    // Typed text replaces the offered path, and Tab completes it.
    harness.event(egui::Event::Text(path("to")));
    harness.run_steps(3);
    harness.key_press(Key::Tab);
    harness.run_steps(3);
    let text = |harness: &Harness<'_, Bench>| {
        harness.state().state.questions.path_field.as_ref().map(|field| field.text.clone())
    };
    assert_eq!(text(&harness), Some(path("tower.ron")));
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    assert_eq!(harness.state().asked, [Request::Open(path("tower.ron").into())]);
    if let Some(field) = &mut harness.state_mut().state.questions.path_field {
        field.error = Some("it cannot be read".into());
    }
    harness.run_steps(3);
    assert!(harness.query_by_label("it cannot be read").is_some());
}

/// In a slow frame Tab was once handled before the letters typed ahead of it: `/tmp/pl` and Tab became `/tmp/play/l`.
#[test]
fn tab_completes_what_was_typed_in_the_same_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("tower.ron"), "").expect("a file");
    let path = |name: &str| format!("{}/{name}", folder.path().display());
    let mut harness = window();
    harness.state_mut().state.questions.path_field = Some(PathField::new(Purpose::Open, path("")));
    harness.run_steps(4);
    let key = |pressed| egui::Event::Key {
        key: Key::Tab,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: egui::Modifiers::NONE,
    };
    harness.input_mut().events.extend([egui::Event::Text(path("to")), key(true), key(false)]);
    harness.run_steps(3);
    let field = harness.state().state.questions.path_field.as_ref();
    assert_eq!(field.map(|field| field.text.clone()), Some(path("tower.ron")));
}

/// An idle window draws four frames a second, which once counted as a tenth of a second each, so that a notice of 4 s
/// stayed for 10 s.
#[test]
fn a_notice_goes_after_its_time_however_rare_the_frames_are() {
    let mut harness = window();
    harness.run();
    harness.state_mut().state.notices.info("saved");
    // A step of the harness takes a quarter of a second.
    let begin = harness.ctx.input(|i| i.time);
    harness.run_steps(12);
    assert!(harness.query_by_label("saved").is_some(), "after 3 s");
    harness.run_steps(6);
    let passed = harness.ctx.input(|i| i.time) - begin;
    assert!((4.2..5.0).contains(&passed), "{passed} s");
    assert!(harness.query_by_label("saved").is_none());
}

#[test]
fn notices_hold_still_under_the_pointer_and_leave_what_they_speak_of_to_be_seen() {
    let mut harness = window();
    harness.state_mut().state.notices.info("first");
    harness.state_mut().state.notices.info("second");
    harness.run_steps(3);
    let place = |harness: &Harness<'_, Bench>, text: &str| harness.get_by_label(text).rect();
    let first = place(&harness, "first");
    harness.event(egui::Event::PointerMoved(first.center()));
    harness.run_steps(3);
    harness.state_mut().state.notices.info("third");
    // Long enough for all of them to expire.
    for _ in 0..20 {
        harness.run_steps(30);
    }
    assert_eq!(place(&harness, "first"), first);
    assert!(harness.query_by_label("third").is_none(), "it waits");
    harness.event(egui::Event::PointerMoved(egui::pos2(5.0, 5.0)));
    harness.run_steps(3);
    assert!(harness.query_by_label("third").is_some());
    // A notice about a place in the lower right is drawn on the left.
    let state = &mut harness.state_mut().state;
    let rect = state.view3d.rect;
    let (size, pixel) = (glam::Vec2::new(rect.width(), rect.height()), glam::Vec2::new(60.0, 40.0));
    let (origin, direction) = state.view3d.camera.ray(size - pixel, size);
    state.notices.notice_at("hinge broke", origin + direction * 9.0);
    harness.run_steps(3);
    let notice = place(&harness, "hinge broke");
    assert!(notice.right() < rect.right() - 300.0 || rect.width() < 760.0, "{notice} in {rect}");
}
