//! A row between two bodies: speed, effective mass, and the solve of one row and of an anchor's three.
//!
//! ```text
//! r = J u + b + γ λ      Δλ = −r/(K + γ), clamped on the accumulated λ      u ← u + M⁻¹ Jᵀ Δλ
//! K = J M⁻¹ Jᵀ = (1/mA) lin² + angA · I_A⁻¹ angA + (1/mB) lin² + angB · I_B⁻¹ angB
//! anchor   Δλ = −(K + γ)⁻¹ (J u + b + γ λ), three rows without bounds at once
//! ```
//! `SOFT` says whether the term γ λ is there: a rigid row leaves it out, because 0 · λ is no zero where λ is NaN.
//! Source: 000 Common notation; Catto 2005 (sequential impulses).

use super::bodies::{Bodies, Pair, Velocities};
use super::real::{Mask, Real};
use super::vector::Vector;

/// A row per lane, as a solver keeps it.
pub trait SolverRow {
    type Number: Real<One = f32>;
    /// What a group's rows have in common and do not keep themselves, such as inverse masses.
    type Shared: Copy;

    /// J u, m/s or rad/s.
    fn speed(&self, shared: Self::Shared, a: &Velocities<Self::Number>, b: &Velocities<Self::Number>) -> Self::Number;
    /// u ← u + M⁻¹ Jᵀ λ.
    fn apply(&self, shared: Self::Shared, to: &mut Pair<Self::Number>, lambda: Self::Number);
    /// 1/(K + γ); zero switches the row off.
    fn inv_k(&self) -> Self::Number;
    /// b, m/s or rad/s.
    fn bias(&self) -> Self::Number;
    /// γ, 1/kg or 1/(kg·m²).
    fn gamma(&self) -> Self::Number;
    /// The accumulated impulse λ, N·s or N·m·s.
    fn impulse(&self) -> Self::Number;
    fn set_impulse(&mut self, impulse: Self::Number);
    /// The nearest impulse within the row's own bounds.
    fn clamp(&self, impulse: Self::Number) -> Self::Number;
    /// Takes ±`most` for its own bounds, for the clamp and for those who read the rows.
    fn bound(&mut self, _most: Self::Number) {}
}

/// J u of a row with the linear direction `lin`.
#[inline(always)]
pub fn speed_along<R: Real>(
    lin: R::Vector,
    (ang_a, ang_b): (R::Vector, R::Vector),
    a: &Velocities<R>,
    b: &Velocities<R>,
) -> R {
    (lin * (b.linear - a.linear) + ang_a * a.angular + ang_b * b.angular).sum()
}

/// u ← u + M⁻¹ Jᵀ λ of a row with the linear direction `lin`, between bodies of the inverse masses `inv_m`; `inv_i` is
/// I⁻¹ times the angular parts.
#[inline(always)]
pub fn apply_along<R: Real>(lin: R::Vector, inv_m: (R, R), inv_i: (R::Vector, R::Vector), to: &mut Pair<R>, lambda: R) {
    to.a.linear -= lin * (inv_m.0 * lambda);
    to.a.angular += inv_i.0 * lambda;
    to.b.linear += lin * (inv_m.1 * lambda);
    to.b.angular += inv_i.1 * lambda;
}

/// K of a row, 1/kg or 1/(kg·m²), as A's share and B's.
#[inline(always)]
pub fn mobility<R: Real>(
    lin: R::Vector,
    inv_m: (R, R),
    ang: (R::Vector, R::Vector),
    inv_i: (R::Vector, R::Vector),
) -> (R, R) {
    let size = lin.dot(lin);
    (inv_m.0 * size + ang.0.dot(inv_i.0), inv_m.1 * size + ang.1.dot(inv_i.1))
}

/// K below this counts as zero, 1/kg or 1/(kg·m²): nothing can move.
pub const SMALLEST_K: f32 = 1e-12;

/// 1/K; zero where K counts as zero.
#[inline(always)]
pub fn invert<R: Real<One = f32>>(k: R) -> R {
    (R::ONE / k).masked(k.gt(R::splat(SMALLEST_K)))
}

/// J u of a row that keeps all that it needs, m/s or rad/s.
#[inline(always)]
pub fn speed<W: SolverRow<Shared = ()>>(row: &W, a: &Velocities<W::Number>, b: &Velocities<W::Number>) -> W::Number {
    row.speed((), a, b)
}

/// b + γ λ.
#[inline(always)]
pub fn offset<const SOFT: bool, W: SolverRow>(row: &W) -> W::Number {
    if SOFT { row.bias() + row.gamma() * row.impulse() } else { row.bias() }
}

/// J u + b + γ λ.
#[inline(always)]
pub fn residual<const SOFT: bool, B: Bodies<Number = W::Number>, W: SolverRow>(
    bodies: &B,
    row: &W,
    shared: W::Shared,
) -> W::Number {
    let Pair { a, b } = bodies.velocities();
    let rigid = row.speed(shared, a, b) + row.bias();
    if SOFT { rigid + row.gamma() * row.impulse() } else { rigid }
}

