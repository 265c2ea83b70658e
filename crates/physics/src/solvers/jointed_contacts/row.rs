//! A row of a contact that acts through joints, as the kernel's formulas see it.

use crate::kernel::bodies::Pair;
use crate::kernel::row::SolverRow;
use crate::row::Row;
use crate::velocity::Velocity;

/// A row with what its impulse does through the joints.
#[derive(Debug, Clone, Copy)]
pub struct JointedRow {
    pub row: Row,
    /// Δu of the contact's two bodies by a unit impulse, and 1/(K + γ).
    pub by: Pair<f32>,
    pub inv_k: f32,
}

impl SolverRow for JointedRow {
    type Number = f32;
    type Shared = ();

    #[inline(always)]
    fn speed(&self, (): (), a: &Velocity, b: &Velocity) -> f32 {
        self.row.speed((), a, b)
    }

    #[inline(always)]
    fn apply(&self, (): (), to: &mut Pair<f32>, lambda: f32) {
        for (to, by) in [(&mut to.a, self.by.a), (&mut to.b, self.by.b)] {
            to.linear += by.linear * lambda;
            to.angular += by.angular * lambda;
        }
    }

    #[inline(always)]
    fn inv_k(&self) -> f32 {
        self.inv_k
    }

    #[inline(always)]
    fn bias(&self) -> f32 {
        self.row.bias
    }

    #[inline(always)]
    fn gamma(&self) -> f32 {
        self.row.gamma
    }

    #[inline(always)]
    fn impulse(&self) -> f32 {
        self.row.impulse
    }

    #[inline(always)]
    fn set_impulse(&mut self, impulse: f32) {
        self.row.impulse = impulse;
    }

    #[inline(always)]
    fn clamp(&self, impulse: f32) -> f32 {
        self.row.clamp(impulse)
    }

    #[inline(always)]
    fn bound(&mut self, limit: f32) {
        self.row.bound(limit);
    }
}
