//! Hulls.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::reference::G;

/// A double pyramid over a square of 1 m with tips at z = `up` and −`down`, of 1000 kg/m³, welded to the world.
fn double_pyramid(up: f64, down: f64) -> String {
    format!(
        "bodies: [(name: \"body\", shape: Hull(points: [(0.5, 0.5, 0), (-0.5, 0.5, 0), (0.5, -0.5, 0), (-0.5, -0.5, 0), \
         (0, 0, {up}), (0, 0, -{down})]), density: 1000, collide: false)], \
         joints: [(name: \"weld\", b: \"body\", anchor: (0, 0, 0), kind: Fixed)]"
    )
}

pub const FAMILY: Family = Family {
    title: "Hulls",
    about: "Flat hulls of 1000 kg/m³, held by a weld that bears their weight.",
    cases: &[
        Case {
            name: "hulls/flat-double-pyramid",
            what: "A double pyramid over a square of 1 m, 10 mm high above and 5 mm below.",
            scene: || double_pyramid(0.01, 0.005),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(1.0);
                vec![f64::from(t.joint("weld").force.z)]
            },
            quantities: &[Quantity::share("weight", "N", "ρ A (a + b) g/3", || 5.0 * G, Bounds::same(1e-4))],
        },
        Case {
            name: "hulls/one-millimetre",
            what: "The same, 0.6 mm high above and 0.4 mm below.",
            scene: || double_pyramid(0.0006, 0.0004),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(1.0);
                vec![f64::from(t.joint("weld").force.z)]
            },
            quantities: &[Quantity::share("weight", "N", "ρ A (a + b) g/3", || G / 3.0, Bounds::same(1e-4))],
        },
    ],
};
