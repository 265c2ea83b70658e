//! What can be spawned.

use std::sync::{Arc, OnceLock};

use glam::Vec3;
use lucide_icons::Icon;

use crate::physics::shape::{Shape, Solid};

/// An entry of the palette.
pub struct Item {
    pub name: &'static str,
    pub icon: Icon,
    shape: fn() -> Shape,
}

/// All shapes, sized to stand beside each other.
pub const SHAPES: [Item; 7] = [
    Item { name: "Box", icon: Icon::Box, shape: || Shape::Box { half: Vec3::splat(0.5) } },
    Item { name: "Plank", icon: Icon::RectangleHorizontal, shape: || Shape::Box { half: Vec3::new(1.0, 0.25, 0.125) } },
    Item { name: "Sphere", icon: Icon::Circle, shape: || Shape::Sphere { radius: 0.5 } },
    Item { name: "Capsule", icon: Icon::Pill, shape: || Shape::Capsule { radius: 0.25, half_length: 0.5 } },
    Item { name: "Cylinder", icon: Icon::Cylinder, shape: || Shape::Cylinder { radius: 0.5, half_length: 0.25 } },
    Item { name: "Wedge", icon: Icon::TriangleRight, shape: wedge },
    Item { name: "Tetrahedron", icon: Icon::Pyramid, shape: tetrahedron },
];

fn wedge() -> Shape {
    let corners = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (1, -1, 1), (1, 1, 1)];
    let point = |(x, y, z): (i32, i32, i32)| Vec3::new(x as f32 * 0.75, y as f32 * 0.5, z as f32 * 0.75);
    Shape::Hull { points: corners.map(point).to_vec() }
}

/// Edge 1 m, its base on the plane z = 0.
fn tetrahedron() -> Shape {
    let base = 1.0 / 3f32.sqrt();
    let corner = |k: f32| {
        let (sin, cos) = (k * std::f32::consts::TAU / 3.0).sin_cos();
        Vec3::new(base * cos, base * sin, 0.0)
    };
    Shape::Hull { points: vec![corner(0.0), corner(1.0), corner(2.0), Vec3::new(0.0, 0.0, (2f32 / 3.0).sqrt())] }
}

/// The solid of an entry; the same one each time, so that its mesh is made once.
pub fn solid(index: usize) -> Option<Arc<Solid>> {
    static SOLIDS: OnceLock<Vec<Option<Arc<Solid>>>> = OnceLock::new();
    let solids = SOLIDS.get_or_init(|| SHAPES.iter().map(|item| (item.shape)().solid().map(Arc::new)).collect());
    solids.get(index).cloned().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_a_solid_of_a_size_to_handle() {
        for (i, item) in SHAPES.iter().enumerate() {
            let solid = solid(i).unwrap_or_else(|| panic!("{} is no solid", item.name));
            assert!((0.05..=2.0).contains(&solid.volume), "{}: {} m³", item.name, solid.volume);
        }
    }
}
