//! The Inspector's fields, driven by the names of the controls: reset, typing, dragging and several entries at once.

use egui::{Key, Role};
use egui_kittest::{Harness, kittest::Queryable};
use glam::Vec3;

use crate::bench::{Bench, window_of};
use crate::request::Request;
use crate::shell::state::RightTab;
use crate::widgets::angles::Angles;
use delassus_physics::joints::JointKind;
use delassus_scene::{Body, Joint};
use delassus_session::{Command, Session};

pub(super) const SCENE: &str = r#"(
    version: 1,
    title: "Fields",
    settings: (step: (gravity: (0, 0, 0))),
    materials: [(name: "ice", friction: 0.05)],
    bodies: [
        (name: "floor", shape: Box(half: (9, 9, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "red", shape: Sphere(radius: 0.25), at: (1, 0, 1), mass: 2, friction: 0.9),
        (name: "blue", shape: Sphere(radius: 0.25), at: (2, 0, 1), mass: 3.3333333),
        (name: "green", shape: Box(half: (0.2, 0.2, 0.2)), at: (3, 0, 2), mass: 4),
    ],
    joints: [
        (name: "first", b: "red", anchor: (1, 0, 2), axis: (0, 1, 0), kind: Hinge(motor: (speed: 1, max_torque: 5))),
        (name: "second", b: "blue", anchor: (2, 0, 2), axis: (0, 1, 0), kind: Hinge(motor: (speed: 2, max_torque: 7))),
        (name: "third", b: "green", anchor_a: (3, 0, 3), anchor_b: (0, 0, 0.5), kind: BallSocket()),
    ],
)"#;

pub(crate) type Window = Harness<'static, Bench>;

pub(crate) fn window(text: &str) -> Window {
    let mut harness = window_of(Bench::of(Session::from_text(text, "fields.ron").expect("the scene is right")));
    harness.state_mut().state.right_tab = RightTab::Inspector;
    harness.run();
    harness
}

pub(super) fn select(harness: &mut Window, bodies: &[u32]) {
    harness.state_mut().state.selection.bodies = bodies.to_vec();
    harness.run();
}

/// Types into a number's field and leaves it.
pub(crate) fn enter(harness: &mut Window, name: &str, text: &str) {
    harness.get_by_role_and_label(Role::SpinButton, name).click();
    harness.run();
    for c in text.chars() {
        harness.event(egui::Event::Text(c.to_string()));
        harness.run();
    }
    harness.key_press(Key::Enter);
    harness.run();
}

pub(super) fn body<'a>(harness: &'a Window, name: &str) -> &'a Body {
    harness.state().session.scene().expect("a scene").bodies.iter().find(|b| b.name == name).expect("the body")
}

pub(super) fn joint<'a>(harness: &'a Window, name: &str) -> &'a Joint {
    harness.state().session.scene().expect("a scene").joints.iter().find(|j| j.name == name).expect("the joint")
}

pub(crate) fn undo(harness: &mut Window) {
    harness.state_mut().session.dispatch(Command::Undo).expect("an entry");
    harness.run();
}

#[test]
fn a_field_goes_back_to_its_default_and_the_mark_goes() {
    let mut harness = window(SCENE);
    select(&mut harness, &[2]);
    assert!(harness.query_by_label("Reset Collides").is_none(), "it has its default");
    harness.get_by_label("Reset Friction").click();
    harness.run();
    assert_eq!(body(&harness, "red").friction, None);
    assert!(harness.query_by_label("Reset Friction").is_none());
    harness.get_by_role_and_label(Role::Switch, "Collides").click();
    harness.run();
    harness.get_by_label("Reset Collides").click();
    harness.run();
    assert!(body(&harness, "red").collide);
    // The material's value is the field's default.
    harness.get_by_role_and_label(Role::ComboBox, "Material").click();
    harness.run();
    harness.get_by_label("ice").click();
    harness.run();
    assert_eq!(body(&harness, "red").material.as_deref(), Some("ice"));
    assert_eq!(harness.get_by_role_and_label(Role::SpinButton, "Friction").value().as_deref(), Some("0.05"));
}

