//! Small windows, as at 200 % on a laptop, and the order of layers.

use egui::{Key, Modifiers, PointerButton, Pos2, accesskit::Role, vec2};
use egui_kittest::{Harness, kittest::Queryable};

use crate::RightTab;
use crate::bench::{Bench, window, window_of};
use crate::editor::tools::strip::TOOLS;
use crate::notices::{Remedy, Topic};
use crate::request::Request;
use crate::shell::conflict::ConflictView;
use delassus_session::{Command, Session};

fn press(harness: &mut Harness<'_, Bench>, at: Pos2) {
    harness.event(egui::Event::PointerMoved(at));
    harness.step();
    for pressed in [true, false] {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
        harness.step();
    }
}

/// At 200 % in a window of 1280 × 800 the tools were once missing, and the list of keys was cut off at both sides.
#[test]
fn in_a_small_window_the_tools_are_there_and_the_keys_can_be_read() {
    for size in [vec2(640.0, 400.0), vec2(800.0, 500.0), vec2(1024.0, 640.0)] {
        let mut harness = window();
        harness.set_size(size);
        harness.run();
        let view = harness.state().state.view3d.rect;
        let axes = ["x", "y", "z"].map(|axis| harness.get_by_label(&format!("Look along {axis}")).rect());
        for (.., name, _) in TOOLS {
            let tool = harness.get_by_role_and_label(Role::Button, &format!("Tool: {name}")).rect();
            assert!(view.contains_rect(tool), "{name} at {size}: {tool} in {view}");
            assert!(axes.iter().all(|axis| !axis.intersects(tool)), "{name} at {size} lies on the cross of axes");
        }
        harness.key_press(Key::F1);
        harness.run_steps(4);
        let words = harness.get_by_label("Left drag on a round grip").rect();
        let what = harness.get_by_label("move that stop of the joint").rect();
        let window = egui::Rect::from_min_size(Pos2::ZERO, size);
        assert!(words.left() > window.left() && what.right() < window.right(), "{words} {what} at {size}");
        let keys = harness.get_by_label("Ctrl+O").rect();
        let apart = what.right() <= keys.left() || !what.y_range().intersects(keys.y_range());
        assert!(apart, "{what} runs into {keys} at {size}");
    }
}

/// In a window of 900 × 600 numbers and legend once covered half of the view; now the legend is a button there.
#[test]
fn in_a_small_view_the_legend_is_a_button() {
    let mut harness = window();
    harness.state_mut().state.view3d.overlays.mass_centres = true;
    harness.run_steps(4);
    assert!(harness.query_by_label("Legend").is_none() && harness.query_by_label("centre of mass").is_some());
    assert!(harness.query_by_label("penetration").is_some());
    harness.set_size(vec2(900.0, 600.0));
    harness.run_steps(4);
    assert!(harness.query_by_label("Legend").is_some() && harness.query_by_label("centre of mass").is_none());
    // The numbers are at the lower edge, and the cross is in the corner: what hangs in the middle is in sight.
    assert!(harness.query_by_label("penetration").is_none(), "no card of numbers");
    let view = harness.state().state.view3d.rect;
    let middle = egui::Rect::from_center_size(view.center(), vec2(0.74 * view.width(), 0.5 * view.height()));
    for axis in ["x", "y", "z"] {
        let end = harness.get_by_label(&format!("Look along {axis}")).rect();
        assert!(view.contains_rect(end) && !end.intersects(middle), "{axis}: {end} in {view}");
    }
}

/// A notice once covered a question in the middle of the window, and its button could be pressed.
#[test]
fn a_question_is_above_the_notices() {
    let mut harness = window();
    harness.run();
    let remedy = Remedy::Ask { label: "Undo it".into(), request: Box::new(Request::KeepMine) };
    harness.state_mut().state.notices.ask(Topic::Disk, "the file has changed", vec![remedy]);
    harness.run_steps(3);
    let button = harness.get_by_label("Undo it").rect().center();
    harness.state_mut().state.questions.overwrite = true;
    harness.run_steps(3);
    press(&mut harness, button);
    assert_eq!(harness.state().asked, [], "it is beneath the question");
    harness.state_mut().state.questions.overwrite = false;
    harness.run_steps(3);
    press(&mut harness, button);
    assert_eq!(harness.state().asked, [Request::KeepMine]);
}

