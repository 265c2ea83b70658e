//! Rows as the solver has them, with effective mass, bias, bounds and impulse, and the blocks that it treats together.

use glam::Vec3A;

use super::Owner;

/// A row made ready for the solver. Sixteen-byte lanes, all that the loop needs and nothing else.
#[derive(Debug, Clone, Copy, Default)]
pub struct Row {
    pub lin: Vec3A,
    pub ang_a: Vec3A,
    pub ang_b: Vec3A,
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
    /// Softness γ.
    pub gamma: f32,
    /// Bounds of the accumulated impulse.
    pub lo: f32,
    pub hi: f32,
    /// The accumulated impulse λ, N·s or N·m·s.
    pub impulse: f32,
    /// Velocity offset of the split position correction, m/s or rad/s, and the impulse that it has accumulated.
    pub pseudo_bias: f32,
    pub pseudo_impulse: f32,
    /// A drive that takes part in the split position correction: see `drive_course.rs`.
    pub held: bool,
}

/// How the rows of a block hang together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coupling {
    /// Each row by itself, bounds fixed.
    Rows,
    /// Each row by itself, its bounds on each sweep's impulse and not on their sum: see `formulation::LimitForm`.
    Increments,
    /// A joint's rows by sweeps of their own, as many as there are rows: see `solvers/inner.rs`. At this index are the
    /// shares of the bodies' masses. `after`: bounded once all these sweeps are done, as 004 prints it.
    Inner { shares: u32, after: bool },
    /// Three unbounded rows solved as one 3×3 system, whose inverse is at this index.
    Anchor { inverse: u32 },
    /// The same with soft rows, K + γ in the system's place.
    SoftAnchor { inverse: u32 },
    /// Solved with its joint or tree: see `solvers/tree`.
    Tree,
    /// A contact: `normals` rows within their own bounds, then the rows of its [`FrictionBound`](crate::physics::bounds::FrictionBound)s, in the
    /// order of that list.
    Contact { normals: u8, bounds: BoundRange },
    /// The same as a document prints it: see `solvers/printed.rs`.
    Printed { normals: u8, bounds: BoundRange, form: Printed },
}

/// A range of a list of bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BoundRange {
    pub first: u32,
    pub count: u8,
}

impl BoundRange {
    /// The indices.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

impl Coupling {
    /// Of a contact the number of its normals, and what binds its other rows.
    pub fn contact(&self) -> Option<(u8, BoundRange)> {
        match *self {
            Self::Contact { normals, bounds } | Self::Printed { normals, bounds, .. } => Some((normals, bounds)),
            _ => None,
        }
    }
}

/// How a printed form solves a contact's rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Printed {
    /// Each sweep's normal impulse is clamped, not their sum.
    pub increments: bool,
    /// Rows behind the normals that are solved before them.
    pub before: u8,
    /// Each point's normal and tangents are swept among themselves, and bounded behind that.
    pub points: bool,
}

/// The contiguous rows that a solver treats together: all between the same two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    pub owner: Owner,
    pub a: u32,
    pub b: u32,
    /// Index of its first row.
    pub first: u32,
    pub count: u32,
    pub coupling: Coupling,
    /// Whether a row of it asks for a split position correction.
    pub pseudo: bool,
    /// Whether a [`DriveBlock`](crate::physics::solvers::held::DriveBlock) corrects it.
    pub held: bool,
}

impl Block {
    /// The range of its rows.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}
