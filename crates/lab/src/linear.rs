//! Small linear systems with bounds, solved by sweeps, to experiment with chapter 5 of the book.
//!
//! ```text
//! lo ≤ x ≤ hi,   A x = b where x lies between its bounds,  A x ≥ b at lo,  A x ≤ b at hi
//! Gauss–Seidel   xᵢ ← clamp(xᵢ + (bᵢ − Σⱼ aᵢⱼ xⱼ)/aᵢᵢ)      with the current values of the other unknowns
//! Jacobi         xᵢ ← clamp(xᵢ + ω (bᵢ − Σⱼ aᵢⱼ xⱼ)/aᵢᵢ)    with the values of the last sweep
//! error          eₖ₊₁ = T eₖ without bounds;  converges from any start exactly if the spectral radius ρ(T) is below 1
//! ```
//! ρ is found by repeated squaring of T, ‖Tⁿ‖^(1/n) → ρ (Gelfand), which also works with complex pairs of
//! eigenvalues. The solution with bounds is found by trying for each unknown all three cases, free, at lo, at hi: at
//! most 3⁴.
//! Source: 004 ch. 5; docs/errata.md 20 and 22 on what the chapter says of it.

/// The largest number of unknowns.
pub const MAX_UNKNOWNS: usize = 4;

/// One number for each unknown; the rest is zero.
pub type Numbers = [f64; MAX_UNKNOWNS];

/// A linear system with bounds on x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearSystem {
    /// Number of unknowns, 2 to [`MAX_UNKNOWNS`].
    pub size: usize,
    /// The matrix by rows.
    pub a: [Numbers; MAX_UNKNOWNS],
    pub b: Numbers,
    /// Bounds of x; infinite if there are none.
    pub lo: Numbers,
    pub hi: Numbers,
    pub start: Numbers,
}

/// The iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sweep {
    GaussSeidel,
    /// With the relaxation factor ω.
    Jacobi(f64),
}

/// The result of sweeps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Iteration {
    /// x after each sweep; the start comes first.
    pub iterates: Vec<Numbers>,
    /// All intermediate points: after each unknown with Gauss–Seidel, after each sweep with Jacobi.
    pub path: Vec<Numbers>,
    /// The residual of each iterate, see [`LinearSystem::residual`].
    pub residuals: Vec<f64>,
}

/// Properties of the matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Properties {
    pub symmetric: bool,
    /// Whether xᵀ A x > 0 for every x other than zero.
    pub definite: bool,
    /// For each row whether |aᵢᵢ| > Σ |aᵢⱼ|, j ≠ i.
    pub dominant: [bool; MAX_UNKNOWNS],
    /// The spectral radius ρ(T).
    pub radius: f64,
}

/// Iterates beyond this count as diverged, and the sweeps stop.
const DIVERGED: f64 = 1e12;

impl LinearSystem {
    /// A system of this size without bounds, starting from zero.
    pub fn new<const N: usize>(a: [[f64; N]; N], b: [f64; N]) -> Self {
        let mut system = Self {
            size: N,
            a: [[0.0; MAX_UNKNOWNS]; MAX_UNKNOWNS],
            b: [0.0; MAX_UNKNOWNS],
            lo: [f64::NEG_INFINITY; MAX_UNKNOWNS],
            hi: [f64::INFINITY; MAX_UNKNOWNS],
            start: [0.0; MAX_UNKNOWNS],
        };
        for (row, (numbers, right)) in a.iter().zip(b).enumerate() {
            system.a[row][..N].copy_from_slice(numbers);
            system.b[row] = right;
        }
        for row in N..MAX_UNKNOWNS {
            system.a[row][row] = 1.0;
        }
        system
    }

    /// The same with x ≥ 0, as for contacts.
    pub fn non_negative(self) -> Self {
        Self { lo: [0.0; MAX_UNKNOWNS], ..self }
    }

    fn row(&self, row: usize, x: &Numbers) -> f64 {
        (0..self.size).map(|column| self.a[row][column] * x[column]).sum()
    }

    /// Whether any unknown has a bound.
    pub fn is_bounded(&self) -> bool {
        (0..self.size).any(|i| self.lo[i].is_finite() || self.hi[i].is_finite())
    }

    /// The change of an unknown in its update. As in the book, a division by zero changes nothing.
    fn change_of(&self, i: usize, x: &Numbers, share: f64) -> f64 {
        let by = share * (self.b[i] - self.row(i, x)) / self.a[i][i];
        if by.is_finite() { (x[i] + by).max(self.lo[i]).min(self.hi[i]) - x[i] } else { 0.0 }
    }

