//! Shows a free motion of a mechanism: ghosts of its bodies swing along it, arrows show each body's velocity. It ends when
//! time runs or the selection changes.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};

use crate::{
    notices::Notices,
    request::Request,
    selection::Selection,
    view::View,
    view3d::{View3d, overlays, placing::size_of},
};
use delassus_doctor::motions::{FreeMotion, MotionPath};
use delassus_render::palette::with_alpha;
use delassus_session::{Command, Pose};

/// Period of the swing, s.
const PERIOD: f32 = 3.0;
/// Metres of arrow for a metre a second, in motions whose fastest body goes its mechanism's size in a second.
const ARROW: f32 = 0.5;
/// The most arrows; more would hide the bodies.
const ARROWS: usize = 60;
/// Segments of the arc that shows a spin.
const ARC: usize = 20;

/// The motion that is shown.
#[derive(Clone, Debug)]
pub struct ShownMotion {
    /// The mechanism, by its index in the session's list.
    pub mechanism: usize,
    pub motions: Vec<FreeMotion>,
    /// Which of them.
    pub at: usize,
    way: MotionPath,
    /// When it began, s of the window's time.
    since: f64,
    /// What was selected then, and which world it was.
    selection: Selection,
    state: (u64, u64, u64),
}

/// The key of the world that a motion belongs to.
fn state_of(view: &View<'_>) -> (u64, u64, u64) {
    (view.session.generation(), view.snapshot.step, view.snapshot.hash)
}

impl ShownMotion {
    /// What is shown, in words.
    pub fn words(&self) -> &str {
        self.motions.get(self.at).map_or("", |motion| &motion.words)
    }
}

/// Starts to show a mechanism's motions in its current pose, and pauses.
pub fn begin(
    mechanism: usize,
    now: f64,
    view: &View<'_>,
    (state, selection, notices): (&mut View3d, &Selection, &mut Notices),
    out: &mut Vec<Request>,
) {
    if view.clock.playing {
        out.push(Request::Session(Command::Pause));
    }
    let motions = view.session.motions(mechanism);
    let Some(first) = motions.first() else {
        notices.info("In the present pose nothing of this mechanism can move.");
        return;
    };
    let way = view.session.way(mechanism, first);
    let (selected, of) = (selection.clone(), state_of(view));
    let waits = view.clock.playing;
    state.motion = Some(ShownMotion { mechanism, motions, at: 0, way, since: now, selection: selected, state: of });
    state.motion_waits = waits;
}

/// Shows another of the mechanism's motions, `by` further on.
pub fn turn_to(by: isize, now: f64, view: &View<'_>, state: &mut View3d) {
    let Some(shown) = &mut state.motion else { return };
    let count = shown.motions.len().max(1) as isize;
    shown.at = (shown.at as isize + by).rem_euclid(count) as usize;
    if let Some(motion) = shown.motions.get(shown.at) {
        shown.way = view.session.way(shown.mechanism, motion);
        shown.since = now;
    }
}

/// Draws the motion into the preview, or ends it if the world or the selection has changed.
pub fn show(now: f64, view: &View<'_>, modal: bool, state: &mut View3d, selection: &Selection) {
    let Some(shown) = &state.motion else { return };
    // The requested pause comes with the next frame.
    let waits = std::mem::take(&mut state.motion_waits) && view.clock.playing;
    let other =
        Selection { hovered: None, ..selection.clone() } != Selection { hovered: None, ..shown.selection.clone() };
    if (view.clock.playing && !waits) || other || (shown.state != state_of(view) && !waits) || modal {
        state.motion = None;
        return;
    }
    state.animating = true;
    let preview = &mut state.preview;
    let phase = (TAU * (now - shown.since) as f32 / PERIOD).sin();
    for (k, id) in shown.way.bodies.iter().enumerate() {
        let Some(body) = view.snapshot.body(*id).filter(|_| !state.visibility.is_hidden(*id)) else { continue };
        let (centre, rotation) = along(&shown.way, k, phase);
        let pose = Pose { position: centre - rotation * body.solid.centre, rotation };
        preview.ghosts.push((body.solid.clone(), pose));
    }
    let Some(motion) = shown.motions.get(shown.at) else { return };
    let color = with_alpha(overlays::VELOCITY, 1.0);
    for (id, velocity, spin) in motion.bodies.iter().take(ARROWS) {
        let Some(body) = view.snapshot.body(*id).filter(|_| !state.visibility.is_hidden(*id)) else { continue };
        let size = size_of(&body.solid);
        if velocity.length() * ARROW > 0.08 * size {
            preview.arrows.push((body.centre, *velocity * ARROW, color));
        } else if spin.length() * size > 0.02 {
            arc(&mut preview.lines, &mut preview.arrows, body.centre, spin.normalize(), 0.6 * size, color);
        }
    }
}

/// Where a body is at a phase of the swing, −1 to 1.
fn along(way: &MotionPath, body: usize, phase: f32) -> (Vec3, Quat) {
    let ahead = way.poses.len().saturating_sub(1 + way.middle);
    let reach = if phase > 0.0 { ahead } else { way.middle } as f32;
    let at = way.middle as f32 + phase * reach;
    let low = (at.floor().max(0.0) as usize).min(way.poses.len() - 1);
    let high = (low + 1).min(way.poses.len() - 1);
    let share = (at - low as f32).clamp(0.0, 1.0);
    let ((from, q), (to, r)) = (way.poses[low][body], way.poses[high][body]);
    (from.lerp(to, share), q.slerp(r, share))
}

/// Three quarters of a circle about an axis with an arrow at its end.
fn arc(
    lines: &mut Vec<(Vec3, Vec3, [f32; 4], f32)>,
    arrows: &mut Vec<(Vec3, Vec3, [f32; 4])>,
    centre: Vec3,
    axis: Vec3,
    radius: f32,
    color: [f32; 4],
) {
    let (u, v) = axis.any_orthonormal_pair();
    // The right hand's way round.
    let v = if u.cross(v).dot(axis) < 0.0 { -v } else { v };
    let at = |k: usize| {
        let angle = 0.75 * TAU * k as f32 / ARC as f32;
        centre + radius * (u * angle.cos() + v * angle.sin())
    };
    for k in 0..ARC {
        lines.push((at(k), at(k + 1), color, 2.0));
    }
    let tangent = v * (0.75 * TAU).cos() - u * (0.75 * TAU).sin();
    arrows.push((at(ARC), tangent * 0.35 * radius, color));
}
