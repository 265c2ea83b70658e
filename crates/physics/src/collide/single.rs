//! One contact point per pair: GJK finds the closest points of two convex shapes, EPA the penetration if they
//! overlap.
//!
//! This is the method of 004 ch. 12: one contact, found again each step. A box that lies flat touches at one corner in
//! this step and at another in the next, so a single point cannot hold it; ch. 13 collects such points over the
//! steps, see `growing.rs`.

use glam::Vec3;
use parry3d::math::Pose;
use parry3d::query::epa::EPA;
use parry3d::query::gjk::{self, CsoPoint, GJKResult, VoronoiSimplex};
use parry3d::query::{DefaultQueryDispatcher, QueryDispatcher};
use parry3d::shape::{Ball, Shape, SupportMap};

use super::ball::{self, Touch};
use super::manifold::{POINTS, Point};
use super::separation;
use crate::body::Body;
use crate::shape::Solid;

/// GJK's simplex and EPA's polytope, reused so that queries do not allocate after the first one. No result depends on the
/// query before, so a copy of a world starts with empty ones.
#[derive(Default)]
pub(super) struct Query {
    simplex: VoronoiSimplex,
    epa: EPA,
    /// Whether [`Query::make_room`] has enlarged the polytope's lists.
    has_room: bool,
    /// Scratch: a pair's points before reduction, and those of the previous step.
    raw: Vec<Point>,
    old: Vec<Point>,
}

impl Clone for Query {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The closest points of two shapes, or the deepest ones on overlap, m; A's frame.
struct Closest {
    on_a: Vec3,
    on_b: Vec3,
    /// From A to B, unit.
    normal: Vec3,
    /// Signed distance, m; negative on overlap.
    distance: f32,
}

/// Capacity for the points of a convex manifold before reduction.
const RAW: usize = 32;

impl Query {
    /// Scratch lists: the first, cleared, for a pair's points before reduction, the second for those of the previous
    /// step.
    pub(super) fn lists(&mut self) -> (&mut Vec<Point>, &mut Vec<Point>) {
        self.raw.clear();
        self.raw.reserve(RAW);
        self.old.reserve(POINTS);
        (&mut self.raw, &mut self.old)
    }

    /// Enlarges EPA's lists by a dummy query. They cannot be given a capacity, and the overlap that needs the largest
    /// polytope may come late in a run. Two balls with nearly the same centre use all of EPA's iterations, so their
    /// lists are the longest.
    fn make_room(&mut self) {
        if !self.has_room {
            let (ball, apart) = (Ball::new(1.0), Pose::from_translation(Vec3::new(0.02, 0.05, 0.03)));
            self.simplex.reset(CsoPoint::from_shapes(&apart, &ball, &ball, Vec3::X));
            gjk::closest_points(&apart, &ball, &ball, 0.0, true, &mut self.simplex);
            self.epa.closest_points(&apart, &ball, &ball, &self.simplex);
            self.has_room = true;
        }
    }

    /// The one contact point of two convex shapes of bodies and the normal from A to B; world frame. None if they are
    /// farther apart than `prediction`, m.
    pub(super) fn point(
        &mut self,
        (a, piece_a): (&Body, &Solid),
        (b, piece_b): (&Body, &Solid),
        prediction: f32,
    ) -> Option<(Point, Vec3)> {
        let (pose_a, pose_b) = (a.pose() * piece_a.offset, b.pose() * piece_b.offset);
        let relative = pose_a.inv_mul(&pose_b);
        let found = self.closest(&relative, &*piece_a.geometry, &*piece_b.geometry, prediction)?;
        let (on_a, on_b) = (pose_a.transform_point(found.on_a), pose_a.transform_point(found.on_b));
        let point = Point {
            position: 0.5 * (on_a + on_b),
            separation: found.distance,
            local: a.rotation.inverse() * (on_a - a.position),
            local_b: b.rotation.inverse() * (on_b - b.position),
            ..Point::default()
        };
        Some((point, pose_a.rotation * found.normal))
    }

    /// Signed distance of two shapes, m, negative on overlap, and the normal from A to B in A's frame. None if GJK
    /// and EPA fail.
    pub(super) fn distance(&mut self, relative: &Pose, a: &dyn Shape, b: &dyn Shape) -> Option<(f32, Vec3)> {
        self.closest(relative, a, b, f32::MAX).map(|found| (found.distance, found.normal))
    }

    fn closest(&mut self, relative: &Pose, a: &dyn Shape, b: &dyn Shape, prediction: f32) -> Option<Closest> {
        if !(relative.translation.is_finite() && relative.rotation.is_finite()) {
            return None;
        }
        let found = if a.as_ball().is_some() || b.as_ball().is_some() {
            // A ball is a point with a radius: projecting its centre is exact, GJK on its surface is not.
            if a.as_convex_polyhedron().is_some() || b.as_convex_polyhedron().is_some() {
                let Touch { contact, normal_a, .. } = ball::touch(relative, a, b, prediction)?;
                let on_b = relative.transform_point(contact.local_p2);
                Closest { on_a: contact.local_p1, on_b, normal: normal_a, distance: contact.dist }
            } else {
                let contact = DefaultQueryDispatcher.contact(relative, a, b, prediction).ok()??;
                let on_b = relative.transform_point(contact.point2);
                Closest { on_a: contact.point1, on_b, normal: contact.normal1, distance: contact.dist }
            }
        } else {
            let maps = (a.as_support_map()?, b.as_support_map()?);
            let towards = relative.translation.try_normalize().unwrap_or(Vec3::X);
            let (on_a, on_b, normal) = self.surfaces(relative, maps, (a, b), prediction, towards).ok()?;
            Closest { on_a, on_b, normal, distance: (on_b - on_a).dot(normal) }
        };
        (found.distance <= prediction && found.normal.is_normalized()).then_some(found)
    }

    /// The closest points of A and B, or the deepest, and the normal from A to B; all in A's frame. By GJK, which
    /// starts with the axis `from`, or EPA if the shapes overlap; the result is checked by `separation`. `a` and `b`
    /// are the shapes or their cores.
    ///
    /// # Errors
    /// If they are farther apart than `prediction`, m: the axis from which to start next time.
    pub(super) fn surfaces<A: ?Sized + SupportMap, B: ?Sized + SupportMap>(
        &mut self,
        relative: &Pose,
        (a, b): (&A, &B),
        shapes: (&dyn Shape, &dyn Shape),
        prediction: f32,
        from: Vec3,
    ) -> Result<(Vec3, Vec3, Vec3), Vec3> {
        self.make_room();
        self.simplex.reset(CsoPoint::from_shapes(relative, a, b, from));
        let found = match gjk::closest_points(relative, a, b, prediction, true, &mut self.simplex) {
            GJKResult::ClosestPoints(on_a, on_b, normal) => Some((on_a, on_b, normal)),
            GJKResult::Intersection => self.epa.closest_points(relative, a, b, &self.simplex),
            GJKResult::NoIntersection(axis) if separation::along(relative, a, b, axis).gap > prediction => {
                return Err(axis);
            }
            GJKResult::NoIntersection(_) | GJKResult::Proximity(_) => None,
        };
        let (on_a, on_b, normal) = separation::check(relative, (a, b), shapes, found, from);
        if normal.dot(on_b - on_a) > prediction { Err(normal) } else { Ok((on_a, on_b, normal)) }
    }
}
