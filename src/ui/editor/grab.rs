//! Moving, turning and scaling what is selected, as in Blender: a key or a handle takes hold, the pointer leads, X, Y, Z
//! bind to an axis, typed digits go before the pointer, a click or Enter keeps, Escape or the right button lets go.
//!
//! Moves follow the pointer in the plane through the pivot that faces the camera, or along the bound axis where the
//! pointer's ray passes it nearest. Turns count the pointer's angle about the pivot on the screen.

use egui::{Key, Response, Ui};
use glam::{Quat, Vec2, Vec3};

use super::gesture::{self, Ending};
use super::{GRID, TURN, Tool, along, ask, at, on_plane, pressed, ray, rounded};
use crate::physics::shape::Shape;
use crate::render::palette::{self, with_alpha};
use crate::session::{Edit, Placed, Pose};
use crate::ui::state::{Request, UiState, View};
use crate::ui::viewport::viewport;

/// How near the pointer has to be to a handle to take it, points of the screen.
const REACH: f32 = 9.0;
/// Length of a handle, points of the screen.
const HANDLE: f32 = 90.0;
/// Segments of a ring.
const SEGMENTS: usize = 48;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Move,
    Rotate,
    Scale,
}

/// What is held.
#[derive(Clone, Debug)]
pub struct Grab {
    pub kind: Kind,
    /// Names, numbers and poses at the start.
    pub bodies: Vec<(String, u32, Pose)>,
    pub pivot: Vec3,
    /// The pointer at the start, in the view's points.
    start: Vec2,
    /// A unit vector of the world.
    pub axis: Option<Vec3>,
    pub typed: String,
    /// Whether a pressed button holds it: then letting go keeps.
    held: bool,
    /// Metres, radians or a factor, for the status line.
    value: f32,
    shift: Vec3,
}

impl Grab {
    /// Takes hold of what is selected and not welded to the ground; nothing if there is none.
    pub fn new(kind: Kind, start: Vec2, held: bool, view: &View<'_>, state: &UiState) -> Option<Self> {
        let bodies: Vec<_> = (state.selection.bodies.iter())
            .filter_map(|id| view.snapshot.body(*id))
            .map(|body| (body.name.to_string(), body.id, body.pose))
            .collect();
        if bodies.is_empty() {
            return None;
        }
        let pivot = bodies.iter().map(|(.., pose)| pose.position).sum::<Vec3>() / bodies.len() as f32;
        let (axis, typed) = (None, String::new());
        let value = if kind == Kind::Scale { 1.0 } else { 0.0 };
        Some(Self { kind, bodies, pivot, start, axis, typed, held, value, shift: Vec3::ZERO })
    }

    /// What the status line says.
    pub fn hint(&self) -> String {
        let along = match self.axis {
            Some(axis) if axis == Vec3::X => " along x",
            Some(axis) if axis == Vec3::Y => " along y",
            Some(axis) if axis == Vec3::Z => " along z",
            _ => "",
        };
        let what = match self.kind {
            Kind::Move if self.axis.is_some() => format!("Move {:.3} m{along}", self.value),
            Kind::Move => format!("Move {:.3}, {:.3}, {:.3} m", self.shift.x, self.shift.y, self.shift.z),
            Kind::Rotate => format!("Turn {:.1}°{}", self.value.to_degrees(), along.replace("along", "about")),
            Kind::Scale => format!("Scale × {:.3}", self.value),
        };
        let typed = if self.typed.is_empty() { String::new() } else { format!("  [{}]", self.typed) };
        format!("{what}{typed} · X Y Z bind · digits type · click or Enter keeps · Esc lets go")
    }

