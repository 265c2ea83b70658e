//! The rank of rows and the space that they leave free: Gram–Schmidt with pivoting and reorthogonalisation.
//!
//! ```text
//! the longest remaining row gives the next direction q, whose component is removed from all others
//! rank = number of pivots until no row is longer than TOLERANCE;  the others depend on them: Σ y_i row_i = 0
//! the complement of all q: the motions v that no row prevents, J v = 0
//! ```
//! For rows of unit length, R_kk is between the k-th singular value and √n times it. So the rank is clear if no value
//! is near TOLERANCE: dependent rows leave about 10⁻⁶ because poses are f32, independent rows about 10⁻² or more.
//! Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., §§ 5.2.7–8, 5.4.2.

/// The largest remainder of a dependent row of unit length: f32 poses leave about 10⁻⁶.
pub const TOLERANCE: f64 = 1e-4;

/// The decomposition of rows of equal width.
#[derive(Debug, Clone, Default)]
pub struct GramSchmidt {
    /// Number of unknowns.
    width: usize,
    /// The largest remainder of a dependent row.
    tolerance: f64,
    /// Orthonormal directions, one for each taken row.
    directions: Vec<Vec<f64>>,
    /// The indices of the taken rows, in the order in which they were taken.
    pub pivots: Vec<usize>,
    /// The indices of the rows that depend on taken ones.
    pub dependent: Vec<usize>,
    /// For each row its components along the directions.
    parts: Vec<Vec<f64>>,
}

/// a · b.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// a += by · b.
fn add(a: &mut [f64], by: f64, b: &[f64]) {
    a.iter_mut().zip(b).for_each(|(x, y)| *x += by * y);
}

/// Scales a vector to unit length; returns its previous length.
fn normalize(v: &mut [f64]) -> f64 {
    let length = dot(v, v).sqrt();
    if length > 0.0 {
        v.iter_mut().for_each(|x| *x /= length);
    }
    length
}

impl GramSchmidt {
    /// An elimination with `width` unknowns and no rows.
    pub fn new(width: usize) -> Self {
        Self::with_tolerance(width, TOLERANCE)
    }

    /// The same where a row of unit length depends on others if no more than `tolerance` of it is left.
    pub fn with_tolerance(width: usize, tolerance: f64) -> Self {
        Self { width, tolerance, ..Self::default() }
    }

    /// The number of independent rows.
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// Adds rows of length one or zero. Rows added earlier take precedence over later ones. Returns the increase of
    /// the rank.
    pub fn add(&mut self, rows: &[Vec<f64>]) -> usize {
        let (first, before) = (self.parts.len(), self.rank());
        let mut residuals: Vec<Vec<f64>> = rows.to_vec();
        for row in &mut residuals {
            let mut parts = vec![0.0; before];
            // Twice, so that rounding leaves no component along the directions.
            for _ in 0..2 {
                for (part, q) in parts.iter_mut().zip(&self.directions) {
                    let along = dot(row, q);
                    *part += along;
                    add(row, -along, q);
                }
            }
            self.parts.push(parts);
        }
        let mut remaining: Vec<usize> = (0..residuals.len()).collect();
        while !remaining.is_empty() && self.rank() < self.width {
            let length = |i: usize| dot(&residuals[i], &residuals[i]);
            let Some(at) = (0..remaining.len())
                .max_by(|a, b| length(remaining[*a]).total_cmp(&length(remaining[*b])).then(b.cmp(a)))
            else {
                break;
            };
            let pivot = remaining[at];
            if length(pivot).sqrt() <= self.tolerance {
                break;
            }
            remaining.remove(at);
            let mut q = std::mem::take(&mut residuals[pivot]);
            for earlier in &self.directions {
                let along = dot(&q, earlier);
                add(&mut q, -along, earlier);
            }
            let size = normalize(&mut q);
            self.parts[first + pivot].push(size);
            self.pivots.push(first + pivot);
            for other in &remaining {
                let along = dot(&residuals[*other], &q);
                if along != 0.0 {
                    add(&mut residuals[*other], -along, &q);
                }
                self.parts[first + other].push(along);
            }
            self.directions.push(q);
        }
        self.dependent.extend(remaining.into_iter().map(|row| first + row));
        self.rank() - before
    }

    /// The dependence of a row on the taken ones: the y of unit length with Σ y_i row_i = 0, by row.
    pub fn dependence(&self, row: usize) -> Vec<f64> {
        let mut y = vec![0.0; self.parts.len()];
        let mut parts = self.parts[row].clone();
        y[row] = 1.0;
        // R is triangular in the order of taking: back substitution.
        for k in (0..parts.len().min(self.pivots.len())).rev() {
            let pivot = self.pivots[k];
            let Some(diagonal) = self.parts[pivot].get(k) else { continue };
            let share = parts[k] / diagonal;
            y[pivot] -= share;
            for (part, taken) in parts[..=k].iter_mut().zip(&self.parts[pivot]) {
                *part -= share * taken;
            }
        }
        normalize(&mut y);
        y
    }

    /// An orthonormal basis of the vectors that are orthogonal to all rows.
    pub fn free(&self) -> Vec<Vec<f64>> {
        let mut all = self.directions.clone();
        // For each unit vector, the squared length of its component that is not spanned yet.
        let mut uncovered: Vec<f64> =
            (0..self.width).map(|i| 1.0 - all.iter().map(|q| q[i] * q[i]).sum::<f64>()).collect();
        while all.len() < self.width {
            let Some(at) = (0..self.width).max_by(|a, b| uncovered[*a].total_cmp(&uncovered[*b]).then(b.cmp(a))) else {
                break;
            };
            let mut v = vec![0.0; self.width];
            v[at] = 1.0;
            for _ in 0..2 {
                for q in &all {
                    let along = dot(&v, q);
                    add(&mut v, -along, q);
                }
            }
            if normalize(&mut v) < 1e-9 {
                break;
            }
            uncovered.iter_mut().zip(&v).for_each(|(uncovered, v)| *uncovered -= v * v);
            all.push(v);
        }
        all.split_off(self.directions.len())
    }

