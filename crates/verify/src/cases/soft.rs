//! Springs and soft rows.
//!
//! A weight released with its spring unstretched sinks by
//!
//! ```text
//! x = s (1 − e^(−ζωt) (cos ω_d t + ζ/√(1 − ζ²) sin ω_d t)),   s = g/ω²,  ω_d = ω √(1 − ζ²)
//! ```
//! first to s (1 + e^(−πζ/√(1 − ζ²))) at π/ω_d. For an angular row the mass is the moment of inertia about its axis:
//! a body deflected by θ under a moment M(θ) is in equilibrium at M = I ω² θ.

use std::f64::consts::{PI, TAU};

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::case_run::CaseRun;
use crate::reference::{G, period, rk4_step, root};

/// Frequency, Hz, and damping ratio of the oscillating springs.
const HERTZ: f64 = 1.0;
const ZETA: f64 = 0.05;

/// The static deflection g/ω², m.
fn sag(hertz: f64) -> f64 {
    G / (TAU * hertz).powi(2)
}

/// The ratio of successive amplitudes of a damped oscillator, half a period apart.
fn left() -> f64 {
    (-PI * ZETA / (1.0 - ZETA * ZETA).sqrt()).exp()
}

fn damped_period(hertz: f64) -> f64 {
    1.0 / (hertz * (1.0 - ZETA * ZETA).sqrt())
}

const PERIOD: Quantity =
    Quantity::share("period", "s", "1/(f √(1 − ζ²))", || damped_period(HERTZ), Bounds::first_order(0.02));
const LOWEST: Quantity = Quantity::share(
    "lowest point",
    "m",
    "g/ω² (1 + e^(−πζ/√(1 − ζ²)))",
    || sag(HERTZ) * (1.0 + left()),
    Bounds::first_order(0.08),
);

/// Stiffness, N·m/rad, and damping coefficient, N·m·s/rad, of a door closer; its poles are real.
const CLOSER: (f64, f64) = (12.0, 40.0);
/// Poles of a stiff drive, 1/s.
const DRIVE: (f64, f64) = (484.0, 34_810.0);
const CREEPS: &str = "φ₀ (1 − (p₂ e^(−p₁t) − p₁ e^(−p₂t))/(p₂ − p₁)),  I p² − c p + k = 0";

/// The angle of the door after `t` seconds, rad.
fn closing(t: f64) -> f64 {
    let inertia = 25.0 * ((0.9 * 0.9 + 0.04 * 0.04) / 12.0 + 0.45 * 0.45);
    let (half, product) = (0.5 * CLOSER.1 / inertia, CLOSER.0 / inertia);
    let apart = (half * half - product).sqrt();
    let (slow, fast) = (half - apart, half + apart);
    PI / 3.0 * (1.0 - (fast * (-slow * t).exp() - slow * (-fast * t).exp()) / (fast - slow))
}

/// A bar held by a soft row: half its length, m, and the row's frequency, Hz.
const ARM: f64 = 0.5;
const LEANS: f64 = 1.5;

/// The deflection of the bar, rad, below `from`: m g d cos θ = I ω² (θ − from), I about the hinge.
fn lean(from: f64) -> f64 {
    let inertia = (ARM * ARM + 0.04 * 0.04) / 3.0 + ARM * ARM;
    root(from, 1.5, |angle| G * ARM * angle.cos() - inertia * (TAU * LEANS).powi(2) * (angle - from)) - from
}

/// The same where the spring's torque is that of the chord, I ω² sin θ, as of a soft orientation, I about its centre.
fn lean_of_chord() -> f64 {
    let inertia = (ARM * ARM + 0.04 * 0.04) / 3.0;
    (G * ARM / (inertia * (TAU * LEANS).powi(2))).atan()
}

/// The bar, held by `joint` at its end at the origin.
fn held_bar(joint: &str) -> String {
    format!(
        "bodies: [(name: \"bar\", shape: Box(half: ({ARM}, 0.04, 0.04)), at: ({ARM}, 0, 0), mass: 2, collide: false)], \
         joints: [(name: \"joint\", b: \"bar\", anchor: (0, 0, 0), axis: (0, 1, 0), {joint})]"
    )
}

