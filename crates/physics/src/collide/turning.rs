//! Contacts whose normals turn within a step: of a wheel that rolls fast over a bump, of a chain that runs over a bar.
//!
//! Contacts found once per step keep their normals in all of its sub-steps. If a body moves past a curved surface by a
//! way s, the normal turns by about s/L, with L the size of the smaller of the two. A wheel of 0.35 m at 10 m/s then ran
//! up a bump of 80 mm on the normal that it met first, and rose by 114 mm. So points are found again in every sub-step
//! while a normal turns fast. The normal of a flat face stays: a wheel on a plane floor needs nothing. TGS soft finds its
//! contacts once, as its engine does.
//!
//! Source: derived here.

use glam::Vec3;
use parry3d::shape::TypedShape;

use super::Pair;
use super::collider::velocity_of;
use crate::body::{Body, Velocity};
use crate::shape::Solid;

/// Normals that turn by less than this in a step, rad, may stay.
const SLOW: f32 = 0.1;
/// Bodies that move by less than this in a step, m, are not looked at.
const SHORT: f32 = 1e-4;
/// A normal counts as that of a face if the cosine of the angle between them is larger than this.
const ALONG: f32 = 0.999;
/// With more pairs than this, finding all points again would cost too much.
const MAX_PAIRS: usize = 256;

/// Whether the normal of a contact turns fast in a step of `h` seconds, and so few pairs are listed that all their points
/// may be found again.
pub(super) fn any(pairs: &[Pair], bodies: &[Box<Body>], velocities: &[Velocity], h: f32) -> bool {
    pairs.len() <= MAX_PAIRS && pairs.iter().any(|pair| turns(pair, bodies, velocities, h))
}

fn turns(pair: &Pair, bodies: &[Box<Body>], velocities: &[Velocity], h: f32) -> bool {
    let ends = pair.ends().map(|end| end.of(bodies));
    // Two balls that come fast have the normal of their meeting: see `ahead.rs`.
    let balls = || ends.iter().all(|(_, solid)| solid.geometry.as_ball().is_some());
    if pair.idle || !pair.touches || !pair.has_found_points && balls() {
        return false;
    }
    let [a, b] = [(ends[0], pair.a), (ends[1], pair.b)].map(|(end, body)| velocity_of(end, &velocities[body as usize]));
    let normal = pair.near.manifold.normal;
    let way = Vec3::from(b - a).reject_from_normalized(normal).length() * h;
    let is_flat = |(body, solid): (&Body, &Solid)| {
        let normal = (body.rotation * solid.offset.rotation).inverse() * normal;
        match solid.geometry.as_typed_shape() {
            TypedShape::Cuboid(_) => normal.abs().max_element() > ALONG,
            TypedShape::Cylinder(_) => normal.y.abs() > ALONG,
            _ => false,
        }
    };
    let size = |(_, solid): (&Body, &Solid)| solid.geometry.compute_local_bounding_sphere().radius;
    way > SHORT
        && !ends.into_iter().any(is_flat)
        && way > SLOW * ends.into_iter().map(size).fold(f32::INFINITY, f32::min)
}
