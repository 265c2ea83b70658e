//! The inertia that a joint feels where the file puts the bodies (MuJoCo's qpos0), to which damping ratios refer.
//!
//! ```text
//! J = 1/(M⁻¹)ᵢᵢ,   M = Σ m Jᵥᵀ Jᵥ + Jωᵀ I Jω over the bodies, with the armatures on its diagonal
//! ```
//! So the other joints give way. MuJoCo calls 1/J `dof_invweight0`.

use glam::DVec3;

use super::bodies::Tree;
use crate::model::{Freedom, WORLD};

/// One way to move: along or about an axis through a point, world frame.
struct Motion {
    joint: usize,
    turns: bool,
    point: DVec3,
    axis: DVec3,
}

/// J of every hinge, kg·m², and slide, kg. `None` for other joints, and where nothing has a mass.
pub fn inertias(tree: &Tree<'_>) -> Vec<Option<f64>> {
    let mut found = vec![None; tree.joints.len()];
    // The links of each tree that hangs on the world, and the motions by which each link is moved.
    let mut trees: Vec<Vec<usize>> = Vec::new();
    let mut of_link = vec![None; tree.links.len()];
    let mut moved: Vec<Vec<usize>> = vec![Vec::new(); tree.links.len()];
    let mut motions: Vec<Vec<Motion>> = Vec::new();
    for (number, joint) in tree.joints.iter().enumerate().filter(|(_, joint)| !joint.closes) {
        let (parent, child) = (joint.parent, joint.child);
        let own = if parent == WORLD { None } else { of_link[parent] };
        let own = own.unwrap_or_else(|| {
            trees.push(Vec::new());
            motions.push(Vec::new());
            trees.len() - 1
        });
        of_link[child] = Some(own);
        trees[own].push(child);
        moved[child] = moved[parent].clone();
        let (point, axis) = tree.rest_axes[number];
        let mut add = |turns: bool, axis: DVec3| {
            moved[child].push(motions[own].len());
            motions[own].push(Motion { joint: number, turns, point, axis });
        };
        match joint.freedom {
            Freedom::Turn => add(true, axis),
            Freedom::Slide => add(false, axis),
            Freedom::Ball => DVec3::AXES.into_iter().for_each(|axis| add(true, axis)),
            Freedom::All => {
                DVec3::AXES.into_iter().for_each(|axis| add(false, axis));
                DVec3::AXES.into_iter().for_each(|axis| add(true, axis));
            }
            Freedom::Nothing | Freedom::Plane => {}
        }
    }
    for (links, motions) in trees.iter().zip(&motions) {
        let size = motions.len();
        let mut matrix = vec![vec![0.0; size]; size];
        for (i, motion) in motions.iter().enumerate() {
            matrix[i][i] = tree.joints[motion.joint].armature;
        }
        for link in links {
            let Some(mass) = tree.links[*link].mass else { continue };
            let pose = tree.rest[*link];
            let (centre, inertia) = (pose.point(mass.centre), pose.tensor(mass.inertia));
            let rates: Vec<(usize, DVec3, DVec3)> = moved[*link]
                .iter()
                .map(|i| match &motions[*i] {
                    Motion { turns: true, point, axis, .. } => (*i, axis.cross(centre - point), *axis),
                    Motion { axis, .. } => (*i, *axis, DVec3::ZERO),
                })
                .collect();
            for (i, speed, spin) in &rates {
                let (momentum, angular) = (*speed * mass.mass, inertia * *spin);
                rates.iter().for_each(|(j, other, turn)| matrix[*i][*j] += momentum.dot(*other) + angular.dot(*turn));
            }
        }
        let Some(inverse) = diagonal_of_inverse(matrix) else { continue };
        for (motion, inverse) in motions.iter().zip(inverse) {
            if matches!(tree.joints[motion.joint].freedom, Freedom::Turn | Freedom::Slide) {
                found[motion.joint] = Some(1.0 / inverse);
            }
        }
    }
    found
}

/// The diagonal of the inverse of a symmetric positive matrix, by its Cholesky factor: Σ over the columns of L⁻¹ squared.
fn diagonal_of_inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let size = matrix.len();
    for i in 0..size {
        for j in 0..=i {
            let (above, own) = matrix.split_at(i);
            let row = if j == i { &own[0] } else { &above[j] };
            let rest = own[0][j] - own[0][..j].iter().zip(&row[..j]).map(|(a, b)| a * b).sum::<f64>();
            let value = if j < i { rest / above[j][j] } else { rest.sqrt() };
            // What nothing weighs is not positive; NaN neither.
            if j == i && (value.is_nan() || value <= 1e-9 * own[0][i].abs().sqrt()) {
                return None;
            }
            matrix[i][j] = value;
        }
    }
    let mut sums = vec![0.0; size];
    for (k, sum) in sums.iter_mut().enumerate() {
        // L x = e_k.
        let mut x = vec![0.0; size];
        for i in k..size {
            let known = matrix[i][k..i].iter().zip(&x[k..i]).map(|(a, b)| a * b).sum::<f64>();
            x[i] = (if i == k { 1.0 } else { 0.0 } - known) / matrix[i][i];
        }
        *sum = x.iter().map(|value| value * value).sum();
    }
    Some(sums)
}