    /// The poses with this motion, and by how much the bodies grow.
    fn poses(&self) -> Vec<(u32, Pose, f32)> {
        let (turn, shift, growth) = match self.kind {
            Kind::Move => (Quat::IDENTITY, self.shift, 1.0),
            Kind::Rotate => (Quat::from_axis_angle(self.axis.unwrap_or(Vec3::Z), self.value), Vec3::ZERO, 1.0),
            Kind::Scale => (Quat::IDENTITY, Vec3::ZERO, self.value),
        };
        let moved = |pose: &Pose| Pose {
            position: self.pivot + turn * ((pose.position - self.pivot) * growth) + shift,
            rotation: (turn * pose.rotation).normalize(),
        };
        self.bodies.iter().map(|(_, id, pose)| (*id, moved(pose), growth)).collect()
    }
}

/// Follows the pointer and the keys, and ends the gesture.
pub fn update(ui: &Ui, response: &Response, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let Some(mut grab) = state.editor.grab.take() else { return };
    keys(ui, &mut grab);
    let pointer = at(response, state).unwrap_or(grab.start);
    let snap = state.editor.snaps(ui);
    follow(&mut grab, pointer, snap, state);
    match gesture::ending(ui, response, grab.held) {
        Some(Ending::LetGo) => return,
        Some(Ending::Keep) => return finish(&grab, view, out),
        None => {}
    }
    state.editor.preview.placed = grab.poses();
    let color = with_alpha(palette::ACCENT, 0.9);
    if let Some(axis) = grab.axis {
        state.editor.preview.lines.push((grab.pivot - axis * 100.0, grab.pivot + axis * 100.0, color, 1.5));
    }
    ui.ctx().request_repaint();
    state.editor.grab = Some(grab);
}

fn keys(ui: &Ui, grab: &mut Grab) {
    ui.input(|input| {
        for event in &input.events {
            match event {
                egui::Event::Key { key, pressed: true, .. } => {
                    let axis = match key {
                        Key::X => Some(Vec3::X),
                        Key::Y => Some(Vec3::Y),
                        Key::Z => Some(Vec3::Z),
                        Key::Backspace => {
                            grab.typed.pop();
                            None
                        }
                        _ => None,
                    };
                    // The same key again sets it free.
                    if axis.is_some() {
                        grab.axis = axis.filter(|_| grab.axis != axis);
                    }
                }
                egui::Event::Text(text) => {
                    grab.typed.extend(text.chars().filter(|c| c.is_ascii_digit() || matches!(c, '.' | '-')));
                }
                _ => {}
            }
        }
    });
}

/// Sets value and shift from the pointer, or from what was typed.
fn follow(grab: &mut Grab, pointer: Vec2, snap: bool, state: &UiState) {
    let typed = grab.typed.parse::<f32>().ok().filter(|v| v.is_finite() && v.abs() < 1e4);
    let facing = state.camera.view.forward();
    let (from, to) = (ray(state, grab.start), ray(state, pointer));
    let centre = state.camera.project(grab.pivot, viewport(state)).unwrap_or(grab.start);
    match grab.kind {
        Kind::Move => {
            // A number without an axis goes along x, as in Blender.
            let axis = grab.axis.or(typed.map(|_| Vec3::X));
            if let Some(axis) = axis {
                let led = || Some(along(to, grab.pivot, axis)? - along(from, grab.pivot, axis)?);
                let free = led().unwrap_or(grab.value);
                grab.value = typed.unwrap_or(if snap { rounded(free, GRID) } else { free });
                grab.shift = axis * grab.value;
            } else if let (Some(a), Some(b)) = (on_plane(from, grab.pivot, facing), on_plane(to, grab.pivot, facing)) {
                let shift = b - a;
                let round = |v: f32| if snap { rounded(v, GRID) } else { v };
                grab.shift = Vec3::new(round(shift.x), round(shift.y), round(shift.z));
            }
        }
        Kind::Rotate => {
            // Unless it is bound, it turns about the line of sight at the start, whatever the camera does meanwhile.
            let axis = *grab.axis.get_or_insert(-facing);
            let angle = |p: Vec2| (p - centre).to_angle();
            // On the screen y grows downward: a turn against the clock about an axis toward the eye is negative there.
            let toward = if axis.dot(facing) < 0.0 { -1.0 } else { 1.0 };
            let free = toward * wrapped(angle(pointer) - angle(grab.start));
            grab.value = typed.map(f32::to_radians).unwrap_or(if snap { rounded(free, TURN) } else { free });
        }
        Kind::Scale => {
            let free = centre.distance(pointer) / centre.distance(grab.start).max(1.0);
            let factor = typed.unwrap_or(if snap { rounded(free, 0.1) } else { free });
            grab.value = factor.abs().clamp(0.01, 100.0);
        }
    }
}

