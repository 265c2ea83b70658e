//! A contact manifold: up to four points that share a normal, and the impulses that they carried.
//!
//! Matching the points of two steps follows 000 Warm starting, each rule with its switch: by feature id, then by the
//! nearest old point within a tolerance, then the leftover impulse shared among the points that are new; a shallow
//! clamp; friction projected on the new tangents; everything wiped when the normal has flipped.

use arrayvec::ArrayVec;
use glam::{Vec2, Vec3};

use super::extent::PatchExtent;
use super::patch::quadrants;
use crate::physics::copy::copied_by_fields;
use crate::physics::row::Friction;
use crate::physics::settings::Settings;

/// The most points that a manifold keeps.
pub const POINTS: usize = 4;

/// The points of a manifold, and one more that may take the place of another. They lie in the manifold itself: of a
/// heap most of the time goes by while memory is waited for.
pub type Points = ArrayVec<Point, { POINTS + 1 }>;

/// One contact point; world frame.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Point {
    /// Halfway between the two surfaces, m: both impulses act here, so angular momentum is conserved.
    pub position: Vec3,
    /// C: gap along the normal, negative when the bodies overlap, m.
    pub separation: f32,
    /// The features of A and B that made it; zero where unknown.
    pub feature: (u32, u32),
    /// The point in A's own frame, for matching by distance, m. Of one that GJK found, its end on A's surface.
    pub local: Vec3,
    /// The end on B's surface of a point that GJK found, B's own frame, m.
    pub local_b: Vec3,
    /// λn, N·s.
    pub impulse: f32,
    /// Friction impulse at this point (per-point models), world frame, N·s.
    pub friction: Vec3,
}

/// Points that share a normal.
#[derive(Debug, Default)]
pub struct Manifold {
    /// From A to B.
    pub normal: Vec3,
    pub points: Points,
    /// Friction impulse of the patch, world frame, N·s.
    pub friction: Vec3,
    /// Impulse about the normal, N·m·s.
    pub twist: f32,
    /// Rolling impulse, world frame, N·m·s.
    pub rolling: Vec3,
    /// Area that the points span, whether they touch or not, m².
    pub area: f32,
    /// How the friction of the last solve was bound.
    pub friction_model: Friction,
    /// The lever at which the points that touch resist a spin about the normal, m: see `patch.rs`.
    pub arm: f32,
    /// For which points area and arm were measured.
    pub(super) extent: PatchExtent,
    /// The share of its impulses that was a blow in the step before, and no load.
    pub(in crate::physics) blow: f32,
    /// Whether the points are those of `growing.rs`, to be kept.
    pub(super) grows: bool,
}

copied_by_fields!(Manifold {
    normal,
    points,
    friction,
    twist,
    rolling,
    area,
    friction_model,
    arm,
    extent,
    blow,
    grows
});

impl Manifold {
    /// Forgets points and impulses.
    pub fn clear(&mut self) {
        self.points.clear();
        (self.friction, self.twist, self.rolling) = (Vec3::ZERO, 0.0, Vec3::ZERO);
    }

    /// Keeps a share of the impulses.
    fn fade(&mut self, share: f32) {
        (self.friction, self.twist, self.rolling) = (self.friction * share, self.twist * share, self.rolling * share);
        for point in &mut self.points {
            (point.impulse, point.friction) = (point.impulse * share, point.friction * share);
        }
    }

    /// Forgets the impulses.
    pub(super) fn forget(&mut self) {
        self.fade(0.0);
    }

    /// Puts the present points aside, to make room for this step's.
    pub(super) fn begin(&mut self, old: &mut Vec<Point>) {
        self.grows = false;
        old.clear();
        old.extend(self.points.drain(..));
    }

    /// Hands the old points' impulses on to the new ones; `normal` is the new normal.
    pub(super) fn inherit(&mut self, old: &mut Vec<Point>, normal: Vec3, settings: &Settings) {
        let warm = &settings.warm_start;
        let wiped = !warm.enabled || old.is_empty() || self.points.is_empty() || normal.dot(self.normal) < 0.5;
        self.normal = normal;
        if wiped {
            (self.friction, self.twist, self.rolling) = (Vec3::ZERO, 0.0, Vec3::ZERO);
            return;
        }
        let mut matched = [false; POINTS];
        if warm.feature_ids {
            for (point, done) in self.points.iter_mut().zip(&mut matched) {
                let same = |o: &Point| o.feature == point.feature && o.feature != (0, 0);
                if let Some(i) = old.iter().position(same) {
                    take(point, &old.swap_remove(i));
                    *done = true;
                }
            }
        }
        if warm.distance {
            for (point, done) in self.points.iter_mut().zip(&mut matched).filter(|(_, done)| !**done) {
                let near = |o: &Point| o.local.distance_squared(point.local);
                let nearest = (old.iter().enumerate()).min_by(|a, b| near(a.1).total_cmp(&near(b.1)));
                if let Some((i, _)) = nearest.filter(|(_, o)| near(o) < warm.tolerance * warm.tolerance) {
                    take(point, &old.swap_remove(i));
                    *done = true;
                }
            }
        }
        let new = matched[..self.points.len()].iter().filter(|done| !**done).count();
        if warm.spread && new > 0 {
            let share = old.iter().map(|o| o.impulse).sum::<f32>() / new as f32;
            for (point, _) in self.points.iter_mut().zip(&matched).filter(|(_, done)| !**done) {
                point.impulse = share;
            }
        }
        self.hand_on(settings);
    }

