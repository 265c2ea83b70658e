//! Tests of dragging joint stops by their grips in the view, driven like a user.

use egui::{Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use glam::Vec3;

use crate::bench::{Bench, window_of};
use crate::view3d::joint_shape::JointEnds;
use delassus_physics::joints::JointKind;
use delassus_scene::{Joint, Scene};
use delassus_session::{Command, Session};

pub(crate) const SCENE: &str = r#"(
    version: 1,
    title: "Handles",
    settings: (step: (gravity: (0, 0, 0))),
    bodies: [
        (name: "door", shape: Box(half: (0.5, 0.05, 1)), at: (0.5, 0, 1)),
        (name: "slide", shape: Box(half: (0.2, 0.2, 0.2)), at: (3, 0, 1)),
        (name: "arm", shape: Capsule(radius: 0.2, half_length: 0.5), at: (-3, 0, 1)),
        (name: "ball", shape: Sphere(radius: 0.3), at: (6, 0, 1)),
        (name: "drum", shape: Cylinder(radius: 0.4, half_length: 0.5), at: (-6, 0, 1)),
    ],
    joints: [
        (name: "hinge", b: "door", anchor: (0, 0, 1), axis: (0, 0, 1), kind: Hinge(limit: (Degrees(-30), Degrees(60)))),
        (name: "slider", b: "slide", anchor: (3, 0, 1), axis: (1, 0, 0), kind: Prismatic(limit: (-1, 1))),
        (name: "shoulder", b: "arm", anchor: (-3, 0, 1.7), axis: (0, 0, -1),
            kind: ConeTwist(swing: Ellipse(Degrees(40), Degrees(60)), twist: (Degrees(-20), Degrees(20)))),
        (name: "rope", b: "ball", anchor_a: (6, 0, 3), anchor_b: (0, 0, 0), kind: Rope()),
    ],
)"#;

pub(crate) fn bench() -> Harness<'static, Bench> {
    let session = Session::from_text(SCENE, "handles.ron").expect("the scene is right");
    let mut harness = window_of(Bench::of(session));
    harness.state_mut().state.editor.snap = true;
    look(&mut harness, Vec3::new(0.0, -9.0, 6.0));
    harness
}

pub(crate) fn look(harness: &mut Harness<'_, Bench>, eye: Vec3) {
    let view = delassus_render::orbit_view::OrbitView::between(eye, Vec3::new(eye.x, 0.0, 1.0));
    harness.state_mut().state.view3d.camera.set(view);
    harness.run();
}

/// The position of a world point in the window, points.
pub(crate) fn seen(harness: &Harness<'_, Bench>, at: Vec3) -> Pos2 {
    let state = &harness.state().state;
    let p = state
        .view3d
        .camera
        .project(at, crate::view3d::viewport::viewport(&state.view3d))
        .expect("in front of the camera");
    state.view3d.rect.min + vec2(p.x, p.y)
}

pub(crate) fn button(harness: &mut Harness<'_, Bench>, at: Pos2, pressed: bool) {
    harness.event(egui::Event::PointerMoved(at));
    harness.step();
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
    harness.step();
}

/// Presses and moves without releasing.
pub(crate) fn pull(harness: &mut Harness<'_, Bench>, from: Pos2, to: Pos2) {
    button(harness, from, true);
    for t in [0.3, 0.7, 1.0] {
        harness.event(egui::Event::PointerMoved(from + (to - from) * t));
        harness.run_steps(2);
    }
}

pub(crate) fn drag(harness: &mut Harness<'_, Bench>, from: Pos2, to: Pos2) {
    pull(harness, from, to);
    button(harness, to, false);
    harness.run_steps(3);
}

pub(crate) fn scene(harness: &Harness<'_, Bench>) -> Scene {
    harness.state().session.scene().expect("a scene").clone()
}

pub(crate) fn kind(harness: &Harness<'_, Bench>, name: &str) -> JointKind {
    harness.state().session.joint_entry(name).expect("a joint").kind
}

pub(crate) fn select(harness: &mut Harness<'_, Bench>, name: &str) {
    let index = harness.state().session.snapshot().joints.iter().position(|j| *j.name == *name).expect("a joint");
    harness.state_mut().state.selection.click_joint(index);
    harness.run_steps(2);
}

/// The selected joint as it is drawn.
pub(crate) fn drawn(harness: &Harness<'_, Bench>) -> JointEnds {
    let snapshot = harness.state().session.snapshot();
    let joint = &snapshot.joints[harness.state().state.selection.joint.expect("a joint is selected")];
    let (drawn, state) = (JointEnds::of(joint, snapshot, 1.0), &harness.state().state);
    drawn.enlarged(state.view3d.camera.metres_per_pixel(drawn.a, crate::view3d::viewport::viewport(&state.view3d)))
}

/// The position in the window of this value on the hinge's arc or the slider's rail.
pub(crate) fn on_track(harness: &Harness<'_, Bench>, value: f32) -> Pos2 {
    let snapshot = harness.state().session.snapshot();
    let joint = &snapshot.joints[harness.state().state.selection.joint.expect("a joint is selected")];
    let track = drawn(harness).track(joint).expect("it has a track");
    seen(harness, track.at(value))
}

/// The label at the pointer.
pub(crate) fn label(harness: &Harness<'_, Bench>) -> String {
    harness.state().state.view3d.preview.label.clone().unwrap_or_default()
}

pub(crate) fn type_text(harness: &mut Harness<'_, Bench>, text: &str) {
    harness.event(egui::Event::Text(text.into()));
    harness.run_steps(2);
}

pub(crate) fn undo(harness: &mut Harness<'_, Bench>) {
    harness.state_mut().session.dispatch(Command::Undo).expect("an entry");
    harness.run_steps(2);
}

