//! The links of mechanisms: which joints guide along circles, how hard they pull, and by what a straight step misses
//! the circles.

use glam::{Vec3, Vec3A};

use crate::body::{Body, Velocity};
use crate::joint::Joint;
use crate::joints::{Freedom, JointDisplay, JointKind};
use crate::row::Row;
use crate::settings::{Settings, Stabilization};
use crate::stabilize;

/// Whether a joint is stepped by RATTLE and makes its anchors move along circles.
pub(super) fn guides_along_circles(settings: &Settings, joint: &Joint) -> bool {
    let info = joint.def.kind.info();
    (info.coincident || info.shown == JointDisplay::Rod) && is_rattled(settings, joint) && !has_soft_anchor(joint)
}

/// Whether its anchor is a spring, whose swing needs no shorter steps.
fn has_soft_anchor(joint: &Joint) -> bool {
    joint.def.options.soft.is_some_and(|soft| soft.anchor.is_some())
}

/// Whether a joint is stepped by RATTLE.
fn is_rattled(settings: &Settings, joint: &Joint) -> bool {
    joint.broken.is_none()
        && stabilize::nominal_settings_of(joint, settings).stabilization.method == Stabilization::Rattle
}

/// The length of a rope that is stepped by RATTLE, m. `None` for other joints; `Some(None)` if the rope has its
/// anchors' initial distance as length. An elastic rope is left out: it needs no shorter steps.
pub(super) fn rope_length(settings: &Settings, joint: &Joint) -> Option<Option<f32>> {
    match joint.def.kind {
        JointKind::Rope(rope) if is_rattled(settings, joint) && !has_soft_anchor(joint) => Some(rope.length),
        _ => None,
    }
}

/// Whether a row is one-sided (a stop) and carries an impulse.
pub(super) fn is_loaded_stop(row: &Row) -> bool {
    (row.lo == 0.0) != (row.hi == 0.0) && row.impulse != 0.0
}

/// The impulse with which a joint held its anchors together in the last sub-step, N·s.
pub(super) fn pull(joint: &Joint) -> f32 {
    let rows = if joint.def.kind.info().coincident { 3 } else { 1 };
    joint.impulses[..rows].iter().map(|impulse| impulse * impulse).sum::<f32>().sqrt()
}

/// The length of a joint's link, and the length of the pendulum that the link makes, m.
///
/// r is the length of the rod, plus the distance from the anchor to the centre of mass of each body that moves. k is
/// the sum of the smallest radii of gyration of these bodies. The link is as long as the larger of r and k. So is the
/// pendulum if r ≥ k; otherwise its length is k²/r, because a pull through the centre of mass swings nothing.
pub(super) fn lengths(joint: &Joint, bodies: &[Box<Body>]) -> (f32, f32) {
    let ends = [(joint.def.a, joint.def.anchor_a), (joint.def.b, joint.def.anchor_b)];
    let place = |(body, anchor): (u32, Vec3)| bodies[body as usize].position + bodies[body as usize].rotation * anchor;
    let mut r = if joint.def.kind.info().coincident { 0.0 } else { place(ends[0]).distance(place(ends[1])) };
    let mut k = 0.0f32;
    for (body, anchor) in ends.map(|(body, anchor)| (&bodies[body as usize], anchor)) {
        if body.is_dynamic() {
            r += anchor.length();
            k += (body.inertia_local.diagonal().min_element() / body.mass).sqrt();
        }
    }
    let reach = r.max(k).max(f32::MIN_POSITIVE);
    (reach, if r < k { k * k / r } else { reach })
}

/// b of `divide/mod.rs`: the velocity by which a straight step of `h` seconds misses a joint's circles, m/s.
pub(super) fn curvature_speed(joint: &Joint, bodies: &[Box<Body>], velocities: &[Velocity], h: f32) -> f32 {
    let end = |body: u32, anchor| {
        let (body, Velocity { linear, angular }) = (&bodies[body as usize], &velocities[body as usize]);
        let lever = Vec3A::from(body.rotation * anchor);
        let around = angular.cross(lever);
        (Vec3A::from(body.position) + lever, *linear + around, angular.cross(around))
    };
    let (xa, va, inward_a) = end(joint.def.a, joint.def.anchor_a);
    let (xb, vb, inward_b) = end(joint.def.b, joint.def.anchor_b);
    let (inward, rod, apart) = (inward_b - inward_a, xb - xa, vb - va);
    if joint.def.kind.info().coincident {
        return 0.5 * h * inward.length();
    }
    let Some(u) = rod.try_normalize() else { return 0.0 };
    let across = apart - u * u.dot(apart);
    0.5 * h * (across.length_squared() / rod.length() + u.dot(inward)).abs()
}

/// The angular velocity by which a straight step of `h` seconds misses a hinge's axis, rad/s; zero for other joints.
///
/// Both bodies carry the axis n, and their angular velocities differ only along n. So the centripetal accelerations of
/// n on the two bodies differ by Ω_B × (Ω_B × n) − Ω_A × (Ω_A × n), which is perpendicular to n.
pub(super) fn axis_curvature_speed(joint: &Joint, velocities: &[Velocity], h: f32) -> Vec3A {
    if joint.def.kind.info().free != Freedom::Turn {
        return Vec3A::ZERO;
    }
    let [a, b] = [joint.def.a, joint.def.b].map(|body| velocities[body as usize].angular);
    0.5 * h * a.cross(b - a)
}
