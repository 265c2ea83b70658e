//! Tests of the editor, driven like a user: tools, keys, the pointer in the view, the fields of an entry.

use egui::{Key, Modifiers, PointerButton, Pos2, Vec2, vec2};
use egui_kittest::{Harness, kittest::Queryable};
use glam::Vec3;

use crate::bench::{Bench, window, window_of};
use crate::editor::Tool;
use crate::shell::state::RightTab;
use delassus_session::{Command, Session};

/// The window with the camera on the box of the test scene: centre (0, 0, ½), half side ½.
pub(crate) fn bench() -> Harness<'static, Bench> {
    let mut harness = window();
    let eye = delassus_render::orbit_view::OrbitView::between(Vec3::new(0.0, -8.0, 3.0), Vec3::new(0.0, 0.0, 0.5));
    harness.state_mut().state.view3d.camera.set(eye);
    harness.run();
    harness
}

/// The position of a world point in the window, points.
pub(crate) fn seen(harness: &Harness<'_, Bench>, at: Vec3) -> Pos2 {
    let state = &harness.state().state;
    let size = crate::view3d::viewport::viewport(&state.view3d);
    let p = state.view3d.camera.project(at, size).expect("in front of the camera");
    state.view3d.rect.min + vec2(p.x, p.y)
}

/// One frame each: a press that takes longer is not a click.
pub(crate) fn press(harness: &mut Harness<'_, Bench>, at: Pos2, pressed: bool) {
    harness.event(egui::Event::PointerMoved(at));
    harness.step();
    harness.event(egui::Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    });
    harness.step();
}

pub(crate) fn drag(harness: &mut Harness<'_, Bench>, from: Pos2, to: Pos2) {
    press(harness, from, true);
    harness.event(egui::Event::PointerMoved(from + (to - from) * 0.5));
    harness.run();
    press(harness, to, false);
}

pub(crate) fn click(harness: &mut Harness<'_, Bench>, at: Pos2) {
    press(harness, at, true);
    press(harness, at, false);
    harness.run();
}

pub(crate) fn names(harness: &Harness<'_, Bench>) -> Vec<String> {
    harness.state().session.snapshot().bodies.iter().map(|b| b.name.to_string()).collect()
}

#[test]
fn the_spawn_tool_places_a_body_that_rests_on_what_is_under_the_pointer() {
    let mut harness = bench();
    harness.key_press(Key::B);
    harness.run();
    assert_eq!(harness.state().state.editor.tool, Tool::Spawn);
    harness.get_by_label("Sphere").click();
    harness.run();
    let at = seen(&harness, Vec3::new(2.0, 0.0, 0.0));
    click(&mut harness, at);
    let bodies = &harness.state().session.scene().expect("a scene").bodies;
    let ball = bodies.last().expect("a body");
    assert_eq!(ball.name, "sphere");
    // It touches the floor, whose top is at z = 0, at the pointer.
    assert!(ball.at.distance(Vec3::new(2.0, 0.0, 0.5)) < 0.05, "{}", ball.at);
    // The tool stays active until Escape.
    let at = seen(&harness, Vec3::new(-2.0, 0.0, 0.0));
    click(&mut harness, at);
    assert_eq!(names(&harness).last().map(String::as_str), Some("sphere-2"));
    harness.key_press(Key::Escape);
    harness.run();
    assert_eq!(harness.state().state.editor.tool, Tool::Select);
    harness.state_mut().session.dispatch(Command::Undo).expect("an entry");
    assert_eq!(names(&harness).len(), 3);
}

#[test]
fn the_joint_tool_hangs_the_body_on_the_point_in_the_world_where_it_was_released() {
    let mut harness = bench();
    harness.key_press(Key::J);
    harness.run();
    let from = seen(&harness, Vec3::new(0.0, 0.0, 0.5));
    // Beyond the edge of the floor there is no body, only the world.
    let sky = Pos2::new(from.x, harness.state().state.view3d.rect.top() + 150.0);
    drag(&mut harness, from, sky);
    let scene = harness.state().session.scene().expect("a scene");
    assert_eq!(scene.joints.len(), 1, "{:?}", harness.state().asked);
    assert_eq!((scene.joints[0].a.as_str(), scene.joints[0].b.as_str()), ("world", "box"));
    // The default pinned the body at its own centre. The pivot is at the far end, at a round place.
    let anchor = scene.joints[0].anchor.expect("one point in the document's pose");
    let there = crate::editor::tests::editor::seen(&harness, anchor);
    assert!(there.distance(sky) < 6.0 && anchor.z > 1.0, "{anchor} is seen at {there}, not at {sky}");
    assert!(anchor.to_array().iter().all(|x| x.to_string().len() < 7), "{anchor}");
    // The same joint again is refused with a reason, and the scene is unchanged.
    let again = harness.state().asked.last().cloned();
    let Some(crate::request::Request::Session(command)) = again else { panic!("no edit was asked for") };
    assert!(harness.state_mut().session.dispatch(command).is_err());
}

