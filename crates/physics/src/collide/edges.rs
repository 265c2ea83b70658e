//! Contact points of two edges: of round bodies that lie along each other or along an edge of a box.
//!
//! ```text
//! s        along the first edge, projected along n; both edges are there for s₀ ≤ s ≤ s₁
//! d(s)     from the one edge to the other at s;  x(s) = the part of d across n and the edge
//! gap      √((R + d·n)² + x²) − R          R: the radii of the surfaces on which the edges lie, in sum; 0 of cores
//! ```
//! Two cylinders that are slightly askew touch where their axes cross, x = 0. Towards the ends of the part that they share
//! the gap widens by x²/2R, R with the cores' radii: next to nothing at a degree, and much at ten. So the points are the two
//! ends, with their gaps, and the crossing where it is deeper than both.
//!
//! parry3d takes two edges for parallel only if their corners come in the same order, gives two capsules one point
//! whatever their directions, and the ends of edges that cross at up to 22° no larger gap than the crossing. A log on two
//! others then rested on one end at a time, and rolled and sank for ever.

use glam::Vec3;
use parry3d::shape::{PackedFeatureId, PolygonalFeature};

/// Edges that are less parallel than this, by the cosine, touch where they cross.
const MIN_COSINE: f32 = 0.9;
/// Edges that lean more against the normal than this, by the cosine, touch with an end.
const MAX_LEAN: f32 = 0.3;
/// Sharp edges that are less parallel than this, by the sine, touch where they cross.
const MAX_SINE_SHARP: f32 = 0.02;
/// The crossing counts if it is deeper than the ends by this, m.
const DEEPER: f32 = 1e-5;

/// An edge in a frame that both edges share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    /// m.
    pub ends: [Vec3; 2],
    /// The features of its ends, and its own.
    pub vids: [PackedFeatureId; 2],
    pub id: PackedFeatureId,
}

/// A point where two edges touch.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgesPoint {
    /// m.
    pub on_a: Vec3,
    pub on_b: Vec3,
    /// m; negative on overlap.
    pub gap: f32,
    pub of_a: PackedFeatureId,
    pub of_b: PackedFeatureId,
}

impl Edge {
    pub fn of(feature: &PolygonalFeature, place: impl Fn(Vec3) -> Vec3) -> Self {
        let [first, second, ..] = feature.vertices;
        Self { ends: [place(first), place(second)], vids: [feature.vids[0], feature.vids[1]], id: feature.eids[0] }
    }

    fn at(&self, share: f32) -> Vec3 {
        self.ends[0].lerp(self.ends[1], share)
    }

    /// The feature at `share` of the way from its first end to its second.
    fn feature(&self, share: f32) -> PackedFeatureId {
        match share {
            _ if share <= 0.0 => self.vids[0],
            _ if share >= 1.0 => self.vids[1],
            _ => self.id,
        }
    }
}

/// How round the two surfaces are along their edges, in sum, m.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Roundness {
    /// R: of cylinders, whose edges are lines of the surface.
    pub surfaces: f32,
    /// Of capsules, whose edges are the cores.
    pub cores: f32,
}

/// The points of two edges that lie along each other; of cores the gaps are those of the cores. `normal` points from A to B,
/// a unit vector. `None` if they touch at an end or where they cross.
pub(super) fn clip(a: &Edge, b: &Edge, normal: Vec3, round: Roundness) -> Option<[Option<EdgesPoint>; 3]> {
    let radius = round.surfaces;
    let sharp = radius + round.cores == 0.0;
    let flat = |edge: &Edge| {
        let direction = (edge.ends[1] - edge.ends[0]).try_normalize()?;
        let lean = normal.dot(direction);
        if lean.abs() < MAX_LEAN { (direction - normal * lean).try_normalize() } else { None }
    };
    let (along, direction_b) = (flat(a)?, flat(b)?);
    let (cosine, sine) = (along.dot(direction_b), along.cross(direction_b).length());
    if cosine.abs() < MIN_COSINE || sharp && sine > MAX_SINE_SHARP {
        return None;
    }
    let across = normal.cross(along);
    let stations = |edge: &Edge| edge.ends.map(|end| end.dot(along));
    let (of_a, of_b) = (stations(a), stations(b));
    let share = |[from, to]: [f32; 2], s: f32| ((s - from) / (to - from)).clamp(0.0, 1.0);
    let at = |s: f32| {
        let (share_a, share_b) = (share(of_a, s), share(of_b, s));
        let (on_a, on_b) = (a.at(share_a), b.at(share_b));
        let (apart, aside) = ((on_b - on_a).dot(normal), (on_b - on_a).dot(across));
        let wide = radius + apart;
        let gap = if sharp || wide <= 0.0 { apart } else { wide.hypot(aside) - radius };
        (EdgesPoint { on_a, on_b, gap, of_a: a.feature(share_a), of_b: b.feature(share_b) }, aside)
    };
    let first = of_a[0].min(of_a[1]).max(of_b[0].min(of_b[1]));
    let last = of_a[0].max(of_a[1]).min(of_b[0].max(of_b[1]));
    if first >= last {
        return Some([None; 3]);
    }
    let ((start, aside), (end, aside_end)) = (at(first), at(last));
    let crosses = (aside < 0.0) != (aside_end < 0.0);
    let crossing = crosses.then(|| at(first + (last - first) * aside / (aside - aside_end)).0);
    let crossing = crossing.filter(|point| point.gap < start.gap.min(end.gap) - DEEPER);
    Some([Some(start), Some(end), crossing])
}

