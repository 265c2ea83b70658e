//! Bodies confined to a plane, as in the two-dimensional world of 002: they move in it and rotate about its normal n.
//!
//! ```text
//! C = n·x − d = 0,  J = [0, 0, n, 0] against the world,  K = 1/m        one row a body, warm-started
//! I⁻¹ = n nᵀ / (nᵀ I n)                                                 impulses rotate it about n only
//! ```
//! An impulse that points out of the plane meets this row like any other, so a body that is not confined gets its
//! whole impulse and the plane bears the component along n. Rotation needs no row: the inverse inertia has the one
//! axis only, and does not change with the rotation, which keeps the moment about n. After the step position and
//! velocity are projected back into the plane, so that rounding and unfinished sweeps do not add up. Source: 002; the
//! plane row of 000.

pub(crate) mod rows;

use glam::Vec3;

/// A body confined to a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confined {
    pub body: u32,
    /// Unit normal n, world frame.
    pub normal: Vec3,
    /// Distance d of the plane from the world's origin along n, m.
    pub offset: f32,
    /// λ of the last step, N·s.
    pub impulse: f32,
}
