//! Tipping over an edge.
//!
//! A block that rotates about its lower edge, with half diagonal r and its centre at the angle ψ past the vertical,
//! falls as
//!
//! ```text
//! ψ'' = m g r sin ψ/(m r² + I) = 3 g/(4 r) sin ψ
//! ```

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::reference::{G, time_until};

/// The block: half width and half height, m.
const BLOCK: (f64, f64) = (0.2, 0.5);
/// The column likewise, and the initial angle of its centre past the edge, rad.
const COLUMN: (f64, f64) = (0.1, 0.5);
const PAST: f64 = 0.05;

/// The rate at which the floor tilts, rad/s, and its initial tilt, rad.
const LEANING: f64 = 0.017_453_292_519_943_295;
const FROM: f64 = 20.0 * LEANING;
/// The rotation at which the block counts as tipped, rad.
const TIPPED: f64 = 0.05;
/// The longest time, s.
const LONG: f64 = 6.0;

/// The time at which the block has tipped, s: it stays down while the floor's tilt is below atan(b/h).
fn tips() -> f64 {
    let (r, edge) = (BLOCK.0.hypot(BLOCK.1), (BLOCK.0 / BLOCK.1).atan());
    let rate = |time: f64, [turn, speed]: &[f64; 2]| {
        let pull = 0.75 * G / r * (FROM + LEANING * time - edge + turn).sin();
        if *turn <= 0.0 && pull <= 0.0 { [0.0, 0.0] } else { [*speed, pull] }
    };
    time_until([0.0, 0.0], (1e-4, LONG), rate, |[turn, _]| *turn, TIPPED)
}

fn falls() -> f64 {
    let r = COLUMN.0.hypot(COLUMN.1);
    time_until(
        [PAST, 0.0],
        (1e-4, LONG),
        |_, [turn, speed]| [*speed, 0.75 * G / r * turn.sin()],
        |[turn, _]| *turn,
        0.7,
    )
}

pub const FAMILY: Family = Family {
    title: "Tipping",
    about: "A block turns over its edge once its weight points past it; friction is high enough that it does not slip.",
    cases: &[
        Case {
            name: "tipping/leaning-floor",
            what: "A block of 0.4 × 1 m on a floor that leans by 20° at first and by 1° more each second, µ = 1. \
                   (Gravity leans instead.)",
            scene: || {
                format!(
                    "bodies: [(name: \"floor\", shape: Box(half: (20, 20, 0.5)), at: (0, 0, -0.5), motion: Static, \
                     friction: 1), (name: \"block\", shape: Box(half: ({}, 0.2, {})), at: (0, 0, {}), mass: 2, \
                     friction: 1)]",
                    BLOCK.0, BLOCK.1, BLOCK.1
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                let mut before = 0.0;
                while t.time() < LONG {
                    let (sin, cos) = (FROM + LEANING * (t.time() + t.h())).sin_cos();
                    t.world.settings.step.gravity = glam::Vec3::new((G * sin) as f32, 0.0, (-G * cos) as f32);
                    t.step();
                    let turned = (t.rotation("block") * glam::DVec3::Z).z.min(1.0).acos();
                    if turned >= TIPPED {
                        let early = t.h() * (turned - TIPPED) / (turned - before);
                        return vec![(FROM + LEANING * (t.time() - early)).to_degrees()];
                    }
                    before = turned;
                }
                vec![f64::NAN]
            },
            quantities: &[Quantity::share(
                "lean of the floor when the block has turned by 0.05 rad",
                "°",
                "ψ'' = 3 g/(4 r) sin ψ by Runge–Kutta",
                || (FROM + LEANING * tips()).to_degrees(),
                Bounds::first_order(0.02),
            )],
        },
        Case {
            name: "tipping/column",
            what: "A column of 0.2 × 1 m stands on its edge, its centre 0.05 rad past it, µ = 1.",
            scene: || {
                let (b, h) = COLUMN;
                let turned = (b / h).atan() + PAST;
                let (r, past) = (b.hypot(h), PAST.sin_cos());
                format!(
                    "bodies: [(name: \"floor\", shape: Box(half: (20, 20, 0.5)), at: (0, 0, -0.5), motion: Static, \
                     friction: 1), (name: \"column\", shape: Box(half: ({b}, 0.1, {h})), at: ({}, 0, {}), mass: 2, \
                     friction: 1, rotation: AxisAngle(axis: (0, 1, 0), angle: {turned}))]",
                    r * past.0,
                    r * past.1
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                let edge = (COLUMN.0 / COLUMN.1).atan();
                vec![t.until(LONG, 0.7, |t| {
                    let up = t.rotation("column") * glam::DVec3::Z;
                    up.x.atan2(up.z) - edge
                })]
            },
            quantities: &[Quantity::share(
                "time until it leans by 0.7 rad",
                "s",
                "ψ'' = 3 g/(4 r) sin ψ by Runge–Kutta",
                falls,
                Bounds::first_order(0.04),
            )],
        },
        Case {
            name: "tipping/overhang",
            what: "Four blocks of 1 m at a table's edge, each 0.99 of ½, ¼, ⅙ and ⅛ m beyond the one below.",
            scene: || {
                let mut bodies = String::from(
                    "(name: \"table\", shape: Box(half: (2, 1, 0.5)), at: (-2, 0, -0.5), motion: Static, friction: 0.5)",
                );
                let mut edge = 0.0;
                for block in 0..4 {
                    edge += 0.99 * 0.5 / f64::from(4 - block);
                    bodies += &format!(
                        ", (name: \"{block}\", shape: Box(half: (0.5, 0.25, 0.06)), at: ({}, 0, {}), mass: 2)",
                        edge - 0.5,
                        0.06 + 0.12 * f64::from(block)
                    );
                }
                format!("bodies: [{bodies}]")
            },
            runs: Runs::USUAL,
            measure: |t| {
                let before = t.at("3");
                t.run(10.0);
                vec![t.at("3").distance(before)]
            },
            quantities: &[Quantity::absolute(
                "displacement of the topmost in 10 s",
                "m",
                "0",
                || 0.0,
                Bounds::same(2e-3),
            )],
        },
    ],
};
