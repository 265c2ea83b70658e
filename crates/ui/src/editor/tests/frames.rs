//! Tests of joint frames, scaling, axes and the joint tool, driven like a user.

use egui::{Key, Modifiers, PointerButton, vec2};
use egui_kittest::Harness;
use glam::Vec3;

use crate::bench::{Bench, window_of};
use crate::editor::tests::handles::{
    SCENE, bench, button, drag, joint, key, label, look, point_at, pull, scene, seen, select, type_text, undo,
};
use crate::editor::tests::placed;
use crate::editor::{Tool, snap::SnapKind, tools::joining::AnchorChoice};
use delassus_physics::joints::JointKind;
use delassus_physics::shape::Shape;
use delassus_session::{Command, Session};

#[test]
fn a_joint_s_anchors_are_moved_together_and_its_axis_turned() {
    let mut harness = bench();
    let before = scene(&harness);
    select(&mut harness, "hinge");
    point_at(&mut harness, Vec3::new(0.0, 0.0, 1.0));
    for k in [Key::G, Key::Z] {
        key(&mut harness, k);
    }
    type_text(&mut harness, "0.5");
    let preview = harness.state().state.view3d.preview.joint.clone().expect("what it would be is drawn");
    assert!(placed(&harness, &preview.1).anchor_a.distance(Vec3::new(0.0, 0.0, 1.5)) < 1e-5);
    key(&mut harness, Key::Enter);
    assert_eq!(joint(&harness, "hinge").anchor, Some(Vec3::new(0.0, 0.0, 1.5)));
    for k in [Key::T, Key::Y] {
        key(&mut harness, k);
    }
    type_text(&mut harness, "90");
    key(&mut harness, Key::Enter);
    let turned = joint(&harness, "hinge").axis.expect("an axis of the world");
    assert!(turned.distance(Vec3::X) < 1e-5, "{turned}");
    // A cancelled gesture changes nothing.
    let now = scene(&harness);
    for k in [Key::G, Key::X] {
        key(&mut harness, k);
    }
    type_text(&mut harness, "3");
    key(&mut harness, Key::Escape);
    assert_eq!(scene(&harness), now);
    undo(&mut harness);
    undo(&mut harness);
    assert_eq!(scene(&harness), before);
}

#[test]
fn one_end_of_a_joint_is_moved_alone_on_its_body() {
    let mut harness = bench();
    let before = scene(&harness);
    select(&mut harness, "hinge");
    point_at(&mut harness, Vec3::new(0.0, 0.0, 1.0));
    // G, then E twice: from both ends to A's and then to B's.
    for k in [Key::G, Key::E, Key::E, Key::X] {
        key(&mut harness, k);
    }
    type_text(&mut harness, "-0.25");
    key(&mut harness, Key::Enter);
    let entry = joint(&harness, "hinge");
    assert_eq!((entry.anchor, entry.anchor_a), (None, Some(Vec3::new(0.0, 0.0, 1.0))));
    assert!(entry.anchor_b.expect("on B").distance(Vec3::new(-0.75, 0.0, 0.0)) < 1e-5);
    assert_eq!((entry.axis_a, entry.axis_b), (Some(Vec3::Z), Some(Vec3::Z)));
    undo(&mut harness);
    assert_eq!(scene(&harness), before);
    // A slider's frame can also be dragged by the move tool's arrow.
    look(&mut harness, Vec3::new(3.0, -9.0, 6.0));
    select(&mut harness, "slider");
    harness.state_mut().state.editor.end = crate::editor::tools::held_frame::FrameEnd::Both;
    harness.state_mut().state.editor.tool = Tool::Move;
    harness.run_steps(2);
    let pixel = {
        let state = &harness.state().state;
        state.view3d.camera.metres_per_pixel(Vec3::new(3.0, 0.0, 1.0), crate::view3d::viewport::viewport(&state.view3d))
    };
    let from = Vec3::new(3.0, 0.0, 1.0 + 60.0 * pixel);
    let (from, to) = (seen(&harness, from), seen(&harness, from + Vec3::Z * 0.5));
    drag(&mut harness, from, to);
    assert_eq!(joint(&harness, "slider").anchor, Some(Vec3::new(3.0, 0.0, 1.5)));
}

