//! Comparison runs, driven by the names of the controls.

use egui::{Modifiers, PointerButton, accesskit::Role, vec2};
use egui_kittest::{Harness, kittest::Queryable};

use crate::bench::{Bench, click, steps, window};
use crate::shell::state::BottomTab;
use delassus_physics::{setting::Value, settings::Method};
use delassus_session::{Command, CompareCommand};

#[test]
fn an_experiment_runs_beside_the_scenes_own_by_one_click() {
    let mut harness = window();
    harness.run();
    click(&mut harness, "Cold beside the scene's own");
    let bench = harness.state();
    let runs = bench.session.runs();
    assert_eq!((runs.len(), runs[0].name.as_str()), (1, "Cold"));
    assert!(!runs[0].session().settings().warm_start.enabled && bench.session.settings().warm_start.enabled);
    assert!(bench.session.playing() && bench.session.settings_differ_from_file().is_empty());
    assert_eq!(bench.state.bottom_tab, BottomTab::Compare, "its table comes along");
    harness.state_mut().session.dispatch(Command::Pause).expect("it pauses");
    // Another card starts another comparison.
    click(&mut harness, "Many sweeps beside the scene's own");
    let runs = harness.state().session.runs();
    assert_eq!((runs.len(), runs[0].session().settings().solver.iterations), (1, 50));
}

/// One click runs all experiments with the scene's step rate beside the scene's own settings.
#[test]
fn all_experiments_run_beside_each_other_by_one_click() {
    let mut harness = window();
    harness.run();
    let names: Vec<String> = {
        let scene = harness.state().session.scene().expect("a scene");
        scene.experiments.iter().map(|experiment| experiment.name.clone()).collect()
    };
    assert!(names.len() > 1, "{names:?}");
    click(&mut harness, "All experiments side by side");
    let bench = harness.state();
    let runs: Vec<&str> = bench.session.runs().iter().map(|run| run.name.as_str()).collect();
    assert_eq!(runs, names);
    assert!(bench.session.playing() && bench.session.settings_differ_from_file().is_empty());
    assert_eq!(bench.state.bottom_tab, BottomTab::Compare);
}

#[test]
fn the_switchboard_keeps_what_is_set_as_a_run_and_the_table_manages_it() {
    let mut harness = window();
    harness.run();
    click(&mut harness, "Beside this");
    let method = Command::Set { name: "solver.method", value: Value::Choice("Direct") };
    harness.state_mut().session.dispatch(method).expect("a setting");
    steps(&mut harness, 30);
    harness.get_by_label("Name of run b");
    let session = &harness.state().session;
    assert_eq!((session.runs().len(), session.divergence().end()), (1, 31));
    assert_eq!(session.runs()[0].name, "as in the file");
    click(&mut harness, "Run the present settings");
    click(&mut harness, "Fine reference");
    assert_eq!((harness.state().session.runs().len(), harness.state().session.reference_run()), (3, 3));
    click(&mut harness, "Measure from run a");
    assert_eq!(harness.state().session.reference_run(), 0);
    // Removing a run keeps the others, and their letters move up.
    let names = |harness: &Harness<'_, Bench>| {
        harness.state().session.runs().iter().map(|run| run.name.clone()).collect::<Vec<_>>()
    };
    let before = names(&harness);
    harness.get_by_label("Run c").click();
    harness.run_steps(4);
    click(&mut harness, "Remove this run");
    assert_eq!(names(&harness), [before[0].clone(), before[2].clone()]);
    harness.get_by_label("Name of run b").click();
    harness.run_steps(4);
    harness.key_press_modifiers(Modifiers::COMMAND, egui::Key::A);
    harness.event(egui::Event::Text("first".into()));
    harness.key_press(egui::Key::Enter);
    harness.run_steps(4);
    assert_eq!(names(&harness)[0], "first");
    harness.get_by_label("Run b").click();
    harness.run_steps(4);
    click(&mut harness, "Set these settings");
    assert_eq!(harness.state().session.settings().solver.method, Method::GaussSeidel);
    harness.state_mut().session.dispatch(Command::Undo).expect("it is an edit");
    assert_eq!(harness.state().session.settings().solver.method, Method::Direct);
}

/// The bound is typed in millimetres; text that is not a number changes nothing.
#[test]
fn the_bound_of_difference_is_typed() {
    let mut harness = window();
    harness.state_mut().session.dispatch(Command::Compare(CompareCommand::AddFine)).expect("a run");
    harness.run_steps(4);
    for (typed, expected) in [("x", 1e-3), ("2.5", 2.5e-3), ("-1", 2.5e-3)] {
        harness.get_by_label("Bound of difference").click();
        harness.run_steps(2);
        harness.key_press_modifiers(Modifiers::COMMAND, egui::Key::A);
        harness.run_steps(2);
        harness.get_by_label("Bound of difference").type_text(typed);
        harness.run_steps(2);
        harness.key_press(egui::Key::Enter);
        harness.run_steps(2);
        let epsilon = harness.state().session.divergence().epsilon();
        assert!((epsilon - expected).abs() < 1e-12, "{typed}: {epsilon}");
    }
}

