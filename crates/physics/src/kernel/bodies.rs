//! The velocities of a block's two bodies, and which velocities a solver lets the block's rows read and change.

use super::real::Real;
use super::vector::Vector;

/// The velocity of a body per lane.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Velocities<R: Real> {
    /// Of the centre of mass, m/s.
    pub linear: R::Vector,
    /// World axes, rad/s.
    pub angular: R::Vector,
}

/// The velocities of a block's two bodies.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pair<R: Real> {
    pub a: Velocities<R>,
    pub b: Velocities<R>,
}

impl<R: Real> Pair<R> {
    /// The largest change of a component since `start`, m/s or rad/s.
    #[inline(always)]
    pub fn moved(&self, start: &Self) -> R {
        let by = |now: R::Vector, was: R::Vector| {
            let [x, y, z] = (now - was).components();
            x.abs().larger(y.abs()).larger(z.abs())
        };
        let change =
            |now: &Velocities<R>, was: &Velocities<R>| by(now.linear, was.linear).larger(by(now.angular, was.angular));
        change(&self.a, &start.a).larger(change(&self.b, &start.b))
    }

    /// The lanes in which both velocities are zero.
    #[inline(always)]
    pub fn at_rest(&self) -> R::Mask {
        let size = |v: R::Vector| {
            let [x, y, z] = v.components();
            x.abs() + y.abs() + z.abs()
        };
        let sum = size(self.a.linear) + size(self.a.angular) + size(self.b.linear) + size(self.b.angular);
        sum.same(R::ZERO)
    }
}

/// The velocities that a block's rows read and change: those of Gauss–Seidel or those of Jacobi.
pub trait Bodies {
    type Number: Real<One = f32>;

    /// The velocities that the rows read.
    fn velocities(&self) -> &Pair<Self::Number>;

    /// Where their changes go.
    fn velocities_mut(&mut self) -> &mut Pair<Self::Number>;

    /// A row's step times the solver's factor ω.
    fn relaxed(&self, step: Self::Number) -> Self::Number;
}

/// Rows see each other's changes at once (Gauss–Seidel).
impl<R: Real<One = f32>> Bodies for Pair<R> {
    type Number = R;

    #[inline(always)]
    fn velocities(&self) -> &Self {
        self
    }

    #[inline(always)]
    fn velocities_mut(&mut self) -> &mut Self {
        self
    }

    #[inline(always)]
    fn relaxed(&self, step: R) -> R {
        step
    }
}
