//! Dragging the stops of the selected joint by round grips on its arc, rail or cone. A click grabs a stop as well, so
//! that a number can be typed. The document changes once, when the gesture ends.

use egui::{Response, Ui};
use glam::Vec2;

use crate::editor::tools::gesture::{self, Ending};
use crate::editor::tools::stop::{self, Grip, Stop};
use crate::view3d::joint_shape::JointEnds;
use crate::view3d::viewport::viewport;
use crate::widgets::angles::Angles;
use crate::{editor::Hands, request::Request, view::View};
use crate::{
    editor::{GRID, at, press_at, pressed, ray, rounded},
    request::ask,
};
use delassus_render::palette::{self, with_alpha};
use delassus_session::{Edit, JointView};

/// How near the pointer has to be to a grip to grab it, points of the screen.
const REACH: f32 = 10.0;
/// How far the pointer has to move before the stop follows, points of the screen.
const STILL: f32 = 3.0;
/// The snap steps of stops, rad and m.
const TURN: f32 = 5.0 * std::f32::consts::PI / 180.0;
const SLIDE: f32 = GRID / 5.0;

/// A stop that is being dragged.
#[derive(Clone, Debug)]
pub struct StopDrag {
    /// The joint's name.
    joint: String,
    /// Which of the joint's grips, in the order of [`stop::grips`].
    grip: usize,
    typed: String,
    /// Whether it is dragged with a pressed button.
    held: bool,
    /// The pointer's initial position, in the view's points; `None` once it has moved away from there.
    start: Option<Vec2>,
    /// The value in rad or m, before snapping.
    value: f32,
}

/// The ends of the joint as drawn while it is selected.
fn drawn(joint: &JointView, view: &View<'_>, state: &Hands<'_>) -> JointEnds {
    let drawn = JointEnds::of(joint, view.snapshot, view.clock.alpha);
    drawn.enlarged(state.view3d.camera.metres_per_pixel(drawn.a, viewport(state.view3d)))
}

/// The selected joint with its index.
fn selected<'a>(view: &'a View<'_>, state: &Hands<'_>) -> Option<(usize, &'a JointView)> {
    let index = state.selection.joint?;
    Some((index, view.snapshot.joints.get(index)?))
}

/// Draws the grips of the selected joint and starts a drag if one is pressed or clicked. True while the pointer is on
/// a grip, so that nothing behind it is clicked.
pub fn handles(ui: &Ui, response: &Response, view: &View<'_>, state: &mut Hands<'_>) -> bool {
    let Some((_, joint)) = selected(view, state) else { return false };
    let grips = stop::grips(joint, &drawn(joint, view, state));
    let started = pressed(response);
    let pointer = if started { press_at(ui, state) } else { at(response, state) };
    let on = pointer.filter(|_| response.hovered() || started).and_then(|p| under(p, &grips, state));
    mark(ui, &grips, on, state);
    let Some(index) = on else { return false };
    let grip = &grips[index];
    state.view3d.preview.label = Some(grip.stop.words(&joint.kind, grip.value, state.angles));
    if started || response.clicked() {
        let joint = joint.name.to_string();
        let (typed, start) = (String::new(), pointer);
        let drag = StopDrag { joint, grip: index, typed, held: started, start, value: grip.value };
        state.editor.stop = Some(drag);
    }
    !ui.input(|i| i.pointer.secondary_down() || i.pointer.middle_down())
}

/// The grip nearest to the pointer, if it is near enough.
fn under(pointer: Vec2, grips: &[Grip], state: &Hands<'_>) -> Option<usize> {
    let size = viewport(state.view3d);
    let distance = |grip: &Grip| {
        let seen = state.view3d.camera.project(grip.track.at(grip.value), size);
        seen.map_or(f32::INFINITY, |p| p.distance(pointer))
    };
    let nearest = grips.iter().map(distance).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.filter(|(_, d)| *d < REACH).map(|(index, _)| index)
}

