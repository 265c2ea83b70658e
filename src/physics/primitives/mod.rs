//! The scalar primitives that joints compose, a file a family.

pub mod contact;
pub mod distance;
pub mod friction;
pub mod hinge_axis;
pub mod limit;
pub mod orientation;
pub mod plane;
pub mod quaternion;
pub mod swing_twist;
