//! The mouse in the 3-D view. The renderer draws the picture itself. Positions are in points from the view's upper left
//! corner.

use std::collections::HashSet;

use crate::widgets::events;
use egui::{PointerButton, Pos2, Response, Ui};
use glam::{Vec2, Vec3};

use crate::{
    request::Request,
    selection::Selection,
    view::View,
    view3d::{Drag, View3d},
};
use delassus_session::{Command, Motion};

/// How near the pointer has to be to a joint's anchor to take it, points.
const ANCHOR_REACH: f32 = 9.0;
const MANY_BODIES: usize = 5000;
/// One wheel notch, in egui's points of scrolling.
const NOTCH: f32 = 50.0;

/// Width and height of the view, points.
pub fn viewport(state: &View3d) -> Vec2 {
    Vec2::new(state.rect.width(), state.rect.height())
}

fn local(state: &View3d, at: Pos2) -> Vec2 {
    Vec2::new(at.x - state.rect.left(), at.y - state.rect.top())
}

fn ray(state: &View3d, at: Pos2) -> (Vec3, Vec3) {
    state.camera.ray(local(state, at), viewport(state))
}

pub fn hover(response: &Response, view: &View<'_>, state: &mut View3d, selection: &mut Selection) {
    // A ray through very many bodies is slow: it is cast only when the pointer moves.
    let still = response.ctx.input(|i| i.pointer.delta() == egui::Vec2::ZERO);
    if still && view.snapshot.bodies.len() > MANY_BODIES && response.hovered() {
        return;
    }
    selection.hovered = match response.hover_pos() {
        Some(at) if state.drag == Drag::Nothing => {
            let (origin, direction) = ray(state, at);
            (view.pick)(origin, direction).map(|hit| hit.body)
        }
        _ => None,
    };
}

/// Decides what the pressed button will do.
pub fn press(ui: &Ui, response: &Response, view: &View<'_>, state: &mut View3d) {
    if !response.drag_started() {
        return;
    }
    // A press in the view takes the focus from text fields.
    if let Some(id) = ui.memory(|memory| memory.focused()) {
        ui.memory_mut(|memory| memory.surrender_focus(id));
    }
    let (modifiers, origin) = (events::click_modifiers(ui), ui.input(|i| i.pointer.press_origin()));
    let Some(at) = origin else { return };
    let down = |button| response.drag_started_by(button);
    state.drag = if down(PointerButton::Middle) && modifiers.shift {
        Drag::Pan
    } else if down(PointerButton::Middle) || (down(PointerButton::Primary) && modifiers.alt) {
        Drag::Orbit
    } else if down(PointerButton::Secondary) {
        Drag::Look
    } else if (modifiers.command || modifiers.ctrl) && !modifiers.shift {
        let (from, direction) = ray(state, at);
        let hit = (view.pick)(from, direction);
        let pulled = hit.filter(|hit| view.snapshot.body(hit.body).is_some_and(|b| b.motion == Motion::Dynamic));
        pulled.map_or(Drag::Nothing, |hit| Drag::Pull { body: hit.body, local: hit.local, at: hit.point })
    } else {
        let (from, direction) = ray(state, at);
        let on_body = (view.pick)(from, direction)
            .is_some_and(|hit| view.snapshot.body(hit.body).is_some_and(|b| b.motion != Motion::Static));
        // A plain drag on a body does nothing; moving bodies is the editor's.
        if on_body && !modifiers.shift { Drag::Nothing } else { Drag::Box(local(state, at)) }
    };
}

pub fn drag(
    ui: &Ui,
    response: &Response,
    view: &View<'_>,
    state: &mut View3d,
    selection: &mut Selection,
    out: &mut Vec<Request>,
) {
    let delta = Vec2::new(response.drag_delta().x, response.drag_delta().y);
    match state.drag {
        Drag::Nothing => {}
        Drag::Orbit => state.camera.orbit(delta),
        Drag::Pan => state.camera.pan(delta, viewport(state)),
        Drag::Look => state.camera.look(delta),
        Drag::Pull { body, local, at } => {
            if let Some(pointer) = response.interact_pointer_pos() {
                let (origin, direction) = ray(state, pointer);
                let facing = state.camera.view.forward();
                let reach = (at - origin).dot(facing) / direction.dot(facing).max(1e-3);
                let target = origin + direction * reach;
                if target.is_finite() && response.dragged() {
                    out.push(Request::Session(Command::MouseJoint { body, point: local, target }));
                }
            }
        }
        Drag::Box(from) => {
            if response.drag_stopped()
                && let Some(to) = response.interact_pointer_pos()
            {
                let corner = self::local(state, to);
                let modifiers = events::click_modifiers(ui);
                let how = match (modifiers.shift, modifiers.command || modifiers.ctrl) {
                    (true, true) => Boxed::TakenOut,
                    (true, false) => Boxed::Added,
                    _ => Boxed::Alone,
                };
                select_inside(from.min(corner), from.max(corner), how, view, state, selection);
            }
        }
    }
    // egui does not report a button released outside the window.
    if response.drag_stopped() || (state.drag != Drag::Nothing && !ui.input(|i| i.pointer.any_down())) {
        if matches!(state.drag, Drag::Pull { .. }) {
            out.push(Request::Session(Command::Release));
        }
        state.drag = Drag::Nothing;
    }
}

