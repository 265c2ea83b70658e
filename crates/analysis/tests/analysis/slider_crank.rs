//! The slider–crank with a crank r = 0.5 m and a rod l = 2 m:
//!
//! ```text
//! sin φ = (r/l) sin θ,   φ' = r cos θ/(l cos φ),   φ'' = (−r sin θ cos φ + r cos θ sin φ φ')/(l cos² φ)
//! x = r cos θ + l cos φ,   x' = −r sin θ − l sin φ φ',   x'' = −r cos θ − l cos φ φ'² − l sin φ φ''
//! ```
//! with primes for d/dθ; at a constant θ̇ = ω the speed is ω x' and the acceleration ω² x''.

use std::f64::consts::{PI, TAU};

use delassus_analysis::{Barrier, Request, Travel};
use glam::{DVec2, DVec3};

use super::{Scene, bar, hinge, inertia, near};

const R: f64 = 0.5;
const L: f64 = 2.0;
/// Masses of crank, rod and slider, kg.
const MASSES: [f64; 3] = [2.0, 1.0, 4.0];
const G: f64 = 9.81;

struct Closed {
    phi: [f64; 3],
    x: [f64; 3],
}

fn closed(theta: f64) -> Closed {
    let (s, c) = theta.sin_cos();
    let phi = (R / L * s).asin();
    let (sp, cp) = phi.sin_cos();
    let first = R * c / (L * cp);
    let second = (-R * s * cp + R * c * sp * first) / (L * cp * cp);
    let x = [R * c + L * cp, -R * s - L * sp * first, -R * c - L * cp * first * first - L * sp * second];
    Closed { phi: [phi, first, second], x }
}

/// In line at the start, θ = 0, with the pivot in the origin.
fn scene(more: &str) -> Scene {
    let bodies = bar("crank", [0.25, 0.0], MASSES[0])
        + &bar("rod", [1.5, 0.0], MASSES[1])
        + &bar("slider", [2.5, 0.0], MASSES[2]);
    let guide = r#"(name: "guide", b: "slider", anchor: (2.5, 0, 0), axis: (1, 0, 0), kind: Prismatic),"#;
    let joints = hinge("crank", None, "crank", [0.0, 0.0], more)
        + guide
        + &hinge("pin", Some("crank"), "rod", [0.5, 0.0], "")
        + &hinge("wrist", Some("slider"), "rod", [2.5, 0.0], "");
    Scene::new(&bodies, &joints)
}

#[test]
fn the_piston_moves_as_the_formulas_say() {
    let scene = scene("");
    let omega = 3.0;
    let analysis = scene.analyse(&Request { speed: omega, samples: 72, output: Some(1), ..Request::default() });
    assert_eq!((analysis.samples.len(), analysis.stopped), (73, None));
    let guide = scene.of_joint(&analysis, "guide");
    for (sample, guide) in analysis.samples.iter().zip(&guide) {
        let Closed { x, phi } = closed(sample.value);
        let [value, speed, acceleration] = guide.value.expect("a slide");
        // The scene's numbers are exact in 32 bits, and the loops close to rounding of 64.
        near(value, x[0] - (R + L), 1e-11, 1.0, "position");
        near(speed, omega * x[1], 1e-10, 1.0, "speed");
        near(acceleration, omega * omega * x[2], 1e-8, 1.0, "acceleration");
        near(sample.ratio.expect("an output"), x[1], 1e-10, 1.0, "ratio");
        assert!(sample.error < 1e-12, "{}", sample.error);
        let rod = &sample.bodies[1];
        near(rod.velocity.angular.y, omega * phi[1], 1e-10, 1.0, "the rod turns with −φ' about −y");
        near(rod.acceleration.angular.y, omega * omega * phi[2], 1e-8, 1.0, "its angular acceleration");
    }
    // The advantage is the inverse of the ratio: at 90° the piston moves by r for each radian.
    let quarter = &analysis.samples[18];
    near(quarter.advantage().expect("an output"), -1.0 / R, 1e-10, 0.0, "advantage at 90°");
    assert!((analysis.samples[72].value - TAU).abs() < 1e-12);
}

