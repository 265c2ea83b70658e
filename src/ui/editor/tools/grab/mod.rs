//! Moving, turning and scaling what is selected, as in Blender: a key or a handle takes hold, the pointer leads, X, Y,
//! Z bind to an axis (again to its own one, again to none), typed digits go before the pointer, a click or Enter keeps,
//! Escape or the right button lets go.
//!
//! Moves follow the pointer in the plane through the pivot that faces the camera, or along the bound axis where the
//! pointer's ray passes it nearest. Turns count the pointer's angle about the pivot on the screen. Scaling is along the
//! body's own axes, as no shape can be sheared.

mod keep;
mod lead;

use std::sync::Arc;

use egui::{Response, Ui};
use glam::{Quat, Vec2, Vec3};

use crate::physics::shape::{Shape, Solid};
use crate::render::palette::{self, with_alpha};
use crate::session::Pose;
use crate::ui::editor::tools::gesture::{self, Ending};
use crate::ui::editor::tools::held_frame::HeldFrame;
use crate::ui::editor::tools::world_ends::WorldEnds;
use crate::ui::editor::{at, tools::scaling};
use crate::ui::widgets::angles::Angles;
use crate::ui::{editor::Hands, request::Request, view::View};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrabKind {
    Move,
    Rotate,
    Scale,
}

/// An axis to which a gesture is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GestureAxis {
    /// 0 x, 1 y, 2 z.
    pub index: usize,
    /// The axis of what is held, not the world's.
    pub local: bool,
}

/// A body that is held.
#[derive(Clone)]
pub struct HeldBody {
    pub name: Arc<str>,
    pub id: u32,
    /// At the start.
    pub pose: Pose,
    pub solid: Arc<Solid>,
}

/// What is held.
#[derive(Clone)]
pub enum Grabbed {
    Bodies(Vec<HeldBody>),
    Joint(Box<HeldFrame>),
}

/// A gesture that moves, turns or scales.
#[derive(Clone)]
pub struct Grab {
    pub kind: GrabKind,
    pub held: Grabbed,
    /// About what it turns, as it is now.
    pub pivot: Vec3,
    /// The pivot at the start, by which the pointer is read: a joint goes with its bodies, the pointer does not.
    origin: Vec3,
    /// How the axes of what is held stand.
    own: Quat,
    /// Toward the eye at the start: turns that are not bound go about it, whatever the camera does meanwhile.
    sight: Vec3,
    /// The pointer at the start, in the view's points.
    start: Vec2,
    pub bound: Option<GestureAxis>,
    pub typed: String,
    /// What the joints of the held bodies hold in the world.
    pub world: WorldEnds,
    /// Whether a pressed button holds it: then letting go keeps.
    by_button: bool,
    /// Metres, radians or a factor.
    value: f32,
    shift: Vec3,
}