    /// Runs up to `sweeps` sweeps from the start; stops earlier if the iterates diverge.
    pub fn sweep(&self, how: Sweep, sweeps: usize) -> Iteration {
        let mut x = self.start;
        let mut iteration = Iteration { iterates: vec![x], path: vec![x], residuals: vec![self.residual(&x)] };
        for _ in 0..sweeps {
            match how {
                Sweep::GaussSeidel => {
                    for i in 0..self.size {
                        x[i] += self.change_of(i, &x, 1.0);
                        iteration.path.push(x);
                    }
                }
                Sweep::Jacobi(share) => {
                    let before = x;
                    (0..self.size).for_each(|i| x[i] += self.change_of(i, &before, share));
                    iteration.path.push(x);
                }
            }
            iteration.iterates.push(x);
            iteration.residuals.push(self.residual(&x));
            if x.iter().any(|x| x.abs() > DIVERGED) {
                break;
            }
        }
        iteration
    }

    /// The largest residual of a row as far as its bounds allow a correction: |aᵢᵢ| times the change of xᵢ in its
    /// update.
    pub fn residual(&self, x: &Numbers) -> f64 {
        let of_row = |i: usize| (self.change_of(i, x, 1.0) * self.a[i][i]).abs();
        (0..self.size).map(of_row).fold(0.0, f64::max)
    }

    /// The first solution within the bounds that is found; `None` if there is none or the free part is singular.
    pub fn solution(&self) -> Option<Numbers> {
        (0..3usize.pow(self.size as u32)).find_map(|case| self.solution_of(case))
    }

    /// The solution of one case, if it is one. The base-3 digits of `case` say which unknowns are free (0), at the
    /// lower bound (1), at the upper bound (2).
    fn solution_of(&self, case: usize) -> Option<Numbers> {
        let kind = |i: usize| case / 3usize.pow(i as u32) % 3;
        let mut x = [0.0; MAX_UNKNOWNS];
        let free: Vec<usize> = (0..self.size).filter(|i| kind(*i) == 0).collect();
        for i in (0..self.size).filter(|i| kind(*i) != 0) {
            x[i] = if kind(i) == 1 { self.lo[i] } else { self.hi[i] };
            if !x[i].is_finite() {
                return None;
            }
        }
        // Gauss–Jordan with partial pivoting on the free unknowns.
        let mut rows: Vec<(Vec<f64>, f64)> = (free.iter())
            .map(|i| (free.iter().map(|j| self.a[*i][*j]).collect(), self.b[*i] - self.row(*i, &x)))
            .collect();
        let largest = self.a.iter().flatten().fold(0.0f64, |largest, a| largest.max(a.abs()));
        for column in 0..free.len() {
            let pivot =
                (column..rows.len()).max_by(|p, q| rows[*p].0[column].abs().total_cmp(&rows[*q].0[column].abs()))?;
            rows.swap(column, pivot);
            let (pivot_row, right) = rows[column].clone();
            if pivot_row[column].abs() <= 1e-12 * largest {
                return None;
            }
            for row in (0..rows.len()).filter(|row| *row != column) {
                let share = rows[row].0[column] / pivot_row[column];
                rows[row].0.iter_mut().zip(&pivot_row).for_each(|(a, b)| *a -= share * b);
                rows[row].1 -= share * right;
            }
        }
        for (k, i) in free.iter().enumerate() {
            x[*i] = rows[k].1 / rows[k].0[k];
        }
        let rounding = 1e-9 * (1.0 + largest);
        let holds = |i: usize| {
            let over = self.row(i, &x) - self.b[i];
            match kind(i) {
                0 => x[i] >= self.lo[i] - rounding && x[i] <= self.hi[i] + rounding,
                1 => over >= -rounding,
                _ => over <= rounding,
            }
        };
        (0..self.size).all(holds).then_some(x)
    }

    /// The properties of the matrix, and the spectral radius of this iteration.
    pub fn verdict(&self, how: Sweep) -> Properties {
        let n = self.size;
        let symmetric = (0..n).all(|i| (0..n).all(|j| self.a[i][j] == self.a[j][i]));
        let mut dominant = [true; MAX_UNKNOWNS];
        for (i, dominant) in dominant.iter_mut().enumerate().take(n) {
            let others: f64 = (0..n).filter(|j| *j != i).map(|j| self.a[i][j].abs()).sum();
            *dominant = self.a[i][i].abs() > others;
        }
        Properties { symmetric, definite: self.is_definite(), dominant, radius: self.radius(how) }
    }

