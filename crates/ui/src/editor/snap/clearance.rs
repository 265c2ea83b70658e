//! Clearance of placed shapes: how a shape comes to rest on others, and what blocks it, by exact distances between
//! shapes.

use glam::Vec3;
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Pose as Isometry;
use parry3d::query::{self, ShapeCastOptions};

use crate::editor::tools::spawn::AIR;
use crate::editor::tools::stencils::Stencil;
use delassus_physics::body::Body;
use delassus_physics::shape::Solid;
use delassus_physics::world::World;
use delassus_session::Pose;

/// The bodies that count as obstacles: those whose ids `among` accepts.
pub struct Room<'a> {
    bodies: Vec<(&'a Body, Isometry)>,
}

/// The pose of a solid's geometry in the world, for a shape at `pose`.
pub(in crate::editor) fn placed(solid: &Solid, pose: &Pose) -> Isometry {
    let to_world = Isometry::from_parts(pose.position, pose.rotation);
    to_world * Isometry::from_translation(solid.centre) * solid.offset
}

impl<'a> Room<'a> {
    pub fn new(world: &'a World, among: impl Fn(u32) -> bool) -> Self {
        let bodies = world.state.bodies.iter().enumerate().skip(1);
        let bodies = bodies.filter(|(id, body)| body.collide && among(*id as u32));
        Self { bodies: bodies.map(|(_, body)| (&**body, body.pose() * body.solid.offset)).collect() }
    }