/// The angle of the bar below the horizontal, rad.
fn leaning(t: &CaseRun) -> f64 {
    let along = t.rotation("bar") * glam::DVec3::X;
    (-along.z).atan2(along.x)
}

/// Frequency, Hz, and damping ratio of the mat.
const MAT: (f64, f64) = (3.0, 0.1);

/// The rebound speed over the impact speed of a spring with a damper that can only push: it acts until ω² x + 2 ζ ω
/// x' changes sign.
fn mat_bounce() -> f64 {
    let (omega, zeta) = (TAU * MAT.0, MAT.1);
    let rate = |_: f64, [x, v]: &[f64; 2]| [*v, -omega * omega * x - 2.0 * zeta * omega * v];
    let mut state = [0.0, 1.0];
    loop {
        state = rk4_step(&state, 0.0, 1e-6, &rate);
        if rate(0.0, &state)[1] >= 0.0 {
            return -state[1];
        }
    }
}

pub const FAMILY: Family = Family {
    title: "Springs and soft rows",
    about: "A row of frequency f and damping ratio ζ is a spring and a damper, independent of what hangs on it. At \
            rest it gives way by g/ω². A soft contact gives way likewise.",
    cases: &[
        Case {
            name: "spring/hanging-weight",
            what: "A ball is let go on a spring of 1 Hz and ζ = 0.05 at its rest length.",
            scene: || {
                format!(
                    "bodies: [(name: \"ball\", shape: Sphere(radius: 0.1), at: (0, 0, -1), mass: 2, collide: false)], \
                     joints: [(name: \"spring\", b: \"ball\", anchor_a: (0, 0, 0), \
                     kind: Spring(length: 1, hertz: {HERTZ}, damping_ratio: {ZETA}))]"
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                let fall = t.watch(5.0, |t| -1.0 - t.at("ball").z);
                let lowest = fall.iter().copied().fold(0.0, f64::max);
                let swing: Vec<f64> = fall.iter().map(|x| x - sag(HERTZ)).collect();
                let period = period(&swing, t.h());
                t.run(55.0);
                vec![period, lowest, -1.0 - t.at("ball").z]
            },
            quantities: &[
                PERIOD,
                LOWEST,
                Quantity::share("sag after 60 s", "m", "g/ω²", || sag(HERTZ), Bounds::same(1e-4)),
            ],
        },
        Case {
            name: "spring/sprung-hinge",
            what: "A ball on a hinge with a spring of 1 Hz and ζ = 0.05 is let go 0.5 rad from rest.",
            scene: || {
                format!(
                    "bodies: [(name: \"ball\", shape: Sphere(radius: 0.3), mass: 2, collide: false)], \
                     joints: [(name: \"hinge\", b: \"ball\", anchor: (0, 0, 0), axis: (0, 0, 1), \
                     kind: Hinge(spring: (hertz: {HERTZ}, damping_ratio: {ZETA}, angle: 0.5)))]"
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                let swing = t.watch(6.0, |t| f64::from(t.joint("hinge").value) - 0.5);
                let over = swing.iter().copied().fold(0.0, f64::max);
                vec![period(&swing, t.h()), over]
            },
            quantities: &[
                PERIOD,
                Quantity::share(
                    "first swing over",
                    "rad",
                    "θ₀ e^(−πζ/√(1 − ζ²))",
                    || 0.5 * left(),
                    Bounds::first_order(0.18),
                ),
            ],
        },
        Case {
            name: "spring/door-closer",
            what: "A door of 25 kg is let go on a hinge with a closer of 12 N·m/rad and 40 N·m·s/rad that rests at 60°.",
            scene: || {
                format!(
                    "bodies: [(name: \"door\", shape: Box(half: (0.45, 0.02, 1)), at: (0.45, 0, 0), mass: 25, \
                     collide: false)], joints: [(name: \"hinge\", b: \"door\", anchor: (0, 0, 0), axis: (0, 0, 1), kind: \
                     Hinge(spring: (stiffness: {}, damping: {}, angle: Degrees(60))))]",
                    CLOSER.0, CLOSER.1
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(3.0);
                let after = f64::from(t.joint("hinge").value);
                t.run(5.0);
                vec![after, f64::from(t.joint("hinge").value)]
            },
            quantities: &[
                Quantity::share("angle after 3 s", "rad", CREEPS, || closing(3.0), Bounds::first_order(0.002)),
                Quantity::share("angle after 8 s", "rad", CREEPS, || closing(8.0), Bounds::first_order(0.002)),
            ],
        },
        Case {
            name: "spring/stiff-drive",
            what: "A load of 2 kg on a rail is drawn to 1 m by a spring and a damper with poles of 484 and 34,810 per \
                   second.",
            scene: || {
                format!(
                    "bodies: [(name: \"load\", shape: Sphere(radius: 0.1), mass: 2, collide: false)], joints: [(name: \
                     \"rail\", b: \"load\", anchor: (0, 0, 0), axis: (1, 0, 0), kind: Prismatic(spring: (stiffness: {}, \
                     damping: {}, slide: 1)))]",
                    2.0 * DRIVE.0 * DRIVE.1,
                    2.0 * (DRIVE.0 + DRIVE.1)
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                let way = t.watch(0.2, |t| f64::from(t.joint("rail").value));
                let back = way.windows(2).map(|pair| pair[0] - pair[1]).fold(0.0, f64::max);
                let over = way.iter().map(|x| x - 1.0).fold(0.0, f64::max);
                vec![back.max(over), way[way.len() - 1]]
            },
            quantities: &[
                Quantity::absolute("back or beyond", "m", "it creeps in", || 0.0, Bounds::same(5e-6)),
                Quantity::share("slide after 0.2 s", "m", "the rest slide", || 1.0, Bounds::same(1e-5)),
            ],
        },
        Case {
            name: "spring/sprung-slider",
            what: "A load of 3 kg stands on a sprung rail of 2 Hz, ζ = 0.5.",
            scene: || {
                "bodies: [(name: \"load\", shape: Box(half: (0.2, 0.2, 0.2)), mass: 3, collide: false)], \
                 joints: [(name: \"rail\", b: \"load\", axis: (0, 0, 1), \
                 kind: Prismatic(spring: (hertz: 2, damping_ratio: 0.5)))]"
                    .into()
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(10.0);
                vec![-f64::from(t.joint("rail").value), f64::from(t.joint("rail").spring)]
            },
            quantities: &[
                Quantity::share("sag", "m", "g/ω²", || sag(2.0), Bounds::same(1e-3)),
                Quantity::share("force of the spring", "N", "m g", || 3.0 * G, Bounds::same(1e-3)),
            ],
        },
        Case {
            name: "soft/anchor",
            what: "A ball is let go at a ball joint whose anchor is a spring of 1 Hz and ζ = 0.05.",
            scene: || {
                format!(
                    "bodies: [(name: \"ball\", shape: Sphere(radius: 0.1), mass: 2, collide: false)], \
                     joints: [(name: \"point\", b: \"ball\", anchor: (0, 0, 0), kind: BallSocket, \
                     soft: (anchor: (hertz: {HERTZ}, damping_ratio: {ZETA})))]"
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                let fall = t.watch(5.0, |t| -t.at("ball").z);
                let lowest = fall.iter().copied().fold(0.0, f64::max);
                let swing: Vec<f64> = fall.iter().map(|x| x - sag(HERTZ)).collect();
                let period = period(&swing, t.h());
                t.run(55.0);
                vec![period, lowest, -t.at("ball").z]
            },
            quantities: &[
                PERIOD,
                LOWEST,
                Quantity::share("sag after 60 s", "m", "g/ω²", || sag(HERTZ), Bounds::same(1e-3)),
            ],
        },
        Case {
            name: "soft/weld",
            what: "A bar of 1 m and 2 kg welded to a wall, the weld's turn a spring of 1.5 Hz and ζ = 0.7.",
            scene: || held_bar("kind: Fixed(), soft: (axis: (hertz: 1.5, damping_ratio: 0.7))"),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(20.0);
                vec![leaning(t)]
            },
            quantities: &[Quantity::absolute(
                "lean",
                "rad",
                "m g d cos θ = I ω² sin θ",
                lean_of_chord,
                Bounds::same(5e-3),
            )],
        },
        Case {
            name: "soft/stop",
            what: "The same bar on a hinge that stops at 0.2 rad, the stop a spring of 1.5 Hz and ζ = 0.7.",
            scene: || held_bar("kind: Hinge(limit: (-0.2, 0.2)), soft: (limit: (hertz: 1.5, damping_ratio: 0.7))"),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(20.0);
                vec![leaning(t) - 0.2]
            },
            quantities: &[Quantity::absolute(
                "lean past the stop",
                "rad",
                "m g d cos θ = I ω² (θ − θ₁)",
                || lean(0.2),
                Bounds::same(5e-3),
            )],
        },
        Case {
            name: "soft/mat",
            what: "A ball falls at 2 m/s onto a mat of 3 Hz and ζ = 0.1, without gravity.",
            scene: || {
                format!(
                    "materials: [(name: \"mat\", soft: (hertz: {}, damping_ratio: {}))], \
                     bodies: [(name: \"floor\", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static, \
                     material: \"mat\"), (name: \"ball\", shape: Sphere(radius: 0.3), at: (0, 0, 0.5), mass: 2, \
                     velocity: (0, 0, -2))]",
                    MAT.0, MAT.1
                )
            },
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                let heights = t.watch(1.0, |t| t.at("ball").z);
                vec![t.velocity("ball").z, 0.3 - heights.into_iter().fold(f64::MAX, f64::min)]
            },
            quantities: &[
                Quantity::share(
                    "speed off the mat",
                    "m/s",
                    "x'' = −ω² x − 2 ζ ω x' while that pushes, by Runge–Kutta",
                    || 2.0 * mat_bounce(),
                    Bounds::first_order(0.1),
                ),
                Quantity::share(
                    "deepest dent",
                    "m",
                    "v/ω e^(−ζ/√(1 − ζ²) acos ζ)",
                    || {
                        let (omega, zeta) = (TAU * MAT.0, MAT.1);
                        2.0 / omega * (-zeta / (1.0 - zeta * zeta).sqrt() * zeta.acos()).exp()
                    },
                    Bounds::first_order(0.1),
                ),
            ],
        },
        Case {
            name: "soft/world",
            what: "A ball hangs at a ball joint, all rows made soft with 5 Hz and ζ = 1.",
            scene: || {
                "bodies: [(name: \"ball\", shape: Sphere(radius: 0.2), mass: 2, collide: false)], \
                 joints: [(name: \"point\", b: \"ball\", anchor: (0, 0, 0), kind: BallSocket)]"
                    .into()
            },
            runs: Runs::with(&["stabilization.method=Soft", "stabilization.hertz=5", "stabilization.damping_ratio=1"]),
            measure: |t| {
                t.run(10.0);
                vec![-t.at("ball").z]
            },
            quantities: &[Quantity::share("sag", "m", "g/ω²", || sag(5.0), Bounds::same(0.01))],
        },
        Case {
            name: "soft/contacts",
            what: "A cube of 1 m rests on soft contacts of 8 Hz and ζ = 1, slop 2 mm, 40 sweeps.",
            scene: || {
                "bodies: [(name: \"floor\", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static), \
                 (name: \"cube\", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.48), mass: 1)]"
                    .into()
            },
            runs: Runs::with(&[
                "stabilization.method=Soft",
                "stabilization.hertz=8",
                "stabilization.damping_ratio=1",
                "contact.slop=0.002",
                "solver.iterations=40",
            ]),
            measure: |t| {
                t.run(4.0);
                vec![0.5 - t.at("cube").z - 0.002]
            },
            quantities: &[Quantity::share("sag beyond the slop", "m", "g/ω²", || sag(8.0), Bounds::same(0.02))],
        },
    ],
};
