//! Velocities and accelerations along the path.
//!
//! ```text
//! J v = (0, …, ṡ)                     ṡ the speed of the driven joint, which is constant
//! J a = −J̇ v                          from d/dt (J v) = 0
//! J̇ v = d/dε J(x ⊕ ε v) v             by differences: (8 (f₁ − f₋₁) − (f₂ − f₋₂))/(12 ε), f_k = J(x ⊕ k ε v) v
//! ```
//! The differences are of fourth order. They move the mechanism by 1e-3 of its size, where their error and rounding are
//! both below 1e-11; with rows in 32 bits by 3e-2, where both are about 1e-5.

use glam::DVec3;

use crate::linkage::{Linkage, State, System};
use crate::path::Walker;
use crate::rows::{Row, Twist};

/// The difference ε, as a share of the mechanism's size: with rows in 64 bits, and in 32.
const MOVES: f64 = 1e-3;
const MOVES_SINGLE: f64 = 3e-2;

/// How a mechanism moves at one state.
#[derive(Debug, Clone, PartialEq)]
pub struct Rates {
    /// By body of the world: velocities, m/s and rad/s.
    pub twists: Vec<Twist>,
    /// By body of the world: accelerations, m/s² and rad/s².
    pub accelerations: Vec<Twist>,
}

/// The motion at the walker's state for this speed of the driven joint, rad/s or m/s; at rest without accelerations.
pub fn rates(walker: &Walker<'_, '_>, system: &System, speed: f64) -> Rates {
    let mut wanted = vec![0.0; system.rows.len()];
    if let Some(last) = wanted.last_mut() {
        *last = speed;
    }
    let twists = walker.linkage.twists(&system.solve(&wanted));
    let value = walker.value();
    let bias = bias(walker.linkage, &walker.state, &twists, system.rows.len(), |state| walker.rows_at(state, value));
    let wanted: Vec<f64> = bias.iter().map(|bias| -bias).collect();
    let accelerations = walker.linkage.twists(&system.solve(&wanted));
    Rates { twists, accelerations }
}

/// J̇ v of rows, m/s² or rad/s². `rows` makes `count` rows at a state; zero where it makes another number nearby.
pub fn bias(
    linkage: &Linkage<'_>,
    state: &State,
    twists: &[Twist],
    count: usize,
    rows: impl Fn(&State) -> Vec<Row>,
) -> Vec<f64> {
    let fastest = linkage.fastest(twists);
    if !(fastest > 0.0 && fastest.is_finite()) {
        return vec![0.0; count];
    }
    let moves = if linkage.is_single_precision { MOVES_SINGLE } else { MOVES };
    let epsilon = moves * linkage.size / fastest;
    let speeds = |share: f64| -> Vec<f64> {
        let poses = linkage.moved(&state.poses, twists, share * epsilon);
        let there = State { poses, ..state.clone() };
        rows(&there).iter().map(|row| speed(row, twists)).collect()
    };
    let [ahead, behind, far_ahead, far_behind] = [1.0, -1.0, 2.0, -2.0].map(speeds);
    if [&ahead, &behind, &far_ahead, &far_behind].iter().any(|speeds| speeds.len() != count) {
        return vec![0.0; count];
    }
    let derivative = |k: usize| 8.0 * (ahead[k] - behind[k]) - (far_ahead[k] - far_behind[k]);
    (0..count).map(|k| derivative(k) / (12.0 * epsilon)).collect()
}

/// J u of a row for the velocities of all bodies.
pub fn speed(row: &Row, twists: &[Twist]) -> f64 {
    row.speed(twists[row.bodies[0] as usize], twists[row.bodies[1] as usize])
}

/// The rate and the acceleration of a joint's value, by joint of the linkage; none where it has no single value.
pub fn of_value(linkage: &Linkage<'_>, state: &State, rates: &Rates, at: usize) -> Option<[f64; 2]> {
    let row = linkage.value(at, state)?;
    let bias = bias(linkage, state, &rates.twists, 1, |state| linkage.value(at, state).into_iter().collect());
    Some([speed(&row, &rates.twists), speed(&row, &rates.accelerations) + bias[0]])
}

/// The velocity of a point of a body that lies at `arm` from its centre of mass, m/s.
pub fn of_point(twist: Twist, arm: DVec3) -> DVec3 {
    twist.linear + twist.angular.cross(arm)
}
