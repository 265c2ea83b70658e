//! The scalar constraint rows that joints are composed of, one file per family.

pub mod contact;
pub mod distance;
pub mod expression;
pub mod friction;
pub mod hinge_axis;
pub mod limit;
pub mod orientation;
pub mod phase;
pub mod plane;
pub mod profile;
pub mod quaternion;
pub mod rotation_vector;
pub mod surface;
pub mod swing_twist;
pub mod tangent;
pub mod written;
