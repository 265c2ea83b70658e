//! The palette's convex hulls. Their origins are at the centre of their base.

use glam::Vec3;

use delassus_physics::shape::Shape;

/// A ramp 1.5 m long, 1 m wide and 0.75 m high.
pub fn wedge() -> Shape {
    let corners = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (1, -1, 1), (1, 1, 1)];
    let point = |(x, y, z): (i32, i32, i32)| Vec3::new(x as f32 * 0.75, y as f32 * 0.5, z as f32 * 0.75);
    Shape::Hull { points: corners.map(point).to_vec() }
}

/// A tetrahedron with edges of 1 m.
pub fn tetrahedron() -> Shape {
    let mut points = ring(3, 1.0 / 3f32.sqrt(), 0.0, 0.0);
    points.push(Vec3::new(0.0, 0.0, (2f32 / 3.0).sqrt()));
    Shape::Hull { points }
}

/// A hexagonal prism, 0.4 m from its axis to its edges, 0.8 m high.
pub fn prism() -> Shape {
    let points = [0.0, 0.8].into_iter().flat_map(|z| ring(6, 0.4, z, 0.0)).collect();
    Shape::Hull { points }
}

/// An irregular rock, about 0.9 m across, with a flat base.
pub fn rock() -> Shape {
    // Number of corners, radius, height and rotation of each ring; every second corner is moved inwards.
    let rings = [(5, 0.32, 0.0, 0.2), (7, 0.46, 0.26, 0.9), (6, 0.38, 0.5, 0.1), (4, 0.16, 0.66, 0.5)];
    let points = rings.into_iter().flat_map(|(count, radius, z, turn)| {
        ring(count, radius, z, turn).into_iter().enumerate().map(move |(i, p)| {
            let drawn_in = if i % 2 == 0 { 1.0 } else { 0.86 };
            Vec3::new(p.x * drawn_in * 1.15, p.y * drawn_in, p.z)
        })
    });
    Shape::Hull { points: points.collect() }
}

/// Corners at equal angles about the z axis.
fn ring(count: u32, radius: f32, z: f32, turn: f32) -> Vec<Vec3> {
    let corner = |k: u32| {
        let (sin, cos) = (turn + k as f32 * std::f32::consts::TAU / count as f32).sin_cos();
        Vec3::new(radius * cos, radius * sin, z)
    };
    (0..count).map(corner).collect()
}
