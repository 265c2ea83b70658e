//! Draws bodies: solids and their meshes, ghosts, the crowd whose poses a device has, and the marks on a body.

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::view3d::{
    overlays,
    picture_builder::{GhostRun, LONGEST_ARROW, PictureBuilder, Show},
    placing::{aabb, carried, drawn, size_of},
};
use delassus_physics::shape::{Shape, Solid};
use delassus_render::{
    palette::{self, with_alpha},
    picture::{Arrow, BodyInstance, HullMesh, Markings, MeshId},
};
use delassus_session::{BodyView, Motion, Pose, Snapshot};

/// Velocity arrows: metres for a metre per second.
const VELOCITY_SCALE: f32 = 0.5;

/// Opacity of the ghosts of another run.
const GHOST: f32 = 0.42;

/// Whether a body is highlighted under the pointer. A floor would light up the whole picture.
fn lights_up(body: &BodyView, show: &Show<'_>) -> bool {
    body.solid.radius < show.camera.view.distance
}

/// Where a piece of a solid is drawn that is scaled by `growth`; `pose` is that of the solid's own frame.
pub(super) fn part_place(solid: &Solid, piece: &Solid, pose: Pose, growth: Vec3) -> (Vec3, Quat) {
    if solid.pieces.is_empty() {
        return (pose.position, pose.rotation);
    }
    let at = solid.centre + piece.frame.translation;
    (pose.position + pose.rotation * (at * growth), pose.rotation * piece.frame.rotation)
}

impl PictureBuilder {
    /// Draws a body: one instance, or one for each part of a compound.
    pub(super) fn push_body(&mut self, body: &BodyView, show: &Show<'_>) {
        let looks = self.body(body, show);
        let pose = Pose { position: looks.position, rotation: looks.rotation };
        for piece in body.solid.pieces() {
            let (mesh, scale, _) = self.mesh(&body.solid, piece);
            let (position, rotation) = part_place(&body.solid, piece, pose, Vec3::ONE);
            self.picture.bodies.push(BodyInstance { mesh, scale, position, rotation, ..looks });
        }
    }

    fn body(&mut self, body: &BodyView, show: &Show<'_>) -> BodyInstance {
        let pose = drawn(body, show.alpha);
        let (mesh, scale, pattern) = self.mesh(&body.solid, body.solid.piece(0));
        let (color, pattern) = match body.motion {
            Motion::Static => (palette::fixed(show.theme), Markings::Edges),
            Motion::Kinematic => (palette::KINEMATIC, Markings::Striped),
            Motion::Dynamic if body.asleep => (palette::asleep(body.mechanism as usize), pattern),
            Motion::Dynamic => (palette::body(body.mechanism as usize), pattern),
        };
        BodyInstance {
            id: body.id,
            mesh,
            position: pose.position,
            rotation: pose.rotation,
            scale,
            color,
            opacity: 1.0,
            pattern,
            selected: self.chosen.get(body.id as usize).copied().unwrap_or(false),
            hovered: show.hovered == Some(body.id) && lights_up(body, show),
        }
    }

    pub(super) fn body_overlays(&mut self, body: &BodyView, show: &Show<'_>) {
        let px = show.pixels;
        let centre = carried(Some(body), body.centre, show.alpha);
        if show.overlays.velocities && body.velocity.is_finite() && body.velocity.length() > 0.01 {
            let vector = (body.velocity * VELOCITY_SCALE).clamp_length_max(LONGEST_ARROW);
            let color = with_alpha(overlays::VELOCITY, 1.0);
            self.picture.arrows.push(Arrow { from: centre, vector, color, radius_px: 1.6 * px, on_top: true });
        }
        if show.overlays.mass_centres
            && body.motion == Motion::Dynamic
            && let Some(radius) = show.mark(centre, 3.5, size_of(&body.solid))
        {
            self.point(centre, with_alpha(overlays::MASS_CENTRE, 1.0), radius, true);
        }
        if show.overlays.inertia {
            self.inertia(body, centre, show);
        }
        if show.overlays.bounds {
            let (min, max) = aabb(body, show.alpha);
            self.wire_box(min, max, with_alpha(overlays::BOUNDS, 0.9), 1.2 * px);
        }
    }

    fn wire_box(&mut self, min: Vec3, max: Vec3, color: [f32; 4], width_px: f32) {
        let corner = |i: usize| {
            let pick = |bit: usize, low: f32, high: f32| if i >> bit & 1 == 0 { low } else { high };
            Vec3::new(pick(0, min.x, max.x), pick(1, min.y, max.y), pick(2, min.z, max.z))
        };
        for i in 0..8usize {
            for bit in 0..3 {
                if i >> bit & 1 == 0 {
                    self.line(corner(i), corner(i | 1 << bit), color, width_px, false);
                }
            }
        }
    }

