//! The Delassus matrix of a mechanism, and what can be derived from it.
//!
//! ```text
//! A = J M⁻¹ Jᵀ + γ          over the active rows; a cell is zero if two rows share no dynamic body
//! κ = λmax/λmin             over the eigenvalues above rounding errors: the others belong to redundant rows
//! dominance = min over rows of A_ii / Σ |A_ij|, j ≠ i       above 1 Jacobi and Gauss–Seidel converge with certainty
//! ```
//! A is symmetric and positive semidefinite, so its singular values are its eigenvalues. Source: 004 ch. 5; 001.

use super::TracedStep;
use super::row::{BoundState, RowDetails};
use super::sampled::Sampled;
use delassus_doctor::singular::singular_values;
use delassus_physics::row::{Owner, Row};

/// The most rows of a matrix; of a larger mechanism the first rows are taken, and the whole is sampled.
pub const MAX_ROWS: usize = 160;
/// Eigenvalues below this share of the largest are rounding errors of redundant rows.
const ZERO_EIGENVALUE: f64 = 1e-6;

/// The rows of one joint or contact within the matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatrixPart {
    pub owner: Owner,
    pub first: usize,
    pub count: usize,
    pub a: u32,
    pub b: u32,
}

/// The Delassus matrix of a mechanism.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// The rows, as indices into [`TracedStep::rows`].
    pub rows: Vec<usize>,
    /// Number of active rows of the mechanism, including those beyond [`MAX_ROWS`].
    pub all: usize,
    pub parts: Vec<MatrixPart>,
    /// The dynamic bodies of the mechanism, each with six columns of J: v, then ω.
    pub bodies: Vec<u32>,
    /// By rows.
    cells: Vec<f64>,
    /// Largest first.
    pub eigenvalues: Vec<f64>,
    /// Number of cells that are not zero.
    pub filled: usize,
    /// The sampled matrix of all rows, if there are more than [`MAX_ROWS`].
    pub sampled: Option<Sampled>,
}

impl Matrix {
    /// The matrix of the mechanism that a body belongs to, or else of the one with the most rows. `None` if no row is
    /// active.
    pub fn of(traced: &TracedStep, body: Option<u32>) -> Option<Self> {
        let graph = &traced.after.system.graph;
        let moving =
            |row: &RowDetails| if traced.after.state.bodies[row.a as usize].is_dynamic() { row.a } else { row.b };
        let holds = |row: &&RowDetails| {
            row.bounded != BoundState::Off && traced.after.state.bodies[moving(row) as usize].is_dynamic()
        };
        let mut sizes = vec![0usize; traced.after.state.bodies.len()];
        traced.rows.iter().filter(holds).for_each(|row| sizes[graph.island(moving(row)) as usize] += 1);
        let chosen = body.map(|body| graph.island(body) as usize).filter(|island| sizes[*island] > 0);
        let largest = || (0..sizes.len()).rev().max_by_key(|island| sizes[*island]).filter(|island| sizes[*island] > 0);
        let island = chosen.or_else(largest)?;
        let own = traced.rows.iter().filter(holds).filter(|row| graph.island(moving(row)) as usize == island);
        let all: Vec<usize> = own.map(|row| row.index).collect();
        let first = all.iter().copied().take(MAX_ROWS).collect();
        let sampled = if all.len() > MAX_ROWS { Sampled::of(traced, all) } else { None };
        Some(Self { sampled, ..Self::of_rows(traced, first, sizes[island]) })
    }

