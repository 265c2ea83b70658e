//! Friction, damping and armature of joints, and servos. The wheels have I = m r²/2 = 0.5 kg m².

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::reference::G;

const INERTIA: f64 = 0.5;

/// A wheel of 4 kg and 0.5 m on the world's z axis, with a speed, rad/s, and a torque, N·m, on it. `more` are fields of
/// its hinge.
fn wheel(speed: f64, torque: f64, hinge: &str, more: &str) -> String {
    format!(
        "bodies: [(name: \"wheel\", shape: Cylinder(radius: 0.5, half_length: 0.05), mass: 4, \
         angular_velocity: (0, 0, {speed}), forces: [(torque: (0, 0, {torque}))], collide: false)], \
         joints: [(name: \"axle\", b: \"wheel\", anchor: (0, 0, 0), axis: (0, 0, 1), kind: Hinge({hinge}){more})]"
    )
}

/// Decay rate, 1/s, and frequency, rad/s, of a wheel on a servo of 20 N·m/rad and 0.4 N·m·s/rad.
const DECAY: f64 = 0.4 / (2.0 * INERTIA);
fn omega() -> f64 {
    (20.0 / INERTIA - DECAY * DECAY).sqrt()
}

pub const FAMILY: Family = Family {
    title: "Resistance and servos of joints",
    about: "Friction, damping and the inertia of a rotor act along the free motion of a joint; a servo moves it \
            towards a target.",
    cases: &[
        Case {
            name: "joint/friction",
            what: "A wheel of I = 0.5 kg m² turns at 4 rad/s on an axle with 0.8 N·m of friction.",
            scene: || wheel(4.0, 0.0, "friction: 0.8", ""),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(1.0);
                let speed = t.angular_velocity("wheel").z;
                t.run(3.0);
                vec![speed, f64::from(t.joint("axle").value), t.angular_velocity("wheel").z]
            },
            quantities: &[
                Quantity::share("speed after 1 s", "rad/s", "ω₀ − τ t/I", || 4.0 - 0.8 / INERTIA, Bounds::same(1e-3)),
                Quantity::share("angle at rest", "rad", "I ω₀²/2τ", || INERTIA * 16.0 / 1.6, Bounds::first_order(0.01)),
                Quantity::absolute("speed after 4 s", "rad/s", "0", || 0.0, Bounds::same(1e-5)),
            ],
        },
        Case {
            name: "joint/damping",
            what: "A wheel of I = 0.5 kg m² turns at 4 rad/s on an axle with 0.5 N·m·s/rad of damping.",
            scene: || wheel(4.0, 0.0, "damping: 0.5", ""),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(2.0);
                vec![t.angular_velocity("wheel").z, f64::from(t.joint("axle").value)]
            },
            quantities: &[
                Quantity::share(
                    "speed after 2 s",
                    "rad/s",
                    "ω₀ e^(−ct/I)",
                    || 4.0 * (-0.5 * 2.0 / INERTIA).exp(),
                    Bounds::same(1e-3),
                ),
                Quantity::share(
                    "angle after 2 s",
                    "rad",
                    "ω₀ I/c (1 − e^(−ct/I))",
                    || 4.0 * INERTIA / 0.5 * (1.0 - (-0.5 * 2.0 / INERTIA).exp()),
                    Bounds::first_order(0.01),
                ),
            ],
        },
        Case {
            name: "joint/armature",
            what: "A wheel of I = 0.5 kg m² that drives a rotor of 1.5 kg m² is turned by 1 N·m.",
            scene: || wheel(0.0, 1.0, "armature: 1.5", ""),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(2.0);
                vec![t.angular_velocity("wheel").z]
            },
            quantities: &[Quantity::share(
                "speed after 2 s",
                "rad/s",
                "τ t/(I + I_r)",
                || 2.0 / (INERTIA + 1.5),
                Bounds::same(1e-3),
            )],
        },
        Case {
            name: "servo/load",
            what: "A ball of 2 kg on an arm of 0.5 m is held level by a servo of 200 N·m/rad and 20 N·m·s/rad.",
            scene: || {
                "bodies: [(name: \"ball\", shape: Sphere(radius: 0.15), at: (0.5, 0, 0), mass: 2, collide: false)], \
                 joints: [(name: \"pivot\", b: \"ball\", anchor: (0, 0, 0), axis: (0, 1, 0), \
                 kind: Hinge(servo: (stiffness: 200, damping: 20)))]"
                    .into()
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(4.0);
                vec![f64::from(t.joint("pivot").value), f64::from(t.joint("pivot").motor)]
            },
            quantities: &[
                Quantity::share("sag", "rad", "φ of k φ = m g l cos φ", sag, Bounds::same(1e-3)),
                Quantity::share("torque", "N·m", "−k φ", || -200.0 * sag(), Bounds::same(2e-3)),
            ],
        },
        Case {
            name: "servo/step",
            what: "A servo of 20 N·m/rad and 0.4 N·m·s/rad moves a wheel of I = 0.5 kg m² to 0.5 rad.",
            scene: || wheel(0.0, 0.0, "servo: (target: 0.5, stiffness: 20, damping: 0.4)", ""),
            runs: Runs::USUAL,
            measure: |t| {
                let values = t.watch(1.2, |t| f64::from(t.joint("axle").value));
                let most = values.iter().copied().fold(0.0, f64::max);
                let after = values.iter().skip_while(|value| **value < most);
                vec![most, after.copied().fold(most, f64::min)]
            },
            quantities: &[
                Quantity::share(
                    "overshoot",
                    "rad",
                    "θ* (1 + e^(−πδ/ω))",
                    || 0.5 * (1.0 + (-std::f64::consts::PI * DECAY / omega()).exp()),
                    Bounds::first_order(0.02),
                ),
                Quantity::share(
                    "lowest point after it",
                    "rad",
                    "θ* (1 − e^(−2πδ/ω))",
                    || 0.5 * (1.0 - (-std::f64::consts::TAU * DECAY / omega()).exp()),
                    Bounds::first_order(0.08),
                ),
            ],
        },
        Case {
            name: "servo/sinusoid",
            what: "The same wheel follows 0.4 rad · cos 8t by a servo of 20 N·m/rad and 4 N·m·s/rad.",
            scene: || {
                wheel(0.0, 0.0, "servo: (target: 0.4, stiffness: 20, damping: 4)", ", by_time: Sinusoid(rate: 8)")
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(4.0);
                vec![t.watch(1.0, |t| f64::from(t.joint("axle").value)).into_iter().fold(0.0, f64::max)]
            },
            quantities: &[Quantity::share(
                "amplitude",
                "rad",
                "A √((k² + c²Ω²)/((k − IΩ²)² + c²Ω²))",
                || {
                    let (k, b) = (20.0f64, 4.0f64 * 8.0);
                    0.4 * ((k * k + b * b) / ((k - INERTIA * 64.0).powi(2) + b * b)).sqrt()
                },
                Bounds::first_order(0.03),
            )],
        },
    ],
};

/// The angle, rad, by which the servo's arm sags.
fn sag() -> f64 {
    let mut angle = 0.0f64;
    for _ in 0..60 {
        angle = 2.0 * G * 0.5 * angle.cos() / 200.0;
    }
    angle
}
