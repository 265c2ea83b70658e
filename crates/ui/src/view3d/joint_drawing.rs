//! Draws joints: their ranges as arcs, rails, cones and rings, the current value as a hand. Broken joints are crossed
//! out.
//!
//! An arc lies in the plane across A's axis. Its hand points to B's centre, so that the zero of the angle is where B's
//! centre was in the file's pose. A cone's rim is the limit of B's axis.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};

use crate::view3d::{
    joint_shape::{JointEnds, Track},
    overlays,
    picture_builder::{PictureBuilder, Show},
    placing::{nearest, size_of},
};
use delassus_physics::{joints::JointDisplay, primitives::swing_twist::SwingLimit};
use delassus_render::palette::{self, with_alpha};
use delassus_session::{JointView, Snapshot};

/// With more joints than this only the selected one shows its range.
pub(crate) const MAX_DIALS: usize = 60;
/// With more joints than this no arms are drawn: each needs the nearest points of two bodies.
const MOST_ARMS: usize = 600;
/// An anchor this far outside of its body has an arm, in units of the body's size.
const OUTSIDE: f32 = 0.03;
/// Straight pieces of a full turn.
const PIECES: f32 = 64.0;
/// An anchor error below this is not drawn, m.
const VISIBLE_ERROR: f32 = 0.0005;

impl PictureBuilder {
    /// Draws a joint of the snapshot, moved along with bodies that a gesture holds.
    pub(crate) fn joint(&mut self, joint: &JointView, chosen: bool, snapshot: &Snapshot, show: &Show<'_>) {
        let overlays = &show.overlays;
        if !(overlays.joints || chosen || overlays.joint_error || overlays.joint_forces) {
            return;
        }
        let drawn = JointEnds::of(joint, snapshot, show.alpha);
        match self.held.joint(joint, drawn, &show.preview.placed, snapshot, show.alpha) {
            Some((joint, drawn)) => self.joint_at(&joint, drawn, chosen, snapshot, show),
            None => self.joint_at(joint, drawn, chosen, snapshot, show),
        }
    }

    /// Draws a joint that is about to be made.
    pub(crate) fn joint_to_come(&mut self, joint: &JointView, snapshot: &Snapshot, show: &Show<'_>) {
        let mut drawn = JointEnds::of(joint, snapshot, show.alpha);
        // A body that the joint will bring here counts at its new place.
        let comes = show.preview.placed.iter().find(|(id, ..)| *id == joint.b);
        if let (Some((_, pose, _)), Some(body)) = (comes, snapshot.body(joint.b)) {
            drawn.to_b += pose.position - body.pose.position;
        }
        self.joint_at(joint, drawn, true, snapshot, show);
    }

