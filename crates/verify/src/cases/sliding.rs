//! Sliding under Coulomb friction.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::reference::G;

const MU: f64 = 0.5;

/// A cube of 1 m on a horizontal floor, µ = 0.5.
fn cube(velocity: &str) -> String {
    format!(
        "bodies: [(name: \"floor\", shape: Box(half: (50, 50, 0.5)), at: (0, 0, -0.5), motion: Static), \
         (name: \"cube\", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.5), mass: 1, velocity: {velocity})]"
    )
}

/// The acceleration down the slope of 30°, m/s².
fn down() -> f64 {
    let (sin, cos) = 30f64.to_radians().sin_cos();
    G * (sin - MU * cos)
}

pub const FAMILY: Family = Family {
    title: "Sliding",
    about: "A cube of 1 m, µ = 0.5. On a slope gravity leans instead of the floor.",
    cases: &[
        Case {
            name: "sliding/stopping",
            what: "The cube is pushed off with 3 m/s at 30° to its sides.",
            scene: || cube("(2.5980762, 1.5, 0)"),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(2.0);
                let way = t.at("cube").truncate();
                vec![way.length(), way.y.atan2(way.x).to_degrees()]
            },
            quantities: &[
                Quantity::share("way", "m", "v²/(2 µ g)", || 9.0 / (2.0 * MU * G), Bounds::first_order(0.04)),
                Quantity::absolute("direction", "°", "straight on", || 30.0, Bounds::same(0.1)),
            ],
        },
        Case {
            name: "sliding/down-a-slope",
            what: "The cube on a slope of 30°, let go.",
            scene: || cube("(0, 0, 0)"),
            runs: Runs::with(&["step.gravity=4.905,0,-8.495709"]),
            measure: |t| {
                t.run(1.0);
                vec![t.velocity("cube").x, t.at("cube").x]
            },
            quantities: &[
                Quantity::share("speed after 1 s", "m/s", "g (sin α − µ cos α) t", down, Bounds::same(0.01)),
                Quantity::share(
                    "way after 1 s",
                    "m",
                    "g (sin α − µ cos α) t²/2",
                    || 0.5 * down(),
                    Bounds::first_order(0.03),
                ),
            ],
        },
        Case {
            name: "sliding/held-on-a-slope",
            what: "The cube on a slope of 25°, tan α = 0.466 < µ, for 20 s.",
            scene: || cube("(0, 0, 0)"),
            runs: Runs::with(&["step.gravity=4.145885,0,-8.890879"]),
            measure: |t| {
                t.run(20.0);
                vec![t.at("cube").x]
            },
            quantities: &[Quantity::absolute("way after 20 s", "m", "0", || 0.0, Bounds::same(1e-3))],
        },
    ],
};
