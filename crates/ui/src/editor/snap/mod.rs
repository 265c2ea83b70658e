//! The points of a body that anchors snap to: its centre, the centres of its faces and edges, its corners; and the
//! edges along which axes can be aligned.

pub mod clearance;

use std::collections::HashMap;

use glam::{Vec2, Vec3};

use crate::editor::Hands;
use crate::view3d::viewport::viewport;
use delassus_physics::shape::{Shape, Solid};
use delassus_session::{BodyView, Hit};

/// How near the pointer has to be to a point to snap to it, points of the screen.
const REACH: f32 = 12.0;
/// The largest number of edges and of faces of a hull that are offered.
const MAX_EDGES: usize = 128;

/// A kind of point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnapKind {
    /// The nearest point on the screen, else the point where the ray meets the surface.
    #[default]
    Any,
    Centre,
    Face,
    Edge,
    Corner,
    /// The point where the ray meets the surface.
    Hit,
}

impl SnapKind {
    pub const ALL: [(Self, &str); 6] = [
        (Self::Any, "any point"),
        (Self::Centre, "centres"),
        (Self::Face, "face centres"),
        (Self::Edge, "edge middles"),
        (Self::Corner, "corners"),
        (Self::Hit, "hit point"),
    ];

    /// The next kind, cyclically.
    pub fn next(self) -> Self {
        let index = Self::ALL.iter().position(|(kind, _)| *kind == self).unwrap_or(0);
        Self::ALL[(index + 1) % Self::ALL.len()].0
    }

    /// The plural, as in “snap to corners”.
    pub fn words(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("", |(_, words)| words)
    }

    /// The singular.
    pub fn one(self) -> &'static str {
        match self {
            Self::Centre => "centre",
            Self::Face => "face centre",
            Self::Edge => "edge middle",
            Self::Corner => "corner",
            Self::Any | Self::Hit => "hit point",
        }
    }

    /// Whether points of `kind` are snapped to.
    fn takes(self, kind: Self) -> bool {
        self == Self::Any || self == kind
    }
}

/// The points of a solid in its shape's frame, m.
pub fn points(solid: &Solid) -> Vec<(SnapKind, Vec3)> {
    let mut points = vec![(SnapKind::Centre, Vec3::ZERO)];
    let six = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|d| [d, -d]);
    match &solid.shape {
        Shape::Box { half } => {
            points.extend(six.map(|d| (SnapKind::Face, d * *half)));
            points.extend((0..8).map(|i| {
                let sign = |bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
                (SnapKind::Corner, Vec3::new(sign(0), sign(1), sign(2)) * *half)
            }));
        }
        Shape::Sphere { radius } => points.extend(six.map(|d| (SnapKind::Face, d * *radius))),
        Shape::Capsule { radius, half_length } => {
            let end = |z: f32| Vec3::new(0.0, 0.0, z);
            points.extend([*half_length, -*half_length].map(|z| (SnapKind::Centre, end(z))));
            points.extend([half_length + radius, -half_length - radius].map(|z| (SnapKind::Face, end(z))));
        }
        Shape::Cylinder { radius, half_length } => {
            points.extend([-half_length, *half_length].map(|z| (SnapKind::Face, Vec3::new(0.0, 0.0, z))));
            for (z, kind) in [(-half_length, SnapKind::Edge), (0.0, SnapKind::Face), (*half_length, SnapKind::Edge)] {
                let rim = [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y];
                points.extend(rim.map(|d| (kind, d * *radius + Vec3::Z * z)));
            }
        }
        Shape::Hull { points: corners } => {
            points.push((SnapKind::Centre, solid.centre));
            points.extend(corners.iter().take(MAX_EDGES).map(|p| (SnapKind::Corner, *p)));
            points.extend(faces(solid).into_iter().map(|p| (SnapKind::Face, p)));
        }
        Shape::Compound { .. } => {
            points.push((SnapKind::Centre, solid.centre));
            for piece in &solid.pieces {
                let of_piece = self::points(piece).into_iter().filter(|(kind, _)| *kind != SnapKind::Edge);
                points.extend(of_piece.map(|(kind, p)| (kind, of_part(solid, piece, p))));
            }
        }
    }
    points.extend(creases(solid).into_iter().map(|(a, b)| (SnapKind::Edge, (a + b) * 0.5)));
    points
}