    /// The shortest v with row · v = wanted for all taken rows; `wanted` is by row.
    pub fn solve(&self, wanted: &[f64]) -> Vec<f64> {
        let mut v = vec![0.0; self.width];
        let mut along: Vec<f64> = Vec::with_capacity(self.pivots.len());
        for (k, row) in self.pivots.iter().enumerate() {
            let parts = &self.parts[*row];
            along.push((wanted[*row] - dot(&parts[..k], &along)) / parts[k]);
        }
        for (along, q) in along.iter().zip(&self.directions) {
            add(&mut v, *along, q);
        }
        v
    }

    /// The shortest y, by row, for which Σ y_i row_i is the part of `b` that the rows span.
    ///
    /// ```text
    /// row_i = Σ_k R_ik q_k,   so   Σ_i R_ik y_i = q_k · b  for each k: rank equations for the y, independent of each other
    /// ```
    pub fn combine(&self, b: &[f64]) -> Vec<f64> {
        let mut equations: Vec<Vec<f64>> = (0..self.rank())
            .map(|k| self.parts.iter().map(|parts| parts.get(k).copied().unwrap_or_default()).collect())
            .collect();
        let lengths: Vec<f64> = equations.iter_mut().map(|equation| normalize(equation)).collect();
        let wanted = self.directions.iter().zip(lengths);
        let wanted: Vec<f64> = wanted.map(|(q, length)| dot(q, b) / length.max(f64::MIN_POSITIVE)).collect();
        let mut across = Self::with_tolerance(self.parts.len(), 0.0);
        across.add(&equations);
        across.solve(&wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random rows of unit length.
    fn rows(count: usize, width: usize) -> Vec<Vec<f64>> {
        let mut rows: Vec<Vec<f64>> =
            (0..count).map(|i| (0..width).map(|j| ((i * width + j) as f64).powi(2).sin()).collect()).collect();
        rows.iter_mut().for_each(|row| {
            normalize(row);
        });
        rows
    }

    #[test]
    fn a_dependent_row_is_found_with_its_dependence() {
        let mut rows = rows(4, 6);
        rows.push((0..6).map(|j| 2.0 * rows[0][j] - rows[2][j]).collect());
        let length = normalize(&mut rows[4]);
        let mut taken = GramSchmidt::new(6);
        assert_eq!((taken.add(&rows), taken.dependent.len()), (4, 1));
        let y = taken.dependence(taken.dependent[0]);
        let sum: Vec<f64> = (0..6).map(|j| y.iter().zip(&rows).map(|(y, row)| y * row[j]).sum()).collect();
        assert!(dot(&sum, &sum).sqrt() < 1e-12, "{sum:?}");
        // Up to sign and length (2, 0, −1, 0, −‖2 r0 − r2‖).
        let expected = [2.0, 0.0, -1.0, 0.0, -length];
        let size = expected.iter().map(|v| v * v).sum::<f64>().sqrt();
        assert!((dot(&y, &expected).abs() / size - 1.0).abs() < 1e-12, "{y:?}");
    }

    #[test]
    fn what_is_free_is_orthogonal_to_all_rows_and_to_itself() {
        let rows = rows(5, 9);
        let mut taken = GramSchmidt::new(9);
        taken.add(&rows);
        let free = taken.free();
        assert_eq!(free.len(), 4);
        for (i, v) in free.iter().enumerate() {
            assert!(rows.iter().all(|row| dot(row, v).abs() < 1e-12));
            assert!((0..4).all(|j| (dot(v, &free[j]) - f64::from(u8::from(i == j))).abs() < 1e-12));
        }
    }

    /// Later rows add only their independent part, and the shortest solution has no component in the free space.
    #[test]
    fn later_rows_add_what_the_earlier_ones_leave() {
        let rows = rows(4, 6);
        let mut taken = GramSchmidt::new(6);
        assert_eq!(taken.add(&rows[..2]), 2);
        let mut sum: Vec<f64> = rows[0].iter().zip(&rows[1]).map(|(a, b)| a + b).collect();
        normalize(&mut sum);
        assert_eq!(taken.add(&[sum, rows[2].clone(), rows[3].clone()]), 2);
        assert_eq!(taken.dependent, [2]);
        let wanted = [0.3, -0.2, 0.0, 0.5, 0.7];
        let v = taken.solve(&wanted);
        for (row, wanted) in [(0, 0.3), (1, -0.2), (2, 0.5), (3, 0.7)] {
            assert!((dot(&rows[row], &v) - wanted).abs() < 1e-12);
        }
        assert!(taken.free().iter().all(|free| dot(free, &v).abs() < 1e-12));
    }

    /// Two equal rows share a load evenly, as the shortest combination does; what no row spans is left out.
    #[test]
    fn equal_rows_share_a_load() {
        let mut taken = GramSchmidt::new(3);
        taken.add(&[vec![1.0, 0.0, 0.0], vec![0.6, 0.8, 0.0], vec![1.0, 0.0, 0.0]]);
        // y0 + 0.6 y1 + y2 = 4 and 0.8 y1 = 1.6: y1 = 2, and 2.8 is shared by the two others.
        let y = taken.combine(&[4.0, 1.6, 7.0]);
        for (y, expected) in y.iter().zip([1.4, 2.0, 1.4]) {
            assert!((y - expected).abs() < 1e-12, "{y} instead of {expected}");
        }
    }
}
