//! The rows of contacts in lanes: as short as their terms allow, which all contacts of one kind have in common.
//!
//! ```text
//! normal    direction n and masses of the group, 0 ≤ λ
//! tangent   masses of the group; never soft
//! angular   jacobian −axis for A, axis for B; no bias, never soft
//! ```
//! An angular row does not change linear velocities: its lin · v and lin (Δλ/m) are zero, and only the sign of that
//! zero is kept, for the bits of a complete row.

use crate::kernel::bodies::Pair;
use crate::kernel::mean::Arms;
use crate::kernel::real::Real;
use crate::kernel::row::{SolverRow, apply_along, speed_along};
use crate::kernel::split::CorrectedRow;
use crate::solvers::wide::lanes::{Lanes, Vectors, Velocities};

/// 1/mA and 1/mB.
pub(super) type InverseMasses = (Lanes, Lanes);

/// A normal row per lane; see [`Row`](crate::row::Row) for the fields.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NormalRow {
    pub ang_a: Vectors,
    pub ang_b: Vectors,
    pub inv_ia: Vectors,
    pub inv_ib: Vectors,
    pub inv_k: Lanes,
    pub bias: Lanes,
    pub gamma: Lanes,
    pub impulse: Lanes,
    pub pseudo_bias: Lanes,
    pub pseudo_impulse: Lanes,
}

/// The angular parts in the mean of the points per lane: see `kernel/mean.rs`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MeanArms {
    pub arms: Arms<Lanes>,
    /// K̄ without softness.
    pub rigid: Lanes,
}

/// What later sub-steps need to compute a normal's bias and softness again.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found {
    /// C₀, m.
    pub gap: Lanes,
    /// By how much faster the gap grows than the row says, m/s.
    pub curvature: Lanes,
    /// 1/K.
    pub rigid: Lanes,
}

/// A tangent row per lane.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TangentRow {
    pub lin: Vectors,
    pub ang_a: Vectors,
    pub ang_b: Vectors,
    pub inv_ia: Vectors,
    pub inv_ib: Vectors,
    pub inv_k: Lanes,
    /// The curvature of the contact along the row, m/s: see `collide/rolling.rs`.
    pub bias: Lanes,
    pub impulse: Lanes,
}

/// An angular row per lane: jacobian −axis for A, axis for B.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AngularRow {
    pub axis: Vectors,
    pub inv_ia: Vectors,
    pub inv_ib: Vectors,
    pub inv_k: Lanes,
    pub impulse: Lanes,
}

/// The accessors that all of these rows have in common.
macro_rules! fields {
    () => {
        #[inline(always)]
        fn inv_k(&self) -> Lanes {
            self.inv_k
        }

        #[inline(always)]
        fn impulse(&self) -> Lanes {
            self.impulse
        }

        #[inline(always)]
        fn set_impulse(&mut self, impulse: Lanes) {
            self.impulse = impulse;
        }
    };
}

/// Those of rows that are bounded by others and never soft.
macro_rules! friction {
    () => {
        #[inline(always)]
        fn gamma(&self) -> Lanes {
            Lanes::ZERO
        }

        #[inline(always)]
        fn clamp(&self, impulse: Lanes) -> Lanes {
            impulse
        }
    };
}

impl SolverRow for NormalRow {
    type Number = Lanes;
    type Shared = (Vectors, InverseMasses);

    #[inline(always)]
    fn speed(&self, (n, _): Self::Shared, a: &Velocities, b: &Velocities) -> Lanes {
        speed_along(n, (self.ang_a, self.ang_b), a, b)
    }

    #[inline(always)]
    fn apply(&self, (n, inv_m): Self::Shared, to: &mut Pair<Lanes>, lambda: Lanes) {
        apply_along(n, inv_m, (self.inv_ia, self.inv_ib), to, lambda);
    }

    #[inline(always)]
    fn bias(&self) -> Lanes {
        self.bias
    }

    #[inline(always)]
    fn gamma(&self) -> Lanes {
        self.gamma
    }

    #[inline(always)]
    fn clamp(&self, impulse: Lanes) -> Lanes {
        impulse.larger(Lanes::ZERO)
    }

    fields!();
}

impl CorrectedRow for NormalRow {
    #[inline(always)]
    fn pseudo_bias(&self) -> Lanes {
        self.pseudo_bias
    }

    #[inline(always)]
    fn pseudo_impulse(&self) -> Lanes {
        self.pseudo_impulse
    }

    #[inline(always)]
    fn set_pseudo_impulse(&mut self, impulse: Lanes) {
        self.pseudo_impulse = impulse;
    }
}

impl SolverRow for TangentRow {
    type Number = Lanes;
    type Shared = InverseMasses;

    #[inline(always)]
    fn speed(&self, _: InverseMasses, a: &Velocities, b: &Velocities) -> Lanes {
        speed_along(self.lin, (self.ang_a, self.ang_b), a, b)
    }

    #[inline(always)]
    fn apply(&self, inv_m: InverseMasses, to: &mut Pair<Lanes>, lambda: Lanes) {
        apply_along(self.lin, inv_m, (self.inv_ia, self.inv_ib), to, lambda);
    }

    #[inline(always)]
    fn bias(&self) -> Lanes {
        self.bias
    }

    fields!();
    friction!();
}

impl SolverRow for AngularRow {
    type Number = Lanes;
    type Shared = ();

    #[inline(always)]
    fn speed(&self, (): (), a: &Velocities, b: &Velocities) -> Lanes {
        (self.axis * b.angular - self.axis * a.angular).sum()
    }

    #[inline(always)]
    fn apply(&self, (): (), to: &mut Pair<Lanes>, lambda: Lanes) {
        let zero = lambda & Lanes::splat(-0.0);
        let zero = Vectors { x: zero, y: zero, z: zero };
        to.a.linear -= zero;
        to.a.angular += self.inv_ia * lambda;
        to.b.linear += zero;
        to.b.angular += self.inv_ib * lambda;
    }

    #[inline(always)]
    fn bias(&self) -> Lanes {
        Lanes::ZERO
    }

    fields!();
    friction!();
}
