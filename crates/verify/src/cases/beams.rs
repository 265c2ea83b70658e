//! Beams and a cantilever in equilibrium.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::reference::G;

/// Boxes of 0.25 m and 1 kg welded in a row along x from `from`, named `box 1` and so on, with the joints `first` and
/// `more`.
fn welded(count: usize, from: f64, first: Option<&str>, more: &str) -> String {
    let (mut bodies, mut joints) = (String::new(), first.unwrap_or_default().to_string());
    for i in 0..count {
        let x = from + 0.25 * i as f64;
        bodies += &format!(
            "(name: \"box {}\", shape: Box(half: (0.125, 0.06, 0.06)), at: ({}, 0, 0), mass: 1, collide: false),",
            i + 1,
            x + 0.125
        );
        if i > 0 {
            joints += &format!(
                "(name: \"weld {i}\", a: \"box {i}\", b: \"box {}\", anchor: ({x}, 0, 0), kind: Fixed),",
                i + 1
            );
        }
    }
    format!("bodies: [{bodies}], joints: [{joints} {more}]")
}

pub const FAMILY: Family = Family {
    title: "Beam and cantilever",
    about: "The forces that joints and contacts report are those of statics.",
    cases: &[
        Case {
            name: "beam/plank-on-supports",
            what: "A plank of 10 kg on two rollers 1.6 m apart, a box of 5 kg on it 0.4 m right of the middle.",
            scene: || {
                let roller = |name: &str, x: f64| {
                    format!(
                        "(name: {name:?}, shape: Cylinder(radius: 0.05, half_length: 0.15), at: ({x}, 0, -0.05), \
                         motion: Static, rotation: AxisAngle(axis: (1, 0, 0), angle: Degrees(90))),"
                    )
                };
                format!(
                    "bodies: [{} {} (name: \"plank\", shape: Box(half: (1, 0.1, 0.03)), at: (0, 0, 0.03), mass: 10), \
                     (name: \"box\", shape: Box(half: (0.1, 0.1, 0.1)), at: (0.4, 0, 0.16), mass: 5)]",
                    roller("left", -0.8),
                    roller("right", 0.8)
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(3.0);
                t.means(1.0, |t| [t.push("plank", "left"), t.push("plank", "right")]).to_vec()
            },
            quantities: &[
                Quantity::share(
                    "force of the left support",
                    "N",
                    "g (M/2 + m (s/2 − x)/s)",
                    || G * (5.0 + 5.0 * 0.4 / 1.6),
                    Bounds::same(0.01),
                ),
                Quantity::share(
                    "force of the right support",
                    "N",
                    "g (M/2 + m (s/2 + x)/s)",
                    || G * (5.0 + 5.0 * 1.2 / 1.6),
                    Bounds::same(0.01),
                ),
            ],
        },
        Case {
            name: "beam/welded",
            what: "Eight boxes of 1 kg welded to a beam of 2 m, a hinge at one end, a roller at the other.",
            scene: || {
                welded(
                    8,
                    -1.0,
                    Some("(name: \"hinge\", b: \"box 1\", anchor: (-1, 0, 0), axis: (0, 1, 0), kind: Hinge),"),
                    "(name: \"roller\", b: \"box 8\", anchor: (1, 0, 0), axis: (0, 0, 1), kind: Plane)",
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(9.0);
                let moment = t.mean(1.0, |t| f64::from(t.joint("weld 4").torque.y)).abs();
                vec![moment, -t.at("box 4").z]
            },
            quantities: &[
                Quantity::share("moment at the middle", "N·m", "w L²/8", || 4.0 * G * 4.0 / 8.0, Bounds::same(0.01)),
                Quantity::absolute("sag at the middle", "m", "0", || 0.0, Bounds::same(1e-3)),
            ],
        },
        Case {
            name: "cantilever/six-boxes",
            what: "Six boxes of 1 kg welded to a beam of 1.5 m and to a wall.",
            scene: || welded(6, 0.0, Some("(name: \"wall\", b: \"box 1\", anchor: (0, 0, 0), kind: Fixed),"), ""),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(9.0);
                let moment = t.mean(1.0, |t| f64::from(t.joint("wall").torque.y)).abs();
                vec![moment, -t.at("box 6").z]
            },
            quantities: &[
                Quantity::share("moment at the wall", "N·m", "M g L/2", || 6.0 * G * 0.75, Bounds::same(0.01)),
                Quantity::absolute("sag of the last box", "m", "0", || 0.0, Bounds::same(2e-3)),
            ],
        },
    ],
};
