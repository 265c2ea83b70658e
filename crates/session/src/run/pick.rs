//! The first body hit by a ray: how the mouse finds what it points at.

use glam::Vec3;
use parry3d::math::Pose;
use parry3d::query::Ray;

use delassus_physics::world::World;

/// The first intersection of a ray.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Number of the body.
    pub body: u32,
    /// World, m.
    pub point: Vec3,
    /// In the body's frame (from its centre of mass), m: what [`crate::Command::MouseJoint`] takes.
    pub local: Vec3,
    /// Outward normal of the surface, world.
    pub normal: Vec3,
    /// m.
    pub distance: f32,
}

/// How far a ray reaches, m.
const REACH: f32 = 1e6;

/// The first body accepted by `among` that the ray from `origin` hits, world frame. `direction` need not be of unit
/// length.
pub fn pick(world: &World, origin: Vec3, direction: Vec3, among: impl Fn(u32) -> bool) -> Option<Hit> {
    let direction = direction.try_normalize()?;
    if !origin.is_finite() {
        return None;
    }
    let ray = Ray::new(origin, direction);
    let mut first: Option<Hit> = None;
    // Body 0 is the world itself and has no surface.
    for (id, body) in world.state.bodies.iter().enumerate().skip(1).filter(|(id, _)| among(*id as u32)) {
        let reach = first.map_or(REACH, |hit| hit.distance);
        let (position, rotation, _) = world.state(id as u32);
        // Skip bodies whose bounding sphere the ray misses, with a margin for rounding.
        let along = (position - origin).dot(direction).clamp(0.0, reach);
        if (position - origin - direction * along).length_squared() > (1.001 * body.solid.radius).powi(2) {
            continue;
        }
        let pose = Pose::from_parts(position, rotation) * body.solid.offset;
        if let Some(hit) = body.solid.geometry.cast_ray_and_get_normal(&pose, &ray, reach, true) {
            let point = origin + direction * hit.time_of_impact;
            first = Some(Hit {
                body: id as u32,
                point,
                local: rotation.inverse() * (point - position),
                normal: hit.normal,
                distance: hit.time_of_impact,
            });
        }
    }
    first
}
