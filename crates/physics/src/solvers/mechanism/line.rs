//! The rows of a mechanism in 64 bits, and the matrix A = J M⁻¹ Jᵀ + γ of all of them, free or not.

use glam::{DMat3, DVec3};

use super::blocks::{Block, Part, ZERO};
use super::plan::{Node, WIDTH};
use crate::body::Body;
use crate::graph::NONE;
use crate::row::Row;

/// A velocity or an impulse, linear part first.
pub type Six = [f64; 6];

/// A row: J for its two bodies, and M⁻¹ Jᵀ.
#[derive(Debug, Clone, Copy, Default)]
pub struct Line {
    on_a: Six,
    on_b: Six,
    by_a: Six,
    by_b: Six,
    pub gamma: f64,
    /// Weight of its impulse in the least norm: 1/mA + 1/mB, of an angular row J M⁻¹ Jᵀ.
    pub weight: f64,
}

/// 1/m and I⁻¹ of a body, world axes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inverse {
    mass: f64,
    inertia: DMat3,
}

impl Inverse {
    /// Those of a body, multiplied by the number of parts into which its mass is split; zero for one that impulses do not
    /// move.
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

#[inline(always)]
pub fn dot(a: &Six, b: &Six) -> f64 {
    ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5])
}

impl Line {
    /// A row between bodies with these inverse masses.
    pub fn of(row: &Row, a: &Inverse, b: &Inverse) -> Self {
        let (lin, ang_a, ang_b) = (row.lin.as_dvec3(), row.ang_a.as_dvec3(), row.ang_b.as_dvec3());
        let (by_a, by_b) = (six(-lin * a.mass, a.inertia * ang_a), six(lin * b.mass, b.inertia * ang_b));
        let (on_a, on_b) = (six(-lin, ang_a), six(lin, ang_b));
        let linear = a.mass + b.mass;
        let weight = if lin == DVec3::ZERO || linear == 0.0 { dot(&on_a, &by_a) + dot(&on_b, &by_b) } else { linear };
        Self { on_a, on_b, by_a, by_b, gamma: f64::from(row.gamma), weight }
    }

    /// J y at the node's two bodies.
    #[inline(always)]
    pub fn speed(&self, node: &Node, first: u32, y: &[Six]) -> f64 {
        let at = |on: &Six, body: u32| if body == NONE { 0.0 } else { dot(on, &y[(body - first) as usize]) };
        at(&self.on_a, node.a) + at(&self.on_b, node.b)
    }

    /// y ← y + M⁻¹ Jᵀ λ.
    #[inline(always)]
    pub fn push(&self, node: &Node, first: u32, impulse: f64, y: &mut [Six]) {
        for (by, body) in [(&self.by_a, node.a), (&self.by_b, node.b)] {
            if body != NONE {
                y[(body - first) as usize].iter_mut().zip(by).for_each(|(y, by)| *y += by * impulse);
            }
        }
    }
}

/// The diagonal block of a node.
pub fn own_block(node: &Node, lines: &[Line; WIDTH], width: usize) -> (Block, Part) {
    let (mut block, mut whole) = (ZERO, [1.0; WIDTH]);
    for c in 0..width {
        for r in c..width {
            let (row, column) = (&lines[r], &lines[c]);
            let mut sum = 0.0;
            if node.a != NONE {
                sum += dot(&row.on_a, &column.by_a);
            }
            if node.b != NONE {
                sum += dot(&row.on_b, &column.by_b);
            }
            block[c][r] = sum;
        }
        block[c][c] += lines[c].gamma;
        whole[c] = block[c][c];
    }
    (block, whole)
}

/// The block of two nodes: rows of the `later`, columns of the `earlier`.
pub fn shared_block(
    (later, rows, height): (&Node, &[Line; WIDTH], usize),
    (earlier, columns, width): (&Node, &[Line; WIDTH], usize),
) -> Block {
    let mut block = ZERO;
    let mut add = |row: fn(&Line) -> &Six, column: fn(&Line) -> &Six| {
        for c in 0..width {
            for r in 0..height {
                block[c][r] += dot(row(&rows[r]), column(&columns[c]));
            }
        }
    };
    for (body, row) in [(later.a, (|line| &line.on_a) as fn(&Line) -> &Six), (later.b, |line| &line.on_b)] {
        for (other, column) in [(earlier.a, (|line| &line.by_a) as fn(&Line) -> &Six), (earlier.b, |line| &line.by_b)] {
            if body == other && body != NONE {
                add(row, column);
            }
        }
    }
    block
}