pub(crate) fn joint(harness: &Harness<'_, Bench>, name: &str) -> Joint {
    harness.state().session.joint_entry(name).expect("a joint")
}

pub(crate) fn key(harness: &mut Harness<'_, Bench>, key: Key) {
    harness.key_press(key);
    harness.run_steps(2);
}

/// Moves the pointer to a world point without pressing a button.
pub(crate) fn point_at(harness: &mut Harness<'_, Bench>, at: Vec3) {
    let at = seen(harness, at);
    harness.event(egui::Event::PointerMoved(at));
    harness.run_steps(2);
}

#[test]
fn dragging_the_grip_of_a_hinge_moves_that_stop_in_steps_of_five_degrees() {
    let mut harness = bench();
    let before = scene(&harness);
    select(&mut harness, "hinge");
    let (from, to) = (on_track(&harness, 60f32.to_radians()), on_track(&harness, 91f32.to_radians()));
    pull(&mut harness, from, to);
    assert_eq!(label(&harness), "greatest angle 90.00°");
    assert_eq!(scene(&harness), before, "the document waits for the end of the gesture");
    let preview = harness.state().state.view3d.preview.joint.clone().expect("what it would be is drawn");
    assert_eq!(preview.1.kind.range(0.0).expect("limits").1.to_degrees().round(), 90.0);
    button(&mut harness, to, false);
    harness.run_steps(3);
    let JointKind::Hinge(hinge) = kind(&harness, "hinge") else { panic!("a hinge") };
    let (min, max) = hinge.limit.expect("limits");
    assert_eq!((min.to_degrees(), max.to_degrees()), (-30.0, 90.0));
    assert_eq!(harness.state().session.undo_label(), Some("Change limit of hinge"));
    undo(&mut harness);
    assert_eq!(scene(&harness), before);
    assert_eq!(harness.state().session.undo_label(), None, "one gesture, one entry");
}

#[test]
fn escape_lets_a_stop_go_and_leaves_nothing() {
    let mut harness = bench();
    let before = scene(&harness);
    look(&mut harness, Vec3::new(3.0, -9.0, 6.0));
    select(&mut harness, "slider");
    let (from, to) = (on_track(&harness, 1.0), on_track(&harness, 1.6));
    pull(&mut harness, from, to);
    assert_eq!(label(&harness), "greatest slide 1.600 m");
    harness.key_press(Key::Escape);
    harness.run_steps(2);
    button(&mut harness, to, false);
    harness.run_steps(2);
    assert_eq!(scene(&harness), before);
    assert_eq!(harness.state().session.undo_label(), None);
    let state = &harness.state().state;
    assert!(state.editor.stop.is_none() && state.view3d.preview.joint.is_none());
    assert_eq!(state.selection.joint, Some(1), "it stays selected");
}

#[test]
fn a_number_typed_while_a_stop_is_held_goes_before_the_pointer() {
    let mut harness = bench();
    let before = scene(&harness);
    look(&mut harness, Vec3::new(3.0, -9.0, 6.0));
    select(&mut harness, "slider");
    let (from, to) = (on_track(&harness, -1.0), on_track(&harness, -0.4));
    pull(&mut harness, from, to);
    type_text(&mut harness, "-0.35");
    assert_eq!(label(&harness), "least slide −0.350 m  [−0.35]");
    button(&mut harness, to, false);
    harness.run_steps(3);
    assert_eq!(kind(&harness, "slider").range(0.0), Some((-0.35, 1.0)));
    // A click grabs the stop as well; Enter then accepts the typed number.
    let at = on_track(&harness, 1.0);
    button(&mut harness, at, true);
    button(&mut harness, at, false);
    harness.run_steps(2);
    assert!(harness.state().state.editor.stop.is_some());
    type_text(&mut harness, "2.5");
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    assert_eq!(kind(&harness, "slider").range(0.0), Some((-0.35, 2.5)));
    undo(&mut harness);
    undo(&mut harness);
    assert_eq!(scene(&harness), before);
}

#[test]
fn a_cone_s_rim_its_twist_and_a_rope_s_end_are_dragged_too() {
    let mut harness = bench();
    let before = scene(&harness);
    look(&mut harness, Vec3::new(-3.0, -6.0, 5.0));
    select(&mut harness, "shoulder");
    let shape = drawn(&harness);
    let rim = |angle: f32| shape.swing(shape.across().1).at(angle.to_radians());
    let (from, to) = (seen(&harness, rim(60.0)), seen(&harness, rim(79.0)));
    drag(&mut harness, from, to);
    let twist = |angle: f32| on_track(&harness, angle.to_radians());
    let (from, to) = (twist(20.0), twist(44.0));
    drag(&mut harness, from, to);
    let JointKind::ConeTwist(shoulder) = kind(&harness, "shoulder") else { panic!("a cone–twist") };
    let delassus_physics::primitives::swing_twist::SwingLimit::Ellipse(first, second) = shoulder.swing else {
        panic!("an ellipse")
    };
    assert_eq!((first.to_degrees(), second.to_degrees()), (40.0, 80.0));
    let twist = shoulder.twist.expect("a twist limit");
    assert_eq!((twist.0.to_degrees(), twist.1.to_degrees()), (-20.0, 45.0));
    look(&mut harness, Vec3::new(6.0, -9.0, 3.0));
    select(&mut harness, "rope");
    let (from, to) = (on_track(&harness, 2.0), on_track(&harness, 2.41));
    drag(&mut harness, from, to);
    let JointKind::Rope(rope) = kind(&harness, "rope") else { panic!("a rope") };
    assert!((rope.length.expect("it has a length now") - 2.4).abs() < 1e-5);
    (0..3).for_each(|_| undo(&mut harness));
    assert_eq!(scene(&harness), before);
}
