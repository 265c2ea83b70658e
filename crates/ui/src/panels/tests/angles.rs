//! Degrees or radians: one choice, obeyed by all that shows or takes an angle.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::bench::Bench;
use crate::panels::tests::inspector::{Window, enter, window};
use crate::widgets::angles::Angles;
use delassus_physics::joints::JointKind;
use delassus_scene::{Joint, Rotation};
use delassus_session::Command;

const SCENE: &str = r#"(
    version: 1,
    title: "Angles",
    settings: (step: (gravity: (0, 0, 0))),
    bodies: [
        (name: "door", shape: Box(half: (0.5, 0.05, 1)), at: (0.5, 0, 1), mass: 2),
        (name: "top", shape: Sphere(radius: 0.2), at: (3, 0, 1), mass: 4, angular_velocity: (0, 0, 2),
            rotation: Euler(x: 0.25, y: Degrees(10), z: 0)),
        (name: "wing", shape: Box(half: (0.2, 0.2, 0.2)), at: (5, 0, 1), mass: 4),
        (name: "swing", shape: Sphere(radius: 0.2), at: (7, 0, 1), motion: Kinematic,
            mover: Sinusoid(velocity: (1, 0, 0), angular_velocity: (0, 0, 1), rate: 3, phase: Degrees(30))),
    ],
    joints: [
        (name: "hinge", b: "door", anchor: (0, 0, 1), axis: (0, 0, 1), kind: Hinge(limit: (Degrees(-30), 1.25),
            motor: (speed: 2, max_torque: 5), spring: (hertz: 1, damping_ratio: 0.5, angle: 0.5))),
        (name: "cone", b: "wing", anchor: (5, 0, 1), axis: (0, 0, 1),
            kind: ConeTwist(swing: Ellipse(Degrees(20), 0.75), twist: (-0.5, 0.5))),
    ],
)"#;

/// All labels on screen, and the values of the controls.
fn written(harness: &Window) -> Vec<String> {
    let all = harness.get_all(egui_kittest::kittest::By::new().predicate(|_| true));
    let words = all.flat_map(|node| {
        let node = node.accesskit_node();
        [node.label(), node.value()].into_iter().flatten().map(|s| s.to_string()).collect::<Vec<_>>()
    });
    words.collect()
}

fn joint<'a>(harness: &'a Window, name: &str) -> &'a Joint {
    harness.state().session.scene().expect("a scene").joints.iter().find(|j| j.name == name).expect("the joint")
}

fn choose(harness: &mut Window, name: &str) {
    harness.get_by_role_and_label(Role::Button, "View").click();
    harness.run_steps(3);
    harness.get_by_label(name).click();
    harness.run_steps(3);
}

#[test]
fn one_choice_of_degrees_or_radians_holds_everywhere() {
    let mut harness = window(SCENE);
    for _ in 0..60 {
        harness.state_mut().session.dispatch(Command::Step).expect("a scene is open");
    }
    harness.state_mut().state.plots.chosen = [Some(3), Some(8), Some(9)];
    for (menu, unit, other, rate) in [
        ("Angles in radians", " rad", "°", "rad/s"),
        ("Angles in degrees", "°", "rad", "°/s"),
        ("Angles in radians", " rad", "°", "rad/s"),
    ] {
        choose(&mut harness, menu);
        for select in 0..6 {
            let state: &mut Bench = harness.state_mut();
            state.state.selection.clear();
            match select {
                0 | 1 => state.state.selection.click_joint(select),
                _ => state.state.selection.bodies = vec![select as u32 - 1],
            }
            harness.run_steps(4);
            let words = written(&harness);
            // Coefficients are in N·m·s/rad whatever the unit of angles.
            let wrong: Vec<_> = words.iter().filter(|w| w.contains(other) && !w.contains("N·m·s/rad")).collect();
            assert!(wrong.is_empty(), "{menu}, selection {select}: {wrong:?}");
            assert!(words.iter().any(|w| w.contains(unit)), "{menu}, selection {select}");
            if select == 0 {
                assert!(words.iter().filter(|w| w.contains(rate)).count() >= 2, "motor and rate: {words:?}");
            }
        }
    }
}

#[test]
fn what_is_typed_is_written_in_the_unit_in_which_it_was_typed_and_the_rest_stays() {
    let mut harness = window(SCENE);
    harness.state_mut().state.selection.click_joint(0);
    harness.state_mut().state.angles = Angles::Radians;
    harness.run();
    enter(&mut harness, "Limit from", "-0.4");
    let limit = |harness: &Window| match joint(harness, "hinge").kind {
        JointKind::Hinge(hinge) => hinge.limit.map(|(from, to)| [from.to_string(), to.to_string()]).expect("a limit"),
        _ => panic!("a hinge"),
    };
    assert_eq!(limit(&harness), ["-0.4", "1.25"]);
    harness.state_mut().state.angles = Angles::Degrees;
    harness.run();
    enter(&mut harness, "Limit from", "-22.55");
    assert_eq!(limit(&harness), ["Degrees(-22.55)", "1.25"]);
    // 90°/s are π/2 rad/s in the file.
    enter(&mut harness, "Motor speed", "90");
    let speed = joint(&harness, "hinge").kind.motor().expect("a motor").0;
    assert!((speed - std::f32::consts::FRAC_PI_2).abs() < 1e-6, "{speed}");
    // Of the three angles only the typed one changes in the file, and likewise of the three angular velocities.
    harness.state_mut().state.selection.click_body(2, false);
    harness.run();
    enter(&mut harness, "Turned z", "45");
    enter(&mut harness, "Spin x", "180");
    let body = harness.state().session.body_entry("top").expect("the body");
    let Rotation::Euler { x, y, z } = body.rotation else { panic!("{:?}", body.rotation) };
    assert_eq!([x, y, z].map(|turn| turn.to_string()), ["0.25", "Degrees(10)", "Degrees(45)"]);
    assert!(
        (body.angular_velocity.x - std::f32::consts::PI).abs() < 1e-6 && body.angular_velocity.z == 2.0,
        "{}",
        body.angular_velocity
    );
    harness.key_press(Key::Escape);
}

/// A new motor turned at 1 rad/s, which was shown as "57.2958 °/s".
#[test]
fn a_new_motor_s_speed_is_round_in_the_unit_in_which_it_is_shown() {
    for (unit, shown) in [(Angles::Degrees, "90 °/s"), (Angles::Radians, "1.5 rad/s")] {
        let mut harness = window(&SCENE.replace("motor: (speed: 2, max_torque: 5), ", ""));
        harness.state_mut().state.angles = unit;
        harness.state_mut().state.selection.click_joint(0);
        harness.run();
        assert!(harness.query_by_label("Motor speed").is_none());
        harness.get_by_role_and_label(Role::Switch, "Motor").click();
        harness.run_steps(4);
        let words = written(&harness);
        assert!(words.iter().any(|word| word == shown), "{shown}: {words:?}");
    }
}
