//! Small worlds for the tests that stand beside what they test.

use std::sync::Arc;

use glam::Vec3;

use super::body::{BodyDef, Motion};
use super::shape::Shape;

/// A body of a shape at a place, at rest, 1 kg, dynamic, μ = 0.5.
pub fn body(shape: Shape, position: Vec3) -> BodyDef {
    BodyDef::new(Arc::new(shape.solid().expect("a solid shape")), position)
}

/// A thick floor with its top at z = 0.
pub fn floor() -> BodyDef {
    let shape = Shape::Box { half: Vec3::new(20.0, 20.0, 1.0) };
    BodyDef { motion: Motion::Static, ..body(shape, Vec3::NEG_Z) }
}
