//! MuJoCo as a judge: scenes that are written down twice, once by the export and once here, move alike.
//!
//! MuJoCo shares no code with this program, has coordinates of joints where this one has rows, and 64 bits where it has
//! 32. The script `scripts/judge_mjcf.py` runs the exported model with Runge–Kutta steps of fourth order. The test runs
//! only where Python has the package `mujoco`; the variable `DELASSUS_PYTHON` names another interpreter than `python3`.
//!
//! Four points of each body are compared every quarter of a second: its centre of mass, and a point on each of its axes
//! at the body's radius. The error of a scene is the largest distance between a point here and the same point in MuJoCo.
//! It depends on the step:
//!
//! ```text
//! E(h) ≤ C hᵖ + F      p = 2   free flight (leapfrog), and joints by RATTLE
//!                      p = 1   the damper of a spring or of a servo
//!                      F = N ε (X + V T/2)   rounding, ε = 2⁻²⁴, N sub-steps in T seconds
//!                          X: the largest coordinate, V: the largest speed, which is rounded, too
//! ```
//! F assumes that all sub-steps round to the same side. They do, because each adds nearly the same displacement: a body
//! that flies at 1 m/s past x = 7 m is 0.4 mm off after 2 s at 240 steps a second, N ½ ulp = 1920 · 2.4e-7 m. So there is
//! a best step. At 2000 steps a second C h² is a thousandth of its value at 60, and F is thirty-three times as large.
//!
//! Each scene has its own bounds, twice the measured errors. The test checks that these bounds obey the formula, too.

mod mujoco;
mod ours;

use mujoco::{Judge, Sample};

/// How long the scenes run, s, and how often they are compared.
const SECONDS: f64 = 2.0;
const EVERY: f64 = 0.25;
/// MuJoCo's step, s. With half of it no place changes by more than 2e-9 m, a thousandth of the least bound here.
const STEP: f64 = 1e-4;
/// Steps a second: the default, four times as many, and as many as there can be. Each has four sub-steps.
const RATES: [f32; 3] = [60.0, 240.0, 2000.0];
const SUBSTEPS: f64 = 4.0;

/// A scene, the order p of its error, and the bounds of the error at the [`RATES`], m.
struct Case {
    name: &'static str,
    text: &'static str,
    order: i32,
    within: [f64; 3],
}

macro_rules! cases {
    ($($name:literal: $order:literal, $within:expr);* $(;)?) => {
        [$(Case {
            name: $name,
            text: include_str!(concat!("scenes/", $name, ".ron")),
            order: $order,
            within: $within,
        }),*]
    };
}

#[test]
fn scenes_move_as_in_mujoco() {
    let judge = match Judge::find() {
        Ok(judge) => judge,
        Err(why) => return println!("skipped: {why}"),
    };
    let cases = cases! {
        "pendulum": 2, [5e-4, 3e-5, 1.5e-4];
        "double-pendulum": 2, [6e-3, 3e-4, 8e-4];
        "spherical-chain": 2, [1.8e-2, 1.2e-3, 1e-3];
        "free-body": 2, [1e-4, 1.2e-4, 2.2e-3];
        "hinge-spring": 1, [2.1e-3, 5.5e-4, 7e-5];
        "slider-damper": 1, [6e-4, 1.5e-4, 3e-5];
        "four-bar": 2, [7e-4, 6e-5, 1e-4];
        "geared-pair": 2, [1.7e-4, 1.5e-5, 4e-5];
        "gyroscope": 2, [3.8e-3, 7e-4, 8e-4];
        "cart": 2, [7e-4, 6e-5, 1.5e-4];
        "six-axis-arm": 1, [4.3e-3, 1.1e-3, 1.3e-4];
        "ball-on-rod": 1, [7e-4, 2e-4, 4e-5];
        "shafts": 2, [3.3e-2, 2.2e-3, 1.8e-3];
        "forces": 2, [7e-5, 9e-4, 2.4e-3];
        "belt-rack-pulley": 2, [2.8e-4, 2.6e-5, 2.5e-4];
        "planetary": 2, [1e-4, 7e-6, 1.5e-4];
        "driven-loop": 1, [5.6e-3, 1.4e-3, 1.8e-4];
    };
    println!("scene, error in m at 60, 240 and 2000 steps a second");
    let mut wrong = Vec::new();
    for Case { name, text, order, within } in cases {
        let theirs = judge.run(&ours::exported(name, text), (SECONDS, EVERY, STEP));
        let runs = RATES.map(|rate| ours::run(name, text, rate, (SECONDS, EVERY)));
        let errors = [0, 1, 2].map(|k| error(&theirs, &runs[k], name));
        println!("{name:18} {}", errors.map(|error| format!("{error:.1e}")).join("  "));
        for (k, rate) in RATES.map(f64::from).into_iter().enumerate() {
            let most = within[0] * (f64::from(RATES[0]) / rate).powi(order) + rounding(&runs[k], rate);
            if errors[k] > within[k] || within[k] > most {
                wrong.push(format!("{name} at {rate}: {:.1e} m, within {:.1e}, {most:.1e} m", errors[k], within[k]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// F of the module, m. Rounding of an angle of 1 rad moves the points at the body's radius.
fn rounding(samples: &[Sample], rate: f64) -> f64 {
    let most = |of: fn(&Sample) -> f64| samples.iter().map(of).fold(0.0, f64::max);
    let place = most(|sample| sample.place.abs().max_element() + sample.reach);
    let steps = rate * SUBSTEPS * SECONDS;
    steps * 2f64.powi(-24) * (place + most(|sample| sample.speed) * SECONDS / 2.0)
}

/// The largest distance between the points of a scene's bodies in the two programs, m.
fn error(theirs: &[Sample], ours: &[Sample], name: &str) -> f64 {
    assert_eq!(theirs.len(), ours.len(), "{name}: both have the same bodies at the same times");
    let pairs = theirs.iter().map(|their| {
        let own = ours.iter().find(|own| own.body == their.body && (own.time - their.time).abs() < 1e-9);
        let own = own.unwrap_or_else(|| panic!("{name}: no `{}` at {} s", their.body, their.time));
        own.distance(their)
    });
    pairs.fold(0.0, f64::max)
}
