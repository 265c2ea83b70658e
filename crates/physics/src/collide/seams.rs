//! Seams between static bodies, or parts of one: where many of them lie side by side, a body slides over them as over
//! one.
//!
//! Each pair finds its contact alone. A box that slides from one slab to the next sees the second slab ahead, with the
//! normal of a side that the first slab covers. Such a contact is an obstacle where there is none. So contacts with a
//! static body are checked against the other static bodies nearby:
//!
//! ```text
//! p, n      a contact point on the static body S, and the normal there, out of S
//! q         p + ε n
//! d, m      distance of q from another static body S', and the direction out of S'
//! covered   d < ε, m is not n, and S ends there:  p + m (ε + e) is no point of S, with e = max(0, ε n·m − d) the depth of p in S'
//! ```
//! If n is a normal of the common surface of S and S', the ball about q through p touches no other point, so d ≥ ε. The
//! second condition keeps a wall that stands on a floor: the wall goes on above the floor, so its normal is a normal of
//! the common surface just above p.
//!
//! A manifold whose points are all covered gets another normal, that of a flat face of S at p which is not covered. Its
//! points are then the corners of the moving body that come down on that face within the step. It has no points if
//! there is no such face or the corners are past it already: then the contact with the body that covers S carries it.
//!
//! ε is 1 mm, or a fifth of the moving body's half thickness. If two surfaces differ by more than that, they count as a step.
//! Source: Rockafellar and Wets 1998, ch. 6 (proximal normals); the problem is that of internal edges.

use glam::Vec3;
use parry3d::math::Pose;
use parry3d::shape::{PolygonalFeature, Shape, TypedShape};

use super::collider::Collider;
use super::manifold::{POINTS, Point};
use super::{Pair, ball, narrow};
use crate::body::{Body, Motion, Velocity};
use crate::copy::copied_by_fields;
use crate::shape::Solid;

/// ε, m, and as a share of the moving body's half thickness.
const NEAR: f32 = 1e-3;
const SHARE: f32 = 0.2;
/// d counts as less than ε up to this multiple of it, for rounding.
const ROUNDING_FACTOR: f32 = 1.001;
/// Cosine of the angle up to which two normals count as one: a quarter of a degree.
const PARALLEL_COS: f32 = 0.99999;
/// No pair.
const NONE: u32 = u32::MAX;

/// Lists of the pairs of each moving collider with static ones, kept for their memory.
#[derive(Debug, Default)]
pub(super) struct Seams {
    /// By collider: its last such pair.
    last: Vec<u32>,
    /// By pair: the previous such pair of the same collider.
    before: Vec<u32>,
}

copied_by_fields!(Seams { last, before });

/// A shape in the world.
#[derive(Clone, Copy)]
struct Placed<'a> {
    shape: &'a dyn Shape,
    pose: &'a Pose,
}

/// The bodies of a world, where their shapes are, and how far they move in the step.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub bodies: &'a [Box<Body>],
    pub poses: &'a [Pose],
    pub velocities: &'a [Velocity],
    /// Length of the step for which the points are found, s.
    pub h: f32,
}

impl Seams {
    /// Checks all contacts with static bodies.
    pub fn smooth(&mut self, pairs: &mut [Pair], scene: Scene) {
        if !self.list(pairs, scene) {
            return;
        }
        let (last, before) = (&self.last, &self.before);
        for index in 0..pairs.len() {
            let pair = &pairs[index];
            if pair.idle || !pair.touches {
                continue;
            }
            let Some((surface, moving)) = split(pair, scene.bodies) else { continue };
            let others = || {
                let mut next = last[moving.number as usize];
                std::iter::from_fn(move || {
                    let pair = (next != NONE).then_some(next as usize)?;
                    next = before[pair];
                    Some(pair)
                })
            };
            if others().nth(1).is_none() {
                continue;
            }
            let near = NEAR.min(SHARE * scene.shape(moving).thickness);
            let is_covered = |point: Vec3, normal: Vec3| {
                let others = others().filter(|&other| other != index);
                let mut others = others.filter_map(|other| split(&pairs[other], scene.bodies));
                others.any(|(other, _)| covers(point, normal, near, scene.placed(surface), scene.placed(other)))
            };
            let manifold = &pair.near.manifold;
            let out = if surface.is_a { manifold.normal } else { -manifold.normal };
            let on_surface = |point: &Point| {
                let half = 0.5 * (point.separation * manifold.normal + manifold.sideways);
                if surface.is_a { point.position - half } else { point.position + half }
            };
            if !manifold.points.iter().all(|point| is_covered(on_surface(point), out)) {
                continue;
            }
            let at = manifold.points.iter().map(on_surface).sum::<Vec3>() / manifold.points.len() as f32;
            let face = face_beside(scene.placed(surface), (at, out), near, |normal| !is_covered(at, normal));
            set_face_points(&mut pairs[index], (surface, moving), face, near, scene);
        }
    }

