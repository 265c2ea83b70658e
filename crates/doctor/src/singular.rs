//! Singular values of a small dense matrix, by rotations of its columns (Hestenes' one-sided Jacobi method).
//!
//! ```text
//! A V = U Σ:  columns i, j are rotated by the angle that makes them orthogonal,
//!             ζ = (‖a_j‖² − ‖a_i‖²)/(2 a_i·a_j),  t = sgn ζ/(|ζ| + √(1 + ζ²)),  until all pairs are orthogonal
//! ```
//! The length of a final column is its singular value. Small ones have the same relative accuracy as large ones.
//! Source: G. Golub, C. Van Loan, Matrix Computations, 4th ed., § 8.6.3.

/// Rotations stop when all columns are orthogonal to this relative tolerance.
const ORTHOGONAL: f64 = 1e-14;
/// The largest number of sweeps over all pairs; six to ten are usual.
const SWEEPS: usize = 40;

/// The singular values of the matrix with these columns, which have equal lengths; largest first.
pub fn singular_values(mut columns: Vec<Vec<f64>>) -> Vec<f64> {
    let n = columns.len();
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
            }
        }
        if !turned {
            break;
        }
    }
    let mut singular: Vec<f64> = columns.iter().map(|a| dot(a, a).sqrt()).collect();
    singular.sort_by(|a, b| b.total_cmp(a));
    singular
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
        let singular = singular_values(vec![vec![3.0, 4.0], vec![0.0, 5.0]]);
        assert!((singular[0] - 45f64.sqrt()).abs() < 1e-12 && (singular[1] - 5f64.sqrt()).abs() < 1e-12);
    }
}