/// The sheaves of a pulley are points of the world, which stay while its ends move and move alone.
#[test]
fn the_sheaves_and_ends_of_a_pulley_are_moved() {
    let rope = r#"(name: "rope", b: "ball", anchor_a: (6, 0, 3), anchor_b: (0, 0, 0), kind: Rope()),"#;
    assert!(SCENE.contains(rope));
    let text = SCENE.replace(
        rope,
        r#"(name: "rope", b: "ball", anchor_a: (5, 0, 2), anchor_b: (0, 0, 0), kind: Pulley(over_a: (5, 0, 4), over_b: (6, 0, 4))),"#,
    );
    let session = Session::from_text(&text, "handles.ron").expect("the scene is right");
    let mut harness = window_of(Bench::of(session));
    look(&mut harness, Vec3::new(6.0, -12.0, 4.0));
    let before = scene(&harness);
    let pulley = |harness: &Harness<'_, Bench>| {
        let JointKind::Pulley(pulley) = joint(harness, "rope").kind else { panic!("a pulley") };
        (pulley.over_a, pulley.over_b)
    };
    select(&mut harness, "rope");
    point_at(&mut harness, Vec3::new(6.0, 0.0, 4.0));
    // E four times: both ends, A's, B's, A's sheave, B's sheave.
    for k in [Key::G, Key::E, Key::E, Key::E, Key::E, Key::X] {
        key(&mut harness, k);
    }
    type_text(&mut harness, "0.25");
    let preview = harness.state().state.view3d.preview.joint.clone().expect("what it would be is drawn");
    assert!(matches!(preview.1.kind, JointKind::Pulley(own) if own.over_b == Vec3::new(6.25, 0.0, 4.0)));
    key(&mut harness, Key::Enter);
    assert_eq!(pulley(&harness), (Vec3::new(5.0, 0.0, 4.0), Vec3::new(6.25, 0.0, 4.0)));
    let entry = joint(&harness, "rope");
    assert_eq!((entry.anchor_a, entry.anchor_b), (Some(Vec3::new(5.0, 0.0, 2.0)), Some(Vec3::ZERO)));
    // A sheave does not turn: both ends do, about their middle.
    key(&mut harness, Key::T);
    let held = harness.state().state.editor.grab.is_some();
    assert!(!held, "a point has no direction");
    // Its arrow moves A's sheave.
    harness.state_mut().state.editor.end = crate::editor::tools::held_frame::FrameEnd::SheaveA;
    harness.state_mut().state.editor.tool = Tool::Move;
    harness.run_steps(2);
    let pixel = {
        let state = &harness.state().state;
        state.view3d.camera.metres_per_pixel(Vec3::new(5.0, 0.0, 4.0), crate::view3d::viewport::viewport(&state.view3d))
    };
    let from = Vec3::new(5.0, 0.0, 4.0 + 60.0 * pixel);
    let (from, to) = (seen(&harness, from), seen(&harness, from + Vec3::Z * 0.5));
    harness.state_mut().state.editor.snap = true;
    drag(&mut harness, from, to);
    assert_eq!(pulley(&harness), (Vec3::new(5.0, 0.0, 4.5), Vec3::new(6.25, 0.0, 4.0)));
    undo(&mut harness);
    undo(&mut harness);
    assert_eq!(scene(&harness), before);
    // Another joint has no sheaves: both of its ends are taken.
    select(&mut harness, "hinge");
    assert!(harness.state().state.editor.end != crate::editor::tools::held_frame::FrameEnd::Both);
    point_at(&mut harness, Vec3::new(0.0, 0.0, 1.0));
    for k in [Key::G, Key::Z] {
        key(&mut harness, k);
    }
    type_text(&mut harness, "0.5");
    key(&mut harness, Key::Enter);
    assert_eq!(joint(&harness, "hinge").anchor, Some(Vec3::new(0.0, 0.0, 1.5)));
}