    /// Lists the pairs. Returns whether any collider has two of them.
    fn list(&mut self, pairs: &[Pair], scene: Scene) -> bool {
        let Self { last, before } = self;
        last.clear();
        last.resize(scene.poses.len(), NONE);
        before.clear();
        let mut several = false;
        before.extend((0..).zip(pairs).map(|(index, pair)| match split(pair, scene.bodies) {
            Some((_, moving)) => {
                let before = std::mem::replace(&mut last[moving.number as usize], index);
                several |= before != NONE;
                before
            }
            None => NONE,
        }));
        several
    }
}

impl<'a> Scene<'a> {
    fn shape(&self, end: End) -> &'a Solid {
        end.collider.of(self.bodies).1
    }

    fn placed(&self, end: End) -> Placed<'a> {
        Placed { shape: &*self.shape(end).geometry, pose: &self.poses[end.number as usize] }
    }
}

/// One of the two shapes of a pair.
#[derive(Debug, Clone, Copy)]
struct End {
    collider: Collider,
    /// The collider's number.
    number: u32,
    /// Whether it is A of the pair.
    is_a: bool,
}

/// The shapes of the static and of the dynamic body of a pair that has one of each.
fn split(pair: &Pair, bodies: &[Box<Body>]) -> Option<(End, End)> {
    let [of_a, of_b] = pair.ends();
    let a = End { collider: of_a, number: pair.colliders[0], is_a: true };
    let b = End { collider: of_b, number: pair.colliders[1], is_a: false };
    match (bodies[pair.a as usize].motion, bodies[pair.b as usize].motion) {
        (Motion::Static, Motion::Dynamic) => Some((a, b)),
        (Motion::Dynamic, Motion::Static) => Some((b, a)),
        _ => None,
    }
}

/// Whether `other` covers `surface` at a point with this outward normal, world frame; `near` is ε, m.
fn covers(point: Vec3, normal: Vec3, near: f32, surface: Placed, other: Placed) -> bool {
    // A point that was found between two surfaces may lie beside the edge that it belongs to.
    let point = match self::distance(surface, point, Vec3::ZERO) {
        Some((distance, out)) if distance > 0.0 => point - out * distance,
        _ => point,
    };
    let Some((distance, out)) = distance(other, point + normal * near, -normal) else { return false };
    if distance >= ROUNDING_FACTOR * near || normal.dot(out) > PARALLEL_COS {
        return false;
    }
    let depth = (near * normal.dot(out) - distance).max(0.0);
    let beside = point + out * (near + depth);
    let distance_of_beside = self::distance(surface, beside, Vec3::ZERO).map_or(0.0, |(distance, _)| distance);
    distance_of_beside > 0.5 * near
}

/// Signed distance of a point from a shape, m, and the direction out of it, world frame. For a point inside, faces
/// whose normal is within 60° of `barred`, a unit vector, do not count.
fn distance(placed: Placed, point: Vec3, barred: Vec3) -> Option<(f32, Vec3)> {
    let local = placed.pose.inverse_transform_point(point);
    let turn = placed.pose.rotation;
    let barred = turn.inverse() * barred;
    let open = |normal: Vec3| normal.dot(barred) < 0.5;
    let (distance, out) = match placed.shape.as_typed_shape() {
        TypedShape::Cuboid(cuboid) => {
            let over = local.abs() - cuboid.half_extents;
            let outside = over.max(Vec3::ZERO);
            let length = outside.length();
            if length > 0.0 {
                (length, outside * local.signum() / length)
            } else {
                let faces = (0..3).map(|axis| (over[axis], Vec3::AXES[axis] * local[axis].signum()));
                faces.filter(|(_, normal)| open(*normal)).max_by(|a, b| a.0.total_cmp(&b.0))?
            }
        }
        TypedShape::ConvexPolyhedron(hull) => {
            let (nearest, out) = ball::nearest(hull, local);
            let distance = out.dot(local - nearest);
            if distance > 0.0 {
                (distance, out)
            } else {
                let faces = ball::planes(hull).map(|(corner, normal)| (normal.dot(local - corner), normal));
                faces.filter(|(_, normal)| open(*normal)).max_by(|a, b| a.0.total_cmp(&b.0))?
            }
        }
        _ => {
            let found = placed.shape.project_local_point(local, false);
            let outward = if found.is_inside { found.point - local } else { local - found.point };
            let length = outward.length();
            (if found.is_inside { -length } else { length }, outward.try_normalize()?)
        }
    };
    Some((distance, turn * out))
}

