//! An arm of 2 kg whose centre is 1 m from its hinge: m g l cos θ, and the centripetal force m l ω².

use delassus_analysis::{Barrier, Request, Travel};
use glam::DVec3;

use super::{Scene, bar, hinge, inertia, near};

const G: f64 = 9.81;

#[test]
fn an_arm_needs_its_weight_times_its_reach() {
    let scene = Scene::new(&bar("arm", [1.0, 0.0], 2.0), &hinge("pivot", None, "arm", [0.0, 0.0], ""));
    let omega = 3.0;
    let analysis = scene.analyse(&Request { speed: omega, ..Request::default() });
    for (sample, pivot) in analysis.samples.iter().zip(scene.of_joint(&analysis, "pivot")) {
        let (s, c) = sample.value.sin_cos();
        near(sample.drive.at_rest, 2.0 * G * c, 1e-6, 1.0, "torque at rest");
        near(sample.drive.moving, 2.0 * G * c, 1e-6, 1.0, "at constant speed");
        let along = DVec3::new(c, 0.0, s);
        let weight = DVec3::new(0.0, 0.0, 2.0 * G);
        assert!((pivot.at_rest.force - weight).length() < 1e-5, "{:?}", pivot.at_rest);
        let centripetal = -2.0 * omega * omega * along;
        assert!((pivot.moving.force - weight - centripetal).length() < 1e-5, "{:?}", pivot.moving);
        assert!(pivot.moving.torque.length() < 1e-5);
    }
}

/// A spring of k = 5 N·m/rad about the hinge with rest angle zero, a damper of c = 0.5 N·m·s/rad.
#[test]
fn springs_and_dampers_take_their_share() {
    let more = "spring: (stiffness: 5, damping: 0, angle: 0), damping: 0.5";
    let scene = Scene::new(&bar("arm", [1.0, 0.0], 2.0), &hinge("pivot", None, "arm", [0.0, 0.0], more));
    for sample in &scene.analyse(&Request { speed: 3.0, ..Request::default() }).samples {
        let weight = 2.0 * G * sample.value.cos();
        near(sample.drive.at_rest, weight + 5.0 * sample.value, 1e-5, 1.0, "at rest");
        near(sample.drive.moving, weight + 5.0 * sample.value + 1.5, 1e-5, 1.0, "moving");
    }
}

/// A force of 4 N down on the arm's end, 0.25 m beyond its centre, and drag of 0.5 N·s/m.
#[test]
fn the_forces_of_the_scene_act() {
    let arm = r#"(name: "arm", shape: Box(half: (0.25, 0.125, 0.125)), at: (1, 0, 0), mass: 2,
        forces: [(force: (0, 0, -4), at: (0.25, 0, 0))], drag: (linear: 0.5)),"#;
    let scene = Scene::new(arm, &hinge("pivot", None, "arm", [0.0, 0.0], ""));
    for sample in &scene.analyse(&Request { speed: 2.0, ..Request::default() }).samples {
        let c = sample.value.cos();
        near(sample.drive.at_rest, (2.0 * G + 4.0 * 1.25) * c, 1e-5, 1.0, "at rest");
        near(sample.drive.moving, (2.0 * G + 5.0) * c + 0.5 * 2.0, 1e-5, 1.0, "moving");
    }
}

/// The hinge's own stop at 40° ends the travel.
#[test]
fn a_stop_ends_the_travel() {
    let more = "limit: (Degrees(-20), Degrees(40))";
    let scene = Scene::new(&bar("arm", [1.0, 0.0], 2.0), &hinge("pivot", None, "arm", [0.0, 0.0], more));
    let stopped = scene.analyse(&Request::default()).stopped.expect("a stop");
    assert_eq!(stopped.barrier, Barrier::Stop { joint: 0 });
    near(stopped.value, 40f64.to_radians(), 2e-5, 0.0, "where");
}

