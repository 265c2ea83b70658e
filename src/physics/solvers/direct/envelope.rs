//! A symmetric positive definite matrix stored row by row from its first entry to the diagonal (its envelope), and its
//! LDLᵀ factors in the same place: no entry appears outside the envelope. Rows of a chain have short envelopes, so
//! factoring costs a time proportional to the chain's length.

use std::ops::Range;

/// The rows come from 32 bits, so a smaller pivot is rounding: two rows that differ by less are one and the same, and to
/// satisfy the difference would lock a mechanism that is only rounded.
const REDUNDANT: f64 = 3e-7;

/// An envelope matrix, factored in place.
#[derive(Debug, Clone, Default)]
pub struct Envelope {
    /// Column of each row's first entry.
    first: Vec<usize>,
    /// Where each row's entries start in `entries`, and one past the last row's.
    start: Vec<usize>,
    entries: Vec<f64>,
    /// D of LDLᵀ, infinite for redundant rows.
    diagonal: Vec<f64>,
    /// D as it was found.
    pivots: Vec<f64>,
}

impl Envelope {
    /// Makes room for rows whose first columns are given, all entries zero.
    pub fn shape(&mut self, first: impl Iterator<Item = usize>) {
        self.first.clear();
        self.start.clear();
        let mut end = 0;
        for (row, first) in first.enumerate() {
            self.start.push(end);
            self.first.push(first);
            end += row + 1 - first;
        }
        self.start.push(end);
        self.entries.clear();
        self.entries.resize(end, 0.0);
    }

    /// Number of rows.
    fn rows(&self) -> usize {
        self.first.len()
    }

    /// The entry at a row and a column within its envelope, `column <= row`.
    pub fn at(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[self.start[row] + column - self.first[row]]
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.entries[self.start[row]..self.start[row + 1]]
    }

    /// Replaces the entries by L (below the diagonal) and D. A row whose pivot vanishes against its diagonal entry is
    /// redundant: the rows before it say the same, and its own impulse stays zero.
    pub fn factor(&mut self) {
        self.diagonal.clear();
        self.pivots.clear();
        for i in 0..self.rows() {
            let first = self.first[i];
            let (before, from_here) = self.entries.split_at_mut(self.start[i]);
            let row = &mut from_here[..i + 1 - first];
            let own = row[i - first];
            // While row i is worked on, row[j − first] holds l_ij d_j for the columns that are done.
            for j in first..i {
                let other = &before[self.start[j]..self.start[j + 1]];
                let common = first.max(self.first[j]);
                let sum: f64 = (row[common - first..j - first].iter())
                    .zip(&other[common - self.first[j]..j - self.first[j]])
                    .map(|(a, b)| a * b)
                    .sum();
                row[j - first] -= sum;
            }
            let mut pivot = own;
            for j in first..i {
                let scaled = row[j - first];
                row[j - first] = scaled / self.diagonal[j];
                pivot -= scaled * row[j - first];
            }
            self.pivots.push(pivot);
            self.diagonal.push(if pivot > REDUNDANT * own.abs() { pivot } else { f64::INFINITY });
        }
    }

    /// Solves A x = b in place, after [`Self::factor`].
    pub fn solve(&self, x: &mut [f64]) {
        self.solve_part(0..self.rows(), x);
    }

    /// Solves for the rows of a part that is coupled to no others; `x` is as long as the whole.
    pub fn solve_part(&self, part: Range<usize>, x: &mut [f64]) {
        self.forward(part.clone(), x);
        for (x, d) in x[part.clone()].iter_mut().zip(&self.diagonal[part.clone()]) {
            *x /= d;
        }
        self.back(part, x);
    }

    /// x ← L⁻¹ x. Where A x = b has no solution, this of b is what redundant rows want and cannot have.
    pub fn forward(&self, part: Range<usize>, x: &mut [f64]) {
        for i in part {
            let first = self.first[i];
            let sum: f64 = self.row(i).iter().zip(&x[first..i]).map(|(l, x)| l * x).sum();
            x[i] -= sum;
        }
    }

    /// x ← L⁻ᵀ x. Of the unit vector of a redundant row this is a combination that A makes nothing of.
    pub fn back(&self, part: Range<usize>, x: &mut [f64]) {
        for i in part.rev() {
            let (first, xi) = (self.first[i], x[i]);
            if xi != 0.0 {
                for (x, l) in x[first..i].iter_mut().zip(self.row(i)) {
                    *x -= l * xi;
                }
            }
        }
    }

    /// What is left of a row that the rows before it make redundant, after [`Self::factor`]; `None` for any other.
    pub fn redundant(&self, row: usize) -> Option<f64> {
        self.diagonal[row].is_infinite().then(|| self.pivots[row].max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::Envelope;

    #[test]
    fn solves_a_system_with_a_ragged_envelope() {
        let a = [[4.0, 1.0, 0.0, 0.5], [1.0, 5.0, 2.0, 0.0], [0.0, 2.0, 6.0, 1.0], [0.5, 0.0, 1.0, 3.0]];
        let mut matrix = Envelope::default();
        matrix.shape([0, 0, 1, 0].into_iter());
        for (i, j) in [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 0), (3, 2), (3, 3)] {
            *matrix.at(i, j) = a[i][j];
        }
        matrix.factor();
        let wanted = [1.0, -2.0, 3.0, 0.5];
        let mut x = [0, 1, 2, 3].map(|i: usize| (0..4).map(|j| a[i][j] * wanted[j]).sum::<f64>());
        matrix.solve(&mut x);
        for (x, wanted) in x.iter().zip(wanted) {
            assert!((x - wanted).abs() < 1e-12, "{x} for {wanted}");
        }
    }
}
