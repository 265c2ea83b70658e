//! Couplings: two gears, a rack, a screw and a belt accelerate as their reduced inertia.

use std::f64::consts::{PI, TAU};

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::case_run::CaseRun;
use crate::reference::G;

/// Wheels A of 2 kg and 0.2 m with a torque of 2 N·m, and B of 3 kg and 0.5 m, on axles along z.
fn wheels(apart: f64, coupling: &str) -> String {
    format!(
        "bodies: [(name: \"a\", shape: Cylinder(radius: 0.2, half_length: 0.05), mass: 2, forces: [(torque: (0, 0, 2))], \
         collide: false), (name: \"b\", shape: Cylinder(radius: 0.5, half_length: 0.05), at: ({apart}, 0, 0), mass: 3, \
         collide: false)], joints: [(name: \"axle a\", b: \"a\", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge), \
         (name: \"axle b\", b: \"b\", anchor: ({apart}, 0, 0), axis: (0, 0, 1), kind: Hinge), \
         (name: \"coupling\", a: \"a\", b: \"b\", axis: (0, 0, 1), kind: {coupling}(radius_a: 0.2, radius_b: 0.5))]"
    )
}

/// The acceleration of A, rad/s²: T/(I_A + (r_A/r_B)² I_B).
fn alpha() -> f64 {
    2.0 / (0.5 * 2.0 * 0.04 + 0.16 * 0.5 * 3.0 * 0.25)
}

const SPIN_OF_A: Quantity =
    Quantity::share("spin of A after 1 s", "rad/s", "T t/(I_A + r² I_B)", alpha, Bounds::same(1e-3));

/// The spins of both wheels after 1 s, rad/s.
fn spins(t: &mut CaseRun) -> Vec<f64> {
    t.run(1.0);
    vec![t.angular_velocity("a").z, t.angular_velocity("b").z]
}

/// Radius of the circle and of the roller, eccentricity, m, and speed, rad/s, of the cam.
const CAM: (f64, f64, f64, f64) = (0.2, 0.05, 0.08, PI);

/// The radii of the circle in `count` places, the first one on the far side.
fn eccentric(count: u32) -> Vec<f32> {
    let (radius, _, e, _) = CAM;
    let angles = (0..count).map(|i| f64::from(i) * TAU / f64::from(count));
    angles.map(|t| (e * t.cos() + (radius * radius - (e * t.sin()).powi(2)).sqrt()) as f32).collect()
}

/// Height, m, and speed, m/s, of the roller's centre after `t` seconds: a crank e with a rod R + ρ.
fn lift(t: f64) -> (f64, f64) {
    let (radius, roller, e, omega) = CAM;
    let (sine, cosine) = (omega * t).sin_cos();
    let rod = ((radius + roller).powi(2) - (e * sine).powi(2)).sqrt();
    (e * cosine + rod, -omega * (e * sine + e * e * sine * cosine / rod))
}

