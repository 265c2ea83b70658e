//! Keys and pointer during a gesture: the axis that it is restricted to, and its value.

use egui::{Key, Ui};
use glam::{Vec2, Vec3};

use crate::editor::{
    GRID, Hands, TURN, ray, rounded,
    tools::{
        gesture,
        grab::{GestureAxis, Grab, GrabKind, Grabbed},
        held_frame::FrameEnd,
    },
};
use crate::view::View;
use crate::view3d::{
    rays::{along, on_plane},
    viewport::viewport,
};
use crate::widgets::events;

pub(super) fn keys(ui: &Ui, grab: &mut Grab, view: &View<'_>, state: &mut Hands<'_>) {
    gesture::read(ui, &mut grab.typed);
    for (index, key) in [Key::X, Key::Y, Key::Z].into_iter().enumerate() {
        if events::pressed(ui, key) && grab.allows(index) {
            grab.bound = next(grab.bound, index, grab.prefers_own(state), grab.kind != GrabKind::Scale);
        }
    }
    if events::pressed(ui, Key::W) {
        grab.world.along = !grab.world.along;
    }
    if let Grabbed::Joint(frame) = &mut grab.held
        && events::pressed(ui, Key::E)
    {
        frame.end = frame.end.next(Some(&frame.joint.kind));
        // A common point cannot be rotated about itself.
        if grab.kind == GrabKind::Rotate && !frame.turns() {
            frame.end = FrameEnd::Both;
        }
        state.editor.end = frame.end;
        (grab.pivot, grab.own) = (frame.pivot(), frame.rotation(view.snapshot));
        grab.origin = grab.pivot;
    }
}

/// The first press of an axis' key selects it, the second selects the world's or own axis instead, the third none.
fn next(bound: Option<GestureAxis>, index: usize, own_first: bool, both: bool) -> Option<GestureAxis> {
    let first = GestureAxis { index, local: own_first };
    let second = GestureAxis { index, local: !own_first };
    match bound {
        Some(bound) if bound == first => both.then_some(second),
        Some(bound) if bound == second => None,
        _ => Some(first),
    }
}

/// Sets value and displacement from the pointer, or from the typed number.
pub(super) fn lead_to(grab: &mut Grab, pointer: Vec2, snap: bool, state: &Hands<'_>) {
    let typed = gesture::number(&grab.typed);
    let facing = state.view3d.camera.view.forward();
    let (from, to) = (ray(state, grab.start), ray(state, pointer));
    let centre = state.view3d.camera.project(grab.origin, viewport(state.view3d)).unwrap_or(grab.start);
    match grab.kind {
        GrabKind::Move => {
            // A number without an axis means x, as in Blender.
            let first = GestureAxis { index: 0, local: grab.prefers_own(state) };
            let axis = grab.axis().or(typed.map(|_| grab.direction(first)));
            if let Some(axis) = axis {
                let led = || Some(along(to, grab.origin, axis)? - along(from, grab.origin, axis)?);
                let free = led().unwrap_or(grab.value);
                grab.value = typed.unwrap_or(if snap { rounded(free, GRID) } else { free });
                grab.shift = axis * grab.value;
            } else if let (Some(a), Some(b)) = (on_plane(from, grab.origin, facing), on_plane(to, grab.origin, facing))
            {
                let shift = b - a;
                let round = |v: f32| if snap { rounded(v, GRID) } else { v };
                grab.shift = Vec3::new(round(shift.x), round(shift.y), round(shift.z));
            }
        }
        GrabKind::Rotate => {
            let axis = grab.axis().unwrap_or(grab.sight);
            let angle = |p: Vec2| (p - centre).to_angle();
            // On the screen y points down: a counter-clockwise rotation about an axis towards the eye is negative
            // there.
            let toward = if axis.dot(facing) < 0.0 { -1.0 } else { 1.0 };
            let free = toward * wrapped(angle(pointer) - angle(grab.start));
            grab.value =
                typed.map(|v| state.angles.radians(v)).unwrap_or(if snap { rounded(free, TURN) } else { free });
        }
        GrabKind::Scale => {
            let even = centre.distance(pointer) / centre.distance(grab.start).max(1.0);
            let led = |axis: Vec3| {
                let start = along(from, grab.pivot, axis)?;
                // Near the pivot a small motion would be a large factor.
                let near = 8.0 * state.view3d.camera.metres_per_pixel(grab.pivot, viewport(state.view3d));
                (start.abs() > near).then_some(along(to, grab.pivot, axis)? / start)
            };
            let free = grab.axis().and_then(led).unwrap_or(even);
            let factor = typed.unwrap_or(if snap { rounded(free, 0.1) } else { free });
            grab.value = factor.abs().clamp(0.01, 100.0);
        }
    }
}

fn wrapped(angle: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    (angle + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_wrap_the_short_way() {
        assert!((wrapped(3.5) - (3.5 - std::f32::consts::TAU)).abs() < 1e-6);
        assert!((wrapped(-3.5) + 3.5 - std::f32::consts::TAU).abs() < 1e-6);
    }

    #[test]
    fn an_axis_key_goes_from_the_world_s_to_its_own_to_none() {
        let x = |local| Some(GestureAxis { index: 0, local });
        assert_eq!(next(None, 0, false, true), x(false));
        assert_eq!(next(x(false), 0, false, true), x(true));
        assert_eq!(next(x(true), 0, false, true), None);
        assert_eq!(next(x(true), 1, false, true), Some(GestureAxis { index: 1, local: false }));
        // Scaling uses own axes only.
        assert_eq!(next(x(true), 0, true, false), None);
    }
}
