//! A contact manifold: up to four points that share a normal, with their accumulated impulses.
//!
//! Matching the points of two steps follows 000 Warm starting; each rule has its switch. Points match by feature id,
//! then by the nearest old point within a tolerance; the leftover impulse is shared among the new points. Shallow
//! points get a reduced impulse; friction is projected on the new tangents; all impulses are dropped if the normal
//! has turned by more than 60°.

use arrayvec::ArrayVec;
use glam::{Vec2, Vec3};

use super::extent::PatchExtent;
use super::patch::quadrants;
use crate::copy::copied_by_fields;
use crate::kernel::patch::{centre_and_gap, greatest_touching_gap};
use crate::row::Friction;
use crate::settings::Settings;

/// The most points that a manifold keeps.
pub const POINTS: usize = 4;

/// The points of a manifold, plus one candidate before reduction. Stored inline, because points on the heap cost
/// mostly cache misses.
pub type Points = ArrayVec<Point, { POINTS + 1 }>;

/// One contact point; world frame.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Point {
    /// Midway between the two surfaces, m. Both impulses act here, so angular momentum is conserved.
    pub position: Vec3,
    /// C: gap along the normal, m; negative on overlap.
    pub separation: f32,
    /// The feature ids of A and B; zero if unknown.
    pub feature: (u32, u32),
    /// The point in A's body frame, for matching by distance, m. Of a GJK point: its end on A's surface.
    pub local: Vec3,
    /// Of a GJK point: its end on B's surface, in B's body frame, m.
    pub local_b: Vec3,
    /// λn, the normal impulse, N·s.
    pub impulse: f32,
    /// The weight with which the point counts in the patch's centre: where friction slipped its λn of the last solve before
    /// the points were found, N·s, otherwise one if it touches. Zero in all points where all are to count alike.
    pub(crate) load: f32,
    /// Friction impulse at this point (per-point models), world frame, N·s.
    pub friction: Vec3,
    /// [`Manifold::curvature`] at this point, along the normal: by how much faster the gap grows in a sub-step than its row
    /// says, m/s.
    pub(crate) curvature: f32,
}

/// Contact points of a pair that share a normal.
#[derive(Debug, Default)]
pub struct Manifold {
    /// Unit, from A to B, world frame.
    pub normal: Vec3,
    pub points: Points,
    /// How far the point of B lies from the point of A along the surface now, m, world frame. Zero if the points face
    /// each other. Bodies that will touch later in the step set it (`ahead.rs`), and contacts that roll (`rolling.rs`).
    pub(crate) sideways: Vec3,
    /// Friction impulse of the patch, world frame, N·s.
    pub friction: Vec3,
    /// Torsional friction impulse about the normal, N·m·s.
    pub twist: f32,
    /// Rolling friction impulse, world frame, N·m·s.
    pub rolling: Vec3,
    /// Area spanned by all points, touching or not, m².
    pub area: f32,
    /// The friction bound that the last solve used.
    pub friction_model: Friction,
    /// The lever arm with which the touching points resist a spin about the normal, m: see `patch.rs`.
    pub arm: f32,
    /// The points for which `area` and `arm` were measured.
    pub(super) extent: PatchExtent,
    /// The share of the previous step's impulses that came from an impact rather than a resting load, 0 to 1.
    pub(crate) impact_share: f32,
    /// Penetration that is left alone, m: see [`super::scale`].
    pub slop: f32,
    /// Whether the points were made by `growing.rs` and are to be kept over the steps.
    pub(super) grows: bool,
    /// Whether its points have moved since they were found: see `rolling.rs`.
    pub(crate) has_rolled: bool,
    /// The curvature bias: by how much the velocity of B at the contact, relative to A, changes in half a sub-step that keeps
    /// both velocities, m/s, world frame: see `rolling.rs`.
    pub(crate) curvature: Vec3,
}

copied_by_fields!(Manifold {
    normal,
    points,
    sideways,
    friction,
    twist,
    rolling,
    area,
    friction_model,
    arm,
    extent,
    impact_share,
    slop,
    grows,
    has_rolled,
    curvature
});

/// The share of its bound above which the friction of a patch counts as slipping.
const SLIPS: f32 = 0.98;
/// A point that bears nothing hovers above this share of the slop.
const HOVERS: f32 = 0.1;
/// The least share of the load with which a point that touches counts.
const LEAST_SHARE: f32 = 1e-6;

impl Manifold {
    /// Forgets points and friction impulses.
    pub fn clear(&mut self) {
        self.points.clear();
        (self.friction, self.twist, self.rolling) = (Vec3::ZERO, 0.0, Vec3::ZERO);
    }

    /// Scales all impulses by `share`.
    pub fn fade(&mut self, share: f32) {
        (self.friction, self.twist, self.rolling) = (self.friction * share, self.twist * share, self.rolling * share);
        for point in &mut self.points {
            (point.impulse, point.friction) = (point.impulse * share, point.friction * share);
        }
    }

    /// Sets the curvature biases to zero.
    pub(super) fn clear_curvature(&mut self) {
        self.curvature = Vec3::ZERO;
        self.points.iter_mut().for_each(|point| point.curvature = 0.0);
    }

    /// Sets all impulses to zero.
    pub(super) fn forget(&mut self) {
        self.fade(0.0);
    }

    /// Moves the present points to `old`, to make room for this step's.
    pub(super) fn move_points_to(&mut self, old: &mut Vec<Point>) {
        self.grows = false;
        self.sideways = Vec3::ZERO;
        old.clear();
        old.extend(self.points.drain(..));
    }

