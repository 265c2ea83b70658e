//! Turns a snapshot into a picture, in the window and for `render`: decides what is drawn. How each thing looks stands in
//! the `*_drawing` files.

use std::{collections::HashMap, sync::Arc};

use glam::{Vec2, Vec3};

use crate::view3d::{
    body_drawing::part_place, joint_held::HeldBodies, overlays::Overlays, placing::carried, preview::Preview,
    visibility::Visibility,
};
use delassus_physics::shape::Solid;
use delassus_render::{
    camera::Camera,
    palette::{self, with_alpha},
    picture::{Arrow, Dot, LineMark, Picture, Theme},
};
use delassus_session::Snapshot;

/// The longest arrow, m: an unstable solver must not fill the picture.
pub(super) const LONGEST_ARROW: f32 = 50.0;
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

/// The picture of a running world. Keeps the meshes of hulls, so that they are uploaded once.
#[derive(Default)]
pub struct PictureBuilder {
    pub picture: Picture,
    /// The solids of the picture's hulls, in the same order. `hull_of` has the index of each hull, by the address of the
    /// piece that it is.
    pub(super) hulls: Vec<Arc<Solid>>,
    pub(super) hull_of: HashMap<*const Solid, u32>,
    /// Whether the body of this number is selected.
    pub(super) chosen: Vec<bool>,
    /// The same of the joint of this index.
    chosen_joints: Vec<bool>,
    pub(crate) held: HeldBodies,
    /// What the picture's crowd was made from, and how many have been made.
    pub(super) crowd_from: Option<(u64, Theme, (u64, u64))>,
    pub(super) crowds: u64,
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
}
