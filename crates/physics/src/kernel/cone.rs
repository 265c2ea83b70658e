//! One contact point, its normal and two tangents, solved exactly on Coulomb's cone.
//!
//! ```text
//! v = A λ + c       A = J M⁻¹ Jᵀ + γ of the three rows, c = J u + b without the point's own impulse
//! separate          c_n ≥ 0:                         λ = 0
//! stick             λ = −A⁻¹ c, if ‖λ_t‖ ≤ μ λ_n:    v = 0
//! slip              v_n = 0, ‖λ_t‖ = μ λ_n, v_t = −σ λ_t with σ > 0: friction opposes the slip
//! ```
//! A slip is found by its σ. For a given σ the law is linear, λ(σ) = −(A + σ diag(0, 1, 1))⁻¹ c. At σ = 0 the impulse is
//! outside the cone, since the point does not stick. As σ grows λ_t vanishes and λ_n tends to −c_n/A_nn > 0, inside the
//! cone. So there is always a root of q(σ) = μ λ_n/‖λ_t‖ − 1, up to ‖r‖ (A_nn + μ ‖a‖)/(μ |c_n|) (a = A_nt, r as in the
//! code). q is nearly straight, so that Newton's steps within this bracket find it in a few rounds, without an angle.
//!
//! Where the normal and the tangents are coupled the minimum of the energy on the cone is another point: there friction
//! does not oppose the slip, or the bodies separate while they slide. The first solver of RaiSim and solvers of the
//! relaxed cone (MuJoCo, Drake) find that point. It is not offered here. If three rows are nearly dependent, the point is
//! solved as `friction.model=Coulomb` does it. A whole step of the pyramid of 20 takes twice as long as with that model.
//! Friction of large coupling may have more than one slip; this finds the one that Newton comes to from σ = 0.
//!
//! Source: the law is that of De Saxcé and Feng 1998, as compared by Le Lidec and others 2024 (“Contact models in
//! robotics”); the search in σ is that of Hebden 1973, and Moré and Sorensen 1983, for a trust region.

use super::bodies::{Bodies, Pair};
use super::bound::solve_disc_of;
use super::row::{SolverRow, residual, set, solve};

/// The most Newton steps or bisections for a slip.
const MAX_ROUNDS: usize = 60;
/// The relative error of ‖λ_t‖ = μ λ_n at which the search ends.
const MAX_ERROR: f64 = 1e-12;
/// The least ratio of the eigenvalues of the tangents' matrix. Below it the rows count as dependent.
const MIN_RATIO: f64 = 1e-7;

/// The impulse of a point, N·s: normal, first and second tangent. `k` is A, 1/kg, symmetric, of which the lower triangle
/// is read; `free` is c, m/s; `mu` is the coefficient of friction. `None` if the rows are nearly dependent, or a value
/// is not finite.
pub fn impulse(k: &[[f64; 3]; 3], free: [f64; 3], mu: f64) -> Option<[f64; 3]> {
    let [cn, cx, cy] = free;
    let (knn, ax, ay) = (k[0][0], k[1][0], k[2][0]);
    if !(free.iter().all(|c| c.is_finite()) && knn > 0.0) {
        return None;
    }
    if cn >= 0.0 {
        return Some([0.0; 3]);
    }
    if mu <= 0.0 {
        return Some([-cn / knn, 0.0, 0.0]);
    }
    // The tangents' matrix and velocity while the normal keeps v_n = 0.
    let (sxx, sxy, syy) = (k[1][1] - ax * ax / knn, k[2][1] - ax * ay / knn, k[2][2] - ay * ay / knn);
    let (rx, ry) = (cx - ax * cn / knn, cy - ay * cn / knn);
    let (mean, half) = (0.5 * (sxx + syy), length(0.5 * (sxx - syy), sxy));
    if mean - half <= MIN_RATIO * (mean + half) {
        return None;
    }
    // Solves the tangents' matrix, with σ added to its diagonal, for a right side.
    let tangents = |sigma: f64, [x, y]: [f64; 2]| {
        let (xx, yy) = (sxx + sigma, syy + sigma);
        let determinant = xx * yy - sxy * sxy;
        [(yy * x - sxy * y) / determinant, (xx * y - sxy * x) / determinant]
    };
    let at = |sigma: f64| {
        let [x, y] = tangents(sigma, [-rx, -ry]);
        [-(cn + ax * x + ay * y) / knn, x, y]
    };
    let [n, x, y] = at(0.0);
    if length(x, y) <= mu * n {
        return Some([n, x, y]);
    }
    let (mut sigma, mut lo) = (0.0f64, 0.0f64);
    let mut hi = length(rx, ry) * (knn + mu * length(ax, ay)) / (-cn * mu);
    for _ in 0..MAX_ROUNDS {
        let [n, x, y] = at(sigma);
        let size = length(x, y);
        let q = mu * n / size - 1.0;
        if q.abs() <= MAX_ERROR {
            break;
        }
        if q < 0.0 {
            lo = sigma
        } else {
            hi = sigma
        }
        // The derivatives of λ_t, λ_n and ‖λ_t‖ by σ.
        let [dx, dy] = tangents(sigma, [-x, -y]);
        let (dn, dsize) = (-(ax * dx + ay * dy) / knn, (x * dx + y * dy) / size);
        let newton = sigma - q * size * size / (mu * (dn * size - n * dsize));
        sigma = if newton > lo && newton < hi { newton } else { middle(lo, hi, mean) };
    }
    let [n, x, y] = at(sigma);
    let onto = mu * n / length(x, y);
    (onto.is_finite() && n >= 0.0).then_some([n, x * onto, y * onto])
}

