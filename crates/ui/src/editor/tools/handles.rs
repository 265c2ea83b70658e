//! The handles of the move, rotate and scale tools at the selection: arrows, rings and cubes on three axes, with a
//! constant size on the screen.

use egui::{Response, Ui};
use glam::{Quat, Vec2, Vec3};

use crate::editor::tools::grab::{GestureAxis, Grab, GrabKind};
use crate::editor::{Tool, at, press_at, pressed, ray};
use crate::view3d::viewport::viewport;
use crate::{editor::Hands, view::View};
use delassus_render::palette::{self, with_alpha};

/// How near the pointer has to be to a handle to grab it, points of the screen.
const REACH: f32 = 9.0;
/// Length of a handle, points of the screen; half side of a cube.
const HANDLE: f32 = 90.0;
const CUBE: f32 = 5.0;
/// Segments of a ring.
const SEGMENTS: usize = 48;

const COLORS: [[f32; 3]; 3] = [palette::AXIS_X, palette::AXIS_Y, palette::AXIS_Z];

/// Draws the handles of the tool, and starts a gesture if a handle or a body is pressed. True if it did, or while the
/// pointer is on a handle.
pub fn pointer(ui: &Ui, response: &Response, view: &View<'_>, state: &mut Hands<'_>) -> bool {
    let kind = match state.editor.tool {
        Tool::Move => GrabKind::Move,
        Tool::Rotate => GrabKind::Rotate,
        _ => GrabKind::Scale,
    };
    let started = pressed(response);
    let pointer = if started { press_at(ui, state) } else { at(response, state) };
    let mut taken = None;
    if let Some(grab) = Grab::new(kind, Vec2::ZERO, true, view, state) {
        taken = draw(&grab, pointer.filter(|_| response.hovered() || started), state);
    }
    if !started {
        return taken.is_some() && !ui.input(|i| i.pointer.secondary_down() || i.pointer.middle_down());
    }
    let Some(start) = pointer else { return false };
    if taken.is_none() {
        let (from, direction) = ray(state, start);
        let Some(hit) = (view.pick)(from, direction) else { return false };
        if !state.selection.bodies.contains(&hit.body) {
            state.selection.click_body(hit.body, false);
        }
    }
    let Some(mut grab) = Grab::new(kind, start, true, view, state) else { return false };
    grab.bound = taken;
    state.editor.grab = Some(grab);
    true
}

/// Draws a handle for each axis; returns the one under the pointer.
fn draw(grab: &Grab, pointer: Option<Vec2>, state: &mut Hands<'_>) -> Option<GestureAxis> {
    let size = viewport(state.view3d);
    let pixel = state.view3d.camera.metres_per_pixel(grab.pivot, size);
    let local = grab.prefers_own(state);
    let handles: Vec<(GestureAxis, Vec3, Vec<Vec3>)> = (0..3)
        .filter(|index| grab.allows(*index))
        .map(|index| {
            let bound = GestureAxis { index, local };
            let axis = grab.direction(bound);
            (bound, axis, curve(grab.kind, grab.pivot, axis, HANDLE * pixel))
        })
        .collect();
    let mut best: Option<(f32, GestureAxis)> = None;
    if let Some(pointer) = pointer {
        for (bound, _, points) in &handles {
            let seen: Vec<Vec2> = points.iter().filter_map(|p| state.view3d.camera.project(*p, size)).collect();
            let distance = seen.windows(2).map(|w| to_segment(pointer, w[0], w[1])).fold(f32::INFINITY, f32::min);
            if distance < best.map_or(REACH, |(d, _)| d) {
                best = Some((distance, *bound));
            }
        }
    }
    for (bound, axis, points) in &handles {
        let on = best.is_some_and(|(_, b)| b == *bound);
        let color = with_alpha(if on { palette::ACCENT } else { COLORS[bound.index] }, 1.0);
        let width = if on { 4.5 } else { 3.0 };
        let preview = &mut state.view3d.preview;
        preview.lines.extend(points.windows(2).map(|w| (w[0], w[1], color, width)));
        if let Some(tip) = points.last() {
            match grab.kind {
                GrabKind::Move => preview.points.push((*tip, color, 6.0)),
                GrabKind::Scale => {
                    preview.lines.extend(cube(*tip, *axis, CUBE * pixel).map(|(a, b)| (a, b, color, 4.0)))
                }
                GrabKind::Rotate => {}
            }
        }
    }
    best.map(|(_, bound)| bound)
}

fn curve(kind: GrabKind, pivot: Vec3, axis: Vec3, length: f32) -> Vec<Vec3> {
    if kind != GrabKind::Rotate {
        return vec![pivot + axis * (0.15 * length), pivot + axis * length];
    }
    let side = axis.any_orthonormal_vector() * length;
    (0..=SEGMENTS)
        .map(|i| pivot + Quat::from_axis_angle(axis, i as f32 / SEGMENTS as f32 * std::f32::consts::TAU) * side)
        .collect()
}

/// The twelve edges of a cube along an axis.
fn cube(centre: Vec3, axis: Vec3, half: f32) -> [(Vec3, Vec3); 12] {
    let (u, v) = axis.any_orthonormal_pair();
    let sides = [axis, u, v].map(|d| d * half);
    std::array::from_fn(|i| {
        let (along, corner) = (i / 4, i % 4);
        let (p, q) = (sides[(along + 1) % 3], sides[(along + 2) % 3]);
        let sign = |bit: usize| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
        let middle = centre + p * sign(0) + q * sign(1);
        (middle - sides[along], middle + sides[along])
    })
}

fn to_segment(p: Vec2, a: Vec2, b: Vec2) -> f32 {
    let along = b - a;
    let t = ((p - a).dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0);
    p.distance(a + along * t)
}
