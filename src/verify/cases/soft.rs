//! Springs and soft rows.
//!
//! A weight that is let go where its spring is at rest goes down by
//!
//! ```text
//! x = s (1 − e^(−ζωt) (cos ω_d t + ζ/√(1 − ζ²) sin ω_d t)),   s = g/ω²,  ω_d = ω √(1 − ζ²)
//! ```
//! first to s (1 + e^(−πζ/√(1 − ζ²))) at π/ω_d.

use std::f64::consts::{PI, TAU};

use crate::verify::case::{Bounds, Case, Family, Quantity, Share};
use crate::verify::reference::{G, period};

/// Frequency, Hz, and damping ratio of the springs that swing.
const HERTZ: f64 = 1.0;
const ZETA: f64 = 0.05;

/// g/ω², m.
fn sag(hertz: f64) -> f64 {
    G / (TAU * hertz).powi(2)
}

/// What a swing of a damped oscillator has left of the one before it, half a period ago.
fn left() -> f64 {
    (-PI * ZETA / (1.0 - ZETA * ZETA).sqrt()).exp()
}

fn damped_period(hertz: f64) -> f64 {
    1.0 / (hertz * (1.0 - ZETA * ZETA).sqrt())
}

pub const FAMILY: Family = Family {
    title: "Springs and soft rows",
    about: "A row of frequency f and damping ratio ζ is a spring and a damper: stable for every stiffness, being implicit, \
        and by that damped more than asked for: ζ grows by ω h/2, at 1 Hz and 60 steps a second from 0.05 to 0.10.",
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
            set: &[],
            measure: |t| {
                let fall = t.watch(5.0, |t| -1.0 - t.at("ball").z);
                let lowest = fall.iter().copied().fold(0.0, f64::max);
                let swing: Vec<f64> = fall.iter().map(|x| x - sag(HERTZ)).collect();
                let period = period(&swing, t.h());
                t.run(55.0);
                vec![period, lowest, -1.0 - t.at("ball").z]
            },
            quantities: &[
                Quantity::share("period", "s", "1/(f √(1 − ζ²))", || damped_period(HERTZ), Bounds::first_order(0.02)),
                Quantity::share(
                    "lowest point",
                    "m",
                    "g/ω² (1 + e^(−πζ/√(1 − ζ²)))",
                    || sag(HERTZ) * (1.0 + left()),
                    Bounds::first_order(0.08),
                ),
                Quantity::share("sag after 60 s", "m", "g/ω²", || sag(HERTZ), Bounds::same(1e-4)),
            ],
            share: Share::Fast,
            without: &[],
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
            set: &[],
            measure: |t| {
                let swing = t.watch(6.0, |t| f64::from(t.joint("hinge").value) - 0.5);
                let over = swing.iter().copied().fold(0.0, f64::max);
                vec![period(&swing, t.h()), over]
            },
            quantities: &[
                Quantity::share("period", "s", "1/(f √(1 − ζ²))", || damped_period(HERTZ), Bounds::first_order(0.02)),
                Quantity::share(
                    "first swing over",
                    "rad",
                    "θ₀ e^(−πζ/√(1 − ζ²))",
                    || 0.5 * left(),
                    Bounds::first_order(0.18),
                ),
            ],
            share: Share::Fast,
            without: &[],
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
            set: &[],
            measure: |t| {
                t.run(10.0);
                vec![-f64::from(t.joint("rail").value), f64::from(t.joint("rail").spring)]
            },
            quantities: &[
                Quantity::share("sag", "m", "g/ω²", || sag(2.0), Bounds::same(1e-3)),
                Quantity::share("force of the spring", "N", "m g", || 3.0 * G, Bounds::same(1e-3)),
            ],
            share: Share::Fast,
            without: &[],
        },
        Case {
            name: "soft/world",
            what: "A ball hangs at a ball joint, all rows made soft with 5 Hz and ζ = 1.",
            scene: || {
                "bodies: [(name: \"ball\", shape: Sphere(radius: 0.2), mass: 2, collide: false)], \
                 joints: [(name: \"point\", b: \"ball\", anchor: (0, 0, 0), kind: BallSocket)]"
                    .into()
            },
            set: &["stabilization.method=Soft", "stabilization.hertz=5", "stabilization.damping_ratio=1"],
            measure: |t| {
                t.run(10.0);
                vec![-t.at("ball").z]
            },
            quantities: &[Quantity::share("sag", "m", "g/ω²", || sag(5.0), Bounds::same(0.01))],
            share: Share::Fast,
            without: &[],
        },
        Case {
            name: "soft/contacts",
            what: "A cube of 1 m rests on soft contacts of 8 Hz and ζ = 1, slop 2 mm, 40 sweeps.",
            scene: || {
                "bodies: [(name: \"floor\", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static), \
                 (name: \"cube\", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.48), mass: 1)]"
                    .into()
            },
            set: &[
                "stabilization.method=Soft",
                "stabilization.hertz=8",
                "stabilization.damping_ratio=1",
                "contact.slop=0.002",
                "solver.iterations=40",
            ],
            measure: |t| {
                t.run(4.0);
                vec![0.5 - t.at("cube").z - 0.002]
            },
            quantities: &[Quantity::share("sag beyond the slop", "m", "g/ω²", || sag(8.0), Bounds::same(0.02))],
            share: Share::Fast,
            without: &[],
        },
    ],
};