    /// Whether the pivots of the symmetric part are all positive (Sylvester).
    fn is_definite(&self) -> bool {
        let n = self.size;
        let mut s = [[0.0; MAX_UNKNOWNS]; MAX_UNKNOWNS];
        (0..n).for_each(|i| (0..n).for_each(|j| s[i][j] = 0.5 * (self.a[i][j] + self.a[j][i])));
        for k in 0..n {
            if s[k][k] <= 0.0 {
                return false;
            }
            for i in k + 1..n {
                let share = s[i][k] / s[k][k];
                (k..n).for_each(|j| s[i][j] -= share * s[k][j]);
            }
        }
        true
    }

    /// ρ of the error's iteration matrix T without bounds.
    fn radius(&self, how: Sweep) -> f64 {
        let n = self.size;
        let plain = Self {
            b: [0.0; MAX_UNKNOWNS],
            lo: [f64::NEG_INFINITY; MAX_UNKNOWNS],
            hi: [f64::INFINITY; MAX_UNKNOWNS],
            ..*self
        };
        let mut power = [[0.0; MAX_UNKNOWNS]; MAX_UNKNOWNS];
        for column in 0..n {
            let mut start = [0.0; MAX_UNKNOWNS];
            start[column] = 1.0;
            let swept = Self { start, ..plain }.sweep(how, 1).iterates[1];
            (0..n).for_each(|row| power[row][column] = swept[row]);
        }
        // ln ‖T^(2ᵏ)‖ / 2ᵏ, with the power scaled to a norm of 1.
        let (mut logarithm, mut times) = (0.0, 1.0);
        for _ in 0..60 {
            let norm = power.iter().flatten().fold(0.0f64, |most, a| most.max(a.abs()));
            if norm == 0.0 {
                return 0.0;
            }
            logarithm += norm.ln() / times;
            power.iter_mut().flatten().for_each(|a| *a /= norm);
            let once = power;
            for (row, line) in power.iter_mut().enumerate() {
                for (column, entry) in line.iter_mut().enumerate() {
                    *entry = (0..MAX_UNKNOWNS).map(|k| once[row][k] * once[k][column]).sum();
                }
            }
            times *= 2.0;
        }
        logarithm.exp()
    }
}

/// Example systems: name, what it shows, system.
pub fn examples() -> [(&'static str, &'static str, LinearSystem); 8] {
    [
        (
            "Book, first",
            "The chapter's matrix that is neither definite nor dominant: each sweep makes the error six times as large",
            LinearSystem::new([[1.0, 3.0], [4.0, 2.0]], [6.0, 7.0]),
        ),
        (
            "Book, second",
            "The chapter's dominant matrix: two digits are correct after four sweeps",
            LinearSystem::new([[3.0, 1.0], [2.0, 4.0]], [6.0, 7.0]),
        ),
        (
            "Two contacts of a rod",
            "They push and do not pull. With this load the second one is free: its bound makes this a contact problem",
            LinearSystem::new([[4.0, -2.0], [-2.0, 4.0]], [1.0, -0.8]).non_negative(),
        ),
        (
            "Definite, not dominant",
            "Blocks of contacts are like this: Gauss–Seidel converges on them, Jacobi with ω = 1 does not",
            LinearSystem::new([[1.0, 0.8, 0.8], [0.8, 1.0, 0.8], [0.8, 0.8, 1.0]], [1.0, 2.0, 3.0]),
        ),
        (
            "Definite, not symmetric",
            "The chapter's condition holds, and yet each sweep multiplies the error by −25: symmetry is needed as well",
            LinearSystem::new([[1.0, 5.0], [-5.0, 1.0]], [6.0, -4.0]),
        ),
        (
            "Neither, and it converges",
            "With symmetry, the chapter's conditions are sufficient; none of them is necessary",
            LinearSystem::new([[1.0, 3.0], [0.2, 1.0]], [4.0, 1.2]),
        ),
        (
            "A chain of four beads",
            "2 on the diagonal, −1 beside it: the matrix of ball-sockets between equal beads. Long chains are slow",
            LinearSystem::new(
                [[2.0, -1.0, 0.0, 0.0], [-1.0, 2.0, -1.0, 0.0], [0.0, -1.0, 2.0, -1.0], [0.0, 0.0, -1.0, 2.0]],
                [1.0, 0.0, 0.0, 0.0],
            ),
        ),
        (
            "Twice the same row",
            "Redundant constraints: no single solution, yet sweeps find one of them",
            LinearSystem::new([[1.0, 1.0], [1.0, 1.0]], [1.0, 1.0]),
        ),
    ]
}

#[cfg(test)]
#[path = "linear_tests.rs"]
mod tests;
