//! Contact points of two facing faces of three or four corners, clipped against each other.
//!
//! ```text
//! corners     of one face that lie inside the other, projected along n: on one side of all of its edges; the gap is
//!             measured to the other's plane, along n
//! crossings   of an edge p + s d with an edge q + t e, projected along n, r = p − q:
//!             s = e × r / d × e,   t = d × r / d × e,   both within 0 … 1
//! ```
//! The points, their order and their feature ids are those of parry3d's `PolygonalFeature::contacts` for such faces. In
//! addition there are points that parry3d drops: crossings of edges that are shorter than 2 cm or parallel within
//! 0.3 mrad, and corners on the other face's border ([`ON_BORDER`]). The four lanes hold the corners or the edges of A.
//! Source: Ericson 2005, 5.1.9 (crossings).

use glam::{Vec2, Vec3};
use parry3d::math::Pose;
use parry3d::query::{ContactManifold, TrackedContact};
use parry3d::shape::PolygonalFeature;

use super::four::Lanes;

/// Edges have no crossing where the sine between them is at most this: their ends then lie on each other's face within
/// [`ON_BORDER`]. No length counts as short: faces of a millimetre cross as those of a metre do.
const NEARLY_PARALLEL: f32 = 2e-6;

/// A corner that is outside a face by less than this share of the longest edge of both faces counts as inside. If two
/// faces have sides in one plane, as stacked boxes do, rounding can put the corners of each outside the other, and
/// parallel sides have no crossing: without this tolerance the faces would touch at one corner of four, or at none.
const ON_BORDER: f32 = 1e-5;

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
}

/// Adds the contact points of the two faces to the manifold. `relative`, B's pose, and the unit `normal` are in A's
/// frame, B's corners in its own.
pub(super) fn clip(
    relative: &Pose,
    normal: Vec3,
    (face_a, face_b): (&PolygonalFeature, &PolygonalFeature),
    manifold: &mut ContactManifold<(), ()>,
) {
    debug_assert!(matches!((face_a.num_vertices, face_b.num_vertices), (3 | 4, 3 | 4)), "four lanes");
    let (u, v) = normal.any_orthonormal_pair();
    let (corners_a, local_b) = (corners(face_a), corners(face_b));
    let corners_b = local_b.map(|corner| relative.transform_point(corner));
    let project = |corner: &Vec3| Vec2::new(corner.dot(u), corner.dot(v));
    let (plane_a, plane_b) = (corners_a.each_ref().map(project), corners_b.each_ref().map(project));
    let (flat_a, flat_b) = (Flat::of(&plane_a), Flat::of(&plane_b));
    let border = ON_BORDER * longest(&plane_a).max(longest(&plane_b));

    let across_b = (corners_b[2] - corners_b[1]).cross(corners_b[0] - corners_b[1]);
    let slope = across_b.dot(normal);
    if slope.abs() > f32::EPSILON * across_b.length() {
        for i in set(inside(flat_a, &plane_b, border)).take_while(|i| *i < face_a.num_vertices) {
            let on_a = corners_a[i];
            let gap = (corners_b[0] - on_a).dot(across_b) / slope;
            let on_b = relative.inverse_transform_point(on_a + gap * normal);
            manifold.points.push(TrackedContact::new(on_a, on_b, face_a.vids[i], face_b.fid, gap));
        }
    }
    let across_a = (corners_a[2] - corners_a[1]).cross(corners_a[0] - corners_a[1]);
    let slope = -across_a.dot(normal);
    if slope.abs() > f32::EPSILON * across_a.length() {
        for i in set(inside(flat_b, &plane_a, border)).take_while(|i| *i < face_b.num_vertices) {
            let gap = (corners_a[0] - corners_b[i]).dot(across_a) / slope;
            let on_a = corners_b[i] - gap * normal;
            manifold.points.push(TrackedContact::new(on_a, local_b[i], face_a.fid, face_b.vids[i], gap));
        }
    }
    let edges = Flat::of(&std::array::from_fn(|i| plane_a[(i + 1) % 4] - plane_a[i]));
    for j in 0..4 {
        let next = (j + 1) % 4;
        let (hits, s, t) = crossings(flat_a, edges, plane_b[j], plane_b[next] - plane_b[j]);
        for i in set(hits) {
            let (s, t) = (s.to_array()[i], t.to_array()[i]);
            let on_a = corners_a[i] * (1.0 - s) + corners_a[(i + 1) % 4] * s;
            let on_b_edge = corners_b[j] * (1.0 - t) + corners_b[next] * t;
            let gap = (on_b_edge - on_a).dot(normal);
            let on_b = local_b[j] * (1.0 - t) + local_b[next] * t;
            manifold.points.push(TrackedContact::new(on_a, on_b, face_a.eids[i], face_b.eids[j], gap));
        }
    }
}

