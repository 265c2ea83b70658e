//! The spawn tool: a ghost follows the pointer and rests on what it touches; a click places it. Keys rotate it. With
//! any tool, keys place a body under the pointer or shoot a ball from the camera.

use crate::widgets::events;
use egui::{Key, Modifiers, Response, Ui};
use glam::{Quat, Vec2, Vec3};
use parry3d::math::Pose as Isometry;

use crate::editor::snap::clearance::Room;
use crate::editor::tools::stencils::{self, Stencil};
use crate::{editor::Hands, request::Request, view::View, view3d::Drag};
use crate::{
    editor::{GRID, TURN, Tool, at, ray, rounded_to, tools::extent},
    request::ask,
    view3d::{placing, rays::on_plane},
};
use delassus_physics::shape::{Shape, Solid};
use delassus_scene::Body;
use delassus_session::{Edit, Hit, Motion, Pose};

/// Gap between a spawned body and what it rests on, m.
pub(in crate::editor) const AIR: f32 = 0.002;
/// Positions that do not snap to the grid are rounded to this along a surface, m.
const COARSE: f32 = 0.01;
/// The final position is rounded to this, m.
const FINE: f32 = 0.0001;
/// A unit vector whose vertical component is smaller than this counts as level.
const LEVEL: f32 = 0.1;
/// The search for a surface under a level view starts this far above the body's top, m.
const ABOVE: f32 = 0.01;
/// Ground farther from the eye than this multiple of the distance to the camera's target counts as too far away.
const FAR: f32 = 4.0;
/// Radius of a shot ball, m.
const BALL: f32 = 0.2;
/// The largest and the smallest distance from the camera at which a shot ball starts, m. It starts nearer if something
/// is in the way.
const BEFORE_EYE: (f32, f32) = (3.0, 0.3);

/// Initial speed of a shot ball, m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shot(pub f32);

impl Default for Shot {
    fn default() -> Self {
        Self(15.0)
    }
}

/// The allowed speeds of a shot ball, m/s.
pub const SHOTS: std::ops::RangeInclusive<f32> = 1.0..=100.0;

/// Moves the ghost with the pointer. A click, or the end of a drag out of the palette, places the chosen body. Returns
/// whether the tool uses the left button.
pub fn pointer(ui: &Ui, response: &Response, view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) -> bool {
    let released = state.editor.carrying && !ui.input(|i| i.pointer.primary_down());
    // During a drag out of the palette, the palette has the pointer.
    let carried = ui.input(|i| i.pointer.latest_pos()).filter(|p| state.view3d.rect.contains(*p));
    let over = if state.editor.carrying {
        carried.map(|p| Vec2::new(p.x - state.view3d.rect.left(), p.y - state.view3d.rect.top()))
    } else {
        response.hover_pos().and_then(|_| at(response, state))
    };
    let place = released || response.clicked_by(egui::PointerButton::Primary);
    if released {
        state.editor.carrying = false;
    }
    let snap = state.editor.snaps(ui);
    if over.is_some() {
        extent::keys(ui, state);
        turn(ui, state);
    }
    let Some(stencil) = stencil(state) else { return false };
    let Some(position) = over.and_then(|at| resting(snap, at, &stencil, view, state)) else { return false };
    if place {
        ask(stencils::placed(&stencil, state.editor.motion, state.editor.turned, position), out);
        if released {
            state.editor.tool = Tool::Move;
        }
        return true;
    }
    let there = |pose: &Pose| Pose { position: position + pose.position, ..*pose };
    state.view3d.preview.ghosts.extend(stencil.bodies.iter().map(|(solid, pose)| (solid.clone(), there(pose))));
    state.view3d.preview.label = extent::words(state);
    // Only the left button belongs to the tool.
    response.hovered() && ui.input(|i| i.pointer.primary_down() || i.pointer.primary_released())
}

/// The stencil (the bodies to be placed) of the present choice. If a part cannot be read, shows the reason and chooses
/// the box.
fn stencil(state: &mut Hands<'_>) -> Option<Stencil> {
    let editor = &mut state.editor;
    if editor.stencil.as_ref().is_none_or(|s| s.choice != editor.choice || s.extents != editor.extents) {
        match Stencil::of(&editor.choice, editor.extents) {
            Ok(stencil) => editor.stencil = Some(stencil),
            Err(reason) => {
                state.notices.error(format!("This part cannot be placed: {reason}"), None);
                editor.choice = stencils::SpawnChoice::default();
                editor.stencil = Stencil::of(&editor.choice, editor.extents).ok();
            }
        }
    }
    Some(editor.stencil.as_ref()?.turned(editor.turned))
}