/// By virtual work: τ = ω² t'(θ) + V'(θ), with the kinetic energy T = ω² t(θ), and the rod's weight lifted by r sin θ/2.
#[test]
fn the_torque_is_that_of_virtual_work() {
    let scene = scene("");
    let omega = 5.0;
    let analysis = scene.analyse(&Request { speed: omega, samples: 40, ..Request::default() });
    let kinetic = |theta: f64| {
        let Closed { phi, x } = closed(theta);
        let crank = inertia(MASSES[0]) + MASSES[0] * 0.0625;
        let rod = DVec2::new(0.5 * (x[1] - R * theta.sin()), 0.5 * R * theta.cos());
        0.5 * (crank
            + MASSES[1] * rod.length_squared()
            + inertia(MASSES[1]) * phi[1] * phi[1]
            + MASSES[2] * x[1] * x[1])
    };
    for sample in &analysis.samples {
        let theta = sample.value;
        let e = 1e-3;
        let slope = (8.0 * (kinetic(theta + e) - kinetic(theta - e)) - kinetic(theta + 2.0 * e)
            + kinetic(theta - 2.0 * e))
            / (12.0 * e);
        // The crank's weight acts at r/2, the rod's at half the pin's height.
        let weight = G * theta.cos() * (MASSES[0] * 0.25 + MASSES[1] * 0.5 * R);
        // Inertia and gravity have 32 bits.
        near(sample.drive.at_rest, weight, 1e-6, 1.0, "at rest");
        near(sample.drive.moving, weight + omega * omega * slope, 1e-6, 1.0, "moving");
    }
}

/// Newton and Euler for the rod between pin P and wrist W, with its centre C halfway and d = P − C:
///
/// ```text
/// R_x = −m_s ẍ on the rod at W;   F + R = m (a − g);   d × F − d × R = I α
/// ```
#[test]
fn the_crank_pin_bears_what_the_rod_needs() {
    let scene = scene("");
    let omega = 4.0;
    let analysis = scene.analyse(&Request { speed: omega, samples: 24, ..Request::default() });
    let (pin, wrist) = (scene.of_joint(&analysis, "pin"), scene.of_joint(&analysis, "wrist"));
    for (k, sample) in analysis.samples.iter().enumerate() {
        let theta = sample.value;
        let Closed { phi, x } = closed(theta);
        let square = omega * omega;
        let needs = MASSES[1]
            * (square * DVec2::new(0.5 * (x[2] - R * theta.cos()), -0.5 * R * theta.sin()) + DVec2::new(0.0, G));
        let rx = -MASSES[2] * square * x[2];
        let fx = needs.x - rx;
        let d = -0.5 * L * DVec2::new(phi[0].cos(), -phi[0].sin());
        // α in the sense from x to z is −φ'' ω².
        let difference = (-inertia(MASSES[1]) * phi[2] * square + d.y * (fx - rx)) / d.x;
        let fz = 0.5 * (needs.y + difference);
        let size = MASSES[2] * square;
        near(pin[k].moving.force.x, fx, 1e-6, size, "pin, x");
        near(pin[k].moving.force.z, fz, 1e-6, size, "pin, z");
        near(wrist[k].moving.force.x, rx, 1e-6, size, "wrist, x");
        near(wrist[k].moving.force.z, needs.y - fz, 1e-6, size, "wrist, z");
        assert!(pin[k].moving.torque.length() < 1e-6 * size, "a plane mechanism of equal heights bears no couple");
    }
}

#[test]
fn the_piston_turns_back_at_its_dead_centres() {
    let scene = scene("");
    let travel = Travel::Between(-0.5 * PI, 1.5 * PI);
    let analysis = scene.analyse(&Request { travel, samples: 33, ..Request::default() });
    let guide = scene.joint("guide");
    let turns: Vec<_> = analysis.turns.iter().filter(|turn| turn.joint == guide).collect();
    assert_eq!(turns.len(), 2, "{turns:?}");
    for (turn, (driven, value)) in turns.iter().zip([(0.0, 0.0), (PI, -2.0 * R)]) {
        near(turn.driven, driven, 1e-9, 1.0, "angle of the dead centre");
        near(turn.value, value, 1e-12, 1.0, "the slider there");
    }
    // A sample that stands at the dead centre itself is one, too, and not two.
    let analysis = scene.analyse(&Request { samples: 36, ..Request::default() });
    let turns: Vec<f64> = analysis.turns.iter().filter(|turn| turn.joint == guide).map(|turn| turn.driven).collect();
    assert_eq!(turns.len(), 3, "{turns:?}");
    for (turn, expected) in turns.iter().zip([0.0, PI, TAU]) {
        near(*turn, expected, 1e-9, 1.0, "dead centre");
    }
}

