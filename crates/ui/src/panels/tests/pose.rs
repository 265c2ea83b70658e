//! The Inspector's sliders that pose a mechanism.

use egui::Role;
use egui_kittest::kittest::Queryable;

use super::inspector::{Window, enter, undo, window};
use crate::widgets::angles::Angles;
use delassus_session::Command;

/// A four-bar whose rocker turns back, and a slider beside it.
const SCENE: &str = r#"(
    version: 1,
    title: "Posed",
    settings: (step: (gravity: (0, 0, 0))),
    bodies: [
        (name: "crank", shape: Box(half: (0.3, 0.05, 0.05)), at: (0.3125, 0, 1), collide: false),
        (name: "coupler", shape: Box(half: (1.25, 0.05, 0.05)), at: (1.375, 0, 2), collide: false),
        (name: "rocker", shape: Box(half: (0.05, 0.05, 1)), at: (2.125, 0, 2), collide: false),
        (name: "drawer", shape: Box(half: (0.1, 0.1, 0.1)), at: (5, 0, 1), collide: false),
        (name: "flag", shape: Sphere(radius: 0.1), at: (5, 0, 2), collide: false),
    ],
    joints: [
        (name: "crank", b: "crank", anchor: (0, 0, 1), axis: (0, -1, 0), kind: Hinge()),
        (name: "rocker", b: "rocker", anchor: (2.125, 0, 1), axis: (0, -1, 0), kind: Hinge()),
        (name: "pin", a: "crank", b: "coupler", anchor: (0.625, 0, 1), axis: (0, -1, 0), kind: Hinge()),
        (name: "far pin", a: "rocker", b: "coupler", anchor: (2.125, 0, 3), axis: (0, -1, 0), kind: Hinge()),
        (name: "rail", b: "drawer", anchor: (5, 0, 1), axis: (1, 0, 0), kind: Prismatic(limit: (-0.5, 0.25))),
        (name: "ball", a: "drawer", b: "flag", anchor: (5, 0, 1), kind: BallSocket),
    ],
)"#;

fn select(harness: &mut Window, joint: usize) {
    harness.state_mut().state.selection.click_joint(joint);
    harness.run();
}

fn shown(harness: &Window, name: &str) -> String {
    harness.get_by_role_and_label(Role::SpinButton, name).value().unwrap_or_default()
}

#[test]
fn a_typed_angle_poses_the_loop_as_one_entry() {
    let mut harness = window(SCENE);
    select(&mut harness, 0);
    enter(&mut harness, "Pose Angle", "30");
    assert_eq!(harness.state().session.undo_label(), Some("Pose crank"));
    let value = |harness: &Window| harness.state().session.coordinates(0)[0].value.to_degrees();
    assert!((value(&harness) - 30.0).abs() < 1e-4, "{}", value(&harness));
    assert!(harness.state().session.snapshot().joints.iter().all(|joint| joint.readout.error < 2e-6));
    undo(&mut harness);
    assert_eq!((value(&harness), harness.state().session.undo_label()), (0.0, None));
    // In the unit that is chosen.
    harness.state_mut().state.angles = Angles::Radians;
    harness.run();
    enter(&mut harness, "Pose Angle", "0.5");
    assert!((value(&harness) - 0.5f64.to_degrees()).abs() < 1e-4, "{}", value(&harness));
}

#[test]
fn a_slider_stays_where_the_mechanism_ends_and_says_why() {
    let mut harness = window(SCENE);
    select(&mut harness, 1);
    enter(&mut harness, "Pose Angle", "90");
    let all: Vec<_> = harness.query_all_by_label_contains("a dead centre: its loop does not close beyond it").collect();
    assert_eq!(all.len(), 1);
    drop(all);
    // cos β = (g² + b² − (c − a)²)/(2 g b) for crank 0.625, coupler 2.5, rocker 2, base 2.125; from 90° on.
    let end = 90.0 - f64::acos((2.125f64.powi(2) + 4.0 - 1.875f64.powi(2)) / (2.0 * 2.125 * 2.0)).to_degrees();
    let value = harness.state().session.coordinates(1)[0].value.to_degrees();
    assert!((value - end).abs() < 1e-3, "{value} instead of {end}");
    undo(&mut harness);
    assert!(harness.query_by_label_contains("a dead centre").is_none(), "the line goes with the pose");
    // The drawer's own limit.
    select(&mut harness, 4);
    enter(&mut harness, "Pose Slide", "3");
    assert!(harness.query_by_label_contains("stops at 250 mm, its own limit").is_some());
    assert_eq!(shown(&harness, "Pose Slide"), "0.250 m");
}

#[test]
fn the_way_in_which_a_loop_closes_is_chosen() {
    let mut harness = window(SCENE);
    select(&mut harness, 0);
    let at =
        |harness: &Window| ["Assembly 1 of 2", "Assembly 2 of 2"].map(|text| harness.query_by_label(text).is_some());
    for _ in 0..200 {
        if at(&harness) != [false; 2] {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
        harness.step();
    }
    let before = at(&harness);
    assert_ne!(before[0], before[1]);
    harness.get_by_label("Next assembly").click();
    harness.step();
    assert_eq!(harness.state().session.undo_label(), Some("Pose crank"));
    let bodies = &harness.state().session.snapshot().bodies;
    let rocker = bodies.iter().find(|body| &*body.name == "rocker").expect("a rocker");
    assert!(rocker.pose.position.z < 1.0, "it hangs below now: {}", rocker.pose.position);
    for _ in 0..200 {
        if at(&harness) == [before[1], before[0]] {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
        harness.step();
    }
    assert_eq!(at(&harness), [before[1], before[0]]);
}

#[test]
fn a_ball_has_three_values_and_a_run_is_left_alone() {
    let mut harness = window(SCENE);
    select(&mut harness, 5);
    for name in ["Pose Swing 1", "Pose Swing 2", "Pose Twist"] {
        assert!(harness.query_by_role_and_label(Role::SpinButton, name).is_some(), "{name}");
    }
    assert!(harness.query_by_label("Back to the start to pose").is_none());
    harness.state_mut().session.dispatch(Command::Step).expect("a step");
    harness.run();
    harness.get_by_label("Back to the start to pose").click();
    harness.run();
    assert_eq!(harness.state().session.snapshot().step, 0);
    assert!(harness.query_by_label("Back to the start to pose").is_none());
}
