//! Numbers that are typed into the Inspector: what is taken, what is refused with a reason, and what stays as it is.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable};
use glam::Vec3;

use super::inspector::{Window, enter, undo, window};
use crate::widgets::angles::Angles;
use delassus_physics::joints::JointKind;
use delassus_physics::shape::Shape;
use delassus_scene::Body;

/// Values outside the ranges in which fields are dragged.
const EXTREME: &str = r#"(
    version: 1,
    title: "Extreme",
    settings: (step: (gravity: (0, 0, 0))),
    bodies: [
        (name: "floor", shape: Box(half: (3000, 3000, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "grain", shape: Sphere(radius: 0.0005), at: (0, 0, 1), density: 5000000),
        (name: "rock", shape: Sphere(radius: 0.5), at: (0, 0, 3), mass: 10000000000),
        (name: "door", shape: Box(half: (0.5, 0.1, 1)), at: (5, 0, 2), mass: 2),
    ],
    joints: [
        (name: "hinge", b: "door", anchor: (4.5, 0, 2), axis: (0, 0, 1),
            kind: Hinge(limit: (Degrees(-45), Degrees(45)), motor: (speed: 1, max_torque: 1000000000))),
    ],
)"#;

fn of(body: u32) -> Window {
    let mut harness = window(EXTREME);
    harness.state_mut().state.selection.bodies = vec![body];
    harness.run();
    harness
}

fn body<'a>(harness: &'a Window, name: &str) -> &'a Body {
    harness.state().session.scene().expect("a scene").bodies.iter().find(|b| b.name == name).expect("the body")
}

fn notices(harness: &Window) -> Vec<String> {
    harness.state().state.notices.iter().map(|notice| notice.text.clone()).collect()
}

/// A click into the field, and a key that leaves it.
fn visit(harness: &mut Window, name: &str, key: Key) {
    harness.get_by_role_and_label(Role::SpinButton, name).click();
    harness.run();
    harness.key_press(key);
    harness.run();
}

/// A half side of 3000 m became 1000 m when its field was visited.
#[test]
fn a_field_that_is_only_visited_keeps_a_value_outside_its_range() {
    for (body, names) in [(1, ["Half size x", "Half size y"]), (2, ["Radius", "Density"])] {
        let mut harness = of(body);
        let before = harness.state().session.scene().expect("a scene").clone();
        for name in names {
            for key in [Key::Enter, Key::Escape, Key::Tab] {
                visit(&mut harness, name, key);
                assert_eq!(harness.state().session.undo_label(), None, "{name} {key:?}");
            }
        }
        assert_eq!(*harness.state().session.scene().expect("a scene"), before);
        assert!(notices(&harness).is_empty(), "{:?}", notices(&harness));
    }
}

#[test]
fn what_a_file_may_hold_may_be_typed() {
    let mut harness = of(3);
    for (typed, radius) in [("2000", 2000.0), ("0.0002 m", 2e-4), ("0,25", 0.25)] {
        enter(&mut harness, "Radius", typed);
        assert_eq!(body(&harness, "rock").shape, Shape::Sphere { radius }, "{typed}");
    }
    let mut harness = of(2);
    enter(&mut harness, "Density", "4000 kg/m³");
    assert_eq!(body(&harness, "grain").density, Some(4000.0));
}

/// They were changed to the nearest allowed number, or ignored, without a word.
#[test]
fn what_is_refused_stays_and_the_notice_says_what_is_allowed() {
    let mut harness = of(3);
    for (name, typed, says) in [
        ("Radius", "0", "Allowed is above 0 m, at most 1.00e5 m, not 0."),
        ("Radius", "-1", "Allowed is above 0 m"),
        ("Radius", "1e9", "not 1e9."),
        ("Radius", "30cm", "`30cm` is no number in m."),
        ("Mass", "0", "Allowed is above 0 kg, not 0."),
        ("Mass", "1e300", "Allowed is above 0 kg, not 1e300."),
        ("At x", "1e300", "to 1.00e5 m, not 1e300."),
        ("At x", "NaN", "`NaN` is no number in m."),
        ("Friction", "1/8", "`1/8` is no number."),
    ] {
        enter(&mut harness, name, typed);
        let last = notices(&harness).pop().unwrap_or_default();
        assert!(last.starts_with(&format!("{name} stays ")) && last.contains(says), "{name} {typed}: {last}");
        assert_eq!(harness.state().session.undo_label(), None, "{name} {typed}");
    }
    assert_eq!(body(&harness, "rock").at, Vec3::Z * 3.0);
}

/// A mass of 10¹⁰ kg was shown as “no limit kg”.
#[test]
fn only_a_cap_has_no_limit() {
    let harness = of(3);
    let shown = |harness: &Window, name: &str| harness.get_by_role_and_label(Role::SpinButton, name).value();
    assert_eq!(shown(&harness, "Mass").as_deref(), Some("1.00e10 kg"));
    let mut harness = window(EXTREME);
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    assert_eq!(shown(&harness, "Most torque").as_deref(), Some("no limit"));
    enter(&mut harness, "Most torque", "40");
    enter(&mut harness, "Most torque", "no limit");
    assert_eq!(shown(&harness, "Most torque").as_deref(), Some("no limit"));
}

/// With stops at ±45° a lower stop of 50° gave 45° to 50°.
#[test]
fn a_stop_that_is_typed_past_the_other_one_takes_it_along() {
    let mut harness = window(EXTREME);
    harness.state_mut().state.angles = Angles::Degrees;
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    let limit = |harness: &Window| {
        let joints = &harness.state().session.scene().expect("a scene").joints;
        let JointKind::Hinge(hinge) = joints[0].kind else { panic!("a hinge") };
        hinge.limit.map(|(least, greatest)| (least.to_degrees().round(), greatest.to_degrees().round()))
    };
    enter(&mut harness, "Limit from", "50");
    assert_eq!(limit(&harness), Some((50.0, 50.0)));
    enter(&mut harness, "Limit to", "70");
    assert_eq!(limit(&harness), Some((50.0, 70.0)));
    enter(&mut harness, "Limit to", "-10");
    assert_eq!(limit(&harness), Some((-10.0, -10.0)));
    undo(&mut harness);
    assert_eq!(limit(&harness), Some((50.0, 70.0)));
}

/// Switching it off was refused with the joint's number in the file.
#[test]
fn the_anchor_that_a_kind_needs_is_not_switched_off() {
    let mut harness = window(EXTREME);
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    assert!(harness.get_by_role_and_label(Role::Switch, "Anchor given").accesskit_node().is_disabled());
}

/// The history says where to.
#[test]
fn a_typed_place_is_named_in_the_history() {
    let mut harness = of(3);
    enter(&mut harness, "At x", "1.5");
    assert_eq!(harness.state().session.undo_label(), Some("Move rock to x = 1.5 m"));
}
