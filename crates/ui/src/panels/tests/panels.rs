//! The panels, driven as by a user, without a display: by the names of the controls.

use egui::{Key, Modifiers, Role};
use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};
use glam::Vec3;

use crate::{
    RightTab,
    bench::{Bench, window, window_of},
    panels::solver,
    request::Request,
    widgets::theme,
};
use delassus_physics::{
    joints::JointKind,
    preset::Preset,
    setting::{Domain, Value},
    settings::LIST,
};
use delassus_scene::Words as _;
use delassus_session::{Command, Session};

#[test]
fn a_click_on_the_warm_starting_switch_asks_for_it() {
    let mut harness = window();
    // The switchboard's switch comes first; the list of settings has it again.
    harness.get_all_by_role_and_label(Role::Switch, "Warm starting").next().expect("a switch").click();
    harness.run();
    let off = Command::Set { name: "warm_start.enabled", value: Value::Bool(false) };
    assert!(harness.state().asked_for(&off), "{:?}", harness.state().asked);
    assert!(!harness.state().session.settings().warm_start.enabled);
    // It now differs from the file, and one click resets it.
    harness.get_all_by_label("Reset warm_start.enabled").next().expect("the mark stands beside it").click();
    harness.run();
    assert!(harness.state().session.settings().warm_start.enabled);
    assert_eq!(harness.query_all_by_label("Reset warm_start.enabled").count(), 0);
}

#[test]
fn the_switchboard_changes_friction_method_and_stabilisation() {
    let mut harness = window();
    for (label, name, value) in [
        ("Friction Friction: Coulomb", "friction.model", "Coulomb"),
        ("Solver Method: Jacobi", "solver.method", "Jacobi"),
        ("Stabilisation Method: none", "stabilization.method", "Off"),
    ] {
        harness.get_by_label(label).click();
        harness.run();
        let command = Command::Set { name, value: Value::Choice(value) };
        assert!(harness.state().asked_for(&command), "{label}: {:?}", harness.state().asked);
    }
}

/// The list at the top shows what preset the settings are, and sets another; a changed setting makes them one's own.
#[test]
fn a_preset_is_chosen_from_the_list() {
    let mut harness = window();
    let list = |harness: &Harness<'_, _>| harness.get_by_role_and_label(Role::ComboBox, "Preset").value();
    harness.get_by_role_and_label(Role::ComboBox, "Preset").click();
    harness.run();
    harness.get_by_label("Box3D").click();
    harness.run();
    assert!(harness.state().asked_for(&Command::ChoosePreset(Preset::Box3D)), "{:?}", harness.state().asked);
    assert_eq!(list(&harness).as_deref(), Some("Box3D"));
    harness.state_mut().session.dispatch(Command::Set { name: "solver.iterations", value: Value::Int(7) }).unwrap();
    harness.run();
    assert_eq!(list(&harness).as_deref(), Some("Own settings"));
}

#[test]
fn every_setting_has_a_control_and_the_search_finds_it() {
    let mut harness = Harness::builder().with_size([340.0, 2400.0]).with_context_setup(theme::install).build_ui_state(
        |ui, (bench, search): &mut (Bench, String)| {
            bench.show(ui, |ui, view, _, out| solver::groups(ui, view, search, out));
        },
        (Bench::new(), String::new()),
    );
    harness.run();
    for setting in LIST {
        let name = if matches!((setting.get)(&Default::default()), Value::Vector(_)) {
            format!("{} x", setting.words().label)
        } else {
            setting.words().label.to_owned()
        };
        assert!(harness.query_all_by_label(&name).next().is_some(), "{} has no control", setting.name);
    }
    harness.state_mut().1 = "tolerance".into();
    harness.run();
    assert!(harness.query_by_label("Step rate").is_none());
    assert!(harness.query_all_by_label("Match tolerance").next().is_some());
}

/// What was found had a row and a half below the large switches.
#[test]
fn the_settings_that_were_found_have_all_the_room() {
    let mut harness = window();
    harness.state_mut().state.right_tab = crate::RightTab::Solver;
    harness.run();
    assert!(harness.query_by_role_and_label(Role::ComboBox, "Preset").is_some());
    harness.get_by_label("Search the settings").click();
    harness.run();
    for letter in ["t", "o", "l", "e", "r", "a", "n", "c", "e"] {
        harness.event(egui::Event::Text(letter.into()));
        harness.run();
    }
    assert_eq!(harness.state().state.solver.search, "tolerance", "the field keeps the focus");
    assert!(harness.query_by_role_and_label(Role::ComboBox, "Preset").is_none());
    assert!(harness.query_all_by_label("Match tolerance").next().is_some());
    harness.get_by_label("Clear search").click();
    harness.run();
    assert!(harness.query_by_role_and_label(Role::ComboBox, "Preset").is_some());
}

