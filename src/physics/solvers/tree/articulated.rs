//! One body of a tree and the joint towards its parent: eliminates the joint's rows, with all that hangs below.
//!
//! ```text
//! below the joint   M̂ Δu = f̂ + Jᵀ μ          M̂: the body's mass with what hangs on it, 6 × 6
//! the joint         J Δu + P Δu_p + γ μ = r    J, P: its rows on the body and on the parent
//!
//! factor   M̂ = L Lᵀ,  Y = L⁻¹ Jᵀ,  S = Yᵀ Y + γ = R Rᵀ,  W = R⁻¹ P,  M̂_p += Wᵀ W
//! down     y = L⁻¹ f̂,  z = R⁻¹ (r − Yᵀ y),  f̂_p += Wᵀ z                  leaves to root
//! up       z' = z − W Δu_p,  μ = R⁻ᵀ z',  Δu = L⁻ᵀ (y + Y μ)             root to leaves
//! ```
//! Every matrix is a sum of squares, so nothing cancels and 32 bits are enough. A row whose pivot in S is within
//! rounding is redundant, and its impulse is zero. Source: Featherstone's articulated-body method in the bodies' own
//! coordinates; Baraff 1996, Linear-time dynamics using Lagrange multipliers.

#![allow(clippy::needless_range_loop, reason = "matrices are indexed as in the formulas")]

use glam::Mat3;

use crate::physics::body::Body;
use crate::physics::row::Row;

/// The most rows of a joint that are solved as one.
pub const ROWS: usize = 6;
/// A pivot of S below this share of what it was is rounding.
const REDUNDANT: f32 = 3e-6;
/// The moment of inertia of a body that does not turn, kg m²: its reciprocal is lost beside any other.
const NEVER_TURNS: f32 = 1e18;

/// A velocity or momentum, linear then angular.
pub type Six = [f32; 6];
/// A symmetric or triangular 6 × 6 matrix, row by row up to the diagonal. Of a triangular factor the diagonal holds its
/// reciprocals.
pub type PackedMatrix = [f32; 21];

/// Where entry (i, j), j ≤ i, of a packed matrix is.
const fn at(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

/// Floats that the factors of a body and so many rows take: L, Y, W, R.
pub const fn size(rows: usize) -> usize {
    21 + 12 * rows + rows * (rows + 1) / 2
}

/// A row's coefficients of one of its bodies.
#[inline(always)]
pub fn coefficients(row: &Row, second: bool) -> Six {
    let (lin, ang) = if second { (row.lin, row.ang_b) } else { (-row.lin, row.ang_a) };
    [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z]
}

/// Adds a body's own mass, divided by `share`, to what hangs on it.
pub fn add_mass(hat: &mut PackedMatrix, body: &Body, share: f32) {
    let turns = body.inv_inertia != Mat3::ZERO;
    let (mass, inertia) = body.seen().map_or_else(|| (body.mass, body.inertia()), |seen| (seen.mass, seen.inertia));
    let inertia = if turns { inertia } else { Mat3::from_diagonal(glam::Vec3::splat(NEVER_TURNS)) };
    for i in 0..3 {
        hat[at(i, i)] += mass / share;
        for j in 0..=i {
            hat[at(3 + i, 3 + j)] += inertia.col(j)[i] / share;
        }
    }
}

/// L of M̂ = L Lᵀ, in place.
#[inline(always)]
fn cholesky(m: &mut PackedMatrix) {
    for j in 0..6 {
        let mut pivot = m[at(j, j)];
        for k in 0..j {
            pivot -= m[at(j, k)] * m[at(j, k)];
        }
        let reciprocal = 1.0 / pivot.max(f32::MIN_POSITIVE).sqrt();
        m[at(j, j)] = reciprocal;
        for i in j + 1..6 {
            let mut sum = m[at(i, j)];
            for k in 0..j {
                sum -= m[at(i, k)] * m[at(j, k)];
            }
            m[at(i, j)] = sum * reciprocal;
        }
    }
}

/// x ← L⁻¹ x, of as many right sides as lie side by side.
#[inline(always)]
fn forward<const LANES: usize>(l: &PackedMatrix, x: &mut [[f32; LANES]; 6]) {
    for i in 0..6 {
        // The sum's neutral element: it leaves signs of zeros as they are.
        let mut above = [-0.0; LANES];
        for k in 0..i {
            for lane in 0..LANES {
                above[lane] += l[at(i, k)] * x[k][lane];
            }
        }
        for lane in 0..LANES {
            x[i][lane] = (x[i][lane] - above[lane]) * l[at(i, i)];
        }
    }
}

/// x ← L⁻ᵀ x.
#[inline(always)]
fn back<const LANES: usize>(l: &PackedMatrix, x: &mut [[f32; LANES]; 6]) {
    for i in (0..6).rev() {
        let mut below = [-0.0; LANES];
        for k in i + 1..6 {
            for lane in 0..LANES {
                below[lane] += l[at(k, i)] * x[k][lane];
            }
        }
        for lane in 0..LANES {
            x[i][lane] = (x[i][lane] - below[lane]) * l[at(i, i)];
        }
    }
}

#[inline(always)]
fn dot(a: &Six, b: &Six) -> f32 {
    let mut sum = -0.0;
    for k in 0..6 {
        sum += a[k] * b[k];
    }
    sum
}

/// The factors of a body and the `N` rows of its joint, as they lie in the list of all.
struct Factors<'a, const N: usize> {
    l: &'a PackedMatrix,
    y: &'a [Six; N],
    w: &'a [Six; N],
    /// R, row by row up to the diagonal.
    r: &'a [f32],
}

