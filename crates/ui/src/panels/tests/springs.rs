//! A spring in the inspector: its frequency and its stiffness stand side by side, and either can be given.

use egui::Role;
use egui_kittest::kittest::Queryable;

use crate::panels::tests::inspector::{Window, enter, undo, window};
use delassus_physics::row::{Damping, Softness, SpringRate};

/// A bar of 1 m and 3 kg on a hinge at its end, I = m l²/3 and a little, and a weight on a spring.
const SCENE: &str = r#"(
    version: 1,
    title: "Springs",
    settings: (step: (gravity: (0, 0, 0))),
    bodies: [
        (name: "bar", shape: Box(half: (0.5, 0.01, 0.01)), at: (0.5, 0, 1), mass: 3, collide: false),
        (name: "bob", shape: Sphere(radius: 0.1), at: (3, 0, 0), mass: 2, collide: false),
    ],
    joints: [
        (name: "hinge", b: "bar", anchor: (0, 0, 1), axis: (0, 0, 1), kind: Hinge(spring: (hertz: 2, damping_ratio: 0.5))),
        (name: "coil", b: "bob", anchor_a: (3, 0, 1), anchor_b: (0, 0, 0), kind: Spring(stiffness: 50, damping: 4)),
    ],
)"#;

fn spring(harness: &Window, name: &str) -> Softness {
    let scene = harness.state().session.scene().expect("a scene");
    scene.joints.iter().find(|joint| joint.name == name).and_then(|joint| joint.kind.spring()).expect("a spring")
}

fn click(harness: &mut Window, name: &str) {
    harness.get_by_role_and_label(Role::Button, name).click();
    harness.run();
}

#[test]
fn a_hinge_s_spring_is_given_by_frequency_or_by_stiffness() {
    let mut harness = window(SCENE);
    harness.state_mut().state.selection.click_joint(0);
    harness.run();
    // k = I (2π f)², c = 2 ζ I ω, I = m (l² + d²)/12 + m l²/4.
    let inertia = 3.0f32 * ((1.0 + 0.0004) / 12.0 + 0.25);
    let omega = 2.0 * std::f32::consts::TAU;
    click(&mut harness, "Give the stiffness");
    let SpringRate::Stiffness(stiffness) = spring(&harness, "hinge").rate else { panic!("it is given by stiffness") };
    assert!((stiffness / (inertia * omega * omega) - 1.0).abs() < 1e-3, "{stiffness} N·m/rad");
    assert_eq!(spring(&harness, "hinge").damping, Damping::Ratio(0.5));
    click(&mut harness, "Give the damping coefficient");
    let Damping::Coefficient(damping) = spring(&harness, "hinge").damping else { panic!("it is given by c") };
    assert!((damping / (inertia * omega) - 1.0).abs() < 1e-3, "{damping} N·m·s/rad");
    enter(&mut harness, "Stiffness", "120");
    assert_eq!(spring(&harness, "hinge").rate, SpringRate::Stiffness(120.0));
    undo(&mut harness);
    click(&mut harness, "Give the frequency");
    click(&mut harness, "Give the ratio");
    let SpringRate::Frequency(hertz) = spring(&harness, "hinge").rate else { panic!("it is given by frequency") };
    let Damping::Ratio(ratio) = spring(&harness, "hinge").damping else { panic!("it is given by ζ") };
    assert!((hertz - 2.0).abs() < 2e-3 && (ratio - 0.5).abs() < 1e-3, "{hertz} Hz, ζ = {ratio}");
}

#[test]
fn a_coil_given_by_stiffness_shows_its_frequency() {
    let mut harness = window(SCENE);
    harness.state_mut().state.selection.click_joint(1);
    harness.run();
    click(&mut harness, "Give the frequency");
    let SpringRate::Frequency(hertz) = spring(&harness, "coil").rate else { panic!("it is given by frequency") };
    let right = (50.0f32 / 2.0).sqrt() / std::f32::consts::TAU;
    assert!((hertz / right - 1.0).abs() < 1e-3, "{hertz} Hz, right {right}");
    enter(&mut harness, "Damping", "6");
    assert_eq!(spring(&harness, "coil").damping, Damping::Coefficient(6.0));
}
