//! A rope over a drum.
//!
//! ```text
//! T₂/T₁ ≤ e^(µ φ)           φ the angle of wrap: with µ = 0.3 over half a turn a weight holds up to 2.57 of its kind
//! ```
//! Source: Eytelwein.

use std::f64::consts::PI;

use crate::case::{Bounds, Case, Family, Quantity, Runs};

/// Radius of the drum and of the rope, m; pieces over the drum and on each side below it.
const DRUM: f64 = 0.3;
const ROPE: f64 = 0.02;
const OVER: i32 = 14;
const BELOW: i32 = 6;

/// Weights of 1 and 2 kg at the ends of a rope of capsules of 50 g over half a turn of a drum.
fn scene() -> String {
    let reach = DRUM + ROPE + 0.001;
    let turn = PI / f64::from(OVER);
    let length = 2.0 * reach * (0.5 * turn).sin();
    let knot = |index: i32| match index - BELOW {
        below if below < 0 => (-reach, length * f64::from(below)),
        over if over <= OVER => {
            let (sin, cos) = (PI - turn * f64::from(over)).sin_cos();
            (reach * cos, reach * sin)
        }
        beyond => (reach, -length * f64::from(beyond - OVER)),
    };
    let last = OVER + 2 * BELOW;
    let mut bodies = format!(
        "(name: \"drum\", shape: Cylinder(radius: {DRUM}, half_length: 0.3), rotation: AxisAngle(axis: (1, 0, 0), angle: \
         {}), motion: Static, friction: 0.3)",
        PI / 2.0
    );
    let mut joints = Vec::new();
    let mut joint = |a: &str, b: &str, (x, z): (f64, f64)| {
        joints.push(format!("(name: \"{a}-{b}\", a: \"{a}\", b: \"{b}\", kind: BallSocket, anchor: ({x}, 0, {z}))"));
    };
    for index in 0..last {
        let (a, b) = (knot(index), knot(index + 1));
        let (x, z) = (b.0 - a.0, b.1 - a.1);
        bodies += &format!(
            ", (name: \"{index}\", shape: Capsule(radius: {ROPE}, half_length: {}), at: ({}, 0, {}), rotation: \
             AxisAngle(axis: (0, 1, 0), angle: {}), mass: 0.05, friction: 0.3)",
            0.5 * x.hypot(z) - 0.005,
            0.5 * (a.0 + b.0),
            0.5 * (a.1 + b.1),
            x.atan2(z)
        );
        if index > 0 {
            joint(&(index - 1).to_string(), &index.to_string(), a);
        }
    }
    for (name, mass, at, link) in [("light", 1, knot(0), 0), ("heavy", 2, knot(last), last - 1)] {
        bodies += &format!(
            ", (name: \"{name}\", shape: Sphere(radius: 0.08), at: ({}, 0, {}), mass: {mass})",
            at.0,
            at.1 - 0.08
        );
        joint(name, &link.to_string(), at);
    }
    format!("bodies: [{bodies}], joints: [{}]", joints.join(", "))
}

pub const FAMILY: Family = Family {
    title: "Capstan",
    about: "Friction holds a rope over a drum as long as the ratio of the weights at its ends is at most e^(µ φ).",
    cases: &[Case {
        name: "capstan/held",
        what: "A rope of 26 pieces over half a turn of a drum, µ = 0.3, 1 kg at one end and 2 kg at the other.",
        scene,
        runs: Runs::USUAL,
        measure: |t| {
            let before = t.at("heavy");
            t.run(5.0);
            vec![t.at("heavy").distance(before)]
        },
        quantities: &[Quantity::absolute("displacement of the weight in 5 s", "m", "0", || 0.0, Bounds::same(5e-3))],
    }],
};
