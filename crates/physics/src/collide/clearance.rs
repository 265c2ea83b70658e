//! Two shapes found apart need no new narrow-phase test until they have moved far enough to touch.
//!
//! ```text
//! core    a shape without its radius: a ball's centre, a capsule's segment, a whole box
//! s       a lower bound on the surfaces' distance: for boxes the greatest gap of their projections on 15 axes; for
//!         round cores their distance; for a segment and a box ‖g‖ with g the gaps along the box's axes; else the gap
//!         along GJK's last direction; less both radii
//! moved   a bound on the motion of B's core relative to A: |Δt| + ‖ΔR‖ r,   ‖ΔR‖ = 2 sin(θ/2) ≤ 2 |Δq|
//! apart   while s − moved exceeds the prediction
//! slack   what was left when this was last computed, less how far each body's points have moved in the world since
//! ```
//! The bounding boxes have a margin, so they pair many shapes that never touch: four of five pairs in a heap of
//! ragdolls, and all horizontal neighbours in a pyramid of cubes.

use glam::Vec3;
use parry3d::math::Pose;
use parry3d::query::details::closest_points_segment_segment_with_locations as between;
use parry3d::shape::{Cuboid, Segment, Shape, TypedShape};

use super::boxes::Boxes;
use super::separation;
use crate::copy::copied_by_fields;

/// Bound on the rounding error of a gap, as a share of the shapes' distance from each other.
const ROUNDING: f32 = 1e-5;

/// The gap between two shapes when they were last tested.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clearance {
    /// s, a lower bound on the distance, m; zero if unknown.
    gap: f32,
    /// B's pose in A's frame at that time.
    pose: Pose,
    /// The sizes of both shapes, to detect that a shape was exchanged.
    sizes: [Vec3; 2],
}

/// A shape's dimensions, distinct for distinct shapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size {
    size: Vec3,
    /// Distance of the core's farthest point from the shape's origin, m.
    reach: f32,
}

impl Size {
    /// The size of `shape`. None for a hull: its points may change while its extents stay the same.
    pub fn of(shape: &dyn Shape) -> Option<Self> {
        let sized = sized(shape)?;
        Some(Self { size: sized.size, reach: sized.reach })
    }
}

/// How far the points of each body's shape have moved since contacts were last looked for.
#[derive(Debug, Default)]
pub struct ShapeMotion {
    /// By body: where its shape was then, and its size.
    last: Vec<(Pose, Option<Size>)>,
    /// By body: an upper bound for a point of its core, m; infinite if the shape is another one or has no size.
    pub moved: Vec<f32>,
}

copied_by_fields!(ShapeMotion { last, moved });

impl ShapeMotion {
    /// Notes where the shapes are now.
    pub fn update(&mut self, poses: &[Pose], sizes: &[Option<Size>]) {
        let Self { last, moved } = self;
        last.resize(poses.len(), (Pose::IDENTITY, None));
        moved.clear();
        moved.extend(last.iter_mut().zip(poses.iter().zip(sizes)).map(|(last, (pose, size))| {
            let (before, known) = std::mem::replace(last, (*pose, *size));
            let Some(size) = size.filter(|size| Some(*size) == known) else { return f32::INFINITY };
            let turned = (pose.rotation - before.rotation).length_squared().sqrt();
            let shifted = (pose.translation - before.translation).length_squared().sqrt();
            MOTION_ROUNDING + (shifted + 2.0 * turned * size.reach) * (1.0 + ROUNDING)
        }));
    }
}

/// Added to each step's movement for the rounding of the sums, m.
const MOTION_ROUNDING: f32 = 1e-7;

/// A shape without its radius; its own frame.
enum Core<'a> {
    Point,
    Segment(&'a Segment),
    Cuboid(&'a Cuboid),
    Other,
}

/// A shape split into core and radius, with its size.
struct Sized<'a> {
    core: Core<'a>,
    /// Radius around the core, m.
    radius: f32,
    /// Distance of the core's farthest point from the shape's origin, m.
    reach: f32,
    size: Vec3,
}

fn sized(shape: &dyn Shape) -> Option<Sized<'_>> {
    let (core, radius, reach, size) = match shape.as_typed_shape() {
        TypedShape::Cuboid(cuboid) => (Core::Cuboid(cuboid), 0.0, cuboid.half_extents.length(), cuboid.half_extents),
        TypedShape::Ball(ball) => (Core::Point, ball.radius, 0.0, Vec3::new(ball.radius, 0.0, -1.0)),
        TypedShape::Capsule(capsule) => {
            let half = capsule.segment.a.length().max(capsule.segment.b.length());
            (Core::Segment(&capsule.segment), capsule.radius, half, Vec3::new(half, capsule.radius, -2.0))
        }
        TypedShape::Cylinder(cylinder) => {
            let (half, radius) = (cylinder.half_height, cylinder.radius);
            (Core::Other, 0.0, half.hypot(radius), Vec3::new(half, radius, -3.0))
        }
        _ => return None,
    };
    Some(Sized { core, radius, reach, size })
}

