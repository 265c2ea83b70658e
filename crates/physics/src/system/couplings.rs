//! What the blocks need besides their rows.

use glam::Mat3A;

use crate::bounds::FrictionBound;

/// What the blocks need besides their rows.
#[derive(Debug, Clone, Default)]
pub struct Couplings {
    /// Inverse effective masses of the blocks of three rows.
    pub inverses: Vec<Mat3A>,
    /// For blocks solved by inner sweeps: the factors by which the inverse masses of A and B are multiplied. They are
    /// 1 except where Jacobi splits masses.
    pub shares: Vec<[f32; 2]>,
    /// Friction bounds of the contacts' rows, besides the rows' own bounds.
    pub bounds: Vec<FrictionBound>,
}
