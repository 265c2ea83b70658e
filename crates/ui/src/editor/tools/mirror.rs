//! The mirror tool: the selection's image across a plane is shown as a ghost; Enter replaces the selection with it,
//! or adds it as a copy.
//!
//! A copy has copies of all the selection's joints: those to other bodies connect the image at the mirrored position.
//! Without a copy, the ends of joints on other bodies stay. World ends of joints are mirrored, too, which is drawn;
//! or they stay, and then a copy does not have these joints.

use std::collections::HashSet;
use std::sync::Arc;

use crate::widgets::events;
use egui::{Key, Ui};
use glam::Vec3;

use crate::request::ask;
use crate::{editor::Hands, request::Request, view::View};
use delassus_physics::shape::Solid;
use delassus_render::palette::{self, with_alpha};
use delassus_scene::{Joint, JointPlaces, Mirror};
use delassus_session::{Edit, JointPose, JointView, Pose};

/// With more bodies than this, no ghosts are drawn.
const MAX_GHOSTS: usize = 2000;

/// The position of the mirror plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MirrorPlane {
    #[default]
    Middle,
    Origin,
}

/// The settings of the mirror tool.
#[derive(Clone)]
pub struct Mirroring {
    /// Index of the plane's normal: x, y or z.
    pub axis: usize,
    pub through: MirrorPlane,
    pub copy: bool,
    /// Whether world ends of joints are mirrored.
    pub world: bool,
    /// Cached mirror images of hulls: the hull, the axis, the image.
    images: Vec<(Arc<Solid>, usize, Arc<Solid>)>,
}

impl Default for Mirroring {
    fn default() -> Self {
        Self { axis: 0, through: MirrorPlane::Middle, copy: false, world: true, images: Vec::new() }
    }
}

/// Number of joints between the selection and the world.
pub fn world_joints(view: &View<'_>, state: &Hands<'_>) -> usize {
    let chosen: HashSet<u32> = state.selection.bodies.iter().copied().collect();
    let at_world = |j: &&JointView| (j.a == 0 && chosen.contains(&j.b)) || (j.b == 0 && chosen.contains(&j.a));
    view.snapshot.joints.iter().filter(at_world).count()
}

/// The axes' names.
pub const AXES: [&str; 3] = ["x", "y", "z"];

/// The mirror plane for the current selection.
fn plane(view: &View<'_>, state: &Hands<'_>) -> Option<Mirror> {
    let tool = &state.editor.mirror;
    let bodies: Vec<Vec3> =
        state.selection.bodies.iter().filter_map(|id| view.snapshot.body(*id)).map(|b| b.pose.position).collect();
    if bodies.is_empty() {
        return None;
    }
    let normal = [Vec3::X, Vec3::Y, Vec3::Z][tool.axis.min(2)];
    let through = match tool.through {
        MirrorPlane::Middle => {
            let (min, max) =
                bodies.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(a, b), p| (a.min(*p), b.max(*p)));
            (min + max) * 0.5
        }
        MirrorPlane::Origin => Vec3::ZERO,
    };
    Some(Mirror { normal, through })
}

/// Shows the image, and handles the tool's keys.
pub fn show(ui: &Ui, view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    if !ui.ctx().text_edit_focused() && !state.modal {
        for (axis, key) in [Key::X, Key::Y, Key::Z].into_iter().enumerate() {
            if events::pressed(ui, key) {
                state.editor.mirror.axis = axis;
            }
        }
        if events::pressed(ui, Key::Enter) {
            perform(view, state, out);
        }
    }
    let Some(mirror) = plane(view, state) else { return };
    let ids = state.selection.bodies.clone();
    if ids.len() > MAX_GHOSTS {
        return;
    }
    let mut reach = 0.5f32;
    for body in ids.iter().filter_map(|id| view.snapshot.body(*id)) {
        let solid = image(&body.solid, &mirror, state);
        let pose = Pose { position: mirror.point(body.pose.position), rotation: mirror.rotation(body.pose.rotation) };
        reach = reach.max(pose.position.distance(mirror.through));
        state.view3d.preview.ghosts.push((solid, pose));
    }
    let chosen: HashSet<u32> = ids.iter().copied().collect();
    for joint in &view.snapshot.joints {
        let JointPose { anchor_a, anchor_b, .. } = view.snapshot.place(joint);
        let (hold, end) = match (joint.a, joint.b) {
            (0, b) if chosen.contains(&b) => (anchor_a, anchor_b),
            (a, 0) if chosen.contains(&a) => (anchor_b, anchor_a),
            _ => continue,
        };
        let (world, copy) = (state.editor.mirror.world, state.editor.mirror.copy);
        if world || !copy {
            let (color, hold) = (with_alpha(palette::ACCENT, 1.0), if world { mirror.point(hold) } else { hold });
            state.view3d.preview.points.push((hold, color, 7.0));
            state.view3d.preview.lines.push((hold, mirror.point(end), color, 2.0));
        }
    }
    // The plane, as a square with its diagonals.
    let (u, v) = mirror.normal.any_orthonormal_pair();
    let corner = |a: f32, b: f32| mirror.through + (u * a + v * b) * (1.2 * reach);
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    let color = with_alpha([palette::AXIS_X, palette::AXIS_Y, palette::AXIS_Z][state.editor.mirror.axis.min(2)], 0.9);
    let lines = &mut state.view3d.preview.lines;
    lines.extend((0..4).map(|i| (corners[i], corners[(i + 1) % 4], color, 1.6)));
    lines.extend([(corners[0], corners[2], color, 0.8), (corners[1], corners[3], color, 0.8)]);
}