/// ‖(x, y)‖, with the same bits on every machine.
fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// Divides a bracket: in its logarithm where the ends are far apart. `mean` is of the size of the matrix.
fn middle(lo: f64, hi: f64, mean: f64) -> f64 {
    let low = lo.max(1e-9 * mean);
    if hi > 16.0 * low { (low * hi).sqrt() } else { 0.5 * (lo + hi) }
}

/// Solves a normal row and its two tangents at once, ‖λ_t‖ ≤ `mu` λ_n.
#[inline(never)]
pub fn solve_point<B: Bodies<Number = f32>, W: SolverRow<Number = f32, Shared = ()>>(
    bodies: &mut B,
    [normal, first, second]: [&mut W; 3],
    mu: f32,
) {
    let one_sided = normal.clamp(f32::NEG_INFINITY) == 0.0 && normal.clamp(f32::INFINITY) == f32::INFINITY;
    let found = if one_sided { exact(bodies, [&*normal, &*first, &*second], mu) } else { None };
    match found {
        Some(impulses) => {
            let radius = mu * impulses[0];
            set(bodies, normal, (), impulses[0]);
            for (row, impulse) in [first, second].into_iter().zip([impulses[1], impulses[2]]) {
                row.bound(radius);
                set(bodies, row, (), impulse);
            }
        }
        None => {
            solve::<true, _, _>(bodies, normal, ());
            let radius = mu * normal.impulse();
            solve_disc_of::<true, _, _>(bodies, [first, second], (), radius);
        }
    }
}

/// The impulses of the three rows, N·s, for the present velocities.
fn exact<B: Bodies<Number = f32>, W: SolverRow<Number = f32, Shared = ()>>(
    bodies: &B,
    rows: [&W; 3],
    mu: f32,
) -> Option<[f32; 3]> {
    let k: [[f64; 3]; 3] = std::array::from_fn(|j| {
        let mut unit = Pair::default();
        rows[j].apply((), &mut unit, 1.0);
        std::array::from_fn(|i| {
            let soft = if i == j { rows[i].gamma() } else { 0.0 };
            f64::from(rows[i].speed((), &unit.a, &unit.b) + soft)
        })
    });
    let impulses = rows.map(|row| f64::from(row.impulse()));
    let free = std::array::from_fn(|i| {
        let now = f64::from(residual::<true, _, _>(bodies, rows[i], ()));
        now - (0..3).map(|j| k[i.max(j)][i.min(j)] * impulses[j]).sum::<f64>()
    });
    Some(impulse(&k, free, mu.into())?.map(|impulse| impulse as f32))
}