/// During a run the ends are written in the frames of the bodies' current poses.
#[test]
fn a_frame_moved_in_the_middle_of_a_run_stays_on_the_bodies() {
    let text = SCENE.replace("at: (0.5, 0, 1)", "at: (0.5, 0, 1), angular_velocity: (0, 0, 1), velocity: (0, 0.5, 0)");
    let session = Session::from_text(&text, "handles.ron").expect("the scene is right");
    let mut harness = window_of(Bench::of(session));
    look(&mut harness, Vec3::new(0.0, -9.0, 6.0));
    (0..30).for_each(|_| harness.state_mut().session.dispatch(Command::Step).expect("a scene is open"));
    select(&mut harness, "hinge");
    point_at(&mut harness, Vec3::new(0.0, 0.0, 1.0));
    for k in [Key::G, Key::Z] {
        key(&mut harness, k);
    }
    type_text(&mut harness, "0.5");
    key(&mut harness, Key::Enter);
    let entry = joint(&harness, "hinge");
    assert!(entry.anchor_b.expect("on B").distance(Vec3::new(-0.5, 0.0, 0.5)) < 1e-3, "{entry:?}");
    let now = placed(&harness, &harness.state().session.snapshot().joints[0]);
    assert!(now.anchor_a.distance(Vec3::new(0.0, 0.0, 1.5)) < 1e-3);
}

#[test]
fn scaling_along_an_axis_changes_what_the_shape_allows() {
    let mut harness = bench();
    let before = scene(&harness);
    let shape = |h: &Harness<'_, Bench>, i: usize| h.state().session.scene().expect("a scene").bodies[i].shape.clone();
    let scale = |h: &mut Harness<'_, Bench>, body: u32, axis: Key| {
        h.state_mut().state.selection.click_body(body, false);
        key(h, Key::S);
        key(h, axis);
        type_text(h, "2");
        key(h, Key::Enter);
    };
    scale(&mut harness, 1, Key::Y);
    assert_eq!(shape(&harness, 0), Shape::Box { half: Vec3::new(0.5, 0.1, 1.0) });
    scale(&mut harness, 3, Key::Z);
    assert_eq!(shape(&harness, 2), Shape::Capsule { radius: 0.2, half_length: 1.0 });
    scale(&mut harness, 5, Key::X);
    assert_eq!(shape(&harness, 4), Shape::Cylinder { radius: 0.8, half_length: 0.5 });
    scale(&mut harness, 4, Key::X);
    assert_eq!(shape(&harness, 3), Shape::Sphere { radius: 0.6 });
    (0..4).for_each(|_| undo(&mut harness));
    assert_eq!(scene(&harness), before);
    // Dragging the cube out to three times its distance makes the box three times as wide.
    look(&mut harness, Vec3::new(3.0, -6.0, 4.0));
    harness.state_mut().state.editor.tool = Tool::Scale;
    harness.state_mut().state.selection.click_body(2, false);
    harness.run_steps(2);
    let centre = Vec3::new(3.0, 0.0, 1.0);
    let pixel = {
        let state = &harness.state().state;
        state.view3d.camera.metres_per_pixel(centre, crate::view3d::viewport::viewport(&state.view3d))
    };
    let at = |far: f32| centre + Vec3::X * (far * 80.0 * pixel);
    let (from, to) = (seen(&harness, at(1.0)), seen(&harness, at(3.0)));
    pull(&mut harness, from, to);
    assert_eq!(label(&harness), "× 3.000 along own x");
    let placed = &harness.state().state.view3d.preview.placed;
    assert_eq!(placed[0].2, Vec3::new(3.0, 1.0, 1.0), "it is drawn so");
    button(&mut harness, to, false);
    harness.run_steps(2);
    assert_eq!(shape(&harness, 1), Shape::Box { half: Vec3::new(0.6, 0.2, 0.2) });
}

