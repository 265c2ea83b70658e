//! Contact of two boxes: the axis of least overlap among fifteen, and the two faces that look along it, clipped
//! against each other.
//!
//! ```text
//! R, t    B's axes (columns) and centre in A's frame; a, b the half sides
//! s(n) = t·n − Σ aᵢ |nᵢ| − Σ bⱼ |n·Rⱼ|          the gap of the projections on n; n is turned so that t·n ≥ 0
//! faces   n = ±eᵢ:  |tᵢ| − aᵢ − Σ |Rᵢⱼ| bⱼ;  for B's faces likewise in B's frame; if several are positive, n is the
//!         normalized vector of these gaps
//! edges   n = eᵢ × Rⱼ / ‖eᵢ × Rⱼ‖, one j per lane. Normalized first: for nearly parallel edges the cross product is
//!         only rounding, but s(n) is a valid gap for any unit n
//! ```
//! Stacked boxes have several axes that are equally good except for rounding: the lower box's face, the upper one's,
//! edges that cross at right angles. A's faces take precedence, then B's, then the edges, unless a later axis is
//! better by `ALIKE` of the boxes' size. Otherwise the normal of a resting stack would change from step to step.
//!
//! Apart from this, the axes, their order and the points are parry3d's (`contact_manifold_cuboid_cuboid`), and a test
//! compares the two. parry3d evaluates two support points of each box for each axis and clips corner by corner (here:
//! `quads.rs`); in a heap of boxes that took a third of the step.
//! Source: Gottschalk, Lin and Manocha 1996.

use glam::{Mat3A, Vec3, Vec3A};
use parry3d::math::Pose;
use parry3d::query::ContactManifold;
use parry3d::shape::Cuboid;

use super::quads;

/// Gaps that differ by less than this share of the boxes' least half sides count as equal.
const ALIKE: f32 = 1e-4;

/// Two boxes and B's pose in A's frame.
pub(super) struct Boxes<'a> {
    a: &'a Cuboid,
    b: &'a Cuboid,
    relative: &'a Pose,
    /// B's axes in A's frame.
    columns: Mat3A,
    /// A's axes in B's frame.
    rows: Mat3A,
}

/// A gap, m, and the unit direction from A to B along which it was measured.
type Gap = (f32, Vec3A);

impl<'a> Boxes<'a> {
    pub fn new(a: &'a Cuboid, b: &'a Cuboid, relative: &'a Pose) -> Self {
        let columns = Mat3A::from_quat(relative.rotation);
        Self { a, b, relative, columns, rows: columns.transpose() }
    }

    /// The greatest gap over all axes, in A's frame. Stops at the first kind of axis (A's faces, B's faces, edges)
    /// with a gap above `prediction`, m.
    pub fn gap(&self, prediction: f32) -> Gap {
        let (a, b) = (Vec3A::from(self.a.half_extents), Vec3A::from(self.b.half_extents));
        let centre = Vec3A::from(self.relative.translation);
        let of_a = faces(centre, &self.columns, a, b);
        if of_a.0 > prediction {
            return of_a;
        }
        let (gap, towards_a) = faces(self.rows * -centre, &self.rows, b, a);
        let of_b = (gap, self.columns * -towards_a);
        if of_b.0 > prediction {
            return of_b;
        }
        let of_edges = edges(centre, &self.rows, a, b);
        if of_edges.0 > prediction {
            return of_edges;
        }
        let alike = ALIKE * (a.min_element() + b.min_element());
        let best = if of_b.0 > of_a.0 + alike { of_b } else { of_a };
        if of_edges.0 > best.0 + alike { of_edges } else { best }
    }

    /// Recomputes the manifold; it has no points if the boxes are farther apart than `prediction`, m. Returns the
    /// gap, m.
    pub fn meet(&self, manifold: &mut ContactManifold<(), ()>, prediction: f32) -> f32 {
        manifold.clear();
        let (gap, normal) = self.gap(prediction);
        let normal = Vec3::from(normal);
        if gap > prediction || !normal.is_normalized() {
            return gap;
        }
        let normal_b = self.relative.rotation.inverse() * -normal;
        let (face_a, face_b) = (self.a.support_face(normal), self.b.support_face(normal_b));
        quads::clip(self.relative, normal, (&face_a, &face_b), manifold);
        (manifold.local_n1, manifold.local_n2) = (normal, normal_b);
        gap
    }
}

/// The greatest gap along the first box's axes. Everything is in its frame: `centre` and `axes` are the other box's.
fn faces(centre: Vec3A, axes: &Mat3A, half_extents: Vec3A, other: Vec3A) -> Gap {
    let reach = axes.x_axis.abs() * other.x + axes.y_axis.abs() * other.y + axes.z_axis.abs() * other.z;
    let gaps = centre.abs() - half_extents - reach;
    let signs = Vec3A::ONE.copysign(centre);
    let open = gaps.cmpge(Vec3A::ZERO);
    if open.bitmask().count_ones() > 1 {
        let weighed = Vec3A::select(open, signs * gaps.max(Vec3A::splat(f32::EPSILON)), Vec3A::ZERO).normalize();
        let along = Vec3A::new(axes.x_axis.dot(weighed), axes.y_axis.dot(weighed), axes.z_axis.dot(weighed));
        return (centre.dot(weighed) - half_extents.dot(weighed.abs()) - other.dot(along.abs()), weighed);
    }
    let mut best = (-f32::MAX, Vec3A::ZERO);
    for (axis, gap) in gaps.to_array().into_iter().enumerate() {
        if gap > best.0 {
            best = (gap, Vec3A::from(Vec3::AXES[axis]) * signs);
        }
    }
    best
}

