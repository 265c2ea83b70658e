//! The joint tool: press on a body, drag to another one (or into empty space for the world), release. Released over the
//! same body, the joint pins that point of it to the world.
//!
//! Kinds whose anchors coincide use one point: that of the first body, of the second, or midway; or one body moves so
//! that its point meets the other's. Rods, ropes and springs use both points. At step 0 the joint is written with one
//! point and direction in the world frame, later with ends in each body's frame. A preview is drawn during the drag.

mod choice;

use crate::widgets::events;
use egui::{PointerButton, Response, Ui};
use glam::{Vec2, Vec3};

use crate::editor::snap::{self, SnapKind};
use crate::view3d::overlays;
use crate::{editor::Hands, request::Request, view::View};
use crate::{
    editor::{at, press_at, pressed, ray, rounded_to as rounded},
    request::ask,
    view3d::rays::on_plane,
};
use delassus_physics::angle::Angle;
use delassus_physics::joints::{Given, JointKind, Parameter, Role, SlideAxis, TurnAxis};
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_render::palette::{self, with_alpha};
use delassus_scene::{ByTime, Joint, WORLD};
use delassus_session::{BodyView, Edit, JointPose, JointView, Placed, Pose, Readout, Snapshot};

pub use choice::{AnchorChoice, AxisChoice};
use choice::{anchors, axis, choice, collide, coming, explain, is_apart};

/// A chosen end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointEnd {
    /// 0 for the world.
    pub body: u32,
    /// World frame, m.
    pub point: Vec3,
    /// The kind of snap point.
    pub kind: SnapKind,
    /// The normal of the face, and the direction of the nearest edge, unit vectors in the world frame; zero if there
    /// is none.
    pub normal: Vec3,
    pub edge: Vec3,
}

/// A joint that is being dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joining {
    /// The first end at the time of the press, in the pose of its body at that time.
    from: JointEnd,
    /// The body's pose at that time; `None` for the world.
    pose: Option<Pose>,
}

impl Joining {
    /// The first end at its body's current pose.
    fn from(&self, snapshot: &Snapshot) -> JointEnd {
        let (Some(was), Some(body)) = (self.pose, snapshot.body(self.from.body)) else { return self.from };
        let turn = body.pose.rotation * was.rotation.conjugate();
        JointEnd {
            point: body.pose.position + turn * (self.from.point - was.position),
            normal: turn * self.from.normal,
            edge: turn * self.from.edge,
            ..self.from
        }
    }
}

/// Points on bodies and in the world are rounded to these, m, unless they snap to a point of the body.
const FINE: f32 = 0.001;
const COARSE: f32 = 0.01;
/// What is computed in a body's frame is written without the dust of the computation, m.
const ROUNDING: f32 = 1e-6;

/// The end under the pointer: on a body, else in the plane through `near` that faces the camera.
fn end_at(ui: &Ui, at: Vec2, near: Vec3, view: &View<'_>, state: &Hands<'_>) -> Option<JointEnd> {
    let ray = ray(state, at);
    let wanted = if ui.input(|i| i.modifiers.shift) { SnapKind::Hit } else { state.editor.snap_kind };
    if let Some(hit) = (view.pick)(ray.0, ray.1)
        && let Some(body) = view.snapshot.body(hit.body)
    {
        let (kind, point) = snap::taken(at, &hit, body, wanted, state);
        let point = if kind == SnapKind::Hit { rounded_in(point, body, view, state) } else { point };
        return Some(JointEnd { body: hit.body, point, kind, normal: hit.normal, edge: snap::edge(&hit, body) });
    }
    let point = rounded(on_plane(ray, near, state.view3d.camera.view.forward())?, COARSE);
    Some(JointEnd { body: 0, point, kind: SnapKind::Hit, normal: Vec3::ZERO, edge: Vec3::ZERO })
}

/// A point of a body, rounded in the frame in which the joint is written: the world's at step 0 if its anchors are one
/// point, else the body's own.
fn rounded_in(point: Vec3, body: &BodyView, view: &View<'_>, state: &Hands<'_>) -> Vec3 {
    if view.snapshot.step == 0 && !is_apart(&kind(state)) {
        return rounded(point, FINE);
    }
    let Pose { position, rotation } = body.pose;
    position + rotation * rounded(rotation.conjugate() * (point - position), FINE)
}