/// A face that leans against `normal` by more than this, by the cosine, touches with an edge or a corner.
const LEANS: f32 = 0.9995;

/// Of a face that leans against `normal`, a unit vector in its frame, the edge that is foremost along it; none if it does
/// not lean.
pub(super) fn foremost(face: &PolygonalFeature, normal: Vec3) -> Option<PolygonalFeature> {
    let (count, corners) = (face.num_vertices, face.vertices);
    let square = (corners[1] - corners[0]).cross(corners[2] - corners[1]).try_normalize()?;
    if square.dot(normal).abs() > LEANS {
        return None;
    }
    let next = |k: usize| (k + 1) % count;
    let height = |k: usize| (corners[k] + corners[next(k)]).dot(normal);
    let k = (0..count).max_by(|a, b| height(*a).total_cmp(&height(*b)))?;
    let mut edge = PolygonalFeature { num_vertices: 2, fid: face.eids[k], ..*face };
    (edge.vertices[0], edge.vertices[1]) = (corners[k], corners[next(k)]);
    (edge.vids[0], edge.vids[1]) = (face.vids[k], face.vids[next(k)]);
    edge.eids[0] = face.eids[k];
    Some(edge)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: Vec3, to: Vec3) -> Edge {
        let vids = [0, 1].map(PackedFeatureId::vertex);
        Edge { ends: [from, to], vids, id: PackedFeatureId::edge(0) }
    }

    /// Cores of two capsules, 0.5 m apart in z. The second one points either way.
    #[test]
    fn parallel_edges_touch_at_both_ends_of_the_part_that_they_share() {
        let (a, cores) = (edge(Vec3::ZERO, Vec3::X), Roundness { cores: 0.4, ..Roundness::default() });
        for (from, to) in [(0.25, 2.0), (2.0, 0.25)] {
            let b = edge(Vec3::new(from, 0.0, 0.5), Vec3::new(to, 0.0, 0.5));
            let points = clip(&a, &b, Vec3::Z, cores).expect("parallel");
            let [Some(first), Some(last), None] = points else { panic!("{points:?}") };
            assert_eq!([first.on_a.x, last.on_a.x, first.gap, last.gap], [0.25, 1.0, 0.5, 0.5]);
            assert_eq!(last.of_a, a.vids[1]);
            assert_eq!(first.of_b, b.vids[usize::from(from > to)]);
        }
        let apart = edge(Vec3::new(1.5, 0.0, 0.5), Vec3::new(2.0, 0.0, 0.5));
        assert!(clip(&a, &apart, Vec3::Z, cores).is_some_and(|points| points.iter().all(Option::is_none)));
    }

    /// At a slope of a tenth the ends, x = ±0.1 m aside, are x²/2R further apart; the crossing is between them.
    #[test]
    fn edges_askew_touch_where_they_cross() {
        let a = edge(-Vec3::X, Vec3::X);
        let b = edge(Vec3::new(-1.0, -0.1, 0.0), Vec3::new(1.0, 0.1, 0.0));
        let surfaces = Roundness { surfaces: 0.5, ..Roundness::default() };
        let points = clip(&a, &b, Vec3::Z, surfaces).expect("nearly parallel");
        let [Some(first), Some(last), Some(crossing)] = points else { panic!("{points:?}") };
        let wider = 0.5f32.hypot(0.1) - 0.5;
        assert!((first.gap - wider).abs() < 1e-6 && (last.gap - wider).abs() < 1e-6, "{first:?} {last:?}");
        assert!(crossing.gap.abs() < 1e-6 && crossing.on_a.length() < 1e-6, "{crossing:?}");
        assert!(clip(&a, &b, Vec3::Z, Roundness::default()).is_none(), "sharp edges touch only there");
        assert!(clip(&a, &edge(-Vec3::Y, Vec3::Y), Vec3::Z, surfaces).is_none(), "across");
    }

    #[test]
    fn a_leaning_face_touches_with_its_foremost_edge() {
        let mut face = PolygonalFeature { num_vertices: 4, ..PolygonalFeature::default() };
        face.vertices = [Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y];
        assert!(foremost(&face, Vec3::Z).is_none());
        let edge = foremost(&face, Vec3::new(0.0, 0.6, 0.8)).expect("it leans");
        assert_eq!((edge.num_vertices, edge.vertices[0], edge.vertices[1]), (2, Vec3::X + Vec3::Y, Vec3::Y));
    }
}
