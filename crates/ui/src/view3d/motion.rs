//! Shows a free motion of a mechanism: ghosts of its bodies swing along it, arrows show each body's velocity. It ends
//! when time runs or the selection changes. In the window a thread finds the motions, and the end cancels that.

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
use delassus_session::background::Computed;
use delassus_session::{Command, FoundMotions, Pose};

/// Period of the swing, s.
const PERIOD: f32 = 3.0;
/// Metres of arrow for a metre a second, in motions whose fastest body goes its mechanism's size in a second.
const ARROW: f32 = 0.5;
/// The most arrows; more would hide the bodies.
const ARROWS: usize = 60;
/// Segments of the arc that shows a spin.
const ARC: usize = 20;

/// The motion that is shown.
#[derive(Debug)]
pub struct ShownMotion {
    /// The mechanism, by its index in the session's list.
    pub mechanism: usize,
    /// The motions and the path along the first, when they have been found.
    found: Computed<(), FoundMotions>,
    /// Which of them.
    pub at: usize,
    /// The path along another than the first.
    path: Computed<usize, MotionPath>,
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
    /// The motions; none while they are being searched.
    pub fn motions(&self) -> &[FreeMotion] {
        self.found.get().map_or(&[], |found| &found.motions)
    }

    /// What is shown, in words.
    pub fn words(&self) -> &str {
        self.motions().get(self.at).map_or("", |motion| &motion.words)
    }

    /// Whether the motion, or its path, is still being computed.
    pub fn is_pending(&self) -> bool {
        self.found.is_pending() || self.path.is_pending()
    }

    /// The path along the motion that is shown.
    fn shown_path(&self) -> Option<&MotionPath> {
        if self.at == 0 { self.found.get().map(|found| &found.path) } else { self.path.get() }
    }
}

/// Starts to show a mechanism's motions in its current pose, and pauses.
pub fn start_showing(
    mechanism: usize,
    now: f64,
    view: &View<'_>,
    (state, selection, notices): (&mut View3d, &Selection, &mut Notices),
    out: &mut Vec<Request>,
) {
    if view.clock.playing {
        out.push(Request::Session(Command::Pause));
    }
    let mut found = Computed::default();
    found.update((), view.session.can_step_elsewhere(), || view.session.motions(mechanism));
    let (selected, shown_state) = (selection.clone(), state_of(view));
    state.motion = Some(ShownMotion {
        mechanism,
        found,
        at: 0,
        path: Computed::default(),
        since: now,
        selection: selected,
        state: shown_state,
    });
    state.motion_waits = view.clock.playing;
    goes_on(now, view, state, notices);
}

/// Shows another of the mechanism's motions, `by` further on.
pub fn show_another(by: isize, now: f64, view: &View<'_>, state: &mut View3d) {
    let Some(shown) = &mut state.motion else { return };
    let count = shown.motions().len().max(1) as isize;
    shown.at = (shown.at as isize + by).rem_euclid(count) as usize;
    shown.since = now;
    let Some(motion) = shown.motions().get(shown.at).filter(|_| shown.at > 0).cloned() else { return };
    let find = || view.session.motion_path(shown.mechanism, &motion);
    shown.path.update(shown.at, view.session.can_step_elsewhere(), find);
}

/// Takes what has been found; false if nothing can be shown.
fn goes_on(now: f64, view: &View<'_>, state: &mut View3d, notices: &mut Notices) -> bool {
    let Some(shown) = &mut state.motion else { return false };
    let came = |came: bool, since: &mut f64| came.then(|| *since = now);
    came(shown.found.update((), true, || view.session.motions(shown.mechanism)), &mut shown.since);
    if let (true, Some(motion)) = (shown.at > 0, shown.motions().get(shown.at).cloned()) {
        let find = || view.session.motion_path(shown.mechanism, &motion);
        came(shown.path.update(shown.at, true, find), &mut shown.since);
    }
    let failed = match shown.found.get() {
        _ if shown.found.is_pending() => return true,
        Some(found) if found.too_many => "This mechanism has more motions than can be told apart.",
        Some(found) if !found.motions.is_empty() => return true,
        Some(_) => "Nothing in this mechanism can move in the present pose.",
        None => "The motions of this mechanism cannot be computed.",
    };
    notices.info(failed);
    state.motion = None;
    false
}

/// Draws the motion into the preview, or ends it if the world or the selection has changed.
pub fn show(
    now: f64,
    view: &View<'_>,
    modal: bool,
    (state, selection, notices): (&mut View3d, &Selection, &mut Notices),
) {
    let Some(shown) = &state.motion else { return };
    // The requested pause comes with the next frame.
    let waits = std::mem::take(&mut state.motion_waits) && view.clock.playing;
    let other =
        Selection { hovered: None, ..selection.clone() } != Selection { hovered: None, ..shown.selection.clone() };
    if (view.clock.playing && !waits) || other || (shown.state != state_of(view) && !waits) || modal {
        state.motion = None;
        return;
    }
    if !goes_on(now, view, state, notices) {
        return;
    }
    state.animating = true;
    let Some(shown) = &state.motion else { return };
    let Some(path) = shown.shown_path() else { return };
    let preview = &mut state.preview;
    let phase = (TAU * (now - shown.since) as f32 / PERIOD).sin();
    for (k, id) in path.bodies.iter().enumerate() {
        let Some(body) = view.snapshot.body(*id).filter(|_| !state.visibility.is_hidden(*id)) else { continue };
        let (centre, rotation) = along(path, k, phase);
        let pose = Pose { position: centre - rotation * body.solid.centre, rotation };
        preview.ghosts.push((body.solid.clone(), pose));
    }
    let Some(motion) = shown.motions().get(shown.at) else { return };
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
fn along(path: &MotionPath, body: usize, phase: f32) -> (Vec3, Quat) {
    let ahead = path.poses.len().saturating_sub(1 + path.middle);
    let reach = if phase > 0.0 { ahead } else { path.middle } as f32;
    let at = path.middle as f32 + phase * reach;
    let low = (at.floor().max(0.0) as usize).min(path.poses.len() - 1);
    let high = (low + 1).min(path.poses.len() - 1);
    let share = (at - low as f32).clamp(0.0, 1.0);
    let ((from, q), (to, r)) = (path.poses[low][body], path.poses[high][body]);
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