/// Δλ before clamping.
#[inline(always)]
pub fn step<const SOFT: bool, B: Bodies<Number = W::Number>, W: SolverRow>(
    bodies: &B,
    row: &W,
    shared: W::Shared,
) -> W::Number {
    bodies.relaxed(-residual::<SOFT, B, W>(bodies, row, shared) * row.inv_k())
}

/// Gives a row this accumulated impulse.
#[inline(always)]
pub fn set<B: Bodies<Number = W::Number>, W: SolverRow>(
    bodies: &mut B,
    row: &mut W,
    shared: W::Shared,
    impulse: W::Number,
) {
    let change = impulse - row.impulse();
    row.set_impulse(impulse);
    row.apply(shared, bodies.velocities_mut(), change);
}

/// Adds to a row's accumulated impulse.
#[inline(always)]
pub fn add<B: Bodies<Number = W::Number>, W: SolverRow>(
    bodies: &mut B,
    row: &mut W,
    shared: W::Shared,
    change: W::Number,
) {
    row.set_impulse(row.impulse() + change);
    row.apply(shared, bodies.velocities_mut(), change);
}

/// Solves one row. Clamps the accumulated impulse, not the increment: a later sweep may reduce what an earlier one has
/// added.
#[inline(always)]
pub fn solve<const SOFT: bool, B: Bodies<Number = W::Number>, W: SolverRow>(
    bodies: &mut B,
    row: &mut W,
    shared: W::Shared,
) {
    let impulse = row.clamp(row.impulse() + step::<SOFT, B, W>(bodies, row, shared));
    set(bodies, row, shared, impulse);
}

/// The same; the lanes of `free` have no bounds and add their step directly. As a difference of two impulses the step
/// would be rounded to the precision of the impulses: a weld that bears 500 N·s would not change by less than
/// 3e-5 N·s.
#[inline(always)]
pub fn solve_some_free<B: Bodies<Number = W::Number>, W: SolverRow>(
    bodies: &mut B,
    row: &mut W,
    shared: W::Shared,
    free: <W::Number as Real>::Mask,
) {
    let step = step::<true, B, W>(bodies, row, shared);
    if W::Number::LANES == 1 && free.any() {
        return add(bodies, row, shared, step);
    }
    let whole = row.impulse() + step;
    let impulse = W::Number::select(free, whole, row.clamp(whole));
    let change = W::Number::select(free, step, impulse - row.impulse());
    row.set_impulse(impulse);
    row.apply(shared, bodies.velocities_mut(), change);
}

/// The lanes without bounds.
#[inline(always)]
pub fn is_free<R: Real<One = f32>>(lo: R, hi: R) -> R::Mask {
    let infinity = R::splat(f32::INFINITY);
    lo.same(-infinity) & hi.same(infinity)
}

/// A matrix, by columns, times a vector.
#[inline(always)]
pub(super) fn times<R: Real>(columns: &[R::Vector; 3], [x, y, z]: [R; 3]) -> [R; 3] {
    (columns[0] * x + columns[1] * y + columns[2] * z).components()
}

/// Solves three rows without bounds at once, whose softness γ = s K is alike in all directions: Δλ = −((1 + s) K)⁻¹ (J u
/// + b) − s/(1 + s) λ. `inverse` is that of (1 + s) K, by columns, and `share` is s/(1 + s).
#[inline(always)]
pub fn solve_even_anchor<B: Bodies<Number = W::Number>, W: SolverRow>(
    bodies: &mut B,
    rows: &mut [W],
    shared: W::Shared,
    inverse: &[<W::Number as Real>::Vector; 3],
    share: W::Number,
) {
    let [x, y, z] = rows else { return };
    let off = |row: &W| -residual::<false, B, W>(bodies, row, shared);
    let change = times(inverse, [off(x), off(y), off(z)]);
    for (row, change) in [x, y, z].into_iter().zip(change) {
        let change = bodies.relaxed(change - share * row.impulse());
        add(bodies, row, shared, change);
    }
}

/// Solves three rows without bounds at once; `inverse` is that of K + γ, by columns.
#[inline(always)]
pub fn solve_anchor<const SOFT: bool, B: Bodies<Number = W::Number>, W: SolverRow>(
    bodies: &mut B,
    rows: &mut [W],
    shared: W::Shared,
    inverse: &[<W::Number as Real>::Vector; 3],
) {
    let [x, y, z] = rows else { return };
    let off = |row: &W| -residual::<SOFT, B, W>(bodies, row, shared);
    let change = times(inverse, [off(x), off(y), off(z)]);
    for (row, change) in [x, y, z].into_iter().zip(change) {
        let change = bodies.relaxed(change);
        add(bodies, row, shared, change);
    }
}
