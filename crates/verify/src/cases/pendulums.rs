//! Pendulums of one, two and three links.
//!
//! For links in one plane at angles θ from straight down, link i with its centre of mass at the distance c from its
//! upper end, Lagrange's equations are
//!
//! ```text
//! Σ_j B_ij cos(θi − θj) θj'' = −Σ_j B_ij sin(θi − θj) θj'² − g A_i sin θi
//! A_i  = m_i c_i + l_i Σ_{k>i} m_k
//! B_ii = m_i c_i² + I_i + l_i² Σ_{k>i} m_k,   B_ij = B_ji = l_i (m_j c_j + l_j Σ_{k>j} m_k) for i < j
//! ```

use crate::case::{Bounds, Case, Family, Quantity, Runs};
use crate::case_run::CaseRun;
use crate::reference::{G, elliptic_k, period, rk4, solve};

/// A uniform bar of this length, m, and mass, kg; in the scenes a box of twice [`HALF_THICKNESS`].
#[derive(Clone, Copy)]
struct Bar {
    length: f64,
    mass: f64,
}
const HALF_THICKNESS: f64 = 0.03;

impl Bar {
    /// The moment of inertia about its centre of mass, kg m².
    fn inertia(&self) -> f64 {
        self.mass / 3.0 * (0.25 * self.length * self.length + HALF_THICKNESS * HALF_THICKNESS)
    }
}

const ONE: [Bar; 1] = [Bar { length: 1.0, mass: 1.0 }];
const TWO: [Bar; 2] = [Bar { length: 0.7, mass: 1.0 }, Bar { length: 0.5, mass: 0.6 }];
const THREE: [Bar; 3] =
    [Bar { length: 0.6, mass: 1.0 }, Bar { length: 0.5, mass: 0.8 }, Bar { length: 0.4, mass: 0.5 }];
/// The initial angle of all links, at rest, rad.
const START: f64 = 0.8;
/// Steps of the integration in f64. The result does not change with more steps.
const STEPS: usize = 20_000;

/// The angles after `seconds`, rad, of links released from rest at `START`. `M` is twice their number.
fn angles<const N: usize, const M: usize>(bars: &[Bar; N], seconds: f64) -> [f64; M] {
    let below = |i: usize| bars[i + 1..].iter().map(|b| b.mass).sum::<f64>();
    let a = |i: usize| bars[i].mass * 0.5 * bars[i].length + bars[i].length * below(i);
    let b = |i: usize, j: usize| {
        let (i, j) = (i.min(j), i.max(j));
        if i == j {
            let Bar { length, mass } = bars[i];
            0.25 * mass * length * length + bars[i].inertia() + length * length * below(i)
        } else {
            bars[i].length * a(j)
        }
    };
    let rate = |_: f64, state: &[f64; M]| {
        let (angle, speed) = state.split_at(N);
        let matrix = std::array::from_fn(|i| std::array::from_fn(|j| b(i, j) * (angle[i] - angle[j]).cos()));
        let load: [f64; N] = std::array::from_fn(|i| {
            let turning: f64 = (0..N).map(|j| b(i, j) * (angle[i] - angle[j]).sin() * speed[j] * speed[j]).sum();
            -turning - G * a(i) * angle[i].sin()
        });
        let acceleration = solve(matrix, load);
        std::array::from_fn(|i| if i < N { speed[i] } else { acceleration[i - N] })
    };
    rk4(std::array::from_fn(|i| if i < N { START } else { 0.0 }), seconds, STEPS, rate)
}

/// The bars as bodies `link 1`, `link 2` … on hinges perpendicular to the plane.
fn scene(bars: &[Bar]) -> String {
    let (sin, cos) = START.sin_cos();
    let (mut bodies, mut joints, mut along, mut above) = (String::new(), String::new(), 0.0, "world".to_string());
    for (i, Bar { length, mass }) in bars.iter().enumerate() {
        let (name, half, middle) = (format!("link {}", i + 1), 0.5 * length, along + 0.5 * length);
        bodies += &format!(
            "(name: {name:?}, shape: Box(half: ({HALF_THICKNESS}, {HALF_THICKNESS}, {half})), mass: {mass}, \
             at: ({}, 0, {}), rotation: AxisAngle(axis: (0, 1, 0), angle: {}), collide: false),",
            middle * sin,
            -middle * cos,
            -START
        );
        joints += &format!(
            "(name: \"pin {}\", a: {above:?}, b: {name:?}, anchor: ({}, 0, {}), axis: (0, 1, 0), kind: Hinge),",
            i + 1,
            along * sin,
            -along * cos
        );
        (along, above) = (along + length, name);
    }
    format!("bodies: [{bodies}], joints: [{joints}]")
}

/// A link's angle from straight down, rad.
fn angle(t: &CaseRun, link: &str) -> f64 {
    let down = t.rotation(link) * glam::DVec3::NEG_Z;
    down.x.atan2(-down.z)
}

/// Energy relative to hanging straight down at rest, J.
fn swing(t: &CaseRun, bars: &[Bar]) -> f64 {
    let (mut lowest, mut along) = (0.0, 0.0);
    for Bar { length, mass } in bars {
        lowest -= mass * G * (along + 0.5 * length);
        along += length;
    }
    t.energy() - lowest
}