#[test]
fn g_x_2_enter_moves_two_metres_along_x_and_escape_leaves_no_trace() {
    let mut harness = bench();
    let at = seen(&harness, Vec3::new(0.0, 0.0, 0.5));
    click(&mut harness, at);
    assert_eq!(harness.state().state.selection.bodies.len(), 1);
    harness.key_press(Key::G);
    harness.run_steps(2);
    harness.key_press(Key::X);
    harness.event(egui::Event::Text("2".into()));
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    let position = |h: &Harness<'_, Bench>| h.state().session.scene().expect("a scene").bodies[1].at;
    assert!(position(&harness).distance(Vec3::new(2.0, 0.0, 0.5)) < 1e-5, "{}", position(&harness));
    assert_eq!(harness.state().session.undo_label(), Some("Move box"));
    harness.key_press(Key::G);
    harness.run_steps(2);
    harness.event(egui::Event::PointerMoved(at + Vec2::new(80.0, 40.0)));
    harness.run_steps(2);
    assert!(!harness.state().state.view3d.preview.placed.is_empty(), "what is held is drawn where it would be");
    harness.key_press(Key::Escape);
    harness.run_steps(3);
    assert!(position(&harness).distance(Vec3::new(2.0, 0.0, 0.5)) < 1e-5);
}

#[test]
fn all_that_moves_is_moved_with_what_its_pattern_hangs_on() {
    const SCENE: &str = r#"(
        version: 1,
        title: "Chains",
        bodies: [(name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static)],
        patterns: [Grid(name: "chain", count: (1, 3, 1), spacing: (0, 0.5, 0), of: Chain(
            body: (shape: Sphere(radius: 0.1), at: (0, 0, 3), mass: 1),
            count: 4, spacing: (0.25, 0, 0), joint: (kind: BallSocket), first: Static,
        ))],
    )"#;
    let session = Session::from_text(SCENE, "chains.ron").expect("the scene is right");
    let mut harness = window_of(Bench::of(session));
    let before = harness.state().session.scene().expect("a scene").clone();
    harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    harness.run_steps(2);
    // Twelve beads, three of them static, but not the floor.
    assert_eq!(harness.state().state.selection.bodies.len(), 12);
    harness.key_press(Key::G);
    harness.run_steps(2);
    harness.key_press(Key::X);
    harness.event(egui::Event::Text("2".into()));
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    let after = harness.state().session.scene().expect("a scene").clone();
    assert_eq!((after.patterns.len(), &after.bodies), (1, &before.bodies), "the pattern is written out");
    let poses = |session: &Session| session.snapshot().bodies.iter().map(|b| b.pose.position).collect::<Vec<_>>();
    let begun = poses(&Session::from_text(SCENE, "chains.ron").expect("the scene is right"));
    for (now, then) in poses(&harness.state().session).iter().zip(begun).skip(1) {
        assert!(now.distance(then + 2.0 * Vec3::X) < 1e-5, "{now} from {then}");
    }
}

#[test]
fn delete_and_the_fields_of_an_entry_are_edits() {
    let mut harness = bench();
    harness.state_mut().state.right_tab = RightTab::Inspector;
    let at = seen(&harness, Vec3::new(0.0, 0.0, 0.5));
    click(&mut harness, at);
    harness.get_by_role_and_label(egui::Role::Switch, "Collides").click();
    harness.run();
    let collides = |h: &Harness<'_, Bench>| h.state().session.scene().expect("a scene").bodies[1].collide;
    assert!(!collides(&harness));
    harness.key_press(Key::Delete);
    harness.run();
    assert_eq!(names(&harness), ["floor"]);
    assert_eq!(harness.state().session.undo_label(), Some("Delete box"));
}

#[test]
fn the_outliner_finds_by_name_and_a_click_selects() {
    let mut harness = bench();
    harness.get_by_label("Left tab: Outliner").click();
    harness.run();
    harness.get_by_label("Search bodies and joints").click();
    harness.run();
    harness.get_by_label("Search bodies and joints").type_text("bo");
    harness.run();
    assert!(harness.query_by_label("floor").is_none());
    harness.get_by_label("box").click();
    harness.run();
    assert_eq!(harness.state().state.selection.bodies, [2]);
}

#[test]
fn a_plot_s_title_is_the_menu_of_what_it_shows() {
    let mut harness = bench();
    harness.get_by_label("Plot 1: Energy").click();
    harness.run();
    harness.get_by_label("Angular momentum").click();
    harness.run();
    assert!(harness.query_by_label("Plot 1: Angular momentum").is_some());
    // Without joints there are no joint errors to plot.
    assert!(harness.query_by_label("Plot 2: Momentum").is_some());
}

