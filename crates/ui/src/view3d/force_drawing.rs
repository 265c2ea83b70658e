//! Draws forces where they act: normal forces at contact points; friction at the middle of its patch or at each point,
//! with its cone; twist and rolling moments; joint forces at the anchors.
//!
//! A force is an arrow to the scale of the view. A moment is an arc with a head about its axis, counter-clockwise seen
//! from the axis's tip. If it is bounded, the arc is a ring filled by the share of the bound in use. A cone has a fixed
//! height on the screen: it shows the shape of the bound, not its size, with the reaction inside.

use std::f32::consts::TAU;

use glam::Vec3;

use crate::view3d::{
    joint_shape::JointEnds,
    overlays,
    picture_builder::{LONGEST_ARROW, PictureBuilder, Show},
    placing::{carried, size_of},
};
use delassus_physics::{
    primitives::contact::tangents,
    touch::{BoundedImpulse, ContactPoint, Traction},
};
use delassus_render::{palette::with_alpha, picture::Arrow};
use delassus_session::{ForceView, JointView, Motion, Snapshot};

/// Length of a contact's normal, in units of the body's size.
const NORMAL_LENGTH: f32 = 0.16;
/// The length of the arrow of a force that the scene applies, pixels, at least: however weak the force, it shows where and
/// which way it acts.
const SHORTEST_APPLIED: f32 = 30.0;
/// The shortest arrow that is drawn, m.
const SHORTEST_ARROW: f32 = 0.005;
/// The angle of a full ring, rad. A gap tells its two ends apart.
const RING: f32 = 0.85 * TAU;
/// The radius of a ring on the screen, points.
const RING_RADIUS: (f32, f32) = (11.0, 46.0);
/// The height of a cone on the screen, points.
const CONE_HEIGHT: (f32, f32) = (20.0, 46.0);
/// From this share of the bound on friction slips.
const SLIPS: f32 = 0.999;

/// The body that a contact is drawn on, and the sign of the force there: B, or A if B cannot move.
fn pushed(a: u32, b: u32, snapshot: &Snapshot) -> (u32, f32) {
    let still = snapshot.body(b).is_none_or(|b| b.motion != Motion::Dynamic);
    if still { (a, -1.0) } else { (b, 1.0) }
}

impl PictureBuilder {
    /// A contact point, its normal and the normal force.
    pub(crate) fn contact(&mut self, contact: &ContactPoint, snapshot: &Snapshot, show: &Show<'_>) {
        let color = overlays::CONTACT;
        let (body, side) = pushed(contact.a, contact.b, snapshot);
        let at = carried(snapshot.body(body), contact.position, show.alpha);
        let size = size(body, snapshot);
        let Some(radius) = show.mark(at, 4.0, size) else { return };
        // Fainter across a gap, where nothing is carried yet.
        let touching = contact.impulse > 0.0 || contact.depth > 0.0;
        let alpha = if touching { 1.0 } else { 0.45 };
        self.point(at, with_alpha(color, alpha), radius, true);
        let tip = at + contact.normal * (side * NORMAL_LENGTH * size);
        self.line(at, tip, with_alpha(color, 0.6 * alpha), 1.3 * show.pixels, true);
        self.force(at, contact.normal * (side * contact.impulse / show.h), color, radius, show);
    }

    /// Draws friction where it acts.
    pub(crate) fn traction(&mut self, traction: &Traction, snapshot: &Snapshot, show: &Show<'_>) {
        let (body, side) = pushed(traction.a, traction.b, snapshot);
        let at = carried(snapshot.body(body), traction.position, show.alpha);
        let size = size(body, snapshot);
        let Some(radius) = show.mark(at, 4.0, size) else { return };
        if show.overlays.friction_cones {
            self.friction_cone(traction, at, side, size, show);
        }
        if show.overlays.friction
            && let Some(slide) = traction.slide
        {
            self.force(at, slide.impulse * (side / show.h), overlays::FRICTION, radius, show);
        }
        if show.overlays.moments {
            if let Some(twist) = traction.twist {
                // It slips when slide and spin together are at their bound.
                let slips = traction.share().max(twist.share()) >= SLIPS;
                self.bounded_moment(twist, at, side, slips, size, show);
            }
            if let Some(rolling) = traction.rolling {
                self.bounded_moment(rolling, at, side, rolling.share() >= SLIPS, size, show);
            }
        }
    }

