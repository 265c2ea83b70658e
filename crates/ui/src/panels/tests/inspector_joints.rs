//! The Inspector's fields of a joint: resistance, servo, own rows, breaking loads and stabilisation.

use egui::{Key, Role};
use egui_kittest::kittest::Queryable;

use super::inspector::{SCENE, Window, enter, joint, undo, window};
use super::scene::write;
use crate::widgets::angles::Angles;
use delassus_physics::angle::Angle;
use delassus_physics::joints::{Hinge, JointKind};
use delassus_physics::row::SpringRate;
use delassus_scene::ByTime;

/// Rows that are written down are entered; a mistake is shown with its place, and what was typed stays.
#[test]
fn the_rows_of_a_formula_are_written_in_their_field() {
    let mut harness = window(
        r#"(
            version: 1,
            title: "bead",
            bodies: [(name: "bead", shape: Sphere(radius: 0.1), at: (1, 0, 0), mass: 1)],
            joints: [(name: "own", b: "bead", anchor_a: (0, 0, 0), anchor_b: (0, 0, 0), kind: Formula(rows: ["distance - 1"]))],
        )"#,
    );
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    let texts = |harness: &Window| match joint(harness, "own").kind {
        JointKind::Formula(formula) => formula.rows.texts().collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    write(&mut harness, "Row formulas", "distance - sim(1)");
    assert_eq!(texts(&harness), ["distance - 1"]);
    harness.get_by_label("formula: `sim` is not known; do you mean `sin`?, at character 12");
    write(&mut harness, "Row formulas", "pB.y; distance - k");
    harness.get_by_label("formula: `k` is not known; give it among the `parameters`, at character 12");
    write(&mut harness, "Row parameters", "k = 1");
    write(&mut harness, "Row formulas", "pB.y; distance - k");
    assert_eq!(texts(&harness), ["pB.y", "distance - k"]);
    write(&mut harness, "Row bounds", "=; <=");
    undo(&mut harness);
    undo(&mut harness);
    assert_eq!(texts(&harness), ["distance - 1"]);
}

/// What resists a hinge is entered, reset and undone.
#[test]
fn a_hinge_gets_friction_damping_and_armature() {
    let mut harness = window(SCENE);
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    for (field, value) in [("friction", "2.5"), ("breakaway", "4"), ("damping", "0.5"), ("armature", "0.02")] {
        enter(&mut harness, &format!("Joint {field}"), value);
    }
    let hinge = |harness: &Window| match joint(harness, "first").kind {
        JointKind::Hinge(hinge) => hinge,
        other => panic!("{other:?}"),
    };
    let read = |harness: &Window| {
        let Hinge { friction, breakaway, damping, armature, .. } = hinge(harness);
        (friction, breakaway, damping, armature)
    };
    assert_eq!(read(&harness), (2.5, 4.0, 0.5, 0.02));
    assert_eq!(hinge(&harness).motor.map(|motor| motor.max_torque), Some(5.0), "and the motor stays");
    harness.get_by_label("Reset Friction").click();
    harness.run();
    assert_eq!(read(&harness), (0.0, 4.0, 0.5, 0.02));
    undo(&mut harness);
    undo(&mut harness);
    assert_eq!(read(&harness), (2.5, 4.0, 0.5, 0.0));
}

/// A servo takes the place of the motor, and gets a target, a stiffness, a cap and a function of time. Undo brings the
/// motor back.
#[test]
fn a_hinge_gets_a_servo_in_place_of_its_motor() {
    let mut harness = window(SCENE);
    harness.state_mut().state.angles = Angles::Degrees;
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    enter(&mut harness, "Joint zero", "-90");
    harness.get_by_role_and_label(Role::Switch, "Servo").click();
    harness.run();
    assert_eq!(joint(&harness, "first").kind.motor(), None);
    enter(&mut harness, "Servo target", "30");
    harness.get_by_label("Give the stiffness").click();
    harness.run();
    enter(&mut harness, "Stiffness", "250");
    enter(&mut harness, "Servo's constant torque", "-3");
    enter(&mut harness, "Most torque", "40");
    harness.get_by_role_and_label(Role::ComboBox, "Time of the drive").click();
    harness.run();
    harness.get_by_label("back and forth").click();
    harness.run();
    enter(&mut harness, "Rate of the drive", "2.5");
    let first = joint(&harness, "first").clone();
    let servo = first.kind.servo().expect("a servo");
    assert_eq!((servo.target, first.kind.zero()), (30f32.to_radians(), -90f32.to_radians()));
    assert_eq!((servo.softness.rate, servo.force, servo.cap), (SpringRate::Stiffness(250.0), -3.0, 40.0));
    assert_eq!(first.by_time, ByTime::Sinusoid { rate: 2.5f32.to_radians(), phase: Angle::default() });
    // Without its drive the joint has no function of time.
    harness.get_by_role_and_label(Role::Switch, "Servo").click();
    harness.run();
    assert_eq!((joint(&harness, "first").kind.servo(), &joint(&harness, "first").by_time), (None, &ByTime::Constant));
    undo(&mut harness);
    assert_eq!(joint(&harness, "first").by_time, first.by_time);
    let back = (0..9).any(|_| {
        undo(&mut harness);
        joint(&harness, "first").kind.motor() == Some((1.0, 5.0))
    });
    assert!(back, "{:?}", joint(&harness, "first").kind);
}

#[test]
fn a_joint_s_own_stabilisation_and_what_it_bears() {
    let mut harness = window(SCENE);
    harness.state_mut().state.selection.click_joint(2);
    harness.run();
    harness.get_by_role_and_label(Role::Switch, "Breaks by force").click();
    harness.run();
    enter(&mut harness, "Breaking force", "250");
    assert_eq!(joint(&harness, "third").breaks.and_then(|b| b.force), Some(250.0));
    harness.get_by_role_and_label(Role::Switch, "Own stabilisation").click();
    harness.run();
    harness.get_by_role_and_label(Role::SpinButton, "Joint slop").click();
    harness.run();
    harness.event(egui::Event::Text("0.1".into()));
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(joint(&harness, "third").stabilization.and_then(|s| s.joint_slop), Some(0.1));
    assert_eq!(joint(&harness, "third").stabilization.and_then(|s| s.hertz), None, "the rest is the scene's");
}