/// X, Y and Z rotate the ghost about the world's axes, with Shift in the other direction; U makes it upright again.
fn turn(ui: &Ui, state: &mut Hands<'_>) {
    if ui.ctx().text_edit_focused() || state.view3d.drag == Drag::Look {
        return;
    }
    for (axis, key) in Vec3::AXES.into_iter().zip([Key::X, Key::Y, Key::Z]) {
        let presses = |modifiers: Modifiers| events::presses(ui, key, modifiers) as f32;
        let steps = presses(Modifiers::NONE) - presses(Modifiers::SHIFT);
        if steps != 0.0 {
            let turned = Quat::from_axis_angle(axis, steps * TURN) * state.editor.turned;
            state.editor.turned = turned.normalize();
        }
    }
    if events::pressed(ui, Key::U) {
        state.editor.turned = Quat::IDENTITY;
    }
}

/// Places a body at the pointer's last position over the view, or in the middle of the view.
pub fn here(view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    let Some(stencil) = stencil(state) else { return };
    let at = spawn_point(state);
    match resting(state.editor.snap, at, &stencil, view, state) {
        Some(position) => ask(stencils::placed(&stencil, state.editor.motion, state.editor.turned, position), out),
        None => state.notices.info("Nothing under the pointer can carry it.".to_owned()),
    }
}

/// Adds a ball in front of the camera that flies towards the pointer.
pub fn shoot(view: &View<'_>, state: &Hands<'_>, out: &mut Vec<Request>) {
    let (origin, direction) = ray(state, spawn_point(state));
    let origin = origin + direction * state.view3d.camera.behind();
    let room =
        state.view3d.visibility.surface(view, origin, direction).map_or(f32::INFINITY, |hit| hit.distance - 1.5 * BALL);
    let before = room.min(BEFORE_EYE.0).max(BEFORE_EYE.1);
    let mut ball = Body::new("ball", Shape::Sphere { radius: BALL }, rounded_to(origin + direction * before, COARSE));
    ball.velocity = direction * state.editor.shot.0;
    ask(Edit::Add { bodies: vec![ball], joints: vec![] }, out);
}

/// The pointer's last position over the view, or the middle of the view, points.
fn spawn_point(state: &Hands<'_>) -> Vec2 {
    let middle = state.view3d.rect.size() * 0.5;
    state.view3d.pointer.unwrap_or(Vec2::new(middle.x, middle.y))
}

/// The position of the stencil's origin when the stencil rests on what is under the pointer, world frame, m. That is a
/// body, else the ground, else the plane through the camera's target.
fn resting(snap: bool, at: Vec2, stencil: &Stencil, view: &View<'_>, state: &Hands<'_>) -> Option<Vec3> {
    let ray = ray(state, at);
    let hit = state.view3d.visibility.surface(view, ray.0, ray.1);
    let hit = hit.map(|hit| in_level_view(&hit, ray, view, state).unwrap_or((hit.point, hit.normal)));
    let on_body = hit.is_some();
    let (eye, focus) = (state.view3d.camera.view.eye(), state.view3d.camera.view.focus);
    // Towards the horizon the ground is far away. There the user means the air at the target's distance.
    let is_near = |point: &Vec3| point.distance(eye) < FAR * focus.distance(eye);
    let ground = || on_plane(ray, Vec3::ZERO, Vec3::Z).filter(is_near).map(|p| (p, Vec3::Z));
    let air = || on_plane(ray, focus, state.view3d.camera.view.forward()).map(|p| (p, Vec3::ZERO));
    let (mut point, normal) = hit.or_else(ground).or_else(air)?;
    // Rounded along the surface only: the surface itself sets the height.
    let shift = rounded_to(point, if snap { GRID } else { COARSE }) - point;
    point += shift - normal * shift.dot(normal);
    let mut position = point + normal * (reach(stencil, -normal) + if on_body { AIR } else { 0.0 });
    if normal.z < 0.7 {
        // Next to a wall it rests on what is below.
        let foot = reach(stencil, -Vec3::Z) + AIR;
        let under = state.view3d.visibility.surface(view, position, -Vec3::Z).filter(|hit| hit.distance < foot);
        position.z = under.map_or(position.z, |hit| hit.point.z + foot);
    }
    let Some(world) = view.session.world() else { return Some(position) };
    let room = Room::new(world, |id| !state.view3d.visibility.is_hidden(id));
    // On the bare ground there is nothing to be lowered onto.
    let rests = room.resting(stencil, position, if on_body { normal } else { Vec3::ZERO });
    // The search needed the gap `AIR`. The result closes it, so that the body touches what it stands on.
    let above = room.height(stencil, rests).unwrap_or(0.0);
    Some(rounded_to(rests - above * Vec3::Z, FINE))
}

