//! Spinning on a floor, with or without sliding, under Coulomb friction at every point of a face with uniform
//! pressure.
//!
//! ```text
//! disc                I ω' = −µ m g ⅔ R
//! square of side s    mean arm s (√2 + asinh 1)/6
//! line of length L    mean arm L/4
//! F = −µ (m g/A) ∫ u/|u| dA,  M = −µ (m g/A) ∫ r × u/|u| dA,  u = v + ω × r      for a disc that slides and spins
//! ```

use std::f64::consts::TAU;

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::case_run::CaseRun;
use crate::reference::{G, rk4_step};

const MU: f64 = 0.5;
/// Initial angular velocity, rad/s.
const SPIN: f64 = 10.0;
/// The disc's radius, m, its initial velocity, m/s, and angular velocity, rad/s.
const RADIUS: f64 = 0.5;
const SLIDE: f64 = 2.0;
const TWIRL: f64 = 16.0;

/// Friction on a disc that slides with `v` along x and spins with `w`: force along x and moment, both over µ m g, on
/// a polar grid.
fn friction(v: f64, w: f64) -> (f64, f64) {
    const RINGS: usize = 24;
    const RAYS: usize = 48;
    let (mut force, mut moment) = (0.0, 0.0);
    for ring in 0..RINGS {
        // Rings of equal area.
        let r = RADIUS * ((ring as f64 + 0.5) / RINGS as f64).sqrt();
        for ray in 0..RAYS {
            let (sin, cos) = (TAU * (ray as f64 + 0.5) / RAYS as f64).sin_cos();
            let (ux, uy) = (v - w * r * sin, w * r * cos);
            let speed = ux.hypot(uy).max(1e-12);
            force -= ux / speed;
            moment -= r * (cos * uy - sin * ux) / speed;
        }
    }
    let points = (RINGS * RAYS) as f64;
    (force / points, moment / points)
}

/// The distance, m, and the duration, s, of the disc's sliding. Sliding and spinning end together.
fn slides() -> (f64, f64) {
    let h = 1e-3;
    let rate = |_: f64, [_, v, w]: &[f64; 3]| {
        let (force, moment) = friction(*v, *w);
        [*v, MU * G * force, MU * G * moment / (0.5 * RADIUS * RADIUS)]
    };
    let (mut state, mut t) = ([0.0, SLIDE, TWIRL], 0.0);
    loop {
        let next = rk4_step(&state, t, h, &rate);
        let slower = (state[1] - next[1]).max(f64::MIN_POSITIVE);
        // The last step would go past rest: extrapolated to rest with its deceleration.
        if next[1] <= slower || t > 10.0 {
            let left = next[1] * h / slower;
            return (next[0] + 0.5 * next[1] * left, t + h + left);
        }
        (state, t) = (next, t + h);
    }
}

fn on_floor(shape: &str, at: &str, more: &str) -> String {
    format!(
        "bodies: [(name: \"floor\", shape: Box(half: (50, 50, 0.5)), at: (0, 0, -0.5), motion: Static), \
         (name: \"body\", shape: {shape}, at: {at}, mass: 1, {more})]"
    )
}

/// The time at which the body stops spinning, s.
fn stops(t: &mut CaseRun) -> f64 {
    t.until(8.0, -1e-2, |t| -t.angular_velocity("body").z)
}

/// Mean distance from a square's centre over its side.
fn square_arm() -> f64 {
    (2f64.sqrt() + 1f64.asinh()) / 6.0
}

const LIES: &str = "rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees(90)), angular_velocity: (0, 0, 10)";

