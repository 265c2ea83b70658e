//! Free rotation and the gyroscope.
//!
//! With principal moments I1 < I2 < I3, energy E and angular momentum L, L² > 2 E I2, the angular velocity about the
//! middle axis is an elliptic sine (Landau and Lifshitz, Mechanics, § 37):
//!
//! ```text
//! T = 4 K(k) √(I1 I2 I3 / ((I3 − I2)(L² − 2 E I1))),   k² = (I2 − I1)(2 E I3 − L²)/((I3 − I2)(L² − 2 E I1))
//! ```

use glam::DVec3;

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::case_run::CaseRun;
use crate::reference::{G, elliptic_k, period};

/// Half sides of the tumbling book, m; its mass is 2 kg. The moment of inertia is least about x and the middle one
/// about y.
const HALF: DVec3 = DVec3::new(0.5, 0.3, 0.07);
const MASS: f64 = 2.0;
/// Its initial angular velocity, rad/s.
const TUMBLE: DVec3 = DVec3::new(0.2, 6.0, 0.5);

fn moments() -> DVec3 {
    let s = HALF * HALF;
    MASS / 3.0 * DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y)
}

/// The time, s, after which a free body with principal moments `i` and initial angular velocity `spin` has tumbled
/// over and back.
fn tumbling_period(i: DVec3, spin: DVec3) -> f64 {
    let (energy, momentum) = (0.5 * spin.dot(i * spin), (i * spin).length_squared());
    let mut sorted = i.to_array();
    sorted.sort_by(f64::total_cmp);
    let [least, middle, greatest] = sorted;
    // The formula is for L² > 2 E I2; otherwise the least and the greatest moment are exchanged.
    let (low, high) = if momentum > 2.0 * energy * middle { (least, greatest) } else { (greatest, least) };
    let below = (high - middle) * (momentum - 2.0 * energy * low);
    let k_squared = (middle - low) * (2.0 * energy * high - momentum) / below;
    4.0 * elliptic_k(k_squared) * (low * middle * high / below).sqrt()
}

/// The T-handle: radius and half length, m, and mass, kg, of stem and bar; distance of the bar's centre below the
/// stem's, m.
const STEM: (f64, f64, f64) = (0.06, 0.3, 0.6);
const BAR: (f64, f64, f64) = (0.08, 0.5, 2.0);
const BELOW: f64 = 0.36;
/// Initial angular velocity, rad/s; the stem is vertical, and its axis is the middle one.
const TWIST: DVec3 = DVec3::new(0.02, 0.02, 8.0);

/// The heights of the stem's and the bar's centres above their common centre, m.
fn heights() -> (f64, f64) {
    let stem = BELOW * BAR.2 / (STEM.2 + BAR.2);
    (stem, stem - BELOW)
}

/// Principal moments of inertia of both about their common centre, kg m²: bar along x, stem along z.
fn handle() -> DVec3 {
    let cylinder = |(r, half, m): (f64, f64, f64)| (0.5 * m * r * r, m * (0.25 * r * r + half * half / 3.0));
    let ((stem_along, stem_across), (bar_along, bar_across)) = (cylinder(STEM), cylinder(BAR));
    let (stem, bar) = heights();
    let apart = STEM.2 * stem * stem + BAR.2 * bar * bar;
    DVec3::new(stem_across + bar_along + apart, stem_across + bar_across + apart, stem_along + bar_across)
}

fn t_handle() -> String {
    let [wx, wy, wz] = TWIST.to_array();
    let part = |name: &str, (radius, half, mass): (f64, f64, f64), z: f64, turn: u32| {
        // The velocity ω × r.
        format!(
            "(name: {name:?}, shape: Cylinder(radius: {radius}, half_length: {half}), at: (0, 0, {z}), mass: {mass}, \
             rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees({turn})), velocity: ({}, {}, 0), \
             angular_velocity: ({wx}, {wy}, \
             {wz}), collide: false),",
            wy * z,
            -wx * z
        )
    };
    let (stem, bar) = heights();
    format!(
        "bodies: [{} {}], joints: [(name: \"weld\", a: \"bar\", b: \"stem\", anchor: (0, 0, {bar}), kind: Fixed)]",
        part("stem", STEM, stem, 0),
        part("bar", BAR, bar, 90)
    )
}

/// The magnitude of the angular momentum, N·m·s.
fn momentum(t: &CaseRun) -> f64 {
    t.world.metrics().angular_momentum.length()
}

/// The wheel: radius, m, angular velocity, rad/s, and distance from the support along its axle, m.
const RADIUS: f64 = 0.3;
const SPIN: f64 = 60.0;
const ARM: f64 = 0.2;

/// The precession rate m g d/(I ω), rad/s: exact for a horizontal axle.
fn precession() -> f64 {
    G * ARM / (0.5 * RADIUS * RADIUS * SPIN)
}

/// The symmetric top: a cylinder of radius 0.2 m and length 0.6 m, rotating about an axis at 30° to its own.
const TOP: (f64, f64) = (0.2, 0.3);
const TOP_SPIN: f64 = 8.0;

/// Its moments of inertia over its mass, along and across its axis, m².
fn top_moments() -> (f64, f64) {
    let (radius, half) = TOP;
    (0.5 * radius * radius, 0.25 * radius * radius + half * half / 3.0)
}

fn top_scene() -> String {
    let (sin, cos) = 30f64.to_radians().sin_cos();
    format!(
        "bodies: [(name: \"top\", shape: Cylinder(radius: {}, half_length: {}), mass: 1, \
         angular_velocity: ({}, 0, {}))]",
        TOP.0,
        TOP.1,
        TOP_SPIN * sin,
        TOP_SPIN * cos
    )
}

