//! Bent shafts: Hooke's joint and the constant velocity joint.
//!
//! Hooke's joint is a cross on two hinges. With the driving pin perpendicular to the plane of both shafts at θ = 0,
//!
//! ```text
//! tan θ2 = cos β tan θ1,   ω2/ω1 = cos β/(cos²θ1 + cos²β sin²θ1),  from cos β to 1/cos β
//! ```

use std::f64::consts::PI;

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::case_run::CaseRun;

/// The angle between the shafts, rad, and the driving shaft's angular velocity, rad/s.
const BEND: f64 = PI / 5.0;
const SPEED: f64 = 3.0;

/// A driving shaft along x, a kinematic body, and a driven one at the angle, its axis held by an axis lock; they meet
/// at the origin. `joint` connects them; `start` is the driven shaft's initial angular velocity.
fn scene(bodies: &str, joints: &str, start: f64) -> String {
    let (sin, cos) = BEND.sin_cos();
    format!(
        "bodies: [(name: \"driver\", shape: Box(half: (0.3, 0.05, 0.05)), at: (-0.3, 0, 0), motion: Kinematic, \
         angular_velocity: ({SPEED}, 0, 0), collide: false), \
         (name: \"driven\", shape: Box(half: (0.3, 0.05, 0.05)), at: ({}, 0, {}), mass: 2, \
         rotation: AxisAngle(axis: (0, 1, 0), angle: {}), angular_velocity: ({}, 0, {}), collide: false), {bodies}], \
         joints: [(name: \"bearing\", b: \"driven\", axis: ({cos}, 0, {sin}), kind: AxisLock), {joints}]",
        0.3 * cos,
        0.3 * sin,
        -BEND,
        start * cos,
        start * sin
    )
}

/// The driven shaft's rotation angle, rad.
fn angle(t: &CaseRun) -> f64 {
    f64::from(t.joint("bearing").value)
}

/// The ratio of the driven shaft's angular velocity to the driving one's.
fn ratio(t: &CaseRun) -> f64 {
    f64::from(t.joint("bearing").speed) / SPEED
}

fn extremes(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(*v), high.max(*v)))
}

/// The driven shaft's angle at an angle of the driving one, full turns included.
fn hooke(driving: f64) -> f64 {
    let turns = (driving / PI).round();
    (BEND.cos() * (driving - turns * PI).tan()).atan() + turns * PI
}

/// The duration of the measurement, s: a number of turns that is not whole.
const SECONDS: f64 = 10.5;

pub const FAMILY: Family = Family {
    title: "Hooke's joint and constant velocity",
    about: "Two shafts meet at an angle of 36°. One turns at 3 rad/s, and the other follows.",
    cases: &[
        Case {
            name: "shaft/hooke",
            what: "A cross on two hinges between them, with the driving pin perpendicular to the plane of the shafts \
                   at first.",
            scene: || {
                let (sin, cos) = BEND.sin_cos();
                scene(
                    &format!(
                        "(name: \"cross\", shape: Sphere(radius: 0.1), mass: 1, angular_velocity: ({SPEED}, 0, 0), \
                         collide: false)"
                    ),
                    &format!(
                        "(name: \"pin 1\", a: \"driver\", b: \"cross\", anchor: (0, 0, 0), axis: (0, 1, 0), kind: \
                         Hinge), (name: \"pin 2\", a: \"cross\", b: \"driven\", anchor: (0, 0, 0), axis: ({}, 0, \
                         {cos}), kind: Hinge)",
                        -sin
                    ),
                    SPEED * cos,
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(1.0);
                let ratios = t.watch(SECONDS - 1.0, ratio);
                let (least, most) = extremes(&ratios);
                vec![most, least, angle(t)]
            },
            quantities: &[
                Quantity::share(
                    "greatest ratio of speeds",
                    "",
                    "1/cos β",
                    || 1.0 / BEND.cos(),
                    Bounds::first_order(0.02),
                ),
                Quantity::share("least ratio of speeds", "", "cos β", || BEND.cos(), Bounds::first_order(0.02)),
                Quantity::absolute(
                    "angle after 10.5 s",
                    "rad",
                    "tan θ₂ = cos β tan θ₁",
                    || hooke(SPEED * SECONDS),
                    Bounds::first_order(0.02),
                ),
            ],
        },
        Case {
            name: "shaft/constant-velocity",
            what: "A constant velocity joint between them.",
            scene: || {
                scene(
                    "",
                    "(name: \"joint\", a: \"driver\", b: \"driven\", anchor: (0, 0, 0), axis_a: (1, 0, 0), \
                     axis_b: (1, 0, 0), kind: ConstantVelocity)",
                    SPEED,
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(1.0);
                let ratios = t.watch(SECONDS - 1.0, ratio);
                let (least, most) = extremes(&ratios);
                vec![most, least, angle(t)]
            },
            quantities: &[
                Quantity::share("greatest ratio of speeds", "", "1", || 1.0, Bounds::first_order(0.01)),
                Quantity::share("least ratio of speeds", "", "1", || 1.0, Bounds::first_order(0.01)),
                Quantity::absolute(
                    "angle after 10.5 s",
                    "rad",
                    "θ₂ = θ₁",
                    || SPEED * SECONDS,
                    Bounds::first_order(0.01),
                ),
            ],
        },
    ],
};
