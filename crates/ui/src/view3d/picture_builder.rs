//! Turns a snapshot into a picture: decides how bodies, contacts and joints look, in the window and for `render`.

use std::{collections::HashMap, sync::Arc};

use glam::{Quat, Vec2, Vec3};

use crate::view3d::{
    joint_held::HeldBodies,
    overlays::{self, Overlays},
    placing::{aabb, carried, drawn, size_of},
    preview::Preview,
    visibility::Visibility,
};
use delassus_physics::shape::{Shape, Solid};
use delassus_render::{
    camera::Camera,
    palette::{self, with_alpha},
    picture::{Arrow, BodyInstance, Dot, HullMesh, LineMark, Markings, MeshId, Picture, Theme},
};
use delassus_session::{BodyView, Motion, Pose, Snapshot};

/// The longest arrow, m: an unstable solver must not fill the picture.
const LONGEST_ARROW: f32 = 50.0;
/// Velocity arrows: metres for a metre per second.
const VELOCITY_SCALE: f32 = 0.5;
/// With more joints than this only the selected one is marked: marking all costs more than drawing the bodies.
const MOST_MARKED: usize = 150_000;

/// What the picture shows besides the snapshot.
#[derive(Clone, Copy)]
pub struct Show<'a> {
    pub overlays: Overlays,
    pub theme: Theme,
    /// Between the state before the last step (0) and after it (1).
    pub alpha: f32,
    /// Length of the last (sub-)step, to turn impulses into forces, s.
    pub h: f32,
    /// Newtons that a force arrow of one metre stands for.
    pub newtons_a_metre: f32,
    /// Body numbers.
    pub selected: &'a [u32],
    pub hovered: Option<u32>,
    /// Index of the selected joint, and of those that are selected with it.
    pub joint: Option<usize>,
    pub more_joints: &'a [usize],
    /// Physical pixels for a point of the panels.
    pub pixels: f32,
    /// What the editor is about to do.
    pub preview: &'a Preview,
    /// Other runs of the same bodies.
    pub others: &'a [GhostRun<'a>],
    /// What is hidden.
    pub visibility: &'a Visibility,
    /// Set if bodies are drawn from a device's buffers: a key that changes with the bodies.
    pub on_device: Option<u64>,
    pub camera: &'a Camera,
    /// Width and height of the view, physical pixels.
    pub viewport: Vec2,
}

impl Show<'_> {
    /// The radius in physical pixels of a mark of `points` on something of `size` metres. From afar it shrinks with the
    /// thing that it marks. `None` if it is too small to see.
    pub(crate) fn mark(&self, at: Vec3, points: f32, size: f32) -> Option<f32> {
        let max_radius = 0.13 * size / self.camera.metres_per_pixel(at, self.viewport);
        let radius = (points * self.pixels).min(max_radius);
        (radius > 0.8).then_some(radius)
    }
}

/// Another run, drawn as ghosts over the current one.
#[derive(Clone, Copy)]
pub struct GhostRun<'a> {
    pub snapshot: &'a Snapshot,
    /// sRGB, 0 to 1.
    pub color: [f32; 3],
}

/// Opacity of the ghosts of another run.
const GHOST: f32 = 0.42;

/// The picture of a running world. Keeps the meshes of hulls, so that they are uploaded once.
#[derive(Default)]
pub struct PictureBuilder {
    pub picture: Picture,
    /// The solids of the picture's hulls, in the same order. `hull_of` has the index of each hull, by the address of the
    /// piece that it is.
    hulls: Vec<Arc<Solid>>,
    hull_of: HashMap<*const Solid, u32>,
    /// Whether the body of this number is selected.
    chosen: Vec<bool>,
    /// The same of the joint of this index.
    chosen_joints: Vec<bool>,
    pub(crate) held: HeldBodies,
    /// What the picture's crowd was made from, and how many have been made.
    crowd_from: Option<(u64, Theme, (u64, u64))>,
    crowds: u64,
}

/// Whether a body is highlighted under the pointer. A floor would light up the whole picture.
fn lights_up(body: &BodyView, show: &Show<'_>) -> bool {
    body.solid.radius < show.camera.view.distance
}

