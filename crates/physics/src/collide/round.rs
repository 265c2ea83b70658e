//! The exact normal of a contact with a cylinder or a capsule.
//!
//! GJK finds the distance of round shapes to within a tolerance ε, but their normal only to within √ε: up to some
//! degrees. A body that lies across a cylinder would rock on such normals, and a cylinder would not roll straight. But
//! GJK's normal n is near the exact one, and the exact one is among a few candidates. Below, a is the cylinder's axis, c
//! its centre and h half its length. For a capsule they are those of its core, a segment:
//!
//! ```text
//! flat side, cap   the normal of a face of the other body;  ± a
//! edge             a × e, with an edge or axis e of the other body
//! rim at an edge   (c ± h a − p) − e e·(c ± h a − p), with a point p of the edge, if the rim is nearly perpendicular to e
//! point            (p − c) − a a·(p − c), with a corner p of the other body nearest to the cylinder
//! end of a capsule p − (c ± h a), and the same less its part along an edge, as for a rim
//! side             n − a a·n
//! ```
//! Two planes perpendicular to n that touch the two shapes have a gap s(n). It is never larger than the distance, so the
//! candidate with the largest s(n) is the best: see `separation.rs`.

use arrayvec::ArrayVec;
use glam::Vec3;
use parry3d::math::Pose;
use parry3d::shape::{PolygonalFeature, Shape, SupportMap, TypedShape};

use super::separation::{self, Separation};

/// The least cosine of the angle between GJK's normal and a candidate.
const NEAR: f32 = 0.9;
/// Edges are candidates only if the normal is nearly perpendicular to them: the bound on the cosine of the angle.
const ACROSS: f32 = 0.3;

/// Corners of a feature this much behind its foremost ones, as a share of its extent, do not touch.
const LEVEL: f32 = 1e-3;
/// The square of the sine of an angle below which edges count as parallel: they meet anywhere along them.
const PARALLEL: f32 = 1e-4;

/// Whether a shape is round where it faces along `normal`, a unit vector in its own frame: it rolls, and its contact
/// points move over its surface as it does.
pub(super) fn rolls(shape: &dyn Shape, normal: Vec3) -> bool {
    match shape.as_typed_shape() {
        TypedShape::Ball(_) | TypedShape::Capsule(_) => true,
        TypedShape::Cylinder(_) => normal.y.abs() < 0.999,
        _ => false,
    }
}

/// The axis of a cylinder or a capsule, a unit vector in its own frame, and half of its length, m.
pub(super) fn axis(shape: &dyn Shape) -> Option<(Vec3, f32)> {
    match shape.as_typed_shape() {
        TypedShape::Cylinder(cylinder) => Some((Vec3::Y, cylinder.half_height)),
        TypedShape::Capsule(capsule) => {
            let segment = capsule.segment.scaled_direction();
            let length = segment.length();
            Some((segment.try_normalize()?, 0.5 * length))
        }
        _ => None,
    }
}

