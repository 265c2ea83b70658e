//! The 3-D view: what the mouse does in it, and what lies over the picture.
//!
//! The picture itself is drawn under the panels by the renderer; here is only the pointer's side of it. All positions
//! are in points from the view's upper left corner.

use std::collections::HashSet;

use egui::{Align2, Color32, FontId, PointerButton, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use glam::{Vec2, Vec3};
use lucide_icons::Icon;

use super::{
    overlays, readout,
    state::{Drag, Request, UiState, View},
    theme,
    widgets::icon_toggle,
};
use crate::{
    render::palette,
    session::{Command, Motion},
};

/// How near the pointer has to be to a joint's anchor to take it, points.
const ANCHOR_REACH: f32 = 9.0;
const MANY_BODIES: usize = 5000;
/// One wheel notch, in egui's points of scrolling.
const NOTCH: f32 = 50.0;

/// Lays out the view and handles the pointer.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let rect = ui.max_rect();
    state.view_rect = rect;
    let response = ui.interact(rect, ui.scope_id().with("view"), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "3-D view"));
    if !state.is_modal() {
        hover(&response, view, state);
        press(ui, &response, view, state);
        drag(ui, &response, view, state, out);
        wheel(ui, &response, view, state);
        click(ui, &response, view, state);
    }
    fly(ui, state);
    // What is drawn over the picture must stay inside it.
    let ui = &mut ui.new_child(egui::UiBuilder::new().max_rect(rect));
    ui.set_clip_rect(rect);
    if view.is_empty() {
        empty_hint(ui, rect);
    } else {
        // What does not fit beside each other is left out: the picture comes first.
        let (wide, high) = (rect.width(), rect.height());
        if wide > 300.0 && high > 190.0 {
            readout::show(ui, rect.left_top() + vec2(10.0, 10.0), view);
        }
        if wide > 300.0 && high > 330.0 {
            overlays::legend(
                ui,
                rect.left_bottom() + vec2(10.0, -10.0),
                view.snapshot,
                state.overlays,
                state.newtons_a_metre,
            );
        }
        labels(ui, view, state);
    }
    if rect.width() > 160.0 && rect.height() > 130.0 {
        axes(ui, rect, state);
        tools(ui, rect, state);
    }
    if let Drag::Box(from) = state.drag
        && let Some(to) = response.interact_pointer_pos()
    {
        let colors = theme::colors(ui.visuals());
        let rect = Rect::from_two_pos(rect.min + vec2(from.x, from.y), to);
        let fill = colors.accent.gamma_multiply(0.12);
        ui.painter().rect(rect, 2.0, fill, Stroke::new(1.0, colors.accent), StrokeKind::Inside);
    }
}

fn viewport(state: &UiState) -> Vec2 {
    Vec2::new(state.view_rect.width(), state.view_rect.height())
}

fn local(state: &UiState, at: Pos2) -> Vec2 {
    Vec2::new(at.x - state.view_rect.left(), at.y - state.view_rect.top())
}

fn ray(state: &UiState, at: Pos2) -> (Vec3, Vec3) {
    state.camera.ray(local(state, at), viewport(state))
}

fn hover(response: &Response, view: &View<'_>, state: &mut UiState) {
    // A ray through a great many bodies takes its time: there it is cast only when the pointer moves.
    let still = response.ctx.input(|i| i.pointer.delta() == egui::Vec2::ZERO);
    if still && view.snapshot.bodies.len() > MANY_BODIES && response.hovered() {
        return;
    }
    state.selection.hovered = match response.hover_pos() {
        Some(at) if state.drag == Drag::Nothing => {
            let (origin, direction) = ray(state, at);
            (view.pick)(origin, direction).map(|hit| hit.body)
        }
        _ => None,
    };
}