/// A flat face of `surface` at a point, by its outward normal, world frame: one that is `open` and is not that of
/// `normal`; of several the one nearest to that.
fn face_beside(
    surface: Placed,
    (point, normal): (Vec3, Vec3),
    near: f32,
    open: impl Fn(Vec3) -> bool,
) -> Option<(Vec3, Vec3)> {
    let local = surface.pose.inverse_transform_point(point);
    let along = surface.pose.rotation.inverse() * normal;
    let mut best: Option<(f32, Vec3, Vec3)> = None;
    let mut visit = |corner: Vec3, face: Vec3| {
        let cos = face.dot(along);
        if face.dot(local - corner).abs() > near
            || cos > PARALLEL_COS
            || best.is_some_and(|(largest_cos, ..)| largest_cos >= cos)
        {
            return;
        }
        let world = surface.pose.rotation * face;
        if open(world) {
            best = Some((cos, surface.pose.transform_point(corner), world));
        }
    };
    match surface.shape.as_typed_shape() {
        TypedShape::Cuboid(cuboid) => {
            for axis in Vec3::AXES {
                visit(axis * cuboid.half_extents, axis);
                visit(-axis * cuboid.half_extents, -axis);
            }
        }
        TypedShape::ConvexPolyhedron(hull) => ball::planes(hull).for_each(|(corner, face)| visit(corner, face)),
        _ => {}
    }
    best.map(|(_, corner, face)| (corner, face))
}

/// Replaces the points of a pair by the corners of the moving body that come down on a face of the static one, given
/// by a point and its outward normal, world frame.
fn set_face_points(
    pair: &mut Pair,
    (surface, moving): (End, End),
    face: Option<(Vec3, Vec3)>,
    near: f32,
    scene: Scene,
) {
    let (index, placed, ground) = (moving.collider.body as usize, scene.placed(moving), scene.placed(surface));
    let body = &scene.bodies[index];
    let manifold = &mut pair.near.manifold;
    manifold.clear();
    if let Some((corner, out)) = face {
        let toward = placed.pose.rotation.inverse() * -out;
        let mut feature = PolygonalFeature { num_vertices: 1, ..PolygonalFeature::default() };
        let mut radius = 0.0;
        if let Some((core, thick)) = placed.shape.as_polygonal_feature_map() {
            core.local_support_feature(toward, &mut feature);
            radius = thick;
        } else if let Some(ball) = placed.shape.as_ball() {
            radius = ball.radius;
        }
        manifold.normal = if surface.is_a { out } else { -out };
        manifold.sideways = Vec3::ZERO;
        let velocity = &scene.velocities[index];
        let (linear, angular) = (Vec3::from(velocity.linear), Vec3::from(velocity.angular));
        let a = &scene.bodies[pair.a as usize];
        for vertex in &feature.vertices[..feature.num_vertices.min(POINTS)] {
            let lowest = placed.pose.transform_point(*vertex) - out * radius;
            let gap = out.dot(lowest - corner);
            let after_step = lowest + (linear + angular.cross(lowest - body.position)) * scene.h;
            let landing = after_step - out * out.dot(after_step - corner);
            let lands = distance(ground, landing, Vec3::ZERO).is_some_and(|(distance, _)| distance <= near);
            if gap >= 0.0 && lands {
                let position = lowest - out * (0.5 * gap);
                let local = a.rotation.inverse() * (position - a.position);
                manifold.points.push(Point { position, separation: gap, local, ..Point::default() });
            }
        }
    }
    pair.touches = !manifold.points.is_empty();
    let ends = pair.ends().map(|end| end.of(scene.bodies));
    narrow::measure(&mut pair.near.manifold, ends);
}