fn mark(ui: &Ui, grips: &[Grip], on: Option<usize>, state: &mut Hands<'_>) {
    let edge = if ui.visuals().dark_mode { [1.0; 3] } else { [0.12; 3] };
    for (index, grip) in grips.iter().enumerate() {
        let at = grip.track.at(grip.value);
        let (radius, rim) = if on == Some(index) { (6.5, 3.5) } else { (5.0, 1.5) };
        state.view3d.preview.points.push((at, with_alpha(edge, 1.0), radius + rim));
        state.view3d.preview.points.push((at, with_alpha(palette::ACCENT, 1.0), radius));
    }
}

/// Follows the pointer and the keys, and ends the gesture.
pub fn update(ui: &Ui, response: &Response, view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    let Some(mut drag) = state.editor.stop.take() else { return };
    let Some((index, joint)) = selected(view, state).filter(|(_, joint)| *joint.name == *drag.joint) else { return };
    let grips = stop::grips(joint, &drawn(joint, view, state));
    let Some(grip) = grips.get(drag.grip) else { return };
    gesture::read(ui, &mut drag.typed);
    let pointer = at(response, state);
    drag.start = drag.start.filter(|start| pointer.is_none_or(|p| p.distance(*start) < STILL));
    if let Some(pointer) = pointer.filter(|_| drag.start.is_none()) {
        drag.value = grip.track.nearest(ray(state, pointer), drag.value).unwrap_or(drag.value);
    }
    let is_angle = grip.stop.is_angle(&joint.kind);
    let step = if is_angle { TURN } else { SLIDE };
    let led = if drag.start.is_none() && state.editor.snaps(ui) { rounded(drag.value, step) } else { drag.value };
    let typed = gesture::number(&drag.typed).map(|v| if is_angle { state.angles.radians(v) } else { v });
    let kind = grip.stop.set(joint.kind, typed.unwrap_or(led), state.angles);
    match gesture::ending(ui, response, drag.held) {
        Some(Ending::LetGo) => return,
        Some(Ending::Keep) => return finish(&drag, grip.stop, kind, view, state.angles, out),
        None => {}
    }
    let shown = JointView { kind, ..joint.clone() };
    let value = grip.stop.value(&kind, joint.rest_length).unwrap_or_default();
    state.view3d.preview.label = Some(grip.stop.words(&kind, value, state.angles) + &gesture::shown(&drag.typed));
    // The grips of the changed joint, with the dragged one highlighted.
    let grips = stop::grips(&shown, &drawn(&shown, view, state));
    mark(ui, &grips, Some(drag.grip), state);
    state.view3d.preview.joint = Some((Some(index), shown));
    ui.ctx().request_repaint();
    state.editor.stop = Some(drag);
}

fn finish(
    drag: &StopDrag,
    stop: Stop,
    kind: delassus_physics::joints::JointKind,
    view: &View<'_>,
    angles: Angles,
    out: &mut Vec<Request>,
) {
    let Some(mut joint) = view.session.joint_entry(&drag.joint) else { return };
    // Only this stop is changed: the rest of the entry stays as it is written.
    let value = stop.value(&kind, 0.0);
    if let Some(value) = value.filter(|v| stop.value(&joint.kind, f32::NAN) != Some(*v)) {
        joint.kind = stop.set(joint.kind, value, angles);
        ask(Edit::Joint { name: drag.joint.clone(), joint: Box::new(joint) }, out);
    }
}

/// The status line's hint while a joint is selected.
pub fn hint(view: &View<'_>, state: &Hands<'_>) -> Option<String> {
    let (_, joint) = selected(view, state)?;
    if let Some(drag) = &state.editor.stop {
        let typed = gesture::shown(&drag.typed);
        return Some(format!("Drag, or type a number{typed} · Ctrl: no snapping · Esc cancels"));
    }
    if joint.broken.is_some() {
        return Some("This joint has broken: Reset restores it".into());
    }
    if stop::is_without(&joint.kind) {
        return Some("This joint has no limits yet: the Inspector switches them on, then drag its round grips".into());
    }
    let of_axes = (0..6).map(|axis| Stop::Axis { axis, greatest: false });
    let mut stops = [Stop::Least, Stop::First, Stop::Length].into_iter().chain(of_axes);
    let has = stops.any(|stop| stop.value(&joint.kind, 1.0).is_some());
    has.then(|| "Drag a round grip, or click it and type a number · Ctrl: inverts snapping".into())
}
