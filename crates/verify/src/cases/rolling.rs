//! Rolling.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::case_run::CaseRun;
use crate::reference::G;

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

/// A roller of radius r, m, and length 8 r, without a name.
fn roller(kind: &str, r: f64) -> String {
    on_floor(
        "friction: 0.8",
        &format!(
            "shape: {kind}(radius: {r}, half_length: {}), at: (0, 0, {r}), mass: 1, friction: 0.8, {LIES}",
            4.0 * r
        ),
    )
}

/// k = I/(m r²) of such a capsule: ½ of its cylinder and ⅖ of its two half balls, by their volumes 8 π r³ and 4/3 π r³.
fn capsule_share() -> f64 {
    (0.5 * 8.0 + 0.4 * 4.0 / 3.0) / (8.0 + 4.0 / 3.0)
}

/// Speed after 1 s, and how far the roller sinks and swerves, as shares of its radius `r`, m. `rate` replaces the
/// case's, Hz.
fn roll(t: &mut CaseRun, r: f64, rate: Option<f32>) -> Vec<f64> {
    if let Some(rate) = rate {
        t.world.settings.step.rate = rate;
    }
    t.run(1.0);
    vec![t.velocity("body").x, (r - t.at("body").z) / r, t.at("body").y / r]
}

const SINKS: Quantity = Quantity::absolute("sinks, share of r", "", "0", || 0.0, Bounds::same(2e-3));
const SWERVES: Quantity = Quantity::absolute("swerves, share of r", "", "0", || 0.0, Bounds::same(1e-2));
const OF_CAPSULE: &[Quantity] = &[
    Quantity::share(
        "speed after 1 s",
        "m/s",
        "g sin α t/(1 + k)",
        || slope() / (1.0 + capsule_share()),
        Bounds::same(1e-3),
    ),
    SINKS,
    SWERVES,
];
const OF_CYLINDER: &[Quantity] =
    &[Quantity::share("speed after 1 s", "m/s", "2/3 g sin α t", || slope() / 1.5, Bounds::same(1e-3)), SINKS, SWERVES];
const DOWN: Runs = Runs::with(&["step.gravity=2.5390148,0,-9.475732"]);

pub const FAMILY: Family = Family {
    title: "Rolling",
    about: "Balls and cylinders on a floor. For a slope, gravity leans instead of the floor.",
    cases: &[
        Case {
            name: "rolling/sliding-ball",
            what: "A ball of 0.5 m radius is pushed off at 5 m/s without spin, µ = 0.3.",
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
            name: "rolling/capsule-3cm",
            what: "A capsule of 3 cm radius and 24 cm length, µ = 0.8, rolls down a slope of 15°.",
            scene: || roller("Capsule", 0.03),
            runs: DOWN,
            measure: |t| roll(t, 0.03, None),
            quantities: OF_CAPSULE,
        },
        Case {
            name: "rolling/capsule-1m",
            what: "A capsule of 1 m radius and 8 m length does the same.",
            scene: || roller("Capsule", 1.0),
            runs: DOWN,
            measure: |t| roll(t, 1.0, None),
            quantities: OF_CAPSULE,
        },
        Case {
            name: "rolling/capsule-small-steps",
            what: "A capsule of 11 cm radius does the same at 2000 Hz, whatever the column says.",
            scene: || roller("Capsule", 0.11),
            runs: DOWN,
            measure: |t| roll(t, 0.11, Some(2000.0)),
            quantities: OF_CAPSULE,
        },
        Case {
            name: "rolling/cylinder-3cm",
            what: "A cylinder of 3 cm radius and 24 cm length, µ = 0.8, rolls down a slope of 15°.",
            scene: || roller("Cylinder", 0.03),
            runs: DOWN,
            measure: |t| roll(t, 0.03, None),
            quantities: OF_CYLINDER,
        },
        Case {
            name: "rolling/cylinder-1m",
            what: "A cylinder of 1 m radius and 8 m length does the same.",
            scene: || roller("Cylinder", 1.0),
            runs: DOWN,
            measure: |t| roll(t, 1.0, None),
            quantities: OF_CYLINDER,
        },
        Case {
            name: "rolling/cylinder-small-steps",
            what: "A cylinder of 11 cm radius does the same at 2000 Hz, whatever the column says.",
            scene: || roller("Cylinder", 0.11),
            runs: DOWN,
            measure: |t| roll(t, 0.11, Some(2000.0)),
            quantities: OF_CYLINDER,
        },
        Case {
            name: "rolling/cylinder",
            what: "The same cylinder rolls on the level at 2 m/s.",
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
                Quantity::share("displacement in 3 s", "m", "v t", || 6.0, Bounds::same(0.01)),
                Quantity::absolute("swerve in 3 s", "m", "0", || 0.0, Bounds::same(0.01)),
            ],
        },
        Case {
            name: "rolling/rolling-friction",
            what: "A ball of 0.5 m radius rolls at 2 m/s against rolling friction of 1 cm.",
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
