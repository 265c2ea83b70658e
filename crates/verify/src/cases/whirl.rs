//! Bodies in circular motion.

use std::f64::consts::{PI, TAU};

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::reference::G;

pub const FAMILY: Family = Family {
    title: "Whirl",
    about: "A body that circles at a fixed distance keeps its angular momentum.",
    cases: &[
        Case {
            name: "whirl/ball-on-rod",
            what: "A ball of 1 kg circles on a rod of 1 m, one turn a second, without gravity.",
            scene: || {
                format!(
                    "bodies: [(name: \"ball\", shape: Sphere(radius: 0.05), at: (1, 0, 0), mass: 1, particle: true, \
                     velocity: (0, {TAU}, 0))], \
                     joints: [(name: \"rod\", b: \"ball\", anchor_a: (0, 0, 0), kind: Distance(length: 1))]"
                )
            },
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                t.run(1.0);
                let force = f64::from(t.joint("rod").force.length());
                t.run(9.0);
                vec![t.velocity("ball").length(), force]
            },
            quantities: &[
                Quantity::share("speed after 10 s", "m/s", "2π r/T", || TAU, Bounds::first_order(0.01)),
                Quantity::share("pull of the rod after 1 s", "N", "m v²/r", || TAU * TAU, Bounds::first_order(0.02)),
            ],
        },
        Case {
            name: "whirl/bar-on-hinge",
            what: "A bar of 1 m, hinged at its end on a vertical axis, turns once a second.",
            scene: || {
                format!(
                    "bodies: [(name: \"bar\", shape: Box(half: (0.5, 0.03, 0.03)), at: (0.5, 0, 0), mass: 1, \
                     velocity: (0, {PI}, 0), angular_velocity: (0, 0, {TAU}))], \
                     joints: [(name: \"pin\", b: \"bar\", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge)]"
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(10.0);
                vec![t.angular_velocity("bar").z, f64::from(t.joint("pin").value)]
            },
            quantities: &[
                Quantity::share("spin after 10 s", "rad/s", "2π/T", || TAU, Bounds::first_order(0.01)),
                Quantity::share("angle after 10 s", "rad", "2π t/T", || 10.0 * TAU, Bounds::first_order(0.01)),
            ],
        },
        Case {
            name: "whirl/conical-pendulum",
            what: "A ball on a rod of 1 m moves in a circle, with the rod at 30° to the vertical.",
            scene: || {
                let (sin, cos) = (PI / 6.0).sin_cos();
                let speed = sin * (G / cos).sqrt();
                format!(
                    "bodies: [(name: \"ball\", shape: Sphere(radius: 0.05), at: ({sin}, 0, {}), mass: 1, particle: \
                     true, velocity: (0, {speed}, 0))], \
                     joints: [(name: \"rod\", b: \"ball\", anchor_a: (0, 0, 0), kind: Distance(length: 1))]",
                    -cos
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(10.0);
                let at = t.at("ball");
                vec![at.x.hypot(at.y).atan2(-at.z).to_degrees()]
            },
            quantities: &[Quantity::absolute(
                "angle of the rod after 10 s",
                "°",
                "cos θ = g/(L Ω²)",
                || 30.0,
                Bounds::first_order(0.5),
            )],
        },
    ],
};
