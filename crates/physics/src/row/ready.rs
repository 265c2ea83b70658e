//! Rows as the solver uses them, with effective mass, bias, bounds and impulse, and the blocks that it solves
//! together.

use glam::Vec3A;

use super::Owner;
use crate::kernel::bodies::Velocities;
use crate::kernel::complete::complete_row;

/// A row ready for the solver: only what the inner loop needs, in 16-byte aligned vectors.
#[derive(Debug, Clone, Copy, Default)]
pub struct Row {
    /// The jacobian, as in [`Jacobian`](super::Jacobian).
    pub lin: Vec3A,
    pub ang_a: Vec3A,
    pub ang_b: Vec3A,
    pub net: Vec3A,
    /// I_A⁻¹ ang_a and I_B⁻¹ ang_b.
    pub inv_ia: Vec3A,
    pub inv_ib: Vec3A,
    /// 1/mA and 1/mB.
    pub inv_ma: f32,
    pub inv_mb: f32,
    /// 1/(K + γ); zero switches the row off.
    pub inv_k: f32,
    /// Velocity offset b, m/s or rad/s.
    pub bias: f32,
    /// Softness γ, 1/kg or 1/(kg·m²).
    pub gamma: f32,
    /// Bounds of the accumulated impulse, N·s or N·m·s.
    pub lo: f32,
    pub hi: f32,
    /// The accumulated impulse λ, N·s or N·m·s.
    pub impulse: f32,
    /// Velocity offset of the split position correction, m/s or rad/s, and its accumulated impulse.
    pub pseudo_bias: f32,
    pub pseudo_impulse: f32,
    /// Whether it is a drive that takes part in the split position correction: see `motor_target/`.
    pub in_drive_block: bool,
}

complete_row!(Row, f32, net);

impl Row {
    /// Whether it has no force: only moments on the two bodies.
    #[inline(always)]
    pub fn is_angular(&self) -> bool {
        self.lin == Vec3A::ZERO && self.net == Vec3A::ZERO
    }

    /// The coefficient of A's velocity, see [`Jacobian`](super::Jacobian).
    #[inline(always)]
    pub fn lin_a(&self) -> Vec3A {
        self.net - self.lin
    }

    /// J M⁻¹ Jᵀ of two rows between the same two bodies: the speed along this row by a unit impulse along the other. A's
    /// part is multiplied by `na`, B's by `nb`.
    #[inline(always)]
    pub fn mobility_with(&self, other: &Self, na: f32, nb: f32) -> f32 {
        let on_a = self.inv_ma * self.lin_a().dot(other.lin_a()) + self.ang_a.dot(other.inv_ia);
        let on_b = self.inv_mb * self.lin.dot(other.lin) + self.ang_b.dot(other.inv_ib);
        na * on_a + nb * on_b
    }

    /// Adds to A's velocity what an impulse λ along the row changes it by: M⁻¹ Jᵀ λ.
    #[inline(always)]
    pub fn add_to_a(&self, a: &mut Velocities<f32>, lambda: f32) {
        a.linear += self.lin_a() * (self.inv_ma * lambda);
        a.angular += self.inv_ia * lambda;
    }

    /// The same for B.
    #[inline(always)]
    pub fn add_to_b(&self, b: &mut Velocities<f32>, lambda: f32) {
        b.linear += self.lin * (self.inv_mb * lambda);
        b.angular += self.inv_ib * lambda;
    }

    /// Whether it needs a split position correction. A gap that may close needs none.
    pub fn is_split(&self) -> bool {
        let closes = self.lo == 0.0 && self.pseudo_bias > 0.0 || self.hi == 0.0 && self.pseudo_bias < 0.0;
        self.pseudo_bias != 0.0 && !closes
    }
}

/// How the rows of a block are solved together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coupling {
    /// Each row alone, with fixed bounds.
    Rows,
    /// Each row alone; the bounds apply to each sweep's increment, not to the sum: see `formulation::LimitForm`.
    Increments,
    /// A joint's rows by as many inner sweeps as there are rows: see `solvers/inner.rs`. `shares` is the index of the
    /// factors on the bodies' inverse masses. `after`: bounds are applied after the inner sweeps, as 004 prints it.
    Inner { shares: u32, after: bool },
    /// Three unbounded rows solved as one 3×3 system; `inverse` is the index of its inverse.
    Anchor { inverse: u32 },
    /// The same with soft rows: the inverse of K + γ.
    SoftAnchor { inverse: u32 },
    /// The same with γ = s K, which is alike in all directions: the inverse of (1 + s) K, and s/(1 + s).
    EvenAnchor { inverse: u32, share: f32 },
    /// Solved with its joint, tree or mechanism: see `solvers/tree` and `solvers/mechanism`.
    Tree,
    /// A contact: `normals` rows with their own bounds, then the rows of its
    /// [`FrictionBound`](crate::bounds::FrictionBound)s, in the order of that list. `mean`: before the points,
    /// one row in their mean, see `kernel/mean.rs`. `coupled`: after friction, one step along the whole impulse, see
    /// `solvers/coupled.rs`.
    Contact { normals: u8, mean: bool, coupled: bool, bounds: BoundRange },
    /// A contact in a printed form: see `solvers/printed.rs`.
    Printed { normals: u8, bounds: BoundRange, form: Printed },
}

/// A range of a list of bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BoundRange {
    pub first: u32,
    pub count: u8,
}

impl BoundRange {
    /// The indices of the range.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

impl Coupling {
    /// For a contact: the number of its normals, and the bounds of its other rows.
    pub fn contact(&self) -> Option<(u8, BoundRange)> {
        match *self {
            Self::Contact { normals, bounds, .. } | Self::Printed { normals, bounds, .. } => Some((normals, bounds)),
            _ => None,
        }
    }
}

/// How a printed form solves a contact's rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Printed {
    /// Clamps each sweep's normal impulse instead of the sum.
    pub increments: bool,
    /// Number of rows after the normals that are solved before them.
    pub before: u8,
    /// Solves each point's normal and tangents by inner sweeps, and applies the bounds afterwards.
    pub points: bool,
}

/// Contiguous rows between the same two bodies that a solver treats together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    pub owner: Owner,
    pub a: u32,
    pub b: u32,
    /// Index of its first row.
    pub first: u32,
    pub count: u32,
    pub coupling: Coupling,
    /// Whether one of its rows needs a split position correction.
    pub pseudo: bool,
    /// Whether a [`DriveBlock`](crate::solvers::drive_block::DriveBlock) makes its split position correction.
    pub in_drive_block: bool,
}

impl Block {
    /// The indices of its rows.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}