/// The list once grew for some frames after it was opened, which moved its buttons away from the pointer.
#[test]
fn the_differences_are_at_their_full_height_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("row.ron");
    let text = |radius: f32| {
        let ball = |i: u32| format!("(name: \"ball {i}\", shape: Sphere(radius: {radius}), at: ({i}, 0, 1))");
        let balls: Vec<_> = (0..12).map(ball).collect();
        format!("(version: 1, title: \"Row\", bodies: [{}])", balls.join(", "))
    };
    std::fs::write(&file, text(0.1)).expect("a file");
    let mut session = Session::open(&file).expect("it is right");
    session
        .dispatch(Command::Set { name: "solver.iterations", value: delassus_physics::setting::Value::Int(17) })
        .unwrap();
    std::fs::write(&file, text(0.2)).expect("a file");
    let conflict = session.conflict().expect("they differ");
    assert!(conflict.differences.len() >= 12);
    let mut harness = window_of(Bench::of(session));
    harness.set_size(vec2(1280.0, 800.0));
    harness.run();
    harness.state_mut().state.questions.conflict = Some(ConflictView::new(conflict));
    harness.run_steps(3);
    let at = harness.get_by_label("Take these").rect();
    harness.run_steps(12);
    let later = harness.get_by_label("Take these").rect();
    assert_eq!(at, later);
    press(&mut harness, at.center());
    assert!(matches!(harness.state().asked.as_slice(), [Request::Merge(..)]), "{:?}", harness.state().asked);
}

/// Found by random events: in a window narrower than the two choices the width for the entry's name was negative.
#[test]
fn the_differences_fit_into_a_window_of_any_width() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ball.ron");
    let text = |radius: f32| {
        format!("(version: 1, title: \"Ball\", bodies: [(name: \"ball\", shape: Sphere(radius: {radius}))])")
    };
    std::fs::write(&file, text(0.1)).expect("a file");
    let session = Session::open(&file).expect("it is right");
    std::fs::write(&file, text(0.2)).expect("a file");
    let conflict = session.conflict().expect("they differ");
    let mut harness = window_of(Bench::of(session));
    harness.run();
    harness.state_mut().state.questions.conflict = Some(ConflictView::new(conflict));
    for width in [400.0, 186.0, 60.0, 20.0] {
        harness.set_size(vec2(width, 300.0));
        harness.run_steps(4);
        assert!(harness.query_by_label("Take these").is_some(), "at {width}");
    }
}

/// With other tabs than Solver or Doctor open, the warning once came only after the energy had grown eightfold.
#[test]
fn what_will_fly_apart_is_told_in_the_bottom_line_whatever_tab_is_open() {
    let text = r#"(
        version: 1,
        title: "Grows",
        settings: (preset: SingleStep, solver: (rows: Block), stabilization: (method: Baumgarte)),
        bodies: [(name: "weight", shape: Sphere(radius: 0.3), at: (4.5, 0, 5), mass: 100)],
        patterns: [Chain(name: "c", body: (shape: Box(half: (0.25, 0.05, 0.05)), at: (0.25, 0, 5), mass: 1), count: 8,
            spacing: (0.5, 0, 0), joint: (kind: Fixed))],
        joints: [(b: "c.0", anchor: (0, 0, 5), kind: Fixed), (a: "c.7", b: "weight", anchor: (4, 0, 5), kind: Fixed)],
    )"#;
    let mut session = Session::from_text(text, "grows.ron").expect("it is right");
    let energy = |session: &Session| {
        let metrics = session.snapshot().metrics;
        metrics.kinetic_energy + metrics.potential_energy
    };
    let first = energy(&session);
    for _ in 0..30 {
        session.dispatch(Command::Step).expect("a step");
    }
    assert!(energy(&session) < 1.02 * first, "{} of {first}", energy(&session));
    session.watch();
    let mut harness = window_of(Bench::of(session));
    harness.state_mut().state.right_tab = RightTab::Guide;
    harness.run();
    harness.get_by_label("Stability: 2 bounds broken").click();
    harness.run();
    assert_eq!(harness.state().state.right_tab, RightTab::Solver);
}
