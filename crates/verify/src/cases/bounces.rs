//! Bounces.
//!
//! An impulse j at a point r from a body's centre, along the unit normal n, changes the point's velocity along n by j
//! (1/m + (r × n)·I⁻¹(r × n)); with restitution e that change is (1 + e) times the speed of approach.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::case_run::CaseRun;

/// A floor with its top at z = 0, and a body above it, both with the material `surface`.
fn over_floor(surface: &str, body: &str) -> String {
    format!(
        "bodies: [(name: \"floor\", shape: Box(half: (20, 20, 0.5)), at: (0, 0, -0.5), motion: Static, {surface}), \
         (name: \"body\", {surface}, {body})]"
    )
}

/// The heights of the apexes after the first one, for a body whose lowest point is `radius` below its centre, m.
fn apexes(t: &mut CaseRun, seconds: f64, radius: f64) -> Vec<f64> {
    let heights = t.watch(seconds, |t| t.at("body").z - radius);
    heights.windows(3).filter(|w| w[1] >= w[0] && w[1] > w[2]).map(|w| w[1]).collect()
}

fn nth(values: &[f64], n: usize) -> f64 {
    values.get(n).copied().unwrap_or(f64::NAN)
}

/// The bar that lands on its end: half length and half thickness, m, its inclination, rad, its speed, m/s, and
/// restitution.
const BAR: (f64, f64) = (0.5, 0.02);
const SLOPE: f64 = 0.5;
const SPEED: f64 = 4.0;
const E: f64 = 0.6;

/// From the bar's centre to its lower corner, (x, z).
fn corner() -> (f64, f64) {
    let (sin, cos) = SLOPE.sin_cos();
    (BAR.0 * cos - BAR.1 * sin, -BAR.0 * sin - BAR.1 * cos)
}

/// The impulse on the bar's end over its mass, m/s, and the bar's moment of inertia over its mass, m².
fn end_impulse() -> (f64, f64) {
    let inertia = (BAR.0 * BAR.0 + BAR.1 * BAR.1) / 3.0;
    let x = corner().0;
    ((1.0 + E) * SPEED / (1.0 + x * x / inertia), inertia)
}