fn wrapped(angle: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    (angle + PI).rem_euclid(TAU) - PI
}

/// One edit for all that was held.
fn finish(grab: &Grab, view: &View<'_>, out: &mut Vec<Request>) {
    let poses = grab.poses();
    if grab.kind == Kind::Scale {
        for ((name, ..), (_, pose, growth)) in grab.bodies.iter().zip(poses) {
            let Some(mut body) = view.session.body_entry(name) else { continue };
            body.shape = scaled(&body.shape, growth);
            body.at = pose.position;
            body.rotation = pose.rotation.into();
            ask(Edit::Body { name: name.clone(), body: Box::new(body) }, out);
        }
        return;
    }
    let placed = grab.bodies.iter().zip(poses);
    let placed: Vec<Placed> = placed
        .filter(|((.., before), (_, after, _))| before != after)
        .map(|((name, ..), (_, pose, _))| Placed { name: name.clone(), at: pose.position, rotation: pose.rotation })
        .collect();
    if !placed.is_empty() {
        ask(Edit::Place(placed), out);
    }
}

/// A shape so many times as large.
pub fn scaled(shape: &Shape, factor: f32) -> Shape {
    match shape {
        Shape::Box { half } => Shape::Box { half: *half * factor },
        Shape::Sphere { radius } => Shape::Sphere { radius: radius * factor },
        Shape::Capsule { radius, half_length } => {
            Shape::Capsule { radius: radius * factor, half_length: half_length * factor }
        }
        Shape::Cylinder { radius, half_length } => {
            Shape::Cylinder { radius: radius * factor, half_length: half_length * factor }
        }
        Shape::Hull { points } => Shape::Hull { points: points.iter().map(|p| *p * factor).collect() },
    }
}

/// Draws the handles of the tool, and takes hold where one, or a body, is pressed. True if it did.
pub fn handles(ui: &Ui, response: &Response, view: &View<'_>, state: &mut UiState) -> bool {
    let kind = match state.editor.tool {
        Tool::Move => Kind::Move,
        Tool::Rotate => Kind::Rotate,
        _ => Kind::Scale,
    };
    let pointer = at(response, state);
    let mut taken = None;
    if kind != Kind::Scale
        && let Some(grab) = Grab::new(kind, Vec2::ZERO, true, view, state)
    {
        taken = draw(kind, grab.pivot, pointer, state);
    }
    if !pressed(response) {
        return false;
    }
    let origin = ui.input(|i| i.pointer.press_origin());
    let Some(start) = origin.map(|p| Vec2::new(p.x - state.view_rect.left(), p.y - state.view_rect.top())) else {
        return false;
    };
    if taken.is_none() {
        let (from, direction) = ray(state, start);
        let Some(hit) = (view.pick)(from, direction) else { return false };
        if !state.selection.bodies.contains(&hit.body) {
            state.selection.click_body(hit.body, false);
        }
    }
    let Some(mut grab) = Grab::new(kind, start, true, view, state) else { return false };
    grab.axis = taken;
    state.editor.grab = Some(grab);
    true
}