#[test]
fn an_axis_key_twice_and_the_switch_mean_the_body_s_own_axes() {
    let text =
        SCENE.replace("at: (6, 0, 1)", "at: (6, 0, 1), rotation: AxisAngle(axis: (0, 0, 1), angle: Degrees(90))");
    let session = Session::from_text(&text, "handles.ron").expect("the scene is right");
    let mut harness = window_of(Bench::of(session));
    look(&mut harness, Vec3::new(6.0, -9.0, 6.0));
    harness.state_mut().state.selection.click_body(4, false);
    let at = |h: &Harness<'_, Bench>| h.state().session.scene().expect("a scene").bodies[3].at;
    let go = |h: &mut Harness<'_, Bench>, keys: &[Key]| {
        keys.iter().for_each(|k| key(h, *k));
        type_text(h, "1");
        let label = label(h);
        key(h, Key::Enter);
        label
    };
    assert_eq!(go(&mut harness, &[Key::G, Key::X]), "1.000 m along x  [1]");
    assert!(at(&harness).distance(Vec3::new(7.0, 0.0, 1.0)) < 1e-5);
    assert_eq!(go(&mut harness, &[Key::G, Key::X, Key::X]), "1.000 m along own x  [1]");
    assert!(at(&harness).distance(Vec3::new(7.0, 1.0, 1.0)) < 1e-5, "its own x is the world's y");
    key(&mut harness, Key::U);
    assert!(harness.state().state.editor.local);
    go(&mut harness, &[Key::G, Key::Y]);
    assert!(at(&harness).distance(Vec3::new(6.0, 1.0, 1.0)) < 1e-5, "its own y is the world's −x");
}

/// Selects the joint tool with this kind and anchor.
fn joint_tool(harness: &mut Harness<'_, Bench>, name: &str, anchor: AnchorChoice) {
    let editor = &mut harness.state_mut().state.editor;
    editor.kind = JointKind::all().iter().position(|kind| kind.info().name == name).expect("a kind");
    editor.anchor = anchor;
    key(harness, Key::J);
    assert_eq!(harness.state().state.editor.tool, Tool::Joint);
}

#[test]
fn the_second_body_comes_so_that_the_anchors_meet_and_the_preview_says_so() {
    let mut harness = bench();
    let before = scene(&harness);
    look(&mut harness, Vec3::new(4.5, -9.0, 3.0));
    harness.state_mut().state.editor.limits = true;
    joint_tool(&mut harness, "Hinge", AnchorChoice::SecondComes);
    key(&mut harness, Key::Y);
    let (slide, ball) = (Vec3::new(3.0, 0.0, 1.0), Vec3::new(6.0, 0.0, 1.0));
    let (from, to) = (seen(&harness, slide), seen(&harness, ball));
    pull(&mut harness, from, to);
    let preview = harness.state().state.view3d.preview.clone();
    let (index, joint) = preview.joint.expect("the joint is drawn as it would be");
    assert!(index.is_none() && placed(&harness, &joint).axis_a.distance(Vec3::Y) < 1e-6);
    assert_eq!(joint.kind.range(0.0).map(|r| r.1.to_degrees().round()), Some(45.0), "with the limits it begins with");
    assert_eq!(preview.placed.len(), 1);
    assert!(preview.placed[0].1.position.distance(slide) < 1e-4, "the ball's centre comes to the box's");
    assert_eq!(preview.label.as_deref(), Some("centre of ball"));
    assert_eq!(scene(&harness), before);
    button(&mut harness, to, false);
    harness.run_steps(3);
    let now = scene(&harness);
    assert!(now.bodies[3].at.distance(slide) < 1e-4);
    let made = now.joints.last().expect("a joint");
    assert_eq!((made.a.as_str(), made.b.as_str()), ("slide", "ball"));
    assert!(made.anchor.expect("one point in the document's pose").distance(slide) < 1e-4);
    let error = harness.state().session.snapshot().joints.last().map(|j| j.readout.error);
    assert!(error.is_some_and(|e| e < 1e-3), "the anchors have met: {error:?}");
    undo(&mut harness);
    assert_eq!(scene(&harness), before, "body and joint are one entry");
}

