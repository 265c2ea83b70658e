//! The arithmetic of the solvers, each formula once, for one number or for several lanes.
//!
//! ```text
//! real        what a number can do: f32, f32x4, f32x8, f64, f64x4
//! vector      three numbers: `Vec3A` for one lane, [`Vectors`](vector::Vectors) for several
//! rotation    quaternions, and the rotation by an angular velocity over a step
//! row         the solve of a row and of an anchor, and their split correction
//! bound       the solve of rows whose bounds depend on other rows: span, disc, friction patch
//! limit_surface   how much a friction patch resists when it slides and rotates at once
//! mean        the row in the mean of a contact's points
//! ```
//! One lane is the reference. Each lane of several has the same bits, since every operation acts on each lane by itself,
//! the order of operations is that of the one formula, and none is contracted to a fused multiply-add.
//!
//! The kernel imports nothing from the rest of the crate.

pub mod bound;
pub mod limit_surface;
pub mod mean;
pub mod real;
pub mod rotation;
pub mod row;
pub mod vector;