    /// Warm starting: hands the impulses of the old points on to the new ones. `normal` is the new normal, unit,
    /// world frame.
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
                    set_impulses(point, &old.swap_remove(i));
                    *done = true;
                }
            }
        }
        if warm.distance {
            for (point, done) in self.points.iter_mut().zip(&mut matched).filter(|(_, done)| !**done) {
                let near = |o: &Point| o.local.distance_squared(point.local);
                let nearest = (old.iter().enumerate()).min_by(|a, b| near(a.1).total_cmp(&near(b.1)));
                if let Some((i, _)) = nearest.filter(|(_, o)| near(o) < warm.tolerance * warm.tolerance) {
                    set_impulses(point, &old.swap_remove(i));
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
        self.scale_impulses(settings);
    }

    /// Reduces the impulses taken over from the previous step as the warm-start settings say; the share of an impact
    /// is removed.
    pub(super) fn scale_impulses(&mut self, settings: &Settings) {
        let warm = &settings.warm_start;
        self.weigh(settings.friction.under_load);
        let impact_share = std::mem::take(&mut self.impact_share);
        if impact_share > 0.0 {
            self.fade(1.0 - impact_share);
        }
        if !warm.enabled {
            self.points.iter_mut().for_each(|p| p.impulse = 0.0);
        }
        if warm.shallow_clamp {
            let full = (2.0 * self.slop).max(1e-9);
            for point in &mut self.points {
                let depth = -point.separation;
                point.impulse *= if depth > 0.0 { (depth / full).min(1.0) } else { 0.0 };
            }
        }
        if !(warm.enabled && warm.patch) {
            (self.friction, self.twist, self.rolling) = (Vec3::ZERO, 0.0, Vec3::ZERO);
            self.points.iter_mut().for_each(|p| p.friction = Vec3::ZERO);
        }
    }

    /// Sets the weights of the points in the patch's centre: all alike unless friction is to act `under_load`. A point that
    /// bore nothing and hovers has none, and where friction slipped the others have what they bore.
    fn weigh(&mut self, under_load: bool) {
        let total: f32 = self.points.iter().map(|point| point.impulse.max(0.0)).sum();
        let (slipped, hovers) = (self.slipped(total), HOVERS * self.slop);
        for point in &mut self.points {
            point.load = match () {
                () if !under_load || total == 0.0 => 0.0,
                () if point.impulse <= 0.0 && point.separation > hovers => 0.0,
                // Some weight, for it touches.
                () if slipped => point.impulse.max(LEAST_SHARE * total),
                () => 1.0,
            };
        }
    }

    /// Whether the friction of a patch was at its bound, which the points' present impulses set. Friction that holds can
    /// bear any moment within its bound, so it may act at any point. At one that follows the load from step to step,
    /// the blocks of an arch would sway for ever.
    fn slipped(&self, load: f32) -> bool {
        let Friction::Patch { mu, arm, .. } = self.friction_model else { return false };
        let torsion = if arm > 0.0 { self.twist / arm } else { 0.0 };
        self.friction.length_squared() + torsion * torsion >= (SLIPS * mu * load).powi(2)
    }

    /// Where the patch's friction acts, m, world frame: the mean of the points that touch within `slop`, m, weighted by
    /// what they carried before this step, if friction slipped.
    pub fn centre(&self, slop: f32) -> Vec3 {
        self.centre_and_gap(slop).0
    }

    /// The patch's centre, m, and the mean gap of its touching points, m.
    pub(crate) fn centre_and_gap(&self, slop: f32) -> (Vec3, f32) {
        centre_and_gap(self.points.iter().map(|point| (point.position, point.separation, point.load)), slop)
    }

    /// The points that touch within `slop`, m: see [`touches`].
    pub(super) fn touching(&self, slop: f32) -> impl Iterator<Item = &Point> {
        let touches = touches(&self.points, slop);
        self.points.iter().filter(move |point| touches(point))
    }
}

/// Predicate for points that touch: a gap at most `slop`, m, above the deepest point's, or above zero if that is
/// negative. If it is known what the points bear, those that bear nothing and hover do not touch: a coin that leans
/// touches at its rim.
pub(super) fn touches(points: &[Point], slop: f32) -> impl Fn(&Point) -> bool + use<> {
    let least = points.iter().map(|p| p.separation).fold(f32::INFINITY, f32::min);
    let bound = greatest_touching_gap(least, slop);
    let loaded = points.iter().any(|point| point.load > 0.0);
    move |point| point.separation <= bound && (point.load > 0.0 || !loaded)
}

fn set_impulses(point: &mut Point, old: &Point) {
    point.impulse = old.impulse;
    point.friction = old.friction;
}

/// Reduces to four points: the deepest, the one farthest from it, the one that spans the largest triangle with these,
/// and the one that adds most area on the other side.
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

/// Swaps the point with the highest score among those from index `k` on to index `k`.
fn pull_forward(points: &mut [Point], k: usize, score: impl Fn(&[Point], &Point) -> f32) {
    let (kept, rest) = points.split_at(k);
    let best = (0..rest.len()).max_by(|&i, &j| score(kept, &rest[i]).total_cmp(&score(kept, &rest[j])));
    if let Some(best) = best {
        points.swap(k, k + best);
    }
}

/// Area spanned by up to four points, projected along the normal, m².
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
