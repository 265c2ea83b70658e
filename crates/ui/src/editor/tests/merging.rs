//! Tests of bodies that are merged, scaled, moved and split, driven like a user.

use egui::Key;
use egui_kittest::Harness;
use glam::Vec3;

use crate::bench::{Bench, window_of};
use crate::editor::tests::handles::{key, scene, type_text, undo};
use crate::shell::finder::FinderState;
use delassus_physics::shape::{Shape, ShapePart};
use delassus_session::Session;

const SCENE: &str = r#"(
    version: 1,
    title: "Parts",
    settings: (step: (gravity: (0, 0, 0))),
    bodies: [
        (name: "handle", shape: Box(half: (0.5, 0.1, 0.1)), at: (0, 0, 1)),
        (name: "head", shape: Box(half: (0.1, 0.3, 0.1)), at: (0.6, 0, 1)),
        (name: "post", shape: Sphere(radius: 0.1), at: (-1, 0, 1)),
    ],
    joints: [(name: "weld", a: "handle", b: "head", anchor: (0.5, 0, 1), kind: Fixed)],
)"#;

fn find(harness: &mut Harness<'_, Bench>, command: &str) {
    harness.state_mut().state.finder = Some(FinderState::with(command));
    harness.run();
    key(harness, Key::Enter);
    harness.run();
}

fn shape(harness: &Harness<'_, Bench>) -> Shape {
    harness.state().session.scene().expect("a scene").bodies[0].shape.clone()
}

#[test]
fn selected_bodies_become_one_that_is_scaled_and_split_again() {
    let session = Session::from_text(SCENE, "merged.ron").expect("the scene is right");
    let mut harness = window_of(Bench::of(session));
    harness.run();
    let before = scene(&harness);
    // The last one selected stays.
    harness.state_mut().state.selection.bodies = vec![2, 1];
    find(&mut harness, "merge into one body");
    let part = |half: Vec3, x: f32| ShapePart::new(Shape::Box { half }, Vec3::new(x, 0.0, 0.0));
    let (handle, head) = (Vec3::new(0.5, 0.1, 0.1), Vec3::new(0.1, 0.3, 0.1));
    assert_eq!(shape(&harness), Shape::Compound { parts: [part(handle, 0.0), part(head, 0.6)].into() });
    assert_eq!(scene(&harness).bodies.len(), 2);
    assert!(scene(&harness).joints.is_empty());
    assert!(harness.state().state.notices.iter().any(|notice| notice.text.contains("the joint between them is gone")));

    harness.state_mut().state.selection.click_body(1, false);
    harness.run();
    for k in [Key::S, Key::Y] {
        key(&mut harness, k);
    }
    type_text(&mut harness, "2");
    key(&mut harness, Key::Enter);
    let doubled = [part(2.0 * handle, 0.0), part(2.0 * head, 1.2)].into();
    assert_eq!(shape(&harness), Shape::Compound { parts: doubled }, "it scales evenly");
    undo(&mut harness);

    for k in [Key::G, Key::X] {
        key(&mut harness, k);
    }
    type_text(&mut harness, "1");
    key(&mut harness, Key::Enter);
    assert_eq!(scene(&harness).bodies[0].at, Vec3::new(1.0, 0.0, 1.0));
    find(&mut harness, "split into its parts");
    let parts = scene(&harness).bodies;
    let places: Vec<(String, Vec3)> = parts.iter().map(|body| (body.name.clone(), body.at)).collect();
    let at = |x: f32| Vec3::new(x, 0.0, 1.0);
    assert_eq!(places, [("handle".into(), at(1.0)), ("post".into(), at(-1.0)), ("handle-2".into(), at(1.6))]);
    (0..3).for_each(|_| undo(&mut harness));
    assert_eq!(scene(&harness), before);
}

/// A box and a ball of different motion stay two, and a ball is no compound.
#[test]
fn what_cannot_be_merged_or_split_is_said() {
    let session = Session::from_text(SCENE, "merged.ron").expect("the scene is right");
    let mut harness = window_of(Bench::of(session));
    harness.run();
    let before = scene(&harness);
    for (chosen, command, words) in
        [(vec![1], "merge into one body", "Select the bodies"), (vec![3], "split into its parts", "Select a compound")]
    {
        harness.state_mut().state.selection.bodies = chosen;
        find(&mut harness, command);
        assert!(harness.state().state.notices.iter().any(|notice| notice.text.contains(words)), "{command}");
    }
    assert_eq!(scene(&harness), before);
}
