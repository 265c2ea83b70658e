//! Residuals of rows at given velocities: r = J u + b + γ λ, or the part of it that the bounds let a row correct.
//!
//! For a rigid row r is a relative speed of the bodies. A soft row yields: to solve it once more changes λ by −r/(K +
//! γ) and its bodies' speed by only K/(K + γ) of r. An undamped spring has γ = 10¹⁰ K. Its b and γ λ are then about
//! 10⁹ m/s, and `f32` gives their difference only to 100 m/s, although this error moves the bodies by only 10⁻⁸ m/s. So
//! worlds and joints report [`speed_left`] as their residual, not r.

use super::body::Velocity;
use super::bounds::FrictionLaw;
use super::kernel::row::speed;
use super::row::{Block, Row};
use super::system::couplings::Couplings;

/// r of all rows at these velocities, by row, m/s or rad/s.
pub fn residuals(rows: &[Row], blocks: &[Block], couplings: &Couplings, velocities: &[Velocity]) -> Vec<f32> {
    let mut residuals = vec![0.0; rows.len()];
    for block in blocks {
        block_residuals(block, &rows[block.range()], couplings, velocities, &mut residuals[block.range()]);
    }
    residuals
}

/// The same for `rows`, the rows of one block; written to `residuals`.
pub fn block_residuals(
    block: &Block,
    rows: &[Row],
    couplings: &Couplings,
    velocities: &[Velocity],
    residuals: &mut [f32],
) {
    let (a, b) = (&velocities[block.a as usize], &velocities[block.b as usize]);
    let residual = |row: &Row| speed(row, a, b) + row.bias + row.gamma * row.impulse;
    for (result, row) in residuals.iter_mut().zip(rows) {
        *result = correctable(row, residual(row), row.lo, row.hi);
    }
    let Some((_, bounds)) = block.coupling.contact() else { return };
    for bound in &couplings.bounds[bounds.range()] {
        let radius = bound.radius(rows);
        match (bound.kind, &rows[bound.rows()]) {
            (FrictionLaw::Disc | FrictionLaw::Cone, [x, y]) | (FrictionLaw::Surface { .. }, [x, y, _]) => {
                let result = in_disc([x, y], [residual(x), residual(y)], radius);
                residuals[bound.rows()][..2].copy_from_slice(&result);
            }
            (FrictionLaw::Span, [row]) => residuals[bound.rows()][0] = correctable(row, residual(row), -radius, radius),
            // The bound of a printed law is in the row's own bounds.
            _ => {}
        }
        if let (FrictionLaw::Surface { arm, .. }, [.., twist]) = (bound.kind, &rows[bound.rows()]) {
            residuals[bound.rows()][2] = correctable(twist, residual(twist), -radius * arm, radius * arm);
        }
    }
}

/// The speed that solving a row of residual `r` once more would change, K/(K + γ) r, m/s or rad/s: all of r where the
/// row is rigid.
pub fn speed_left(row: &Row, r: f32) -> f32 {
    r * (1.0 - row.gamma * row.inv_k).max(0.0)
}

/// The residual of a row: r, or the part of it that its bounds let it correct.
fn correctable(row: &Row, r: f32, lo: f32, hi: f32) -> f32 {
    if row.inv_k == 0.0 {
        return 0.0;
    }
    let next = (row.impulse - r * row.inv_k).clamp(lo.min(hi), hi.max(lo));
    (row.impulse - next) / row.inv_k
}

/// The same for two rows whose impulses are bound by a disc.
fn in_disc([x, y]: [&Row; 2], r: [f32; 2], radius: f32) -> [f32; 2] {
    let step = x.inv_k.max(y.inv_k);
    if step == 0.0 {
        return [0.0; 2];
    }
    let next = [x.impulse - r[0] * step, y.impulse - r[1] * step];
    let size = next[0].hypot(next[1]);
    let share = if size > radius { radius.max(0.0) / size } else { 1.0 };
    [(x.impulse - share * next[0]) / step, (y.impulse - share * next[1]) / step]
}