/// Handles the pointer; true while the tool uses the left button.
pub fn pointer(ui: &Ui, response: &Response, view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) -> bool {
    choose_axis(ui, state);
    let Some(at) = at(response, state) else { return false };
    if let Some(joining) = state.editor.joining {
        let from = joining.from(view.snapshot);
        let Some(to) = end_at(ui, at, from.point, view, state) else { return true };
        mark(view, state, &to);
        let ends = (from, to);
        rubber_band(ends, view, state);
        if response.drag_stopped_by(PointerButton::Primary) || !ui.input(|i| i.pointer.primary_down()) {
            state.editor.joining = None;
            finish(ends, view, state, out);
        }
        return true;
    }
    let Some(from) = end_at(ui, at, state.view3d.camera.view.focus, view, state) else { return false };
    if response.hovered() && from.body != 0 {
        mark(view, state, &from);
        state.view3d.preview.label = Some(words(&from, view.snapshot));
    }
    if pressed(response) && is_in_view(ui, response) {
        let start = press_at(ui, state).unwrap_or(at);
        let from = end_at(ui, start, state.view3d.camera.view.focus, view, state).unwrap_or(from);
        let pose = view.snapshot.body(from.body).map(|body| body.pose);
        state.editor.joining = Some(Joining { from, pose });
        return true;
    }
    false
}

/// Whether the press was in the view itself, not in a palette above it.
fn is_in_view(ui: &Ui, response: &Response) -> bool {
    let origin = ui.input(|i| i.pointer.press_origin());
    origin.and_then(|at| ui.ctx().layer_id_at(at)).is_none_or(|layer| layer == response.layer_id)
}

/// Keys for the axis: X, Y, Z for the world's, N for the face's normal, E for the edge.
fn choose_axis(ui: &Ui, state: &mut Hands<'_>) {
    if ui.ctx().text_edit_focused() {
        return;
    }
    for (key, choice) in AxisChoice::KEYS {
        if events::pressed(ui, key) {
            state.editor.axis = choice;
        }
    }
}

/// The kind that the tool makes, with limits if they are enabled.
pub fn kind(state: &Hands<'_>) -> JointKind {
    let kinds = JointKind::all();
    let kind = kinds[state.editor.kind.min(kinds.len() - 1)];
    if state.editor.limits { limited(kind) } else { kind }
}

/// A kind with its initial limits, ±45° or ±½ m, if it can have any.
pub fn limited(kind: JointKind) -> JointKind {
    let mut kind = kind;
    for Parameter { role, .. } in kind.parameters() {
        match role {
            Role::AngleLimit(limit) => *limit = Some((Angle::degrees(-45.0), Angle::degrees(45.0))),
            Role::SlideLimit(limit) => *limit = Some((-0.5, 0.5)),
            Role::Swing(Given::Maybe(limit)) => *limit = Some(SwingLimit::Cone(Angle::degrees(45.0))),
            // Always limited, or never.
            Role::Swing(Given::Always(_)) | Role::Length(_) | Role::AngularMotor(_) | Role::LinearMotor(_) => {}
            Role::AngularSpring(_) | Role::LinearSpring(_) | Role::SpringRate(_) | Role::Damping(_) => {}
            Role::AngularServo(_) | Role::LinearServo(_) | Role::AngleZero(_) | Role::SlideZero(_) => {}
            Role::Coefficient(_) | Role::HingeForm(_) | Role::OrientationForm(_) => {}
            Role::Radius(_) | Role::Lead(_) | Role::Place(_) | Role::Wrap(_) => {}
            Role::Profile(_) | Role::Switch(_) | Role::Rows(_) | Role::Bounds(_) | Role::Values(_) => {}
            Role::SlideAxis(SlideAxis::Free { limit, .. }) => *limit = Some((-0.5, 0.5)),
            Role::TurnAxis(TurnAxis::Free { limit, .. }) => {
                *limit = Some((Angle::degrees(-45.0), Angle::degrees(45.0)));
            }
            Role::SlideAxis(SlideAxis::Locked) | Role::TurnAxis(TurnAxis::Locked) => {}
            Role::Axes(_) | Role::RotationZero(_) => {}
        }
    }
    kind
}

/// The end under the pointer as text.
fn words(end: &JointEnd, snapshot: &Snapshot) -> String {
    snapshot
        .body(end.body)
        .map_or_else(|| "the world".to_owned(), |body| format!("{} of {}", end.kind.one(), body.name))
}