/// Corrects a hit on a floor that is seen from a level view: there the floor is only a strip, its side and its top at a
/// grazing angle. The user means a point on the floor below the camera's target, not one at the floor's near edge.
/// Returns that point and its normal, or `None` if the hit is on no such strip.
fn in_level_view(hit: &Hit, ray: (Vec3, Vec3), view: &View<'_>, state: &Hands<'_>) -> Option<(Vec3, Vec3)> {
    let body = view.snapshot.body(hit.body).filter(|body| body.motion == Motion::Static)?;
    let (focus, forward) = (state.view3d.camera.view.focus, state.view3d.camera.view.forward());
    if forward.z.abs() > LEVEL || hit.normal.z.abs().min(ray.1.z.abs()) > LEVEL {
        return None;
    }
    let point = on_plane(ray, focus, forward)?;
    let (min, max) = placing::aabb(body, 1.0);
    let above = point.with_z(max.z + ABOVE);
    let within = above.truncate().cmpge(min.truncate()) & above.truncate().cmple(max.truncate());
    let under = state.view3d.visibility.surface(view, above, -Vec3::Z).filter(|_| within.all())?;
    Some((under.point, under.normal))
}

/// How far the stencil reaches from its origin in a direction, m.
fn reach(stencil: &Stencil, direction: Vec3) -> f32 {
    let standing = stencil.stands.iter().filter_map(|i| stencil.bodies.get(*i));
    let far = standing
        .map(|(solid, pose)| pose.position.dot(direction) + support(solid, pose.rotation.conjugate() * direction));
    far.reduce(f32::max).unwrap_or(0.0)
}

/// How far a shape reaches from its origin in a direction, m; `direction` is a unit vector in the shape's frame.
pub fn support(solid: &Solid, direction: Vec3) -> f32 {
    if direction == Vec3::ZERO {
        return 0.0;
    }
    let reach = |piece: &Solid| {
        let to_shape = Isometry::from_translation(solid.centre) * piece.offset;
        piece.geometry.as_support_map().map(|map| map.support_point(&to_shape, direction).dot(direction))
    };
    solid.pieces().iter().filter_map(reach).reduce(f32::max).unwrap_or(0.0)
}

/// The motion types of a spawned body, in the order of the menu.
pub const MOTIONS: [(Motion, &str); 3] =
    [(Motion::Dynamic, "Dynamic"), (Motion::Static, "Static"), (Motion::Kinematic, "Kinematic")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_reaches_as_far_as_its_size_says() {
        let reach = |name: &str, direction: Vec3| {
            let index =
                crate::editor::tools::stock::SHAPES.iter().position(|item| item.name == name).expect("in the palette");
            support(&stencils::solid(index).expect("a solid"), direction)
        };
        assert!((reach("Box", -Vec3::Z) - 0.5).abs() < 1e-5);
        // The corner of a cube with half side ½ is at √3/2 along (1, 1, 1)/√3.
        assert!((reach("Box", Vec3::ONE.normalize()) - 0.75f32.sqrt()).abs() < 1e-5);
        // A hull's origin is that of its points, wherever its centre of mass is: the wedge's base is at z = 0.
        assert!(reach("Wedge", -Vec3::Z).abs() < 1e-5 && (reach("Wedge", Vec3::Z) - 0.75).abs() < 1e-5);
    }
}
