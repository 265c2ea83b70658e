//! Scaling of each shape along its own axes: boxes and hulls scale freely, round shapes stay round. Compounds scale
//! evenly, because their parts may be turned against their axes.

use glam::Vec3;

use delassus_physics::shape::{Shape, ShapePart};

/// The scale factors along a shape's own axes when it is scaled along the axis of this index, or uniformly.
pub fn growth(shape: &Shape, axis: Option<usize>, factor: f32) -> Vec3 {
    let Some(axis) = axis else { return Vec3::splat(factor) };
    match shape {
        Shape::Box { .. } | Shape::Hull { .. } => {
            let mut growth = Vec3::ONE;
            growth[axis] = factor;
            growth
        }
        Shape::Capsule { .. } | Shape::Cylinder { .. } if axis == 2 => Vec3::new(1.0, 1.0, factor),
        Shape::Capsule { .. } | Shape::Cylinder { .. } => Vec3::new(factor, factor, 1.0),
        Shape::Sphere { .. } | Shape::Compound { .. } => Vec3::splat(factor),
    }
}

/// A shape scaled by these factors about its origin.
pub fn scaled(shape: &Shape, growth: Vec3) -> Shape {
    match shape {
        Shape::Box { half } => Shape::Box { half: *half * growth },
        Shape::Sphere { radius } => Shape::Sphere { radius: radius * growth.x },
        Shape::Capsule { radius, half_length } => {
            Shape::Capsule { radius: radius * growth.x, half_length: half_length * growth.z }
        }
        Shape::Cylinder { radius, half_length } => {
            Shape::Cylinder { radius: radius * growth.x, half_length: half_length * growth.z }
        }
        Shape::Hull { points } => Shape::Hull { points: points.iter().map(|p| *p * growth).collect() },
        Shape::Compound { parts } => {
            let part =
                |part: &ShapePart| ShapePart { shape: scaled(&part.shape, growth), at: part.at * growth, ..*part };
            Shape::Compound { parts: parts.iter().map(part).collect() }
        }
    }
}

/// The status line's note about a shape whose axes cannot be scaled separately.
pub fn note(shape: &Shape) -> &'static str {
    match shape {
        Shape::Box { .. } | Shape::Hull { .. } => "",
        Shape::Sphere { .. } => " · a sphere scales evenly",
        Shape::Compound { .. } => " · a compound scales evenly",
        Shape::Capsule { .. } | Shape::Cylinder { .. } => " · Z: length, X or Y: radius",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_round_stays_round() {
        let along = |shape: &Shape, axis| scaled(shape, growth(shape, Some(axis), 2.0));
        let half = Vec3::new(1.0, 2.0, 3.0);
        assert_eq!(along(&Shape::Box { half }, 1), Shape::Box { half: Vec3::new(1.0, 4.0, 3.0) });
        let drum = Shape::Cylinder { radius: 1.0, half_length: 3.0 };
        assert_eq!(along(&drum, 0), Shape::Cylinder { radius: 2.0, half_length: 3.0 });
        assert_eq!(along(&drum, 2), Shape::Cylinder { radius: 1.0, half_length: 6.0 });
        assert_eq!(along(&Shape::Sphere { radius: 1.0 }, 2), Shape::Sphere { radius: 2.0 });
        let parts = |size: f32| [ShapePart::new(Shape::Sphere { radius: size }, Vec3::X * size)].into();
        assert_eq!(along(&Shape::Compound { parts: parts(1.0) }, 2), Shape::Compound { parts: parts(2.0) });
        let hull = Shape::Hull { points: vec![Vec3::ONE] };
        assert_eq!(along(&hull, 2), Shape::Hull { points: vec![Vec3::new(1.0, 1.0, 2.0)] });
    }
}
