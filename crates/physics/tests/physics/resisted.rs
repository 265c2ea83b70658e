//! Drag of bodies that stand on something or have joints, at the default settings: it acts within the solve of the rows.

use delassus_physics::settings::Settings;
use delassus_physics::world::World;
use delassus_scene::read_str;

use crate::build::{G, close, run};

/// A scene with these bodies and joints.
fn world(bodies: &str, joints: &str) -> World {
    let text = format!("(version: 1, title: \"drag\", bodies: [{bodies}], joints: [{joints}])");
    let loaded = read_str(&text, "drag.ron").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    loaded.flat.world(Settings::default())
}

/// A fan at ω has the torque c ω, a slider at v the force (c₁ + c₂ v) v, whatever c h/m is.
#[test]
fn a_motor_bears_the_drag_of_what_it_moves() {
    for c in [0.02f32, 2.0, 50.0] {
        let mut fan = world(
            &format!(
                r#"(name: "b", shape: Cylinder(radius: 0.2, half_length: 0.02), at: (0, 0, 0), mass: 1, drag: (angular: {c}))"#
            ),
            r#"(name: "h", b: "b", kind: Hinge(motor: (speed: 10)), axis: (0, 0, 1), anchor: (0, 0, 0))"#,
        );
        run(&mut fan, 1.0);
        close(&format!("fan, {c} N·m·s"), fan.state.joints[0].readout.motor, 10.0 * c, 1e-4 * 10.0 * c);
        let mut slider = world(
            &format!(
                r#"(name: "b", shape: Sphere(radius: 0.1), at: (0, 0, 0), mass: 1, drag: (linear: {c}, quadratic: {c}))"#
            ),
            r#"(name: "s", b: "b", kind: Prismatic(motor: (speed: 3)), axis: (1, 0, 0), anchor: (0, 0, 0))"#,
        );
        run(&mut slider, 1.0);
        close(&format!("slider, {c} N·s/m"), slider.state.joints[0].readout.motor, 12.0 * c, 1e-3 * 12.0 * c);
    }
}

/// What rests has no drag: its support bears m g. Half of the drag before the rows and half behind them left 8.66 N of 9.81.
#[test]
fn a_support_bears_the_whole_weight_of_what_rests() {
    for c in [1.0f32, 30.0, 1000.0] {
        let mut hangs = world(
            &format!(r#"(name: "b", shape: Sphere(radius: 0.1), at: (0, 0, -1), mass: 1, drag: (linear: {c}))"#),
            r#"(name: "r", b: "b", kind: Distance, anchor_a: (0, 0, 0))"#,
        );
        run(&mut hangs, 1.0);
        close(&format!("hangs, {c} N·s/m"), hangs.state.joints[0].readout.anchor.length(), G, 1e-3);
        let floor = r#"(name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static)"#;
        let cube =
            format!(r#"(name: "b", shape: Box(half: (0.1, 0.1, 0.1)), at: (0, 0, 0.1), mass: 1, drag: (linear: {c}))"#);
        let mut stands = world(&format!("{floor}, {cube}"), "");
        run(&mut stands, 0.4);
        let load: f32 = stands.contact_points().map(|point| point.impulse).sum();
        close(&format!("stands, {c} N·s/m"), load * 240.0, G, 0.02);
    }
}

/// A balanced beam, one end of which has drag, does not move.
#[test]
fn drag_tips_no_balance() {
    let ball = |name: &str, x: f32, drag: &str| {
        format!(r#"(name: "{name}", shape: Sphere(radius: 0.1), at: ({x}, 0, 0), mass: 1, collide: false {drag})"#)
    };
    let beam = r#"(name: "beam", shape: Box(half: (1, 0.05, 0.05)), at: (0, 0, 0), mass: 2)"#;
    let bodies = format!("{beam}, {}, {}", ball("a", -1.0, ""), ball("b", 1.0, ", drag: (linear: 1)"));
    let mut world = world(
        &bodies,
        r#"(name: "h", b: "beam", kind: Hinge, axis: (0, 1, 0), anchor: (0, 0, 0)),
        (a: "beam", b: "a", kind: Fixed), (a: "beam", b: "b", kind: Fixed)"#,
    );
    run(&mut world, 5.0);
    let turn = world.state.bodies[1].rotation.to_scaled_axis().length();
    assert!(turn < 1e-5, "tipped by {turn} rad");
}

/// A pendulum of length l with drag c decays as e^(−c t/2m).
#[test]
fn a_pendulum_decays_by_its_drag() {
    let (c, length) = (0.4f32, 1.0f32);
    let mut world = world(
        &format!(
            r#"(name: "b", shape: Sphere(radius: 0.001), at: (0.05, 0, -{length}), mass: 1, drag: (linear: {c}))"#
        ),
        r#"(name: "r", b: "b", kind: Distance, anchor_a: (0, 0, 0))"#,
    );
    // The largest swing of each half period.
    let (mut peaks, mut before) = (vec![], [0.05f32; 2]);
    while world.state.time < 8.0 {
        world.step();
        let now = world.state.bodies[1].position.x.abs();
        if before[1] > before[0] && before[1] >= now {
            peaks.push(before[1]);
        }
        before = [before[1], now];
    }
    let half_period = std::f32::consts::PI / (G / length - 0.25 * c * c).sqrt();
    let expected = (-0.5 * c * 5.0 * half_period).exp();
    close("decay", peaks[5] / peaks[0], expected, 0.01 * expected);
}