/// Where a piece of a solid is drawn that is scaled by `growth`; `pose` is that of the solid's own frame.
fn part_place(solid: &Solid, piece: &Solid, pose: Pose, growth: Vec3) -> (Vec3, Quat) {
    if solid.pieces.is_empty() {
        return (pose.position, pose.rotation);
    }
    let at = solid.centre + piece.frame.translation;
    (pose.position + pose.rotation * (at * growth), pose.rotation * piece.frame.rotation)
}

impl PictureBuilder {
    /// Makes the picture of `snapshot`.
    pub fn set(&mut self, snapshot: &Snapshot, show: &Show<'_>) -> &Picture {
        self.picture.clear();
        self.picture.theme = show.theme;
        self.picture.ground_grid = show.overlays.grid;
        self.picture.shadows = show.overlays.shadows;
        self.forget_hulls(snapshot);
        self.chosen.clear();
        self.chosen.resize(snapshot.bodies.len() + 1, false);
        for id in show.selected {
            if let Some(chosen) = self.chosen.get_mut(*id as usize) {
                *chosen = true;
            }
        }
        self.chosen_joints.clear();
        self.chosen_joints.resize(snapshot.joints.len(), false);
        for index in show.joint.iter().flat_map(|last| show.more_joints.iter().chain([last])) {
            if let Some(chosen) = self.chosen_joints.get_mut(*index) {
                *chosen = true;
            }
        }
        self.held.set(&show.preview.placed, show.preview.world, snapshot);
        let on_device = show.on_device.filter(|_| show.preview.leaves_bodies());
        match on_device {
            Some(bodies) => self.crowd(bodies, snapshot, show),
            None => self.picture.crowd = None,
        }
        let marked = show.overlays.marks_bodies();
        for body in snapshot.bodies.iter().filter(|body| !show.visibility.is_hidden(body.id)) {
            if on_device.is_none() {
                self.push_body(body, show);
            } else if !marked {
                break;
            }
            self.body_overlays(body, show);
        }
        self.contacts(snapshot, show);
        for (index, joint) in snapshot.joints.iter().enumerate() {
            let chosen = self.chosen_joints[index];
            if snapshot.joints.len() > MOST_MARKED && !chosen || show.visibility.hides_joint(index, joint) {
                continue;
            }
            let joint = match &show.preview.joint {
                Some((Some(changed), as_it_would_be)) if *changed == index => as_it_would_be,
                _ => joint,
            };
            self.joint(joint, chosen, snapshot, show);
        }
        if let Some((None, joint)) = &show.preview.joint {
            self.joint_to_come(joint, snapshot, show);
        }
        self.preview(snapshot, show);
        show.others.iter().for_each(|other| self.ghosts(other, show));
        if let Some(mouse_joint) = snapshot.mouse_joint {
            let from = carried(snapshot.body(mouse_joint.body), mouse_joint.point, show.alpha);
            let color = with_alpha(palette::ACCENT, 1.0);
            let px = show.pixels;
            self.line(from, mouse_joint.target, color, 2.0 * px, true);
            self.point(from, color, 4.0 * px, true);
            self.point(mouse_joint.target, color, 5.5 * px, true);
        }
        &self.picture
    }