    /// What the switches leave of the impulses that the points bring from the step before: nothing of a blow.
    pub(super) fn hand_on(&mut self, settings: &Settings) {
        let warm = &settings.warm_start;
        let blow = std::mem::take(&mut self.blow);
        if blow > 0.0 {
            self.fade(1.0 - blow);
        }
        if !warm.enabled {
            self.points.iter_mut().for_each(|p| p.impulse = 0.0);
        }
        if warm.shallow_clamp {
            for point in &mut self.points {
                let depth = -point.separation;
                point.impulse *=
                    if depth > 0.0 { (depth / (2.0 * settings.contact.slop).max(1e-9)).min(1.0) } else { 0.0 };
            }
        }
        if !(warm.enabled && warm.patch) {
            (self.friction, self.twist, self.rolling) = (Vec3::ZERO, 0.0, Vec3::ZERO);
            self.points.iter_mut().for_each(|p| p.friction = Vec3::ZERO);
        }
    }

    /// Where the patch's friction acts: the mean of the points that touch, or nearly so, m.
    pub fn centre(&self, slop: f32) -> Vec3 {
        self.middle(slop).0
    }

    /// That place, and the mean gap of those points, m.
    pub(in crate::physics) fn middle(&self, slop: f32) -> (Vec3, f32) {
        let (mut place, mut gap, mut count) = (Vec3::ZERO, 0.0, 0.0f32);
        for point in self.touching(slop) {
            (place, gap, count) = (place + point.position, gap + point.separation, count + 1.0);
        }
        (place / count.max(1.0), gap / count.max(1.0))
    }

    /// The points that touch, or nearly so.
    pub(super) fn touching(&self, slop: f32) -> impl Iterator<Item = &Point> {
        let touches = touches(&self.points, slop);
        self.points.iter().filter(move |point| touches(point))
    }
}

/// Which of these points touch, or nearly so.
pub(super) fn touches(points: &[Point], slop: f32) -> impl Fn(&Point) -> bool + use<> {
    let deepest = points.iter().map(|p| p.separation).fold(f32::INFINITY, f32::min);
    move |point| point.separation <= deepest.max(0.0) + slop
}

fn take(point: &mut Point, old: &Point) {
    point.impulse = old.impulse;
    point.friction = old.friction;
}

/// Chooses the points to keep where there are more than four: the deepest, the farthest from it, the one that spans
/// the largest triangle with them, and the one that adds most on the other side.
pub(super) fn reduce(points: &mut Vec<Point>, normal: Vec3) {
    if points.len() <= POINTS {
        return;
    }
    pull_forward(points, 0, |_, p| -p.separation);
    pull_forward(points, 1, |kept, p| p.position.distance_squared(kept[0].position));
    let area = |a: &Point, b: &Point, p: &Point| (b.position - a.position).cross(p.position - a.position).dot(normal);
    pull_forward(points, 2, |kept, p| area(&kept[0], &kept[1], p).abs());
    let side = area(&points[0], &points[1], &points[2]).signum();
    pull_forward(points, 3, |kept, p| {
        let outside = |a: usize, b: usize| -side * area(&kept[a], &kept[b], p);
        outside(0, 1).max(outside(1, 2)).max(outside(2, 0))
    });
    points.truncate(POINTS);
}

/// Moves the point of the highest score among those from `k` on to place `k`.
fn pull_forward(points: &mut [Point], k: usize, score: impl Fn(&[Point], &Point) -> f32) {
    let (kept, rest) = points.split_at(k);
    let best = (0..rest.len()).max_by(|&i, &j| score(kept, &rest[i]).total_cmp(&score(kept, &rest[j])));
    if let Some(best) = best {
        points.swap(k, k + best);
    }
}

/// Area spanned by up to four points seen along the normal, m².
pub(super) fn area(points: &[Point], normal: Vec3) -> f32 {
    if points.len() < 3 {
        return 0.0;
    }
    let (u, v) = normal.any_orthonormal_pair();
    let centre = points.iter().map(|p| p.position).sum::<Vec3>() / points.len() as f32;
    let mut corners = [Vec2::ZERO; POINTS];
    let corners = &mut corners[..points.len().min(POINTS)];
    for (corner, point) in corners.iter_mut().zip(points) {
        let d = point.position - centre;
        *corner = Vec2::new(d.dot(u), d.dot(v));
    }
    corners.sort_unstable_by(|a, b| quadrants(*a).total_cmp(&quadrants(*b)));
    (0..corners.len()).map(|i| 0.5 * corners[i].perp_dot(corners[(i + 1) % corners.len()])).sum::<f32>().max(0.0)
}
