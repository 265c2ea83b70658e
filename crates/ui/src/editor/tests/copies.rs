//! Copies: where they are put, and what the menu copies and pastes.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use glam::Vec3;

use super::editor::bench;
use crate::bench::Bench;
use crate::editor::{Chosen, Tool};
use crate::request::Request;
use crate::selection::Selection;
use crate::shell::action::Action;
use delassus_physics::joints::{BallSocket, JointKind};
use delassus_scene::{Joint, WORLD};
use delassus_session::{Command, Edit};

/// The places of all bodies but the floor.
fn places(harness: &Harness<'_, Bench>) -> Vec<Vec3> {
    harness.state().session.scene().expect("a scene").bodies.iter().skip(1).map(|body| body.at).collect()
}

fn box_selected() -> Harness<'static, Bench> {
    let mut harness = bench();
    harness.state_mut().state.selection.bodies = vec![2];
    harness.run();
    harness
}

/// A cube of 1 m was copied half a metre beside itself.
#[test]
fn copies_overlap_neither_the_original_nor_each_other() {
    let mut harness = box_selected();
    for _ in 0..2 {
        harness.key_press_modifiers(Modifiers::COMMAND, Key::D);
        harness.run();
    }
    let places = places(&harness);
    assert_eq!(places.len(), 3);
    for (i, a) in places.iter().enumerate() {
        assert!(places[..i].iter().all(|b| (a.x - b.x).abs() > 1.05 && a.z == b.z), "{places:?}");
    }
}

#[test]
fn the_menu_copies_and_pastes() {
    let mut harness = box_selected();
    for action in [Action::Copy, Action::Paste, Action::Paste] {
        harness.state_mut().state.pending.push(action);
        harness.run();
    }
    let places = places(&harness);
    assert_eq!(places.len(), 3, "{:?}", harness.state().asked);
    assert!((places[2].x - places[1].x) > 1.05 && places[1].x > 1.05, "{places:?}");
    let copied =
        harness.state().asked.iter().any(|asked| matches!(asked, Request::CopyText(text) if text.contains("box")));
    assert!(copied, "other windows can paste it");
}

/// The image of a body in the plane through its own middle is the body itself.
#[test]
fn a_mirrored_copy_is_not_put_onto_its_original() {
    let mut harness = box_selected();
    harness.state_mut().state.editor.tool = Tool::Mirror;
    harness.state_mut().state.editor.mirror.copy = true;
    harness.run();
    harness.get_by_label("Mirror").click();
    harness.run();
    assert_eq!(places(&harness).len(), 1);
    let notices: Vec<_> = harness.state().state.notices.iter().map(|notice| notice.text.clone()).collect();
    assert!(notices.iter().any(|text| text.starts_with("The copy would lie on the selection")), "{notices:?}");
}

/// The copy of a pendulum fell.
#[test]
fn a_copy_keeps_its_joint_to_the_world() {
    let mut harness = box_selected();
    let pin = Vec3::new(0.0, 0.0, 3.0);
    let joint = Joint::new(WORLD, "box", pin, JointKind::BallSocket(BallSocket {}));
    let edit = Edit::Add { bodies: Vec::new(), joints: vec![joint] };
    harness.state_mut().session.dispatch(Command::Edit { edit, gesture: None }).expect("a joint");
    harness.state_mut().state.selection.bodies = vec![2];
    for action in [Action::Copy, Action::Paste, Action::Duplicate] {
        harness.state_mut().state.pending.push(action);
        harness.run();
        harness.state_mut().state.selection.bodies = vec![2];
    }
    let places = places(&harness);
    let snapshot = harness.state().session.snapshot();
    assert_eq!((places.len(), snapshot.joints.len()), (3, 3));
    for (joint, place) in snapshot.joints.iter().zip(&places) {
        let expected = pin + *place - places[0];
        let at = snapshot.place(joint);
        for anchor in [at.anchor_a, at.anchor_b] {
            assert!(anchor.distance(expected) < 1e-5, "{}: {anchor} is not at {expected}", joint.name);
        }
    }
}

#[test]
fn what_an_undo_brings_back_is_selected() {
    let mut harness = box_selected();
    let session = &mut harness.state_mut().session;
    let edit = Edit::Remove { bodies: vec!["box".into()], joints: Vec::new() };
    session.dispatch(Command::Edit { edit, gesture: None }).expect("no box");
    let before = Chosen::of(session.snapshot(), &Selection::default(), true);
    session.dispatch(Command::Undo).expect("the box again");
    assert_eq!(before.again(session.snapshot()).bodies, [2]);
    // Where nothing comes back the selection stays.
    let selection = Selection { bodies: vec![2], ..Selection::default() };
    let before = Chosen::of(session.snapshot(), &selection, true);
    assert_eq!(before.again(session.snapshot()).bodies, [2]);
}
