//! Fast gyroscopes on a point: level axles, and a top that leans.

use glam::DVec3;

use super::gyration::turned;
use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::case_run::CaseRun;
use crate::reference::G;

/// The wheel: radius and half length, m, and distance of its centre from the point, m. Its mass is 0.8 kg, which
/// cancels.
const RADIUS: f64 = 0.1;
const HALF: f64 = 0.02;
const ARM: f64 = 0.15;
/// How long it is watched, s.
const SECONDS: f64 = 20.0;

/// The moments of inertia about the point over the mass, along and across the axle, m².
fn moments() -> (f64, f64) {
    let square = RADIUS * RADIUS;
    (0.5 * square, 0.25 * square + HALF * HALF / 3.0 + ARM * ARM)
}

/// The rate of slow precession, rad/s, of an axle at the angle `lean` from the upright, rad, with `spin` rad/s along
/// itself: I₁ cos θ Ω² − I₃ ω₃ Ω + m g d = 0, which for a level axle is m g d/(I₃ ω₃).
fn precession(spin: f64, lean: f64) -> f64 {
    let (along, across) = moments();
    let (half, load) = (0.5 * along * spin, G * ARM);
    // The smaller root, written so that nothing cancels.
    load / (half + (half * half - across * lean.cos() * load).sqrt())
}

/// The wheel in steady precession.
fn scene(spin: f64, lean: f64) -> String {
    let round = precession(spin, lean) * DVec3::Z;
    let axle = DVec3::new(lean.sin(), 0.0, lean.cos());
    let velocity = round.cross(ARM * axle);
    // `spin` along the axle, and what the precession has across it.
    let turn = spin * axle + round - round.dot(axle) * axle;
    let list = |v: DVec3| format!("({}, {}, {})", v.x, v.y, v.z);
    format!(
        "bodies: [(name: \"wheel\", shape: Cylinder(radius: {RADIUS}, half_length: {HALF}), mass: 0.8, at: {}, rotation: \
         AxisAngle(axis: (0, 1, 0), angle: {lean}), velocity: {}, angular_velocity: {}, collide: false)], \
         joints: [(name: \"point\", b: \"wheel\", anchor: (0, 0, 0), kind: BallSocket)]",
        list(ARM * axle),
        list(velocity),
        list(turn)
    )
}

const LEVEL: f64 = std::f64::consts::FRAC_PI_2;
const LEAN: f64 = 40.0;

/// The rate of precession, rad/s, and the axle's angle from the upright at the end, degrees.
fn measure(t: &mut CaseRun) -> Vec<f64> {
    let round = t.watch(SECONDS, |t| t.at("wheel").y.atan2(t.at("wheel").x));
    let lean = t.at("wheel").angle_between(DVec3::Z).to_degrees();
    vec![turned(&round) / (SECONDS - t.h()), lean]
}

const fn rate(expected: fn() -> f64, within: [f64; 3]) -> Quantity {
    let truth = "I₁ cos θ Ω² − I₃ ω₃ Ω + m g d = 0";
    Quantity::share("speed of precession", "rad/s", truth, expected, Bounds { at: within })
}

const fn lean(expected: fn() -> f64, within: [f64; 3]) -> Quantity {
    Quantity::absolute("angle from the vertical after 20 s", "°", "constant", expected, Bounds { at: within })
}

pub const FAMILY: Family = Family {
    title: "Fast gyroscopes",
    about: "A wheel of 0.8 kg and 0.1 m radius on an axle of 0.15 m that a ball joint holds at its end. It precesses and \
        does not sink.",
    cases: &[
        Case {
            name: "gyroscope/150",
            what: "The axle is horizontal, and the wheel spins at 150 rad/s.",
            scene: || scene(150.0, LEVEL),
            runs: Runs::USUAL,
            measure,
            quantities: &[rate(|| precession(150.0, LEVEL), [0.01, 0.0025, 0.0025]), lean(|| 90.0, [0.5, 0.1, 0.1])],
        },
        Case {
            name: "gyroscope/200",
            what: "The same at 200 rad/s.",
            scene: || scene(200.0, LEVEL),
            runs: Runs::USUAL,
            measure,
            quantities: &[rate(|| precession(200.0, LEVEL), [0.01, 0.0025, 0.0025]), lean(|| 90.0, [0.5, 0.1, 0.1])],
        },
        Case {
            name: "gyroscope/1000",
            what: "The same at 1000 rad/s: more than four radians a sub-step at 60 Hz.",
            scene: || scene(1000.0, LEVEL),
            runs: Runs::USUAL,
            measure,
            quantities: &[rate(|| precession(1000.0, LEVEL), [0.01, 0.02, 0.005]), lean(|| 90.0, [0.5, 0.1, 0.1])],
        },
        Case {
            name: "gyroscope/leaning-top",
            what: "A top at 120 rad/s leans by 40°.",
            scene: || scene(120.0, LEAN.to_radians()),
            runs: Runs::USUAL,
            measure,
            quantities: &[
                rate(|| precession(120.0, LEAN.to_radians()), [0.01, 0.0025, 0.0025]),
                lean(|| LEAN, [0.5, 0.5, 0.5]),
            ],
        },
    ],
};
