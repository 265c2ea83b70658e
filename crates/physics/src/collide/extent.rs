//! When a patch's area and lever arm must be measured again: once a point has moved relative to the first one by a
//! share of the arm, or the set of touching points has changed. Nothing else changes them as long as the normal turns
//! with the points. For a resting pair measuring them costs about as much as all else about its contacts.

use glam::Vec3;

use super::manifold::{POINTS, Point, touches};

/// The distance that a point may move, as a share of the arm.
const MARGIN: f32 = 1e-3;

/// The points for which area and arm were last measured.
#[derive(Debug, Clone, Copy, Default)]
pub struct PatchExtent {
    /// Offsets from the first point, world frame, m.
    points: [Vec3; POINTS],
    count: usize,
    /// Bit i is set if point i touched.
    touching: u8,
    /// The square of the distance that a point may move, m².
    max_distance_squared: f32,
}

impl PatchExtent {
    /// The extent of `points`, whose lever arm is `arm`, m.
    pub fn of(points: &[Point], slop: f32, arm: f32) -> Self {
        let mut known = [Vec3::ZERO; POINTS];
        known.iter_mut().zip(offsets(points)).for_each(|(known, offset)| *known = offset);
        let max_distance_squared = (MARGIN * arm) * (MARGIN * arm);
        Self { points: known, count: points.len(), touching: touching(points, slop), max_distance_squared }
    }

    /// Whether area and arm are still valid for these points.
    pub fn holds(&self, points: &[Point], slop: f32) -> bool {
        let near = |(known, offset): (&Vec3, Vec3)| known.distance_squared(offset) <= self.max_distance_squared;
        self.count == points.len()
            && self.points.iter().zip(offsets(points)).all(near)
            && self.touching == touching(points, slop)
    }
}

/// Offsets of the points from the first one, world frame, m.
fn offsets(points: &[Point]) -> impl Iterator<Item = Vec3> {
    points.iter().map(|point| point.position - points[0].position)
}

/// Bit i is set if point i touches within `slop`, m.
fn touching(points: &[Point], slop: f32) -> u8 {
    let touches = touches(points, slop);
    points.iter().enumerate().fold(0, |bits, (i, point)| bits | u8::from(touches(point)) << i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::Pair;
    use crate::collide::collider::Collider;

    /// The corners of a square: 1 m sides in A's frame, `side` m in the world.
    fn square(offset: Vec3, side: f32) -> [Point; POINTS] {
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| {
            let local = Vec3::new(x, y, 0.0);
            Point { local, position: offset + side * local, ..Point::default() }
        })
    }

    /// When B drifts, the point's place on A stays; its world position is halfway between both anchors and moves.
    #[test]
    fn points_that_drift_apart_are_measured_anew() {
        let extent = PatchExtent::of(&square(Vec3::ZERO, 1.0), 0.01, 0.5);
        let slid = square(Vec3::new(3.0, 0.0, 0.0), 1.0);
        assert!(extent.holds(&slid, 0.01), "a patch that slides keeps its shape");
        // Moves by 1 mm; the margin is 0.5 mm.
        let spread = square(Vec3::ZERO, 1.001);
        assert!(!extent.holds(&spread, 0.01), "a patch that has grown has another arm");
    }

    #[test]
    fn a_pair_that_is_used_again_forgets_the_lever_of_its_former_bodies() {
        let mut pair = Pair::default();
        let points = square(Vec3::ZERO, 1.0);
        pair.near.manifold.extent = PatchExtent::of(&points, 0.01, 0.5);
        pair.reset([3, 4].map(|body| Collider { body, piece: 0 }));
        assert!(!pair.near.manifold.extent.holds(&points, 0.01));
    }
}
