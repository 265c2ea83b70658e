//! Free flight.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::reference::G;

pub const FAMILY: Family = Family {
    title: "Free flight",
    about: "Symplectic Euler moves a body with the velocity of the step's end: thrown bodies come down g h t/2 lower.",
    cases: &[Case {
        name: "fall/thrown-ball",
        what: "A ball is thrown with 3 m/s along x and 6 m/s upward from the origin.",
        scene: || "bodies: [(name: \"ball\", shape: Sphere(radius: 0.1), mass: 1, velocity: (3, 0, 6))]".into(),
        runs: Runs::USUAL,
        measure: |t| {
            t.run(1.0);
            vec![t.at("ball").x, t.at("ball").z, t.velocity("ball").z]
        },
        quantities: &[
            Quantity::share("way after 1 s", "m", "v_x t", || 3.0, Bounds::same(1e-5)),
            Quantity::absolute(
                "height after 1 s",
                "m",
                "v_z t − g t²/2",
                || 6.0 - 0.5 * G,
                Bounds::first_order(0.0825),
            ),
            Quantity::share("speed after 1 s", "m/s", "v_z − g t", || 6.0 - G, Bounds::same(1e-5)),
        ],
    }],
};
