//! Where bodies and their points are drawn: between the last two steps, and how large they are.

use glam::{Quat, Vec3};
use parry3d::math::Pose as Isometry;

use crate::{
    physics::shape::Solid,
    session::{BodyView, Motion, Pose, Snapshot},
};

/// Bodies farther from the origin than this are not framed, m.
const FARTHEST: f32 = 1e4;

/// The pose that is drawn: between the last two steps.
pub fn drawn(body: &BodyView, alpha: f32) -> Pose {
    if alpha >= 1.0 { body.pose } else { body.previous.toward(&body.pose, alpha) }
}

/// Where a point of the world that moves with `body` is drawn. A point of the world itself stays.
pub fn follow(body: Option<&BodyView>, point: Vec3, alpha: f32) -> Vec3 {
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
    let pose = drawn(body, alpha);
    let to_world = Isometry::from_parts(pose.position, finite_rotation(pose.rotation));
    let aabb = body
        .solid
        .geometry
        .compute_aabb(&(to_world * Isometry::from_translation(body.solid.centre) * body.solid.offset));
    (aabb.mins, aabb.maxs)
}

fn finite_rotation(rotation: Quat) -> Quat {
    if rotation.is_finite() { rotation } else { Quat::IDENTITY }
}

/// The box around the given bodies, or, if there are none, around everything that can move (else around all).
pub fn bounds(snapshot: &Snapshot, ids: &[u32]) -> Option<(Vec3, Vec3)> {
    let around = |wanted: &dyn Fn(&BodyView) -> bool| {
        (snapshot.bodies.iter())
            // What has flown off to the stars, or to no number at all, is not worth looking at.
            .filter(|b| wanted(b) && b.pose.position.length() < FARTHEST)
            .map(|b| aabb(b, 1.0))
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    };
    if ids.is_empty() {
        around(&|b| b.motion != Motion::Static).or_else(|| around(&|_| true))
    } else {
        around(&|b| ids.contains(&b.id))
    }
}

/// Newtons for a metre of force arrow, such that a typical dynamic body's weight is `length` metres long.
pub fn newtons_a_metre(snapshot: &Snapshot, gravity: f32, length: f32) -> f32 {
    let masses = snapshot.bodies.iter().filter(|b| b.motion == Motion::Dynamic).map(|b| b.mass);
    let (count, sum) = masses.fold((0u32, 0.0f32), |(n, sum), mass| (n + 1, sum + mass));
    let mass = if count > 0 { sum / count as f32 } else { 1.0 };
    // Without gravity a weight says nothing: the earth's stands in.
    let gravity = if gravity > 0.1 { gravity } else { 9.81 };
    let newtons = mass * gravity / length.max(1e-3);
    if newtons.is_finite() { newtons.max(1e-6) } else { 1.0 }
}
