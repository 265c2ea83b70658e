//! Rates of a link's joints in MuJoCo's coordinates, from the velocities of bodies.
//!
//! ```text
//! V_child − V_parent = Σ q̇ᵢ Sᵢ,   Sᵢ the motion of the child for a unit rate of joint i, all at their reference values
//! ```
//! Where the scene's velocities break the joint, the rates are those that leave the child the least kinetic energy in what
//! is lost: the impulse of the joint on a child whose parent does not yield.

use glam::{DMat3, DVec3};

use super::links::{Link, Twist};
use crate::frame::Frame;
use crate::model::{Freedom, Joint};

/// The motions of the child for unit rates of the joint, in the order of MuJoCo's velocities. `child` is its frame.
pub fn columns(joint: &Joint, child: &Frame) -> Vec<Twist> {
    let about = |axis: DVec3, at: DVec3| Twist::of(at, DVec3::ZERO, axis);
    let along = |axis: DVec3| Twist { linear: axis, angular: DVec3::ZERO };
    let own = DVec3::AXES.map(|axis| child.turn * axis);
    match joint.freedom {
        Freedom::Turn => vec![about(joint.axis, joint.anchor)],
        Freedom::Slide => vec![along(joint.axis)],
        // Rates about the child's own axes.
        Freedom::Ball => own.map(|axis| about(axis, joint.anchor)).to_vec(),
        Freedom::All => DVec3::AXES.into_iter().map(along).chain(own.map(|axis| about(axis, child.origin))).collect(),
        Freedom::Nothing | Freedom::Plane => Vec::new(),
    }
}

/// The rates that come closest to a wanted motion of the child against its parent, and what is left of it.
pub fn rates(columns: &[Twist], wanted: &Twist, child: &Link<'_>) -> (Vec<f64>, Twist) {
    let (mass, centre, inertia) = (child.mass.mass, child.centre(), child.world_inertia());
    let n = columns.len();
    let mut matrix: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let row = columns.iter().map(|other| product(&columns[i], other, mass, centre, &inertia));
            row.chain([product(&columns[i], wanted, mass, centre, &inertia)]).collect()
        })
        .collect();
    let rates = solve(&mut matrix);
    let left = columns.iter().zip(&rates).fold(*wanted, |left, (column, rate)| left.plus(column, -rate));
    (rates, left)
}

/// Twice the mixed kinetic energy of two motions.
fn product(a: &Twist, b: &Twist, mass: f64, centre: DVec3, inertia: &DMat3) -> f64 {
    mass * a.at(centre).dot(b.at(centre)) + a.angular.dot(*inertia * b.angular)
}

/// Solves a small positive definite system with its right side in the last column; a direction without inertia has rate
/// zero.
fn solve(matrix: &mut [Vec<f64>]) -> Vec<f64> {
    let n = matrix.len();
    let scale = (0..n).map(|i| matrix[i][i].abs()).fold(0.0, f64::max);
    for i in 0..n {
        let pivot = matrix[i][i];
        if pivot.abs() <= 1e-12 * scale {
            matrix[i].fill(0.0);
            continue;
        }
        matrix[i].iter_mut().for_each(|entry| *entry /= pivot);
        let row = matrix[i].clone();
        for (_, other) in matrix.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = other[i];
            other.iter_mut().zip(&row).for_each(|(entry, own)| *entry -= factor * own);
        }
    }
    matrix.iter().map(|row| row[n]).collect()
}
