//! Collisions of free bodies, and Newton's cradle.
//!
//! Newton's law of restitution for all contacts at once has a unique solution for a row of touching balls that is
//! struck at its end by one of the same mass: each pair separates at its approach speed, so that v = (2/n − 1, 2/n,
//! 2/n, …) times the striker's speed. Real steel transmits the impulse pair by pair: the last ball takes all of it.

use crate::case::{Bounds, Case, Family, Quantity, Runs};

const SURFACE: &str = "friction: 0, restitution: 1";

/// The speeds of the striker and of each other ball in a row of `n`, relative to the striker's: see the module's
/// head.
fn struck_row(n: f64) -> (f64, f64) {
    (2.0 / n - 1.0, 2.0 / n)
}

/// Balls of 0.25 m radius along x, `gap` apart, the first of them 0.5 m farther away and moving at 2 m/s.
fn row(count: usize, gap: f64) -> String {
    let mut bodies = String::new();
    for i in 0..count {
        let x = i as f64 * (0.5 + gap) - if i == 0 { 0.5 } else { 0.0 };
        let speed = if i == 0 { 2 } else { 0 };
        bodies += &format!(
            "(name: \"ball {}\", shape: Sphere(radius: 0.25), at: ({x}, 0, 0), mass: 1, velocity: ({speed}, 0, 0), \
             {SURFACE}),",
            i + 1
        );
    }
    format!("bodies: [{bodies}]")
}

/// Five balls on two threads each, the first one released from 45°.
fn cradle() -> String {
    let (mut bodies, mut joints) = (String::new(), String::new());
    for i in 0..5 {
        let x = 0.5 * f64::from(i);
        let lean = if i == 0 { std::f64::consts::FRAC_PI_4 } else { 0.0 };
        bodies += &format!(
            "(name: \"ball {}\", shape: Sphere(radius: 0.25), at: ({}, 0, {}), mass: 1, {SURFACE}),",
            i + 1,
            x - 2.0 * lean.sin(),
            -2.0 * lean.cos()
        );
        for y in [-0.8, 0.8] {
            joints += &format!(
                "(name: \"thread {} {y}\", b: \"ball {}\", anchor_a: ({x}, {y}, 0), anchor_b: (0, 0, 0), kind: \
                 Distance),",
                i + 1,
                i + 1
            );
        }
    }
    format!("bodies: [{bodies}], joints: [{joints}]")
}

/// Eighteen balls moving in all directions in a closed room of 3 m, elastic and without friction.
fn gas() -> String {
    let mut bodies = String::new();
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        for side in [-1.0, 1.0] {
            let (mut at, mut half) = ([0.0; 3], [2.5; 3]);
            (at[axis], half[axis]) = (2.0 * side, 0.5);
            let ([x, y, z], [a, b, c]) = (at, half);
            bodies += &format!(
                "(name: \"wall {name}{side}\", shape: Box(half: ({a}, {b}, {c})), at: ({x}, {y}, {z}), motion: Static, \
                 {SURFACE}),"
            );
        }
    }
    for i in 0..18 {
        let (x, y, z) = (f64::from(i % 3) - 1.0, f64::from(i / 3 % 3) - 1.0, f64::from(i / 9) - 0.5);
        // Some directions, all different.
        let (u, v) = (2.4 * f64::from(i), 0.9 * f64::from(i) + 0.3);
        bodies += &format!(
            "(name: \"ball {i}\", shape: Sphere(radius: 0.25), at: ({x}, {y}, {z}), mass: 1, velocity: ({}, {}, {}), \
             {SURFACE}),",
            4.0 * u.cos() * v.cos(),
            4.0 * u.sin() * v.cos(),
            4.0 * v.sin()
        );
    }
    format!("bodies: [{bodies}]")
}

/// The bar that is struck: half length, m, distance of the impact from its centre, m, the ball's mass over the bar's,
/// and its speed, m/s.
const BAR: f64 = 0.5;
const STRUCK: f64 = 0.4;
const BALL: f64 = 0.5;
const SPEED: f64 = 3.0;

/// The impulse over the bar's mass, m/s, and the bar's moment of inertia over its mass, m².
fn impulse() -> (f64, f64) {
    let inertia = (BAR * BAR + 0.05 * 0.05) / 3.0;
    (2.0 * SPEED / (1.0 / BALL + 1.0 + STRUCK * STRUCK / inertia), inertia)
}

