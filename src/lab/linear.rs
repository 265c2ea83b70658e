//! Small linear systems with bounds, solved by sweeps: chapter 5 of the book, to be played with.
//!
//! ```text
//! lo ≤ x ≤ hi,   A x = b where x lies between its bounds,  A x ≥ b at lo,  A x ≤ b at hi
//! Gauss–Seidel   xᵢ ← clamp(xᵢ + (bᵢ − Σⱼ aᵢⱼ xⱼ)/aᵢᵢ)      each with those before it as they are now
//! Jacobi         xᵢ ← clamp(xᵢ + ω (bᵢ − Σⱼ aᵢⱼ xⱼ)/aᵢᵢ)    all from the sweep before
//! error          eₖ₊₁ = T eₖ without bounds;  it shrinks from any start just where the radius ρ(T) is below 1
//! ```
//! ρ is found by squaring T again and again, ‖Tⁿ‖^(1/n) → ρ (Gelfand), which complex pairs of eigenvalues do not disturb.
//! The solution with bounds is looked for among all ways to be free, at lo or at hi, 3⁴ at most.
//! Source: 004 ch. 5; docs/errata.md 20 and 22 on what the chapter says of it.

/// The most unknowns.
pub const MOST: usize = 4;

/// As many numbers as there are unknowns; what is beyond is zero.
pub type Numbers = [f64; MOST];

/// A system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct System {
    /// Unknowns, 2 to [`MOST`].
    pub size: usize,
    /// By row.
    pub a: [Numbers; MOST],
    pub b: Numbers,
    /// Bounds of x; infinite where there are none.
    pub lo: Numbers,
    pub hi: Numbers,
    pub start: Numbers,
}

/// How it is swept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sweep {
    GaussSeidel,
    /// With its factor ω.
    Jacobi(f64),
}

/// What sweeps make of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// x after each sweep; the start comes first.
    pub iterates: Vec<Numbers>,
    /// All places on the way: after each unknown with Gauss–Seidel, after each sweep with Jacobi.
    pub way: Vec<Numbers>,
    /// What each iterate lacks: see [`System::lack`].
    pub lacks: Vec<f64>,
}

/// What can be said of the matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    pub symmetric: bool,
    /// Whether xᵀ A x > 0 for every x but zero.
    pub definite: bool,
    /// For each row whether |aᵢᵢ| > Σ |aᵢⱼ|.
    pub dominant: [bool; MOST],
    /// ρ(T).
    pub radius: f64,
}

/// Beyond this the sweeps have run away, and are stopped.
const AWAY: f64 = 1e12;

impl System {
    /// A system of this size without bounds, from zero.
    pub fn new<const N: usize>(a: [[f64; N]; N], b: [f64; N]) -> Self {
        let mut system = Self {
            size: N,
            a: [[0.0; MOST]; MOST],
            b: [0.0; MOST],
            lo: [f64::NEG_INFINITY; MOST],
            hi: [f64::INFINITY; MOST],
            start: [0.0; MOST],
        };
        for (row, (numbers, right)) in a.iter().zip(b).enumerate() {
            system.a[row][..N].copy_from_slice(numbers);
            system.b[row] = right;
        }
        for row in N..MOST {
            system.a[row][row] = 1.0;
        }
        system
    }

    /// The same with all unknowns pushing only: x ≥ 0.
    pub fn pushing(self) -> Self {
        Self { lo: [0.0; MOST], ..self }
    }

    fn row(&self, row: usize, x: &Numbers) -> f64 {
        (0..self.size).map(|column| self.a[row][column] * x[column]).sum()
    }

    /// Whether a bound is there.
    pub fn is_bounded(&self) -> bool {
        (0..self.size).any(|i| self.lo[i].is_finite() || self.hi[i].is_finite())
    }

    /// What an unknown would be moved by. As in the book, a division by nothing moves nothing.
    fn move_of(&self, i: usize, x: &Numbers, share: f64) -> f64 {
        let by = share * (self.b[i] - self.row(i, x)) / self.a[i][i];
        if by.is_finite() { (x[i] + by).max(self.lo[i]).min(self.hi[i]) - x[i] } else { 0.0 }
    }

