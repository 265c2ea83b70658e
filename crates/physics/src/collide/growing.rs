//! The growing manifold: GJK gives one point per step, and the points of earlier steps are kept while they are valid,
//! up to four.
//!
//! A kept point is a pair of anchors, pA on A and pB on B. With n the normal of this step, points are dropped
//!
//! ```text
//! if the surfaces have separated         n·(pB − pA) > prediction
//! if they have slid                      ‖(pB − pA) − n n·(pB − pA)‖ > drift
//! all of them if n has rotated by more than 25°
//! ```
//! If a new point is next to an old one and deeper, it replaces the old one and takes over its impulse. So a ball rolls
//! on the point below its centre, and a box at rest keeps its points. If there is a fifth point, the one whose loss
//! costs the least area is removed. A point that stays keeps its impulse, so no matching is needed. Source: book 004
//! ch. 13, with two changes. The book drops points that do not overlap; here points are kept up to the prediction,
//! because a speculative contact acts before the bodies touch. The book always keeps the old point when a new one is
//! next to it; a ball then rests on points up to 2 cm behind it and is driven forward.

use glam::Vec3;

use super::manifold::{Manifold, POINTS, Point, area};
use crate::body::Body;
use crate::settings::Settings;

/// Cosine of the rotation of the normal beyond which all points are dropped.
const SAME_SIDE: f32 = 0.9;
/// A new point replaces a nearby old one only if it is deeper by this, m.
const SAME_DEPTH: f32 = 1e-5;

/// Updates a growing manifold to the bodies' present poses and adds this step's point. `found` is that point and the
/// normal, world frame; `prediction` is the pair's largest gap at which a point is kept, m.
pub(super) fn grow(
    manifold: &mut Manifold,
    found: Option<(Point, Vec3)>,
    a: &Body,
    b: &Body,
    (prediction, settings): (f32, &Settings),
) {
    let Some((point, normal)) = found else { return manifold.clear() };
    if !manifold.grows || normal.dot(manifold.normal) < SAME_SIDE {
        manifold.clear();
    }
    (manifold.grows, manifold.normal) = (true, normal);
    let drift = settings.contact.drift;
    manifold.points.retain(|p| refresh(p, normal, a, b, prediction, drift));
    let is_nearby = |p: &Point| {
        let near = |here: Vec3, there: Vec3| here.distance_squared(there) < drift * drift;
        near(p.local, point.local) || near(p.local_b, point.local_b)
    };
    match manifold.points.iter_mut().find(|p| is_nearby(p)) {
        Some(old) if old.separation - point.separation < SAME_DEPTH => {}
        Some(old) => *old = Point { impulse: old.impulse, friction: old.friction, ..point },
        None => manifold.points.push(point),
    }
    if manifold.points.len() > POINTS {
        manifold.points.remove(least_missed(&manifold.points, normal));
    }
    manifold.scale_impulses(settings);
}

/// Updates a kept point's position and separation; false if it is no longer valid.
fn refresh(point: &mut Point, normal: Vec3, a: &Body, b: &Body, prediction: f32, drift: f32) -> bool {
    let on_a = a.position + a.rotation * point.local;
    let on_b = b.position + b.rotation * point.local_b;
    let apart = on_b - on_a;
    point.separation = normal.dot(apart);
    point.position = 0.5 * (on_a + on_b);
    let slid = apart - normal * point.separation;
    point.separation <= prediction && slid.length_squared() <= drift * drift
}

/// Which of five points to remove: its loss leaves the largest area or, for collinear points, the widest spread.
fn least_missed(points: &[Point], normal: Vec3) -> usize {
    let score = |out: usize| {
        let mut rest = [Point::default(); POINTS];
        let others = points.iter().enumerate().filter(|(i, _)| *i != out);
        rest.iter_mut().zip(others).for_each(|(slot, (_, p))| *slot = *p);
        let mean = rest.iter().map(|p| p.position).sum::<Vec3>() / POINTS as f32;
        (area(&rest, normal), rest.iter().map(|p| p.position.distance_squared(mean)).sum::<f32>())
    };
    let more = |a: (f32, f32), b: (f32, f32)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1));
    (0..points.len()).max_by(|&i, &j| more(score(i), score(j))).unwrap_or(0)
}