/// Two arms, the second held at its angle to the first: they turn as one body, and the elbow holds m g (l₂ cos θ).
#[test]
fn a_held_joint_holds_with_a_torque() {
    let bodies = bar("upper", [0.5, 0.0], 1.0) + &bar("lower", [1.5, 0.0], 2.0);
    let joints =
        hinge("shoulder", None, "upper", [0.0, 0.0], "") + &hinge("elbow", Some("upper"), "lower", [1.0, 0.0], "");
    let scene = Scene::new(&bodies, &joints);
    let refusal = scene.tried(&Request::default()).expect_err("the elbow is free").to_string();
    assert!(refusal.contains("1 motion remains, of elbow") && refusal.contains("--hold"), "{refusal}");
    let analysis = scene.analyse(&Request { hold: vec![1], ..Request::default() });
    for sample in &analysis.samples {
        let c = sample.value.cos();
        near(sample.drive.at_rest, G * (0.5 + 2.0 * 1.5) * c, 1e-6, 1.0, "shoulder");
        near(sample.held[0].at_rest, G * 2.0 * 0.5 * c, 1e-6, 1.0, "elbow");
    }
}

/// A wheel geared three to one to the first, with a rotor of 0.3 kg m²: at constant speed neither needs a torque. The rows
/// of gears have 32 bits, and the analysis says so.
#[test]
fn couplings_of_the_physics_are_followed() {
    let bodies = bar("one", [0.0, 0.0], 1.0) + &bar("two", [1.0, 0.0], 1.0);
    let joints = hinge("first", None, "one", [0.0, 0.0], "")
        + &hinge("second", None, "two", [1.0, 0.0], "armature: 0.3")
        + r#"(name: "teeth", a: "one", b: "two", axis: (0, -1, 0), kind: Gear(radius_a: 0.75, radius_b: 0.25)),"#;
    let scene = Scene::new(&bodies, &joints);
    let analysis = scene.analyse(&Request { travel: Travel::Turns(2.0), samples: 50, ..Request::default() });
    assert!(analysis.is_single_precision);
    for (sample, second) in analysis.samples.iter().zip(scene.of_joint(&analysis, "second")) {
        let [value, speed, _] = second.value.expect("an angle");
        near(value, -3.0 * sample.value, 1e-5, 1.0, "three turns back for one");
        near(speed, -3.0, 1e-5, 1.0, "speed");
        near(sample.drive.moving, 0.0, 1e-4, 1.0, "balanced wheels at constant speed");
    }
}

/// A lever that a slider drives at constant speed. The lever does not turn at constant speed, and the torque for that
/// arrives as a force of the slider: F ẋ = I θ̇ θ̈. Gravity does nothing about the lever's centre.
#[test]
fn inertia_of_a_lever_arrives_at_the_slider() {
    // A scotch yoke: the lever's pin, a metre above its pivot, stays in a slot of the slider, which is a plane.
    let bodies = bar("lever", [0.0, 0.0], 6.0) + &bar("slider", [0.0, 0.0], 1.0);
    let joints = hinge("pivot", None, "lever", [0.0, 0.0], "")
        + r#"(name: "guide", b: "slider", anchor: (0, 0, 0), axis: (1, 0, 0), kind: Prismatic),
            (name: "slot", a: "slider", b: "lever", anchor: (0, 0, 1), axis_a: (1, 0, 0), kind: Plane),"#;
    let scene = Scene::new(&bodies, &joints);
    let speed = 0.7;
    let travel = Travel::Between(-0.75, 0.75);
    let analysis = scene.analyse(&Request { joint: scene.joint("guide"), speed, travel, ..Request::default() });
    let pivot = scene.of_joint(&analysis, "pivot");
    for (sample, pivot) in analysis.samples.iter().zip(&pivot) {
        // x = −sin θ, so θ = −asin x, dθ/dx = −1/√(1 − x²), d²θ/dx² = −x/(1 − x²)^{3/2}.
        let x = sample.value;
        let root = (1.0 - x * x).sqrt();
        let [value, rate, acceleration] = pivot.value.expect("an angle");
        near(value, -x.asin(), 1e-11, 1.0, "angle");
        near(rate, -speed / root, 1e-10, 1.0, "rate");
        near(acceleration, -speed * speed * x / root.powi(3), 1e-8, 1.0, "acceleration");
        near(sample.drive.moving, inertia(6.0) * rate * acceleration / speed, 1e-6, 1.0, "force");
        near(sample.drive.at_rest, 0.0, 1e-6, 1.0, "nothing to lift");
    }
}
