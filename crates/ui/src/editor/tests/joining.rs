//! Joints that are dragged: what they leave to collide, and where their ends are.

use egui::Key;
use glam::Vec3;

use super::editor::{drag, seen};
use crate::bench::{Bench, window_of};
use delassus_physics::joints::JointKind;
use delassus_session::{Command, Session};

const FLOOR: &str = r#"(version: 1, title: "t", bodies: [
    (name: "floor", shape: Box(half: (20, 20, 0.5)), at: (0, 0, -0.5), motion: Static),
    (name: "ball", shape: Sphere(radius: 0.25), at: (0, 0, 1.5)),
    (name: "stands", shape: Box(half: (0.25, 0.25, 0.25)), at: (2, 0, 0.25)),
    (name: "post", shape: Box(half: (0.2, 0.2, 1)), at: (5, 2, 1), motion: Static),
    (name: "bar", shape: Box(half: (0.5, 0.1, 0.1)), at: (5.7, 2, 1)),
    (name: "deep", shape: Box(half: (0.25, 0.25, 0.25)), at: (4, 0, 0.1)),
])"#;

/// On the floor a pendulum swung through the floor, and what rested there went through it.
#[test]
fn what_is_joined_to_a_far_place_of_the_floor_does_not_go_through_it() {
    let far = Vec3::new(-2.0, 0.0, 0.0);
    for (at, to, collides) in [
        (Vec3::new(0.0, 0.0, 1.5), far, true),
        (Vec3::new(2.0, 0.0, 0.25), far, true),
        (Vec3::new(2.0, 0.0, 0.25), Vec3::new(0.9, 0.0, 0.0), true),
        (Vec3::new(2.0, 0.0, 0.25), Vec3::new(2.0, -0.27, 0.0), false),
        (Vec3::new(5.7, 1.9, 1.0), Vec3::new(5.0, 1.8, 1.0), false),
        // The floor would throw it out.
        (Vec3::new(4.0, 0.0, 0.2), far, false),
    ] {
        for back in [false, true] {
            let mut harness = window_of(Bench::of(Session::from_text(FLOOR, "t.ron").expect("a scene")));
            let (eye, target) = (Vec3::new(1.0, -12.0, 4.0), Vec3::new(1.0, 0.0, 0.5));
            harness.state_mut().state.view3d.camera.set(delassus_render::orbit_view::OrbitView::between(eye, target));
            harness.key_press(Key::J);
            harness.run();
            let [from, to] = [at, to].map(|place| seen(&harness, place));
            let (from, to) = if back { (to, from) } else { (from, to) };
            drag(&mut harness, from, to);
            let joints = harness.state().session.scene().expect("a scene").joints.clone();
            assert_eq!(joints.last().map(|joint| joint.collide), Some(collides), "{at} {to} {back}: {joints:?}");
        }
    }
}

const TURNED: &str = r#"(version: 1, title: "t", settings: (step: (gravity: (0, 0, 0))), bodies: [
    (name: "one", shape: Box(half: (0.6, 0.4, 0.5)), at: (-1.03, 0.07, 1), rotation: AxisAngle(axis: (0.3, 1, 0.2), angle: 0.6)),
    (name: "two", shape: Box(half: (0.5, 0.5, 0.5)), at: (1.01, 0.02, 1), rotation: AxisAngle(axis: (1, 0.2, 0.7), angle: 0.9)),
])"#;

/// How far the number is from the next multiple of this.
fn beside(number: f32, of: f32) -> f32 {
    (number - (number / of).round() * of).abs()
}

/// They were written as 1.1402428.
#[test]
fn places_that_are_picked_on_turned_bodies_are_round_in_their_frames() {
    let kinds = JointKind::all();
    let kind = |name: &str| kinds.iter().position(|kind| kind.info().name == name).expect("a kind");
    for (kind, steps, rounds) in [(kind("Rope"), 0, 2), (kind("BallSocket"), 2, 1)] {
        let mut harness = window_of(Bench::of(Session::from_text(TURNED, "t.ron").expect("a scene")));
        let eye = delassus_render::orbit_view::OrbitView::between(Vec3::new(0.0, -8.0, 3.0), Vec3::new(0.0, 0.0, 1.0));
        harness.state_mut().state.view3d.camera.set(eye);
        harness.state_mut().state.editor.kind = kind;
        harness.state_mut().state.editor.snap_kind = crate::editor::snap::SnapKind::Hit;
        (0..steps).for_each(|_| harness.state_mut().session.dispatch(Command::Step).expect("a step"));
        harness.key_press(Key::J);
        harness.run();
        let [from, to] = [Vec3::new(-1.1, 0.0, 1.1), Vec3::new(1.1, 0.0, 0.9)].map(|at| seen(&harness, at));
        drag(&mut harness, from, to);
        let joint = harness.state().session.scene().expect("a scene").joints.last().expect("a joint").clone();
        let ends = [joint.anchor_a.expect("an end"), joint.anchor_b.expect("an end")];
        let round = ends.iter().filter(|end| end.to_array().iter().all(|x| beside(*x, 1e-3) < 1e-6)).count();
        assert!(round >= rounds, "{ends:?}");
        // What is computed from the picked end has no dust.
        assert!(ends.iter().all(|end| end.to_array().iter().all(|x| beside(*x, 1e-6) < 1e-7)), "{ends:?}");
        assert!(harness.state().session.snapshot().joints.last().is_some_and(|joint| joint.readout.error < 1e-4));
    }
}