    /// The obstacles whose boxes come near this one.
    fn near(&self, around: Aabb) -> impl Iterator<Item = (&'a Body, Isometry)> {
        let meets =
            move |(body, pose): &&(&'a Body, Isometry)| body.solid.geometry.compute_aabb(pose).intersects(&around);
        self.bodies.iter().filter(meets).copied()
    }

    /// The position at which a stencil rests. It starts at `position`, touching the surface under the pointer with
    /// normal `normal`, is raised out of everything that it overlaps, and lowered onto what is below.
    pub fn resting(&self, stencil: &Stencil, position: Vec3, normal: Vec3) -> Vec3 {
        /// The most times that it is raised.
        const FLOORS: usize = 32;
        let mut at = position;
        let mut raised = 0.0;
        for _ in 0..FLOORS {
            let lift = self.lift(stencil, at);
            if lift <= 0.0 {
                break;
            }
            at.z += lift;
            raised += lift;
        }
        let (down, max_distance) = if raised > 0.0 {
            (-Vec3::Z, raised)
        } else {
            // On a ball the tangent plane at a box's corner touches before the corner does.
            (-normal, if normal == Vec3::ZERO { 0.0 } else { reach(stencil) })
        };
        at + down * self.free_way(stencil, at, down, max_distance)
    }

    /// How far above what is below it a stencil is, m, less than 0 inside it; `None` if nothing is near. Casts of
    /// shapes are exact to a fifth of a millimetre only.
    pub fn height(&self, stencil: &Stencil, at: Vec3) -> Option<f32> {
        /// What faces up more than this is below, not beside.
        const BELOW: f32 = 0.7;
        let mut least: Option<f32> = None;
        for (solid, pose) in &stencil.bodies {
            let mine = placed(solid, &Pose { position: at + pose.position, ..*pose });
            let bounds = solid.geometry.compute_aabb(&mine);
            for (body, theirs) in self.near(bounds.loosened(2.0 * AIR)) {
                let (a, b) = (&*solid.geometry, &*body.solid.geometry);
                if let Ok(Some(contact)) = query::contact(&mine, a, &theirs, b, 2.0 * AIR)
                    && contact.normal2.z > BELOW
                {
                    let height = contact.dist / contact.normal2.z;
                    least = Some(least.map_or(height, |least| least.min(height)));
                }
            }
        }
        least
    }

    /// How far it must be raised to clear everything that it overlaps, m.
    fn lift(&self, stencil: &Stencil, at: Vec3) -> f32 {
        let mut lift: f32 = 0.0;
        for (solid, pose) in &stencil.bodies {
            let mine = placed(solid, &Pose { position: at + pose.position, ..*pose });
            let bounds = solid.geometry.compute_aabb(&mine);
            for (body, theirs) in self.near(bounds) {
                let overlaps = query::intersection_test(&mine, &*solid.geometry, &theirs, &*body.solid.geometry);
                if overlaps.is_ok_and(|found| found.intersecting) {
                    let top = body.solid.geometry.compute_aabb(&theirs).maxs.z;
                    lift = lift.max(top - bounds.mins.z + AIR);
                }
            }
        }
        lift
    }

    /// How far it can move in a direction before it touches something, up to `max_distance`, m.
    fn free_way(&self, stencil: &Stencil, at: Vec3, direction: Vec3, max_distance: f32) -> f32 {
        let mut way = max_distance;
        for (solid, pose) in &stencil.bodies {
            let mine = placed(solid, &Pose { position: at + pose.position, ..*pose });
            let bounds = solid.geometry.compute_aabb(&mine);
            let moved = Aabb::new(bounds.mins + direction * way, bounds.maxs + direction * way);
            for (body, theirs) in self.near(bounds.merged(&moved).loosened(AIR)) {
                let options =
                    ShapeCastOptions { max_time_of_impact: way, target_distance: AIR, ..ShapeCastOptions::default() };
                let (a, b) = (&*solid.geometry, &*body.solid.geometry);
                if let Ok(Some(hit)) = query::cast_shapes(&mine, direction, a, &theirs, Vec3::ZERO, b, options) {
                    way = way.min(hit.time_of_impact.max(0.0));
                }
            }
        }
        // There is nothing to rest on.
        if way == max_distance && max_distance > 0.0 && direction != -Vec3::Z { 0.0 } else { way }
    }
}

/// How far a stencil can reach from its origin, m.
fn reach(stencil: &Stencil) -> f32 {
    let far = |(solid, pose): &(std::sync::Arc<Solid>, Pose)| {
        let bounds = solid.geometry.compute_aabb(&placed(solid, pose));
        bounds.mins.abs().max(bounds.maxs.abs()).length()
    };
    stencil.bodies.iter().map(far).fold(0.0, f32::max)
}

/// How far a point of the body `on` is from the body `id`, m, less its depth in the body that it belongs to: so far are
/// the two from where the point comes to the surface. `None` for the world itself.
pub fn reach_of(world: &World, (on, point): (u32, Vec3), id: u32) -> Option<f32> {
    let to = |id: u32, solid: bool| {
        let body = world.state.bodies.get(id as usize).filter(|_| id > 0)?;
        Some(body.solid.geometry.distance_to_point(&(body.pose() * body.solid.offset), point, solid))
    };
    Some(to(id, true)? + to(on, false)?.min(0.0))
}

/// How far apart two bodies are where they are nearest, m, less than 0 where they overlap, and the direction from the
/// first to the second there. `None` if they are farther apart than `max_distance`, or one is the world itself.
pub fn touch(world: &World, a: u32, b: u32, max_distance: f32) -> Option<(f32, Vec3)> {
    let body = |id: u32| world.state.bodies.get(id as usize).filter(|_| id > 0);
    let (a, b) = (body(a)?, body(b)?);
    let pose = |body: &Body| body.pose() * body.solid.offset;
    let contact = query::contact(&pose(a), &*a.solid.geometry, &pose(b), &*b.solid.geometry, max_distance).ok()??;
    Some((contact.dist, contact.normal1))
}

/// The id of the first body that this one would overlap more deeply after a shift than now. `but` is ignored.
pub fn blocking(world: &World, id: u32, shift: Vec3, but: u32) -> Option<u32> {
    /// The greatest depth that counts as touching, m.
    const TOUCH: f32 = 0.005;
    let body = world.state.bodies.get(id as usize).filter(|body| body.collide)?;
    let now = body.pose() * body.solid.offset;
    let then = Isometry::from_translation(shift) * now;
    let bounds = body.solid.geometry.compute_aabb(&then);
    let others = world.state.bodies.iter().enumerate().skip(1);
    let others = others.filter(|(other, b)| *other != id as usize && *other != but as usize && body.may_touch(b));
    let depth = |mine: &Isometry, other: &Body| {
        let theirs = other.pose() * other.solid.offset;
        let contact = query::contact(mine, &*body.solid.geometry, &theirs, &*other.solid.geometry, 0.0);
        contact.ok().flatten().map_or(0.0, |contact| -contact.dist)
    };
    let meets =
        |other: &Body| other.solid.geometry.compute_aabb(&(other.pose() * other.solid.offset)).intersects(&bounds);
    let mut deeper =
        others.filter(|(_, other)| meets(other) && depth(&then, other) > depth(&now, other).max(0.0) + TOUCH);
    deeper.next().map(|(other, _)| other as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::tools::extent::PatternExtents;
    use crate::editor::tools::stencils::SpawnChoice;
    use delassus_session::Session;

    const SCENE: &str = r#"(
        version: 1,
        title: "Room",
        bodies: [
            (name: "floor", shape: Box(half: (9, 9, 0.5)), at: (0, 0, -0.5), motion: Static),
            (name: "block", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.5)),
            (name: "shelf", shape: Box(half: (0.5, 0.5, 0.1)), at: (0, 0, 1.4), motion: Static),
            (name: "ball", shape: Sphere(radius: 1), at: (5, 0, 1)),
        ],
    )"#;