/// Draws the snap points of the body under the pointer, and the chosen one.
fn mark(view: &View<'_>, state: &mut Hands<'_>, end: &JointEnd) {
    if let Some(body) = view.snapshot.body(end.body) {
        // With a dark outline, so that they are visible on bodies of any colour.
        let points = snap::of(body, state.editor.snap_kind).flat_map(|(kind, p)| {
            let pixels = if kind == SnapKind::Centre { 4.0 } else { 3.0 };
            [(p, with_alpha([0.1; 3], 0.8), pixels + 1.0), (p, with_alpha(overlays::JOINT, 1.0), pixels)]
        });
        state.view3d.preview.points.extend(points);
    }
    state.view3d.preview.points.push((end.point, with_alpha(palette::ACCENT, 1.0), 6.0));
}

fn rubber_band(ends: (JointEnd, JointEnd), view: &View<'_>, state: &mut Hands<'_>) {
    let color = with_alpha(palette::ACCENT, 1.0);
    let kind = kind(state);
    let (_, over) = ends;
    let ends = pinned(&kind, ends);
    let (from, to) = ends;
    let choice = choice(&kind, view, state, ends);
    let direction = axis(state.editor.axis, ends, state.view3d.camera.view.forward());
    let preview = &mut state.view3d.preview;
    preview.lines.push((from.point, to.point, color, 2.5));
    preview.points.push((from.point, color, 5.0));
    let under = words(&over, view.snapshot);
    let pins = over.body != 0 && over.body == from.body;
    preview.label = Some(if pins { format!("{under}, to the world") } else { under });
    if let Some((id, shift)) = coming(&kind, choice, ends)
        && let Some(body) = view.snapshot.body(id)
    {
        let position = body.pose.position + shift;
        preview.placed.push((id, Pose { position, ..body.pose }, Vec3::ONE));
    }
    preview.joint = Some((None, as_it_would_be(kind, ends, direction, choice, view.snapshot)));
}

/// The preview of the joint between two ends.
fn as_it_would_be(
    kind: JointKind,
    ends: (JointEnd, JointEnd),
    axis: Vec3,
    choice: AnchorChoice,
    snapshot: &Snapshot,
) -> JointView {
    let (pa, pb, _) = anchors(&kind, choice, ends);
    let (a, b) = world_first(ends);
    let (anchor_a, anchor_b) = if a == ends.0 { (pa, pb) } else { (pb, pa) };
    let second =
        kind.second_axis(axis, anchor_b - anchor_a, centre_of(b, snapshot, anchor_b) - anchor_b).unwrap_or(axis);
    let kind = fitting(kind, (anchor_a, anchor_b), axis);
    let place = JointPose { anchor_a, anchor_b, axis_a: axis, axis_b: second };
    JointView {
        name: "".into(),
        kind,
        a: a.body,
        b: b.body,
        ends: snapshot.ends_at((a.body, b.body), &place),
        readout: Readout::default(),
        rest_length: anchor_a.distance(anchor_b),
        breaks: None,
        broken: None,
    }
}

/// The ends of a joint whose drag ends on the body from which it came: that point of it, and the world there. What keeps
/// a distance keeps that of the two points.
fn pinned(kind: &JointKind, (from, to): (JointEnd, JointEnd)) -> (JointEnd, JointEnd) {
    if from.body != to.body || from.body == 0 {
        return (from, to);
    }
    let world = JointEnd { body: 0, point: to.point, kind: SnapKind::Hit, normal: Vec3::ZERO, edge: Vec3::ZERO };
    (if is_apart(kind) { from } else { to }, world)
}

/// The ends with the world as A, since B must be a body.
fn world_first(ends: (JointEnd, JointEnd)) -> (JointEnd, JointEnd) {
    if ends.1.body == 0 { (ends.1, ends.0) } else { ends }
}

fn finish(ends: (JointEnd, JointEnd), view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    let kind = kind(state);
    let ends = pinned(&kind, ends);
    if ends.0.body == ends.1.body {
        state.notices.error("A joint needs a body: press on one, or release over one.".to_owned(), None);
        return;
    }
    let choice = choice(&kind, view, state, ends);
    explain(&kind, choice, ends, view, state);
    let axis = axis(state.editor.axis, ends, state.view3d.camera.view.forward());
    let mut joint = made(kind, ends, axis, choice, view.snapshot);
    joint.collide = collide(view, ends);
    let comes = coming(&kind, choice, ends).and_then(|(id, shift)| Some((view.snapshot.body(id)?, shift)));
    match comes {
        Some((body, shift)) => {
            let (at, rotation) = (body.pose.position + shift, body.pose.rotation);
            let moved = Placed { name: body.name.to_string(), at, rotation };
            ask(Edit::Join { joint: Box::new(joint), moved }, out);
        }
        None => ask(Edit::Add { bodies: vec![], joints: vec![joint] }, out),
    }
}

