//! A slider–crank that a motor turns, against its inverse dynamics.
//!
//! ```text
//! slider: Wₓ = m a     rod: P − W − m g = m a,  I φ'' = moments of P and −W about its centre     T = r × P + m g r/2 cos θ
//! P: what the crank does to the rod at the pin, W: what the rod does to the slider, T: what the motor does to the crank
//! ```

use glam::DVec2;

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::case_run::CaseRun;
use crate::reference::G;

/// Crank, rod and slider: length, m, and mass, kg. Half the rod's height, m.
const CRANK: (f64, f64) = (0.25, 1.2);
const ROD: (f64, f64) = (0.7, 0.9);
const SLIDER: f64 = 2.5;
const HALF: f64 = 0.03;
/// The crank's speed, rad/s.
const SPEED: f64 = 9.0;

fn scene() -> String {
    let (r, l) = (CRANK.0, ROD.0);
    let up = 0.5 * r * SPEED;
    format!(
        "bodies: [(name: \"crank\", shape: Box(half: ({}, 0.03, 0.03)), at: ({}, 0, 0), mass: {}, velocity: (0, 0, {up}), \
         angular_velocity: (0, -{SPEED}, 0), collide: false), \
         (name: \"rod\", shape: Box(half: ({}, 0.02, {HALF})), at: ({}, 0, 0), mass: {}, velocity: (0, 0, {up}), \
         angular_velocity: (0, {}, 0), collide: false), \
         (name: \"slider\", shape: Box(half: (0.1, 0.1, 0.1)), at: ({}, 0, 0), mass: {SLIDER}, collide: false)], \
         joints: [(name: \"motor\", b: \"crank\", anchor: (0, 0, 0), axis: (0, -1, 0), kind: Hinge(motor: (speed: \
         {SPEED}))), (name: \"pin\", a: \"crank\", b: \"rod\", anchor: ({r}, 0, 0), axis: (0, 1, 0), kind: Hinge), \
         (name: \"wrist\", a: \"rod\", b: \"slider\", anchor: ({}, 0, 0), axis: (0, 1, 0), kind: Hinge), \
         (name: \"guide\", b: \"slider\", axis: (1, 0, 0), kind: Prismatic)]",
        0.5 * r,
        0.5 * r,
        CRANK.1,
        0.5 * l,
        r + 0.5 * l,
        ROD.1,
        SPEED * r / l,
        r + l,
        r + l
    )
}

/// The rod's angle above the x axis, rad, its centre and the slider's place, m, at the crank's angle.
fn place(angle: f64) -> [f64; 4] {
    let (r, l) = (CRANK.0, ROD.0);
    let tilt = -(r / l * angle.sin()).asin();
    let (pin, rod) = (r * DVec2::from_angle(angle), l * DVec2::from_angle(tilt));
    let centre = pin + 0.5 * rod;
    [tilt, centre.x, centre.y, pin.x + rod.x]
}

/// The force at the pin, N, and the motor's torque, N·m, at the crank's angle.
fn loads(angle: f64) -> (f64, f64) {
    let step = 1e-4;
    let (before, now, after) = (place(angle - step), place(angle), place(angle + step));
    let second = |i: usize| SPEED * SPEED * (before[i] - 2.0 * now[i] + after[i]) / (step * step);
    let (half, m) = (0.5 * ROD.0 * DVec2::from_angle(now[0]), ROD.1);
    let inertia = m / 3.0 * (0.25 * ROD.0 * ROD.0 + HALF * HALF);
    let wrist_x = SLIDER * second(3);
    let pin_x = wrist_x + m * second(1);
    // I φ'' = −half × P − half × W, and P_z − W_z is known.
    let more = m * (G + second(2));
    let wrist_z = 0.5 * ((half.y * (pin_x + wrist_x) - inertia * second(0)) / half.x - more);
    let pin = DVec2::new(pin_x, wrist_z + more);
    let arm = CRANK.0 * DVec2::from_angle(angle);
    (pin.length(), arm.perp_dot(pin) + CRANK.1 * G * 0.5 * arm.x)
}

/// The largest value over a turn.
fn peak(value: impl Fn(f64) -> f64) -> f64 {
    (0..3600).map(|i| value((f64::from(i) * 0.1).to_radians()).abs()).fold(0.0, f64::max)
}

/// The angle beyond 9 t, rad, and the largest force at the pin, N, and torque of the motor, N·m.
fn measure(t: &mut CaseRun) -> Vec<f64> {
    t.run(2.0);
    let loads = t.watch(6.0, |t| {
        let pin = t.joint("pin").force.as_dvec3().length();
        (pin, f64::from(t.joint("motor").motor).abs())
    });
    let (pin, motor) = loads.iter().fold((0.0, 0.0), |(pin, motor), now| (now.0.max(pin), now.1.max(motor)));
    vec![f64::from(t.joint("motor").value) - SPEED * t.time(), pin, motor]
}

pub const FAMILY: Family = Family {
    title: "Driven crank",
    about: "A slider–crank turned by the motor of its hinge, and the loads on its pin and its motor.",
    cases: &[Case {
        name: "crank/nine-radians",
        what: "A crank of 0.25 m and 1.2 kg, a rod of 0.7 m and 0.9 kg and a slider of 2.5 kg, turned at 9 rad/s for 8 s.",
        scene,
        runs: Runs::USUAL,
        measure,
        quantities: &[
            Quantity::absolute("angle beyond ω t after 8 s", "rad", "0", || 0.0, Bounds::first_order(0.004)),
            Quantity::share(
                "greatest force at the pin",
                "N",
                "inverse dynamics",
                || peak(|angle| loads(angle).0),
                Bounds::first_order(0.02),
            ),
            Quantity::share(
                "greatest torque of the motor",
                "N·m",
                "inverse dynamics",
                || peak(|angle| loads(angle).1),
                Bounds::first_order(0.02),
            ),
        ],
    }],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The power of the motor over a turn is zero: nothing is lost.
    #[test]
    fn the_motor_s_work_over_a_turn_is_zero() {
        let mean = (0..3600).map(|i| loads((f64::from(i) * 0.1).to_radians()).1).sum::<f64>() / 3600.0;
        assert!(mean.abs() < 1e-5, "{mean}");
        assert!((peak(|angle| loads(angle).0) - 90.2).abs() < 0.1 && (peak(|angle| loads(angle).1) - 13.1).abs() < 0.1);
    }
}