    /// Sweeps from the start, until it has run away or is done with so many.
    pub fn sweep(&self, how: Sweep, sweeps: usize) -> Course {
        let mut x = self.start;
        let mut course = Course { iterates: vec![x], way: vec![x], lacks: vec![self.lack(&x)] };
        for _ in 0..sweeps {
            match how {
                Sweep::GaussSeidel => {
                    for i in 0..self.size {
                        x[i] += self.move_of(i, &x, 1.0);
                        course.way.push(x);
                    }
                }
                Sweep::Jacobi(share) => {
                    let before = x;
                    (0..self.size).for_each(|i| x[i] += self.move_of(i, &before, share));
                    course.way.push(x);
                }
            }
            course.iterates.push(x);
            course.lacks.push(self.lack(&x));
            if x.iter().any(|x| x.abs() > AWAY) {
                break;
            }
        }
        course
    }

    /// The most that a row is wrong by as far as its bounds would let it be mended: |aᵢᵢ| times what would move xᵢ.
    pub fn lack(&self, x: &Numbers) -> f64 {
        let lack = |i: usize| (self.move_of(i, x, 1.0) * self.a[i][i]).abs();
        (0..self.size).map(lack).fold(0.0, f64::max)
    }

    /// The solution, within the bounds; none where there is none, or more than one.
    pub fn solution(&self) -> Option<Numbers> {
        (0..3usize.pow(self.size as u32)).find_map(|case| self.solution_of(case))
    }

