//! The rows that may bounce.

/// A normal row of a pair with restitution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounce {
    /// Index of the row.
    pub row: u32,
    /// The pair's coefficient of restitution.
    pub e: f32,
    /// J u before forces and warm starting, m/s.
    pub approach: f32,
    /// Whether it was hit in this step.
    pub struck: bool,
    /// The change of J u by forces and old impulses, m/s.
    pub(crate) added: f32,
    /// The impulse of the impacts that were solved pair by pair, N·s.
    pub(crate) pairwise_impulse: f32,
}

impl Bounce {
    pub fn new(row: usize, e: f32, approach: f32) -> Self {
        Self { row: row as u32, e, approach, struck: false, added: 0.0, pairwise_impulse: 0.0 }
    }
}
