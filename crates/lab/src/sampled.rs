//! The Delassus matrix of a mechanism with more rows than `matrix::MAX_ROWS`: sampled for a picture, with
//! properties of the whole matrix.
//!
//! ```text
//! picture     a cell covers s × s cells of A, and has the value of largest magnitude among them
//! λmax, κ     by Lanczos' method, m steps from a vector with pseudo-random signs: T = Vᵀ A V, whose eigenvalues lie
//!             between those of A (Cauchy): a lower bound for λmax, an upper bound for λmin, a lower bound for κ
//! ```
//! A is computed row by row from the rows that share a dynamic body, without approximation. Source: Golub and Van
//! Loan, Matrix Computations, 10.1 (Lanczos, with full reorthogonalisation).

use super::TracedStep;
use super::matrix::coupling;
use delassus_doctor::singular::singular_values;
use delassus_physics::graph::Lists;

/// Cells along a side of the picture, at most.
const SIDE: usize = 240;
/// Matrices with more nonzero cells than this are not computed.
const COUPLINGS: usize = 6_000_000;
/// Number of Lanczos steps.
const STEPS: usize = 60;

/// A sampled matrix, see the module's documentation.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// All rows, as indices into [`TracedStep::rows`].
    pub rows: Vec<usize>,
    /// Number of cells along a side of the picture, and number of rows per cell.
    pub side: usize,
    pub each: usize,
    /// By rows: the value, and the two rows that it belongs to, as indices into `rows`.
    cells: Vec<(f64, [u32; 2])>,
    /// Number of cells of A that are not zero.
    pub filled: usize,
    /// The smallest ratio of a row's diagonal to the sum of the rest of the row, and that row's index.
    pub dominance: (f64, usize),
    /// A lower bound for the largest eigenvalue, and an upper bound for the smallest.
    pub eigenvalues: [f64; 2],
}

/// A sparse matrix by rows: column and value of each nonzero cell.
struct Sparse {
    lines: Vec<Vec<(u32, f64)>>,
}

impl Sampled {
    /// The matrix of these rows; `None` if it has too many nonzero cells.
    pub fn of(traced: &TracedStep, rows: Vec<usize>) -> Option<Self> {
        Self::with_side(traced, rows, SIDE)
    }

    pub(super) fn with_side(traced: &TracedStep, rows: Vec<usize>, side: usize) -> Option<Self> {
        let sparse = Sparse::of(traced, &rows)?;
        let n = rows.len();
        let each = n.div_ceil(side).max(1);
        let side = n.div_ceil(each);
        let mut cells = vec![(0.0, [0, 0]); side * side];
        let (mut filled, mut dominance) = (0, (f64::INFINITY, 0));
        for (i, line) in sparse.lines.iter().enumerate() {
            let (mut diagonal, mut others) = (0.0, 0.0);
            for (j, value) in line.iter().filter(|(_, value)| *value != 0.0) {
                let cell = &mut cells[i / each * side + *j as usize / each];
                if value.abs() > f64::abs(cell.0) {
                    *cell = (*value, [i as u32, *j]);
                }
                filled += 1;
                if *j as usize == i { diagonal = *value } else { others += value.abs() }
            }
            if diagonal / others < dominance.0 {
                dominance = (diagonal / others, i);
            }
        }
        let eigenvalues = sparse.extremes();
        Some(Self { rows, side, each, cells, filled, dominance, eigenvalues })
    }

    /// A cell of the picture: the value, and the indices of its two rows.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn cell(&self, line: usize, column: usize) -> (f64, [usize; 2]) {
        let (value, places) = self.cells[line * self.side + column];
        (value, places.map(|place| place as usize))
    }

    /// The largest magnitude of all cells.
    pub fn largest(&self) -> f64 {
        self.cells.iter().fold(0.0, |largest, (value, _)| f64::max(largest, value.abs()))
    }
}

impl Sparse {
    fn of(traced: &TracedStep, rows: &[usize]) -> Option<Self> {
        let moves = |id: u32| traced.after.state.bodies[id as usize].is_dynamic();
        let ends = |index: usize| [traced.rows[index].a, traced.rows[index].b].into_iter().filter(|id| moves(*id));
        let pairs = rows.iter().enumerate().flat_map(|(place, index)| ends(*index).map(move |id| (id, place as u32)));
        let pairs: Vec<(u32, u32)> = pairs.collect();
        let mut at = Lists::default();
        at.fill(traced.after.state.bodies.len(), pairs.iter().copied());
        let work: usize = pairs.iter().map(|(body, _)| at.at(*body).len()).sum();
        if work > COUPLINGS {
            return None;
        }
        let line = |(place, index): (usize, &usize)| {
            let mut others: Vec<u32> = ends(*index).flat_map(|id| at.at(id).iter().copied()).collect();
            others.sort_unstable();
            others.dedup();
            let gamma = |other: u32| if other as usize == place { f64::from(traced.rows[*index].gamma) } else { 0.0 };
            // Always in the same order, so that rounding does not break the symmetry of A.
            let value = |other: u32| {
                let (first, second) = (place.max(other as usize), place.min(other as usize));
                coupling(traced, rows[first], rows[second]) + gamma(other)
            };
            others.into_iter().map(|other| (other, value(other))).collect()
        };
        Some(Self { lines: rows.iter().enumerate().map(line).collect() })
    }

