//! The rows of soft stabilisation.

/// A row of soft stabilisation; during the relaxing sweeps it keeps the row's values to be restored.
#[derive(Debug, Clone, Copy, Default)]
pub struct Softened {
    /// Index of the row.
    pub row: u32,
    /// The number of sweeps in which it takes part: its joint's own setting, or the world's.
    pub(crate) sweeps: u32,
    pub(crate) gamma: f32,
    pub(crate) inv_k: f32,
    pub(crate) bias: f32,
}
