//! Where bodies and their points are drawn: between the last two steps, and how large they are.

use glam::{Quat, Vec2, Vec3};
use parry3d::math::Pose as Isometry;

use crate::view3d::{room, visibility::Visibility};

use delassus_physics::shape::Solid;
use delassus_render::camera::Camera;
use delassus_session::{BodyView, Motion, Pose, Snapshot};

/// Bodies farther from the origin than this are not framed, m.
const MAX_DISTANCE: f32 = 1e4;

/// The pose that is drawn: between the last two steps.
pub fn drawn(body: &BodyView, alpha: f32) -> Pose {
    if alpha >= 1.0 { body.pose } else { body.previous.toward(&body.pose, alpha) }
}

/// Where a point of the world that moves with `body` is drawn. A point of the world itself stays.
pub fn carried(body: Option<&BodyView>, point: Vec3, alpha: f32) -> Vec3 {
    let Some(body) = body.filter(|_| alpha < 1.0) else { return point };
    let now = drawn(body, alpha);
    now.position + now.rotation * (body.pose.rotation.inverse() * (point - body.pose.position))
}

/// A length that says how large a solid is: the smaller ones of a box matter for arrows, m.
pub fn size_of(solid: &Solid) -> f32 {
    solid.volume.cbrt()
}

/// The bounding box of a body as it is drawn, m.
pub fn aabb(body: &BodyView, alpha: f32) -> (Vec3, Vec3) {
    let aabb = body.solid.geometry.compute_aabb(&placed(body, alpha));
    (aabb.mins, aabb.maxs)
}

/// Where a body that is drawn comes nearest to a point outside of it. Nothing if the point is in it, or as near as
/// `least`, m.
pub fn nearest(body: &BodyView, point: Vec3, alpha: f32, least: f32) -> Option<Vec3> {
    let on = body.solid.geometry.project_point(&placed(body, alpha), point, true);
    (!on.is_inside && on.point.distance(point) > least).then_some(on.point)
}

/// Where its geometry is drawn.
fn placed(body: &BodyView, alpha: f32) -> Isometry {
    body_frame(body, alpha) * body.solid.offset
}

/// Where the body's own frame is drawn, whose origin is its centre of mass.
fn body_frame(body: &BodyView, alpha: f32) -> Isometry {
    let pose = drawn(body, alpha);
    let to_world = Isometry::from_parts(pose.position, finite_rotation(pose.rotation));
    to_world * Isometry::from_translation(body.solid.centre)
}

fn finite_rotation(rotation: Quat) -> Quat {
    if rotation.is_finite() { rotation } else { Quat::IDENTITY }
}

/// The box around the given bodies. Without any, around all visible moving bodies, with room to swing, else around all
/// visible ones, else around all.
pub fn bounds(snapshot: &Snapshot, ids: &[u32], visibility: &Visibility) -> Option<(Vec3, Vec3)> {
    let around = |wanted: &dyn Fn(&BodyView) -> bool| {
        (snapshot.bodies.iter())
            // Not what has flown away, or to NaN.
            .filter(|b| wanted(b) && b.pose.position.length() < MAX_DISTANCE)
            .map(|b| aabb(b, 1.0))
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    };
    if ids.is_empty() {
        let (moves, seen) = (|b: &BodyView| b.motion != Motion::Static, |b: &BodyView| !visibility.is_hidden(b.id));
        around(&|b| seen(b) && moves(b))
            .map(|bounds| room::to_swing(snapshot, visibility, bounds))
            .or_else(|| around(&seen))
            .or_else(|| around(&moves))
            .or_else(|| around(&|_| true))
    } else {
        around(&|b| ids.contains(&b.id))
    }
}

/// Where a body's label points to in a picture of this size, pixels: above its centre, at the upper end of its outline,
/// so that the label covers neither the body nor what lies on it. `None` if its centre is not in front of the camera.
pub fn above(body: &BodyView, camera: &Camera, picture: Vec2) -> Option<Vec2> {
    let centre = camera.project(body.centre, picture)?;
    let (up, frame) = (camera.view.up(), body_frame(body, 1.0));
    let outline = |piece: &Solid| Some(piece.geometry.as_support_map()?.support_point(&(frame * piece.offset), up));
    let highest = body.solid.pieces().iter().filter_map(outline).max_by(|a, b| a.dot(up).total_cmp(&b.dot(up)));
    let top = highest.and_then(|point| camera.project(point, picture)).map_or(centre.y, |point| point.y.min(centre.y));
    // Of a body that reaches beyond the upper edge of the picture the label is at the edge.
    Some(Vec2::new(centre.x, if centre.y > 0.0 { top.max(0.0) } else { top }))
}

/// Newtons for a metre of force arrow, a round number.
///
/// In a pile of n bodies the forces reach about √n weights: such a force is drawn as long as a typical body is wide,
/// times `scale`.
pub fn newtons_a_metre(snapshot: &Snapshot, gravity: f32, scale: f32) -> f32 {
    let dynamic = snapshot.bodies.iter().filter(|b| b.motion == Motion::Dynamic);
    let (count, mass, size) = dynamic.fold((0u32, 0.0f32, 0.0f32), |(count, mass, size), body| {
        (count + 1, mass + body.mass, size + size_of(&body.solid))
    });
    let n = count.max(1) as f32;
    let (mass, size) = if count > 0 { (mass / n, size / n) } else { (1.0, 1.0) };
    // Without gravity the earth's is used.
    let gravity = if gravity > 0.1 { gravity } else { 9.81 };
    let newtons = mass * gravity * n.sqrt() / (0.8 * size * scale);
    if newtons.is_finite() && newtons > 1e-6 { round_number(newtons) } else { 1.0 }
}

/// The nearest of 1, 2, 5, 10, 20, 50, …
fn round_number(value: f32) -> f32 {
    let power = 10f32.powf(value.log10().floor());
    let nearest = |n: &f32| (value / (n * power)).ln().abs();
    [1.0, 2.0, 5.0, 10.0].into_iter().min_by(|a, b| nearest(a).total_cmp(&nearest(b))).unwrap_or(1.0) * power
}

#[cfg(test)]
mod tests {
    use super::round_number;

    #[test]
    fn round_numbers_are_near() {
        for (value, round) in [(19.6, 20.0), (0.03, 0.02), (7.9, 10.0), (412.0, 500.0), (1.0, 1.0)] {
            let found = round_number(value);
            assert!((found / round - 1.0).abs() < 1e-5, "{value} gives {found}");
        }
    }
}