/// Evaluates an expression with the number of rows as a constant `N`, so that its loops have no ends to look for, and
/// in `LANES` a width of registers that has room for them.
macro_rules! of_rows {
    ($count:expr, $rows:ident, $lanes:ident => $value:expr) => {
        of_rows!($count, $rows, $lanes => $value; (0, 1) (1, 1) (2, 4) (3, 4) (4, 4) (5, 8); (6, 8))
    };
    ($count:expr, $rows:ident, $lanes:ident => $value:expr; $(($number:literal, $width:expr))*; ($last:expr, $most:expr)) => {
        match $count { $(
            $number => {
                const $rows: usize = $number;
                const $lanes: usize = $width;
                $value
            })*
            _ => {
                const $rows: usize = $last;
                const $lanes: usize = $most;
                $value
            }
        }
    };
}

impl<'a, const N: usize> Factors<'a, N> {
    #[inline(always)]
    fn of(list: &'a [f32]) -> Option<Self> {
        let (l, rest) = list.split_first_chunk::<21>()?;
        let (y, rest) = rest.split_at_checked(6 * N)?;
        let (w, rest) = rest.split_at_checked(6 * N)?;
        let r = rest.get(..N * (N + 1) / 2)?;
        Some(Self { l, y: y.as_chunks().0.try_into().ok()?, w: w.as_chunks().0.try_into().ok()?, r })
    }
}

/// One body's share of a right side: f̂ and r, and what becomes of them.
pub type RightSideShare<'a> = (&'a mut Six, &'a mut [f32; ROWS]);