/// A point of a compound's piece, given in the frame of the piece, in that of the compound, m.
fn of_part(compound: &Solid, piece: &Solid, point: Vec3) -> Vec3 {
    compound.centre + piece.frame.transform_point(point)
}

/// The straight edges of a solid in its shape's frame, m.
pub fn creases(solid: &Solid) -> Vec<(Vec3, Vec3)> {
    match &solid.shape {
        Shape::Box { half } => (0..12)
            .map(|i| {
                let (along, corner) = (i / 4, i % 4);
                let mut end = *half;
                for (bit, axis) in [(0, (along + 1) % 3), (1, (along + 2) % 3)] {
                    end[axis] *= if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                }
                let mut start = end;
                start[along] = -start[along];
                (start, end)
            })
            .collect(),
        Shape::Hull { .. } => hull_creases(solid),
        Shape::Compound { .. } => {
            let edges = |piece: &Solid| {
                let place = |p: Vec3| of_part(solid, piece, p);
                creases(piece).into_iter().map(|(a, b)| (place(a), place(b))).collect::<Vec<_>>()
            };
            solid.pieces.iter().flat_map(edges).collect()
        }
        Shape::Sphere { .. } | Shape::Capsule { .. } | Shape::Cylinder { .. } => Vec::new(),
    }
}

/// A hull's triangles with their normals, in the shape's frame.
fn triangles(solid: &Solid) -> Vec<([u32; 3], [Vec3; 3], Vec3)> {
    let Some((points, triangles)) = solid.hull.as_deref() else { return Vec::new() };
    let corners =
        |t: &[u32; 3]| Some([points.get(t[0] as usize)?, points.get(t[1] as usize)?, points.get(t[2] as usize)?]);
    (triangles.iter())
        .filter_map(|t| {
            let [a, b, c] = corners(t)?.map(|p| *p + solid.centre);
            Some((*t, [a, b, c], (b - a).cross(c - a).try_normalize()?))
        })
        .collect()
}

/// Edges of a hull at which two triangles meet at an angle.
fn hull_creases(solid: &Solid) -> Vec<(Vec3, Vec3)> {
    let triangles = triangles(solid);
    let mut sides: HashMap<(u32, u32), Vec3> = HashMap::new();
    let mut creases = Vec::new();
    for (indices, corners, normal) in &triangles {
        for side in 0..3 {
            let (i, j) = (indices[side], indices[(side + 1) % 3]);
            let other = sides.insert((i.min(j), i.max(j)), *normal);
            if other.is_some_and(|other| other.dot(*normal) < 0.999) && creases.len() < MAX_EDGES {
                creases.push((corners[side], corners[(side + 1) % 3]));
            }
        }
    }
    creases
}

/// The centres of a hull's faces; coplanar triangles form one face.
fn faces(solid: &Solid) -> Vec<Vec3> {
    /// Normal, distance from the origin, twice the area, and that times the centre.
    type Face = (Vec3, f32, f32, Vec3);
    let mut faces: Vec<Face> = Vec::new();
    for (_, [a, b, c], normal) in triangles(solid) {
        let (area, middle) = ((b - a).cross(c - a).length(), (a + b + c) / 3.0);
        let size = solid.radius;
        let same = |f: &&mut Face| f.0.dot(normal) > 0.999 && (f.1 - normal.dot(a)).abs() < 1e-3 * size;
        let full = faces.len() >= MAX_EDGES;
        match faces.iter_mut().find(same) {
            Some(face) => (face.2, face.3) = (face.2 + area, face.3 + middle * area),
            None if !full => faces.push((normal, normal.dot(a), area, middle * area)),
            None => {}
        }
    }
    faces.into_iter().map(|(.., area, sum)| sum / area).collect()
}