impl Clearance {
    /// What is left of the stored gap at the pose `relative` of B in A's frame, m: the shapes are farther apart than
    /// this. Zero if nothing is known of them.
    pub fn left(&self, relative: &Pose, sizes: (&Option<Size>, &Option<Size>)) -> f32 {
        let (Some(a), Some(b)) = sizes else { return 0.0 };
        // `sqrt` of the standard library is faster than glam's: see `kernel::rotation::turned`.
        let turned = (relative.rotation - self.pose.rotation).length_squared().sqrt();
        let moved = (relative.translation - self.pose.translation).length_squared().sqrt() + 2.0 * turned * b.reach;
        let rounding = ROUNDING * (1.0 + relative.translation.length_squared().sqrt());
        let left = self.gap - moved - rounding;
        if self.sizes == [a.size, b.size] && left > 0.0 { left } else { 0.0 }
    }

    /// Whether a distance test, cheaper than finding points, shows that the shapes are farther apart than
    /// `prediction`, m. Stores the gap. Returns false for pairs of shapes without such a test.
    pub fn test(&mut self, relative: &Pose, (a, b): (&dyn Shape, &dyn Shape), prediction: f32) -> bool {
        let Some((a, b)) = sized(a).zip(sized(b)) else { return false };
        let place = |segment: &Segment| [relative.transform_point(segment.a), relative.transform_point(segment.b)];
        let cores = match (&a.core, &b.core) {
            (Core::Cuboid(a), Core::Cuboid(b)) => Boxes::new(a, b, relative).gap(prediction).0,
            (Core::Point, Core::Point) => relative.translation.length(),
            (Core::Point, Core::Segment(segment)) => to_segment(Vec3::ZERO, place(segment)),
            (Core::Segment(segment), Core::Point) => to_segment(relative.translation, [segment.a, segment.b]),
            (Core::Segment(a), Core::Segment(b)) => {
                let (on_a, on_b) = between(relative, a, b);
                relative.transform_point(b.point_at(&on_b)).distance(a.point_at(&on_a))
            }
            (Core::Cuboid(cuboid), Core::Point) => to_box([relative.translation; 2], cuboid),
            (Core::Cuboid(cuboid), Core::Segment(segment)) => to_box(place(segment), cuboid),
            (Core::Point, Core::Cuboid(cuboid)) => to_box([relative.inverse_transform_point(Vec3::ZERO); 2], cuboid),
            (Core::Segment(segment), Core::Cuboid(cuboid)) => {
                to_box([segment.a, segment.b].map(|end| relative.inverse_transform_point(end)), cuboid)
            }
            (Core::Other, _) | (_, Core::Other) => return false,
        };
        let gap = cores - a.radius - b.radius;
        *self = Self { gap, pose: *relative, sizes: [a.size, b.size] };
        // False if the gap is NaN.
        gap > prediction
    }

    /// Stores the gap along `direction`, unit, A's frame, after the search for points has found none.
    pub fn store_gap(&mut self, relative: &Pose, (a, b): (&dyn Shape, &dyn Shape), direction: Vec3) {
        let maps = a.as_support_map().zip(b.as_support_map());
        let Some((sized, (a, b))) = sized(a).zip(sized(b)).zip(maps) else { return };
        if direction.is_normalized() {
            let gap = separation::along(relative, a, b, direction).gap;
            *self = Self { gap, pose: *relative, sizes: [sized.0.size, sized.1.size] };
        }
    }
}

/// Distance from a point to a segment, m.
fn to_segment(point: Vec3, [from, to]: [Vec3; 2]) -> f32 {
    let (edge, there) = (to - from, point - from);
    let share = there.dot(edge) / edge.length_squared().max(f32::MIN_POSITIVE);
    there.distance(edge * share.clamp(0.0, 1.0))
}

/// Lower bound on the distance from a segment to a box, m; the box's frame.
fn to_box([from, to]: [Vec3; 2], cuboid: &Cuboid) -> f32 {
    (from.min(to) - cuboid.half_extents).max(-from.max(to) - cuboid.half_extents).max(Vec3::ZERO).length()
}

#[cfg(test)]
mod tests {
    use glam::Quat;
    use parry3d::query;

    use super::*;
    use crate::shape::Shape as Solid;

    /// Whether the shapes are proven to be farther apart than 2 cm, by the stored gap or by a new test.
    fn are(apart: &mut Clearance, pose: &Pose, (a, b): (&dyn Shape, &dyn Shape)) -> bool {
        apart.left(pose, (&Size::of(a), &Size::of(b))) > 0.02 || apart.test(pose, (a, b), 0.02)
    }