const ENERGY: &str = "no friction: constant";

pub const FAMILY: Family = Family {
    title: "Pendulums",
    about: "Uniform bars on hinges, let go from rest at 0.8 rad, every link in line with the one above.",
    cases: &[
        Case {
            name: "pendulum/one-link",
            what: "A bar of 1 m and 1 kg.",
            scene: || scene(&ONE),
            runs: Runs::WHOLE_STEP,
            measure: |t| {
                let start = swing(t, &ONE);
                let samples = t.watch(3.0, |t| angle(t, "link 1"));
                let after = samples.last().copied().unwrap_or(f64::NAN);
                let more = t.watch(6.0, |t| angle(t, "link 1"));
                let period = period(&[samples, more].concat(), t.h());
                let energy = t.mean(1.0, |t| swing(t, &ONE)) / start;
                vec![after, period, energy]
            },
            quantities: &[
                Quantity::absolute(
                    "angle after 3 s",
                    "rad",
                    "Lagrange's equation by Runge–Kutta",
                    || angles::<1, 2>(&ONE, 3.0)[0],
                    Bounds::first_order(0.1),
                ),
                Quantity::share(
                    "period",
                    "s",
                    "4 K(sin θ/2) √(I/(m g d))",
                    || {
                        let Bar { length, mass } = ONE[0];
                        let inertia = ONE[0].inertia() + 0.25 * mass * length * length;
                        let k = (0.5 * START).sin();
                        4.0 * elliptic_k(k * k) * (inertia / (mass * G * 0.5 * length)).sqrt()
                    },
                    Bounds::first_order(0.02),
                ),
                Quantity::share("energy after 10 s", "", ENERGY, || 1.0, Bounds::first_order(0.02)),
            ],
        },
        Case {
            name: "pendulum/two-links",
            what: "Bars of 0.7 m, 1 kg and 0.5 m, 0.6 kg.",
            scene: || scene(&TWO),
            runs: Runs::USUAL,
            measure: |t| {
                let start = swing(t, &TWO);
                t.run(2.0);
                let after = angle(t, "link 2");
                t.run(7.0);
                vec![after, t.mean(1.0, |t| swing(t, &TWO)) / start]
            },
            quantities: &[
                Quantity::absolute(
                    "angle of the last link after 2 s",
                    "rad",
                    "Lagrange's equations by Runge–Kutta",
                    || angles::<2, 4>(&TWO, 2.0)[1],
                    Bounds::first_order(0.2),
                ),
                Quantity::share("energy after 10 s", "", ENERGY, || 1.0, Bounds::first_order(0.02)),
            ],
        },
        Case {
            name: "pendulum/three-links",
            what: "Bars of 0.6 m, 1 kg; 0.5 m, 0.8 kg; 0.4 m, 0.5 kg.",
            scene: || scene(&THREE),
            runs: Runs::WHOLE_STEP,
            measure: |t| {
                let start = swing(t, &THREE);
                t.run(2.0);
                let after = angle(t, "link 3");
                t.run(7.0);
                vec![after, t.mean(1.0, |t| swing(t, &THREE)) / start]
            },
            quantities: &[
                Quantity::absolute(
                    "angle of the last link after 2 s",
                    "rad",
                    "Lagrange's equations by Runge–Kutta",
                    || angles::<3, 6>(&THREE, 2.0)[2],
                    Bounds::first_order(0.3),
                ),
                Quantity::share("energy after 10 s", "", ENERGY, || 1.0, Bounds::first_order(0.02)),
            ],
        },
    ],
};

/// The reference itself: its energy is conserved without damping, and small oscillations of one bar have the known
/// period.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_keeps_its_energy() {
        let energy = |state: [f64; 4]| {
            let [first, second] = TWO;
            let (t1, t2, w1, w2) = (state[0], state[1], state[2], state[3]);
            let v = |x: f64, z: f64| x * x + z * z;
            let upper = v(0.5 * first.length * w1, 0.0);
            let joint = (first.length * w1 * t1.cos(), first.length * w1 * t1.sin());
            let lower = v(joint.0 + 0.5 * second.length * w2 * t2.cos(), joint.1 + 0.5 * second.length * w2 * t2.sin());
            0.5 * (first.mass * upper + first.inertia() * w1 * w1 + second.mass * lower + second.inertia() * w2 * w2)
                - first.mass * G * 0.5 * first.length * t1.cos()
                - second.mass * G * (first.length * t1.cos() + 0.5 * second.length * t2.cos())
        };
        let start = energy([START, START, 0.0, 0.0]);
        for seconds in [0.3, 1.0, 2.0] {
            let now = energy(angles::<2, 4>(&TWO, seconds));
            assert!((now - start).abs() < 1e-9, "{now} J of {start} J after {seconds} s");
        }
    }

    #[test]
    fn one_bar_comes_back_after_the_elliptic_period() {
        let period = FAMILY.cases[0].quantities[1].expected;
        let [angle, speed] = angles::<1, 2>(&ONE, period());
        assert!((angle - START).abs() < 1e-9 && speed.abs() < 1e-7, "{angle}, {speed}");
    }
}