impl Grab {
    /// Takes hold of what is selected, bodies or a joint; nothing if there is none, or if it cannot be scaled.
    pub fn new(kind: GrabKind, start: Vec2, by_button: bool, view: &View<'_>, state: &Hands<'_>) -> Option<Self> {
        let joint = state.selection.joint.and_then(|index| Some((index, view.snapshot.joints.get(index)?)));
        let (held, pivot, own) = if let Some((index, joint)) = joint {
            let frame = HeldFrame { index, joint: joint.clone(), end: state.editor.end };
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

    /// Whether handles and keys mean its own axes first.
    pub fn prefers_own(&self, state: &Hands<'_>) -> bool {
        self.kind == GrabKind::Scale || state.editor.local
    }

    /// Whether it can be bound to the axis of this index: a ball scales evenly only.
    pub fn allows(&self, index: usize) -> bool {
        match (&self.held, self.kind) {
            (Grabbed::Bodies(bodies), GrabKind::Scale) => {
                index < 3 && bodies.iter().any(|b| !matches!(b.solid.shape, Shape::Sphere { .. }))
            }
            _ => index < 3,
        }
    }

    /// The direction of an axis in the world, unit.
    pub fn direction(&self, bound: GestureAxis) -> Vec3 {
        let axis = Vec3::AXES[bound.index.min(2)];
        if bound.local { self.own * axis } else { axis }
    }

    fn axis(&self) -> Option<Vec3> {
        self.bound.map(|bound| self.direction(bound))
    }

    /// By how much, for the status line and beside the pointer.
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

    /// What the status line says.
    pub fn hint(&self, angles: Angles) -> String {
        let verb = match self.kind {
            GrabKind::Move => "Move",
            GrabKind::Rotate => "Turn",
            GrabKind::Scale => "Scale",
        };
        let (of, more) = match &self.held {
            Grabbed::Joint(frame) => (format!(" {}", frame.end.words()), " · E: which end"),
            Grabbed::Bodies(bodies) if self.kind == GrabKind::Scale => {
                (String::new(), bodies.last().map_or("", |b| scaling::note(&b.solid.shape)))
            }
            Grabbed::Bodies(_) => (String::new(), self.world.hint()),
        };
        let again = if self.kind == GrabKind::Scale { "" } else { ", twice its own" };
        format!("{verb}{of} {} · X Y Z bind{again}{more} · digits type · Enter keeps · Esc lets go", self.words(angles))
    }

    /// The turn and the shift so far.
    fn motion(&self) -> (Quat, Vec3) {
        match self.kind {
            GrabKind::Move => (Quat::IDENTITY, self.shift),
            GrabKind::Rotate => (Quat::from_axis_angle(self.axis().unwrap_or(self.sight), self.value), Vec3::ZERO),
            GrabKind::Scale => (Quat::IDENTITY, Vec3::ZERO),
        }
    }

    /// The same as a turn about the world's origin and a shift.
    fn about_origin(&self) -> (Quat, Vec3) {
        let (turn, shift) = self.motion();
        let turned = if turn == Quat::IDENTITY { Vec3::ZERO } else { self.pivot - turn * self.pivot };
        (turn, turned + shift)
    }

    /// The poses of the held bodies with this motion, and by how much they grow along their own axes.
    fn poses(&self, bodies: &[HeldBody]) -> Vec<(u32, Pose, Vec3)> {
        let (turn, shift) = self.motion();
        let spread = |from_pivot: Vec3| match (self.kind, self.axis()) {
            (GrabKind::Scale, None) => from_pivot * self.value,
            // Several bodies spread along the axis of the last one.
            (GrabKind::Scale, Some(axis)) => from_pivot + axis * (axis.dot(from_pivot) * (self.value - 1.0)),
            _ => from_pivot,
        };
        let moved = |body: &HeldBody| {
            let growth = match self.kind {
                GrabKind::Scale => scaling::growth(&body.solid.shape, self.bound.map(|b| b.index), self.value),
                _ => Vec3::ONE,
            };
            let (position, rotation) = match self.kind {
                // Without a sum to the pivot and back, which rounds.
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
    lead::follow(&mut grab, pointer, snap, state);
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
            preview.joint = Some((Some(frame.index), frame.moved(grab.pivot, turn, shift)));
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

/// A joint that is held goes with its bodies while they move; false once it is gone.
fn ride(grab: &mut Grab, view: &View<'_>) -> bool {
    let Grabbed::Joint(frame) = &mut grab.held else { return true };
    let Some(now) = view.snapshot.joints.get(frame.index).filter(|now| now.name == frame.joint.name) else {
        return false;
    };
    frame.joint.clone_from(now);
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
        // Along z they stay where they are and grow upward only.
        let tall = grab(GrabKind::Scale, Some(GestureAxis { index: 2, local: true }), 2.0);
        assert_eq!((tall[0].1.position.x, tall[0].2), (1.0, Vec3::new(1.0, 1.0, 2.0)));
    }
}
