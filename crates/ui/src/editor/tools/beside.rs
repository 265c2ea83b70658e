//! Where copies go: beside the originals along x, clear of them and of earlier copies.

use glam::Vec3;

use crate::editor::snap::clearance;
use delassus_scene::{Body, Joint, JointPlaces, WORLD};
use delassus_session::{Pose, Snapshot};

/// The gap between the originals and their copies, as a share of their width.
const GAP: f32 = 0.1;
/// Shifts are rounded up to these, m.
const STEPS_A_METRE: f32 = 1000.0;
/// The shift of bodies without a size, m.
const LEAST: f32 = 0.5;
/// So many places are tried.
const PLACES: u32 = 100;

/// Puts copies beside their originals, with what their joints have in the world.
pub fn put(bodies: &mut [Body], joints: &mut [Joint], snapshot: &Snapshot) {
    let shift = shift(bodies, snapshot);
    let moved = |point: Vec3| point + shift;
    bodies.iter_mut().for_each(|body| body.at += shift);
    for joint in joints {
        joint.kind.move_points(moved);
        let in_world = [joint.a == WORLD, joint.b == WORLD];
        let JointPlaces { common, a, b } = joint.places_mut();
        common.map(moved, |direction| direction);
        for (end, _) in [a, b].into_iter().zip(in_world).filter(|(_, in_world)| *in_world) {
            end.map(moved, |direction| direction);
        }
    }
}

/// How far copies of these bodies are shifted.
fn shift(bodies: &[Body], snapshot: &Snapshot) -> Vec3 {
    let ends = bodies.iter().filter_map(along_x).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let width = ends.map_or(LEAST, |(least, greatest)| (1.0 + GAP) * (greatest - least));
    let step = (width * STEPS_A_METRE).ceil() / STEPS_A_METRE;
    let taken = |at: Vec3| snapshot.bodies.iter().any(|body| body.pose.position.distance(at) < 0.5 * step);
    let free = |shift: &Vec3| bodies.first().is_none_or(|body| !taken(body.at + *shift));
    let mut shifts = (1..=PLACES).map(|n| Vec3::X * (step * n as f32));
    shifts.find(free).unwrap_or(Vec3::X * step)
}

/// From where to where a body reaches along x, m.
fn along_x(body: &Body) -> Option<(f32, f32)> {
    let pose = Pose { position: body.at, rotation: body.rotation.quat().unwrap_or_default() };
    let solid = body.shape.solid()?;
    let bounds = solid.geometry.compute_aabb(&clearance::placed(&solid, &pose));
    Some((bounds.mins.x, bounds.maxs.x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_physics::shape::Shape;

    #[test]
    fn copies_clear_the_whole_selection() {
        let beam = Body::new("beam", Shape::Box { half: Vec3::new(2.0, 0.1, 0.1) }, Vec3::new(1.0, 0.0, 0.0));
        let ball = Body::new("ball", Shape::Sphere { radius: 0.5 }, Vec3::new(4.5, 0.0, 0.0));
        // From −1 to 5: 6 m and a tenth of it.
        assert!((shift(&[beam, ball], &Snapshot::default()) - Vec3::X * 6.6).length() < 2e-3);
    }
}