    /// Draws a joint's force and torque on the body that it can move, at the anchor.
    pub(crate) fn joint_force(&mut self, joint: &JointView, drawn: &JointEnds, snapshot: &Snapshot, show: &Show<'_>) {
        let (body, side) = pushed(joint.a, joint.b, snapshot);
        let at = if side > 0.0 { drawn.b } else { drawn.a };
        let size = size(body, snapshot);
        let Some(radius) = show.mark(at, 4.0, size) else { return };
        self.force(at, joint.readout.force * side, overlays::JOINT_FORCE, radius, show);
        let moment = joint.readout.torque * side;
        let metres = moment.length() / show.newtons_a_metre;
        if metres > SHORTEST_ARROW * size {
            let axis = moment.normalize_or_zero();
            self.ring(at, axis, ring_radius(metres, at, size, show), 1.0, overlays::JOINT_FORCE, show);
        }
    }

    /// Draws the force and torque that the scene applies to a body, where they act.
    pub(crate) fn applied_force(&mut self, applied: &ForceView, snapshot: &Snapshot, show: &Show<'_>) {
        let at = carried(snapshot.body(applied.body), applied.at, show.alpha);
        let size = size(applied.body, snapshot);
        let Some(radius) = show.mark(at, 4.0, size) else { return };
        let shortest = SHORTEST_APPLIED * show.pixels * show.camera.metres_per_pixel(at, show.viewport);
        let acts = applied.force.is_finite() && applied.force.length() > 1e-6;
        let least = shortest * show.newtons_a_metre;
        let force = if acts { applied.force.clamp_length_min(least) } else { Vec3::ZERO };
        self.force(at, force, overlays::APPLIED_FORCE, radius, show);
        let metres = applied.torque.length() / show.newtons_a_metre;
        if metres > SHORTEST_ARROW * size {
            let axis = applied.torque.normalize_or_zero();
            self.ring(at, axis, ring_radius(metres, at, size, show), 1.0, overlays::APPLIED_FORCE, show);
        }
    }

    /// Draws a force, N, as an arrow at a mark of `radius` pixels, unless it is too short.
    fn force(&mut self, from: Vec3, force: Vec3, color: [f32; 3], radius: f32, show: &Show<'_>) {
        let vector = force / show.newtons_a_metre.max(1e-9);
        if vector.is_finite() && vector.length() > SHORTEST_ARROW {
            let vector = vector.clamp_length_max(LONGEST_ARROW);
            let color = with_alpha(color, 1.0);
            self.picture.arrows.push(Arrow { from, vector, color, radius_px: 0.45 * radius, on_top: true });
        }
    }

