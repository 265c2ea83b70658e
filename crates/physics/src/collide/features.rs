//! Contact of a pair with a cylinder or a hull, or of a box and a capsule: the axis of least overlap, and the faces
//! or edges of the two surfaces that face each other along it, clipped against each other.
//!
//! ```text
//! n            by GJK between the shapes' cores, starting from the last n; by EPA if the cores overlap
//! features     of A towards n and of B towards −n: a face of up to four corners, or an edge
//! points       corners of one inside the other and crossings of edges, projected along n, each with its gap along n;
//!              and the closest points themselves, with unknown features, if they are deeper than those
//! radii        a capsule is a segment thickened by r: each gap is r smaller, each point r farther out
//! ```
//! This is parry3d's manifold of two polygonal feature maps, built from its own parts (`PolygonalFeatureMap`,
//! `PolygonalFeature::contacts`): points, gaps, normal and feature ids are the same, except that a cylinder and a capsule
//! have their exact normals (`round.rs`), hulls have corners all round a face (`spread_corners`), closest points add nothing
//! that features have, two faces are clipped by `quads.rs`, an edge on a face by `edge_on_face.rs`, and two edges by
//! `edges.rs`. Reimplemented because parry3d makes a new EPA polytope whenever
//! shapes overlap, and so allocates in every step in which a cylinder lies on something; this one reuses the polytope of
//! [`Query`]. Boxes with boxes, capsules with capsules and balls with
//! anything use other methods, which need no EPA; a ball in a hull uses `ball.rs`.

use glam::Vec3;
use parry3d::math::Pose;
use parry3d::query::{ContactManifold, TrackedContact};
use parry3d::shape::{Capsule, ConvexPolyhedron, PackedFeatureId, PolygonalFeature, PolygonalFeatureMap, Shape};

use super::edge_on_face::EdgePoint;
use super::edges::{Edge, EdgesPoint, Roundness};
use super::single::Query;
use super::{edge_on_face, edges, quads, round};

/// A closest point counts only if it is deeper than all others by this, m.
const NOT_DEEPER: f32 = 1e-5;

/// Two capsules touch with their sides up to this cosine between axis and normal.
const MAX_LEAN: f32 = 0.1;

/// A cylinder lies flat on its cap up to this angle, rad.
const FLAT: f32 = 0.02;