pub const FAMILY: Family = Family {
    title: "Bounces",
    about: "A body leaves at e times the speed of its approach. Impacts slower than 1 m/s do not bounce \
            (`contact.restitution_threshold`).",
    cases: &[
        Case {
            name: "bounce/dropped-ball",
            what: "A ball of 0.1 m radius falls by 1 m onto a floor, e = 0.8.",
            scene: || over_floor("restitution: 0.8", "shape: Sphere(radius: 0.1), at: (0, 0, 1.1), mass: 1"),
            runs: Runs::USUAL,
            measure: |t| {
                let apexes = apexes(t, 4.0, 0.1);
                vec![nth(&apexes, 0), nth(&apexes, 1), nth(&apexes, 2)]
            },
            quantities: &[
                Quantity::share("first height", "m", "e² h", || 0.64, Bounds::first_order(0.1)),
                Quantity::share("second height", "m", "e⁴ h", || 0.64 * 0.64, Bounds::first_order(0.15)),
                Quantity::share("third height", "m", "e⁶ h", || 0.64 * 0.64 * 0.64, Bounds::first_order(0.2)),
            ],
        },
        Case {
            name: "bounce/elastic-ball",
            what: "The same with e = 1, for 20 s: 22 bounces.",
            scene: || over_floor("restitution: 1", "shape: Sphere(radius: 0.1), at: (0, 0, 1.1), mass: 1"),
            runs: Runs::USUAL,
            measure: |t| vec![apexes(t, 20.0, 0.1).last().copied().unwrap_or(f64::NAN)],
            quantities: &[Quantity::share("last height", "m", "h", || 1.0, Bounds::first_order(0.2))],
        },
        Case {
            name: "bounce/oblique-sticking",
            what: "A ball without spin arrives at 2 m/s along the floor and 5 m/s towards it, e = 0.5, µ = 1, no \
                   gravity: it sticks during the impact and leaves rolling.",
            scene: || {
                over_floor(
                    "restitution: 0.5, friction: 1",
                    "shape: Sphere(radius: 0.2), at: (0, 0, 0.93), mass: 1, velocity: (2, 0, -5)",
                )
            },
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                t.run(1.0);
                vec![t.velocity("body").x, t.velocity("body").z, t.angular_velocity("body").y]
            },
            quantities: &[
                Quantity::share("speed along the floor", "m/s", "5/7 v", || 10.0 / 7.0, Bounds::same(2e-3)),
                Quantity::share("speed off the floor", "m/s", "e v", || 2.5, Bounds::same(1e-3)),
                Quantity::share("spin", "rad/s", "5/7 v/R", || 50.0 / 7.0, Bounds::same(2e-3)),
            ],
        },
        Case {
            name: "bounce/oblique-slipping",
            what: "The same at 6 m/s along the floor and µ = 0.1: it slips throughout the impact.",
            scene: || {
                over_floor(
                    "restitution: 0.5, friction: 0.1",
                    "shape: Sphere(radius: 0.2), at: (0, 0, 0.93), mass: 1, velocity: (6, 0, -5)",
                )
            },
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                t.run(1.0);
                vec![t.velocity("body").x, t.angular_velocity("body").y]
            },
            quantities: &[
                Quantity::share("speed along the floor", "m/s", "v_x − µ (1 + e) v_z", || 5.25, Bounds::same(2e-3)),
                Quantity::share("spin", "rad/s", "5/2 µ (1 + e) v_z/R", || 2.5 * 0.75 / 0.2, Bounds::same(5e-3)),
            ],
        },
        Case {
            name: "bounce/flat-box",
            what: "A box of 0.6 × 0.4 × 0.3 m lands flat at 3 m/s, e = 0.8, no gravity.",
            scene: || {
                over_floor(
                    "restitution: 0.8",
                    "shape: Box(half: (0.3, 0.2, 0.15)), at: (0, 0, 0.48), mass: 1, velocity: (0, 0, -3)",
                )
            },
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                t.run(1.0);
                vec![t.velocity("body").z, t.angular_velocity("body").length()]
            },
            quantities: &[
                Quantity::share("speed off the floor", "m/s", "e v", || 2.4, Bounds::same(1e-3)),
                Quantity::absolute("spin", "rad/s", "0", || 0.0, Bounds::same(1e-2)),
            ],
        },
        Case {
            name: "bounce/end-of-bar",
            what: "A bar of 1 m comes down on its end at 4 m/s, sloping by 0.5 rad, e = 0.6, without friction or \
                   gravity.",
            scene: || {
                over_floor(
                    "restitution: 0.6, friction: 0",
                    &format!(
                        "shape: Box(half: ({}, 0.1, {})), at: (0, 0, {}), mass: 1, velocity: (0, 0, -{SPEED}), \
                         rotation: AxisAngle(axis: (0, 1, 0), angle: {SLOPE})",
                        BAR.0,
                        BAR.1,
                        0.1 - corner().1
                    ),
                )
            },
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                // The end lands after 0.025 s, the other one later than this.
                t.run(0.05);
                vec![t.velocity("body").z, t.angular_velocity("body").y]
            },
            quantities: &[
                Quantity::share(
                    "speed of the centre",
                    "m/s",
                    "j/m − v",
                    || end_impulse().0 - SPEED,
                    Bounds::first_order(0.05),
                ),
                Quantity::share(
                    "spin",
                    "rad/s",
                    "j x/I, j = (1 + e) v/(1/m + x²/I)",
                    || {
                        let (impulse, inertia) = end_impulse();
                        -corner().0 * impulse / inertia
                    },
                    Bounds::first_order(0.05),
                ),
            ],
        },
    ],
};