    fn times(&self, x: &[f64]) -> Vec<f64> {
        self.lines.iter().map(|line| line.iter().map(|(j, value)| value * x[*j as usize]).sum()).collect()
    }

    /// The largest and the smallest eigenvalue of Lanczos' T.
    fn extremes(&self) -> [f64; 2] {
        let n = self.lines.len();
        let steps = STEPS.min(n);
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        // Pseudo-random signs: a vector of ones is orthogonal to many eigenvectors of symmetric structures.
        let sign = |k: usize| if (k.wrapping_mul(2_654_435_761) >> 13) & 1 == 0 { 1.0 } else { -1.0 };
        let mut next: Vec<f64> = (0..n).map(|k| sign(k) * (1.0 + k as f64 / n as f64)).collect();
        let mut basis: Vec<Vec<f64>> = Vec::new();
        let (mut alpha, mut beta): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        for _ in 0..steps {
            let length = dot(&next, &next).sqrt();
            if length <= 1e-12 * alpha.iter().fold(1e-300, |most: f64, a| most.max(a.abs())) {
                break;
            }
            if !basis.is_empty() {
                beta.push(length);
            }
            let v: Vec<f64> = next.iter().map(|part| part / length).collect();
            next = self.times(&v);
            alpha.push(dot(&next, &v));
            basis.push(v);
            // Twice, so that rounding leaves no component along earlier vectors.
            for _ in 0..2 {
                for v in &basis {
                    let part = dot(&next, v);
                    next.iter_mut().zip(v).for_each(|(next, v)| *next -= part * v);
                }
            }
        }
        let m = alpha.len();
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => alpha[i],
            1 => beta[i.min(j)],
            _ => 0.0,
        };
        let found = singular_values((0..m).map(|j| (0..m).map(|i| entry(i, j)).collect()).collect());
        [found.first().copied().unwrap_or_default(), found.last().copied().unwrap_or_default()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;
    use delassus_physics::trace::Depth;
    use delassus_scene::{library, read};

    /// On a mechanism small enough for both methods: each cell of the picture is the largest of the cells that it
    /// covers, the number of nonzero cells and the dominance are those of the whole matrix, and the extreme
    /// eigenvalues lie within its spectrum; with as many steps as rows they are equal to its own.
    #[test]
    fn samples_say_of_a_matrix_what_the_matrix_says() {
        for scene in ["lab/12-watt", "rows/17-cone-twist", "jacobi/01-chain-40"] {
            let loaded = read(&library::find(scene)).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
            let mut world = loaded.flat.world(loaded.scene.settings.settings());
            (0..30).for_each(|_| world.step());
            let traced = TracedStep::of(&world, Depth::Sweeps).expect("a step");
            let matrix = Matrix::of(&traced, None).expect("rows that hold");
            assert_eq!(matrix.all, matrix.size(), "{scene}: it is small");
            let n = matrix.size();
            let sampled = Sampled::with_side(&traced, matrix.rows.clone(), 7).expect("it is small");
            assert_eq!((sampled.side, sampled.each), (n.div_ceil(n.div_ceil(7)), n.div_ceil(7)), "{scene}");
            for line in 0..sampled.side {
                for column in 0..sampled.side {
                    let within = |k: usize| k * sampled.each..((k + 1) * sampled.each).min(n);
                    let all = within(line).flat_map(|i| within(column).map(move |j| (i, j)));
                    let largest = all.map(|(i, j)| matrix.cell(i, j).abs()).fold(0.0, f64::max);
                    let (value, [i, j]) = sampled.cell(line, column);
                    assert_eq!(value.abs(), largest, "{scene}, {line}, {column}");
                    assert!(largest == 0.0 || matrix.cell(i, j) == value, "{scene}, {line}, {column}");
                }
            }
            assert_eq!(sampled.filled, matrix.filled, "{scene}");
            let (found, whole) = (sampled.dominance.0, matrix.dominance().0);
            assert!((found - whole).abs() <= 1e-9 * whole, "{scene}: {found}, {whole}");
            let largest = matrix.eigenvalues[0];
            let [high, low] = sampled.eigenvalues;
            let near = if n <= STEPS { 1e-6 } else { 1e-3 };
            assert!(high <= (1.0 + 1e-9) * largest, "{scene}: {high} of {largest}");
            assert!(high >= (1.0 - near) * largest, "{scene}: {high} of {largest}");
            assert!(low >= matrix.eigenvalues[n - 1] - 1e-9 * largest && low < 0.2 * largest, "{scene}: {low}");
        }
    }
}
