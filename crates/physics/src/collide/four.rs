//! Four SIMD lanes: a point of a contact, or a corner or an edge of a face, in each.

use glam::{Vec3A, Vec4};
pub use wide::f32x4 as Lanes;

use crate::kernel::vector;

/// Number of lanes.
pub const LANES: usize = 4;

/// Four vectors, stored by component.
pub type Vectors = vector::Vectors<Lanes>;

impl Vectors {
    /// The four vectors.
    #[inline(always)]
    pub fn scatter(self) -> [Vec3A; LANES] {
        let rows = Lanes::transpose([self.x, self.y, self.z, Lanes::ZERO]);
        rows.map(|row| Vec3A::from_vec4(Vec4::from_array(row.to_array())))
    }
}
