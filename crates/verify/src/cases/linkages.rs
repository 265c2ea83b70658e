//! Closed loops: a four-bar linkage and a slider–crank with driven cranks.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::case_run::CaseRun;

/// The four-bar linkage: base, crank, coupler and rocker, m.
const BASE: f64 = 2.0;
const CRANK: f64 = 0.6;
const COUPLER: f64 = 1.8;
const ROCKER: f64 = 1.2;
/// The speed of both cranks, rad/s.
const SPEED: f64 = 3.0;

/// The angle between rocker and base at the rocker's pivot in a dead centre, where the joint of coupler and rocker is
/// at the distance `s` from the crank's pivot, rad.
fn dead_centre(s: f64) -> f64 {
    ((BASE * BASE + ROCKER * ROCKER - s * s) / (2.0 * BASE * ROCKER)).acos()
}

/// The joint of coupler and rocker when the crank lies along the base: (x, z) from the crank's pivot, m.
fn knee() -> (f64, f64) {
    let d = BASE - CRANK;
    let along = (COUPLER * COUPLER - ROCKER * ROCKER + d * d) / (2.0 * d);
    (CRANK + along, (COUPLER * COUPLER - along * along).sqrt())
}

fn four_bar() -> String {
    let (x, z) = knee();
    let bar = |name: &str, from: (f64, f64), to: (f64, f64)| {
        let (dx, dz) = (to.0 - from.0, to.1 - from.1);
        format!(
            "(name: {name:?}, shape: Box(half: ({}, 0.03, 0.03)), at: ({}, 0, {}), mass: 2, \
             rotation: AxisAngle(axis: (0, 1, 0), angle: {}), collide: false),",
            0.5 * dx.hypot(dz),
            from.0 + 0.5 * dx,
            from.1 + 0.5 * dz,
            -dz.atan2(dx)
        )
    };
    format!(
        "bodies: [(name: \"crank\", shape: Box(half: ({CRANK}, 0.03, 0.03)), motion: Kinematic, \
         angular_velocity: (0, -{SPEED}, \
         0), collide: false), {} {}], \
         joints: [(name: \"crank pin\", a: \"crank\", b: \"coupler\", anchor: ({CRANK}, 0, 0), axis: (0, -1, 0), kind: \
         Hinge), (name: \"pivot\", b: \"rocker\", anchor: ({BASE}, 0, 0), axis: (0, -1, 0), kind: Hinge), \
         (name: \"along\", a: \"rocker\", b: \"coupler\", anchor: ({x}, 0, {z}), axis_a: (1, 0, 0), kind: Plane), \
         (name: \"across\", a: \"rocker\", b: \"coupler\", anchor: ({x}, 0, {z}), axis_a: (0, 0, 1), kind: Plane)]",
        bar("coupler", (CRANK, 0.0), (x, z)),
        bar("rocker", (BASE, 0.0), (x, z))
    )
}

/// The slider–crank: crank and rod, m.
const THROW: f64 = 0.3;
const ROD: f64 = 0.8;

/// The slider's position at the crank's angle, m.
fn slider(angle: f64) -> f64 {
    THROW * angle.cos() + (ROD * ROD - (THROW * angle.sin()).powi(2)).sqrt()
}

fn slider_crank() -> String {
    format!(
        "bodies: [(name: \"crank\", shape: Box(half: ({THROW}, 0.03, 0.03)), motion: Kinematic, \
         angular_velocity: (0, -{SPEED}, \
         0), collide: false), \
         (name: \"rod\", shape: Box(half: ({}, 0.03, 0.03)), at: ({}, 0, 0), mass: 1, collide: false), \
         (name: \"slider\", shape: Box(half: (0.1, 0.1, 0.1)), at: ({}, 0, 0), mass: 2, collide: false)], \
         joints: [(name: \"crank pin\", a: \"crank\", b: \"rod\", anchor: ({THROW}, 0, 0), axis: (0, -1, 0), kind: \
         Hinge), (name: \"rail\", b: \"slider\", axis: (1, 0, 0), kind: Prismatic), \
         (name: \"along\", a: \"slider\", b: \"rod\", anchor: ({}, 0, 0), axis_a: (1, 0, 0), kind: Plane), \
         (name: \"across\", a: \"slider\", b: \"rod\", anchor: ({}, 0, 0), axis_a: (0, 0, 1), kind: Plane)]",
        0.5 * ROD,
        THROW + 0.5 * ROD,
        THROW + ROD,
        THROW + ROD,
        THROW + ROD
    )
}

/// The difference of the largest and the smallest reading in two turns after the first one.
fn range(t: &mut CaseRun, read: impl Fn(&CaseRun) -> f64) -> f64 {
    t.run(std::f64::consts::TAU / SPEED);
    let values = t.watch(2.0 * std::f64::consts::TAU / SPEED, read);
    let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(*v), high.max(*v)));
    high - low
}

pub const FAMILY: Family = Family {
    title: "Linkages",
    about: "Closed loops with a crank that turns at 3 rad/s.",
    cases: &[
        Case {
            name: "linkage/four-bar",
            what: "A crank of 0.6 m, a coupler of 1.8 m and a rocker of 1.2 m on a base of 2 m.",
            scene: four_bar,
            runs: Runs::USUAL,
            measure: |t| vec![range(t, |t| f64::from(t.joint("pivot").value)).to_degrees()],
            quantities: &[Quantity::absolute(
                "swing of the rocker",
                "°",
                "the triangles at the two dead centres",
                || (dead_centre(COUPLER + CRANK) - dead_centre(COUPLER - CRANK)).to_degrees(),
                Bounds::first_order(0.5),
            )],
        },
        Case {
            name: "linkage/slider-crank",
            what: "A crank of 0.3 m pushes a slider of 2 kg by a rod of 0.8 m.",
            scene: slider_crank,
            runs: Runs::USUAL,
            measure: |t| {
                let range = range(t, |t| t.at("slider").x);
                let turned = SPEED * t.time();
                vec![range, t.at("slider").x - slider(turned)]
            },
            quantities: &[
                Quantity::share("stroke", "m", "2 r", || 2.0 * THROW, Bounds::first_order(0.01)),
                Quantity::absolute(
                    "place after three turns",
                    "m",
                    "x = r cos θ + √(l² − r² sin² θ)",
                    || 0.0,
                    Bounds::first_order(0.01),
                ),
            ],
        },
    ],
};