/// Decides what the pressed button will do.
fn press(ui: &Ui, response: &Response, view: &View<'_>, state: &mut UiState) {
    if !response.drag_started() {
        return;
    }
    // Typing and the view do not mix: whatever had the keyboard lets go.
    if let Some(id) = ui.memory(|memory| memory.focused()) {
        ui.memory_mut(|memory| memory.surrender_focus(id));
    }
    let (modifiers, origin) = ui.input(|i| (i.modifiers, i.pointer.press_origin()));
    let Some(at) = origin else { return };
    let down = |button| response.drag_started_by(button);
    state.drag = if down(PointerButton::Middle) && modifiers.shift {
        Drag::Pan
    } else if down(PointerButton::Middle) || (down(PointerButton::Primary) && modifiers.alt) {
        Drag::Orbit
    } else if down(PointerButton::Secondary) {
        Drag::Look
    } else if modifiers.command || modifiers.ctrl {
        let (from, direction) = ray(state, at);
        let hit = (view.pick)(from, direction);
        let pulled = hit.filter(|hit| view.snapshot.body(hit.body).is_some_and(|b| b.motion == Motion::Dynamic));
        pulled.map_or(Drag::Nothing, |hit| Drag::Pull { body: hit.body, local: hit.local, at: hit.point })
    } else {
        let (from, direction) = ray(state, at);
        let on_body = (view.pick)(from, direction)
            .is_some_and(|hit| view.snapshot.body(hit.body).is_some_and(|b| b.motion != Motion::Static));
        // From a body a plain drag does nothing yet; moving bodies by hand is the editor's.
        if on_body { Drag::Nothing } else { Drag::Box(local(state, at)) }
    };
}

fn drag(ui: &Ui, response: &Response, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
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
                    out.push(Request::Session(Command::Pull { body, point: local, target }));
                }
            }
        }
        Drag::Box(from) => {
            if response.drag_stopped()
                && let Some(to) = response.interact_pointer_pos()
            {
                let corner = self::local(state, to);
                let add = ui.input(|i| i.modifiers.shift);
                select_inside(from.min(corner), from.max(corner), add, view, state);
            }
        }
    }
    // The button may also come up where egui does not tell: outside of the window.
    if response.drag_stopped() || (state.drag != Drag::Nothing && !ui.input(|i| i.pointer.any_down())) {
        if matches!(state.drag, Drag::Pull { .. }) {
            out.push(Request::Session(Command::Release));
        }
        state.drag = Drag::Nothing;
    }
}

/// Takes the moving bodies whose centre is seen inside the rectangle.
fn select_inside(min: Vec2, max: Vec2, add: bool, view: &View<'_>, state: &mut UiState) {
    if !add {
        state.selection.clear();
    }
    let size = viewport(state);
    let already: HashSet<u32> = state.selection.bodies.iter().copied().collect();
    let inside = |at: Vec3| state.camera.project(at, size).is_some_and(|p| p.cmpge(min).all() && p.cmple(max).all());
    let found = (view.snapshot.bodies.iter())
        .filter(|b| b.motion != Motion::Static && !already.contains(&b.id) && inside(b.centre))
        .map(|b| b.id);
    state.selection.bodies.extend(found);
}

fn wheel(ui: &Ui, response: &Response, view: &View<'_>, state: &mut UiState) {
    let Some(at) = response.hover_pos() else { return };
    let notches = ui.input(|i| i.smooth_scroll_delta().y) / NOTCH;
    if notches != 0.0 {
        let (origin, direction) = ray(state, at);
        let under = (view.pick)(origin, direction).map(|hit| hit.point);
        state.camera.zoom_to_pointer(notches, local(state, at), viewport(state), under);
    }
}

fn click(ui: &Ui, response: &Response, view: &View<'_>, state: &mut UiState) {
    if !response.clicked() {
        return;
    }
    let (modifiers, at) = ui.input(|i| (i.modifiers, i.pointer.interact_pos()));
    let Some(at) = at.filter(|_| !modifiers.alt) else { return };
    if let Some(index) = anchor_at(local(state, at), view, state) {
        state.selection.click_joint(index);
        return;
    }
    let (origin, direction) = ray(state, at);
    match (view.pick)(origin, direction) {
        Some(hit) => state.selection.click_body(hit.body, modifiers.shift),
        None if !modifiers.shift => state.selection.clear(),
        None => {}
    }
}

/// The joint whose anchor is seen under the pointer, as long as joints are shown.
fn anchor_at(at: Vec2, view: &View<'_>, state: &UiState) -> Option<usize> {
    if !state.overlays.joints {
        return None;
    }
    let size = viewport(state);
    let distance = |joint: &crate::session::JointView| {
        let ends = [joint.anchor_a, joint.anchor_b].map(|p| state.camera.project(p, size));
        ends.into_iter().flatten().map(|p| p.distance(at)).min_by(f32::total_cmp)
    };
    (view.snapshot.joints.iter().enumerate())
        .filter_map(|(index, joint)| Some((index, distance(joint)?)))
        .filter(|(_, d)| *d < ANCHOR_REACH)
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(index, _)| index)
}