pub const FAMILY: Family = Family {
    title: "Collisions and Newton's cradle",
    about: "Smooth bodies, without gravity unless stated otherwise. Momentum is conserved, and energy as well where e \
            = 1.",
    cases: &[
        Case {
            name: "collision/head-on",
            what: "A ball of 1 kg at 4 m/s meets one of 3 kg at rest, e = 0.5.",
            scene: || {
                "bodies: [(name: \"a\", shape: Sphere(radius: 0.2), at: (-1, 0, 0), mass: 1, velocity: (4, 0, 0), \
                 friction: 0, restitution: 0.5), \
                 (name: \"b\", shape: Sphere(radius: 0.3), mass: 3, friction: 0, restitution: 0.5)]"
                    .into()
            },
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                t.run(1.0);
                vec![t.velocity("a").x, t.velocity("b").x]
            },
            quantities: &[
                Quantity::share(
                    "speed of the light one",
                    "m/s",
                    "(m₁ − e m₂) v/(m₁ + m₂)",
                    || -0.5,
                    Bounds::same(1e-4),
                ),
                Quantity::share("speed of the heavy one", "m/s", "(1 + e) m₁ v/(m₁ + m₂)", || 1.5, Bounds::same(1e-4)),
            ],
        },
        Case {
            name: "collision/glancing",
            what: "A ball at 4 m/s meets an equal one at rest, a radius off the centre, e = 1.",
            scene: || {
                format!(
                    "bodies: [(name: \"a\", shape: Sphere(radius: 0.25), at: (-1, 0, 0), mass: 1, velocity: (4, 0, 0), \
                     {SURFACE}), (name: \"b\", shape: Sphere(radius: 0.25), at: (0, 0.25, 0), mass: 1, {SURFACE})]"
                )
            },
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                t.run(1.0);
                let (a, b) = (t.velocity("a"), t.velocity("b"));
                vec![
                    b.y.atan2(b.x).to_degrees(),
                    a.angle_between(b).to_degrees(),
                    0.5 * (a.length_squared() + b.length_squared()),
                ]
            },
            quantities: &[
                Quantity::absolute("direction of the struck one", "°", "asin(b/2R)", || 30.0, Bounds::same(0.1)),
                Quantity::absolute("angle between both", "°", "90° for equal masses", || 90.0, Bounds::same(0.1)),
                Quantity::share("energy", "J", "m v²/2", || 8.0, Bounds::same(1e-4)),
            ],
        },
        Case {
            name: "collision/billiard-cut",
            what: "A billiard ball at 5 m/s cuts an equal one at rest by 25°, e = 0.95.",
            scene: || {
                let surface = "friction: 0, restitution: 0.95";
                let b = 2.0 * 0.0286 * 25f64.to_radians().sin();
                format!(
                    "bodies: [(name: \"a\", shape: Sphere(radius: 0.0286), at: (-0.3, 0, 0), mass: 0.17, velocity: (5, 0, 0), \
                     {surface}), (name: \"b\", shape: Sphere(radius: 0.0286), at: (0, {b}, 0), mass: 0.17, {surface})]"
                )
            },
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                t.run(0.5);
                let b = t.velocity("b");
                vec![b.y.atan2(b.x).to_degrees(), b.length()]
            },
            quantities: &[
                Quantity::absolute("direction of the struck one", "°", "α", || 25.0, Bounds::same(0.1)),
                Quantity::share(
                    "speed of the struck one",
                    "m/s",
                    "(1 + e) v cos α/2",
                    || 0.975 * 5.0 * 25f64.to_radians().cos(),
                    Bounds::same(2e-3),
                ),
            ],
        },
        Case {
            name: "collision/ball-on-bar",
            what: "A ball of 0.5 kg at 3 m/s strikes a free bar of 1 m and 1 kg, 0.4 m off its centre, e = 1.",
            scene: || {
                format!(
                    "bodies: [(name: \"bar\", shape: Box(half: ({BAR}, 0.05, 0.05)), mass: 1, {SURFACE}), \
                     (name: \"ball\", shape: Sphere(radius: 0.1), at: ({STRUCK}, -0.8, 0), mass: {BALL}, \
                     velocity: (0, {SPEED}, 0), {SURFACE})]"
                )
            },
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                t.run(0.5);
                vec![t.velocity("bar").y, t.angular_velocity("bar").z, t.velocity("ball").y]
            },
            quantities: &[
                Quantity::share(
                    "speed of the bar",
                    "m/s",
                    "j/M, j = 2 v/(1/m + 1/M + x²/I)",
                    || impulse().0,
                    Bounds::same(1e-3),
                ),
                Quantity::share(
                    "spin of the bar",
                    "rad/s",
                    "j x/I",
                    || STRUCK * impulse().0 / impulse().1,
                    Bounds::same(1e-3),
                ),
                Quantity::share(
                    "speed of the ball",
                    "m/s",
                    "v − j/m",
                    || SPEED - impulse().0 / BALL,
                    Bounds::same(2e-3),
                ),
            ],
        },
        Case {
            name: "collision/gas",
            what: "Eighteen balls at 4 m/s each, in all directions in a closed room of 3 m, e = 1, for 20 s: some 2000 \
                   impacts. Slow impacts bounce too.",
            scene: gas,
            runs: Runs { set: &["step.gravity=0,0,0", "contact.restitution_threshold=0"], slow: true, without: &[] },
            measure: |t| {
                let start = t.kinetic_energy();
                t.run(20.0);
                vec![t.kinetic_energy() / start]
            },
            quantities: &[Quantity::share("energy after 20 s", "", "constant", || 1.0, Bounds::same(0.01))],
        },
        Case {
            name: "cradle/touching",
            what: "A row of four balls in touch is struck by a fifth at 2 m/s, e = 1: all contacts at once, by \
                   Newton's law.",
            scene: || row(5, 0.0),
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                let start = t.kinetic_energy();
                t.run(1.0);
                vec![t.velocity("ball 1").x, t.velocity("ball 5").x, t.kinetic_energy() / start]
            },
            quantities: &[
                Quantity::share(
                    "speed of the striker",
                    "m/s",
                    "(2/n − 1) v",
                    || 2.0 * struck_row(5.0).0,
                    Bounds::same(0.01),
                ),
                Quantity::share(
                    "speed of the last one",
                    "m/s",
                    "2/n v",
                    || 2.0 * struck_row(5.0).1,
                    Bounds::same(0.01),
                ),
                Quantity::share("energy", "", "constant", || 1.0, Bounds::same(0.01)),
            ],
        },
        Case {
            name: "cradle/apart",
            what: "Three balls 0.2 m apart are struck in turn, e = 1: the last one takes all of the 2 m/s.",
            scene: || row(3, 0.2),
            runs: Runs::with(&["step.gravity=0,0,0"]),
            measure: |t| {
                let start = t.kinetic_energy();
                t.run(1.5);
                vec![t.velocity("ball 3").x, t.kinetic_energy() / start]
            },
            quantities: &[
                Quantity::share("speed of the last one", "m/s", "v", || 2.0, Bounds::same(1e-4)),
                Quantity::share("energy", "", "constant", || 1.0, Bounds::same(1e-4)),
            ],
        },
        Case {
            name: "cradle/swing",
            what: "Newton's cradle: five balls of 1 kg on threads, the first let go from 45°, e = 1, under gravity.",
            scene: cradle,
            runs: Runs::with(&["contact.restitution_threshold=0"]),
            measure: |t| {
                let lowest = 5.0 * -2.0 * crate::reference::G;
                let start = t.energy() - lowest;
                t.run(10.0);
                vec![(t.energy() - lowest) / start]
            },
            quantities: &[Quantity::share("energy after 10 s", "", "constant", || 1.0, Bounds::same(0.1))],
        },
    ],
};

#[cfg(test)]
mod tests {
    use super::struck_row;

    #[test]
    fn a_row_that_is_struck_keeps_momentum_and_energy() {
        for n in 2..8 {
            let n = f64::from(n);
            let (first, others) = struck_row(n);
            assert!((first + (n - 1.0) * others - 1.0).abs() < 1e-12);
            assert!((first * first + (n - 1.0) * others * others - 1.0).abs() < 1e-12);
        }
    }
}
