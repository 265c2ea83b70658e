//! The joint tool: press on a body, drag to another (or to the open, which is the world), let go.
//!
//! Kinds whose anchors coincide take one point, of the first body, of the second, or midway; rods, ropes and springs
//! take the two points themselves. In the document's own pose the joint is written with one point and one direction
//! of the world; once the bodies have moved, with ends on each body.

use egui::{Key, PointerButton, Response, Ui};
use glam::{Quat, Vec2, Vec3};

use super::{ask, at, on_plane, pressed, ray, snap};
use crate::physics::joints::JointKind;
use crate::render::palette::{self, with_alpha};
use crate::scene::{Joint, WORLD};
use crate::session::{Edit, Snapshot};
use crate::ui::overlays;
use crate::ui::state::{Request, UiState, View};

/// Along what the joint's axis is laid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisChoice {
    /// The normal of the face that was pressed, turned to a world axis where it is nearly one.
    #[default]
    Face,
    X,
    Y,
    Z,
    /// The line of sight, turned likewise.
    Sight,
}

impl AxisChoice {
    pub const ALL: [(Self, &str); 5] =
        [(Self::Face, "face"), (Self::X, "x"), (Self::Y, "y"), (Self::Z, "z"), (Self::Sight, "sight")];
}

/// Where a joint whose anchors coincide has its anchor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnchorChoice {
    #[default]
    First,
    Middle,
    Second,
}

impl AnchorChoice {
    pub const ALL: [(Self, &str); 3] =
        [(Self::First, "first point"), (Self::Middle, "midway"), (Self::Second, "second point")];
}

/// An end that is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// 0 for the world.
    pub body: u32,
    /// World, m.
    pub point: Vec3,
    pub normal: Vec3,
}

/// A joint that is being dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joining {
    pub from: End,
}

/// The end under the pointer: a body, else the ground, else the plane of `near` that faces the camera.
fn end_at(ui: &Ui, at: Vec2, near: Vec3, view: &View<'_>, state: &UiState) -> Option<End> {
    let ray = ray(state, at);
    let snaps = !ui.input(|i| i.modifiers.shift);
    if let Some(hit) = (view.pick)(ray.0, ray.1)
        && let Some(body) = view.snapshot.body(hit.body)
    {
        return Some(End { body: hit.body, point: snap::taken(at, &hit, body, snaps, state), normal: hit.normal });
    }
    let point = on_plane(ray, near, state.camera.view.forward())?;
    Some(End { body: 0, point, normal: Vec3::ZERO })
}

/// Handles the pointer; true while the left button is the tool's.
pub fn pointer(ui: &Ui, response: &Response, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) -> bool {
    choose_axis(ui, state);
    let Some(at) = at(response, state) else { return false };
    if let Some(joining) = state.editor.joining {
        let Some(to) = end_at(ui, at, joining.from.point, view, state) else { return true };
        mark(view, state, &to);
        let ends = (joining.from, to);
        rubber_band(state, ends);
        if response.drag_stopped_by(PointerButton::Primary) || !ui.input(|i| i.pointer.primary_down()) {
            state.editor.joining = None;
            finish(ends, view, state, out);
        }
        return true;
    }
    let Some(from) = end_at(ui, at, state.camera.view.focus, view, state) else { return false };
    if response.hovered() && from.body != 0 {
        mark(view, state, &from);
    }
    if pressed(response) {
        let origin = ui.input(|i| i.pointer.press_origin());
        let start = origin.map(|p| Vec2::new(p.x - state.view_rect.left(), p.y - state.view_rect.top())).unwrap_or(at);
        let from = end_at(ui, start, state.camera.view.focus, view, state).unwrap_or(from);
        state.editor.joining = Some(Joining { from });
        return true;
    }
    false
}

/// X, Y, Z lay the axis along the world's, N along the face's normal.
fn choose_axis(ui: &Ui, state: &mut UiState) {
    if ui.ctx().text_edit_focused() {
        return;
    }
    for (key, choice) in
        [(Key::X, AxisChoice::X), (Key::Y, AxisChoice::Y), (Key::Z, AxisChoice::Z), (Key::N, AxisChoice::Face)]
    {
        if ui.input(|i| i.key_pressed(key) && i.modifiers.is_none()) {
            state.editor.axis = choice;
        }
    }
}