/// The corners of a face. A triangle has its first corner twice; the edge between the two crosses nothing.
fn corners(face: &PolygonalFeature) -> [Vec3; 4] {
    std::array::from_fn(|i| face.vertices[if i < face.num_vertices { i } else { 0 }])
}

/// The lanes whose bit is set in `mask`.
fn set(mask: u32) -> impl Iterator<Item = usize> {
    (0..4).filter(move |lane| mask & (1 << lane) != 0)
}

/// The length of a face's longest edge, m.
fn longest(face: &[Vec2; 4]) -> f32 {
    (0..4).map(|i| face[i].distance_squared(face[(i + 1) % 4])).fold(0.0, f32::max).sqrt()
}

/// Bit mask of the points that lie inside a face, or within `border`, m, of it.
fn inside(points: Flat, face: &[Vec2; 4], border: f32) -> u32 {
    let (mut left, mut right) = (Lanes::ZERO, Lanes::ZERO);
    let mut from = face[3];
    for &to in face {
        let (edge, relative) = (to - from, points.less(from));
        let side = Lanes::splat(edge.x) * relative.y - Lanes::splat(edge.y) * relative.x;
        let tolerance = border * edge.length();
        left |= side.simd_gt(Lanes::splat(tolerance));
        right |= side.simd_lt(Lanes::splat(-tolerance));
        from = to;
    }
    !(left & right).to_bitmask() & 0b1111
}

/// Bit mask of A's edges that cross an edge of B, and the parameters s and t of the crossings. A's edges start at
/// `corners` with directions `edges`.
fn crossings(corners: Flat, edges: Flat, from: Vec2, edge: Vec2) -> (u32, Lanes, Lanes) {
    let r = corners.less(from);
    let slope = edges.x * Lanes::splat(edge.y) - edges.y * Lanes::splat(edge.x);
    let s = (Lanes::splat(edge.x) * r.y - Lanes::splat(edge.y) * r.x) / slope;
    let t = (edges.x * r.y - edges.y * r.x) / slope;
    let squares = (edges.x * edges.x + edges.y * edges.y) * Lanes::splat(edge.length_squared());
    let meet = (slope * slope).simd_gt(squares * Lanes::splat(NEARLY_PARALLEL * NEARLY_PARALLEL));
    let within = |x: Lanes| x.simd_gt(Lanes::ZERO) & x.simd_lt(Lanes::ONE);
    ((meet & within(s) & within(t)).to_bitmask(), s, t)
}

#[cfg(test)]
mod tests {
    use glam::Quat;
    use parry3d::shape::{Cuboid, PolygonalFeatureMap};

    use super::*;

    /// The two ends of a point lie on one line along the normal, also where edges cross at a small angle.
    #[test]
    fn points_face_each_other() {
        let mut face = PolygonalFeature::default();
        Cuboid::new(Vec3::new(0.5, 0.3, 0.1)).local_support_feature(Vec3::Z, &mut face);
        let mut other = PolygonalFeature::default();
        Cuboid::new(Vec3::new(0.4, 0.3, 0.1)).local_support_feature(Vec3::NEG_Z, &mut other);
        let mut crossings = 0;
        for turn in [3e-6f32, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0] {
            for lean in [0.0, 0.1] {
                let rotation = Quat::from_rotation_z(turn) * Quat::from_rotation_x(lean);
                let relative = Pose::from_parts(Vec3::new(0.2, 0.1 * turn, 0.25), rotation);
                let mut manifold = ContactManifold::new();
                clip(&relative, Vec3::Z, (&face, &other), &mut manifold);
                assert!(manifold.points.len() >= 4, "turned by {turn}: {} points", manifold.points.len());
                for point in &manifold.points {
                    let across = relative.transform_point(point.local_p2) - point.local_p1 - point.dist * Vec3::Z;
                    assert!(across.length() < 1e-6, "turned by {turn}: {across}");
                    crossings += usize::from(point.fid1 != face.fid && point.fid2 != other.fid);
                }
            }
        }
        assert!(crossings > 14, "{crossings} crossings");
    }
}
