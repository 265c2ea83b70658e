//! Moving, rotating and scaling the selection, as in Blender: a key or a handle starts, the pointer sets the value,
//! X, Y, Z restrict it to an axis (pressed again to the own axis, pressed again to none), typed digits override the
//! pointer, a click or Enter accepts, Escape or the right button cancels.
//!
//! Displacements follow the pointer in the plane through the pivot that faces the camera, or along the axis at the
//! point nearest to the pointer's ray. Rotations follow the pointer's angle about the pivot on the screen. Scaling is
//! along a body's own axes, since shapes cannot be sheared.

mod keep;
mod lead;

use std::sync::Arc;

use egui::{Response, Ui};
use glam::{Quat, Vec2, Vec3};

use crate::editor::tools::gesture::{self, Ending};
use crate::editor::tools::held_frame::HeldFrame;
use crate::editor::tools::world_ends::WorldEnds;
use crate::editor::{at, tools::scaling};
use crate::widgets::angles::Angles;
use crate::{editor::Hands, request::Request, view::View};
use delassus_physics::shape::{Shape, Solid};
use delassus_render::palette::{self, with_alpha};
use delassus_session::Pose;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrabKind {
    Move,
    Rotate,
    Scale,
}

/// An axis to which a gesture is restricted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GestureAxis {
    /// 0 x, 1 y, 2 z.
    pub index: usize,
    /// Whether it is the selection's own axis, not the world's.
    pub local: bool,
}

/// A body that is being moved.
#[derive(Clone)]
pub struct HeldBody {
    pub name: Arc<str>,
    pub id: u32,
    /// Its pose at the start.
    pub pose: Pose,
    pub solid: Arc<Solid>,
}

/// The bodies or the joint that are being moved.
#[derive(Clone)]
pub enum Grabbed {
    Bodies(Vec<HeldBody>),
    Joint(Box<HeldFrame>),
}

/// A gesture that moves, rotates or scales.
#[derive(Clone)]
pub struct Grab {
    pub kind: GrabKind,
    pub held: Grabbed,
    /// The current pivot of rotations, world frame, m.
    pub pivot: Vec3,
    /// The pivot at the start, to which the pointer refers: a joint moves with its bodies, the pointer does not.
    origin: Vec3,
    /// The rotation of the selection's own axes.
    own: Quat,
    /// Direction towards the eye at the start, the axis of rotations that are not restricted to one, even if the
    /// camera moves.
    sight: Vec3,
    /// The pointer at the start, in the view's points.
    start: Vec2,
    pub bound: Option<GestureAxis>,
    pub typed: String,
    /// The ends in the world of the bodies' joints.
    pub world: WorldEnds,
    /// Whether it is dragged with a pressed button: then releasing accepts.
    by_button: bool,
    /// In metres or radians, or a factor.
    value: f32,
    shift: Vec3,
}

impl Grab {
    /// Starts a gesture with the selected bodies or joint; `None` if there is nothing that can be moved in this way.
    pub fn new(kind: GrabKind, start: Vec2, by_button: bool, view: &View<'_>, state: &Hands<'_>) -> Option<Self> {
        let joint = state.selection.joint.and_then(|index| Some((index, view.snapshot.joints.get(index)?)));
        let (held, pivot, own) = if let Some((index, joint)) = joint {
            let frame = HeldFrame::new(index, joint, state.editor.end, view.snapshot);
            if kind == GrabKind::Scale || (kind == GrabKind::Rotate && !frame.turns()) {
                return None;
            }
            let (pivot, own) = (frame.pivot(), frame.rotation(view.snapshot));
            (Grabbed::Joint(Box::new(frame)), pivot, own)
        } else {
            let bodies: Vec<_> = (state.selection.bodies.iter())
                .filter(|id| !state.view3d.visibility.is_locked(**id))
                .filter_map(|id| view.snapshot.body(*id))
                .map(|b| HeldBody { name: b.name.clone(), id: b.id, pose: b.pose, solid: b.solid.clone() })
                .collect();
            let own = bodies.last()?.pose.rotation;
            let pivot = bodies.iter().map(|b| b.pose.position).sum::<Vec3>() / bodies.len() as f32;
            (Grabbed::Bodies(bodies), pivot, own)
        };
        let value = if kind == GrabKind::Scale { 1.0 } else { 0.0 };
        let sight = -state.view3d.camera.view.forward();
        let (bound, typed, shift) = (None, String::new(), Vec3::ZERO);
        let world = match &held {
            Grabbed::Bodies(bodies) if kind != GrabKind::Scale => WorldEnds::of(bodies, view.snapshot),
            _ => WorldEnds::default(),
        };
        Some(Self { kind, held, pivot, origin: pivot, own, sight, start, bound, typed, world, by_button, value, shift })
    }

