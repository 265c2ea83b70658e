//! From the pointer to the picture within one frame: the effect of the pointer is in the state from which the same
//! frame is drawn.

use egui::{Event, Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use glam::Vec3;

use crate::bench::{Bench, window};
use crate::view3d::Drag;
use delassus_render::orbit_view::OrbitView;

fn bench() -> (Harness<'static, Bench>, Pos2) {
    let mut harness = window();
    harness
        .state_mut()
        .state
        .view3d
        .camera
        .set(OrbitView::between(Vec3::new(0.0, -8.0, 3.0), Vec3::new(0.0, 0.0, 0.5)));
    harness.run();
    let middle = harness.state().state.view3d.rect.center();
    harness.event(Event::PointerMoved(middle));
    harness.run();
    (harness, middle)
}

fn button(at: Pos2, button: PointerButton, pressed: bool) -> Event {
    Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE }
}

#[test]
fn the_camera_turns_in_the_frame_of_the_pointer() {
    let (mut harness, middle) = bench();
    harness.event(button(middle, PointerButton::Middle, true));
    harness.step();
    harness.event(Event::PointerMoved(middle + vec2(20.0, 0.0)));
    harness.step();
    assert_eq!(harness.state().state.view3d.drag, Drag::Orbit);
    let before = harness.state().state.view3d.camera.view.yaw;
    harness.event(Event::PointerMoved(middle + vec2(50.0, 0.0)));
    harness.step();
    assert!((harness.state().state.view3d.camera.view.yaw - before).abs() > 0.1, "30 points of mouse turn by 0.18 rad");
}

#[test]
fn what_is_held_and_what_is_pointed_at_follow_in_the_frame_of_the_pointer() {
    let (mut harness, middle) = bench();
    assert_eq!(harness.state().state.selection.hovered, Some(2), "the box stands in the middle");
    harness.event(Event::PointerMoved(middle + vec2(0.0, -330.0)));
    harness.step();
    assert_ne!(harness.state().state.selection.hovered, Some(2), "and is left in one frame");

    harness.state_mut().state.selection.bodies = vec![2];
    harness.event(Event::PointerMoved(middle));
    harness.key_press(Key::G);
    harness.run_steps(2);
    let held = |h: &Harness<'_, Bench>| h.state().state.view3d.preview.placed.first().map(|p| p.1.position);
    let before = held(&harness);
    harness.event(Event::PointerMoved(middle + vec2(60.0, 0.0)));
    harness.step();
    let after = held(&harness).expect("it is drawn where it is held");
    assert!(before.is_none_or(|before| before.distance(after) > 0.1), "{before:?} {after:?}");
}