    /// Whenever the shapes are reported apart, GJK's distance exceeds the prediction, for any motion of B. And the
    /// stored gap is useful: it suffices more often than not when B moves by a hundredth of its size per step.
    #[test]
    fn shapes_that_are_held_apart_are_apart() {
        let mut state = 5u32;
        let mut number = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let shapes = [
            Solid::Box { half: Vec3::new(0.5, 0.3, 0.2) },
            Solid::Box { half: Vec3::new(0.2, 0.4, 0.6) },
            Solid::Sphere { radius: 0.3 },
            Solid::Capsule { radius: 0.1, half_length: 0.5 },
            Solid::Cylinder { radius: 0.3, half_length: 0.3 },
        ]
        .map(|shape| shape.solid().expect("a volume").geometry);
        for (i, j) in (0..shapes.len()).flat_map(|i| (0..shapes.len()).map(move |j| (i, j))) {
            let (a, b) = (&*shapes[i], &*shapes[j]);
            let (mut kept, mut looked) = (0, 0);
            for _ in 0..100 {
                let mut vector = |size: f32| size * Vec3::new(number(), number(), number());
                let mut pose = Pose::from_parts(vector(1.5), Quat::from_scaled_axis(vector(2.0)));
                let (by, turn) = (vector(0.01), Quat::from_scaled_axis(vector(0.02)));
                let mut apart = Clearance::default();
                for _ in 0..40 {
                    let (from, distance) = (apart.pose, query::distance(&Pose::IDENTITY, a, &pose, b).expect("both"));
                    let distance = distance.distance;
                    if are(&mut apart, &pose, (a, b)) {
                        assert!(distance > 0.02 - 2e-5, "{i}, {j}: {distance} m");
                        if from == apart.pose { kept += 1 } else { looked += 1 }
                    } else if distance > 0.02 {
                        looked += 1;
                        let normal =
                            query::contact(&Pose::IDENTITY, a, &pose, b, 9.0).ok().flatten().map(|c| c.normal1);
                        apart.store_gap(&pose, (a, b), normal.unwrap_or(Vec3::X));
                    }
                    pose = Pose::from_parts(pose.translation + by, (turn * pose.rotation).normalize());
                }
            }
            assert!(kept > looked && looked > 50, "{i}, {j}: {kept} held, {looked} looked at");
        }
    }

    /// The corners of a box that drifts and turns move no farther than is noted; of one that rests, by nothing.
    #[test]
    fn no_point_of_a_core_moves_farther_than_its_motion() {
        let half = Vec3::new(0.5, 0.3, 0.2);
        let (cuboid, other) = (Cuboid::new(half), Cuboid::new(2.0 * half));
        let corner =
            |k: u32| half * Vec3::from_array([0, 1, 2].map(|axis| if k >> axis & 1 == 1 { 1.0 } else { -1.0 }));
        let mut motion = ShapeMotion::default();
        let mut pose = Pose::from_parts(Vec3::new(3.0, -2.0, 1.0), Quat::from_rotation_x(0.4));
        motion.update(&[pose], &[Size::of(&cuboid)]);
        assert_eq!(motion.moved, [f32::INFINITY], "nothing is known of it yet");
        for step in 0..100 {
            let (before, by) = (pose, 0.002 * (step % 7) as f32);
            let turn = Quat::from_scaled_axis(Vec3::new(by, -2.0 * by, 0.5 * by));
            pose = Pose::from_parts(pose.translation + by * Vec3::ONE, (turn * pose.rotation).normalize());
            motion.update(&[pose], &[Size::of(&cuboid)]);
            // In 64 bits: at 3 m from the origin 32 bits round a place by more than what is allowed for.
            let place = |pose: &Pose, k| {
                pose.rotation.as_dquat().normalize() * corner(k).as_dvec3() + pose.translation.as_dvec3()
            };
            let edge = |k| place(&before, k).distance(place(&pose, k));
            let farthest = (0..8).map(edge).fold(0.0, f64::max);
            assert!(f64::from(motion.moved[0]) >= farthest, "step {step}: {} of {farthest} m", motion.moved[0]);
            assert!(by > 0.0 || motion.moved[0] < 1e-6, "at rest: {} m", motion.moved[0]);
        }
        motion.update(&[pose], &[Size::of(&other)]);
        assert_eq!(motion.moved, [f32::INFINITY], "another shape");
    }

    /// A shape that was exchanged for another is tested again.
    #[test]
    fn another_shape_is_not_held_apart() {
        let (small, large) = (Cuboid::new(Vec3::splat(0.1)), Cuboid::new(Vec3::splat(0.9)));
        let (mut apart, pose) = (Clearance::default(), Pose::from_translation(Vec3::X));
        assert!(are(&mut apart, &pose, (&small, &small)) && apart.gap > 0.7);
        assert!(!are(&mut apart, &pose, (&small, &large)));
    }
}
