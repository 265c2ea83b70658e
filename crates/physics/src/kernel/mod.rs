//! The arithmetic of the solvers, each formula once, for one number or for several lanes.
//!
//! ```text
//! real            the operations of a number: f32, f32x4, f32x8, f64, f64x4
//! vector          three numbers: `Vec3A` for one lane, [`Vectors`](vector::Vectors) for several
//! rotation        quaternions, and the rotation by an angular velocity over a step
//! bodies          the velocities of a block's two bodies
//! row             the solve of a row and of an anchor
//! complete        rows that store their whole jacobian and M⁻¹ Jᵀ
//! split           the split position correction of a row and of an anchor
//! mean            a contact's row at the mean of its points
//! bound           rows whose bounds depend on other rows: span, disc, friction patch
//! cone            a contact point's normal and tangents, solved exactly on Coulomb's cone
//! limit_surface   how much a friction patch resists when it slides and rotates at once
//! contact         bias and softness of a normal, from its gap
//! patch           where a contact's rows act: lever arms, tangents, centre, common step
//! coupling        how strongly slipping friction moves a contact along its normal
//! lanes           eight lanes of the above
//! joint           errors of anchors, axes and orientations
//! matrix          3 × 3 matrices, symmetric ones and their factors
//! ```
//! One lane is the reference. Each lane of several has the same bits: every operation acts on each lane by itself, the
//! order of operations is that of the one formula, and none is contracted to a fused multiply-add.
//!
//! The kernel imports nothing from the rest of the crate. Who solves which rows in which order is in `solvers/`. What a
//! step's curvature adds to the error of an anchor or a length is in `arcs.rs`.

pub mod bodies;
pub mod bound;
pub(crate) mod complete;
pub mod cone;
pub mod contact;
pub mod coupling;
pub(crate) mod joint;
pub(crate) mod lanes;
pub mod limit_surface;
pub(crate) mod matrix;
pub mod mean;
pub mod patch;
pub mod real;
pub mod rotation;
pub mod row;
pub mod split;
pub mod vector;
