//! Ropes over sheaves and on drums: Atwood's machine, a block and tackle, a rough sheave, a drum.

use std::f64::consts::PI;

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::reference::G;

/// Two weights, kg, one metre below the points of a pulley. `more` are fields of the pulley.
fn weights(a: f64, b: f64, more: &str) -> String {
    format!(
        "bodies: [(name: \"a\", shape: Sphere(radius: 0.05), at: (-0.5, 0, 0), mass: {a}, particle: true), \
         (name: \"b\", shape: Sphere(radius: 0.05), at: (0.5, 0, 0), mass: {b}, particle: true)], \
         joints: [(name: \"rope\", a: \"a\", b: \"b\", kind: Pulley(over_a: (-0.5, 0, 1), over_b: (0.5, 0, 1){more}))]"
    )
}

/// A wheel of 3 kg and 0.2 m about y, I = 0.06 kg m², with a weight of 2 kg, whose rope hangs off at −x.
const DRUM: &str = "bodies: [(name: \"wheel\", shape: Cylinder(radius: 0.2, half_length: 0.05), rotation: AxisAngle(axis: \
                    (1, 0, 0), angle: Degrees(-90)), mass: 3, collide: false), (name: \"weight\", shape: Sphere(radius: \
                    0.05), at: (-0.2, 0, -1), mass: 2, particle: true)], joints: [(name: \"axle\", b: \"wheel\", anchor: (0, \
                    0, 0), axis: (0, 1, 0), kind: Hinge), (name: \"rope\", a: \"wheel\", b: \"weight\", axis: (0, 1, 0), \
                    kind: Drum(radius: 0.2))]";

pub const FAMILY: Family = Family {
    title: "Ropes over sheaves and on drums",
    about: "Ropes pull on two bodies with tensions that a sheave makes equal, multiplies or lets differ.",
    cases: &[
        Case {
            name: "rope/atwood",
            what: "3 kg and 2 kg on a rope over a sheave without a mass.",
            scene: || weights(3.0, 2.0, ""),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(0.5);
                vec![t.velocity("b").z, f64::from(t.joint("rope").force.length())]
            },
            quantities: &[
                Quantity::share("speed after 0.5 s", "m/s", "(m₁ − m₂) g t/(m₁ + m₂)", || 0.1 * G, Bounds::same(1e-3)),
                Quantity::share("tension", "N", "2 m₁ m₂ g/(m₁ + m₂)", || 2.4 * G, Bounds::same(5e-3)),
            ],
        },
        Case {
            name: "rope/tackle",
            what: "3 kg lift 5 kg, which hang on two strands.",
            scene: || weights(3.0, 5.0, ", ratio: 2"),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(0.5);
                vec![t.velocity("b").z, t.velocity("a").z]
            },
            quantities: &[
                Quantity::share(
                    "speed of the load after 0.5 s",
                    "m/s",
                    "(2 m₁ − m₂) g t/(m₂ + 4 m₁)",
                    || 0.5 * G / 17.0,
                    Bounds::same(1e-3),
                ),
                Quantity::share("speed of what lifts it", "m/s", "−2 v", || -G / 17.0, Bounds::same(1e-3)),
            ],
        },
        Case {
            name: "rope/rough-sheave",
            what: "3 kg and 1 kg on a rope over half a turn of a sheave that does not turn, µ = 0.3.",
            scene: || weights(3.0, 1.0, ", friction: 0.3"),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(0.5);
                vec![t.velocity("b").z]
            },
            quantities: &[Quantity::share(
                "speed after 0.5 s",
                "m/s",
                "(m₁ − E m₂) g t/(m₁ + E m₂), E = e^(µθ)",
                || {
                    let growth = (0.3 * PI).exp();
                    0.5 * G * (3.0 - growth) / (3.0 + growth)
                },
                Bounds::same(0.01),
            )],
        },
        Case {
            name: "rope/held",
            what: "2.5 kg and 1 kg on the same rope: less than e^(µθ) = 2.57 to one.",
            scene: || weights(2.5, 1.0, ", friction: 0.3"),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(1.0);
                vec![t.velocity("b").z]
            },
            quantities: &[Quantity::absolute("speed after 1 s", "m/s", "0", || 0.0, Bounds::same(1e-3))],
        },
        Case {
            name: "rope/drum",
            what: "A weight of 2 kg unwinds a drum of 3 kg and 0.2 m.",
            scene: || DRUM.to_owned(),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(1.0);
                vec![t.velocity("weight").z, f64::from(t.joint("axle").speed)]
            },
            quantities: &[
                Quantity::share(
                    "speed after 1 s",
                    "m/s",
                    "−m g r² t/(m r² + I)",
                    || -G * 0.08 / 0.14,
                    Bounds::same(1e-3),
                ),
                Quantity::share("spin of the drum", "rad/s", "v/r", || -G * 0.08 / 0.14 / 0.2, Bounds::same(2e-3)),
            ],
        },
    ],
};
