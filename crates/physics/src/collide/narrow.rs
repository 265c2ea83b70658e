//! Narrow phase: the contact points of a pair, by the contact source in the settings. Either a whole manifold
//! (parry3d's, or that of `boxes.rs`, `features.rs` or `ball.rs`), filtered, deduplicated and reduced to four points;
//! or one GJK point, kept over the steps (`growing.rs`) or not.

use std::f32::consts::PI;

use glam::Vec3;
use parry3d::math::Pose;
use parry3d::query::{DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d::shape::{ShapeType, TypedShape};

use super::boxes::Boxes;
use super::clearance::Size;
use super::collider::velocity_of;
use super::continuous::{is_fast, sight};
use super::extent::PatchExtent;
use super::manifold::{Manifold, POINTS, Point, area, reduce};
use super::single::Query;
use super::update_points::{Tracking, update_points};
use super::{Pair, PairCache, ahead, ball, features, growing, round, scale};
use crate::body::{Body, Velocity};
use crate::settings::{Collide, ContactSource, Continuous, Settings};
use crate::shape::Solid;

/// Points closer together than this are merged, m, and as a share of the half thickness of the thinner body.
const MERGE_DISTANCE: f32 = 1e-3;
const MERGE_SHARE: f32 = 0.02;
/// A closest point is kept in addition to face corners only if it is deeper than all of them by this share of the
/// slop.
const DEEPER: f32 = 0.02;

/// By collider: the world pose of its shape, its size, half of its least thickness, m, and how far its points have
/// moved: see [`super::clearance::ShapeMotion`].
pub(super) struct Shapes<'a> {
    pub poses: &'a [Pose],
    pub sizes: &'a [Option<Size>],
    pub thickness: &'a [f32],
    pub moved: &'a [f32],
}

/// Updates a pair's manifold to the bodies' present poses, with its area and lever arm.
pub(super) fn update(
    pair: &mut Pair,
    query: &mut Query,
    (bodies, shapes): (&[Box<Body>], &Shapes),
    velocities: &[Velocity],
    settings: &Settings,
    h: f32,
) {
    let Shapes { poses, sizes, thickness, moved } = shapes;
    let [(a, piece_a), (b, piece_b)] = pair.ends().map(|end| end.of(bodies));
    let (va, vb) = (&velocities[pair.a as usize], &velocities[pair.b as usize]);
    let [i, j] = pair.colliders.map(|collider| collider as usize);
    let thin = thickness[i].min(thickness[j]);
    // Fast approaching bodies get contacts at a larger distance, so that they do not pass through the surface.
    let ways = [velocity_of((a, piece_a), va), velocity_of((b, piece_b), vb)].map(|v| Vec3::from(v) * h);
    // Bodies that follow each other count only where their contacts are not found again within the step.
    let once = settings.contact.collide == Collide::EachStep && settings.step.substeps > 1;
    let closing = closing_distance(ways, if once { thin } else { f32::INFINITY });
    let near = scale::prediction(settings, thin);
    let stops = is_fast(a, va, settings, h) || is_fast(b, vb, settings, h);
    let prediction = match settings.contact.continuous {
        Continuous::Off => near,
        Continuous::TimeOfImpact if stops => sight(near),
        Continuous::Speculative | Continuous::TimeOfImpact => near + closing,
    };
    match settings.contact.source {
        ContactSource::Full => {
            let nothing = !pair.has_found_points && !pair.touches;
            pair.slack -= moved[i] + moved[j];
            if nothing && pair.slack > prediction.max(0.0) {
                return;
            }
            let relative = poses[i].inv_mul(&poses[j]);
            if nothing {
                pair.slack = pair.clearance.left(&relative, (&sizes[i], &sizes[j]));
                if pair.slack > prediction.max(0.0) {
                    return;
                }
            }
            pair.slack = 0.0;
            let manifold = &mut pair.near.manifold;
            manifold.slop = scale::slop(settings, thin);
            // Also of a step that found its points again before they had moved.
            manifold.clear_curvature();
            if std::mem::take(&mut manifold.has_rolled) {
                manifold.sideways = Vec3::ZERO;
            }
            let ahead = !stops
                && ahead::is_on(settings)
                && ahead::meet(
                    &mut pair.near.manifold,
                    query,
                    [(a, piece_a), (b, piece_b)],
                    [va, vb],
                    (near, settings, h),
                );
            if ahead {
                pair.near.found.points.clear();
            } else {
                full(
                    pair,
                    query,
                    (a, (piece_a, piece_b)),
                    (poses[i], poses[j]),
                    &relative,
                    (prediction, thin),
                    settings,
                );
            }
        }
        ContactSource::Growing => {
            forget(pair);
            pair.near.manifold.slop = scale::slop(settings, thin);
            let found = query.point((a, piece_a), (b, piece_b), prediction);
            growing::grow(&mut pair.near.manifold, found, a, b, (near, settings));
        }
        ContactSource::Single => {
            forget(pair);
            let manifold = &mut pair.near.manifold;
            manifold.slop = scale::slop(settings, thin);
            let found = query.point((a, piece_a), (b, piece_b), prediction);
            let (_, old) = query.lists();
            manifold.move_points_to(old);
            manifold.points.extend(found.map(|(point, _)| point));
            let normal = found.map_or(manifold.normal, |(_, normal)| normal);
            manifold.inherit(old, normal, settings);
        }
    }
    (pair.has_found_points, pair.touches) = (!pair.near.found.points.is_empty(), !pair.near.manifold.points.is_empty());
    measure(&mut pair.near.manifold, [(a, piece_a), (b, piece_b)]);
}

