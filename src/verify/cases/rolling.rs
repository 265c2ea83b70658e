//! Rolling.

use crate::verify::case::{Bounds, Case, Family, Quantity, Runs};
use crate::verify::reference::G;

fn on_floor(floor: &str, body: &str) -> String {
    format!(
        "bodies: [(name: \"floor\", shape: Box(half: (50, 50, 0.5)), at: (0, 0, -0.5), motion: Static, {floor}), \
         (name: \"body\", {body})]"
    )
}

/// A rotation that brings the axis along y.
const LIES: &str = "rotation: AxisAngle(axis: (1, 0, 0), angle: Degrees(90))";

/// The component of gravity along a slope of 15°, m/s².
fn slope() -> f64 {
    G * 15f64.to_radians().sin()
}

pub const FAMILY: Family = Family {
    title: "Rolling",
    about: "Balls and cylinders on a floor; on a slope gravity leans instead of the floor.",
    cases: &[
        Case {
            name: "rolling/sliding-ball",
            what: "A ball of 0.5 m radius is pushed off with 5 m/s without spin, µ = 0.3.",
            scene: || {
                on_floor(
                    "friction: 0.3",
                    "shape: Sphere(radius: 0.5), at: (0, 0, 0.5), mass: 1, velocity: (5, 0, 0), friction: 0.3",
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                let rolls = t.until(2.0, -1e-2, |t| 0.5 * t.angular_velocity("body").y - t.velocity("body").x);
                t.run(1.0);
                vec![rolls, t.velocity("body").x]
            },
            quantities: &[
                Quantity::share(
                    "time until it rolls",
                    "s",
                    "2 v/(7 µ g)",
                    || 10.0 / (7.0 * 0.3 * G),
                    Bounds::first_order(0.04),
                ),
                Quantity::share("speed from then on", "m/s", "5/7 v", || 25.0 / 7.0, Bounds::same(2e-3)),
            ],
        },
        Case {
            name: "rolling/ball-down-a-slope",
            what: "A ball of 0.5 m radius rolls down a slope of 15° for 2 s.",
            scene: || on_floor("friction: 0.5", "shape: Sphere(radius: 0.5), at: (0, 0, 0.5), mass: 1"),
            runs: Runs::with(&["step.gravity=2.5390148,0,-9.475732"]),
            measure: |t| {
                t.run(2.0);
                vec![t.velocity("body").x]
            },
            quantities: &[Quantity::share(
                "speed after 2 s",
                "m/s",
                "5/7 g sin α t",
                || 10.0 / 7.0 * slope(),
                Bounds::same(2e-3),
            )],
        },
        Case {
            name: "rolling/cylinder-down-a-slope",
            what: "A cylinder of 0.3 m radius and 0.8 m length does the same.",
            scene: || {
                on_floor(
                    "friction: 0.5",
                    &format!("shape: Cylinder(radius: 0.3, half_length: 0.4), at: (0, 0, 0.3), mass: 1, {LIES}"),
                )
            },
            runs: Runs::with(&["step.gravity=2.5390148,0,-9.475732"]),
            measure: |t| {
                t.run(2.0);
                vec![t.velocity("body").x, t.at("body").y]
            },
            quantities: &[
                Quantity::share("speed after 2 s", "m/s", "2/3 g sin α t", || 4.0 / 3.0 * slope(), Bounds::same(0.02)),
                Quantity::absolute("swerve in 2 s", "m", "0", || 0.0, Bounds::same(0.01)),
            ],
        },
        Case {
            name: "rolling/cylinder",
            what: "The same cylinder rolls on the level with 2 m/s.",
            scene: || {
                on_floor(
                    "friction: 0.5",
                    &format!(
                        "shape: Cylinder(radius: 0.3, half_length: 0.4), at: (0, 0, 0.3), mass: 1, {LIES}, \
                         velocity: (2, 0, 0), angular_velocity: (0, {}, 0)",
                        2.0 / 0.3
                    ),
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(3.0);
                vec![t.at("body").x, t.at("body").y]
            },
            quantities: &[
                Quantity::share("way in 3 s", "m", "v t", || 6.0, Bounds::same(0.01)),
                Quantity::absolute("swerve in 3 s", "m", "0", || 0.0, Bounds::same(0.01)),
            ],
        },
        Case {
            name: "rolling/rolling-friction",
            what: "A ball of 0.5 m radius rolls with 2 m/s against rolling friction of 1 cm.",
            scene: || {
                on_floor(
                    "friction: 0.5",
                    "shape: Sphere(radius: 0.5), at: (0, 0, 0.5), mass: 1, velocity: (2, 0, 0), \
                     angular_velocity: (0, 4, 0), \
                     rolling: 0.01",
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(20.0);
                vec![t.at("body").x]
            },
            quantities: &[Quantity::share(
                "way",
                "m",
                "7 v² R/(10 µ_r g)",
                || 1.4 / (0.01 * G),
                Bounds::first_order(0.01),
            )],
        },
    ],
};