pub const FAMILY: Family = Family {
    title: "Spinning",
    about: "Bodies that spin on a floor about the vertical, at 10 rad/s unless stated otherwise, µ = 0.5. The weight \
            presses evenly on the whole face.",
    cases: &[
        Case {
            name: "spinning/disc",
            what: "A flat disc of 0.5 m radius.",
            scene: || {
                on_floor("Cylinder(radius: 0.5, half_length: 0.02)", "(0, 0, 0.02)", "angular_velocity: (0, 0, 10)")
            },
            runs: Runs::USUAL,
            measure: |t| vec![stops(t)],
            quantities: &[Quantity::share(
                "time to rest",
                "s",
                "3 R ω/(4 µ g)",
                || 0.75 * RADIUS * SPIN / (MU * G),
                Bounds::first_order(0.02),
            )],
        },
        Case {
            name: "spinning/square",
            what: "A flat square of 1 m.",
            scene: || on_floor("Box(half: (0.5, 0.5, 0.02))", "(0, 0, 0.02)", "angular_velocity: (0, 0, 10)"),
            runs: Runs::USUAL,
            measure: |t| vec![stops(t)],
            quantities: &[Quantity::share(
                "time to rest",
                "s",
                "I ω/(µ m g s (√2 + asinh 1)/6)",
                || SPIN / 6.0 / (MU * G * square_arm()),
                Bounds::same(0.03),
            )],
        },
        Case {
            name: "spinning/lying-cylinder",
            what: "A lying cylinder of 0.2 m radius and 1 m length: it touches along a line.",
            scene: || on_floor("Cylinder(radius: 0.2, half_length: 0.5)", "(0, 0, 0.2)", LIES),
            runs: Runs::USUAL,
            measure: |t| vec![stops(t)],
            quantities: &[Quantity::share(
                "time to rest",
                "s",
                "I ω/(µ m g L/4)",
                || (0.25 * 0.04 + 1.0 / 12.0) * SPIN / (MU * G * 0.25),
                Bounds::first_order(0.05),
            )],
        },
        Case {
            name: "spinning/lying-capsule",
            what: "A lying capsule of 0.2 m radius with 0.8 m between its ends' centres.",
            scene: || on_floor("Capsule(radius: 0.2, half_length: 0.4)", "(0, 0, 0.2)", LIES),
            runs: Runs::USUAL,
            measure: |t| vec![stops(t)],
            quantities: &[Quantity::share(
                "time to rest",
                "s",
                "I ω/(µ m g L/4)",
                || capsule_moment(0.2, 0.8) * SPIN / (MU * G * 0.2),
                Bounds::first_order(0.05),
            )],
        },
        Case {
            name: "spinning/sliding-disc",
            what: "A flat disc of 0.5 m radius slides at 2 m/s and spins at 16 rad/s: each motion takes friction from \
                   the other, and both end together.",
            scene: || {
                on_floor(
                    "Cylinder(radius: 0.5, half_length: 0.02)",
                    "(0, 0, 0.02)",
                    &format!("velocity: ({SLIDE}, 0, 0), angular_velocity: (0, 0, {TWIRL})"),
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                let speeds = t.watch(6.0, |t| (t.velocity("body").x, t.angular_velocity("body").z));
                let steps = |moves: &dyn Fn(&(f64, f64)) -> bool| speeds.iter().filter(|s| moves(s)).count() as f64;
                let (slid, spun) = (steps(&|s| s.0 > 1e-2) * t.h(), steps(&|s| s.1 > 1e-2) * t.h());
                vec![t.at("body").x, slid, spun]
            },
            quantities: &[
                Quantity::share(
                    "way",
                    "m",
                    "∫ u/|u| over the disc, by Runge–Kutta",
                    || slides().0,
                    Bounds::first_order(0.1),
                ),
                Quantity::share("time of sliding", "s", "the same", || slides().1, Bounds::first_order(0.1)),
                Quantity::share("time of spinning", "s", "the same", || slides().1, Bounds::first_order(0.1)),
            ],
        },
    ],
};

/// Moment of inertia of a capsule across its axis over its mass, m²: a cylinder of length `l` and two half balls.
fn capsule_moment(r: f64, l: f64) -> f64 {
    let (cylinder, ball) = (r * r * l, 4.0 / 3.0 * r * r * r);
    // A half ball's centre is 3/8 r from its flat face, its moment about that centre 83/320 m r².
    let centre = 0.5 * l + 0.375 * r;
    let moment = cylinder * (0.25 * r * r + l * l / 12.0) + ball * (83.0 / 320.0 * r * r + centre * centre);
    moment / (cylinder + ball)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pure sliding gives the force µ m g, pure spinning the moment ⅔ µ m g R.
    #[test]
    fn the_grid_gives_the_two_limits() {
        assert!((friction(1.0, 0.0).0 + 1.0).abs() < 1e-12);
        assert!((friction(0.0, 1.0).1 + RADIUS * 2.0 / 3.0).abs() < 1e-3);
    }

    /// Without spin the disc slides v²/(2 µ g) = 0.41 m; with spin it slides farther.
    #[test]
    fn a_spinning_disc_slides_farther() {
        let (way, time) = slides();
        assert!(way > SLIDE * SLIDE / (2.0 * MU * G) && time > 0.75 * RADIUS * TWIRL / (MU * G), "{way} m, {time} s");
    }

    /// A capsule without a cylinder is a ball.
    #[test]
    fn the_capsule_s_moment_is_a_ball_s() {
        assert!((capsule_moment(0.3, 0.0) - 0.4 * 0.09).abs() < 1e-12);
    }
}