    /// Draws the friction cone about the normal, or a pyramid for a box bound, with the reaction inside.
    fn friction_cone(&mut self, traction: &Traction, at: Vec3, side: f32, size: f32, show: &Show<'_>) {
        let Some(slide) = traction.slide.filter(|slide| slide.bound > 0.0) else { return };
        let (px, point) = (show.pixels, show.pixels * show.camera.metres_per_pixel(at, show.viewport));
        let height = (0.5 * size).clamp(CONE_HEIGHT.0 * point, CONE_HEIGHT.1 * point);
        let normal = traction.normal * side;
        let wide = height * slide.bound / traction.load;
        let rim = rim(traction, at + normal * height, wide);
        let slips = traction.share() >= SLIPS;
        let color = if slips { overlays::SLIPPING } else { overlays::FRICTION };
        self.curve(&rim, (0.0, TAU), with_alpha(color, 0.95), 1.6 * px);
        for spoke in 0..8 {
            let t = (spoke as f32 + 0.5) * TAU / 8.0;
            self.line(at, rim(t), with_alpha(color, 0.45), 1.1 * px, true);
        }
        // Where the reaction goes through the rim's disc.
        let through = at + normal * height + slide.impulse * (side * height / traction.load);
        let ink = if slips { overlays::SLIPPING } else { overlays::hand(show.theme) };
        self.line(at + normal * height, through, with_alpha(color, 0.95), 1.6 * px, true);
        self.line(at, through, with_alpha(ink, 1.0), 2.4 * px, true);
        self.point(through, with_alpha(ink, 1.0), 3.2 * px, true);
    }

    /// Draws a bounded moment: a faint ring, filled by the share in use.
    fn bounded_moment(&mut self, moment: BoundedImpulse, at: Vec3, side: f32, slips: bool, size: f32, show: &Show<'_>) {
        let axis = (moment.impulse * side).normalize_or_zero();
        let metres = moment.bound / (show.h * show.newtons_a_metre);
        if axis == Vec3::ZERO || moment.impulse.length() < 1e-3 * moment.bound {
            return;
        }
        let radius = ring_radius(metres, at, size, show);
        let color = if slips { overlays::SLIPPING } else { overlays::FRICTION };
        self.ring(at, axis, radius, moment.share(), color, show);
    }

    /// Draws a ring about `axis`, filled to `share` and ending in a head.
    fn ring(&mut self, at: Vec3, axis: Vec3, radius: f32, share: f32, color: [f32; 3], show: &Show<'_>) {
        if !(at.is_finite() && axis.is_finite() && radius.is_finite()) {
            return;
        }
        let px = show.pixels;
        let (u, v) = axis.any_orthonormal_pair();
        let v = if u.cross(v).dot(axis) < 0.0 { -v } else { v };
        let on = |t: f32, r: f32| at + (u * t.cos() + v * t.sin()) * r;
        if share < 1.0 {
            self.curve(|t| on(t, radius), (0.0, RING), with_alpha(color, 0.35), 1.4 * px);
        }
        let end = RING * share;
        let color = with_alpha(color, 1.0);
        self.curve(|t| on(t, radius), (0.0, end), color, 2.6 * px);
        for r in [0.72, 1.28] {
            self.line(on(end, radius), on(end - 0.45, radius * r), color, 2.6 * px, true);
        }
        // Seen edge-on a ring is a line, so the axis is drawn, too.
        self.line(at, at + axis * (0.8 * radius), color, 1.4 * px, true);
    }
}

/// A length that says how large a body is, m.
fn size(body: u32, snapshot: &Snapshot) -> f32 {
    snapshot.body(body).map_or(1.0, |b| size_of(&b.solid)).clamp(0.05, 2.0)
}

/// The radius of a moment's arc within readable bounds, m. The moment is in metres of force arrow times a metre.
fn ring_radius(metres: f32, at: Vec3, size: f32, show: &Show<'_>) -> f32 {
    let point = show.pixels * show.camera.metres_per_pixel(at, show.viewport);
    metres.min(0.6 * size).clamp(RING_RADIUS.0 * point, RING_RADIUS.1 * point)
}

/// The point at an angle of the rim of the friction cone about `middle`; of a pyramid for a box bound.
pub(crate) fn rim(traction: &Traction, middle: Vec3, metres: f32) -> impl Fn(f32) -> Vec3 {
    let (u, v) = tangents(traction.normal);
    let boxed = traction.boxed;
    move |t: f32| {
        let (x, y) = (t.cos(), t.sin());
        let out = if boxed { 1.0 / x.abs().max(y.abs()) } else { 1.0 };
        middle + (u * x + v * y) * (out * metres)
    }
}
