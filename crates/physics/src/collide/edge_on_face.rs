//! Contact points of an edge on a face: the part of the edge above the face, by its two ends.
//!
//! ```text
//! p(t) = p₀ + t (p₁ − p₀),  0 ≤ t ≤ 1     the edge, projected along n
//! side_j(p) = (q_j+1 − q_j) × (p − q_j)    ≥ 0 inside the face's edge j; linear in t, so each edge cuts the range of t
//! gap       = (q₀ − p)·a / a·n             along n to the face's plane, a its normal
//! ```
//! parry3d intersects the edge with each edge of the face on its own. One that is parallel to the edge, within rounding,
//! then has a crossing anywhere along it, so that a point lay up to the length of the face away from the edge.
//! Source: Cyrus and Beck 1978.

use glam::{Vec2, Vec3};
use parry3d::shape::{PackedFeatureId, PolygonalFeature};

/// What is outside a face by less than this share of its longest edge counts as inside: a capsule along a box's edge
/// touches it.
const ON_BORDER: f32 = 1e-5;

/// A point of an edge above a face.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgePoint {
    /// Where it is on the edge, m.
    pub on_edge: Vec3,
    /// From the edge to the face along the normal, m; negative on overlap.
    pub gap: f32,
    /// The feature of the edge: an end, or the edge itself.
    pub of_edge: PackedFeatureId,
    /// The feature of the face: the face, or the edge of it that the edge crosses.
    pub of_face: PackedFeatureId,
}

/// The ends of the part of an edge that is above a face; none if no part is. `corners` are those of the edge and of the
/// face, `normal` points from the edge to the face, a unit vector, all in one frame.
pub(super) fn clip(
    (edge, face): (&PolygonalFeature, &PolygonalFeature),
    (ends, corners): ([Vec3; 2], &[Vec3]),
    normal: Vec3,
) -> Option<[EdgePoint; 2]> {
    let plane = (corners[2] - corners[1]).cross(corners[0] - corners[1]);
    let slope = plane.dot(normal);
    if slope.abs() <= f32::EPSILON * plane.length() {
        return None;
    }
    let (u, v) = normal.any_orthonormal_pair();
    let project = |corner: Vec3| Vec2::new(corner.dot(u), corner.dot(v));
    let [from, to] = ends.map(project);
    // Whether the corners go round counterclockwise: 1, or −1.
    let [a, b, c] = [0, 1, 2].map(|j| project(corners[j]));
    let sense = (b - a).perp_dot(c - a).signum();
    let count = corners.len();
    let next = |j: usize| (j + 1) % count;
    let longest = (0..count).map(|j| corners[j].distance_squared(corners[next(j)])).fold(0.0, f32::max).sqrt();
    // Where the part begins and ends, and the edge of the face that cuts it off there.
    let (mut first, mut last) = ((0.0f32, None), (1.0f32, None));
    for j in 0..count {
        let (corner, other) = (project(corners[j]), project(corners[next(j)]));
        let side = other - corner;
        let tolerance = ON_BORDER * longest * side.length();
        let [start, end] = [from, to].map(|p| sense * side.perp_dot(p - corner));
        match (start < -tolerance, end < -tolerance) {
            (true, true) => return None,
            (true, false) if start / (start - end) > first.0 => first = (start / (start - end), Some(j)),
            (false, true) if start / (start - end) < last.0 => last = (start / (start - end), Some(j)),
            _ => {}
        }
    }
    if first.0 > last.0 {
        return None;
    }
    Some([(first, 0), (last, 1)].map(|((t, cut), end)| {
        let on_edge = ends[0] * (1.0 - t) + ends[1] * t;
        let gap = (corners[0] - on_edge).dot(plane) / slope;
        let (of_edge, of_face) = match cut {
            None => (edge.vids[end], face.fid),
            Some(j) => (edge.eids[0], face.eids[j]),
        };
        EdgePoint { on_edge, gap, of_edge, of_face }
    }))
}

#[cfg(test)]
mod tests {
    use glam::Quat;
    use parry3d::math::Pose;
    use parry3d::shape::{Cuboid, PolygonalFeatureMap, Segment};

    use super::*;

    fn feature(shape: &dyn PolygonalFeatureMap, normal: Vec3) -> PolygonalFeature {
        let mut feature = PolygonalFeature::default();
        shape.local_support_feature(normal, &mut feature);
        feature
    }

    /// A segment of 0.8 m on a plank of 3 m × 0.8 m, as long as it is wide, at each angle: its ends are above the plank, at
    /// the height where it lies. It is up to 6e-6 rad out of line, which gives its ends 0.4 m × 6e-6.
    #[test]
    fn a_segment_that_rolls_on_a_plank_has_two_points_under_it() {
        let plank = Cuboid::new(Vec3::new(1.5, 0.4, 0.04));
        let segment = Segment::new(Vec3::new(0.0, -0.4, 0.0), Vec3::new(0.0, 0.4, 0.0));
        let top = feature(&plank, Vec3::Z);
        for step in 0..20_000 {
            let share = step as f32 / 20_000.0;
            let turn = Quat::from_rotation_y(40.0 * share) * Quat::from_rotation_z(1e-6 * (step % 7) as f32);
            let pose = Pose::from_parts(Vec3::new(2.8 * share - 1.4, 0.0, 0.15), turn);
            let edge = feature(&segment, turn.inverse() * Vec3::NEG_Z);
            let ends = [0, 1].map(|end| pose.transform_point(edge.vertices[end]));
            let points = clip((&edge, &top), (ends, &top.vertices[..4]), Vec3::NEG_Z).expect("it lies on the plank");
            for (point, end) in points.into_iter().zip(ends) {
                assert!((point.gap - 0.11).abs() < 3e-6, "{point:?}");
                assert!(point.on_edge.distance(end) < 1e-4, "{point:?}, {end}");
            }
        }
    }

    /// A segment across the border is cut there, and one beside the face has no points. Both senses of the face.
    #[test]
    fn a_segment_is_cut_at_the_border() {
        let plank = Cuboid::new(Vec3::new(1.5, 0.4, 0.04));
        for (side, height) in [(Vec3::Z, 0.1), (Vec3::NEG_Z, -0.1)] {
            let face = feature(&plank, side);
            let points = |from: Vec3, to: Vec3| {
                let edge = feature(&Segment::new(from, to), -side);
                clip((&edge, &face), ([edge.vertices[0], edge.vertices[1]], &face.vertices[..4]), -side)
            };
            let across = points(Vec3::new(1.0, -1.0, height), Vec3::new(1.0, 0.1, height)).expect("it crosses");
            let mut at = across.map(|point| point.on_edge.y);
            at.sort_by(f32::total_cmp);
            assert!((at[0] + 0.4).abs() < 1e-6 && (at[1] - 0.1).abs() < 1e-6, "{across:?}");
            assert!(across.iter().all(|point| (point.gap - 0.06).abs() < 1e-6), "{across:?}");
            assert!(
                points(Vec3::new(2.0, -1.0, height), Vec3::new(2.0, 1.0, height)).is_none(),
                "it is beside the face"
            );
            assert!(points(Vec3::new(1.4, 0.6, height), Vec3::new(1.7, 0.3, height)).is_none(), "it passes the corner");
        }
    }
}