    /// Draws a joint at a place.
    fn joint_at(
        &mut self,
        joint: &JointView,
        mut drawn: JointEnds,
        chosen: bool,
        snapshot: &Snapshot,
        show: &Show<'_>,
    ) {
        let px = show.pixels;
        let info = joint.kind.info();
        if chosen {
            drawn = drawn.enlarged(px * show.camera.metres_per_pixel(drawn.a, show.viewport));
        }
        let (a, b) = (drawn.a, drawn.b);
        let gap = a.distance(b);
        let size = snapshot.body(joint.b).or(snapshot.body(joint.a)).map_or(1.0, |body| size_of(&body.solid));
        if joint.broken.is_some() {
            if show.overlays.joints || chosen {
                let radius = if chosen { Some(7.0 * px) } else { show.mark(a, 6.0, size) };
                for at in [a, b] {
                    self.cross(at, radius.unwrap_or(2.0 * px), show);
                }
            }
            return;
        }
        if show.overlays.joint_forces {
            self.joint_force(joint, &drawn, snapshot, show);
        }
        if show.overlays.joints || chosen {
            let color = if chosen { palette::ACCENT } else { overlays::JOINT };
            let radius = if chosen { Some(5.5 * px) } else { show.mark(a, 3.5, size) };
            if let Some(radius) = radius {
                self.point(a, with_alpha(color, 1.0), radius, true);
                // One dot if the anchors coincide.
                if gap > VISIBLE_ERROR || !info.coincident {
                    self.point(b, with_alpha(color, 1.0), radius, true);
                }
            }
            if info.coincident && snapshot.joints.len() <= MOST_ARMS {
                self.arms(joint, &drawn, with_alpha(color, 0.9), show, snapshot);
            }
            if info.axis {
                let reach = drawn.axis_a * drawn.reach;
                self.line(a - reach, a + reach, with_alpha(color, 0.9), 1.8 * px, true);
                if chosen || snapshot.joints.len() <= MAX_DIALS {
                    self.sense(joint, &drawn, color, show);
                }
            }
            let is_line = !matches!(
                info.shown,
                JointDisplay::Ring | JointDisplay::Sheaves | JointDisplay::Drum | JointDisplay::Cam
            );
            if !info.coincident && is_line {
                // A rod or rope is drawn with its length; only what exceeds it is an error.
                let end = drawn.wanted(joint).filter(|_| show.overlays.joint_error).unwrap_or(b);
                self.line(a, end, with_alpha(color, 0.9), 1.8 * px, true);
            }
            if chosen || snapshot.joints.len() <= MAX_DIALS {
                self.allowed(joint, &drawn, color, show);
                self.coupling(joint, &drawn, color, show);
                self.axes_of(joint, &drawn, color, show);
            }
        }
        // A thread shorter than a pixel is a blob as wide as a line; a hundred thousand of them hid the chains.
        let visible = VISIBLE_ERROR.max(show.camera.metres_per_pixel(a, show.viewport));
        if let Some(wanted) = drawn.wanted(joint).filter(|_| show.overlays.joint_error)
            && wanted.distance(b) > visible
        {
            self.line(wanted, b, with_alpha(overlays::JOINT_ERROR, 1.0), 3.0 * px, true);
        }
    }

    /// Draws a line from an anchor outside its body to the body: the thread of a pendulum, the link of a chain.
    fn arms(&mut self, joint: &JointView, drawn: &JointEnds, color: [f32; 4], show: &Show<'_>, snapshot: &Snapshot) {
        // Not for a body that will be moved.
        let stays = |id: u32| show.preview.placed.iter().all(|(placed, ..)| *placed != id);
        for (at, id) in [(drawn.a, joint.a), (drawn.b, joint.b)] {
            let body = snapshot.body(id).filter(|_| stays(id));
            if let Some(begins) = body.and_then(|body| nearest(body, at, show.alpha, OUTSIDE * size_of(&body.solid))) {
                self.line(at, begins, color, 1.8 * show.pixels, true);
            }
        }
    }

    /// Draws the joint's range.
    fn allowed(&mut self, joint: &JointView, drawn: &JointEnds, color: [f32; 3], show: &Show<'_>) {
        let stops = joint.readout.stops;
        let at_stop = stops.least || stops.greatest;
        if let (JointDisplay::Ring, Some(radius)) = (joint.kind.info().shown, joint.kind.length()) {
            let radius = radius.unwrap_or(joint.rest_length);
            let (u, v) = drawn.axis_a.any_orthonormal_pair();
            let rim = |t: f32| drawn.a + radius * (u * t.cos() + v * t.sin());
            self.curve(rim, (0.0, TAU), with_alpha(color, 0.9), 1.8 * show.pixels);
            return;
        }
        if let Some(limit) = joint.kind.swing_limit() {
            self.cone(drawn, limit, stops.swing, color, show);
        }
        let range = joint.kind.range(joint.rest_length);
        if let (Some(range), Some(track)) = (range, drawn.track(joint)) {
            match track {
                Track::Arc { .. } => self.arc(&track, joint.readout.value, range, at_stop, color, show),
                // A rope is a line already.
                Track::Line { .. } if joint.kind.info().shown == JointDisplay::Thread => {}
                Track::Line { direction, .. } => {
                    let tick = 0.25 * drawn.reach;
                    self.rail(&track, direction, tick, joint.readout.value, range, at_stop, color, show);
                }
            }
        }
    }

