//! Lower bounds on the distance of two convex shapes along a direction, and a better direction when GJK or EPA fails.
//!
//! ```text
//! s(n) = min over B of n·x − max over A of n·x        n a unit vector: the gap between two planes across n, each of
//!                                                     which touches its shape
//! distance = max over n of s(n)                       negative on overlap: the penetration along the best n
//! ```
//! So s(n) is never more than the signed distance, for any n: an answer (gap, n) is right if gap = s(n) and no other
//! direction has a larger s. In 32 bits GJK and EPA do fail, mostly if one shape is far larger than the other or a
//! body lies almost flat: EPA gives up, or ends with a face that does not bound the shapes. The body then has no
//! contact for a step, or is pushed the wrong way, and falls through the floor. So every overlap is checked, always
//! against the previous step's direction and a box's faces, and against all faces of both shapes if the answer is
//! wrong.
//! Source: Gottschalk, Lin and Manocha 1996 (separating axes); van den Bergen 2001 (EPA).

use glam::Vec3;
use parry3d::math::Pose;
use parry3d::shape::{Shape, SupportMap, TypedShape};

/// A direction and the support points of both shapes along it; A's frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Separation {
    /// s(n), m.
    pub gap: f32,
    /// From A to B, unit.
    pub normal: Vec3,
    /// The support points, m.
    pub on_a: Vec3,
    pub on_b: Vec3,
}

/// s(n) of two shapes; `relative` is B's pose in A's frame, `normal` a unit vector in A's frame.
pub(super) fn along<A: ?Sized + SupportMap, B: ?Sized + SupportMap>(
    relative: &Pose,
    a: &A,
    b: &B,
    normal: Vec3,
) -> Separation {
    let on_a = a.local_support_point(normal);
    let on_b = relative.transform_point(b.local_support_point(relative.rotation.inverse() * -normal));
    Separation { gap: normal.dot(on_b - on_a), normal, on_a, on_b }
}

/// How much two computations of one gap may differ, m. GJK's relative tolerance is about 1e-3, several hundredths for
/// round shapes; EPA's tolerance is 1e-5 m; coordinates have a relative error of 1e-6.
fn rounding(found: f32, on_a: Vec3, on_b: Vec3, round: bool) -> f32 {
    let share = if round { 0.05 } else { 0.01 };
    2.5e-5 + share * found.abs() + 1e-5 * (on_a.abs().max_element() + on_b.abs().max_element()).min(1.0)
}

/// Returns the answer `found` by GJK or EPA (point on A, point on B, normal) if it is right. Otherwise the best of
/// `last` (the previous step's direction), the found normal, the line of centres and the shapes' faces.
pub(super) fn check<A: ?Sized + SupportMap, B: ?Sized + SupportMap>(
    relative: &Pose,
    (a, b): (&A, &B),
    (shape_a, shape_b): (&dyn Shape, &dyn Shape),
    found: Option<(Vec3, Vec3, Vec3)>,
    last: Vec3,
) -> (Vec3, Vec3, Vec3) {
    let along_normal = |normal: Vec3| along(relative, a, b, normal);
    let round = [shape_a, shape_b].iter().any(|shape| shape.as_cylinder().is_some());
    let claimed = found.filter(|(_, _, normal)| normal.is_normalized()).map(|(on_a, on_b, normal)| {
        let gap = normal.dot(on_b - on_a);
        let proven = along_normal(normal).gap;
        (gap, proven, rounding(gap, on_a, on_b, round))
    });
    if let (Some((gap, proven, rounding)), Some(found)) = (claimed, found)
        && proven > 0.0
        && gap - proven <= rounding + if round { 0.2 * proven } else { 0.0 }
    {
        return found;
    }
    let mut best = along_normal(last);
    let better = |best: &mut Separation, normal: Vec3| {
        let other = along_normal(normal);
        if other.gap > best.gap {
            *best = other;
        }
    };
    for (shape, turn) in [(shape_a, None), (shape_b, Some(relative.rotation))] {
        if let TypedShape::Cuboid(_) = shape.as_typed_shape() {
            for axis in Vec3::AXES.map(|axis| turn.map_or(axis, |turn| turn * axis)) {
                better(&mut best, axis);
                better(&mut best, -axis);
            }
        }
    }
    if let (Some((gap, proven, rounding)), Some(found)) = (claimed, found)
        && (gap - proven).abs() <= rounding
        && best.gap <= proven + rounding
    {
        return found;
    }
    if let Some(normal) = relative.translation.try_normalize() {
        better(&mut best, normal);
    }
    if let Some((_, _, normal)) = found.filter(|(_, _, normal)| normal.is_normalized()) {
        better(&mut best, normal);
    }
    each_face(shape_a, |normal| better(&mut best, normal));
    each_face(shape_b, |normal| better(&mut best, relative.rotation * -normal));
    // Keeps the place if the direction was only slightly wrong.
    if let Some((on_a, on_b, _)) = found.filter(|(_, _, normal)| normal.dot(best.normal) > 0.99) {
        let middle = 0.5 * (on_a + on_b);
        let on = |plane: Vec3| middle + best.normal * best.normal.dot(plane - middle);
        return (on(best.on_a), on(best.on_b), best.normal);
    }
    // They touch at the smaller shape's support point; the larger shape's may be far away.
    let small_b = shape_b.compute_local_bounding_sphere().radius() < shape_a.compute_local_bounding_sphere().radius();
    let across = best.normal * best.gap;
    if small_b { (best.on_b - across, best.on_b, best.normal) } else { (best.on_a, best.on_a + across, best.normal) }
}

/// The outward normals of a shape's flat faces, its own frame. None for a box, whose faces the caller tries first.
fn each_face(shape: &dyn Shape, visit: impl FnMut(Vec3)) {
    match shape.as_typed_shape() {
        TypedShape::Cylinder(_) => [Vec3::Y, Vec3::NEG_Y].into_iter().for_each(visit),
        TypedShape::ConvexPolyhedron(hull) => hull.faces().iter().map(|face| face.normal).for_each(visit),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::super::single::Query;
    use super::*;
    use crate::shape::Shape as Solid;

    /// Hulls of 1 cm on a floor of 100 m: the gap must be the height of the lowest corner and the normal the floor's,
    /// overlapping or not. EPA alone is wrong or gives up in some of these poses.
    #[test]
    fn a_small_hull_on_a_large_floor_has_the_gap_of_its_lowest_corner() {
        let mut state = 7u32;
        let mut number = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let floor = Solid::Box { half: Vec3::new(100.0, 100.0, 0.1) }.solid().unwrap().geometry;
        let mut query = Query::default();
        for _ in 0..3000 {
            let points: Vec<Vec3> = (0..12).map(|_| 0.01 * Vec3::new(number(), number(), 0.4 * number())).collect();
            let Some(hull) = (Solid::Hull { points: points.clone() }).solid() else { continue };
            let turn = Quat::from_scaled_axis(3.0 * Vec3::new(number(), number(), number()));
            let lowest = points.iter().map(|p| (turn * *p).z).fold(f32::INFINITY, f32::min);
            let gap = 0.006 * number();
            let at = Vec3::new(50.0 * number(), 50.0 * number(), 0.1 - lowest + gap);
            let relative = Pose::from_parts(at, turn);
            let (distance, normal) = query.distance(&relative, &*floor, &*hull.geometry).expect("a distance");
            let what = format!("{distance} along {normal}, expected {gap}: {points:?} at {relative:?}");
            assert!((distance - gap).abs() < 1e-4, "{what}");
            assert!(normal.z > 0.99 || gap > 0.0, "{what}");
        }
    }
}
