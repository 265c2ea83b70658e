//! Updates the points of a pair that has hardly moved, four at a time: parry3d's `try_update_contacts` and the steps
//! of `narrow::full` for kept points, in one pass and with the same bits.
//!
//! ```text
//! kept       the normals still face each other within 1°, no gap has changed its sign, and no point has slid by 1 mm,
//!            or by a hundredth of the thinner body's thickness, along the surface since it was found; nor has a
//!            deep overlap grown by a quarter of that in a step, which parry3d would allow
//! followed   all points are within the prediction and correspond to the manifold's own by their features
//! ```

use glam::{Quat, Vec3};
use parry3d::math::Pose;
use parry3d::query::{ContactManifold, TrackedContact};

use super::four::{LANES, Lanes, Vectors};
use super::manifold::{Manifold, POINTS, Point};
use crate::body::Body;
use crate::settings::Settings;

/// parry3d's limits: cosine of the angle between the normals, and how far points may slide, m.
const FACING: f32 = 0.999_847_7;
const SLID: f32 = 1e-3;
/// Points of thin bodies may slide by this share of the half thickness only.
const SLID_OF_THIN: f32 = 0.02;

/// Points of an overlap of more than so many slops are found again if it grows by more than this share of that way in
/// a step: a box that slides over another's top from its side, whose face it met edge on, would keep that face's
/// normal however deep it comes.
const DEEP: f32 = 2.0;
const SINKS: f32 = 0.25;

/// The result for a pair's points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tracking {
    /// The points must be found again.
    Lost,
    /// parry3d's points are still valid.
    Kept,
    /// parry3d's points and the manifold were both updated.
    Followed,
}

/// q v in each lane.
#[inline(always)]
fn turned(q: Quat, v: Vectors) -> Vectors {
    let b = Vec3::new(q.x, q.y, q.z);
    let axis = Vectors { x: Lanes::splat(b.x), y: Lanes::splat(b.y), z: Lanes::splat(b.z) };
    let along = v.dot(axis) * Lanes::splat(2.0);
    v * Lanes::splat(q.w * q.w - b.dot(b)) + axis * along + axis.cross(v) * Lanes::splat(q.w * 2.0)
}

#[inline(always)]
fn splat(v: Vec3) -> Vectors {
    Vectors { x: Lanes::splat(v.x), y: Lanes::splat(v.y), z: Lanes::splat(v.z) }
}

/// Transforms points, one per lane, by `pose`.
#[inline(always)]
fn placed(pose: &Pose, v: Vectors) -> Vectors {
    let (turned, by) = (turned(pose.rotation, v), splat(pose.translation));
    Vectors { x: turned.x + by.x, y: turned.y + by.y, z: turned.z + by.z }
}

/// Updates parry3d's points, at most four, to `relative`, B's pose in A's frame; `thickness` is the half thickness of
/// the thinner body, m. Updates the manifold's points too, where they correspond.
pub(super) fn update_points(
    manifold: &mut Manifold,
    found: &mut ContactManifold<(), ()>,
    (relative, pose_a, pose_b): (&Pose, &Pose, &Pose),
    a: &Body,
    (prediction, thickness, settings): (f32, f32, &Settings),
) -> Tracking {
    let count = found.points.len();
    debug_assert!((1..=POINTS).contains(&count), "four lanes");
    let facing = -found.local_n1.dot(relative.rotation * found.local_n2);
    if facing < FACING {
        return Tracking::Lost;
    }
    let gather = |get: fn(&TrackedContact<()>) -> [f32; 4]| -> [Lanes; 4] {
        let row = |lane: usize| Lanes::from(get(&found.points[lane.min(count - 1)]));
        Lanes::transpose(std::array::from_fn::<_, LANES, _>(row))
    };
    let [x, y, z, was] = gather(|p| [p.local_p1.x, p.local_p1.y, p.local_p1.z, p.dist]);
    let on_a = Vectors { x, y, z };
    let [x, y, z, _] = gather(|p| [p.local_p2.x, p.local_p2.y, p.local_p2.z, 0.0]);
    let on_b = Vectors { x, y, z };
    let n = splat(found.local_n1);
    let max_slide = SLID.min(SLID_OF_THIN * thickness);
    let b_in_a = placed(relative, on_b);
    let gap = (b_in_a - on_a).dot(n);
    let foot = on_a - (b_in_a - n * gap);
    let deep = Lanes::splat(-DEEP * manifold.slop);
    let sinks = gap.simd_lt(deep) & (was - gap).simd_gt(Lanes::splat(SINKS * max_slide));
    let lost = (gap * was).simd_lt(Lanes::ZERO) | foot.dot(foot).simd_gt(Lanes::splat(max_slide * max_slide)) | sinks;
    if lost.any() {
        return Tracking::Lost;
    }
    let gaps = gap.to_array();
    found.points.iter_mut().zip(gaps).for_each(|(point, gap)| point.dist = gap);
    let normal = pose_a.rotation * found.local_n1;
    if !stands(manifold, found, normal, prediction, settings) {
        return Tracking::Kept;
    }
    let (world_a, world_b) = (placed(pose_a, on_a), placed(pose_b, on_b));
    let position =
        Vectors { x: world_a.x + world_b.x, y: world_a.y + world_b.y, z: world_a.z + world_b.z } * Lanes::HALF;
    let local = turned(a.rotation.inverse(), position - splat(a.position));
    let (position, local) = (position.scatter(), local.scatter());
    for (k, point) in manifold.points.iter_mut().enumerate() {
        (point.position, point.local, point.separation) = (position[k].into(), local[k].into(), gaps[k]);
    }
    manifold.normal = normal;
    manifold.grows = false;
    manifold.scale_impulses(settings);
    Tracking::Followed
}