/// Arrows along, or rings about, the world's axes; the axis of the one under the pointer.
fn draw(kind: Kind, pivot: Vec3, pointer: Option<Vec2>, state: &mut UiState) -> Option<Vec3> {
    let size = viewport(state);
    let length = HANDLE * state.camera.metres_per_pixel(pivot, size);
    let mut best: Option<(f32, Vec3)> = None;
    let axes = [(Vec3::X, palette::AXIS_X), (Vec3::Y, palette::AXIS_Y), (Vec3::Z, palette::AXIS_Z)];
    let curves: Vec<Vec<Vec3>> = axes.iter().map(|(axis, _)| curve(kind, pivot, *axis, length)).collect();
    if let Some(pointer) = pointer {
        for ((axis, _), points) in axes.iter().zip(&curves) {
            let seen: Vec<Vec2> = points.iter().filter_map(|p| state.camera.project(*p, size)).collect();
            let distance = seen.windows(2).map(|w| to_segment(pointer, w[0], w[1])).fold(f32::INFINITY, f32::min);
            if distance < best.map_or(REACH, |(d, _)| d) {
                best = Some((distance, *axis));
            }
        }
    }
    for ((axis, color), points) in axes.iter().zip(&curves) {
        let on = best.is_some_and(|(_, b)| b == *axis);
        let color = if on { with_alpha(palette::ACCENT, 1.0) } else { with_alpha(*color, 1.0) };
        let width = if on { 4.5 } else { 3.0 };
        let preview = &mut state.editor.preview;
        preview.lines.extend(points.windows(2).map(|w| (w[0], w[1], color, width)));
        if kind == Kind::Move
            && let Some(tip) = points.last()
        {
            preview.points.push((*tip, color, 6.0));
        }
    }
    best.map(|(_, axis)| axis)
}

fn curve(kind: Kind, pivot: Vec3, axis: Vec3, length: f32) -> Vec<Vec3> {
    if kind == Kind::Move {
        return vec![pivot + axis * (0.15 * length), pivot + axis * length];
    }
    let side = axis.any_orthonormal_vector() * length;
    (0..=SEGMENTS)
        .map(|i| pivot + Quat::from_axis_angle(axis, i as f32 / SEGMENTS as f32 * std::f32::consts::TAU) * side)
        .collect()
}

fn to_segment(p: Vec2, a: Vec2, b: Vec2) -> f32 {
    let along = b - a;
    let t = ((p - a).dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0);
    p.distance(a + along * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grab(kind: Kind) -> Grab {
        let pose = |x: f32| Pose { position: Vec3::new(x, 0.0, 0.0), rotation: Quat::IDENTITY };
        Grab {
            kind,
            bodies: vec![("a".into(), 1, pose(1.0)), ("b".into(), 2, pose(3.0))],
            pivot: Vec3::new(2.0, 0.0, 0.0),
            start: Vec2::ZERO,
            axis: Some(Vec3::Z),
            typed: String::new(),
            held: false,
            value: 0.0,
            shift: Vec3::ZERO,
        }
    }

    #[test]
    fn a_turn_goes_about_the_pivot_and_a_scale_spreads_from_it() {
        let quarter = Grab { value: std::f32::consts::FRAC_PI_2, ..grab(Kind::Rotate) }.poses();
        assert!(quarter[0].1.position.distance(Vec3::new(2.0, -1.0, 0.0)) < 1e-6);
        assert!(quarter[1].1.position.distance(Vec3::new(2.0, 1.0, 0.0)) < 1e-6);
        let double = Grab { value: 2.0, ..grab(Kind::Scale) }.poses();
        assert_eq!([double[0].1.position.x, double[1].1.position.x], [0.0, 4.0]);
    }

    #[test]
    fn angles_wrap_the_short_way() {
        assert!((wrapped(3.5) - (3.5 - std::f32::consts::TAU)).abs() < 1e-6);
        assert!((wrapped(-3.5) + 3.5 - std::f32::consts::TAU).abs() < 1e-6);
    }
}