/// How far two bodies that move by `ways` in a step may come nearer to each other, m; `thin` is half of the least thickness
/// of the two. Bodies that fall one behind the other do not, unless the first one is stopped within the step. If the other
/// one could then pass half through it, it counts.
fn closing_distance(ways: [Vec3; 2], thin: f32) -> f32 {
    let [a, b] = ways;
    let alone = a.length().max(b.length());
    let apart = (b - a).length();
    if alone > thin { apart.max(alone) } else { apart }
}

/// Sets the manifold's area and lever arm, if its points have changed.
pub(super) fn measure(manifold: &mut Manifold, [a, b]: [(&Body, &Solid); 2]) {
    let slop = manifold.slop;
    if manifold.extent.holds(&manifold.points, slop) {
        return;
    }
    let normal = manifold.normal;
    let span = area(&manifold.points, normal);
    let cap = if manifold.points.len() > 2 { cap(a, normal).or_else(|| cap(b, normal)) } else { None };
    manifold.area = cap.map_or(span, |radius| (PI * radius * radius).min(PI / 2.0 * span));
    manifold.arm = manifold.lever(slop, cap);
    manifold.extent = PatchExtent::of(&manifold.points, slop, manifold.arm);
}

/// Discards parry3d's own state, which is stale once another contact source is used.
fn forget(pair: &mut Pair) {
    pair.slack = 0.0;
    pair.near.found.points.clear();
}

