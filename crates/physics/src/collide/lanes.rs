//! Four SIMD lanes for the points of one pair: the most that a manifold has.

use glam::{Vec3, Vec4, Vec4Swizzles};
pub use wide::f32x4 as Lanes;

use crate::kernel::vector;

/// Number of points.
pub const LANES: usize = 4;

/// Four vectors, stored by component.
pub type Vectors = vector::Vectors<Lanes>;

impl Vectors {
    /// The four vectors.
    #[inline(always)]
    pub fn points(self) -> [Vec3; LANES] {
        let rows = Lanes::transpose([self.x, self.y, self.z, Lanes::ZERO]);
        rows.map(|row| Vec4::from_array(row.to_array()).xyz())
    }
}