    fn session() -> Session {
        Session::from_text(SCENE, "room").expect("a scene")
    }

    /// The palette's box, a metre wide.
    fn stencil() -> Stencil {
        Stencil::of(&SpawnChoice::Shape(0), PatternExtents::default()).expect("a box")
    }

    /// The distance from a stencil to the nearest of all bodies, m.
    fn gap(session: &Session, stencil: &Stencil, at: Vec3) -> f32 {
        let world = session.world().expect("a scene is open");
        let (solid, pose) = &stencil.bodies[0];
        let mine = placed(solid, &Pose { position: at + pose.position, ..*pose });
        let distance = |body: &Body| {
            let theirs = body.pose() * body.solid.offset;
            let found = query::distance(&mine, &*solid.geometry, &theirs, &*body.solid.geometry);
            found.map_or(f32::INFINITY, |found| found.distance)
        };
        world.state.bodies[1..].iter().map(|body| distance(body)).fold(f32::INFINITY, f32::min)
    }

    #[test]
    fn what_would_stand_in_something_rests_on_top_of_it() {
        let session = session();
        let room = Room::new(session.world().expect("a scene is open"), |_| true);
        let stencil = stencil();
        // On the floor next to the block, half inside it: on top of the block it would be inside the shelf, so it
        // rests on that.
        let at = room.resting(&stencil, Vec3::new(0.7, 0.0, 0.5 + AIR), Vec3::Z);
        assert!((at - Vec3::new(0.7, 0.0, 2.0)).length() < 0.01, "{at}");
        let gap_there = gap(&session, &stencil, at);
        assert!((0.5 * AIR..2.0 * AIR).contains(&gap_there), "{gap_there} m");
        // Without an obstacle it stays.
        let free = Vec3::new(0.0, 4.0, 0.5 + AIR);
        assert!(room.resting(&stencil, free, Vec3::Z).distance(free) < AIR);
    }

    #[test]
    fn on_a_ball_s_side_it_touches_the_ball() {
        let session = session();
        let room = Room::new(session.world().expect("a scene is open"), |_| true);
        let stencil = stencil();
        let normal = Vec3::new(0.3, 0.1, 1.0).normalize();
        let before = Vec3::new(5.0, 0.0, 1.0) + normal * (1.0 + 0.5 * normal.element_sum() + AIR);
        assert!(gap(&session, &stencil, before) > 0.01, "a corner's tangent plane touches, the corner does not");
        let at = room.resting(&stencil, before, normal);
        let gap_there = gap(&session, &stencil, at);
        assert!((0.5 * AIR..3.0 * AIR).contains(&gap_there), "{gap_there} m at {at}");
    }

    #[test]
    fn a_body_may_not_be_pushed_through_the_floor_nor_into_others() {
        let session = session();
        let world = session.world().expect("a scene is open");
        // The block rests on the floor and already touches it.
        assert_eq!(blocking(world, 2, Vec3::new(0.0, 0.0, -0.2), 0), Some(1));
        assert_eq!(blocking(world, 2, Vec3::new(2.0, 0.0, 0.0), 0), None);
        assert_eq!(blocking(world, 2, Vec3::new(0.0, 0.0, 0.6), 0), Some(3));
        assert_eq!(blocking(world, 2, Vec3::new(0.0, 0.0, 0.6), 3), None, "its partner is what it is joined to");
    }
}
