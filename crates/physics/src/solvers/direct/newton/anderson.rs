//! Anderson's acceleration of a fixed-point iteration x ← g(x). The plain iteration gains a constant factor a round,
//! which may be close to one. The combination of the last rounds whose error is smallest is a better point to go on
//! from.
//!
//! ```text
//! f = g(x) − x                 X, F: the differences of x and of f from round to round, as columns
//! γ minimizes ‖f − F γ‖        by making the columns of F perpendicular, and changing those of X alike
//! x ← x − X γ + β (f − F γ)    0 < β ≤ 1, smaller where the rounds diverge
//! ```
//! Source: Anderson 1965; Walker and Ni 2011.

/// The most differences that are combined.
const DEPTH: usize = 5;
/// A difference is left out if less than this fraction of its length is perpendicular to the others.
const DEPENDENT: f64 = 1e-3;

/// The last rounds of an iteration.
#[derive(Debug, Clone, Default)]
pub(super) struct Anderson {
    /// x and f of the round before.
    x: Vec<f64>,
    f: Vec<f64>,
    has_round: bool,
    /// Columns of X and F, each after the one before in time; the oldest is replaced by the next.
    columns: [Column; DEPTH],
    /// How many columns there were since the start.
    count: usize,
    /// The columns made perpendicular.
    perpendicular: [Column; DEPTH],
}

#[derive(Debug, Clone, Default)]
struct Column {
    x: Vec<f64>,
    f: Vec<f64>,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// a ← a − factor b.
fn subtract(a: &mut [f64], factor: f64, b: &[f64]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a -= factor * b);
}

impl Anderson {
    /// Makes room for `n` values and forgets all rounds.
    pub fn start(&mut self, n: usize) {
        let columns = self.columns.iter_mut().chain(&mut self.perpendicular);
        let lists = columns.flat_map(|column| [&mut column.x, &mut column.f]).chain([&mut self.x, &mut self.f]);
        for list in lists {
            list.clear();
            list.resize(n, 0.0);
        }
        self.forget();
    }

    /// Forgets all rounds.
    pub fn forget(&mut self) {
        (self.has_round, self.count) = (false, 0);
    }

    /// Moves `x`, whose error is f = g(x) − x, which is overwritten.
    pub fn advance(&mut self, x: &mut [f64], f: &mut [f64], share: f64) {
        if self.has_round {
            let column = &mut self.columns[self.count % DEPTH];
            for k in 0..x.len() {
                column.x[k] = x[k] - self.x[k];
                column.f[k] = f[k] - self.f[k];
            }
            self.count += 1;
        }
        self.has_round = true;
        self.x.copy_from_slice(x);
        self.f.copy_from_slice(f);
        let mut used = 0;
        for back in 1..=self.count.min(DEPTH) {
            let column = &self.columns[(self.count - back) % DEPTH];
            let (before, from_here) = self.perpendicular.split_at_mut(used);
            let own = &mut from_here[0];
            own.x.copy_from_slice(&column.x);
            own.f.copy_from_slice(&column.f);
            for other in before {
                let factor = dot(&own.f, &other.f) / dot(&other.f, &other.f);
                subtract(&mut own.x, factor, &other.x);
                subtract(&mut own.f, factor, &other.f);
            }
            let length = dot(&own.f, &own.f);
            if length > DEPENDENT * DEPENDENT * dot(&column.f, &column.f) && length.is_normal() {
                let factor = dot(f, &own.f) / length;
                subtract(x, factor, &own.x);
                subtract(f, factor, &own.f);
                used += 1;
            }
        }
        x.iter_mut().zip(f.iter()).for_each(|(x, f)| *x += share * f);
    }
}

#[cfg(test)]
mod tests {
    use super::Anderson;

    /// x ← A x + b of three values ends after three differences, though A's largest eigenvalue is 0.95; a plain round
    /// would gain 5%.
    #[test]
    fn a_linear_iteration_ends_after_as_many_differences_as_values() {
        let a = [[0.6, 0.35, 0.0], [0.35, 0.6, 0.0], [0.1, 0.0, -0.5]];
        let b = [1.0, -2.0, 0.5];
        let error =
            |x: &[f64; 3]| [0, 1, 2].map(|i: usize| a[i].iter().zip(x).map(|(a, x)| a * x).sum::<f64>() + b[i] - x[i]);
        let (mut x, mut rounds) = ([0.0; 3], Anderson::default());
        rounds.start(3);
        for _ in 0..5 {
            let mut f = error(&x);
            rounds.advance(&mut x, &mut f, 1.0);
        }
        assert!(error(&x).iter().all(|f| f.abs() < 1e-9), "{:?}", error(&x));
    }

    /// Differences that repeat are left out, and values that stay give no number that is not finite.
    #[test]
    fn rounds_that_repeat_do_no_harm() {
        let (mut x, mut rounds) = ([1.0, 2.0], Anderson::default());
        rounds.start(2);
        for _ in 0..4 {
            let mut f = [0.0, 0.0];
            rounds.advance(&mut x, &mut f, 1.0);
        }
        assert_eq!(x, [1.0, 2.0]);
    }
}
