//! Computation of the true values in f64, independent of the physics: integration, roots, elliptic integrals.

use std::f64::consts::PI;

/// Standard gravity, m/s².
pub const G: f64 = 9.81;

/// The state after `seconds`, by the classical fourth-order Runge–Kutta method with equal steps.
pub fn rk4<const N: usize>(
    state: [f64; N],
    seconds: f64,
    steps: usize,
    rate: impl Fn(f64, &[f64; N]) -> [f64; N],
) -> [f64; N] {
    let h = seconds / steps as f64;
    (0..steps).fold(state, |state, i| rk4_step(&state, i as f64 * h, h, &rate))
}

/// One step of `rk4` at the time `t`, s.
pub fn rk4_step<const N: usize>(
    state: &[f64; N],
    t: f64,
    h: f64,
    rate: &impl Fn(f64, &[f64; N]) -> [f64; N],
) -> [f64; N] {
    let along = |k: &[f64; N], share: f64| std::array::from_fn(|i| state[i] + share * h * k[i]);
    let a = rate(t, state);
    let b = rate(t + 0.5 * h, &along(&a, 0.5));
    let c = rate(t + 0.5 * h, &along(&b, 0.5));
    let d = rate(t + h, &along(&c, 1.0));
    std::array::from_fn(|i| state[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]))
}

/// The time, s, at which `value` of the state first rises to `level`, interpolated within a step of `rk4_step`; NaN
/// if it does not within `most` seconds.
pub fn time_until<const N: usize>(
    mut state: [f64; N],
    (h, most): (f64, f64),
    rate: impl Fn(f64, &[f64; N]) -> [f64; N],
    value: impl Fn(&[f64; N]) -> f64,
    level: f64,
) -> f64 {
    let (mut t, mut before) = (0.0, value(&state));
    while t < most {
        state = rk4_step(&state, t, h, &rate);
        let now = value(&state);
        if before < level && now >= level {
            return t + h * (level - before) / (now - before);
        }
        (t, before) = (t + h, now);
    }
    f64::NAN
}

/// A root of a function that has different signs at `low` and `high`, by bisection.
pub fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let sign = f(low).signum();
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle).signum() == sign { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The arithmetic–geometric mean.
pub fn agm(mut a: f64, mut b: f64) -> f64 {
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

/// The complete elliptic integral of the first kind, K(k) = π / 2 agm(1, √(1 − k²)).
pub fn elliptic_k(k_squared: f64) -> f64 {
    0.5 * PI / agm(1.0, (1.0 - k_squared).sqrt())
}

/// Solves a system of `N` linear equations by elimination with partial pivoting.
pub fn solve<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> [f64; N] {
    for i in 0..N {
        let pivot = (i..N).max_by(|x, y| a[*x][i].abs().total_cmp(&a[*y][i].abs())).unwrap_or(i);
        a.swap(i, pivot);
        b.swap(i, pivot);
        for row in i + 1..N {
            let share = a[row][i] / a[i][i];
            let above = a[i];
            for (entry, above) in a[row].iter_mut().zip(above).skip(i) {
                *entry -= share * above;
            }
            b[row] -= share * b[i];
        }
    }
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|j| a[i][j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

/// The mean time between upward zero crossings of a signal sampled every `h` seconds, interpolated; NaN if there are
/// fewer than two.
pub fn period(samples: &[f64], h: f64) -> f64 {
    let passages: Vec<f64> = (samples.windows(2).enumerate())
        .filter(|(_, w)| w[0] < 0.0 && w[1] >= 0.0)
        .map(|(i, w)| (i as f64 + w[0] / (w[0] - w[1])) * h)
        .collect();
    match passages[..] {
        [first, .., last] => (last - first) / (passages.len() - 1) as f64,
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_harmonic_oscillator_comes_back_after_its_period() {
        let [x, v] = rk4([1.0, 0.0], 2.0 * PI, 1000, |_, [x, v]| [*v, -x]);
        assert!((x - 1.0).abs() < 1e-9 && v.abs() < 1e-9, "{x}, {v}");
        let up = time_until([-1.0, 0.0], (1e-3, 10.0), |_, [x, v]| [*v, -x], |[x, _]| *x, 0.0);
        assert!((up - 0.5 * PI).abs() < 1e-6, "{up}");
    }

    /// K(0) = π/2, and K(1/√2) = Γ(¼)²/(4 √π).
    #[test]
    fn elliptic_integrals_have_their_known_values() {
        assert!((elliptic_k(0.0) - 0.5 * PI).abs() < 1e-14);
        let quarter = 3.625_609_908_221_908_f64;
        assert!((elliptic_k(0.5) - quarter * quarter / (4.0 * PI.sqrt())).abs() < 1e-12);
    }

    #[test]
    fn linear_equations_and_roots_are_solved() {
        let x = solve([[0.0, 2.0, 1.0], [1.0, 1.0, 1.0], [2.0, 0.0, 3.0]], [7.0, 6.0, 11.0]);
        assert!(x.iter().zip([1.0, 2.0, 3.0]).all(|(x, e)| (x - e).abs() < 1e-12), "{x:?}");
        assert!((root(0.0, 2.0, |x| x * x - 2.0) - 2f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn periods_are_read_off_samples() {
        let samples: Vec<f64> = (0..4000).map(|i| (i as f64 * 0.01 * 3.0 + 0.7).sin()).collect();
        assert!((period(&samples, 0.01) - 2.0 * PI / 3.0).abs() < 1e-4);
        assert!(period(&samples[..50], 0.01).is_nan());
    }
}
