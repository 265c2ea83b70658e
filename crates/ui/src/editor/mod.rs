//! Building a scene by hand: spawn bodies, move, rotate and scale them, drag joints between them.
//!
//! The document changes only when a gesture ends, by one [`delassus_session::Edit`]; until then [`View3d::preview`]
//! shows the result. Escape or the right button cancels a gesture.

pub mod form;
pub mod snap;
pub mod tools;

use crate::editor::tools::{extent, grab, handles, held_frame, joining, mirror, spawn, stencils, stop_drag};
use egui::{PointerButton, Response, Ui};
use glam::{Quat, Vec2, Vec3};

use crate::{
    notices::Notices,
    request::Request,
    selection::Selection,
    view::View,
    view3d::{Drag, View3d, viewport::viewport},
    widgets::angles::Angles,
};

pub use tools::arrange::Chosen;
pub use tools::grab::Grab;
pub use tools::joining::Joining;
pub use tools::stop_drag::StopDrag;

/// What the left button does in the view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    #[default]
    Select,
    Move,
    Rotate,
    Scale,
    Joint,
    Spawn,
    Mirror,
}

/// The state of the editor.
#[derive(Clone, Default)]
pub struct Editor {
    pub tool: Tool,
    /// The spawn tool's choice.
    pub choice: stencils::SpawnChoice,
    /// Count and spacing of the palette's patterns.
    pub extents: extent::PatternExtents,
    /// The rotation of what is spawned.
    pub turned: Quat,
    /// The bodies of the choice about its origin, laid out once.
    pub stencil: Option<stencils::Stencil>,
    /// Speed of a shot ball, m/s.
    pub shot: spawn::Shot,
    /// The text of the bodies that were copied last in this window.
    pub copied: Option<String>,
    /// The motion type of a spawned body.
    pub motion: delassus_session::Motion,
    /// Index of the kind of joint that the joint tool makes.
    pub kind: usize,
    pub axis: joining::AxisChoice,
    pub anchor: joining::AnchorChoice,
    /// The kind of point that the joint tool's ends snap to.
    pub snap_kind: snap::SnapKind,
    /// The joint tool makes joints with limits, where they can have them.
    pub limits: bool,
    /// Positions snap to the grid, angles to steps of 15°. Holding Ctrl inverts it.
    pub snap: bool,
    /// Handles and keys use the selection's own axes.
    pub local: bool,
    /// Which end of a joint is moved and turned.
    pub end: held_frame::FrameEnd,
    /// The gesture that moves, rotates or scales.
    pub grab: Option<Grab>,
    /// The joint's stop that is being dragged.
    pub stop: Option<StopDrag>,
    /// The joint that is being dragged.
    pub joining: Option<Joining>,
    /// Whether a spawned body's ghost is being dragged out of the palette.
    pub carrying: bool,
    /// Settings of the mirror tool.
    pub mirror: mirror::Mirroring,
}

/// The grid spacing of positions, m, and the snap step of angles, rad.
pub const GRID: f32 = 0.25;
pub const TURN: f32 = std::f32::consts::PI / 12.0;

/// The state that the tools work with: their own, and what they share with the view and the panels.
pub struct Hands<'a> {
    pub editor: &'a mut Editor,
    pub selection: &'a mut Selection,
    pub view3d: &'a mut View3d,
    pub notices: &'a mut Notices,
    pub angles: Angles,
    /// Whether a question or a text field has the keyboard and the mouse.
    pub modal: bool,
}

impl Editor {
    /// Cancels every gesture.
    pub fn cancel(&mut self) -> bool {
        let busy = self.is_typing() || self.joining.is_some() || self.carrying;
        self.grab = None;
        self.stop = None;
        self.joining = None;
        self.carrying = false;
        busy
    }

    /// Whether a gesture takes the keyboard.
    pub fn is_typing(&self) -> bool {
        self.grab.is_some() || self.stop.is_some()
    }

    /// Whether snapping is on at this moment.
    pub fn snaps(&self, ui: &Ui) -> bool {
        self.snap != ui.input(|i| i.modifiers.ctrl || i.modifiers.command)
    }
}

