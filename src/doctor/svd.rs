//! Singular values of a small dense matrix, by rotations of its columns (Hestenes' one-sided Jacobi method).
//!
//! ```text
//! A V = U Σ:  columns i, j are turned by the angle that makes them orthogonal,
//!             ζ = (‖a_j‖² − ‖a_i‖²)/(2 a_i·a_j),  t = sgn ζ/(|ζ| + √(1 + ζ²)),  until all pairs are
//! ```
//! What is left of a column is its singular value; V holds what combination of the columns it is. Small singular values
//! come out as exactly as large ones, which is what a rank is to be told by.
//! Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., § 8.6.3.

/// Columns `a` with what became of them: norms σ and combinations V, largest first.
pub struct Svd {
    pub singular: Vec<f64>,
    /// V's column k: `Σ_i v_k[i] a_i` has length σ_k.
    pub combinations: Vec<Vec<f64>>,
}

/// Rotations stop when all columns are orthogonal to this.
const ORTHOGONAL: f64 = 1e-14;
/// Sweeps over all pairs; six to ten are usual.
const SWEEPS: usize = 40;

/// Decomposes the matrix of these columns, all of one length.
pub fn decompose(mut columns: Vec<Vec<f64>>) -> Svd {
    let n = columns.len();
    let mut v: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for _ in 0..SWEEPS {
        let mut turned = false;
        for i in 0..n {
            for j in i + 1..n {
                let (a, b, p) =
                    (dot(&columns[i], &columns[i]), dot(&columns[j], &columns[j]), dot(&columns[i], &columns[j]));
                if p.abs() <= ORTHOGONAL * (a * b).sqrt() || p == 0.0 {
                    continue;
                }
                turned = true;
                let zeta = (b - a) / (2.0 * p);
                let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let c = 1.0 / (1.0 + t * t).sqrt();
                rotate(&mut columns, i, j, c, c * t);
                rotate(&mut v, i, j, c, c * t);
            }
        }
        if !turned {
            break;
        }
    }
    let mut order: Vec<(f64, Vec<f64>)> = columns.iter().map(|a| dot(a, a).sqrt()).zip(v).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (singular, combinations) = order.into_iter().unzip();
    Svd { singular, combinations }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn rotate(columns: &mut [Vec<f64>], i: usize, j: usize, c: f64, s: f64) {
    let (head, tail) = columns.split_at_mut(j);
    for (x, y) in head[i].iter_mut().zip(&mut tail[0]) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A = [[3, 0], [4, 5]]: AᵀA = [[25, 20], [20, 25]] has the eigenvalues 45 and 5.
    #[test]
    fn singular_values_by_hand() {
        let svd = decompose(vec![vec![3.0, 4.0], vec![0.0, 5.0]]);
        assert!((svd.singular[0] - 45f64.sqrt()).abs() < 1e-12 && (svd.singular[1] - 5f64.sqrt()).abs() < 1e-12);
    }

    /// The combination of a vanishing singular value makes nothing of the columns, those of the others their σ; the sum of
    /// the squares is the matrix's own.
    #[test]
    fn dependent_columns_are_found_with_their_combination() {
        // Column 4 = 2 column 0 − column 2, of columns without a pattern.
        let mut columns: Vec<Vec<f64>> =
            (0..4).map(|i| (0..6).map(|j| ((i * 6 + j) as f64).powi(2).sin()).collect()).collect();
        columns.push((0..6).map(|j| 2.0 * columns[0][j] - columns[2][j]).collect());
        let squares: f64 = columns.iter().map(|c| dot(c, c)).sum();
        let svd = decompose(columns.clone());
        assert!(svd.singular[3] > 0.1 && svd.singular[4] < 1e-12, "{:?}", svd.singular);
        assert!((svd.singular.iter().map(|s| s * s).sum::<f64>() - squares).abs() < 1e-10);
        for (sigma, v) in svd.singular.iter().zip(&svd.combinations) {
            let made: Vec<f64> = (0..6).map(|j| columns.iter().zip(v).map(|(c, v)| c[j] * v).sum()).collect();
            assert!((dot(&made, &made).sqrt() - sigma).abs() < 1e-10);
        }
        // Up to its sign: (2, 0, −1, 0, −1)/√6.
        let null = &svd.combinations[4];
        let expected = [2.0, 0.0, -1.0, 0.0, -1.0].map(|v: f64| v / 6f64.sqrt());
        assert!((dot(null, &expected).abs() - 1.0).abs() < 1e-10, "{null:?}");
    }
}
