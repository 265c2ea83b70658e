//! Joints as they are drawn in the picture: what they allow as arcs, rails, cones and rings, with the present value as a
//! hand; broken ones crossed out.
//!
//! An arc stands in the plane across A's axis. Its hand points to B's centre, seen along the axis, so that the zero of
//! the angle lies where B's centre was in the pose of the file. A cone's rim is where B's axis may lean to.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};

use super::{
    overlays,
    picture::{Show, Stage},
    placing::{follow, size_of},
};
use crate::{
    physics::{
        joints::{JointKind, Measure},
        parts::swing_twist::SwingLimit,
    },
    render::palette::{self, with_alpha},
    session::{JointView, Snapshot},
};

/// With more joints than this only the selected one shows what it allows.
pub(super) const MOST: usize = 60;
/// Straight pieces of a full turn.
const PIECES: f32 = 64.0;
/// An anchor error below this is not drawn, m.
const VISIBLE_ERROR: f32 = 0.0005;

/// A joint's ends as they are drawn, between two steps.
struct Drawn {
    a: Vec3,
    b: Vec3,
    /// The joint's axis on A and on B.
    axis_a: Vec3,
    axis_b: Vec3,
    /// How A stands.
    rotation: Quat,
    /// From A's anchor to B's centre.
    to_b: Vec3,
    /// Length of axes and radius of arcs, m.
    reach: f32,
    color: [f32; 3],
}

impl Stage {
    /// Draws a joint.
    pub(super) fn joint(&mut self, index: usize, joint: &JointView, snapshot: &Snapshot, show: &Show<'_>) {
        let chosen = show.joint == Some(index);
        if !(show.overlays.joints || chosen || show.overlays.joint_error) {
            return;
        }
        let px = show.pixels;
        let (body_a, body_b) = (snapshot.body(joint.a), snapshot.body(joint.b));
        let info = joint.kind.info();
        let (a, b) = (follow(body_a, joint.anchor_a, show.alpha), follow(body_b, joint.anchor_b, show.alpha));
        let size = body_b.or(body_a).map_or(1.0, |body| size_of(&body.solid));
        if joint.broken.is_some() {
            if show.overlays.joints || chosen {
                let radius = if chosen { Some(7.0 * px) } else { show.mark(a, 6.0, size) };
                for at in [a, b] {
                    self.cross(at, radius.unwrap_or(2.0 * px), show);
                }
            }
            return;
        }
        if show.overlays.joints || chosen {
            let color = if chosen { palette::ACCENT } else { overlays::JOINT };
            let radius = if chosen { Some(5.5 * px) } else { show.mark(a, 3.5, size) };
            if let Some(radius) = radius {
                self.point(a, with_alpha(color, 1.0), radius, true);
                // Where they coincide, one dot says it.
                if joint.readout.error > VISIBLE_ERROR || !info.coincident {
                    self.point(b, with_alpha(color, 1.0), radius, true);
                }
            }
            let reach = 0.8 * size.clamp(0.05, 2.0);
            if info.axis {
                self.line(a - joint.axis_a * reach, a + joint.axis_a * reach, with_alpha(color, 0.9), 1.8 * px, true);
            }
            if !info.coincident && !matches!(joint.kind, JointKind::PointOnRing(_)) {
                // A distance or a rope is itself a thing to see.
                self.line(a, b, with_alpha(color, 0.9), 1.8 * px, true);
            }
            if chosen || snapshot.joints.len() <= MOST {
                let rotation = body_a.map_or(Quat::IDENTITY, |body| super::placing::drawn(body, show.alpha).rotation);
                let turned = |body: Option<&crate::session::BodyView>, axis: Vec3| {
                    body.map_or(axis, |body| {
                        super::placing::drawn(body, show.alpha).rotation * (body.pose.rotation.inverse() * axis)
                    })
                };
                let centre = body_b.map_or(b, |body| follow(Some(body), body.centre, show.alpha));
                let drawn = Drawn {
                    a,
                    b,
                    axis_a: turned(body_a, joint.axis_a),
                    axis_b: turned(body_b, joint.axis_b),
                    rotation,
                    to_b: centre - a,
                    reach,
                    color,
                };
                self.allowed(joint, &drawn, show);
            }
        }
        if show.overlays.joint_error && info.coincident && joint.readout.error > VISIBLE_ERROR {
            self.line(a, b, with_alpha(overlays::JOINT_ERROR, 1.0), 3.0 * px, true);
        }
    }

