//! Bodies for the unit tests of the physics.

use std::sync::Arc;

use glam::Vec3;

use super::body::{BodyDef, Motion};
use super::shape::Shape;

/// A dynamic body of this shape at rest, 1 kg, μ = 0.5, centre of mass at `position`, m.
pub fn body(shape: Shape, position: Vec3) -> BodyDef {
    BodyDef::new(Arc::new(shape.solid().expect("a solid shape")), position)
}

/// A static floor, 2 m thick, with its top at z = 0.
pub fn floor() -> BodyDef {
    let shape = Shape::Box { half: Vec3::new(20.0, 20.0, 1.0) };
    BodyDef { motion: Motion::Static, ..body(shape, Vec3::NEG_Z) }
}