/// Recomputes the manifold; `relative` is B's pose in A's frame. The search starts along `manifold.local_n1`, which
/// is set to the start of the next search. No points if the surfaces are farther apart than about `prediction`, m.
pub(super) fn meet(
    manifold: &mut ContactManifold<(), ()>,
    query: &mut Query,
    relative: &Pose,
    a: &dyn Shape,
    b: &dyn Shape,
    prediction: f32,
) {
    manifold.clear();
    // A capsule's core is its segment; the radius thickens it.
    let cores = a.as_polygonal_feature_map().zip(b.as_polygonal_feature_map());
    let shapes = (a, b);
    let Some(((a, radius_a), (b, radius_b))) = cores else { return };
    let from = manifold.local_n1.try_normalize().or_else(|| relative.translation.try_normalize()).unwrap_or(Vec3::X);
    let reach = prediction + radius_a + radius_b;
    let (mut on_a, mut on_b_in_a, mut normal) = match query.surfaces(relative, (a, b), shapes, reach, from) {
        Ok(found) => found,
        Err(axis) => return manifold.local_n1 = axis,
    };
    let has_axis = round::axis(shapes.0).is_some() || round::axis(shapes.1).is_some();
    let better = has_axis.then(|| round::normal(relative, (a, b), shapes, normal));
    normal = better.map_or(normal, |better| better.normal);
    let normal_b = relative.rotation.inverse() * -normal;
    let (mut face_a, mut face_b) = (PolygonalFeature::default(), PolygonalFeature::default());
    feature((a, shapes.0), normal, on_a, &mut face_a);
    feature((b, shapes.1), normal_b, relative.inverse_transform_point(on_b_in_a), &mut face_b);
    if let Some(better) = better {
        let place = round::place(relative, (&face_a, &face_b), normal, 0.5 * (on_a + on_b_in_a));
        let on = |plane: Vec3| place + normal * normal.dot(plane - place);
        (on_a, on_b_in_a) = (on(better.on_a), on(better.on_b));
    }
    // An edge along one of a face that leans touches that edge.
    match (face_a.num_vertices, face_b.num_vertices) {
        // A cylinder's cap has a rim in place of the edges that parry3d gives it.
        (2, 3..) if shapes.1.as_cylinder().is_none() => {
            face_b = edges::foremost(&face_b, normal_b).unwrap_or(face_b);
        }
        (3.., 2) if shapes.0.as_cylinder().is_none() => {
            face_a = edges::foremost(&face_a, normal).unwrap_or(face_a);
        }
        _ => {}
    }
    match (face_a.num_vertices, face_b.num_vertices) {
        (2, 2) => {
            let round = |shape: &dyn Shape| shape.as_cylinder().map_or(0.0, |cylinder| cylinder.radius);
            let round = Roundness { surfaces: round(shapes.0) + round(shapes.1), cores: radius_a + radius_b };
            clip_edges(relative, (normal, normal_b), (&mut face_a, &mut face_b), round, manifold);
        }
        (3.., 3..) => quads::clip(relative, normal, (&face_a, &face_b), manifold),
        (2, 3..) | (3.., 2) => clip_edge_on_face(relative, normal, (&face_a, &face_b), manifold),
        _ => clip(relative, (normal, normal_b), (&mut face_a, &mut face_b), manifold),
    }
    let (gap, on_b) = ((on_b_in_a - on_a).dot(normal), relative.inverse_transform_point(on_b_in_a));
    // The closest points are known less well than the features. They are needed where the features miss them.
    let deepest = manifold.points.iter().map(|point| point.dist).fold(f32::INFINITY, f32::min);
    if gap < deepest - NOT_DEEPER {
        let unknown = PackedFeatureId::UNKNOWN;
        manifold.points.push(TrackedContact::new(on_a, on_b, unknown, unknown, gap));
    }
    if radius_a != 0.0 || radius_b != 0.0 {
        for point in &mut manifold.points {
            point.local_p1 += normal * radius_a;
            point.local_p2 += normal_b * radius_b;
            point.dist -= radius_a + radius_b;
        }
    }
    (manifold.local_n1, manifold.local_n2) = (normal, normal_b);
}

/// Adds the points of an edge of one shape on a face of the other.
fn clip_edge_on_face(
    relative: &Pose,
    normal: Vec3,
    (face_a, face_b): (&PolygonalFeature, &PolygonalFeature),
    manifold: &mut ContactManifold<(), ()>,
) {
    let corners_a = face_a.vertices;
    let corners_b = face_b.vertices.map(|corner| relative.transform_point(corner));
    let edge_is_a = face_a.num_vertices == 2;
    let points = if edge_is_a {
        let ends = [corners_a[0], corners_a[1]];
        edge_on_face::clip((face_a, face_b), (ends, &corners_b[..face_b.num_vertices]), normal)
    } else {
        let ends = [corners_b[0], corners_b[1]];
        edge_on_face::clip((face_b, face_a), (ends, &corners_a[..face_a.num_vertices]), -normal)
    };
    for EdgePoint { on_edge, gap, of_edge, of_face } in points.into_iter().flatten() {
        let ((on_a, of_a), (on_b, of_b)) = if edge_is_a {
            ((on_edge, of_edge), (on_edge + gap * normal, of_face))
        } else {
            ((on_edge - gap * normal, of_face), (on_edge, of_edge))
        };
        manifold.points.push(TrackedContact::new(on_a, relative.inverse_transform_point(on_b), of_a, of_b, gap));
    }
}

/// Adds the points of two edges.
fn clip_edges(
    relative: &Pose,
    normals: (Vec3, Vec3),
    (face_a, face_b): (&mut PolygonalFeature, &mut PolygonalFeature),
    round: Roundness,
    manifold: &mut ContactManifold<(), ()>,
) {
    let edge_a = Edge::of(face_a, |corner| corner);
    let edge_b = Edge::of(face_b, |corner| relative.transform_point(corner));
    match edges::clip(&edge_a, &edge_b, normals.0, round) {
        Some(points) => points.into_iter().flatten().for_each(|EdgesPoint { on_a, on_b, gap, of_a, of_b }| {
            let on_b = relative.inverse_transform_point(on_b);
            manifold.points.push(TrackedContact::new(on_a, on_b, of_a, of_b, gap));
        }),
        None => clip(relative, normals, (face_a, face_b), manifold),
    }
}

