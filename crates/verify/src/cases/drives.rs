//! Cases with motors, whose speed, angle, torque or force is known by formula.

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::reference::G;

/// A bar of 0.8 m and 1.5 kg on a hinge at its end with a horizontal axis. It starts level with the angular velocity
/// `spin`, rad/s. `drive` is the text of the hinge's parameters.
fn arm(spin: f64, drive: &str) -> String {
    format!(
        "bodies: [(name: \"arm\", shape: Box(half: (0.4, 0.04, 0.04)), at: (0.4, 0, 0), mass: 1.5, \
         velocity: (0, 0, {}), angular_velocity: (0, {}, 0), collide: false)], \
         joints: [(name: \"motor\", b: \"arm\", anchor: (0, 0, 0), axis: (0, -1, 0), kind: Hinge({drive}))]",
        0.4 * spin,
        -spin
    )
}

pub const FAMILY: Family = Family {
    title: "Motors",
    about: "A motor gives its full torque or force until it reaches its speed, and then what its load needs.",
    cases: &[
        Case {
            name: "motor/flywheel",
            what: "A ball of I = 0.3 kg m² on a hinge is driven by 0.6 N·m at most, target 5 rad/s.",
            scene: || {
                format!(
                    "bodies: [(name: \"wheel\", shape: Sphere(radius: {}), mass: 1, collide: false)], \
                     joints: [(name: \"motor\", b: \"wheel\", anchor: (0, 0, 0), axis: (0, 0, 1), \
                     kind: Hinge(motor: (speed: 5, max_torque: 0.6)))]",
                    0.75f64.sqrt()
                )
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(1.0);
                let speed = t.angular_velocity("wheel").z;
                t.run(1.0);
                let angle = f64::from(t.joint("motor").value);
                t.run(1.0);
                vec![speed, angle, t.angular_velocity("wheel").z]
            },
            quantities: &[
                Quantity::share("speed after 1 s", "rad/s", "T t/I", || 2.0, Bounds::same(1e-4)),
                Quantity::share("angle after 2 s", "rad", "T t²/2I", || 4.0, Bounds::first_order(0.01)),
                Quantity::share("speed after 3 s", "rad/s", "the target", || 5.0, Bounds::same(1e-4)),
            ],
        },
        Case {
            name: "motor/arm",
            what: "An arm of 0.8 m and 1.5 kg is turned against gravity at 4 rad/s by a motor of 1000 N·m.",
            scene: || arm(4.0, "motor: (speed: 4, max_torque: 1000)"),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(5.0);
                vec![f64::from(t.joint("motor").speed), f64::from(t.joint("motor").value)]
            },
            quantities: &[
                Quantity::share("speed after 5 s", "rad/s", "the target", || 4.0, Bounds::same(1e-4)),
                Quantity::absolute("angle after 5 s", "rad", "ω t", || 20.0, Bounds::first_order(0.002)),
            ],
        },
        Case {
            name: "motor/held-arm",
            what: "The same arm is held level at speed zero for 60 s.",
            scene: || arm(0.0, "motor: (speed: 0, max_torque: 1000)"),
            runs: Runs::USUAL,
            measure: |t| {
                t.run(59.0);
                let torque = t.mean(1.0, |t| f64::from(t.joint("motor").motor));
                vec![torque.abs(), f64::from(t.joint("motor").value)]
            },
            quantities: &[
                Quantity::share("torque", "N·m", "m g l/2", || 1.5 * G * 0.4, Bounds::same(1e-3)),
                Quantity::absolute("angle after 60 s", "rad", "0", || 0.0, Bounds::first_order(0.002)),
            ],
        },
        Case {
            name: "motor/lift",
            what: "A slider of 2 kg is lifted by 30 N at most, target 1 m/s.",
            scene: || {
                "bodies: [(name: \"load\", shape: Box(half: (0.1, 0.1, 0.1)), mass: 2, collide: false)], \
                 joints: [(name: \"lift\", b: \"load\", axis: (0, 0, 1), \
                 kind: Prismatic(motor: (speed: 1, max_force: 30)))]"
                    .into()
            },
            runs: Runs::USUAL,
            measure: |t| {
                t.run(0.15);
                let speed = t.velocity("load").z;
                t.run(1.85);
                vec![speed, t.velocity("load").z, f64::from(t.joint("lift").motor)]
            },
            quantities: &[
                Quantity::share("speed after 0.15 s", "m/s", "(F/m − g) t", || (15.0 - G) * 0.15, Bounds::same(1e-4)),
                Quantity::share("speed after 2 s", "m/s", "the target", || 1.0, Bounds::same(1e-4)),
                Quantity::share("force after 2 s", "N", "m g", || 2.0 * G, Bounds::same(1e-3)),
            ],
        },
    ],
};