/// Handles the pointer in the view. True if the editor takes the gesture.
pub fn pointer(ui: &Ui, response: &Response, view: &View<'_>, state: &mut Hands<'_>, out: &mut Vec<Request>) -> bool {
    state.view3d.preview.clear();
    state.view3d.pointer = at(response, state).or(state.view3d.pointer);
    if state.editor.grab.is_some() {
        grab::update(ui, response, view, state, out);
        return true;
    }
    if state.editor.stop.is_some() {
        stop_drag::update(ui, response, view, state, out);
        return true;
    }
    let modifiers = ui.input(|i| i.modifiers);
    let camera = state.view3d.drag != Drag::Nothing || modifiers.alt;
    if !camera
        && !matches!(state.editor.tool, Tool::Joint | Tool::Spawn)
        && stop_drag::handles(ui, response, view, state)
    {
        return true;
    }
    match state.editor.tool {
        Tool::Select => false,
        Tool::Move | Tool::Rotate | Tool::Scale => !camera && handles::pointer(ui, response, view, state),
        Tool::Joint => !camera && joining::pointer(ui, response, view, state, out),
        Tool::Spawn => !camera && spawn::pointer(ui, response, view, state, out),
        Tool::Mirror => {
            mirror::show(ui, view, state, out);
            false
        }
    }
}

/// The pointer in the view's own points, if it is over the view or a gesture holds it.
fn at(response: &Response, state: &Hands<'_>) -> Option<Vec2> {
    let at = response.interact_pointer_pos().or_else(|| response.hover_pos())?;
    Some(Vec2::new(at.x - state.view3d.rect.left(), at.y - state.view3d.rect.top()))
}

/// Where the button was pressed, in the view's own points.
fn press_at(ui: &Ui, state: &Hands<'_>) -> Option<Vec2> {
    let at = ui.input(|i| i.pointer.press_origin())?;
    Some(Vec2::new(at.x - state.view3d.rect.left(), at.y - state.view3d.rect.top()))
}

fn ray(state: &Hands<'_>, at: Vec2) -> (Vec3, Vec3) {
    state.view3d.camera.ray(at, viewport(state.view3d))
}

fn pressed(response: &Response) -> bool {
    response.drag_started_by(PointerButton::Primary)
}

fn rounded(value: f32, step: f32) -> f32 {
    (value / step).round() * step
}

/// A place rounded to a decimal step such as 0.01 m: its numbers are as short as they can be.
fn rounded_to(place: Vec3, step: f32) -> Vec3 {
    let parts = (1.0 / step).round();
    // Without −0.
    Vec3::from(place.to_array().map(|x| (x * parts).round() / parts + 0.0))
}

/// The status line's hint for the current tool.
pub fn hint(view: &View<'_>, state: &Hands<'_>) -> Option<String> {
    let editor = &state.editor;
    if let Some(grab) = &editor.grab {
        return Some(grab.hint(state.angles));
    }
    if editor.stop.is_some() {
        return stop_drag::hint(view, state);
    }
    let joint = state.selection.joint.is_some();
    let words = match editor.tool {
        Tool::Select => return stop_drag::hint(view, state),
        Tool::Move if joint => "Drag an arrow to move the joint's anchors · G moves at once · Esc back to selecting",
        Tool::Rotate if joint => "Drag a ring to turn the joint's axis · T turns at once · Esc back to selecting",
        Tool::Scale if joint => "A joint has no size: drag the round grips of its stops",
        Tool::Move => "Drag an arrow, or a body · G moves at once · U: own or world axes · Esc back to selecting",
        Tool::Rotate => "Drag a ring, or a body · T turns at once · U: own or world axes · Esc back to selecting",
        Tool::Scale => "Drag a cube along an axis, or a body evenly · S scales at once · Esc back to selecting",
        Tool::Joint if editor.joining.is_some() => {
            "Release over another body, over the same one to pin it to the world there, or over empty space for the \
             world · N E X Y Z: axis · Q: snapping · Esc cancels"
        }
        Tool::Joint => {
            "Press on a body and drag to another · Axis: N face, E edge, X Y Z · Q: what to snap to, Shift: no \
             snapping · Esc ends"
        }
        Tool::Mirror if state.selection.bodies.is_empty() => "Click or box-select what to mirror · Esc ends",
        Tool::Mirror => "X Y Z: axis to mirror across · Enter mirrors · Esc ends",
        Tool::Spawn if matches!(editor.choice, stencils::SpawnChoice::Pattern(_)) => {
            "Click places it, repeatedly · X Y Z turn it, U: upright · Arrow keys or Shift+wheel: how many, rows, \
             spacing · Ctrl: inverts snapping · Esc ends"
        }
        Tool::Spawn => {
            return Some(format!(
                "Click places it, repeatedly · X Y Z turn it by {} (Shift: back), U: upright · Ctrl: inverts snapping \
                 · Esc ends",
                state.angles.round(15)
            ));
        }
    };
    Some(words.into())
}

#[cfg(test)]
pub mod tests;
