//! The spawn tool: a ghost of the chosen shape follows the pointer, rests on what is under it, and a click places it.

use egui::{Response, Ui};
use glam::{Quat, Vec3};
use parry3d::math::Pose as Isometry;

use super::{GRID, Tool, ask, at, on_plane, palette, ray, rounded};
use crate::physics::shape::Solid;
use crate::scene::Body;
use crate::session::{Edit, Motion, Pose};
use crate::ui::state::{Request, UiState, View};

/// A touch of air between what is spawned and what it rests on, m.
const AIR: f32 = 0.002;

/// Follows the pointer; a click or the end of a drag out of the palette places the body.
pub fn pointer(ui: &Ui, response: &Response, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) -> bool {
    let released = state.editor.carrying && !ui.input(|i| i.pointer.primary_down());
    // While it is carried out of the palette the palette holds the pointer, not the view.
    let carried = ui.input(|i| i.pointer.latest_pos()).filter(|p| state.view_rect.contains(*p));
    let over = if state.editor.carrying {
        carried.map(|p| glam::Vec2::new(p.x - state.view_rect.left(), p.y - state.view_rect.top()))
    } else {
        response.hover_pos().and_then(|_| at(response, state))
    };
    let place = released || response.clicked_by(egui::PointerButton::Primary);
    if released {
        state.editor.carrying = false;
    }
    let Some(solid) = palette::solid(state.editor.shape) else { return false };
    let Some(position) = over.and_then(|at| resting(ui, at, &solid, view, state)) else { return false };
    if place {
        let item = &palette::SHAPES[state.editor.shape];
        let mut body = Body::new(item.name.to_lowercase(), solid.shape.clone(), position);
        body.motion = state.editor.motion;
        ask(Edit::Add { bodies: vec![body], joints: vec![] }, out);
        if released {
            state.editor.tool = Tool::Move;
        }
        return true;
    }
    state.editor.preview.ghost = Some((solid, Pose { position, rotation: Quat::IDENTITY }));
    // Only the left button is the tool's.
    response.hovered() && ui.input(|i| i.pointer.primary_down() || i.pointer.primary_released())
}

/// Where the shape's origin is when it rests on what is under the pointer: on a body, else on the ground, else in the
/// plane of what the camera looks at.
fn resting(ui: &Ui, at: glam::Vec2, solid: &Solid, view: &View<'_>, state: &UiState) -> Option<Vec3> {
    let ray = ray(state, at);
    let hit = (view.pick)(ray.0, ray.1).map(|hit| (hit.point, hit.normal));
    let ground = || on_plane(ray, Vec3::ZERO, Vec3::Z).map(|p| (p, Vec3::Z));
    let air = || on_plane(ray, state.camera.view.focus, state.camera.view.forward()).map(|p| (p, Vec3::ZERO));
    let (mut point, normal) = hit.or_else(ground).or_else(air)?;
    if state.editor.snaps(ui) {
        // Across the normal only: what it rests on says how high it is.
        let snapped = Vec3::new(rounded(point.x, GRID), rounded(point.y, GRID), rounded(point.z, GRID));
        let shift = snapped - point;
        point += shift - normal * shift.dot(normal);
    }
    Some(point + normal * (support(solid, -normal) + AIR))
}

/// How far a shape reaches from its origin in a direction, m.
pub fn support(solid: &Solid, direction: Vec3) -> f32 {
    if direction == Vec3::ZERO {
        return 0.0;
    }
    let to_shape = Isometry::from_translation(solid.centre) * solid.offset;
    match solid.geometry.as_support_map() {
        Some(map) => map.support_point(&to_shape, direction).dot(direction),
        None => 0.0,
    }
}

/// How a spawned body may move, in the order of the menu.
pub const MOTIONS: [(Motion, &str); 3] =
    [(Motion::Dynamic, "Dynamic"), (Motion::Static, "Static"), (Motion::Kinematic, "Kinematic")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_reaches_as_far_as_its_size_says() {
        let reach = |index: usize, direction: Vec3| support(&palette::solid(index).expect("a solid"), direction);
        assert!((reach(0, -Vec3::Z) - 0.5).abs() < 1e-5);
        // The corner of a cube of half side ½ lies √3/2 along (1, 1, 1)/√3.
        assert!((reach(0, Vec3::ONE.normalize()) - 0.75f32.sqrt()).abs() < 1e-5);
        // A hull's origin stays where its points say, wherever the centre of mass is: the wedge's base is at z = 0.
        assert!(reach(5, -Vec3::Z).abs() < 1e-5 && (reach(5, Vec3::Z) - 0.75).abs() < 1e-5);
    }
}