/// The whole manifold, filtered, deduplicated and reduced to four points.
fn full(
    pair: &mut Pair,
    query: &mut Query,
    (a, (piece_a, piece_b)): (&Body, (&Solid, &Solid)),
    (pose_a, pose_b): (Pose, Pose),
    relative: &Pose,
    (prediction, thickness): (f32, f32),
    settings: &Settings,
) {
    let (shape_a, shape_b) = (&*piece_a.geometry, &*piece_b.geometry);
    let Pair { near, clearance, .. } = pair;
    let PairCache { manifold, found } = &mut **near;
    use ShapeType::{Ball, Capsule, ConvexPolyhedron, Cuboid};
    let types = (shape_a.shape_type(), shape_b.shape_type());
    // The contact points of a round surface move over it as it rolls. Points that are kept would roll on with it, and
    // the normal force would get a lever arm.
    let rolls = round::rolls(shape_a, found.local_n1) || round::rolls(shape_b, found.local_n2);
    if found.points.is_empty() && clearance.test(relative, (shape_a, shape_b), prediction) {
        if !manifold.points.is_empty() {
            let (_, old) = query.lists();
            manifold.move_points_to(old);
            manifold.inherit(old, pose_a.rotation * found.local_n1, settings);
        }
        return;
    }
    let fate = match found.points.len() {
        0 => Tracking::Lost,
        _ if rolls => Tracking::Lost,
        1..=POINTS => {
            update_points(manifold, found, (relative, &pose_a, &pose_b), a, (prediction, thickness, settings))
        }
        _ if found.try_update_contacts(relative) => Tracking::Kept,
        _ => Tracking::Lost,
    };
    let kept = fate == Tracking::Kept;
    match fate {
        Tracking::Followed => return,
        Tracking::Kept => {}
        // Cleared because `contact_manifold_convex_convex` would copy the old points to hand on user data that we do
        // not have.
        Tracking::Lost => found.points.clear(),
    }
    match types {
        (Ball, ConvexPolyhedron) | (ConvexPolyhedron, Ball) => {
            found.points.clear();
            if let Some(touch) = ball::touch(relative, shape_a, shape_b, prediction) {
                found.points.push(touch.contact);
                (found.local_n1, found.local_n2) = (touch.normal_a, touch.normal_b);
            }
        }
        // Kept points need nothing more; parry3d would only test again whether it can keep them.
        (Cuboid, Cuboid) if kept => {}
        (Cuboid, Cuboid) => {
            if let Some((a, b)) = shape_a.as_cuboid().zip(shape_b.as_cuboid()) {
                Boxes::new(a, b, relative).meet(found, prediction);
            }
        }
        (Ball, _) | (_, Ball) | (Capsule, Capsule) => {
            let others = DefaultQueryDispatcher;
            let known =
                others.contact_manifold_convex_convex(relative, shape_a, shape_b, None, None, prediction, found);
            if known.is_err() {
                found.points.clear();
            }
            if let Some((a, b)) = shape_a.as_capsule().zip(shape_b.as_capsule()) {
                features::add_ends(found, relative, a, b);
            }
        }
        _ if kept => {}
        _ => {
            features::meet(found, query, relative, shape_a, shape_b, prediction);
            if found.points.is_empty() {
                clearance.store_gap(relative, (shape_a, shape_b), found.local_n1);
            }
        }
    }
    let (raw, old) = query.lists();
    manifold.move_points_to(old);
    let normal = pose_a.rotation * found.local_n1;
    for contact in &found.points {
        if contact.dist > prediction || contact.dist.is_nan() {
            continue;
        }
        let on_a = pose_a.transform_point(contact.local_p1);
        let on_b = pose_b.transform_point(contact.local_p2);
        let position = 0.5 * (on_a + on_b);
        let point = Point {
            position,
            separation: contact.dist,
            feature: (contact.fid1.0, contact.fid2.0),
            local: a.rotation.inverse() * (position - a.position),
            ..Point::default()
        };
        add(raw, point, MERGE_DISTANCE.min(MERGE_SHARE * thickness));
    }
    // If there are more points than are kept: closest points (feature 0) add nothing to a face's corners unless they
    // are deeper.
    if raw.len() > POINTS {
        let known = |p: &Point| p.feature != (0, 0);
        let deepest = raw.iter().filter(|p| known(p)).map(|p| p.separation).fold(f32::INFINITY, f32::min);
        raw.retain(|p| known(p) || p.separation < deepest - DEEPER * manifold.slop);
    }
    reduce(raw, normal);
    manifold.points.extend(raw.drain(..));
    manifold.inherit(old, normal, settings);
}

/// Adds a point, or merges it with one that is nearer than `same`, m, and keeps the deeper separation. Some pairs
/// report their deepest point twice, once without features.
fn add(points: &mut Vec<Point>, point: Point, same: f32) {
    match points.iter_mut().find(|p| p.position.distance_squared(point.position) < same * same) {
        Some(known) => {
            known.separation = known.separation.min(point.separation);
            if known.feature == (0, 0) {
                known.feature = point.feature;
            }
        }
        None => points.push(point),
    }
}

/// The radius of a cylinder's cap that faces along the normal, m. Needed because parry3d describes the disc by the
/// four corners of its inscribed square, which has 2/π of the disc's area.
fn cap((body, piece): (&Body, &Solid), normal: Vec3) -> Option<f32> {
    match piece.geometry.as_typed_shape() {
        TypedShape::Cylinder(c) => {
            let axis = body.rotation * piece.offset.rotation * Vec3::Y;
            (axis.dot(normal).abs() > 0.999).then_some(c.radius)
        }
        _ => None,
    }
}