/// The mirror image of a solid; that of a hull or of a compound is cached.
fn image(solid: &Arc<Solid>, mirror: &Mirror, state: &mut Hands<'_>) -> Arc<Solid> {
    if solid.hull.is_none() && solid.pieces.is_empty() {
        return solid.clone();
    }
    let tool = &mut state.editor.mirror;
    let known = tool.images.iter().find(|(cached, axis, _)| Arc::ptr_eq(cached, solid) && *axis == tool.axis);
    if let Some((.., image)) = known {
        return image.clone();
    }
    let Some(image) = mirror.shape(&solid.shape).solid().map(Arc::new) else { return solid.clone() };
    tool.images.truncate(256);
    tool.images.insert(0, (solid.clone(), tool.axis, image.clone()));
    image
}

/// Whether the image of every selected body is where one of them is.
fn lies_on_itself(view: &View<'_>, state: &Hands<'_>, mirror: &Mirror) -> bool {
    /// Bodies nearer to each other than this share of their size are in one place.
    const NEAR: f32 = 1e-3;
    let chosen = || state.selection.bodies.iter().filter_map(|id| view.snapshot.body(*id));
    chosen().all(|body| {
        let image = mirror.point(body.centre);
        chosen().any(|other| other.centre.distance(image) < NEAR * body.solid.radius)
    })
}

/// Replaces the selection with its image, or adds the image.
pub fn perform(view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    let Some(mirror) = plane(view, state) else {
        state.notices.info("Nothing is selected: click a body first.".to_owned());
        return;
    };
    let copy = state.editor.mirror.copy;
    if !copy && state.selection.bodies.iter().any(|id| state.view3d.visibility.is_locked(*id)) {
        state.notices.info("Some of the selection is locked: Shift+L unlocks it.".to_owned());
        return;
    }
    if copy && lies_on_itself(view, state, &mirror) {
        state.notices.info(format!(
            "The copy would lie on the selection itself. Mirror across another axis than {}, or through the origin.",
            AXES[state.editor.mirror.axis.min(2)]
        ));
        return;
    }
    // In their current poses.
    let (bodies, _) = view.session.copy(&state.selection.bodies);
    let bodies: Vec<_> = bodies.iter().map(|body| mirror.body(body)).collect();
    let chosen: HashSet<u32> = state.selection.bodies.iter().copied().collect();
    let touched = view.snapshot.joints.iter().enumerate();
    let touched = touched.filter(|(_, joint)| chosen.contains(&joint.a) || chosen.contains(&joint.b));
    let mut joints: Vec<(String, Joint)> = Vec::new();
    for (index, seen) in touched {
        let Some(mut joint) = view.session.joint_on_bodies(index) else { continue };
        let world = state.editor.mirror.world;
        if copy && !world && (seen.a == 0 || seen.b == 0) {
            continue;
        }
        let mut whole = true;
        // Both ends are given in their bodies' frames; there are no common places.
        let JointPlaces { common: _, a, b } = joint.places_mut();
        for (id, end) in [(seen.a, a), (seen.b, b)] {
            if chosen.contains(&id) {
                end.map(|p| mirror.direction(p), |d| mirror.direction(d));
            } else if id == 0 && world {
                end.map(|p| mirror.point(p), |d| mirror.direction(d));
            } else if copy
                && id != 0
                && let Some(body) = view.snapshot.body(id)
            {
                // The mirrored position, in the frame of a body that stays.
                let Pose { position, rotation } = body.pose;
                let back = rotation.conjugate();
                end.map(
                    |p| back * (mirror.point(position + rotation * p) - position),
                    |d| back * mirror.direction(rotation * d),
                );
            } else {
                whole = false;
            }
        }
        if whole && !mirror.has_image(&joint.kind) {
            state.notices.info(format!(
                "The rows of {} have no mirror image: they name components or places of the world. Nothing was mirrored.",
                seen.name
            ));
            return;
        }
        if whole {
            joint.kind = mirror.kind(&joint.kind);
            if let Some(body) = view.snapshot.body(seen.a).filter(|_| !chosen.contains(&seen.a)) {
                // The axes of a body that stays are not mirrored.
                let rotation = body.pose.rotation;
                joint.kind.turn_axes(rotation.conjugate() * mirror.rotation(rotation));
            }
        }
        joints.push((seen.name.to_string(), joint));
    }
    if copy {
        let joints = joints.into_iter().map(|(_, joint)| Joint { name: String::new(), ..joint }).collect();
        ask(Edit::Add { bodies, joints }, out);
    } else {
        ask(Edit::Change { bodies, joints }, out);
    }
}