/// The points of two capsules, of which `manifold` has the closest one.
pub(super) fn add_ends(manifold: &mut ContactManifold<(), ()>, relative: &Pose, a: &Capsule, b: &Capsule) {
    let normal = manifold.local_n1;
    let [Some(closest), None] = [0, 1].map(|k| manifold.points.get(k)) else { return };
    let vids = [0, 1].map(PackedFeatureId::vertex);
    let edge = |ends| Edge { ends, vids, id: PackedFeatureId::edge(0) };
    let edge_a = edge([a.segment.a, a.segment.b]);
    let edge_b = edge([b.segment.a, b.segment.b].map(|end| relative.transform_point(end)));
    let is_beside = |edge: &Edge| {
        (edge.ends[1] - edge.ends[0]).try_normalize().is_some_and(|along| along.dot(normal).abs() < MAX_LEAN)
    };
    if !(is_beside(&edge_a) && is_beside(&edge_b)) {
        return;
    }
    let radius = a.radius + b.radius;
    let round = Roundness { cores: radius, ..Roundness::default() };
    let Some([Some(first), Some(last), _]) = edges::clip(&edge_a, &edge_b, normal, round) else { return };
    let keeps_closest = closest.dist < first.gap.min(last.gap) - radius - NOT_DEEPER;
    if !keeps_closest {
        manifold.points.clear();
    }
    for EdgesPoint { on_a, on_b, gap, of_a, of_b } in [first, last] {
        let (on_a, on_b) = (on_a + normal * a.radius, relative.inverse_transform_point(on_b - normal * b.radius));
        manifold.points.push(TrackedContact::new(on_a, on_b, of_a, of_b, gap - radius));
    }
}

/// Adds the points of two edges, or of a corner. parry3d takes edges shorter than some centimetres for
/// parallel, so both are enlarged to about a metre first. The factor is a power of two, which changes no digits.
fn clip(
    relative: &Pose,
    (normal, normal_b): (Vec3, Vec3),
    (a, b): (&mut PolygonalFeature, &mut PolygonalFeature),
    manifold: &mut ContactManifold<(), ()>,
) {
    let extent = |f: &PolygonalFeature| {
        f.vertices[1..f.num_vertices].iter().map(|v| v.distance(f.vertices[0])).fold(0.0, f32::max)
    };
    let least = extent(a).min(extent(b));
    let factor = if least > 0.0 { power_below(least).recip() } else { 1.0 };
    for vertex in a.vertices.iter_mut().chain(&mut b.vertices) {
        *vertex *= factor;
    }
    let relative = Pose::from_parts(relative.translation * factor, relative.rotation);
    PolygonalFeature::contacts(&relative, &relative.inverse(), normal, normal_b, a, b, manifold, false);
    for point in &mut manifold.points {
        point.local_p1 /= factor;
        point.local_p2 /= factor;
        point.dist /= factor;
    }
}

/// The largest power of two that is not above `x` > 0.
fn power_below(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & 0x7f80_0000).max(f32::MIN_POSITIVE)
}

/// The feature of a shape, or of its core, that faces along `normal` near the point `near`; its own frame. A cylinder
/// that does not lie flat on its cap touches where its surface faces along the normal.
fn feature(
    (core, shape): (&dyn PolygonalFeatureMap, &dyn Shape),
    normal: Vec3,
    near: Vec3,
    face: &mut PolygonalFeature,
) {
    let tilted = shape.as_cylinder().is_some() && normal.x.hypot(normal.z) > FLAT;
    let near = if tilted { normal } else { near };
    core.local_support_feature_toward(normal, near, face);
    if let Some(hull) = shape.as_convex_polyhedron() {
        spread_corners(hull, normal, face);
    }
}