/// W A S D Q E while the right button looks around.
fn fly(ui: &Ui, state: &mut UiState) {
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

fn empty_hint(ui: &Ui, rect: Rect) {
    let colors = theme::colors(ui.visuals());
    let centre = rect.center();
    let text = "No scene is open.\nDrop a .ron file here, or pick one on the left.";
    ui.painter().text(
        centre - vec2(0.0, 34.0),
        Align2::CENTER_CENTER,
        char::from(Icon::PackageOpen),
        theme::icon_font(34.0),
        colors.weak,
    );
    for (index, line) in text.lines().enumerate() {
        let at = centre + vec2(0.0, index as f32 * 20.0);
        ui.painter().text(at, Align2::CENTER_TOP, line, FontId::proportional(15.0), colors.text);
    }
}

/// Names of bodies, and the lengths of joint errors that are large enough to read.
fn labels(ui: &Ui, view: &View<'_>, state: &UiState) {
    let size = viewport(state);
    let colors = theme::colors(ui.visuals());
    let write = |at: Vec3, text: &str, color: Color32| {
        if let Some(p) = state.camera.project(at, size) {
            let at = state.view_rect.min + vec2(p.x + 8.0, p.y - 8.0);
            let galley = ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(11.5), color);
            let back = Rect::from_min_size(at, galley.size()).expand2(vec2(4.0, 1.0));
            ui.painter().rect_filled(back, 4.0, colors.overlay);
            ui.painter().galley(at, galley, color);
        }
    };
    if state.overlays.names {
        for body in view.snapshot.bodies.iter().filter(|b| b.motion != Motion::Static).take(400) {
            write(body.centre, &body.name, colors.text);
        }
    }
    if state.overlays.joint_error {
        let mut worst: Vec<_> = view.snapshot.joints.iter().filter(|j| j.error > 0.02).collect();
        worst.sort_by(|a, b| b.error.total_cmp(&a.error));
        for joint in worst.into_iter().take(5) {
            let middle = (joint.anchor_a + joint.anchor_b) * 0.5;
            let text = super::number::length(f64::from(joint.error));
            write(middle, &text, theme::from_palette(overlays::JOINT_ERROR));
        }
    }
}

/// The little cross of the world's axes in the upper right corner.
fn axes(ui: &Ui, rect: Rect, state: &UiState) {
    let centre = rect.right_top() + vec2(-44.0, 44.0);
    let colors = theme::colors(ui.visuals());
    ui.painter().circle_filled(centre, 32.0, colors.overlay.gamma_multiply(0.6));
    let rotation = state.camera.rotation();
    let mut ends = [
        (rotation * Vec3::X, palette::AXIS_X, "x"),
        (rotation * Vec3::Y, palette::AXIS_Y, "y"),
        (rotation * Vec3::Z, palette::AXIS_Z, "z"),
    ];
    // The farthest first, so that the nearest lies on top.
    ends.sort_by(|a, b| a.0.z.total_cmp(&b.0.z));
    for (direction, color, name) in ends {
        let tip = centre + vec2(direction.x, -direction.y) * 21.0;
        let color = theme::from_palette(color);
        let faded = if direction.z < -0.1 { color.gamma_multiply(0.65) } else { color };
        ui.painter().line_segment([centre, tip], Stroke::new(2.0, faded));
        ui.painter().circle_filled(tip, 7.5, faded);
        let ink = Color32::from_rgb(255, 255, 255);
        ui.painter().text(tip, Align2::CENTER_CENTER, name, FontId::proportional(11.0), ink);
    }
}

/// The buttons below the axes: overlays and framing.
fn tools(ui: &mut Ui, rect: Rect, state: &mut UiState) {
    let colors = theme::colors(ui.visuals());
    let at = pos2(rect.right() - 60.0, rect.top() + 84.0);
    let area = Rect::from_min_size(at, vec2(32.0, 28.0));
    ui.painter().rect_filled(area.expand(1.0), 6.0, colors.overlay);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(area.shrink(2.0)).id_salt("view tools"));
    let open_id = child.scope_id().with("overlays popup");
    let is_open = egui::Popup::is_id_open(child.ctx(), open_id);
    let tip = "What is drawn over the bodies";
    let button = icon_toggle(&mut child, Icon::Layers, is_open, "Overlays", tip);
    let newtons = state.newtons_a_metre;
    egui::Popup::menu(&button)
        .id(open_id)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .align(egui::RectAlign::BOTTOM_END)
        .show(|ui| overlays::menu(ui, &mut state.overlays, newtons));
}
