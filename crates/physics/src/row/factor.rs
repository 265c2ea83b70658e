//! K = J M⁻¹ Jᵀ of a few rows between the same two bodies, factored as LDLᵀ. A row that depends on the rows before it
//! is left out.

use super::Row;

/// The largest number of rows of a [`Factor`].
pub const MAX_BLOCK_ROWS: usize = 12;
const ENTRIES: usize = MAX_BLOCK_ROWS * (MAX_BLOCK_ROWS + 1) / 2;
/// A pivot below this share of its diagonal entry is rounding: the row is redundant.
const REDUNDANT: f64 = 1e-6;

/// LDLᵀ factors of K of at most `MAX_BLOCK_ROWS` rows between the same two bodies, packed by rows: L below the diagonal, 1/D on
/// it.
#[derive(Debug, Clone)]
pub struct Factor {
    entries: [f64; ENTRIES],
    count: usize,
}

fn at(row: usize, column: usize) -> usize {
    row * (row + 1) / 2 + column
}

impl Factor {
    /// Factors K of `count` rows; A's contribution is multiplied by `na`, B's by `nb`.
    pub fn of<'a>(count: usize, row: impl Fn(usize) -> &'a Row, na: f32, nb: f32) -> Self {
        let mut entries = [0.0; ENTRIES];
        for i in 0..count {
            let r = row(i);
            for j in 0..=i {
                entries[at(i, j)] = f64::from(r.mobility_with(row(j), na, nb));
            }
            let diagonal = entries[at(i, i)];
            let mut pivot = diagonal;
            for j in 0..i {
                // Entry (i, j) holds l_ij d_j until its column is done.
                let sum: f64 = (0..j).map(|k| entries[at(i, k)] * entries[at(j, k)]).sum();
                entries[at(i, j)] -= sum;
            }
            for j in 0..i {
                let scaled = entries[at(i, j)];
                entries[at(i, j)] = scaled * entries[at(j, j)];
                pivot -= scaled * entries[at(i, j)];
            }
            entries[at(i, i)] = if pivot > REDUNDANT * diagonal { 1.0 / pivot } else { 0.0 };
        }
        Self { entries, count }
    }

    /// 1/D of the last row: the inverse of its K, given that the rows before it hold. Zero where it depends on them.
    pub fn last(&self) -> f64 {
        self.entries[at(self.count - 1, self.count - 1)]
    }

    /// Solves K x = b in place; redundant rows get x = 0.
    pub fn solve(&self, x: &mut [f64; MAX_BLOCK_ROWS]) {
        let entries = &self.entries;
        for i in 0..self.count {
            let sum: f64 = (0..i).map(|j| entries[at(i, j)] * x[j]).sum();
            x[i] -= sum;
        }
        for i in 0..self.count {
            x[i] *= entries[at(i, i)];
        }
        for j in (0..self.count).rev() {
            let sum: f64 = (j + 1..self.count).map(|i| entries[at(i, j)] * x[i]).sum();
            x[j] -= sum;
        }
    }
}