/// B's centre, or its anchor if it is the world.
fn centre_of(end: JointEnd, snapshot: &Snapshot, anchor: Vec3) -> Vec3 {
    let centre = |body: &BodyView| body.pose.position + body.pose.rotation * body.solid.centre;
    snapshot.body(end.body).map_or(anchor, centre)
}

/// How far above the higher end the sheaves of a new pulley are, m.
const ABOVE: f32 = 1.0;

/// A coupling whose wheels meet: each has half of the distance of the two ends as its radius, a rack's pinion all of it. A
/// pulley whose sheaves are above the two ends, a drum that does not reach its rope's end, a cam that touches its follower.
fn fitting(mut kind: JointKind, (pa, pb): (Vec3, Vec3), axis: Vec3) -> JointKind {
    let distance = pa.distance(pb);
    if let JointKind::Pulley(pulley) = &mut kind {
        let top = pa.z.max(pb.z) + ABOVE;
        [pulley.over_a, pulley.over_b] = [pa, pb].map(|under| rounded(under.with_z(top), ROUNDING));
    }
    if let JointKind::Drum(drum) = &mut kind {
        let beside = (pb - pa).reject_from(axis.normalize_or(Vec3::Z)).length();
        if beside > 1e-3 && drum.radius.abs() > 0.5 * beside {
            drum.radius = 0.5 * beside;
        }
    }
    if let JointKind::Cam(cam) = &mut kind {
        let beside = (pb - pa).reject_from(axis.normalize_or(Vec3::Z)).length();
        if beside > 1e-3 {
            let factor = (beside - cam.roller) / cam.radii.radii()[0];
            cam.radii.radii_mut().iter_mut().for_each(|r| *r = rounded(Vec3::X * (factor * *r), ROUNDING).x);
        }
    }
    let share = if matches!(kind, JointKind::Rack(_)) { 1.0 } else { 0.5 };
    let meets = matches!(kind, JointKind::Gear(_) | JointKind::Rack(_)) && distance > 1e-3;
    for Parameter { role, .. } in kind.parameters() {
        if let (Role::Radius(radius), true) = (role, meets) {
            *radius = rounded(Vec3::X * (share * distance), ROUNDING).x;
        }
    }
    kind
}

/// The joint between two ends.
pub fn made(
    kind: JointKind,
    ends: (JointEnd, JointEnd),
    axis: Vec3,
    choice: AnchorChoice,
    snapshot: &Snapshot,
) -> Joint {
    let info = kind.info();
    let moved = coming(&kind, choice, ends);
    let (pa, pb, one) = anchors(&kind, choice, ends);
    let (a, b) = world_first(ends);
    let (pa, pb) = if a == ends.0 { (pa, pb) } else { (pb, pa) };
    let name = |end: JointEnd| snapshot.body(end.body).map_or_else(|| WORLD.to_owned(), |body| body.name.to_string());
    let local = |end: JointEnd, p: Vec3| {
        // On a body that will be moved, the point before the move.
        let p = moved.filter(|(id, _)| *id == end.body).map_or(p, |(_, shift)| p - shift);
        let to_body = |body: &BodyView| body.pose.rotation.conjugate() * (p - body.pose.position);
        snapshot.body(end.body).map_or(p, |body| rounded(to_body(body), ROUNDING))
    };
    let turned = |end: JointEnd, d: Vec3| {
        snapshot.body(end.body).map_or(d, |body| rounded(body.pose.rotation.conjugate() * d, ROUNDING))
    };
    let in_place = snapshot.step == 0;
    let second = kind.second_axis(axis, pb - pa, centre_of(b, snapshot, pb) - pb).unwrap_or(axis);
    let kind = fitting(kind, (pa, pb), axis);
    let one_point = one && in_place;
    // All fields by name, so that a new field does not compile without a value here.
    Joint {
        name: String::new(),
        a: name(a),
        b: name(b),
        anchor: one_point.then_some(pa),
        anchor_a: (!one_point).then(|| local(a, pa)),
        anchor_b: (!one_point).then(|| local(b, pb)),
        axis: (info.axis && in_place).then_some(axis),
        axis_a: (info.axis && !in_place).then(|| turned(a, axis)),
        axis_b: (info.axis && !in_place).then(|| turned(b, second)),
        kind,
        collide: false,
        breaks: None,
        stabilization: None,
        soft: None,
        by_time: ByTime::Constant,
    }
}
