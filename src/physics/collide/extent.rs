//! When a patch's area and lever arm are to be measured anew: once a point has moved in A's frame by a share of the arm,
//! or other points touch than before. For a resting pair both cost about as much as all else about its contacts.

use glam::Vec3;

use super::manifold::{POINTS, Point, touches};

/// By which share of the arm a point may move before that is measured again.
const MARGIN: f32 = 1e-3;

/// The points for which area and arm were measured.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extent {
    /// A's frame, m.
    points: [Vec3; POINTS],
    count: usize,
    /// Which of them touched, by bits.
    touching: u8,
    /// How far each may move, squared, m².
    margin: f32,
}

impl Extent {
    /// That of points whose lever is `arm`, m.
    pub fn of(points: &[Point], slop: f32, arm: f32) -> Self {
        let mut known = [Vec3::ZERO; POINTS];
        known.iter_mut().zip(points).for_each(|(known, point)| *known = point.local);
        let margin = (MARGIN * arm) * (MARGIN * arm);
        Self { points: known, count: points.len(), touching: touching(points, slop), margin }
    }

    /// Whether area and arm are still those of these points.
    pub fn holds(&self, points: &[Point], slop: f32) -> bool {
        let near = |(known, point): (&Vec3, &Point)| known.distance_squared(point.local) <= self.margin;
        self.count == points.len()
            && self.points.iter().zip(points).all(near)
            && self.touching == touching(points, slop)
    }
}

/// The points that touch, or nearly so, by bits.
fn touching(points: &[Point], slop: f32) -> u8 {
    let touches = touches(points, slop);
    points.iter().enumerate().fold(0, |bits, (i, point)| bits | u8::from(touches(point)) << i)
}