#[test]
fn q_goes_through_the_kinds_of_points_and_e_lays_the_axis_along_an_edge() {
    let mut harness = bench();
    let before = scene(&harness);
    look(&mut harness, Vec3::new(3.0, -5.0, 3.0));
    joint_tool(&mut harness, "Hinge", AnchorChoice::First);
    while harness.state().state.editor.snap_kind != SnapKind::Corner {
        key(&mut harness, Key::Q);
    }
    key(&mut harness, Key::E);
    assert!(harness.state().state.view3d.overlays.joint_error, "E is the tool's here, not the overlay's");
    // On the front face, near its upper edge and to the right of its centre.
    let at = Vec3::new(3.06, -0.2, 1.17);
    let (from, to) = (seen(&harness, at), seen(&harness, Vec3::new(3.0, 0.0, 2.6)));
    pull(&mut harness, from, to);
    let joint = harness.state().state.view3d.preview.joint.clone().expect("it is drawn").1;
    let place = placed(&harness, &joint);
    assert!(place.anchor_a.distance(Vec3::new(3.2, -0.2, 1.2)) < 1e-4, "{}", place.anchor_a);
    assert!(place.axis_a.abs().distance(Vec3::X) < 1e-6, "along the upper edge");
    // Escape cancels the tool's gesture without changes.
    key(&mut harness, Key::Escape);
    button(&mut harness, to, false);
    harness.run_steps(2);
    assert_eq!(scene(&harness), before);
    assert!(harness.state().state.editor.joining.is_none());
}

/// A hinge in the middle of a body, which the world holds, needed a body to hold it.
#[test]
fn a_drag_that_ends_on_its_own_body_pins_that_point_to_the_world() {
    let mut harness = bench();
    let before = scene(&harness);
    look(&mut harness, Vec3::new(0.5, -5.0, 1.0));
    joint_tool(&mut harness, "BallSocket", AnchorChoice::First);
    let (from, to) = (seen(&harness, Vec3::new(0.5, 0.0, 0.4)), seen(&harness, Vec3::new(0.5, 0.0, 1.6)));
    pull(&mut harness, from, to);
    assert!(label(&harness).ends_with(", to the world"), "{}", label(&harness));
    let drawn = harness.state().state.view3d.preview.joint.clone().expect("it is drawn").1;
    button(&mut harness, to, false);
    harness.run_steps(2);
    let after = scene(&harness);
    assert_eq!(after.joints.len(), before.joints.len() + 1);
    let joint = after.joints.last().expect("the new one");
    assert_eq!((joint.a.as_str(), drawn.a), ("world", 0));
    let place = placed(&harness, harness.state().session.snapshot().joints.last().expect("the new one"));
    assert!(place.anchor_a.distance(place.anchor_b) < 1e-4, "one point");
    assert!(
        seen(&harness, place.anchor_a).distance(to) < 30.0,
        "where it was released, or the point that it snapped to"
    );
}

#[test]
fn the_letters_that_fly_do_nothing_else_meanwhile() {
    let mut harness = bench();
    harness.state_mut().state.selection.click_body(1, false);
    let middle = harness.state().state.view3d.rect.center();
    let right = |pos, pressed| {
        let (button, modifiers) = (PointerButton::Secondary, Modifiers::NONE);
        egui::Event::PointerButton { pos, button, pressed, modifiers }
    };
    harness.event(egui::Event::PointerMoved(middle));
    harness.step();
    harness.event(right(middle, true));
    harness.step();
    harness.event(egui::Event::PointerMoved(middle + vec2(20.0, 0.0)));
    harness.run_steps(2);
    assert_eq!(harness.state().state.view3d.drag, crate::view3d::Drag::Look);
    for k in [Key::E, Key::S, Key::Q] {
        key(&mut harness, k);
    }
    harness.event(right(middle, false));
    harness.run_steps(2);
    let state = &harness.state().state;
    assert!(state.view3d.overlays.joint_error && state.editor.grab.is_none());
    assert_eq!(state.editor.snap_kind, SnapKind::Any);
    // Without the button the keys have their usual meaning.
    key(&mut harness, Key::E);
    assert!(!harness.state().state.view3d.overlays.joint_error);
}
