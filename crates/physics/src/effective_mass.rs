//! Effective masses: K = J M⁻¹ Jᵀ of one row and of three, and their inverses.

use glam::{Mat3A, Vec3A};

use super::body::Body;
use super::kernel::row::{SMALLEST_K, invert, mobility};
use super::row::{Jacobian, Row};

/// A block whose K, scaled to one, has a determinant up to this is nearly dependent.
pub const SINGULAR: f32 = 1e-7;

/// Inverse of a block's K; `None` where its rows are nearly dependent. K is scaled to one first, because the
/// determinant for a body of a milligram or a megatonne exceeds the range of 32 bits.
pub fn block_inverse(k: &Mat3A) -> Option<Mat3A> {
    let scale = k.x_axis.x.max(k.y_axis.y).max(k.z_axis.z);
    let scaled = *k * invert(scale);
    (scaled.determinant() > SINGULAR).then(|| scaled.inverse() * invert(scale))
}

/// K + γ of three rows, K = J M⁻¹ Jᵀ, with A's part multiplied by `na` and B's by `nb`.
pub fn block_mass(rows: &[Row], na: f32, nb: f32) -> Mat3A {
    let entry = |i: usize, j: usize| rows[i].mobility_with(&rows[j], na, nb);
    let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
    let on = |i: usize| entry(i, i) + rows[i].gamma;
    Mat3A::from_cols(Vec3A::new(on(0), xy, xz), Vec3A::new(xy, on(1), yz), Vec3A::new(xz, yz, on(2)))
}

/// K = J M⁻¹ Jᵀ of three rows, whatever their softness.
pub fn rigid_block_mass(rows: &[Row]) -> Mat3A {
    let mut k = block_mass(rows, 1.0, 1.0);
    k.x_axis.x -= rows[0].gamma;
    k.y_axis.y -= rows[1].gamma;
    k.z_axis.z -= rows[2].gamma;
    k
}

/// K = J M⁻¹ Jᵀ of a row, with A's part multiplied by `na` and B's by `nb`.
pub fn row_mass(row: &Row, na: f32, nb: f32) -> f32 {
    let (a, b) = mobility(row.lin, (row.inv_ma, row.inv_mb), (row.ang_a, row.ang_b), (row.inv_ia, row.inv_ib));
    // What the world bears changes A's share: |net − lin|² in place of |lin|².
    let a = if row.net == Vec3A::ZERO { a } else { a + row.inv_ma * row.net.dot(row.net - 2.0 * row.lin) };
    na * a + nb * b
}

/// A row without bounds, with its inverse masses and 1/K; 1/K is zero, and the row inactive, where neither body can
/// move along it.
pub fn row(jacobian: &Jacobian, a: &Body, b: &Body) -> Row {
    row_between(jacobian, &inverses(a), &inverses(b))
}

/// Inverse mass, 1/kg, and inverse inertia, world axes, 1/(kg m²), in registers: for all rows between two bodies.
pub fn inverses(body: &Body) -> (f32, Mat3A) {
    let (mass, inertia) = body.inverses();
    (mass, inertia.into())
}

/// [`row`] between two bodies of these [`inverses`].
#[inline(always)]
pub fn row_between(jacobian: &Jacobian, a: &(f32, Mat3A), b: &(f32, Mat3A)) -> Row {
    let ((inv_ma, inv_ia), (inv_mb, inv_ib)) = (*a, *b);
    let (ang_a, ang_b) = (Vec3A::from(jacobian.ang_a), Vec3A::from(jacobian.ang_b));
    let mut row = Row {
        lin: jacobian.lin.into(),
        ang_a,
        ang_b,
        net: jacobian.net.into(),
        inv_ia: inv_ia * ang_a,
        inv_ib: inv_ib * ang_b,
        inv_ma,
        inv_mb,
        lo: f32::NEG_INFINITY,
        hi: f32::INFINITY,
        ..Row::default()
    };
    let k = row_mass(&row, 1.0, 1.0);
    row.inv_k = if k > SMALLEST_K * scale(&row) { 1.0 / k } else { 0.0 };
    row
}

/// The scale for a row's K: 1, or the square of its linear direction where that is smaller. The row J = 2 p of the
/// squared distance shrinks to 1e-7 where its joint is closed up to rounding, and still has a direction.
fn scale(row: &Row) -> f32 {
    let size = row.lin.length_squared();
    if size > 0.0 { size.min(1.0) } else { 1.0 }
}