#[test]
fn pictures_stand_side_by_side_and_one_camera_turns_them() {
    let mut harness = window();
    harness.state_mut().session.dispatch(Command::Compare(CompareCommand::AddFine)).expect("a run");
    harness.run_steps(4);
    assert!(harness.query_by_label("Picture of run b").is_none(), "ghosts at first");
    click(&mut harness, "Other runs: Side by side");
    let (main_view, other) = (harness.state().state.view3d.rect, harness.state().state.compare.cells[0]);
    assert!((main_view.width() - other.width()).abs() < 1.0 && main_view.intersect(other).area() < 1.0);
    let before = harness.state().state.view3d.camera.view.eye();
    let at = harness.get_by_role_and_label(Role::Canvas, "Picture of run b").rect().center();
    harness.event(egui::Event::PointerMoved(at));
    let press = |pressed, pos| egui::Event::PointerButton {
        pos,
        button: PointerButton::Middle,
        pressed,
        modifiers: Modifiers::NONE,
    };
    harness.event(press(true, at));
    harness.run_steps(2);
    harness.event(egui::Event::PointerMoved(at + vec2(60.0, 20.0)));
    harness.run_steps(2);
    harness.event(press(false, at + vec2(60.0, 20.0)));
    harness.run_steps(2);
    harness.state_mut().state.view3d.camera.arrive();
    assert!(harness.state().state.view3d.camera.view.eye().distance(before) > 0.1, "the camera turns");
}

#[test]
fn the_table_stays_within_a_small_window() {
    let mut harness = window();
    for _ in 0..3 {
        harness.state_mut().session.dispatch(Command::Compare(CompareCommand::AddFine)).expect("a run");
    }
    for size in [vec2(760.0, 500.0), vec2(900.0, 600.0), vec2(1400.0, 900.0)] {
        harness.set_size(size);
        harness.run_steps(5);
        let view = harness.get_by_label("3-D view").rect();
        let tab = harness.get_by_label("Bottom tab: Compare").rect();
        assert!(tab.top() >= view.bottom() - 1.0 && tab.right() <= size.x, "{size}: {tab} below {view}");
        let end = harness.get_by_label("End").rect();
        assert!(end.right() <= size.x && end.bottom() <= size.y, "{size}: {end}");
    }
}

/// Names were once cut after a word and a half.
#[test]
fn the_heads_of_the_table_have_their_names_whole_above_its_lines() {
    let mut harness = window();
    harness.set_size(vec2(1400.0, 900.0));
    harness.run_steps(3);
    let name = "Full manifold, 50 iterations, nothing carried over".to_owned();
    let settings = Box::new(*harness.state().session.settings());
    harness.state_mut().session.dispatch(Command::Compare(CompareCommand::Add { name, settings })).expect("a run");
    harness.state_mut().state.bottom_tab = BottomTab::Compare;
    harness.run_steps(3);
    let head = harness.get_by_label("Name of run b").rect();
    // In a column of 98 points such a name takes at least three lines, each 13 points high.
    assert!(head.width() <= 98.5 && head.height() > 2.5 * 13.0, "{head}");
    let line = harness.get_by_label("largest joint error").rect();
    assert!(line.top() >= head.bottom(), "{line} below {head}");
}

/// The lines scroll away below the heads.
#[test]
fn the_heads_of_the_table_stay_while_its_lines_scroll() {
    let mut harness = window();
    harness.state_mut().session.dispatch(Command::Compare(CompareCommand::AddFine)).expect("a run");
    harness.state_mut().state.bottom_tab = BottomTab::Compare;
    harness.set_size(vec2(900.0, 600.0));
    harness.run_steps(5);
    let place = |harness: &Harness<'_, Bench>, label: &str| harness.get_by_label(label).rect();
    let [head, line] = ["Name of run b", "largest joint error"].map(|label| place(&harness, label));
    harness.get_by_label("Measure from run a").scroll_to_me();
    harness.run_steps(5);
    let [head_after, line_after] = ["Name of run b", "largest joint error"].map(|label| place(&harness, label));
    assert!(line_after.top() < line.top() - 20.0, "the lines scroll: {line}, then {line_after}");
    assert!((head_after.min - head.min).length() < 0.5, "the head stays: {head}, then {head_after}");
}
