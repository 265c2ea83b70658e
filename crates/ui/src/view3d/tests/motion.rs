//! The mechanisms in the Doctor tab and their motions in the view, driven without a display.

use egui_kittest::kittest::Queryable;

use crate::{
    RightTab,
    bench::{Bench, window_of},
};
use delassus_session::{Command, Session};

/// A door on a hinge, a bracket that cannot move, and a free stone.
const SCENE: &str = r#"(
    version: 1,
    title: "Motions",
    settings: (step: (gravity: (0, 0, 0))),
    bodies: [
        (name: "door", shape: Box(half: (0.5, 0.05, 1)), at: (0.5, 0, 1), mass: 2),
        (name: "bracket", shape: Box(half: (0.2, 0.2, 0.2)), at: (3, 0, 1), mass: 4),
        (name: "stone", shape: Box(half: (0.2, 0.3, 0.4)), at: (6, 0, 1), mass: 4),
    ],
    joints: [
        (name: "hinge", b: "door", anchor: (0, 0, 1), axis: (0, 0, 1), kind: Hinge()),
        (name: "weld", b: "bracket", anchor: (3, 0, 1), kind: Fixed()),
    ],
)"#;

fn bench() -> Bench {
    Bench::of(Session::from_text(SCENE, "motions.ron").expect("the scene is right"))
}

#[test]
fn the_doctor_says_how_each_mechanism_can_move() {
    let mut harness = window_of(bench());
    harness.state_mut().state.right_tab = RightTab::Doctor;
    harness.run_steps(3);
    for label in ["door on 1 joint", "1 degree of freedom", "Nothing can move", "6 degrees of freedom"] {
        assert!(harness.query_all_by_label_contains(label).next().is_some(), "{label} is not there");
    }
    // A mechanism that cannot move has no button.
    assert!(harness.query_by_label("Show its motions: bracket on 1 joint").is_none());
}

/// The door's ghost stays on its hinge, swings to both sides, and disappears when time runs or the selection changes.
#[test]
fn a_motion_is_shown_until_time_runs_or_the_selection_changes() {
    let mut harness = window_of(bench());
    harness.state_mut().state.right_tab = RightTab::Doctor;
    harness.run_steps(3);
    let show = |harness: &mut egui_kittest::Harness<'_, Bench>| {
        harness.get_by_label("Show its motions: door on 1 joint").click();
        harness.run_steps(3);
        assert!(harness.state().state.view3d.motion.is_some());
    };
    show(&mut harness);
    assert!(harness.query_all_by_label_contains("Hinge turns").next().is_some());
    let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
    for _ in 0..60 {
        harness.run_steps(4);
        let preview = &harness.state().state.view3d.preview;
        assert_eq!(preview.ghosts.len(), 1);
        let pose = preview.ghosts[0].1;
        // The door's edge, half a metre from its middle, stays at the hinge.
        let edge = pose.position + pose.rotation * glam::Vec3::new(-0.5, 0.0, 0.0);
        assert!(edge.distance(glam::Vec3::Z) < 2e-3, "{edge}");
        let angle = pose.position.y.atan2(pose.position.x);
        (least, most) = (least.min(angle), most.max(angle));
        assert!(harness.state().state.view3d.animating);
    }
    assert!(least < -0.1 && most > 0.1, "{least} to {most} rad");
    harness.get_by_label("Stop showing: door on 1 joint").click();
    harness.run_steps(3);
    assert!(harness.state().state.view3d.motion.is_none() && harness.state().state.view3d.preview.ghosts.is_empty());

    show(&mut harness);
    harness.state_mut().session.dispatch(Command::Play).expect("a scene is open");
    harness.run_steps(3);
    assert!(harness.state().state.view3d.motion.is_none());
    harness.state_mut().session.dispatch(Command::Pause).expect("a scene is open");
    show(&mut harness);
    harness.state_mut().state.selection.click_body(3, false);
    harness.run_steps(3);
    assert!(harness.state().state.view3d.motion.is_none());
    show(&mut harness);
    harness.state_mut().session.dispatch(Command::Step).expect("a scene is open");
    harness.run_steps(3);
    assert!(harness.state().state.view3d.motion.is_none());
}

/// A free body has six motions, shown one after the other, and then the first again.
#[test]
fn motions_are_stepped_through() {
    let mut harness = window_of(bench());
    harness.state_mut().state.right_tab = RightTab::Doctor;
    harness.run_steps(3);
    harness.get_by_label("Show its motions: stone").click();
    harness.run_steps(3);
    for words in ["Stone shifts along x", "Stone shifts along y", "Stone shifts along z", "Stone turns about x"] {
        assert!(harness.query_by_label(words).is_some(), "{words}");
        harness.get_by_label("Next motion").click();
        harness.run_steps(3);
    }
    harness.get_by_label("Previous motion").click();
    harness.run_steps(3);
    assert!(harness.query_by_label("Stone turns about x").is_some() && harness.query_by_label("4 of 6").is_some());
}