#[test]
fn the_library_filters_as_one_types_and_opens_on_a_click() {
    let mut harness = window();
    harness.get_by_label("Search the library").click();
    harness.run();
    harness.get_by_label("Search the library").type_text("brick");
    harness.run();
    assert!(harness.query_by_label("Hanging chain").is_none());
    harness.get_by_label("Brick wall").click();
    harness.run();
    assert!(harness.state().asked.contains(&Request::Open("lab/01-wall.ron".into())));
}

#[test]
fn an_experiment_applies_its_settings_and_starts_over() {
    let mut harness = window();
    harness.get_by_role_and_label(Role::Button, "Cold").click();
    harness.run_steps(4);
    assert!(harness.state().asked_for(&Command::ApplyExperiment(0)));
    assert!(harness.state().asked_for(&Command::Reset) && harness.state().asked_for(&Command::Play));
    assert_eq!(harness.state().session.active_experiment(), Some(0));
    harness.get_by_label("Leave the experiment").click();
    harness.run_steps(4);
    assert!(harness.state().session.settings_differ_from_file().is_empty());
}

#[test]
fn keys_work_but_not_while_a_field_is_typed_in() {
    let mut harness = window();
    harness.run();
    harness.key_press(Key::C);
    harness.run();
    assert!(!harness.state().state.view3d.overlays.contacts, "C hides the contacts");
    harness.get_by_label("Search the library").click();
    harness.run();
    harness.key_press(Key::C);
    harness.key_press(Key::Period);
    harness.run();
    assert!(!harness.state().state.view3d.overlays.contacts, "the field has the keyboard");
    assert!(!harness.state().asked_for(&Command::Step));
}

/// An experiment with the scene's own settings was once highlighted when the scene opened, with a useless back button.
#[test]
fn an_experiment_that_is_the_scenes_own_has_no_way_back() {
    let text = r#"(version: 1, title: "t", settings: (solver: (iterations: 7)),
        bodies: [(name: "a", shape: Sphere(radius: 1))], experiments: [
            (name: "Seven sweeps", set: (solver: (iterations: 7))), (name: "Two sweeps", set: (solver: (iterations: 2)))])"#;
    let mut harness = window_of(Bench::of(Session::from_text(text, "t").expect("the scene is right")));
    harness.run_steps(3);
    assert_eq!(harness.state().session.active_experiment(), Some(0));
    assert!(harness.query_by_label("Leave the experiment").is_none());
    // The label is on the card in the library; the guide is not shown.
    assert_eq!(harness.get_all_by_label("As in the scene.").count(), 1);
    let beside = harness.get_by_label("Seven sweeps beside the scene's own");
    assert!(beside.accesskit_node().is_disabled());
    harness.get_by_role_and_label(Role::Button, "Two sweeps").click();
    harness.run_steps(3);
    harness.get_by_label("Leave the experiment").click();
    harness.run_steps(3);
    assert_eq!(harness.state().session.active_experiment(), Some(0));
    assert!(harness.query_by_label("Leave the experiment").is_none());
}

#[test]
fn the_finder_runs_commands() {
    let mut harness = window();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    harness.run_steps(3);
    harness.get_by_label("Find a scene or a command").type_text("bounding");
    harness.run_steps(3);
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    assert!(harness.state().state.view3d.overlays.bounds);
    assert!(harness.state().state.finder.is_none());
    // Commands are also found by other names.
    harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    harness.run_steps(3);
    harness.get_by_label("Find a scene or a command").type_text("export");
    harness.run_steps(3);
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    assert!(harness.state().asked.contains(&Request::ExportDialog), "{:?}", harness.state().asked);
}

#[test]
fn transport_buttons_do_what_they_say() {
    let mut harness = window();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Step").click();
    harness.run();
    assert_eq!(harness.state().session.snapshot().step, 1);
    harness.get_by_label("Step back").click();
    harness.run();
    assert_eq!(harness.state().session.snapshot().step, 0);
    harness.get_by_label("Play").click();
    harness.run_steps(3);
    assert!(harness.state().session.playing());
    assert!(harness.query_by_label("Pause").is_some());
}

#[test]
fn the_inspector_shows_what_is_selected() {
    let mut harness = window();
    harness.state_mut().state.right_tab = RightTab::Inspector;
    harness.run();
    assert!(harness.query_by_label_contains("Nothing is selected").is_some());
    harness.state_mut().state.selection.click_body(2, false);
    harness.run();
    assert!(harness.query_by_label("box").is_some());
    assert!(harness.query_by_label("dynamic body").is_some());
}

