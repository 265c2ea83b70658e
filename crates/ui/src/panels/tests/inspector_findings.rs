//! The doctor's findings in the Inspector.

use egui::{Key, Role};
use egui_kittest::kittest::Queryable;
use glam::Vec3;

use super::inspector::{SCENE, Window, body, joint, select, window};
use delassus_session::Command;

#[test]
fn the_doctor_s_word_stands_with_the_joint_and_mends_it() {
    let mut harness = window(&SCENE.replace("anchor_b: (0, 0, 0.5)", "anchor_b: (0, 0, 0)"));
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    assert!(harness.query_by_label("Bring the anchors together").is_none(), "nothing is wrong with the first");
    harness.state_mut().state.selection.click_joint(2);
    harness.run();
    harness.get_by_label("Bring the anchors together").click();
    harness.run();
    assert!(harness.query_by_label("Bring the anchors together").is_none());
    assert_eq!(joint(&harness, "third").anchor_b, None);
}

/// The cards of what was found took two fifths of the Inspector.
#[test]
fn a_finding_is_one_line_until_one_asks_for_more() {
    let mut harness = window(&SCENE.replace("anchor_b: (0, 0, 0.5)", "anchor_b: (0, 0, 0)"));
    harness.state_mut().state.selection.click_joint(2);
    harness.run();
    let cure = harness.state().session.findings()[0].cure.clone();
    assert!(harness.query_by_label(&cure).is_none());
    harness.get_by_label("All findings").click();
    harness.run();
    assert!(harness.query_by_label(&cure).is_some());
    // It is remembered while another one is looked at.
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    harness.state_mut().state.selection.click_joint(2);
    harness.run();
    assert!(harness.query_by_label(&cure).is_some());
    harness.get_by_label("Fewer findings").click();
    harness.run();
    assert!(harness.query_by_label(&cure).is_none());
}

const OVERLAP: &str = r#"(
    version: 1,
    title: "Two boxes",
    settings: (step: (gravity: (0, 0, 0))),
    bodies: [
        (name: "a", shape: Box(half: (0.5, 0.2, 0.2)), at: (0, 0, 1), mass: 1),
        (name: "b", shape: Box(half: (0.5, 0.2, 0.2)), at: (1.5, 0, 1), mass: 1),
    ],
)"#;

/// A finding's card pushed the fields down, the field lost the focus, and the digits that followed made steps and
/// turned the view.
#[test]
fn a_finding_that_appears_leaves_the_fields_in_place_and_the_focus_where_it_is() {
    let mut harness = window(OVERLAP);
    select(&mut harness, &[1]);
    let field = |harness: &Window| harness.get_by_role_and_label(Role::SpinButton, "Mass").rect();
    let before = field(&harness);
    harness.get_by_role_and_label(Role::SpinButton, "Mass").click();
    harness.run();
    let focused = harness.ctx.memory(|memory| memory.focused());
    assert!(focused.is_some());
    let moved =
        delassus_session::Placed { name: "b".into(), at: Vec3::new(0.6, 0.0, 1.0), rotation: glam::Quat::IDENTITY };
    let edit = delassus_session::Edit::Place(vec![moved]);
    harness.state_mut().session.dispatch(Command::Edit { edit, gesture: None }).expect("both bodies are there");
    harness.state_mut().session.dispatch(Command::Examine).expect("a scene");
    harness.run();
    assert!(!harness.state().session.findings().is_empty(), "they overlap");
    assert_eq!(field(&harness), before);
    assert_eq!(harness.ctx.memory(|memory| memory.focused()), focused);
    let (view, step) = (harness.state().state.view3d.camera.view, harness.state().session.snapshot().step);
    for (c, key) in [("1", Key::Num1), ("7", Key::Num7)] {
        harness.key_press(key);
        harness.event(egui::Event::Text(c.to_owned()));
        harness.run();
    }
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(body(&harness, "a").mass, Some(17.0));
    let there = harness.state();
    assert_eq!(
        (there.state.view3d.camera.view, there.session.snapshot().step),
        (view, step),
        "the digits are the field's"
    );
    // With the keyboard free again, the card has its room, and the fields are still in their places.
    assert_eq!(field(&harness), before);
}