    fn of_rows(traced: &TracedStep, rows: Vec<usize>, all: usize) -> Self {
        let n = rows.len();
        let mut cells = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let cell = coupling(traced, rows[i], rows[j])
                    + if i == j { f64::from(traced.rows[rows[i]].gamma) } else { 0.0 };
                (cells[i * n + j], cells[j * n + i]) = (cell, cell);
            }
        }
        let mut parts: Vec<MatrixPart> = Vec::new();
        for (place, index) in rows.iter().enumerate() {
            let RowDetails { owner, a, b, .. } = traced.rows[*index];
            match parts.last_mut().filter(|part| part.owner == owner) {
                Some(part) => part.count += 1,
                None => parts.push(MatrixPart { owner, first: place, count: 1, a, b }),
            }
        }
        let mut bodies: Vec<u32> = Vec::new();
        for id in parts.iter().flat_map(|part| [part.a, part.b]) {
            if traced.after.state.bodies[id as usize].is_dynamic() && !bodies.contains(&id) {
                bodies.push(id);
            }
        }
        let eigenvalues = singular_values(cells.chunks(n).map(<[f64]>::to_vec).collect());
        let filled = cells.iter().filter(|cell| **cell != 0.0).count();
        Self { rows, all, parts, bodies, cells, eigenvalues, filled, sampled: None }
    }

    /// Number of rows.
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

    /// A cell of J: the coefficient of a velocity component of a dynamic body, six columns per body in the order of
    /// `bodies`.
    pub fn jacobian(&self, traced: &TracedStep, row: usize, column: usize) -> f64 {
        let (of, body) = (&traced.rows[self.rows[row]], self.bodies[column / 6]);
        let (j, k) = (&of.jacobian, column % 6);
        let part = |lin: glam::Vec3, ang: glam::Vec3| f64::from(if k < 3 { lin[k] } else { ang[k - 3] });
        let on_a = if of.a == body { part(j.lin_a(), j.ang_a) } else { 0.0 };
        on_a + if of.b == body { part(j.lin, j.ang_b) } else { 0.0 }
    }

    /// A cell of M⁻¹, 1/kg or 1/(kg·m²), world axes, with the bodies' rotations at the time the rows were solved.
    pub fn inverse_mass(&self, traced: &TracedStep, row: usize, column: usize) -> f64 {
        let (i, k) = (row % 6, column % 6);
        if row / 6 != column / 6 {
            return 0.0;
        }
        let id = self.bodies[row / 6] as usize;
        let body = &traced.after.state.bodies[id];
        match (i < 3, k < 3) {
            (true, true) if i == k => f64::from(body.inv_mass),
            (false, false) => {
                let turn = glam::Mat3::from_quat(traced.trace.poses[id].1);
                f64::from((turn * body.inv_inertia_local * turn.transpose()).col(k - 3)[i - 3])
            }
            _ => 0.0,
        }
    }

    /// A basis of the null space, A λ = 0: impulses that change no velocity. One vector for each redundant row,
    /// scaled so that its largest component is 1.
    pub fn null_vectors(&self) -> Vec<Vec<f64>> {
        let n = self.size();
        let mut a: Vec<Vec<f64>> = self.cells.chunks(n.max(1)).map(<[f64]>::to_vec).collect();
        // Gauss–Jordan with the largest remaining diagonal pivot, up to the rank; the other rows are free.
        let (mut pivots, mut free): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..n).collect());
        while free.len() > self.redundant() {
            let size = |place: &usize| a[*place][*place].abs();
            let Some(at) = (0..free.len()).max_by(|x, y| size(&free[*x]).total_cmp(&size(&free[*y]))) else { break };
            let pivot = free.remove(at);
            pivots.push(pivot);
            let row: Vec<f64> = a[pivot].iter().map(|cell| cell / a[pivot][pivot]).collect();
            for (i, line) in a.iter_mut().enumerate() {
                let factor = line[pivot];
                if i != pivot && factor != 0.0 {
                    line.iter_mut().zip(&row).for_each(|(cell, entry)| *cell -= factor * entry);
                }
            }
            a[pivot] = row;
        }
        let vector = |column: &usize| {
            let mut vector = vec![0.0; n];
            vector[*column] = 1.0;
            pivots.iter().for_each(|pivot| vector[*pivot] = -a[*pivot][*column]);
            let largest = vector.iter().fold(0.0f64, |largest, part| largest.max(part.abs()));
            vector.iter().map(|part| if part.abs() < 1e-4 * largest { 0.0 } else { part / largest }).collect()
        };
        free.iter().map(vector).collect()
    }

    /// Number of linearly dependent rows.
    pub fn redundant(&self) -> usize {
        let largest = self.eigenvalues.first().copied().unwrap_or_default();
        self.eigenvalues.iter().filter(|value| **value <= ZERO_EIGENVALUE * largest).count()
    }

    /// The condition number κ without the redundant rows.
    pub fn condition(&self) -> f64 {
        let least = self.eigenvalues[self.size() - self.redundant() - 1];
        self.eigenvalues[0] / least
    }

    /// The smallest ratio of a row's diagonal to the sum of the rest of the row, and that row; infinite if no rows
    /// are coupled.
    pub fn dominance(&self) -> (f64, usize) {
        let n = self.size();
        let ratio = |i: usize| {
            let others: f64 = (0..n).filter(|j| *j != i).map(|j| self.cell(i, j).abs()).sum();
            self.cell(i, i) / others
        };
        (0..n).map(|i| (ratio(i), i)).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::INFINITY, 0))
    }
}

/// A_ij of two rows without γ: the velocity change in row i by a unit impulse in row j, 1/kg, 1/(kg·m) or 1/(kg·m²).
pub(super) fn coupling(traced: &TracedStep, i: usize, j: usize) -> f64 {
    let (p, q) = (&traced.trace.rows[i], &traced.trace.rows[j]);
    let (x, y) = (&traced.rows[i], &traced.rows[j]);
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

/// The coupling of rows p and q through one body.
fn through(p: &Row, on_a: bool, q: &Row, of_a: bool) -> f64 {
    let (inverse, turn) = if of_a { (q.inv_ma, q.inv_ia) } else { (q.inv_mb, q.inv_ib) };
    let angular = if on_a { p.ang_a } else { p.ang_b };
    let lin = |row: &Row, on_a: bool| if on_a { row.lin_a() } else { row.lin }.as_dvec3();
    let linear = lin(p, on_a).dot(lin(q, of_a)) * f64::from(inverse);
    linear + angular.as_dvec3().dot(turn.as_dvec3())
}