/// Whether the manifold's points correspond to parry3d's one to one, each with known and distinct features.
fn stands(
    manifold: &Manifold,
    found: &ContactManifold<(), ()>,
    normal: Vec3,
    prediction: f32,
    settings: &Settings,
) -> bool {
    let same = |(point, contact): (&Point, &TrackedContact<()>)| {
        point.feature == (contact.fid1.0, contact.fid2.0) && point.feature != (0, 0) && contact.dist <= prediction
    };
    let distinct = |(i, point): (usize, &Point)| manifold.points[..i].iter().all(|p| p.feature != point.feature);
    let warm = &settings.warm_start;
    warm.enabled
        && warm.feature_ids
        && manifold.points.len() == found.points.len()
        && normal.dot(manifold.normal) >= 0.5
        && manifold.points.iter().zip(&found.points).all(same)
        && manifold.points.iter().enumerate().all(distinct)
}

#[cfg(test)]
mod tests {
    use parry3d::query::{DefaultQueryDispatcher, PersistentQueryDispatcher};

    use super::*;
    use crate::shape::Shape as BodyShape;

    /// Boxes that drift on each other: points are kept or lost exactly as in parry3d, with bitwise equal gaps.
    #[test]
    fn what_is_kept_is_what_parry3d_keeps() {
        let solid = BodyShape::Box { half: Vec3::new(0.5, 0.4, 0.3) }.solid().unwrap();
        let body = crate::bench::body(BodyShape::Box { half: Vec3::new(0.5, 0.4, 0.3) }, Vec3::ZERO);
        let body = Body::new(body);
        let (mut kept, mut lost) = (0, 0);
        for drift in 0..200 {
            let size = 1e-5 * (1.0 + drift as f32);
            let start = Pose::from_parts(Vec3::new(0.1, -0.05, 0.599), Quat::from_rotation_z(0.3));
            let mut ours = ContactManifold::<(), ()>::new();
            let shape = &*solid.geometry;
            DefaultQueryDispatcher
                .contact_manifold_convex_convex(&start, shape, shape, None, None, 0.02, &mut ours)
                .unwrap();
            // Two faces rotated against each other meet in up to eight corners.
            ours.points.truncate(POINTS);
            assert!(!ours.points.is_empty());
            let mut theirs = ours.clone();
            let mut pose = start;
            for step in 0..20 {
                pose.translation += size * Vec3::new(1.0, 0.4, if step % 2 == 0 { -0.2 } else { 0.1 });
                pose.rotation = (Quat::from_rotation_x(0.1 * size) * pose.rotation).normalize();
                let expected = theirs.try_update_contacts(&pose);
                let poses = (&pose, &Pose::IDENTITY, &pose);
                let mut manifold = Manifold::default();
                let fate = update_points(&mut manifold, &mut ours, poses, &body, (0.02, 0.3, &Settings::default()));
                assert_eq!(fate == Tracking::Kept, expected, "drift {drift}, step {step}");
                let gaps = |m: &ContactManifold<(), ()>| m.points.iter().map(|p| p.dist.to_bits()).collect::<Vec<_>>();
                assert_eq!(gaps(&ours), gaps(&theirs), "drift {drift}, step {step}");
                if !expected {
                    lost += 1;
                    break;
                }
                kept += 1;
            }
        }
        assert!(kept > 200 && lost > 50, "{kept} kept, {lost} lost");
    }
}
