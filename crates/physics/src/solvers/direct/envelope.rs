//! A symmetric positive definite matrix stored row by row from its first entry to the diagonal (its envelope), and its
//! LDLᵀ factors in the same place: no entry appears outside the envelope. Rows of a chain have short envelopes, so
//! factoring costs a time proportional to the chain's length.

/// Σ a b in four partial sums, which a processor can add in parallel.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (fours_a, fours_b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = fours_a.remainder().iter().zip(fours_b.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 4];
    for (a, b) in fours_a.zip(fours_b) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// What factoring costs, in multiplications, where the rows' first columns are given; each row is multiplied by those
/// before it.
pub fn cost(first: impl Iterator<Item = usize>) -> u64 {
    first.enumerate().map(|(row, first)| ((row + 1 - first) as u64).pow(2) / 2 + 1).sum()
}

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

    /// What one solution costs, in multiplications.
    pub fn solving(&self) -> u64 {
        2 * self.entries.len() as u64
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

    /// Sets all entries to zero.
    pub fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// Replaces the entries by L (below the diagonal) and D. A row whose pivot is at most the fraction `least` of its
    /// diagonal entry is redundant: it depends on the rows before it, and its part of a solution is zero.
    pub fn factor(&mut self, least: f64) {
        self.diagonal.clear();
        for i in 0..self.rows() {
            let first = self.first[i];
            let (before, from_here) = self.entries.split_at_mut(self.start[i]);
            let row = &mut from_here[..i + 1 - first];
            let diagonal = row[i - first];
            // While row i is worked on, row[j − first] holds l_ij d_j for the columns that are done.
            for j in first..i {
                let other = &before[self.start[j]..self.start[j + 1]];
                let common = first.max(self.first[j]);
                let first_of_j = self.first[j];
                row[j - first] -= dot(&row[common - first..j - first], &other[common - first_of_j..j - first_of_j]);
            }
            let mut pivot = diagonal;
            for j in first..i {
                let scaled = row[j - first];
                row[j - first] = scaled / self.diagonal[j];
                pivot -= scaled * row[j - first];
            }
            self.diagonal.push(if pivot > least * diagonal.abs() { pivot } else { f64::INFINITY });
        }
    }

    /// Solves A x = b in place, after [`Self::factor`].
    pub fn solve(&self, x: &mut [f64]) {
        for i in 0..self.rows() {
            let (before, from_here) = x.split_at_mut(i);
            from_here[0] -= dot(&self.row(i)[..i - self.first[i]], &before[self.first[i]..]);
        }
        for (x, d) in x.iter_mut().zip(&self.diagonal) {
            *x /= d;
        }
        for i in (0..self.rows()).rev() {
            let (first, xi) = (self.first[i], x[i]);
            if xi != 0.0 {
                for (x, l) in x[first..i].iter_mut().zip(self.row(i)) {
                    *x -= l * xi;
                }
            }
        }
    }

    /// Whether the rows before a row make it redundant, after [`Self::factor`].
    pub fn is_redundant(&self, row: usize) -> bool {
        self.diagonal[row].is_infinite()
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
        matrix.factor(0.0);
        let wanted = [1.0, -2.0, 3.0, 0.5];
        let mut x = [0, 1, 2, 3].map(|i: usize| (0..4).map(|j| a[i][j] * wanted[j]).sum::<f64>());
        matrix.solve(&mut x);
        for (x, wanted) in x.iter().zip(wanted) {
            assert!((x - wanted).abs() < 1e-12, "{x} for {wanted}");
        }
    }
}
