//! A symmetric positive definite matrix stored row by row from its first entry to the diagonal (its envelope), and its
//! LDLᵀ factors in the same place: no entry appears outside the envelope. Rows of a chain have short envelopes, so
//! factoring costs a time proportional to the chain's length.

use wide::f64x4;

/// The most rows that are factored together: the six of a body.
const GROUP: usize = 6;

/// Four entries of a list.
fn four(list: &[f64], at: usize) -> f64x4 {
    f64x4::from(<[f64; 4]>::try_from(&list[at..at + 4]).expect("four entries"))
}

/// Σ a b for several `a` of the length of `b`, each in four partial sums.
#[inline]
fn dots<const N: usize>(rows: [&[f64]; N], b: &[f64]) -> [f64; N] {
    let mut sums = [f64x4::ZERO; N];
    let whole = b.len() & !3;
    for at in (0..whole).step_by(4) {
        let fours = four(b, at);
        for (sum, row) in sums.iter_mut().zip(&rows) {
            *sum += four(row, at) * fours;
        }
    }
    let mut totals = [0.0; N];
    for (total, (sum, row)) in totals.iter_mut().zip(sums.iter().zip(&rows)) {
        let sum = sum.to_array();
        let mut rest = 0.0;
        for at in whole..b.len() {
            rest += row[at] * b[at];
        }
        *total = (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
    }
    totals
}

/// x ← x − factor a.
fn subtract(x: &mut [f64], factor: f64, a: &[f64]) {
    let whole = a.len() & !3;
    for at in (0..whole).step_by(4) {
        let difference = four(x, at) - four(a, at) * f64x4::splat(factor);
        x[at..at + 4].copy_from_slice(&difference.to_array());
    }
    for at in whole..a.len() {
        x[at] -= a[at] * factor;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    dots([a], b)[0]
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

    /// Adds a block whose first entry is at a row and a column; of a block on the diagonal the lower triangle is added.
    pub fn add(&mut self, row: usize, column: usize, block: &[[f64; 6]; 6]) {
        for (k, line) in block.iter().enumerate() {
            let first = self.start[row + k] + column - self.first[row + k];
            let count = if row == column { k + 1 } else { 6 };
            self.entries[first..first + count].iter_mut().zip(line).for_each(|(entry, x)| *entry += x);
        }
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
        let mut i = 0;
        while i < self.rows() {
            let alike = self.first[i..].iter().take(GROUP).take_while(|first| **first == self.first[i]).count();
            i = match alike {
                GROUP => self.factor_rows::<GROUP>(i, least),
                3.. => self.factor_rows::<3>(i, least),
                _ => self.factor_rows::<1>(i, least),
            };
        }
    }

    /// Factors `N` rows that begin in the same column, and returns the row after them. Entries of the rows before are
    /// loaded once for all of them.
    fn factor_rows<const N: usize>(&mut self, i: usize, least: f64) -> usize {
        let first = self.first[i];
        let (before, group) = self.entries.split_at_mut(self.start[i]);
        // Where each row of the group starts. While a row is worked on, its entry j − first holds l_ij d_j for the
        // columns that are done.
        let begin: [usize; N] = std::array::from_fn(|k| self.start[i + k] - self.start[i]);
        for j in first..i {
            let common = first.max(self.first[j]);
            let other = &before[self.start[j] + common - self.first[j]..self.start[j] + j - self.first[j]];
            let sums = dots(begin.map(|begin| &group[begin + common - first..begin + j - first]), other);
            for (begin, sum) in begin.iter().zip(sums) {
                group[begin + j - first] -= sum;
            }
        }
        for (k, begin) in begin.into_iter().enumerate() {
            let (above, from_here) = group.split_at_mut(begin);
            let row = &mut from_here[..i + k + 1 - first];
            for j in i..i + k {
                let other = &above[self.start[j] - self.start[i]..][..j - first];
                row[j - first] -= dot(&row[..j - first], other);
            }
            let diagonal = row[i + k - first];
            let mut pivot = diagonal;
            for (entry, d) in row.iter_mut().zip(&self.diagonal[first..i + k]) {
                let scaled = *entry;
                *entry = scaled / d;
                pivot -= scaled * *entry;
            }
            self.diagonal.push(if pivot > least * diagonal.abs() { pivot } else { f64::INFINITY });
        }
        i + N
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
                subtract(&mut x[first..i], xi, &self.row(i)[..i - first]);
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

    /// Solves A x = b for a known x, A with the given first columns and entries that a formula gives.
    fn solves(first: &[usize]) {
        let n = first.len();
        let entry = |i: usize, j: usize| match (i.max(j), i.min(j)) {
            (late, early) if late == early => 10.0 + 2.0 * n as f64 + late as f64,
            (late, early) if early >= first[late] => ((7 * late + 3 * early) as f64).sin(),
            _ => 0.0,
        };
        let mut matrix = Envelope::default();
        matrix.shape(first.iter().copied());
        for (i, first) in first.iter().enumerate() {
            (*first..=i).for_each(|j| *matrix.at(i, j) = entry(i, j));
        }
        matrix.factor(0.0);
        let wanted: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let mut x: Vec<f64> = (0..n).map(|i| (0..n).map(|j| entry(i, j) * wanted[j]).sum()).collect();
        matrix.solve(&mut x);
        for (x, wanted) in x.iter().zip(wanted) {
            assert!((x - wanted).abs() < 1e-12, "{first:?}: {x} for {wanted}");
        }
    }

    #[test]
    fn solves_a_system_with_a_ragged_envelope() {
        solves(&[0, 0, 1, 0]);
        solves(&[0, 0, 0, 0, 2, 2, 2, 5, 5, 5, 5, 5, 5, 1]);
        // Bodies in a chain, with a loop, as Newton's method has them.
        let chain: Vec<usize> = [0, 0, 6, 12, 0, 24].iter().flat_map(|first| [*first; 6]).collect();
        solves(&chain);
    }

    #[test]
    fn a_dependent_row_is_redundant() {
        let mut matrix = Envelope::default();
        matrix.shape([0; 3].into_iter());
        // The third row is the sum of the others.
        for (i, j, x) in [(0, 0, 2.0), (1, 0, 1.0), (1, 1, 3.0), (2, 0, 3.0), (2, 1, 4.0), (2, 2, 7.0)] {
            *matrix.at(i, j) = x;
        }
        matrix.factor(1e-9);
        assert_eq!([0, 1, 2].map(|row| matrix.is_redundant(row)), [false, false, true]);
    }
}