#[test]
fn a_typed_number_is_one_entry_and_a_visited_field_is_none() {
    let mut harness = window(SCENE);
    select(&mut harness, &[3]);
    enter(&mut harness, "Mass", "12.5");
    assert_eq!(body(&harness, "blue").mass, Some(12.5));
    undo(&mut harness);
    assert_eq!(body(&harness, "blue").mass, Some(3.333_333_3));
    assert_eq!(harness.state().session.undo_label(), None, "three keys, one entry");
    // It shows 3.3333, which is not the exact value.
    enter(&mut harness, "Mass", "");
    assert_eq!(body(&harness, "blue").mass, Some(3.333_333_3));
    assert_eq!(harness.state().session.undo_label(), None);
}

#[test]
fn several_bodies_show_what_they_share_and_change_together() {
    let mut harness = window(SCENE);
    select(&mut harness, &[2, 3]);
    assert!(harness.query_by_label("2 bodies").is_some());
    let shown = |h: &Window, name: &str| h.get_by_role_and_label(Role::SpinButton, name).value().unwrap_or_default();
    assert_eq!((shown(&harness, "Mass"), shown(&harness, "At x")), ("—".into(), "—".into()));
    assert_eq!((shown(&harness, "At z"), shown(&harness, "Radius")), ("1".into(), "0.25 m".into()));
    enter(&mut harness, "At z", "4");
    let at = |h: &Window| [body(h, "red").at, body(h, "blue").at];
    assert_eq!(at(&harness), [Vec3::new(1.0, 0.0, 4.0), Vec3::new(2.0, 0.0, 4.0)], "x stays as it is");
    assert_eq!(harness.state().session.undo_label(), Some("Change 2 bodies"));
    undo(&mut harness);
    assert_eq!(at(&harness)[1], Vec3::new(2.0, 0.0, 1.0));
    // Also for a value that one of them had before.
    enter(&mut harness, "Mass", "3.3333333");
    assert_eq!([body(&harness, "red").mass, body(&harness, "blue").mass], [Some(3.333_333_3); 2]);
    // A sphere and a box have no common size field, and each keeps its own size.
    select(&mut harness, &[2, 4]);
    assert_eq!(shown(&harness, "Half size x"), "—");
    enter(&mut harness, "Velocity y", "2");
    assert_eq!([body(&harness, "red").velocity.y, body(&harness, "green").velocity.y], [2.0; 2]);
    assert_ne!(body(&harness, "red").shape, body(&harness, "green").shape);
}

#[test]
fn several_joints_change_together_and_keep_what_differs() {
    let mut harness = window(SCENE);
    // In the file's unit.
    harness.state_mut().state.angles = Angles::Radians;
    harness.state_mut().state.selection.click_joint(0);
    harness.state_mut().state.selection.add_joint(1);
    harness.run();
    assert!(harness.query_by_label("2 joints").is_some());
    enter(&mut harness, "Motor speed", "4");
    let motor = |h: &Window, name: &str| match joint(h, name).kind {
        JointKind::Hinge(hinge) => hinge.motor.map(|m| (m.speed, m.max_torque)),
        _ => None,
    };
    assert_eq!([motor(&harness, "first"), motor(&harness, "second")], [Some((4.0, 5.0)), Some((4.0, 7.0))]);
    assert_eq!(harness.state().session.undo_label(), Some("Change 2 joints"));
    // With a joint of another kind only the fields that all joints have remain.
    harness.state_mut().state.selection.add_joint(2);
    harness.run();
    assert!(harness.query_by_label("Motor speed").is_none());
    harness.get_by_role_and_label(Role::Switch, "Bodies touch").click();
    harness.run();
    assert!(["first", "second", "third"].iter().all(|name| joint(&harness, name).collide));
    harness.state_mut().state.selection.add_joint(2);
    assert_eq!(harness.state().state.selection.joints().collect::<Vec<_>>(), [0, 1]);
}

/// The middle of a number's field.
fn middle(harness: &Window, name: &str) -> egui::Pos2 {
    harness.get_by_role_and_label(Role::SpinButton, name).rect().center()
}