/// The best candidate for the normal of two shapes of which one is a cylinder or a capsule, or `normal` itself; A's frame. `a`
/// and `b` are the shapes or, for capsules, their segments.
pub(super) fn normal<A: ?Sized + SupportMap, B: ?Sized + SupportMap>(
    relative: &Pose,
    (a, b): (&A, &B),
    (shape_a, shape_b): (&dyn Shape, &dyn Shape),
    normal: Vec3,
) -> Separation {
    let mut best = separation::along(relative, a, b, normal);
    let found = best;
    let mut attempt = |direction: Vec3| {
        let Some(direction) = direction.try_normalize() else { return };
        let cosine = direction.dot(normal);
        if cosine.abs() < NEAR {
            return;
        }
        let other = separation::along(relative, a, b, direction * cosine.signum());
        if other.gap > best.gap {
            best = other;
        }
    };
    let frame_b = (relative.translation, Some(relative.rotation));
    let sides = [
        (shape_a, (Vec3::ZERO, None), shape_b, frame_b, found.on_b),
        (shape_b, frame_b, shape_a, (Vec3::ZERO, None), found.on_a),
    ];
    for (shape, (centre, turn), other, (_, other_turn), corner) in sides {
        let Some((axis, reach)) = axis(shape) else { continue };
        let turned = |turn: Option<glam::Quat>, v: Vec3| turn.map_or(v, |turn| turn * v);
        let axis = turned(turn, axis);
        let across = |v: Vec3| v - axis * axis.dot(v);
        attempt(axis);
        attempt(across(normal));
        attempt(across(corner - centre));
        let ends = [centre + axis * reach, centre - axis * reach];
        if shape.as_capsule().is_some() {
            ends.into_iter().for_each(|end| attempt(corner - end));
        }
        let mut edge = |local: Vec3| {
            let edge = turned(other_turn, local);
            if edge.dot(normal).abs() < ACROSS {
                attempt(axis.cross(edge));
                for end in ends {
                    let offset = end - corner;
                    attempt(offset - edge * edge.dot(offset));
                }
            }
        };
        match other.as_typed_shape() {
            TypedShape::Cuboid(_) => Vec3::AXES.into_iter().for_each(&mut edge),
            TypedShape::Capsule(capsule) => edge(capsule.segment.scaled_direction().normalize_or_zero()),
            TypedShape::Cylinder(_) => edge(Vec3::Y),
            TypedShape::ConvexPolyhedron(hull) => hull.edges().iter().for_each(|known| edge(known.dir)),
            _ => {}
        }
        match other.as_typed_shape() {
            TypedShape::Cuboid(_) => Vec3::AXES.into_iter().for_each(|face| attempt(turned(other_turn, face))),
            TypedShape::ConvexPolyhedron(hull) => {
                hull.faces().iter().for_each(|face| attempt(turned(other_turn, face.normal)));
            }
            _ => {}
        }
    }
    best
}

/// The corners of a feature that are foremost along `normal`, in the frame of both.
fn foremost(corners: &[Vec3], normal: Vec3) -> ArrayVec<Vec3, 4> {
    let foremost = corners.iter().map(|corner| corner.dot(normal)).fold(f32::NEG_INFINITY, f32::max);
    let extent = corners.iter().map(|corner| corner.distance(corners[0])).fold(0.0, f32::max);
    corners.iter().copied().filter(|corner| corner.dot(normal) >= foremost - LEVEL * extent).take(4).collect()
}

/// Where the two features meet along `normal`: a corner of one, the crossing of two edges, or the place nearest to
/// `known`, where GJK has them meet; A's frame, m.
pub(super) fn place(
    relative: &Pose,
    (face_a, face_b): (&PolygonalFeature, &PolygonalFeature),
    normal: Vec3,
    known: Vec3,
) -> Vec3 {
    let corners_b = face_b.vertices.map(|corner| relative.transform_point(corner));
    let of_a = foremost(&face_a.vertices[..face_a.num_vertices], normal);
    let of_b = foremost(&corners_b[..face_b.num_vertices], -normal);
    let along = |from: Vec3, to: Vec3, point: Vec3| {
        let offset = to - from;
        let share = offset.dot(point - from) / offset.length_squared().max(f32::MIN_POSITIVE);
        from + offset * share.clamp(0.0, 1.0)
    };
    match (&*of_a, &*of_b) {
        ([corner], _) | (_, [corner]) => *corner,
        ([a0, a1], [b0, b1]) => {
            let (offset, other) = (*a1 - *a0, *b1 - *b0);
            // Perpendicular to the normal and to B's edge. A's edge is cut by the plane through B's edge along the normal.
            let across = normal.cross(other);
            let slope = offset.dot(across);
            if slope * slope <= PARALLEL * offset.length_squared() * other.length_squared() {
                return along(*a0, *a1, known);
            }
            *a0 + offset * ((*b0 - *a0).dot(across) / slope).clamp(0.0, 1.0)
        }
        ([from, to], _) | (_, [from, to]) => along(*from, *to, known),
        _ => known,
    }
}