#[test]
fn a_click_in_the_view_selects_and_a_drag_with_ctrl_pulls() {
    let mut harness = window();
    harness.run();
    let middle = harness.state().state.view3d.rect.center();
    // The box in the middle of the view.
    harness
        .state_mut()
        .state
        .view3d
        .camera
        .set(delassus_render::orbit_view::OrbitView::between(Vec3::new(0.0, -8.0, 0.5), Vec3::new(0.0, 0.0, 0.5)));
    harness.run();
    harness.hover_at(middle);
    harness.run();
    assert_eq!(harness.state().state.selection.hovered, Some(2));
    harness.drag_at(middle);
    harness.run_steps(1);
    harness.drop_at(middle);
    harness.run();
    assert_eq!(harness.state().state.selection.bodies, [2]);

    harness.key_down_modifiers(Modifiers::COMMAND, Key::A);
    let press = |pressed| egui::Event::PointerButton {
        pos: middle,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::COMMAND,
    };
    harness.event_modifiers(press(true), Modifiers::COMMAND);
    harness.run_steps(1);
    harness.event_modifiers(egui::Event::PointerMoved(middle + egui::vec2(80.0, -60.0)), Modifiers::COMMAND);
    harness.run_steps(2);
    let pulled =
        |bench: &Bench| bench.asked.iter().any(|r| matches!(r, Request::Session(Command::MouseJoint { body: 2, .. })));
    assert!(pulled(harness.state()), "{:?}", harness.state().asked);
    harness.event_modifiers(press(false), Modifiers::NONE);
    harness.run_steps(2);
    assert!(harness.state().asked_for(&Command::Release));
}

#[test]
fn leaving_unsaved_changes_asks_and_cancel_keeps_them() {
    let mut harness = window();
    harness.state_mut().state.questions.unsaved =
        Some(crate::shell::questions::UnsavedQuestion { then: Request::Quit });
    harness.run();
    harness.get_by_label("Cancel").click();
    harness.run();
    assert!(harness.state().state.questions.unsaved.is_none() && harness.state().asked.is_empty());
    harness.state_mut().state.questions.unsaved =
        Some(crate::shell::questions::UnsavedQuestion { then: Request::Quit });
    harness.run();
    harness.get_by_label("Discard changes").click();
    harness.run();
    assert_eq!(harness.state().asked, [Request::Discard(Box::new(Request::Quit))]);
}

/// The sources of these crates.
fn sources(folders: &[&str]) -> Vec<std::path::PathBuf> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open: Vec<_> = folders.iter().map(|folder| root.join("..").join(folder).join("src")).collect();
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn every_word_on_screen_has_its_glyphs() {
    let ctx = egui::Context::default();
    theme::install(&ctx);
    // Fonts are available only after a frame.
    ctx.run_ui(Default::default(), |_| {}).drop_without_applying_deltas();
    let mut words: Vec<String> = LIST
        .iter()
        .flat_map(|s| [s.words().label, s.words().what, s.words().source, s.unit].map(String::from))
        .collect();
    for setting in LIST {
        if let Domain::Choice(choices) = setting.domain {
            words.extend(choices.words().iter().flat_map(|c| [c.label, c.what].map(String::from)));
        }
    }
    words.extend(JointKind::all().iter().flat_map(|kind| [kind.info().what, kind.info().source].map(String::from)));
    words.extend(crate::shell::action::ACTIONS.iter().flat_map(|info| [info.name.to_owned(), info.key_text()]));
    for entry in delassus_scene::library::ordinary(&delassus_scene::library::source_scenes()) {
        let scene = delassus_scene::read(&entry.path).expect("the library's scenes are right").scene;
        words.extend([scene.title, scene.source, scene.about, scene.look_for]);
        words.extend(scene.experiments.to_vec().into_iter().flat_map(|e| [e.name, e.about]));
    }
    // Tooltips, notices and the doctor's texts are in the sources: all lines that are not comments.
    for source in sources(&["ui", "doctor", "lab", "scene", "session", "app"]) {
        // These two contain the documents' characters that they replace.
        if !source.ends_with("reader/formula.rs") && !source.ends_with("reader/prose.rs") {
            let text = std::fs::read_to_string(&source).expect("it is there");
            words.extend(text.lines().filter(|line| !line.trim_start().starts_with("//")).map(str::to_owned));
        }
    }
    for lesson in delassus_scene::lesson::all(&delassus_scene::library::scenes_folder()) {
        words.extend([lesson.title, lesson.question, lesson.happened, lesson.prediction.ask]);
        words.extend(lesson.prediction.choices);
        words.extend(lesson.trials.into_iter().map(|trial| trial.say));
    }
    let font = egui::FontId::proportional(13.0);
    for word in words {
        let missing: String =
            ctx.fonts_mut(|fonts| word.chars().filter(|c| !c.is_control() && !fonts.has_glyph(&font, *c)).collect());
        assert!(missing.is_empty(), "no glyph for {missing:?} in {word:?}");
    }
}