    /// The solution of the case in which each unknown is free (0), at its lower (1) or at its upper bound (2), digits to
    /// the base of three, if it is one.
    fn solution_of(&self, case: usize) -> Option<Numbers> {
        let kind = |i: usize| case / 3usize.pow(i as u32) % 3;
        let mut x = [0.0; MOST];
        let free: Vec<usize> = (0..self.size).filter(|i| kind(*i) == 0).collect();
        for i in (0..self.size).filter(|i| kind(*i) != 0) {
            x[i] = if kind(i) == 1 { self.lo[i] } else { self.hi[i] };
            if !x[i].is_finite() {
                return None;
            }
        }
        // Gauss–Jordan with the largest pivot, on the free ones.
        let mut rows: Vec<(Vec<f64>, f64)> = (free.iter())
            .map(|i| (free.iter().map(|j| self.a[*i][*j]).collect(), self.b[*i] - self.row(*i, &x)))
            .collect();
        let largest = self.a.iter().flatten().fold(0.0f64, |most, a| most.max(a.abs()));
        for column in 0..free.len() {
            let pivot =
                (column..rows.len()).max_by(|p, q| rows[*p].0[column].abs().total_cmp(&rows[*q].0[column].abs()))?;
            rows.swap(column, pivot);
            let (of, right) = rows[column].clone();
            if of[column].abs() <= 1e-12 * largest {
                return None;
            }
            for row in (0..rows.len()).filter(|row| *row != column) {
                let share = rows[row].0[column] / of[column];
                rows[row].0.iter_mut().zip(&of).for_each(|(a, b)| *a -= share * b);
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

    /// What is to be known of its matrix.
    pub fn verdict(&self, how: Sweep) -> Verdict {
        let n = self.size;
        let symmetric = (0..n).all(|i| (0..n).all(|j| self.a[i][j] == self.a[j][i]));
        let mut dominant = [true; MOST];
        for (i, dominant) in dominant.iter_mut().enumerate().take(n) {
            let others: f64 = (0..n).filter(|j| *j != i).map(|j| self.a[i][j].abs()).sum();
            *dominant = self.a[i][i].abs() > others;
        }
        Verdict { symmetric, definite: self.is_definite(), dominant, radius: self.radius(how) }
    }

    /// Whether the pivots of the symmetric part are all above zero (Sylvester).
    fn is_definite(&self) -> bool {
        let n = self.size;
        let mut s = [[0.0; MOST]; MOST];
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

    /// ρ of what a sweep without bounds makes of the error.
    fn radius(&self, how: Sweep) -> f64 {
        let n = self.size;
        let plain = Self { b: [0.0; MOST], lo: [f64::NEG_INFINITY; MOST], hi: [f64::INFINITY; MOST], ..*self };
        let mut power = [[0.0; MOST]; MOST];
        for column in 0..n {
            let mut start = [0.0; MOST];
            start[column] = 1.0;
            let swept = Self { start, ..plain }.sweep(how, 1).iterates[1];
            (0..n).for_each(|row| power[row][column] = swept[row]);
        }
        // ln ‖T^(2ᵏ)‖ / 2ᵏ, the power kept near one.
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
                    *entry = (0..MOST).map(|k| once[row][k] * once[k][column]).sum();
                }
            }
            times *= 2.0;
        }
        logarithm.exp()
    }
}

/// Systems to begin with, by name and with what they show.
pub fn examples() -> [(&'static str, &'static str, System); 8] {
    [
        (
            "Book, first",
            "The chapter's matrix that is neither definite nor dominant: each sweep leads six times as far away",
            System::new([[1.0, 3.0], [4.0, 2.0]], [6.0, 7.0]),
        ),
        (
            "Book, second",
            "The chapter's dominant matrix: two digits are right after four sweeps",
            System::new([[3.0, 1.0], [2.0, 4.0]], [6.0, 7.0]),
        ),
        (
            "Two contacts of a rod",
            "They push and do not pull. With this load the second one is free: its bound is what makes it a problem of \
             contacts",
            System::new([[4.0, -2.0], [-2.0, 4.0]], [1.0, -0.8]).pushing(),
        ),
        (
            "Definite, not dominant",
            "Blocks of contacts are like this: Gauss–Seidel converges on them, Jacobi with ω = 1 does not",
            System::new([[1.0, 0.8, 0.8], [0.8, 1.0, 0.8], [0.8, 0.8, 1.0]], [1.0, 2.0, 3.0]),
        ),
        (
            "Definite, not symmetric",
            "The chapter's condition holds, and yet each sweep multiplies the error by −25: it asks for symmetry, too",
            System::new([[1.0, 5.0], [-5.0, 1.0]], [6.0, -4.0]),
        ),
        (
            "Neither, and it converges",
            "The chapter's conditions are enough, with symmetry; none of them is needed",
            System::new([[1.0, 3.0], [0.2, 1.0]], [4.0, 1.2]),
        ),
        (
            "A chain of four beads",
            "2 on the diagonal, −1 beside it: what ball-sockets between equal beads come to. Long chains are slow",
            System::new(
                [[2.0, -1.0, 0.0, 0.0], [-1.0, 2.0, -1.0, 0.0], [0.0, -1.0, 2.0, -1.0], [0.0, 0.0, -1.0, 2.0]],
                [1.0, 0.0, 0.0, 0.0],
            ),
        ),
        (
            "Twice the same row",
            "Redundant constraints: no single solution, yet sweeps find one of them",
            System::new([[1.0, 1.0], [1.0, 1.0]], [1.0, 1.0]),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the book prints it: two digits behind the point.
    fn printed(system: &System, sweeps: usize) -> Vec<String> {
        let course = system.sweep(Sweep::GaussSeidel, sweeps);
        course.iterates[1..].iter().map(|x| format!("{:.2} {:.2}", x[0], x[1])).collect()
    }

    #[test]
    fn the_books_first_table_to_the_printed_digit() {
        let [(.., first), ..] = examples();
        let rows = ["6.00 -8.50", "31.50 -59.50", "184.50 -365.50", "1102.50 -2201.50", "6610.50 -13217.50"];
        assert_eq!(printed(&first, 5), rows);
        // vᵀ M v = −8 for v = (−2, 1); no row is dominant; x₂ ← −(4/2)(−3) x₂ turns into 6 times itself.
        let verdict = first.verdict(Sweep::GaussSeidel);
        assert!(!verdict.definite && !verdict.symmetric && !verdict.dominant[0] && !verdict.dominant[1]);
        assert!((verdict.radius - 6.0).abs() < 1e-12, "{}", verdict.radius);
    }

    #[test]
    fn the_books_second_table_to_the_printed_digit() {
        let [_, (.., second), ..] = examples();
        assert_eq!(printed(&second, 5), ["2.00 0.75", "1.75 0.88", "1.71 0.90", "1.70 0.90", "1.70 0.90"]);
        let solution = second.solution().expect("it has one");
        assert!((solution[0] - 1.7).abs() < 1e-12 && (solution[1] - 0.9).abs() < 1e-12);
        let verdict = second.verdict(Sweep::GaussSeidel);
        assert!(verdict.definite && verdict.dominant[0] && verdict.dominant[1]);
        // T = [[0, −1/3], [0, 1/6]]
        assert!((verdict.radius - 1.0 / 6.0).abs() < 1e-12);
        // T = [[0, −1/3], [−1/2, 0]], eigenvalues ±√(1/6)
        assert!((second.verdict(Sweep::Jacobi(1.0)).radius - (1.0f64 / 6.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_rods_contacts_push_or_are_free() {
        let rod = |b| System::new([[4.0, -2.0], [-2.0, 4.0]], b).pushing();
        for (b, x) in [([1.0, 1.0], [0.5, 0.5]), ([1.0, -0.2], [0.3, 0.1]), ([1.0, -0.8], [0.25, 0.0])] {
            let found = rod(b).solution().expect("it has one");
            assert!((found[0] - x[0]).abs() < 1e-12 && (found[1] - x[1]).abs() < 1e-12, "{b:?}: {found:?}");
            for how in [Sweep::GaussSeidel, Sweep::Jacobi(1.0)] {
                let course = rod(b).sweep(how, 60);
                let last = course.iterates.last().expect("there is one");
                assert!((last[0] - x[0]).abs() < 1e-12 && (last[1] - x[1]).abs() < 1e-12, "{b:?} {how:?}: {last:?}");
                assert!(course.lacks.last().is_some_and(|lack| *lack < 1e-11));
            }
        }
    }

    #[test]
    fn a_matrix_can_be_definite_and_jacobi_runs_away() {
        let (.., system) = examples()[3];
        let verdict = system.verdict(Sweep::GaussSeidel);
        assert!(verdict.symmetric && verdict.definite && !verdict.dominant[0] && verdict.radius < 1.0);
        // I − D⁻¹A has 1 − (1 + 2·0.8) on (1, 1, 1).
        assert!((system.verdict(Sweep::Jacobi(1.0)).radius - 1.6).abs() < 1e-9);
        assert!((system.verdict(Sweep::Jacobi(0.5)).radius - 0.9).abs() < 1e-9, "1 − ½·0.2 is the largest then");
        let away = system.sweep(Sweep::Jacobi(1.0), 200);
        assert!(away.iterates.len() < 100 && away.lacks.last().is_some_and(|lack| *lack > 1e9));
    }

    #[test]
    fn the_chapters_conditions_are_neither_enough_nor_needed() {
        // T = [[0, −a₁₂], [0, a₁₂ a₂₁]] for a diagonal of ones.
        for (example, definite, radius) in [(4, true, 25.0), (5, false, 0.6)] {
            let (.., system) = examples()[example];
            let verdict = system.verdict(Sweep::GaussSeidel);
            assert_eq!((verdict.definite, verdict.symmetric), (definite, false));
            assert!((verdict.radius - radius).abs() < 1e-9 && !verdict.dominant[0], "{}", verdict.radius);
            assert_eq!(system.solution().map(|x| x.map(f64::round)), Some([1.0, 1.0, 0.0, 0.0]));
        }
    }

    #[test]
    fn a_chains_radius_is_the_squared_cosine() {
        // Jacobi on n beads: cos(π/(n + 1)); Gauss–Seidel on a consistently ordered matrix: its square (Young 1971).
        let (.., chain) = examples()[6];
        let cosine = (std::f64::consts::PI / 5.0).cos();
        assert!((chain.verdict(Sweep::Jacobi(1.0)).radius - cosine).abs() < 1e-12);
        assert!((chain.verdict(Sweep::GaussSeidel).radius - cosine * cosine).abs() < 1e-12);
    }

    #[test]
    fn redundant_rows_have_no_single_solution() {
        let (.., twice) = examples()[7];
        assert_eq!(twice.solution(), None);
        let course = twice.sweep(Sweep::GaussSeidel, 1);
        assert_eq!(course.lacks, [1.0, 0.0], "yet one is found");
        assert!((twice.verdict(Sweep::GaussSeidel).radius - 1.0).abs() < 1e-12, "what cannot be seen stays");
    }

    #[test]
    fn a_diagonal_of_nothing_moves_nothing() {
        let system = System::new([[0.0, 1.0], [1.0, 1.0]], [1.0, 1.0]);
        let course = system.sweep(Sweep::GaussSeidel, 3);
        assert!(course.iterates.iter().flatten().all(|x| x.is_finite()));
        assert_eq!(course.iterates[1][0], 0.0);
    }
}