/// A face leans on an edge if its corners differ by more than this along the normal, as a share of its extent.
const LEANS: f32 = 1e-3;

/// Of a hull's face with more than four corners parry3d gives the first four, which lie on one side: the hull would tip over
/// them. Takes four that are spread round the face. If it leans, the edge on which it leans is among them.
fn spread_corners(hull: &ConvexPolyhedron, normal: Vec3, face: &mut PolygonalFeature) {
    let Some(whole) = hull.faces().get(face.fid.unpack().unwrap_face() as usize) else { return };
    let count = whole.num_vertices_or_edges as usize;
    if count <= 4 {
        return;
    }
    let range = whole.first_vertex_or_edge as usize..whole.first_vertex_or_edge as usize + count;
    let (corners, edges) = (&hull.vertices_adj_to_face()[range.clone()], &hull.edges_adj_to_face()[range]);
    let place = |k: usize| hull.points()[corners[k % count] as usize];
    let height = |k: usize| place(k).dot(normal);
    let heights = (0..count).map(height);
    let (least, most) = heights.fold((f32::MAX, f32::MIN), |(least, most), h| (least.min(h), most.max(h)));
    let extent = place(0).distance(place(count / 2));
    // Flat: each quarter of the way round, to the nearest corner.
    let chosen = if most - least <= LEANS * extent {
        [0, 1, 2, 3].map(|k| (k * count + 2) / 4)
    } else {
        let edge = |k: &usize| height(*k) + height(*k + 1);
        let first = (0..count).max_by(|a, b| edge(a).total_cmp(&edge(b))).unwrap_or_default();
        let third = (count + 1) / 3;
        [first, first + 1, first + 1 + third, first + count - third]
    };
    for (k, corner) in chosen.into_iter().enumerate() {
        face.vertices[k] = place(corner);
        face.vids[k] = PackedFeatureId::vertex(corners[corner % count]);
        face.eids[k] = PackedFeatureId::edge(edges[corner % count]);
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;
    use parry3d::query::{DefaultQueryDispatcher, PersistentQueryDispatcher};

    use super::super::separation;
    use super::*;
    use crate::shape::Shape as BodyShape;

    /// Reproducible pseudo-random numbers in ±1 (xorshift).
    struct Numbers(u32);

    impl Numbers {
        fn one(&mut self) -> f32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 17;
            self.0 ^= self.0 << 5;
            (self.0 as f32 / u32::MAX as f32) * 2.0 - 1.0
        }

        fn three(&mut self) -> Vec3 {
            Vec3::new(self.one(), self.one(), self.one())
        }
    }

    fn shapes() -> Vec<BodyShape> {
        let mut numbers = Numbers(0x9e37_79b9);
        vec![
            BodyShape::Cylinder { radius: 0.6, half_length: 0.2 },
            BodyShape::Cylinder { radius: 0.2, half_length: 0.9 },
            BodyShape::Hull { points: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] },
            BodyShape::Hull { points: (0..24).map(|_| 0.7 * numbers.three().normalize()).collect() },
            BodyShape::Box { half: Vec3::new(0.5, 0.3, 0.8) },
            BodyShape::Capsule { radius: 0.3, half_length: 0.4 },
        ]
    }

    /// The same points, gaps, normal and feature ids as parry3d's, except where our direction is better. Each pair is
    /// tried from scratch and then from the last axis while B drifts; one query serves all pairs.
    #[test]
    fn manifolds_are_those_of_parry3d() {
        let (mut numbers, mut query) = (Numbers(1), Query::default());
        let (mut overlapping, mut apart, mut far, mut kept, mut mended) = (0, 0, 0, 0, 0);
        let (mut exactly, mut rough, mut unlike) = (0, 0, 0);
        fn map(shape: &dyn Shape) -> &dyn parry3d::shape::SupportMap {
            shape.as_support_map().expect("a convex shape")
        }
        for (solid_a, solid_b) in shapes().iter().flat_map(|a| shapes().into_iter().map(move |b| (a.clone(), b))) {
            let (shape_a, shape_b) = (solid_a.solid().unwrap().geometry, solid_b.solid().unwrap().geometry);
            // These pairs use other methods.
            if matches!(
                (&solid_a, &solid_b),
                (BodyShape::Box { .. }, BodyShape::Box { .. }) | (BodyShape::Capsule { .. }, BodyShape::Capsule { .. })
            ) {
                continue;
            }
            let (a, b) = (&*shape_a, &*shape_b);
            for _ in 0..40 {
                let mut relative = Pose::from_parts(numbers.three(), Quat::from_scaled_axis(3.0 * numbers.three()));
                let (slide, turn) = (0.01 * numbers.three(), 0.01 * numbers.three());
                let (mut ours, mut theirs) = (ContactManifold::new(), Vec::new());
                for _ in 0..6 {
                    if ours.try_update_contacts(&relative) {
                        kept += 1;
                    } else {
                        meet(&mut ours, &mut query, &relative, a, b, 0.05);
                    }
                    let known = DefaultQueryDispatcher.contact_manifolds(
                        &relative,
                        &*shape_a,
                        &*shape_b,
                        0.05,
                        &mut theirs,
                        &mut None,
                    );
                    known.unwrap();
                    let expected: &ContactManifold<(), ()> = &theirs[0];
                    let what = format!("{solid_a:?} and {solid_b:?} at {relative:?}");
                    match ours.find_deepest_contact() {
                        Some(p) if p.dist < 0.0 => overlapping += 1,
                        Some(_) => apart += 1,
                        None => far += 1,
                    }
                    // parry3d's direction is not always the best: see `separation.rs`, and `round.rs` for cylinders and
                    // capsules.
                    let exact = round::axis(a).is_some() || round::axis(b).is_some();
                    if exact || ours.local_n1.distance(expected.local_n1) > 1e-6 {
                        let proven = |n: Vec3| separation::along(&relative, map(a), map(b), n).gap;
                        let found = ours.local_n1.is_normalized() && expected.local_n1.is_normalized();
                        if found && !ours.points.is_empty() {
                            let (mine, other) = (proven(ours.local_n1), proven(expected.local_n1));
                            assert!(mine > other - 1e-5, "{mine} where parry3d has {other}, {what}");
                        }
                        mended += usize::from(!exact);
                        theirs.clear();
                        break;
                    }
                    // Closest points, without features, that add nothing to the features are left out.
                    let known = |p: &&TrackedContact<()>| p.fid1 != PackedFeatureId::UNKNOWN;
                    let deepest = expected.points.iter().filter(known).map(|p| p.dist).fold(f32::INFINITY, f32::min);
                    let counts = |p: &&TrackedContact<()>| known(p) || p.dist < deepest - NOT_DEEPER;
                    let expected_points: Vec<_> = expected.points.iter().filter(counts).collect();
                    // Corners on the other face's border, and crossings of edges that are nearly parallel, count once,
                    // twice or not at all.
                    if ours.points.len() != expected_points.len() {
                        unlike += 1;
                        break;
                    }
                    assert!(ours.local_n2.distance(expected.local_n2) < 1e-6, "{what}");
                    for (p, q) in ours.points.iter().zip(&expected_points) {
                        assert_eq!((p.fid1, p.fid2), (q.fid1, q.fid2), "{what}");
                        // Of crossings of edges that are nearly parallel parry3d loses some digits.
                        let ends = p.local_p1.distance(q.local_p1).max(p.local_p2.distance(q.local_p2));
                        let off = ends.max((p.dist - q.dist).abs());
                        assert!(off < 1e-2, "{off} m, {what}");
                        (exactly, rough) = (exactly + 1, rough + usize::from(off > 1e-6));
                    }
                    relative.translation += slide;
                    relative.rotation = (Quat::from_scaled_axis(turn) * relative.rotation).normalize();
                }
            }
        }
        assert!(overlapping > 1000 && apart > 100 && far > 1000, "{overlapping} overlap, {apart} near, {far} far");
        assert!(kept > 0, "{kept}");
        assert!(mended < 40, "{mended}");
        assert!(rough < exactly / 20, "{rough} of {exactly} points elsewhere");
        assert!(unlike < 10, "{unlike} manifolds with another number of points");
    }
}
