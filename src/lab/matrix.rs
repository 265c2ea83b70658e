//! The Delassus matrix of a mechanism, and what can be read off it.
//!
//! ```text
//! A = J M⁻¹ Jᵀ + γ          over the rows that hold; a cell is zero where two rows share no moving body
//! κ = λmax/λmin             over the eigenvalues that are no rounding: the others belong to redundant rows
//! dominance = min over rows of A_ii / Σ |A_ij|, j ≠ i       above 1 Jacobi and Gauss–Seidel converge for certain
//! ```
//! A is symmetric and positive semidefinite, so its singular values are its eigenvalues. Source: 004 ch. 5; 001.

use super::Look;
use super::row::{Bounded, RowLook};
use crate::doctor::singular::singular_values;
use crate::physics::row::{Owner, Row};

/// The most rows of a matrix; the first ones of a larger mechanism are taken.
pub const LARGEST: usize = 160;
/// Eigenvalues below this share of the largest are rounding errors of redundant rows.
const NOTHING: f64 = 1e-6;

/// The rows of one joint or contact within the matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    pub owner: Owner,
    pub first: usize,
    pub count: usize,
    pub a: u32,
    pub b: u32,
}

/// A mechanism's matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// The rows, by their places in [`Look::rows`].
    pub rows: Vec<usize>,
    /// How many rows of the mechanism hold, those that were left out included.
    pub all: usize,
    pub parts: Vec<Part>,
    /// Row by row.
    cells: Vec<f64>,
    /// Largest first.
    pub eigenvalues: Vec<f64>,
    /// Cells that are not zero.
    pub filled: usize,
}

impl Matrix {
    /// The matrix of the mechanism that a body belongs to, or of the one with the most rows. `None` where no row holds.
    pub fn of(look: &Look, body: Option<u32>) -> Option<Self> {
        let graph = &look.after.system.graph;
        let moving = |row: &RowLook| if look.after.bodies[row.a as usize].is_dynamic() { row.a } else { row.b };
        let holds =
            |row: &&RowLook| row.bounded != Bounded::Off && look.after.bodies[moving(row) as usize].is_dynamic();
        let mut sizes = vec![0usize; look.after.bodies.len()];
        look.rows.iter().filter(holds).for_each(|row| sizes[graph.island(moving(row)) as usize] += 1);
        let chosen = body.map(|body| graph.island(body) as usize).filter(|island| sizes[*island] > 0);
        let largest = || (0..sizes.len()).rev().max_by_key(|island| sizes[*island]).filter(|island| sizes[*island] > 0);
        let island = chosen.or_else(largest)?;
        let own = look.rows.iter().filter(holds).filter(|row| graph.island(moving(row)) as usize == island);
        let rows: Vec<usize> = own.take(LARGEST).map(|row| row.index).collect();
        Some(Self::of_rows(look, rows, sizes[island]))
    }

    fn of_rows(look: &Look, rows: Vec<usize>, all: usize) -> Self {
        let n = rows.len();
        let mut cells = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let cell =
                    coupling(look, rows[i], rows[j]) + if i == j { f64::from(look.rows[rows[i]].gamma) } else { 0.0 };
                (cells[i * n + j], cells[j * n + i]) = (cell, cell);
            }
        }
        let mut parts: Vec<Part> = Vec::new();
        for (place, index) in rows.iter().enumerate() {
            let RowLook { owner, a, b, .. } = look.rows[*index];
            match parts.last_mut().filter(|part| part.owner == owner) {
                Some(part) => part.count += 1,
                None => parts.push(Part { owner, first: place, count: 1, a, b }),
            }
        }
        let eigenvalues = singular_values(cells.chunks(n).map(<[f64]>::to_vec).collect());
        let filled = cells.iter().filter(|cell| **cell != 0.0).count();
        Self { rows, all, parts, cells, eigenvalues, filled }
    }

    /// How many rows it has.
    pub fn size(&self) -> usize {
        self.rows.len()
    }

    /// A cell, in 1/kg, 1/(kg·m) or 1/(kg·m²).
    ///
    /// # Panics
    /// If there is no such row or column.
    pub fn cell(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size() + column]
    }

    /// How many rows say what others have said.
    pub fn redundant(&self) -> usize {
        let largest = self.eigenvalues.first().copied().unwrap_or_default();
        self.eigenvalues.iter().filter(|value| **value <= NOTHING * largest).count()
    }

    /// κ without the redundant rows.
    pub fn condition(&self) -> f64 {
        let least = self.eigenvalues[self.size() - self.redundant() - 1];
        self.eigenvalues[0] / least
    }

    /// The least share of a row's diagonal over the rest of the row, and that row; infinite where nothing couples.
    pub fn dominance(&self) -> (f64, usize) {
        let n = self.size();
        let of = |i: usize| {
            let others: f64 = (0..n).filter(|j| *j != i).map(|j| self.cell(i, j).abs()).sum();
            self.cell(i, i) / others
        };
        (0..n).map(|i| (of(i), i)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::INFINITY, 0))
    }
}

/// A_ij of two rows: the change of row i's speed for an impulse of 1 in row j.
fn coupling(look: &Look, i: usize, j: usize) -> f64 {
    let (p, q) = (&look.trace.rows[i], &look.trace.rows[j]);
    let (x, y) = (&look.rows[i], &look.rows[j]);
    let mut sum = 0.0;
    for (mine, on_a) in [(x.a, true), (x.b, false)] {
        for (other, of_a) in [(y.a, true), (y.b, false)] {
            if mine == other {
                sum += through(p, on_a, q, of_a);
            }
        }
    }
    sum
}

/// What one body passes on from row q to row p.
fn through(p: &Row, on_a: bool, q: &Row, of_a: bool) -> f64 {
    let (inverse, turn) = if of_a { (q.inv_ma, q.inv_ia) } else { (q.inv_mb, q.inv_ib) };
    let angular = if on_a { p.ang_a } else { p.ang_b };
    let sign = if on_a == of_a { 1.0 } else { -1.0 };
    let linear = sign * p.lin.as_dvec3().dot(q.lin.as_dvec3()) * f64::from(inverse);
    linear + angular.as_dvec3().dot(turn.as_dvec3())
}