/// The rate L/I (I across the axis) at which the top's axis precesses about its angular momentum, rad/s.
fn wobble() -> f64 {
    let (along, across) = top_moments();
    let (sin, cos) = 30f64.to_radians().sin_cos();
    TOP_SPIN * (across * sin).hypot(along * cos) / across
}

pub const FAMILY: Family = Family {
    title: "Free rotation and gyroscope",
    about: "Euler's equation: a free body keeps its energy and its angular momentum, whatever its moments of inertia.",
    cases: &[
        Case {
            name: "rotation/tumbling-book",
            what: "A book of 1 × 0.6 × 0.14 m spins about its middle axis, 5° off it, without gravity: it keeps \
                   turning over.",
            scene: || {
                let [x, y, z] = HALF.to_array();
                let [u, v, w] = TUMBLE.to_array();
                format!(
                    "bodies: [(name: \"book\", shape: Box(half: ({x}, {y}, {z})), mass: {MASS}, \
                     angular_velocity: ({u}, {v}, {w}))]"
                )
            },
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                let (energy, start) = (t.kinetic_energy(), momentum(t));
                let spin = t.watch(20.0, |t| (t.rotation("book").inverse() * t.angular_velocity("book")).y);
                let period = period(&spin, t.h());
                t.run(40.0);
                vec![period, t.kinetic_energy() / energy, momentum(t) / start]
            },
            quantities: &[
                Quantity::share(
                    "time of turning over and back",
                    "s",
                    "4 K(k) √(I₁I₂I₃/((I₃ − I₂)(L² − 2 E I₁)))",
                    || tumbling_period(moments(), TUMBLE),
                    Bounds::first_order(0.1),
                ),
                Quantity::share("energy after 60 s", "", "constant", || 1.0, Bounds::same(1e-3)),
                Quantity::share("angular momentum after 60 s", "", "constant", || 1.0, Bounds::same(1e-3)),
            ],
        },
        Case {
            name: "rotation/t-handle",
            what: "A T of two bars, welded, spins at 8 rad/s about its stem, the middle axis, without gravity.",
            scene: t_handle,
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                let energy = t.kinetic_energy();
                let spin = t.watch(20.0, |t| (t.rotation("stem").inverse() * t.angular_velocity("stem")).z);
                vec![period(&spin, t.h()), t.kinetic_energy() / energy]
            },
            quantities: &[
                Quantity::share(
                    "time of turning over and back",
                    "s",
                    "as for the book",
                    || tumbling_period(handle(), TWIST),
                    Bounds::first_order(0.02),
                ),
                Quantity::share("energy after 20 s", "", "constant", || 1.0, Bounds::same(0.01)),
            ],
        },
        Case {
            name: "rotation/symmetric-top",
            what: "A free cylinder of 0.2 m radius and 0.6 m length spins at 8 rad/s about an axis 30° from its own.",
            scene: top_scene,
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                // About the angular momentum, which is in the plane of x and z.
                let along = t.world.metrics().angular_momentum.normalize();
                let (u, v) = along.any_orthonormal_pair();
                let round = t.watch(20.0, |t| {
                    let axis = t.rotation("top") * DVec3::Z;
                    axis.dot(u).atan2(axis.dot(v))
                });
                vec![turned(&round).abs() / (20.0 - t.h())]
            },
            quantities: &[Quantity::share(
                "speed of the axis about the angular momentum",
                "rad/s",
                "L/I across",
                wobble,
                Bounds::first_order(0.05),
            )],
        },
        Case {
            name: "gyroscope/level-axle",
            what: "A wheel of 2 kg and 0.3 m radius spins at 60 rad/s, 0.2 m out on a horizontal axle that is held at \
                   one point.",
            scene: || {
                let round = precession();
                format!(
                    "bodies: [(name: \"wheel\", shape: Cylinder(radius: {RADIUS}, half_length: 0.02), mass: 2, \
                     at: ({ARM}, 0, 0), rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees(90)), \
                     velocity: (0, {}, 0), angular_velocity: ({SPIN}, 0, {round}), collide: false)], \
                     joints: [(name: \"point\", b: \"wheel\", anchor: (0, 0, 0), kind: BallSocket)]",
                    ARM * round
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                let round = t.watch(5.0, |t| t.at("wheel").y.atan2(t.at("wheel").x));
                let sunk = (-t.at("wheel").z / t.at("wheel").length()).asin();
                vec![turned(&round) / (5.0 - t.h()), sunk]
            },
            quantities: &[
                Quantity::share("speed of precession", "rad/s", "m g d/(I ω)", precession, Bounds::first_order(0.1)),
                Quantity::absolute(
                    "angle sunk in 5 s",
                    "rad",
                    "0: the axle stays horizontal",
                    || 0.0,
                    Bounds::first_order(0.1),
                ),
            ],
        },
    ],
};

/// The angle from the first to the last of a sequence of angles, rad, full turns included.
pub(super) fn turned(angles: &[f64]) -> f64 {
    angles.windows(2).map(|w| (w[1] - w[0]).sin().atan2((w[1] - w[0]).cos())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::rk4;

    /// Euler's equations in body axes, integrated by Runge–Kutta, return to the start after the elliptic period.
    #[test]
    fn free_bodies_come_back_after_their_period() {
        for (i, spin) in [(moments(), TUMBLE), (handle(), TWIST)] {
            let rate = |_: f64, w: &[f64; 3]| {
                let w = DVec3::from_array(*w);
                ((i * w).cross(w) / i).to_array()
            };
            let back = DVec3::from_array(rk4(spin.to_array(), tumbling_period(i, spin), 20_000, rate));
            assert!(back.distance(spin) < 1e-6, "{back}");
        }
    }
}
