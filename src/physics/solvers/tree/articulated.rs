//! One body of a tree and the joint towards its parent: what the joint's rows make of all that hangs below.
//!
//! ```text
//! below the joint   M̂ Δu = f̂ + Jᵀ μ          M̂: the body's mass with what hangs on it, 6 × 6
//! the joint         J Δu + P Δu_p + γ μ = r    J, P: its rows on the body and on the parent
//!
//! factor   M̂ = L Lᵀ,  Y = L⁻¹ Jᵀ,  S = Yᵀ Y + γ = R Rᵀ,  W = R⁻¹ P,  M̂_p += Wᵀ W
//! down     y = L⁻¹ f̂,  z = R⁻¹ (r − Yᵀ y),  f̂_p += Wᵀ z                  leaves to root
//! up       z' = z − W Δu_p,  μ = R⁻ᵀ z',  Δu = L⁻ᵀ (y + Y μ)             root to leaves
//! ```
//! Every matrix is a sum of squares, so nothing cancels and 32 bits do. A row whose pivot in S is rounding says nothing that
//! those before it do not say, and bears nothing. Source: Featherstone's articulated-body method in the bodies' own
//! coordinates; Baraff 1996, Linear-time dynamics using Lagrange multipliers.

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
pub type Packed = [f32; 21];

/// Where entry (i, j), j ≤ i, of a packed matrix is.
const fn at(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

/// Floats that the factors of a body and so many rows take: L, Y, W, R.
pub const fn size(rows: usize) -> usize {
    21 + 12 * rows + rows * (rows + 1) / 2
}

/// A row's coefficients of one of its bodies.
pub fn coefficients(row: &Row, second: bool) -> Six {
    let (lin, ang) = if second { (row.lin, row.ang_b) } else { (-row.lin, row.ang_a) };
    [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z]
}

/// Adds a body's own mass, divided by `share`, to what hangs on it.
pub fn add_mass(hat: &mut Packed, body: &Body, share: f32) {
    let turns = body.inv_inertia != Mat3::ZERO;
    let (mass, inertia) = body.apparent.map_or_else(|| (body.mass, body.inertia()), |seen| (seen.mass, seen.inertia));
    let inertia = if turns { inertia } else { Mat3::from_diagonal(glam::Vec3::splat(NEVER_TURNS)) };
    for i in 0..3 {
        hat[at(i, i)] += mass / share;
        for j in 0..=i {
            hat[at(3 + i, 3 + j)] += inertia.col(j)[i] / share;
        }
    }
}

/// L of M̂ = L Lᵀ, in place.
fn cholesky(m: &mut Packed) {
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

/// x ← L⁻¹ x.
fn forward(l: &Packed, x: &mut Six) {
    for i in 0..6 {
        let above: f32 = (0..i).map(|k| l[at(i, k)] * x[k]).sum();
        x[i] = (x[i] - above) * l[at(i, i)];
    }
}

/// x ← L⁻ᵀ x.
fn back(l: &Packed, x: &mut Six) {
    for i in (0..6).rev() {
        let below: f32 = (i + 1..6).map(|k| l[at(k, i)] * x[k]).sum();
        x[i] = (x[i] - below) * l[at(i, i)];
    }
}

fn dot(a: &Six, b: &Six) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The factors of a body and its joint, as they lie in the list of all.
pub struct Factors<'a> {
    l: &'a Packed,
    y: &'a [Six],
    w: &'a [Six],
    r: &'a [f32],
}

impl<'a> Factors<'a> {
    /// Those of `rows` rows.
    pub fn of(list: &'a [f32], rows: usize) -> Option<Self> {
        let (l, rest) = list.split_first_chunk::<21>()?;
        let (y, rest) = rest.split_at_checked(6 * rows)?;
        let (w, rest) = rest.split_at_checked(6 * rows)?;
        Some(Self { l, y: y.as_chunks().0, w: w.as_chunks().0, r: rest.get(..rows * (rows + 1) / 2)? })
    }

    /// One body on the way down. `force` is f̂ and becomes y, `right` is r and becomes z; returns what the parent feels.
    pub fn down(&self, force: &mut Six, right: &mut [f32]) -> Six {
        forward(self.l, force);
        for (right, y) in right.iter_mut().zip(self.y) {
            *right -= dot(y, force);
        }
        let mut felt = [0.0; 6];
        for i in 0..right.len() {
            let above: f32 = (0..i).map(|k| self.r[at(i, k)] * right[k]).sum();
            right[i] = (right[i] - above) * self.r[at(i, i)];
            for (felt, w) in felt.iter_mut().zip(&self.w[i]) {
                *felt += w * right[i];
            }
        }
        felt
    }

    /// One body on the way up, the parent's Δu at hand. `force` is y and becomes Δu, `right` is z and becomes μ.
    pub fn up(&self, parent: &Six, force: &mut Six, right: &mut [f32]) {
        for (right, w) in right.iter_mut().zip(self.w) {
            *right -= dot(w, parent);
        }
        for i in (0..right.len()).rev() {
            let below: f32 = (i + 1..right.len()).map(|k| self.r[at(k, i)] * right[k]).sum();
            right[i] = (right[i] - below) * self.r[at(i, i)];
            for (force, y) in force.iter_mut().zip(&self.y[i]) {
                *force += y * right[i];
            }
        }
        back(self.l, force);
    }
}

/// Factors a body whose M̂ is `hat` with the rows of its joint; `second` says which body of theirs it is. Adds to `parent`
/// what its M̂ gets of it.
pub fn factor(hat: &Packed, rows: &[Row], second: bool, list: &mut [f32], parent: Option<&mut Packed>) {
    let count = rows.len();
    let Some((l, rest)) = list.split_first_chunk_mut::<21>() else { return };
    *l = *hat;
    cholesky(l);
    let (y, rest) = rest.split_at_mut(6 * count);
    let (w, r) = rest.split_at_mut(6 * count);
    let (y, w): (&mut [Six], &mut [Six]) = (y.as_chunks_mut().0, w.as_chunks_mut().0);
    for i in 0..count {
        y[i] = coefficients(&rows[i], second);
        forward(l, &mut y[i]);
        w[i] = coefficients(&rows[i], !second);
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
            let (done, rest) = w.split_at_mut(i);
            for (entry, above) in rest[0].iter_mut().zip(&done[j]) {
                *entry -= r[at(i, j)] * above;
            }
        }
        w[i].iter_mut().for_each(|entry| *entry *= r[at(i, i)]);
    }
    if let Some(parent) = parent {
        for w in &*w {
            for i in 0..6 {
                for j in 0..=i {
                    parent[at(i, j)] += w[i] * w[j];
                }
            }
        }
    }
}