pub const FAMILY: Family = Family {
    title: "Couplings",
    about: "Teeth, a thread and a belt couple two motions, and with them two inertias.",
    cases: &[
        Case {
            name: "coupling/gear",
            what: "A torque of 2 N·m on a gear of 0.2 m that meshes with one of 0.5 m.",
            scene: || wheels(0.7, "Gear"),
            runs: Runs::USUAL,
            measure: spins,
            quantities: &[
                SPIN_OF_A,
                Quantity::share("spin of B", "rad/s", "−r ω_A, r = r_A/r_B", || -0.4 * alpha(), Bounds::same(1e-3)),
            ],
        },
        Case {
            name: "coupling/belt",
            what: "The same wheels with a belt, a metre apart.",
            scene: || wheels(1.0, "Belt"),
            runs: Runs::USUAL,
            measure: spins,
            quantities: &[
                SPIN_OF_A,
                Quantity::share("spin of B", "rad/s", "r ω_A", || 0.4 * alpha(), Bounds::same(1e-3)),
            ],
        },
        Case {
            name: "coupling/cam",
            what: "A cam, a circle of 0.2 m about a point 0.08 m off its axis, turns at π rad/s and lifts a roller of 0.05 m.",
            scene: || {
                let radii: Vec<f32> = eccentric(36);
                format!(
                    "bodies: [(name: \"cam\", shape: Sphere(radius: 0.1), mass: 1, collide: false), (name: \"follower\", \
                     shape: Sphere(radius: 0.05), at: (0, 0, 0.33), mass: 2, collide: false)], joints: [(name: \"axle\", b: \
                     \"cam\", anchor: (0, 0, 0), axis: (0, -1, 0), kind: Hinge(motor: (speed: {PI}))), (name: \"guide\", b: \
                     \"follower\", anchor: (0, 0, 0.33), axis: (0, 0, 1), kind: Prismatic), (name: \"profile\", a: \"cam\", \
                     b: \"follower\", axis: (0, -1, 0), kind: Cam(radii: {radii:?}, roller: 0.05))]"
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(0.5);
                let (place, speed) = (t.at("follower").z, t.velocity("follower").z);
                t.run(0.25);
                vec![place, speed, t.at("follower").z, t.velocity("follower").z]
            },
            quantities: &[
                Quantity::share(
                    "height at a quarter turn",
                    "m",
                    "√((R + ρ)² − e²)",
                    || lift(0.5).0,
                    Bounds::same(1e-4),
                ),
                Quantity::share("speed at a quarter turn", "m/s", "−e ω", || lift(0.5).1, Bounds::same(1e-3)),
                Quantity::share(
                    "height at three eighths of a turn",
                    "m",
                    "e cos θ + √((R + ρ)² − e² sin² θ)",
                    || lift(0.75).0,
                    Bounds::same(1e-4),
                ),
                Quantity::share(
                    "speed at three eighths of a turn",
                    "m/s",
                    "ω ds/dθ",
                    || lift(0.75).1,
                    Bounds::same(1e-3),
                ),
            ],
        },
        Case {
            name: "coupling/rack",
            what: "A rack of 2 kg falls along its rail and turns a pinion of 3 kg and 0.2 m radius.",
            scene: || {
                "bodies: [(name: \"pinion\", shape: Cylinder(radius: 0.2, half_length: 0.05), rotation: AxisAngle(axis: (1, \
                 0, 0), angle: Degrees(-90)), mass: 3, collide: false), (name: \"rack\", shape: Box(half: (0.05, 0.05, \
                 0.5)), at: (0.2, 0, 0), mass: 2, collide: false)], joints: [(name: \"axle\", b: \"pinion\", anchor: (0, 0, \
                 0), axis: (0, 1, 0), kind: Hinge), (name: \"rail\", b: \"rack\", anchor: (0.2, 0, 0), axis: (0, 0, 1), \
                 kind: Prismatic), (name: \"teeth\", a: \"pinion\", b: \"rack\", axis_a: (0, 0, 1), axis_b: (0, 0, 1), kind: \
                 Rack(radius: 0.2))]"
                    .to_owned()
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(1.0);
                vec![t.velocity("rack").z]
            },
            quantities: &[Quantity::share(
                "speed after 1 s",
                "m/s",
                "−m g t/(m + I/r²)",
                || -2.0 * G / 3.5,
                Bounds::same(1e-3),
            )],
        },
        Case {
            name: "coupling/screw",
            what: "A nut of 2 kg and 0.2 m sinks on a thread of 0.3 m a turn.",
            scene: || {
                "bodies: [(name: \"nut\", shape: Cylinder(radius: 0.2, half_length: 0.05), mass: 2, collide: false)], joints: \
                 [(name: \"thread\", b: \"nut\", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Screw(lead: 0.3))]"
                    .to_owned()
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(1.0);
                vec![t.velocity("nut").z, t.angular_velocity("nut").z]
            },
            quantities: &[
                Quantity::share("speed after 1 s", "m/s", "−m g t/(m + I (2π/L)²)", screw, Bounds::same(1e-3)),
                Quantity::share("spin", "rad/s", "2π v/L", || screw() * TAU / 0.3, Bounds::same(1e-3)),
            ],
        },
    ],
};

/// The speed of the nut after 1 s, m/s.
fn screw() -> f64 {
    -2.0 * G / (2.0 + 0.04 * (TAU / 0.3).powi(2))
}