    /// Draws the range of angles and the hand.
    pub(crate) fn arc(
        &mut self,
        track: &Track,
        value: f32,
        (min, max): (f32, f32),
        at_stop: bool,
        color: [f32; 3],
        show: &Show<'_>,
    ) {
        let px = show.pixels;
        let Track::Arc { centre, .. } = *track else { return };
        let quiet = with_alpha(color, 0.75);
        // More than a turn is a full one.
        self.curve(|angle| track.at(angle), (min, max.min(min + TAU)), quiet, 1.8 * px);
        for end in [min, max] {
            self.line(centre, track.at(end), quiet, 1.2 * px, true);
        }
        let (color, width) = hand(at_stop, show);
        self.line(centre, track.at(value), with_alpha(color, 1.0), width * px, true);
    }

    /// Draws the range of slides with a cross at either end, and B's position.
    #[expect(clippy::too_many_arguments, reason = "along what, what is allowed, and how it looks")]
    pub(crate) fn rail(
        &mut self,
        track: &Track,
        direction: Vec3,
        tick: f32,
        value: f32,
        (min, max): (f32, f32),
        at_stop: bool,
        color: [f32; 3],
        show: &Show<'_>,
    ) {
        let px = show.pixels;
        let (u, v) = direction.any_orthonormal_pair();
        let quiet = with_alpha(color, 0.75);
        self.line(track.at(min), track.at(max), quiet, 1.8 * px, true);
        for end in [min, max].map(|end| track.at(end)) {
            for side in [u, v] {
                self.line(end - side * tick, end + side * tick, quiet, 1.8 * px, true);
            }
        }
        let (color, _) = hand(at_stop, show);
        self.point(track.at(value), with_alpha(color, 1.0), 4.5 * px, true);
    }

    /// Draws the range of B's axis, and the axis itself.
    fn cone(&mut self, drawn: &JointEnds, limit: SwingLimit, at_stop: bool, color: [f32; 3], show: &Show<'_>) {
        let px = show.pixels;
        let (u, v) = drawn.across();
        // The swing's rotation vector on the rim at an angle about the axis.
        let swing = |t: f32| match limit {
            SwingLimit::Cone(s) => s.radians * (u * t.cos() + v * t.sin()),
            SwingLimit::Ellipse(s, w) => u * (s.radians * t.cos()) + v * (w.radians * t.sin()),
            SwingLimit::Pyramid(s, w) => {
                let (x, y) = (t.cos(), t.sin());
                let out = 1.0 / x.abs().max(y.abs());
                u * (s.radians * x * out) + v * (w.radians * y * out)
            }
        };
        let rim = |t: f32| drawn.a + drawn.rim() * (Quat::from_scaled_axis(swing(t)) * drawn.axis_a);
        let quiet = with_alpha(color, 0.75);
        self.curve(rim, (0.0, TAU), quiet, 1.6 * px);
        for spoke in 0..8 {
            let t = (spoke as f32 + 0.5) * TAU / 8.0;
            self.line(drawn.a, rim(t), with_alpha(color, 0.35), 1.0 * px, true);
        }
        let (color, width) = hand(at_stop, show);
        self.line(drawn.a, drawn.b + drawn.rim() * drawn.axis_b, with_alpha(color, 1.0), width * px, true);
    }

    /// A curve of a parameter, in straight pieces.
    pub(crate) fn curve(&mut self, at: impl Fn(f32) -> Vec3, (from, to): (f32, f32), color: [f32; 4], width_px: f32) {
        let pieces = ((to - from).abs() / TAU * PIECES).ceil().clamp(1.0, PIECES) as u32;
        let step = (to - from) / pieces as f32;
        for piece in 0..pieces {
            let t = from + step * piece as f32;
            self.line(at(t), at(t + step), color, width_px, true);
        }
    }

    /// A cross that faces the eye.
    fn cross(&mut self, at: Vec3, radius_px: f32, show: &Show<'_>) {
        let size = radius_px * show.camera.metres_per_pixel(at, show.viewport);
        let turn = show.camera.rotation().inverse();
        let (right, up) = (turn * Vec3::X * size, turn * Vec3::Y * size);
        let color = with_alpha(overlays::BROKEN, 1.0);
        self.line(at - right - up, at + right + up, color, 2.5 * show.pixels, true);
        self.line(at - right + up, at + right - up, color, 2.5 * show.pixels, true);
    }
}

/// How a hand looks.
fn hand(at_stop: bool, show: &Show<'_>) -> ([f32; 3], f32) {
    if at_stop { (overlays::AT_STOP, 3.2) } else { (overlays::hand(show.theme), 2.4) }
}