/// The points of a body in the world, m.
pub fn of(body: &BodyView, kind: SnapKind) -> impl Iterator<Item = (SnapKind, Vec3)> {
    let pose = body.pose;
    let taken = points(&body.solid).into_iter().filter(move |(k, _)| kind.takes(*k));
    taken.map(move |(kind, p)| (kind, pose.position + pose.rotation * p))
}

/// The snap point under the pointer, and its kind. With any kind allowed, the nearest on the screen if it is near;
/// with a chosen kind, the nearest to the point where the ray meets the body.
pub fn taken(at: Vec2, hit: &Hit, body: &BodyView, kind: SnapKind, state: &Hands<'_>) -> (SnapKind, Vec3) {
    let size = viewport(state.view3d);
    let seen = |p: Vec3| state.view3d.camera.project(p, size).map_or(f32::INFINITY, |q| q.distance(at));
    let found = match kind {
        SnapKind::Hit => None,
        SnapKind::Any => of(body, kind)
            .map(|(kind, p)| (seen(p), kind, p))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(distance, ..)| *distance < REACH)
            .map(|(_, kind, p)| (kind, p)),
        _ => of(body, kind).min_by(|a, b| a.1.distance(hit.point).total_cmp(&b.1.distance(hit.point))),
    };
    found.unwrap_or((SnapKind::Hit, hit.point))
}

/// The world direction of the edge nearest to the point where a ray meets a body, or the axis of a round body. Zero
/// if there is none.
pub fn edge(hit: &Hit, body: &BodyView) -> Vec3 {
    let pose = body.pose;
    let at = pose.rotation.conjugate() * (hit.point - pose.position);
    let local = match body.solid.shape {
        Shape::Capsule { .. } | Shape::Cylinder { .. } => Vec3::Z,
        _ => {
            let distance = |(a, b): &(Vec3, Vec3)| {
                let along = *b - *a;
                let t = ((at - *a).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
                at.distance(*a + along * t)
            };
            let nearest = creases(&body.solid).into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
            nearest.map_or(Vec3::ZERO, |(a, b)| (b - a).normalize_or_zero())
        }
    };
    pose.rotation * local
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(shape: Shape) -> [usize; 4] {
        let points = points(&shape.solid().expect("a solid"));
        [SnapKind::Centre, SnapKind::Face, SnapKind::Edge, SnapKind::Corner]
            .map(|kind| points.iter().filter(|(k, _)| *k == kind).count())
    }

    #[test]
    fn a_box_has_its_centre_six_faces_twelve_edges_and_eight_corners() {
        let half = Vec3::new(1.0, 2.0, 3.0);
        assert_eq!(counts(Shape::Box { half }), [1, 6, 12, 8]);
        let solid = Shape::Box { half }.solid().expect("a box");
        for (kind, point) in points(&solid) {
            let out = (point / half).to_array().iter().filter(|v| **v != 0.0).count();
            let expected = [SnapKind::Centre, SnapKind::Face, SnapKind::Edge, SnapKind::Corner][out];
            assert_eq!(kind, expected, "{point}");
        }
    }

    #[test]
    fn a_hull_has_faces_and_edges_as_many_as_euler_wants() {
        let corner = |i: u32| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32);
        let cube = Shape::Hull { points: (0..8).map(corner).collect() };
        let [_, faces, edges, corners] = counts(cube.clone());
        assert_eq!((faces, edges, corners), (6, 12, 8), "triangles of one face are one face");
        let solid = cube.solid().expect("a cube");
        let found = points(&solid);
        assert!(found.iter().any(|(k, p)| *k == SnapKind::Face && p.distance(Vec3::new(0.5, 0.5, 1.0)) < 1e-5));
        assert!(found.iter().any(|(k, p)| *k == SnapKind::Edge && p.distance(Vec3::new(0.5, 0.0, 1.0)) < 1e-5));
    }

    #[test]
    fn the_key_goes_through_all_kinds_and_comes_back() {
        let mut kind = SnapKind::Any;
        for (expected, _) in SnapKind::ALL {
            assert_eq!(kind, expected);
            kind = kind.next();
        }
        assert_eq!(kind, SnapKind::Any);
    }
}
