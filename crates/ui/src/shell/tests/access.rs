//! Working without a mouse, and at other sizes.

use std::collections::BTreeSet;

use egui::{Key, Modifiers, accesskit::Role};
use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};

use crate::bench::{Bench, window};
use crate::shell::ui_scale::UiScale;

fn focused(harness: &Harness<'_, Bench>) -> Option<egui::Id> {
    harness.ctx.memory(|memory| memory.focused())
}

#[test]
fn tab_hides_the_panels_until_f6_takes_the_keyboard_into_them() {
    let mut harness = window();
    harness.run();
    harness.key_press(Key::Tab);
    harness.run();
    assert!(harness.state().state.panels.hidden);
    assert_eq!(focused(&harness), None, "no control has taken the keyboard");
    harness.key_press(Key::Tab);
    harness.run();
    assert!(!harness.state().state.panels.hidden);

    harness.key_press(Key::F6);
    harness.run();
    let first = focused(&harness).expect("a control has the keyboard");
    harness.key_press(Key::Tab);
    harness.run();
    assert_ne!(focused(&harness), Some(first), "Tab goes on to the next");
    assert!(!harness.state().state.panels.hidden);
    // Escape returns the focus, and does nothing else.
    let body = harness.state().session.snapshot().bodies[1].id;
    harness.state_mut().state.selection.bodies = vec![body];
    harness.key_press(Key::Escape);
    harness.run();
    assert_eq!(focused(&harness), None);
    assert_eq!(harness.state().state.selection.bodies, [body]);
    harness.key_press(Key::Escape);
    harness.run();
    assert!(harness.state().state.selection.bodies.is_empty());
}

/// Role and name of every usable control.
fn controls(harness: &Harness<'_, Bench>, which: fn(&egui_kittest::Node<'_>) -> bool) -> BTreeSet<String> {
    use Role::{Button, CheckBox, ComboBox, MenuItem, RadioButton, Slider, SpinButton, Switch, TextInput};
    let roles = [Button, CheckBox, ComboBox, MenuItem, RadioButton, Slider, SpinButton, Switch, TextInput];
    let is_control = move |node: &egui_kittest::kittest::AccessKitNode<'_>| roles.contains(&node.role());
    let all = harness.get_all(egui_kittest::kittest::By::new().predicate(is_control));
    all.filter(|node| !node.accesskit_node().is_disabled() && which(node))
        .map(|node| format!("{:?} {}", node.accesskit_node().role(), node.accesskit_node().label().unwrap_or_default()))
        .collect()
}

#[test]
fn every_control_is_reached_by_tab_and_space_presses_it() {
    let mut harness = window();
    harness.run();
    harness.key_press(Key::F6);
    harness.run();
    let first = focused(&harness).expect("a control");
    let (mut reached, mut flipped) = (BTreeSet::new(), false);
    for _ in 0..800 {
        reached.extend(controls(&harness, |node| node.is_focused()));
        if reached.contains("Switch Warm starting") && !flipped {
            harness.key_press(Key::Space);
            harness.step();
            assert!(!harness.state().session.settings().warm_start.enabled, "Space flips the switch");
            assert!(!harness.state().session.playing(), "and does not play");
            harness.step();
            harness.key_press(Key::Space);
            harness.step();
            assert!(harness.state().session.settings().warm_start.enabled, "and keeps the keyboard");
            flipped = true;
        }
        harness.key_press(Key::Tab);
        harness.step();
        harness.step();
        if focused(&harness) == Some(first) {
            break;
        }
    }
    let missed: Vec<_> = controls(&harness, |_| true).difference(&reached).cloned().collect();
    assert!(missed.is_empty(), "{} reached, not: {missed:#?}", reached.len());
    assert!(!missed.iter().chain(&reached).any(|name| name.ends_with(' ')), "a control has no name: {reached:#?}");
}

#[test]
fn the_interface_grows_and_shrinks_by_keys() {
    let mut harness = window();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Plus);
    harness.run();
    assert_eq!(harness.state().state.ui_scale, UiScale::near(1.1));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Minus);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Minus);
    harness.run();
    assert_eq!(harness.state().state.ui_scale, UiScale::near(0.9));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Num0);
    harness.run();
    assert_eq!(harness.state().state.ui_scale, UiScale::default());
}