    /// Whether handles and keys refer to own axes first.
    pub fn prefers_own(&self, state: &Hands<'_>) -> bool {
        self.kind == GrabKind::Scale || state.editor.local
    }

    /// Whether it can be restricted to the axis of this index: a ball can only be scaled uniformly.
    pub fn allows(&self, index: usize) -> bool {
        match (&self.held, self.kind) {
            (Grabbed::Bodies(bodies), GrabKind::Scale) => {
                index < 3 && bodies.iter().any(|b| !matches!(b.solid.shape, Shape::Sphere { .. }))
            }
            _ => index < 3,
        }
    }

    /// The direction of an axis in the world frame, unit length.
    pub fn direction(&self, bound: GestureAxis) -> Vec3 {
        let axis = Vec3::AXES[bound.index.min(2)];
        if bound.local { self.own * axis } else { axis }
    }

    fn axis(&self) -> Option<Vec3> {
        self.bound.map(|bound| self.direction(bound))
    }

    /// The value as text, for the status line and the pointer's label.
    pub fn words(&self, angles: Angles) -> String {
        let name =
            |bound: GestureAxis| format!("{}{}", if bound.local { "own " } else { "" }, ["x", "y", "z"][bound.index]);
        let what = match (self.kind, self.bound) {
            (GrabKind::Move, Some(bound)) => format!("{:.3} m along {}", self.value + 0.0, name(bound)),
            (GrabKind::Move, None) => {
                let shift = self.shift + Vec3::ZERO;
                format!("{:.3}, {:.3}, {:.3} m", shift.x, shift.y, shift.z)
            }
            (GrabKind::Rotate, Some(bound)) => format!("{} about {}", angles.words(self.value), name(bound)),
            (GrabKind::Rotate, None) => angles.words(self.value),
            (GrabKind::Scale, Some(bound)) => format!("× {:.3} along {}", self.value, name(bound)),
            (GrabKind::Scale, None) => format!("× {:.3}", self.value),
        };
        what.replace('-', "−") + &gesture::shown(&self.typed) + &self.world.words()
    }

    /// The status line's hint.
    pub fn hint(&self, angles: Angles) -> String {
        let verb = match self.kind {
            GrabKind::Move => "Move",
            GrabKind::Rotate => "Turn",
            GrabKind::Scale => "Scale",
        };
        let (object, more) = match &self.held {
            Grabbed::Joint(frame) => (format!(" {}", frame.end.words()), " · E: which end"),
            Grabbed::Bodies(bodies) if self.kind == GrabKind::Scale => {
                (String::new(), bodies.last().map_or("", |b| scaling::note(&b.solid.shape)))
            }
            Grabbed::Bodies(_) => (String::new(), self.world.hint()),
        };
        let again = if self.kind == GrabKind::Scale { "" } else { ", twice its own" };
        format!(
            "{verb}{object} {} · X Y Z constrain{again}{more} · type a number · Enter confirms · Esc cancels",
            self.words(angles)
        )
    }

    /// The current rotation and displacement.
    fn motion(&self) -> (Quat, Vec3) {
        match self.kind {
            GrabKind::Move => (Quat::IDENTITY, self.shift),
            GrabKind::Rotate => (Quat::from_axis_angle(self.axis().unwrap_or(self.sight), self.value), Vec3::ZERO),
            GrabKind::Scale => (Quat::IDENTITY, Vec3::ZERO),
        }
    }

    /// The same as a rotation about the world's origin and a displacement.
    fn about_origin(&self) -> (Quat, Vec3) {
        let (turn, shift) = self.motion();
        let turned = if turn == Quat::IDENTITY { Vec3::ZERO } else { self.pivot - turn * self.pivot };
        (turn, turned + shift)
    }

    /// The poses of the bodies after this motion, and their scale factors along their own axes.
    fn poses(&self, bodies: &[HeldBody]) -> Vec<(u32, Pose, Vec3)> {
        let (turn, shift) = self.motion();
        let spread = |from_pivot: Vec3| match (self.kind, self.axis()) {
            (GrabKind::Scale, None) => from_pivot * self.value,
            // Several bodies are spread along the axis of the last one.
            (GrabKind::Scale, Some(axis)) => from_pivot + axis * (axis.dot(from_pivot) * (self.value - 1.0)),
            _ => from_pivot,
        };
        let moved = |body: &HeldBody| {
            let growth = match self.kind {
                GrabKind::Scale => scaling::growth(&body.solid.shape, self.bound.map(|b| b.index), self.value),
                _ => Vec3::ONE,
            };
            let (position, rotation) = match self.kind {
                // Without adding and subtracting the pivot, which would round.
                GrabKind::Move => (body.pose.position + shift, body.pose.rotation),
                _ => {
                    let position = self.pivot + turn * spread(body.pose.position - self.pivot);
                    (position, (turn * body.pose.rotation).normalize())
                }
            };
            (body.id, Pose { position, rotation }, growth)
        };
        bodies.iter().map(moved).collect()
    }
}

