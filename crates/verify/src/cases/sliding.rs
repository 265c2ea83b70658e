//! Sliding under Coulomb friction.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::reference::{G, rk4_step};

const MU: f64 = 0.5;

/// A cube of 1 m on a horizontal floor, µ = 0.5.
fn cube(velocity: &str) -> String {
    format!(
        "bodies: [(name: \"floor\", shape: Box(half: (50, 50, 0.5)), at: (0, 0, -0.5), motion: Static), \
         (name: \"cube\", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.5), mass: 1, velocity: {velocity})]"
    )
}

/// The acceleration down the slope of 30°, m/s².
fn down() -> f64 {
    let (sin, cos) = 30f64.to_radians().sin_cos();
    G * (sin - MU * cos)
}

/// The rod: half its length and its radius, m; its angle from the vertical, rad; its coefficient of friction.
const ROD: (f64, f64) = (0.5, 0.01);
const LEAN: f64 = 0.489;
const ROUGH: f64 = 1.8;

/// Angle, angular velocity and speed of the rod after 0.05 s. F is the normal force at its end, ρ = r + L cos θ the height of
/// its middle: I α = (µ ρ + L sin θ) F, and z = ρ gives F = m (g − L cos θ ω²)/(1 + (m/I) L sin θ (µ ρ + L sin θ)).
fn rough_rod() -> [f64; 3] {
    let (half, r) = ROD;
    // A cylinder and two half balls.
    let (tube, ball) = (2.0 * half, 4.0 / 3.0 * r);
    let (tube, ball) = (tube / (tube + ball), ball / (tube + ball));
    let inertia = tube * (r * r / 4.0 + half * half / 3.0) + ball * (0.4 * r * r + half * half + 0.75 * half * r);
    let rate = |_: f64, [lean, omega, _]: &[f64; 3]| {
        let (sin, cos) = lean.sin_cos();
        let arm = ROUGH * (r + half * cos) + half * sin;
        let load = (G - half * cos * omega * omega) / (1.0 + half * sin * arm / inertia);
        [*omega, arm * load / inertia, -ROUGH * load]
    };
    let h = 0.05 / 500.0;
    (0..500).fold([LEAN, 0.0, 3.0], |state, step| rk4_step(&state, f64::from(step) * h, h, &rate))
}

pub const FAMILY: Family = Family {
    title: "Sliding",
    about: "A cube of 1 m, µ = 0.5. On a slope gravity leans instead of the floor.",
    cases: &[
        Case {
            name: "sliding/stopping",
            what: "The cube is pushed off at 3 m/s, at 30° to its sides.",
            scene: || cube("(2.5980762, 1.5, 0)"),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(2.0);
                let way = t.at("cube").truncate();
                vec![way.length(), way.y.atan2(way.x).to_degrees()]
            },
            quantities: &[
                Quantity::share("way", "m", "v²/(2 µ g)", || 9.0 / (2.0 * MU * G), Bounds::first_order(0.04)),
                Quantity::absolute("direction", "°", "straight on", || 30.0, Bounds::same(0.1)),
            ],
        },
        Case {
            name: "sliding/down-a-slope",
            what: "The cube is let go on a slope of 30°.",
            scene: || cube("(0, 0, 0)"),
            runs: Runs::with(&["step.gravity=4.905,0,-8.495709"]),
            measure: |t| {
                t.run(1.0);
                vec![t.velocity("cube").x, t.at("cube").x]
            },
            quantities: &[
                Quantity::share("speed after 1 s", "m/s", "g (sin α − µ cos α) t", down, Bounds::same(0.01)),
                Quantity::share(
                    "displacement after 1 s",
                    "m",
                    "g (sin α − µ cos α) t²/2",
                    || 0.5 * down(),
                    Bounds::first_order(0.03),
                ),
            ],
        },
        Case {
            name: "sliding/held-on-a-slope",
            what: "The cube on a slope of 25°, tan α = 0.466 < µ, for 20 s.",
            scene: || cube("(0, 0, 0)"),
            runs: Runs::with(&["step.gravity=4.145885,0,-8.890879"]),
            measure: |t| {
                t.run(20.0);
                vec![t.at("cube").x]
            },
            quantities: &[Quantity::absolute("displacement after 20 s", "m", "0", || 0.0, Bounds::same(1e-3))],
        },
        Case {
            name: "sliding/rough-rod",
            what: "A rod of 1 m leans forward by 28° and slides at 3 m/s on its rough end, µ = 1.8.",
            scene: || {
                let (sin, cos) = LEAN.sin_cos();
                let (half, radius) = ROD;
                format!(
                    "bodies: [(name: \"floor\", shape: Box(half: (50, 50, 0.5)), at: (0, 0, -0.5), motion: Static, \
                     friction: {ROUGH}), (name: \"rod\", shape: Capsule(radius: {radius}, half_length: {half}), at: \
                     ({}, 0, {}), mass: 1, rotation: AxisAngle(axis: (0, 1, 0), angle: {LEAN}), velocity: (3, 0, 0), \
                     friction: {ROUGH}, plane: (0, 1, 0))]",
                    half * sin,
                    radius + half * cos
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(0.05);
                vec![t.angular_velocity("rod").y, t.velocity("rod").x]
            },
            quantities: &[
                Quantity::share(
                    "angular velocity after 0.05 s",
                    "rad/s",
                    "I α = (µ ρ + L sin θ) F, see the rod by Runge–Kutta",
                    || rough_rod()[1],
                    Bounds::first_order(0.12),
                ),
                Quantity::share("speed after 0.05 s", "m/s", "the same", || rough_rod()[2], Bounds::first_order(0.02)),
            ],
        },
    ],
};