#[test]
fn a_drag_is_one_entry_and_the_joints_come_along() {
    let mut harness = window(SCENE);
    select(&mut harness, &[3, 2]);
    let from = middle(&harness, "At z");
    harness.drag_at(from);
    harness.step();
    for i in 1..=6 {
        harness.event(egui::Event::PointerMoved(from + egui::vec2(10.0 * i as f32, 0.0)));
        harness.step();
    }
    harness.drop_at(from + egui::vec2(60.0, 0.0));
    harness.run();
    let raised = body(&harness, "red").at.z - 1.0;
    assert!((raised - 0.6).abs() < 0.1, "60 points of a centimetre each, not {raised}");
    assert_eq!(body(&harness, "blue").at.z, body(&harness, "red").at.z);
    // The hinge stays in place on the other body.
    let hinge = joint(&harness, "first");
    assert_eq!((hinge.anchor, hinge.anchor_b), (None, Some(Vec3::new(0.0, 0.0, 1.0))));
    undo(&mut harness);
    assert_eq!((body(&harness, "red").at.z, joint(&harness, "first").anchor), (1.0, Some(Vec3::new(1.0, 0.0, 2.0))));
    assert_eq!(harness.state().session.undo_label(), None, "one gesture, one entry");
}

#[test]
fn what_is_renamed_stays_selected_and_the_order_of_choosing_is_kept() {
    use crate::editor::Chosen;
    use delassus_session::Edit;
    let mut harness = window(SCENE);
    select(&mut harness, &[4, 2]);
    let session = &mut harness.state_mut().session;
    let chosen = |session: &Session, bodies: &[u32]| {
        let selection = crate::selection::Selection { bodies: bodies.to_vec(), ..Default::default() };
        Chosen::of(session.snapshot(), &selection, false)
    };
    let mut before = chosen(session, &[4, 2]);
    let entry = session.body_entry("red").expect("an entry");
    let edit = Edit::Body { name: "red".into(), body: Box::new(Body { name: "ruby".into(), ..entry }) };
    before.apply_renames(&edit, session.scene().expect("a scene"));
    session.dispatch(Command::Edit { edit, gesture: None }).expect("a free name");
    assert_eq!(before.again(session.snapshot()).bodies, [4, 2]);
}

#[test]
fn joints_are_chosen_together_in_the_outliner() {
    let mut harness = window(SCENE);
    harness.get_by_label("Left tab: Outliner").click();
    harness.run();
    let row = |harness: &Window, name: &str| harness.get_by_label(name).rect().center();
    let (first, third) = (row(&harness, "first"), row(&harness, "third"));
    let click = |harness: &mut Window, at: egui::Pos2, modifiers: egui::Modifiers| {
        harness.event(egui::Event::PointerMoved(at));
        for pressed in [true, false] {
            let button = egui::PointerButton::Primary;
            harness.event_modifiers(egui::Event::PointerButton { pos: at, button, pressed, modifiers }, modifiers);
            harness.step();
        }
        harness.run();
    };
    click(&mut harness, first, egui::Modifiers::NONE);
    click(&mut harness, third, egui::Modifiers::SHIFT);
    let chosen = |harness: &Window| harness.state().state.selection.joints().collect::<Vec<_>>();
    assert_eq!(chosen(&harness), [0, 1, 2]);
    assert!(harness.query_by_label("3 joints").is_some());
    click(&mut harness, third, egui::Modifiers::COMMAND);
    assert_eq!(chosen(&harness), [0, 1]);
}

/// Ctrl+S was ignored while a number's field had the focus.
#[test]
fn ctrl_s_takes_the_number_that_is_being_typed_and_saves() {
    let mut harness = window(SCENE);
    select(&mut harness, &[2]);
    harness.get_by_role_and_label(Role::SpinButton, "Mass").click();
    harness.run();
    harness.event(egui::Event::Text("9".to_owned()));
    harness.run();
    harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::S);
    harness.run();
    assert_eq!(body(&harness, "red").mass, Some(9.0));
    let asked = &harness.state().asked;
    let save =
        asked.iter().position(|request| *request == Request::SaveAsDialog).expect("it has no file: the name is asked");
    let edit = asked.iter().rposition(|request| matches!(request, Request::Session(Command::Edit { .. })));
    assert!(edit.expect("an edit") < save, "the edit comes first");
    // What a text field uses itself stays with it.
    harness.get_by_role_and_label(Role::SpinButton, "Mass").click();
    harness.run();
    harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_eq!(body(&harness, "red").mass, Some(9.0));
}