/// The greatest gap along the cross products of an edge of A with an edge of B.
fn edges(centre: Vec3A, rows: &Mat3A, a: Vec3A, b: Vec3A) -> Gap {
    let (mut gaps, mut directions) = ([[0.0; 3]; 3], [[Vec3A::ZERO; 3]; 3]);
    for i in 0..3 {
        let (next, last) = ((i + 1) % 3, (i + 2) % 3);
        let (row, other) = (rows.col(next), rows.col(last));
        let norm = (row * row + other * other).map(f32::sqrt);
        // eᵢ × Rⱼ has no component along eᵢ.
        let (u, v) = (-other / norm, row / norm);
        let offset = u * centre[next] + v * centre[last];
        let reach = (u * row.x + v * other.x).abs() * b.x
            + (u * row.y + v * other.y).abs() * b.y
            + (u * row.z + v * other.z).abs() * b.z;
        let gap = offset.abs() - u.abs() * a[next] - v.abs() * a[last] - reach;
        let gap = Vec3A::select(norm.cmpgt(Vec3A::splat(f32::EPSILON)), gap, Vec3A::splat(-f32::MAX));
        let signs = Vec3A::ONE.copysign(offset);
        let (u, v) = (u * signs, v * signs);
        for j in 0..3 {
            gaps[j][i] = gap[j];
            directions[j][i][next] = u[j];
            directions[j][i][last] = v[j];
        }
    }
    let mut best = (-f32::MAX, Vec3A::ZERO);
    for (gap, direction) in gaps.as_flattened().iter().zip(directions.as_flattened()) {
        if *gap > best.0 {
            best = (*gap, *direction);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use glam::Quat;
    use parry3d::query::{DefaultQueryDispatcher, PersistentQueryDispatcher};

    use super::*;

    /// Boxes at random poses, some of them nearly aligned: parry3d's points, gaps, normal and feature ids, unless two
    /// axes are about equal; then the gap is as good.
    #[test]
    fn boxes_meet_where_parry3d_has_them_meet() {
        let mut state = 11u32;
        let mut number = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let mut vector = move |size: f32| size * Vec3::new(number(), number(), number());
        let (mut same, mut other_axis, mut none, mut by_edges) = (0, 0, 0, 0);
        let (mut crossings, mut rough) = (0, 0);
        for round in 0..6000 {
            let (a, b) = (Cuboid::new(vector(0.4).abs() + 0.1), Cuboid::new(vector(0.4).abs() + 0.1));
            let turn = if round % 3 == 0 { 1e-3 } else { 2.0 };
            let pose = Pose::from_parts(vector(0.8), Quat::from_scaled_axis(vector(turn)));
            let (mut ours, mut theirs) = (ContactManifold::<(), ()>::new(), ContactManifold::<(), ()>::new());
            let gap = Boxes::new(&a, &b, &pose).meet(&mut ours, 0.05);
            let known =
                DefaultQueryDispatcher.contact_manifold_convex_convex(&pose, &a, &b, None, None, 0.05, &mut theirs);
            known.expect("two boxes");
            let what = format!("{a:?} {b:?} {pose:?}");
            assert_eq!(gap > 0.05, ours.local_n1 == Vec3::ZERO, "{what}");
            if theirs.local_n1 == Vec3::ZERO {
                assert!(gap > 0.05 - 1e-6, "{gap}, {what}");
                none += 1;
                continue;
            }
            if ours.local_n1.distance(theirs.local_n1) > 1e-4 {
                // Another axis that is as good, or nearly so.
                let theirs = super::super::separation::along(&pose, &a, &b, theirs.local_n1).gap;
                let alike = ALIKE * (a.half_extents.min_element() + b.half_extents.min_element());
                assert!(gap > theirs - 2.0 * alike - 1e-6, "{gap} and {theirs}, {what}");
                other_axis += 1;
                continue;
            }
            if round % 3 == 0 && ours.points.len() > theirs.points.len() {
                // parry3d drops crossings of edges that are nearly parallel by an absolute bound.
                crossings += 1;
                continue;
            }
            assert_eq!(ours.points.len(), theirs.points.len(), "{what}");
            for (p, q) in ours.points.iter().zip(&theirs.points) {
                assert_eq!((p.fid1, p.fid2), (q.fid1, q.fid2), "{what}");
                // Of crossings of edges that are nearly parallel parry3d loses some digits.
                let off = (p.dist - q.dist).abs().max(0.2 * p.local_p1.distance(q.local_p1));
                assert!(off < 5e-4, "{} {}, {what}", p.dist, q.dist);
                rough += usize::from(off > 2e-5);
            }
            same += 1;
            let axis =
                ours.local_n1.abs().max_element().max((pose.rotation.inverse() * ours.local_n1).abs().max_element());
            by_edges += usize::from(axis < 0.999);
        }
        assert!(crossings < 20 && rough < 20, "{crossings} crossings more, {rough} elsewhere");
        assert!(same > 2000 && none > 500 && by_edges > 300, "{same} the same, {none} apart, {by_edges} by edges");
        assert!(other_axis < 400, "{other_axis} by another axis");
    }
}