    /// Draws the moving bodies of another run.
    pub(super) fn ghosts(&mut self, other: &GhostRun<'_>, show: &Show<'_>) {
        let moves = |body: &&BodyView| body.motion != Motion::Static && !show.visibility.is_hidden(body.id);
        for body in other.snapshot.bodies.iter().filter(moves) {
            self.ghost(&body.solid, drawn(body, show.alpha), other.color, GHOST);
        }
    }

    /// Draws a body that is not in the world.
    pub(super) fn ghost(&mut self, solid: &Arc<Solid>, pose: Pose, color: [f32; 3], opacity: f32) {
        for piece in solid.pieces() {
            let (mesh, scale, pattern) = self.mesh(solid, piece);
            let (position, rotation) = part_place(solid, piece, pose, Vec3::ONE);
            self.picture.bodies.push(BodyInstance {
                id: u32::MAX,
                mesh,
                position,
                rotation,
                scale,
                color,
                opacity,
                pattern,
                selected: false,
                hovered: false,
            });
        }
    }

    /// The bodies of which a device has the poses; remade when they or their looks have changed.
    pub(super) fn crowd(&mut self, bodies: u64, snapshot: &Snapshot, show: &Show<'_>) {
        let made_from = (bodies, show.theme, show.visibility.version());
        let known = self.crowd_from == Some(made_from) && self.picture.crowd.is_some();
        if !known {
            self.crowd_from = Some(made_from);
            let mut crowd = self.picture.crowd.take().unwrap_or_default();
            self.crowds += 1;
            crowd.revision = self.crowds;
            crowd.bodies.clear();
            for body in snapshot.bodies.iter().filter(|body| !show.visibility.is_hidden(body.id)) {
                let looks = self.body(body, show);
                crowd.bodies.push(BodyInstance { position: -body.solid.centre, ..looks });
            }
            self.picture.crowd = Some(crowd);
        }
        let lights_up = |id: &u32| snapshot.body(*id).is_some_and(|body| lights_up(body, show));
        if let Some(crowd) = &mut self.picture.crowd {
            crowd.selected.clear();
            crowd.selected.extend_from_slice(show.selected);
            crowd.hovered = show.hovered.filter(lights_up);
            crowd.alpha = show.alpha;
        }
    }

    /// Mesh, scale and pattern of a solid's piece.
    fn mesh(&mut self, solid: &Arc<Solid>, piece: &Solid) -> (MeshId, Vec3, Markings) {
        match &piece.shape {
            Shape::Box { half } => (MeshId::Box, *half, Markings::Edges),
            Shape::Sphere { radius } => (MeshId::Sphere, Vec3::splat(*radius), Markings::TwoTone),
            Shape::Capsule { radius, half_length } => {
                (MeshId::Capsule, Vec3::new(*radius, *radius, *half_length), Markings::TwoTone)
            }
            Shape::Cylinder { radius, half_length } => {
                (MeshId::Cylinder, Vec3::new(*radius, *radius, *half_length), Markings::TwoTone)
            }
            Shape::Hull { .. } => (MeshId::Hull(self.hull(solid, piece)), Vec3::ONE, Markings::Edges),
            // Its pieces are none themselves.
            Shape::Compound { .. } => (MeshId::Box, Vec3::ONE, Markings::Edges),
        }
    }

    /// The number of the mesh of a solid's piece, in the piece's own frame.
    fn hull(&mut self, solid: &Arc<Solid>, piece: &Solid) -> u32 {
        if let Some(index) = self.hull_of.get(&std::ptr::from_ref(piece)) {
            return *index;
        }
        let (points, triangles) = piece.hull.as_deref().cloned().unwrap_or_default();
        let points = points.into_iter().map(|p| p + piece.centre).collect();
        self.picture.hulls.push(Arc::new(HullMesh { points, triangles }));
        let index = self.hulls.len() as u32;
        // Kept alive, so that its address stays its own.
        self.hulls.push(solid.clone());
        self.hull_of.insert(std::ptr::from_ref(piece), index);
        index
    }

    /// Drops the meshes once the scene has none of their solids.
    pub(super) fn forget_hulls(&mut self, snapshot: &Snapshot) {
        let alive = |solid: &Arc<Solid>| snapshot.bodies.iter().any(|b| Arc::ptr_eq(&b.solid, solid));
        if self.hulls.first().is_some_and(|first| !alive(first)) {
            self.hulls.clear();
            self.hull_of.clear();
            self.picture.hulls.clear();
        }
    }
}