    /// The bodies of which a device has the poses; remade when they or their looks have changed.
    fn crowd(&mut self, bodies: u64, snapshot: &Snapshot, show: &Show<'_>) {
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

    /// Draws applied forces, contacts and friction, except of hidden and dragged bodies.
    fn contacts(&mut self, snapshot: &Snapshot, show: &Show<'_>) {
        let seen = |builder: &Self, a: u32, b: u32| {
            !show.visibility.hides_between(a, b) && !builder.held.holds(a) && !builder.held.holds(b)
        };
        if show.overlays.contacts {
            for contact in &snapshot.contacts {
                if seen(self, contact.a, contact.b) {
                    self.contact(contact, snapshot, show);
                }
            }
        }
        if show.overlays.forces {
            for force in snapshot.forces.iter().take(MOST_MARKED) {
                if !show.visibility.is_hidden(force.body) && !self.held.holds(force.body) {
                    self.applied_force(force, snapshot, show);
                }
            }
        }
        if show.overlays.friction || show.overlays.friction_cones || show.overlays.moments {
            for traction in &snapshot.tractions {
                if seen(self, traction.a, traction.b) {
                    self.traction(traction, snapshot, show);
                }
            }
        }
    }

    /// Draws the editor's preview: bodies at their new places, ghosts of new ones, lines and marks.
    fn preview(&mut self, snapshot: &Snapshot, show: &Show<'_>) {
        let preview = show.preview;
        for (id, pose, growth) in &preview.placed {
            // In the order of their numbers, but some may be hidden. A compound has one for each part.
            let bodies = &mut self.picture.bodies;
            let from = bodies.partition_point(|body| body.id < *id);
            let Some(view) = snapshot.body(*id) else { continue };
            let pieces = view.solid.pieces();
            for (body, piece) in bodies[from..].iter_mut().take_while(|body| body.id == *id).zip(pieces) {
                (body.position, body.rotation) = part_place(&view.solid, piece, *pose, *growth);
                body.scale *= *growth;
            }
        }
        let mut drawn = self.picture.bodies.iter_mut().peekable();
        for (id, color) in &preview.tints {
            while drawn.next_if(|body| body.id < *id).is_some() {}
            while let Some(body) = drawn.next_if(|body| body.id == *id) {
                body.color = *color;
            }
        }
        for (solid, pose) in &preview.ghosts {
            self.ghost(solid, *pose, palette::ACCENT, 0.55);
        }
        for (a, b, color, width) in &preview.lines {
            self.line(*a, *b, *color, width * show.pixels, true);
        }
        for (from, vector, color) in &preview.arrows {
            let radius_px = 2.0 * show.pixels;
            self.picture.arrows.push(Arrow { from: *from, vector: *vector, color: *color, radius_px, on_top: true });
        }
        for (at, color, radius) in &preview.points {
            self.point(*at, *color, radius * show.pixels, true);
        }
    }

    /// Draws the moving bodies of another run.
    fn ghosts(&mut self, other: &GhostRun<'_>, show: &Show<'_>) {
        let moves = |body: &&BodyView| body.motion != Motion::Static && !show.visibility.is_hidden(body.id);
        for body in other.snapshot.bodies.iter().filter(moves) {
            self.ghost(&body.solid, drawn(body, show.alpha), other.color, GHOST);
        }
    }

    /// Draws a body that is not in the world.
    fn ghost(&mut self, solid: &Arc<Solid>, pose: Pose, color: [f32; 3], opacity: f32) {
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

    /// Draws a body: one instance, or one for each part of a compound.
    fn push_body(&mut self, body: &BodyView, show: &Show<'_>) {
        let looks = self.body(body, show);
        let pose = Pose { position: looks.position, rotation: looks.rotation };
        for piece in body.solid.pieces() {
            let (mesh, scale, _) = self.mesh(&body.solid, piece);
            let (position, rotation) = part_place(&body.solid, piece, pose, Vec3::ONE);
            self.picture.bodies.push(BodyInstance { mesh, scale, position, rotation, ..looks });
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

    /// Drops the meshes once the scene has none of their solids.
    fn forget_hulls(&mut self, snapshot: &Snapshot) {
        let alive = |solid: &Arc<Solid>| snapshot.bodies.iter().any(|b| Arc::ptr_eq(&b.solid, solid));
        if self.hulls.first().is_some_and(|first| !alive(first)) {
            self.hulls.clear();
            self.hull_of.clear();
            self.picture.hulls.clear();
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

    fn body_overlays(&mut self, body: &BodyView, show: &Show<'_>) {
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

    pub(crate) fn line(&mut self, a: Vec3, b: Vec3, color: [f32; 4], width_px: f32, on_top: bool) {
        if a.is_finite() && b.is_finite() {
            self.picture.lines.push(LineMark { a, b, color, width_px, on_top });
        }
    }

    pub(crate) fn point(&mut self, at: Vec3, color: [f32; 4], radius_px: f32, on_top: bool) {
        if at.is_finite() {
            self.picture.points.push(Dot { at, color, radius_px, on_top });
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
}