    /// What the joint allows.
    fn allowed(&mut self, joint: &JointView, drawn: &Drawn, show: &Show<'_>) {
        let stops = joint.readout.stops;
        let at_stop = stops.least || stops.greatest;
        if let JointKind::PointOnRing(ring) = joint.kind {
            let radius = ring.radius.unwrap_or(joint.rest_length);
            let (u, v) = drawn.axis_a.any_orthonormal_pair();
            let rim = |t: f32| drawn.a + radius * (u * t.cos() + v * t.sin());
            self.curve(rim, (0.0, TAU), with_alpha(drawn.color, 0.9), 1.8 * show.pixels);
            return;
        }
        if let Some(limit) = joint.kind.swing_limit() {
            self.cone(drawn, limit, stops.swing, show);
        }
        let Some(range) = joint.kind.range(joint.rest_length) else { return };
        match (joint.kind, joint.kind.info().measures) {
            (JointKind::ConstantVelocity(_), _) | (_, Measure::Length) => {}
            (JointKind::ConeTwist(_), _) => {
                // The twist has no side of B to show: any direction across the axis will do, on a small dial.
                let zero = drawn.rotation * (drawn.rotation.inverse() * drawn.axis_a).any_orthonormal_pair().0;
                self.arc(drawn, zero, joint.readout.value, range, 0.45 * drawn.reach, at_stop, show);
            }
            (_, Measure::Angle) => {
                let across = drawn.to_b.reject_from(drawn.axis_a);
                let hand = if across.length() > 0.02 * drawn.reach {
                    across.normalize()
                } else {
                    drawn.axis_b.any_orthonormal_pair().0
                };
                let zero = Quat::from_axis_angle(drawn.axis_a, -joint.readout.value) * hand;
                self.arc(drawn, zero, joint.readout.value, range, 1.3 * drawn.reach, at_stop, show);
            }
            (_, Measure::Slide) => self.rail(drawn, joint.readout.value, range, at_stop, show),
        }
    }

    /// The angles allowed about A's axis, and the hand.
    #[expect(clippy::too_many_arguments, reason = "where, from where, what is allowed, and how it looks")]
    fn arc(
        &mut self,
        drawn: &Drawn,
        zero: Vec3,
        value: f32,
        (min, max): (f32, f32),
        radius: f32,
        at_stop: bool,
        show: &Show<'_>,
    ) {
        let px = show.pixels;
        let to = |angle: f32| drawn.a + radius * (Quat::from_axis_angle(drawn.axis_a, angle) * zero);
        let quiet = with_alpha(drawn.color, 0.75);
        // More than a turn is a full one.
        self.curve(to, (min, max.min(min + TAU)), quiet, 1.8 * px);
        for end in [min, max] {
            self.line(drawn.a, to(end), quiet, 1.2 * px, true);
        }
        let (color, width) = hand(at_stop, show);
        self.line(drawn.a, to(value), with_alpha(color, 1.0), width * px, true);
    }

    /// The slides allowed along A's axis, and where B is.
    fn rail(&mut self, drawn: &Drawn, value: f32, (min, max): (f32, f32), at_stop: bool, show: &Show<'_>) {
        let px = show.pixels;
        let (u, v) = drawn.axis_a.any_orthonormal_pair();
        let tick = 0.25 * drawn.reach;
        let at = |slide: f32| drawn.a + drawn.axis_a * slide;
        let quiet = with_alpha(drawn.color, 0.75);
        self.line(at(min), at(max), quiet, 1.8 * px, true);
        for end in [min, max] {
            for side in [u, v] {
                self.line(at(end) - side * tick, at(end) + side * tick, quiet, 1.8 * px, true);
            }
        }
        let (color, _) = hand(at_stop, show);
        self.point(at(value), with_alpha(color, 1.0), 4.5 * px, true);
    }

    /// The directions that B's axis may have, and the one that it has.
    fn cone(&mut self, drawn: &Drawn, limit: SwingLimit, at_stop: bool, show: &Show<'_>) {
        let px = show.pixels;
        let (u, v) = (drawn.rotation.inverse() * drawn.axis_a).any_orthonormal_pair();
        let (u, v) = (drawn.rotation * u, drawn.rotation * v);
        // The swing's rotation vector on the rim, of the angle round it.
        let swing = |t: f32| match limit {
            SwingLimit::Cone(s) => s.radians() * (u * t.cos() + v * t.sin()),
            SwingLimit::Ellipse(s, w) => u * (s.radians() * t.cos()) + v * (w.radians() * t.sin()),
            SwingLimit::Pyramid(s, w) => {
                let (x, y) = (t.cos(), t.sin());
                let out = 1.0 / x.abs().max(y.abs());
                u * (s.radians() * x * out) + v * (w.radians() * y * out)
            }
        };
        let rim = |t: f32| drawn.a + 1.3 * drawn.reach * (Quat::from_scaled_axis(swing(t)) * drawn.axis_a);
        let quiet = with_alpha(drawn.color, 0.75);
        self.curve(rim, (0.0, TAU), quiet, 1.6 * px);
        for spoke in 0..8 {
            let t = (spoke as f32 + 0.5) * TAU / 8.0;
            self.line(drawn.a, rim(t), with_alpha(drawn.color, 0.35), 1.0 * px, true);
        }
        let (color, width) = hand(at_stop, show);
        self.line(drawn.a, drawn.b + 1.3 * drawn.reach * drawn.axis_b, with_alpha(color, 1.0), width * px, true);
    }

    /// A curve of a parameter, in straight pieces.
    fn curve(&mut self, at: impl Fn(f32) -> Vec3, (from, to): (f32, f32), color: [f32; 4], width_px: f32) {
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