/// The piston drives: it can go from where it is until the crank is stretched, x = r + l, and no farther.
#[test]
fn a_driven_piston_stops_where_the_crank_is_stretched() {
    // The crank upright, the slider at 1.5: l = √(1.5² + 0.5²).
    let bodies = bar("crank", [0.0, 0.25], 1.0) + &bar("rod", [0.75, 0.25], 1.0) + &bar("slider", [1.5, 0.0], 1.0);
    let joints = hinge("crank", None, "crank", [0.0, 0.0], "")
        + r#"(name: "guide", b: "slider", anchor: (1.5, 0, 0), axis: (1, 0, 0), kind: Prismatic),"#
        + &hinge("pin", Some("crank"), "rod", [0.0, 0.5], "")
        + &hinge("wrist", Some("slider"), "rod", [1.5, 0.0], "");
    let scene = Scene::new(&bodies, &joints);
    let request = Request { joint: scene.joint("guide"), travel: Travel::Between(0.0, 1.0), ..Request::default() };
    let analysis = scene.analyse(&request);
    let stopped = analysis.stopped.expect("a dead centre");
    assert_eq!(stopped.barrier, Barrier::DeadCentre);
    near(stopped.value, 0.5 + 2.5f64.sqrt() - 1.5, 1e-8, 0.0, "the end of its way");
    let last = analysis.samples.last().expect("samples");
    assert!(last.value < stopped.value && stopped.value - last.value < 1.0 / 36.0);
}

/// The pin of hinges about parallel axes has 3 redundant rows; the load is shared, and the torque is the same as with
/// joints that have none.
#[test]
fn redundant_joints_change_no_torque() {
    let hinges = scene("");
    let bodies = bar("crank", [0.25, 0.0], MASSES[0])
        + &bar("rod", [1.5, 0.0], MASSES[1])
        + &bar("slider", [2.5, 0.0], MASSES[2]);
    let joints = hinge("crank", None, "crank", [0.0, 0.0], "")
        + r#"(name: "guide", b: "slider", anchor: (2.5, 0, 0), axis: (1, 0, 0), kind: Prismatic),
            (name: "pin", a: "crank", b: "rod", anchor: (0.5, 0, 0), kind: BallSocket),
            (name: "wrist", a: "slider", b: "rod", anchor: (2.5, 0, 0), axis: (1, 0, 0), kind: ConstantVelocity),"#;
    let exact = Scene::new(&bodies, &joints);
    let request = Request { speed: 4.0, ..Request::default() };
    let (a, b) = (hinges.analyse(&request), exact.analyse(&request));
    assert_eq!((a.redundant, b.redundant), (3, 0));
    for (a, b) in a.samples.iter().zip(&b.samples) {
        near(a.drive.moving, b.drive.moving, 1e-6, 1.0, "torque");
    }
}

/// The cap of the motor beside what is needed: m g (r/2) of the crank and half the rod's, most where they lie level.
#[test]
fn the_motor_is_compared_with_its_need() {
    let scene = scene("motor: (speed: 1, max_torque: 8)");
    let analysis = scene.analyse(&Request { speed: 0.0, ..Request::default() });
    let motor = analysis.motor.expect("a motor with a cap");
    near(motor.cap, 8.0, 0.0, 0.0, "cap");
    near(motor.worst, G * (MASSES[0] * 0.25 + MASSES[1] * 0.25), 1e-6, 0.0, "need");
    near((2.0 * motor.at).cos(), 1.0, 1e-9, 0.0, "level");
}

/// A point of the rod that is on its centre line, a quarter of the way: an oval.
#[test]
fn a_point_of_the_rod_draws_its_oval() {
    let scene = scene("");
    let rod = scene.body("rod");
    let omega = 2.0;
    let request = Request { point: Some((rod, DVec3::new(-0.5, 0.0, 0.0))), speed: omega, ..Request::default() };
    for sample in &scene.analyse(&request).samples {
        let Closed { x, .. } = closed(sample.value);
        let (s, c) = sample.value.sin_cos();
        // The pin plus a quarter of the way to the wrist: (3 pin + wrist)/4.
        let [place, velocity, acceleration] = sample.point.expect("a point");
        near(place.x, 0.75 * R * c + 0.25 * x[0], 1e-11, 1.0, "x");
        near(place.z, 0.75 * R * s, 1e-11, 1.0, "z");
        near(velocity.x, omega * (-0.75 * R * s + 0.25 * x[1]), 1e-9, 1.0, "vx");
        near(acceleration.z, -omega * omega * 0.75 * R * s, 1e-8, 1.0, "az");
        near(acceleration.x, omega * omega * (-0.75 * R * c + 0.25 * x[2]), 1e-8, 1.0, "ax");
    }
}
