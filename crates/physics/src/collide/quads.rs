//! Contact points of two facing quadrilateral faces, clipped against each other.
//!
//! ```text
//! corners     of one face that lie inside the other, projected along n: on one side of all of its edges; the gap is
//!             measured to the other's plane, along n
//! crossings   of an edge p + s d with an edge q + t e, projected along n, r = p − q:
//!             s = ((d·e)(e·r) − (d·r)(e·e)) / ((d·d)(e·e) − (d·e)²),   t = (s d·e + e·r)/(e·e),   both within 0 … 1
//! ```
//! Same points, order and feature ids as parry3d's `PolygonalFeature::contacts` for such faces, unless these are small:
//! parry3d drops crossings of edges shorter than 2 cm. The four lanes hold
//! the corners or the edges of A. Source: Ericson 2005, 5.1.9 (crossings).

use glam::{Vec2, Vec3};
use parry3d::math::Pose;
use parry3d::query::{ContactManifold, TrackedContact};
use parry3d::shape::PolygonalFeature;

use crate::solvers::wide::lanes::Lanes;

/// Edges have no crossing where the square of the sine between them is at most this. No length counts as short: faces of
/// a millimetre cross as those of a metre do.
const NEARLY_PARALLEL: f32 = 4.0 * f32::EPSILON;

/// Corners projected along the normal, one per lane, m.
#[derive(Clone, Copy)]
struct Flat {
    x: Lanes,
    y: Lanes,
}

impl Flat {
    fn of(corners: &[Vec2; 4]) -> Self {
        Self { x: Lanes::from(corners.map(|c| c.x)), y: Lanes::from(corners.map(|c| c.y)) }
    }

    fn less(self, place: Vec2) -> Self {
        Self { x: self.x - Lanes::splat(place.x), y: self.y - Lanes::splat(place.y) }
    }

    fn dot(self, other: Vec2) -> Lanes {
        self.x * Lanes::splat(other.x) + self.y * Lanes::splat(other.y)
    }
}

/// Adds the contact points of the two faces to the manifold. `relative`, B's pose, and the unit `normal` are in A's
/// frame, B's corners in its own.
pub(super) fn clip(
    relative: &Pose,
    normal: Vec3,
    (face_a, face_b): (&PolygonalFeature, &PolygonalFeature),
    manifold: &mut ContactManifold<(), ()>,
) {
    debug_assert!(face_a.num_vertices == 4 && face_b.num_vertices == 4, "four lanes");
    let (u, v) = normal.any_orthonormal_pair();
    let corners_a = &face_a.vertices;
    let corners_b = face_b.vertices.map(|corner| relative.transform_point(corner));
    let seen = |corner: &Vec3| Vec2::new(corner.dot(u), corner.dot(v));
    let (seen_a, seen_b) = (corners_a.each_ref().map(seen), corners_b.each_ref().map(seen));
    let (flat_a, flat_b) = (Flat::of(&seen_a), Flat::of(&seen_b));

    let across_b = (corners_b[2] - corners_b[1]).cross(corners_b[0] - corners_b[1]);
    let slope = across_b.dot(normal);
    if slope.abs() > f32::EPSILON * across_b.length() {
        for i in set(inside(flat_a, &seen_b)) {
            let on_a = corners_a[i];
            let gap = (corners_b[0] - on_a).dot(across_b) / slope;
            let on_b = relative.inverse_transform_point(on_a + gap * normal);
            manifold.points.push(TrackedContact::new(on_a, on_b, face_a.vids[i], face_b.fid, gap));
        }
    }
    let across_a = (corners_a[2] - corners_a[1]).cross(corners_a[0] - corners_a[1]);
    let slope = -across_a.dot(normal);
    if slope.abs() > f32::EPSILON * across_a.length() {
        for i in set(inside(flat_b, &seen_a)) {
            let gap = (corners_a[0] - corners_b[i]).dot(across_a) / slope;
            let on_a = corners_b[i] - gap * normal;
            manifold.points.push(TrackedContact::new(on_a, face_b.vertices[i], face_a.fid, face_b.vids[i], gap));
        }
    }
    let edges = Flat::of(&std::array::from_fn(|i| seen_a[(i + 1) % 4] - seen_a[i]));
    for j in 0..4 {
        let next = (j + 1) % 4;
        let (hits, s, t) = crossings(flat_a, edges, seen_b[j], seen_b[next] - seen_b[j]);
        for i in set(hits) {
            let (s, t) = (s.to_array()[i], t.to_array()[i]);
            let on_a = corners_a[i] * (1.0 - s) + corners_a[(i + 1) % 4] * s;
            let place = corners_b[j] * (1.0 - t) + corners_b[next] * t;
            let gap = (place - on_a).dot(normal);
            let on_b = face_b.vertices[j] * (1.0 - t) + face_b.vertices[next] * t;
            manifold.points.push(TrackedContact::new(on_a, on_b, face_a.eids[i], face_b.eids[j], gap));
        }
    }
}

/// The lanes whose bit is set in `mask`.
fn set(mask: u32) -> impl Iterator<Item = usize> {
    (0..4).filter(move |lane| mask & (1 << lane) != 0)
}

/// Bit mask of the points that lie inside a face or on its border.
fn inside(points: Flat, face: &[Vec2; 4]) -> u32 {
    let (mut left, mut right) = (Lanes::ZERO, Lanes::ZERO);
    let mut from = face[3];
    for &to in face {
        let (edge, there) = (to - from, points.less(from));
        let side = Lanes::splat(edge.x) * there.y - Lanes::splat(edge.y) * there.x;
        left |= side.simd_gt(Lanes::ZERO);
        right |= side.simd_lt(Lanes::ZERO);
        from = to;
    }
    !(left & right).to_bitmask() & 0b1111
}

/// Bit mask of A's edges that cross an edge of B, and the parameters s and t of the crossings. A's edges start at
/// `corners` with directions `edges`.
fn crossings(corners: Flat, edges: Flat, from: Vec2, edge: Vec2) -> (u32, Lanes, Lanes) {
    let r = corners.less(from);
    let a = edges.x * edges.x + edges.y * edges.y;
    let e = Lanes::splat(edge.length_squared());
    let (b, c, f) = (edges.dot(edge), edges.x * r.x + edges.y * r.y, r.dot(edge));
    let all = a * e;
    let slope = all - b * b;
    let s = (b * f - c * e) / slope;
    let t = (b * s + f) / e;
    let meet = slope.simd_gt(all * Lanes::splat(NEARLY_PARALLEL));
    let within = |x: Lanes| x.simd_gt(Lanes::ZERO) & x.simd_lt(Lanes::ONE);
    ((meet & within(s) & within(t)).to_bitmask(), s, t)
}