/// The forces of several right sides, lane by lane.
#[inline(always)]
fn beside<const SIDES: usize>(sides: &[RightSideShare<'_>; SIDES]) -> [[f32; SIDES]; 6] {
    std::array::from_fn(|k| std::array::from_fn(|side| sides[side].0[k]))
}

/// One body on the way down, its factors at the head of `list`, for several right sides at once. `force` is f̂ and
/// becomes y, `right` is r and becomes z; returns what the parent feels.
#[inline]
pub fn down<const SIDES: usize>(list: &[f32], count: usize, sides: [RightSideShare<'_>; SIDES]) -> [Six; SIDES] {
    of_rows!(count, N, _LANES => down_of::<N, SIDES>(list, sides))
}

#[inline(always)]
fn down_of<const N: usize, const SIDES: usize>(list: &[f32], mut sides: [RightSideShare<'_>; SIDES]) -> [Six; SIDES] {
    let mut felt = [[0.0; 6]; SIDES];
    let Some(Factors { l, y, w, r }) = Factors::<N>::of(list) else { return felt };
    let mut lanes = beside(&sides);
    forward(l, &mut lanes);
    for (side, ((force, right), felt)) in sides.iter_mut().zip(&mut felt).enumerate() {
        **force = lanes.map(|lanes| lanes[side]);
        for i in 0..N {
            right[i] -= dot(&y[i], force);
        }
        for i in 0..N {
            let mut above = -0.0;
            for k in 0..i {
                above += r[at(i, k)] * right[k];
            }
            right[i] = (right[i] - above) * r[at(i, i)];
            for k in 0..6 {
                felt[k] += w[i][k] * right[i];
            }
        }
    }
    felt
}

/// One body on the way up, the parent's Δu at hand. `force` is y and becomes Δu, `right` is z and becomes μ.
#[inline]
pub fn up<const SIDES: usize>(list: &[f32], count: usize, parent: &[Six; SIDES], sides: [RightSideShare<'_>; SIDES]) {
    of_rows!(count, N, _LANES => up_of::<N, SIDES>(list, parent, sides));
}

#[inline(always)]
fn up_of<const N: usize, const SIDES: usize>(
    list: &[f32],
    parent: &[Six; SIDES],
    mut sides: [RightSideShare<'_>; SIDES],
) {
    let Some(Factors { l, y, w, r }) = Factors::<N>::of(list) else { return };
    for ((force, right), parent) in sides.iter_mut().zip(parent) {
        for i in 0..N {
            right[i] -= dot(&w[i], parent);
        }
        for i in (0..N).rev() {
            let mut below = -0.0;
            for k in i + 1..N {
                below += r[at(k, i)] * right[k];
            }
            right[i] = (right[i] - below) * r[at(i, i)];
            for k in 0..6 {
                force[k] += y[i][k] * right[i];
            }
        }
    }
    let mut lanes = beside(&sides);
    back(l, &mut lanes);
    for (side, (force, _)) in sides.iter_mut().enumerate() {
        **force = lanes.map(|lanes| lanes[side]);
    }
}

/// Factors a body whose M̂ is `hat` with the rows of its joint; `second` says which body of theirs it is. Adds to
/// `parent` what its M̂ gets of it.
pub fn factor(hat: &PackedMatrix, rows: &[Row], second: bool, list: &mut [f32], parent: Option<&mut PackedMatrix>) {
    of_rows!(rows.len(), N, LANES => factor_of::<N, LANES>(hat, rows, second, list, parent));
}

/// The rows lie side by side in at least `N` lanes.
#[inline(always)]
fn factor_of<const N: usize, const LANES: usize>(
    hat: &PackedMatrix,
    rows: &[Row],
    second: bool,
    list: &mut [f32],
    parent: Option<&mut PackedMatrix>,
) {
    let (Some(rows), Some((l, rest))) = (rows.first_chunk::<N>(), list.split_first_chunk_mut::<21>()) else { return };
    *l = *hat;
    cholesky(l);
    let mut lanes = [[0.0; LANES]; 6];
    for (i, row) in rows.iter().enumerate() {
        let own = coefficients(row, second);
        for k in 0..6 {
            lanes[k][i] = own[k];
        }
    }
    forward(l, &mut lanes);
    let y: [Six; N] = std::array::from_fn(|i| std::array::from_fn(|k| lanes[k][i]));
    let mut w: [Six; N] = std::array::from_fn(|i| coefficients(&rows[i], !second));
    let (to_y, rest) = rest.split_at_mut(6 * N);
    let (to_w, r) = rest.split_at_mut(6 * N);
    let r = &mut r[..N * (N + 1) / 2];
    for i in 0..N {
        let whole = dot(&y[i], &y[i]) + rows[i].gamma;
        let mut pivot = whole;
        for j in 0..i {
            let mut sum = dot(&y[i], &y[j]);
            for k in 0..j {
                sum -= r[at(i, k)] * r[at(j, k)];
            }
            r[at(i, j)] = sum * r[at(j, j)];
            pivot -= r[at(i, j)] * r[at(i, j)];
        }
        let bears = rows[i].inv_k > 0.0 && pivot > REDUNDANT * whole;
        r[at(i, i)] = if bears { 1.0 / pivot.sqrt() } else { 0.0 };
        for j in 0..i {
            for k in 0..6 {
                w[i][k] -= r[at(i, j)] * w[j][k];
            }
        }
        for k in 0..6 {
            w[i][k] *= r[at(i, i)];
        }
    }
    to_y.copy_from_slice(y.as_flattened());
    to_w.copy_from_slice(w.as_flattened());
    if let Some(parent) = parent {
        for w in &w {
            for i in 0..6 {
                for j in 0..=i {
                    parent[at(i, j)] += w[i] * w[j];
                }
            }
        }
    }
}