/// In a slow frame Ctrl is released before the frame begins: Ctrl+Z was read as Z, and restricted the gesture to the
/// axis. Shift+Z did so as well.
#[test]
fn keys_have_the_modifiers_of_their_own_events_even_in_a_slow_frame() {
    let key = |key, modifiers, pressed| egui::Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
    let mut harness = bench();
    let at = seen(&harness, Vec3::new(0.0, 0.0, 0.5));
    harness.state_mut().state.selection.bodies = vec![2];
    harness.event(egui::Event::PointerMoved(at));
    harness.run_steps(2);
    let typed = |harness: &mut Harness<'_, Bench>, of: Key, modifiers: Modifiers| {
        // Both in one frame, which ends without modifiers.
        harness.event(key(of, modifiers, true));
        harness.event(key(of, modifiers, false));
        harness.run_steps(2);
    };
    typed(&mut harness, Key::G, Modifiers::NONE);
    let bound =
        |harness: &Harness<'_, Bench>| harness.state().state.editor.grab.as_ref().map(|grab| grab.bound.is_some());
    assert_eq!(bound(&harness), Some(false), "the gesture has begun");
    typed(&mut harness, Key::Z, Modifiers::SHIFT);
    assert_eq!(bound(&harness), Some(false), "Shift+Z means nothing");
    typed(&mut harness, Key::Z, Modifiers::NONE);
    assert_eq!(bound(&harness), Some(true));
    typed(&mut harness, Key::Z, Modifiers::COMMAND);
    assert_eq!(bound(&harness), None, "Ctrl+Z takes the gesture back");
    assert_eq!(harness.state().session.undo_label(), None);
    // A click with Shift adds to the selection, whenever Shift is released.
    let other = seen(&harness, Vec3::new(3.0, 0.0, 0.0));
    for pressed in [true, false] {
        let modifiers = if pressed { Modifiers::SHIFT } else { Modifiers::NONE };
        harness.event(egui::Event::PointerMoved(other));
        harness.event(egui::Event::PointerButton { pos: other, button: PointerButton::Primary, pressed, modifiers });
        harness.step();
    }
    harness.run();
    assert_eq!(harness.state().state.selection.bodies, [2, 1]);
}

/// A slider that was dragged to empty space had its rail where the drag had ended.
#[test]
fn the_rail_of_a_slider_goes_through_its_body() {
    let mut harness = bench();
    let kinds = delassus_physics::joints::JointKind::all();
    let slider = kinds.iter().position(|kind| kind.info().name == "Prismatic").expect("a slider");
    harness.state_mut().state.editor.kind = slider;
    harness.key_press(Key::J);
    harness.run();
    let from = seen(&harness, Vec3::new(0.0, 0.0, 0.5));
    let sky = Pos2::new(from.x, harness.state().state.view3d.rect.top() + 150.0);
    drag(&mut harness, from, sky);
    let scene = harness.state().session.scene().expect("a scene");
    let joint = scene.joints.last().expect("a joint");
    let anchor = joint.anchor.expect("one point");
    assert!(anchor.distance(Vec3::new(0.0, 0.0, 0.5)) < 1e-3, "{anchor}");
    let axis = joint.axis.expect("an axis");
    assert!(axis.to_array().iter().all(|x| *x != 0.0 || x.is_sign_positive()), "{axis}");
    assert!(harness.state().session.snapshot().joints.last().is_some_and(|joint| joint.readout.error < 1e-3));
}

/// A drag that began between the buttons of the tools went through to what lies behind them, and joined that.
#[test]
fn a_drag_that_begins_on_the_tool_palette_joins_nothing() {
    let mut harness = bench();
    harness.key_press(Key::J);
    harness.run();
    // The box is behind the strip of tools.
    let strip = harness.get_by_label("Tool: Joint").rect();
    let view = harness.state().state.view3d.rect;
    let mut eye = Vec3::new(0.0, -8.0, 3.0);
    let mut behind = Pos2::ZERO;
    for _ in 0..40 {
        let focus = eye + Vec3::new(0.0, 8.0, -2.5);
        harness.state_mut().state.view3d.camera.set(delassus_render::orbit_view::OrbitView::between(eye, focus));
        harness.run();
        behind = seen(&harness, Vec3::new(0.0, 0.0, 0.5));
        let off = strip.center() - behind;
        if off.length() < 4.0 {
            break;
        }
        eye += Vec3::new(-off.x, 0.0, off.y) * 0.005;
    }
    assert!((strip.center() - behind).length() < 30.0, "{behind} is not at {}", strip.center());
    let gap = Pos2::new(strip.right() + 1.0, strip.center().y);
    for from in [gap, strip.center(), Pos2::new(strip.center().x, strip.top() - 1.5)] {
        let floor = view.center_bottom() - vec2(0.0, 60.0);
        drag(&mut harness, from, floor);
        let joints = &harness.state().session.scene().expect("a scene").joints;
        assert!(joints.is_empty(), "{from}: {}", joints[0].label());
    }
    // From the box itself, where nothing covers it, the same drag joins.
    harness
        .state_mut()
        .state
        .view3d
        .camera
        .set(delassus_render::orbit_view::OrbitView::between(Vec3::new(0.0, -8.0, 3.0), Vec3::new(0.0, 0.0, 0.5)));
    harness.run();
    let from = seen(&harness, Vec3::new(0.0, 0.0, 0.5));
    drag(&mut harness, from, view.center_bottom() - vec2(0.0, 60.0));
    assert_eq!(harness.state().session.scene().expect("a scene").joints.len(), 1);
}
