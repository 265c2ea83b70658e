//! The points of a body that anchors snap to: its centre, the middles of its faces and edges, its corners.

use glam::{Vec2, Vec3};

use crate::physics::shape::{Shape, Solid};
use crate::session::{BodyView, Hit};
use crate::ui::state::UiState;
use crate::ui::viewport::viewport;

/// How near the pointer has to be to a point to take it, points of the screen.
const REACH: f32 = 12.0;
/// More points than this on a hull help nobody.
const MOST: usize = 64;

/// The points of a solid in its shape's frame, m.
pub fn points(solid: &Solid) -> Vec<Vec3> {
    let mut points = vec![Vec3::ZERO];
    match &solid.shape {
        Shape::Box { half } => {
            // All of −1, 0, 1 but the centre itself: faces, edges, corners.
            for i in 0..27 {
                let step = |n: i32| (n % 3 - 1) as f32;
                let at = Vec3::new(step(i), step(i / 3), step(i / 9));
                if at != Vec3::ZERO {
                    points.push(at * *half);
                }
            }
        }
        Shape::Sphere { radius } => {
            points.extend([Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|d| [d * *radius, -d * *radius]));
        }
        Shape::Capsule { radius, half_length } => {
            let end = |z: f32| Vec3::new(0.0, 0.0, z);
            points.extend([*half_length, -*half_length, half_length + radius, -half_length - radius].map(end));
        }
        Shape::Cylinder { radius, half_length } => {
            for z in [-half_length, 0.0, *half_length] {
                points.push(Vec3::new(0.0, 0.0, z));
                points.extend([Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y].map(|d| d * *radius + Vec3::Z * z));
            }
        }
        Shape::Hull { points: corners } => {
            points.push(solid.centre);
            points.extend(corners.iter().take(MOST));
        }
    }
    points
}

/// The points of a body in the world, m.
pub fn of(body: &BodyView) -> impl Iterator<Item = Vec3> {
    let pose = body.pose;
    points(&body.solid).into_iter().map(move |p| pose.position + pose.rotation * p)
}

/// The point that the pointer takes on a body: the nearest to snap to, else where the ray meets it.
pub fn taken(at: Vec2, hit: &Hit, body: &BodyView, snap: bool, state: &UiState) -> Vec3 {
    let size = viewport(state);
    let distance = |p: &Vec3| state.camera.project(*p, size).map(|q| q.distance(at));
    let nearest = of(body).filter_map(|p| Some((p, distance(&p)?))).min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.filter(|(_, d)| snap && *d < REACH).map_or(hit.point, |(p, _)| p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_its_centre_six_faces_twelve_edges_and_eight_corners() {
        let half = Vec3::new(1.0, 2.0, 3.0);
        let solid = Shape::Box { half }.solid().expect("a box");
        let points = points(&solid);
        let count = |n: usize| {
            points.iter().filter(|p| (**p / half).to_array().iter().filter(|v| **v != 0.0).count() == n).count()
        };
        assert_eq!([count(0), count(1), count(2), count(3)], [1, 6, 12, 8]);
    }
}
