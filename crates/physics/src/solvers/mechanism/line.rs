//! The rows of a node in 64 bits, and the matrix A = J M⁻¹ Jᵀ + γ of all rows, free or not.

#![allow(clippy::needless_range_loop, reason = "matrices are indexed as in the formulas")]

use glam::{DMat3, DVec3};

use super::blocks::{Block, Part, ZERO};
use super::lanes::Lanes;
use super::plan::{Node, WIDTH};
use crate::body::{Body, Velocity};
use crate::graph::NONE;
use crate::row::Row;

/// All rows of a node.
type All = Lanes<2>;

/// A velocity or an impulse, linear part first.
pub type Six = [f64; 6];

/// The rows of a node: J for its two bodies, and M⁻¹ Jᵀ. Rows beyond the node's number are zero.
#[derive(Debug, Clone, Copy)]
pub struct Lines {
    /// By body and component: J of each row, so that all rows are multiplied at once.
    on: [[Part; 6]; 2],
    /// By body and row.
    by: [[Six; WIDTH]; 2],
    pub gamma: Part,
    /// Weight of each row's impulse in the least norm: 1/mA + 1/mB, of an angular row J M⁻¹ Jᵀ.
    pub weight: Part,
}

impl Default for Lines {
    fn default() -> Self {
        let none = [0.0; WIDTH];
        Self { on: [[none; 6]; 2], by: [[[0.0; 6]; WIDTH]; 2], gamma: none, weight: none }
    }
}

/// 1/m and I⁻¹ of a body, world axes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inverse {
    mass: f64,
    inertia: DMat3,
}

impl Inverse {
    /// Those of a body, multiplied by the number of parts into which its mass is split; zero for one that impulses do
    /// not move.
    pub fn of(body: &Body, parts: f64) -> Self {
        if !body.is_dynamic() {
            return Self::default();
        }
        let (mass, inertia) = body.inverses();
        let inertia = inertia.as_dmat3();
        Self { mass: f64::from(mass) * parts, inertia: 0.5 * parts * (inertia + inertia.transpose()) }
    }
}

fn six(linear: DVec3, angular: DVec3) -> Six {
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
}

fn dot(a: &Six, b: &Six) -> f64 {
    ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5])
}

impl Lines {
    /// The rows of a node between bodies with these inverse masses.
    pub fn of(rows: &[Row], a: &Inverse, b: &Inverse) -> Self {
        let mut lines = Self::default();
        for (i, row) in rows.iter().enumerate() {
            let (lin, ang_a, ang_b) = (row.lin.as_dvec3(), row.ang_a.as_dvec3(), row.ang_b.as_dvec3());
            let lin_a = row.lin_a().as_dvec3();
            let on = [six(lin_a, ang_a), six(lin, ang_b)];
            let by = [six(lin_a * a.mass, a.inertia * ang_a), six(lin * b.mass, b.inertia * ang_b)];
            let linear = a.mass + b.mass;
            let turns = lin == DVec3::ZERO || linear == 0.0;
            lines.weight[i] = if turns { dot(&on[0], &by[0]) + dot(&on[1], &by[1]) } else { linear };
            lines.gamma[i] = f64::from(row.gamma);
            for end in 0..2 {
                lines.by[end][i] = by[end];
                for k in 0..6 {
                    lines.on[end][k][i] = on[end][k];
                }
            }
        }
        lines
    }

    /// M⁻¹ Jᵀ of a row for its two bodies.
    pub fn unit(row: &Row) -> [Six; 2] {
        let (lin, ia, ib) = (row.lin.as_dvec3(), row.inv_ia.as_dvec3(), row.inv_ib.as_dvec3());
        [six(row.lin_a().as_dvec3() * f64::from(row.inv_ma), ia), six(lin * f64::from(row.inv_mb), ib)]
    }

    /// J u of each row at the velocities of its bodies, and the sum of the sizes of its terms.
    pub fn speed(&self, a: &Velocity, b: &Velocity) -> (Part, Part) {
        let (mut speed, mut size) = ([0.0; WIDTH], [0.0; WIDTH]);
        let [mut speeds, mut sizes] = [All::load(&speed), All::load(&size)];
        for (on, velocity) in self.on.iter().zip([a, b]) {
            let velocity = six(velocity.linear.as_dvec3(), velocity.angular.as_dvec3());
            for (on, velocity) in on.iter().zip(velocity) {
                let on = All::load(on);
                speeds.add_scaled(&on, velocity);
                sizes.add_size(&on, velocity);
            }
        }
        speeds.store(&mut speed);
        sizes.store(&mut size);
        (speed, size)
    }

    /// Adds J y at the node's two bodies to `sum`.
    #[inline]
    pub fn add_speed(&self, node: &Node, first: u32, y: &[Six], sum: &mut Part) {
        let mut sums = All::load(sum);
        for (on, body) in self.on.iter().zip([node.a, node.b]).filter(|(_, body)| *body != NONE) {
            for (on, y) in on.iter().zip(&y[(body - first) as usize]) {
                sums.add_scaled(&All::load(on), *y);
            }
        }
        sums.store(sum);
    }

    /// y ← y + M⁻¹ Jᵀ λ over the node's `width` rows.
    #[inline]
    pub fn push(&self, node: &Node, first: u32, impulses: &Part, width: usize, y: &mut [Six]) {
        for (by, body) in self.by.iter().zip([node.a, node.b]).filter(|(_, body)| *body != NONE) {
            let change = &mut y[(body - first) as usize];
            for (by, impulse) in by.iter().zip(impulses).take(width) {
                for k in 0..6 {
                    change[k] += by[k] * impulse;
                }
            }
        }
    }

    /// Adds J M⁻¹ Jᵀ through one body to a block: rows of `self` at its `end`, columns of `other` at its.
    fn couple(&self, end: usize, (other, other_end): (&Self, usize), width: usize, block: &mut Block) {
        for (column, by) in block.iter_mut().zip(&other.by[other_end]).take(width) {
            let mut lanes = All::load(column);
            for (on, by) in self.on[end].iter().zip(by) {
                lanes.add_scaled(&All::load(on), *by);
            }
            lanes.store(column);
        }
    }
}

/// The diagonal block of a node.
pub fn own_block(node: &Node, lines: &Lines, width: usize) -> Block {
    let mut block = ZERO;
    for (end, _) in [node.a, node.b].into_iter().enumerate().filter(|(_, body)| *body != NONE) {
        lines.couple(end, (lines, end), width, &mut block);
    }
    for c in 0..width {
        block[c][c] += lines.gamma[c];
    }
    block
}

/// The block of two nodes: rows of the `later`, columns of the `earlier`, of which there are `width`.
pub fn shared_block((later, rows): (&Node, &Lines), (earlier, columns): (&Node, &Lines), width: usize) -> Block {
    let mut block = ZERO;
    for (end, body) in [later.a, later.b].into_iter().enumerate().filter(|(_, body)| *body != NONE) {
        for (other, _) in [earlier.a, earlier.b].into_iter().enumerate().filter(|(_, other)| *other == body) {
            rows.couple(end, (columns, other), width, &mut block);
        }
    }
    block
}
