//! Long rests: a body at rest has to stay where it is.

use glam::DVec3;

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::case_run::CaseRun;

const FLOOR: &str = "(name: \"floor\", shape: Box(half: (20, 20, 0.5)), at: (0, 0, -0.5), motion: Static),";

/// Cubes of 1 m, stacked, named `1` and so on.
fn stack(count: usize) -> String {
    let cubes: String = (1..=count)
        .map(|i| {
            format!("(name: \"{i}\", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, {}), mass: 1),", i as f64 - 0.5)
        })
        .collect();
    format!("bodies: [{FLOOR} {cubes}]")
}

/// The displacement of a body in `seconds`, after 5 s to settle, m.
fn moves(t: &mut CaseRun, body: &str, seconds: f64) -> f64 {
    t.run(5.0);
    let settled = t.at(body);
    t.run(seconds);
    DVec3::distance(t.at(body), settled)
}

pub const FAMILY: Family = Family {
    title: "Long rests",
    about: "How far bodies at rest have moved, after the first 5 s, in which they settle.",
    cases: &[
        Case {
            name: "rest/stack-of-ten",
            what: "Ten cubes of 1 m, for a minute.",
            scene: || stack(10),
            runs: Runs { set: &[], slow: true, without: &[] },
            measure: |t| vec![moves(t, "10", 60.0)],
            quantities: &[Quantity::absolute("displacement of the topmost one", "m", "0", || 0.0, Bounds::same(1e-3))],
        },
        Case {
            name: "rest/stack-of-eight",
            what: "Eight cubes of 1 m, for ten minutes.",
            scene: || stack(8),
            runs: Runs { set: &[], slow: true, without: &[] },
            measure: |t| vec![moves(t, "8", 600.0)],
            quantities: &[Quantity::absolute("displacement of the topmost one", "m", "0", || 0.0, Bounds::same(1e-3))],
        },
        Case {
            name: "rest/cube-on-a-slope",
            what: "A cube on a slope of 20°, µ = 0.5, for ten minutes. (Gravity leans.)",
            scene: || stack(1),
            runs: Runs { set: &["step.gravity=3.3552177,0,-9.218385"], slow: true, without: &[] },
            measure: |t| vec![moves(t, "1", 600.0)],
            quantities: &[Quantity::absolute("way", "m", "0", || 0.0, Bounds::same(1e-3))],
        },
        Case {
            name: "rest/five-boxes",
            what: "Five cubes of 1 m, for 10 s.",
            scene: || stack(5),
            runs: Runs::USUAL,
            measure: |t| vec![moves(t, "5", 10.0)],
            quantities: &[Quantity::absolute("displacement of the topmost one", "m", "0", || 0.0, Bounds::same(1e-3))],
        },
    ],
};
