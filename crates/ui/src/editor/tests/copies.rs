//! Copies: where they are put, and what the menu copies and pastes.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use glam::Vec3;

use super::editor::bench;
use crate::bench::Bench;
use crate::editor::Tool;
use crate::request::Request;
use crate::shell::action::Action;

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