/// What a selection box does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Boxed {
    Alone,
    /// With Shift.
    Added,
    /// With Ctrl and Shift.
    TakenOut,
}

/// Selects or deselects the moving bodies whose centre is inside the rectangle.
fn select_inside(min: Vec2, max: Vec2, how: Boxed, view: &View<'_>, state: &View3d, selection: &mut Selection) {
    if how == Boxed::Alone {
        selection.clear();
    }
    selection.joint = None;
    let size = viewport(state);
    let already: HashSet<u32> = selection.bodies.iter().copied().collect();
    let inside = |at: Vec3| state.camera.project(at, size).is_some_and(|p| p.cmpge(min).all() && p.cmple(max).all());
    let found = (view.snapshot.bodies.iter())
        .filter(|b| b.motion != Motion::Static && state.visibility.is_free(b.id) && inside(b.centre))
        .map(|b| b.id);
    if how == Boxed::TakenOut {
        let gone: HashSet<u32> = found.collect();
        selection.bodies.retain(|id| !gone.contains(id));
    } else {
        selection.bodies.extend(found.filter(|id| !already.contains(id)));
    }
}

pub fn wheel(ui: &Ui, response: &Response, view: &View<'_>, state: &mut View3d) {
    let Some(at) = response.hover_pos() else { return };
    let notches = ui.input(|i| i.smooth_scroll_delta().y) / NOTCH;
    if notches != 0.0 {
        let (origin, direction) = ray(state, at);
        let under = state.visibility.surface(view, origin, direction).map(|hit| hit.point);
        state.camera.zoom_to_pointer(notches, local(state, at), viewport(state), under);
    }
}

pub fn click(ui: &Ui, response: &Response, view: &View<'_>, state: &mut View3d, selection: &mut Selection) {
    if !response.clicked() {
        return;
    }
    let (modifiers, at) = (events::click_modifiers(ui), ui.input(|i| i.pointer.interact_pos()));
    let Some(at) = at.filter(|_| !modifiers.alt) else { return };
    if let Some(index) = anchor_at(local(state, at), view, state) {
        if modifiers.shift {
            selection.add_joint(index);
        } else {
            selection.click_joint(index);
        }
        return;
    }
    let (origin, direction) = ray(state, at);
    match (view.pick)(origin, direction) {
        Some(hit) => selection.click_body(hit.body, modifiers.shift),
        None if !modifiers.shift => selection.clear(),
        None => {}
    }
}

/// The joint whose anchor is under the pointer, if joints are shown.
fn anchor_at(at: Vec2, view: &View<'_>, state: &View3d) -> Option<usize> {
    if !state.overlays.joints {
        return None;
    }
    let size = viewport(state);
    let distance = |joint: &delassus_session::JointView| {
        let place = view.snapshot.place(joint);
        let ends = [place.anchor_a, place.anchor_b].map(|p| state.camera.project(p, size));
        ends.into_iter().flatten().map(|p| p.distance(at)).min_by(f32::total_cmp)
    };
    (view.snapshot.joints.iter().enumerate())
        .filter(|(index, joint)| !state.visibility.hides_joint(*index, joint))
        .filter_map(|(index, joint)| Some((index, distance(joint)?)))
        .filter(|(_, d)| *d < ANCHOR_REACH)
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(index, _)| index)
}

/// W A S D Q E while the right button looks around.
pub fn fly(ui: &Ui, state: &mut View3d) {
    if state.drag != Drag::Look || ui.ctx().text_edit_focused() {
        return;
    }
    let (direction, dt) = ui.input(|i| {
        let axis = |plus, minus| f32::from(i.key_down(plus)) - f32::from(i.key_down(minus));
        use egui::Key;
        let direction = Vec3::new(axis(Key::D, Key::A), axis(Key::W, Key::S), axis(Key::E, Key::Q));
        (direction, i.stable_dt.min(0.1))
    });
    if direction != Vec3::ZERO {
        let speed = state.camera.fly_speed();
        state.camera.fly(direction, speed, dt);
        state.animating = true;
    }
}