/// Follows the pointer and the keys, and ends the gesture.
pub fn update(ui: &Ui, response: &Response, view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) {
    let Some(mut grab) = state.editor.grab.take() else { return };
    if !ride(&mut grab, view) {
        return;
    }
    lead::keys(ui, &mut grab, view, state);
    let pointer = at(response, state).unwrap_or(grab.start);
    let snap = state.editor.snaps(ui);
    lead::lead_to(&mut grab, pointer, snap, state);
    match gesture::ending(ui, response, grab.by_button) {
        Some(Ending::LetGo) => return,
        Some(Ending::Keep) => return keep::finish(&grab, view, out),
        None => {}
    }
    let axis = grab.axis();
    let preview = &mut state.view3d.preview;
    match &grab.held {
        Grabbed::Bodies(bodies) => {
            preview.placed = grab.poses(bodies);
            let motion = grab.about_origin();
            preview.world = Some(motion).filter(|_| grab.world.along);
            grab.world.draw(motion, view.snapshot, preview);
        }
        Grabbed::Joint(frame) => {
            let (turn, shift) = grab.motion();
            let moved = frame.moved(grab.pivot, turn, shift);
            preview.joint = Some((Some(frame.index), frame.at(&moved, frame.moved_kind(shift), view.snapshot)));
        }
    }
    preview.label = Some(grab.words(state.angles));
    if let Some(axis) = axis {
        let color = with_alpha(palette::ACCENT, 0.9);
        preview.lines.push((grab.pivot - axis * 100.0, grab.pivot + axis * 100.0, color, 1.5));
    }
    ui.ctx().request_repaint();
    state.editor.grab = Some(grab);
}

/// A joint follows its bodies while they move; false if it no longer exists.
fn ride(grab: &mut Grab, view: &View<'_>) -> bool {
    let Grabbed::Joint(frame) = &mut grab.held else { return true };
    let Some(now) = view.snapshot.joints.get(frame.index).filter(|now| now.name == frame.joint.name) else {
        return false;
    };
    frame.refresh(now, view.snapshot);
    (grab.pivot, grab.own) = (frame.pivot(), frame.rotation(view.snapshot));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(x: f32) -> HeldBody {
        let solid = Shape::Box { half: Vec3::splat(0.5) }.solid().expect("a box");
        let pose = Pose { position: Vec3::new(x, 0.0, 0.0), rotation: Quat::IDENTITY };
        HeldBody { name: "".into(), id: 1, pose, solid: Arc::new(solid) }
    }

    fn grab(kind: GrabKind, bound: Option<GestureAxis>, value: f32) -> Vec<(u32, Pose, Vec3)> {
        let bodies = vec![body(1.0), body(3.0)];
        let grab = Grab {
            kind,
            held: Grabbed::Bodies(bodies.clone()),
            pivot: Vec3::new(2.0, 0.0, 0.0),
            origin: Vec3::new(2.0, 0.0, 0.0),
            own: Quat::IDENTITY,
            sight: Vec3::Z,
            start: Vec2::ZERO,
            bound,
            typed: String::new(),
            world: WorldEnds::default(),
            by_button: false,
            value,
            shift: Vec3::ZERO,
        };
        grab.poses(&bodies)
    }

    #[test]
    fn a_turn_goes_about_the_pivot_and_a_scale_spreads_from_it() {
        let z = Some(GestureAxis { index: 2, local: false });
        let quarter = grab(GrabKind::Rotate, z, std::f32::consts::FRAC_PI_2);
        assert!(quarter[0].1.position.distance(Vec3::new(2.0, -1.0, 0.0)) < 1e-6);
        assert!(quarter[1].1.position.distance(Vec3::new(2.0, 1.0, 0.0)) < 1e-6);
        let double = grab(GrabKind::Scale, None, 2.0);
        assert_eq!([double[0].1.position.x, double[1].1.position.x], [0.0, 4.0]);
        // Along z their positions stay, and they are only scaled upwards.
        let tall = grab(GrabKind::Scale, Some(GestureAxis { index: 2, local: true }), 2.0);
        assert_eq!((tall[0].1.position.x, tall[0].2), (1.0, Vec3::new(1.0, 1.0, 2.0)));
    }
}