/// The kind that the tool makes.
pub fn kind(state: &UiState) -> JointKind {
    let kinds = JointKind::all();
    kinds[state.editor.kind.min(kinds.len() - 1)]
}

fn axis(choice: AxisChoice, (from, to): (End, End), sight: Vec3) -> Vec3 {
    let free = match choice {
        AxisChoice::X => return Vec3::X,
        AxisChoice::Y => return Vec3::Y,
        AxisChoice::Z => return Vec3::Z,
        AxisChoice::Face if from.normal != Vec3::ZERO => from.normal,
        AxisChoice::Face if to.normal != Vec3::ZERO => to.normal,
        AxisChoice::Face | AxisChoice::Sight => sight,
    };
    let near = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().find(|d| d.dot(free).abs() > 0.95);
    near.map_or(free, |d| d * d.dot(free).signum())
}

fn anchor(choice: AnchorChoice, (from, to): (End, End)) -> Vec3 {
    match choice {
        AnchorChoice::First => from.point,
        AnchorChoice::Middle => (from.point + to.point) * 0.5,
        AnchorChoice::Second => to.point,
    }
}

/// Snap points of the body under the pointer, and the one that is taken.
fn mark(view: &View<'_>, state: &mut UiState, end: &End) {
    let pixels = 3.0;
    if let Some(body) = view.snapshot.body(end.body) {
        let points = snap::of(body).map(|p| (p, with_alpha(overlays::JOINT, 0.55), pixels));
        state.editor.preview.points.extend(points);
    }
    state.editor.preview.points.push((end.point, with_alpha(palette::ACCENT, 1.0), 6.0));
}

fn rubber_band(state: &mut UiState, ends: (End, End)) {
    let color = with_alpha(palette::ACCENT, 1.0);
    let (from, to) = (ends.0.point, ends.1.point);
    let info = kind(state).info();
    let (choice, at) = (state.editor.axis, anchor(state.editor.anchor, ends));
    let direction = axis(choice, ends, state.camera.view.forward());
    let preview = &mut state.editor.preview;
    preview.lines.push((from, to, color, 2.5));
    preview.points.push((from, color, 5.0));
    if info.coincident {
        preview.points.push((at, with_alpha(overlays::JOINT, 1.0), 7.0));
    }
    if info.axis {
        preview.lines.push((at - direction, at + direction, with_alpha(overlays::JOINT, 1.0), 3.0));
    }
}

fn finish(ends: (End, End), view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let (from, to) = ends;
    if from.body == to.body {
        state
            .toasts
            .error("A joint needs two bodies: let go on another body, or in the open for the world.".to_owned(), None);
        return;
    }
    let sight = state.camera.view.forward();
    let joint = made(kind(state), ends, axis(state.editor.axis, ends, sight), state.editor.anchor, view.snapshot);
    ask(Edit::Add { bodies: vec![], joints: vec![joint] }, out);
}

/// The joint between two ends.
pub fn made(kind: JointKind, ends: (End, End), axis: Vec3, choice: AnchorChoice, snapshot: &Snapshot) -> Joint {
    let info = kind.info();
    let shared = anchor(choice, ends);
    // The world goes first, as B must be a body.
    let (a, b) = if ends.1.body == 0 { (ends.1, ends.0) } else { ends };
    let name = |end: End| snapshot.body(end.body).map_or_else(|| WORLD.to_owned(), |body| body.name.to_string());
    let local = |end: End, p: Vec3| {
        snapshot.body(end.body).map_or(p, |body| body.pose.rotation.conjugate() * (p - body.pose.position))
    };
    let turned =
        |end: End, d: Vec3| snapshot.body(end.body).map_or(Quat::IDENTITY, |b| b.pose.rotation).conjugate() * d;
    let mut joint = Joint::new(name(a), name(b), shared, kind);
    let in_place = snapshot.step == 0;
    if !(info.coincident && in_place) {
        let (pa, pb) = if info.coincident { (shared, shared) } else { (a.point, b.point) };
        joint.anchor = None;
        joint.anchor_a = Some(local(a, pa));
        joint.anchor_b = Some(local(b, pb));
    }
    if info.axis {
        if in_place {
            joint.axis = Some(axis);
        } else {
            joint.axis_a = Some(turned(a, axis));
            joint.axis_b = Some(turned(b, axis));
        }
    }
    joint
}
