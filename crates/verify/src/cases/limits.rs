//! Stops, ropes and cones.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::reference::G;

/// The rope: a ball falls from rest at this horizontal distance from its anchor until the rope is taut, m.
const SIDE: f64 = 0.5;

/// A distance just short of taut, m.
const STRETCHED: f64 = 0.99;

/// The height fallen when the ball is at the distance `away` from its anchor, m.
fn drop(away: f64) -> f64 {
    (away * away - SIDE * SIDE).sqrt()
}

/// Number of links of the chain that is held out by its stops, and the bend at each, rad.
const LINKS: usize = 4;
const BEND: f64 = 0.15;

/// Links of 0.4 m and 1 kg, initially horizontal, each on a hinge that allows a bend of `BEND`.
fn stopped_chain() -> String {
    let (mut bodies, mut joints, mut above) = (String::new(), String::new(), "world".to_string());
    for i in 0..LINKS {
        let (name, x) = (format!("link {}", i + 1), 0.4 * i as f64);
        bodies += &format!(
            "(name: {name:?}, shape: Box(half: (0.2, 0.05, 0.05)), at: ({}, 0, 0), mass: 1, collide: false),",
            x + 0.2
        );
        joints += &format!(
            "(name: \"stop {}\", a: {above:?}, b: {name:?}, anchor: ({x}, 0, 0), axis: (0, 1, 0), \
             kind: Hinge(limit: (-{BEND}, {BEND}))),",
            i + 1
        );
        above = name;
    }
    format!("bodies: [{bodies}], joints: [{joints}]")
}

/// The moment of the chain's weight at its root, N·m: link i is inclined by (i + 1) bends.
fn root_moment() -> f64 {
    let (mut x, mut moment) = (0.0, 0.0);
    for i in 0..LINKS {
        let run = 0.4 * (BEND * (i + 1) as f64).cos();
        moment += G * (x + 0.5 * run);
        x += run;
    }
    moment
}

pub const FAMILY: Family = Family {
    title: "Limits",
    about: "A stop lets a body come up to it, and then pushes back as hard as needed.",
    cases: &[
        Case {
            name: "limit/motor-at-stop",
            what: "A ball of I = 0.3 kg m² on a hinge is driven by 1 N·m at 3 rad/s against a stop at 1 rad.",
            scene: || {
                format!(
                    "bodies: [(name: \"wheel\", shape: Sphere(radius: {}), mass: 1, collide: false)], \
                     joints: [(name: \"hinge\", b: \"wheel\", anchor: (0, 0, 0), axis: (0, 0, 1), \
                     kind: Hinge(limit: (-1, 1), motor: (speed: 3, max_torque: 1)))]",
                    0.75f64.sqrt()
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                let angles = t.watch(3.0, |t| f64::from(t.joint("hinge").value));
                let most = angles.iter().copied().fold(f64::MIN, f64::max);
                vec![f64::from(t.joint("hinge").value), most, f64::from(t.joint("hinge").limit)]
            },
            quantities: &[
                Quantity::absolute("angle at rest", "rad", "the stop", || 1.0, Bounds::same(1e-3)),
                Quantity::absolute("greatest angle", "rad", "the stop", || 1.0, Bounds::same(1e-3)),
                Quantity::share("torque of the stop", "N·m", "−T", || -1.0, Bounds::same(1e-3)),
            ],
        },
        Case {
            name: "limit/stopped-chain",
            what: "Four links of 0.4 m and 1 kg held out from a wall by hinges that stop at 0.15 rad each.",
            scene: stopped_chain,
            runs: Runs::USUAL,
            measure: |t| {
                t.run(9.0);
                let torque = t.mean(1.0, |t| f64::from(t.joint("stop 1").limit)).abs();
                let past = (1..=LINKS).map(|i| f64::from(t.joint(&format!("stop {i}")).value) - BEND);
                vec![past.fold(0.0, |most: f64, v| if v.abs() > most.abs() { v } else { most }), torque]
            },
            quantities: &[
                Quantity::absolute("farthest from a stop after 10 s", "rad", "0", || 0.0, Bounds::same(2e-3)),
                Quantity::share("torque of the first stop", "N·m", "Σ m g x", root_moment, Bounds::same(0.02)),
            ],
        },
        Case {
            name: "limit/cone",
            what: "A bar of 0.6 m and 2 kg leans on the edge of a cone of 40° about the vertical.",
            scene: || {
                let (sin, cos) = 35f64.to_radians().sin_cos();
                format!(
                    "bodies: [(name: \"bar\", shape: Box(half: (0.03, 0.03, 0.3)), at: ({}, 0, {}), mass: 2, \
                     rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees(35)), collide: false)], \
                     joints: [(name: \"cone\", b: \"bar\", anchor: (0, 0, 0), axis_a: (0, 0, 1), axis_b: (0, 0, 1), \
                     kind: ConeTwist(swing: Cone(Degrees(40)), twist: (-0.1, 0.1)))]",
                    0.3 * sin,
                    0.3 * cos
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(9.0);
                let torque = t.mean(1.0, |t| f64::from(t.joint("cone").swing)).abs();
                let up = t.rotation("bar") * glam::DVec3::Z;
                vec![up.z.acos().to_degrees(), torque]
            },
            quantities: &[
                Quantity::absolute("lean after 10 s", "°", "the cone's half angle", || 40.0, Bounds::same(0.1)),
                Quantity::share(
                    "torque of the limit",
                    "N·m",
                    "m g d sin θ",
                    || 2.0 * G * 0.3 * 40f64.to_radians().sin(),
                    Bounds::same(0.01),
                ),
            ],
        },
        Case {
            name: "limit/rope",
            what: "A ball falls from 0.5 m beside the anchor of a rope of 1 m until it is taut, and then swings.",
            scene: || {
                format!(
                    "bodies: [(name: \"ball\", shape: Sphere(radius: 0.05), at: ({SIDE}, 0, 0), mass: 1, particle: \
                     true)], joints: [(name: \"rope\", b: \"ball\", anchor_a: (0, 0, 0), kind: Rope(length: 1))]"
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                let taut = t.until(1.0, STRETCHED, |t| t.at("ball").length());
                // Some steps later; the work of gravity since then is subtracted, since v²/2 + g z is conserved.
                t.run(0.05);
                let (speed, height) = (t.velocity("ball").length(), t.at("ball").z + drop(1.0));
                vec![taut, (speed * speed + 2.0 * G * height).sqrt()]
            },
            quantities: &[
                Quantity::absolute(
                    "time until the ball is 0.99 m off",
                    "s",
                    "√(2 z/g), z = √(r² − x²)",
                    || (2.0 * drop(STRETCHED) / G).sqrt(),
                    Bounds::first_order(0.01),
                ),
                Quantity::share(
                    "speed once it is taut",
                    "m/s",
                    "√(2 g z) x/L",
                    || (2.0 * G * drop(1.0)).sqrt() * SIDE,
                    Bounds::first_order(0.05),
                ),
            ],
        },
    ],
};
