//! Every action does something: this finds dead menu entries and keys.

use egui_kittest::{
    Harness,
    kittest::{By, NodeT, Queryable},
};
use glam::Vec3;

use crate::bench::{Bench, window, window_of};
use crate::panels::laboratory::Instrument;
use crate::request::Request;
use crate::shell::action::{ACTIONS, Action};
use crate::shell::finder::FinderState;
use crate::shell::state::BottomTab;
use crate::shell::ui_scale::UiScale;
use crate::widgets::angles::Angles;
use delassus_launch::line;
use delassus_physics::setting::Value;
use delassus_render::orbit_view::OrbitView;
use delassus_session::{Command, Session};

const SCENE: &str = r#"(
    version: 1,
    title: "A bit of everything",
    bodies: [
        (name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "box", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.5)),
        (name: "arm", shape: Box(half: (0.5, 0.1, 0.1)), at: (1, 0, 0.5)),
        (name: "ball", shape: Sphere(radius: 0.3), at: (-2, 0, 0.3)),
    ],
    joints: [(name: "pin", a: "box", b: "arm", anchor: (0.5, 0, 0.5), axis: (0, 1, 0), kind: Hinge())],
)"#;

/// A window in which every action has an effect: with some steps, an edit and an undone edit, a selection, the pointer
/// over the view. Also the folder of the scene's file.
fn bench(action: Action) -> (Harness<'static, Bench>, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("everything.ron");
    std::fs::write(&file, SCENE).expect("it can be written");
    let mut session = Session::new();
    session.dispatch(Command::Open(file)).expect("the scene is right");
    session.dispatch(Command::Pause).expect("it can");
    let edits = [("solver.iterations", Value::Int(11)), ("contact.slop", Value::Real(0.01))];
    for (name, value) in edits {
        session.dispatch(Command::Set { name, value }).expect("a setting");
    }
    session.dispatch(Command::Undo).expect("an entry");
    session.dispatch(Command::Step).expect("a step");
    let mut harness = window_of(Bench::of(session));
    harness.run();
    let state = &mut harness.state_mut().state;
    state.view3d.camera.set(OrbitView::between(Vec3::new(1.0, -8.0, 3.0), Vec3::new(0.0, 0.0, 0.5)));
    state.selection.bodies = vec![2];
    // The requested state must not be the present one.
    match action {
        Action::ThemeDark => state.theme = egui::ThemePreference::Light,
        Action::Angles(Angles::Degrees) => state.angles = Angles::Radians,
        Action::UiScale(_) => state.ui_scale = UiScale::near(1.25),
        Action::ShowAll => state.pending.push(Action::Hide),
        Action::NextMark | Action::Newest | Action::Fork => state.pending.push(Action::StepBack),
        Action::ForgetRecording => state.pending.push(Action::Record),
        Action::JointEnd => (state.selection.bodies, state.selection.joint) = (Vec::new(), Some(0)),
        _ => {}
    }
    let middle = harness.state().state.view3d.rect.center();
    harness.event(egui::Event::PointerMoved(middle));
    harness.run();
    (harness, folder)
}

/// Everything that an action may change: requests, the panels' memory, the document, and every word on screen.
fn trace(harness: &Harness<'_, Bench>) -> String {
    let Bench { session, state, asked, .. } = harness.state();
    let editor = &state.editor;
    let words: Vec<String> = harness
        .get_all(By::new().predicate(|node| node.label().is_some()))
        .map(|node| format!("{:?} {:?}", node.accesskit_node().label(), node.accesskit_node().toggled()))
        .collect();
    let view = (
        state.theme,
        state.ui_scale,
        state.angles,
        state.panels,
        state.view3d.overlays,
        state.view3d.camera,
        &state.selection,
    );
    let tools = (editor.tool, editor.anchor, editor.snap_kind, editor.local, editor.end, editor.grab.is_some());
    let keyboard = harness.ctx.memory(|memory| memory.focused());
    format!("{asked:?} {view:?} {tools:?} {keyboard:?} {} {words:?}", session.snapshot().hash)
}

#[test]
fn every_action_of_the_list_does_something() {
    let mut dead = Vec::new();
    for info in ACTIONS {
        // A submenu, whose lines are the recent files.
        if info.action == Action::OpenRecent {
            continue;
        }
        let (mut harness, _folder) = bench(info.action);
        let before = trace(&harness);
        harness.state_mut().state.pending.push(info.action);
        harness.run_steps(4);
        if trace(&harness) == before {
            dead.push(info.name);
        }
        let quits = harness.state().asked.contains(&Request::Quit);
        assert_eq!(quits, info.action == Action::Quit, "“{}”", info.name);
    }
    assert!(dead.is_empty(), "these do nothing: {dead:?}");
}

#[test]
fn escape_closes_the_history() {
    let mut harness = window();
    harness.state_mut().state.history = true;
    harness.run();
    harness.key_press(egui::Key::Escape);
    harness.run();
    assert!(!harness.state().state.history);
}

/// A command line can be opened without a terminal: it is pasted into the finder.
#[test]
fn the_finder_takes_a_line_that_is_pasted_and_says_what_is_wrong_with_it() {
    let mut harness = window();
    harness.state_mut().state.pending.push(Action::OpenLine);
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("the name of a scene is missing").is_some());
    let paste = |harness: &mut Harness<'_, Bench>, text: &str| {
        harness.state_mut().state.finder = Some(FinderState::default());
        harness.run_steps(2);
        harness.event(egui::Event::Paste(text.into()));
        harness.run_steps(3);
    };
    paste(&mut harness, "delassus book/09-chain --experiment Nosuch");
    assert!(harness.query_by_label_contains("no experiment is called `Nosuch`").is_some());
    harness.key_press(egui::Key::Enter);
    harness.run_steps(2);
    assert!(harness.state().asked.is_empty(), "{:?}", harness.state().asked);
    let line = "delassus book/09-chain --set solver.iterations=3 --eye 4,-6,2 --target 0,0,1 --parallel";
    paste(&mut harness, line);
    harness.key_press(egui::Key::Enter);
    harness.run_steps(2);
    let wanted = line::read(line).expect("the line is right");
    assert_eq!(harness.state().asked, [Request::OpenLaunch(Box::new(wanted))]);
    // Other words are still searched for, even if they begin like a command line.
    paste(&mut harness, "delassus matrix");
    harness.key_press(egui::Key::Enter);
    harness.run_steps(3);
    assert_eq!(harness.state().state.bottom_tab, BottomTab::Lab(Instrument::Matrix));
    paste(&mut harness, "brick wall");
    harness.key_press(egui::Key::Enter);
    harness.run_steps(2);
    assert_eq!(harness.state().asked.last(), Some(&Request::Open("lab/01-wall.ron".into())));
}
