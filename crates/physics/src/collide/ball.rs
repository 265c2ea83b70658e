//! Contact of a ball and a hull: at the point of the hull's surface nearest to the ball's centre c.
//!
//! ```text
//! c outside   GJK between the hull and c: p is the closest point, n = (c − p)/‖c − p‖
//! c inside    the nearest of the faces' planes: d = max over faces of nᶠ·(c − pᶠ) ≤ 0, p = c − d n;
//!             p lies in that face: otherwise the way from c to p would cross a nearer plane first
//! gap         n·(c − p) − r
//! ```
//! parry3d's own ball against a hull uses EPA if c is inside, which allocates its lists each time and is exact
//! only to its tolerance.

use glam::Vec3;
use parry3d::math::Pose;
use parry3d::query::TrackedContact;
use parry3d::query::details::local_point_projection_on_support_map;
use parry3d::query::gjk::VoronoiSimplex;
use parry3d::shape::{ConvexPolyhedron, PackedFeatureId, Shape};

/// One contact point with its normals.
pub(super) struct Touch {
    /// Contact points in A's and in B's frame, m, and the gap between them, m.
    pub contact: TrackedContact<()>,
    /// From A to B, unit, A's frame.
    pub normal_a: Vec3,
    /// From B to A, unit, B's frame.
    pub normal_b: Vec3,
}

/// Contact of a ball and a hull, in either order; `relative` is B's pose in A's frame. None if the gap exceeds
/// `prediction`, m, or the shapes are not a ball and a hull.
pub(super) fn touch(relative: &Pose, a: &dyn Shape, b: &dyn Shape, prediction: f32) -> Option<Touch> {
    let swapped = a.as_ball().is_some();
    let (hull, ball) = if swapped { (b, a) } else { (a, b) };
    let (hull, radius) = (hull.as_convex_polyhedron()?, ball.as_ball()?.radius);
    let relative = if swapped { relative.inverse() } else { *relative };
    let centre = relative.translation;
    let (on_hull, outward) = nearest(hull, centre);
    let gap = outward.dot(centre - on_hull) - radius;
    if gap.is_nan() || gap > prediction {
        return None;
    }
    let inward = relative.rotation.inverse() * -outward;
    let feature = hull.support_feature_id_toward(outward).into();
    let face = PackedFeatureId::face(0);
    let contact = TrackedContact::flipped(on_hull, inward * radius, feature, face, gap, swapped);
    let (normal_a, normal_b) = if swapped { (inward, outward) } else { (outward, inward) };
    Some(Touch { contact, normal_a, normal_b })
}

/// The point of a hull's surface nearest to `centre`, and the outward unit normal there; the hull's frame.
pub(super) fn nearest(hull: &ConvexPolyhedron, centre: Vec3) -> (Vec3, Vec3) {
    let outside = local_point_projection_on_support_map(hull, &mut VoronoiSimplex::new(), centre, true);
    match (centre - outside.point).try_normalize() {
        Some(outward) if !outside.is_inside => (outside.point, outward),
        _ => {
            let plane = planes(hull).map(|(corner, normal)| (normal.dot(centre - corner), normal));
            let (height, normal) = plane.max_by(|(g, _), (h, _)| g.total_cmp(h)).unwrap_or((0.0, Vec3::Y));
            (centre - height * normal, normal)
        }
    }
}

/// A corner and the outward unit normal of each face; the hull's frame.
pub(super) fn planes(hull: &ConvexPolyhedron) -> impl Iterator<Item = (Vec3, Vec3)> + '_ {
    let corners = hull.vertices_adj_to_face();
    let corner = move |first: u32| hull.points()[corners[first as usize] as usize];
    hull.faces().iter().map(move |face| (corner(face.first_vertex_or_edge), face.normal))
}

#[cfg(test)]
mod tests {
    use glam::Quat;
    use parry3d::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};

    use super::*;
    use crate::shape::Shape as Solid;

    /// A cube as a hull: the gap is known outside, inside and on the surface. parry3d agrees wherever it has an
    /// answer.
    #[test]
    fn the_gap_of_a_ball_in_a_hull_is_that_of_the_nearest_face() {
        let corners = (0..8).map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32) * 2.0 - 1.0);
        let hull = Solid::Hull { points: corners.collect() }.solid().unwrap().geometry;
        let (radius, turn) = (0.25, Quat::from_rotation_x(0.7));
        let ball = Solid::Sphere { radius }.solid().unwrap().geometry;
        for z in [1.2f32, 1.0, 0.9, 0.5] {
            for (x, y) in [(0.0, 0.0), (0.3, -0.2), (-0.4, 0.45)] {
                let relative = Pose::from_parts(Vec3::new(x, y, z), turn);
                for (swapped, pose) in [(false, relative), (true, relative.inverse())] {
                    let (a, b) = if swapped { (&ball, &hull) } else { (&hull, &ball) };
                    let found = touch(&pose, &**a, &**b, 0.1).expect("a touch");
                    let what = format!("({x}, {y}, {z}), swapped {swapped}");
                    assert!((found.contact.dist - (z - 1.0 - radius)).abs() < 1e-6, "{what}: {}", found.contact.dist);
                    let outward = if swapped { found.normal_b } else { found.normal_a };
                    assert!(outward.distance(Vec3::Z) < 1e-5, "{what}: {outward}");
                    assert!((found.normal_a + pose.rotation * found.normal_b).length() < 1e-6, "{what}");
                    let apart = pose.transform_point(found.contact.local_p2) - found.contact.local_p1;
                    assert!((apart.dot(found.normal_a) - found.contact.dist).abs() < 1e-6, "{what}");
                    // With the centre on the surface, parry3d uses the direction from the hull's origin as normal.
                    if z == 1.0 {
                        continue;
                    }
                    let mut theirs: Vec<ContactManifold<(), ()>> = Vec::new();
                    DefaultQueryDispatcher.contact_manifolds(&pose, &**a, &**b, 0.1, &mut theirs, &mut None).unwrap();
                    let expected = &theirs[0].points[0];
                    assert!((found.contact.dist - expected.dist).abs() < 1e-5, "{what}: {}", expected.dist);
                    assert!(found.normal_a.distance(theirs[0].local_n1) < 1e-4, "{what}: {}", theirs[0].local_n1);
                    assert_eq!((found.contact.fid1, found.contact.fid2), (expected.fid1, expected.fid2), "{what}");
                }
            }
        }
        assert!(touch(&Pose::from_translation(Vec3::new(0.0, 0.0, 1.36)), &*hull, &*ball, 0.1).is_none());
    }
}
