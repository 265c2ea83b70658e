//! Free flight.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::reference::G;

pub const FAMILY: Family = Family {
    title: "Free flight",
    about: "A step begins and ends with half a kick (leapfrog). A thrown body is therefore on its parabola for every \
            step length, and a free body and a jointed one fall alike.",
    cases: &[
        Case {
            name: "fall/thrown-ball",
            what: "A ball is thrown from the origin at 3 m/s along x and 6 m/s upward.",
            scene: || "bodies: [(name: \"ball\", shape: Sphere(radius: 0.1), mass: 1, velocity: (3, 0, 6))]".into(),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(1.0);
                vec![t.at("ball").x, t.at("ball").z, t.velocity("ball").z]
            },
            quantities: &[
                Quantity::share("displacement after 1 s", "m", "v_x t", || 3.0, Bounds::same(1e-5)),
                Quantity::absolute("height after 1 s", "m", "v_z t − g t²/2", || 6.0 - 0.5 * G, Bounds::same(1e-4)),
                Quantity::share("speed after 1 s", "m/s", "v_z − g t", || 6.0 - G, Bounds::same(1e-5)),
            ],
        },
        Case {
            name: "fall/galileo",
            what: "A ball, and two balls on a rod of 0.4 m beside it, are let go together.",
            scene: || {
                let ball = |name: &str, x: f64| {
                    format!("(name: \"{name}\", shape: Sphere(radius: 0.1), at: ({x}, 0, 0), mass: 1, collide: false)")
                };
                format!(
                    "bodies: [{}, {}, {}], joints: [(name: \"rod\", a: \"a\", b: \"b\", anchor_a: (0, 0, 0), anchor_b: \
                 (0, 0, 0), kind: Distance)]",
                    ball("ball", 0.0),
                    ball("a", 1.0),
                    ball("b", 1.4)
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(4.0);
                vec![-t.at("ball").z, -t.at("a").z, t.at("ball").z - t.at("a").z]
            },
            quantities: &[
                Quantity::share("displacement of the ball in 4 s", "m", "g t²/2", || 8.0 * G, Bounds::same(5e-5)),
                Quantity::share("displacement of the pair in 4 s", "m", "g t²/2", || 8.0 * G, Bounds::same(5e-5)),
                Quantity::absolute("ball above the pair", "m", "0", || 0.0, Bounds::same(1e-3)),
            ],
        },
    ],
};
